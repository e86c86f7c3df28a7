/* The writes over a buffer, one layer for each (README.md has a picture), and the reads of it until
 * a write covers them. Private to this room. */
#ifndef INLAY_IR_NOTES_LAYERS_H
#define INLAY_IR_NOTES_LAYERS_H

#include "ir/graph/region.h"
#include "ir/tensor/box_tree.h"

/* How many comparisons a check has made. A file can make any number of claims, so there is a limit;
 * beyond it all regions count as overlapping, and none as inside another. */
typedef struct note_costs {
    const inlay_graph *graph;
    int comparisons;
} note_costs;

/* Counts N more comparisons. Is the limit reached? */
bool note_is_spent(note_costs *c, size_t n);
/* inlay_region_meets and inlay_region_inside within the limit. */
bool note_meets(note_costs *c, const inlay_region *a, const inlay_region *b);
bool note_inside(note_costs *c, const inlay_region *inner, const inlay_region *outer);

typedef struct note_layer {
    const inlay_value *value; /* the value that is written or read */
    const inlay_use *read;    /* the read; NULL: it is a write */
    const inlay_region *where;
} note_layer;

typedef struct note_layers {
    note_layer *list;
    size_t n, cap;
    inlay_box_tree boxes; /* an index over the list */
} note_layers;

/* Appends LAYER. False: out of memory. */
bool note_layers_push(note_layers *l, inlay_arena *a, const note_layer *layer);
/* The first layer, from number FROM on, that may have a position in common with WHERE; or NULL. */
const note_layer *note_layers_first(const note_layers *l, size_t from, const inlay_region *where,
                                    note_costs *c);
/* Removes X from the index of L, so that it is not found any more. */
void note_layers_drop(note_layers *l, const note_layer *x);

#endif
