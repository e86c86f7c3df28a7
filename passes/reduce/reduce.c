/* Makes a graph small that still has a property which somebody asks for (delta debugging).
 *
 * A change is one of a few kinds at one place. It is made in a copy; what nothing depends on then
 * goes, shapes are inferred, and whoever asked says whether the copy still has the property. If so
 * it is the graph from there on. Kinds are tried from the one that takes away most, and all of them
 * again until none of them helps any more.
 *
 *     y = Relu(Add(x, w))    OUTPUT    Add's result is the graph's only output
 *                            CUT       Add's result is an input of the graph
 *                            BYPASS    Relu's result is its operand
 *                            ZERO      Add's result is a constant of zeros
 *                            DROP      one output fewer
 *                            SHRINK    axes of inputs are half as long */
#include "ir/shared.h"
#include "passes/passes.h"

#include <stdio.h>
#include <string.h>

enum kind { OUTPUT, CUT, BYPASS, ZERO, DROP, SHRINK, KINDS };

enum { TRIES = 2000, MAX_ZEROS = 1 << 16 };

struct reduction {
    inlay_graph *best;
    const inlay_reduce_options *o;
    int tried, kept, tries;
    inlay_diags *d;
};

/* Returns node number I of G in document order; NULL: there are not so many. */
static inlay_node *node_at(const inlay_graph *g, size_t i)
{
    inlay_node *n = g->first;

    while (n && i-- > 0)
        n = n->next;
    return n;
}

static bool is_leaf(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_PARAMETER) || inlay_node_is(n, INLAY_OP_CONST);
}

/* Whether N computes one value, which is known well enough to be had otherwise. */
static bool computes(const inlay_node *n)
{
    return n->n_out == 1 && !is_leaf(n) && n->out[0].fact.rank >= 0;
}

static void shape_of(const inlay_value *v, inlay_shape *shape)
{
    shape->rank = v->fact.rank;
    if (shape->rank > 0)
        memcpy(shape->dim, v->fact.dims, (size_t)shape->rank * sizeof *shape->dim);
}

static inlay_value *new_input(inlay_graph *g, const inlay_value *like, const char *name,
                              inlay_diags *d)
{
    inlay_shape shape;

    shape_of(like, &shape);
    return inlay_build_parameter(g, name, like->fact.type, &shape, d);
}

static inlay_value *new_zeros(inlay_graph *g, const inlay_value *like, const char *name,
                              inlay_diags *d)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_value *zeros = NULL;
    inlay_tensor *t;

    if (!inlay_fact_dims(&like->fact, dims) || like->fact.type == INLAY_STRING)
        return NULL;
    t = inlay_tensor_new(like->fact.type, like->fact.rank, dims);
    if (t && inlay_tensor_count(t) <= MAX_ZEROS)
        zeros = inlay_build_const(g, name, t, d);
    inlay_tensor_release(t);
    return zeros;
}

/* BY takes the place of N's value, under N's name. */
static bool stand_in(inlay_graph *g, inlay_node *n,
                     inlay_value *(*make)(inlay_graph *, const inlay_value *, const char *,
                                          inlay_diags *),
                     inlay_diags *d)
{
    char name[256];
    inlay_value *by;

    snprintf(name, sizeof name, "%.240s_cut", n->name);
    by = make(g, &n->out[0], name, d);
    return by && inlay_value_replace(&n->out[0], by, d);
}

static bool bypass(inlay_node *n, inlay_diags *d)
{
    for (int i = 0; i < n->n_in; i++) {
        inlay_value *x = inlay_node_input(n, i);

        if (x && x->fact.type == n->out[0].fact.type &&
            inlay_fact_same_shape(&x->fact, &n->out[0].fact))
            return inlay_value_replace(&n->out[0], x, d);
    }
    return false;
}

/* N's value is the only output. */
static bool make_output(inlay_graph *g, inlay_node *n, inlay_diags *d)
{
    if (g->n_results == 1 && g->results[0]->n_in == 1 &&
        inlay_node_input(g->results[0], 0) == &n->out[0])
        return false;
    while (g->n_results > 0)
        if (!inlay_node_remove(g->results[0], d))
            return false;
    return inlay_build_result(g, "reduced", &n->out[0], d) != NULL;
}

/* Returns the length of the longest axis of V that is known; 0: there is none. */
static int64_t longest(const inlay_value *v)
{
    int64_t most = 0;

    for (int i = 0; i < v->fact.rank; i++) {
        if (inlay_dim_is_static(v->fact.dims[i]) && v->fact.dims[i].lo > most)
            most = v->fact.dims[i].lo;
    }
    return most;
}

/* Axes of Parameter N that are LENGTH long are half as long. */
static bool halve(inlay_node *n, int64_t length, inlay_diags *d)
{
    inlay_shape shape;

    if (n->out[0].fact.rank < 0)
        return true;
    shape_of(&n->out[0], &shape);
    for (int i = 0; i < shape.rank; i++) {
        if (inlay_dim_is_static(shape.dim[i]) && shape.dim[i].lo == length)
            shape.dim[i].lo = shape.dim[i].hi = length / 2;
    }
    return inlay_node_set_shape(n, "shape", &shape, d);
}

/* The longest axis of Parameter N is half as long, and so are those that are as long as it in all
 * inputs, because operands must fit each other. */
static bool shrink(inlay_graph *g, inlay_node *n, inlay_diags *d)
{
    int64_t length = longest(&n->out[0]);
    bool ok = length > 1;

    for (int i = 0; ok && i < g->n_params; i++)
        ok = halve(g->params[i], length, d);
    return ok;
}

/* Makes the change of kind K at node number I of G; false: there is none, or it failed. */
static bool change(inlay_graph *g, enum kind k, size_t i, inlay_diags *d)
{
    inlay_node *n = node_at(g, i);

    if (k == DROP)
        return inlay_node_is(n, INLAY_OP_RESULT) && g->n_results > 1 && inlay_node_remove(n, d);
    if (k == SHRINK)
        return inlay_node_is(n, INLAY_OP_PARAMETER) && shrink(g, n, d);
    if (!computes(n))
        return false;
    switch (k) {
    case OUTPUT:
        return make_output(g, n, d);
    case CUT:
        return stand_in(g, n, new_input, d);
    case BYPASS:
        return bypass(n, d);
    default:
        return stand_in(g, n, new_zeros, d);
    }
}

/* Takes away inputs that nothing reads. */
static bool drop_inputs(inlay_graph *g, inlay_diags *d)
{
    for (int i = g->n_params - 1; i >= 0; i--) {
        if (!g->params[i]->out[0].uses && !inlay_node_remove(g->params[i], d))
            return false;
    }
    return true;
}

static bool settle(inlay_graph *g, inlay_diags *d)
{
    const inlay_pass_options dead = {.passes = "eliminate-dead"};

    return inlay_run_passes(g, &dead, d) && drop_inputs(g, d) && inlay_infer_graph(g, d) &&
           inlay_check_graph(g, d);
}

/* Tries one change on a copy, whose messages nobody wants: one that makes no graph is no change.
 * *KEPT: the copy is the best graph now. False: memory ran out. */
static bool try_change(struct reduction *r, enum kind k, size_t i, bool *kept)
{
    inlay_graph *g = inlay_graph_clone(r->best, r->d);

    *kept = false;
    if (!g)
        return false;
    if (change(g, k, i, NULL) && settle(g, NULL)) {
        r->tried++;
        *kept = r->o->keeps(r->o->ctx, g);
    }
    if (*kept) {
        inlay_graph_free(r->best);
        r->best = g;
        r->kept++;
    } else {
        inlay_graph_free(g);
    }
    return true;
}

/* Tries all changes of kind K; after one that helped the same place is tried again, because other
 * nodes stand there now. */
static bool try_kind(struct reduction *r, enum kind k, bool *helped)
{
    for (size_t i = 0; i < r->best->n_nodes && r->tried < r->tries;) {
        bool kept;

        if (!try_change(r, k, i, &kept))
            return false;
        *helped = *helped || kept;
        i += kept ? 0 : 1;
    }
    return true;
}

bool inlay_reduce(const inlay_graph *g, const inlay_reduce_options *o, inlay_reduce_result *out,
                  inlay_diags *d)
{
    struct reduction r = {.o = o, .d = d};
    bool helped = true, ok;

    *out = (inlay_reduce_result){0};
    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(o, "list of options", d))
        return false;
    if (!o->keeps)
        return inlay_fail(d, NULL, "nobody says what a graph is to keep");
    r.tries = o->tries > 0 ? o->tries : TRIES;
    out->before = g->n_nodes;
    r.best = inlay_graph_clone(g, d);
    ok = r.best != NULL;
    while (ok && helped && r.tried < r.tries) {
        helped = false;
        for (int k = 0; ok && k < KINDS; k++)
            ok = try_kind(&r, (enum kind)k, &helped);
    }
    if (!ok) {
        inlay_graph_free(r.best);
        return false;
    }
    out->graph = r.best;
    out->tried = r.tried;
    out->kept = r.kept;
    out->exhausted = r.tried >= r.tries;
    return true;
}
