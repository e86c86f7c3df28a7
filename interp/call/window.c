/* Reads the lists of numbers that say which window a slice has. */
#include "interp/call/window.h"

#include <inttypes.h>

/* Reads the list that the operand with ROLE has; NULL when the operand is absent. *N is the length
 * of all lists, below 0 before the first one. */
static bool read_list(inlay_call *c, inlay_role role, int *n, const int64_t **list)
{
    int input = inlay_op_operand(c->node->op, role);
    int64_t count;

    *list = NULL;
    if (!call_has(c, input))
        return true;
    *list = load_bounds(c, input, &count);
    if (!*list)
        return false;
    if (*n < 0)
        *n = count > INT32_MAX ? INT32_MAX : (int)count;
    if (count != *n)
        return inlay_call_fail(c, "input %d \"%s\" has %" PRId64 " elements, it must have %d",
                               input, c->node->op->in[input].name, count, *n);
    return true;
}

static const char *name_of(const inlay_call *c, inlay_role role)
{
    return c->node->op->in[inlay_op_operand(c->node->op, role)].name;
}

bool call_windows(inlay_call *c, inlay_window *w)
{
    const inlay_tensor *data = c->in[0];
    inlay_slice s = {.n = -1,
                     .step_name = name_of(c, INLAY_ROLE_STEP),
                     .axes_name = name_of(c, INLAY_ROLE_AXES)};
    char why[160];

    if (!read_list(c, INLAY_ROLE_START, &s.n, &s.start) ||
        !read_list(c, INLAY_ROLE_STOP, &s.n, &s.stop) ||
        !read_list(c, INLAY_ROLE_STEP, &s.n, &s.step) ||
        !read_list(c, INLAY_ROLE_AXES, &s.n, &s.axes))
        return false;
    return inlay_slice_windows(&s, data->rank, data->dims, w, why, sizeof why) ||
           inlay_call_fail(c, "%s", why);
}

inlay_tensor *call_window_of(const inlay_tensor *t, const inlay_window *w)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], offset = 0;

    for (int i = 0; i < t->rank; i++) {
        offset += w[i].count > 0 ? w[i].begin * t->strides[i] : 0;
        dims[i] = w[i].count;
        strides[i] =
            t->strides[i] * (w[i].count > 1 ? w[i].step : 1); /* that of one element may be any */
    }
    return inlay_tensor_window(t, t->rank, dims, strides, offset);
}
