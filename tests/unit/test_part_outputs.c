/* Nodes with several outputs, each of them in its part of a Concat: the cases of tests/ops, in
 * every type that their rows allow. An output stands in every other column there, so that a kernel
 * that writes past its rows, or leaves out a place, is found. */
#include "graphs.h"
#include "interp/kernel.h"
#include "ir/shared.h"
#include "op_types.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static int count_parts(const inlay_node *n)
{
    int parts = 0;

    for (int k = 0; k < n->n_out; k++)
        parts += n->out[k].note == INLAY_INTO;
    return parts;
}

static bool try_graph(const char *what, inlay_graph *g, inlay_node *n, void *ctx)
{
    const inlay_pass_options passes = {.passes = "in-place-windows"};
    inlay_diags *d = inlay_diags_new();
    int *parts = ctx;
    bool ok;

    while (g->n_results > 0) /* who keeps a value keeps it from its part */
        assert_true(inlay_node_remove(g->results[g->n_results - 1], d));
    for (int k = 0; k < n->n_out; k++) {
        if (n->out[k].fact.rank > 0)
            hold_twice(g, &n->out[k], d);
    }
    assert_true(inlay_run_passes(g, &passes, d));
    *parts += count_parts(n);
    ok = g->n_results > 0 && same(what, g);
    inlay_diags_free(d);
    return ok;
}

static void all_outputs(void **state)
{
    int with_parts = 0;

    (void)state;
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);
        int parts = 0;

        if (op->n_out < 2 || (op->flags & (INLAY_ADOPTS | INLAY_CUTS)))
            continue;
        op_types_each(op, try_graph, &parts);
        with_parts += parts > 0;
    }
    print_message("# outputs of %d operations stood in parts\n", with_parts);
    assert_true(with_parts > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_outputs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
