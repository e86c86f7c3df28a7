/* Short words for the nodes that imports of several families make. An operand that is NULL stands
 * for an error that was recorded, and gives NULL. Private to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_MAKE_H
#define INLAY_PARSER_ONNX_IMPORT_MAKE_H

#include "parser/onnx/import.h"

/* Returns X as elements of TYPE; X itself where it has that type. */
inlay_value *make_convert(onnx_node *n, inlay_value *x, inlay_type type);
/* The size of axis AXIS of X as a list of one; a constant where it is known. */
inlay_value *make_size(onnx_node *n, inlay_value *x, int axis);
/* Returns COUNT lists as one list. */
inlay_value *make_join(onnx_node *n, inlay_value *const *lists, int count);
/* X with the shape that COUNT lists of sizes say, one after another; one size may be -1. */
inlay_value *make_reshape(onnx_node *n, inlay_value *x, inlay_value *const *sizes, int count);
/* X with the COUNT sizes DIMS, of which 0 is that of X, and one may be -1. */
inlay_value *make_shaped(onnx_node *n, inlay_value *x, const int64_t *dims, int count);
/* X with the RANK sizes DIMS, which are as many elements; a constant is a constant again. */
inlay_value *make_regrouped(onnx_node *n, inlay_value *x, const int64_t *dims, int rank);
/* X [.., .., heads * size] as [.., .., heads, size]; and [a, b, c, d] as [a, b, c * d]. No size is
 * -1, which would say nothing of an empty X. */
inlay_value *make_heads(onnx_node *n, inlay_value *x, int64_t heads);
inlay_value *make_merged(onnx_node *n, inlay_value *x);
inlay_value *make_transpose(onnx_node *n, inlay_value *x, const int64_t *order, int rank);
/* X with new axes at the COUNT positions AXES of the result, or without these axes. */
inlay_value *make_unsqueeze(onnx_node *n, inlay_value *x, const int64_t *axes, int count);
inlay_value *make_squeeze(onnx_node *n, inlay_value *x, const int64_t *axes, int count);
/* The elements of X from START to before STOP, lists of one, along AXIS, each STEP-th. */
inlay_value *make_cut(onnx_node *n, inlay_value *x, int axis, inlay_value *start, inlay_value *stop,
                      int64_t step);
inlay_value *make_concat(onnx_node *n, inlay_value *a, inlay_value *b, int axis);
/* A where CONDITION is true, else B. */
inlay_value *make_select(onnx_node *n, inlay_value *condition, inlay_value *a, inlay_value *b);
/* Returns X reduced by TYPE ("ReduceSum") over AXES. */
inlay_value *make_reduce(onnx_node *n, const char *type, inlay_value *x, inlay_value *axes,
                         bool keep);
/* Returns X reduced over all axes, a scalar. */
inlay_value *make_reduce_all(onnx_node *n, const char *type, inlay_value *x);
/* 0, 1, ... below COUNT, a scalar or a list of one. */
inlay_value *make_counting(onnx_node *n, inlay_value *count);
inlay_value *make_gather(onnx_node *n, inlay_value *x, inlay_value *indices, int axis);
/* Zeros of TYPE in the shape that a list says. */
inlay_value *make_zeros(onnx_node *n, inlay_type type, inlay_value *shape);
/* The type in which sums of numbers of TYPE are made, f32 for f16 and bf16; X in that type. */
inlay_type make_wide_type(inlay_type type);
inlay_value *make_wide(onnx_node *n, inlay_value *x);
/* The largest magnitude of X along AXES, which stay as 1; 1 where it is 0 or infinite. What is
 * divided by it has no infinite sums of powers. */
inlay_value *make_unit(onnx_node *n, inlay_value *x, inlay_value *axes);
/* X times FACTOR, in the type of X. */
inlay_value *make_scaled(onnx_node *n, inlay_value *x, double factor);

#endif
