/* Numbers that occur in graphs: two graphs may behave differently on values that are compared with
 * these. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

static void add(verify_literals *l, int64_t i, double f)
{
    for (int k = 0; k < l->n; k++) {
        if (l->of[k].i == i && l->of[k].f == f)
            return;
    }
    if (l->n < VERIFY_MAX_LITERALS && f == f)
        l->of[l->n++] = (struct verify_literal){i, f};
}

/* Large constants are weights, so they are left out. */
static void add_tensor(verify_literals *l, const inlay_tensor *t)
{
    enum { FEW = 16 };
    int64_t n = inlay_tensor_count(t);

    if (t->type == INLAY_STRING || inlay_type_info_of(t->type)->cls == INLAY_CLASS_COMPLEX)
        return;
    for (int64_t i = 0; n <= FEW && i < n; i++)
        add(l, inlay_tensor_get_i64(t, i), inlay_tensor_get_f64(t, i));
}

static void add_attr(verify_literals *l, inlay_attr_kind kind, const inlay_attr *a)
{
    double f = kind == INLAY_ATTR_INT     ? (double)a->as.i
               : kind == INLAY_ATTR_FLOAT ? a->as.f
                                          : a->as.number.f;

    add(l, inlay_load_i64(INLAY_F64, &f, 0), f);
}

/* Adds the bounds of open dimensions. */
static void add_shape(verify_literals *l, const inlay_shape *shape)
{
    for (int i = 0; i < shape->rank; i++) {
        inlay_dim d = shape->dim[i];

        if (!inlay_dim_is_static(d) && d.hi != INLAY_DIM_MAX)
            add(l, d.hi, (double)d.hi);
    }
}

static void add_attrs(verify_literals *l, const inlay_node *n)
{
    for (int i = 0; i < n->op->n_attrs; i++) {
        inlay_attr_kind kind = n->op->attrs[i].kind;

        if (!n->attrs[i].set)
            continue;
        if (kind == INLAY_ATTR_TENSOR)
            add_tensor(l, n->attrs[i].as.tensor);
        if (kind == INLAY_ATTR_SHAPE)
            add_shape(l, n->attrs[i].as.shape);
        if (kind == INLAY_ATTR_INT || kind == INLAY_ATTR_FLOAT || kind == INLAY_ATTR_NUMBER)
            add_attr(l, kind, &n->attrs[i]);
    }
}

/* How many bits the numbers of a float type have; 0 where they are no such numbers. */
static int precision_of(inlay_type type)
{
    static const int bits[INLAY_N_TYPES] = {
        [INLAY_F64] = 53,   [INLAY_F32] = 24,       [INLAY_F16] = 11,
        [INLAY_BF16] = 8,   [INLAY_F8E4M3] = 4,     [INLAY_F8E5M2] = 3,
        [INLAY_F4E2M1] = 2, [INLAY_F8E4M3FNUZ] = 4, [INLAY_F8E5M2FNUZ] = 3,
    };

    return bits[type];
}

void verify_add_literals(verify_literals *l, const inlay_graph *g)
{
    for (const inlay_node *n = NULL; (n = inlay_graph_walk(g, n));) {
        if (l->n < VERIFY_MAX_LITERALS)
            add_attrs(l, n);
        for (int i = 0; i < n->n_out; i++)
            l->precisions |= UINT64_C(1) << precision_of(n->out[i].fact.type);
    }
}

/* Those of L that may be sizes. */
static uint64_t counts_of(const verify_literals *l, int64_t *counts)
{
    enum { LEAST = 4, MOST = INLAY_VERIFY_LARGEST - 1 };
    uint64_t n = 0;

    for (int i = 0; l && i < l->n; i++) {
        if (l->of[i].i >= LEAST && l->of[i].i <= MOST)
            counts[n++] = l->of[i].i;
    }
    return n;
}

int64_t verify_above_literals(const verify_literals *l, int64_t otherwise)
{
    int64_t counts[VERIFY_MAX_LITERALS];
    uint64_t n = counts_of(l, counts);

    for (uint64_t i = 0; i < n; i++)
        otherwise = counts[i] >= otherwise ? counts[i] + 1 : otherwise;
    return otherwise;
}

int64_t verify_literal_count(const verify_literals *l, uint64_t at, int64_t otherwise)
{
    int64_t counts[VERIFY_MAX_LITERALS];
    uint64_t n = counts_of(l, counts);

    return n > 0 ? counts[at / 2 % n] + (int64_t)(at % 2) : otherwise;
}
