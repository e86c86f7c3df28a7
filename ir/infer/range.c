/* Range, NonZero, OneHot, Eye: the output's size is a number in an operand, or depends on data. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <math.h>

/* X receives the value of operand I as a double, when that is known. */
static bool number(const inlay_infer *cx, int i, double *x)
{
    const inlay_tensor *t = cx->in[i]->content;
    int64_t n;

    if (t && inlay_tensor_count(t) == 1) {
        *x = inlay_tensor_get_f64(t, 0);
        return true;
    }
    if (!in_int(cx, i, &n))
        return false;
    *x = (double)n;
    return true;
}

/* Returns the value of operand I as an integer: a fraction is cut off. The interval of a u64 whose
 * bits are not known may end at 2^63-1, which stands for every larger number too. */
static inlay_dim integer(const inlay_infer *cx, int i)
{
    const inlay_tensor *t = cx->in[i]->content;
    int n;
    const inlay_dim *known = in_known(cx, i, &n);

    if (t && inlay_tensor_count(t) == 1)
        return inlay_dim_of(inlay_tensor_get_i64(t, 0));
    if (!known || n != 1)
        return inlay_dim_unknown_value();
    if (known[0].lo == INT64_MAX)
        return (inlay_dim){INT64_MAX - 1, INT64_MAX, 0};
    return known[0];
}

/* max(ceil((stop - start) / step), 0) in floating point */
static bool float_length(inlay_infer *cx, inlay_dim *n)
{
    double start, stop, step, count;

    *n = inlay_dim_any();
    if (number(cx, 2, &step) && step == 0)
        return inlay_infer_fail(cx, "step is 0, it must not be zero");
    if (!number(cx, 0, &start) || !number(cx, 1, &stop) || !number(cx, 2, &step))
        return true;
    if (!isfinite(start) || !isfinite(stop) || !isfinite(step))
        return inlay_infer_fail(cx, "start %g, stop %g and step %g must be finite", start, stop,
                                step);
    count = ceil((stop - start) / step);
    if (count >= 9007199254740992.0)
        return inlay_infer_fail(cx, "the range from %g to %g by %g has too many elements", start,
                                stop, step);
    *n = inlay_dim_of(count > 0 ? (int64_t)count : 0);
    return true;
}

/* Whether X, bits of a u64, are a number that no interval can hold. */
static bool is_above(inlay_type type, inlay_dim x)
{
    return type == INLAY_U64 && inlay_dim_is_static(x) && x.lo < 0;
}

/* Whether operand I, which is X, is a number like that. */
static bool is_operand_above(const inlay_infer *cx, int i, inlay_dim x)
{
    inlay_type type = cx->in[i]->type;

    return is_above(type == INLAY_DYNAMIC ? INLAY_U64 : type, x);
}

/* Returns the same length for integers, exactly: operands may have several types, and one is below
 * zero by its own. A distance of 2^64 or more is UINT64_MAX elements. */
static uint64_t exact_length(const inlay_infer *cx, int64_t start, int64_t stop, int64_t step)
{
    const int64_t x[] = {start, stop, step};
    bool below[3], backward, ahead;
    uint64_t distance, by;

    for (int i = 0; i < 3; i++)
        below[i] = x[i] < 0 && !is_operand_above(cx, i, inlay_dim_of(x[i]));
    backward = below[2];
    ahead = below[0] != below[1] ? below[0] : (uint64_t)start < (uint64_t)stop;
    if (ahead == backward || (start == stop && below[0] == below[1]))
        return 0;
    distance = backward ? (uint64_t)start - (uint64_t)stop : (uint64_t)stop - (uint64_t)start;
    by = backward ? 0 - (uint64_t)step : (uint64_t)step;
    if (below[0] != below[1] && distance <= (uint64_t)(below[0] ? stop : start))
        return UINT64_MAX;
    return (distance - 1) / by + 1;
}

/* N receives the length as an interval. From 0 by steps of 1 the length is `stop` itself, with its
 * identity. */
static bool int_length(inlay_infer *cx, inlay_dim *n)
{
    inlay_dim start = integer(cx, 0), stop = integer(cx, 1), step = integer(cx, 2), distance;
    uint64_t exact;

    *n = inlay_dim_any();
    if (step.lo == 0 && step.hi == 0)
        return inlay_infer_fail(cx, "step is 0, it must not be zero");
    if (!inlay_dim_is_static(step))
        return true;
    if (!inlay_dim_is_static(start) || !inlay_dim_is_static(stop)) {
        if (is_operand_above(cx, 0, start) || is_operand_above(cx, 1, stop) ||
            is_operand_above(cx, 2, step))
            return true;
        if (!(step.lo > 0 ? sum_less(cx, stop, start, &distance)
                          : sum_less(cx, start, stop, &distance)))
            return false;
        if (step.lo != INT64_MIN)
            *n = inlay_dim_max(inlay_dim_of(0),
                               inlay_dim_div_ceil(distance, step.lo > 0 ? step.lo : -step.lo));
        return true;
    }
    exact = exact_length(cx, start.lo, stop.lo, step.lo);
    if (exact >= INT64_MAX)
        return inlay_infer_fail(cx, "the range from %lld to %lld has too many elements",
                                (long long)start.lo, (long long)stop.lo);
    *n = inlay_dim_of((int64_t)exact);
    return true;
}

static bool range_known(inlay_infer *cx, inlay_type type, inlay_dim n)
{
    inlay_dim known[INLAY_MAX_KNOWN], start = integer(cx, 0), step = integer(cx, 2);

    if (!inlay_dim_is_static(n) || n.lo > INLAY_MAX_KNOWN || !inlay_dim_is_static(start) ||
        !inlay_dim_is_static(step) || is_operand_above(cx, 2, step))
        return true;
    for (int64_t i = 0; i < n.lo; i++) {
        known[i] = inlay_dim_of((int64_t)((uint64_t)start.lo + (uint64_t)i * (uint64_t)step.lo));
        if (is_above(type, known[i]))
            return true;
    }
    return inlay_infer_set_known(cx, 0, known, (int)n.lo);
}

/* Range-4 casts its operands to output_type first; Range-1 has them in one type already. */
bool infer_range(inlay_infer *cx)
{
    const inlay_attr *output_type = inlay_node_attr(cx->node, "output_type");
    inlay_type type = output_type ? output_type->as.type : cx->in[0]->type;
    bool is_int = inlay_type_is_int(type);
    inlay_shape out = {.rank = 1};

    if (!is_int && !inlay_type_is_float(type) && type != INLAY_DYNAMIC)
        return inlay_infer_fail(cx, "output_type is %s, it must be numeric",
                                inlay_type_info_of(type)->name);
    for (int i = 0; i < 3; i++) {
        if (!in_check_one(cx, i))
            return false;
    }
    if (!(is_int ? int_length(cx, &out.dim[0]) : float_length(cx, &out.dim[0])))
        return false;
    return inlay_infer_set_out(cx, 0, type, &out) && (!is_int || range_known(cx, type, out.dim[0]));
}

/* [rank, number of elements that are not zero] */
bool infer_non_zero(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "output_type");
    inlay_dim count = inlay_dim_of(1);
    inlay_shape data, out = {.rank = 2};

    inlay_infer_shape(cx, 0, &data);
    if (type != INLAY_I64 && type != INLAY_I32)
        return inlay_infer_fail(cx, "output_type is %s, it must be i64 or i32",
                                inlay_type_info_of(type)->name);
    for (int i = 0; i < data.rank; i++)
        count = inlay_dim_mul(count, data.dim[i]);
    out.dim[0] = data.rank < 0 ? inlay_dim_any() : inlay_dim_of(data.rank);
    out.dim[1] = (inlay_dim){0, data.rank < 0 ? INLAY_DIM_MAX : count.hi, 0};
    return inlay_infer_set_out(cx, 0, type, &out);
}

/* indices' shape with a new axis of `depth` elements */
bool infer_one_hot(inlay_infer *cx)
{
    inlay_type type = cx->in[2]->type;
    const inlay_dim *depth;
    inlay_shape indices, out;
    int axis, n;

    inlay_infer_shape(cx, 0, &indices);
    for (int i = 1; i < 4; i++) {
        if (!in_check_one(cx, i))
            return false;
    }
    depth = in_known(cx, 1, &n);
    if (depth && depth[0].hi < 1)
        return inlay_infer_fail(cx, "depth is %lld, it must be positive", (long long)depth[0].hi);
    if (indices.rank < 0)
        return set_out_unknown(cx, 0, type);
    if (indices.rank == INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "the result would have more than %d dimensions",
                                INLAY_MAX_RANK);
    out.rank = indices.rank + 1;
    if (!inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), out.rank, &axis))
        return false;
    for (int i = 0; i < out.rank; i++)
        out.dim[i] = i < axis ? indices.dim[i] : indices.dim[i > axis ? i - 1 : i];
    out.dim[axis] = depth ? depth[0] : (inlay_dim){1, INLAY_DIM_MAX, 0};
    if (out.dim[axis].lo < 1)
        out.dim[axis].lo = 1;
    return inlay_infer_set_out(cx, 0, type, &out);
}

/* batch_shape + [num_rows, num_columns] */
bool infer_eye(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "output_type");
    inlay_dim batch = inlay_dim_of(0);
    const inlay_dim *known;
    inlay_shape out;
    int n;

    if (!inlay_type_is_int(type) && !inlay_type_is_float(type))
        return inlay_infer_fail(cx, "output_type is %s, it must be numeric",
                                inlay_type_info_of(type)->name);
    for (int i = 0; i < 3; i++) {
        if (!in_check_one(cx, i))
            return false;
    }
    if (in_has(cx, 3) && !in_length(cx, 3, false, &batch))
        return false;
    if (!inlay_dim_is_static(batch))
        return set_out_unknown(cx, 0, type);
    if (batch.lo > INLAY_MAX_RANK - 2)
        return inlay_infer_fail(cx, "the result would have more than %d dimensions",
                                INLAY_MAX_RANK);
    inlay_shape_of_rank(&out, (int)batch.lo + 2);
    for (int i = 0; i < out.rank; i++) {
        int operand = i < batch.lo ? 3 : i - (int)batch.lo;

        known = in_known(cx, operand, &n);
        if (!known)
            continue;
        out.dim[i] = known[operand == 3 ? i : 0];
        if (out.dim[i].hi < 0)
            return inlay_infer_fail(cx, "%s is %lld, it must not be negative", in_name(cx, operand),
                                    (long long)out.dim[i].hi);
        out.dim[i].lo = out.dim[i].lo < 0 ? 0 : out.dim[i].lo;
    }
    return inlay_infer_set_out(cx, 0, type, &out);
}
