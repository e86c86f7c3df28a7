/* Panels of matrix products for f32 and f64. */
#include "interp/library/panel.h"

#include <stddef.h>
#include <string.h>

enum {
    DEPTH = 256,  /* rows of a panel that are used at a time: 32 KiB stay in the first-level cache
                    for all rows of A */
    FEW_ROWS = 4, /* too few rows for packing to pay */
    SQUARE = 4    /* rows and columns of a block that is transposed at once */
};

/* Returns how many of LEFT panels a row is multiplied with at a time. */
static int panels_at_once(const tile_set *set, int64_t left)
{
    if (left >= set->line)
        return set->line;
    return left >= set->line / 2 ? set->line / 2 : 1;
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
