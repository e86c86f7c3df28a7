/* What the files of the checker of storage notes share. Private to ir/.
 *
 * The checker is told an order and nothing else: it shares no code with the passes that make notes.
 * It keeps, for every buffer, the list of what was written over it, in order: layers, each with the
 * positions it covers and the value that it holds. A value knows some of the layers (those that
 * its definition contains); it may be read as long as no layer that it does not know lies over a
 * position of it. */
#ifndef INLAY_IR_NOTES_H
#define INLAY_IR_NOTES_H

#include "ir/base/arena.h"
#include "ir/graph.h"
#include "ir/tensor/window.h"

/* Positions of a buffer. Windows count in positions of the buffer, axis by axis. */
typedef struct note_region {
    bool known; /* all positions lie in the windows */
    bool tight; /* and they are all of them; without windows: all that SLICE selects */
    bool
        exact; /* element p of the value lies at the p-th position: nothing is turned or reshaped */
    bool whole; /* every position of the buffer */
    int rank;
    const inlay_window *windows;
    const inlay_node *slice; /* what this Slice or SliceScatter, not constant, selects of BASE */
    const struct note_region *base;
} note_region;

/* The whole buffer of ROOT; NULL: out of memory, as with all that follow. */
const note_region *note_region_whole(inlay_arena *a, const inlay_value *root);
/* What the Slice or SliceScatter N selects of a value that lies at OUTER. */
const note_region *note_region_slice(inlay_arena *a, const note_region *outer, const inlay_node *n);
/* Where the outputs of a Split begin along its axis, as far as they were added up: the next one is
 * number INDEX of NODE, at BEGIN. */
typedef struct note_parts {
    const inlay_node *node;
    int index;
    int64_t begin;
} note_parts;
/* Output V of a Split of a value that lies at OUTER. PARTS is for outputs that are asked for one
 * after another, and is empty at first. */
const note_region *note_region_split(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                     note_parts *parts);
/* The same positions in another arrangement; PART: perhaps not all of them. */
const note_region *note_region_turned(inlay_arena *a, const note_region *outer, bool part);
bool note_region_meets(const note_region *a, const note_region *b);
/* Every position of INNER is surely one of OUTER. */
bool note_region_inside(const note_region *inner, const note_region *outer);
/* Element p of one lies where element p of the other lies, for every p. */
bool note_region_same(const note_region *a, const note_region *b);
/* Elements of BITS bits: every row of the value begins and ends on a whole byte. */
bool note_region_on_bytes(const note_region *r, const inlay_value *root);

/* layers.c. What a check has cost so far. When that is more than a file may ask for, all
 * regions meet and none lies inside another. */
typedef struct note_costs {
    const inlay_graph *graph;
    int comparisons;
} note_costs;

bool note_meets(note_costs *c, const note_region *a, const note_region *b);
bool note_inside(note_costs *c, const note_region *inner, const note_region *outer);

typedef struct note_layer {
    const inlay_value *value;
    const note_region *where;
} note_layer;

/* What was written over a buffer, in the order in which it is written. */
typedef struct note_layers {
    int rank; /* of the buffer's owner */
    note_layer *list;
    size_t n, cap; /* CAP is a power of two */
    struct note_box *boxes;
} note_layers;

/* False: out of memory. */
bool note_layers_push(note_layers *l, inlay_arena *a, const inlay_value *v,
                      const note_region *where);
/* The first layer from number FROM on that may lie over a position of WHERE, or NULL. */
const note_layer *note_layers_first(const note_layers *l, size_t from, const note_region *where,
                                    note_costs *c);

/* Why a note is illegal. */
typedef struct note_complaint {
    const inlay_value *bad;
    char text[600];
} note_complaint;

/* local.c: what can be said of one note without the order. */
bool note_check_local(const inlay_value *v, note_complaint *c);
/* The operand that was computed into R's window, or NULL. */
const inlay_value *note_into_operand(const inlay_value *r);
bool note_is_scatter(const inlay_node *n);
bool note_is_slice_scatter(const inlay_node *n);
/* `"r" (SliceScatter-15)`, and the name of a value: "r", "split.1" */
char *note_node_text(const inlay_node *n, char *buf, size_t size);
char *note_value_text(const inlay_value *v, char *buf, size_t size);
/* Records WHY about V; always false. */
bool note_complain(note_complaint *c, const inlay_value *v, const char *fmt, ...)
    INLAY_PRINTF(3, 4);

/* walk.c: walks ORDER. False with c->bad set: that note is illegal; with NULL: the error is
 * in D. */
bool note_walk(const inlay_graph *g, const inlay_order_list *order, note_complaint *c,
               inlay_diags *d);

#endif
