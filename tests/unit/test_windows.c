/* Steps in place that are computed together, tile by tile of the buffer that they write to
 * (interp/exec/build/windows.c): which steps these are, that nobody sees the buffer before they are
 * computed, and that the audit finds what is planted wrong. test_planned_random.c has whole graphs.
 */
#include "generate/rng.h"
#include "graphs.h"
#include "grouped.h"
#include "interp/audit/audit.h"
#include "interp/exec/report/static_instance.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "models.h"
#include "passes/passes.h"
#include "seeds.h"

/* Graphs */

/* Windows A (rows 0..1) and B (rows 4..5) of d, both computed in place, tile by tile. */
#define CHAINS                                                                                     \
    "%d = Parameter-1 {element_type = f32, shape = [8,6]}\n"                                       \
    "%one = Const-1 {value = i64[1] [1]}\n%zero = Const-1 {value = i64[1] [0]}\n"                  \
    "%two = Const-1 {value = i64[1] [2]}\n%four = Const-1 {value = i64[1] [4]}\n"                  \
    "%six = Const-1 {value = i64[1] [6]}\n%half = Const-1 {value = f32[] 0.5}\n"                   \
    "%ax = Slice-8(%d, %zero, %two, %one)\n%ay = Add-1(%ax, %half)\n%az = Multiply-1(%ay, %ay)\n"  \
    "%ar = SliceScatter-15(%d, %az, %zero, %two, %one)\n"                                          \
    "%bx = Slice-8(%ar, %four, %six, %one)\n%by = Multiply-1(%bx, %half)\n"                        \
    "%r = SliceScatter-15(%ar, %by, %four, %six, %one)\n"

static inlay_tensor *rows_of(int64_t rows, int64_t columns)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){rows, columns});

    for (int64_t i = 0; i < rows * columns; i++)
        inlay_tensor_set_f64(t, i, (double)(i % 11) - 3);
    return t;
}

/* Checks that BODY in tiles of a byte gives what the reference gives, the kept value KEEP too, and
 * writes IN_PLACE times over what is there. */
static void check_tiled(const char *body, const char *keep, uint64_t in_place)
{
    inlay_exec_options reference = {.mode = INLAY_EXEC_REFERENCE,
                                    .keep = &keep,
                                    .n_keep = keep != NULL},
                       tiled = reference;
    inlay_pass_options o = {.passes = "in-place-windows", .check = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(body);
    inlay_tensor *in = rows_of(8, 6), *out[2][2];
    inlay_compare_options exact = {0};
    inlay_exec_stats stats;
    char why[300] = "";
    runner r[2];

    tiled.mode = INLAY_EXEC_PLANNED;
    tiled.poison = true;
    assert_true(inlay_run_passes(g, &o, d));
    r[0] = runner_of(body, &reference);
    r[1] = runner_on(g, &tiled);
    program_tile(r[1].program, 1);
    for (int i = 0; i < 2; i++) {
        const inlay_tensor *kept;

        if (!inlay_session_run(r[i].session, (const inlay_tensor *const[]){in}, NULL, out[i],
                               r[i].diags))
            fail_msg("%s", inlay_diags_at(r[i].diags, 0)->text);
        kept = inlay_session_kept(r[i].session, 0);
        if (keep && !inlay_compare_tensors(inlay_session_kept(r[0].session, 0), kept, &exact, why,
                                           sizeof why))
            fail_msg("kept: %s", why);
    }
    for (int i = 0; i < g->n_results; i++) {
        if (!inlay_compare_tensors(out[0][i], out[1][i], &exact, why, sizeof why))
            fail_msg("result %d: %s", i, why);
        inlay_tensor_release(out[0][i]);
        inlay_tensor_release(out[1][i]);
    }
    inlay_session_stats(r[1].session, &stats);
    assert_int_equal(stats.in_place_writes, in_place);
    runner_free(&r[0]);
    runner_free(&r[1]);
    inlay_tensor_release(in);
    inlay_diags_free(d);
}

static void test_result_and_reader(void **state)
{
    check_tiled(CHAINS "%out = Result-1(%r)\n", NULL, 3);
    check_tiled(CHAINS "%axes = Const-1 {value = i64[1] [0]}\n%s = ReduceSum-1(%r, %axes)\n"
                       "%out = Result-1(%r)\n%sum = Result-1(%s)\n",
                NULL, 3);
}

/* A reshape is copied where only the result has its shape. */
static void test_reshape_copies(void **state)
{
    check_tiled(CHAINS "%m = Const-1 {value = i64[2] [6, 8]}\n"
                       "%q = Reshape-1(%r, %m) {special_zero = false}\n%out = Result-1(%q)\n",
                NULL, 3);
}

static void test_kept_value(void **state)
{
    check_tiled(CHAINS "%out = Result-1(%r)\n", "ar", 3);
    check_tiled(CHAINS "%out = Result-1(%r)\n", "ay", 3);
    check_tiled(CHAINS "%out = Result-1(%r)\n", "d", 3);
}

/* One element of the buffer is a number of the next step, which reads it before the first tile. */
static void test_number_of_the_buffer(void **state)
{
    check_tiled(CHAINS "%ends = Const-1 {value = i64[2] [1, 1]}\n"
                       "%start = Const-1 {value = i64[2] [0, 0]}\n"
                       "%step = Const-1 {value = i64[2] [1, 1]}\n"
                       "%n = Slice-8(%r, %start, %ends, %step)\n"
                       "%cx = Slice-8(%r, %two, %four, %one)\n%cy = Multiply-1(%cx, %n)\n"
                       "%c = SliceScatter-15(%r, %cy, %two, %four, %one)\n"
                       "%out = Result-1(%c)\n",
                NULL, 4);
}

/* The window of one chain is the other operand of the next: another row of the root. */
static void test_operand_of_the_buffer(void **state)
{
    check_tiled(CHAINS "%u = Slice-8(%r, %zero, %two, %one)\n"
                       "%cx = Slice-8(%r, %two, %four, %one)\n%cy = Subtract-1(%cx, %u)\n"
                       "%c = SliceScatter-15(%r, %cy, %two, %four, %one)\n"
                       "%out = Result-1(%c)\n",
                NULL, 4);
}

/* A body reads elements of the buffer. */
static void test_body_reads(void **state)
{
    check_tiled(CHAINS "%yes = Const-1 {value = boolean[] true}\n"
                       "%f = If-8(%yes, %r)\n"
                       "then_body \"t\" {\n"
                       "  %p = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                       "  %q = ReLU-1(%p)\n  %o = Result-1(%q)\n}\n"
                       "in 1 -> %p\nout %o -> 0\n"
                       "else_body \"e\" {\n"
                       "  %p = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                       "  %o = Result-1(%p)\n}\n"
                       "in 1 -> %p\nout %o -> 0\n"
                       "%out = Result-1(%f)\n",
                NULL, 3);
}

/* A conversion, which hands over no blocks, reads and writes the buffer in between. */
static void test_conversion_between(void **state)
{
    check_tiled(CHAINS "%cx = Slice-8(%r, %zero, %four, %one)\n%ca = Add-1(%cx, %half)\n"
                       "%ci = Convert-1(%ca) {destination_type = i32}\n"
                       "%cf = Convert-1(%ci) {destination_type = f32}\n"
                       "%c = SliceScatter-15(%r, %cf, %zero, %four, %one)\n"
                       "%out = Result-1(%c)\n",
                NULL, 6);
}

/* Another buffer that a step of a group reads is written over, by one that is in no group. */
static void test_other_buffer_is_overwritten(void **state)
{
    check_tiled("%d = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                "%one = Const-1 {value = i64[1] [1]}\n%zero = Const-1 {value = i64[1] [0]}\n"
                "%two = Const-1 {value = i64[1] [2]}\n%axis = Const-1 {value = i64[] 0}\n"
                "%row = Const-1 {value = f32[1,6] [9, 9, 9, 9, 9, 9]}\n"
                "%x = Slice-8(%d, %zero, %two, %one)\n%f = Tanh-1(%x)\n"
                "%y = Add-1(%x, %f)\n%r = SliceScatter-15(%d, %y, %zero, %two, %one)\n"
                "%g = ScatterUpdate-3(%f, %one, %row, %axis)\n"
                "%out = Result-1(%r)\n%second = Result-1(%g)\n",
                NULL, 2);
}

/* A step that is in no group writes to the buffer, and reads none of its elements. */
static void test_window_is_written_from_outside(void **state)
{
    check_tiled(CHAINS "%i = Const-1 {value = i32[2,6] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}\n"
                       "%c = Convert-1(%i) {destination_type = f32}\n"
                       "%s = SliceScatter-15(%r, %c, %zero, %two, %one)\n%out = Result-1(%s)\n",
                NULL, 4);
    check_tiled(CHAINS "%f = Const-1 {value = f32[2,6] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}\n"
                       "%c = Convert-1(%f) {destination_type = f32}\n"
                       "%s = SliceScatter-15(%r, %c, %zero, %two, %one)\n%out = Result-1(%s)\n",
                NULL, 4);
}

/* Memory */

/* No operand that is computed for a moment is kept longer, nor, if VIEWED, a view of one. */
static void check_operands_are_freed(bool viewed)
{
    enum { N = 32, ROWS = 16, COLUMNS = 1024 }; /* windows of 64 KiB */
    char *body = malloc(512 + N * 700);
    size_t at = (size_t)sprintf(body,
                                "%%d = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
                                "%%q = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
                                "%%one = Const-1 {value = i64[1] [1]}\n"
                                "%%zero = Const-1 {value = i64[1] [0]}\n"
                                "%%rows = Const-1 {value = i64[1] [%d]}\n",
                                N * ROWS, COLUMNS, ROWS, COLUMNS, ROWS);
    char before[16] = "d";
    inlay_tensor *in[2] = {rows_of(N * ROWS, COLUMNS), rows_of(ROWS, COLUMNS)}, *out[1];
    inlay_pass_options o = {.passes = "in-place-windows"};
    inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};
    inlay_exec_stats stats;
    inlay_graph *g;
    runner r;

    for (int i = 0; i < N; i++) {
        at += (size_t)sprintf(body + at,
                              "%%b%d = Const-1 {value = i64[1] [%d]}\n"
                              "%%e%d = Const-1 {value = i64[1] [%d]}\n"
                              "%%x%d = Slice-8(%%%s, %%b%d, %%e%d, %%one)\n"
                              "%%s%d = SoftMax-8(%%q) {axis = 1}\n"
                              "%%v%d = Slice-8(%%s%d, %%zero, %%rows, %%one)\n"
                              "%%y%d = Add-1(%%x%d, %%%c%d)\n"
                              "%%r%d = SliceScatter-15(%%%s, %%y%d, %%b%d, %%e%d, %%one)\n",
                              i, i * ROWS, i, (i + 1) * ROWS, i, before, i, i, i, i, i, i, i,
                              viewed ? 'v' : 's', i, i, before, i, i, i);
        sprintf(before, "r%d", i);
    }
    sprintf(body + at, "%%out = Result-1(%%%s)\n", before);
    g = graph_of(body);
    assert_true(inlay_run_passes(g, &o, NULL));
    r = runner_on(g, &planned);
    assert_true(inlay_session_run(r.session, (const inlay_tensor *const *)in, (bool[]){true, false},
                                  out, r.diags));
    inlay_session_stats(r.session, &stats);
    assert_int_equal(stats.in_place_writes, N);
    assert_int_equal(stats.copied_bytes, 0);
    assert_true(stats.peak_bytes <= 128 << 10);
    runner_free(&r);
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
    inlay_tensor_release(out[0]);
    free(body);
}

static void test_operands_are_freed(void **state)
{
    check_operands_are_freed(false);
    check_operands_are_freed(true);
}

/* Groups */

/* Makes the instance of BODY, with tiles of TILE bytes; 0: the usual ones. */
static grouped subject_of(const char *body, int64_t tile)
{
    inlay_pass_options o = {.passes = "in-place-windows", .check = true};
    grouped s = {.graph = graph_of(body), .diags = inlay_diags_new()};

    assert_true(inlay_run_passes(s.graph, &o, s.diags));
    s.steps = steps_new(s.graph, s.diags);
    s.plan = exec_plan_new(s.steps, s.diags);
    assert_non_null(s.plan);
    s.plan->tile = tile;
    s.x = exec_static_instance(s.plan, false, s.diags);
    assert_non_null(s.x);
    if (!audit_instance(s.x, s.diags))
        fail_msg("%s", model_messages(s.diags));
    return s;
}

/* Two chains of one buffer are one group, which begins with the copy of the input. A slot is 64
 * bytes, because each block is a single row. */
static void test_two_chains(void **state)
{
    grouped s = subject_of(CHAINS "%out = Result-1(%r)\n", 64);
    const exec_fused *f = grouped_step(&s, "ay")->fused;

    assert_non_null(f);
    assert_int_equal(f->kind, FUSED_SLOTS);
    assert_ptr_equal(grouped_step(&s, "az")->fused, f);
    assert_ptr_equal(grouped_step(&s, "by")->fused, f);
    assert_int_equal(grouped_step(&s, "ay")->kind, EXEC_FUSED);
    assert_int_equal(grouped_step(&s, "ar")->kind, EXEC_NOTHING);
    assert_int_equal(f->windows->n, 4);
    assert_int_equal(f->windows->entry, 0);
    assert_true(s.x->entries[0].later);
    assert_int_equal(f->windows->pitch, 64);
    assert_int_equal(f->tiles, 3); /* of 8 times 6 floats */
    assert_int_equal(f->windows->list[3].at, 4 * 6 * 4);
    assert_int_equal(f->windows->list[3].slot, 1);
    assert_int_equal(f->windows->list[3].end, 3);
    grouped_free(&s);
}

/* A buffer that a cache holds has no tiles. The chain of one window is a group like any other. */
static void test_small_buffer(void **state)
{
    grouped s = subject_of(CHAINS "%out = Result-1(%r)\n", 0);
    const exec_fused *f = grouped_step(&s, "ay")->fused;

    assert_non_null(f);
    assert_int_equal(f->kind, FUSED_ROWS);
    assert_int_equal(f->n_ops, 2);
    assert_null(grouped_step(&s, "by")->fused);
    assert_false(s.x->entries[0].later);
    grouped_free(&s);
}

/* The last value of a group is made in its window, at the strides that it has there; what comes
 * before it has no memory. */
static void test_window_at_the_end(void **state)
{
    grouped s = subject_of("%d = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                           "%u = Parameter-1 {element_type = f32, shape = [8,2]}\n"
                           "%one = Const-1 {value = i64[1] [1]}\n"
                           "%two = Const-1 {value = i64[1] [2]}\n"
                           "%four = Const-1 {value = i64[1] [4]}\n"
                           "%half = Const-1 {value = f32[] 0.5}\n"
                           "%a = Exp-1(%u)\n%b = Multiply-1(%a, %half)\n%c = Add-1(%b, %u)\n"
                           "%r = SliceScatter-15(%d, %c, %two, %four, %one, %one)\n"
                           "%out = Result-1(%r)\n",
                           0);
    const exec_fused *f = grouped_step(&s, "c")->fused;
    const exec_op *last;

    assert_non_null(f);
    assert_int_equal(f->n_ops, 3);
    last = &f->ops[2];
    assert_true(grouped_step(&s, "c")->in_place);
    assert_ptr_equal(grouped_step(&s, "a")->fused, f);
    assert_int_equal(s.x->allocation[grouped_step(&s, "c")->out[0]],
                     s.x->allocation[grouped_step(&s, "r")->out[0]]);
    assert_int_equal(last->strides[0][f->rank - 2], 6 * 4);
    assert_int_equal(grouped_step(&s, "r")->kind, EXEC_NOTHING);
    grouped_free(&s);
}

/* A step that reads another window of the buffer than it writes is in no group. */
static void test_shifted_window(void **state)
{
    grouped s = subject_of("%d = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                           "%zero = Const-1 {value = i64[1] [0]}\n"
                           "%one = Const-1 {value = i64[1] [1]}\n"
                           "%two = Const-1 {value = i64[1] [2]}\n"
                           "%three = Const-1 {value = i64[1] [3]}\n"
                           "%half = Const-1 {value = f32[] 0.5}\n"
                           "%x = Slice-8(%d, %zero, %two, %one)\n"
                           "%a = Exp-1(%x)\n%b = Multiply-1(%a, %half)\n"
                           "%r = SliceScatter-15(%d, %b, %one, %three, %one)\n"
                           "%out = Result-1(%r)\n",
                           0);
    const exec_fused *f = grouped_step(&s, "b")->fused;

    assert_true(!f || grouped_step(&s, "a")->fused != f || !grouped_step(&s, "b")->in_place);
    grouped_free(&s);
}

/* Columns: slots are rows of the buffer. A step that reads other columns of the same rows is one of
 * the group, one that reads other rows is not. */
#define COLUMNS                                                                                    \
    "%d = Parameter-1 {element_type = f32, shape = [8,6]}\n"                                       \
    "%one = Const-1 {value = i64[1] [1]}\n%zero = Const-1 {value = i64[1] [0]}\n"                  \
    "%two = Const-1 {value = i64[1] [2]}\n%four = Const-1 {value = i64[1] [4]}\n"                  \
    "%eight = Const-1 {value = i64[1] [8]}\n%half = Const-1 {value = f32[] 0.5}\n"                 \
    "%ax = Slice-8(%d, %zero, %two, %one, %one)\n%az = Add-1(%ax, %half)\n"                        \
    "%ar = SliceScatter-15(%d, %az, %zero, %two, %one, %one)\n"                                    \
    "%bx = Slice-8(%ar, %two, %four, %one, %one)\n"

static void test_columns(void **state)
{
    grouped s = subject_of(COLUMNS "%u = Slice-8(%ar, %zero, %two, %one, %one)\n"
                                   "%by = Subtract-1(%bx, %u)\n"
                                   "%r = SliceScatter-15(%ar, %by, %two, %four, %one, %one)\n"
                                   "%out = Result-1(%r)\n",
                           48);
    const exec_fused *f = grouped_step(&s, "az")->fused;

    assert_non_null(f);
    assert_ptr_equal(grouped_step(&s, "by")->fused, f);
    assert_int_equal(f->windows->pitch, 24);
    assert_int_equal(f->windows->slots, 2);
    assert_int_equal(f->tiles, 4);
    grouped_free(&s);
}

static void test_other_rows(void **state)
{
    grouped s = subject_of(CHAINS "%u = Slice-8(%r, %zero, %two, %one)\n"
                                  "%cx = Slice-8(%r, %two, %four, %one)\n"
                                  "%cy = Subtract-1(%cx, %u)\n"
                                  "%c = SliceScatter-15(%r, %cy, %two, %four, %one)\n"
                                  "%out = Result-1(%c)\n",
                           64);

    assert_non_null(grouped_step(&s, "by")->fused);
    assert_null(grouped_step(&s, "cy")->fused);
    grouped_free(&s);
}

/* What somebody wants to keep must be seen before others write there. */
static void test_kept_step(void **state)
{
    grouped s = subject_of(CHAINS "%out = Result-1(%r)\n", 64);
    size_t kept = grouped_step(&s, "az")->out[0];

    exec_instance_free(s.x);
    s.steps->keep = &kept;
    s.steps->n_keep = 1;
    s.x = exec_static_instance(s.plan, false, s.diags);
    assert_null(grouped_step(&s, "az")->fused);
    assert_null(grouped_step(&s, "by")->fused);
    exec_instance_free(s.x);
    kept = s.plan->steps->n_slots - 1; /* of a value that no step makes over the buffer */
    s.x = exec_static_instance(s.plan, false, s.diags);
    assert_non_null(grouped_step(&s, "ay")->fused);
    s.steps->n_keep = 0;
    s.steps->keep = NULL;
    grouped_free(&s);
}

/* Mistakes */

static exec_windows *windows_of(const grouped *s)
{
    return (exec_windows *)grouped_step(s, "az")->fused->windows;
}

static exec_window *window_of(const grouped *s, int i)
{
    return (exec_window *)&windows_of(s)->list[i];
}

static void too_few_tiles(const grouped *s)
{
    ((exec_fused *)grouped_step(s, "az")->fused)->tiles--;
}

static void too_few_slots(const grouped *s)
{
    window_of(s, windows_of(s)->n - 1)->end--;
}

static void other_begin(const grouped *s)
{
    window_of(s, 1)->at += 4;
}

static void fewer_rows(const grouped *s)
{
    window_of(s, 1)->rows--;
}

static void other_pitch(const grouped *s)
{
    windows_of(s)->pitch += 4;
}

static void block_twice(const grouped *s)
{
    window_of(s, 2)->block = window_of(s, 1)->block;
}

static void reads_other_row(const grouped *s)
{
    s->x->blocks[window_of(s, 2)->block].k.x -= 24;
}

static void not_copied(const grouped *s)
{
    s->x->entries[0].later = false;
}

static void copies_less(const grouped *s)
{
    s->x->blocks[window_of(s, 0)->block].k.length -= 4;
}

static void copied_too_late(const grouped *s)
{
    ((exec_fused *)grouped_step(s, "az")->fused)->first++;
}

static void number_of_the_buffer(const grouped *s)
{
    exec_block *b = &s->x->blocks[window_of(s, 1)->block];

    b->allocation[EXEC_ONE] = b->allocation[0];
    b->k.one = b->k.to;
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *name;
        void (*plant)(const grouped *s);
    } mistakes[] = {
        {"too few tiles", too_few_tiles},
        {"too few slots", too_few_slots},
        {"a block that begins elsewhere", other_begin},
        {"a block of fewer rows", fewer_rows},
        {"slots of another length", other_pitch},
        {"a block that is listed twice", block_twice},
        {"a block that reads another row", reads_other_row},
        {"a copy that is made twice", not_copied},
        {"a copy of less", copies_less},
        {"a step before the copy", copied_too_late},
        {"a number that is written", number_of_the_buffer},
    };

    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        grouped s = subject_of(COLUMNS "%by = Multiply-1(%bx, %half)\n"
                                       "%r = SliceScatter-15(%ar, %by, %two, %four, %one, %one)\n"
                                       "%out = Result-1(%r)\n",
                               48);

        mistakes[i].plant(&s);
        if (audit_instance(s.x, s.diags))
            fail_msg("the audit accepts %s", mistakes[i].name);
        if (!strstr(model_messages(s.diags), "audit: step"))
            fail_msg("%s: %s", mistakes[i].name, model_messages(s.diags));
        grouped_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_and_reader),
        cmocka_unit_test(test_reshape_copies),
        cmocka_unit_test(test_kept_value),
        cmocka_unit_test(test_number_of_the_buffer),
        cmocka_unit_test(test_operand_of_the_buffer),
        cmocka_unit_test(test_body_reads),
        cmocka_unit_test(test_conversion_between),
        cmocka_unit_test(test_window_is_written_from_outside),
        cmocka_unit_test(test_other_buffer_is_overwritten),
        cmocka_unit_test(test_operands_are_freed),
        cmocka_unit_test(test_two_chains),
        cmocka_unit_test(test_small_buffer),
        cmocka_unit_test(test_window_at_the_end),
        cmocka_unit_test(test_shifted_window),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_other_rows),
        cmocka_unit_test(test_kept_step),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
