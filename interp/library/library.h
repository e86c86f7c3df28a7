/* Kernels that are faster than those of interp/kernels and give the same bits, but for a row by
 * compressed integers (digits.h). An executor that wants them asks library_find for each operation;
 * the reference never does. */
#ifndef INLAY_LIBRARY_LIBRARY_H
#define INLAY_LIBRARY_LIBRARY_H

#include "interp/call/kernel.h"

typedef struct library_kernel {
    inlay_op_kind op;
    const char *name; /* for people: "gemm" */
    /* Returns whether the kernel is for operands of these forms; they have no elements yet. If not,
     * the operation's own kernel is to be called. */
    bool (*takes)(const inlay_call *c);
    int packs; /* the operand of which a packed form is made once, if it is a constant; -1: none */
    bool replaces; /* whoever has the packed form does not read the operand */
    /* Returns the bytes of the packed form of T, a constant of N; 0: there is none. */
    size_t (*packed_bytes)(const inlay_node *n, const inlay_tensor *t);
    /* Returns which packed form N wants: nodes that want the same one of a constant share it. */
    int (*form)(const inlay_node *n);
    /* Makes the packed form of T in TO, which begins with a cache line. */
    void (*pack)(const inlay_node *n, const inlay_tensor *t, void *to);
    /* Computes the outputs. PACKED: the packed form of the operand; NULL: there is none. */
    bool (*run)(inlay_call *c, const void *packed);
} library_kernel;

/* Returns the kernel for OP, or NULL. */
const library_kernel *library_find(const inlay_op *op);

/* finite.c: returns whether all N floats from X on, which may be any address, are finite. */
bool library_are_finite(const void *x, int64_t n);

/* The kernels: one a file. */
extern const library_kernel library_matmul, library_convolution, library_group_convolution,
    library_max_pool, library_attention, library_lstm_sequence, library_gru_sequence,
    library_rnn_sequence, library_matmul_compressed;

#endif
