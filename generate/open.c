/* Graphs with fewer known sizes, and inputs that do not fit. */
#include "generate/generator.h"

#include <stdio.h>

/* Returns an unknown size in place of WAS, a size of N. Equal sizes of inputs of G may get the same
 * name. */
static inlay_dim forgotten(inlay_graph *g, const inlay_node *n, inlay_dim was, rng *r)
{
    inlay_dim d = inlay_dim_any();
    char name[32];

    if (n->graph == g && inlay_node_is(n, INLAY_OP_PARAMETER) && inlay_dim_is_static(was) &&
        rng_one_in(r, 4)) {
        snprintf(name, sizeof name, "n%lld", (long long)was.lo);
        d.id = inlay_graph_named_dim(g, name, NULL);
    }
    return d;
}

static bool forget(inlay_graph *g, inlay_node *n, const char *attr, rng *r, inlay_diags *d)
{
    const inlay_attr *a = inlay_node_attr(n, attr);
    inlay_shape s;

    if (!a || a->as.shape->rank <= 0)
        return true;
    s = *a->as.shape;
    for (int k = 0; k < s.rank; k++)
        s.dim[k] = rng_one_in(r, 2) ? forgotten(g, n, s.dim[k], r) : s.dim[k];
    s.rank = rng_one_in(r, 8) ? -1 : s.rank;
    return gen_try_shape(g, n, attr, &s, d);
}

/* May replace N, a constant that is data of G, by an input of the same sizes. */
static bool ask_for(generated_graph *g, inlay_node *n, rng *r, inlay_diags *d)
{
    const inlay_tensor *t = inlay_node_attr(n, "value")->as.tensor;
    inlay_shape s = {.rank = t->rank};
    struct generated_input *p = &g->inputs[g->graph->n_params];
    inlay_value *v;

    if (t->type == INLAY_I64 || n->out[0].uses == NULL ||
        g->graph->n_params + 1 >= GENERATE_MAX_INPUTS || rng_one_in(r, 3))
        return true;
    *p = (struct generated_input){.rank = t->rank};
    for (int k = 0; k < t->rank; k++) {
        p->dims[k] = t->dims[k];
        s.dim[k] = inlay_dim_of(t->dims[k]);
    }
    v = inlay_build_parameter(g->graph, "p", t->type, &s, d);
    if (!v || !inlay_value_replace(&n->out[0], v, d))
        return false;
    if (inlay_infer_graph(g->graph, NULL))
        return true;
    return inlay_value_replace(v, &n->out[0], d) && inlay_infer_graph(g->graph, d);
}

static bool open_constants(generated_graph *g, rng *r, inlay_diags *d)
{
    bool ok = true;
    inlay_node *last = g->graph->last;

    for (inlay_node *n = g->graph->first; ok && n; n = n == last ? NULL : n->next) {
        if (inlay_node_is(n, INLAY_OP_CONST))
            ok = ask_for(g, n, r, d);
    }
    return ok;
}

static bool open_graph(inlay_graph *g, rng *r, inlay_diags *d)
{
    bool ok = true;

    for (inlay_node *n = inlay_graph_walk(g, NULL); ok && n; n = inlay_graph_walk(g, n)) {
        if (inlay_node_is(n, INLAY_OP_PARAMETER))
            ok = forget(g, n, "shape", r, d);
        else if (inlay_variable_of(n, INLAY_OP_READ_VALUE))
            ok = forget(g, n, "variable_shape", r, d);
    }
    return ok;
}

bool generate_open(generated_graph *g, rng *r, inlay_diags *d)
{
    return open_constants(g, r, d) && open_graph(g->graph, r, d);
}

static int64_t other_size(int64_t n, rng *r)
{
    switch (rng_in(r, 0, 5)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return n + 1;
    case 3:
        return n > 0 ? n - 1 : 2;
    case 4:
        return 2 * n;
    default:
        return rng_in(r, 0, 9);
    }
}

inlay_tensor *generate_misfit(const generated_graph *g, int i, rng *r)
{
    generated_graph other = *g;
    struct generated_input *p = &other.inputs[i];
    const inlay_fact *f = &g->graph->params[i]->out[0].fact;
    int sure;

    if (f->rank < 0 && rng_one_in(r, 3)) {
        p->rank = (int)rng_in(r, p->rank > 0 ? p->rank - 1 : 0, p->rank + 1);
        p->dims[p->rank > 0 ? p->rank - 1 : 0] = rng_in(r, 0, 3);
    }
    sure = p->rank > 0 ? (int)rng_in(r, 0, p->rank - 1) : 0;
    for (int k = 0; k < p->rank; k++) {
        const bool open = f->rank < 0 || (k < f->rank && !inlay_dim_is_static(f->dims[k]));

        if (open ? k == sure || rng_one_in(r, 3) : rng_one_in(r, 60))
            p->dims[k] = other_size(p->dims[k], r);
    }
    if (rng_one_in(r, 8)) {
        p->lo--;
        p->hi++;
    }
    return generate_input(&other, i, r);
}
