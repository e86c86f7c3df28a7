/* A constant whose elements are not aligned in memory, as raw data in a file may be, is copied
 * once, before the first run of a program whose kernels compute with it: it is copied neither when
 * the program is compiled nor in later runs. */
#include "graphs.h"
#include "interp/exec/plan/aligned.h"
#include "interp/exec/report/static_instance.h"
#include "interp/interp.h"
#include "models.h"
#include "passes/passes.h"

enum { N = 6 };

/* The elements 1 to 6 as f32, one byte behind an aligned address. */
static struct {
    double align;
    unsigned char bytes[1 + N * sizeof(float)];
} askew;

static inlay_tensor *make_misaligned(void)
{
    static const int64_t dims[] = {N};
    inlay_buffer *b = inlay_buffer_wrap(askew.bytes, sizeof askew.bytes, NULL, NULL);
    inlay_tensor *t;

    for (int i = 0; i < N; i++) {
        float x = (float)(i + 1);

        memcpy(askew.bytes + 1 + (size_t)i * sizeof x, &x, sizeof x);
    }
    t = inlay_tensor_over(b, askew.bytes + 1, INLAY_F32, 1, dims);
    inlay_buffer_release(b);
    return t;
}

/* Returns the graph that combines x with a constant by the operation TYPE, or that gives the
 * constant alone: a TYPE of 0 only moves the constant. */
static inlay_graph *graph_with(const char *type, inlay_diags *d)
{
    const inlay_shape shape = {.rank = 1, .dim = {inlay_dim_of(N)}};
    inlay_graph *g = inlay_graph_new("askew", d);
    inlay_tensor *t = make_misaligned();
    inlay_value *in[2];
    inlay_node *n;

    in[0] = inlay_build_parameter(g, "x", INLAY_F32, &shape, d);
    in[1] = inlay_build_const(g, "w", t, d);
    n = inlay_build(g, "y", type, in, 2, strcmp(type, "Concat") == 0 ? "axis=0" : NULL, d);
    assert_non_null(n);
    assert_non_null(inlay_build_result(g, "out", &n->out[0], d));
    inlay_tensor_release(t);
    return g;
}

/* Runs the graph twice, and returns the bytes that were copied when it was compiled. */
static uint64_t check(const char *type, double first, inlay_exec_mode mode)
{
    static const int64_t dims[] = {N};
    const inlay_exec_options o = {.mode = mode, .poison = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_with(type, d);
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = inlay_session_new(p, d);
    inlay_tensor *x = inlay_tensor_new(INLAY_F32, 1, dims), *out;
    inlay_exec_stats stats;

    assert_non_null(s);
    for (int i = 0; i < 2; i++) {
        if (!inlay_session_run(s, (const inlay_tensor *const *)&x, NULL, &out, d))
            fail_msg("%s", model_messages(d));
        assert_true(inlay_tensor_get_f64(out, inlay_tensor_count(out) - 1) == N);
        assert_true(inlay_tensor_get_f64(out, 0) == first);
        inlay_tensor_release(out);
    }
    inlay_session_stats(s, &stats);
    inlay_tensor_release(x);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return stats.aligned_bytes;
}

static void test_copied_once(void **state)
{
    assert_int_equal(check("Add", 1, INLAY_EXEC_PLANNED), N * sizeof(float));
    assert_int_equal(check("Add", 1, INLAY_EXEC_REFERENCE), 0);
}

/* A program that nobody runs copies nothing, and knows how many bytes there are to copy. */
static void test_copied_late(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_with("Add", d);
    graph_steps *s = steps_new(g, d);
    exec_plan *p = exec_plan_new(s, d);
    exec_instance *x;

    assert_non_null(p);
    assert_int_equal(exec_plan_aligned_bytes(p), 0);
    assert_int_equal(exec_plan_misaligned_bytes(p), N * sizeof(float));
    for (int i = 0; i < 2; i++) {
        x = exec_static_instance(p, false, d);
        assert_non_null(x);
        exec_instance_free(x);
        assert_int_equal(exec_plan_aligned_bytes(p), N * sizeof(float));
    }
    exec_plan_free(p);
    steps_free(s);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* A kernel that only moves elements reads them where they are. */
static void test_moved(void **state)
{
    assert_int_equal(check("Concat", 0, INLAY_EXEC_PLANNED), 0);
}

/* Returns the graph that computes with the element of the constant which x names. */
static inlay_graph *graph_of_row(inlay_diags *d)
{
    const inlay_shape shape = {.rank = 1, .dim = {inlay_dim_of(1)}};
    inlay_graph *g = inlay_graph_new("row", d);
    inlay_tensor *t = make_misaligned(), *zero = inlay_tensor_new(INLAY_I64, 0, NULL);
    inlay_value *in[3];
    inlay_node *row, *y;

    in[0] = inlay_build_const(g, "w", t, d);
    in[1] = inlay_build_parameter(g, "x", INLAY_I64, &shape, d);
    in[2] = inlay_build_const(g, "axis", zero, d);
    row = inlay_build(g, "row", "Gather", in, 3, NULL, d);
    assert_non_null(row);
    in[0] = in[1] = &row->out[0];
    y = inlay_build(g, "y", "Add", in, 2, NULL, d);
    assert_non_null(y);
    assert_non_null(inlay_build_result(g, "out", &y->out[0], d));
    inlay_tensor_release(t);
    inlay_tensor_release(zero);
    return g;
}

/* A row that only the run knows is not shown to a kernel where it stands askew: UBSan sees that. */
static void test_row(void **state)
{
    static const int64_t dims[] = {1};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of_row(d);
    inlay_program *p;
    inlay_session *s;
    inlay_tensor *x = inlay_tensor_new(INLAY_I64, 1, dims), *out;

    assert_true(inlay_run_passes(g, &(inlay_pass_options){.passes = "in-place-windows"}, d));
    p = inlay_compile(g, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED}, d);
    s = inlay_session_new(p, d);
    assert_non_null(s);
    inlay_tensor_set_i64(x, 0, 3);
    if (!inlay_session_run(s, (const inlay_tensor *const *)&x, NULL, &out, d))
        fail_msg("%s", model_messages(d));
    assert_true(inlay_tensor_get_f64(out, 0) == 8);
    inlay_tensor_release(out);
    inlay_tensor_release(x);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),
        cmocka_unit_test(test_copied_once),
        cmocka_unit_test(test_copied_late),
        cmocka_unit_test(test_moved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
