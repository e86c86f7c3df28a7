/* Slice and SliceScatter: OpenVINO's Slice-8, SliceScatter-15 and the four ONNX Slices.
 * inlay_window_normalise defines how bounds are clamped. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"
#include "ir/tensor/window.h"

#include <string.h>

/* The numbers of the inputs that hold the lists, which differ between the dialects. */
struct slice_inputs {
    int start, stop, step, axes;
};

static const struct slice_inputs openvino_slice = {1, 2, 3, 4}, openvino_scatter = {2, 3, 4, 5},
                                 onnx = {1, 2, 4, 3};

/* What is known of the lists. */
struct slice_facts {
    int n;                                /* how many entries each list has; -1: unknown */
    const inlay_dim *start, *stop, *step; /* NULL: nothing is known of the list */
    bool step_is_one;                     /* there is no list of steps */
    bool axes_known;
    int axis[INLAY_MAX_RANK];
};

static const inlay_dim *list_of(const inlay_infer *cx, int input)
{
    int n;

    return in_known(cx, input, &n);
}

/* Checks that all lists that are there have one dimension, and as many elements as the first
 * one. */
static bool check_lengths(inlay_infer *cx, const struct slice_inputs *p, inlay_dim *n)
{
    const int inputs[] = {p->start, p->stop, p->step, p->axes};

    *n = inlay_dim_any();
    for (int i = 0; i < 4; i++) {
        inlay_dim length;

        if (!in_has(cx, inputs[i]))
            continue;
        if (!in_length(cx, inputs[i], false, &length) || !merge_dim(cx, inputs[i], 0, length, n))
            return false;
    }
    return true;
}

/* Makes the checks that need no sizes, and finds the axis that each entry is about. */
static bool find_axes(inlay_infer *cx, const struct slice_inputs *p, int rank,
                      struct slice_facts *f)
{
    int64_t step[INLAY_MAX_RANK], axes[INLAY_MAX_RANK];
    inlay_slice s = {.n = f->n,
                     .step = step,
                     .step_name = in_name(cx, p->step),
                     .axes_name = in_name(cx, p->axes)};
    char why[160];
    int n;

    f->axes_known = !in_has(cx, p->axes);
    if (in_has(cx, p->axes) && inlay_infer_ints(cx, p->axes, axes, INLAY_MAX_RANK, &n)) {
        s.axes = axes;
        f->axes_known = true;
    }
    for (int i = 0; i < f->n && i < rank; i++)
        step[i] = f->step && inlay_dim_is_static(f->step[i]) ? f->step[i].lo : 1;
    return inlay_slice_axes(&s, rank, f->axis, why, sizeof why) || inlay_infer_fail(cx, "%s", why);
}

static bool read_lists(inlay_infer *cx, const struct slice_inputs *p, int rank,
                       struct slice_facts *f)
{
    inlay_dim n;

    if (!check_lengths(cx, p, &n))
        return false;
    f->n = inlay_dim_is_static(n) && n.lo <= INT32_MAX ? (int)n.lo : -1;
    f->start = list_of(cx, p->start);
    f->stop = list_of(cx, p->stop);
    f->step = list_of(cx, p->step);
    f->step_is_one = !in_has(cx, p->step);
    f->axes_known = false;
    return f->n < 0 || find_axes(cx, p, rank, f);
}

static inlay_dim entry(const inlay_dim *list, int i)
{
    return list ? list[i] : inlay_dim_unknown_value();
}

/* Returns bounds of what entry I leaves of an axis of SIZE elements. */
static inlay_dim bounds(const struct slice_facts *f, int i, inlay_dim size)
{
    inlay_dim start = entry(f->start, i), stop = entry(f->stop, i);
    inlay_dim step = f->step_is_one ? inlay_dim_of(1) : entry(f->step, i);

    if (inlay_dim_is_static(start) && inlay_dim_is_static(stop) && inlay_dim_is_static(step))
        return inlay_window_length(start.lo, stop.lo, step.lo, size);
    if (inlay_dim_is_static(step) && step.lo == 1 && inlay_dim_is_static(start) && start.lo == 0 &&
        stop.lo >= 0)
        return inlay_dim_min(stop, size);
    size.lo = 0;
    size.id = 0;
    if (!inlay_dim_is_static(step) || step.lo == INT64_MIN)
        return size;
    return inlay_dim_div_ceil(size, step.lo < 0 ? -step.lo : step.lo);
}

/* Sets *AT to the position that X means on an axis of SIZE elements, where a number below 0 counts
 * from the end. *SURE: it is between 0 and SIZE in every run, so that it is not clamped. */
static bool position(inlay_infer *cx, inlay_dim x, inlay_dim size, inlay_dim *at, bool *sure)
{
    inlay_dim left;

    *at = x.lo >= size.hi ? size : x.hi < 0 ? inlay_dim_add(size, x) : x;
    if ((x.hi < 0 && !sum_name(cx, size, 1, x, at)) || !sum_less(cx, size, *at, &left))
        return false;
    *sure = at->lo >= 0 && left.lo >= 0;
    return true;
}

/* Gives *LENGTH, bounds of what START:STOP leaves of an axis of SIZE elements, the identity of
 * their distance where neither is clamped. */
static bool name_distance(inlay_infer *cx, inlay_dim start, inlay_dim stop, inlay_dim size,
                          inlay_dim *length)
{
    inlay_dim first, last, distance;
    bool first_is_sure, last_is_sure;

    if (!position(cx, start, size, &first, &first_is_sure) ||
        !position(cx, stop, size, &last, &last_is_sure) || !sum_less(cx, last, first, &distance))
        return false;
    if (first_is_sure && last_is_sure && distance.lo >= 0)
        inlay_dim_merge(distance, *length, length);
    return true;
}

/* Sets *LENGTH to what entry I leaves of an axis of SIZE elements. */
static bool sliced(inlay_infer *cx, const struct slice_facts *f, int i, inlay_dim size,
                   inlay_dim *length)
{
    inlay_dim step = f->step_is_one ? inlay_dim_of(1) : entry(f->step, i);

    *length = bounds(f, i, size);
    if (inlay_dim_is_static(*length) || length->id != 0 || step.lo != 1 || step.hi != 1)
        return true;
    return name_distance(cx, entry(f->start, i), entry(f->stop, i), size, length);
}

static bool slice_shape(inlay_infer *cx, const struct slice_facts *f, inlay_shape *s)
{
    bool ok = true;

    if (f->n < 0 || !f->axes_known) { /* any axis may be cut */
        for (int i = 0; i < s->rank; i++)
            s->dim[i] = (inlay_dim){0, s->dim[i].hi, 0};
        return true;
    }
    for (int i = 0; ok && i < f->n; i++)
        ok = sliced(cx, f, i, s->dim[f->axis[i]], &s->dim[f->axis[i]]);
    return ok;
}

/* Finds the known elements of a slice of a list of integers. */
static bool slice_known(inlay_infer *cx, const struct slice_facts *f)
{
    inlay_dim known[INLAY_MAX_KNOWN], start, stop, step;
    inlay_window w;
    int n;
    const inlay_dim *data = in_known(cx, 0, &n);

    if (!data || in_rank(cx, 0) != 1 || f->n < 0)
        return true;
    if (f->n == 0)
        return inlay_infer_set_known(cx, 0, data, n);
    start = entry(f->start, 0);
    stop = entry(f->stop, 0);
    step = f->step_is_one ? inlay_dim_of(1) : entry(f->step, 0);
    if (!inlay_dim_is_static(start) || !inlay_dim_is_static(stop) || !inlay_dim_is_static(step))
        return true;
    w = inlay_window_normalise(start.lo, stop.lo, step.lo, n);
    for (int64_t i = 0; i < w.count; i++)
        known[i] = data[i == 0 ? w.begin : w.begin + i * w.step];
    return inlay_infer_set_known(cx, 0, known, (int)w.count);
}

static bool infer_slice_with(inlay_infer *cx, const struct slice_inputs *p)
{
    struct slice_facts f;
    inlay_shape s;

    inlay_infer_shape(cx, 0, &s);
    if (!in_check_rank(cx, 0, 1, -1) ||
        !read_lists(cx, p, s.rank < 0 ? INLAY_MAX_RANK : s.rank, &f))
        return false;
    if (s.rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    return slice_shape(cx, &f, &s) && inlay_infer_set_out(cx, 0, cx->in[0]->type, &s) &&
           slice_known(cx, &f);
}

bool infer_slice(inlay_infer *cx)
{
    return infer_slice_with(cx, &openvino_slice);
}

bool infer_onnx_slice(inlay_infer *cx)
{
    return infer_slice_with(cx, &onnx);
}

/* ONNX Slice-1 has its lists as attributes. */
bool infer_onnx_slice_1(inlay_infer *cx)
{
    int n_start, n_stop, n_axes, axis[INLAY_MAX_RANK];
    inlay_slice s = {.start = inlay_node_ints(cx->node, "starts", &n_start),
                     .stop = inlay_node_ints(cx->node, "ends", &n_stop),
                     .axes = inlay_node_ints(cx->node, "axes", &n_axes),
                     .step_name = "steps",
                     .axes_name = "axes"};
    inlay_shape shape;
    char why[160];

    inlay_infer_shape(cx, 0, &shape);
    if (!in_check_rank(cx, 0, 1, -1))
        return false;
    s.n = n_start;
    if (n_stop != n_start)
        return inlay_infer_fail(cx, "starts has %d element%s, ends has %d", n_start,
                                inlay_plural(n_start, "", "s"), n_stop);
    if (s.axes && n_axes != n_start)
        return inlay_infer_fail(cx, "starts has %d element%s, axes has %d", n_start,
                                inlay_plural(n_start, "", "s"), n_axes);
    if (shape.rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (!inlay_slice_axes(&s, shape.rank, axis, why, sizeof why))
        return inlay_infer_fail(cx, "%s", why);
    for (int i = 0; i < s.n; i++)
        shape.dim[axis[i]] = inlay_window_length(s.start[i], s.stop[i], 1, shape.dim[axis[i]]);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &shape);
}

/* The updates must have exactly the shape of the window; they are not broadcast. */
bool infer_slice_scatter(inlay_infer *cx)
{
    struct slice_facts f;
    inlay_shape window, updates;

    inlay_infer_shape(cx, 0, &window);
    inlay_infer_shape(cx, 1, &updates);
    if (!in_check_rank(cx, 0, 1, -1) ||
        !read_lists(cx, &openvino_scatter, window.rank < 0 ? INLAY_MAX_RANK : window.rank, &f))
        return false;
    if (window.rank < 0)
        return in_check_rank(cx, 1, 1, -1) && set_out_unknown(cx, 0, cx->in[0]->type);
    if (!in_check_rank(cx, 1, window.rank, window.rank))
        return false;
    if (!slice_shape(cx, &f, &window))
        return false;
    for (int i = 0; i < updates.rank; i++) {
        if (!merge_dim(cx, 1, i, updates.dim[i], &window.dim[i]))
            return false;
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}
