/* Interpolate-1, -4 and -11, and ONNX Resize. An element of the result lies between elements of the
 * data, and is a sum of those around it, weighted by distance. Axes are resized one after the
 * other, since the weights of several axes are products. `nearest` copies elements. Everything is
 * computed in f64 and rounded once. */
#include "interp/kernels/interpolate.h"
#include "interp/kernels/moves.h"

#include <math.h>
#include <string.h>

enum {
    PICK_COST = 6, /* of an element that nearest copies */
    PICKED = 256   /* elements of a row that are picked together */
};

/* Returns the position on the data's axis of element X of the resized axis. */
static double original(const resizing *r, const resized *a, int64_t x)
{
    const char *mode = r->coordinates;
    double at = (double)x, last = (double)a->size - 1;

    if (strcmp(mode, "asymmetric") == 0)
        return at / a->scale;
    if (strcmp(mode, "tf_half_pixel_for_nn") == 0)
        return (at + 0.5) / a->scale;
    if (strcmp(mode, "align_corners") == 0)
        return a->length == 1 ? 0 : at * last / (a->length - 1);
    if (strcmp(mode, "pytorch_half_pixel") == 0 && !(a->length > 1))
        return 0;
    if (strcmp(mode, "tf_crop_and_resize") == 0)
        return a->length > 1 ? a->from * last + at * (a->to - a->from) * last / (a->length - 1)
                             : 0.5 * (a->from + a->to) * last;
    at = (at + 0.5) / a->scale - 0.5;
    if (strcmp(mode, "half_pixel_symmetric") == 0)
        at += (double)a->size / 2 * (1 - (double)a->out / a->length);
    return at;
}

static bool is_outside(const resized *a, double x)
{
    return x < 0 || x > (double)a->size - 1;
}

/* Truncates X, and clamps it to [-1, SIZE]; NaN becomes -1. */
static int64_t bounded(double x, int64_t size)
{
    return x >= (double)size ? size : x > -1 ? (int64_t)x : -1;
}

static int64_t nearest(const resizing *r, const resized *a, double x)
{
    const char *mode = r->rounding;
    double at;
    int64_t i;

    if (strcmp(mode, "floor") == 0)
        at = floor(x);
    else if (strcmp(mode, "ceil") == 0)
        at = ceil(x);
    else if (strcmp(mode, "round_prefer_ceil") == 0)
        at = floor(x + 0.5);
    else if (strcmp(mode, "round_prefer_floor") == 0)
        at = ceil(x - 0.5);
    else /* simple */
        at = a->scale < 1 ? ceil(x) : trunc(x);
    i = bounded(at, a->size - 1);
    return i < 0 ? 0 : i;
}

/* Returns the weight of an element at distance X. */
static double weight(const resizing *r, double x)
{
    double a = r->cubic;

    x = fabs(x);
    if (r->shape == BOX) /* an element that only touches the box would have rounding errors there */
        return x < 1 - 1e-9;
    if (r->shape == TRIANGLE)
        return x < 1 ? 1 - x : 0;
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static bool is_pillow(const resizing *r)
{
    return strstr(r->mode, "pillow") != NULL;
}

static double centre_of(const resizing *r, const resized *a, int64_t x)
{
    return is_pillow(r) || r->shape == BOX
               ? ((double)x + 0.5) * (double)a->size / (double)a->out - 0.5
               : original(r, a, x);
}

static double reach_of(const resizing *r, const resized *a)
{
    return (r->shape == CUBIC ? 2 : 1) / a->stretch;
}

/* Sets the taps of element X of the result, from AT on; those that do not count get weight 0. */
static void find_taps(const resizing *r, const resized *a, int64_t x, const taps *t, int64_t at)
{
    double centre = centre_of(r, a, x), reach = reach_of(r, a), first = ceil(centre - reach);
    double sum = 0;

    for (int64_t k = 0; k < t->most; k++) {
        double place = first + (double)k;
        double w = weight(r, (place - centre) * a->stretch);
        int64_t i = bounded(place, a->size);
        bool outside = i < 0 || i >= a->size;

        if (!(place <= centre + reach) || (outside && r->cut))
            w = 0;
        sum += w;
        i = (i < 0 ? 0 : i >= a->size ? a->size - 1 : i) - a->pad;
        t->index[at + k] = i;
        t->weight[at + k] = w;
    }
    for (int64_t k = 0; k < t->most; k++) {
        double *w = &t->weight[at + k];

        if (r->normalized)
            *w = sum == 0 ? 0 : *w / sum;
        if (t->index[at + k] < 0 || t->index[at + k] >= a->real) { /* a pad, which is 0 */
            t->index[at + k] = 0;
            *w = 0;
        }
    }
}

bool interpolate_taps(inlay_call *c, const resizing *r, const resized *a, taps *t)
{
    double reach = reach_of(r, a);

    if (!(reach < 4e15))
        return inlay_call_fail(c, "a scale of %g is too small", a->scale);
    t->most = (int64_t)floor(2 * reach) + 1;
    if (t->most > INT64_MAX / 16 / (a->out + 1))
        return inlay_call_fail(c, "a scale of %g is too small", a->scale);
    t->index = inlay_call_memory(c, a->out * t->most, sizeof *t->index);
    t->weight = inlay_call_memory(c, a->out * t->most, sizeof *t->weight);
    if (!t->index || !t->weight)
        return false;
    for (int64_t x = 0; x < a->out; x++)
        find_taps(r, a, x, t, x * t->most);
    return true;
}

/* An axis whose size changes: REAL elements become OUT, with AFTER numbers for each. */
struct resize {
    const taps *t;
    int64_t real, out, after;
    const double *x;
    double *y; /* zero at the beginning */
};

/* A work item is everything at one position of the resized axis. */
static void resize_places(void *ctx, int64_t from, int64_t to)
{
    const struct resize *r = ctx;
    const taps *t = r->t;

    for (; from < to; from++) {
        int64_t i = from % r->out, base = from / r->out * r->real;
        double *y = r->y + from * r->after;

        for (int64_t k = i * t->most; k < (i + 1) * t->most; k++) {
            const double *x = r->x + (base + t->index[k]) * r->after;

            for (int64_t j = 0; t->weight[k] != 0 && j < r->after; j++)
                y[j] += t->weight[k] * x[j];
        }
    }
}

/* Returns X, of these DIMS, with axis A resized; DIMS become those of the result. */
static double *resize_axis(inlay_call *c, const resizing *r, const resized *a, const double *x,
                           int rank, int64_t *dims)
{
    int64_t before = dims_product(dims, a->axis);
    int64_t after = dims_product(dims + a->axis + 1, rank - a->axis - 1);
    double *y = inlay_call_memory(c, before * a->out * after, sizeof *y);
    taps t = {0};
    struct resize work = {.t = &t, .real = a->real, .out = a->out, .after = after, .x = x, .y = y};

    if (!y || !interpolate_taps(c, r, a, &t))
        return NULL;
    if (a->real > 0)
        call_split(c, before * a->out, (double)t.most * (double)after, resize_places, &work);
    dims[a->axis] = a->out;
    return y;
}

/* Marks the positions of each axis of the result that lie outside of the data. */
static bool mark_outside(inlay_call *c, const resizing *r, const bool **outside)
{
    for (int i = 0; i < r->n; i++) {
        const resized *a = &r->axis[i];
        bool *mark = inlay_call_memory(c, a->out, sizeof *mark);

        for (int64_t x = 0; mark && x < a->out; x++)
            mark[x] = is_outside(a, original(r, a, x));
        outside[a->axis] = mark;
        if (!mark)
            return false;
    }
    return true;
}

/* Gives elements that lie outside on some axis the value that the node says. */
static bool extrapolate(inlay_call *c, const resizing *r)
{
    double value = inlay_node_float(c->node, "extrapolation_value");
    inlay_tensor *out = c->out[0];
    const bool *outside[INLAY_MAX_RANK] = {NULL}, *last;

    if (out->type == INLAY_STRING || out->rank == 0)
        return true;
    if (!mark_outside(c, r, outside))
        return false;
    last = outside[out->rank - 1];
    for (index_iter row = index_rows(out->rank, out->dims); index_valid(&row); index_next(&row)) {
        int64_t n = out->dims[out->rank - 1];
        bool all = false;

        for (int i = 0; i < row.rank; i++)
            all = all || (outside[i] && outside[i][row.at[i]]);
        for (int64_t x = 0; x < n && (all || last); x++) {
            if (all || last[x])
                inlay_tensor_set_f64(out, row.linear * n + x, value);
        }
    }
    return true;
}

bool interpolate_rounds(const inlay_call *c, const resizing *r)
{
    return is_pillow(r) && inlay_type_is_int(c->in[0]->type);
}

bool interpolate_weigh(inlay_call *c, const resizing *r)
{
    const inlay_tensor *in = c->in[0];
    const double *x = load_f64(c, 0);
    int64_t dims[INLAY_MAX_RANK], n = inlay_tensor_count(c->out[0]);
    double *y;

    if (!x || n == 0)
        return x != NULL;
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    for (int i = 0; i < r->n; i++) {
        if (!(x = resize_axis(c, r, &r->axis[i], x, in->rank, dims)))
            return false;
    }
    if (!interpolate_rounds(c, r))
        return store_f64(c, 0, x);
    if (!(y = inlay_call_memory(c, n, sizeof *y)))
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = round(x[i]);
    return store_f64(c, 0, y);
}

/* For each axis, the element of the data for each element of the result; NULL: the axis is not
 * resized. */
struct picking {
    const inlay_tensor *in;
    inlay_tensor *out;
    int64_t *place[INLAY_MAX_RANK];
    bool pads; /* some come from outside of the data */
};

static void pick_row(const struct picking *p, const index_iter *row)
{
    const inlay_tensor *in = p->in, *out = p->out;
    int last = out->rank - 1;
    int64_t from[PICKED], base = in->offset,
                          to = out->offset + index_dot(last, row->at, out->strides);

    for (int i = 0; i < last; i++)
        base += p->place[i][row->at[i]] * in->strides[i];
    for (int64_t k = 0, n; k < out->dims[last]; k += n) {
        n = out->dims[last] - k < PICKED ? out->dims[last] - k : PICKED;
        for (int64_t i = 0; i < n; i++)
            from[i] = base + p->place[last][k + i] * in->strides[last];
        tensor_pick(p->out, to + k * out->strides[last], out->strides[last], in, from, n);
    }
}

/* Picks a row of the result one by one: elements outside of the data are zeros. */
static void pick_padded(const struct picking *p, const index_iter *row)
{
    inlay_tensor *out = p->out;
    int last = out->rank - 1;
    int64_t at[INLAY_MAX_RANK], length = out->dims[last];

    for (int64_t k = 0; k < length; k++) {
        bool pad = false;

        for (int i = 0; i < out->rank; i++) {
            at[i] = p->place[i][i == last ? k : row->at[i]];
            pad = pad || at[i] < 0 || at[i] >= p->in->dims[i];
        }
        if (pad)
            tensor_zero_run(out, row->linear * length + k, 1);
        else
            tensor_move_element(out, inlay_tensor_index(out, row->linear * length + k), p->in,
                                tensor_at(p->in, at));
    }
}

/* An item is a row of the result. */
static void pick_rows(void *ctx, int64_t from, int64_t to)
{
    const struct picking *p = ctx;
    index_iter row = index_from(p->out->rank - 1, p->out->dims, from);

    for (; from < to; from++, index_next(&row)) {
        if (p->pads)
            pick_padded(p, &row);
        else
            pick_row(p, &row);
    }
}

/* Adds to TO and FROM axis I, if elements of the data that are STEP apart are repeated TIMES: then
 * it is two axes. Returns whether it is so. */
static bool add_steps(const struct picking *p, int i, struct view *to, struct view *from)
{
    const int64_t *place = p->place[i], n = p->out->dims[i];
    int64_t times = 1, step;
    int k = to->rank;

    while (times < n && place[times] == place[0])
        times++;
    step = times < n ? place[times] - place[0] : 0;
    for (int64_t x = 0; x < n; x++) {
        if (n % times != 0 || place[x] != place[0] + x / times * step)
            return false;
    }
    from->offset += place[0] * p->in->strides[i];
    to->dims[k] = n / times;
    to->strides[k] = p->out->strides[i] * times;
    from->strides[k] = p->in->strides[i] * step;
    to->dims[k + 1] = times;
    to->strides[k + 1] = p->out->strides[i];
    from->strides[k + 1] = 0;
    to->rank += 2;
    return true;
}

/* Returns whether the result is the data at even steps, each element repeated as often as the
 * others: a view, which TO and FROM become. */
static bool has_steps(const struct picking *p, struct view *to, struct view *from)
{
    bool has = !p->pads && 2 * p->out->rank <= INLAY_MAX_RANK;

    *to = *from = (struct view){.rank = 0};
    for (int i = 0; has && i < p->out->rank; i++)
        has = add_steps(p, i, to, from);
    from->rank = to->rank;
    memcpy(from->dims, to->dims, sizeof to->dims);
    return has;
}

/* Finds the places of axis I of the result; A is NULL where they stay. */
static bool find_places(inlay_call *c, const resizing *r, const resized *a, int i,
                        struct picking *p)
{
    int64_t *place = inlay_call_memory(c, p->out->dims[i], sizeof *place);

    for (int64_t x = 0; place && x < p->out->dims[i]; x++) {
        place[x] = a ? nearest(r, a, original(r, a, x)) - a->pad : x;
        p->pads = p->pads || place[x] < 0 || place[x] >= p->in->dims[i];
    }
    p->place[i] = place;
    return place != NULL;
}

static bool run_nearest(inlay_call *c, const resizing *r)
{
    struct picking p = {.in = c->in[0], .out = c->out[0]};
    int64_t n = inlay_tensor_count(p.out);
    int last = p.out->rank - 1;
    struct view to, from;

    for (int i = 0; i <= last; i++) {
        const resized *a = NULL;

        for (int k = 0; k < r->n; k++)
            a = r->axis[k].axis == i ? &r->axis[k] : a;
        if (!find_places(c, r, a, i, &p))
            return false;
    }
    if (n == 0)
        return true;
    if (has_steps(&p, &to, &from))
        return move_piece(c, &to, p.in, &from);
    split_moves(c, n / p.out->dims[last], PICK_COST * (double)p.out->dims[last], pick_rows, &p);
    return true;
}

/* Interpolate */

static int64_t pad_at(const inlay_call *c, const char *name, int axis)
{
    int n;
    const int64_t *pads = inlay_node_ints(c->node, name, &n);

    return axis < n ? pads[axis] : 0;
}

/* An axis that is not listed only gets its pads. */
static void keep_axis(const inlay_call *c, int axis, resized *a)
{
    *a = (resized){.axis = axis, .pad = pad_at(c, "pads_begin", axis)};
    a->real = c->in[0]->dims[axis];
    a->size = a->real + a->pad + pad_at(c, "pads_end", axis);
    a->out = c->out[0]->dims[axis];
    a->scale = a->stretch = 1;
    a->length = (double)a->out;
}

/* Leaves out the axes that stay the same. */
static void leave_out(int rank, resizing *r)
{
    for (int i = 0; i < rank; i++) {
        const resized *a = &r->axis[i];

        if (a->scale != 1 || a->size != a->real || a->out != a->size)
            r->axis[r->n++] = *a;
    }
}

static bool read_axes(inlay_call *c, int axes, int scales, resizing *r)
{
    int rank = c->in[0]->rank;
    bool by_scale = strcmp(inlay_node_string(c->node, "shape_calculation_mode"), "scales") == 0;
    const int64_t *list = NULL;
    int64_t n = rank;

    if (call_has(c, axes) && !(list = load_ints(c, axes, &n)))
        return false;
    for (int i = 0; i < rank; i++)
        keep_axis(c, i, &r->axis[i]);
    for (int64_t k = 0; k < n; k++) {
        int64_t at = list ? list[k] + (list[k] < 0 ? rank : 0) : k;
        resized *a = &r->axis[at];

        a->scale =
            by_scale ? inlay_tensor_get_f64(c->in[scales], k) : (double)a->out / (double)a->size;
    }
    leave_out(rank, r);
    return true;
}

/* Decides where a filter is stretched, and how it ends at the border. */
static void settle_filter(resizing *r, bool antialias)
{
    bool linear = strcmp(r->mode, "linear") == 0, shrinks = false;

    for (int i = 0; i < r->n; i++)
        shrinks = shrinks || r->axis[i].scale < 1;
    r->shape = strcmp(r->mode, "area") == 0 ? BOX : strstr(r->mode, "cubic") ? CUBIC : TRIANGLE;
    r->cut = r->normalized = linear || is_pillow(r) || r->shape == BOX;
    for (int i = 0; i < r->n; i++) {
        resized *a = &r->axis[i];

        if (r->shape == BOX) /* what reaches into size / out elements around the middle */
            a->stretch = 2 * (double)a->out / (double)(a->size + a->out);
        else if (is_pillow(r) && a->out < a->size)
            a->stretch = (double)a->out / (double)a->size;
        else if (linear && shrinks && antialias)
            a->stretch = a->scale; /* also for an axis that grows */
    }
}

/* Returns the coordinate transformation of Interpolate-1 by its name in Interpolate-4, as OpenVINO
 * translates them. */
static const char *old_coordinates(const inlay_call *c, const resizing *r)
{
    bool plain = strncmp(r->mode, "linear", strlen("linear")) == 0;
    int n, rank = c->in[0]->rank;
    const int64_t *axes = inlay_node_ints(c->node, "axes", &n);
    bool image = rank == 4 && n == 2;

    for (int i = 0; image && i < n; i++)
        image = axes[i] >= 2 || (axes[i] < 0 && axes[i] + rank >= 2);
    for (int i = 0; i < rank; i++)
        plain = plain && pad_at(c, "pads_begin", i) == 0 && pad_at(c, "pads_end", i) == 0;
    return plain && !image ? "half_pixel" : "asymmetric";
}

static bool read_interpolate_1(inlay_call *c, resizing *r)
{
    int rank = c->in[0]->rank;

    *r = (resizing){
        .mode = inlay_node_string(c->node, "mode"), .rounding = "simple", .cubic = -0.75};
    if (strcmp(r->mode, "linear") == 0 && rank < 5)
        r->mode = "linear_onnx";
    for (int i = 0; i < rank; i++) {
        keep_axis(c, i, &r->axis[i]);
        r->axis[i].scale = (double)r->axis[i].out / (double)r->axis[i].size;
    }
    leave_out(rank, r);
    r->coordinates =
        inlay_node_bool(c->node, "align_corners") ? "align_corners" : old_coordinates(c, r);
    settle_filter(r, inlay_node_bool(c->node, "antialias"));
    return true;
}

static bool read_interpolate(inlay_call *c, resizing *r)
{
    bool old = c->node->op->version == 4;

    *r = (resizing){.mode = inlay_node_string(c->node, "mode"),
                    .coordinates = inlay_node_string(c->node, "coordinate_transformation_mode"),
                    .rounding = inlay_node_string(c->node, "nearest_mode"),
                    .cubic = inlay_node_float(c->node, "cube_coeff")};
    if (!read_axes(c, old ? 3 : 2, old ? 2 : 1, r))
        return false;
    settle_filter(r, inlay_node_bool(c->node, "antialias"));
    return true;
}

/* Resize */

/* With a keep_aspect_ratio_policy all scales become one: the smallest or the largest. */
static void share_scale(const char *policy, resizing *r)
{
    bool larger = strcmp(policy, "not_smaller") == 0;
    double scale = r->n > 0 ? r->axis[0].scale : 1;

    if (strcmp(policy, "stretch") == 0)
        return;
    for (int i = 1; i < r->n; i++) {
        double x = r->axis[i].scale;

        scale = (larger ? x > scale : x < scale) ? x : scale;
    }
    for (int i = 0; i < r->n; i++) {
        r->axis[i].scale = scale;
        r->axis[i].length = scale * (double)r->axis[i].size;
    }
}

static bool is_given(const inlay_call *c, int i)
{
    return call_has(c, i) && inlay_tensor_count(c->in[i]) > 0;
}

static void read_axis(const inlay_call *c, int k, int axis, resized *a)
{
    *a = (resized){.axis = axis, .size = c->in[0]->dims[axis], .out = c->out[0]->dims[axis]};
    a->real = a->size;
    if (is_given(c, 3)) {
        a->length = inlay_tensor_get_f64(c->in[3], k);
        a->scale = a->length / (double)a->size;
    } else {
        a->scale = inlay_tensor_get_f64(c->in[2], k);
        a->length = a->scale * (double)a->size;
    }
}

/* Decides where a filter is stretched, and leaves out the axes that stay the same. */
static void settle_axes(const inlay_call *c, resizing *r)
{
    bool antialias = inlay_node_bool(c->node, "antialias");
    int n = 0;

    for (int i = 0; i < r->n; i++) {
        resized a = r->axis[i];

        a.stretch = antialias && a.scale < 1 ? a.scale : 1;
        if (a.scale != 1 || a.size != a.out || r->extrapolates)
            r->axis[n++] = a;
    }
    r->n = n;
}

static bool read_region(inlay_call *c, resizing *r)
{
    if (!r->extrapolates)
        return true;
    if (!call_has(c, 1) || inlay_tensor_count(c->in[1]) != 2 * r->n)
        return inlay_call_fail(c, "roi must have a start and an end for each of %d ax%s", r->n,
                               inlay_plural(r->n, "is", "es"));
    for (int i = 0; i < r->n; i++) {
        r->axis[i].from = inlay_tensor_get_f64(c->in[1], i);
        r->axis[i].to = inlay_tensor_get_f64(c->in[1], r->n + i);
    }
    return true;
}

static bool read_resize(inlay_call *c, resizing *r)
{
    int rank = c->in[0]->rank;
    const inlay_attr *axes = inlay_node_attr(c->node, "axes");

    *r = (resizing){.mode = inlay_node_string(c->node, "mode"),
                    .coordinates = inlay_node_string(c->node, "coordinate_transformation_mode"),
                    .rounding = inlay_node_string(c->node, "nearest_mode"),
                    .cubic = inlay_node_float(c->node, "cubic_coeff_a"),
                    .cut = inlay_node_bool(c->node, "exclude_outside"),
                    .n = axes ? axes->n : rank};
    r->normalized = r->cut || inlay_node_bool(c->node, "antialias");
    r->extrapolates = strcmp(r->coordinates, "tf_crop_and_resize") == 0;
    r->shape = strcmp(r->mode, "cubic") == 0 ? CUBIC : TRIANGLE;
    for (int i = 0; i < r->n; i++) {
        int64_t axis = axes ? axes->as.ints[i] : i;

        read_axis(c, i, (int)(axis < 0 ? axis + rank : axis), &r->axis[i]);
    }
    if (!read_region(c, r))
        return false;
    if (is_given(c, 3))
        share_scale(inlay_node_string(c->node, "keep_aspect_ratio_policy"), r);
    settle_axes(c, r);
    return true;
}

/* Reads the node, checks that there is something to read from, and resizes. */
static bool run(inlay_call *c, bool (*read)(inlay_call *c, resizing *r), interpolate_fn *weigh)
{
    resizing r;

    if (!read(c, &r))
        return false;
    for (int i = 0; i < r.n; i++) {
        if (r.axis[i].size == 0 && r.axis[i].out > 0)
            return inlay_call_fail(c, "axis %d has no elements to read from", r.axis[i].axis);
    }
    if (!(strcmp(r.mode, "nearest") == 0 ? run_nearest(c, &r) : weigh(c, &r)))
        return false;
    return !r.extrapolates || extrapolate(c, &r);
}

bool interpolate_by(inlay_call *c, interpolate_fn *weigh)
{
    const inlay_op *op = c->node->op; /* Resize has version 19 */

    return run(c,
               op->version == 19  ? read_resize
               : op->version == 1 ? read_interpolate_1
                                  : read_interpolate,
               weigh);
}

bool eval_interpolate_1(inlay_call *c)
{
    return interpolate_by(c, interpolate_weigh);
}

bool eval_interpolate(inlay_call *c)
{
    return interpolate_by(c, interpolate_weigh);
}

bool eval_resize(inlay_call *c)
{
    return interpolate_by(c, interpolate_weigh);
}
