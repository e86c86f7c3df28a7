/* Decision O for nodes with bodies: an output overwrites an input of the bodies.
 *
 *     %d = Tanh(%x)
 *     %l = Loop(%n, %go, %d)             l overwrites d: each iteration writes into the buffer of d
 *         %c = Parameter                 the cache: d at first, then what the last iteration made
 *         %r = ScatterUpdate(%c, ...)    r overwrites c, as was decided in the body
 *
 * If the answer is no, the input is copied once, before the first iteration. */
#include "passes/inplace/given.h"
#include "ir/shared.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/bodies.h"
#include "passes/inplace/copies.h"
#include "passes/inplace/overwrite.h"

#include <stdlib.h>

/* Sets whether input INPUT of N counts as read at the end of the run. */
static bool look_last(inplace_pass *p, const inlay_node *n, int input, bool last)
{
    inplace_accesses *x = &p->s.accesses;
    bool *now = &x->last[x->first_use[n->id] + (size_t)input];

    if (*now == last)
        return true;
    *now = last;
    return inplace_index_all(x);
}

/* Another input of N that is the same value as input INPUT; or -1. */
static int twin_of(const inlay_node *n, int input)
{
    for (int i = 0; i < n->n_in; i++) {
        if (i != input && n->in[i].value == n->in[input].value)
            return i;
    }
    return -1;
}

/* The conditions on the bodies of N: in each of them output SUCCESSOR, and no other output, ends up
 * in the buffer of input INPUT. */
static bool may_end_there(const inlay_node *n, int input, int successor, const bool *handed,
                          inlay_decision *d)
{
    const inlay_value *data = n->in[input].value;

    if (successor < 0)
        inplace_refuse(d, INLAY_B4_ENDS_IN_ITS_BUFFER, n);
    else if (twin_of(n, input) >= 0)
        inplace_refuse(d, inlay_node_loops(n) ? INLAY_N6_ENTERED_ONCE : INLAY_O7_DATA_USED_ONCE, n);
    else if (handed[input])
        inplace_refuse(d, INLAY_B3_NOT_PASSED_THROUGH, n);
    else if (!inplace_fills_buffer(data))
        inplace_refuse(d, INLAY_O1_SAME_TYPE_AND_SHAPE, data->node);
    else
        return true;
    return false;
}

/* Decides O for output SUCCESSOR of the node of WHAT and the input that it may overwrite. */
static bool decide_successor(inplace_pass *p, inlay_in_place *what, int successor)
{
    static const inplace_names names = {INLAY_O3_NO_LATER_READ, INLAY_O4_NOT_READ_AT_END,
                                        INLAY_O6_NO_OVERLAPPING_OPERAND,
                                        INLAY_O6_NO_OVERLAPPING_OPERAND};
    inlay_node *n = (inlay_node *)what->scatter;
    inlay_value *data = n->in[what->input].value, *r = &n->out[successor];
    const inplace_accesses *x = &p->s.accesses;
    bool last = inplace_looks_last(x, &n->in[what->input]);

    if (!inplace_may_overwrite(p, r, data, &what->overwrite))
        return true;
    /* readers of the input through the output read the output */
    if (!look_last(p, n, what->input, false) ||
        !inplace_try_note(p, r, INLAY_OVERWRITES, data, &names, what, &what->overwrite))
        return false;
    if (!what->overwrite.made)
        return look_last(p, n, what->input, last);
    what->overwrite.remark = inplace_remark_on(inplace_storage_root(&p->s, r)->node);
    p->run->changes++;
    return true;
}

/* Decides O for INPUT of N. If an output may be that input, unchanged, *LATER is set instead,
 * unless it is set already: of values that change places one is handed through, until it is noted
 * that it overwrites another input. */
static bool decide_input(inplace_pass *p, inlay_node *n, int input, bool *later)
{
    inlay_in_place what = {.scatter = n, .input = input, .overwrite.asked = true};
    int successor = inplace_body_successor(n, input);
    bool *handed = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof *handed);
    bool ok =
        (handed && inlay_node_handed(n, successor, handed)) || inlay_fail_memory(p->run->diags);

    if (ok && handed[input] && !*later) {
        *later = true;
        inlay_give(handed);
        return true;
    }
    *later = false;
    if (ok && may_end_there(n, input, successor, handed, &what.overwrite))
        ok = decide_successor(p, &what, successor);
    if (successor < 0 && inplace_is_exchanged(n, input))
        what.overwrite.remark = "only the run knows how often the values change places";
    inlay_give(handed);
    if (ok && !what.overwrite.made)
        what.overwrite.bytes = inplace_bytes_of(n->in[input].value);
    return ok && inplace_record(p, &what);
}

static bool decide_node(inplace_pass *p, inlay_node *n)
{
    bool *written = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof *written);
    bool *later = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof *later);
    bool ok =
        (written && later && inplace_list_written(n, written)) || inlay_fail_memory(p->run->diags);

    for (int i = 0; ok && i < n->n_in; i++) {
        const inlay_value *v = written[i] ? n->in[i].value : NULL;

        if (v && !inlay_fact_is_empty(&v->fact))
            ok = decide_input(p, n, i, &later[i]);
    }
    for (int i = 0; ok && i < n->n_in; i++)
        ok = !later[i] || decide_input(p, n, i, &later[i]);
    inlay_give(written);
    inlay_give(later);
    return ok;
}

/* Decisions may change the order, so the nodes are listed first. */
bool inplace_decide_given(inplace_pass *p)
{
    size_t n = p->s.order.list.n, n_nodes = 0;
    inlay_node **nodes = inlay_take(inlay_graph_budget(p->s.order.g), n + 1, sizeof(inlay_node *));
    bool ok = nodes || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < n; i++) {
        if (p->s.order.list.nodes[i]->op->flags & INLAY_HAS_BODY)
            nodes[n_nodes++] = p->s.order.list.nodes[i];
    }
    while (ok && n_nodes > 0)
        ok = decide_node(p, nodes[--n_nodes]);
    inlay_give(nodes);
    return ok;
}
