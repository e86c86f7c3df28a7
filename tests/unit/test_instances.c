/* The instances of a plan (interp/exec/build/instance.h): which of them are kept, what they know of
 * the outputs of bodies, and which of their steps are computed in one go. */
#include "graphs.h"
#include "interp/audit/audit.h"
#include "interp/exec/build/cache.h"
#include "interp/exec/build/key.h"
#include "interp/exec/plan/packed.h"
#include "interp/exec/report/static_instance.h"
#include "interp/exec/run/frame.h"
#include "interp/exec/run/session.h"
#include "models.h"
#include "passes/passes.h"

/* The plan of a graph. */
typedef struct subject {
    inlay_graph *graph;
    inlay_diags *diags;
    graph_steps *steps;
    exec_plan *plan;
} subject;

static subject subject_behind(const char *passes, const char *body)
{
    subject s = {.graph = graph_of(body), .diags = inlay_diags_new()};
    const inlay_pass_options o = {.passes = passes};

    if (passes)
        assert_true(inlay_run_passes(s.graph, &o, s.diags));
    s.steps = steps_new(s.graph, s.diags);
    assert_non_null(s.steps);
    s.plan = exec_plan_new(s.steps, s.diags);
    assert_non_null(s.plan);
    return s;
}

static subject subject_of(const char *body)
{
    return subject_behind(NULL, body);
}

static void subject_free(subject *s)
{
    exec_plan_free(s->plan);
    steps_free(s->steps);
    inlay_diags_free(s->diags);
    inlay_graph_free(s->graph);
}

/* Returns the instance for inputs of these types and shapes, which passes the audit. */
static exec_instance *instance_of(const subject *s, const char *const *in)
{
    inlay_tensor *t[4] = {NULL};
    exec_instance *x;

    for (int i = 0; i < s->graph->n_params; i++)
        t[i] = tensor_of(in[i]);
    x = exec_instance_new(s->plan, &(exec_outside){.in = (const inlay_tensor *const *)t}, s->diags);
    if (!x || !audit_instance(x, s->diags))
        fail_msg("%s", model_messages(s->diags));
    for (int i = 0; i < s->graph->n_params; i++)
        inlay_tensor_release(t[i]);
    return x;
}

static const exec_step *step_of(const exec_instance *x, const char *name)
{
    for (size_t i = 0; i < x->n; i++) {
        if (strcmp(x->list[i].step->node->name, name) == 0)
            return &x->list[i];
    }
    fail_msg("there is no step \"%s\"", name);
    return NULL;
}

/* The cache */

static int made; /* instances */

static bool count_made(const exec_instance *x, inlay_diags *d)
{
    (void)x;
    (void)d;
    made++;
    return true;
}

/* Takes the instance for N elements and gives it back. */
static void use(const subject *s, int64_t n)
{
    inlay_tensor *in = inlay_tensor_new(INLAY_F32, 1, &n);
    const exec_outside o = {.in = (const inlay_tensor *const *)&in};
    int64_t *key = calloc(exec_key_capacity(s->steps, &o) + 1, sizeof *key);
    const exec_instance *x;

    assert_true(in && key);
    x = exec_cache_take(s->plan, &o, key, exec_key(s->steps, &o, key), s->diags);
    assert_non_null(x);
    exec_cache_give(s->plan, x);
    free(key);
    inlay_tensor_release(in);
}

/* Of the instances that nobody holds, the one is given up that was not asked for in the longest
 * time, not the one that was made first. */
static void test_least_used_goes(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = f32, shape = [?]}\n"
                           "%y = Exp-1(%x)\n%out = Result-1(%y)\n");
    static const struct {
        int64_t n;
        int made;
    } uses[] = {{1, 1}, {2, 2}, {1, 2}, {3, 3}, {1, 3}, {3, 3}, {2, 4}, {3, 4}, {1, 5}};

    made = 0;
    s.plan->set->most_idle = 2;
    s.plan->set->audit = count_made;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        use(&s, uses[i].n);
        if (made != uses[i].made)
            fail_msg("use %zu, of %d elements: %d are made, wanted %d", i, (int)uses[i].n, made,
                     uses[i].made);
    }
    subject_free(&s);
}

/* Of the frames of a session the one goes that was not taken in the longest time; where no instance
 * is kept idle, its instance goes with it. */
static void test_least_used_frame_goes(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = f32, shape = [?]}\n"
                           "%y = Exp-1(%x)\n%out = Result-1(%y)\n");
    static const int64_t uses[] = {1, 2, 3, 4, 1, 5, 4, 3, 1, 5}; /* only 2 goes */
    exec_workers *workers = exec_workers_new(1);
    inlay_meter *meter = meter_new(NULL, 0, 0, false);
    exec_session *session = exec_session_new(s.plan, meter, workers, false);

    made = 0;
    s.plan->set->most_idle = 0;
    s.plan->set->audit = count_made;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        inlay_tensor *in = inlay_tensor_new(INLAY_F32, 1, &uses[i]);
        const exec_outside o = {.in = (const inlay_tensor *const *)&in};

        assert_non_null(exec_frame_take(session, s.plan, &(run_env){0}, &o, s.diags));
        inlay_tensor_release(in);
    }
    assert_int_equal(made, 5);
    exec_session_free(session);
    exec_workers_free(workers);
    meter_release(meter);
    subject_free(&s);
}

/* Bodies */

#define IF(otherwise)                                                                              \
    "%c = Parameter-1 {element_type = boolean, shape = []}\n"                                      \
    "%x = Parameter-1 {element_type = f32, shape = [?,3]}\n"                                       \
    "%y:1 = If-8(%c, %x)\n"                                                                        \
    "  then_body \"then\" {\n"                                                                     \
    "    %p = Parameter-1 {element_type = f32, shape = [?,3]}\n"                                   \
    "    %e = Exp-1(%p)\n"                                                                         \
    "    %q = Result-1(%e)\n"                                                                      \
    "  }\n"                                                                                        \
    "  in 1 -> %p\n"                                                                               \
    "  out %q -> 0\n"                                                                              \
    "  else_body \"else\" {\n"                                                                     \
    "    %p = Parameter-1 {element_type = f32, shape = [?,3]}\n" otherwise                         \
    "    %q = Result-1(%e)\n"                                                                      \
    "  }\n"                                                                                        \
    "  in 1 -> %p\n"                                                                               \
    "  out %q -> 0\n"                                                                              \
    "%z = Abs-1(%y)\n"                                                                             \
    "%out = Result-1(%z)\n"

static void check_behind_body(const char *body, exec_kind wanted)
{
    subject s = subject_of(body);
    exec_instance *x = instance_of(&s, OPERANDS("boolean[] 1", "f32[2,3] 1 2 3 4 5 6"));

    assert_int_equal(step_of(x, "z")->kind, wanted);
    exec_instance_free(x);
    subject_free(&s);
}

/* What the bodies give for 2 rows is known before the run, unless they differ. */
static void test_behind_bodies(void **state)
{
    check_behind_body(IF("    %e = Sqrt-1(%p)\n"), EXEC_BLOCKS);
    check_behind_body(IF("    %e = Concat-1(%p, %p) {axis = 0}\n"), EXEC_WALK);
}

/* What fills the padding may be left out: all is copied, for no operand stands in its part of y. */
static void test_left_out_operand(void **state)
{
    subject s = subject_of("%p = Parameter-1 {element_type = f32, shape = [1,6]}\n"
                           "%one = Const-1 {value = i64[2] [1, 1]}\n"
                           "%x = SoftMax-8(%p) {axis = 1}\n"
                           "%y = Pad-12(%x, %one, %one, none) {pad_mode = constant}\n"
                           "%out = Result-1(%y)\n");
    exec_instance *x = instance_of(&s, OPERANDS("f32[1,6] 1 2 3 4 5 6"));

    assert_int_equal(step_of(x, "y")->moved, 3 * 8 * sizeof(float));
    exec_instance_free(x);
    subject_free(&s);
}

/* How often a body runs is known when a size says it. */
static void test_counted_by_a_size(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = f32, shape = [?,2]}\n"
                           "%true = Const-1 {value = boolean[] true}\n"
                           "%zero = Const-1 {value = i64[] 0}\n"
                           "%size = ShapeOf-3(%x) {output_type = i64}\n"
                           "%n = Gather-8(%size, %zero, %zero)\n"
                           "%loop:1 = Loop-5(%n, %true, %x)\n"
                           "body \"b\" {\n"
                           "%a = Parameter-1 {element_type = f32, shape = [?,2]}\n"
                           "%c = Const-1 {value = boolean[] true}\n"
                           "%p = Negative-1(%a)\n"
                           "%q0 = Result-1(%c)\n"
                           "%q1 = Result-1(%p)\n"
                           "}\n"
                           "in 2 -> %a\n"
                           "out %q0 -> none condition\n"
                           "out %q1 -> 0\n"
                           "back %q1 -> %a\n"
                           "%out = Result-1(%loop)\n");
    exec_instance *x = instance_of(&s, OPERANDS("f32[3,2] 1 2 3 4 5 6"));

    assert_non_null(step_of(x, "loop")->inner);
    assert_int_equal(step_of(x, "loop")->inner->known, 3);
    assert_false(step_of(x, "loop")->inner->about);
    exec_instance_free(x);
    subject_free(&s);
}

/* Segments */

/* Only the run can tell how many elements are not zero: there the first segment ends. */
static void test_segment_ends(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = f32, shape = [4]}\n"
                           "%a = Exp-1(%x)\n"
                           "%y = NonZero-3(%a) {output_type = i64}\n"
                           "%z = Negative-1(%y)\n"
                           "%out = Result-1(%z)\n");
    inlay_tensor *in = tensor_of("f32[4] 1 2 3 4");
    exec_outside o = {.in = (const inlay_tensor *const *)&in, .segments = true};
    exec_instance *x = exec_instance_new(s.plan, &o, s.diags);

    assert_non_null(x);
    assert_true(x->segment.end < s.steps->n);
    assert_string_equal(s.steps->list[x->segment.end].node->name, "z");
    exec_instance_free(x);
    inlay_tensor_release(in);
    subject_free(&s);
}

/* A segment that begins with a product has its constant factor packed as any other has. */
static void test_packed_at_once(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = f32, shape = [4,2]}\n"
                           "%n = Parameter-1 {element_type = i64, shape = [1]}\n"
                           "%zero = Const-1 {value = i64[1] [0]}\n"
                           "%one = Const-1 {value = i64[1] [1]}\n"
                           "%f = Const-1 {value = f32[2,8] [1, 2, 3, 4, 5, 6, 7, 8, "
                           "9, 10, 11, 12, 13, 14, 15, 16]}\n"
                           "%s = Slice-8(%x, %zero, %n, %one, %zero)\n"
                           "%m = MatMul-1(%s, %f)\n"
                           "%out = Result-1(%m)\n");
    exec_instance *first, *x = NULL;

    exec_plan_kernels(s.plan, INLAY_KERNELS_PORTABLE, true);
    first = exec_static_instance(s.plan, true, s.diags);
    assert_true(first && exec_largest_instance(s.plan, first, &x, s.diags) && x);
    assert_string_equal(x->list[0].step->node->name, "m");
    assert_non_null(x->list[0].kernel.packed);
    exec_instance_free(x);
    exec_instance_free(first);
    subject_free(&s);
}

/* A row of a table is prefetched as one piece, whatever axes of one element it has; so are the parts
 * of one that another axis lies between. */
static void test_parts_of_rows(void **state)
{
    static const struct {
        int64_t dims[4];
        const char *axis;
        ptrdiff_t parts, bytes, pitch;
    } of[] = {{{3, 2, 1, 16}, "0", 1, 128, 0},  {{3, 1, 2, 16}, "0", 1, 128, 0},
              {{1, 2, 3, 16}, "2", 2, 64, 192}, {{2, 3, 1, 16}, "1", 2, 64, 192},
              {{2, 3, 16, 1}, "1", 2, 64, 192}, {{3, 2, 1, 4}, "0", 0, 32, 0}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        inlay_tensor *in[] = {inlay_tensor_new(INLAY_F32, 4, of[i].dims), tensor_of("i64 1")};
        exec_outside o = {.in = (const inlay_tensor *const *)in};
        char body[400];
        subject s;
        exec_instance *x;
        const exec_row *r;

        snprintf(body, sizeof body,
                 "%%x = Parameter {element_type = f32, shape = [?,?,?,?]}\n"
                 "%%i = Parameter {element_type = i64, shape = []}\n"
                 "%%a = Const {value = i64[] %s}\n%%d = Exp(%%x)\n%%y = Gather(%%d, %%i, %%a)\n"
                 "%%z = SoftMax(%%y) {axis = 0}\n%%out = Result(%%z)\n",
                 of[i].axis);
        s = subject_behind("in-place-windows", body);
        x = exec_instance_new(s.plan, &o, s.diags);
        assert_int_equal(step_of(x, "y")->kind, EXEC_POINT);
        r = step_of(x, "y")->row;
        if (r->parts != of[i].parts || r->bytes != of[i].bytes || r->pitch != of[i].pitch)
            fail_msg("table %zu: %td parts of %td bytes, %td apart", i, r->parts, r->bytes,
                     r->pitch);
        exec_instance_free(x);
        inlay_tensor_release(in[0]);
        inlay_tensor_release(in[1]);
        subject_free(&s);
    }
}

/* Keys */

/* A key has room for the states, whose strides count when they are not dense. */
static void test_room_of_key(void **state)
{
    subject s = subject_of("%v = ReadValue-6 {variable_id = \"v\", variable_type = f32, "
                           "variable_shape = [2,2,2]}\n"
                           "%a = Exp-1(%v)\n"
                           "%save = Assign-6(%a) {variable_id = \"v\"}\n");
    inlay_tensor *dense = tensor_of("f32[2,2,4] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    inlay_tensor *strided =
        inlay_tensor_window(dense, 3, (const int64_t[]){2, 2, 2}, (const int64_t[]){8, 4, 1}, 0);
    exec_outside o = {.state = (const inlay_tensor *const *)&strided, .n_states = 1};
    int64_t key[64];
    size_t n = exec_key(s.steps, &o, key);

    assert_true(n >= 1 + 2 * 3);
    assert_true(n <= exec_key_capacity(s.steps, &o));
    inlay_tensor_release(strided);
    inlay_tensor_release(dense);
    subject_free(&s);
}

/* Groups */

/* Groups begin at each step, up to the product. A constant is in the group, and is not counted as a
 * step. */
static void test_groups(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = f32, shape = [2,2]}\n"
                           "%k = Const-1 {value = f32[2] [1, 2]}\n"
                           "%a = Add-1(%x, %k)\n"
                           "%b = Exp-1(%a)\n"
                           "%c = Abs-1(%b)\n"
                           "%m = MatMul-1(%c, %c)\n"
                           "%e = Sqrt-1(%m)\n"
                           "%out = Result-1(%e)\n");
    exec_instance *x;

    exec_plan_kernels(s.plan, INLAY_KERNELS_REFERENCE, false); /* with others steps are fused */
    x = instance_of(&s, OPERANDS("f32[2,2] 1 2 3 4"));
    assert_int_equal(step_of(x, "k")->group, 4);
    assert_int_equal(step_of(x, "k")->counted, 3);
    assert_int_equal(step_of(x, "a")->group, 3);
    assert_int_equal(step_of(x, "a")->counted, 3);
    assert_int_equal(step_of(x, "b")->group, 2);
    assert_int_equal(step_of(x, "c")->group, 1);
    assert_int_equal(step_of(x, "m")->group, 0);
    assert_true(step_of(x, "e")->group >= 1);
    exec_instance_free(x);
    subject_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_used_goes),  cmocka_unit_test(test_least_used_frame_goes),
        cmocka_unit_test(test_behind_bodies),    cmocka_unit_test(test_segment_ends),
        cmocka_unit_test(test_parts_of_rows),    cmocka_unit_test(test_room_of_key),
        cmocka_unit_test(test_groups),           cmocka_unit_test(test_counted_by_a_size),
        cmocka_unit_test(test_left_out_operand), cmocka_unit_test(test_packed_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
