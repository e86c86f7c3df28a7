/* Counts the bytes of tensors that a session, or one call of an evaluator, has made and that are
 * still alive, and what else a run holds, against a limit. Tensors hold the meter, so they may
 * outlive the session. Atomic. */
#ifndef INLAY_INTERP_METER_H
#define INLAY_INTERP_METER_H

#include "ir/ir.h"

typedef struct inlay_meter inlay_meter;

/* LIMIT 0: none. HELD bytes of it are in use already. NULL when out of memory. One reference. */
inlay_meter *meter_new(uint64_t limit, uint64_t held, bool poison);
void meter_release(inlay_meter *m);
uint64_t meter_now(const inlay_meter *m);
uint64_t meter_peak(const inlay_meter *m);
void meter_reset_peak(inlay_meter *m);
/* Counts SIZE bytes that are no tensor's against the limit, until meter_give; when they are over
 * it, the error names NODE. */
bool meter_take(inlay_meter *m, uint64_t size, const inlay_node *node, inlay_diags *d);
void meter_give(inlay_meter *m, uint64_t size);
/* A dense zeroed tensor that M counts. NULL after recording the error at NODE. */
inlay_tensor *meter_tensor(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                           const inlay_node *node, inlay_diags *d);
/* A dense tensor of T's type and shape, for the caller to write all elements of. */
inlay_tensor *meter_tensor_like(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                                inlay_diags *d);
/* A copy of T: dense, and counted by M. */
inlay_tensor *meter_copy(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                         inlay_diags *d);

#endif
