/* Operations that make a float of a float, one behind the other. A row function that computes one
 * of them reads and writes the first cache for each; row_stages_f32 computes a list of them while
 * the numbers stay in the processor's registers.
 */
#ifndef INLAY_CALL_STAGES_H
#define INLAY_CALL_STAGES_H

#include <stdbool.h>
#include <stddef.h>

/* What a row function is, if it is one of these: of operands x and y; or of operand x alone, with
 * parameters p and q. Each computes what the row function does, bit for bit. */
typedef enum row_op {
    ROW_OTHER,
    ROW_ADD,
    ROW_SUBTRACT,
    ROW_MULTIPLY,
    ROW_DIVIDE,
    ROW_MAXIMUM,
    ROW_MINIMUM,
    ROW_RELU,
    ROW_ABS,
    ROW_CLAMP
} row_op;

enum {
    STAGES_WIDTH = 64, /* numbers that are computed together: a list is for rows of so many */
    STAGES_MOST = 64,  /* operations of a list, */
    STAGES_ROWS = 8    /* and those among them whose operand y is rows */
};

typedef struct row_stage {
    row_op op;
    float p, q;        /* parameters; P is operand y, if that is one number for all */
    const char *y;     /* NULL: it is; else where operand y begins: rows of floats, */
    ptrdiff_t y_pitch; /* bytes from row to row, */
    bool each;         /* or one float for each row */
} row_stage;

typedef struct row_stages {
    int n;
    const row_stage *list;
} row_stages;

/* Whether OP makes the same of operands x and y when they change places. */
static inline bool row_op_commutes(row_op op)
{
    return op == ROW_ADD || op == ROW_MULTIPLY;
}

struct row_block;
/* Returns OP, which is what block K computes, with the numbers of K, and no rows. */
row_stage row_stage_of(row_op op, const struct row_block *k);
/* Computes the operations of K's `with`, a row_stages, one behind the other on each float of
 * operand x. */
void row_stages_f32(const struct row_block *k);

#endif
