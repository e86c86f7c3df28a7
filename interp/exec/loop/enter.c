/* What enters an iteration of a loop: parts of sliced inputs, and the number of the iteration. */
#include "interp/exec/loop/enter.h"
#include "interp/call/ports.h"

#include <string.h>

/* A view of elements smaller than a byte could not begin anywhere, and strings belong to their
 * buffer. */
static bool can_move(const inlay_tensor *t)
{
    return !inlay_type_refers(t->type) && inlay_type_info_of(t->type)->bits % 8 == 0;
}

static bool same_form(const inlay_tensor *a, const inlay_tensor *t, const int64_t *dims)
{
    bool same = a->type == t->type && a->rank == t->rank;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == dims[i] && a->strides[i] == t->strides[i];
    return same;
}

static bool begin_slice(exec_loop *l, const inlay_port *p)
{
    const inlay_tensor *t = l->c->in[p->outer];
    exec_cut *cut = &l->params[p->inner].cut;
    inlay_tensor **moving = &l->params[p->inner].moving;
    int64_t dims[INLAY_MAX_RANK];

    if (!ports_parts(l->c, p, &cut->axis, &cut->first, &cut->n))
        return false;
    memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    dims[cut->axis] = p->part_size;
    if (*moving && same_form(*moving, t, dims))
        return true;
    slots_release_pointer(*moving);
    *moving = slots_pointer(t, dims, 0);
    return *moving || inlay_fail_memory(l->c->diags);
}

static bool begin_number(exec_loop *l, const inlay_port *p)
{
    const inlay_fact *f = &l->body->graph->params[p->inner]->out[0].fact;
    inlay_tensor **number = &l->params[p->inner].number;
    const int64_t one = 1;

    if (!*number)
        *number = call_raw_tensor(l->c, f->type, f->rank == 1 ? 1 : 0, &one);
    l->in[p->inner] = *number;
    return *number != NULL;
}

bool loop_begin_inputs(exec_loop *l)
{
    const inlay_body *b = l->body;

    for (int i = 0; i < l->n_params; i++) {
        l->in[i] = NULL;
        l->params[i].stand = exec_nowhere;
    }
    for (int i = 0; i < b->n_in; i++) {
        const inlay_port *p = &b->in[i];

        l->in[p->inner] = p->outer >= 0 ? l->c->in[p->outer] : NULL;
        if (p->purpose == INLAY_PORT_ITERATION && !begin_number(l, p))
            return false;
        if (p->purpose == INLAY_PORT_PLAIN && p->has_axis && p->outer >= 0 && !begin_slice(l, p))
            return false;
    }
    return true;
}

/* The part is copied, because it cannot be a view. */
static bool enter_copy(exec_loop *l, const inlay_port *p)
{
    inlay_tensor *part = backend_copy(l->hands, l->c, l->params[p->inner].moving);

    if (!part)
        return false;
    inlay_tensor_release(l->params[p->inner].held);
    l->in[p->inner] = l->params[p->inner].held = part;
    return true;
}

static bool enter_slice(exec_loop *l, const inlay_port *p)
{
    const inlay_tensor *t = l->c->in[p->outer];
    const exec_cut *cut = &l->params[p->inner].cut;

    if (l->done >= cut->n)
        return ports_fail_part(l->c, p, cut->n, l->done);
    slots_point(l->params[p->inner].moving, t,
                (cut->first + l->done * p->stride) * t->strides[cut->axis]);
    l->in[p->inner] = l->params[p->inner].moving;
    return can_move(t) || enter_copy(l, p);
}

bool loop_enter(exec_loop *l)
{
    const inlay_body *b = l->body;

    for (int i = 0; i < b->n_in; i++) {
        const inlay_port *p = &b->in[i];

        if (p->purpose == INLAY_PORT_ITERATION)
            inlay_tensor_set_i64(l->params[p->inner].number, 0, l->done);
        if (p->purpose == INLAY_PORT_PLAIN && p->has_axis && p->outer >= 0 && !enter_slice(l, p))
            return false;
    }
    return true;
}
