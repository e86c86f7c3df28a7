/* StridedSlice copies a window of the data. Axes that it adds or removes have size 1, so the order
 * of elements stays the same. */
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <inttypes.h>

/* Reads the window of one entry on an axis of SIZE elements. */
static bool entry_window(inlay_call *c, int i, const inlay_strided_entry *e, int64_t begin,
                         int64_t end, int64_t stride, int64_t size, inlay_window *w)
{
    if (e->shrinks) {
        begin = e->from_first ? 0 : begin;
        if (begin < -size || begin >= size)
            return inlay_call_fail(c, "begin[%d] is %" PRId64 ", axis %d has %" PRId64 " element%s",
                                   i, begin, e->axis, size, inlay_plural(size, "", "s"));
        *w = (inlay_window){begin < 0 ? begin + size : begin, 1, 1};
        return true;
    }
    if (stride == 0)
        return inlay_call_fail(c, "stride[%d] is 0, it must not be zero", i);
    if (e->from_first)
        begin = stride < 0 ? INT64_MAX : 0;
    if (e->to_last)
        end = stride < 0 ? INT64_MIN : INT64_MAX;
    *w = inlay_window_normalise(begin, end, stride, size);
    return true;
}

bool eval_strided_slice(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    inlay_strided_entry e[2 * INLAY_MAX_RANK + 1];
    int64_t n, counts[INLAY_MAX_RANK];
    const int64_t *begin = load_bounds(c, 1, &n), *end = load_bounds(c, 2, &n);
    const int64_t *stride = call_has(c, 3) ? load_bounds(c, 3, &n) : NULL;
    inlay_window w[INLAY_MAX_RANK];
    struct view from, to;
    char why[160];

    if (!begin || !end || (call_has(c, 3) && !stride))
        return false;
    if (!inlay_strided_entries(c->node, (int)n, data->rank, e, why, sizeof why))
        return inlay_call_fail(c, "%s", why);
    for (int i = 0; i < data->rank; i++)
        w[i] = (inlay_window){0, data->dims[i], 1};
    for (int i = 0; i < n; i++) {
        if (e[i].axis >= 0 && !entry_window(c, i, &e[i], begin[i], end[i], stride ? stride[i] : 1,
                                            data->dims[e[i].axis], &w[e[i].axis]))
            return false;
    }
    for (int i = 0; i < data->rank; i++)
        counts[i] = w[i].count;
    from = view_windows(data, w);
    to = view_dense(data->rank, counts);
    return move_output(c, 0, &to, data, &from);
}
