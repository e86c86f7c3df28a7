/* Shorthands for nodes that imports of several families make. A NULL operand means that an error
 * was recorded, and gives NULL. Private to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_MAKE_H
#define INLAY_PARSER_ONNX_IMPORT_MAKE_H

#include "parser/onnx/import.h"

/* The size of AXIS of X as a list of one; a constant if it is known. */
inlay_value *make_size(onnx_node *n, inlay_value *x, int axis);
/* Concatenates COUNT lists. */
inlay_value *make_join(onnx_node *n, inlay_value *const *lists, int count);
/* Reshapes X to the sizes in COUNT lists, concatenated; one size may be -1. */
inlay_value *make_reshape(onnx_node *n, inlay_value *x, inlay_value *const *sizes, int count);
/* Reshapes X to the COUNT sizes DIMS, of which 0 keeps that of X, and one may be -1. */
inlay_value *make_shaped(onnx_node *n, inlay_value *x, const int64_t *dims, int count);
/* Reshapes X to the RANK sizes DIMS, none of them -1; a constant stays a constant. */
inlay_value *make_regrouped(onnx_node *n, inlay_value *x, const int64_t *dims, int rank);
/* Reshapes [.., .., heads * size] to [.., .., heads, size]; and [a, b, c, d] to [a, b, c * d]. They
 * do not use -1, which cannot be resolved if X is empty. */
inlay_value *make_heads(onnx_node *n, inlay_value *x, int64_t heads);
inlay_value *make_merged(onnx_node *n, inlay_value *x);
inlay_value *make_transpose(onnx_node *n, inlay_value *x, const int64_t *order, int rank);
/* Axis FROM of X, of RANK axes, becomes axis TO; make_order writes the order of axes in which it is.
 */
inlay_value *make_moved(onnx_node *n, inlay_value *x, int rank, int from, int to);
void make_order(int64_t *order, int rank, int from, int to);
/* Adds axes of size 1 to X at the COUNT positions AXES of the result; removes these axes of X. */
inlay_value *make_unsqueeze(onnx_node *n, inlay_value *x, const int64_t *axes, int count);
inlay_value *make_squeeze(onnx_node *n, inlay_value *x, const int64_t *axes, int count);
/* Slices X along AXIS from START to before STOP, lists of one, with this STEP. */
inlay_value *make_cut(onnx_node *n, inlay_value *x, int axis, inlay_value *start, inlay_value *stop,
                      int64_t step);
/* A step of 1 for each entry of STARTS, a list that is where Slices begin. */
inlay_value *make_steps(onnx_node *n, inlay_value *starts);
inlay_value *make_concat(onnx_node *n, inlay_value *a, inlay_value *b, int axis);
/* A where CONDITION is true, else B. */
inlay_value *make_select(onnx_node *n, inlay_value *condition, inlay_value *a, inlay_value *b);
/* Reduces X by TYPE ("ReduceSum") over AXES. */
inlay_value *make_reduce(onnx_node *n, const char *type, inlay_value *x, inlay_value *axes,
                         bool keep);
/* Reduces X over all axes to a scalar. */
inlay_value *make_reduce_all(onnx_node *n, const char *type, inlay_value *x);
/* 0, 1, ... below COUNT, which is a scalar or a list of one. */
inlay_value *make_counting(onnx_node *n, inlay_value *count);
/* Zeros of TYPE in the shape given by a list. */
inlay_value *make_zeros(onnx_node *n, inlay_type type, inlay_value *shape);
/* The type in which numbers of TYPE are summed, f32 for f16 and bf16; X in that type. */
inlay_type make_wide_type(inlay_type type);
inlay_value *make_wide(onnx_node *n, inlay_value *x);
/* The largest magnitude of X along AXES, which are kept as 1; 1 if it is 0 or infinite. Sums of
 * powers of X divided by it do not overflow. */
inlay_value *make_unit(onnx_node *n, inlay_value *x, inlay_value *axes);
/* X times FACTOR, in the type of X. */
inlay_value *make_scaled(onnx_node *n, inlay_value *x, double factor);
/* sqrt(mean(X * X) + EPSILON) over AXES, which are kept as 1. */
inlay_value *make_root_mean_square(onnx_node *n, inlay_value *x, inlay_value *axes, double epsilon);
/* Moves the channels of X from the last axis to axis 1, or BACK. */
inlay_value *make_channels_second(onnx_node *n, inlay_value *x, bool back);
/* X, of RANK axes, with MORE elements, a list of one, of VALUE behind it along AXIS. */
inlay_value *make_longer(onnx_node *n, inlay_value *x, int rank, int axis, inlay_value *more,
                         double value);
/* X plus operand I, unless that is absent. */
inlay_value *make_sum(onnx_node *n, inlay_value *x, int i);
/* X times attribute NAME, unless that is 1 or absent. */
inlay_value *make_factor(onnx_node *n, inlay_value *x, const char *name);

enum { MAKE_PARAMETERS = 3 };
/* X after the activation NAME, "" for none, whose parameters are the COUNT numbers P; those behind
 * them have their usual values. NULL and an error: there is no such activation. */
inlay_value *make_activation(onnx_node *n, inlay_value *x, const char *name, const double *p,
                             int count);

#endif
