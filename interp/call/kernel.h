/* What a kernel sees. Private to interp/.
 *
 * A kernel is `bool eval_<name>(inlay_call *c)`. Operands are strided tensors; those of a row
 * without the flag `strided` are dense. The executor has made every output whose shape is known
 * (c->out[i], zero-filled only if fresh). An output whose size depends on data is NULL until the
 * kernel, whose row has the flag `counts`, asks for it once with call_output; without the flag the
 * executor refuses to call the kernel. Every check on data comes before the first write, so that a
 * kernel that fails leaves its operands as they were. Output 0 may stand in the storage of the
 * operand that the row names in `overwrites`; the helpers of share.h know what need not be copied
 * then.
 *
 * Three headers have what most kernels use, and this one includes them: load.h (operands as arrays
 * of C numbers), index.h (index spaces, strides, single elements), check.h (tensors as facts).
 * body.h is for kernels that run bodies or have variables, window.h for slices.
 */
#ifndef INLAY_INTERP_KERNEL_H
#define INLAY_INTERP_KERNEL_H

#include "interp/call/check.h"
#include "interp/call/index.h"
#include "interp/call/load.h"

struct inlay_call {
    const inlay_node *node;
    const inlay_tensor *const *in; /* NULL entry: absent */
    int n_in;
    inlay_tensor **out; /* NULL entry: size not known before the kernel runs */
    int n_out;
    inlay_diags *diags;
    inlay_arena *scratch;  /* emptied after the call */
    struct inlay_run *run; /* what stands behind the call: run.h, which kernels do not include */
    bool writes_nothing;   /* the updates stood in place: set by call_write_part */
};

typedef bool inlay_kernel(inlay_call *c);
/* The kernel of row op->row of the op table. Never NULL. */
inlay_kernel *inlay_kernel_of(const inlay_op *op);
/* Why a stand-in cannot be run. */
const char *call_stand_in(const inlay_op *op);

/* Records a data fault at the node ("indices[3] is 7, axis 0 has 5 elements"); always false. */
bool call_fail(inlay_call *c, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* The name that messages give to element POSITION (row-major) of operand I: "indices[2,0]". */
const char *call_element_name(inlay_call *c, int i, int64_t position);
/* Makes output I with these dims; the type is known from inference. NULL after recording an error.
 */
inlay_tensor *call_output(inlay_call *c, int i, inlay_type type, int rank, const int64_t *dims);
/* Output I becomes T itself (retained); no bytes are copied. It is for the kernels of rows with the
 * flag `adopts`, whose outputs the executor does not make beforehand. */
bool call_adopt(inlay_call *c, int i, const inlay_tensor *t);
/* Records that SIZE bytes were copied whose value already stood in memory. */
void call_copied(inlay_call *c, uint64_t size);
/* Whether the kernel of OP hands over tensors that exist already instead of filling outputs. */
static inline bool call_adopts(const inlay_op *op)
{
    return (op->flags & INLAY_ADOPTS) != 0;
}
static inline bool call_has(const inlay_call *c, int i)
{
    return i < c->n_in && c->in[i] != NULL;
}

/* A dense zeroed tensor, which the caller releases. NULL after recording the error. */
inlay_tensor *call_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims);
/* Releases COUNT tensors and sets them to NULL. */
void call_release(inlay_tensor **tensors, size_t count);
/* Zeroed memory that lives as long as the call. NULL after recording the error. */
void *scratch_bytes(inlay_call *c, size_t size);
void *scratch_array(inlay_call *c, int64_t count, size_t size);

#endif
