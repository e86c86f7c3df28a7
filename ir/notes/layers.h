/* What was written over a buffer, write by write: README.md has a picture. And what is read of it,
 * until that is written over. Private to this room. */
#ifndef INLAY_IR_NOTES_LAYERS_H
#define INLAY_IR_NOTES_LAYERS_H

#include "ir/graph/region.h"
#include "ir/tensor/box_tree.h"

/* What a check has cost so far. When that is more than a file may ask for, all regions meet and
 * none lies inside another. */
typedef struct note_costs {
    const inlay_graph *graph;
    int comparisons;
} note_costs;

/* N more comparisons are paid. Is nothing left for others? */
bool note_is_spent(note_costs *c, size_t n);
/* inlay_region_meets and inlay_region_inside, at a cost. */
bool note_meets(note_costs *c, const inlay_region *a, const inlay_region *b);
bool note_inside(note_costs *c, const inlay_region *inner, const inlay_region *outer);

typedef struct note_layer {
    const inlay_value *value; /* what was written, or is read */
    const inlay_use *read;    /* the read; of a write NULL */
    const inlay_region *where;
} note_layer;

typedef struct note_layers {
    note_layer *list;
    size_t n, cap;
    inlay_box_tree boxes; /* of the list */
} note_layers;

/* LAYER comes last. False: out of memory. */
bool note_layers_push(note_layers *l, inlay_arena *a, const note_layer *layer);
/* The first layer from number FROM on that may lie over a position of WHERE, or NULL. */
const note_layer *note_layers_first(const note_layers *l, size_t from, const inlay_region *where,
                                    note_costs *c);
/* X, which is of L, is found no more. */
void note_layers_drop(note_layers *l, const note_layer *x);

#endif
