/* The graph that is made of a model has what the model says of it: sizes, windows, and of each place
 * the index that stands there. Here nobody solves anything: sizes are 2, or 5 where there is a
 * window, the index at (a, b) is whether a < b, and beside the box of these sizes they lie outside
 * of the data. */
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

/* The value of a term about a window: on axis I it has the positions I and 2. */
static int of_window(const char *term, int *axis)
{
    if (strncmp(term, "size", 4) == 0)
        return 5;
    if (strncmp(term, "count", 5) == 0)
        return 2;
    if (strncmp(term, "(ite proper", 11) == 0)
        return 1;
    return strncmp(term, "(at", 3) == 0 ? *axis : 2 - (*axis)++;
}

/* Cases are not void, laws of numbers hold, and what else is asked has a model. */
static bool answer(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    bool model = strstr(text, "\n(eval "), first = false;
    bool numbers = !model && strncmp(text, "(reset)", 7) == 0, *of_windows = ctx;
    int axis = 0;

    (void)n;
    (void)d;
    for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL) {
        first = first || (!model && strncmp(text, "(declare-fun ", 13) == 0);
        if (strncmp(text, "(eval ", 6) == 0)
            inlay_strbuf_printf(out, "%d\n",
                                *of_windows ? of_window(text + 6, &axis) : value_of(text + 6));
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

static bool has(const inlay_node *n, int operand, int64_t first, int64_t second)
{
    const inlay_tensor *t = n->in[operand].value->fact.content;

    return t && inlay_tensor_count(t) == 2 && inlay_tensor_get_i64(t, 0) == first &&
           inlay_tensor_get_i64(t, 1) == second;
}

/* Counts the graphs whose window on two axes is the model's: it ends behind its last position, and
 * not behind the one that would come next. */
static bool look_at_window(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                           inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    const inlay_evaluator reference = inlay_reference_evaluator(NULL);
    int *seen = ctx;

    for (inlay_node *n = g->first; n; n = n->next) {
        if (strcmp(n->op->name, "Slice") != 0 || n->n_in != 5 || n->in[0].value->fact.rank != 2 ||
            n->in[0].value->fact.dims[0].lo != 5)
            continue;
        *seen += has(n, 1, 0, 1) && (has(n, 2, 3, 3) || has(n, 2, 4, 3)) && has(n, 3, 2, 1) &&
                 has(n, 4, 0, 1);
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

/* The rules are right, so that no graph ends the search. */
static void refute(const char *text, const inlay_prove_options *o)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("r", text, strlen(text), d);
    inlay_proof proof;

    assert_non_null(rules);
    assert_true(inlay_prove(rules, 0, o, &proof, d));
    inlay_proof_free(&proof);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

static void test_indices(void **state)
{
    bool of_windows = false;
    int seen = 0;
    const inlay_prove_options o = {.solver = {answer, &of_windows},
                                   .evaluator = {eval_node, look, &seen}};

    refute("rule same exact:\n  Gather(x, i, a) => Gather(Negative(Negative(x)), i, a)\n", &o);
    assert_true(seen > OFTEN);
}

static void test_windows(void **state)
{
    bool of_windows = true;
    int seen = 0;
    const inlay_prove_options o = {.solver = {answer, &of_windows},
                                   .evaluator = {eval_node, look_at_window, &seen}};

    refute("rule same exact:\n"
           "  Slice(x, window w) => Slice(Negative(Negative(x)), window w)\n",
           &o);
    assert_true(seen > OFTEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_indices),
                                       cmocka_unit_test(test_windows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
