/* Kernels compute operations, built-in ones and those that a program adds (ir/op.h).
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
 *  - Operands are dense, unless the row has the flag strided: then they have any strides, and views
 *    of other tensors need not be copied. inlay_tensor_get_f64 and the like read both.
 *  - The executor has allocated every output whose shape is known, with any strides; it is zeroed,
 *    unless the row says fills or overwrites=N. An output whose size depends on data is NULL: a
 *    kernel whose row has the flag counts makes it with inlay_call_output.
 *  - All checks of data come before the first write, so that a failed call changes nothing.
 *  - If the row says overwrites=N, output 0 may share the storage of operand N, and if it says
 *    pointwise, of any operand: a kernel writes element p after it has read the elements at p. */
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
    inlay_arena *scratch;  /* freed after the call */
    struct inlay_run *run; /* for the executor */
    bool writes_nothing;   /* likewise */
};

/* call/call.c, call/share.c: functions for kernels. Unchecked: the call, and the numbers of
 * operands and outputs. */

/* Records an error of the data at the node ("indices[3] is 7, axis 0 has 5 elements"); always
 * false. */
INLAY_API bool inlay_call_fail(inlay_call *c, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Makes output I with these dims: zeroed, unless the row says fills. NULL after recording the
 * error.
 */
INLAY_API inlay_tensor *inlay_call_output(inlay_call *c, int i, inlay_type type, int rank,
                                          const int64_t *dims);
/* Allocates COUNT objects of SIZE bytes for this call only, zeroed and counted against the run's
 * limit. NULL after recording the error. */
INLAY_API void *inlay_call_memory(inlay_call *c, int64_t count, size_t size);
/* Does output 0 share the storage of the operand that the row names in overwrites? Then it has that
 * operand's elements already. */
INLAY_API bool inlay_call_shares(const inlay_call *c);
/* Copies all elements of operand I to output O, of the same dims, unless they share storage. */
INLAY_API bool inlay_call_copy(inlay_call *c, int o, int i);
/* To be called by kernels with the flag scatter before their first write: announces N runs of
 * LENGTH elements each, which begin at the row-major positions TO of output 0. */
INLAY_API bool inlay_call_writes_runs(inlay_call *c, int64_t n, int64_t length, const int64_t *to);

/* An extension is a shared object with rows of operations (ir/op.h), each with a shape rule and a
 * kernel:
 *
 *     static const inlay_op_def ops[] = {
 *         {"Twice", 1, "extension", "T:float x", "T", "", "", infer_twice, eval_twice,
 *          "twice.c", 1},
 *     };
 *     INLAY_EXTENSION(ops);
 *
 * A loader (dlopen runs the extension's code) looks up INLAY_EXTENSION_SYMBOL, compares version and
 * layout with its own, and makes a set of the rows (inlay_op_set_new). The object must stay loaded
 * while the set is used. */
enum { INLAY_EXTENSION_VERSION = 1 };
#define INLAY_EXTENSION_SYMBOL "inlay_extension_v1"
/* Changes with the structs and numbers that extensions are compiled with. */
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
