/* Nodes: constants, inputs, and any operation. */
#include "generate/generator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gen_allows(const generator *g, const char *name)
{
    const inlay_op *op = inlay_op_find(NULL, name, NULL, NULL, NULL);

    return op && gen_allows_row(g, op);
}

bool gen_allows_row(const generator *g, const inlay_op *op)
{
    const char *const *family = g->o->families;

    if ((op->flags & g->o->without) || (g->o->safe && op->faults >= 0))
        return false;
    while (family && *family && strcmp(*family, op->family) != 0)
        family++;
    return !family || *family;
}

/* FNV-1a of the name and version of OP. Unlike inlay_hash it is the same on every machine. */
static uint64_t row_hash(const inlay_op *op)
{
    uint64_t h = 0xCBF29CE484222325u;
    char name[120];

    snprintf(name, sizeof name, "%s %d %s", op->name, op->version, op->set);
    for (const char *c = name; *c; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001B3u;
    return h;
}

const inlay_op *gen_draw_row(generator *g, gen_row_test *suits, int n_in)
{
    uint64_t drawn = rng_next(&g->r), highest = 0;
    const inlay_op *best = NULL;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);
        rng r = {drawn ^ row_hash(op)};
        uint64_t score = rng_next(&r);

        if ((!best || score > highest) && suits(g, op, n_in)) {
            best = op;
            highest = score;
        }
    }
    return best;
}

inlay_node *gen_node(generator *g, const char *name, const char *version, inlay_value *const *in,
                     int n_in, const char *attrs)
{
    inlay_node *n = NULL;
    char operation[80];

    snprintf(operation, sizeof operation, "%s@%s", name, version ? version : "");
    if (!g->failed)
        n = inlay_build(g->graph, name, operation, in, n_in, attrs, g->diags);
    g->failed = !n;
    return n;
}

inlay_value *gen_build(generator *g, const char *name, inlay_value *const *in, int n_in,
                       const char *attrs)
{
    inlay_node *n = gen_node(g, name, NULL, in, n_in, attrs);

    return n && n->n_out > 0 ? &n->out[0] : NULL;
}

/* Notes that V could not be built, if it is NULL. */
static inlay_value *made(generator *g, inlay_value *v)
{
    g->failed = g->failed || !v;
    return v;
}

inlay_value *gen_constant(generator *g, int rank, const int64_t *dims)
{
    double middle = g->type == INLAY_U8 ? 128 : 0; /* values on both sides of 128, which a
                                                      comparison as signed numbers would order
                                                      wrongly */
    inlay_tensor *t = g->failed ? NULL : inlay_tensor_new(g->type, rank, dims);
    inlay_value *v = NULL;

    if (!t) {
        g->failed = g->failed || !inlay_fail_memory(g->diags);
        return NULL;
    }
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(&g->r, -8, 8) + middle);
    v = inlay_build_const(g->graph, "c", t, g->diags);
    inlay_tensor_release(t);
    return made(g, v);
}

inlay_value *gen_ints_of(generator *g, int rank, const int64_t *dims, const int64_t *x)
{
    if (g->failed)
        return NULL;
    return made(g, inlay_build_ints(g->graph, "i", INLAY_I64, rank, dims, x, g->diags));
}

inlay_value *gen_ints(generator *g, int n, const int64_t *x)
{
    return gen_ints_of(g, 1, (int64_t[]){n}, x);
}

inlay_value *gen_scalar(generator *g, int64_t x)
{
    return gen_ints_of(g, 0, NULL, &x);
}

inlay_value *gen_convert(generator *g, inlay_value *v, inlay_type type)
{
    char attrs[60];

    snprintf(attrs, sizeof attrs, "destination_type=%s", inlay_type_info_of(type)->name);
    return gen_build(g, "Convert", &v, 1, attrs);
}

bool gen_has_room(const generator *g)
{
    return !g->inner && g->graph->n_params < GENERATE_MAX_INPUTS - 1;
}

inlay_value *gen_parameter(generator *g, inlay_type type, int rank, const int64_t *dims, bool open,
                           int64_t lo, int64_t hi)
{
    inlay_shape s = {.rank = rank};
    struct generated_input *p = &g->out->inputs[g->graph->n_params];

    if (g->failed)
        return NULL;
    p->rank = rank;
    p->lo = lo;
    p->hi = hi;
    for (int i = 0; i < rank; i++) {
        p->dims[i] = dims[i];
        s.dim[i] = open && rng_one_in(&g->r, 2) ? inlay_dim_any() : inlay_dim_of(dims[i]);
    }
    if (open && rng_one_in(&g->r, 4))
        s.rank = -1;
    return made(g, inlay_build_parameter(g->graph, "p", type, &s, g->diags));
}

bool gen_try_shape(inlay_graph *g, inlay_node *n, const char *attr, const inlay_shape *s,
                   inlay_diags *d)
{
    const inlay_shape was = *inlay_node_attr(n, attr)->as.shape;

    if (!inlay_node_set_shape(n, attr, s, d))
        return false;
    return inlay_infer_graph(g, NULL) ||
           (inlay_node_set_shape(n, attr, &was, d) && inlay_infer_graph(g, d));
}
