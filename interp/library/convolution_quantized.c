/* ConvolutionQuantized in tiles of bytes (whole.h). The rows are filters, signed; the image
 * (image.h) has words of four channels, unsigned, whose padding is the zero point. A panel is what
 * some positions of the result read from it: with few filters, or few gaps between the rows of
 * positions, it is read where it is, gaps included, else it is gathered. Zero points are taken out
 * of the sums as in matmul_quantized.c; the sum of what a position reads is that with a filter of
 * ones. Groups of one or two channels are joined, so that words are full; a filter has zeros for
 * the channels of other groups. */
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
 * those of filters of ones, one for each of the groups that are joined. */
typedef struct shape {
    int64_t groups, out, in; /* joined groups, and filters and channels of one */
    int64_t joined, own;     /* groups that are joined, and channels of each */
    int64_t kernel;          /* places of a filter */
    int64_t quads, words;    /* words of a place and of a filter */
} shape;

struct work {
    const convolution *v;
    const image *form;
    shape s;
    const uint8_t *data;
    const uint32_t *x;     /* the image that is read */
    uint32_t *flat, *made; /* words of the data; an image of them */
    const uint32_t *sums, *ones, *filters;
    bool gathers;
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
    const int64_t *dims = t->dims + grouped;
    shape s = {.groups = grouped ? t->dims[0] : 1, .joined = 1, .own = dims[1], .kernel = 1};

    if (s.own > 0 && WHOLE_BYTE_WORD % s.own == 0 && s.groups % (WHOLE_BYTE_WORD / s.own) == 0)
        s.joined = WHOLE_BYTE_WORD / s.own;
    s.groups /= s.joined;
    s.out = dims[0] * s.joined;
    s.in = s.own * s.joined;
    for (int i = 2 + grouped; i < t->rank; i++)
        s.kernel *= t->dims[i];
    s.quads = (s.in + WHOLE_BYTE_WORD - 1) / WHOLE_BYTE_WORD;
    s.words = s.quads * s.kernel;
    return s;
}

/* Words before the filters of ones. */
static int64_t head_of(const shape *s)
{
    enum { LINE = HEAD / sizeof(uint32_t) };

    return (s->groups * s->out + LINE - 1) / LINE * LINE;
}

/* Writes the words of a filter, bytes [own, kernel], of group GROUP of those that are joined; F
 * NULL: of ones. Returns the sum of its bytes. */
static uint32_t pack_filter(const shape *s, int64_t group, const uint8_t *f, uint8_t flip,
                            uint32_t *to)
{
    int8_t *bytes = (int8_t *)to;
    uint32_t sum = 0;

    memset(to, 0, (size_t)s->words * sizeof *to);
    for (int64_t i = 0; i < s->own; i++) {
        int64_t channel = group * s->own + i;

        for (int64_t k = 0; k < s->kernel; k++) {
            int64_t word = channel / WHOLE_BYTE_WORD * s->kernel + k;
            int8_t x = f ? (int8_t)(f[i * s->kernel + k] ^ flip) : 1;

            bytes[word * WHOLE_BYTE_WORD + channel % WHOLE_BYTE_WORD] = x;
            sum += (uint32_t)(int32_t)x;
        }
    }
    return sum;
}

static void pack_filters(const shape *s, const uint8_t *f, bool is_signed, uint32_t *to)
{
    uint32_t *words = to + head_of(s);
    int64_t each = s->out / s->joined;

    for (int64_t i = 0; i < s->joined; i++, words += s->words)
        pack_filter(s, i, NULL, 0, words);
    for (int64_t i = 0; i < s->groups * s->out; i++, words += s->words)
        to[i] = pack_filter(s, i / each % s->joined, f + i * s->own * s->kernel,
                            is_signed ? 0 : WHOLE_FLIP, words);
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
            image_copy(w->form, 1, flat, w->made + from * w->form->plane);
    }
}

/* Gathers N words of all positions of RUNS, which lie AT distances from X. */
static INLAY_CLONES void gather_words(const uint32_t *x, const int64_t *at, int64_t n,
                                      const image_run *runs, int n_runs, uint32_t *to)
{
    for (int64_t k = 0; k < n; k++, to += WHOLE_COLS) {
        uint32_t *word = to;

        for (int i = 0; i < n_runs; i++) {
            image_copy_words(word, x + at[k] + runs[i].at, runs[i].n);
            word += runs[i].n;
        }
    }
}

/* Sums of some positions: those of ROWS filters from F on, and of the filters of ones. */
struct sums {
    int64_t f, rows;
    _Alignas(HEAD) uint32_t c[PART * WHOLE_COLS];
    uint32_t ones[WHOLE_BYTE_WORD * WHOLE_COLS];
};

/* Takes the zero point of the filters, times the sums of positions, out of the sums. */
static void take_ones(const struct work *w, struct sums *s)
{
    int64_t each = w->s.out / w->s.joined;

    for (int64_t i = 0; i < s->rows; i++) {
        const uint32_t *ones = s->ones + (s->f + i) / each % w->s.joined * WHOLE_COLS;
        uint32_t *c = s->c + i * WHOLE_COLS;

        for (int64_t j = 0; j < WHOLE_COLS; j++)
            c[j] -= w->f_zero * ones[j];
    }
}

/* Adds what T->DEPTH words from K on add to the sums. */
static void multiply_part(const struct work *w, struct sums *s, whole_tile *t, int64_t k)
{
    const tile_set *set = tile_set_best();

    t->adds = k > 0;
    t->a = w->filters + s->f * w->s.words + k;
    t->c = s->c;
    whole_multiply(set, t, s->rows, WHOLE_COLS);
    t->a = w->ones + k;
    t->c = s->ones;
    if (w->f_zero != 0)
        whole_multiply(set, t, w->s.joined, WHOLE_COLS);
}

/* Sums what N positions from FIRST on read of the images X, which is gathered part by part. */
static void multiply_gathered(const struct work *w, const uint32_t *x, int64_t first, int64_t n,
                              struct sums *s)
{
    _Alignas(HEAD) uint32_t panel[WORDS * WHOLE_COLS];
    image_run runs[WHOLE_COLS];
    int n_runs = image_list_runs(w->form, first, n, runs);
    whole_tile t = {.a_row = w->s.words, .b = panel, .c_row = WHOLE_COLS, .kind = WHOLE_BYTES};

    for (int64_t k = 0; k < w->s.words; k += WORDS) {
        t.depth = smaller(WORDS, w->s.words - k);
        gather_words(x, w->at + k, t.depth, runs, n_runs, panel);
        multiply_part(w, s, &t, k);
    }
}

/* The same for positions as they lie in the images, with gaps. Behind the last image is room for a
 * panel. */
static void multiply_in_place(const struct work *w, const uint32_t *x, struct sums *s)
{
    whole_tile t = {.depth = w->s.words,
                    .a_row = w->s.words,
                    .b = x,
                    .b_at = w->at,
                    .c_row = WHOLE_COLS,
                    .kind = WHOLE_BYTES};

    multiply_part(w, s, &t, 0);
}

/* Copies from ROOM, which has rows of WHOLE_COLS results for neighbours in an image, N from FIRST
 * on, those that are results of positions. */
static void leave_gaps(const struct work *w, const struct sums *s, int64_t first, int64_t n,
                       const char *room)
{
    const field_axis *a = w->v->w.axis;
    const int64_t *width = w->form->width;
    size_t size = w->end->size;

    for (int64_t at = first, some; at < first + n; at += some) {
        int64_t r = at % width[2], line = at / width[2], q = line % width[1];
        int64_t to = (line / width[1] * a[1].small + q) * a[2].small + r;

        some = smaller(width[2] - r, first + n - at);
        for (int64_t i = 0; q < a[1].small && r < a[2].small && i < s->rows; i++)
            quantized_copy(w->y + (size_t)((s->f + i) * w->v->w.small + to) * size,
                           room + (size_t)(i * WHOLE_COLS + at - first) * size,
                           (size_t)smaller(some, a[2].small - r) * size);
    }
}

/* Ends the sums of N positions from FIRST on. */
static void end_sums(const struct work *w, const struct sums *s, int64_t first, int64_t n)
{
    char room[PART * WHOLE_COLS * sizeof(float)];
    bool gaps = !w->gathers && !w->form->dense;
    int64_t small = w->v->w.small;
    size_t size = w->end->size;

    if (gaps)
        quantized_block(w->end, s->c, s->rows, n, s->f, false, room, WHOLE_COLS * size);
    else
        quantized_block(w->end, s->c, s->rows, n, s->f, false,
                        w->y + (size_t)(s->f * small + first) * size, (size_t)small * size);
    if (gaps)
        leave_gaps(w, s, first, n, room);
}

/* Positions that panels are made of. */
static int64_t positions_of(const struct work *w)
{
    return w->gathers ? w->v->w.small : w->form->span;
}

/* An item is a panel for a part of the filters of a group. */
static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    struct sums s;

    for (; from < to; from++) {
        int64_t first = from % w->panels * WHOLE_COLS, group = from / w->panels / w->parts;
        int64_t row = from / w->panels % w->parts * PART;
        int64_t n = smaller(WHOLE_COLS, positions_of(w) - first);
        const uint32_t *x = w->x + group * w->s.quads * w->form->plane;

        s.f = group * w->s.out + row;
        s.rows = smaller(PART, w->s.out - row);
        if (w->gathers)
            multiply_gathered(w, x, first, n, &s);
        else
            multiply_in_place(w, x + first, &s);
        if (w->f_zero != 0)
            take_ones(w, &s);
        end_sums(w, &s, first, n);
    }
}

/* Whether to gather what positions read takes less time than to compute the gaps. */
static bool gathers(const struct work *w)
{
    enum { COST = 6 /* rows for which gathering a panel takes as long as computing it */ };

    return (double)w->s.out * (double)(w->form->span - w->v->w.small) >
           (double)COST * (double)w->v->w.small;
}

static void convolve(inlay_call *c, struct work *w)
{
    const convolution *v = w->v;
    const shape *s = &w->s;
    double products = (double)smaller(PART, s->out) * WHOLE_COLS;

    w->gathers = gathers(w);
    w->panels = (positions_of(w) + WHOLE_COLS - 1) / WHOLE_COLS;
    w->parts = (s->out + PART - 1) / PART;
    w->x = w->form->plain ? w->flat : w->made;
    for (int64_t b = 0; b < v->batch; b++) {
        call_split(c, s->groups * s->quads, (double)(v->w.large + w->form->plane), make_images, w);
        call_split(c, s->groups * w->parts * w->panels,
                   products * (1 + (double)s->words / (PRODUCTS / WHOLE_BYTE_WORD)) +
                       (double)s->words * WHOLE_COLS,
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
    int64_t filters = s->groups * s->out + s->joined;

    return ((size_t)head_of(s) + (size_t)filters * (size_t)s->words) * sizeof(uint32_t);
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
    int64_t words = w->s.groups * w->s.quads;
    int64_t *at = inlay_call_memory(c, w->s.words, sizeof *at);

    form->around = w->x_zero * UINT32_C(0x01010101);
    w->flat = inlay_call_memory(c, words * w->v->w.large + WHOLE_COLS, sizeof *w->flat);
    w->made = form->plain ? w->flat
                          : inlay_call_memory(c, words * form->plane + WHOLE_COLS, sizeof *w->made);
    w->at = at;
    if (at)
        image_list(form, w->s.quads, at);
    return at && w->flat && w->made;
}

/* Adds to the bias what zero points add to the sums of filters, but for the sums of positions. */
static bool add_zeros(inlay_call *c, const struct work *w, quantized_end *e)
{
    int64_t n = w->s.groups * w->s.out;
    uint32_t *bias = inlay_call_memory(c, n, sizeof *bias);
    uint32_t terms = (uint32_t)(w->s.own * w->s.kernel) * w->f_zero;

    for (int64_t i = 0; bias && i < n; i++)
        bias[i] = e->bias[i] + w->x_zero * (terms - w->sums[i]);
    e->bias = bias;
    return bias != NULL;
}

/* END is that of W. */
static bool run_tiles(inlay_call *c, struct work *w, image *form, quantized_end *end,
                      const void *packed)
{
    const inlay_tensor *t = c->in[0];
    char *y = quantized_place(c);

    w->sums = packed ? packed : filters_of_call(c, &w->s);
    if (!y || !w->sums || !call_reads(c, 0) || !make_room(c, w, form) ||
        !quantized_end_of(c, w->s.groups * w->s.out, end) || !add_zeros(c, w, end))
        return false;
    w->ones = w->sums + head_of(&w->s);
    w->filters = w->ones + w->s.joined * w->s.words;
    w->data = (const uint8_t *)t->data + t->offset;
    w->y = y;
    convolve(c, w);
    return quantized_store(c, y);
}

static bool run(inlay_call *c, const void *packed)
{
    bool grouped = is_grouped(c->node);
    convolution v;
    image form;
    quantized_end end;
    struct work w = {.v = &v, .form = &form, .end = &end};

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
    return is_odd(&w) ? call_kernel_of(c->node->op)(c) : run_tiles(c, &w, &form, &end, packed);
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
                                                      .packs = 1,
                                                      .replaces = true,
                                                      .packed_bytes = packed_bytes,
                                                      .form = form_of,
                                                      .pack = pack,
                                                      .run = run};
