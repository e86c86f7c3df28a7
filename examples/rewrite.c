/* Rewrites a graph and shows that it stays the same function: in a pass of its own x takes the
 * place of Maximum(x, x). usage: rewrite MODEL */
#include <inlay.h>

#include <stdio.h>

static bool rewrite(inlay_graph *g, inlay_pass_run *r)
{
    for (inlay_node *n = g->first, *next; n; n = next) {
        inlay_value *x = inlay_node_input(n, 0);
        bool done;

        next = n->next;
        if (!inlay_node_is(n, INLAY_OP_MAXIMUM) || x != inlay_node_input(n, 1) ||
            !inlay_pass_begin(r, n))
            continue;
        if (!inlay_replace_by_old(&n->out[0], x, &done, inlay_pass_diags(r)) ||
            !inlay_pass_end(r, done))
            return false;
    }
    return true;
}

static bool run(inlay_graph *g, inlay_pass_run *r)
{
    return inlay_pass_each_graph(g, rewrite, r); /* the bodies of If, Loop, TensorIterator too */
}

int main(int argc, char **argv)
{
    const inlay_pass_info info = {"maximum-of-same", "Maximum(x, x) is x."};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *before = argc == 2 ? inlay_read_file(argv[1], NULL, d) : NULL;
    inlay_graph *g = before ? inlay_graph_clone(before, d) : NULL;
    inlay_pass_registry *registry = inlay_pass_registry_new(d);
    inlay_pass_options o = {.passes = "maximum-of-same,eliminate-dead", .registry = registry};
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_verify_result result = {.verdict = INLAY_INCONCLUSIVE};
    bool ok = g && registry && inlay_pass_register(registry, &info, run, NULL, d) &&
              inlay_run_passes(g, &o, d) && inlay_verify(before, &e, g, &e, NULL, &result, d);

    if (ok)
        printf("%zu nodes, before %zu: %s\n", g->n_nodes, before->n_nodes,
               result.verdict == INLAY_SAME ? "the same function" : "not the same function");
    for (size_t i = 0; i < inlay_diags_count(d); i++)
        fprintf(stderr, "%s\n", inlay_diags_at(d, i)->text);
    inlay_pass_registry_free(registry);
    inlay_graph_free(g);
    inlay_graph_free(before);
    inlay_diags_free(d);
    return ok && result.verdict == INLAY_SAME ? 0 : 1;
}
