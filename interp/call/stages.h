/* Sequences of operations from float to float. A row function for each of them would read and write
 * the first cache every time; row_stages_f32 computes the whole sequence while the numbers stay in
 * registers. The first operation may convert to floats, and the last one from them. Operations on
 * f16 and bf16 are computed on floats, too, and each is rounded. */
#ifndef INLAY_CALL_STAGES_H
#define INLAY_CALL_STAGES_H

#include "ir/tensor.h"

/* The operation of a row function, if it is one of these: of operands x and y; or of operand x
 * alone, with parameters p and q. Each gives the bits of the row function. */
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
    ROW_CLAMP,
    ROW_ROUND, /* halves to even */
    ROW_HSWISH,
    ROW_HSIGMOID,
    ROW_HARD_SIGMOID, /* p * x + q, from 0 to 1 */
    ROW_READS,        /* converts numbers of type P to floats: the first operation of a list, */
    ROW_WRITES,       /* converts floats to numbers of type P: the last one; but see below */
    ROW_ADD_MULTIPLY, /* (x + p) * q: row_stages_f32 makes it of two operations, */
    ROW_MULTIPLY_ADD, /* and so x * p + q, rounded twice, */
    ROW_THROUGH,      /* what is left of floats that were numbers of another type for a moment, */
    ROW_CODES,        /* and all from a scale on that makes these numbers */
    ROW_SIGMOID       /* no operation of a list, but row_gate_f32 has a product behind it */
} row_op;

enum {
    STAGES_WIDTH = 64, /* numbers that are computed together: rows must have so many */
    STAGES_MOST = 64,  /* most operations of a list */
    STAGES_ROWS = 8    /* and most of them whose operand y is rows */
};

typedef struct row_stage {
    row_op op;
    float p, q;        /* parameters; P is operand y, if that is a scalar */
    const char *y;     /* NULL: it is; else the beginning of operand y: rows of floats, */
    ptrdiff_t y_pitch; /* at this distance in bytes, */
    bool each;         /* or one float for each row */
    inlay_type half;   /* F16 or BF16: operand y and what is computed are such, rounded; else floats
                          are */
} row_stage;

typedef struct row_stages {
    int n;
    const row_stage *list;
    bool streams; /* floats are written past the caches */
} row_stages;

/* Floats may become numbers of another type and floats again within a list, if they are held within
 * that type before. Do CLAMP, WRITES and READS, which follow one another, do that? */
bool row_stages_lead_through(const row_stage *clamp, const row_stage *writes,
                             const row_stage *reads);

/* Is OP commutative in operands x and y? */
static inline bool row_op_commutes(row_op op)
{
    return op == ROW_ADD || op == ROW_MULTIPLY;
}

/* May OP stand in a list? */
static inline bool row_op_is_stage(row_op op)
{
    return op != ROW_OTHER && op != ROW_SIGMOID;
}

struct row_block;
/* Computes x times the sigmoid of x, each rounded, for each float of operand x. */
void row_gate_f32(const struct row_block *k);
/* Returns OP, the operation of block K, with the scalars of K, and no rows. */
row_stage row_stage_of(row_op op, const struct row_block *k);
/* Computes the operations of K's `with`, a row_stages, in sequence on each float of operand x. */
void row_stages_f32(const struct row_block *k);
typedef enum stages_vectors { STAGES_PLAIN, STAGES_AVX2, STAGES_AVX512 } stages_vectors;
/* The same with what processors have of MOST and those before it (for tests). */
void row_stages_with(stages_vectors most, const struct row_block *k);
/* Makes what was written past the caches visible to other threads, as all else is. */
void row_stages_end(void);

#endif
