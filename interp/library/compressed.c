/* MatMulCompressed with constant weights, which stay compressed: panels of their columns
 * (unpack.h), packed once, are converted to floats a few rows at a time, in the first-level cache,
 * for all rows of A; or, if A is one row, in registers. Or the row is split into integers
 * (digits.h), if weights are scaled in f32. The groups of a panel are consecutive:
 *
 *     zero points, scales, words | zero points, scales, words | .. */
#include "interp/kernels/compressed.h"
#include "inlay_ops.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"
#include "interp/library/unpack.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    DEPTH = 256,     /* rows of a panel that are unpacked at a time */
    MANY_ROWS = 512, /* of A that are multiplied with one panel */
    PRODUCTS = 4     /* as many of these products take the time that call_split counts for one */
};

/* How constant weights are packed. */
typedef struct packing {
    compressed w;
    unpack_kind kind;
    int64_t cols;               /* of a panel */
    int64_t words, group_words; /* words of a group for each column; of a group of a panel */
    float shift;                /* added to signed integers to make them unsigned */
} packing;

static const inlay_tensor *constant(const inlay_node *n, int i)
{
    const inlay_value *v = inlay_node_input(n, i);

    return v && inlay_node_is(v->node, INLAY_OP_CONST)
               ? inlay_node_attr(v->node, "value")->as.tensor
               : NULL;
}

/* Returns the kind of integers of BITS bits that are rounded to f16, bf16, or not at all. */
static unpack_kind integer_kind(int bits, inlay_type round)
{
    return (bits == 4 ? UNPACK_U4 : UNPACK_U8) + (round == INLAY_F16    ? 1
                                                  : round == INLAY_BF16 ? 2
                                                                        : 0);
}

/* No product of a weight and a scale is infinite, nor what rounds it (unpack_loop.h), and zero points
 * are integers near enough that their differences from weights are exact in every type: in bf16 a
 * difference of 8-bit integers needs 8 bits. */
static bool are_plain(const compressed *w)
{
    double most = w->type == INLAY_F16   ? 65504 / (255 + 255)
                  : w->type == INLAY_F32 ? FLT_MAX / (255 + 255)
                                         : 0x1p102;
    bool narrow = w->type == INLAY_BF16 && inlay_type_info_of(w->weights.t->type)->bits == 8;

    for (int64_t i = 0; w->scale.t && i < inlay_tensor_count(w->scale.t); i++) {
        if (!(fabs(inlay_tensor_get_f64(w->scale.t, i)) < most))
            return false;
    }
    for (int64_t i = 0; w->zero.t && i < inlay_tensor_count(w->zero.t); i++) {
        double x = inlay_tensor_get_f64(w->zero.t, i);

        if (narrow || x != rint(x) || fabs(x) > 255)
            return false;
    }
    return true;
}

static bool reads_integers(packing *p)
{
    const compressed *w = &p->w;
    const inlay_type_info *info = inlay_type_info_of(w->weights.t->type);

    p->kind = integer_kind(info->bits, w->scale.t ? w->type : INLAY_F32);
    p->shift = info->cls == INLAY_CLASS_SIGNED ? (float)(1 << (info->bits - 1)) : 0;
    return (w->product == w->type || w->product == INLAY_F32) && w->scale.number == 0 &&
           w->zero.number == 0;
}

static bool reads_floats(packing *p)
{
    const compressed *w = &p->w;

    p->kind = w->weights.t->type == INLAY_F16 ? UNPACK_F16 : UNPACK_BF16;
    return !w->scale.t && !w->zero.t &&
           (w->product == INLAY_F32 || w->product == w->weights.t->type);
}

/* P receives how the weights T of N are packed; false: they have another form. */
static bool packing_of(const inlay_node *n, const inlay_tensor *t, packing *p)
{
    const inlay_tensor *scale = constant(n, 2), *zero = constant(n, 3);
    const inlay_type type = n->out[0].fact.type;
    int64_t per, block; /* numbers in a word; numbers that are read at a time */

    if ((inlay_node_input(n, 2) && !scale) || (inlay_node_input(n, 3) && !zero) || t->rank < 2 ||
        inlay_tensor_count(t) == 0 || !inlay_type_is_float(type))
        return false;
    compressed_of(n, t, scale, zero, type, &p->w);
    if (!(inlay_type_is_float(t->type) ? reads_floats(p) : reads_integers(p)))
        return false;
    p->cols = tile_set_best()->cols_f32;
    per = unpack_per_word(p->kind);
    block = p->kind < UNPACK_F16 ? DIGITS_BLOCK : per;
    p->words = (p->w.size + block - 1) / block * (block / per);
    p->group_words = (p->words + (p->kind < UNPACK_F16 ? 2 : 0)) * p->cols;
    return true;
}

static int64_t panels_of(const packing *p)
{
    return (p->w.columns + p->cols - 1) / p->cols;
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    packing p;

    /* There are no more words than four times the weights, which are in memory. */
    return packing_of(n, t, &p) && are_plain(&p.w)
               ? (size_t)(panels_of(&p) * p.w.groups * p.group_words) * sizeof(uint32_t)
               : 0;
}

/* Scales and zero points are packed together with the weights, so no other node can share the
 * packed form. */
static int form(const inlay_node *n)
{
    return (int)n->id;
}

/* Returns the encoding of X, one of the weights' numbers. */
static uint32_t code_of(const packing *p, float x)
{
    uint16_t half;
    uint32_t bits;

    if (p->kind < UNPACK_F16)
        return (uint32_t)(x + p->shift);
    if (p->kind == UNPACK_F16) {
        inlay_store_f32(INLAY_F16, &half, 0, x);
        return half;
    }
    memcpy(&bits, &x, sizeof bits);
    return bits >> 16;
}

/* Writes the bits of number K of COLUMN to the words TO (unpack.h). */
static void put_code(const packing *p, uint32_t code, int64_t k, int64_t column, uint32_t *to)
{
    int64_t per = unpack_per_word(p->kind);
    uint16_t half = (uint16_t)code;

    if (p->kind == UNPACK_F16)
        memcpy((char *)to + (k * p->cols + column) * (int64_t)sizeof half, &half, sizeof half);
    else
        to[k / per * p->cols + column] |= code << (k % per * (32 / per));
}

/* Packs group G of column J of a panel, TO being the panel's group. */
static void pack_group(const packing *p, int64_t j, int64_t g, int64_t column, uint32_t *to)
{
    float zero = 0, scale = 1, x[DEPTH];

    if (p->w.zero.t)
        compressed_load(&p->w.zero, j, g, 0, 1, &zero);
    if (p->w.scale.t)
        compressed_load(&p->w.scale, j, g, 0, 1, &scale);
    if (p->kind < UNPACK_F16) {
        zero += p->shift;
        memcpy(to + column, &zero, sizeof zero);
        memcpy(to + p->cols + column, &scale, sizeof scale);
        to += 2 * p->cols;
    }
    for (int64_t k = 0; k < p->w.size; k++) {
        if (k % DEPTH == 0)
            compressed_load(&p->w.weights, j, g, k, panel_smaller(DEPTH, p->w.size - k), x);
        put_code(p, code_of(p, x[k % DEPTH]), k, column, to);
    }
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    uint32_t *words = to;
    packing p;

    if (!packing_of(n, t, &p))
        return;
    memset(to, 0, packed_bytes(n, t));
    for (int64_t j = 0; j < p.w.columns; j++) {
        for (int64_t g = 0; g < p.w.groups; g++)
            pack_group(&p, j, g, j % p.cols, words + (j / p.cols * p.w.groups + g) * p.group_words);
    }
}

/* A product that is being computed. A work item is a panel for a part of the rows of A. */
struct work {
    const packing *p;
    const tile_set *set;
    const unpack_set *unpack;
    const uint32_t *words;
    const float *a;
    digit_part *parts; /* of A, if that is one row that is multiplied as integers; else NULL */
    int64_t n_parts;
    float *y;
    int64_t rows, depth, panels;
};

/* Where group G of panel J begins. */
static unpack_run group_of(const struct work *w, int64_t j, int64_t g)
{
    const uint32_t *at = w->words + (j * w->p->w.groups + g) * w->p->group_words;
    unpack_run r = {.words = at, .depth = w->p->w.size};

    if (w->p->kind < UNPACK_F16) {
        r.zero = (const void *)at;
        r.scale = r.zero + w->p->cols;
        r.words += 2 * w->p->cols;
    }
    return r;
}

/* Writes the sums of row ROW of A with N panels from J on, APART panels from each other. */
static void put_sums(const struct work *w, int64_t row, int64_t j, int n, int64_t apart,
                     const float *sums)
{
    float *y = w->y + row * w->p->w.columns;

    for (int64_t i = 0; i < n; i++, j += apart, sums += w->p->cols) {
        int64_t column = j * w->p->cols;

        memcpy(y + column, sums,
               (size_t)panel_smaller(w->p->cols, w->p->w.columns - column) * sizeof *y);
    }
}

/* Multiplies row ROW of A with N panels from J on, APART panels from each other. */
static void multiply_row(const struct work *w, int64_t row, int64_t j, int n, int64_t apart)
{
    _Alignas(64) float sums[UNPACK_PANELS * TILE_BYTES / sizeof(float)];
    unpack_run r[UNPACK_PANELS];

    for (int i = 0; i < n; i++)
        r[i] = group_of(w, j + i * apart, 0);
    w->unpack->dot[w->p->kind](r, n, w->p->w.groups, w->p->group_words, w->a + row * w->depth,
                               sums);
    put_sums(w, row, j, n, apart, sums);
}

/* The same with the only row split into integers. */
static void multiply_parts(const struct work *w, int64_t row, int64_t j, int n, int64_t apart)
{
    _Alignas(64) double sums[UNPACK_PANELS * TILE_BYTES / sizeof(float)] = {0};
    float rounded[UNPACK_PANELS * TILE_BYTES / sizeof(float)];
    unpack_run r[UNPACK_PANELS];
    unpack_digits_fn *multiply =
        (unpack_has_bytes(w->unpack) ? w->unpack->bytes : w->unpack->digits)[w->p->kind];

    for (int i = 0; i < n; i++)
        r[i] = group_of(w, j + i * apart, 0);
    multiply(r, n, w->p->group_words, w->parts, w->n_parts, sums);
    for (int64_t i = 0; i < n * w->p->cols; i++)
        rounded[i] = (float)sums[i];
    put_sums(w, row, j, n, apart, rounded);
}

/* Parts of a work item are read side by side: more streams of memory than one are faster. Rows after
 * the first find their panels in the second cache. */
static void multiply_row_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    void (*multiply)(const struct work *, int64_t, int64_t, int, int64_t) =
        w->parts ? multiply_parts : multiply_row;
    int64_t apart = (to - from) / UNPACK_PANELS;

    for (int64_t end = from + apart; from < end; from++) {
        for (int64_t row = 0; row < w->rows; row++)
            multiply(w, row, from, UNPACK_PANELS, apart);
    }
    for (from += (UNPACK_PANELS - 1) * apart; from < to; from++) {
        for (int64_t row = 0; row < w->rows; row++)
            multiply(w, row, from, 1, 0);
    }
}

/* ROWS rows of A over group G of panel J. */
static void multiply_group(const struct work *w, int64_t j, int64_t g, const float *a, int64_t rows,
                           int64_t n, float *y)
{
    _Alignas(64) float room[DEPTH * TILE_BYTES / sizeof(float)];
    unpack_run all = group_of(w, j, g);

    for (int64_t k = 0; k < all.depth; k += DEPTH) {
        unpack_run r = all;
        tile_f32 t = {.a = a + g * all.depth + k,
                      .a_row = w->depth,
                      .a_col = 1,
                      .b = room,
                      .b_row = w->p->cols,
                      .c = y,
                      .c_row = w->p->w.columns,
                      .adds = g + k > 0};

        r.words += k / unpack_per_word(w->p->kind) * w->p->cols;
        t.depth = r.depth = panel_smaller(DEPTH, all.depth - k);
        w->unpack->fn[w->p->kind](&r, room);
        w->set->fn_f32(&t, rows, n);
    }
}

static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;

    for (; from < to; from++) {
        int64_t j = from % w->panels, row = from / w->panels * MANY_ROWS;
        int64_t rows = panel_smaller(MANY_ROWS, w->rows - row), column = j * w->p->cols;
        int64_t n = panel_smaller(w->p->cols, w->p->w.columns - column);
        float *y = w->y + row * w->p->w.columns + column;

        for (int64_t g = 0; g < w->p->w.groups; g++)
            multiply_group(w, j, g, w->a + row * w->depth, rows, n, y);
    }
}

static bool make_plane(inlay_call *c, const digit_form *f, digit_plane *p)
{
    p->parts = inlay_call_memory(c, digits_parts(f), sizeof *p->parts);
    p->at = inlay_call_memory(c, digits_blocks(f), sizeof *p->at);
    p->pairs = inlay_call_memory(c, digits_blocks(f) * DIGITS_BLOCK, sizeof *p->pairs);
    return p->parts && p->at && p->pairs;
}

/* Splits the row of A into integers. */
static bool cut_row(inlay_call *c, struct work *w)
{
    digit_form f = {w->p->w.groups, w->p->w.size, unpack_per_word(w->p->kind),
                    unpack_has_bytes(w->unpack)};
    double *units = inlay_call_memory(c, digits_parts(&f), sizeof *units);
    float *rest = inlay_call_memory(c, w->depth, sizeof *rest);
    digit_plane planes[DIGITS_PLANES];
    bool left = true;
    int n = 0;

    if (!units || !rest)
        return false;
    memcpy(rest, w->a, (size_t)w->depth * sizeof *rest);
    digits_begin(&f, rest, units);
    while (left) {
        if (!make_plane(c, &f, &planes[n]))
            return false;
        left = digits_cut(&f, rest, units, &planes[n++]);
    }
    w->parts = inlay_call_memory(c, n * digits_parts(&f), sizeof *w->parts);
    if (!w->parts)
        return false;
    w->n_parts = digits_join(&f, planes, n, w->parts);
    return true;
}

/* Returns whether a row is multiplied as integers: weights are not rounded, and the row is finite.
 */
static bool has_digits(const struct work *w)
{
    return w->rows == 1 && w->unpack->digits[w->p->kind] && library_are_finite(w->a, w->depth);
}

/* Returns whether each row of A is multiplied by itself: to convert weights again for each of a few
 * rows takes less time than tiles lose that have few sums, each of which waits for itself. */
static bool is_by_rows(const struct work *w)
{
    return w->rows <= (w->p->kind < UNPACK_F16 ? 2 : 4);
}

static bool run(inlay_call *c, const void *packed)
{
    int64_t count = inlay_tensor_count(c->out[0]), parts;
    struct work w = {.set = tile_set_best(), .words = packed};
    void (*items)(void *, int64_t, int64_t);
    packing p;

    if (!packed || count == 0 || !packing_of(c->node, c->in[1], &p))
        return call_kernel_of(c->node->op)(c);
    w.p = &p;
    w.unpack = unpack_set_of(w.set->cols_f32);
    w.a = load_f32(c, 0);
    w.y = place_f32(c, 0);
    if (!w.a || !w.y)
        return false;
    w.depth = p.w.groups * p.w.size;
    w.rows = count / p.w.columns;
    w.panels = panels_of(&p);
    items = is_by_rows(&w) ? multiply_row_items : multiply_items;
    parts = (w.rows + MANY_ROWS - 1) / MANY_ROWS;
    if (has_digits(&w) && !cut_row(c, &w))
        return false;
    call_split(c, w.panels * parts,
               (double)panel_smaller(w.rows, MANY_ROWS) * (double)w.depth * (double)p.cols /
                   PRODUCTS,
               items, &w);
    return store_f32(c, 0, w.y);
}

const library_kernel library_matmul_compressed = {.op = INLAY_OP_MAT_MUL_COMPRESSED,
                                                  .name = "compressed",
                                                  .packs = 1,
                                                  .replaces = true,
                                                  .packed_bytes = packed_bytes,
                                                  .form = form,
                                                  .pack = pack,
                                                  .run = run};
