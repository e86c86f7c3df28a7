/* What the files of the checker of storage notes share. Private to ir/.
 *
 * The checker is told an order and nothing else: it shares no code with the passes that make notes.
 * It keeps, for every buffer, the list of what was written over it, in order: layers, each with the
 * positions it covers and the value that it holds. A value knows some of the layers (those that
 * its definition contains); it may be read as long as no layer that it does not know lies over a
 * position of it. */
#ifndef INLAY_IR_NOTES_H
#define INLAY_IR_NOTES_H

#include "ir/ir.h"

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

/* The constant window of a Slice or SliceScatter on static data. */
bool note_slice_window(const inlay_node *n, inlay_window *out);
/* The whole buffer of ROOT; NULL: out of memory, as with all that follow. */
const note_region *note_region_whole(inlay_arena *a, const inlay_value *root);
/* What the Slice or SliceScatter N selects of a value that lies at OUTER. */
const note_region *note_region_slice(inlay_arena *a, const note_region *outer, const inlay_node *n);
/* Output V of a Split of a value that lies at OUTER. */
const note_region *note_region_split(inlay_arena *a, const note_region *outer,
                                     const inlay_value *v);
/* The same positions in another arrangement; PART: perhaps not all of them. */
const note_region *note_region_turned(inlay_arena *a, const note_region *outer, bool part);
bool note_region_meets(const note_region *a, const note_region *b);
/* Every position of INNER is surely one of OUTER. */
bool note_region_inside(const note_region *inner, const note_region *outer);
/* Element p of one lies where element p of the other lies, for every p. */
bool note_region_same(const note_region *a, const note_region *b);
/* Elements of BITS bits: every row of the value begins and ends on a whole byte. */
bool note_region_on_bytes(const note_region *r, const inlay_value *root);

/* Why a note is illegal. */
typedef struct note_complaint {
    const inlay_value *bad;
    char text[600];
} note_complaint;

/* notes_local.c: what can be said of one note without the order. */
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

/* notes_walk.c: walks ORDER. False with c->bad set: that note is illegal; with NULL: the error is
 * in D. */
bool note_walk(const inlay_graph *g, const inlay_order_list *order, note_complaint *c,
               inlay_diags *d);

#endif
