/* A meter counts the memory of a session, or of one call of an evaluator: the bytes of tensors that
 * it made and that are still alive, and what a run holds besides. All of it counts against a limit.
 * Tensors hold a reference to the meter, so they may outlive the session, and be released by other
 * threads. */
#ifndef INLAY_INTERP_METER_H
#define INLAY_INTERP_METER_H

#include "ir/ir.h"

typedef struct inlay_meter inlay_meter;

/* Makes a meter with one reference, whose tensors count in BUDGET, too (NULL: nowhere else). LIMIT
 * 0: no limit. HELD bytes of it are in use already. NULL
 * when out of memory. */
inlay_meter *meter_new(inlay_budget *budget, uint64_t limit, uint64_t held, bool poison);
void meter_release(inlay_meter *m);
inlay_budget *meter_budget(const inlay_meter *m);
bool meter_is_limited(const inlay_meter *m);
/* May SIZE unused bytes be kept, being few compared with the limit? */
bool meter_may_keep(const inlay_meter *m, uint64_t size);
uint64_t meter_now(const inlay_meter *m);
uint64_t meter_peak(const inlay_meter *m);
void meter_reset_peak(inlay_meter *m);
/* Counts SIZE bytes that belong to no tensor against the limit, until meter_give. False after
 * recording an error that names NODE when they exceed the limit. */
bool meter_take(inlay_meter *m, uint64_t size, const inlay_node *node, inlay_diags *d);
void meter_give(inlay_meter *m, uint64_t size);
/* Makes a dense zeroed tensor that M counts. NULL after recording the error at NODE. */
inlay_tensor *meter_tensor(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                           const inlay_node *node, inlay_diags *d);
/* The same with uninitialised elements, all of which the caller must write. */
inlay_tensor *meter_tensor_raw(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                               const inlay_node *node, inlay_diags *d);
/* The same with T's type and shape. */
inlay_tensor *meter_tensor_like(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                                inlay_diags *d);
/* meter_tensor_like with ROOM spare bytes behind the elements, into which the tensor can grow;
 * without them if they are many compared with the limit, or exceed it. */
inlay_tensor *meter_tensor_with_room(inlay_meter *m, const inlay_tensor *t, size_t room,
                                     const inlay_node *node, inlay_diags *d);
/* Makes such a tensor with the type, shape and strides of FORM in SIZE bytes, of which those from
 * USED on of each PERIOD are spare. */
inlay_tensor *meter_tensor_in_periods(inlay_meter *m, const inlay_tensor *form, size_t size,
                                      size_t period, size_t used, const inlay_node *node,
                                      inlay_diags *d);
/* Makes a dense copy of T that M counts. */
inlay_tensor *meter_copy(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                         inlay_diags *d);

#endif
