/* Rows whose operands must fit each other: parses operands.def. Private to generate/. */
#ifndef INLAY_GENERATE_FIT_H
#define INLAY_GENERATE_FIT_H

#include "generate/generator.h"

enum { GEN_FIT_LIST = 8 };

/* The use of a line of operands.def: its remaining operands, and the values of its letters. */
typedef struct gen_fit {
    const char *operands, *attributes;
    int64_t letters[128]; /* by character */
} gen_fit;

typedef struct gen_fit_operand {
    bool optional;
    int rank;
    int64_t dims[INLAY_MAX_RANK];
    bool bounded; /* its elements are integers in [LO, HI] */
    int64_t lo, hi;
    int64_t listed[GEN_FIT_LIST]; /* its elements are these N_LISTED ones */
    int n_listed;
} gen_fit_operand;

/* Draws a line for OP, and values for its letters. False: there is none. */
bool gen_fit_begin(generator *g, const inlay_op *op, gen_fit *fit);
/* Sets *OUT to the next operand of FIT. False: there are no more. */
bool gen_fit_next(gen_fit *fit, gen_fit_operand *out);
/* Writes the value of attribute NAME to TEXT. False: FIT does not give it. */
bool gen_fit_attribute(const gen_fit *fit, const char *name, char *text, size_t size);

#endif
