/* Judges reads: does the value that is read still stand there? See walk.h. */
#include "ir/graph/node.h"
#include "ir/notes/walk.h"

/* The first layer that READER's value does not contain and that lies over what READER looks at; or
 * NULL. A node leaves the parts of its result that stand there already. */
static const note_layer *layer_over(note_walker *w, const inlay_use *reader)
{
    note_place *p = note_place_of(w, reader->value);
    const note_layers *all = &p->in->layers;
    const note_region *where;
    const note_layer *l;

    if (p->knows == all->n)
        return NULL;
    where = note_where(w, p);
    if (where && inlay_node_reads_window(reader->node) && reader->index == 0) {
        where = note_region_slice(w->arena, where, reader->node);
        if (!where)
            note_out_of_memory(w);
    }
    l = where ? note_layers_first(all, p->knows, where, &w->costs) : NULL;
    while (l && note_stands_in_part(reader->value, l->value))
        l = note_layers_first(all, (size_t)(l - all->list) + 1, where, &w->costs);
    return l;
}

/* Is V written over a value that another one is noted as written over? */
static bool has_rival(const inlay_value *v)
{
    const inlay_value *data = v->note == INLAY_OVERWRITES ? v->note_target : NULL;
    int heirs = 0;

    for (const inlay_use *u = data ? data->uses : NULL; u; u = u->next) {
        for (int i = 0; i < u->node->n_out; i++)
            heirs +=
                u->node->out[i].note == INLAY_OVERWRITES && u->node->out[i].note_target == data;
    }
    return heirs > 1;
}

/* Does B hold what the iteration before made, or what it began with? */
static bool is_carried(const note_buffer *b)
{
    const inlay_node *n = b->owner->node;

    return inlay_node_is(n, INLAY_OP_PARAMETER) && n->graph->owner &&
           inlay_node_loops(n->graph->owner);
}

/* Which condition the use U breaks, which comes after layer L was written over its value. Who reads
 * a view before the scatter runs is in the way of what is computed in the window only. */
static inlay_condition condition_of(const note_walker *w, const inlay_use *u, const note_layer *l)
{
    bool into = l->value->note == INLAY_INTO;

    if (w->over && (u->node->op->flags & INLAY_HAS_BODY))
        return INLAY_B3_HANDED_THROUGH;
    if (has_rival(l->value) ||
        ((u->node->op->flags & INLAY_SCATTER) && u->index == u->node->op->overwrites))
        return INLAY_O5_ONE_HEIR;
    if (u->value->note == INLAY_VIEW_OF && (!into || note_place_of(w, l->value->note_target)->made))
        return INLAY_V1_READ_BEFORE_WRITE;
    if (into || u->value->note == INLAY_INTO)
        return INLAY_I5_SOLE_CONSUMER;
    if (u->node->op->flags & INLAY_SINK)
        return INLAY_O4_NOT_OBSERVED;
    return is_carried(note_place_of(w, u->value)->in) ? INLAY_N7_TWO_BUFFERS : INLAY_O3_LAST_READ;
}

bool note_check_read(note_walker *w, const inlay_use *u)
{
    const note_layer *l = layer_over(w, u);
    char reader[120], value[120];

    if (w->failed || !l)
        return !w->failed;
    return note_complain(w->c, l->value, condition_of(w, u, l),
                         "%s reads %s after this is written over it",
                         inlay_node_words(u->node, reader, sizeof reader),
                         inlay_value_words(u->value, value, sizeof value));
}

/* Is U the data of a scatter of a window that overwrites it? What the scatter keeps of the data is
 * judged at the write. */
static bool is_kept_data(const inlay_use *u)
{
    const inlay_node *n = u->node;

    return inlay_node_writes_window(n) && u->index == n->op->overwrites &&
           n->out[0].note == INLAY_OVERWRITES;
}

/* Does U look at no byte of its value: it asks for the shape, is only a view of the value, or its
 * value stands in the window already? */
static bool reads_nothing(const inlay_use *u)
{
    const inlay_node *n = u->node;
    bool viewed = u->index == 0 && n->n_out > 0;

    if (n->op->flags & INLAY_SHAPE_ONLY)
        return true;
    for (int i = 0; i < n->n_out; i++)
        viewed = viewed && n->out[i].note == INLAY_VIEW_OF && n->out[i].note_target == u->value;
    return viewed || (u->index == inlay_op_operand(n->op, INLAY_ROLE_UPDATES) && n->n_out > 0 &&
                      note_into_operand(&n->out[0]) == u->value);
}

bool note_check_reads(note_walker *w, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_use *u = &n->in[i];

        if (!u->value)
            continue;
        if (!note_place_of(w, u->value)->made)
            return inlay_fail_node(w->d, n, "the order has it before its input %d", i);
        if (!reads_nothing(u) && !is_kept_data(u) && !note_check_read(w, u))
            return false;
    }
    return true;
}

/* Is U the updates of a SliceScatter, which moves them from READ to WRITTEN? */
static bool are_moved(const inlay_use *u, const note_region *read, const note_region *written)
{
    return inlay_node_is(u->node, INLAY_OP_SLICE_SCATTER) &&
           u->index == inlay_op_operand(u->node->op, INLAY_ROLE_UPDATES) &&
           inlay_type_info_of(u->value->fact.type)->bits >= 8 && note_region_shifted(read, written);
}

/* Does N read U just where it writes: element by element, or updates that are in their window? */
static bool reads_in_step(const inlay_use *u)
{
    const inlay_node *n = u->node;

    return (n->op->flags & INLAY_POINTWISE) ||
           (inlay_node_writes_window(n) && u->index == inlay_op_operand(n->op, INLAY_ROLE_UPDATES));
}

/* Is U the data that V is written over? */
static bool is_own_data(const inlay_use *u, const inlay_value *v)
{
    if (u->node->op->flags & INLAY_HAS_BODY)
        return v->note == INLAY_OVERWRITES && v->note_target == u->value;
    return (u->node->op->flags & INLAY_SCATTER) && u->index == u->node->op->overwrites;
}

/* Does V stand in the window of a SliceScatter, whose data nobody takes this window of? */
static bool has_no_slice(const inlay_value *v)
{
    const inlay_node *scatter = v->note_target->node;
    const inlay_value *data = inlay_node_writes_window(scatter)
                                  ? inlay_node_input(scatter, scatter->op->overwrites)
                                  : NULL;

    for (const inlay_use *u = data ? data->uses : NULL; u; u = u->next) {
        if (inlay_node_reads_window(u->node) && inlay_node_windows_same(u->node, scatter))
            return false;
    }
    return data != NULL;
}

/* Which condition V breaks, because its node reads U at other positions than it writes. */
static inlay_condition own_condition(const inlay_value *v, const inlay_use *u)
{
    if (inlay_node_loops(v->node))
        return INLAY_N6_LATER_ITERATIONS;
    if (v->note != INLAY_INTO)
        return INLAY_O6_NO_SELF_READ;
    if (v->node->op->flags & INLAY_HAS_BODY)
        return INLAY_N5_BRANCH_READS;
    if (!inlay_fact_same_shape(&u->value->fact, &v->fact))
        return INLAY_I4_BROADCAST_OTHERS;
    return has_no_slice(v) ? INLAY_I1_SAME_WINDOW : INLAY_I3_OTHER_OPERANDS;
}

bool note_check_own_reads(note_walker *w, const inlay_value *v, const note_buffer *b,
                          const note_region *written)
{
    const inlay_node *n = v->node;

    for (int i = 0; i < n->n_in; i++) {
        const inlay_use *u = &n->in[i];
        note_place *p = u->value ? note_place_of(w, u->value) : NULL;
        const note_region *read;
        char value[120];

        if (!p || p->in != b || reads_nothing(u) || is_own_data(u, v) ||
            note_stands_in_part(u->value, v))
            continue;
        read = note_where(w, p);
        if (w->failed)
            return false;
        if (!note_meets(&w->costs, read, written) || are_moved(u, read, written) ||
            (reads_in_step(u) && note_region_same(read, written)))
            continue;
        return note_complain(w->c, v, own_condition(v, u),
                             "it reads other positions of %s than the one it writes",
                             inlay_value_words(u->value, value, sizeof value));
    }
    return true;
}
