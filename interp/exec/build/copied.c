/* How many bytes the steps of an instance copy; interp/README.md says what counts. */
#include "interp/exec/build/copied.h"
#include "inlay_ops.h"
#include "interp/call/window.h"

#include <string.h>

/* Returns which operand of a scatter is the updates; SIZE_MAX: S is no scatter. */
static size_t updates_of(const exec_step *s)
{
    const inlay_op *op = s->step->node->op;
    int i = op->flags & INLAY_SCATTER ? inlay_op_operand(op, INLAY_ROLE_UPDATES) : -1;

    return i >= 0 ? s->in[i] : SIZE_MAX;
}

static bool reduces(const inlay_node *n)
{
    const inlay_attr *a = inlay_node_attr(n, "reduction");

    return a && a->as.s && strcmp(a->as.s, "none") != 0;
}

/* Returns whether the updates of S, a scatter, already lie where it writes them. Updates elsewhere
 * in that allocation have to be moved. */
static bool stand_there(const exec_instance *x, const exec_step *s, size_t updates)
{
    const inlay_tensor *out = x->meta[s->out[0]];
    inlay_window w[INLAY_MAX_RANK];
    call_shown window;
    bool stand = s->in_place && x->allocation[updates] == x->allocation[s->out[0]];

    if (!stand || !inlay_node_windows(s->step->node, out->dims, w))
        return stand;
    call_show_window(out, w, &window);
    return inlay_tensor_same_place(&window.t, x->meta[updates]);
}

/* Returns how many bytes the kernel of a scatter copies: its data, unless that is overwritten, and
 * its updates, unless they already lie where they are written. */
static uint64_t scatter_copies(const exec_instance *x, const exec_step *s)
{
    size_t updates = updates_of(s), out = s->out[0];
    uint64_t bytes = 0;
    size_t data = s->in[0];
    bool over = s->in_place && data != SIZE_MAX && x->allocation[data] == x->allocation[out];

    if (s->kind != EXEC_KERNEL || updates == SIZE_MAX || !x->meta[updates])
        return 0;
    if (!over) /* but computed in a new allocation, or in its part of another value */
        bytes += inlay_tensor_bytes(x->meta[out]);
    if (!reduces(s->step->node) && !stand_there(x, s, updates))
        bytes += inlay_tensor_bytes(x->meta[updates]);
    return bytes;
}

/* Returns how many bytes the kernel of a Convert copies: all of them if the type stays the same and
 * the output is not the operand's own bytes. */
static uint64_t convert_copies(const exec_instance *x, const exec_step *s)
{
    const inlay_tensor *in, *out;

    if (s->kind != EXEC_KERNEL || !(s->step->node->op->flags & INLAY_CONVERTS))
        return 0;
    in = x->meta[s->in[0]];
    out = x->meta[s->out[0]];
    return in && out && in->type == out->type && !inlay_tensor_same_place(in, out)
               ? inlay_tensor_bytes(out)
               : 0;
}

uint64_t exec_step_copies(const exec_instance *x, const exec_step *s)
{
    return s->moved + scatter_copies(x, s) + convert_copies(x, s) +
           (s->inner ? s->inner->copied : 0);
}

/* Returns whether V lies in the bytes of a state. */
static bool lies_in_state(const exec_instance *x, size_t v)
{
    const exec_allocation *u = x->allocations;
    bool lies = false;

    for (size_t i = 0; i < x->n && x->allocation[v] != SIZE_MAX && !lies; i++) {
        const exec_step *s = &x->list[i];
        size_t from =
            inlay_node_is(s->step->node, INLAY_OP_READ_VALUE) ? x->allocation[s->out[0]] : SIZE_MAX;

        lies = from != SIZE_MAX && u[from].same == u[x->allocation[v]].same;
    }
    return lies;
}

/* Returns the value whose bytes S writes over all at once, or the updates that it scatters; or
 * SIZE_MAX. */
static size_t written_by(const exec_instance *x, const exec_step *s)
{
    size_t updates = s->in_place ? updates_of(s) : SIZE_MAX;

    if (s->saves)
        return s->out[0];
    if (updates == SIZE_MAX || s->kind == EXEC_NOTHING || !x->meta[updates] ||
        stand_there(x, s, updates))
        return SIZE_MAX;
    return updates;
}

uint64_t exec_instance_saves(const exec_instance *x)
{
    const inlay_tensor *last = NULL;
    uint64_t bytes = 0;

    for (size_t i = 0; i < x->n; i++) {
        const exec_step *s = &x->list[i];
        size_t written = s->step->node->n_out > 0 ? written_by(x, s) : SIZE_MAX;

        if (written == SIZE_MAX || !lies_in_state(x, s->out[0]))
            continue;
        if (s->saves && last && inlay_tensor_same_place(last, x->meta[written]))
            continue; /* a chain in one window */
        bytes += inlay_tensor_bytes(x->meta[written]);
        last = s->saves ? x->meta[written] : NULL;
    }
    return bytes;
}

uint64_t exec_entry_copies(const exec_instance *x)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < x->n_entries; i++) {
        const inlay_node *n = x->steps->graph->params[x->entries[i].param];
        const inlay_tensor *t = x->meta[steps_slot(x->steps, &n->out[0])];

        bytes += t ? inlay_tensor_bytes(t) : 0;
    }
    return bytes;
}

uint64_t exec_instance_copies(const exec_instance *x, bool *about)
{
    uint64_t bytes = exec_entry_copies(x);

    for (size_t i = 0; i < x->n; i++) {
        const exec_step *s = &x->list[i];

        bytes += exec_step_copies(x, s);
        *about = *about || (s->inner ? s->inner->about : s->kind == EXEC_WALK);
    }
    return bytes;
}
