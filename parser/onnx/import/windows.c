/* Exports of windows that are written, of slices with masks, of rolls, and of the scatters of other
 * dialects. */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <string.h>

/* A list of one with element I of the list LIST. */
static const char *element(onnx_export *x, const char *list, int i)
{
    return put_cut(x, list, 0, i, i + 1, 1);
}

/* The size of AXIS of operand I, as a list of one. */
static const char *size_of(onnx_export *x, int i, int axis)
{
    int64_t size = put_size(x, i, axis);

    return size >= 0 ? put_list(x, &size, 1)
                     : element(x, put(x, "Shape", IN(put_in(x, i)), NULL), axis);
}

/* Where windows begin, axis by axis. */
typedef struct windows {
    onnx_export *x;
    int rank, n;
    int64_t axes[INLAY_MAX_RANK], starts[INLAY_MAX_RANK], steps[INLAY_MAX_RANK];
    bool known; /* STARTS */
} windows;

/* Where window K begins, as a list of one number in [0, size of the axis]. */
static const char *start_of(const windows *w, int k)
{
    onnx_export *x = w->x;
    int64_t size = put_size(x, 0, (int)w->axes[k]), start = w->starts[k], last = w->steps[k] < 0;
    const char *from, *whole;

    if (w->known && (size >= 0 || start >= 0)) {
        start += start < 0 ? size : 0;
        start = start < 0 ? 0 : size >= 0 && start > size - last ? size - last : start;
        return put_list(x, &start, 1);
    }
    whole = size_of(x, 0, (int)w->axes[k]);
    from = element(x, put_i64_list(x, 2), k);
    from =
        put(x, "Where",
            IN(put_binary(x, "Less", from, put_int(x, 0)), put_binary(x, "Add", from, whole), from),
            NULL);
    return put(x, "Min",
               IN(put_binary(x, "Max", from, put_int(x, 0)),
                  put_binary(x, "Sub", whole, put_int(x, last))),
               NULL);
}

/* The places that window K, which holds as many as UPDATES have along its axis, covers. */
static const char *places_of(const windows *w, int k)
{
    onnx_export *x = w->x;
    int64_t count = put_size(x, 1, (int)w->axes[k]), list[INLAY_MAX_KNOWN], start = w->starts[k],
            size = put_size(x, 0, (int)w->axes[k]);
    const char *steps;

    if (w->known && count >= 0 && count <= INLAY_MAX_KNOWN && size >= 0) {
        start += start < 0 ? size : 0;
        start = start < 0 ? 0 : w->steps[k] < 0 && start > size - 1 ? size - 1 : start;
        for (int64_t i = 0; i < count; i++)
            list[i] = start + i * w->steps[k];
        return put_list(x, list, (int)count);
    }
    steps = put_squeeze(x, size_of(x, 1, (int)w->axes[k]), (int64_t[]){0}, 1);
    steps = put(x, "Range", IN(put_int(x, 0), steps, put_int(x, 1)), NULL);
    return put_binary(x, "Add", start_of(w, k),
                      put_binary(x, "Mul", steps, put_int(x, w->steps[k])));
}

/* V with UPDATES in windows K and following. A window of neighbours stands between what is before
 * and behind it; but rows are scattered, and so is a small window (put_rows), if that takes no more
 * than what finds its places. */
static const char *written(const windows *w, const char *v, const char *updates, int k)
{
    enum { LARGE = 1 << 14 };
    const inlay_fact within = {.rank = w->rank}; /* what lies in other windows has other sizes */
    onnx_export *x = w->x;
    int axis = (int)w->axes[k];
    int64_t at = axis, none = 0, all = INT64_MAX,
            count = w->n == 1 ? put_count(put_fact(x, 0)) : -1, n = put_count(put_fact(x, 1));
    bool small = w->n == 1 && n >= 0 && n <= count / 16 && (w->known || count >= LARGE);
    bool neighbours = w->rank < 0 || (w->steps[k] == 1 && !(axis == 0 && w->n == 1) && !small);
    const char *start = neighbours ? start_of(w, k) : NULL, *stop, *places, *before, *behind;

    if (neighbours) {
        stop = put_binary(x, "Add", start, size_of(x, 1, axis));
        if (k + 1 < w->n)
            updates = written(w, put(x, "Slice", IN(v, start, stop, put_list(x, &at, 1)), NULL),
                              updates, k + 1);
        before = put(x, "Slice", IN(v, put_list(x, &none, 1), start, put_list(x, &at, 1)), NULL);
        behind = put(x, "Slice", IN(v, stop, put_list(x, &all, 1), put_list(x, &at, 1)), NULL);
        return put(x, "Concat", IN(before, updates, behind), ATTRS(INT("axis", axis)));
    }
    places = places_of(w, k);
    if (k + 1 < w->n)
        updates =
            written(w, put(x, "Gather", IN(v, places), ATTRS(INT("axis", axis))), updates, k + 1);
    return put_rows(x, v, w->n == 1 && put_fact(x, 0)->rank >= 0 ? put_fact(x, 0) : &within, axis,
                    places, updates, n);
}

/* Whether what W writes can be said without its rank: neighbours along axes from the first on. */
static bool needs_no_rank(const windows *w)
{
    bool fine = true;

    for (int i = 0; i < w->n; i++)
        fine = fine && w->steps[i] == 1 && w->axes[i] >= 0;
    return fine;
}

static bool export_slice_scatter(onnx_export *x)
{
    windows w = {.x = x, .rank = put_fact(x, 0)->rank};
    int count;

    w.rank = w.rank < 0 ? put_fact(x, 1)->rank : w.rank;
    if ((count = put_known(x, 4, w.steps, INLAY_MAX_RANK)) < 0)
        return false;
    w.n = count;
    w.known = put_seen(x, 2, w.starts, INLAY_MAX_RANK) == count;
    for (int i = 0; i < count; i++)
        w.axes[i] = i;
    if (inlay_node_input(x->n, 5) && put_axes(x, 5, w.rank < 0 ? 0 : w.rank, w.axes) != count)
        return false;
    if (w.rank < 0 && !needs_no_rank(&w))
        return put_rank(x, 0) >= 0;
    return put_give(x, 0, count == 0 ? put_in(x, 1) : written(&w, put_in(x, 0), put_in(x, 1), 0));
}

/* Element I of begin, end or step of a StridedSlice (operand K), which may be known. */
typedef struct bounds {
    int64_t list[4][INLAY_MAX_RANK];
    bool known[4];
} bounds;

static const char *bound(onnx_export *x, const bounds *b, int k, int i)
{
    return b->known[k] ? put_list(x, &b->list[k][i], 1) : element(x, put_i64_list(x, k), i);
}

/* Cuts V along an axis of data as entry I says; the axis stays, with one element where it shrinks.
 */
static const char *cut_entry(onnx_export *x, const char *v, const bounds *b,
                             const inlay_strided_entry *e, int i)
{
    int64_t axis = e->axis, step = b->list[3][i], all = step < 0 ? INT64_MIN : INT64_MAX,
            first = step < 0 ? INT64_MAX : 0;
    const char *start, *stop;

    if (e->shrinks) {
        first = 0;
        return put(x, "Gather", IN(v, e->from_first ? put_list(x, &first, 1) : bound(x, b, 1, i)),
                   ATTRS(INT("axis", axis)));
    }
    if (e->from_first && e->to_last && step == 1)
        return v;
    start = e->from_first ? put_list(x, &first, 1) : bound(x, b, 1, i);
    stop = e->to_last ? put_list(x, &all, 1) : bound(x, b, 2, i);
    return put(x, "Slice", IN(v, start, stop, put_list(x, &axis, 1), put_list(x, &step, 1)), NULL);
}

static bool export_strided_slice(onnx_export *x)
{
    inlay_strided_entry entries[INLAY_MAX_RANK];
    int64_t gone[INLAY_MAX_RANK], fresh[INLAY_MAX_RANK], count = put_size(x, 1, 0);
    int rank = put_rank(x, 0), n_gone = 0, n_fresh = 0, at = 0, axis = 0;
    bounds b = {.known = {false}};
    const char *v = put_in(x, 0);
    char why[200];

    if (rank < 0)
        return false;
    if (count < 0 || count > INLAY_MAX_RANK)
        return put_refuse(x, "how many entries it has is not known");
    if (!inlay_strided_entries(x->n, (int)count, rank, entries, why, sizeof why))
        return put_refuse(x, "%s", why);
    for (int i = 0; i < count; i++)
        b.list[3][i] = 1;
    for (int k = 1; k < 3; k++)
        b.known[k] = put_seen(x, k, b.list[k], INLAY_MAX_RANK) == count;
    if (inlay_node_input(x->n, 3) && put_known(x, 3, b.list[3], INLAY_MAX_RANK) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        const inlay_strided_entry *e = &entries[i];

        if (e->axis == -1) {
            fresh[n_fresh++] = at++;
        } else if (e->axis >= 0) {
            at += e->axis - axis + !e->shrinks; /* those that an ellipsis stands for, too */
            axis = e->axis + 1;
            if (e->shrinks)
                gone[n_gone++] = e->axis;
            v = cut_entry(x, v, &b, e, i);
        } else {
            int behind = 0;

            for (int k = i + 1; k < count; k++)
                behind += entries[k].axis >= 0;
            at += rank - behind - axis;
            axis = rank - behind;
        }
    }
    v = n_gone ? put_squeeze(x, v, gone, n_gone) : v;
    return put_give(x, 0, n_fresh ? put_unsqueeze(x, v, fresh, n_fresh) : v);
}

/* Behind the end of each axis comes its beginning. */
static bool export_roll(onnx_export *x)
{
    int64_t shift[INLAY_MAX_RANK], axes[INLAY_MAX_RANK];
    int rank = put_rank(x, 0), count = rank < 0 ? -1 : put_axes(x, 2, rank, axes), n;
    const char *v = put_in(x, 0);

    if (count < 0 || (n = put_known(x, 1, shift, INLAY_MAX_RANK)) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        int64_t size = put_size(x, 0, (int)axes[i]), by = shift[n == 1 ? 0 : i];

        if (size < 0 && by != 0)
            return put_refuse(x, "rolls an axis whose size is not known");
        by = size > 0 ? (by % size + size) % size : 0;
        if (by != 0)
            v = put(x, "Concat",
                    IN(put_cut(x, v, (int)axes[i], size - by, INT64_MAX, 1),
                       put_cut(x, v, (int)axes[i], 0, size - by, 1)),
                    ATTRS(INT("axis", axes[i])));
    }
    return put_give(x, 0, v);
}

/* Scatters of elements: one number in place of updates, or updates of which more may be there than
 * indices. */
static bool export_tensor_scatter_(onnx_export *x)
{
    const char *reduce = inlay_node_string(x->n, "reduce"), *updates, *indices = put_i64(x, 1),
               *shape;
    const inlay_attr *value = inlay_node_attr(x->n, "value");
    int rank = put_rank(x, 1);
    int64_t axes[INLAY_MAX_RANK], zeros[INLAY_MAX_RANK] = {0};

    if (rank < 0)
        return false;
    for (int i = 0; i < rank; i++)
        axes[i] = i;
    shape = put(x, "Shape", IN(indices), NULL);
    if (!inlay_node_input(x->n, 2) && !value)
        return put_refuse(x, "neither updates nor a value");
    updates =
        inlay_node_input(x->n, 2)
            ? put(x, "Slice",
                  IN(put_in(x, 2), put_list(x, zeros, rank), shape, put_list(x, axes, rank)), NULL)
            : put_binary(x, "Expand",
                         put_number(x, put_type(x, 0),
                                    value->as.number.integral ? (double)value->as.number.i
                                                              : value->as.number.f),
                         shape);
    return put_give(x, 0,
                    put(x, "ScatterElements", IN(put_in(x, 0), indices, updates),
                        ATTRS(INT("axis", inlay_node_int(x->n, "dim")),
                              WORD("reduction", !reduce                      ? NULL
                                                : strcmp(reduce, "add") == 0 ? "add"
                                                                             : "mul"))));
}

/* An index out of bounds is an error in ONNX, too. */
static bool export_scatter_nd_of_tensorflow(onnx_export *x)
{
    if (strcmp(inlay_node_string(x->n, "bad_indices"), "error") != 0)
        return put_refuse(x, "indices that are ignored");
    return put_give(x, 0, put(x, "ScatterND", IN(put_in(x, 0), put_i64(x, 1), put_in(x, 2)), NULL));
}

static bool export_tensor_scatter(onnx_export *x)
{
    return put_give(x, 0,
                    put(x, "TensorScatter", IN(put_in(x, 0), put_in(x, 1), put_in(x, 2)),
                        ATTRS(INT("axis", inlay_node_int(x->n, "axis")),
                              WORD("mode", inlay_node_string(x->n, "mode")))));
}

/* [.., group * n, ..] as [.., n * group, ..]. */
static bool export_shuffle(onnx_export *x)
{
    int64_t axis = inlay_node_int(x->n, "axis"), group = inlay_node_int(x->n, "group"),
            dims[INLAY_MAX_RANK], all[INLAY_MAX_RANK];
    int rank = put_rank(x, 0), open = -1;
    const char *v;

    axis += axis < 0 ? rank : 0;
    if (rank < 0 || rank >= INLAY_MAX_RANK)
        return false;
    for (int i = 0; i < rank; i++) {
        all[i] = put_size(x, 0, i);
        if (all[i] < 0 && open >= 0)
            return put_refuse(x, "more than one size is not known");
        open = all[i] < 0 ? i : open;
    }
    for (int i = 0; i < rank; i++)
        dims[i < axis ? i : i + 1] = all[i];
    dims[axis] = group;
    dims[axis + 1] = all[axis] < 0 ? -1 : all[axis] / group;
    v = put_reshape_to(x, put_in(x, 0), dims, rank + 1);
    v = put_moved(x, v, rank + 1, (int)axis, (int)axis + 1);
    return put_give(x, 0, put_reshape_to(x, v, all, rank));
}

/* Blocks of space become batches, or back: axes are cut in two, and the second parts go to the
 * front. */
static bool blocks(onnx_export *x, const int64_t *block, const int64_t *dims, int rank,
                   bool to_batch, const char **v)
{
    int64_t cut[2 * INLAY_MAX_RANK], order[2 * INLAY_MAX_RANK], merged[INLAY_MAX_RANK], batch = 1;
    int n = 0;

    for (int i = 1; i < rank; i++)
        batch *= block[i];
    if (2 * rank > INLAY_MAX_RANK)
        return put_refuse(x, "%d axes", rank);
    if (to_batch) {
        cut[n++] = dims[0];
        for (int i = 1; i < rank; i++) {
            cut[n++] = dims[i] / block[i];
            cut[n++] = block[i];
            order[i - 1] = 2 * i;
            order[rank - 1 + i] = 2 * i - 1;
            merged[i] = dims[i] / block[i];
        }
        order[rank - 1] = 0;
        merged[0] = dims[0] * batch;
    } else {
        for (int i = 1; i < rank; i++)
            cut[n++] = block[i];
        cut[n++] = dims[0] / batch;
        order[0] = n - 1;
        for (int i = 1; i < rank; i++) {
            order[2 * i - 1] = n;
            order[2 * i] = i - 1;
            cut[n++] = dims[i];
            merged[i] = dims[i] * block[i];
        }
        merged[0] = dims[0] / batch;
    }
    *v = put_reshape_to(x, put_transpose(x, put_reshape_to(x, *v, cut, n), order, n), merged, rank);
    return *v != NULL;
}

static bool export_space_to_batch(onnx_export *x)
{
    int64_t block[INLAY_MAX_RANK], begin[2 * INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    const char *v = put_in(x, 0);
    int rank = put_rank(x, 0);

    if (rank < 0 || put_known(x, 1, block, INLAY_MAX_RANK) != rank ||
        put_known(x, 2, begin, INLAY_MAX_RANK) != rank ||
        put_known(x, 3, begin + rank, INLAY_MAX_RANK) != rank)
        return false;
    if (!inlay_fact_dims(put_fact(x, 0), dims))
        return put_refuse(x, "sizes that are not known");
    v = put(x, "Pad", IN(v, put_list(x, begin, 2 * rank)), NULL);
    for (int i = 0; i < rank; i++)
        dims[i] += begin[i] + begin[rank + i];
    return blocks(x, block, dims, rank, true, &v) && put_give(x, 0, v);
}

static bool export_batch_to_space(onnx_export *x)
{
    int64_t block[INLAY_MAX_RANK], begin[INLAY_MAX_RANK], end[INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    const char *v = put_in(x, 0);
    int rank = put_rank(x, 0);

    if (rank < 0 || put_known(x, 1, block, INLAY_MAX_RANK) != rank ||
        put_known(x, 2, begin, INLAY_MAX_RANK) != rank ||
        put_known(x, 3, end, INLAY_MAX_RANK) != rank)
        return false;
    if (!inlay_fact_dims(put_fact(x, 0), dims))
        return put_refuse(x, "sizes that are not known");
    if (!blocks(x, block, dims, rank, false, &v))
        return false;
    for (int i = 1; i < rank; i++) {
        int64_t size = dims[i] * block[i];

        v = begin[i] || end[i] ? put_cut(x, v, i, begin[i], size - end[i], 1) : v;
    }
    return put_give(x, 0, v);
}

const onnx_exporter onnx_exporters_windows[] = {
    {"BatchToSpace", export_batch_to_space, NULL, 0, PUT_ANY},
    {"Roll", export_roll, NULL, 0, PUT_ANY},
    {"ShuffleChannels", export_shuffle, NULL, 0, PUT_ANY},
    {"SliceScatter", export_slice_scatter, NULL, 0, PUT_ANY},
    {"SpaceToBatch", export_space_to_batch, NULL, 0, PUT_ANY},
    {"StridedSlice", export_strided_slice, NULL, 0, PUT_ANY},
    {"Tensor.scatter_@mindspore", export_tensor_scatter_, NULL, 0, PUT_ANY},
    {"TensorScatter@onnx", export_tensor_scatter, "TensorScatter", 24, PUT_ANY},
    {"tensor_scatter_nd_update@tensorflow", export_scatter_nd_of_tensorflow, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
