/* What unit tests of operations share. An operand is written as text:
 *
 *     "f32[2,3] 1 2 3 4 5 6"   a constant; also nan, inf, -inf, true, 0x7f, "i64 5" is a scalar
 *     "f32[2,?]"               a Parameter of that type and shape: nothing is known of its elements
 *     "i64[1] ? 5"             a Parameter that has these elements when the operation runs
 *     "-"                      an absent optional operand
 *
 * Lists of them end with NULL. An operation is "Add" (its newest version) or "Add opset1".
 */
#ifndef INLAY_TESTS_SUPPORT_H
#define INLAY_TESTS_SUPPORT_H

#include "ir/ir.h"
#include "unit.h"

#define OPERANDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Runs the operation on constants and fails the test unless its outputs are EXPECTED (an entry "-"
 * is not looked at): type and shape are compared, and elements, floats up to a relative error of a
 * few last places. ATTRS are those of inlay_build, or NULL. */
void check_op(const char *op, const char *attrs, const char *const *in,
              const char *const *expected);
/* Infers the operation; EXPECTED are "type[shape]" of its outputs, or "type[shape] {1 2..3 ?}" to
 * say what is known of the elements. */
void check_infer(const char *op, const char *attrs, const char *const *in,
                 const char *const *expected);
/* Checks that building the node fails with a message that ends in TEXT. */
void check_infer_fails(const char *op, const char *attrs, const char *const *in, const char *text);
/* Checks that building succeeds, and that running fails with a message that ends in TEXT. */
void check_op_fails(const char *op, const char *attrs, const char *const *in, const char *text);

/* Returns the tensor that TEXT describes; the test fails when TEXT describes none. */
inlay_tensor *tensor_of(const char *text);

#endif
