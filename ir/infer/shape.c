/* ShapeOf, Reshape, Squeeze, Unsqueeze, Transpose: the same elements in another shape. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* The output has the elements of the data in the same order. */
static bool same_known(inlay_infer *cx)
{
    int n;
    const inlay_dim *known = in_known(cx, 0, &n);

    return !known || inlay_infer_set_known(cx, 0, known, n);
}

bool infer_shape_of(inlay_infer *cx)
{
    const inlay_attr *output_type = inlay_node_attr(cx->node, "output_type");
    inlay_type type = output_type ? output_type->as.type : INLAY_I64;
    inlay_shape data, out = {.rank = 1};

    inlay_infer_shape(cx, 0, &data);
    if (type != INLAY_I64 && type != INLAY_I32)
        return inlay_infer_fail(cx, "output_type is %s, it must be i64 or i32",
                                inlay_type_info_of(type)->name);
    out.dim[0] = data.rank < 0 ? inlay_dim_any() : inlay_dim_of(data.rank);
    return inlay_infer_set_out(cx, 0, type, &out) &&
           (data.rank < 0 || inlay_infer_set_known(cx, 0, data.dim, data.rank));
}

/* A reshape in progress. `copied` marks axes whose size is copied from the data: they are the same
 * on both sides and cancel when elements are counted. */
struct reshape {
    inlay_shape data, out;
    int rest; /* the axis whose size is given as -1; -1: there is none */
    bool special_zero;
    bool copied_out[INLAY_MAX_RANK], copied_data[INLAY_MAX_RANK];
};

/* Returns the dim for element I of the pattern, whose value is not one number. */
static inlay_dim open_element(const struct reshape *r, int i, inlay_dim e, bool special_zero)
{
    const inlay_dim *same = i < r->data.rank ? &r->data.dim[i] : NULL;

    if (e.lo < 0) /* the element may be -1, so the size may be any */
        return inlay_dim_any();
    if (e.lo > 0 || !special_zero || (same && same->id != 0 && same->id == e.id))
        return e;
    if (!same)
        return r->data.rank < 0 ? inlay_dim_any() : e;
    e = inlay_dim_union(e, *same); /* 0 takes data's size */
    e.id = 0;
    return e;
}

static bool take_element(inlay_infer *cx, struct reshape *r, int i, inlay_dim e, bool special_zero)
{
    inlay_dim *out = &r->out.dim[i];

    *out = inlay_dim_any();
    if (!inlay_dim_is_static(e)) {
        *out = open_element(r, i, e, special_zero);
        return true;
    }
    if (e.lo < -1)
        return inlay_infer_fail(cx, "shape[%d] is %lld, it must be -1 or more", i, (long long)e.lo);
    if (e.lo == -1) {
        if (r->rest >= 0)
            return inlay_infer_fail(cx, "shape[%d] and shape[%d] are both -1", r->rest, i);
        r->rest = i;
        return true;
    }
    if (e.lo > 0 || !special_zero) {
        *out = e;
        return true;
    }
    if (r->data.rank < 0)
        return true;
    if (i >= r->data.rank)
        return inlay_infer_fail(cx, "shape[%d] is 0, data %s has no such axis to copy", i,
                                in_text(cx, 0));
    *out = r->data.dim[i];
    r->copied_out[i] = r->copied_data[i] = true;
    return true;
}

/* Axes of the same size on both sides cancel too, while that is not zero. */
static void cancel_equal(struct reshape *r)
{
    for (int i = 0; i < r->out.rank; i++) {
        for (int k = 0; k < r->data.rank && !r->copied_out[i]; k++) {
            if (i == r->rest || r->copied_data[k] || r->out.dim[i].hi == 0 ||
                !inlay_dim_proven_equal(r->out.dim[i], r->data.dim[k]))
                continue;
            r->copied_out[i] = r->copied_data[k] = true;
        }
    }
}

static inlay_dim count_left(const inlay_shape *s, const bool *copied, int but)
{
    inlay_dim n = inlay_dim_of(1);

    for (int i = 0; i < s->rank; i++) {
        if (!copied[i] && i != but)
            n = inlay_dim_mul(n, s->dim[i]);
    }
    return n;
}

static bool wrong_count(inlay_infer *cx, const struct reshape *r)
{
    char text[512];
    inlay_shape out = r->out;

    if (r->rest >= 0)
        out.dim[r->rest] = inlay_dim_any();
    return inlay_infer_fail(cx, "data %s cannot be reshaped to %s: the numbers of elements differ",
                            in_text(cx, 0), inlay_shape_text(out.rank, out.dim, text, sizeof text));
}

/* Gives *REST, bounds of the data's elements divided by WANT, the identity of that number, if one
 * size of the data is open and the others are a multiple of WANT. */
static bool name_rest(inlay_infer *cx, const struct reshape *r, int64_t want, inlay_dim *rest)
{
    inlay_dim others = inlay_dim_of(1), open = inlay_dim_of(1);

    for (int i = 0; i < r->data.rank; i++) {
        inlay_dim d = r->data.dim[i];

        if (r->copied_data[i])
            continue;
        if (inlay_dim_is_static(d))
            others = inlay_dim_mul(others, d);
        else if (inlay_dim_is_static(open))
            open = d;
        else
            return true;
    }
    return !inlay_dim_is_static(others) || others.lo % want != 0 ||
           sum_name(cx, inlay_dim_of(0), others.lo / want, open, rest);
}

/* Finds the size given as -1: the rest of the data's elements, divided by the rest of the pattern.
 */
static bool find_rest(inlay_infer *cx, struct reshape *r, inlay_dim have, inlay_dim want)
{
    inlay_dim *rest = &r->out.dim[r->rest];

    if (inlay_dim_is_static(want) &&
        want.lo == 0) { /* with no elements the size could be anything, and is 0 */
        if (have.lo > 0)
            return wrong_count(cx, r);
        *rest = inlay_dim_of(0);
        return true;
    }
    if (!inlay_dim_is_static(want))
        return true;
    if (inlay_dim_is_static(have) && have.lo % want.lo != 0)
        return wrong_count(cx, r);
    *rest = want.lo == 1 ? have
                         : (inlay_dim){inlay_dim_div_ceil(have, want.lo).lo,
                                       inlay_dim_div_floor(have, want.lo).hi, 0};
    return rest->lo <= rest->hi ? name_rest(cx, r, want.lo, rest) : wrong_count(cx, r);
}

/* A cancelled size may be 0: then there are no elements, whatever the other sizes are. */
static bool may_cancel_nothing(const struct reshape *r)
{
    for (int i = 0; i < r->data.rank; i++) {
        if (r->copied_data[i] && r->data.dim[i].lo == 0)
            return true;
    }
    return false;
}

/* A cancelled size may be a literal 0 in the pattern: then -1 is 0. */
static bool beside_nothing(const struct reshape *r)
{
    return !r->special_zero && may_cancel_nothing(r);
}

static void open_rest(struct reshape *r, inlay_dim have, inlay_dim want)
{
    if (inlay_dim_is_static(want) && want.lo > 0)
        r->out.dim[r->rest] = inlay_dim_union(inlay_dim_of(0), inlay_dim_div_floor(have, want.lo));
}

/* Returns the only axis that is not known yet, whose size follows from the number of elements; -1:
 * there is none or more than one. */
static int open_axis(const struct reshape *r)
{
    int open = -1;

    for (int i = 0; i < r->out.rank; i++) {
        if (r->copied_out[i] || inlay_dim_is_static(r->out.dim[i]))
            continue;
        if (open >= 0)
            return -1;
        open = i;
    }
    return open;
}

static bool check_count(inlay_infer *cx, struct reshape *r)
{
    inlay_dim have, others, given;

    if (r->data.rank < 0)
        return true;
    cancel_equal(r);
    have = count_left(&r->data, r->copied_data, -1);
    if (r->rest >= 0) {
        inlay_dim want = count_left(&r->out, r->copied_out, r->rest);

        if (!beside_nothing(r))
            return find_rest(cx, r, have, want);
        open_rest(r, have, want);
        return true;
    }
    if (!inlay_dim_compatible(have, count_left(&r->out, r->copied_out, -1)))
        return may_cancel_nothing(r) || wrong_count(cx, r);
    r->rest = open_axis(r);
    if (r->rest < 0)
        return true;
    others = count_left(&r->out, r->copied_out, r->rest);
    if (others.lo == 0 || may_cancel_nothing(r)) /* if there are no elements, nothing follows */
        return true;
    given = r->out.dim[r->rest];
    if (!find_rest(cx, r, have, others))
        return false;
    /* The numbers of elements are compatible, so the size that follows and the size that is given
     * have a number in common. */
    inlay_dim_merge(given, r->out.dim[r->rest], &r->out.dim[r->rest]);
    return true;
}

bool infer_reshape(inlay_infer *cx)
{
    bool special_zero = inlay_node_bool(cx->node, "special_zero");
    struct reshape r = {.rest = -1, .special_zero = special_zero};
    const inlay_dim *pattern;
    inlay_dim n;
    int count;

    inlay_infer_shape(cx, 0, &r.data);
    if (!in_length(cx, 1, false, &n))
        return false;
    if (!inlay_dim_is_static(n))
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (n.lo > INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "shape has %lld element%s, a tensor has at most %d dimensions",
                                (long long)n.lo, inlay_plural(n.lo, "", "s"), INLAY_MAX_RANK);
    pattern = in_known(cx, 1, &count);
    inlay_shape_of_rank(&r.out, (int)n.lo);
    for (int i = 0; i < r.out.rank; i++) {
        inlay_dim element = pattern ? pattern[i] : inlay_dim_unknown_value();

        if (!take_element(cx, &r, i, element, special_zero))
            return false;
    }
    if (!check_count(cx, &r))
        return false;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &r.out) && same_known(cx);
}

/* Without a list all axes of size 1 are removed. If an axis may have size 1, the rank is open. */
static bool squeeze_all(inlay_infer *cx, const inlay_shape *data)
{
    inlay_shape out = {.rank = 0};

    for (int i = 0; i < data->rank; i++) {
        inlay_dim d = data->dim[i];

        if (inlay_dim_is_static(d) ? d.lo == 1 : d.lo <= 1 && d.hi >= 1) {
            if (!inlay_dim_is_static(d))
                return set_out_unknown(cx, 0, cx->in[0]->type);
            continue;
        }
        out.dim[out.rank++] = d;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) && same_known(cx);
}

/* A listed axis is removed if it may have size 1 and stays, as the specification says, if it
 * cannot. With allow_axis_skip (pytorch_dynamic_rank in Squeeze-1), an axis that only may have size
 * 1 leaves the rank open. */
static bool squeeze_axes(inlay_infer *cx, const inlay_shape *data, const int *axes, int n)
{
    bool skip = inlay_node_bool(cx->node, "allow_axis_skip") ||
                inlay_node_bool(cx->node, "pytorch_dynamic_rank");
    bool gone[INLAY_MAX_RANK] = {false};
    inlay_shape out = {.rank = 0};

    for (int i = 0; i < n; i++) {
        inlay_dim d = data->dim[axes[i]];

        gone[axes[i]] = d.lo <= 1 && d.hi >= 1;
        if (skip && gone[axes[i]] && !inlay_dim_is_static(d))
            return set_out_unknown(cx, 0, cx->in[0]->type);
    }
    for (int i = 0; i < data->rank; i++) {
        if (!gone[i])
            out.dim[out.rank++] = data->dim[i];
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) && same_known(cx);
}

bool infer_squeeze(inlay_infer *cx)
{
    int64_t x[INLAY_MAX_RANK];
    int axes[INLAY_MAX_RANK], n;
    inlay_shape data;
    inlay_dim length;

    inlay_infer_shape(cx, 0, &data);
    if (in_has(cx, 1) && !in_length(cx, 1, true, &length))
        return false;
    if (data.rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (!in_has(cx, 1) || (inlay_dim_is_static(length) && length.lo == 0))
        return squeeze_all(cx, &data);
    if (length.lo > data.rank)
        return inlay_infer_fail(cx, "axes has %lld element%s, data %s has %d dimension%s",
                                (long long)length.lo, inlay_plural(length.lo, "", "s"),
                                in_text(cx, 0), data.rank, inlay_plural(data.rank, "", "s"));
    if (!inlay_infer_ints(cx, 1, x, INLAY_MAX_RANK, &n))
        return set_out_unknown(cx, 0, cx->in[0]->type);
    return norm_axes(cx, "axes", x, n, data.rank, axes) && squeeze_axes(cx, &data, axes, n);
}

bool infer_unsqueeze(inlay_infer *cx)
{
    int64_t x[INLAY_MAX_RANK];
    bool is_new[INLAY_MAX_RANK] = {false};
    int axes[INLAY_MAX_RANK], n, from = 0;
    inlay_shape data, out;
    inlay_dim length;

    inlay_infer_shape(cx, 0, &data);
    if (!in_length(cx, 1, true, &length))
        return false;
    if (data.rank < 0 || !inlay_dim_is_static(length))
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (length.lo > INLAY_MAX_RANK - data.rank)
        return inlay_infer_fail(
            cx,
            "axes has %lld element%s, data %s has %d dimension%s: together they must "
            "not be above %d",
            (long long)length.lo, inlay_plural(length.lo, "", "s"), in_text(cx, 0), data.rank,
            inlay_plural(data.rank, "", "s"), INLAY_MAX_RANK);
    out.rank = data.rank + (int)length.lo;
    if (!inlay_infer_ints(cx, 1, x, INLAY_MAX_RANK, &n))
        return set_out_rank(cx, 0, cx->in[0]->type, out.rank);
    if (!norm_axes(cx, "axes", x, n, out.rank, axes))
        return false;
    for (int i = 0; i < n; i++)
        is_new[axes[i]] = true;
    for (int i = 0; i < out.rank; i++)
        out.dim[i] = is_new[i] ? inlay_dim_of(1) : data.dim[from++];
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) && same_known(cx);
}

/* An empty order reverses the axes. */
bool infer_transpose(inlay_infer *cx)
{
    int64_t x[INLAY_MAX_RANK];
    int order[INLAY_MAX_RANK], n;
    inlay_shape data, out;
    inlay_dim length;

    inlay_infer_shape(cx, 0, &data);
    if (!in_length(cx, 1, false, &length))
        return false;
    if (data.rank < 0)
        return inlay_dim_is_static(length) && length.lo > 0 && length.lo <= INLAY_MAX_RANK
                   ? set_out_rank(cx, 0, cx->in[0]->type, (int)length.lo)
                   : set_out_unknown(cx, 0, cx->in[0]->type);
    if (inlay_dim_is_static(length) && length.lo != 0 && length.lo != data.rank)
        return inlay_infer_fail(cx, "input_order has %lld element%s, data %s has %d dimension%s",
                                (long long)length.lo, inlay_plural(length.lo, "", "s"),
                                in_text(cx, 0), data.rank, inlay_plural(data.rank, "", "s"));
    if (!inlay_infer_ints(cx, 1, x, INLAY_MAX_RANK, &n))
        return set_out_rank(cx, 0, cx->in[0]->type, data.rank);
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            return inlay_infer_fail(cx, "input_order[%d] is %lld, it must be in [0, %d]", i,
                                    (long long)x[i], data.rank - 1);
    }
    if (!norm_axes(cx, "input_order", x, n, data.rank, order))
        return false;
    out.rank = data.rank;
    for (int i = 0; i < out.rank; i++)
        out.dim[i] = data.dim[n == 0 ? out.rank - 1 - i : order[i]];
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) && (out.rank > 1 || same_known(cx));
}

bool infer_identity(inlay_infer *cx)
{
    return inlay_infer_set_out_like(cx, 0, 0) && same_known(cx);
}
