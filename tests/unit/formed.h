/* A case of tests/ops turned into a graph of another form, with inputs derived from its operands.
 * `%y = Transpose(%data, %order)` on f32[2,3] in a body, with a strided operand and random sizes:
 *
 *     graph "formed" {
 *       %cond = Parameter {element_type = boolean, shape = []}
 *       %p0 = Parameter {element_type = f32, shape = [4,7]}
 *       ...
 *       %r:1 = If-8(%cond, %p0, %p1)
 *         then_body "then" {
 *           %whole0 = Parameter {element_type = f32, shape = [4,7]}
 *           %data = Slice-8(%whole0, ...)        every second column
 *           ...
 *
 * The case itself shows which operands are valid: the new ones have the same elements in another
 * order, and a size changes in all operands that have it. The shape rule says whether the sizes
 * still fit. */
#ifndef INLAY_TESTS_FORMED_H
#define INLAY_TESTS_FORMED_H

#include "generate/rng.h"
#include "op_case.h"

typedef enum formed_kind {
    FORMED_PLAIN,   /* Parameters of known shape */
    FORMED_BODY,    /* in a branch of an If, or twice in a Loop */
    FORMED_DYNAMIC, /* of sizes or ranks that are not known */
    FORMED_EMPTY,   /* some sizes are 0 */
    FORMED_STRIDED, /* operands are views: windows with a step, or transposed */
    FORMED_KINDS
} formed_kind;

typedef struct formed {
    inlay_graph *graph;
    inlay_tensor *in[OP_CASE_MAX + 2]; /* one for each Parameter */
} formed;

/* Makes OUT from the case, with random numbers of R. False: the case has no such form; D may say
 * why. The caller frees OUT in either case. */
bool formed_make(formed *out, const op_case *c, formed_kind kind, rng *r, inlay_diags *d);
void formed_free(formed *f);

#endif
