/* What each note relies on, its grounds (ir/graph/ground.c), listed when everything is decided:
 *
 *     its node      reads what it writes over at the same positions (I1, I3), or moves it (O6)
 *     its window    the data and the numbers of the window are there before (N1, I9, N2)
 *     readers       see the old bytes before it is written (O3, V1, I5, O5, N7)
 *
 * A read is a ground of the first write over what it reads, because later writes come after that
 * one. If several writes are unordered, the read is a ground of every write that could come first.
 * A window that is empty in every run is neither read nor written. */
#include "passes/inplace/grounds.h"
#include "passes/inplace/into.h"
#include "passes/inplace/overwrite.h"

/* Adds to V the ground that node BY guarantees condition KEPT, unless that is the last one in the
 * list already. */
static bool state(inplace_pass *p, inlay_value *v, inlay_condition kept, const inlay_node *by)
{
    const inlay_grounds *g = v->grounds;
    const inlay_ground *last = g && g->n > 0 ? &g->list[g->n - 1] : NULL;

    return (last && last->condition == (int)kept && last->node == by) ||
           inlay_value_add_ground(v, kept, by, p->run->diags);
}

static bool state_own_reads(inplace_pass *p, inlay_value *v)
{
    const inlay_node *n = v->node;
    inlay_condition kept;

    for (int i = 0; i < n->n_in; i++) {
        if (!n->in[i].value)
            continue;
        if (!inplace_own_ground(&p->s.accesses, &n->in[i], v, &kept) ||
            (kept && !state(p, v, kept, n->in[i].value->node)))
            return false;
    }
    return true;
}

/* States where the window of V comes from, if V is computed into the window of a scatter, directly
 * or as a part of another value. */
static bool state_window(inplace_pass *p, inlay_value *v)
{
    const inlay_value *r = v;
    const inlay_node *scatter;

    while (r->note == INLAY_INTO)
        r = r->note_target;
    scatter = query_is_scatter(r->node) && r != v ? r->node : NULL;
    for (int i = 0; scatter && i < scatter->n_in; i++) {
        const inlay_value *x = scatter->in[i].value;
        bool data = i == scatter->op->overwrites;

        if (!x || x == query_scatter_updates(scatter) ||
            (!data && inlay_node_is(x->node, INLAY_OP_CONST)))
            continue;
        if (!state(p, v, !data ? INLAY_N2_CHECKS_FIRST : inplace_late_condition(scatter, x->node),
                   x->node))
            return false;
    }
    return true;
}

/* The condition that U fulfils by reading its value before WRITTEN overwrites it. */
static inlay_condition reader_condition(inplace_pass *p, const inlay_use *u,
                                        const inlay_value *written)
{
    bool into = written->note == INLAY_INTO;

    if (query_is_scatter(u->node) && u->index == u->node->op->overwrites)
        return INLAY_O5_ONE_OVERWRITER;
    if (u->value->note == INLAY_VIEW_OF && !into)
        return INLAY_V1_READ_BEFORE_WRITE;
    if (into || u->value->note == INLAY_INTO)
        return INLAY_I5_SOLE_CONSUMER;
    return inplace_reader_condition(inplace_storage_root(&p->s, u->value)->node);
}

static bool state_reader(void *pass, const inlay_use *u, inlay_value *written)
{
    return state(pass, written, reader_condition(pass, u, written), u->node);
}

static bool state_reads(inplace_pass *p, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !inlay_use_is_overwritten(&n->in[i]) &&
            !inplace_find_first_writes(&p->s.accesses, &n->in[i], state_reader, p))
            return false;
    }
    return true;
}

static bool state_note(inplace_pass *p, inlay_value *v)
{
    if (v->note != INLAY_OVERWRITES && v->note != INLAY_INTO)
        return true;
    return inlay_value_state_grounds(v, p->run->diags) &&
           (!inplace_is_write(v) || inlay_value_writes_none(v) || state_own_reads(p, v)) &&
           state_window(p, v);
}

bool inplace_state_grounds(inplace_pass *p)
{
    const inlay_order_list *order = &p->s.order.list;
    bool ok = true;

    for (size_t i = 0; ok && i < order->n; i++) {
        for (int k = 0; ok && k < order->nodes[i]->n_out; k++)
            ok = state_note(p, &order->nodes[i]->out[k]);
    }
    for (size_t i = 0; ok && i < order->n; i++)
        ok = state_reads(p, order->nodes[i]);
    return ok;
}
