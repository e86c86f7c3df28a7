/* What must be known where an output may share memory with an operand. Most kernels do not call
 * these functions themselves: their helpers do (kernels/moves.h, kernels/elementwise.h), and so an
 * executor learns what a kernel is about to do. The reference gives every output a buffer of its
 * own; it has nothing to learn, and then nothing is shared or shown.
 */
#ifndef INLAY_INTERP_SHARE_H
#define INLAY_INTERP_SHARE_H

#include "interp/call/kernel.h"
#include "interp/call/stages.h"

/* Copies the elements of FROM over those of TO, unless they stand there because they were computed
 * in place. TO is part of output 0, has the dims of FROM, and may go when this returns. */
bool call_write_part(inlay_call *c, inlay_tensor *to, const inlay_tensor *from);
/* Copies the elements of SRC, part of operand FROM, over those of DST, part of output TO, which has
 * the same dims. */
bool call_copy_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                    const inlay_tensor *from, const inlay_tensor *src);
/* Announces that output O will have the elements of T, which shows part of an operand, in row-major
 * order. If *DONE becomes true the output is a view of them, and there is nothing left to copy.
 * Else c->out[O], which may have changed, has a buffer to copy them to. */
bool call_show(inlay_call *c, int o, const inlay_tensor *t, bool *done);

/* A scatter has checked all of its operands, and is about to write its updates, N runs of LENGTH
 * elements, to the row-major positions TO of output 0. True: the executor has computed them there;
 * they never stood anywhere else. */
bool call_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to);
/* Does the executor want to know of the call of a Gather only whether its indices are good? Who
 * reads the output takes its elements from the operand; the output has none. */
bool call_only_checks(const inlay_call *c);

#define CALL_NO_ROW INT64_MIN
/* Tells then which rows of operand 0 the output has, N of them in its order: row I begins TO[I]
 * elements behind the first one of the operand; CALL_NO_ROW: it is zeros. TO is scratch memory of
 * the call. */
void call_picked(inlay_call *c, int64_t n, const int64_t *to);

/* Rows of numbers at equal distances in memory, which a row function computes: each element of the
 * output from the elements of operands x, y and z at the same place. Operands y and z may be
 * missing. */
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
    } single; /* the operand that is one number for all elements */
    union {
        float f32;
        double f64;
        int64_t i64;
        int32_t i32;
        uint8_t u8;
        uint16_t bits16;
        uint32_t bits32;
        uint64_t bits64;
    } number;            /* that number, */
    inlay_type type;     /* as RUN wants it */
    const void *one;     /* where it lies, so that a block can be computed again, */
    inlay_type one_type; /* and what it is there */
    double a, b;         /* parameters of the operation, */
    const void *with;    /* and what else RUN takes; it lives as long as the program */
};
/* Reads the number of K from where it lies, if K has one. */
void row_block_read(row_block *k);
/* Computes block K of output 0 from operand 0 (x) and operand 1 (y). An executor may keep the block
 * and compute it later. */
bool call_block(inlay_call *c, row_block *k);
/* What a kernel computes element by element, or row by row: RUN over the elements of output 0 and
 * of its operands, which lie at STRIDES (counted in elements of these tensors) along the dims of
 * the output; 0: an operand is the same for all of that dim. */
enum { ROW_OPERANDS = 3 };
typedef struct row_form {
    row_fn *run;
    double a, b;
    inlay_type from[ROW_OPERANDS], to; /* RUN reads elements of these types, and writes such ones */
    int n;                             /* operands */
    const void *with;                  /* row_block */
    int row_dims; /* RUN needs rows that are all of so many last dims; 0: any part of one */
    bool folds;   /* RUN makes one element of each row of operand 0, along whose dims its strides
                     are: the last row_dims of these are no dims of the output, or are 1 there */
    int cost;     /* of an element, beside one of an addition; 0: 1 */
    row_op op;    /* what RUN is on floats if operand 1, where there is one, is a number */
    bool picks;   /* there is no RUN: the output has rows of operand 0, which the indices in operand
                     1 pick, and which call_picked tells; */
    int pick_from, pick_to; /* dims PICK_FROM <= i < PICK_TO of the output count them */
    int64_t strides[ROW_OPERANDS][INLAY_MAX_RANK];
} row_form;
/* Announces, before any block is handed over, that the blocks of the call will compute F. */
void call_form(inlay_call *c, const row_form *f);
/* Announces that elements are about to be read or written otherwise than by call_block and
 * call_show. False: there are no elements, because the executor only wants to know what the kernel
 * would do; the kernel must give up. */
bool call_settle(inlay_call *c);
/* Does the rest of a kernel's work once the kernel knows what to do. FRAME holds what the kernel
 * has found out. */
typedef bool call_rest_fn(inlay_call *c, const void *frame);
/* Ends a kernel whose row says prepares. From sizes, strides and what load.h gives the kernel has
 * made a FRAME of SIZE bytes without pointers, and no element was written. REST does everything
 * else. An executor may call REST alone again, for tensors of the same forms whose elements differ
 * where load.h was not asked. */
bool call_rest(inlay_call *c, call_rest_fn *rest, const void *frame, size_t size);
/* Announces that a number is about to be read from operand I, which is no lane of a block. False:
 * there are no elements, and the kernel must give up. */
bool call_reads(const inlay_call *c, int i);

#endif
