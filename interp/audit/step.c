/* How each kind of step changes the tags. */
#include "interp/audit/auditor.h"

static bool copy_step(auditor *a)
{
    if (a->s->from != SIZE_MAX && is_seen(a, a->s->from) && !tags_hold(&a->t, a->s->from))
        return audit_refuse(a, "what is copied is gone", a->s->from);
    return write_outputs(a);
}

/* Checks that a part of a kernel is called alone only where the row allows that. */
static bool check_rest(const auditor *a)
{
    return !a->s->kernel.rest ||
           (a->s->kind == EXEC_KERNEL && (node_of(a)->op->flags & INLAY_PREPARES) &&
            a->s->kernel.frame) ||
           audit_refuse(a, "the rest of a kernel is called that has none", a->s->out[0]);
}

static bool compute_step(auditor *a)
{
    if (!check_rest(a))
        return false;
    if (!read_make_copies(a) || !read_check(a) || !read_check_meetings(a))
        return false;
    if ((a->s->kind == EXEC_BLOCKS || a->s->n_blocks > 0) && !write_check_blocks(a))
        return false;
    return write_outputs(a);
}

/* A step whose blocks are computed tile by tile of the buffer that it writes to. */
static bool windows_step(auditor *a)
{
    return slots_check(a) && (a->s->n_blocks > 0 ? compute_step(a) : copy_step(a));
}

/* Checks that the elements of PART, a view of some elements of an operand, are where PART is. */
static bool part_holds(auditor *a, size_t part)
{
    bool holds = false;

    for (int i = 0; i < node_of(a)->n_in && !holds; i++) {
        size_t value = a->s->in[i];

        holds = is_seen(a, value) && a->x->allocation[value] == a->x->allocation[part] &&
                tags_hold_part(&a->t, value, a->x->meta[part]);
    }
    return holds;
}

/* Whether the last copy of a scatter moves all its updates to its window, if the audit knows that
 * window. Without updates there is no such copy. */
static bool ends_in_window(const auditor *a)
{
    const exec_copy *last;
    size_t updates = part_updates(a);
    window_part part;

    if (elements_of(a, updates) == 0 || a->s->n_copies == 0)
        return elements_of(a, updates) == 0;
    last = &a->x->copies[a->s->copy + a->s->n_copies - 1];
    return a->x->allocation[last->to] == a->x->allocation[a->s->out[0]] &&
           a->x->allocation[last->from] == a->x->allocation[part_updates(a)] &&
           window_is(a->x->meta[updates], a->x->meta[last->from]) &&
           (!window_selected(node_of(a), a->x->meta[a->s->out[0]], &part) ||
            window_is(&part.tensor, a->x->meta[last->to]));
}

/* The number of elements that recorded copies must move, or find in place: all of the outputs that
 * are not views, and those of the window that a scatter writes. A scatter over its data leaves the
 * others; one whose output is a part of another value copies its data there. */
static uint64_t wanted_moves(const auditor *a)
{
    size_t updates = part_updates(a);
    uint64_t wanted = 0;

    for (int k = 0; k < node_of(a)->n_out && !part_is_over(a); k++)
        wanted += write_is_shown(a, k) ? 0 : elements_of(a, a->s->out[k]);
    return wanted + (updates == SIZE_MAX ? 0 : elements_of(a, updates));
}

/* Counts the elements of output 0 that are in place already; recorded copies leave them. */
static bool count_standing(auditor *a, uint64_t *count)
{
    bool ok = true;

    *count = 0;
    if (!(node_of(a)->op->flags & INLAY_HOLDS))
        return true;
    for (int i = 0; i < node_of(a)->n_in; i++) {
        if (!part_stands(a, i))
            continue;
        if (!tags_hold(&a->t, a->s->in[i]))
            return audit_refuse(a, "what was in its part is gone", a->s->in[i]);
        *count += elements_of(a, a->s->in[i]);
    }
    part_shield(a, true);
    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++)
        ok = ok && tags_unshielded(&a->t, a->x->copies[k].to);
    part_shield(a, false);
    a->t.from[a->s->out[0]].parts = 0;
    return ok || audit_refuse(a, "a copy is written over what stands in its part", a->s->out[0]);
}

/* Whether recorded copies take all their elements from operands, and fill the outputs that are not
 * views. */
static bool moves_step(auditor *a)
{
    uint64_t moved;

    if (!count_standing(a, &moved))
        return false;

    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++) {
        const exec_copy *c = &a->x->copies[k];

        if (!part_holds(a, c->from))
            return audit_refuse(a, "what is moved is gone", c->from);
        if (elements_of(a, c->to) != elements_of(a, c->from))
            return audit_refuse(a, "a copy has another size than what it copies", c->to);
        moved += elements_of(a, c->to);
    }
    if (moved != wanted_moves(a))
        return audit_refuse(a, "the copies do not fill the outputs", a->s->out[0]);
    if (part_updates(a) != SIZE_MAX && !ends_in_window(a))
        return audit_refuse(a, "a window is copied to where it does not belong", a->s->out[0]);
    return (part_updates(a) == SIZE_MAX || read_check_meetings(a)) && write_outputs(a);
}

/* Marks outputs as written that get their place when the step is over; bodies may overwrite an
 * operand which is all of an output. The audit does not see other outputs. */
static bool walked_step(auditor *a)
{
    return read_make_copies(a) && read_check(a) && frame_check(a) &&
           (!a->s->inner || read_check(a)) && read_check_meetings(a) && write_outputs(a);
}

/* Returns whether R finds a row of DATA in the run: by the right operand, and with the distance of
 * the data's rows. */
static bool finds_row(const auditor *a, const exec_row *r, const inlay_tensor *data)
{
    int index = inlay_op_operand(node_of(a)->op, INLAY_ROLE_INDICES);

    return r && r->axis < data->rank && r->index == index &&
           r->step == data->strides[r->axis] * (inlay_type_info_of(data->type)->bits / 8);
}

/* A view of a row that only the run knows: it has the form of any row. */
static bool point_step(auditor *a)
{
    size_t out = a->s->out[0], from = a->s->in[0];
    window_part part;

    if (!is_seen(a, out) || !is_seen(a, from) || !a->x->allocations[root_allocation(a, out)].points)
        return audit_refuse(a, "a row that the run finds has no place", out);
    if (!finds_row(a, a->s->row, a->x->meta[from]) ||
        !window_row(node_of(a), a->x->meta[from], a->s->row->axis, &part) ||
        !window_alike(&part.tensor, a->x->meta[out]))
        return audit_refuse(a, "what is shown is no row of what it is shown of", out);
    return read_check(a) &&
           (tags_show(&a->t, out) || audit_refuse(a, "a row is outside of its allocation", out));
}

/* A scatter whose updates are already where it would write them. If the audit does not know the
 * window, it trusts the plan. */
static bool written_early(auditor *a)
{
    size_t updates = part_updates(a), out = a->s->out[0];
    window_part part;

    if (!a->s->in_place || updates == SIZE_MAX || !part_is_same(a, a->s->in[0], out) ||
        (elements_of(a, updates) > 0 && root_allocation(a, updates) != root_allocation(a, out)))
        return audit_refuse(a, "a scatter that writes nothing does not stand in its data", out);
    if (part_written(a, &part) && elements_of(a, updates) > 0)
        return part_early(a) == SIZE_MAX
                   ? audit_refuse(a, "updates do not stand in their window", updates)
                   : compute_step(a);
    a->t.from[out].data = (uint32_t)a->s->in[0] + 1;
    a->t.from[out].updates = (uint32_t)updates + 1;
    return true;
}

static bool no_step(auditor *a)
{
    if ((node_of(a)->op->flags & INLAY_SCATTER) && is_seen(a, a->s->out[0]))
        return written_early(a);
    for (int k = 0; k < node_of(a)->n_out; k++) {
        if (inlay_node_is(node_of(a), INLAY_OP_CONST) ||
            (is_seen(a, a->s->out[k]) && root_of(a, a->s->out[k]) == EXEC_STATE &&
             a->x->allocations[a->x->allocation[a->s->out[k]]].slot == a->s->out[k]))
            continue; /* the value was there before the run */
        if (!write_alias(a, k))
            return false;
    }
    return true;
}

/* Whether the program may leave out the value of SLOT, which is only an initial value: ReadValue,
 * its only reader, returns the state instead. */
static bool may_be_absent(const auditor *a, size_t slot)
{
    return inlay_node_is(node_of(a), INLAY_OP_READ_VALUE) && a->x->left_out[slot] &&
           a->x->steps->initial[slot] == inlay_variable_of(node_of(a), INLAY_OP_READ_VALUE);
}

/* Checks that the operands and outputs of the step are those of its node. */
static bool check_numbers(const auditor *a)
{
    const inlay_node *n = node_of(a);

    for (int i = 0; i < n->n_in; i++) {
        size_t slot = n->in[i].value ? steps_slot(a->x->steps, n->in[i].value) : SIZE_MAX;

        if (a->s->in[i] != slot && !(a->s->in[i] == SIZE_MAX && may_be_absent(a, slot)))
            return audit_refuse(a, "an operand is another value than the node's", a->s->in[i]);
    }
    for (int i = 0; i < n->n_out; i++) {
        if (a->s->out[i] != steps_slot(a->x->steps, &n->out[i]))
            return audit_refuse(a, "an output is another value than the node's", a->s->out[i]);
    }
    return true;
}

bool step_look_at(auditor *a)
{
    if (!check_numbers(a))
        return false;
    if (a->s->kind == EXEC_NOTHING)
        return no_step(a);
    if (a->s->kind == EXEC_ASSIGN)
        return write_alias(a, 0);
    if (!write_leaves_state(a))
        return false;
    switch (a->s->kind) {
    case EXEC_COPY:
        return copy_step(a);
    case EXEC_ZEROS:
        return write_outputs(a);
    case EXEC_BLOCKS:
    case EXEC_KERNEL:
        return compute_step(a);
    case EXEC_CHECK:
        return listed_check(a);
    case EXEC_POINT:
        return point_step(a);
    case EXEC_FUSED:
        return a->s->fused->kind == FUSED_SLOTS ? windows_step(a) : fused_step(a);
    case EXEC_CHAIN:
        return chain_step(a);
    case EXEC_MOVES:
        return moves_step(a);
    case EXEC_NOTHING:
    case EXEC_ASSIGN:
    case EXEC_WALK:
        break;
    }
    return walked_step(a);
}
