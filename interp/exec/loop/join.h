/* An output of a loop that is joined from parts, one per iteration. Each part has its window in the
 * whole output. If the number or the length of parts is not known in advance, the whole doubles its
 * size when it is full. */
#ifndef INLAY_EXEC_LOOP_JOIN_H
#define INLAY_EXEC_LOOP_JOIN_H

#include "interp/exec/loop/backend.h"

enum { JOIN_MOVES = 64 }; /* enough, because each move doubles the size */

typedef struct exec_join {
    const inlay_port *port;
    const exec_loop_backend *hands;
    inlay_tensor *whole; /* NULL: there is no part yet */
    /* Earlier ones that were too small. They are kept until the end, because a carried value that
     * was computed in its window of one of them is read there by later iterations. */
    inlay_tensor *outgrown[JOIN_MOVES];
    int n_outgrown;
    int axis;
    int64_t first, at; /* along the axis: the length of the first part, and of all parts so far */
    int64_t parts;
} exec_join;

/* Makes memory for another part with the type and dims of T. There will be MOST parts; 0: that is
 * not known. False after recording an error. */
bool join_reserve(exec_join *j, inlay_call *c, const inlay_tensor *t, int64_t most);
/* Returns where the next part begins along the axis, if it is as long as T. In TensorIterator-1,
 * parts are joined in reverse order if the stride is negative. */
int64_t join_next(const exec_join *j, const inlay_tensor *t);
/* Adds T as the next part, for which memory was made. STANDS: T was computed there. */
bool join_add(exec_join *j, inlay_call *c, const inlay_tensor *t, bool stands);
/* Returns the whole output after the last part; the caller releases it. NULL after recording an
 * error. */
inlay_tensor *join_end(exec_join *j, inlay_call *c);
void join_drop(exec_join *j);

#endif
