/* Slice and SliceScatter: copy elements out of a window, or into one. */
#include "interp/call/window.h"
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <inttypes.h>

/* out[p] = data[begin + p * step] on every axis. */
static bool take(inlay_call *c, const inlay_window *w)
{
    struct view window = view_windows(c->in[0], w);

    return move_output(c, 0, NULL, c->in[0], &window);
}

bool eval_slice(inlay_call *c)
{
    inlay_window w[INLAY_MAX_RANK];

    return call_windows(c, w) && take(c, w);
}

bool eval_onnx_slice(inlay_call *c)
{
    return eval_slice(c);
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
        return inlay_call_fail(c, "%s", why);
    return take(c, w);
}

/* out = data; out[begin + p * step] = updates[p] on every axis. Updates do not broadcast. */
bool eval_slice_scatter(inlay_call *c)
{
    const inlay_tensor *updates = c->in[1];
    inlay_window w[INLAY_MAX_RANK];
    call_shown window;

    if (!call_windows(c, w))
        return false;
    for (int i = 0; i < updates->rank; i++) {
        if (updates->dims[i] != w[i].count)
            return inlay_call_fail(
                c, "axis %d of updates has %" PRId64 " element%s, the window has %" PRId64, i,
                updates->dims[i], inlay_plural(updates->dims[i], "", "s"), w[i].count);
    }
    if (!inlay_call_copy(c, 0, 0))
        return false;
    call_show_window(c->out[0], w, &window);
    return call_write_part(c, &window.t, updates);
}
