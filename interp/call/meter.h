/* A meter counts what a session, or one call of an evaluator, holds in memory: the bytes of tensors
 * that it made and that are still alive, and what a run holds beside them. Both count against a
 * limit. Tensors hold a reference on the meter, so they may outlive the session, and be released by
 * other threads. */
#ifndef INLAY_INTERP_METER_H
#define INLAY_INTERP_METER_H

#include "ir/ir.h"

typedef struct inlay_meter inlay_meter;

/* Makes a meter with one reference. LIMIT 0: there is no limit. HELD bytes of it are in use
 * already. NULL when out of memory. */
inlay_meter *meter_new(uint64_t limit, uint64_t held, bool poison);
void meter_release(inlay_meter *m);
bool meter_is_limited(const inlay_meter *m);
/* Returns whether SIZE bytes that are not used may stay: they are little beside the limit. */
bool meter_may_keep(const inlay_meter *m, uint64_t size);
uint64_t meter_now(const inlay_meter *m);
uint64_t meter_peak(const inlay_meter *m);
void meter_reset_peak(inlay_meter *m);
/* Counts SIZE bytes that no tensor has against the limit, until meter_give. False after recording
 * an error that names NODE when these bytes are over the limit. */
bool meter_take(inlay_meter *m, uint64_t size, const inlay_node *node, inlay_diags *d);
void meter_give(inlay_meter *m, uint64_t size);
/* Makes a dense zeroed tensor that M counts. NULL after recording the error at NODE. */
inlay_tensor *meter_tensor(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                           const inlay_node *node, inlay_diags *d);
/* Makes such a tensor whose elements may be anything: the caller writes them all. */
inlay_tensor *meter_tensor_raw(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                               const inlay_node *node, inlay_diags *d);
/* Makes such a tensor of T's type and shape. */
inlay_tensor *meter_tensor_like(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                                inlay_diags *d);
/* As meter_tensor_like, with ROOM spare bytes behind the elements, by which the tensor can grow;
 * with none where that is much beside the limit. */
inlay_tensor *meter_tensor_with_room(inlay_meter *m, const inlay_tensor *t, size_t room,
                                     const inlay_node *node, inlay_diags *d);
/* Makes such a tensor of the type, shape and strides of FORM in SIZE bytes, of which USED of each
 * PERIOD are no room. */
inlay_tensor *meter_tensor_in_periods(inlay_meter *m, const inlay_tensor *form, size_t size,
                                      size_t period, size_t used, const inlay_node *node,
                                      inlay_diags *d);
/* Makes a copy of T that is dense, and that M counts. */
inlay_tensor *meter_copy(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                         inlay_diags *d);

#endif
