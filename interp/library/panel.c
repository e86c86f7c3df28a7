/* Panels of matrix products for f32 and f64. */
#include "interp/library/panel.h"
#include "interp/kernels/clones.h"

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
