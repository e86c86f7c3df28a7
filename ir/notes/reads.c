/* Judges reads: is the value still intact? See walk.h. */
#include "ir/graph/node.h"
#include "ir/notes/walk.h"

/* The region that READER reads, possibly in ROOM; NULL: out of memory. */
static const inlay_region *region_of_read(note_walker *w, const inlay_use *reader,
                                          inlay_region_room *room)
{
    const inlay_region *where = note_where(w, note_place_of(w, reader->value));

    return where && inlay_node_reads_window(reader->node) && reader->index == 0
               ? inlay_region_slice(where, reader->node, room)
               : where;
}

/* The first layer that READER's value does not contain and that covers a position that is read; or
 * NULL. Layers of a value that consists of READER's value leave that unchanged. */
static const note_layer *layer_over(note_walker *w, const inlay_use *reader)
{
    note_place *p = note_place_of(w, reader->value);
    const note_layers *all = &p->in->layers;
    inlay_region_room room;
    const inlay_region *where = p->knows < all->n ? region_of_read(w, reader, &room) : NULL;
    const note_layer *l = where ? note_layers_first(all, p->knows, where, &w->costs) : NULL;
    while (l && inlay_value_stands_in_part(reader->value, l->value))
        l = note_layers_first(all, (size_t)(l - all->list) + 1, where, &w->costs);
    return l;
}

/* The condition that the use U fulfils if it comes before V is written over its value, and violates
 * if it comes after. Reads of a view before the scatter runs conflict only with what is computed in
 * the window. */
static inlay_condition kept_by(const note_walker *w, const inlay_use *u, const inlay_value *v)
{
    bool into = v->note == INLAY_INTO;

    if ((u->node->op->flags & INLAY_SCATTER) && u->index == u->node->op->overwrites)
        return INLAY_O5_ONE_OVERWRITER;
    if (u->value->note == INLAY_VIEW_OF && (!into || note_place_of(w, v->note_target)->made))
        return INLAY_V1_READ_BEFORE_WRITE;
    if (into || u->value->note == INLAY_INTO)
        return INLAY_I5_SOLE_CONSUMER;
    if (u->node->op->flags & INLAY_SINK)
        return INLAY_O4_NOT_READ_AT_END;
    return inlay_node_is_iterated(note_place_of(w, u->value)->in->owner->node)
               ? INLAY_N7_TWO_BUFFERS
               : INLAY_O3_NO_LATER_READ;
}

/* Does another value have a note that it overwrites the same value as V? */
static bool has_rival(const inlay_value *v)
{
    int successors = 0;

    for (const inlay_use *u = v->note_target->uses; u && v->note == INLAY_OVERWRITES; u = u->next)
        successors += inlay_use_is_overwritten(u);
    return successors > 1;
}

bool note_check_read(note_walker *w, const inlay_use *u)
{
    const note_layer *l = layer_over(w, u);
    inlay_condition broken = l ? kept_by(w, u, l->value) : INLAY_NO_CONDITION;

    if (w->failed || !l)
        return !w->failed;
    if (w->over && (u->node->op->flags & INLAY_HAS_BODY))
        broken = INLAY_B3_NOT_PASSED_THROUGH;
    else if (has_rival(l->value))
        broken = INLAY_O5_ONE_OVERWRITER;
    return note_complain(w->c, l->value, broken, "%s reads %s after this is written over it",
                         note_node_words(w->c, u->node), note_value_words(w->c, u->value));
}

/* Does U's node only make views of U? Outputs that are not used do not count. */
static bool is_viewed(const inlay_use *u)
{
    bool viewed = false;

    for (int i = 0; u->index == 0 && i < u->node->n_out; i++) {
        const inlay_value *v = &u->node->out[i];

        if (v->note == INLAY_VIEW_OF && v->note_target == u->value)
            viewed = true;
        else if (v->uses)
            return false;
    }
    return viewed;
}

static bool is_updates(const inlay_use *u)
{
    return u->index == inlay_op_operand(u->node->op, INLAY_ROLE_UPDATES);
}

/* Does U read no byte of its value? Its node needs only the shape, only makes views of the value,
 * or finds it in the window already. */
static bool reads_nothing(const inlay_use *u)
{
    return (u->node->op->flags & INLAY_SHAPE_ONLY) || is_viewed(u) ||
           (is_updates(u) && u->node->n_out > 0 && inlay_value_into_operand(&u->node->out[0]));
}

/* Can U be a ground of a write over its value? Not if it is a read at the end of the run. */
static bool may_be_ground(const note_walker *w, const inlay_use *u)
{
    const inlay_variable *state = note_place_of(w, u->value)->in->variable;

    return (state || w->nodes[u->value->node->id].shares) && !(u->node->op->flags & INLAY_SINK) &&
           !reads_nothing(u) && !inlay_use_is_overwritten(u) && !inlay_use_reads_none(u);
}

static bool keep_read(note_walker *w, const inlay_use *u)
{
    inlay_region_room room;
    const inlay_region *where = region_of_read(w, u, &room);

    where = where ? inlay_region_keep(w->arena, where, &room) : NULL;
    return where && (note_layers_push(&note_place_of(w, u->value)->in->reads, w->arena,
                                      &(note_layer){u->value, u, where}) ||
                     note_out_of_memory(w));
}

bool note_check_earlier_reads(note_walker *w, const inlay_value *v, note_buffer *b,
                              const inlay_region *where)
{
    note_layers *all = &b->reads;
    size_t from = inlay_value_writes_none(v) ? all->n : 0;

    for (const note_layer *l; (l = note_layers_first(all, from, where, &w->costs));) {
        from = (size_t)(l - all->list) + 1;
        if (inlay_value_stands_in_part(l->value, v))
            continue;
        if (l->read->node != v->node && !note_rely(w, v, kept_by(w, l->read, v), l->read->node))
            return false;
        note_layers_drop(all, l);
    }
    return true;
}

bool note_is_read_before(note_walker *w, const inlay_value *v, const inlay_node *node,
                         inlay_condition kept)
{
    const note_buffer *b = note_place_of(w, v)->in;
    const note_layer *own = b->layers.n > 0 ? &b->layers.list[b->layers.n - 1] : NULL;
    bool reads = false;

    if (!own || own->value != v || node == v->node || node->n_out == 0 ||
        !note_place_of(w, &node->out[0])->made || note_is_spent(&w->costs, (size_t)node->n_in))
        return false;
    for (int i = 0; i < node->n_in && !reads; i++) {
        const inlay_use *u = &node->in[i];
        const inlay_region *where = NULL;
        inlay_region_room room;

        if (u->value && note_place_of(w, u->value)->in == b && may_be_ground(w, u) &&
            kept_by(w, u, v) == kept)
            where = region_of_read(w, u, &room);
        reads = where && note_meets(&w->costs, where, own->where);
    }
    return reads;
}

bool note_check_reads(note_walker *w, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_use *u = &n->in[i];
        bool kept;

        if (!u->value)
            continue;
        if (!note_place_of(w, u->value)->made)
            return inlay_fail_node(w->d, n, "the order has it before its input %d", i);
        kept = inlay_node_writes_window(n) && inlay_use_is_overwritten(u); /* judged at the write */
        if ((!reads_nothing(u) && !kept && !note_check_read(w, u)) ||
            (may_be_ground(w, u) && !keep_read(w, u)))
            return false;
    }
    return true;
}

/* Is U the updates of a scatter, which moves them from READ to WRITTEN? */
static bool are_moved(const inlay_use *u, const inlay_region *read, const inlay_region *written)
{
    return is_updates(u) && inlay_node_moves_updates(u->node) &&
           inlay_type_info_of(u->value->fact.type)->bits >= 8 &&
           inlay_region_shifted(read, written);
}

/* Does the node read U exactly where it writes, element by element, or is U updates that are in
 * their window? */
static bool reads_in_step(const inlay_use *u)
{
    return (u->node->op->flags & INLAY_POINTWISE) ||
           (inlay_node_writes_window(u->node) && is_updates(u));
}

/* Is V computed in the window of a SliceScatter of whose data no slice has this window? */
static bool has_no_slice(const inlay_value *v)
{
    const inlay_node *scatter = v->note_target->node;
    const inlay_value *data = inlay_node_input(scatter, scatter->op->overwrites);

    for (const inlay_use *u = data ? data->uses : NULL; u; u = u->next) {
        if (inlay_node_reads_window(u->node) && inlay_node_windows_same(u->node, scatter))
            return false;
    }
    return data != NULL;
}

/* The condition that allows V's node to read U at READ although it writes WRITTEN, which overlaps;
 * or none. */
static inlay_condition own_ground(const inlay_use *u, const inlay_region *read,
                                  const inlay_region *written)
{
    if (is_updates(u) && u->node->out[0].note != INLAY_OVERWRITES) /* the data come first */
        return INLAY_NO_CONDITION;
    if (reads_in_step(u) && inlay_region_same(read, written))
        return u->value->note == INLAY_VIEW_OF && inlay_node_reads_window(u->value->node)
                   ? INLAY_I1_SAME_WINDOW
                   : INLAY_I3_OPERANDS_IN_STEP;
    return are_moved(u, read, written) ? INLAY_O6_NO_OVERLAPPING_OPERAND : INLAY_NO_CONDITION;
}

/* The condition that V violates because its node reads U at other positions than it writes. */
static inlay_condition own_condition(const inlay_value *v, const inlay_use *u)
{
    if (inlay_node_loops(v->node))
        return INLAY_N6_ENTERED_ONCE;
    if (v->note != INLAY_INTO)
        return INLAY_O6_NO_OVERLAPPING_OPERAND;
    if (v->node->op->flags & INLAY_HAS_BODY)
        return INLAY_N5_NO_BRANCH_READ;
    if (!(v->node->op->flags & (INLAY_POINTWISE | INLAY_HOLDS)) &&
        !(v->note_target->node->op->flags & INLAY_HOLDS))
        return INLAY_I2_POINTWISE;
    if (!inlay_fact_same_shape(&u->value->fact, &v->fact))
        return INLAY_I4_NO_BROADCAST_OF_WINDOW;
    return has_no_slice(v) ? INLAY_I1_SAME_WINDOW : INLAY_I3_OPERANDS_IN_STEP;
}

bool note_check_own_reads(note_walker *w, const inlay_value *v, const note_buffer *b,
                          const inlay_region *written)
{
    for (int i = 0; i < v->node->n_in; i++) {
        const inlay_use *u = &v->node->in[i];
        note_place *p = u->value ? note_place_of(w, u->value) : NULL;
        const inlay_region *read;
        inlay_condition kept;

        if (!p || p->in != b || reads_nothing(u) || inlay_use_is_overwritten(u) ||
            inlay_value_stands_in_part(u->value, v))
            continue;
        read = note_where(w, p);
        if (w->failed)
            return false;
        if (!note_meets(&w->costs, read, written))
            continue;
        kept = own_ground(u, read, written);
        if (kept && !inlay_value_writes_none(v) && !note_rely(w, v, kept, u->value->node))
            return false;
        if (!kept)
            return note_complain(w->c, v, own_condition(v, u),
                                 "it reads other positions of %s than the one it writes",
                                 note_value_words(w->c, u->value));
    }
    return true;
}
