/* Operations that make a float of a float, one behind the other. A row function that computes one
 * of them reads and writes the first cache for each; row_stages_f32 computes a list of them while
 * the numbers stay in the processor's registers.
 */
#ifndef INLAY_CALL_STAGES_H
#define INLAY_CALL_STAGES_H

/* What a row function is, if it is one of these: of operand x and a number p, which is operand y;
 * or of operand x alone, with parameters p and q. Each computes what the row function does, bit for
 * bit. */
typedef enum row_op {
    ROW_OTHER,
    ROW_ADD,
    ROW_SUBTRACT,
    ROW_MULTIPLY,
    ROW_MAXIMUM,
    ROW_MINIMUM,
    ROW_RELU,
    ROW_ABS,
    ROW_CLAMP
} row_op;

enum { STAGES_WIDTH = 64 }; /* numbers that are computed together: a list is for rows of so many */

typedef struct row_stage {
    row_op op;
    float p, q;
} row_stage;

typedef struct row_stages {
    int n;
    const row_stage *list;
} row_stages;

struct row_block;
/* Returns OP, which is what block K computes, with the numbers of K. */
row_stage row_stage_of(row_op op, const struct row_block *k);
/* Computes the operations of K's `with`, a row_stages, one behind the other on each float of
 * operand x. */
void row_stages_f32(const struct row_block *k);

#endif
