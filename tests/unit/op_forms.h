/* Helpers for tests of operations: one node built, inferred and run. Operands and results are text,
 * in the form of written.h. */
#ifndef INLAY_TESTS_OP_FORMS_H
#define INLAY_TESTS_OP_FORMS_H

#include "ir/ir.h"

/* Returns the tensor that TEXT is; the test fails when the text is wrong. */
inlay_tensor *forms_tensor(const char *text);
/* Fails the test unless T is what TEXT says, elements bit for bit (any NaN is any NaN). */
void check_elements(const inlay_tensor *t, const char *text);

/* Runs one operation and compares its outputs. IN has operands as text, NULL for an absent one, and
 * ends with END. WANT has the outputs as text and ends with NULL, or it is one text "error: ..."
 * that the first error must hold. This is done four times: with constants (the shapes must be
 * inferred then, as far as they do not depend on data), with Parameters of known shape, with such
 * Parameters on strided operands, and with Parameters of unknown rank; the outcome must be the
 * same. */
void check_forms(const char *op, const char *version, const char *attrs, const char *const *in,
                 const char *const *want);
#define OPERANDS(...) ((const char *const[]){__VA_ARGS__, operands_end})
#define RESULTS(...) ((const char *const[]){__VA_ARGS__, NULL})
extern const char operands_end[];
/* "1,1,...": as many dimensions as a tensor may have */
#define ONES_8 "1,1,1,1,1,1,1,1"
#define ONES_32 ONES_8 "," ONES_8 "," ONES_8 "," ONES_8

/* Runs the kernel of a scatter with output 0 in the storage of operand 0, as on a donated buffer.
 * WANT is the output or "error: ..."; AFTER is what the buffer holds then. Nothing but the updates
 * is copied. */
void check_in_place(const char *op, const char *version, const char *attrs, const char *const *in,
                    int n_in, const char *want, const char *after);

/* Infers one operation, each operand of which is a shape, or a tensor with its elements. WANT is
 * what is known of the outputs, with blanks between, or "error: ..." as for check_forms. */
void check_rule(const char *op, const char *version, const char *attrs, const char *const *in,
                const char *want);

#endif
