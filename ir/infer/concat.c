/* Concat, Split, VariadicSplit: join and split along one axis. */
#include "ir/base/arena.h"
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <stdio.h>

/* Known elements of integer lists are joined; those of an unknown list may be any numbers. */
static bool concat_known(inlay_infer *cx)
{
    inlay_dim known[INLAY_MAX_KNOWN];
    int total = 0;
    bool some = false;

    for (int i = 0; i < cx->n_in && cx->out[0].rank == 1; i++) {
        inlay_dim length = in_rank(cx, i) == 1 ? cx->in[i]->dims[0] : inlay_dim_any();
        int n;
        const inlay_dim *x = in_known(cx, i, &n);

        if (!inlay_dim_is_static(length) || length.lo > INLAY_MAX_KNOWN - total)
            return true;
        some = some || (x && n > 0);
        for (int k = 0; k < (int)length.lo; k++)
            known[total++] = x ? x[k] : inlay_dim_unknown_value();
    }
    return !some || inlay_infer_set_known(cx, 0, known, total);
}

/* Returns the rank of the first operand whose rank is known; all have the same. Returns -1 where no
 * rank is known. */
static int some_rank(const inlay_infer *cx)
{
    for (int i = 0; i < cx->n_in; i++) {
        if (in_rank(cx, i) >= 0)
            return in_rank(cx, i);
    }
    return -1;
}

/* The operands have one rank, and the same dims except on the axis, where their dims add up. */
bool infer_concat(inlay_infer *cx)
{
    int rank = some_rank(cx), axis;
    inlay_shape out, s;
    inlay_dim length = inlay_dim_of(0);
    inlay_dim_sum sum = {0};
    bool known = true;

    for (int i = 0; i < cx->n_in; i++) {
        if (!in_check_rank(cx, i, 1, -1))
            return false;
    }
    if (rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (!inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), rank, &axis))
        return false;
    inlay_shape_of_rank(&out, rank);
    for (int i = 0; i < cx->n_in; i++) {
        if (!in_check_rank(cx, i, rank, rank))
            return false;
        inlay_infer_shape(cx, i, &s);
        if (s.rank < 0)
            inlay_shape_of_rank(&s, rank);
        for (int d = 0; d < rank; d++) {
            if (d != axis && !merge_dim(cx, i, d, s.dim[d], &out.dim[d]))
                return false;
        }
        length = inlay_dim_add(length, s.dim[axis]);
        known = known && sum_add(cx, &sum, 1, s.dim[axis]);
    }
    if (known && !inlay_dim_sum_name(cx->node->graph, &sum, &length, cx->diags))
        return false;
    out.dim[axis] = length;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) && concat_known(cx);
}

/* AXIS receives the axis that the operand of a split says; -1: the axis is not known. */
static bool split_axis(inlay_infer *cx, int rank, int *axis)
{
    int64_t x;

    *axis = -1;
    if (!in_check_one(cx, 1))
        return false;
    return rank < 0 || !in_int(cx, 1, &x) || inlay_infer_axis(cx, "axis", x, rank, axis);
}

/* Output I has the shape DATA except on the axis, where it has N elements. */
static bool set_piece(inlay_infer *cx, int i, inlay_shape data, int axis, inlay_dim n)
{
    for (int d = 0; axis < 0 && d < data.rank; d++) /* any axis may be the one that is split */
        data.dim[d] = (inlay_dim){0, data.dim[d].hi, 0};
    if (axis >= 0 && data.rank >= 0)
        data.dim[axis] = n;
    return inlay_infer_set_out(cx, i, cx->in[0]->type, &data);
}

/* COUNT known elements of a list of integers, from FIRST on, become output I. */
static bool piece_known(inlay_infer *cx, int i, int first, int count)
{
    int n;
    const inlay_dim *x = in_known(cx, 0, &n);

    if (!x || in_rank(cx, 0) != 1 || first < 0 || count < 0 || count > n - first)
        return true;
    return inlay_infer_set_known(cx, i, x + first, count);
}

bool infer_split(inlay_infer *cx)
{
    int64_t n = inlay_node_int(cx->node, "num_splits");
    inlay_dim piece = inlay_dim_any();
    inlay_shape data;
    int axis;

    inlay_infer_shape(cx, 0, &data);
    if (n < 1)
        return inlay_infer_fail(cx, "num_splits is %lld, it must be 1 or more", (long long)n);
    if (n != cx->n_out)
        return inlay_infer_fail(cx, "num_splits is %lld, there %s %d output%s", (long long)n,
                                inlay_plural(cx->n_out, "is", "are"), cx->n_out,
                                inlay_plural(cx->n_out, "", "s"));
    if (!in_check_rank(cx, 0, 1, -1) || !split_axis(cx, data.rank, &axis))
        return false;
    if (axis >= 0) {
        inlay_dim size = data.dim[axis];

        if (inlay_dim_is_static(size) && size.lo % n != 0)
            return inlay_infer_fail(
                cx,
                "axis %d of data %s has %lld element%s, which is not divisible by "
                "num_splits %lld",
                axis, in_text(cx, 0), (long long)size.lo, inlay_plural(size.lo, "", "s"),
                (long long)n);
        piece = (inlay_dim){inlay_dim_div_ceil(size, n).lo, inlay_dim_div_floor(size, n).hi,
                            n == 1 ? size.id : 0};
        if (piece.lo > piece.hi)
            return inlay_infer_fail(cx, "axis %d of data %s cannot be divided by num_splits %lld",
                                    axis, in_text(cx, 0), (long long)n);
        if (!inlay_dim_is_static(piece) && piece.id == 0)
            piece = fresh_dim(cx, piece.lo, piece.hi); /* all pieces have the same size */
    }
    for (int i = 0; i < cx->n_out; i++) {
        if (!set_piece(cx, i, data, axis, piece) ||
            !piece_known(cx, i, i * (int)piece.lo,
                         inlay_dim_is_static(piece) && piece.lo <= INLAY_MAX_KNOWN ? (int)piece.lo
                                                                                   : -1))
            return false;
    }
    return true;
}

/* Checks the lengths against SIZE, and replaces a -1 by the rest. */
static bool resolve_lengths(inlay_infer *cx, inlay_dim size, inlay_dim *length, int n)
{
    inlay_dim sum = inlay_dim_of(0);
    inlay_dim_sum left = {0};
    bool known = sum_add(cx, &left, 1, size);
    int rest = -1;

    for (int i = 0; i < n; i++) {
        if (inlay_dim_is_static(length[i]) && length[i].lo < -1)
            return inlay_infer_fail(cx, "split_lengths[%d] is %lld, it must be -1 or more", i,
                                    (long long)length[i].lo);
        if (inlay_dim_is_static(length[i]) && length[i].lo == -1) {
            if (rest >= 0)
                return inlay_infer_fail(cx, "split_lengths[%d] and split_lengths[%d] are both -1",
                                        rest, i);
            rest = i;
            continue;
        }
        if (length[i].lo < 0) /* the length may be -1 or any other, so nothing is known */
            length[i] = inlay_dim_any(), sum = inlay_dim_any();
        sum = inlay_dim_add(sum, length[i]);
        known = known && sum_add(cx, &left, -1, length[i]);
    }
    if (sum.lo > size.hi || (rest < 0 && sum.hi < size.lo)) {
        char a[64], b[64];

        return inlay_infer_fail(cx, "split_lengths add up to %s, the axis has %s elements",
                                inlay_dim_text(sum, a, sizeof a),
                                inlay_dim_text(size, b, sizeof b));
    }
    if (rest >= 0) {
        length[rest] = inlay_dim_sub(size, sum);
        if (length[rest].lo < 0)
            length[rest].lo = 0;
    }
    return rest < 0 || !known ||
           inlay_dim_sum_name(cx->node->graph, &left, &length[rest], cx->diags);
}

/* Reads the lengths of a constant from its tensor if the list is too long to be among the known
 * values. */
static bool content_lengths(const inlay_infer *cx, inlay_dim *length)
{
    const inlay_tensor *t = cx->in[2]->content;
    int n;
    const inlay_dim *known = in_known(cx, 2, &n);

    for (int i = 0; i < cx->n_out; i++)
        length[i] = known ? known[i]
                    : t   ? inlay_dim_of(inlay_tensor_get_i64(t, i))
                          : inlay_dim_any();
    return known || t;
}

bool infer_variadic_split(inlay_infer *cx)
{
    inlay_shape data;
    inlay_dim n, *length;
    int axis, first = 0;
    bool known;

    inlay_infer_shape(cx, 0, &data);
    if (!in_check_rank(cx, 0, 1, -1) || !split_axis(cx, data.rank, &axis) ||
        !in_length(cx, 2, false, &n))
        return false;
    if (n.lo > cx->n_out || n.hi < cx->n_out)
        return inlay_infer_fail(cx, "input 2 \"split_lengths\" has shape %s, there %s %d output%s",
                                in_text(cx, 2), inlay_plural(cx->n_out, "is", "are"), cx->n_out,
                                inlay_plural(cx->n_out, "", "s"));
    length = inlay_arena_array(cx->arena, (size_t)cx->n_out, sizeof *length);
    if (!length)
        return inlay_fail_memory(cx->diags);
    known = inlay_dim_is_static(n) && content_lengths(cx, length);
    if (known &&
        !resolve_lengths(cx, axis < 0 ? inlay_dim_any() : data.dim[axis], length, cx->n_out))
        return false;
    for (int i = 0; i < cx->n_out; i++) {
        inlay_dim size = known ? length[i] : inlay_dim_any();
        int count = inlay_dim_is_static(size) && size.lo <= INLAY_MAX_KNOWN ? (int)size.lo : -1;

        if (!set_piece(cx, i, data, axis, size) || !piece_known(cx, i, first, count))
            return false;
        first = first < 0 || count < 0 ? -1 : first + count;
    }
    return true;
}
