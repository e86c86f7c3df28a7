/* Reads the window of a slice from its operands. */
#include "interp/call/window.h"
#include "interp/call/run.h"

#include "inlay_ops.h"

#include <inttypes.h>

/* Reads the list operand with ROLE; NULL if it is absent. *N is the length of all lists, below 0
 * before the first one. */
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
        return inlay_call_fail(c, "input %d \"%s\" has %" PRId64 " element%s, it must have %d",
                               input, c->node->op->in[input].name, count,
                               inlay_plural(count, "", "s"), *n);
    return true;
}

static const char *name_of(const inlay_call *c, inlay_role role)
{
    return c->node->op->in[inlay_op_operand(c->node->op, role)].name;
}

/* Reports why S has no valid windows. The names of operands are looked up for this only. */
static bool fail_windows(inlay_call *c, inlay_slice *s, inlay_window *w)
{
    const inlay_tensor *data = c->in[0];
    char why[160] = "";

    s->step_name = name_of(c, INLAY_ROLE_STEP);
    s->axes_name = name_of(c, INLAY_ROLE_AXES);
    inlay_slice_windows(s, data->rank, data->dims, w, why, sizeof why);
    return inlay_call_fail(c, "%s", why);
}

bool call_windows(inlay_call *c, inlay_window *w)
{
    const inlay_tensor *data = c->in[0];
    inlay_slice s = {.n = -1, .step_name = "", .axes_name = ""};
    char why[160];

    if (!read_list(c, INLAY_ROLE_START, &s.n, &s.start) ||
        !read_list(c, INLAY_ROLE_STOP, &s.n, &s.stop) ||
        !read_list(c, INLAY_ROLE_STEP, &s.n, &s.step) ||
        !read_list(c, INLAY_ROLE_AXES, &s.n, &s.axes))
        return false;
    return inlay_slice_windows(&s, data->rank, data->dims, w, why, sizeof why) ||
           fail_windows(c, &s, w);
}

/* Indices may count from the end, except for a ScatterUpdate. */
bool call_find_row(const inlay_node *n, inlay_type type, int64_t x, int64_t size, int64_t *at)
{
    bool backward = !inlay_node_is(n, INLAY_OP_SCATTER_UPDATE) && type != INLAY_U64;

    *at = x < 0 && backward ? x + size : x;
    return *at >= 0 && *at < size;
}

/* Finds the rows that the call selects, if they are at equal distances. */
static bool find_rows(inlay_call *c, int64_t size, inlay_window *rows)
{
    int indices = inlay_op_operand(c->node->op, INLAY_ROLE_INDICES);
    int input = indices >= 0 ? indices : inlay_op_operand(c->node->op, INLAY_ROLE_TUPLES);
    int64_t n, at;
    const int64_t *list = load_ints(c, input, &n);
    inlay_type type = c->in[input]->type;

    if (!list || n < 1 || !call_find_row(c->node, type, list[0], size, &rows->begin))
        return false;
    *rows = (inlay_window){rows->begin, n, 1};
    for (int64_t i = 1; i < n; i++) {
        if (!call_find_row(c->node, type, list[i], size, &at))
            return false;
        rows->step = i == 1 ? at - rows->begin : rows->step;
        if (rows->step == 0 || at != rows->begin + i * rows->step)
            return false;
    }
    return true;
}

bool call_windows_ahead(inlay_call *c, inlay_window *w)
{
    inlay_diags *d = c->diags;
    bool found;
    int axis = 0; /* the axis of a ScatterNDUpdate */

    c->diags = NULL;
    if (!(c->node->op->flags & INLAY_ROWS)) {
        found = call_windows(c, w);
    } else {
        for (int i = 0; i < c->in[0]->rank; i++)
            w[i] = (inlay_window){0, c->in[0]->dims[i], 1};
        found = (inlay_node_steps_rows(c->node) || inlay_node_picks_row(c->node)) &&
                (inlay_op_operand(c->node->op, INLAY_ROLE_AXIS) < 0 ||
                 inlay_node_axis(c->node, c->in[0]->rank, &axis)) &&
                find_rows(c, w[axis].count, &w[axis]);
    }
    call_tell_again(c, d);
    return found;
}

void call_show_part(const inlay_tensor *t, int rank, int64_t offset, call_shown *out)
{
    int64_t bits = inlay_type_info_of(t->type)->bits, at = t->offset + offset;

    out->t = *t;
    out->t.rank = rank;
    out->t.dims = out->dims;
    out->t.strides = out->strides;
    out->t.offset = bits % 8 == 0 ? 0 : at;
    out->t.data = bits % 8 == 0 ? (char *)t->data + at * (bits / 8) : t->data;
}

void call_show_window(const inlay_tensor *t, const inlay_window *w, call_shown *out)
{
    int64_t offset = 0;

    for (int i = 0; i < t->rank; i++) {
        offset += w[i].count > 0 ? w[i].begin * t->strides[i] : 0;
        out->dims[i] = w[i].count;
        out->strides[i] =
            t->strides[i] * (w[i].count > 1 ? w[i].step : 1); /* the step of a single element is
                                                                 arbitrary */
    }
    call_show_part(t, t->rank, offset, out);
}

inlay_tensor *call_window_of(inlay_arena *a, const inlay_tensor *t, const inlay_window *w)
{
    call_shown part;

    call_show_window(t, w, &part);
    return inlay_tensor_window_in(a, &part.t, t->rank, part.dims, part.strides, 0);
}
