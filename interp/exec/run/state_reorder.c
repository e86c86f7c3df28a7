/* Selects rows of a state, as beam search does before a step: row I of the selection is row
 * ORDER[I] of the state. The run reads the order before it begins, and does one of three things. K
 * is the number of the N rows that change; the last number is how many rows are copied:
 *
 *     0 1 2 3 4    K = 0: the selection is the state itself: 0
 *     0 1 1 3 4    K = 1: row 2 is saved in case the run fails, then overwritten: 2 K
 *     1 2 3 4 0    K = 5: all rows are copied to another buffer: N
 *
 * A row is saved before it is overwritten, and later readers of it read the saved copy. So any
 * order works, cycles too. This is done only if nothing else holds the state, and no other step
 * reads it in the run. */
#include "interp/exec/run/state_reorder.h"
#include "interp/exec/run/split.h"

/* Returns the row that ORDER names for row I; a negative entry counts from the end of the N rows.
 * -1: it names none. An order may have been converted to i32. */
static int64_t named_row(const inlay_tensor *order, int64_t i, int64_t n)
{
    int64_t row = inlay_tensor_get_i64(order, i);

    if (row < 0 && order->type != INLAY_U64)
        row += n;
    return row >= 0 && row < n ? row : -1;
}

/* Returns how many of N rows change by ORDER; SIZE_MAX: ORDER has another length than N, or names
 * rows that do not exist. */
static size_t count_moved(const inlay_tensor *order, int64_t n)
{
    size_t moved = 0;

    if (inlay_tensor_count(order) != n || n > INT32_MAX)
        return SIZE_MAX;
    for (int64_t i = 0; i < n; i++) {
        int64_t from = named_row(order, i, n);

        if (from < 0)
            return SIZE_MAX;
        moved += from != i;
    }
    return moved;
}

inlay_tensor *exec_frame_picked(const exec_frame *f, const exec_allocation *u)
{
    const inlay_tensor *state = f->run.run.state[u->state.pick->variable];
    int64_t n = state->dims[u->state.pick->axis];
    size_t moved = count_moved(f->outside->in[u->state.pick->order], n);
    bool ours = u->state.pick->alone && f->run.session->owned[u->state.pick->variable];

    return moved == 0 || (ours && moved <= (size_t)n / 2) ? inlay_tensor_retain(state) : NULL;
}

bool exec_frame_stays(const exec_frame *f, const exec_step *s)
{
    size_t allocation = s->step->node->n_out == 1 ? f->x->allocation[s->out[0]] : SIZE_MAX;
    const exec_allocation *u = allocation == SIZE_MAX ? NULL : &f->x->allocations[allocation];

    return u && u->state.pick &&
           f->bindings[allocation].root == f->run.run.state[u->state.pick->variable];
}

/* A row of a tensor. */
struct beam {
    inlay_tensor t;
    int64_t dims[INLAY_MAX_RANK];
};

/* Makes BEAM row I of ALL along AXIS. */
static void find_beam(struct beam *beam, const inlay_tensor *all, int axis, int64_t i)
{
    beam->t = *all;
    beam->t.dims = beam->dims;
    for (int k = 0; k < all->rank; k++)
        beam->dims[k] = k == axis ? 1 : all->dims[k];
    beam->t.offset += i * all->strides[axis];
}

/* SAVED receives a copy of each row that will be overwritten; NULL for the others. */
static bool save_beams(inlay_call *c, const inlay_tensor *order, int axis,
                       const inlay_tensor **saved)
{
    const exec_journal *j = exec_run_of(c)->journal;
    int64_t n = inlay_tensor_count(order);
    struct beam to;

    for (int64_t i = 0; i < n; i++) {
        if (named_row(order, i, n) == i)
            continue;
        find_beam(&to, c->out[0], axis, i);
        if (!journal_save(c, &to.t, -1, 0, NULL))
            return false;
        saved[i] = journal_saved_last(j);
    }
    return true;
}

static bool write_beams(inlay_call *c, const inlay_tensor *order, int axis,
                        const inlay_tensor *const *saved)
{
    int64_t n = inlay_tensor_count(order);
    struct beam to, from;

    for (int64_t i = 0; i < n; i++) {
        int64_t k = named_row(order, i, n);

        if (k == i)
            continue;
        find_beam(&to, c->out[0], axis, i);
        find_beam(&from, c->out[0], axis, k);
        if (!exec_assign(exec_run_of(c), &to.t, saved[k] ? saved[k] : &from.t))
            return inlay_fail_memory(c->diags);
        call_copied(c, inlay_tensor_bytes(&to.t));
    }
    return true;
}

bool exec_frame_reorder(const exec_frame *f, const exec_step *s, inlay_call *c)
{
    const exec_pick *pick = f->x->allocations[f->x->allocation[s->out[0]]].state.pick;
    const inlay_tensor *order = f->outside->in[pick->order], **saved;
    int64_t n = inlay_tensor_count(order);

    if (count_moved(order, n) == 0)
        return true;
    saved = call_bytes(c, (size_t)n * sizeof *saved);
    if (!saved)
        return false;
    for (int64_t i = 0; i < n; i++)
        saved[i] = NULL;
    f->run.run.env->stats->in_place_writes++;
    return save_beams(c, order, pick->axis, saved) && write_beams(c, order, pick->axis, saved);
}
