/* Where an output shares memory with an operand, and where work is put off: what the helpers of
 * kernels tell the executor before they do something. An executor that gives every output a buffer
 * of its own has nothing to do then, and all of these do what their names say.
 */
#ifndef INLAY_INTERP_SHARE_H
#define INLAY_INTERP_SHARE_H

#include "interp/call/kernel.h"

/* Output 0 stands in the storage of the operand that the row names in `overwrites`. */
bool call_shares(const inlay_call *c);
/* Copies all elements of input I over output O (same dims), unless they stand there. */
bool call_copy_input(inlay_call *c, int o, int i);
/* Copies the elements of FROM over those of TO, a part of output 0 of the same dims, unless they
 * were computed there. */
bool call_write_part(inlay_call *c, inlay_tensor *to, const inlay_tensor *from);
/* The kernel is about to write N runs of LENGTH elements at the row-major positions TO of output 0.
 */
bool call_writes_runs(inlay_call *c, int64_t n, int64_t length, const int64_t *to);
/* Output O will hold the elements of T, which shows part of an operand, in row-major order. *DONE:
 * it is a view of them now, and nothing is left to copy; else c->out[O] has a buffer. */
bool call_show(inlay_call *c, int o, const inlay_tensor *t, bool *done);

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
/* The kernel is about to read or write elements otherwise than by call_block and call_show: what an
 * executor has put off till now is computed. */
void call_settle(inlay_call *c);

#endif
