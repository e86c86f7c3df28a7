/* What the kernels of the built-in operations may ask for beyond interp/kernel.h, which says what a
 * kernel sees. Private to interp/.
 *
 * The kernel of a row is `bool eval_<name>(inlay_call *c)`, in the file of its family. Four
 * headers have what most kernels use, and this one includes them: load.h (operands as arrays of C
 * numbers), index.h (index spaces, strides, single elements), check.h (tensors as facts), split.h
 * (work that threads may share). body.h is for kernels that run bodies or have variables, window.h
 * for slices, share.h for those that look at where an output stands.
 */
#ifndef INLAY_INTERP_CALL_KERNEL_H
#define INLAY_INTERP_CALL_KERNEL_H

#include "interp/call/check.h"
#include "interp/call/index.h"
#include "interp/call/load.h"
#include "interp/call/split.h"
#include "interp/kernel.h"

/* Returns the kernel of OP, or one that says why there is none. */
inlay_eval_fn *call_kernel_of(const inlay_op *op);
/* Returns why an operation without a kernel cannot be run. */
const char *call_no_kernel(const inlay_op *op);

/* Returns the name that messages give to element POSITION (row-major) of operand I:
 * "indices[2,0]". */
const char *call_element_name(inlay_call *c, int i, int64_t position);
/* Makes T itself (retained) output I; no bytes are copied. This function is for the kernels of rows
 * with the flag `adopts`, whose outputs the executor does not make beforehand. */
bool call_adopt(inlay_call *c, int i, const inlay_tensor *t);
/* Records that SIZE bytes were copied whose value already stood in memory. */
void call_copied(inlay_call *c, uint64_t size);
/* Returns whether the kernel of OP hands over tensors that exist already instead of filling
 * outputs. */
static inline bool call_adopts(const inlay_op *op)
{
    return (op->flags & INLAY_ADOPTS) != 0;
}
static inline bool call_has(const inlay_call *c, int i)
{
    return i < c->n_in && c->in[i] != NULL;
}

/* Returns a dense zeroed tensor, which the caller releases. NULL after recording the error. */
inlay_tensor *call_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims);
/* Returns such a tensor whose elements may be anything: the kernel writes them all. */
inlay_tensor *call_raw_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims);
/* Returns a tensor for an output of C: zeroed, unless the row says that the kernel writes every
 * element. */
inlay_tensor *call_output_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims);
/* Returns output I: the one that the executor has made, because its size was known, or a new one as
 * inlay_call_output makes it. NULL after recording the error. */
inlay_tensor *call_sized_output(inlay_call *c, int i, inlay_type type, int rank,
                                const int64_t *dims);
/* Releases COUNT tensors and sets them to NULL. */
void call_release(inlay_tensor **tensors, size_t count);
/* Returns SIZE bytes that live as long as the call, as inlay_call_memory does. */
void *call_bytes(inlay_call *c, size_t size);

#endif
