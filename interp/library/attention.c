/* ScaledDotProductAttention of f32. The matrix of scores is never stored whole: a few queries at a
 * time are multiplied with the keys, panel by panel, their scores become weights in place, and
 * these are multiplied with the values.
 *
 *     queries 0..31   x keys^T  ->  scores 32 x keys  ->  weights  x values  ->  results 0..31 */
#include "interp/kernels/attention.h"
#include "inlay_ops.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/softmax.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"

#include <math.h>

enum {
    SCORES = 1 << 15, /* scores at a time, if that allows enough queries */
    FEW_QUERIES = 8,
    MANY_QUERIES = 64,
    MOST_ITEMS = 16, /* work items; each has memory for its scores */
    EXP_COST = 32    /* cost of an exponential, in multiply-adds */
};

/* One attention. A block is some queries at one position of the leading axes; a work item is a run
 * of blocks. */
struct attention_work {
    const attention *a;
    const tile_set *set;
    const float *q, *k, *v, *mask; /* mask: NULL if there is none */
    float *scores, *y;
    int64_t rows, per_place, blocks, items; /* queries of a block; blocks of a place, and of all */
};

/* Scales N scores and adds the elements of M, which are COL apart; M NULL: zeros. IS_BOOLEAN: M has
 * a zero where a score does not count. */
static INLAY_CLONES void mask_line(float *restrict scores, int64_t n, float scale,
                                   const float *restrict m, int64_t col, bool is_boolean)
{
    if (!m)
        for (int64_t s = 0; s < n; s++)
            scores[s] = scores[s] * scale + 0;
    else if (is_boolean && col == 1)
        for (int64_t s = 0; s < n; s++)
            scores[s] = scores[s] * scale + (m[s] != 0 ? 0 : -INFINITY);
    else if (is_boolean)
        for (int64_t s = 0; s < n; s++)
            scores[s] = scores[s] * scale + (m[s * col] != 0 ? 0 : -INFINITY);
    else if (col == 1)
        for (int64_t s = 0; s < n; s++)
            scores[s] = scores[s] * scale + m[s];
    else
        for (int64_t s = 0; s < n; s++)
            scores[s] = scores[s] * scale + m[s * col];
}

/* Turns the scores of N queries from FIRST on into exponents. MASK is the part for these leading
 * axes. */
static void mask_scores(const struct attention_work *w, const float *mask, int64_t first, int64_t n,
                        float *scores)
{
    const attention *a = w->a;

    for (int64_t i = 0; i < n; i++, scores += a->keys) {
        const float *m = mask ? mask + (first + i) * a->mask.row : NULL;
        int64_t seen = a->causal ? panel_smaller(first + i + 1, a->keys) : a->keys;

        mask_line(scores, seen, (float)a->scale, m, a->mask.col, a->is_boolean);
        for (int64_t s = seen; s < a->keys; s++)
            scores[s] = -INFINITY;
    }
}

/* Computes N queries from FIRST on at the position IT of the leading axes. */
static void attend(const struct attention_work *w, const index_iter *it, int64_t first, int64_t n,
                   float *scores)
{
    const attention *a = w->a;
    const float *q = w->q + index_dot(it->rank, it->at, a->q.lead) + first * a->q.row;
    const float *k = w->k + index_dot(it->rank, it->at, a->k.lead);
    const float *v = w->v + index_dot(it->rank, it->at, a->v.lead);
    const float *mask = w->mask ? w->mask + index_dot(it->rank, it->at, a->mask.lead) : NULL;
    product with_keys = {.a = {.row_stride = a->q.row, .col_stride = a->q.col},
                         .b = {.row_stride = a->k.col, .col_stride = a->k.row},
                         .rows = n,
                         .cols = a->keys,
                         .depth = a->size};
    product with_values = {.a = {.row_stride = a->keys, .col_stride = 1},
                           .b = {.row_stride = a->v.row, .col_stride = a->v.col},
                           .rows = n,
                           .cols = a->values,
                           .depth = a->keys};
    ptrdiff_t pitch = (ptrdiff_t)(a->keys * (int64_t)sizeof *scores);
    panels keys = {&with_keys, w->set, NULL}, values = {&with_values, w->set, NULL};

    panel_multiply_f32(&keys, q, k, n, 0, a->keys, scores);
    mask_scores(w, mask, first, n, scores);
    softmax_rows_f32(&(row_block){.x = (const char *)scores,
                                  .to = (char *)scores,
                                  .x_pitch = pitch,
                                  .to_pitch = pitch,
                                  .rows = n,
                                  .length = a->keys});
    panel_multiply_f32(&values, scores, v, n, 0, a->values,
                       w->y + (it->linear * a->queries + first) * a->values);
}

static void attend_items(void *ctx, int64_t from, int64_t to)
{
    const struct attention_work *w = ctx;

    for (; from < to; from++) {
        float *scores = w->scores + from * w->rows * w->a->keys;

        for (int64_t b = from * w->blocks / w->items; b < (from + 1) * w->blocks / w->items; b++) {
            index_iter it = index_from(w->a->rank, w->a->dims, b / w->per_place);
            int64_t first = b % w->per_place * w->rows;

            attend(w, &it, first, panel_smaller(w->rows, w->a->queries - first), scores);
        }
    }
}

/* Returns memory for the scores of all items, or NULL after recording the error. There may be any
 * number of keys of size 0. */
static float *room_for_scores(inlay_call *c, const struct attention_work *w)
{
    int64_t queries = w->items * w->rows, most = INT64_MAX / (MOST_ITEMS * MANY_QUERIES);

    return inlay_call_memory(c, w->a->keys > most ? -1 : queries * w->a->keys, sizeof(float));
}

static bool split_attention(inlay_call *c, struct attention_work *w)
{
    const attention *a = w->a;
    int64_t places = dims_product(a->dims, a->rank);
    double cost = (double)a->keys * ((double)(a->size + a->values) / 8 + EXP_COST);

    w->rows = SCORES / (a->keys + 1);
    w->rows = w->rows < FEW_QUERIES ? FEW_QUERIES : panel_smaller(w->rows, MANY_QUERIES);
    w->rows = panel_smaller(w->rows, a->queries);
    w->per_place = (a->queries + w->rows - 1) / w->rows;
    w->blocks = places * w->per_place;
    w->items = panel_smaller(w->blocks, MOST_ITEMS);
    w->scores = room_for_scores(c, w);
    if (!w->scores)
        return false;
    call_split(c, w->items, (double)(w->blocks / w->items * w->rows) * cost, attend_items, w);
    return true;
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) == DOMAIN_F32;
}

static bool run(inlay_call *c, const void *packed)
{
    int64_t strides[4][INLAY_MAX_RANK];
    attention a;
    struct attention_work w = {.a = &a, .set = tile_set_best()};

    (void)packed;
    if (inlay_tensor_count(c->out[0]) == 0)
        return true;
    w.q = load_strided_f32(c, 0, strides[0]);
    w.k = load_strided_f32(c, 1, strides[1]);
    w.v = load_strided_f32(c, 2, strides[2]);
    w.mask = attention_is_masked(c) ? load_strided_f32(c, 3, strides[3]) : NULL;
    w.y = place_f32(c, 0);
    if (!w.q || !w.k || !w.v || !w.y || (attention_is_masked(c) && !w.mask))
        return false;
    attention_of_call(c, strides, &a);
    return split_attention(c, &w) && store_f32(c, 0, w.y);
}

const library_kernel library_attention = {.op = INLAY_OP_SCALED_DOT_PRODUCT_ATTENTION,
                                          .name = "attention",
                                          .takes = takes,
                                          .packs = -1,
                                          .run = run};
