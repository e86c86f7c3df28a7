/* Convolution-1 and GroupConvolution-1 of f32 as tiled matrix products: the rows are filters, the
 * common dimension is the filter's elements over all input channels, and the columns are positions
 * of the result. No im2col copy is made: in an image (image.h) a row of the second factor is a
 * shifted view of the data.
 *
 *     filters, 4 rows          image, shifted                 result
 *       f00 f01 f02 ..    x      place 0: p0 p1 p2 ..       =     o00 o01 ..
 *       ..                       place 1: q0 q1 q2 ..             ..
 *
 * The zeros of the padding do not change a sum that begins with +0, as long as no filter has an
 * infinity or a NaN; with such filters, and with padding, the plain kernel is called. */
#include "interp/kernels/convolution.h"
#include "inlay_ops.h"
#include "interp/library/filters.h"
#include "interp/library/flat.h"
#include "interp/library/halves.h"
#include "interp/library/image.h"
#include "interp/library/library.h"
#include "interp/library/near.h"
#include "interp/library/whole.h"

#include <math.h>
#include <string.h>

enum {
    ROOM_ROWS = 64,         /* rows of a panel that are computed in a buffer if the result has gaps
                               there */
    PART_BYTES = 256 << 10, /* of filters that stay in the second-level cache */
    WIDEST = TILE_BYTES / sizeof(float),
    ITEM_PRODUCTS = 1 << 18, /* of panels that one thread computes as one work item */
    SEEN_BYTES = 16 << 10,   /* of images, in the first-level cache */
    LINE = 16,               /* floats of a cache line */
    FEW_FILTERS = 4,
    BAND = 32,              /* rows of positions that one thread computes as one work item */
    HANDED = 2 << 10,       /* elements of the result that are handed over at a time */
    BESIDE = 4,             /* planes that are computed side by side, if they are narrow */
    WIDE_BYTES = 64,        /* of vectors */
    SMALL_IMAGE = 32 << 10, /* elements that are split in a near cache */
    MANY_GROUPS = 8,        /* enough for threads to share */
    ROOM = 1 << 14,         /* elements of an image that exists only while its group is computed */
    PRODUCTS = 8,     /* as many of these products take the time that call_split counts for one, */
    NEAR_PRODUCTS = 2 /* or of those of short sums, which wait for memory */
};

/* N columns of a panel from COLUMN on, and where in a plane of the result they are stored. */
struct run {
    int64_t column, to, n;
};

/* The convolution of one element of the batch. */
struct work {
    const convolution *v;
    const image *form;
    const tile_set *set;
    const float *x, *f; /* images, or the data itself if that is already one; filters */
    const int64_t *at;
    float *y, *images;
    const call_reader *reader; /* of Y, or NULL */
    int64_t row;               /* the number in the output of the first row of Y */
    const float *data;
    inlay_type half;   /* of the data, if it is F16 or BF16, */
    const char *codes; /* which is widened plane by plane from here; or NULL */
    int64_t places;    /* elements of the filters for which the data
                                                          read stays in the first-level cache */
    int64_t depth, panels, part, parts, block, blocks; /* panels of a block; rows of a part */
    bool by_rows;                                      /* panels are rows of positions */
    flat_plan plane;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Lists which of the positions FROM <= p < TO belong to the result. Column 0 is position FIRST.
 * Returns the number of runs. */
static int list_runs(const image *x, int64_t first, int64_t from, int64_t to, struct run *runs)
{
    const field_axis *a = x->w->axis;
    int n = 0;

    while (from < to) {
        int64_t r = from % x->width[2], row = from / x->width[2], q = row % x->width[1];
        int64_t length = smaller((r < a[2].small ? a[2].small : x->width[2]) - r, to - from);

        if (r < a[2].small && q < a[1].small)
            runs[n++] = (struct run){from - first,
                                     (row / x->width[1] * a[1].small + q) * a[2].small + r, length};
        from += length;
    }
    return n;
}

/* Computes ROWS rows and COLS columns of T: all filters for some of their elements, then for the
 * next ones, so that the data that these read stays in the first-level cache. */
static void multiply_deep(const struct work *w, const tile_f32 *t, int64_t rows, int64_t cols)
{
    tile_f32 part = *t;

    for (int64_t k = 0; k < t->depth; k += w->places) {
        part.depth = smaller(w->places, t->depth - k);
        part.a = t->a + k;
        part.b_at = t->b_at + k;
        part.adds = k > 0;
        w->set->fn_f32(&part, rows, cols);
    }
}

/* Computes a panel that has gaps in the result: ROWS rows, of which T has the first one. The first
 * position of its columns is FIRST; those from FROM on are new. */
static void multiply_apart(const struct work *w, tile_f32 *t, int64_t rows, int64_t first,
                           int64_t from, int64_t cols, float *y)
{
    _Alignas(64) float room[ROOM_ROWS * WIDEST];
    struct run runs[WIDEST];
    int n = list_runs(w->form, first, from, first + cols, runs);

    t->c = room;
    t->c_row = w->set->cols_f32;
    for (; rows > 0; rows -= ROOM_ROWS) {
        int64_t some = smaller(rows, ROOM_ROWS);

        w->set->fn_f32(t, some, cols);
        for (int64_t i = 0; i < some; i++, y += w->v->w.small) {
            for (int k = 0; k < n; k++)
                memcpy(y + runs[k].to, room + i * t->c_row + runs[k].column,
                       (size_t)runs[k].n * sizeof *y);
        }
        t->a += some * t->a_row;
    }
}

/* Computes ROWS filters, from F on, for the positions of PANEL. Nothing may be read behind the
 * data's last element, so the last panel begins early enough to be a whole one. */
static void multiply_panel(const struct work *w, const float *x, const float *f, int64_t rows,
                           int64_t panel, float *y)
{
    int64_t cols = w->set->cols_f32, from = panel * cols, first = from;
    tile_f32 t = {.depth = w->depth, .a = f, .a_row = w->depth, .a_col = 1, .b_at = w->at};

    if (w->form->plain && first + cols > w->form->span)
        first = w->form->span - cols;
    cols = smaller(cols, w->form->span - first);
    t.b = x + first;
    if (!w->form->dense || first != from) {
        multiply_apart(w, &t, rows, first, from, cols, y);
        return;
    }
    t.c = y + first;
    t.c_row = w->v->w.small;
    multiply_deep(w, &t, rows, cols);
}

/* Computes ROWS filters, from F on, for a row of positions, if panels are such rows, in tiles
 * without gaps. The last tile begins early enough to be a whole one. */
static void multiply_row(const struct work *w, const float *x, const float *f, int64_t rows,
                         int64_t row, float *y)
{
    const field_axis *a = w->v->w.axis;
    int64_t n = a[2].small, p = row / a[1].small, q = row % a[1].small, step = w->set->step, cols;
    tile_f32 t = {.depth = w->depth, .a = f, .a_row = w->depth, .a_col = 1, .b_at = w->at};

    x += (p * w->form->width[1] + q) * w->form->width[2];
    t.c_row = w->v->w.small;
    for (int64_t at = 0, first; at < n; at += cols) {
        cols = smaller(w->set->cols_f32, (n - at + step - 1) / step * step);
        cols = smaller(cols, n / step * step);
        first = smaller(at, n - cols);
        t.b = x + first;
        t.c = y + row * n + first;
        multiply_deep(w, &t, rows, cols);
    }
}

/* An item is a block of panels for a part of the filters of a group. */
static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const convolution *v = w->v;

    for (; from < to; from++) {
        int64_t panel = from % w->blocks * w->block, row = from / w->blocks % w->parts * w->part;
        int64_t group = from / w->blocks / w->parts, end = smaller(panel + w->block, w->panels);
        int64_t rows = smaller(w->part, v->out - row);

        for (row += group * v->out; panel < end; panel++)
            (w->by_rows ? multiply_row : multiply_panel)(w, w->x + group * v->in * w->form->plane,
                                                         w->f + row * w->depth, rows, panel,
                                                         w->y + row * v->w.small);
    }
}

/* Returns whether the image is made for one group at a time, so that it stays in the first-level
 * cache: images of a depthwise convolution are read only once. */
static bool is_local(const convolution *v, const image *form)
{
    return !form->plain && v->in == 1 && v->out < FEW_FILTERS && v->groups >= MANY_GROUPS &&
           form->plane + WIDEST <= ROOM;
}

/* Computes one filter over the image X, row by row of its positions. The last tile of a row begins
 * early enough to be a whole one. */
static void multiply_rows(const struct work *w, const float *x, const float *f, float *y)
{
    const field_axis *a = w->v->w.axis;
    int64_t n = a[2].small, wide = w->set->cols_f32, tile = n >= wide ? wide : smaller(wide / 2, n);
    tile_f32 t = {.depth = w->depth, .a = f, .b_at = w->at};

    t.b_row = w->form->width[2];
    t.c_row = n;
    for (int64_t p = 0; p < a[0].small; p++) {
        for (int64_t at = 0; at < n; at += tile) {
            int64_t first = smaller(at, n - tile);

            t.b = x + p * w->form->width[1] * w->form->width[2] + first;
            t.c = y + p * a[1].small * n + first;
            w->set->taps_f32(&t, a[1].small, tile);
        }
    }
}

/* Returns how many planes are computed, and handed over, at a time. */
static int64_t few_planes(const struct work *w, int64_t rest)
{
    int64_t fit = 1 + HANDED / w->v->w.small;

    if (w->codes)
        fit = smaller(fit, ROOM / (w->v->w.large > w->v->w.small ? w->v->w.large : w->v->w.small));
    if (fit > BESIDE)
        fit = fit / BESIDE * BESIDE;
    return smaller(w->v->out == 1 ? fit : 1, rest);
}

/* Hands ROWS rows at Y, the first of them being row ROW, over, if somebody reads them. BEGUN: what
 * the reader asks for is done. */
static void hand_over(const struct work *w, int64_t row, int64_t rows, const float *y, bool begun)
{
    int64_t small = w->v->w.small;
    call_rows p = {.data = (const char *)y,
                   .pitch = small * (ptrdiff_t)sizeof(float),
                   .row = w->row + row,
                   .rows = rows,
                   .length = small,
                   .begun = begun};

    if (w->reader)
        w->reader->read(w->reader, &p);
}

/* An item is a group. */
static void multiply_groups(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const convolution *v = w->v;
    _Alignas(64) float room[ROOM];
    int64_t first = from;

    for (; from < to; from++) {
        image_copy(w->form, 1, w->data + from * v->w.large, room);
        memset(room + w->form->plane, 0, WIDEST * sizeof *room);
        for (int64_t i = from * v->out; i < (from + 1) * v->out; i++)
            multiply_rows(w, room, w->f + i * w->depth, w->y + i * v->w.small);
        if (from + 1 < to && (from + 1 - first) * v->out * v->w.small < HANDED)
            continue;
        hand_over(w, first * v->out, (from + 1 - first) * v->out,
                  w->y + first * v->out * v->w.small, false);
        first = from + 1;
    }
}

/* Computes N planes of X, each of one filter, from filter ROW on, to Y, whose planes are PITCH
 * floats apart. */
static void compute_planes(const struct work *w, const float *x, int64_t row, int64_t n,
                           const tile_end *end, float *y, int64_t pitch)
{
    const convolution *v = w->v;
    near_field f = {.w = &v->w,
                    .x = x,
                    .f = w->f + row * w->depth,
                    .y = y,
                    .planes = n,
                    .x_pitch = v->w.large,
                    .f_pitch = w->depth,
                    .y_pitch = pitch,
                    .end = end};
    tile_end one = end ? *end : (tile_end){.add = NULL};

    if (!w->plane.at) {
        near_compute(w->set, &f);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        flat_compute(w->set, &w->plane, f.x + i * f.x_pitch, f.f + i * f.f_pitch, y + i * pitch,
                     end ? &one : NULL);
        one.add = one.add ? one.add + 1 : NULL;
    }
}

/* Returns N planes of the data from that of filter ROW on, in ROOM if they are halves. */
static const float *planes_of(const struct work *w, int64_t row, int64_t n, float *room)
{
    int64_t large = w->v->w.large, at = row / w->v->out * large;

    if (!w->codes)
        return w->data + at;
    halves_widen(w->half, w->codes + 2 * at, n * large, room);
    return room;
}

/* An item is a filter. */
static void multiply_near(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const call_reader *r = w->reader;
    const tile_end end = filters_end(r);
    _Alignas(64) float planes[ROOM], room[ROOM];

    for (int64_t n; from < to; from += n) {
        bool begins = call_begins(r) && !r->sum.data, there = begins && r->to;
        int64_t row = w->row + from, small = w->v->w.small,
                pitch = there ? (int64_t)(r->to_pitch / (ptrdiff_t)sizeof *w->y) : small;
        float *y = room;
        tile_end here = end;

        if (there)
            y = (float *)(void *)r->to + row * pitch;
        else if (!w->codes)
            y = w->y + from * small;
        n = few_planes(w, to - from);
        if (end.add) {
            n = smaller(n, r->add_rows - row % r->add_rows);
            here.add = (const float *)r->add + row % r->add_rows;
        }
        compute_planes(w, planes_of(w, from, n, planes), from, n, begins ? &here : NULL, y, pitch);
        if (!there)
            hand_over(w, from, n, y, begins);
    }
}

static void copy_images(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;

    image_copy(w->form, to - from, w->data + from * w->v->w.large,
               w->images + from * w->form->plane);
}

/* Returns whether panels are rows of positions, with gaps between them, instead of all positions in
 * one sequence: then some columns are computed twice, but none in a separate buffer. */
static bool is_by_rows(const struct work *w)
{
    return !w->form->dense && w->v->w.axis[2].small >= w->set->step;
}

/* Divides the work into items: a part of the filters stays in a cache while all positions are
 * computed with it. */
static void cut(struct work *w)
{
    const convolution *v = w->v;
    int64_t cols = w->set->cols_f32, fits = PART_BYTES / (int64_t)sizeof(float) / (w->depth + 1);
    int64_t products;

    fits = fits < TILE_ROWS ? TILE_ROWS : fits / TILE_ROWS * TILE_ROWS;
    w->part = smaller(fits, v->out);
    w->parts = (v->out + w->part - 1) / w->part;
    w->by_rows = is_by_rows(w);
    w->places = 1 + SEEN_BYTES * v->w.axis[2].kernel / ((cols + LINE) * (int64_t)sizeof(float));
    w->panels =
        w->by_rows ? v->w.axis[0].small * v->w.axis[1].small : (w->form->span + cols - 1) / cols;
    products = w->part * w->depth * cols + 1;
    w->block = smaller(1 + ITEM_PRODUCTS / products, w->panels);
    w->blocks = (w->panels + w->block - 1) / w->block;
}

static void convolve_groups(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;

    call_split(c, v->groups,
               (double)v->w.large +
                   (double)v->out * (double)w->depth * (double)v->w.small / PRODUCTS,
               multiply_groups, w);
}

static void convolve_near(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;

    call_split(c, v->groups * v->out, (double)w->depth * (double)v->w.small / NEAR_PRODUCTS,
               multiply_near, w);
}

static void make_images(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;

    w->x = w->images ? w->images : w->data;
    if (w->images)
        call_split(c, v->groups * v->in, (double)w->form->plane, copy_images, w);
}

static void convolve_filters(inlay_call *c, struct work *w)
{
    filters_work f = {.v = w->v,
                      .form = w->form,
                      .panels = w->f,
                      .at = w->at,
                      .y = w->y,
                      .reader = w->reader,
                      .row = w->row};

    make_images(c, w);
    f.x = w->x;
    filters_convolve(c, &f);
}

static void multiply_all(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;
    double products = (double)w->part * (double)w->depth * (double)(w->block * w->set->cols_f32);

    call_split(c, v->groups * w->parts * w->blocks, products / PRODUCTS, multiply_items, w);
}

static void convolve_images(inlay_call *c, struct work *w)
{
    make_images(c, w);
    multiply_all(c, w);
}

/* Returns how many positions of a row a tile of one filter has; the last one begins early enough.
 */
static int64_t line_of(const struct work *w)
{
    int64_t wide = w->set->cols_f32, n = w->v->w.axis[2].small;

    return n >= wide ? wide : smaller(wide / 2, n);
}

static int64_t bands_of(const convolution *v)
{
    return (v->w.axis[1].small + BAND - 1) / BAND;
}

/* An item is a band of rows of positions, for one filter. */
static void multiply_bands(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const field_axis *a = w->v->w.axis;
    int64_t bands = bands_of(w->v), n = a[2].small, tile = line_of(w);

    for (; from < to; from++) {
        int64_t row = from % bands * BAND, rows = smaller(BAND, a[1].small - row);
        int64_t p = from / bands % a[0].small, filter = from / bands / a[0].small;
        const float *x = w->x + filter / w->v->out * w->v->in * w->form->plane +
                         (p * w->form->width[1] + row) * w->form->width[2];
        float *y = w->y + filter * w->v->w.small + (p * a[1].small + row) * n;
        tile_f32 t = {.depth = w->depth, .a = w->f + filter * w->depth, .b_at = w->at};

        t.b_row = w->form->width[2];
        t.c_row = n;
        for (int64_t at = 0; at < n; at += tile) {
            t.b = x + smaller(at, n - tile);
            t.c = y + smaller(at, n - tile);
            w->set->taps_f32(&t, rows, tile);
        }
    }
}

void convolution_multiply(inlay_call *c, const filters_work *f)
{
    struct work w = {.v = f->v, .form = f->form, .set = tile_set_best(), .x = f->x, .f = f->panels};

    if (filters_are_panels(f->v->out)) {
        filters_convolve(c, f);
        return;
    }
    w.at = f->at;
    w.y = f->y;
    w.depth = f->v->in * f->v->w.kernel;
    if (f->v->out == 1 && (!f->form->plain || line_of(&w) >= w.set->step)) {
        call_split(c, f->v->groups * f->v->out * f->v->w.axis[0].small * bands_of(f->v),
                   (double)w.depth * BAND * (double)f->v->w.axis[2].small / PRODUCTS,
                   multiply_bands, &w);
        return;
    }
    cut(&w);
    multiply_all(c, &w);
}

/* Are planes of W one run? Where vectors are wide, rows of several planes side by side fill the
 * processor better, though not the vectors. */
static bool is_flat(const tile_set *set, const field *w)
{
    return flat_takes(set, w) && (set->vector_bytes < WIDE_BYTES || !near_takes(set, w, false));
}

typedef void convolve_fn(inlay_call *c, struct work *w);

/* Chooses how a convolution is computed. PANELS: its filters are packed. */
static convolve_fn *way_of(const convolution *v, const image *form, bool panels)
{
    const tile_set *set = tile_set_best();
    bool near = v->in == 1 && (near_takes(set, &v->w, false) || flat_takes(set, &v->w));

    return panels              ? convolve_filters
           : near              ? convolve_near
           : is_local(v, form) ? convolve_groups
                               : convolve_images;
}

/* Are elements loaded one by one, with steps between positions, from an image that is not split?
 * Where steps are longer than the filters, what nobody reads would be among them: an image of the
 * others is smaller. FORM is the image that is split. */
static bool has_steps(const convolution *v, const image *form, convolve_fn *way)
{
    bool large = v->groups * v->in * v->w.large > SMALL_IMAGE, steps = false, longer = false;

    for (int i = 0; i < FIELD_AXES; i++) {
        steps = steps || v->w.axis[i].stride > 1;
        longer = longer || v->w.axis[i].stride > v->w.axis[i].kernel;
    }
    return way == convolve_filters && steps && !longer &&
           (!filters_side_by_side(v, form) || (large && v->out % tile_set_best()->cols_f32 == 0));
}

/* Returns whether WAY widens halves plane by plane. */
static bool widens(const convolution *v, convolve_fn *way)
{
    return way == convolve_near && v->w.large <= ROOM && v->w.small <= ROOM;
}

/* Sets the data of W, and who reads what becomes of it; R is the reader of halves. */
static bool take_data(inlay_call *c, struct work *w, convolve_fn *way, halves_reader *r)
{
    bool whole = way != convolve_filters || w->v->w.small <= FILTERS_PART;
    bool hands = way != convolve_images, half = call_is_half(c->in[0]->type);

    if (half && hands && halves_reader_of(c, whole, w->v->w.small, r))
        w->reader = &r->reader;
    else if (!half && hands)
        w->reader = call_reader_of(c, whole);
    if (half && w->reader && widens(w->v, way)) {
        w->half = c->in[0]->type;
        w->codes = halves_at(c, 0, 0);
    } else {
        w->data = halves_load(c, 0);
    }
    if (!half || !w->reader || way == convolve_groups)
        w->y = place_f32(c, 0);
    return (w->codes || w->data) && (w->y || (half && w->reader));
}

/* Computes all elements of the batch by WAY. */
static void convolve_batch(inlay_call *c, struct work *w, convolve_fn *way)
{
    const convolution *v = w->v;
    int64_t large = v->groups * v->in * v->w.large;

    for (int64_t b = 0; b < v->batch; b++) {
        way(c, w);
        w->data = w->data ? w->data + large : NULL;
        w->codes = w->codes ? w->codes + 2 * large : NULL;
        w->y = w->y ? w->y + v->groups * v->out * v->w.small : NULL;
        w->row += v->groups * v->out;
    }
}

static bool convolve(inlay_call *c, const convolution *v, const image *split, const filters *packed)
{
    int64_t channels = v->groups * v->in, places = v->in * v->w.kernel;
    convolve_fn *way = way_of(v, split, packed && filters_are_panels(v->out));
    bool steps = has_steps(v, split, way);
    image whole;
    field unit;
    const image *form = steps ? &whole : split;
    int64_t *at = inlay_call_memory(c, places, sizeof *at);
    struct work w = {.v = v, .form = form, .set = tile_set_best(), .at = at, .depth = places};
    bool flat = way == convolve_near && is_flat(w.set, &v->w), copies;
    halves_reader halves;
    const float *y;
    void *room = NULL;

    if (steps)
        image_of_steps(&v->w, &unit, &whole);
    copies = !form->plain && (way == convolve_filters || way == convolve_images);
    w.f = packed ? filters_of(packed) : load_f32(c, 1);
    if (flat)
        room = inlay_call_memory(c, flat_bytes(w.set, &v->w), 1);
    if (room)
        flat_prepare(w.set, &v->w, room, &w.plane);
    if (copies)
        w.images = inlay_call_memory(c, channels * form->plane + WIDEST, sizeof *w.images);
    if (!at || !w.f || (copies && !w.images) || (flat && !room) || !take_data(c, &w, way, &halves))
        return false;
    image_list(form, v->in, at);
    cut(&w);
    y = w.y;
    convolve_batch(c, &w, way);
    return w.reader && call_is_half(c->out[0]->type) ? true : halves_store(c, 0, y);
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) == DOMAIN_F32 || whole_takes(c->in[0]->type);
}

static bool is_grouped(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_GROUP_CONVOLUTION);
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    return filters_bytes(t, is_grouped(n));
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    filters_pack(t, is_grouped(n), to);
}

/* Whether zeros can be used as padding. */
static bool are_finite(inlay_call *c, const filters *packed)
{
    const float *f = packed ? NULL : load_f32(c, 1);

    return packed ? packed->finite : f && library_are_finite(f, inlay_tensor_count(c->in[1]));
}

static bool run(inlay_call *c, const void *packed)
{
    convolution v;
    image form;

    if (inlay_tensor_count(c->out[0]) == 0)
        return true;
    convolution_of_call(c, is_grouped(c->node), false, &v);
    if (!image_is_small(&v.w) || v.in * v.w.kernel == 0) /* too large for tiles, or sums without
                                                            terms */
        return call_kernel_of(c->node->op)(c);
    if (whole_takes(c->in[0]->type))
        return whole_convolution(c, &v);
    image_of_field(&v.w, &form);
    if (form.span < tile_set_best()->cols_f32)
        form.plain = false; /* the data has less than a whole panel */
    if (!form.plain && !are_finite(c, packed))
        return call_kernel_of(c->node->op)(c);
    return convolve(c, &v, &form, packed);
}

const library_kernel library_convolution = {.op = INLAY_OP_CONVOLUTION,
                                            .name = "tiles",
                                            .takes = takes,
                                            .packs = 1,
                                            .replaces = true,
                                            .hands_over = true,
                                            .rows_from = 2,
                                            .packed_bytes = packed_bytes,
                                            .pack = pack,
                                            .run = run};

const library_kernel library_group_convolution = {.op = INLAY_OP_GROUP_CONVOLUTION,
                                                  .name = "tiles",
                                                  .takes = takes,
                                                  .packs = 1,
                                                  .replaces = true,
                                                  .hands_over = true,
                                                  .rows_from = 2,
                                                  .packed_bytes = packed_bytes,
                                                  .pack = pack,
                                                  .run = run};
