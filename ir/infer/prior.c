/* Shape rules of PriorBox and PriorBoxClustered. */
#include "ir/infer/facts.h"
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <math.h>

static const double *list(const inlay_infer *cx, const char *name, int *n)
{
    const inlay_attr *a = inlay_node_attr(cx->node, name);

    *n = a ? a->n : 0;
    return a ? a->as.floats : NULL;
}

static int length(const inlay_infer *cx, const char *name)
{
    int n;

    list(cx, name, &n);
    return n;
}

static bool is_same(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

bool inlay_prior_is_new(const double *ratios, int i, bool flip)
{
    bool known = is_same(ratios[i], 1);

    for (int k = 0; k < i && !known; k++)
        known = is_same(ratios[i], ratios[k]) || (flip && is_same(ratios[i], 1 / ratios[k]));
    return !known;
}

/* Returns how many boxes there are of one size: a square, and one for each other ratio. */
static int64_t shapes(const inlay_infer *cx)
{
    bool flip = inlay_node_bool(cx->node, "flip");
    int64_t n = 1;
    int n_ratios;
    const double *ratios = list(cx, "aspect_ratio", &n_ratios);

    for (int i = 0; i < n_ratios; i++) {
        if (inlay_prior_is_new(ratios, i, flip))
            n += flip ? 2 : 1;
    }
    return n;
}

/* Adds to *N the boxes of fixed sizes: density * density of each ratio. */
static bool count_fixed(inlay_infer *cx, int64_t *n)
{
    int n_density, n_fixed = length(cx, "fixed_size"), n_ratios = length(cx, "fixed_ratio");
    const double *density = list(cx, "density", &n_density);

    if (n_density != n_fixed)
        return inlay_infer_fail(cx, "density has %d element%s, fixed_size has %d", n_density,
                                inlay_plural(n_density, "", "s"), n_fixed);
    for (int i = 0; i < n_fixed; i++) {
        int64_t side = (int64_t)(density[i] < INT16_MAX ? density[i] : INT16_MAX);

        if (!(density[i] >= 1 && density[i] < INT16_MAX))
            return inlay_infer_fail(cx, "density[%d] is %g, it must be in [1, %d)", i, density[i],
                                    INT16_MAX);
        *n += side * side * (n_ratios > 0 ? n_ratios : shapes(cx));
    }
    return true;
}

/* Adds to *N the boxes of each min_size, of the ratios, and between a min_size and its max_size. */
static bool count_sizes(inlay_infer *cx, int64_t *n)
{
    int n_min = length(cx, "min_size"), n_max = length(cx, "max_size");

    if (!inlay_node_bool(cx->node, "scale_all_sizes")) {
        *n += n_min > 0 ? n_min - 1 + shapes(cx) : 0;
        return true;
    }
    *n += n_min * shapes(cx) + n_max;
    return n_max <= n_min || inlay_infer_fail(cx, "max_size has %d element%s, min_size has %d",
                                              n_max, inlay_plural(n_max, "", "s"), n_min);
}

/* Sets the output: BOXES at each place of the grid. */
static bool set_grid(inlay_infer *cx, int64_t boxes)
{
    int n_variance = length(cx, "variance");
    inlay_shape size, image, s = {.rank = 2};

    if (n_variance != 0 && n_variance != 1 && n_variance != 4)
        return inlay_infer_fail(cx, "variance has %d element%s, it must have 0, 1 or 4", n_variance,
                                inlay_plural(n_variance, "", "s"));
    if (!in_sizes(cx, 0, false, &size) || !in_sizes(cx, 1, false, &image))
        return false;
    for (int i = 0; i < 2; i++) {
        int rank = i == 0 ? size.rank : image.rank;

        if (rank >= 0 && rank != 2)
            return inlay_infer_fail(cx,
                                    "input %d \"%s\" has shape %s, it must be a height and a "
                                    "width",
                                    i, in_name(cx, i), in_text(cx, i));
    }
    s.dim[0] = inlay_dim_of(2);
    s.dim[1] = inlay_dim_any();
    if (size.rank == 2)
        s.dim[1] = inlay_dim_mul(inlay_dim_mul(size.dim[0], size.dim[1]), inlay_dim_of(4 * boxes));
    return inlay_infer_set_out(cx, 0, INLAY_F32, &s);
}

bool infer_prior_box(inlay_infer *cx)
{
    int64_t boxes = 0;

    return count_fixed(cx, &boxes) && count_sizes(cx, &boxes) && set_grid(cx, boxes);
}

/* Without sizes there is one box of 1 by 1. */
bool infer_prior_box_clustered(inlay_infer *cx)
{
    bool given = inlay_node_attr(cx->node, "width") || inlay_node_attr(cx->node, "height");
    int width = given ? length(cx, "width") : 1, height = given ? length(cx, "height") : 1;

    if (width != height)
        return inlay_infer_fail(cx, "width has %d element%s, height has %d", width,
                                inlay_plural(width, "", "s"), height);
    return set_grid(cx, width);
}
