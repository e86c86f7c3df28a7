/* Einsum-7: for each element of the result, the sum over all labels that it lacks of the products
 * of the operands' elements. Sums are in f32, f64 or wrapping 64-bit integers. */
#include "interp/call/kernel.h"
#include "interp/kernels/clones.h"

#include <math.h>

typedef struct einsum {
    int n; /* operands */
    int n_summed;
    int64_t sums[INLAY_MAX_RANK]; /* sizes of the labels that are summed over */
    struct einsum_operand {
        int64_t kept[INLAY_MAX_RANK], summed[INLAY_MAX_RANK]; /* strides over labels */
    } * operand;
} einsum;

#define LOOP "interp/kernels/einsum_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

/* Returns how far apart elements of T stand along LABEL. They stand along the diagonal where T has
 * the label twice, and 0 apart where T is broadcast. */
static int64_t stride_of(const inlay_tensor *t, const inlay_subscript *s, int label)
{
    int64_t strides[INLAY_MAX_RANK], sum = 0;

    strides_dense(t->rank, t->dims, strides);
    for (int k = 0; k < t->rank; k++) {
        if (s->label[k] == label && t->dims[k] != 1)
            sum += strides[k];
    }
    return sum;
}

static bool is_kept(const inlay_subscript *result, int label)
{
    for (int k = 0; k < result->rank; k++) {
        if (result->label[k] == label)
            return true;
    }
    return false;
}

/* Returns the size of LABEL, to which a size of 1 is broadcast; -1: no operand has the label. */
static int64_t size_of(const inlay_call *c, const inlay_subscript *s, int label)
{
    int64_t size = -1;

    for (int i = 0; i < c->n_in; i++) {
        for (int k = 0; k < s[i].rank; k++) {
            if (s[i].label[k] == label && (size < 0 || size == 1))
                size = c->in[i]->dims[k];
        }
    }
    return size;
}

/* Plans the sums. The shape rule has checked that there are no more sums than a space has axes. */
static void plan_sums(const inlay_call *c, const inlay_subscript *s, einsum *e)
{
    const inlay_subscript *result = &s[c->n_in];

    for (int i = 0; i < c->n_in; i++) {
        for (int k = 0; k < result->rank; k++)
            e->operand[i].kept[k] = stride_of(c->in[i], &s[i], result->label[k]);
    }
    for (int label = 0; label < INLAY_LABELS && e->n_summed < INLAY_MAX_RANK; label++) {
        int64_t size = size_of(c, s, label);

        if (size < 0 || is_kept(result, label))
            continue;
        for (int i = 0; i < c->n_in; i++)
            e->operand[i].summed[e->n_summed] = stride_of(c->in[i], &s[i], label);
        e->sums[e->n_summed++] = size;
    }
}

bool eval_einsum(inlay_call *c)
{
    inlay_subscript *s = inlay_call_memory(c, c->n_in + 1, sizeof *s);
    int *ranks = inlay_call_memory(c, c->n_in + 1, sizeof *ranks);
    inlay_domain domain = load_domain(c->in[0]->type);
    einsum e = {.n = c->n_in};
    char why[300];

    e.operand = inlay_call_memory(c, c->n_in, sizeof *e.operand);
    if (!s || !ranks || !e.operand)
        return false;
    for (int i = 0; i < c->n_in; i++)
        ranks[i] = c->in[i]->rank;
    if (!inlay_equation_read(inlay_node_string(c->node, "equation"), ranks, c->n_in, s, why,
                             sizeof why))
        return inlay_call_fail(c, "%s", why);
    plan_sums(c, s, &e);
    if (domain == DOMAIN_F64)
        return run_f64(c, &e);
    return domain == DOMAIN_F32 ? run_f32(c, &e) : run_u64(c, &e);
}
