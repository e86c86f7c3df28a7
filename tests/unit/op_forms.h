/* Helpers for tests of operations: tensors written as text, one node built, inferred and run. */
#ifndef INLAY_TESTS_OP_FORMS_H
#define INLAY_TESTS_OP_FORMS_H

#include "ir/ir.h"

/* "f32[2,3] 1 2 3 4 5 6", "i64[] 7", "string[2] a ''" (one of them empty); "f32[20,10,5] iota"
 * counts from 0. The test fails when the text is wrong. */
inlay_tensor *forms_tensor(const char *text);
/* The same form back, for messages; the caller frees it. */
char *forms_text(const inlay_tensor *t);
/* The same elements, every second one of the last dimension of a larger tensor. */
inlay_tensor *forms_strided(const inlay_tensor *t);
/* Fails the test unless T is what TEXT says, elements bit for bit (any NaN is any NaN). */
void check_elements(const inlay_tensor *t, const char *text);

/* Runs one operation and compares its outputs. IN: operands as text, NULL for an absent one, ended
 * by END. WANT: the outputs as text, ended by NULL, or one text "error: ..." that the first error
 * must hold. Done four times: with constants (the shapes must be inferred then, as far as they do
 * not depend on data), with Parameters of known shape, the same on strided operands, and with
 * Parameters of unknown rank; the outcome must be the same. */
void check_forms(const char *op, const char *version, const char *attrs, const char *const *in,
                 const char *const *want);
#define OPERANDS(...) ((const char *const[]){__VA_ARGS__, operands_end})
#define RESULTS(...) ((const char *const[]){__VA_ARGS__, NULL})
extern const char operands_end[];
/* "1,1,...": as many dimensions as a tensor may have */
#define ONES_8 "1,1,1,1,1,1,1,1"
#define ONES_32 ONES_8 "," ONES_8 "," ONES_8 "," ONES_8

/* Runs the kernel of a scatter with output 0 in the storage of operand 0, as on a donated
 * buffer. WANT: the output or "error: ..."; AFTER: what the buffer holds then. Nothing but
 * the updates is copied. */
void check_in_place(const char *op, const char *version, const char *attrs, const char *const *in,
                    int n_in, const char *want, const char *after);

/* Infers one operation: an operand is a shape ("f32[2,?,1..8]", "i64[...]" for unknown rank), or a
 * tensor with its elements. The result is the shapes of the outputs as text, separated by blanks,
 * with known elements after "=" ("i64[2]={3,?}"), or "error: ..."; the caller frees it. Shapes may
 * name identities ("f32[?a,?b]"): the same letter is the same dimension. */
char *rule_text(const char *op, const char *version, const char *attrs, const char *const *in);
void check_rule(const char *op, const char *version, const char *attrs, const char *const *in,
                const char *want);

#endif
