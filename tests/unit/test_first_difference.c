/* The first value on which two graphs differ is found in a few runs, however many values there are.
 */
#include "interp/interp.h"
#include "ir/shared.h"
#include "parser/parser.h"
#include "passes/passes.h"
#include "unit.h"

enum { NODES = 400, CHANGED = 300 };

/* An evaluator that counts its runs, and refuses graphs of more than MOST outputs. */
struct counted {
    inlay_evaluator real;
    int runs, most;
};

static bool eval_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d)
{
    struct counted *c = ctx;

    return c->real.eval_node(c->real.ctx, n, in, out, d);
}

static bool eval_graph(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    struct counted *c = ctx;

    c->runs++;
    return g->n_results <= c->most ? c->real.eval_graph(c->real.ctx, g, in, out, variables, d)
                                   : inlay_fail_resource(d, NULL, "too many outputs");
}

/* A chain that adds 1 again and again; at CHANGED it adds WEIGHT. */
static inlay_graph *chain(int weight, inlay_diags *d)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    inlay_graph *g;

    assert_non_null(f);
    fprintf(f, "graph \"g\" {\n%%x0 = Parameter-1 {element_type = i64, shape = [2]}\n");
    fprintf(f, "%%one = Const-1 {value = i64[] 1}\n%%weight = Const-1 {value = i64[] %d}\n",
            weight);
    for (int i = 1; i < NODES; i++)
        fprintf(f, "%%x%d = Add-1(%%x%d, %%%s)\n", i, i - 1, i == CHANGED ? "weight" : "one");
    fprintf(f, "%%r = Result-1(%%x%d)\n}\n", NODES - 1);
    assert_int_equal(fclose(f), 0);
    g = inlay_read_text("g", text, n, NULL, d);
    free(text);
    assert_non_null(g);
    return g;
}

static void find(int most, int runs)
{
    const int64_t dims[] = {2};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *a = chain(1, d), *b = chain(2, d);
    struct counted c = {.real = inlay_reference_evaluator(NULL), .most = most};
    const inlay_evaluator ev = {eval_node, eval_graph, &c};
    const inlay_tensor *in = inlay_tensor_new(INLAY_I64, 1, dims);
    inlay_value_difference found;

    assert_true(inlay_find_difference(a, &ev, b, &ev, &in, NULL, &found, d));
    assert_non_null(found.b);
    assert_string_equal(found.b->node->name, "x300");
    if (c.runs > runs)
        fail_msg("%d runs, at most %d are wanted", c.runs, runs);
    assert_null(inlay_diags_error(d));
    inlay_tensor_release(in);
    inlay_graph_free(a);
    inlay_graph_free(b);
    inlay_diags_free(d);
}

static void test_few_runs(void **state)
{
    find(NODES, 4);
}

/* What cannot be computed at once is computed in parts. */
static void test_in_parts(void **state)
{
    find(50, 40);
    find(1, 3 * NODES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_runs),
                                       cmocka_unit_test(test_in_parts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
