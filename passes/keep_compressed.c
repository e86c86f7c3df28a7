/* keep-compressed: a product with weights that are computed from a constant of few bits becomes
 * MatMulCompressed, whose kernel reads the constant. Exporters write these nodes between the two,
 * each of which may be missing:
 *
 *     weights, i4 -> Convert -> Subtract(Convert(zero points)) -> Multiply(scale)
 *             -> Reshape(groups to columns) -> Convert -> MatMul
 *
 * Such weights are not folded, so otherwise they would be unpacked in every run. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/pass.h"

#include <math.h>
#include <string.h>

/* What has been found of such a product so far, from its end backwards. */
struct product {
    inlay_node *node;
    bool turned;
    inlay_type type;                     /* type of the numbers by which weights are multiplied */
    inlay_value *at;                     /* the part that is still to be looked at */
    inlay_value *weights, *scale, *zero; /* NULL: none */
};

static const inlay_tensor *content(const inlay_value *v)
{
    return v && inlay_node_is(v->node, INLAY_OP_CONST) ? v->fact.content : NULL;
}

static bool is_float(inlay_type type)
{
    return type == INLAY_F32 || type == INLAY_F16 || type == INLAY_BF16;
}

/* Has the type four or eight bits? */
static bool is_low(inlay_type type)
{
    int bits = inlay_type_info_of(type)->bits;

    return inlay_type_is_int(type) && (bits == 4 || bits == 8);
}

/* Returns the value before a Convert, if V is the result of one. */
static inlay_value *before_convert(inlay_value *v)
{
    return inlay_node_is(v->node, INLAY_OP_CONVERT) ? inlay_node_input(v->node, 0) : NULL;
}

/* One conversion between floats may be skipped: MatMulCompressed rounds in the same way. */
static bool skip_convert(struct product *p)
{
    inlay_value *from = before_convert(p->at);

    if (!from || !is_float(from->fact.type) || content(from))
        return false;
    p->at = from;
    return true;
}

/* THREE dims, reshaped to TWO, are a matrix whose groups are contiguous, as the product wants. */
static bool joins_groups(const struct product *p, const int64_t *three, const int64_t *two)
{
    return p->turned ? two[0] == three[0] && two[1] == three[1] * three[2]
                     : two[0] == three[0] * three[1] && two[1] == three[2];
}

static void skip_reshape(struct product *p)
{
    int64_t two[INLAY_MAX_RANK], three[INLAY_MAX_RANK];
    const inlay_node *n = p->at->node;
    inlay_value *from;

    if (!(n->op->flags & INLAY_RESHAPES) || p->at->fact.rank != 2)
        return;
    from = inlay_node_input(n, 0);
    if (from->fact.rank == 3 && inlay_fact_dims(&from->fact, three) &&
        inlay_fact_dims(&p->at->fact, two) && joins_groups(p, three, two))
        p->at = from;
}

static bool is_numpy(const inlay_node *n)
{
    return strcmp(inlay_node_string(n, "auto_broadcast"), "numpy") == 0;
}

/* V, a scale or zero points, has one element for each group of weights of W's shape. */
static bool fits_groups(const struct product *p, const inlay_value *v, const inlay_fact *w)
{
    int within = p->turned ? w->rank - 1 : w->rank - 2, axis = within - (w->rank - v->fact.rank);
    int64_t all[INLAY_MAX_RANK], own[INLAY_MAX_RANK];

    if (!inlay_fact_dims(w, all) || !inlay_fact_dims(&v->fact, own) || v->fact.rank > w->rank)
        return false;
    for (int i = 0; i < v->fact.rank; i++) {
        if (own[i] != 1 && own[i] != all[w->rank - v->fact.rank + i])
            return false;
    }
    return axis < 0 || own[axis] == 1;
}

static void take_scale(struct product *p)
{
    const inlay_node *n = p->at->node;

    if (!inlay_node_is(n, INLAY_OP_MULTIPLY) || !is_numpy(n))
        return;
    for (int i = 0; i < 2; i++) {
        inlay_value *scale = inlay_node_input(n, i), *other = inlay_node_input(n, 1 - i);

        if (content(scale) && is_float(scale->fact.type) && !content(other) &&
            fits_groups(p, scale, &p->at->fact) &&
            inlay_fact_same_shape(&other->fact, &p->at->fact)) {
            p->scale = scale;
            p->at = other;
            return;
        }
    }
}

/* The differences of weights and ZERO are exact in the type in which they are multiplied by the
 * scale. */
static bool is_exact(const struct product *p, const inlay_tensor *zero)
{
    for (int64_t i = 0; i < inlay_tensor_count(zero); i++) {
        double x = inlay_tensor_get_f64(zero, i);

        if (x != rint(x) || fabs(x) > 255)
            return false;
    }
    return p->at->fact.type != INLAY_BF16;
}

/* Zero points may come from a Convert, which may have been folded. */
static void take_zero(struct product *p)
{
    const inlay_node *n = p->at->node;
    inlay_value *zero, *from;

    if (!inlay_node_is(n, INLAY_OP_SUBTRACT) || !is_numpy(n))
        return;
    zero = inlay_node_input(n, 1);
    from = before_convert(zero);
    if (from && is_low(from->fact.type))
        zero = from;
    if (content(zero) && is_exact(p, content(zero)) && fits_groups(p, zero, &p->at->fact) &&
        inlay_fact_same_shape(&inlay_node_input(n, 0)->fact, &p->at->fact)) {
        p->zero = zero;
        p->at = inlay_node_input(n, 0);
    }
}

/* What remains is a constant, converted to the type in which it is scaled. */
static bool take_weights(struct product *p)
{
    inlay_type scaled = p->scale ? p->scale->fact.type : p->type, from;
    bool same = p->at->fact.type == scaled;

    p->weights = before_convert(p->at);
    if (!p->weights || !content(p->weights) || !same)
        return false;
    from = p->weights->fact.type;
    if (is_low(from))
        return scaled == p->type || p->type == INLAY_F32;
    return is_float(from) && from != INLAY_F32 && p->type == INLAY_F32 && !p->scale && !p->zero;
}

static bool finds(inlay_node *n, struct product *p)
{
    inlay_value *b = inlay_node_input(n, 1);
    bool converted;

    if (!inlay_node_is(n, INLAY_OP_MAT_MUL) || inlay_node_bool(n, "transpose_a") ||
        !is_float(n->out[0].fact.type) || b->fact.rank != 2 || content(b))
        return false;
    *p = (struct product){.node = n, .type = n->out[0].fact.type, .at = b};
    p->turned = inlay_node_bool(n, "transpose_b");
    converted = skip_convert(p);
    skip_reshape(p);
    if (!converted)
        skip_convert(p);
    take_scale(p);
    take_zero(p);
    return take_weights(p);
}

static bool replace(const struct product *p, inlay_diags *d)
{
    inlay_value *in[] = {inlay_node_input(p->node, 0), p->weights, p->scale, p->zero};
    inlay_node *n = inlay_build(p->node->graph, p->node->name, "MatMulCompressed", in,
                                p->zero    ? 4
                                : p->scale ? 3
                                           : 2,
                                p->turned ? "transpose_b=true" : NULL, d);

    return n && inlay_replace_by_new(&p->node->out[0], &n->out[0], d);
}

bool pass_keep_compressed(inlay_graph *g, pass_run *r)
{
    struct product p;

    for (inlay_node *n = g->first, *next; n; n = next) {
        next = n->next;
        if (!finds(n, &p) || !inlay_pass_begin(r, n))
            continue;
        if (!replace(&p, r->diags) || !inlay_pass_end(r, true))
            return false;
    }
    return pass_keep_quantized(g, r);
}
