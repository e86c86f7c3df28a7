/* The state of the checker's walk. Private to this room.
 *
 * The walk goes through the nodes in the order of the run and keeps, for every value made so far,
 * its *place*: in which buffer it stands, at which region of it, and how many of the buffer's
 * layers (layers.h) it contains.
 *
 *     order          note               its place                        layers of d's buffer
 *     %d = Abs       fresh              d's buffer, all, contains 0      -
 *     %x = Slice     view of d          d's buffer, rows 2..3, 0         -
 *     %y = Exp       into r             d's buffer, rows 2..3, 1         y: rows 2..3
 *     %r = Scatter   overwrites d       d's buffer, all, 1               y: rows 2..3
 *     %z = Add(d)    fresh              z's own                          d contains 0 layers: layer
 * y lies over it, a complaint
 */
#ifndef INLAY_IR_NOTES_WALK_H
#define INLAY_IR_NOTES_WALK_H

#include "ir/notes/layers.h"
#include "ir/notes/notes.h"

typedef struct note_buffer {
    const inlay_value *owner;       /* the value that stands in it without a note */
    const inlay_variable *variable; /* whose state it holds, or NULL */
    const inlay_region *whole;      /* all of it; made when first asked for */
    note_layers layers;
    note_layers reads;       /* of values that share a buffer, until they are written over */
    const inlay_value *seen; /* the last one of its values that is looked at in the end */
} note_buffer;

typedef struct note_place {
    note_buffer *in;           /* NULL: it is not known yet where it will stand */
    bool made;                 /* the value is; false: only a part of it may be */
    size_t knows;              /* the value contains so many layers, the lowest ones */
    const inlay_region *where; /* NULL: the whole buffer */
    const inlay_node *scatter; /* in whose window it is computed, as a part or whole; or NULL */
} note_place;

typedef struct note_node {
    size_t first_slot;     /* of its first output; every value has a slot */
    bool shares;           /* a buffer with others: it has a note, or one leads to it */
    const inlay_value *of; /* the note of which says that the node keeps ... */
    uint64_t stated, met;  /* ... these conditions, as bits; those that were found to be so */
} note_node;

typedef struct note_walker {
    const inlay_graph *g;
    const inlay_order_list *order;
    inlay_arena *arena;
    note_node *nodes;    /* by node id */
    note_place *places;  /* by slot */
    note_buffer **state; /* by index of variable: the buffer of its state, or NULL */
    bool *late;          /* by node id: inlay_list_late */
    int64_t begin;       /* of the next output of the Split that runs, along its axis; or below 0 */
    note_complaint *c;
    inlay_diags *d;
    note_costs costs;
    bool over;   /* the walk is behind the last node */
    bool failed; /* out of memory, which D says */
} note_walker;

/* walker.c */
bool note_out_of_memory(note_walker *w); /* always false */
note_place *note_place_of(const note_walker *w, const inlay_value *v);
/* The region of P; NULL: out of memory. */
const inlay_region *note_where(note_walker *w, note_place *p);
/* bodies.c: by input of N, whether an output of N may be it, unchanged. NULL: out of memory. */
const bool *note_handed_through(note_walker *w, const inlay_node *n);
/* Is it sure that bodies make V, which is written in its place, as no other output? Or does no body
 * make V? */
bool note_check_made(note_walker *w, const inlay_value *v);
/* The functions below are false when there is a complaint or no memory. */

/* reads.c */

/* Does every input of N still stand where N reads it? */
bool note_check_reads(note_walker *w, const inlay_node *n);
/* The same for one input. */
bool note_check_read(note_walker *w, const inlay_use *u);
/* May the node of V read what it reads of B while it writes V over WRITTEN? It may read the same
 * position before it writes it, and positions elsewhere. */
bool note_check_own_reads(note_walker *w, const inlay_value *v, const note_buffer *b,
                          const inlay_region *written);

/* Has NODE read before where V is written now, so that it keeps KEPT? */
bool note_is_read_before(note_walker *w, const inlay_value *v, const inlay_node *node,
                         inlay_condition kept);
/* Does the note of V, which is about to be written over WHERE of B, say who has read there? A read
 * is a ground of the first that is written over it. */
bool note_check_earlier_reads(note_walker *w, const inlay_value *v, note_buffer *b,
                              const inlay_region *where);

/* walker.c: what a note relies on */

/* The note of V is judged now. */
void note_open_grounds(note_walker *w, const inlay_value *v);
/* It relies on BY, which keeps a condition: does it say so? A bare note need not. */
bool note_rely(note_walker *w, const inlay_value *v, inlay_condition kept, const inlay_node *by);
/* Was G, which the note that is judged states, relied on? */
bool note_is_met(const note_walker *w, const inlay_ground *g);

/* buffer.c */

/* Are all operands of SCATTER but the updates made, so that V can be computed in its window? */
bool note_check_ready(note_walker *w, const inlay_value *v, const inlay_node *scatter);
/* May V be written over the buffer B? */
bool note_check_root(note_walker *w, const inlay_value *v, const note_buffer *b);
/* A buffer of its own for OWNER; NULL: out of memory. */
note_buffer *note_new_buffer(note_walker *w, const inlay_value *owner);
/* V is written over WHERE of B. */
bool note_push(note_walker *w, note_buffer *b, const inlay_value *v, const inlay_region *where);

/* join.c: values that are computed in something larger */

/* V is written in its part, or its window, which gets its place now unless it has one; or V holds
 * values that were written in their parts of it before. */
bool note_place_written(note_walker *w, const inlay_value *v);

/* place.c */

/* Gives V, an output of the node that runs now, its place as its note says. */
bool note_place_output(note_walker *w, const inlay_value *v);

/* end.c: what is looked at when the run is over. */
bool note_check_end(note_walker *w);

#endif
