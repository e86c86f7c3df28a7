/* The graph that is made of a model has what the model says of it: sizes, and of each place the
 * index that stands there. Here nobody solves anything: sizes are 2, the index at (a, b) is whether
 * a < b, and beside the box of these sizes they lie outside of the data. */
#include "interp/interp.h"
#include "prove_rules.h"

enum { OFTEN = 20 /* more often than graphs that are drawn have such indices */ };

/* The value of a term, "size!1", "(as_int element!2)" or "(as_int (element!2 0 1))". */
static int value_of(const char *term)
{
    int a = 0, b = 0, n;

    if (strncmp(term, "size", 4) == 0)
        return 2;
    n = sscanf(term, "(as_int (element!%*d %d %d)", &a, &b);
    if (a >= 2 || b >= 2)
        return 9;
    return n == 2 ? a < b : a;
}

/* Cases are not void, laws of numbers hold, and what else is asked has a model. */
static bool answer(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    bool model = strstr(text, "\n(eval "), first = false;
    bool numbers = !model && strncmp(text, "(reset)", 7) == 0;

    (void)ctx;
    (void)n;
    (void)d;
    for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL) {
        first = first || (!model && strncmp(text, "(declare-fun ", 13) == 0);
        if (strncmp(text, "(eval ", 6) == 0)
            inlay_strbuf_printf(out, "%d\n", value_of(text + 6));
        if (strncmp(text, "(check-sat)", 11) != 0)
            continue;
        inlay_strbuf_puts(out, numbers ? "unsat\n" : first ? "unknown\n" : "sat\n");
        first = false;
    }
    return true;
}

/* Counts the graphs whose indices are the model's, which are runs of the reference. */
static bool look(void *ctx, const inlay_graph *g, const inlay_tensor *const *in, inlay_tensor **out,
                 inlay_tensor **variables, inlay_diags *d)
{
    static const int64_t wanted[] = {0, 1, 0, 0};
    const inlay_evaluator reference = inlay_reference_evaluator(NULL);
    int *seen = ctx;

    for (inlay_node *n = g->first; n; n = n->next) {
        const inlay_tensor *t =
            strcmp(n->op->name, "Gather") == 0 ? n->in[1].value->fact.content : NULL;
        bool like = t && t->rank == 2 && inlay_tensor_count(t) == 4;

        for (int i = 0; like && i < 4; i++)
            like = inlay_tensor_get_i64(t, i) == wanted[i];
        *seen += like;
    }
    return reference.eval_graph(reference.ctx, g, in, out, variables, d);
}

static bool eval_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d)
{
    const inlay_evaluator reference = inlay_reference_evaluator(NULL);

    (void)ctx;
    return reference.eval_node(reference.ctx, n, in, out, d);
}

/* The rule is right, so that no graph ends the search. */
static void test_indices(void **state)
{
    static const char text[] = "rule same exact:\n"
                               "  Gather(x, i, a) => Gather(Negative(Negative(x)), i, a)\n";
    int seen = 0;
    const inlay_prove_options o = {.solver = {answer, NULL}, .evaluator = {eval_node, look, &seen}};
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("r", text, sizeof text - 1, d);
    inlay_proof proof;

    assert_non_null(rules);
    assert_true(inlay_prove(rules, 0, &o, &proof, d));
    assert_true(seen > OFTEN);
    inlay_proof_free(&proof);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_indices)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
