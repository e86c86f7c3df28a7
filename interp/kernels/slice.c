/* Slice and SliceScatter: elements go out of a window, or into one. */
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <inttypes.h>

/* The inputs that hold start, stop, step and axes, in this order; they differ between dialects. */
static const int openvino_slice[] = {1, 2, 3, 4}, openvino_scatter[] = {2, 3, 4, 5},
                 onnx[] = {1, 2, 4, 3};

/* One of the lists, NULL when its input is absent. A start or stop above 2^63-1 clamps there. */
static bool read_list(inlay_call *c, int input, int *n, const int64_t **list)
{
    int64_t count, *copy;
    const int64_t *x;

    *list = NULL;
    if (!call_has(c, input))
        return true;
    x = call_ints(c, input, &count);
    copy = x ? scratch_array(c, count, sizeof *copy) : NULL;
    if (!copy)
        return false;
    for (int64_t i = 0; i < count; i++)
        copy[i] = c->in[input]->type == INLAY_U64 && x[i] < 0 ? INT64_MAX : x[i];
    *list = copy;
    if (*n < 0)
        *n = count > INT32_MAX ? INT32_MAX : (int)count;
    if (count != *n)
        return call_fail(c, "input %d \"%s\" has %" PRId64 " elements, it must have %d", input,
                         c->node->op->in[input].name, count, *n);
    return true;
}

/* The window on operand 0, one entry per axis. */
static bool call_windows(inlay_call *c, const int inputs[4], inlay_window *w)
{
    const inlay_tensor *data = c->in[0];
    const inlay_op *op = c->node->op;
    inlay_slice s = {
        .n = -1, .step_name = op->in[inputs[2]].name, .axes_name = op->in[inputs[3]].name};
    char why[160];

    if (!read_list(c, inputs[0], &s.n, &s.start) || !read_list(c, inputs[1], &s.n, &s.stop) ||
        !read_list(c, inputs[2], &s.n, &s.step) || !read_list(c, inputs[3], &s.n, &s.axes))
        return false;
    return inlay_slice_windows(&s, data->rank, data->dims, w, why, sizeof why) ||
           call_fail(c, "%s", why);
}

/* out[p] = data[begin + p * step] on every axis */
static bool take(inlay_call *c, const inlay_window *w)
{
    struct view window = view_windows(c->in[0], w);

    return move_output(c, 0, NULL, c->in[0], &window);
}

bool eval_slice(inlay_call *c)
{
    inlay_window w[INLAY_MAX_RANK];

    return call_windows(c, openvino_slice, w) && take(c, w);
}

bool eval_onnx_slice(inlay_call *c)
{
    inlay_window w[INLAY_MAX_RANK];

    return call_windows(c, onnx, w) && take(c, w);
}

/* ONNX Slice-1 has its lists as attributes, which its shape rule checked. */
bool eval_onnx_slice_1(inlay_call *c)
{
    int n;
    inlay_slice s = {.step_name = "steps", .axes_name = "axes"};
    inlay_window w[INLAY_MAX_RANK];
    char why[160];

    s.stop = inlay_node_ints(c->node, "ends", &n);
    s.axes = inlay_node_ints(c->node, "axes", &n);
    s.start = inlay_node_ints(c->node, "starts", &s.n);
    if (!inlay_slice_windows(&s, c->in[0]->rank, c->in[0]->dims, w, why, sizeof why))
        return call_fail(c, "%s", why);
    return take(c, w);
}

static inlay_tensor *window_of(const inlay_tensor *t, const inlay_window *w)
{
    struct view v = view_windows(t, w);

    return inlay_tensor_window(t, v.rank, v.dims, v.strides, v.offset);
}

inlay_tensor *call_scatter_window(inlay_call *c, const inlay_tensor *data)
{
    inlay_window w[INLAY_MAX_RANK];

    return call_windows(c, openvino_scatter, w) ? window_of(data, w) : NULL;
}

/* The updates stand in memory already: what is written of them is copied. */
static bool copy_updates(inlay_call *c, inlay_tensor *to, const struct view *window)
{
    call_copied(c, inlay_tensor_bytes(c->in[1]));
    return move_part(c, to, window, c->in[1]);
}

/* In place: the updates may have been computed in the window, then there is nothing left to do. */
static bool write_window(inlay_call *c, const inlay_window *w)
{
    inlay_tensor *window = window_of(c->out[0], w);
    bool ok = window || inlay_fail_memory(c->diags);

    if (ok && inlay_tensor_same_place(window, c->in[1]))
        c->writes_nothing = true;
    else if (ok)
        ok = call_overwrites(c, window) && copy_updates(c, window, NULL);
    inlay_tensor_release(window);
    return ok;
}

/* out = data; out[begin + p * step] = updates[p] on every axis. Updates do not broadcast. */
bool eval_slice_scatter(inlay_call *c)
{
    const inlay_tensor *updates = c->in[1];
    inlay_window w[INLAY_MAX_RANK];
    struct view window;

    if (!call_windows(c, openvino_scatter, w))
        return false;
    for (int i = 0; i < updates->rank; i++) {
        if (updates->dims[i] != w[i].count)
            return call_fail(c,
                             "axis %d of updates has %" PRId64 " elements, the window has %" PRId64,
                             i, updates->dims[i], w[i].count);
    }
    if (call_shares(c))
        return write_window(c, w);
    window = view_windows(c->out[0], w);
    return copy_input(c, 0, 0) && copy_updates(c, c->out[0], &window);
}
