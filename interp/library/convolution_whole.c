/* Convolution-1 and GroupConvolution-1 of integers of up to 32 bits in tiles (whole.h): the rows
 * are filters, and a panel is what some positions of the result read from an image (image.h),
 * gathered for a part of the filters' elements at a time. Integers have no infinities, so the zeros
 * of the padding change no sum. */
#include "interp/kernels/convolution.h"
#include "interp/library/image.h"
#include "interp/library/whole.h"

#include <string.h>

enum {
    PART = 96,    /* filters that are multiplied with one panel */
    WORDS = 128,  /* of a panel, in the first-level cache */
    PRODUCTS = 8, /* as many of these products take the time that call_split counts for one */
};

struct work {
    const convolution *v;
    const image *form;
    const whole_number *data, *f, *x; /* X: the images of DATA */
    const int64_t *at;
    uint32_t *images, *filters, *beyond, *y;
    int64_t depth, words, parts, panels;
    bool pairs;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Gathers word K of all positions of RUNS from the images X of a group. */
static void gather_word(const struct work *w, const whole_number *x, int64_t k,
                        const image_run *runs, int n, uint32_t *to)
{
    for (int i = 0; i < n; i++) {
        const whole_number *u = x + runs[i].at;
        int64_t second = k * 2 + 1;

        if (w->pairs)
            whole_pair(u + w->at[k * 2], second < w->depth ? u + w->at[second] : NULL, 1, runs[i].n,
                       to);
        else
            whole_copy(u + w->at[k], 1, runs[i].n, to);
        to += runs[i].n;
    }
}

/* Computes ROWS filters, from F on, for N positions of the images X from FIRST on. */
static void multiply_panel(const struct work *w, const whole_number *x, const uint32_t *f,
                           int64_t rows, int64_t first, int64_t n, uint32_t *y)
{
    _Alignas(64) uint32_t panel[WORDS * WHOLE_COLS] = {0};
    image_run runs[WHOLE_COLS];
    int n_runs = image_list_runs(w->form, first, n, runs);
    whole_tile t = {.a_row = w->words,
                    .b = panel,
                    .c = y + first,
                    .c_row = w->v->w.small,
                    .kind = w->pairs ? WHOLE_PAIRS : WHOLE_WORDS};

    for (int64_t k = 0; k < w->words; k += WORDS) {
        t.depth = smaller(WORDS, w->words - k);
        for (int64_t i = 0; i < t.depth; i++)
            gather_word(w, x, k + i, runs, n_runs, panel + i * WHOLE_COLS);
        t.a = f + k;
        t.adds = k > 0;
        whole_multiply(tile_set_best(), &t, rows, n);
    }
}

/* An item is a panel for a part of the filters of a group. */
static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const convolution *v = w->v;

    for (; from < to; from++) {
        int64_t first = from % w->panels * WHOLE_COLS, group = from / w->panels / w->parts;
        int64_t row = from / w->panels % w->parts * PART, filter = group * v->out + row;

        multiply_panel(w, w->x + group * v->in * w->form->plane, w->filters + filter * w->words,
                       smaller(PART, v->out - row), first, smaller(WHOLE_COLS, v->w.small - first),
                       w->y + filter * v->w.small);
    }
}

static void pack_filters(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;

    for (; from < to; from++)
        w->beyond[from] = whole_pack_row(w->f + from * w->depth, 1, w->depth, w->pairs,
                                         w->filters + from * w->words);
}

/* Packs the filters as pairs, if all elements fit. */
static void pack(inlay_call *c, struct work *w)
{
    int64_t n = w->v->groups * w->v->out;
    uint32_t beyond = whole_beyond(w->data, inlay_tensor_count(c->in[0]));

    w->pairs = beyond == 0;
    w->words = whole_words(w->depth, w->pairs);
    call_split(c, n, (double)w->depth, pack_filters, w);
    for (int64_t i = 0; i < n; i++)
        beyond |= w->beyond[i];
    if (!w->pairs || beyond == 0)
        return;
    w->pairs = false;
    w->words = w->depth;
    call_split(c, n, (double)w->depth, pack_filters, w);
}

static void copy_images(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;

    image_copy(w->form, to - from, w->data + from * w->v->w.large,
               w->images + from * w->form->plane);
}

static void convolve(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;
    int64_t channels = v->groups * v->in;
    double products = (double)smaller(PART, v->out) * (double)w->words * WHOLE_COLS;
    uint32_t *y = w->y;

    w->panels = (v->w.small + WHOLE_COLS - 1) / WHOLE_COLS;
    w->parts = (v->out + PART - 1) / PART;
    for (int64_t b = 0; b < v->batch; b++) {
        w->x = w->form->plain ? w->data : (const whole_number *)w->images;
        if (!w->form->plain)
            call_split(c, channels, (double)w->form->plane, copy_images, w);
        call_split(c, v->groups * w->parts * w->panels,
                   products / PRODUCTS + (double)w->depth * WHOLE_COLS, multiply_items, w);
        w->data += channels * v->w.large;
        w->y += v->groups * v->out * v->w.small;
    }
    w->y = y;
}

/* Whether T is an array that images can be copied from, or will be copied to one. */
static bool is_array(const inlay_tensor *t)
{
    return !whole_is_word(t->type) ||
           (inlay_tensor_is_dense(t) && (uintptr_t)t->data % sizeof(uint32_t) == 0);
}

bool whole_convolution(inlay_call *c, const convolution *v)
{
    int64_t strides[INLAY_MAX_RANK], depth = v->in * v->w.kernel, filters = v->groups * v->out;
    int64_t *at = inlay_call_memory(c, depth, sizeof *at);
    image form;
    struct work w = {.v = v, .form = &form, .at = at, .depth = depth};

    if (!is_array(c->in[0]) || !is_array(c->in[1]))
        return call_kernel_of(c->node->op)(c);
    image_of_field(&v->w, &form);
    w.data = whole_load(c, 0, strides);
    w.f = whole_load(c, 1, strides);
    if (!form.plain)
        w.images = inlay_call_memory(c, v->groups * v->in * form.plane, sizeof *w.images);
    w.filters = inlay_call_memory(c, filters * depth, sizeof *w.filters);
    w.beyond = inlay_call_memory(c, filters, sizeof *w.beyond);
    w.y = whole_place(c);
    if (!at || !w.data || !w.f || !(form.plain || w.images) || !w.filters || !w.beyond || !w.y)
        return false;
    image_list(&form, v->in, at);
    pack(c, &w);
    convolve(c, &w);
    return whole_store(c, w.y);
}
