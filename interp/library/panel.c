/* Panels of matrix products for f32 and f64. */
#include "interp/library/panel.h"

#include <stddef.h>
#include <string.h>

enum {
    DEPTH = 256, /* rows of a panel that are computed with at a time: 32 KiB stay in the first cache
                    while all rows of A go over them */
    FEW_ROWS = 4, /* are not worth it to pack anything */
    SQUARE = 4    /* rows and columns of what is turned round at once */
};

/* Returns how many of LEFT panels a row goes over at a time. */
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
