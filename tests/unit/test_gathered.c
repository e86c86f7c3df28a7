/* Groups that read the rows that an index picks where they are (interp/exec/build/gathered.c):
 * which steps these are, what no longer is copied, the bits of the reference for random tables,
 * indices and numbers of threads, the errors of indices, and what the audit says of planted
 * mistakes. */
#include "generate/rng.h"
#include "graphs.h"
#include "grouped.h"
#include "interp/audit/audit.h"
#include "interp/session.h"
#include "models.h"
#include "seeds.h"

#include <math.h>

/* Counts */

static const char embedding[] =
    "%words = Parameter-1 {element_type = f32, shape = [50,100]}\n"
    "%places = Parameter-1 {element_type = f32, shape = [9,100]}\n"
    "%ids = Parameter-1 {element_type = i64, shape = [2,7]}\n"
    "%at = Parameter-1 {element_type = i32, shape = [2,7]}\n"
    "%zero = Const-1 {value = i64[] 0}\n"
    "%last = Const-1 {value = i64[1] [-1]}\n"
    "%w = Gather-8(%words, %ids, %zero)\n"
    "%p = Gather-8(%places, %at, %zero)\n"
    "%a = Add-1(%w, %p)\n"
    "%b = MVN-6(%a, %last) {normalize_variance = true, eps = 0.01, eps_mode = inside_sqrt}\n"
    "%out = Result-1(%b)\n";

/* Nothing is copied: what is picked, and the sum, have no memory. */
static void test_counts(void **state)
{
    grouped s = grouped_of(embedding, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_non_null(f);
    assert_int_equal(f->n_ops, 2);
    assert_int_equal(f->n_lists, 2);
    assert_ptr_equal(grouped_step(&s, "w")->fused, f);
    assert_int_equal(grouped_step(&s, "w")->kind, EXEC_CHECK);
    assert_int_equal(grouped_step(&s, "w")->moved + grouped_step(&s, "p")->moved, 0);
    assert_true(in_register(&s, "w") && in_register(&s, "p") && in_register(&s, "a"));
    assert_int_equal(s.x->arena.bytes, 0);
    assert_int_equal(f->rank, 2); /* 14 rows of 100 */
    grouped_free(&s);
}

/* What lies behind the picked axis of both tables is one piece of a row. */
static void test_rows_of_axes(void **state)
{
    grouped s = grouped_of("%x = Parameter-1 {element_type = f32, shape = [50,10,10]}\n"
                           "%i = Parameter-1 {element_type = i64, shape = [2,7]}\n"
                           "%j = Parameter-1 {element_type = i64, shape = [2,7]}\n"
                           "%zero = Const-1 {value = i64[] 0}\n"
                           "%v = Gather-8(%x, %i, %zero)\n%w = Gather-8(%x, %j, %zero)\n"
                           "%a = Add-1(%v, %w)\n%out = Result-1(%a)\n",
                           INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_non_null(f);
    assert_int_equal(f->n_lists, 2);
    assert_int_equal(f->rank, 2); /* 14 rows of 100 */
    grouped_free(&s);
}

/* The bytes that a run copies where the group behind a Gather is BODY, of rows of x [6,8] and
 * others of y [3,4,8], which %i, of 4 rows, picks as %r. */
static uint64_t copied_by(const char *body)
{
    char text[900];
    grouped s;
    uint64_t n;

    snprintf(text, sizeof text,
             "%%x = Parameter-1 {element_type = f32, shape = [6,8]}\n"
             "%%y = Parameter-1 {element_type = f32, shape = [3,4,8]}\n"
             "%%i = Parameter-1 {element_type = i64, shape = [4]}\n"
             "%%zero = Const-1 {value = i64[] 0}\n"
             "%%one = Const-1 {value = i64[] 1}\n%s",
             body);
    s = grouped_of(text, INLAY_KERNELS_PORTABLE);
    n = 0;
    for (size_t i = 0; i < s.x->n; i++)
        n += s.x->list[i].moved;
    grouped_free(&s);
    return n;
}

/* Which rows a group reads where they are, and which are copied. */
static void test_which(void **state)
{
    const uint64_t rows = 4 * 8 * sizeof(float);

    assert_int_equal(copied_by("%r = Gather-8(%x, %i, %zero)\n%a = Abs-1(%r)\n"
                               "%out = Result-1(%a)\n"),
                     0);
    /* the axis in the middle */
    assert_int_equal(copied_by("%r = Gather-8(%y, %i, %one)\n%a = Add-1(%r, %y)\n"
                               "%out = Result-1(%a)\n"),
                     0);
    /* single elements are no rows */
    assert_int_equal(copied_by("%r = Gather-8(%x, %i, %one)\n%a = Abs-1(%r)\n"
                               "%out = Result-1(%a)\n"),
                     6 * 4 * sizeof(float));
    /* somebody else reads them */
    assert_int_equal(copied_by("%r = Gather-8(%x, %i, %zero)\n%a = Abs-1(%r)\n"
                               "%out = Result-1(%a)\n%b = MatMul-1(%r, %x) {transpose_b = true}\n"
                               "%also = Result-1(%b)\n"),
                     rows);
    /* they are a result */
    assert_int_equal(copied_by("%r = Gather-8(%x, %i, %zero)\n%a = Abs-1(%r)\n"
                               "%out = Result-1(%a)\n%also = Result-1(%r)\n"),
                     rows);
    /* something is written over them */
    assert_int_equal(copied_by("%r = Gather-8(%x, %i, %zero)\n"
                               "%a = Abs-1(%r) : f32[4,8] overwrites %r\n%out = Result-1(%a)\n"),
                     rows);
    /* they are broadcast */
    assert_int_equal(copied_by("%r = Gather-8(%x, %i, %zero)\n%a = Add-1(%y, %r)\n"
                               "%out = Result-1(%a)\n"),
                     rows);
}

/* Where nothing is fused the kernel copies. */
static void test_reference_kernels(void **state)
{
    grouped s = grouped_of(embedding, INLAY_KERNELS_REFERENCE);

    assert_null(grouped_step(&s, "w")->fused);
    assert_int_equal(grouped_step(&s, "w")->kind, EXEC_KERNEL);
    grouped_free(&s);
}

/* Random tables */

enum { TABLES = 2, MOST_IN = 3 * TABLES };

struct model {
    char text[4000];
    size_t used;
    inlay_type type;
    int rank, axis, n_in;
    int64_t dims[5]; /* of what is picked */
    inlay_tensor *in[MOST_IN];
};

static void put(struct model *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct model *m, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    m->used += (size_t)vsnprintf(m->text + m->used, sizeof m->text - m->used, fmt, args);
    va_end(args);
    assert_true(m->used < sizeof m->text);
}

static void put_dims(struct model *m, int rank, const int64_t *dims)
{
    put(m, "shape = [");
    for (int i = 0; i < rank; i++)
        put(m, "%s%lld", i ? "," : "", (long long)dims[i]);
    put(m, "]}\n");
}

/* Adds a Parameter of numbers in LOW <= x <= HIGH. */
static void add_input(rng *r, struct model *m, const char *name, int number, inlay_type type,
                      int rank, const int64_t *dims, int64_t low, int64_t high)
{
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);
    bool whole = !inlay_type_is_float(type);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(r, low, high) / (whole ? 1 : 997));
    m->in[m->n_in++] = t;
    put(m, "%%%s%d = Parameter-1 {element_type = %s, ", name, number,
        inlay_type_info_of(type)->name);
    put_dims(m, rank, dims);
}

/* Adds v%d, rows of a table that may die where they are picked; indices of version 8 may pick none,
 * which are zeros. */
static void add_table(rng *r, struct model *m, int number, int index_dims)
{
    static const inlay_type types[] = {INLAY_I64, INLAY_I32, INLAY_U64, INLAY_U8};
    static const int versions[] = {1, 7, 8};
    inlay_type type = types[rng_in(r, 0, 3)];
    int version = versions[rng_in(r, 0, 2)], rank = m->rank - index_dims + 1;
    int64_t size = rng_in(r, 1, 9), dims[5],
            low = type == INLAY_I64 || type == INLAY_I32 ? -size : 0;
    int64_t beyond = version == 8 && rng_one_in(r, 2) ? 3 : 0;

    for (int i = 0; i < rank; i++)
        dims[i] = i < m->axis ? m->dims[i] : i == m->axis ? size : m->dims[i + index_dims - 1];
    add_input(r, m, "t", number, m->type, rank, dims, -3000, 3000);
    add_input(r, m, "i", number, type, index_dims, m->dims + m->axis, low, size - 1 + beyond);
    if (rng_one_in(r, 2))
        put(m, "%%z%d = Const-1 {value = i64[] 0}\n%%d%d = CumSum-3(%%t%d, %%z%d)\n", number,
            number, number, number);
    else
        put(m, "%%d%d = Abs-1(%%t%d)\n", number, number);
    put(m, "%%x%d = Const-1 {value = i64[] %d}\n%%v%d = Gather-%d(%%d%d, %%i%d, %%x%d)\n", number,
        rng_one_in(r, 2) ? m->axis : m->axis - rank, number, version, number, number, number);
}

static void add_end(rng *r, struct model *m)
{
    int last = m->rank - 1;

    switch (inlay_type_is_float(m->type) ? rng_in(r, 0, 4) : 0) {
    case 0:
        put(m, "%%y = Abs-1(%%s)\n");
        break;
    case 1:
        put(m, "%%y = SoftMax-8(%%s) {axis = %d}\n", last);
        break;
    case 2:
        put(m,
            "%%k = Const-1 {value = i64[1] [%d]}\n%%y = MVN-6(%%s, %%k) {normalize_variance = "
            "true, eps = 0.01, eps_mode = inside_sqrt}\n",
            last);
        break;
    case 3:
        put(m,
            "%%k = Const-1 {value = i64[1] [%d]}\n%%m = ReduceMean-1(%%v0, %%k) {keep_dims = "
            "true}\n%%y = Subtract-1(%%s, %%m)\n",
            last);
        break;
    default:
        put(m, "%%e = Exp-1(%%s)\n%%q = Multiply-1(%%e, %%v0)\n%%y = Convert-1(%%q) "
               "{destination_type = f16}\n");
    }
}

static void make_model(rng *r, struct model *m)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F64, INLAY_I32, INLAY_F16};
    static const int64_t odd[] = {1, 2, 63, 64, 65, 1000, 1025, 2100};
    int index_dims = (int)rng_in(r, 0, 2), behind = (int)rng_in(r, 1, 2), tables;

    *m = (struct model){.type = types[rng_in(r, 0, 4)], .axis = (int)rng_in(r, 0, 1)};
    m->rank = m->axis + index_dims + behind;
    for (int i = 0; i < m->rank; i++)
        m->dims[i] = i == m->rank - 1 && rng_one_in(r, 2) ? odd[rng_in(r, 0, 7)] : rng_in(r, 1, 9);
    tables = (int)rng_in(r, 1, TABLES);
    for (int i = 0; i < tables; i++)
        add_table(r, m, i, index_dims);
    if (m->type == INLAY_F16) {
        put(m, "%%s = Convert-1(%%v0) {destination_type = f32}\n%%y = Abs-1(%%s)\n");
    } else {
        if (tables == 1)
            add_input(r, m, "o", 0, m->type, m->rank, m->dims, -3000, 3000);
        put(m, "%%s = Subtract-1(%%v0, %%%s)\n", tables == 1 ? "o0" : "v1");
        add_end(r, m);
    }
    put(m, "%%out = Result-1(%%y)\n");
}

static inlay_tensor *run_model(const struct model *m, const inlay_graph *g,
                               const inlay_exec_options *o)
{
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor *out = NULL;

    if (p)
        program_split(p, 1);
    if (!s || !inlay_session_run(s, (const inlay_tensor *const *)m->in, NULL, &out, d))
        fail_msg("%s\n%s", m->text, model_messages(d));
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return out;
}

static void check_model(const struct model *m, uint64_t seed)
{
    static const int threads[] = {1, 2, 3, 7};
    inlay_graph *g = graph_of(m->text);
    inlay_tensor *wanted = run_model(m, g, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE});

    for (int i = 0; i < 4; i++) {
        const inlay_exec_options o = {.threads = threads[i], .poison = i % 2 == 0};
        inlay_tensor *out = run_model(m, g, &o);

        if (memcmp(out->data, wanted->data, inlay_tensor_bytes(wanted)) != 0)
            fail_msg("seed %llu, %d threads: the result differs\n%s", (unsigned long long)seed,
                     threads[i], m->text);
        inlay_tensor_release(out);
    }
    inlay_tensor_release(wanted);
    inlay_graph_free(g);
}

static void test_random(void **state)
{
    seed_range seeds = seeds_to_try(300, 30);
    struct model m;

    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};

        make_model(&r, &m);
        check_model(&m, seeds.first + i);
        for (int k = 0; k < m.n_in; k++)
            inlay_tensor_release(m.in[k]);
    }
}

/* A Gather whose indices are found out in the run is the first step of a segment. */
static void test_behind_a_border(void **state)
{
    static const char body[] = "%x = Parameter-1 {element_type = f32, shape = [3,2]}\n"
                               "%p = Parameter-1 {element_type = i32, shape = [3]}\n"
                               "%zero = Const-1 {value = i64[] 0}\n"
                               "%i = NonZero-3(%p)\n"
                               "%r = Gather-8(%x, %i, %zero)\n"
                               "%a = Negative-1(%r)\n"
                               "%out = Result-1(%a)\n";

    check_graph(body, OPERANDS("f32[3,2] 1 2 3 4 5 6", "i32[3] 1 0 1"),
                OPERANDS("f32[1,2,2] -1 -2 -5 -6"));
}

/* Errors */

/* A bad index is told as the reference tells it, and nothing is written before. */
static void test_errors(void **state)
{
    static const char body[] = "%x = Parameter-1 {element_type = f32, shape = [3,2]}\n"
                               "%i = Parameter-1 {element_type = i64, shape = [2]}\n"
                               "%zero = Const-1 {value = i64[] 0}\n"
                               "%r = Gather-7(%x, %i, %zero)\n"
                               "%a = Negative-1(%r)\n"
                               "%out = Result-1(%a)\n";
    static const char x[] = "f32[3,2] 1 2 3 4 5 6";

    check_graph(body, OPERANDS(x, "i64[2] -1 1"), OPERANDS("f32[2,2] -5 -6 -3 -4"));
    check_graph_run_fails(body, OPERANDS(x, "i64[2] 1 3"), "3");
    check_graph_run_fails(body, OPERANDS(x, "i64[2] -4 1"), "-4");
}

/* Constants that stand askew */

enum { ROWS = 5, LENGTH = 67 };

static struct {
    double align;
    unsigned char bytes[1 + ROWS * LENGTH * sizeof(float)];
} askew;

static inlay_tensor *make_misaligned(void)
{
    static const int64_t dims[] = {ROWS, LENGTH};
    inlay_buffer *b = inlay_buffer_wrap(askew.bytes, sizeof askew.bytes, NULL, NULL);
    inlay_tensor *t;

    for (int i = 0; i < ROWS * LENGTH; i++) {
        float x = (float)i;

        memcpy(askew.bytes + 1 + (size_t)i * sizeof x, &x, sizeof x);
    }
    t = inlay_tensor_over(b, askew.bytes + 1, INLAY_F32, 2, dims);
    inlay_buffer_release(b);
    return t;
}

/* A table as a file has it is not copied as a whole because a group reads rows of it. */
static void test_misaligned(void **state)
{
    const int64_t picked[] = {3};
    const inlay_shape shape = {.rank = 1, .dim = {inlay_dim_of(3)}};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("askew", d);
    inlay_tensor *t = make_misaligned(), *zero = inlay_tensor_new(INLAY_I64, 0, NULL), *out;
    inlay_tensor *ids = inlay_tensor_new(INLAY_I64, 1, picked);
    inlay_value *in[3];
    inlay_exec_stats stats;
    inlay_program *p;
    inlay_session *s;
    inlay_node *n;

    for (int i = 0; i < 3; i++)
        inlay_tensor_set_f64(ids, i, 2 * i);
    in[0] = inlay_build_const(g, "table", t, d);
    in[1] = inlay_build_parameter(g, "ids", INLAY_I64, &shape, d);
    in[2] = inlay_build_const(g, "axis", zero, d);
    n = inlay_build(g, "rows", "Gather", in, 3, NULL, d);
    n = inlay_build(g, "y", "Negative", (inlay_value *[]){&n->out[0]}, 1, NULL, d);
    assert_non_null(inlay_build_result(g, "out", &n->out[0], d));
    p = inlay_compile(g, &(inlay_exec_options){.poison = true}, d);
    s = inlay_session_new(p, d);
    assert_true(inlay_session_run(s, (const inlay_tensor *const *)&ids, NULL, &out, d));
    for (int i = 0; i < 3 * LENGTH; i++)
        assert_true(inlay_tensor_get_f64(out, i) == -(2 * (i / LENGTH) * LENGTH + i % LENGTH));
    inlay_session_stats(s, &stats);
    assert_int_equal(stats.aligned_bytes, 0);
    assert_int_equal(stats.copied_bytes, 0);
    inlay_tensor_release(out);
    inlay_tensor_release(ids);
    inlay_tensor_release(zero);
    inlay_tensor_release(t);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* Mistakes */

static exec_fused *group_of(const grouped *s)
{
    return (exec_fused *)grouped_step(s, "a")->fused;
}

static void another_list(const grouped *s)
{
    group_of(s)->ops[0].list[1] = group_of(s)->ops[0].list[2];
}

static void no_list(const grouped *s)
{
    group_of(s)->ops[0].list[1] = 7;
}

static void rows_counted_from_elsewhere(const grouped *s)
{
    group_of(s)->list[0].to = 2;
}

static void rows_too_far_apart(const grouped *s)
{
    exec_fused *f = group_of(s);
    ptrdiff_t *strides = (ptrdiff_t *)f->ops[0].strides[1];

    strides[f->rank - 1] *= 2;
}

static void lane_elsewhere(const grouped *s)
{
    s->x->blocks[group_of(s)->ops[0].block].k.x += sizeof(float);
}

static void rows_that_nobody_picks(const grouped *s)
{
    grouped_step(s, "w")->fused = NULL;
}

/* The result takes the place of the table: a tile goes over rows that other tiles pick. */
static void over_the_table(const grouped *s)
{
    size_t table = grouped_step(s, "w")->in[0], out = grouped_step(s, "b")->out[0];
    exec_allocation *t = &s->x->allocations[s->x->allocation[table]],
                    *u = &s->x->allocations[s->x->allocation[out]];

    u->same = (size_t)(t - s->x->allocations);
    t->ours = true;
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *name;
        void (*plant)(const grouped *s);
    } mistakes[] = {
        {"rows of another list", another_list},
        {"rows of no list", no_list},
        {"rows that other dims count", rows_counted_from_elsewhere},
        {"rows with gaps", rows_too_far_apart},
        {"a lane that begins too far", lane_elsewhere},
        {"rows that nobody picks", rows_that_nobody_picks},
        {"an output over the table", over_the_table},
    };

    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        grouped s = grouped_of(embedding, INLAY_KERNELS_PORTABLE);

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
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_rows_of_axes),
        cmocka_unit_test(test_which),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_reference_kernels),
        cmocka_unit_test(test_behind_a_border),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests_name("rows that groups pick", tests, NULL, NULL);
}
