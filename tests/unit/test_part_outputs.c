/* Nodes with several outputs, each of them in its part of a Concat, and all nodes with outputs in
 * windows of a SliceScatter: the cases of tests/ops, in every type that their rows allow. An output
 * stands beside other columns, or in every other column, so that a kernel that writes past its
 * rows, or leaves out a place, is found. */
#include "graphs.h"
#include "interp/kernel.h"
#include "ir/shared.h"
#include "op_types.h"
#include "parser/parser.h"
#include "passes/passes.h"

static bool run(const inlay_graph *g, inlay_exec_mode mode, inlay_tensor **out)
{
    inlay_exec_options o = {.mode = mode, .poison = true};
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, NULL, NULL, out, d);

    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return ok;
}

/* Runs G as its notes say, and by the reference. False: both failed. */
static bool same(const char *what, const inlay_graph *g)
{
    inlay_tensor **a = calloc((size_t)g->n_results, sizeof(inlay_tensor *));
    inlay_tensor **b = calloc((size_t)g->n_results, sizeof(inlay_tensor *));
    inlay_compare_options exact = {0};
    bool ok = run(g, INLAY_EXEC_REFERENCE, a);
    char why[512];

    if (run(g, INLAY_EXEC_PLANNED, b) != ok)
        fail_msg("%s: one of the two runs failed", what);
    for (int i = 0; i < g->n_results; i++) {
        if (ok && !inlay_compare_tensors(a[i], b[i], &exact, why, sizeof why))
            fail_msg("%s: result %d: %s", what, i, why);
        inlay_tensor_release(a[i]);
        inlay_tensor_release(b[i]);
    }
    free(a);
    free(b);
    return ok;
}

/* Joins V with itself along its last axis: V is computed in the first half of the columns. */
static void hold_twice(inlay_graph *g, inlay_value *v, inlay_diags *d)
{
    inlay_value *in[] = {v, v};
    inlay_node *joined = inlay_build(g, "joined", "Concat", in, 2, "axis=-1", d);

    if (!joined)
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    assert_non_null(inlay_build_result(g, "joined_result", &joined->out[0], d));
}

/* Writes V into every second column of zeros. */
static void put_in_window(inlay_graph *g, inlay_value *v, inlay_diags *d)
{
    int64_t dims[INLAY_MAX_RANK];
    int64_t n = inlay_fact_dims(&v->fact, dims) ? dims[v->fact.rank - 1] : 0;
    inlay_tensor *zeros = n ? inlay_tensor_new(v->fact.type, v->fact.rank, dims) : NULL;
    inlay_value *zero = zeros ? inlay_build_const(g, "zeros", zeros, d) : NULL;
    inlay_value *twice[] = {zero, zero};
    inlay_node *data = zero ? inlay_build(g, "data", "Concat", twice, 2, "axis=-1", d) : NULL;
    int64_t numbers[] = {0, 2 * n, 2, v->fact.rank - 1};
    inlay_value *in[6] = {data ? &data->out[0] : NULL, v};
    inlay_node *r;

    inlay_tensor_release(zeros);
    for (int i = 0; i < 4; i++)
        in[2 + i] = inlay_build_i64_list(g, "at", &numbers[i], 1, d);
    r = data ? inlay_build(g, "r", "SliceScatter", in, 6, NULL, d) : NULL;
    assert_non_null(inlay_build_result(g, "r_result", r ? &r->out[0] : v, d));
}

static int count_parts(const inlay_node *n)
{
    int parts = 0;

    for (int k = 0; k < n->n_out; k++)
        parts += n->out[k].note == INLAY_INTO;
    return parts;
}

/* Have all outputs of N less than a million elements, as far as is known? A number that is read as
 * another type may be a size of billions. */
static bool is_small(const inlay_node *n)
{
    int64_t dims[INLAY_MAX_RANK], most = 1000000, count;

    for (int k = 0; k < n->n_out; k++) {
        const inlay_fact *f = &n->out[k].fact;

        count = 1;
        for (int i = 0; inlay_fact_dims(f, dims) && i < f->rank && count < most; i++)
            count = dims[i] < most ? count * dims[i] : most;
        if (count >= most)
            return false;
    }
    return true;
}

typedef void put_fn(inlay_graph *g, inlay_value *v, inlay_diags *d);

struct attempt {
    put_fn *put;
    int parts;
};

static bool try_graph(const char *what, inlay_graph *g, inlay_node *n, void *ctx)
{
    const inlay_pass_options passes = {.passes = "in-place-windows"};
    inlay_diags *d;
    struct attempt *a = ctx;
    bool ok;

    if (!is_small(n))
        return false;
    d = inlay_diags_new();
    while (g->n_results > 0) /* who keeps a value keeps it from its part */
        assert_true(inlay_node_remove(g->results[g->n_results - 1], d));
    for (int k = 0; k < n->n_out; k++) {
        if (n->out[k].fact.rank > 0)
            a->put(g, &n->out[k], d);
    }
    assert_true(inlay_run_passes(g, &passes, d));
    a->parts += count_parts(n);
    ok = g->n_results > 0 && same(what, g);
    inlay_diags_free(d);
    return ok;
}

/* Tries all rows with LEAST outputs or more. Returns how many of them had outputs in parts. */
static int try_rows(put_fn *put, int least)
{
    int with_parts = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);
        struct attempt a = {put, 0};

        if (op->n_out < least || (op->flags & (INLAY_ADOPTS | INLAY_CUTS)))
            continue;
        op_types_each(op, try_graph, &a);
        with_parts += a.parts > 0;
    }
    return with_parts;
}

static void in_parts(void **state)
{
    int rows = try_rows(hold_twice, 2);

    print_message("# outputs of %d operations stood in parts\n", rows);
    assert_true(rows > 8);
}

static void in_windows(void **state)
{
    int rows = try_rows(put_in_window, 1);

    print_message("# outputs of %d operations stood in windows\n", rows);
    assert_true(rows > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_parts), cmocka_unit_test(in_windows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
