/* Follows items of sequences to where they come from. */
#include "ir/graph/items.h"
#include "inlay_ops.h"

int64_t inlay_item_count(const inlay_value *v)
{
    const inlay_fact *f = &v->fact;

    return f->type == INLAY_ITEM && f->rank == 1 && inlay_dim_is_static(f->dims[0]) ? f->dims[0].lo
                                                                                    : -1;
}

bool inlay_item_position(const inlay_node *n, int i, int64_t *x)
{
    const inlay_value *v = inlay_node_input(n, i);

    if (!v || !v->fact.known || v->fact.n_known != 1 || !inlay_dim_is_static(v->fact.known[0]))
        return false;
    *x = v->fact.known[0].lo;
    return true;
}

/* Sets *AT to where N, a SequenceInsert or SequenceErase, inserts or erases, by operand I; a result
 * of COUNT items, or a sequence of as many, ends at LAST. */
static bool changed_at(const inlay_node *n, int i, int64_t count, int64_t last, int64_t *at)
{
    if (count < 0)
        return false;
    *at = last;
    if (inlay_node_input(n, i) && !inlay_item_position(n, i, at))
        return false;
    *at += *at < 0 ? count : 0;
    return *at >= 0 && *at <= last;
}

/* Goes from item *I of the sequence that N makes to the same item of its operand. Sets *FOUND where
 * the item is an operand itself. False: it is not known. */
static bool step_back(const inlay_node *n, int64_t *i, inlay_value **found)
{
    const inlay_value *in = inlay_node_input(n, 0);
    int64_t count = in ? inlay_item_count(in) : -1, at;

    if (inlay_node_is(n, INLAY_OP_ONNX_SEQUENCE_INSERT)) {
        if (!changed_at(n, 2, count, count, &at))
            return false;
        if (*i == at)
            *found = inlay_node_input(n, 1);
        *i -= *i > at;
        return true;
    }
    if (inlay_node_is(n, INLAY_OP_ONNX_SEQUENCE_ERASE)) {
        if (!changed_at(n, 1, count, count - 1, &at))
            return false;
        *i += *i >= at;
        return true;
    }
    return inlay_node_is(n, INLAY_OP_IDENTITY);
}

inlay_value *inlay_item_at(const inlay_value *v, int64_t i)
{
    int64_t count = inlay_item_count(v);
    inlay_value *found = NULL;

    if (i < 0 && count >= 0)
        i += count;
    while (v && i >= 0 && !found) {
        const inlay_node *n = v->node;

        if (inlay_node_is(n, INLAY_OP_ONNX_SEQUENCE_CONSTRUCT) ||
            inlay_node_is(n, INLAY_OP_ONNX_OPTIONAL))
            return i < n->n_in ? n->in[i].value : NULL;
        if (!step_back(n, &i, &found))
            return NULL;
        v = inlay_node_input(n, 0);
    }
    return found;
}
