/* What a kernel sees and the helpers that keep kernels short. Private to interp/.
 *
 * A kernel is `bool eval_<name>(inlay_call *c)`. Operands are strided tensors. The executor has
 * made every output whose shape is known (c->out[i], zero-filled only if fresh). An output whose
 * size depends on data is NULL until the kernel, whose row has the flag `counts`, asks for it once
 * with call_output; without the flag the executor refuses to call the kernel. Every check on data
 * comes before the first write. Output 0 may share storage with the operand that the op's row names
 * in `overwrites`: then call_shares(c) is true, the elements already stand there, and the kernel
 * skips the copy.
 *
 * Arithmetic. Types compute in one of three domains and are rounded or wrapped once, on store:
 *   f64           as double
 *   other floats  as float
 *   integers and boolean  as int64_t (u64 as the same bits; compare with care)
 * Load an operand as a dense array of its domain, compute with plain loops, store:
 *
 *     const float *x = load_f32(c, 0);
 *     float *y = scratch_array(c, n, sizeof *y);
 *     if (!x || !y) return false;
 *     for (int64_t i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0;
 *     return store_f32(c, 0, y);
 *
 * A load returns the operand's own memory when it is dense, aligned and of that C type already.
 */
#ifndef INLAY_INTERP_KERNEL_H
#define INLAY_INTERP_KERNEL_H

#include "interp/call/check.h"
#include "ir/ir.h"
#include "ir/shared.h"

typedef struct inlay_call inlay_call;
struct inlay_call {
    const inlay_node *node;
    const inlay_tensor *const *in; /* NULL entry: absent */
    int n_in;
    inlay_tensor **out; /* NULL entry: size not known before the kernel runs */
    int n_out;
    inlay_diags *diags;
    inlay_arena *scratch;  /* emptied after the call */
    struct inlay_run *run; /* what stands behind the call (run.h): kernels ask through call_... */
    bool writes_nothing;   /* set by a kernel that finds all it would write there already */
};

typedef bool inlay_kernel(inlay_call *c);
/* The kernel of row op->row of the op table. Never NULL. */
inlay_kernel *inlay_kernel_of(const inlay_op *op);
/* Why a stand-in cannot be run. */
const char *call_stand_in(const inlay_op *op);

/* Records a data fault at the node ("indices[3] is 7, axis 0 has 5 elements"); always false. */
bool call_fail(inlay_call *c, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Makes output I with these dims (the type is known from inference). NULL: error recorded. */
inlay_tensor *call_output(inlay_call *c, int i, inlay_type type, int rank, const int64_t *dims);
/* Output I is T itself (retained), no bytes are copied. For the kernels of rows with the flag
 * `adopts`, whose outputs the executor does not make beforehand. */
bool call_adopt(inlay_call *c, int i, const inlay_tensor *t);
/* Records that SIZE bytes were copied whose value already stood in memory. */
void call_copied(inlay_call *c, uint64_t size);
/* Output 0 stands in the storage of the operand the row names in `overwrites`. */
bool call_shares(const inlay_call *c);
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
/* Counts SIZE bytes that the kernel has allocated by itself against the limit, until call_give. */
bool call_take(inlay_call *c, uint64_t size);
void call_give(inlay_call *c, uint64_t size);
/* Memory for this call only, zeroed; NULL after recording the error. */
void *scratch_bytes(inlay_call *c, size_t size);
void *scratch_array(inlay_call *c, int64_t count, size_t size);

/* Domains. */
typedef enum inlay_domain { DOMAIN_I64, DOMAIN_F32, DOMAIN_F64, DOMAIN_NONE } inlay_domain;
inlay_domain domain_of(inlay_type type);
const float *load_f32(inlay_call *c, int i);
const double *load_f64(inlay_call *c, int i);
const int64_t *load_i64(inlay_call *c, int i); /* integers, boolean as 0 or 1, floats truncated */
const bool *load_bool(inlay_call *c, int i);   /* non-zero is true */
bool store_f32(inlay_call *c, int o, const float *x);
bool store_f64(inlay_call *c, int o, const double *x);
bool store_i64(inlay_call *c, int o, const int64_t *x); /* wraps */
bool store_bool(inlay_call *c, int o, const bool *x);

/* X as the integer type TYPE keeps it: toward zero, saturated, NaN as 0; u64 as its bits. */
static inline int64_t integer_of(inlay_type type, double x)
{
    int64_t element = 0;

    inlay_store_f64(type, &element, 0, x);
    return inlay_load_i64(type, &element, 0);
}

/* N elements of T from index AT (from data) on, STEP apart, as numbers of a domain, and back. */
void load_row_f32(float *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n);
void load_row_f64(double *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n);
void load_row_i64(int64_t *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n);
void store_row_f32(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const float *x);
void store_row_f64(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const double *x);
void store_row_i64(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const int64_t *x);

/* Index space: visits every multi-index of DIMS in row-major order.
 *     for (index_iter it = index_begin(rank, dims); index_valid(&it); index_next(&it)) it.at[0] ...
 * An empty space is never valid; rank 0 is visited once. */
typedef struct index_iter {
    int rank;
    const int64_t *dims;
    int64_t at[INLAY_MAX_RANK];
    int64_t linear; /* how many came before */
    bool done;
} index_iter;
index_iter index_begin(int rank, const int64_t *dims);
/* Its rows: visits every multi-index of all DIMS but the last. A space without elements has no
 * rows, so that [5000000000, 0] is not walked. */
index_iter index_rows(int rank, const int64_t *dims);
void index_next(index_iter *it);
static inline bool index_valid(const index_iter *it)
{
    return !it->done;
}
/* sum of at[i] * strides[i] */
int64_t index_dot(int rank, const int64_t *at, const int64_t *strides);
/* Row-major strides, in elements, of a dense tensor. */
void dense_strides(int rank, const int64_t *dims, int64_t *strides);
/* Strides of T seen through numpy broadcasting to RANK dims: 0 where T's dim is 1 or missing. */
void broadcast_strides(const inlay_tensor *t, int rank, const int64_t *dims, int64_t *strides);
/* Element index (from data) of multi-index AT. */
static inline int64_t tensor_at(const inlay_tensor *t, const int64_t *at)
{
    return t->offset + index_dot(t->rank, at, t->strides);
}
/* Moves one element, whatever its type. */
static inline void move_element(inlay_tensor *dst, int64_t dst_index, const inlay_tensor *src,
                                int64_t src_index)
{
    inlay_copy_element(dst->type, dst->data, dst_index, src->data, src_index);
}
/* Copies all elements of input I over output O (same dims), unless they share storage. */
bool copy_input(inlay_call *c, int o, int i);
/* Copies N elements that follow each other in row-major order, from position FROM of SRC to
 * position TO of DST. */
void copy_run(inlay_tensor *dst, int64_t to, const inlay_tensor *src, int64_t from, int64_t n);

/* What follows tells the executor what the kernel is about to do. One that gives every output a
 * buffer of its own has nothing to do then. */

/* Output O will hold the elements of T, which shows part of an operand, in row-major order. *DONE:
 * it is a view of them now, and nothing is left to copy; else c->out[O] has a buffer. */
bool call_show(inlay_call *c, int o, const inlay_tensor *t, bool *done);
/* Before a kernel writes over an operand's storage it says what: all elements of T, or N runs of
 * LENGTH at the row-major positions TO of T. */
bool call_overwrites(inlay_call *c, const inlay_tensor *t);
bool call_overwrites_runs(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                          const int64_t *to);

/* Rows of floats, one below the other: what a row function computes. Operand y may be missing. */
typedef struct row_block row_block;
typedef void row_fn(const row_block *k);
struct row_block {
    row_fn *run;
    char *to;
    const char *x, *y;
    ptrdiff_t to_pitch, x_pitch, y_pitch; /* bytes from row to row */
    int64_t rows, length;
    size_t size;                                              /* bytes of an element */
    enum row_single { NO_SINGLE, SINGLE_X, SINGLE_Y } single; /* an operand that is one number */
    union {
        float f32;
        double f64;
    } number;    /* that number */
    double a, b; /* parameters of the operation */
};
/* Computes block K of output 0 out of operand 0 (x) and 1 (y), now or, where that makes no
 * difference, later. */
bool call_block(inlay_call *c, const row_block *k);
/* Before a kernel that hands its work over as blocks, or shows its operands, reads or writes
 * elements otherwise: what an executor has put off till now is computed. */
void call_settle(inlay_call *c);

/* Reads a small integer operand: *N elements, in scratch. */
const int64_t *call_ints(inlay_call *c, int i, int64_t *n);
/* slice.c: the window of DATA that the call of a SliceScatter writes; NULL when its operands are
 * not right. */
inlay_tensor *call_scatter_window(inlay_call *c, const inlay_tensor *data);

/* Bodies, and the states of variables */

/* One invocation of body BODY of the node: IN one tensor per Parameter, OUT one per Result. */
bool call_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);
/* Counts an iteration of a loop. False and an error: the run may make no more. */
bool call_iterates(inlay_call *c);
/* The variable that the node reads or assigns; NULL after recording the error: the node is called
 * by itself, so that there are no states. */
const inlay_variable *call_variable(inlay_call *c);
/* The state of V as the invocation began; NULL: it was reset. */
const inlay_tensor *call_state(const inlay_call *c, const inlay_variable *v);
/* V has the state T (retained) when the invocation has ended well. */
void call_assign(inlay_call *c, const inlay_variable *v, const inlay_tensor *t);

#endif
