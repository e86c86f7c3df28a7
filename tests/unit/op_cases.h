/* The cases of tests/ops, run with something changed: a case that fails tests what was changed.
 * test_kernel_mutants.c and test_attribute_values.c find missing tests in this way. */
#ifndef INLAY_TESTS_OP_CASES_H
#define INLAY_TESTS_OP_CASES_H

#include "op_case.h"

/* Visits a case. False: stop. */
typedef bool op_case_visitor(const char *path, const op_case *c, void *ctx);
/* Calls VISIT for the cases in the folder tests/ops/OPERATION until it returns false. */
void op_cases_each(const char *operation, op_case_visitor *visit, void *ctx);

/* Returns the graph of the case; NULL when reading refuses it. Its operands are constants, but for
 * a case that expects an error: of constants that would be found while the graph is read, so that
 * nothing could be changed. */
inlay_graph *op_case_graph(const char *path, const op_case *c, inlay_diags *d);
/* Returns the first node of ROW in G or in a body of it, or NULL. */
inlay_node *op_case_node(const inlay_graph *g, const inlay_op *row);

/* The verdict of a case on a changed graph. */
typedef enum op_verdict {
    OP_HOLDS, /* the Results of the reference executor are those of the file, or D has its error */
    OP_DIFFERS, /* it ran, and something else is expected */
    OP_REFUSED  /* it is NULL or fails, and something else is expected */
} op_verdict;

op_verdict op_case_judge(const op_case *c, const inlay_graph *g, inlay_diags *d);

/* A line of tests/ops/equivalent.txt: WHAT of ROW, and why no case can notice that it is changed.
 * Each is to be used: op_excuses_end fails the test for one of KIND that was not asked for. */
typedef struct op_excuses op_excuses;
op_excuses *op_excuses_read(const char *kind);
bool op_excuses_has(op_excuses *x, const char *row, const char *what);
void op_excuses_end(op_excuses *x);

#endif
