/* Einsum-7. Operands are taken from left to right (ir/OPERATIONS.md), so that the cost is that of
 * products of two factors. Sums are in f32, f64 or wrapping 64-bit integers. */
#include "interp/kernels/einsum.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/moves.h"

#include <math.h>

#define LOOP "interp/kernels/einsum_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

/* An operand, or what some of them gave: its labels, each once, in the order of its axes. */
typedef struct factor {
    const void *x;
    int n, label[INLAY_MAX_RANK];
    int64_t stride[INLAY_MAX_RANK];
} factor;

typedef struct einsum {
    inlay_call *c;
    inlay_domain domain;
    contract_fn *contract;
    const inlay_subscript *subscripts; /* of the operands, and behind them that of the result */
    int64_t size[INLAY_LABELS];
    int first[INLAY_LABELS],
        last[INLAY_LABELS]; /* operand with the label; the result is the last */
    void *y;
} einsum;

/* Returns which label of F is LABEL; as many as F has: none. */
static int find(const factor *f, int label)
{
    int k = 0;

    while (k < f->n && f->label[k] != label)
        k++;
    return k;
}

static int64_t stride_of(const factor *f, int label)
{
    int k = f ? find(f, label) : 0;

    return f && k < f->n ? f->stride[k] : 0;
}

/* Adds a label to F. It is the diagonal where F has it already. False: F has too many. */
static bool add_label(factor *f, int label, int64_t stride)
{
    int k = find(f, label);

    if (k == INLAY_MAX_RANK)
        return false;
    if (k == f->n) {
        f->label[f->n++] = label;
        f->stride[k] = 0;
    }
    f->stride[k] += stride;
    return true;
}

/* Sets F to the labels of T, whose axes lie STRIDES apart. */
static void read_labels(const inlay_tensor *t, const int64_t *strides, const inlay_subscript *s,
                        factor *f)
{
    f->n = 0;
    for (int k = 0; k < s->rank; k++)
        add_label(f, s->label[k], t->dims[k] == 1 ? 0 : strides[k]);
}

/* Finds the sizes of labels, to which a size of 1 is broadcast, and who has them. */
static void read_sizes(einsum *e)
{
    const inlay_call *c = e->c;

    for (int k = 0; k < INLAY_LABELS; k++) {
        e->size[k] = 1;
        e->first[k] = e->last[k] = -1;
    }
    for (int i = 0; i <= c->n_in; i++) {
        const inlay_subscript *s = &e->subscripts[i];

        for (int k = 0; k < s->rank; k++) {
            int label = s->label[k];

            if (i < c->n_in && e->size[label] == 1)
                e->size[label] = c->in[i]->dims[k];
            if (e->first[label] < 0)
                e->first[label] = i;
            e->last[label] = i;
        }
    }
}

static bool is_alone(const einsum *e, int i, int label)
{
    return e->first[label] == i && e->last[label] == i;
}

static bool sums_alone(const einsum *e, int i, const factor *f)
{
    for (int k = 0; k < f->n; k++) {
        if (is_alone(e, i, f->label[k]))
            return true;
    }
    return false;
}

static bool load_factor(einsum *e, int i, factor *f)
{
    int64_t strides[INLAY_MAX_RANK];

    if (e->domain == DOMAIN_F32)
        f->x = load_strided_f32(e->c, i, strides);
    else if (e->domain == DOMAIN_F64)
        f->x = load_strided_f64(e->c, i, strides);
    else
        f->x = load_strided_i64(e->c, i, strides);
    if (f->x)
        read_labels(e->c->in[i], strides, &e->subscripts[i], f);
    return f->x != NULL;
}

/* Adds to KEPT those labels of F that the sum of operand I alone, or that of the PRODUCT with it,
 * leaves; one of size 1 is as good as none. False: they are too many, so there would be more than
 * 2^32 elements. */
static bool keep_labels(const einsum *e, int i, bool product, const factor *f, factor *kept)
{
    for (int k = 0; f && k < f->n; k++) {
        int label = f->label[k];
        bool stays = product ? e->last[label] > i : !is_alone(e, i, label);

        if (stays && e->size[label] != 1 && !add_label(kept, label, 0))
            return false;
    }
    return true;
}

/* Makes KEPT the labels of a new array of the sizes of E. */
static bool make_factor(const einsum *e, factor *kept, void **y)
{
    int64_t n = 1;

    for (int k = kept->n - 1; k >= 0; k--) {
        int64_t size = e->size[kept->label[k]];

        kept->stride[k] = n;
        if (size > 0 && n > INT64_MAX / size)
            return inlay_fail_memory(e->c->diags);
        n *= size;
    }
    *y = inlay_call_memory(e->c, n, e->domain == DOMAIN_F32 ? sizeof(float) : sizeof(double));
    kept->x = *y;
    return *y != NULL;
}

static void put_sizes(const einsum *e, const factor *kept, const factor *a, const factor *b,
                      int64_t *sizes, int64_t *u, int64_t *v)
{
    for (int k = 0; k < kept->n; k++) {
        sizes[k] = e->size[kept->label[k]];
        u[k] = stride_of(a, kept->label[k]);
        v[k] = stride_of(b, kept->label[k]);
    }
}

/* Computes K of A and B, and makes *A the result with the labels KEPT. */
static bool contract(einsum *e, contraction *k, factor *a, const factor *b, const factor *kept,
                     const factor *summed, void *y)
{
    k->n_kept = kept->n;
    k->n_summed = summed->n;
    put_sizes(e, kept, a, b, k->kept, k->a.kept, k->b.kept);
    put_sizes(e, summed, a, b, k->summed, k->a.summed, k->b.summed);
    if (!e->contract(e->c, k, a->x, b ? b->x : NULL, y))
        return false;
    *a = *kept;
    return true;
}

/* Multiplies A by B, operand I, or, if B is NULL, takes A, operand I, alone; sums over the labels
 * that nothing else has, in the order of the operand. Sets *A to the result. */
static bool take(einsum *e, int i, factor *a, const factor *b)
{
    const factor *operand = b ? b : a;
    const inlay_subscript *result = &e->subscripts[e->c->n_in];
    factor kept = {.n = 0}, summed = {.n = 0};
    contraction k;
    void *y = e->y;

    for (int j = 0; j < operand->n; j++) {
        if (b ? e->last[operand->label[j]] == i : is_alone(e, i, operand->label[j]))
            add_label(&summed, operand->label[j], 0);
    }
    if (i == e->c->n_in - 1 && (b || i == 0)) {
        for (int j = 0; j < result->rank; j++)
            add_label(&kept, result->label[j], 0);
    } else if (!keep_labels(e, i, b != NULL, a, &kept) || !keep_labels(e, i, true, b, &kept)) {
        return inlay_fail_memory(e->c->diags);
    } else if (!make_factor(e, &kept, &y)) {
        return false;
    }
    return contract(e, &k, a, b, &kept, &summed, y);
}

/* Takes one operand after another. */
static bool take_all(einsum *e)
{
    factor a = {.n = 0}, b;

    for (int i = 0; i < e->c->n_in; i++) {
        factor *f = i == 0 ? &a : &b;

        if (!load_factor(e, i, f) || (sums_alone(e, i, f) && !take(e, i, f, NULL)) ||
            (i > 0 && !take(e, i, &a, &b)))
            return false;
    }
    return true;
}

/* Moves the elements of the only operand, which has no label that is summed over. */
static bool move(const einsum *e)
{
    const inlay_subscript *result = &e->subscripts[1];
    const inlay_tensor *in = e->c->in[0];
    struct view v = {.rank = result->rank};
    factor f;

    read_labels(in, in->strides, &e->subscripts[0], &f);
    for (int k = 0; k < v.rank; k++) {
        v.dims[k] = e->size[result->label[k]];
        v.strides[k] = stride_of(&f, result->label[k]);
    }
    return move_piece(e->c, NULL, in, &v);
}

static bool is_moved(const einsum *e)
{
    factor f;

    read_labels(e->c->in[0], e->c->in[0]->strides, &e->subscripts[0], &f);
    return e->c->n_in == 1 && !sums_alone(e, 0, &f);
}

static bool read_equation(inlay_call *c, inlay_subscript *s)
{
    int *ranks = inlay_call_memory(c, c->n_in, sizeof *ranks);
    char why[300];

    if (!s || !ranks)
        return false;
    for (int i = 0; i < c->n_in; i++)
        ranks[i] = c->in[i]->rank;
    return inlay_equation_read(inlay_node_string(c->node, "equation"), ranks, c->n_in, s, why,
                               sizeof why) ||
           inlay_call_fail(c, "%s", why);
}

bool einsum_compute(inlay_call *c, const einsum_ways *ways)
{
    inlay_subscript *s = inlay_call_memory(c, c->n_in + 1, sizeof *s);
    einsum e = {.c = c, .domain = load_domain(c->in[0]->type), .subscripts = s};

    if (!read_equation(c, s))
        return false;
    read_sizes(&e);
    if (is_moved(&e))
        return move(&e);
    if (e.domain == DOMAIN_F32) {
        e.contract = ways->f32;
        return (e.y = place_f32(c, 0)) && take_all(&e) && store_f32(c, 0, e.y);
    }
    if (e.domain == DOMAIN_F64) {
        e.contract = ways->f64;
        return (e.y = place_f64(c, 0)) && take_all(&e) && store_f64(c, 0, e.y);
    }
    e.contract = ways->u64;
    return (e.y = place_i64(c, 0)) && take_all(&e) && store_i64(c, 0, e.y);
}

bool eval_einsum(inlay_call *c)
{
    return einsum_compute(c, &(einsum_ways){contract_f32, contract_f64, contract_u64});
}
