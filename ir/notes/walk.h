/* The state of the checker's walk. Private to this room.
 *
 * The walk visits the nodes in the order of the run. For every value made so far it keeps a
 * *place*: the buffer, the region of the buffer, and how many of the buffer's layers (layers.h) the
 * value contains.
 *
 *     order          note               its place                        layers of d's buffer
 *     %d = Abs       fresh              d's buffer, all, contains 0      -
 *     %x = Slice     view of d          d's buffer, rows 2..3, 0         -
 *     %y = Exp       into r             d's buffer, rows 2..3, 1         y: rows 2..3
 *     %r = Scatter   overwrites d       d's buffer, all, 1               y: rows 2..3
 *     %z = Add(%d)   fresh              z's own buffer
 *
 * The last line is a complaint: Add reads d, which contains no layer, and layer y lies over it. */
#ifndef INLAY_IR_NOTES_WALK_H
#define INLAY_IR_NOTES_WALK_H

#include "ir/notes/layers.h"
#include "ir/notes/notes.h"

typedef struct note_buffer {
    const inlay_value *owner;       /* the value without a note whose buffer it is */
    const inlay_variable *variable; /* the variable whose state it holds, or NULL */
    const inlay_region *whole;      /* all of it; made when it is first needed */
    note_layers layers;
    note_layers reads;       /* reads of values that share it, until a write covers them */
    const inlay_value *seen; /* the last of its values that is read at the end of the run */
} note_buffer;

typedef struct note_place {
    note_buffer *in;           /* NULL: not known yet */
    bool made;                 /* the value is complete; false: at most parts of it are written */
    size_t knows;              /* how many layers the value contains, counted from the lowest */
    const inlay_region *where; /* NULL: the whole buffer */
    const inlay_node *scatter; /* the scatter in whose window it is computed, alone or as a part of
                                  something larger; or NULL */
} note_place;

typedef struct note_node {
    size_t first_slot;     /* of its first output; every value has a slot */
    bool shares;           /* it shares a buffer: it has a note, or is the target of one */
    const inlay_value *of; /* the note of this value states that the node keeps ... */
    uint64_t stated, met;  /* ... these conditions, as bits; and those that the walk came across */
} note_node;

typedef struct note_walker {
    const inlay_graph *g;
    const inlay_order_list *order;
    inlay_arena *arena;
    note_node *nodes;    /* by node id */
    note_place *places;  /* by slot */
    note_buffer **state; /* by index of variable: the buffer of its state, or NULL */
    bool *late;          /* by node id: inlay_list_late */
    int64_t begin;       /* where the next output of the current Split begins; below 0: unknown */
    note_complaint *c;
    inlay_diags *d;
    note_costs costs;
    bool over;   /* the walk is past the last node */
    bool failed; /* out of memory, which D says */
} note_walker;

/* walker.c */

bool note_out_of_memory(note_walker *w); /* always false */
note_place *note_place_of(const note_walker *w, const inlay_value *v);
/* The region of P; NULL: out of memory. */
const inlay_region *note_where(note_walker *w, note_place *p);

/* The functions from here on that return bool return false after a complaint and when memory ran
 * out. */

/* walker.c: what a note relies on */

/* The note of V is judged from now on. */
void note_open_grounds(note_walker *w, const inlay_value *v);
/* The note of V relies on BY keeping a condition. Complains if the note states other grounds, but
 * not this one; a bare note states none and need not. */
bool note_rely(note_walker *w, const inlay_value *v, inlay_condition kept, const inlay_node *by);
/* Did the note that is judged rely on G, which it states? */
bool note_is_met(const note_walker *w, const inlay_ground *g);

/* bodies.c */

/* For each input of N: may an output of N be this input, unchanged? NULL: out of memory. */
const bool *note_handed_through(note_walker *w, const inlay_node *n);
/* V is written in its place. Complains if bodies make it and it may be another output, too. */
bool note_check_made(note_walker *w, const inlay_value *v);

/* reads.c */

/* Is every input of N still intact where N reads it? */
bool note_check_reads(note_walker *w, const inlay_node *n);
/* The same for one input. */
bool note_check_read(note_walker *w, const inlay_use *u);
/* The node of V writes V over WRITTEN in B. Complains if it also reads there, except element by
 * element at the same positions, before each is written. */
bool note_check_own_reads(note_walker *w, const inlay_value *v, const note_buffer *b,
                          const inlay_region *written);
/* Has NODE, earlier, read what V is now written over, so that it keeps condition KEPT? */
bool note_is_read_before(note_walker *w, const inlay_value *v, const inlay_node *node,
                         inlay_condition kept);
/* V is about to be written over WHERE of B. Complains if its note states grounds, but leaves out an
 * earlier read there. Each read is a ground of the first write over it only. */
bool note_check_earlier_reads(note_walker *w, const inlay_value *v, note_buffer *b,
                              const inlay_region *where);

/* buffer.c */

/* V is computed in the window of SCATTER. Are all operands of SCATTER but the updates made? */
bool note_check_ready(note_walker *w, const inlay_value *v, const inlay_node *scatter);
/* May V be written into the buffer B at all? */
bool note_check_root(note_walker *w, const inlay_value *v, const note_buffer *b);
/* A new buffer for OWNER; NULL: out of memory. */
note_buffer *note_new_buffer(note_walker *w, const inlay_value *owner);
/* Records that V is written over WHERE of B. */
bool note_push(note_walker *w, note_buffer *b, const inlay_value *v, const inlay_region *where);

/* join.c */

/* V is written into its part of a larger value, or into its window, which gets its place now unless
 * it has one. Or V holds operands that were written into their parts of it before. */
bool note_place_written(note_walker *w, const inlay_value *v);

/* place.c */

/* Gives V, an output of the current node, its place according to its note. */
bool note_place_output(note_walker *w, const inlay_value *v);

/* end.c: judges what is read at the end of the run. */
bool note_check_end(note_walker *w);

#endif
