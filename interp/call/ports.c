/* The helpers of ports.h. */
#include "interp/call/ports.h"

#include <inttypes.h>

bool ports_axis(inlay_call *c, const inlay_port *p, int rank, int *axis)
{
    int64_t a = p->axis < 0 ? p->axis + rank : p->axis;

    if (a < 0 || a >= rank)
        return inlay_call_fail(c, "axis %" PRId64 " of the port map is outside of rank %d", p->axis,
                               rank);
    *axis = (int)a;
    return true;
}

bool ports_parts(inlay_call *c, const inlay_port *p, int *axis, int64_t *first, int64_t *n)
{
    const inlay_tensor *t = c->in[p->outer];

    if (!ports_axis(c, p, t->rank, axis))
        return false;
    if (inlay_port_parts(p, t->dims[*axis], first, n))
        return true;
    return inlay_call_fail(c,
                           "input %d cannot be sliced from %" PRId64 " to %" PRId64 " by %" PRId64
                           ": axis %d has %" PRId64 " element%s",
                           p->outer, p->start, p->end, p->stride, *axis, t->dims[*axis],
                           inlay_plural(t->dims[*axis], "", "s"));
}

bool ports_fail_part(inlay_call *c, const inlay_port *p, int64_t n, int64_t iteration)
{
    return inlay_call_fail(c,
                           "input %d has %" PRId64 " part%s, there is none for iteration %" PRId64,
                           p->outer, n, inlay_plural(n, "", "s"), iteration);
}

static INLAY_OWN_FRAME bool fail_condition(inlay_call *c, const inlay_tensor *t)
{
    char text[512];

    return inlay_call_fail(c,
                           "the execution condition of body has type %s and shape %s, it must be "
                           "one boolean",
                           inlay_type_info_of(t->type)->name,
                           tensor_shape_text(t, text, sizeof text));
}

bool ports_condition(inlay_call *c, const inlay_body *body, inlay_tensor *const *last, bool *more)
{
    for (int i = 0; i < body->n_out; i++) {
        const inlay_tensor *t = last[body->out[i].inner];

        if (body->out[i].purpose != INLAY_PORT_CONDITION)
            continue;
        if (t->type != INLAY_BOOLEAN || inlay_tensor_count(t) != 1)
            return fail_condition(c, t);
        *more = inlay_tensor_get_i64(t, 0) != 0;
    }
    return true;
}

INLAY_OWN_FRAME bool ports_fail_join(inlay_call *c, const inlay_port *p, const inlay_tensor *first,
                                     const inlay_tensor *t, int64_t i)
{
    char a[512], b[512];

    return inlay_call_fail(
        c, "output %d joins shape %s of iteration 0 and %s of iteration %" PRId64, p->outer,
        tensor_shape_text(first, a, sizeof a), tensor_shape_text(t, b, sizeof b), i);
}

bool ports_fail_size(inlay_call *c, const inlay_port *p, int axis)
{
    return inlay_call_fail(
        c, "output %d is too large: axis %d would have more than 2^63-1 elements", p->outer, axis);
}
