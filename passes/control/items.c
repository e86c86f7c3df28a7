/* unpack-sequences: items that are known need no sequence.
 *
 *     SequenceAt(SequenceConstruct(a, b), 1)                =>  b
 *     ConcatFromSequence(SequenceConstruct(a, b), axis 0)   =>  Concat(a, b)
 *     SequenceAt(SplitToSequence(x), 1)                     =>  Slice(x), and Squeeze
 *     ConcatFromSequence(SplitToSequence(x, axis), axis)    =>  x
 *     OptionalHasElement, OptionalGetElement of Optional(a) =>  true, a
 *     ConcatFromSequence of what a loop appends to nothing  =>  joined by the loop (append.c)
 *
 * What made the sequence goes with eliminate-dead if nothing else reads it. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/control/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 4096 }; /* that become operands of one Concat */

/* The four operations that are replaced. */
static bool takes_item(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_ONNX_SEQUENCE_AT);
}

static bool joins(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_ONNX_CONCAT_FROM_SEQUENCE);
}

static bool takes_element(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_ONNX_OPTIONAL_GET_ELEMENT);
}

static bool asks(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_ONNX_OPTIONAL_HAS_ELEMENT);
}

/* Makes what replaces N. */
typedef struct maker {
    const inlay_node *n;
    inlay_diags *d;
} maker;

/* Makes a node of TYPE; a NULL operand gives NULL. */
static inlay_value *make(const maker *m, const char *type, inlay_value *const *in, int n_in,
                         const char *attrs)
{
    inlay_node *made = NULL;
    bool whole = true;

    for (int i = 0; i < n_in; i++)
        whole = whole && in[i];
    if (whole)
        made = inlay_build(m->n->graph, NULL, type, in, n_in, attrs, m->d);
    return made ? &made->out[0] : NULL;
}

static inlay_value *list_of(const maker *m, int64_t x)
{
    int64_t one = 1;

    return inlay_build_ints(m->n->graph, NULL, INLAY_I64, 1, &one, &x, m->d);
}

/* Does V, which is to be item I of a sequence, have the type that N says of its result? */
static bool is_of_type(const inlay_node *n, const inlay_value *v)
{
    inlay_type type = n->out[0].fact.type;

    return v && (type == INLAY_DYNAMIC || v->fact.type == type);
}

/* Is V what SplitToSequence makes? */
static const inlay_node *split_of(const inlay_value *v)
{
    return v && inlay_node_is(v->node, INLAY_OP_ONNX_SPLIT_TO_SEQUENCE) ? v->node : NULL;
}

/* Sets *EACH to the size of the parts that SPLIT makes, if all but the last have one. */
static bool part_size(const inlay_node *split, int64_t *each)
{
    const inlay_value *v = inlay_node_input(split, 1);

    *each = 1;
    return !v || (v->fact.rank == 0 && inlay_item_position(split, 1, each) && *each > 0);
}

/* Makes part I of what SPLIT splits; NULL: it is not known. */
static inlay_value *make_part(const maker *m, const inlay_node *split, int64_t i)
{
    int64_t count = inlay_item_count(&split->out[0]), axis = inlay_node_int(split, "axis"), each;
    bool dropped = !inlay_node_input(split, 1) && !inlay_node_bool(split, "keepdims");
    inlay_value *in[5] = {inlay_node_input(split, 0)}, *part;

    i += i < 0 ? count : 0;
    if (count < 0 || i < 0 || i >= count || !part_size(split, &each))
        return NULL;
    in[1] = list_of(m, i * each);
    in[2] = list_of(m, i == count - 1 ? INLAY_DIM_MAX : (i + 1) * each);
    in[3] = list_of(m, 1);
    in[4] = list_of(m, axis);
    part = make(m, "Slice@opset8", in, 5, NULL);
    return dropped ? make(m, "Squeeze", (inlay_value *[]){part, in[4]}, 2, NULL) : part;
}

static inlay_value *item_of(const maker *m)
{
    const inlay_node *split = split_of(inlay_node_input(m->n, 0));
    int64_t i;

    if (!inlay_item_position(m->n, 1, &i))
        return NULL;
    return split ? make_part(m, split, i) : inlay_item_at(inlay_node_input(m->n, 0), i);
}

/* Fills ALL with the COUNT items of SEQUENCE, if they are known and of one type. */
static bool list_items(const inlay_node *n, const inlay_value *sequence, int64_t count,
                       inlay_value **all)
{
    for (int64_t i = 0; i < count; i++) {
        all[i] = inlay_item_at(sequence, i);
        if (!is_of_type(n, all[i]) || all[i]->fact.type != all[0]->fact.type ||
            all[i]->fact.type == INLAY_DYNAMIC)
            return false;
    }
    return true;
}

/* Makes the Concat of the COUNT values ALL, each of them with a new axis if that is asked for. */
static inlay_value *make_joined(const maker *m, inlay_value **all, int64_t count)
{
    int64_t axis = inlay_node_int(m->n, "axis");
    char attrs[40];

    for (int64_t i = 0; inlay_node_bool(m->n, "new_axis") && i < count; i++) {
        all[i] = make(m, "Unsqueeze", (inlay_value *[]){all[i], list_of(m, axis)}, 2, NULL);
        if (!all[i])
            return NULL;
    }
    snprintf(attrs, sizeof attrs, "axis=%lld", (long long)axis);
    return count == 1 ? all[0] : make(m, "Concat", all, (int)count, attrs);
}

static inlay_value *joined_of(const maker *m)
{
    const inlay_value *sequence = inlay_node_input(m->n, 0);
    const inlay_node *split = split_of(sequence);
    int64_t count = inlay_item_count(sequence);
    inlay_value **all, *joined = NULL;

    if (split && !inlay_node_bool(m->n, "new_axis") && count > 0 &&
        (inlay_node_input(split, 1) || inlay_node_bool(split, "keepdims")) &&
        inlay_node_int(split, "axis") == inlay_node_int(m->n, "axis"))
        return inlay_node_input(split, 0);
    if (count < 1 || count > MOST_ITEMS)
        return NULL;
    all = inlay_take(inlay_node_budget(split), (size_t)count, sizeof(inlay_value *));
    if (!all)
        inlay_fail_memory(m->d);
    if (all && list_items(m->n, sequence, count, all))
        joined = make_joined(m, all, count);
    inlay_give(all);
    return joined;
}

/* Is V known to be an optional without an element? */
static bool is_none(const inlay_value *v)
{
    return inlay_node_is(v->node, INLAY_OP_ONNX_OPTIONAL) && !inlay_node_input(v->node, 0);
}

/* Returns what is in the optional that the node asks; NULL: it is not known. */
static inlay_value *element_of(const maker *m)
{
    inlay_value *x = inlay_node_input(m->n, 0);

    if (x->fact.type != INLAY_ITEM)
        return x->fact.type == INLAY_DYNAMIC ? NULL : x;
    return x->fact.rank == 0 ? inlay_item_at(x, 0) : x->fact.rank > 0 ? x : NULL;
}

/* Returns whether the optional is there; NULL: that is not known. */
static inlay_value *presence_of(const maker *m)
{
    bool there = element_of(m) != NULL;

    return there || is_none(inlay_node_input(m->n, 0))
               ? inlay_build_ints(m->n->graph, NULL, INLAY_BOOLEAN, 0, NULL, (int64_t[]){there},
                                  m->d)
               : NULL;
}

/* Returns what takes the place of the node; NULL: that is not known. */
static inlay_value *replacement_of(const maker *m)
{
    if (takes_item(m->n))
        return item_of(m);
    if (joins(m->n))
        return joined_of(m);
    return asks(m->n) ? presence_of(m) : element_of(m);
}

/* Removes the nodes made after LAST, which nothing reads. */
static bool take_back(inlay_graph *g, const inlay_node *last, inlay_diags *d)
{
    while (g->last != last) {
        if (!inlay_node_remove(g->last, d))
            return false;
    }
    return true;
}

/* Replaces N if what replaces it is known, and its readers accept that. Errors of the nodes that are
 * tried are not the graph's. */
static bool unpack(inlay_node *n, pass_run *r)
{
    inlay_diags *said = inlay_diags_new();
    maker m = {n, said};
    const inlay_node *last = n->graph->last;
    inlay_value *by = said ? replacement_of(&m) : NULL;
    bool take = false;

    if (is_of_type(n, by))
        pass_ask_readers(&n->out[0], by, &take, said);
    inlay_diags_free(said);
    if (!said)
        return inlay_fail_memory(r->diags);
    if (!take)
        return take_back(n->graph, last, r->diags) && inlay_pass_end(r, false);
    if (by->node->id >= r->first_id) /* it is the node now, also to those who know it by name */
        inlay_node_swap_names(by->node, n);
    return inlay_pass_end(r, inlay_value_replace(&n->out[0], by, r->diags));
}

/* Does N take something out of a sequence or an optional of which it is known where it comes from? */
static bool takes_known(const inlay_node *n)
{
    const inlay_value *x = inlay_node_input(n, 0);
    const maker m = {n, NULL};
    int64_t i = 0;

    if (n->op->flags & INLAY_STAND_IN || strcmp(n->op->family, "sequence") != 0 || n->n_out != 1 ||
        !n->out[0].uses || !x)
        return false;
    if (takes_item(n))
        return inlay_item_position(n, 1, &i) && (split_of(x) || inlay_item_at(x, i));
    if (joins(n))
        return inlay_item_count(x) > 0 && (split_of(x) || inlay_item_at(x, 0));
    return (takes_element(n) || asks(n)) && (element_of(&m) || is_none(x));
}

bool pass_unpack_sequences(inlay_graph *g, pass_run *r)
{
    inlay_node *next;

    for (inlay_node *n = g->first; n; n = next) {
        bool joined = false;

        next = n->next;
        if (n->n_bodies == 1 && !control_join_appended(n, &joined, r))
            return false;
        if (joined) /* other nodes may be gone, too */
            next = g->first;
        else if (takes_known(n) && inlay_pass_begin(r, n) && !unpack(n, r))
            return false;
    }
    return !r->failed;
}
