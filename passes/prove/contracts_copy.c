/* Contracts about copies (vocabulary/before.c, shape.c): what a Tile repeats. */
#include "passes/prove/contracts.h"

/* Element I of a list that is padded to length N with ones in front. */
static const smt *padded(prove_case *c, const prove_value *list, int i, int n)
{
    int at = i - (n - list->n_ints);

    return at < 0 ? smt_int(&c->pool, 1) : list->ints[at];
}

/* For every k: (k mod (SIZE COPIES)) mod SIZE = k mod SIZE, which makes a copy of copies a copy of
 * the data. tests/prove/window.smt2 proves it. */
static void state_copy_of_copies(prove_case *c, const smt *size, const smt *copies)
{
    smt_pool *p = &c->pool;
    const smt *k = smt_variable(p), *many = prove_remainder(c, k, smt_mul(p, size, copies));
    const smt *same = smt_eq(p, prove_remainder(c, many, size), prove_remainder(c, k, size));

    prove_assume(c, smt_all(p, k, same, many));
}

/* A Tile of a Tile, whose repeats are lists A and B. */
static void state_products(prove_call *call)
{
    prove_case *c = call->c;
    const prove_value *a = contract_ints(call, 0), *b = contract_ints(call, 1);
    int n = a->n_ints > b->n_ints ? a->n_ints : b->n_ints;
    const smt *ints[PROVE_RANK];

    for (int i = 0; i < n; i++)
        ints[i] = smt_mul(&c->pool, padded(c, a, i, n), padded(c, b, i, n));
    for (int i = 0; i < c->rule->left.n_nodes && !c->unknown; i++) {
        const prove_node *tile = c->left[i];

        for (int k = 0; tile && k < tile->in[0]->rank && tile->in[1] == a; k++)
            state_copy_of_copies(c, tile->in[0]->dim[k],
                                 padded(c, a, k + n - tile->in[0]->rank, n));
    }
    contract_give_ints(call, n, ints);
}

/* What W takes of an axis of copies, each of SIZE elements: whole copies, in order; positions
 * inside of one copy; or copies of a single element. */
enum { WHOLE, INSIDE, ONES };

static int kind_of(prove_case *c, prove_window *w, int i)
{
    if (!w->copies[i])
        w->copies[i] = 1 + prove_choose(c, 3);
    return w->copies[i] - 1;
}

/* How often the selected part is repeated on axis I, whose copies have SIZE elements. */
static const smt *times_of(prove_case *c, prove_window *w, int i)
{
    if (kind_of(c, w, i) == INSIDE)
        return smt_int(&c->pool, 1);
    if (kind_of(c, w, i) == ONES)
        return w->axis[i].count;
    if (!w->times[i])
        w->times[i] = smt_constant(&c->pool, "times", "Int");
    return w->times[i];
}

static void state_copies(prove_case *c, prove_window *from, int i, const smt *size, prove_window *w,
                         int k)
{
    smt_pool *p = &c->pool;
    const smt *x = smt_variable(p), *place = prove_remainder(c, prove_at(c, from, i, x), size);

    switch (kind_of(c, from, i)) {
    case WHOLE:
        contract_whole(c, w, k);
        w->axis[k].count = size;
        prove_assume(c, smt_le(p, smt_int(p, 1), times_of(c, from, i)));
        prove_assume(c, smt_lt(p, smt_int(p, 0), size));
        prove_assume(c, smt_eq(p, from->axis[i].count, smt_mul(p, size, times_of(c, from, i))));
        prove_for_each(c, from, i, x, smt_eq(p, place, prove_remainder(c, x, size)));
        break;
    case INSIDE:
        prove_assume(c, smt_lt(p, smt_int(p, 0), size));
        prove_assume(c, smt_eq(p, from->axis[i].count, w->axis[k].count));
        prove_for_each(c, from, i, x, smt_eq(p, place, prove_at(c, w, k, x)));
        break;
    default:
        prove_assume(c, smt_eq(p, size, smt_int(p, 1)));
        contract_whole(c, w, k);
        w->axis[k].count = smt_int(p, 1);
        break;
    }
    prove_assume(c, smt_lt(p, smt_int(p, 0), from->axis[i].count));
}

static void state_tiled_part(prove_call *call)
{
    prove_case *c = call->c;
    prove_window *from = contract_window(call, 0), *w;
    prove_value *x = call->arg[1]->value;
    int more = from->rank - prove_rank(c, x);

    prove_need(c, more >= 0);
    if (c->cut)
        return;
    w = contract_give_window(call, x->rank, x->dim);
    for (int i = 0; i < from->rank && !c->cut; i++) {
        if (i < more)
            from->copies[i] = 1 + ONES;
        else
            state_copies(c, from, i, x->dim[i - more], w, i - more);
    }
}

static void state_tiled_repeats(prove_call *call)
{
    prove_case *c = call->c;
    prove_window *from = contract_window(call, 0);
    const smt *ints[PROVE_RANK];

    for (int i = 0; i < from->rank && !c->cut; i++)
        ints[i] = times_of(c, from, i);
    if (!c->cut)
        contract_give_ints(call, from->rank, ints);
}

const prove_contract prove_copy_contracts[] = {
    {"products", state_products, NULL},
    {"tiled_part", state_tiled_part, NULL},
    {"tiled_repeats", state_tiled_repeats, NULL},
    {NULL, NULL, NULL},
};
