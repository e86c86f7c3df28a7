/* Shape rules of Interpolate and Resize. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <math.h>
#include <string.h>

/* The axes that get another size: AXIS[0..N); N < 0: they are not known. */
typedef struct resized_axes {
    int n, axis[INLAY_MAX_RANK];
} resized_axes;

static bool all_axes(int rank, resized_axes *a)
{
    a->n = rank;
    for (int i = 0; i < rank; i++)
        a->axis[i] = i;
    return true;
}

static bool axes_of_operand(inlay_infer *cx, int i, int rank, resized_axes *a)
{
    int64_t list[INLAY_MAX_RANK];
    inlay_dim length;
    int n;

    if (!in_has(cx, i))
        return all_axes(rank, a);
    a->n = -1;
    if (!in_length(cx, i, false, &length))
        return false;
    if (rank < 0 || !inlay_infer_ints(cx, i, list, INLAY_MAX_RANK, &n))
        return true;
    a->n = n;
    return norm_axes(cx, "axes", list, n, rank, a->axis);
}

static bool axes_of_attribute(inlay_infer *cx, int rank, resized_axes *a)
{
    const inlay_attr *axes = inlay_node_attr(cx->node, "axes");

    if (!axes)
        return all_axes(rank, a);
    a->n = rank < 0 ? -1 : axes->n;
    return rank < 0 || (axes->n <= INLAY_MAX_RANK &&
                        norm_axes(cx, "axes", axes->as.ints, axes->n, rank, a->axis));
}

/* Checks that operand I has EACH numbers for each of the axes. */
static bool check_count(inlay_infer *cx, int i, const resized_axes *a, int each)
{
    inlay_dim length;

    if (!in_length(cx, i, false, &length))
        return false;
    if (a->n < 0 || inlay_dim_compatible(length, inlay_dim_of(each * a->n)))
        return true;
    return inlay_infer_fail(
        cx, "input %d \"%s\" has shape %s, it must have %d element%s for %d ax%s", i,
        in_name(cx, i), in_text(cx, i), each * a->n, inlay_plural(each * a->n, "", "s"), a->n,
        inlay_plural(a->n, "is", "es"));
}

/* floor(SCALE * size), in the arithmetic of the scales' type. */
static int64_t scaled(int64_t size, double scale, inlay_type type)
{
    double x = type == INLAY_F64 ? (double)size * scale : (double)((float)size * (float)scale);

    return size == INLAY_DIM_MAX || x >= 9e18 ? INLAY_DIM_MAX : (int64_t)floor(x);
}

/* The axes in S grow by the scales in operand I. */
static bool by_scales(inlay_infer *cx, int i, const resized_axes *a, inlay_shape *s)
{
    const inlay_tensor *t = cx->in[i]->content;

    for (int k = 0; k < a->n; k++) {
        inlay_dim *d = &s->dim[a->axis[k]];
        double scale = t ? inlay_tensor_get_f64(t, k) : 0;

        if (!t) {
            *d = inlay_dim_any();
            continue;
        }
        if (!(scale > 0) || isinf(scale))
            return inlay_infer_fail(cx, "%s[%d] is %g, it must be positive and finite",
                                    in_name(cx, i), k, scale);
        if (scale != 1)
            *d = (inlay_dim){scaled(d->lo, scale, t->type), scaled(d->hi, scale, t->type), 0};
    }
    return true;
}

/* The axes in S get the sizes in operand I. */
static bool by_sizes(inlay_infer *cx, int i, const resized_axes *a, inlay_shape *s)
{
    int n;
    const inlay_dim *known = in_known(cx, i, &n);

    for (int k = 0; k < a->n; k++) {
        inlay_dim *d = &s->dim[a->axis[k]];

        *d = known && k < n ? known[k] : inlay_dim_any();
        if (d->hi < 0)
            return inlay_infer_fail(cx, "%s[%d] is %lld, it must not be negative", in_name(cx, i),
                                    k, (long long)d->hi);
        d->lo = d->lo < 0 ? 0 : d->lo;
    }
    return true;
}

static void forget(inlay_shape *s)
{
    for (int i = 0; i < s->rank; i++)
        s->dim[i] = inlay_dim_any();
}

static bool check_pads(inlay_infer *cx, const char *name, int rank)
{
    int n;
    const int64_t *pads = inlay_node_ints(cx->node, name, &n);

    if (rank >= 0 && n > rank)
        return inlay_infer_fail(cx, "%s has %d element%s, data %s has %d dimension%s", name, n,
                                inlay_plural(n, "", "s"), in_text(cx, 0), rank,
                                inlay_plural(rank, "", "s"));
    for (int i = 0; i < n; i++) {
        if (pads[i] < 0 || pads[i] > INT32_MAX)
            return inlay_infer_fail(cx, "%s[%d] is %lld, it must be in [0, %d]", name, i,
                                    (long long)pads[i], INT32_MAX);
    }
    return true;
}

/* Axes beyond the ends of the lists of pads have no pads. */
static bool add_pads(inlay_infer *cx, inlay_shape *s)
{
    static const char *const names[] = {"pads_begin", "pads_end"};

    for (int k = 0; k < 2; k++) {
        int n;
        const int64_t *pads = inlay_node_ints(cx->node, names[k], &n);

        if (!check_pads(cx, names[k], s->rank))
            return false;
        for (int i = 0; i < n && i < s->rank; i++)
            s->dim[i] = inlay_dim_add(s->dim[i], inlay_dim_of(pads[i]));
    }
    return true;
}

/* SIZES, SCALES and AXES are numbers of operands; attribute shape_calculation_mode says which of
 * the first two counts. */
static bool interpolate(inlay_infer *cx, int sizes, int scales, int axes)
{
    bool scale = strcmp(inlay_node_string(cx->node, "shape_calculation_mode"), "scales") == 0;
    int i = scale ? scales : sizes;
    inlay_type type = cx->in[i]->type;
    resized_axes a;
    inlay_shape s;

    inlay_infer_shape(cx, 0, &s);
    if (!scale && inlay_type_is_float(type))
        return inlay_infer_fail(cx, "input %d \"%s\" has sizes of type %s, they must be integers",
                                i, in_name(cx, i), inlay_type_info_of(type)->name);
    if (!add_pads(cx, &s) || !axes_of_operand(cx, axes, s.rank, &a) || !check_count(cx, i, &a, 1))
        return false;
    if (a.n < 0)
        forget(&s);
    else if (!(scale ? by_scales(cx, i, &a, &s) : by_sizes(cx, i, &a, &s)))
        return false;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_interpolate_1(inlay_infer *cx)
{
    resized_axes a;
    inlay_shape s;

    inlay_infer_shape(cx, 0, &s);
    if (!add_pads(cx, &s) || !axes_of_attribute(cx, s.rank, &a) || !check_count(cx, 1, &a, 1))
        return false;
    if (a.n < 0)
        return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
    return by_sizes(cx, 1, &a, &s) && inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_interpolate_4(inlay_infer *cx)
{
    return interpolate(cx, 1, 2, 3);
}

bool infer_interpolate_11(inlay_infer *cx)
{
    return interpolate(cx, 1, 1, 2);
}

/* Whether operand I is there and is not known to be empty. */
static bool is_given(const inlay_infer *cx, int i)
{
    return in_has(cx, i) && !(in_rank(cx, i) == 1 && cx->in[i]->dims[0].hi == 0);
}

/* All axes get one scale, the least or the greatest that the sizes ask for. The sizes that follow
 * are rounded, halves up. */
static bool keep_aspect(inlay_infer *cx, const char *policy, const resized_axes *a, inlay_shape *s)
{
    bool larger = strcmp(policy, "not_smaller") == 0;
    int64_t sizes[INLAY_MAX_RANK];
    double scale = larger ? 0 : INFINITY;
    bool known;
    int n;

    known = inlay_infer_ints(cx, 3, sizes, INLAY_MAX_RANK, &n) && n == a->n;
    for (int k = 0; known && k < a->n; k++) {
        inlay_dim d = s->dim[a->axis[k]];
        double x = (double)sizes[k] / (double)d.lo;

        if (d.hi == 0 || sizes[k] < 0)
            return inlay_infer_fail(cx, "axis %d of %s cannot get %lld element%s", a->axis[k],
                                    in_text(cx, 0), (long long)sizes[k],
                                    inlay_plural(sizes[k], "", "s"));
        known = inlay_dim_is_static(d);
        scale = (larger ? x > scale : x < scale) ? x : scale;
    }
    for (int k = 0; k < a->n; k++) {
        inlay_dim *d = &s->dim[a->axis[k]];
        double size = floor(scale * (double)d->lo + 0.5);

        if (known && size >= 9e18)
            return inlay_infer_fail(cx, "axis %d would have %g elements", a->axis[k], size);
        *d = known ? inlay_dim_of((int64_t)size) : inlay_dim_any();
    }
    return true;
}

bool infer_resize(inlay_infer *cx)
{
    const char *policy = inlay_node_string(cx->node, "keep_aspect_ratio_policy");
    const char *mode = inlay_node_string(cx->node, "coordinate_transformation_mode");
    bool scales = is_given(cx, 2), sizes = is_given(cx, 3), ok;
    bool cuts = strcmp(mode, "tf_crop_and_resize") == 0;
    resized_axes a;
    inlay_shape s;

    inlay_infer_shape(cx, 0, &s);
    if (!scales && !sizes)
        return inlay_infer_fail(cx, "has neither scales nor sizes");
    if (cuts && !in_has(cx, 1))
        return inlay_infer_fail(cx, "has no roi, which tf_crop_and_resize cuts out");
    if (!axes_of_attribute(cx, s.rank, &a) || (scales && !sizes && !check_count(cx, 2, &a, 1)) ||
        (sizes && !check_count(cx, 3, &a, 1)) || (cuts && !check_count(cx, 1, &a, 2)))
        return false;
    if (a.n < 0)
        return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
    if (!sizes)
        ok = by_scales(cx, 2, &a, &s);
    else if (strcmp(policy, "stretch") == 0)
        ok = by_sizes(cx, 3, &a, &s);
    else
        ok = keep_aspect(cx, policy, &a, &s);
    return ok && inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}
