/* Kernels that are faster than those of interp/kernels and give the same bits, except for the
 * product of a row with compressed integers (digits.h). An executor may use library_find for each
 * operation; the reference never does. */
#ifndef INLAY_LIBRARY_LIBRARY_H
#define INLAY_LIBRARY_LIBRARY_H

#include "interp/call/kernel.h"

typedef struct library_kernel {
    inlay_op_kind op;
    const char *name; /* for messages: "gemm" */
    /* Does the kernel support operands of these forms, which have no elements yet? If not, the
     * operation's own kernel is called. NULL: it supports all. */
    bool (*takes)(const inlay_call *c);
    int packs;     /* the operand that is packed once, if it is a constant; -1: none */
    bool replaces; /* the packed form replaces the operand, which is not read */
    /* Returns the bytes of the packed form of T, a constant of N; 0: there is none. */
    size_t (*packed_bytes)(const inlay_node *n, const inlay_tensor *t);
    /* Returns a number for the packed form that N needs: nodes with the same number share the form
     * of a constant. */
    int (*form)(const inlay_node *n);
    /* Writes the packed form of T to TO, which begins at a cache line. */
    void (*pack)(const inlay_node *n, const inlay_tensor *t, void *to);
    /* Does it hand its output over part by part (call/parts.h), whose rows are the axes from
     * ROWS_FROM on (below 0: counted from the last one)? It need not do so in each run. */
    bool hands_over;
    int rows_from;
    /* Computes the outputs. PACKED: the packed form of the operand; NULL: there is none. */
    bool (*run)(inlay_call *c, const void *packed);
} library_kernel;

/* Returns the kernel for OP, or NULL. */
const library_kernel *library_find(const inlay_op *op);

/* finite.c: are the N floats at X, any address, all finite? */
bool library_are_finite(const void *x, int64_t n);

#define KERNEL(name) extern const library_kernel library_##name;
#include "interp/library/kernels.def"
#undef KERNEL

#endif
