/* How many bytes the steps of an instance copy; interp/README.md says what counts. */
#include "interp/exec/build/copied.h"
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
