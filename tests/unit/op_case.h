/* One file of tests/ops, whose format tests/ops/README.md describes: its graph in three forms, the
 * operands, and what the Results must be. */
#ifndef INLAY_TESTS_OP_CASE_H
#define INLAY_TESTS_OP_CASE_H

#include "passes/passes.h"

/* Says what the graph knows of the operands. */
typedef enum op_form {
    OP_FORM_CONSTANTS, /* everything: they are constants, as in the file */
    OP_FORM_SHAPES,    /* type and shape: they are Parameters */
    OP_FORM_OPEN,      /* the type: they are Parameters of unknown rank */
    OP_FORMS
} op_form;

enum { OP_CASE_MAX = 64 };

/* Says what one Result must be. */
typedef struct op_expectation {
    char name[64];
    bool dynamic; /* its shape depends on elements: inference need not find it */
    inlay_compare_options tolerance;
    const inlay_tensor *tensor;
} op_expectation;

typedef struct op_case {
    inlay_strbuf form[OP_FORMS];              /* the graph as text */
    inlay_graph *tensors;                     /* holds those below */
    const inlay_tensor *operand[OP_CASE_MAX]; /* one for each Parameter */
    int n_operands;
    op_expectation expected[OP_CASE_MAX];
    int n_expected;
    inlay_strbuf error; /* what the message must hold; empty: no error is expected */
} op_case;

/* Reads the case that TEXT is. False and a message with a line of FILE when TEXT is no case. The
 * caller frees the case even then. */
bool op_case_read(op_case *c, const char *text, const char *file, inlay_diags *d);
void op_case_free(op_case *c);
/* Returns what the Result NAME must be; NULL when the file says nothing of it. */
const op_expectation *op_case_expected(const op_case *c, const char *name);

#endif
