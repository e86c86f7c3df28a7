/* What Slice reads and SliceScatter writes, axis by axis. For the folders of this project, not
 * installed. */
#ifndef INLAY_IR_TENSOR_WINDOW_H
#define INLAY_IR_TENSOR_WINDOW_H

#include "ir/tensor.h"

/* Positions begin, begin + step, ... of an axis, count of them, all inside it; step keeps its sign
 * and is never 0, count may be 0. Compare and compose only these: start:stop:step is a file
 * format. A window of a tensor is one of them per axis, in full {0, size, 1}. */
typedef struct inlay_window {
    int64_t begin, count, step;
} inlay_window;

/* start:stop:step (step != 0) on an axis of SIZE elements, clamped as ONNX Slice-13 says, which is
 * not Python where step < 0 and start < -size. */
inlay_window inlay_window_normalise(int64_t start, int64_t stop, int64_t step, int64_t size);
/* A start:stop:step that normalise turns into W again. SIZE < 0: right for every axis that holds W.
 */
void inlay_window_denormalise(inlay_window w, int64_t size, int64_t *start, int64_t *stop,
                              int64_t *step);
/* INNER is a window of what OUTER selects: both in one. */
inlay_window inlay_window_compose(inlay_window outer, inlay_window inner);
/* Some position is in both. A tensor's windows meet when they do on every axis. */
bool inlay_window_meets(inlay_window a, inlay_window b);
bool inlay_windows_meet(const inlay_window *a, const inlay_window *b, int rank);
/* Every position of INNER is one of OUTER. */
bool inlay_window_inside(inlay_window inner, inlay_window outer);
bool inlay_windows_inside(const inlay_window *inner, const inlay_window *outer, int rank);
/* INNER, which is inside OUTER, as a window of what OUTER selects. */
inlay_window inlay_window_relative(inlay_window inner, inlay_window outer);
/* The same positions in the same order. */
bool inlay_window_equal(inlay_window a, inlay_window b);
bool inlay_windows_equal(const inlay_window *a, const inlay_window *b, int rank);
/* A would be B if it were moved, and goes forwards. */
bool inlay_windows_shifted(const inlay_window *a, const inlay_window *b, int rank);
/* Of a tensor of DIMS, whose elements have BITS bits and follow each other: does every row of W
 * begin and end on a whole byte? */
bool inlay_windows_on_bytes(const inlay_window *w, int rank, const int64_t *dims, int bits);
/* How many elements start:stop:step (step != 0) selects of an axis of SIZE: the smallest interval;
 * SIZE itself, identity included, where it is all of them whatever the size. */
inlay_dim inlay_window_length(int64_t start, int64_t stop, int64_t step, inlay_dim size);

/* The strides of a tensor of DIMS without gaps, in row-major order, and: has it these? The product
 * of the sizes fits. */
void inlay_strides_dense(int rank, const int64_t *dims, int64_t *strides);
bool inlay_strides_are_dense(int rank, const int64_t *dims, const int64_t *strides);
/* Sets the strides NEW_STRIDES with which the elements that lie at DIMS with STRIDES, in their
 * order, have the sizes NEW_DIMS. False: no strides do that. The products of sizes fit. */
bool inlay_strides_reshaped(int rank, const int64_t *dims, const int64_t *strides, int new_rank,
                            const int64_t *new_dims, int64_t *new_strides);

/* The index operands of a Slice or SliceScatter. STEP NULL: all 1; AXES NULL: 0, 1, ... */
typedef struct inlay_slice {
    int n; /* entries of each list */
    const int64_t *start, *stop, *step, *axes;
    const char *step_name, *axes_name; /* how messages call them */
} inlay_slice;

/* Checks the lists for data of RANK dimensions; AXIS[i] is the axis of entry i. On failure WHY says
 * what is wrong: an axis out of range or repeated, more entries than dimensions, a step of 0. */
bool inlay_slice_axes(const inlay_slice *s, int rank, int *axis, char *why, size_t size);
/* The window on data of these DIMS: OUT has room for RANK. */
bool inlay_slice_windows(const inlay_slice *s, int rank, const int64_t *dims, inlay_window *out,
                         char *why, size_t size);

#endif
