/* The tensors that hold the results of a loop's body from iteration to iteration. A carried value
 * is in one slot while its next value is made in another, and then the two are exchanged (double
 * buffering); a value that is used for longer keeps its slot for longer. Slots stay with the
 * session from run to run. A slot has memory of its own, or is a window of an output that is being
 * joined. */
#ifndef INLAY_EXEC_LOOP_SLOTS_H
#define INLAY_EXEC_LOOP_SLOTS_H

#include "interp/kernel.h"

/* A place in the frame of a loop for a carried value, or for the number of the iteration. */
typedef struct exec_frame_slot {
    int result;        /* the result whose values are there in turn; -1: it is the number, */
    int param;         /* which is this parameter */
    uint64_t at;       /* where in the frame it begins */
    inlay_tensor form; /* the type and dims of what is there; without elements */
} exec_frame_slot;

typedef struct exec_slot {
    inlay_tensor *t; /* NULL: it was given away */
    bool window;     /* T's buffer belongs to another tensor and is not held */
    bool lent;       /* T is the place that the last value should get */
    bool fixed;      /* T is in the arena: it is never given to the caller */
    int holders;     /* how many carried values are in it */
} exec_slot;

/* The slots of one result. */
typedef struct exec_slots {
    exec_slot *list;
    size_t n, cap;
    inlay_budget *budget; /* where the list counts; NULL: nowhere */
} exec_slots;

enum { SLOT_NONE = -1 };

void slots_free(exec_slots *s);
/* Makes slot K the memory AT, an address in the arena, for values with the type and dims of FORM.
 * Such frame slots come first. False: out of memory. */
bool slots_assign(exec_slots *s, size_t k, const inlay_tensor *form, char *at);
/* Ends the use of frame slots from slot K on. */
void slots_free_slot(exec_slots *s, size_t k);
/* Returns T if it is a tensor at AT with the type and dims of FORM; else another tensor that is,
 * and T is released. NULL: out of memory. */
inlay_tensor *slots_tensor_at(inlay_tensor *t, const inlay_tensor *form, char *at);
/* Makes T (retained) a slot until slots_return. False after recording an error. */
bool slots_lend(exec_slots *s, inlay_call *c, inlay_tensor *t);
void slots_return(exec_slots *s);
/* Returns a slot that is not in use, and whose tensor either has the type and dims of FORM or is
 * NULL, so that the caller makes it. With WANTED, the slot that was lent is taken if it is free.
 * NULL after recording an error in D. */
exec_slot *slots_take(exec_slots *s, const inlay_tensor *form, bool wanted, inlay_diags *d);
/* Returns a free slot as the window of WHOLE that begins at element AT of AXIS. */
exec_slot *slots_take_window(exec_slots *s, inlay_call *c, const inlay_tensor *form,
                             const inlay_tensor *whole, int axis, int64_t at);
/* Makes T, which does not hold its buffer, a view of FROM that begins OFFSET elements after FROM's
 * first one. */
void slots_point(inlay_tensor *t, const inlay_tensor *from, int64_t offset);
/* Returns a view of T with these dims and T's strides that does not hold the buffer. NULL: out of
 * memory. */
inlay_tensor *slots_pointer(const inlay_tensor *t, const int64_t *dims, int64_t offset);
/* Releases a tensor that does not hold its buffer. */
void slots_release_pointer(inlay_tensor *t);

#endif
