#ifndef INLAY_EXEC_RUN_SPARE_H
#define INLAY_EXEC_RUN_SPARE_H

#include "ir/shared.h"

/* Memory of a run for later ones. LIST has that of earlier states, by variable, in which the next
 * states can be made. Two buffers are
 * enough for a variable that is not written in place: a run reads one and writes the other. */
typedef struct exec_spares {
    inlay_tensor **list; /* NULL entries: none */
    int n;
    inlay_tensor *bare[16]; /* tensors without elements, for windows that a run makes */
    int n_bare;
} exec_spares;

bool spares_begin(exec_spares *s, inlay_budget *budget, int n);
void spares_end(exec_spares *s);
/* Keeps the memory of T, whose reference is taken over: T was the state of variable V before the
 * last run, and NOW is the state after it. The memory is freed if somebody else holds it, or if the
 * next state probably has another type or dims. */
void spares_put(exec_spares *s, int v, const inlay_tensor *t, const inlay_tensor *now);
/* Returns the spare memory for the next state of V, if it has the type and dims of FORM; the caller
 * releases it. NULL: there is none. */
inlay_tensor *spares_take(exec_spares *s, int v, const inlay_tensor *form);
/* Releases T, and keeps what it is without its elements if nobody else refers to it. */
void spares_strip(exec_spares *s, const inlay_tensor *t);
/* inlay_tensor_window, in what spares_strip kept. */
inlay_tensor *spares_window(exec_spares *s, const inlay_tensor *t, int rank, const int64_t *dims,
                            const int64_t *strides, int64_t offset);

#endif
