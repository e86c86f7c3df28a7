/* For outputs that may share memory with an operand. Most kernels do not call these functions
 * themselves: their helpers do (kernels/moves.h, kernels/elementwise.h), and so an executor learns
 * what a kernel is about to do. The reference gives every output a buffer of its own, and needs
 * none of this. */
#ifndef INLAY_INTERP_SHARE_H
#define INLAY_INTERP_SHARE_H

#include "interp/call/kernel.h"
#include "interp/call/stages.h"

/* Copies the elements of FROM to TO, unless they are there because they were computed in place. TO
 * is part of output 0, has the dims of FROM, and may be freed when this returns. */
bool call_write_part(inlay_call *c, inlay_tensor *to, const inlay_tensor *from);
/* Copies the elements of SRC, part of operand FROM, to DST, part of output TO, which has the same
 * dims. */
bool call_copy_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                    const inlay_tensor *from, const inlay_tensor *src);
/* Announces that output O will be the elements of T, a view of part of an operand, in row-major
 * order. Sets *DONE if the output is a view of them and nothing is left to copy. Else c->out[O],
 * which may have changed, is where to copy them. T itself is not kept. */
bool call_show(inlay_call *c, int o, const inlay_tensor *t, bool *done);

/* For a scatter that has checked all of its operands and is about to write its updates, N runs of
 * LENGTH elements, to the row-major positions TO of output 0. True: the executor has computed the
 * updates right there. */
bool call_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to);
/* Does the executor call a Gather only to check its indices? The readers of its output then read
 * the operand; the output has no elements. */
bool call_only_checks(const inlay_call *c);

#define CALL_NO_ROW INT64_MIN
/* Reports which N rows of operand 0 the output consists of, in order: row I begins TO[I] elements
 * behind the first one of the operand; CALL_NO_ROW: zeros. TO is scratch memory of the call. */
void call_picked(inlay_call *c, int64_t n, const int64_t *to);

/* Rows of numbers at equal distances in memory for a row function, which computes each element of
 * the output from the elements of operands x, y and z at the same position. Operands y and z may be
 * absent. */
typedef struct row_block row_block;
typedef void row_fn(const row_block *k);
struct row_block {
    row_fn *run;
    char *to;
    const char *x, *y, *z;
    ptrdiff_t to_pitch, x_pitch, y_pitch, z_pitch; /* bytes from row to row */
    int64_t rows, length;
    size_t size; /* bytes of an element of the output */
    enum row_single {
        NO_SINGLE,
        SINGLE_X,
        SINGLE_Y,
        SINGLE_Z
    } single; /* the operand that is one number for all elements (a scalar) */
    union {
        float f32;
        double f64;
        int64_t i64;
        int32_t i32;
        uint32_t u32;
        int16_t i16;
        uint16_t u16;
        int8_t i8;
        uint8_t u8;
        uint16_t bits16;
        uint32_t bits32;
        uint64_t bits64;
    } number;            /* that number */
    inlay_type type;     /* in the type that RUN uses */
    const void *one;     /* its address, so that a block can be computed again */
    inlay_type one_type; /* and its type there */
    double a, b;         /* parameters of the operation */
    const void *with;    /* other data for RUN; it lives as long as the program */
    inlay_type half;     /* F16 or BF16: RUN is row_halves, and WITH says what it does (halves.h) */
};
/* Loads the scalar of K from its address, if K has one. */
void row_block_read(row_block *k);
/* Computes block K of output 0 from operand 0 (x) and operand 1 (y). An executor may store the
 * block and compute it later. */
bool call_block(inlay_call *c, row_block *k);
/* What a kernel computes element by element, or row by row: RUN on the elements of output 0 and of
 * its operands, whose STRIDES (in elements of these tensors) are along the dims of the output; 0:
 * the operand is broadcast along that dim. */
enum { ROW_OPERANDS = 3 };
typedef struct row_form {
    row_fn *run;
    double a, b;
    inlay_type from[ROW_OPERANDS], to; /* the element types that RUN reads and writes */
    int n;                             /* number of operands */
    const void *with;                  /* row_block, */
    inlay_type half;                   /* too */
    int row_dims; /* RUN needs rows that are all of the last row_dims dims; 0: any part of a row */
    bool folds;   /* RUN reduces each row of operand 0 to one element; strides are along the dims of
                     operand 0, of which the output lacks the last row_dims, or has them as 1 */
    int cost;     /* of an element, compared with an addition; 0: 1 */
    row_op op;    /* the operation of RUN, if it is one of those (stages.h) */
    bool picks;   /* there is no RUN: the output is rows of operand 0 at the indices in operand 1,
                     as call_picked reports; */
    int pick_from, pick_to; /* dims PICK_FROM <= i < PICK_TO of the output enumerate the rows */
    int64_t strides[ROW_OPERANDS][INLAY_MAX_RANK];
} row_form;
/* Announces, before the first block, that the blocks of the call will compute F. */
void call_form(inlay_call *c, const row_form *f);
/* Announces that elements are about to be read or written otherwise than by call_block and
 * call_show. False: the executor only traces what the kernel would do, and there are no elements;
 * the kernel must return. */
bool call_settle(inlay_call *c);
/* The rest of a kernel's work once the kernel has decided what to do. FRAME is what the kernel has
 * decided. */
typedef bool call_rest_fn(inlay_call *c, const void *frame);
/* Ends a kernel whose row says prepares. Up to here it has written no element, and has made a FRAME
 * of SIZE bytes, without pointers, from sizes, strides and what load.h gave it. REST does
 * everything else. An executor may call REST again for tensors of the same forms; only elements
 * that load.h did not read may differ. */
bool call_rest(inlay_call *c, call_rest_fn *rest, const void *frame, size_t size);
/* Announces that a single number of operand I, outside of blocks, is about to be read. False: there
 * are no elements, and the kernel must return. */
bool call_reads(const inlay_call *c, int i);

#endif
