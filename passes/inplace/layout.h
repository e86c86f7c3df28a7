/* The strides of each value in the run, as far as the graph tells. Private to this room.
 *
 *     %d = ...                        f32[4,6]   dense: strides 6, 1
 *     %x = Slice(%d, columns 0..2)    f32[4,3]   strides 6, 1: a view
 *     %y = Reshape(%x)                f32[12]    no strides show this: y cannot be a view of x
 *     %w = Reshape(%x)                f32[2,2,3] strides 12, 6, 1
 *     %z = Slice(%d, rows 1..2)       f32[2,6]   dense again
 *
 * Ask for the layout of a value when all notes of what comes before it are decided: it is kept.
 */
#ifndef INLAY_PASSES_INPLACE_LAYOUT_H
#define INLAY_PASSES_INPLACE_LAYOUT_H

#include "ir/shared.h"

typedef enum inplace_layout_kind {
    INPLACE_NOT_FOUND, /* not asked for yet */
    INPLACE_DENSE,     /* in row-major order, whatever the sizes are */
    INPLACE_PICKED,    /* dense, too: one row of a dense value, picked by an index along the first
                          axis. Its position is unknown, so parts of it are INPLACE_OPEN */
    INPLACE_STRIDED,
    INPLACE_OPEN /* unknown */
} inplace_layout_kind;

typedef struct inplace_layout {
    inplace_layout_kind kind;
    const int64_t *strides; /* of INPLACE_STRIDED, one for each axis */
} inplace_layout;

typedef struct inplace_layouts {
    const inlay_graph *g;
    size_t *first_slot;        /* by node id: the slot of its first output */
    inplace_layout *at;        /* by slot */
    const inlay_value **chain; /* scratch: the values from one to the next whose layout is known */
    inlay_arena *arena;
    inlay_diags *diags;
} inplace_layouts;

/* Are the elements contiguous and in order? */
static inline bool inplace_layout_is_dense(const inplace_layout *at)
{
    return at->kind == INPLACE_DENSE || at->kind == INPLACE_PICKED;
}
/* False: out of memory, which is recorded; inplace_layouts_end is called in any case. */
bool inplace_layouts_begin(inplace_layouts *l, const inlay_graph *g, inlay_diags *d);
void inplace_layouts_end(inplace_layouts *l);
/* The layout of V according to its note. NULL: out of memory, which is recorded. */
const inplace_layout *inplace_layout_of(inplace_layouts *l, const inlay_value *v);
/* The layout that V would have as a view of its node's first operand; kind INPLACE_NOT_FOUND: no
 * strides show that. False: out of memory, which is recorded. */
bool inplace_layout_as_view(inplace_layouts *l, const inlay_value *v, inplace_layout *out);

#endif
