/* Rows with the flag fills: their kernels write every element of their outputs, so the executors
 * hand them memory that holds anything. The cases of tests/ops, in every type that their rows
 * allow, and random graphs give the same whatever stood there. */
#include "graphs.h"
#include "interp/kernel.h"
#include "ir/shared.h"
#include "models.h"
#include "op_types.h"
#include "parser/parser.h"
#include "random_graphs.h"

enum { MAX_RESULTS = OP_CASE_MAX };

/* Runs G by the reference, which is to need no more memory than a MiB. Memory that a kernel is to
 * fill holds what the system gives, or POISON. */
static bool run(const inlay_graph *g, const inlay_tensor *const *in, bool poison,
                inlay_tensor **out)
{
    inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE, .poison = poison, .max_memory = 1 << 20};
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, in, NULL, out, d);

    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return ok;
}

/* Compares both runs. False: both of them failed. */
static bool same_with_poison(const char *what, const inlay_graph *g, const inlay_tensor *const *in)
{
    inlay_tensor *a[MAX_RESULTS] = {NULL}, *b[MAX_RESULTS] = {NULL};
    inlay_compare_options exact = {0};
    bool ok = run(g, in, false, a);
    char why[512];

    if (ok != run(g, in, true, b))
        fail_msg("%s: one of the two runs failed", what);
    for (int i = 0; ok && i < g->n_results; i++) {
        if (!inlay_compare_tensors(a[i], b[i], &exact, why, sizeof why))
            fail_msg("%s: result %d: %s", what, i, why);
    }
    for (int i = 0; i < g->n_results; i++) {
        inlay_tensor_release(a[i]);
        inlay_tensor_release(b[i]);
    }
    return ok;
}

/* ---- the cases of tests/ops in other types ---- */

static bool try_graph(const char *what, inlay_graph *g, inlay_node *n, void *ctx)
{
    (void)n, (void)ctx;
    return same_with_poison(what, g, NULL);
}

static void types(void **state)
{
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);

        if ((op->flags & INLAY_ADOPTS) || strcmp(op->set, "opset") != 0)
            continue;
        if (!(op->flags & INLAY_FILLS))
            fail_msg("%s-%d does not say that its kernel writes every element", op->name,
                     op->version);
        if (op_types_each(op, try_graph, NULL) == 0)
            fail_msg("%s-%d: no case ran", op->name, op->version);
    }
}

/* ---- random graphs ---- */

static void random_graphs(void **state)
{
    seed_range seeds = seeds_to_try(400, 100);
    inlay_diags *d = inlay_diags_new();

    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        generated_graph g =
            random_graph_of((inlay_generate_mix)(seed % INLAY_GENERATE_MIXES), seed, d);
        const inlay_tensor *in[GENERATE_MAX_INPUTS];
        rng r = {seed};
        char what[40];

        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        for (int i = 0; i < g.graph->n_params; i++)
            in[i] = random_input(&g, i, &r);
        same_with_poison(what, g.graph, in);
        for (int i = 0; i < g.graph->n_params; i++)
            inlay_tensor_release(in[i]);
        inlay_graph_free(g.graph);
    }
    inlay_diags_free(d);
}

/* ---- rows that say it, and rows that do not ---- */

static bool infer_like(inlay_infer *cx)
{
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* Writes all elements but the first. */
static bool eval_most(inlay_call *c)
{
    for (int64_t i = 1; i < inlay_tensor_count(c->out[0]); i++)
        inlay_tensor_set_f64(c->out[0], i, 1);
    return true;
}

static const inlay_op_def defs[] = {
    {"Lies", 1, "mine", "T:num x", "T", "", "fills", infer_like, eval_most, "mine.c", 1},
    {"Most", 1, "mine", "T:num x", "T", "", "", infer_like, eval_most, "mine.c", 2},
};

/* Returns the first element, which a kernel leaves out. */
static double left_out(const char *op, inlay_type type)
{
    inlay_diags *d = inlay_diags_new();
    const inlay_op_set *ops = inlay_op_set_new(NULL, defs, sizeof defs / sizeof defs[0], d);
    inlay_read_options o = {.ops = ops};
    inlay_tensor *out = NULL;
    inlay_graph *g;
    char text[300];
    double first;

    snprintf(text, sizeof text,
             "graph \"t\" {\n  %%x = Const {value = %s[3] [2, 2, 2]}\n  %%y = %s(%%x)\n"
             "  %%r = Result(%%y)\n}\n",
             inlay_type_info_of(type)->name, op);
    g = inlay_read_text("t", text, strlen(text), &o, d);
    if (!g || !run(g, NULL, true, &out))
        fail_msg("%s: %s", op, model_messages(d));
    first = inlay_tensor_get_f64(out, 0);
    inlay_tensor_release(out);
    inlay_graph_free(g);
    inlay_op_set_release(ops);
    inlay_diags_free(d);
    return first;
}

/* Earlier contents show only where the row says that the kernel fills its output. Bytes that hold
 * several elements are zeros in any case, because elements are written into them one by one. */
static void what_stood_there(void **state)
{
    assert_true(left_out("Lies", INLAY_I32) != 0);
    assert_true(left_out("Most", INLAY_I32) == 0);
    assert_true(left_out("Lies", INLAY_U4) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(what_stood_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
