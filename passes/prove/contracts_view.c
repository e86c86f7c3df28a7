/* Contracts about two consecutive operations that only add and remove axes of size 1
 * (vocabulary/views.c). */
#include "passes/prove/contracts.h"

#include <string.h>

enum { NEW = -1 };

/* The axes of the second operation's result: each is an axis of X or new; and which axes of X are
 * gone. */
typedef struct axes_of_view {
    int from[PROVE_RANK], n;
    bool gone[PROVE_RANK];
} axes_of_view;

static void step(prove_case *c, const prove_node *n, axes_of_view *v)
{
    bool brings = (n->row->flags & PROVE_BRINGS_AXES) != 0;
    int old[PROVE_RANK], kept = 0;

    prove_need(c, brings || (n->row->flags & PROVE_TAKES_AXES));
    if (c->cut)
        return;
    memcpy(old, v->from, sizeof old);
    for (int i = 0; brings && i < n->out[0].rank; i++)
        v->from[i] = n->axes[i] ? NEW : old[kept++];
    for (int i = 0; !brings && i < v->n; i++) {
        if (!n->axes[i])
            v->from[kept++] = old[i];
        else if (old[i] != NEW)
            v->gone[old[i]] = true;
    }
    v->n = n->out[0].rank;
}

/* Returns X, and in *V how the operations before Y change its axes. */
static const prove_value *find_axes(prove_call *call, axes_of_view *v)
{
    const prove_node *second = contract_node(call, 0), *first = second->in[0]->node;
    const prove_value *x = first->in[0];

    *v = (axes_of_view){.n = x->rank};
    for (int i = 0; i < x->rank; i++)
        v->from[i] = i;
    step(call->c, first, v);
    step(call->c, second, v);
    return x;
}

/* The axes in SET, those of the value with more axes, are skipped; then each axis of Y is the axis
 * of X at the same position, or both have size 1. */
static void give_axes(prove_call *call, bool come)
{
    prove_case *c = call->c;
    const smt *axes[PROVE_RANK];
    axes_of_view v;
    const prove_value *x = find_axes(call, &v);
    int more = come ? v.n : x->rank, set = c->cut ? 0 : 1 + prove_choose(c, (1 << more) - 1);
    int n = 0, of_x = 0, of_y = 0;

    for (int i = 0; i < more && !c->cut; i++) {
        if (set >> i & 1) {
            prove_need(c, come ? v.from[i] == NEW : v.gone[i]);
            axes[n++] = smt_int(&c->pool, i);
            of_y += come;
            of_x += !come;
            continue;
        }
        prove_need(c, of_x < x->rank && of_y < v.n);
        prove_need(c, c->cut || v.from[of_y] == of_x || (v.from[of_y] == NEW && v.gone[of_x]));
        of_x++;
        of_y++;
    }
    prove_need(c, of_x == x->rank && of_y == v.n);
    if (!c->cut)
        contract_give_ints(call, n, axes);
}

static void state_axes_come(prove_call *call)
{
    give_axes(call, true);
}

static void state_axes_gone(prove_call *call)
{
    give_axes(call, false);
}

const prove_contract prove_view_contracts[] = {
    {"axes_come", state_axes_come, NULL},
    {"axes_gone", state_axes_gone, NULL},
    {NULL, NULL, NULL},
};
