/* What the kernels of the built-in operations use beyond interp/kernel.h. Private to interp/.
 *
 * The kernel of a row is `bool eval_<name>(inlay_call *c)`, in the file of its family. This header
 * includes the four headers that most kernels use: load.h (operands as arrays of C numbers),
 * index.h (index spaces, strides, single elements), check.h (tensors as facts), split.h (work that
 * threads may share). body.h is for kernels that run bodies or use variables, window.h for slices,
 * share.h for those that depend on where an output is stored. */
#ifndef INLAY_INTERP_CALL_KERNEL_H
#define INLAY_INTERP_CALL_KERNEL_H

#include "interp/call/check.h"
#include "interp/call/index.h"
#include "interp/call/load.h"
#include "interp/call/split.h"
#include "interp/kernel.h"

/* Returns the kernel of OP, or one that reports why there is none. */
inlay_eval_fn *call_kernel_of(const inlay_op *op);
/* Returns why an operation without a kernel cannot be run. */
const char *call_no_kernel(const inlay_op *op);

/* Names element POSITION (row-major) of operand I for messages: "indices[2,0]". */
const char *call_element_name(inlay_call *c, int i, int64_t position);
/* Makes T itself (retained) output I, without copying. For kernels of rows with the flag `adopts`,
 * whose outputs the executor does not allocate. */
bool call_adopt(inlay_call *c, int i, const inlay_tensor *t);
/* Counts SIZE bytes that were copied although their value was in memory already. */
void call_copied(inlay_call *c, uint64_t size);
/* Does the kernel of OP return existing tensors instead of filling outputs? */
static inline bool call_adopts(const inlay_op *op)
{
    return (op->flags & INLAY_ADOPTS) != 0;
}
static inline bool call_has(const inlay_call *c, int i)
{
    return i < c->n_in && c->in[i] != NULL;
}

/* May anybody read output I? If not, its elements need not be computed. */
bool call_is_read(const inlay_call *c, int i);

/* Returns a dense zeroed tensor, which the caller releases. NULL after recording the error. */
inlay_tensor *call_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims);
/* The same with uninitialised elements, all of which the kernel must write. */
inlay_tensor *call_raw_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims);
/* Returns a tensor for an output of C: zeroed, unless the row says that the kernel writes all
 * elements. */
inlay_tensor *call_output_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims);
/* Returns output I: the executor's, if its size was known, or a new one as by inlay_call_output.
 * NULL after recording the error. */
inlay_tensor *call_sized_output(inlay_call *c, int i, inlay_type type, int rank,
                                const int64_t *dims);
/* Releases COUNT tensors and sets them to NULL. */
void call_release(inlay_tensor **tensors, size_t count);
/* inlay_call_memory without zeroing it. */
void *call_raw_memory(inlay_call *c, int64_t count, size_t size);
/* inlay_call_memory for SIZE bytes. */
void *call_bytes(inlay_call *c, size_t size);
/* Sets element I of T to the N BYTES, which count against the limit. False after an error. */
bool call_put_string(inlay_call *c, inlay_tensor *t, int64_t i, const char *bytes, size_t n);

#endif
