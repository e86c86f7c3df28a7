/* An output of a loop that is joined of parts, one of each iteration. Each part has its window in
 * the whole output. Where the number or the length of the parts is not known beforehand, the whole
 * grows to twice its size when it is full. */
#ifndef INLAY_EXEC_LOOP_JOIN_H
#define INLAY_EXEC_LOOP_JOIN_H

#include "interp/exec/loop/backend.h"

enum { JOIN_MOVES = 64 }; /* at most, because each move doubles the size */

typedef struct exec_join {
    const inlay_port *port;
    const exec_loop_backend *hands;
    inlay_tensor *whole; /* NULL: there is no part yet */
    /* Those that were too small. They are held until the end: a carried value that was computed in
     * its window of one of them is read from there by the iterations that follow. */
    inlay_tensor *outgrown[JOIN_MOVES];
    int n_outgrown;
    int axis;
    int64_t first, at; /* the length of the first part, and of all, along the axis */
    int64_t parts;
} exec_join;

/* Makes room for another part, of the form of T. There will be MOST parts; 0: their number is not
 * known. False after recording an error. */
bool join_reserve(exec_join *j, inlay_call *c, const inlay_tensor *t, int64_t most);
/* Returns where along the axis the next part begins, if it is of the length of T. In
 * TensorIterator-1 a negative stride joins in reverse order. */
int64_t join_next(const exec_join *j, const inlay_tensor *t);
/* Adds T as the next part, for which there is room. STANDS: T was computed there. */
bool join_add(exec_join *j, inlay_call *c, const inlay_tensor *t, bool stands);
/* Returns the whole output, when all parts are there; the caller releases it. NULL after recording
 * an error. */
inlay_tensor *join_end(exec_join *j, inlay_call *c);
void join_drop(exec_join *j);

#endif
