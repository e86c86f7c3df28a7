/* StridedSlice: slicing with masks that replace bounds, add axes and remove axes.
 *
 * Where the specification contradicts itself, we follow numpy, which it names as the equivalent of
 * every example: an end mask on a backward slice includes the first element, an empty range (begin
 * = end) is empty, and an axis that shrinks is indexed: its end and stride are ignored, and an
 * index out of bounds is an error. */
#include "ir/graph/node.h"
#include "ir/infer/infer.h"
#include "ir/tensor/window.h"

/* The lists begin, end and stride; NULL: nothing is known of them. */
struct lists {
    const inlay_dim *begin, *end, *stride;
    bool has_stride;
    int n;
};

static inlay_dim stride_of(const struct lists *l, int i)
{
    if (!l->has_stride)
        return inlay_dim_of(1);
    return l->stride ? l->stride[i] : inlay_dim_unknown_value();
}

static bool read_lists(inlay_infer *cx, struct lists *l, inlay_dim *n)
{
    int count;

    *n = inlay_dim_any();
    for (int i = 1; i < 4; i++) {
        inlay_dim length;

        if (!in_has(cx, i))
            continue;
        if (!in_length(cx, i, false, &length) || !merge_dim(cx, i, 0, length, n))
            return false;
    }
    l->begin = in_known(cx, 1, &count);
    l->end = in_known(cx, 2, &count);
    l->stride = in_known(cx, 3, &count);
    l->has_stride = in_has(cx, 3);
    return true;
}

/* Finds the begin, end and stride of one entry with the masks applied. False: one of them is not a
 * known number. */
static bool bounds(const struct lists *l, int i, const inlay_strided_entry *e, int64_t *begin,
                   int64_t *end, int64_t *stride)
{
    inlay_dim s = e->shrinks ? inlay_dim_of(1) : stride_of(l, i);

    if (!inlay_dim_is_static(s))
        return false;
    *stride = s.lo;
    if (!e->from_first && (!l->begin || !inlay_dim_is_static(l->begin[i])))
        return false;
    *begin = e->from_first ? (s.lo < 0 ? INT64_MAX : 0) : l->begin[i].lo;
    if (e->shrinks) {
        *end = *begin == -1 || *begin == INT64_MAX ? INT64_MAX : *begin + 1;
        return true;
    }
    if (!e->to_last && (!l->end || !inlay_dim_is_static(l->end[i])))
        return false;
    *end = e->to_last ? (s.lo < 0 ? INT64_MIN : INT64_MAX) : l->end[i].lo;
    return true;
}

static bool check_entry(inlay_infer *cx, const struct lists *l, int i, const inlay_strided_entry *e,
                        inlay_dim size)
{
    int64_t begin, end, stride;
    inlay_dim s = stride_of(l, i);

    if (!e->shrinks)
        return s.lo != 0 || s.hi != 0 ||
               inlay_infer_fail(cx, "stride[%d] is 0, it must not be zero", i);
    if (!bounds(l, i, e, &begin, &end, &stride) || (begin < size.hi && begin >= -size.hi))
        return true;
    return inlay_infer_fail(cx, "begin[%d] is %lld, axis %d of data %s has no such element", i,
                            (long long)begin, e->axis, in_text(cx, 0));
}

static inlay_dim sliced(const struct lists *l, int i, const inlay_strided_entry *e, inlay_dim size)
{
    int64_t begin, end, stride;

    if (bounds(l, i, e, &begin, &end, &stride))
        return inlay_window_length(begin, end, stride, size);
    return (inlay_dim){0, size.hi, 0};
}

/* Finds the known elements of the slice of a list of integers. */
static bool known_elements(inlay_infer *cx, const struct lists *l, const inlay_strided_entry *e)
{
    inlay_dim known[INLAY_MAX_KNOWN];
    int64_t begin, end, stride;
    inlay_window w;
    int n;
    const inlay_dim *data = in_known(cx, 0, &n);

    if (!data || in_rank(cx, 0) != 1)
        return true;
    w = (inlay_window){0, n, 1};
    for (int i = 0; i < l->n; i++) {
        if (e[i].axis < 0)
            continue;
        if (!bounds(l, i, &e[i], &begin, &end, &stride))
            return true;
        w = inlay_window_normalise(begin, end, stride, n);
    }
    for (int64_t i = 0; i < w.count; i++)
        known[i] = data[i == 0 ? w.begin : w.begin + i * w.step];
    return inlay_infer_set_known(cx, 0, known, (int)w.count);
}

static bool push(inlay_infer *cx, inlay_shape *s, inlay_dim d)
{
    if (s->rank == INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "the result would have more than %d dimensions",
                                INLAY_MAX_RANK);
    s->dim[s->rank++] = d;
    return true;
}

/* Appends axes FROM up to TO of the data as they are. */
static bool push_axes(inlay_infer *cx, inlay_shape *s, const inlay_shape *data, int from, int to)
{
    for (int i = from; i < to; i++) {
        if (!push(cx, s, data->dim[i]))
            return false;
    }
    return true;
}

static bool out_shape(inlay_infer *cx, const struct lists *l, const inlay_strided_entry *e,
                      const inlay_shape *data, inlay_shape *out)
{
    int axis = 0, skipped = data->rank;

    for (int i = 0; i < l->n; i++)
        skipped -= e[i].axis >= 0;
    out->rank = 0;
    for (int i = 0; i < l->n; i++) {
        if (e[i].axis == -2) {
            if (!push_axes(cx, out, data, axis, axis + skipped))
                return false;
            axis += skipped;
        } else if (e[i].axis == -1) {
            if (!push(cx, out, inlay_dim_of(1)))
                return false;
        } else {
            if (!check_entry(cx, l, i, &e[i], data->dim[axis]) ||
                (!e[i].shrinks && !push(cx, out, sliced(l, i, &e[i], data->dim[axis]))))
                return false;
            axis++;
        }
    }
    return push_axes(cx, out, data, axis, data->rank);
}

bool infer_strided_slice(inlay_infer *cx)
{
    inlay_strided_entry e[2 * INLAY_MAX_RANK + 1];
    struct lists l;
    inlay_shape data, out;
    inlay_dim n;
    char why[160];

    inlay_infer_shape(cx, 0, &data);
    if (!read_lists(cx, &l, &n))
        return false;
    if (data.rank < 0 || !inlay_dim_is_static(n))
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (n.lo > 2 * INLAY_MAX_RANK + 1)
        return inlay_infer_fail(cx, "begin has %lld element%s, at most %d can be of use",
                                (long long)n.lo, inlay_plural(n.lo, "", "s"),
                                2 * INLAY_MAX_RANK + 1);
    l.n = (int)n.lo;
    if (!inlay_strided_entries(cx->node, l.n, data.rank, e, why, sizeof why))
        return inlay_infer_fail(cx, "%s", why);
    return out_shape(cx, &l, e, &data, &out) && inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) &&
           known_elements(cx, &l, e);
}
