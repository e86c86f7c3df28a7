/* How the elements of a value lie in memory, as the checker knows it. Private to this room. */
#ifndef INLAY_IR_NOTES_STRIDES_H
#define INLAY_IR_NOTES_STRIDES_H

#include "ir/base/arena.h"
#include "ir/graph.h"

typedef struct note_strides {
    bool dense;        /* in row-major order without gaps, whatever the sizes are */
    const int64_t *at; /* else the stride of each axis; NULL: not known */
} note_strides;

/* Strides that V has as a view of FROM, its node's first operand, whose strides are GIVEN. *SHOWN
 * false: it is a reshape, and it is not known that strides can show it. False: out of memory. */
bool note_strides_of_view(inlay_arena *a, const inlay_value *v, const note_strides *given,
                          note_strides *out, bool *shown);
/* The same of V in its part of FROM, whose node holds V. */
bool note_strides_of_part(inlay_arena *a, const inlay_value *v, const inlay_value *from,
                          const note_strides *given, note_strides *out);
/* The same of the window that N, which has one, selects of a value FROM. */
bool note_strides_of_window(inlay_arena *a, const inlay_node *n, const inlay_value *from,
                            const note_strides *given, note_strides *out);

#endif
