/* ConvolutionBackpropData-1 and GroupConvolutionBackpropData-1 of f32. Elements of the result that
 * lie a stride apart read the data through the same places of the filters, with stride 1: each such
 * phase is a convolution. Phases are computed one by one, and then interleaved. With stride 2 and a
 * filter f0 f1 f2 over the data a b c:
 *
 *     a·f0  a·f1  a·f2+b·f0  b·f1  b·f2+c·f0  c·f1  c·f2
 *     phase 0: places f0, f2; positions read a and nothing, b and a, c and b, nothing and c
 *     phase 1: place f1; positions read a, b, c
 *
 * Sums run over channels and places in the order of the reference. All phases read one image of the
 * data, with zeros around it; with filters that are not finite the plain kernel is called. */
#include "inlay_ops.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/convolution.h"
#include "interp/library/filters.h"
#include "interp/library/library.h"

#include <string.h>

enum {
    LINE = 64,           /* bytes */
    MOST_STEP = 1 << 10, /* of places, in the number of a form */
    ZIPPED = 4           /* phases that are written side by side */
};

/* The places of an axis that are those of one phase: FIRST, FIRST + STEP, .. */
struct taps {
    int64_t n, first, step;
};

/* A phase along one axis: positions OUT + t * stride of the result, for t < N; place number j of
 * these reads element t + FROM - j * DOWN of the data. */
struct phase {
    struct taps taps;
    int64_t out, n, from, down;
};

/* Filters [groups, in, out, kernel], and how many phases each axis has. */
struct form {
    int64_t groups, in, out, kernel[FIELD_AXES], phases[FIELD_AXES];
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Returns the number of phases that have places: places whose distance is a multiple of it are of
 * one phase. */
static int64_t phases_of(int64_t kernel, int64_t stride, int64_t dilation)
{
    return smaller(stride / common_divisor(stride, dilation), kernel);
}

static struct taps taps_of(const struct form *f, int axis, int64_t phase)
{
    int64_t step = f->phases[axis];

    return (struct taps){(f->kernel[axis] - phase + step - 1) / step, phase, step};
}

static bool is_grouped(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_GROUP_CONVOLUTION_BACKPROP_DATA);
}

static int64_t listed(const inlay_node *n, const char *name, int i)
{
    const inlay_attr *attr = inlay_node_attr(n, name);

    return attr && i < attr->n ? attr->as.ints[i] : 1;
}

/* Sets F to the filters T of N. */
static void read_form(const inlay_node *n, const inlay_tensor *t, struct form *f)
{
    int grouped = is_grouped(n), axes = t->rank - 2 - grouped;

    *f = (struct form){grouped ? t->dims[0] : 1, t->dims[grouped], t->dims[grouped + 1], {0}, {0}};
    for (int i = 0; i < FIELD_AXES; i++) {
        int k = i - (FIELD_AXES - axes);

        f->kernel[i] = k < 0 ? 1 : t->dims[2 + grouped + k];
        f->phases[i] =
            k < 0 ? 1 : phases_of(f->kernel[i], listed(n, "strides", k), listed(n, "dilations", k));
    }
}

/* Packed filters: all groups of the first phase, then of the next one, in panels, or rows if they
 * are too few for these. The elements of a filter are in the order of its sum. */

static int64_t phase_floats(const struct form *f, int64_t places)
{
    return f->groups * filters_floats(f->out, f->in * places);
}

static void copy_filters(const struct form *f, const struct taps *taps, const char *from, float *to)
{
    int64_t kernel = f->kernel[0] * f->kernel[1] * f->kernel[2],
            n = taps[0].n * taps[1].n * taps[2].n;
    const int64_t dims[] = {f->in, taps[0].n, taps[1].n, taps[2].n};
    int64_t depth = f->in * n, cols = filters_are_panels(f->out) ? tile_set_best()->cols_f32 : 1;

    for (index_iter it = index_begin(1 + FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
        int64_t k = 0;

        for (int a = 0; a < FIELD_AXES; a++)
            k = k * f->kernel[a] + taps[a].first + it.at[a + 1] * taps[a].step;
        for (int64_t o = 0; o < f->out; o++)
            memcpy(to + o / cols * cols * depth + it.linear * cols + o % cols,
                   from + ((it.at[0] * f->out + o) * kernel + k) * (int64_t)sizeof *to, sizeof *to);
    }
}

/* Writes the filters at FROM, at any address, to TO, whose panels are zeros. */
static void pack_filters(const struct form *f, const char *from, float *to)
{
    int64_t bytes =
        f->in * f->out * f->kernel[0] * f->kernel[1] * f->kernel[2] * (int64_t)sizeof *to;

    for (index_iter it = index_begin(FIELD_AXES, f->phases); index_valid(&it); index_next(&it)) {
        struct taps taps[FIELD_AXES];
        int64_t places = 1;

        for (int a = 0; a < FIELD_AXES; a++) {
            taps[a] = taps_of(f, a, it.at[a]);
            places *= taps[a].n;
        }
        for (int64_t g = 0; g < f->groups; g++)
            copy_filters(f, taps, from + g * bytes,
                         to + g * filters_floats(f->out, f->in * places));
        to += phase_floats(f, places);
    }
}

/* All places of a filter are in one phase, so this is the sum over phases. */
static int64_t packed_floats(const struct form *f)
{
    return phase_floats(f, f->kernel[0] * f->kernel[1] * f->kernel[2]);
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    struct form f;

    if (t->type != INLAY_F32 || !inlay_tensor_is_dense(t) || inlay_tensor_count(t) == 0)
        return 0;
    read_form(n, t, &f);
    for (int i = 0; i < FIELD_AXES; i++) {
        if (f.kernel[i] >= MOST_STEP)
            return 0;
    }
    return LINE + (size_t)packed_floats(&f) * sizeof(float);
}

static int form_of(const inlay_node *n)
{
    int64_t form = 0;

    for (int i = 0; i < FIELD_AXES; i++)
        form = form * MOST_STEP +
               phases_of(MOST_STEP - 1, listed(n, "strides", i), listed(n, "dilations", i));
    return (int)form;
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    const char *data = (const char *)t->data + t->offset * (int64_t)sizeof(float);
    struct form f;

    read_form(n, t, &f);
    ((filters *)to)->finite = library_are_finite(data, inlay_tensor_count(t));
    memset((char *)to + LINE, 0, (size_t)packed_floats(&f) * sizeof(float));
    pack_filters(&f, data, (float *)(void *)((char *)to + LINE));
}

/* The result */

struct work {
    const convolution *v;
    struct form form;
    struct phase *phases[FIELD_AXES];
    field field; /* of the image that all phases read */
    image image;
    const float *data, *filters;
    float *images, *y, *apart; /* APART: the phases one after another */
    float **starts;            /* where each begins */
    int64_t *places;           /* what the first position of a phase reads */
    bool one;                  /* all of the result is one phase */
    bool covers;               /* each element of the result is in a phase */
};

static bool list_phases(inlay_call *c, struct work *w)
{
    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->v->w.axis[i];
        struct phase *p = inlay_call_memory(c, w->form.phases[i] + 1, sizeof *p);

        if (!p)
            return false;
        w->phases[i] = p;
        for (int64_t r = 0; r < w->form.phases[i]; r++, p++) {
            int64_t at = (r * a->dilation - a->pad) % a->stride;

            p->taps = taps_of(&w->form, i, r);
            p->out = at < 0 ? at + a->stride : at;
            p->n = p->out < a->large ? (a->large - p->out + a->stride - 1) / a->stride : 0;
            p->from = (p->out + a->pad - r * a->dilation) / a->stride;
            p->down = p->taps.n > 1 ? p->taps.step * a->dilation / a->stride : 0;
        }
    }
    return true;
}

/* Sets A to the part of the data that N phases at P read, and the most that one of them has of it.
 */
static void find_axis(const struct phase *p, int64_t n, int64_t data, field_axis *a)
{
    int64_t begin = INT64_MAX, end = INT64_MIN, most = 0;

    for (; n > 0; n--, p++) {
        if (p->n == 0)
            continue;
        begin = smaller(begin, p->from - (p->taps.n - 1) * p->down);
        end = larger(end, p->from + p->n);
        most = larger(most, p->n);
    }
    *a = (field_axis){.large = data, .small = 1, .kernel = 1, .stride = 1, .dilation = 1};
    if (most == 0)
        return;
    a->small = most;
    a->kernel = end - begin - most + 1;
    a->pad = -begin;
}

static void find_image(struct work *w)
{
    w->field = (field){.large = w->v->w.small, .small = 1, .kernel = 1};
    for (int i = 0; i < FIELD_AXES; i++) {
        find_axis(w->phases[i], w->form.phases[i], w->v->w.axis[i].small, &w->field.axis[i]);
        w->field.small *= w->field.axis[i].small;
    }
}

/* Is all of the result one phase? */
static bool is_one(const struct work *w)
{
    for (int i = 0; i < FIELD_AXES; i++) {
        if (w->v->w.axis[i].stride != 1)
            return false;
    }
    return true;
}

/* A phase as a convolution. */
struct part {
    const struct phase *axis[FIELD_AXES];
    convolution v;
    image form;
};

static void set_part(const struct work *w, const int64_t *at, struct part *p)
{
    p->v = (convolution){.batch = 1, .groups = w->v->groups, .in = w->v->in, .out = w->v->out};
    p->v.w = w->field;
    p->v.w.small = p->v.w.kernel = 1;
    p->form = w->image;
    p->form.w = &p->v.w;
    p->form.span = 0;
    p->form.dense = true;
    for (int i = 0; i < FIELD_AXES; i++) {
        field_axis *a = &p->v.w.axis[i];

        p->axis[i] = &w->phases[i][at[i]];
        a->small = p->axis[i]->n;
        a->kernel = p->axis[i]->taps.n;
        p->v.w.small *= a->small;
        p->v.w.kernel *= a->kernel;
        p->form.span = p->form.span * p->form.width[i] + a->small - 1;
        p->form.dense = p->form.dense && (i == 0 || p->form.width[i] == a->small);
    }
    p->form.span++;
}

/* Lists what the first position of P reads, as image_list does. */
static void list_places(const struct work *w, const struct part *p, int64_t *at)
{
    const int64_t dims[] = {w->v->in, p->axis[0]->taps.n, p->axis[1]->taps.n, p->axis[2]->taps.n};

    for (index_iter it = index_begin(1 + FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
        int64_t x = 0;

        for (int i = 0; i < FIELD_AXES; i++)
            x = x * w->image.width[i] + p->axis[i]->from - it.at[i + 1] * p->axis[i]->down +
                w->field.axis[i].pad;
        *at++ = it.at[0] * w->image.plane + x;
    }
}

static void copy_images(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;

    image_copy(&w->image, to - from, w->data + from * w->v->w.small,
               w->images + from * w->image.plane);
}

/* Takes N elements of each of STEP lines in turn. STEP is a constant where this is inlined. */
static inline __attribute__((always_inline)) void
zip_some(float *restrict y, const float *const *line, int64_t step, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t r = 0; r < step; r++)
            y[i * step + r] = line[r][i];
    }
}

static INLAY_CLONES void zip(float *y, const float *const *line, int64_t step, int64_t n)
{
    if (step == 2)
        zip_some(y, line, 2, n);
    else if (step == 3)
        zip_some(y, line, 3, n);
    else
        zip_some(y, line, ZIPPED, n);
}

/* Writes a row of the result. LINE: the phases of its last axis; of each it is row ROW. */
static void put_row(const struct work *w, float *const *line, int64_t row, float *y)
{
    const struct phase *p = w->phases[2];
    int64_t n = w->form.phases[2], stride = w->v->w.axis[2].stride, done = 0;

    if (n == stride && n > 1 && n <= ZIPPED) {
        const float *lines[ZIPPED];

        done = p[0].n;
        for (int64_t r = 0; r < n; r++) {
            lines[p[r].out] = line[r] + row * p[r].n;
            done = smaller(done, p[r].n);
        }
        zip(y, lines, n, done);
    }
    for (int64_t r = 0; r < n; r++) {
        for (int64_t t = done; t < p[r].n; t++)
            y[p[r].out + t * stride] = line[r][row * p[r].n + t];
    }
}

/* An item is a plane of the result. */
static void put_planes(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const field_axis *a = w->v->w.axis;

    for (; from < to; from++) {
        float *y = w->y + from * w->v->w.large;
        float *const *line = w->starts;

        if (!w->covers)
            memset(y, 0, (size_t)w->v->w.large * sizeof *y);
        for (index_iter it = index_begin(2, w->form.phases); index_valid(&it);
             index_next(&it), line += w->form.phases[2]) {
            const struct phase *p = &w->phases[0][it.at[0]], *q = &w->phases[1][it.at[1]];

            for (int64_t i = 0; i < p->n * q->n; i++) {
                int64_t u = p->out + i / q->n * a[0].stride, v = q->out + i % q->n * a[1].stride;

                put_row(w, line, from * p->n * q->n + i, y + (u * a[1].large + v) * a[2].large);
            }
        }
    }
}

/* Computes an element of the batch. */
static void convolve(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;
    int64_t channels = v->groups * v->in, planes = v->groups * v->out;
    const float *packed = w->filters;
    float *y = w->one ? w->y : w->apart, **start = w->starts;

    if (!w->image.plain)
        call_split(c, channels, (double)w->image.plane, copy_images, w);
    for (index_iter it = index_begin(FIELD_AXES, w->form.phases); index_valid(&it);
         index_next(&it)) {
        struct part p;
        filters_work f = {.v = &p.v, .form = &p.form, .panels = packed, .at = w->places, .y = y};

        set_part(w, it.at, &p);
        list_places(w, &p, w->places);
        f.x = w->image.plain ? w->data : w->images;
        *start++ = y;
        if (p.v.w.small > 0)
            convolution_multiply(c, &f);
        packed += phase_floats(&w->form, p.v.w.kernel);
        y += planes * p.v.w.small;
    }
    if (!w->one)
        call_split(c, planes, (double)v->w.large, put_planes, w);
}

/* Finds room for what a run needs beside its operands. */
static bool make_room(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;
    int64_t phases = 1, strides = 1, rooms = v->groups * v->out;

    for (int i = 0; i < FIELD_AXES; i++) {
        phases *= w->form.phases[i];
        strides *= v->w.axis[i].stride;
    }
    w->covers = phases == strides;
    w->places = inlay_call_memory(c, v->in * v->w.kernel, sizeof *w->places);
    w->starts = inlay_call_memory(c, phases, sizeof *w->starts);
    if (!w->one)
        w->apart = inlay_call_memory(c, rooms * v->w.large, sizeof *w->apart);
    if (!w->image.plain)
        w->images = inlay_call_memory(c, v->groups * v->in * w->image.plane + TILE_BYTES,
                                      sizeof *w->images);
    return w->places && w->starts && (w->one || w->apart) && (w->image.plain || w->images);
}

static const float *filters_of_call(inlay_call *c, const struct form *f, bool *finite)
{
    const float *given = load_f32(c, 1);
    float *packed = inlay_call_memory(c, packed_floats(f), sizeof *packed);

    if (!given || !packed)
        return NULL;
    *finite = library_are_finite(given, inlay_tensor_count(c->in[1]));
    pack_filters(f, (const char *)given, packed);
    return packed;
}

/* Does a phase have less than a panel of positions? Panels are read whole. */
static bool is_narrow(const struct work *w)
{
    for (index_iter it = index_begin(FIELD_AXES, w->form.phases); index_valid(&it);
         index_next(&it)) {
        struct part p;

        set_part(w, it.at, &p);
        if (p.form.span < tile_set_best()->cols_f32)
            return true;
    }
    return false;
}

static bool run_phases(inlay_call *c, const filters *packed, struct work *w)
{
    const convolution *v = w->v;
    bool finite = packed && packed->finite;
    float *y = place_f32(c, 0);

    w->filters = packed ? filters_of(packed) : filters_of_call(c, &w->form, &finite);
    w->data = load_f32(c, 0);
    if (!w->filters || !w->data || !y)
        return false;
    if (!w->image.plain && !finite)
        return call_kernel_of(c->node->op)(c);
    if (!make_room(c, w))
        return false;
    w->y = y;
    for (int64_t b = 0; b < v->batch; b++) {
        convolve(c, w);
        w->data += v->groups * v->in * v->w.small;
        w->y += v->groups * v->out * v->w.large;
    }
    return store_f32(c, 0, y);
}

static bool run(inlay_call *c, const void *packed)
{
    convolution v;
    struct work w = {.v = &v};

    if (inlay_tensor_count(c->out[0]) == 0)
        return true;
    convolution_of_call(c, is_grouped(c->node), true, &v);
    if (v.in * v.w.kernel == 0 || v.w.small == 0)
        return call_kernel_of(c->node->op)(c);
    read_form(c->node, c->in[1], &w.form);
    if (!list_phases(c, &w))
        return false;
    w.one = is_one(&w);
    find_image(&w);
    if (!image_is_small(&w.field))
        return call_kernel_of(c->node->op)(c);
    image_of_field(&w.field, &w.image);
    if (is_narrow(&w))
        w.image.plain = false;
    return run_phases(c, packed, &w);
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) == DOMAIN_F32;
}

const library_kernel library_transposed_convolution = {.op = INLAY_OP_CONVOLUTION_BACKPROP_DATA,
                                                       .name = "tiles",
                                                       .takes = takes,
                                                       .packs = 1,
                                                       .replaces = true,
                                                       .packed_bytes = packed_bytes,
                                                       .form = form_of,
                                                       .pack = pack,
                                                       .run = run};

const library_kernel library_transposed_group_convolution = {
    .op = INLAY_OP_GROUP_CONVOLUTION_BACKPROP_DATA,
    .name = "tiles",
    .takes = takes,
    .packs = 1,
    .replaces = true,
    .packed_bytes = packed_bytes,
    .form = form_of,
    .pack = pack,
    .run = run};
