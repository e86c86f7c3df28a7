/* The tensors in which the results of a loop's body stand from iteration to iteration. A carried
 * value is in one slot while its next value is made in another, and then the two change places
 * (double buffering); a value that is carried on for longer keeps its slot for longer. Slots stay
 * with the session from run to run. A slot has memory of its own, or is a window of an output that
 * is being joined. */
#ifndef INLAY_EXEC_LOOP_SLOTS_H
#define INLAY_EXEC_LOOP_SLOTS_H

#include "interp/kernel.h"

/* A place in the frame of a loop: of a carried value, or of the number of the iteration. */
typedef struct exec_frame_slot {
    int result;        /* whose values stand here in turn; -1: it is the number, */
    int param;         /* which enters as this parameter */
    uint64_t at;       /* where in the frame it begins */
    inlay_tensor form; /* what stands there; without elements */
} exec_frame_slot;

typedef struct exec_slot {
    inlay_tensor *t; /* NULL: it was given away */
    bool window;     /* T's buffer is another tensor's, and is not held */
    bool lent;       /* T is where the value is wanted in the end */
    bool fixed;      /* T lies in the arena: it is never given away */
    int holders;     /* carried values that stand in it */
} exec_slot;

/* The slots of one result. */
typedef struct exec_slots {
    exec_slot *list;
    size_t n, cap;
} exec_slots;

enum { SLOT_NONE = -1 };

void slots_free(exec_slots *s);
/* Makes AT, an address in the arena, slot K, where values of FORM stand. The first slots are such
 * frame slots. False: out of memory. */
bool slots_assign(exec_slots *s, size_t k, const inlay_tensor *form, char *at);
/* From slot K on no slot is a frame slot any more. */
void slots_free_slot(exec_slots *s, size_t k);
/* Returns T if it shows all of FORM at AT; else another tensor that does, and T is released. NULL:
 * out of memory. */
inlay_tensor *slots_tensor_at(inlay_tensor *t, const inlay_tensor *form, char *at);
/* Makes T (retained) a slot, until slots_return. False after recording an error. */
bool slots_lend(exec_slots *s, inlay_call *c, inlay_tensor *t);
void slots_return(exec_slots *s);
/* Returns a slot that nobody holds, whose tensor has the type and dims of FORM, or is NULL: then
 * the caller makes it. The slot that is lent is taken if it is free and WANTED. NULL after
 * recording an error in D. */
exec_slot *slots_take(exec_slots *s, const inlay_tensor *form, bool wanted, inlay_diags *d);
/* Returns such a slot as the window of WHOLE that begins at element AT of AXIS. */
exec_slot *slots_take_window(exec_slots *s, inlay_call *c, const inlay_tensor *form,
                             const inlay_tensor *whole, int axis, int64_t at);
/* Makes T, whose buffer is not held, show FROM's elements from that on which lies OFFSET behind the
 * first one. */
void slots_point(inlay_tensor *t, const inlay_tensor *from, int64_t offset);
/* Returns a tensor that shows elements of T, has these dims and T's strides, and does not hold the
 * buffer. NULL: out of memory. */
inlay_tensor *slots_pointer(const inlay_tensor *t, const int64_t *dims, int64_t offset);
/* Releases a tensor that does not hold its buffer. */
void slots_release_pointer(inlay_tensor *t);

#endif
