/* Kernels: what computes an operation, built in or of a program's own (ir/op.h).
 *
 *     static bool eval_twice(inlay_call *c)
 *     {
 *         for (int64_t i = 0; i < inlay_tensor_count(c->out[0]); i++)
 *             inlay_tensor_set_f64(c->out[0], i, 2 * inlay_tensor_get_f64(c->in[0], i));
 *         return true;
 *     }
 *
 * A kernel is called with tensors whose types and shapes the row and the shape rule have checked.
 *
 *  - Operands are dense, unless the row has the flag strided: then they have any strides, and those
 * that stand in other tensors cost no copy. inlay_tensor_get_f64 and its like read both.
 *  - The executor has made every output whose shape is known, of any strides; its elements are
 * zeros, or anything where the row says fills or overwrites=N. An output whose size depends on data
 * is NULL: a kernel whose row has the flag counts makes it with inlay_call_output.
 *  - Every check on data comes before the first write, so that a call that fails leaves everything
 * as it was.
 *  - Where the row says overwrites=N, output 0 may stand in the storage of operand N, and where it
 * says pointwise, in that of any operand: element p is written after the elements at p were read.
 */
#ifndef INLAY_INTERP_KERNEL_H
#define INLAY_INTERP_KERNEL_H

#include "ir/infer.h"
#include "ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

struct inlay_call {
    const inlay_node *node;        /* its attributes: inlay_node_int(c->node, "axis") */
    const inlay_tensor *const *in; /* NULL entry: an absent optional operand */
    int n_in;
    inlay_tensor **out; /* NULL entry: its size is not known before the kernel runs */
    int n_out;
    inlay_diags *diags;
    inlay_arena *scratch;  /* emptied after the call */
    struct inlay_run *run; /* the executor's */
    bool writes_nothing;   /* the same */
};

/* call/call.c, call/share.c: what kernels ask for. Unchecked: the call, and the numbers of operands
 * and outputs.
 */

/* Records a fault of the data at the node ("indices[3] is 7, axis 0 has 5 elements"); always false.
 */
INLAY_API bool inlay_call_fail(inlay_call *c, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Makes output I with these dims: zeroed, unless the row says fills. NULL after recording the
 * error.
 */
INLAY_API inlay_tensor *inlay_call_output(inlay_call *c, int i, inlay_type type, int rank,
                                          const int64_t *dims);
/* COUNT objects of SIZE bytes for this call only, zeroed and counted against the run's limit. NULL
 * after recording the error. */
INLAY_API void *inlay_call_memory(inlay_call *c, int64_t count, size_t size);
/* Output 0 stands in the storage of the operand that the row names in overwrites: its elements are
 * there already. */
INLAY_API bool inlay_call_shares(const inlay_call *c);
/* Copies all elements of operand I over output O, of the same dims, unless they share storage. */
INLAY_API bool inlay_call_copy(inlay_call *c, int o, int i);
/* A kernel whose row has the flag scatter says before its first write that it is about to write N
 * runs of LENGTH elements each, which begin at the row-major positions TO of output 0. */
INLAY_API bool inlay_call_writes_runs(inlay_call *c, int64_t n, int64_t length, const int64_t *to);

/* An extension is a shared object with rows of its own (ir/op.h), each with a shape rule and a
 * kernel:
 *
 *     static const inlay_op_def ops[] = {
 *         {"Twice", 1, "extension", "T:float x", "T", "", "", infer_twice, eval_twice, "twice.c",
 * 1},
 *     };
 *     INLAY_EXTENSION(ops);
 *
 * Who loads it (dlopen runs its code) looks up INLAY_EXTENSION_SYMBOL, holds version and layout
 * against its own, and makes a set of the rows (inlay_op_set_new). The object must stay loaded
 * while the set is used. */
enum { INLAY_EXTENSION_VERSION = 1 };
#define INLAY_EXTENSION_SYMBOL "inlay_extension_v1"
/* Changes with the structs and numbers that an extension is compiled with. */
#define INLAY_EXTENSION_LAYOUT                                                                     \
    ((uint64_t)INLAY_OPS_FINGERPRINT << 32 ^ sizeof(inlay_op_def) << 24 ^                          \
     sizeof(struct inlay_call) << 16 ^ sizeof(struct inlay_infer) << 8 ^ sizeof(inlay_tensor) ^    \
     sizeof(inlay_fact) << 4)

typedef struct inlay_extension {
    unsigned version;
    uint64_t layout;
    const inlay_op_def *ops;
    size_t n_ops;
} inlay_extension;

#ifdef __cplusplus
#define INLAY_EXTENSION_EXTERN extern "C"
#else
#define INLAY_EXTENSION_EXTERN extern
#endif
#define INLAY_EXTENSION(ops)                                                                       \
    INLAY_EXTENSION_EXTERN INLAY_API const inlay_extension inlay_extension_v1;                     \
    const inlay_extension inlay_extension_v1 = {INLAY_EXTENSION_VERSION, INLAY_EXTENSION_LAYOUT,   \
                                                ops, sizeof(ops) / sizeof((ops)[0])}

#ifdef __cplusplus
}
#endif

#endif
