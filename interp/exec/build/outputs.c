/* Where the outputs of a step lie in an instance, according to the storage notes, and how the step
 * is computed.
 *
 * A note is obeyed if the place of the output is known before the run. If only the run can tell (a
 * window whose start is computed), run/outputs.c places the output then. If the note cannot be
 * obeyed, the output gets an allocation of its own, and the kernel copies into it what is not there
 * yet. */
#include "interp/exec/build/outputs.h"
#include "interp/exec/build/allocation.h"
#include "interp/exec/build/concat_operands.h"
#include "interp/exec/build/dynamic_row.h"
#include "interp/exec/build/kernel_choice.h"
#include "interp/exec/build/meta.h"
#include "interp/exec/build/query.h"
#include "interp/exec/build/record.h"

static const inlay_node *node_of(const exec_builder *b)
{
    return b->now->step->node;
}

static exec_allocation *allocation_of(const exec_builder *b, size_t value)
{
    return value != SIZE_MAX && b->x->allocation[value] != SIZE_MAX
               ? &b->x->allocations[b->x->allocation[value]]
               : NULL;
}

static bool same_form(const inlay_tensor *a, const inlay_fact *f)
{
    bool same = a->rank == f->rank &&
                inlay_type_info_of(a->type)->bits == inlay_type_info_of(f->type)->bits;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == f->dims[i].lo;
    return same;
}

static bool fresh_output(exec_builder *b, int k)
{
    size_t value = b->now->out[k];

    if (!build_own_allocation(b, value, b->fact[value]))
        return false;
    if (!b->x->meta[value])
        b->now->kind = EXEC_WALK;
    return true;
}

/* Puts output K where T is, if T has the right form; takes over the reference to T. OVER: the
 * output overwrites what is there. */
static bool output_in(exec_builder *b, int k, size_t allocation, inlay_tensor *t, bool over,
                      bool saves)
{
    const inlay_fact *f = b->fact[b->now->out[k]];
    inlay_tensor seen;
    bool ok;

    if (!t || !same_form(t, f)) {
        inlay_tensor_release(t);
        return fresh_output(b, k);
    }
    seen = *t;
    seen.type = f->type;
    ok = build_value(b, b->now->out[k], allocation,
                     inlay_tensor_window_in(b->x->memory, &seen, t->rank, t->dims, t->strides, 0));
    inlay_tensor_release(t);
    b->now->in_place |= over;
    b->now->saves |= saves;
    return ok;
}

/* Finds the memory of output K if it was reserved before, because an operand was computed in its
 * part of it. */
static bool output_joined(exec_builder *b, int k)
{
    size_t slot = b->now->out[k], allocation = b->x->allocation[slot];
    inlay_tensor *t = b->x->meta[slot];
    bool over;

    if (build_place(b, slot)->kind == INLAY_FRESH)
        return true;
    b->x->meta[slot] = NULL;
    over = build_is_over(b, slot);
    return output_in(b, k, allocation, t, over, over);
}

static bool output_held(exec_builder *b, int k)
{
    size_t allocation;
    bool over;
    inlay_tensor *t = build_part(b, b->now->out[k], &allocation, &over);

    return t ? output_in(b, k, allocation, t, over, over) : fresh_output(b, k);
}

static bool output_into(exec_builder *b, int k, const exec_place *place)
{
    size_t allocation = b->x->allocation[place->target];
    inlay_tensor *w =
        allocation == SIZE_MAX ? NULL : build_window(b, place->scatter, b->x->meta[place->target]);

    if (!w) {
        b->now->kind = EXEC_WALK;
        return true;
    }
    return output_in(b, k, allocation, build_reshaped(b->x->memory, w, b->fact[b->now->out[k]]),
                     true, true);
}

static bool output_over(exec_builder *b, int k, const exec_place *place)
{
    size_t allocation = b->x->allocation[place->target];

    if (allocation == SIZE_MAX) {
        b->now->kind = EXEC_WALK;
        return true;
    }
    return output_in(b, k, allocation, inlay_tensor_retain(b->x->meta[place->target]), true,
                     node_of(b)->op->flags & INLAY_POINTWISE);
}

bool build_wanted(exec_builder *b, int k, bool *done)
{
    size_t slot = b->now->out[k], allocation = SIZE_MAX;
    const exec_place *place = build_place(b, slot);
    const inlay_fact *f = b->fact[slot];
    inlay_tensor *t = NULL;
    bool over;

    *done = false;
    if (!place || place->kind != INLAY_INTO || !inlay_fact_is_exact(f) || !build_plannable(f->type))
        return true;
    if (build_is_held(place))
        t = build_part(b, slot, &allocation, &over);
    else if ((allocation = b->x->allocation[place->target]) != SIZE_MAX)
        t = build_reshaped(b->x->memory, build_window(b, place->scatter, b->x->meta[place->target]),
                           f);
    *done = t && t->type == f->type && same_form(t, f) && inlay_tensor_is_dense(t);
    if (*done)
        return build_value(b, slot, allocation, t);
    inlay_tensor_release(t);
    return true;
}

/* Places output K, which is not a view, by its note. */
static bool place_output(exec_builder *b, int k)
{
    const exec_place *place = build_place(b, b->now->out[k]);
    bool done;

    if (b->x->meta[b->now->out[k]])
        return output_joined(b, k);
    if (!build_picked(b, b->now->out[k], &done) || done)
        return done;
    if (build_is_held(place))
        return output_held(b, k);
    if (place && place->kind == INLAY_INTO)
        return output_into(b, k, place);
    return place && place->kind == INLAY_OVERWRITES ? output_over(b, k, place) : fresh_output(b, k);
}

/* Views */

static bool is_noted_view(const exec_builder *b, int k)
{
    const exec_place *place = build_place(b, b->now->out[k]);

    return b->plan->growth[b->now->out[k]].shows ||
           (place && place->kind == INLAY_VIEW_OF &&
            !exec_slice_is_copied(b->plan, b->x, b->now->out[k]));
}

static bool has_elements(const inlay_fact *f)
{
    for (int i = 0; i < f->rank; i++) {
        if (f->dims[i].lo == 0)
            return false;
    }
    return true;
}

/* Makes output K a view of SEEN, part of operand 0, if strides can give that part the output's
 * shape. */
static bool output_seen(exec_builder *b, int k, const inlay_tensor *seen)
{
    const inlay_fact *f = b->fact[b->now->out[k]];
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];

    if (!seen || seen->type != f->type || !inlay_fact_dims(f, dims) || !has_elements(f) ||
        !inlay_strides_reshaped(seen->rank, seen->dims, seen->strides, f->rank, dims, strides))
        return fresh_output(b, k);
    b->now->views = true;
    return build_value(b, b->now->out[k], b->x->allocation[b->now->in[0]],
                       inlay_tensor_window_in(b->x->memory, seen, f->rank, dims, strides, 0));
}

/* Returns whether the kernel can be called before the run: it only copies or views parts of
 * operands, and the operands that say which parts are known. Kernels added by a program may do
 * anything, so they cannot. */
static bool only_moves(exec_builder *b)
{
    const inlay_node *n = node_of(b);
    bool can = n->op->kind != INLAY_OP_ADDED && n->n_in > 0 &&
               (n->op->flags & (INLAY_VIEW | INLAY_MOVES | INLAY_PREPARES)) &&
               ((n->op->flags & (INLAY_VIEW | INLAY_REPEATS)) || build_is_data(b, 1));

    for (int i = 0; can && i < n->n_in; i++) {
        size_t value = b->now->in[i];

        if (value == SIZE_MAX)
            can = i > 0;
        else if (build_is_data(b, i))
            can = allocation_of(b, value) && build_plannable(b->x->meta[value]->type);
        else
            can = build_readable(b, value) != NULL;
    }
    return can;
}

/* Places the outputs that are not views before the kernel is called. */
static bool form_outputs(exec_builder *b, inlay_tensor **form)
{
    bool ok = true;

    for (int k = 0; ok && k < node_of(b)->n_out; k++) {
        size_t value = b->now->out[k];

        if (is_noted_view(b, k)) {
            form[k] = build_dense(b->scratch, b->fact[value], NULL);
        } else {
            ok = place_output(b, k);
            form[k] = ok && b->x->meta[value] ? inlay_tensor_retain(b->x->meta[value]) : NULL;
        }
        ok = ok && (form[k] || b->now->kind == EXEC_WALK);
    }
    return ok;
}

static bool show_outputs(exec_builder *b, inlay_tensor **form, inlay_tensor **seen)
{
    const inlay_node *n = node_of(b);
    bool ok = form_outputs(b, form), recorded;
    size_t n_values = b->x->n_values;

    if (!ok || b->now->kind == EXEC_WALK)
        return ok;
    recorded = build_record_moves(b, form, seen);
    for (int k = 0; ok && k < n->n_out; k++)
        ok = !is_noted_view(b, k) || output_seen(b, k, seen[k]);
    for (int k = 0; k < n->n_out; k++)
        recorded = recorded && (!is_noted_view(b, k) || b->x->allocation[b->now->out[k]] ==
                                                            b->x->allocation[b->now->in[0]]);
    if (recorded && b->now->kind != EXEC_WALK) {
        b->now->kind = EXEC_MOVES;
    } else { /* the kernel runs after all */
        b->x->n_copies = b->now->copy;
        b->x->n_values = n_values;
        b->now->n_copies = 0;
    }
    return ok;
}

/* Plans a step that moves the elements of operands, or is a view of them. */
static bool move_outputs(exec_builder *b)
{
    const inlay_node *n = node_of(b);
    inlay_tensor **form = inlay_arena_array(b->scratch, (size_t)n->n_out, sizeof *form);
    inlay_tensor **seen = inlay_arena_array(b->scratch, (size_t)n->n_out, sizeof *seen);
    bool ok = form && seen && show_outputs(b, form, seen);

    for (int k = 0; form && seen && k < n->n_out; k++) {
        inlay_tensor_release(form[k]);
        inlay_tensor_release(seen[k]);
    }
    return ok;
}

/* How the step is computed */

static bool all_shown(const exec_builder *b)
{
    bool all = b->now->views;

    for (int k = 0; all && k < node_of(b)->n_out; k++)
        all = is_noted_view(b, k) &&
              b->x->allocation[b->now->out[k]] == b->x->allocation[b->now->in[0]];
    return all;
}

static bool are_floats(const exec_builder *b)
{
    const inlay_node *n = node_of(b);
    bool yes = (n->op->flags & INLAY_BLOCKS) != 0;

    for (int i = 0; yes && i < n->n_in; i++)
        yes = b->now->in[i] == SIZE_MAX || (allocation_of(b, b->now->in[i]) &&
                                            inlay_type_is_float(b->x->meta[b->now->in[i]]->type));
    return yes && inlay_type_is_float(b->x->meta[b->now->out[0]]->type);
}

/* Returns whether the kernel may describe itself as a function of rows or single elements. */
static bool may_tell(const exec_builder *b)
{
    const inlay_node *n = node_of(b);
    bool yes = (n->op->flags & INLAY_POINTWISE) && n->op->kind != INLAY_OP_ADDED && n->n_out == 1 &&
               allocation_of(b, b->now->out[0]);

    for (int i = 0; yes && i < n->n_in; i++)
        yes = b->now->in[i] == SIZE_MAX || allocation_of(b, b->now->in[i]);
    return yes && !inlay_type_refers(b->x->meta[b->now->out[0]]->type);
}

/* Returns whether VALUE, which is dynamic, may not be dense because of its note. */
static bool may_have_gaps(const exec_builder *b, size_t value)
{
    const exec_place *place = value == SIZE_MAX ? NULL : build_place(b, value);

    return place && place->kind != INLAY_FRESH && !b->x->meta[value];
}

/* Adds copies of operands that the kernel cannot read because they are not dense. Dynamic operands
 * are checked in the run. */
static bool add_copies(exec_builder *b)
{
    const inlay_node *n = node_of(b);
    exec_instance *x = b->x;

    b->now->copy = x->n_copies;
    for (int i = 0; i < n->n_in && !(n->op->flags & INLAY_STRIDED); i++) {
        size_t value = b->now->in[i], allocation, bytes;
        const inlay_tensor *t = value == SIZE_MAX ? NULL : x->meta[value];

        if (may_have_gaps(b, value)) {
            b->now->kind = EXEC_WALK;
            return true;
        }
        if (!t || inlay_tensor_is_dense(t))
            continue;
        bytes = inlay_tensor_bytes(t);
        allocation = build_plannable(t->type) ? build_allocation(b, EXEC_ARENA, x->n_values, bytes)
                                              : SIZE_MAX;
        if (allocation == SIZE_MAX) {
            b->now->kind = EXEC_WALK;
            return true;
        }
        x->allocations[allocation].last = x->allocations[allocation].first;
        x->copies[x->n_copies++] = (exec_copy){i, x->n_values, value};
        if (!build_value(b, x->n_values++, allocation,
                         inlay_tensor_over_in(x->memory, NULL, x->allocations[allocation].fake,
                                              t->type, t->rank, t->dims)))
            return false;
        b->now->moved += bytes;
    }
    b->now->n_copies = x->n_copies - b->now->copy;
    return true;
}

static uint64_t count_recorded(const exec_builder *b)
{
    uint64_t bytes = 0;

    for (size_t i = b->now->copy; i < b->now->copy + b->now->n_copies; i++)
        bytes += inlay_tensor_bytes(b->x->meta[b->x->copies[i].to]);
    return bytes;
}

/* An output in the allocation of its operand is a view or an overwrite, unless it is computed in
 * another part of it, as a Gather from one part of a Concat's result into another. */
static void count_moved(exec_builder *b)
{
    const inlay_node *n = node_of(b);
    bool moves = n->op->flags & (INLAY_MOVES | INLAY_VIEW);
    bool apart = !b->now->views && !b->now->in_place;
    size_t from;

    if (n->op->flags & INLAY_HOLDS) {
        b->now->moved = b->now->kind == EXEC_MOVES
                            ? count_recorded(b)
                            : inlay_tensor_bytes(b->x->meta[b->now->out[0]]) - build_standing(b);
        return;
    }
    from = moves && b->now->in[0] != SIZE_MAX ? b->x->allocation[b->now->in[0]] : SIZE_MAX;

    for (int k = 0; moves && k < n->n_out; k++) {
        if (from == SIZE_MAX || apart || b->x->allocation[b->now->out[k]] != from)
            b->now->moved += inlay_tensor_bytes(b->x->meta[b->now->out[k]]);
    }
}

/* Records a scatter of a window in place: it copies the updates if they are not there yet, or
 * nothing at all. */
static bool record_window(exec_builder *b)
{
    const inlay_node *n = node_of(b);
    inlay_tensor *out[1] = {b->x->meta[b->now->out[0]]}, *seen[1] = {NULL};

    if (!b->now->in_place || !(n->op->flags & INLAY_SCATTER) || n->n_out != 1 || !only_moves(b) ||
        !build_record_moves(b, out, seen))
        return false;
    b->now->kind = b->now->n_copies > 0 ? EXEC_MOVES : EXEC_NOTHING;
    return true;
}

static bool choose_kind(exec_builder *b)
{
    count_moved(b);
    if (all_shown(b)) {
        b->now->kind = EXEC_NOTHING;
        return true;
    }
    if (b->now->kind == EXEC_MOVES) {
        b->now->in_place = b->now->in_place && b->now->n_copies > 0;
        return true;
    }
    if (record_window(b))
        return true;
    b->now->kind = EXEC_KERNEL;
    if (are_floats(b)) {
        if (build_record_blocks(b)) {
            b->now->kind = EXEC_BLOCKS;
            return true;
        }
    } else if (may_tell(b)) {
        build_record_form(b);
    }
    b->now->zeroes = !b->now->in_place && !(node_of(b)->op->flags & INLAY_FILLS);
    if ((node_of(b)->op->flags & INLAY_PREPARES) && node_of(b)->op->kind != INLAY_OP_ADDED &&
        !build_record_rest(b))
        b->now->kernel.rest = NULL;
    return build_library(b) && add_copies(b);
}

static bool overwrites(const exec_builder *b)
{
    bool any = false;

    for (int k = 0; k < node_of(b)->n_out; k++) {
        const exec_place *place = build_place(b, b->now->out[k]);

        any = any || (place && place->kind == INLAY_OVERWRITES);
    }
    return any;
}

/* Makes the output of the step, which is noted as a view, show rows of operand 0, if it is known
 * before the run which rows. */
static bool show_rows(exec_builder *b)
{
    size_t from = b->now->in[0];
    inlay_tensor *rows = NULL;
    bool ok;

    if ((node_of(b)->op->flags & INLAY_ROWS) && allocation_of(b, from))
        rows = build_window(b, node_of(b), b->x->meta[from]);
    if (!rows)
        return build_point(b);
    ok = output_seen(b, 0, rows);
    inlay_tensor_release(rows);
    return ok && (b->now->kind == EXEC_WALK || choose_kind(b));
}

bool build_outputs(exec_builder *b)
{
    const inlay_node *n = node_of(b);
    bool views = false, ok = true;

    b->now->kind = EXEC_KERNEL;
    for (int k = 0; k < n->n_out; k++)
        views = views || is_noted_view(b, k);
    if (views || (only_moves(b) && !overwrites(b))) {
        if (!only_moves(b))
            return show_rows(b);
        ok = move_outputs(b);
        views = true;
    }
    for (int k = 0; ok && !views && b->now->kind != EXEC_WALK && k < n->n_out; k++)
        ok = place_output(b, k);
    return ok && (b->now->kind == EXEC_WALK || choose_kind(b));
}
