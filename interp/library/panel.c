/* Panels of matrix products for f32 and f64. */
#include "interp/library/panel.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/formulas.h"

#include <stddef.h>
#include <string.h>

enum {
    DEPTH = 256,  /* rows of a panel that are used at a time: 32 KiB stay in the first-level cache
                    for all rows of A */
    FEW_ROWS = 4, /* too few rows for packing to pay */
    SQUARE = 4,   /* rows and columns of a block that is transposed at once, */
    STRIP = 16    /* and columns of four blocks side by side */
};

/* Interleaves the first two, or the last two, of each four elements of A and B. */
#define PAIRS_FIRST(a, b)                                                                          \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define PAIRS_LAST(a, b)                                                                           \
    __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)

/* Returns how many of LEFT panels a row is multiplied with at a time. */
static int panels_at_once(const tile_set *set, int64_t left)
{
    if (left >= set->line)
        return set->line;
    return left >= set->line / 2 ? set->line / 2 : 1;
}

void panel_join_batches(product *p)
{
    int64_t rows = p->rows;

    for (int i = p->batch_rank - 1; i >= 0; i--) {
        if (p->batch_dims[i] != 1 &&
            (p->b.batch[i] != 0 || p->a.batch[i] != rows * p->a.row_stride))
            return;
        rows *= p->batch_dims[i];
    }
    p->rows = rows;
    p->batch_rank = 0;
}

bool panel_read_constant(const inlay_tensor *t, bool turned, matrices *m)
{
    int row = t->rank - 2 + turned, col = t->rank - 1 - turned;

    if (t->rank < 2)
        return false;
    for (int i = 0; i < t->rank - 2; i++) {
        if (t->dims[i] != 1)
            return false;
    }
    *m = (matrices){t->dims[row], t->dims[col], t->strides[row], t->strides[col], {0}};
    return true;
}

#define T float
#define DOTS
#define NAME(name) name##_f32
#include "interp/library/panel_loop.h"
#undef DOTS
#undef T
#undef NAME

#define T double
#define NAME(name) name##_f64
#include "interp/library/panel_loop.h"
#undef T
#undef NAME

typedef int32_t strip_mask __attribute__((vector_size(STRIP * sizeof(int32_t)), may_alias));

#define PICK(condition, a, b)                                                                      \
    ((strip_f32)(((strip_mask)(condition) & (strip_mask)(a)) |                                     \
                 (~(strip_mask)(condition) & (strip_mask)(b))))

/* Writes X to TO after E, with what stands at SUM. */
static inline __attribute__((always_inline)) void end_strip(const tile_end *e, const strip_f32 *x,
                                                            const float *sum, float *to)
{
    const strip_f32 zero = {0}, low = e->low - zero, high = e->high - zero;
    strip_f32 y = FORM_ADD(*x, *(const strip_f32 *)sum);

    if (e->relu)
        y = FORM_RELU(y, zero);
    if (e->clamps)
        y = FORM_CLAMP(y, low, high);
    *(strip_f32 *)to = y;
}
#undef PICK

/* turn_strip_f32, and then E. */
static INLAY_CLONES void turn_and_end(const float *b, int64_t col, int64_t depth, const tile_end *e,
                                      const float *sum, int64_t sum_row, float *to, int64_t cols)
{
    for (int64_t k = 0; k < depth; k += SQUARE, b += SQUARE) {
        strip_f32 rows[SQUARE];

        turn_squares_f32(b, col, rows);
        for (int i = 0; i < SQUARE; i++, to += cols, sum += sum_row)
            end_strip(e, &rows[i], sum, to);
    }
}

void panel_turn_f32(const float *b, int64_t col, int64_t depth, int64_t n, const tile_end *e,
                    int64_t cols, float *to)
{
    float beside[TILE_BYTES / sizeof(float) * STRIP], room[TILE_BYTES / sizeof(float) * STRIP];
    int64_t squares = (depth + SQUARE - 1) / SQUARE * SQUARE;

    for (int64_t j = 0; j < n; j += STRIP, b += STRIP * col) {
        int64_t some = panel_smaller(STRIP, n - j);

        if (some == STRIP && squares == depth) {
            turn_and_end(b, col, depth, e, e->sum + j, e->sum_row, to + j, cols);
            continue;
        }
        memset(beside, 0, sizeof beside);
        for (int64_t k = 0; k < depth; k++)
            memcpy(beside + k * STRIP, e->sum + k * e->sum_row + j, (size_t)some * sizeof *to);
        turn_and_end(b, col, squares, e, beside, STRIP, room, STRIP);
        for (int64_t k = 0; k < depth; k++)
            memcpy(to + k * cols + j, room + k * STRIP, (size_t)some * sizeof *to);
    }
}
