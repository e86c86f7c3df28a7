/* Estimates the work of a run from sizes alone, so that trials end by a count and not by a clock:
 * the same trials on every machine. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <math.h>

/* The number of elements of V, with open sizes equal to OPEN. */
static double elements(const inlay_value *v, int64_t open)
{
    double n = 1;

    for (int k = 0; k < v->fact.rank; k++) {
        inlay_dim d = v->fact.dims[k];

        n *= (double)(inlay_dim_is_static(d) ? d.lo : inlay_dim_clamp(d, open));
    }
    return v->fact.rank < 0 ? (double)open : n;
}

/* The work of a product, [m, k] by [k, n] to [m, n], is m * k * n: the root of the product of the
 * three sizes. For a convolution that is too small by the window's side length, and for a batch too
 * large by the root of its size, which is near enough. For other operations it is one for each
 * element. */
static double work_of(const inlay_node *n, int64_t open)
{
    double out = 0, in[2] = {0, 0};
    bool products = !(n->op->flags & (INLAY_POINTWISE | INLAY_MOVES | INLAY_SHAPE_ONLY));

    for (int i = 0; i < n->n_out; i++)
        out += elements(&n->out[i], open);
    for (int i = 0; i < n->n_in && i < 2; i++)
        in[i] = n->in[i].value ? elements(n->in[i].value, open) : 0;
    if (products && in[1] > 1 && inlay_type_is_float(n->out[0].fact.type))
        return sqrt(in[0] * in[1] * out);
    return out > in[0] ? out : in[0];
}

double verify_work(const inlay_graph *g, int64_t open)
{
    double work = 0;

    for (const inlay_node *n = g->first; n; n = n->next) {
        if (n->n_out > 0)
            work += work_of(n, open);
        for (int i = 0; i < n->n_bodies; i++)
            work += n->bodies[i].graph ? verify_work(n->bodies[i].graph, open) : 0;
    }
    return work;
}
