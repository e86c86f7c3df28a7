/* A number for each channel that becomes a factor of weights (vocabulary/factors.c): the Reshape
 * that puts it there, by sizes that are 1 on all axes but those which say the channel. */
#include "passes/prove/contracts.h"
#include "passes/prove/meaning.h"

#include <string.h>

/* ---- what functions give ---- */

/* The let gives the SIZES of RANK axes, of which COUNT, from FIRST on, are of channels. */
static void give_sizes(prove_call *call, int rank, const smt *const *sizes, int first, int count)
{
    const smt *ints[PROVE_RANK];
    prove_value *v;

    for (int i = 0; i < rank; i++)
        ints[i] = i >= first && i < first + count ? sizes[i] : smt_int(&call->c->pool, 1);
    contract_give_ints(call, rank, ints);
    v = call->out->value;
    v->channel = first;
    v->n_channels = count > 0 ? count : 1;
}

/* Numbers K of what N makes, its axis AXIS from the end: one, or one for each channel, which COUNT
 * axes of the weights, from FIRST on, say. */
static void state_factors(prove_call *call, const prove_node *n, int axis, int first, int count)
{
    prove_case *c = call->c;
    prove_value *k = call->arg[0]->value, *w = n->in[1];
    const smt *channels = smt_int(&c->pool, 1);
    int at;

    k->ranked = w->ranked = true;
    prove_need(c, prove_rank(c, k) <= n->out[0].rank && first >= 0);
    at = k->rank - 1 - axis;
    if (c->cut || at < 0 || prove_choose(c, 2) == 0)
        count = 0;
    for (int i = first; i < first + count; i++)
        channels = smt_mul(&c->pool, channels, w->dim[i]);
    for (int i = 0; i < k->rank && !c->cut; i++) {
        if (i == at && count > 0)
            prove_assume(c, smt_eq(&c->pool, k->dim[i], channels));
        else
            prove_assume_one(c, k->dim[i]);
    }
    if (c->cut)
        return;
    give_sizes(call, w->rank, w->dim, first, count);
    call->out->value->channel_of = axis;
    prove_state_types(call, 1, number_class_types(NUMBER_FLOAT));
}

/* The node of which weights are asked; NULL: it has none. */
static const prove_node *weighted(prove_call *call)
{
    const prove_node *n = contract_node(call, 1);
    bool has = n && n->n_in > 1 && (n->row->flags & (PROVE_OF_PICTURES | PROVE_OF_MATRICES));

    prove_need(call->c, has && n->in[1]->rank >= 2 && n->out[0].rank >= 1);
    return call->c->cut ? NULL : n;
}

static void state_weight_factors(prove_call *call)
{
    const prove_node *n = weighted(call);
    const prove_value *w = n ? n->in[1] : NULL;

    if (w && (n->row->flags & PROVE_OF_MATRICES))
        state_factors(call, n, 0, w->rank - (prove_is_by_rows(n) ? 2 : 1), 1);
    else if (w)
        state_factors(call, n, n->out[0].rank - 2, 0, 1 + w->rank - n->out[0].rank);
}

static void state_turned_weight_factors(prove_call *call)
{
    const prove_node *n = weighted(call);

    if (n)
        state_factors(call, n, n->out[0].rank - 2, 1, 1);
}

static void state_channel_sizes(prove_call *call)
{
    const prove_value *y = call->arg[0]->value;

    prove_need(call->c, y->rank >= 2);
    if (!call->c->cut)
        give_sizes(call, y->rank, y->dim, 1, 1);
}

const prove_contract prove_channel_contracts[] = {
    {"weight_factors", state_weight_factors, NULL},
    {"turned_weight_factors", state_turned_weight_factors, NULL},
    {"channel_sizes", state_channel_sizes, NULL},
    {NULL, NULL, NULL},
};

/* ---- the Reshape ---- */

static void shape_channel(prove_case *c, prove_node *n)
{
    const prove_value *sizes = n->in[1];
    const smt *all = smt_int(&c->pool, 1);

    prove_need(c, sizes->n_channels > 0 && !prove_flag_attr(c, n, "special_zero"));
    prove_rank(c, n->in[0]);
    if (c->cut)
        return;
    for (int i = 0; i < sizes->n_channels; i++)
        all = smt_mul(&c->pool, all, sizes->ints[sizes->channel + i]);
    if (n->in[0]->rank == 1)
        prove_must(c, n, smt_eq(&c->pool, n->in[0]->dim[0], all));
    else if (n->in[0]->node)
        prove_unknown(c, "channels of what is computed");
    prove_set_sizes(c, n, 0, sizes->n_ints, sizes->ints);
}

static const smt *element_of_channel(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    smt_pool *p = &c->pool;
    const prove_value *sizes = n->in[1], *data = n->in[0];
    const smt *number = smt_int(p, 0), *from[PROVE_RANK];

    (void)out;
    for (int i = sizes->channel; i < sizes->channel + sizes->n_channels; i++) {
        bool one = sizes->ints[i]->op == SMT_INT && sizes->ints[i]->n == 1;

        if (!one)
            number = smt_add(p, smt_mul(p, number, sizes->ints[i]), at[i]);
    }
    for (int i = 0; i < data->rank; i++)
        from[i] = i == data->rank - 1 - sizes->channel_of ? number : smt_int(p, 0);
    return prove_element(c, data, from);
}

const prove_row prove_channel_row = {"Reshape",
                                     shape_channel,
                                     element_of_channel,
                                     NULL,
                                     PROVE_ALONG_AXES | PROVE_SAME_AXES | PROVE_ANY_RANK,
                                     " special_zero "};
