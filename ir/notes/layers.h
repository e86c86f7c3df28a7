/* What was written over a buffer, write by write. Private to this room.
 *
 *     layer 2    r2    rows 3..4     written last
 *     layer 1    y1    rows 2..3
 *     the owner  d     rows 0..7     at the bottom, not a layer
 *
 * A value contains the layers up to one of them, those from which its definition follows; whoever
 * reads it must not find a higher layer over the positions that it looks at. With the layers above,
 * a read of rows 0..1 of d is right at any time; a read of row 3 of y1 is wrong once r2 is written.
 */
#ifndef INLAY_IR_NOTES_LAYERS_H
#define INLAY_IR_NOTES_LAYERS_H

#include "ir/notes/region.h"
#include "ir/tensor/box_tree.h"

/* What a check has cost so far. When that is more than a file may ask for, all regions meet and
 * none lies inside another. */
typedef struct note_costs {
    const inlay_graph *graph;
    int comparisons;
} note_costs;

/* note_region_meets and note_region_inside, at a cost. */
bool note_meets(note_costs *c, const note_region *a, const note_region *b);
bool note_inside(note_costs *c, const note_region *inner, const note_region *outer);

typedef struct note_layer {
    const inlay_value *value; /* what was written */
    const note_region *where;
} note_layer;

typedef struct note_layers {
    int rank; /* of the buffer's owner */
    note_layer *list;
    size_t n, cap;
    inlay_box_tree boxes; /* of the list */
} note_layers;

/* V was written at WHERE. False: out of memory. */
bool note_layers_push(note_layers *l, inlay_arena *a, const inlay_value *v,
                      const note_region *where);
/* The first layer from number FROM on that may lie over a position of WHERE, or NULL. */
const note_layer *note_layers_first(const note_layers *l, size_t from, const note_region *where,
                                    note_costs *c);

#endif
