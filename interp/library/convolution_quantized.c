/* ConvolutionQuantized in tiles of bytes (whole.h). The rows are filters, signed; the image
 * (image.h) has words of four channels, unsigned, whose padding is the zero point. A panel is what
 * some positions of the result read from it. Zero points are taken out of the sums as in
 * matmul_quantized.c; the sum of what a position reads is that with a filter of ones. */
#include "inlay_ops.h"
#include "interp/call/share.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/convolution.h"
#include "interp/kernels/quantized.h"
#include "interp/library/image.h"
#include "interp/library/library.h"
#include "interp/library/whole.h"

#include <limits.h>
#include <string.h>

enum {
    PART = 96,     /* filters that are multiplied with one panel */
    WORDS = 128,   /* of a panel, in the first-level cache */
    PRODUCTS = 32, /* as many of these products take the time that call_split counts for one */
    HEAD = 64      /* bytes: the packed form begins at a cache line, and so do its words */
};

/* Filters as words: the sums of the filters, and from the next cache line on their words, behind
 * those of a filter of ones. */
typedef struct shape {
    int64_t filters, in, kernel; /* filters of all groups, and the channels and places of one */
    int64_t quads, words;        /* words of a place and of a filter */
} shape;

/* N positions that read neighbours in an image, the first one from AT on. */
struct run {
    int64_t at, n;
};

struct work {
    const convolution *v;
    const image *form;
    shape s;
    const uint8_t *data;
    const uint32_t *x;     /* the image that is read */
    uint32_t *flat, *made; /* words of the data; an image of them */
    const uint32_t *sums, *ones, *filters;
    const int64_t *at;
    uint32_t x_zero, f_zero; /* of the bytes as they are here */
    bool flips;
    char *y;
    const quantized_end *end;
    int64_t parts, panels;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static shape shape_of(const inlay_tensor *t, bool grouped)
{
    shape s = {t->dims[0], t->dims[1 + grouped], 1, 0, 0};

    if (grouped)
        s.filters *= t->dims[1];
    for (int i = 2 + grouped; i < t->rank; i++)
        s.kernel *= t->dims[i];
    s.quads = (s.in + WHOLE_BYTE_WORD - 1) / WHOLE_BYTE_WORD;
    s.words = s.quads * s.kernel;
    return s;
}

/* Words before the filter of ones. */
static int64_t head_of(const shape *s)
{
    enum { LINE = HEAD / sizeof(uint32_t) };

    return (s->filters + LINE - 1) / LINE * LINE;
}

/* Writes the words of a filter, bytes [in, kernel]; F NULL: of ones. Returns the sum of its bytes.
 */
static uint32_t pack_filter(const shape *s, const uint8_t *f, uint8_t flip, uint32_t *to)
{
    int8_t *bytes = (int8_t *)to;
    uint32_t sum = 0;

    memset(to, 0, (size_t)s->words * sizeof *to);
    for (int64_t i = 0; i < s->in; i++) {
        for (int64_t k = 0; k < s->kernel; k++) {
            int64_t word = i / WHOLE_BYTE_WORD * s->kernel + k;
            int8_t x = f ? (int8_t)(f[i * s->kernel + k] ^ flip) : 1;

            bytes[word * WHOLE_BYTE_WORD + i % WHOLE_BYTE_WORD] = x;
            sum += (uint32_t)(int32_t)x;
        }
    }
    return sum;
}

static void pack_filters(const shape *s, const uint8_t *f, bool is_signed, uint32_t *to)
{
    uint32_t *words = to + head_of(s);

    pack_filter(s, NULL, 0, words);
    for (int64_t i = 0; i < s->filters; i++) {
        words += s->words;
        to[i] = pack_filter(s, f + i * s->in * s->kernel, is_signed ? 0 : WHOLE_FLIP, words);
    }
}

/* Makes N words of four channels of bytes that lie APART; channels from CHANNELS on are zeros. */
static INLAY_CLONES void interleave(const uint8_t *x, int64_t apart, int64_t channels, int64_t n,
                                    uint32_t flips, uint32_t *restrict to)
{
    if (channels >= WHOLE_BYTE_WORD) {
        const uint8_t *u = x + apart, *v = u + apart, *w = v + apart;

        for (int64_t i = 0; i < n; i++)
            to[i] = ((uint32_t)x[i] | (uint32_t)u[i] << 8 | (uint32_t)v[i] << 16 |
                     (uint32_t)w[i] << 24) ^
                    flips;
        return;
    }
    for (int64_t i = 0; i < n; i++)
        to[i] = x[i] ^ flips;
    for (int64_t k = 1; k < channels; k++) {
        for (int64_t i = 0; i < n; i++)
            to[i] ^= (uint32_t)x[k * apart + i] << k * CHAR_BIT;
    }
}

/* An item is a word of four channels. */
static void make_images(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const shape *s = &w->s;

    for (; from < to; from++) {
        int64_t channel = from % s->quads * WHOLE_BYTE_WORD;
        uint32_t *flat = w->flat + from * w->v->w.large;

        interleave(w->data + (from / s->quads * s->in + channel) * w->v->w.large, w->v->w.large,
                   s->in - channel, w->v->w.large, w->flips ? WHOLE_FLIPS : 0, flat);
        if (!w->form->plain)
            image_copy(w->form, flat, w->made + from * w->form->plane);
    }
}

/* Lists where N positions from FIRST on lie in an image. Returns the number of runs. */
static int list_runs(const image *x, int64_t first, int64_t n, struct run *runs)
{
    const field_axis *a = x->w->axis;
    int count = 0;

    for (int64_t at = first, some; at < first + n; at += some) {
        int64_t r = at % a[2].small, row = at / a[2].small;
        int64_t line = row / a[1].small * x->width[1] + row % a[1].small;

        some = smaller(a[2].small - r, first + n - at);
        runs[count++] = (struct run){line * x->width[2] + r, some};
    }
    return count;
}

/* Gathers a word of all positions of RUNS from the image at X. */
static void gather_word(const uint32_t *x, const struct run *runs, int n, uint32_t *to)
{
    for (int i = 0; i < n; i++) {
        memcpy(to, x + runs[i].at, (size_t)runs[i].n * sizeof *to);
        to += runs[i].n;
    }
}

/* Sets the sums of ROWS filters, from F on, to what zero points add to them, but for the sums of
 * positions. */
static void begin_sums(const struct work *w, int64_t f, int64_t rows, uint32_t *restrict c)
{
    uint32_t terms = (uint32_t)(w->s.in * w->s.kernel) * w->f_zero;

    for (int64_t i = 0; i < rows; i++, c += WHOLE_COLS) {
        uint32_t x = w->x_zero * (terms - w->sums[f + i]);

        for (int64_t j = 0; j < WHOLE_COLS; j++)
            c[j] = x;
    }
}

/* Takes the zero point of the filters, times the sums ONES of positions, out of C. */
static void take_ones(const struct work *w, const uint32_t *ones, int64_t rows,
                      uint32_t *restrict c)
{
    for (int64_t i = 0; i < rows; i++, c += WHOLE_COLS) {
        for (int64_t j = 0; j < WHOLE_COLS; j++)
            c[j] -= w->f_zero * ones[j];
    }
}

/* Computes ROWS filters from F on for N positions of the images X from FIRST on. */
static void multiply_panel(const struct work *w, const uint32_t *x, int64_t f, int64_t rows,
                           int64_t first, int64_t n, uint32_t *c)
{
    _Alignas(64) uint32_t panel[WORDS * WHOLE_COLS] = {0}, ones[WHOLE_COLS] = {0};
    const tile_set *set = tile_set_best();
    struct run runs[WHOLE_COLS];
    int n_runs = list_runs(w->form, first, n, runs);
    whole_tile t = {
        .a_row = w->s.words, .b = panel, .c_row = WHOLE_COLS, .kind = WHOLE_BYTES, .adds = true};

    begin_sums(w, f, rows, c);
    for (int64_t k = 0; k < w->s.words; k += WORDS) {
        t.depth = smaller(WORDS, w->s.words - k);
        for (int64_t i = 0; i < t.depth; i++)
            gather_word(x + w->at[k + i], runs, n_runs, panel + i * WHOLE_COLS);
        t.a = w->filters + f * w->s.words + k;
        t.c = c;
        whole_multiply(set, &t, rows, WHOLE_COLS);
        t.a = w->ones + k;
        t.c = ones;
        if (w->f_zero != 0)
            whole_multiply(set, &t, 1, WHOLE_COLS);
    }
    if (w->f_zero != 0)
        take_ones(w, ones, rows, c);
}

/* An item is a panel for a part of the filters of a group. */
static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const convolution *v = w->v;
    _Alignas(64) uint32_t c[PART * WHOLE_COLS];

    for (; from < to; from++) {
        int64_t first = from % w->panels * WHOLE_COLS, group = from / w->panels / w->parts;
        int64_t row = from / w->panels % w->parts * PART, filter = group * v->out + row;
        int64_t rows = smaller(PART, v->out - row), n = smaller(WHOLE_COLS, v->w.small - first);

        multiply_panel(w, w->x + group * w->s.quads * w->form->plane, filter, rows, first, n, c);
        quantized_block(w->end, c, rows, n, filter, false,
                        w->y + (size_t)(filter * v->w.small + first) * w->end->size,
                        (size_t)v->w.small * w->end->size);
    }
}

static void convolve(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;
    double products = (double)smaller(PART, v->out) * WHOLE_COLS;

    w->panels = (v->w.small + WHOLE_COLS - 1) / WHOLE_COLS;
    w->parts = (v->out + PART - 1) / PART;
    w->x = w->form->plain ? w->flat : w->made;
    for (int64_t b = 0; b < v->batch; b++) {
        call_split(c, v->groups * w->s.quads, (double)(v->w.large + w->form->plane), make_images,
                   w);
        call_split(c, v->groups * w->parts * w->panels,
                   products * (1 + (double)w->s.words / (PRODUCTS / WHOLE_BYTE_WORD)) +
                       (double)w->s.words * WHOLE_COLS,
                   multiply_items, w);
        w->data += v->groups * v->in * v->w.large;
        w->y += (size_t)(v->groups * v->out * v->w.small) * w->end->size;
    }
}

static bool is_grouped(const inlay_node *n)
{
    return inlay_node_bool(n, "grouped");
}

static size_t filter_bytes(const shape *s)
{
    return ((size_t)head_of(s) + (size_t)(s->filters + 1) * (size_t)s->words) * sizeof(uint32_t);
}

/* Are there zero points that the padding cannot have? */
static bool is_odd(const struct work *w)
{
    bool pads = !w->form->plain;

    return pads && w->x_zero > UINT8_MAX;
}

/* Returns the filters as words. */
static const uint32_t *filters_of_call(inlay_call *c, const shape *s)
{
    const inlay_tensor *t = c->in[1];
    uint32_t *to = call_bytes(c, filter_bytes(s));

    if (!to || !call_reads(c, 1))
        return NULL;
    pack_filters(s, (const uint8_t *)t->data + t->offset, t->type == INLAY_I8, to);
    return to;
}

/* Makes room for images, and lists what filters read. */
static bool make_room(inlay_call *c, struct work *w, image *form)
{
    int64_t words = w->v->groups * w->s.quads;
    int64_t *at = inlay_call_memory(c, w->s.words, sizeof *at);

    form->around = w->x_zero * UINT32_C(0x01010101);
    w->flat = inlay_call_memory(c, words * w->v->w.large, sizeof *w->flat);
    w->made = form->plain ? w->flat : inlay_call_memory(c, words * form->plane, sizeof *w->made);
    w->at = at;
    if (at)
        image_list(form, w->s.quads, at);
    return at && w->flat && w->made;
}

static bool run_tiles(inlay_call *c, struct work *w, image *form, const void *packed)
{
    const inlay_tensor *t = c->in[0];
    quantized_end end;
    char *y = quantized_place(c);

    w->sums = packed ? packed : filters_of_call(c, &w->s);
    if (!y || !w->sums || !call_reads(c, 0) || !make_room(c, w, form) ||
        !quantized_end_of(c, w->s.filters, &end))
        return false;
    w->ones = w->sums + head_of(&w->s);
    w->filters = w->ones + w->s.words;
    w->data = (const uint8_t *)t->data + t->offset;
    w->y = y;
    w->end = &end;
    convolve(c, w);
    return quantized_store(c, y);
}

static bool run(inlay_call *c, const void *packed)
{
    bool grouped = is_grouped(c->node);
    convolution v;
    image form;
    struct work w = {.v = &v, .form = &form};

    if (inlay_tensor_count(c->out[0]) == 0)
        return true;
    convolution_of_call(c, grouped, false, &v);
    if (!image_is_small(&v.w) || v.in * v.w.kernel == 0 || !inlay_tensor_is_dense(c->in[0]) ||
        (!packed && !inlay_tensor_is_dense(c->in[1])))
        return call_kernel_of(c->node->op)(c);
    image_of_field(&v.w, &form);
    w.s = shape_of(c->in[1], grouped);
    w.flips = c->in[0]->type == INLAY_I8;
    if (!quantized_zero(c, QUANTIZED_A_ZERO, &w.x_zero) ||
        !quantized_zero(c, QUANTIZED_B_ZERO, &w.f_zero))
        return false;
    w.x_zero += w.flips ? WHOLE_FLIP : 0;
    w.f_zero -= c->in[1]->type == INLAY_U8 ? WHOLE_FLIP : 0;
    return is_odd(&w) ? call_kernel_of(c->node->op)(c) : run_tiles(c, &w, &form, packed);
}

static bool takes(const inlay_call *c)
{
    (void)c;
    return true;
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    shape s = shape_of(t, is_grouped(n));

    return inlay_tensor_is_dense(t) && inlay_tensor_bytes(t) > 0 ? filter_bytes(&s) : 0;
}

static int form_of(const inlay_node *n)
{
    return is_grouped(n);
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    shape s = shape_of(t, is_grouped(n));

    pack_filters(&s, (const uint8_t *)t->data + t->offset, t->type == INLAY_I8, to);
}

const library_kernel library_convolution_quantized = {.op = INLAY_OP_CONVOLUTION_QUANTIZED,
                                                      .name = "bytes",
                                                      .takes = takes,
                                                      .packs = 1,
                                                      .replaces = true,
                                                      .packed_bytes = packed_bytes,
                                                      .form = form_of,
                                                      .pack = pack,
                                                      .run = run};
