/* Windows: what Slice reads and SliceScatter writes, axis by axis. For the folders of this project,
 * not installed. */
#ifndef INLAY_IR_TENSOR_WINDOW_H
#define INLAY_IR_TENSOR_WINDOW_H

#include "ir/tensor.h"

/* COUNT positions begin, begin + step, ... of an axis, all inside it; step may be negative but not
 * 0, count may be 0. Compare and compose windows in this form only: start:stop:step is a file
 * format. A window of a tensor has one of these for each axis; {0, size, 1} is all of an axis. */
typedef struct inlay_window {
    int64_t begin, count, step;
} inlay_window;

/* Returns the window for start:stop:step (step != 0) on an axis of SIZE elements, clamped as ONNX
 * Slice-13 says, which differs from Python if step < 0 and start < -size. */
inlay_window inlay_window_normalise(int64_t start, int64_t stop, int64_t step, int64_t size);
/* Sets a start:stop:step that normalise turns into W again. SIZE < 0: on every axis large enough
 * for W. */
void inlay_window_denormalise(inlay_window w, int64_t size, int64_t *start, int64_t *stop,
                              int64_t *step);
/* Returns the window INNER of the elements that OUTER selects, as one window. */
inlay_window inlay_window_compose(inlay_window outer, inlay_window inner);
/* Do A and B have a position in common? Windows of a tensor intersect if they do on every axis. */
bool inlay_window_meets(inlay_window a, inlay_window b);
bool inlay_windows_meet(const inlay_window *a, const inlay_window *b, int rank);
/* Is every position of INNER in OUTER? */
bool inlay_window_inside(inlay_window inner, inlay_window outer);
bool inlay_windows_inside(const inlay_window *inner, const inlay_window *outer, int rank);
/* Returns INNER, which is inside OUTER, as a window of the elements that OUTER selects. */
inlay_window inlay_window_relative(inlay_window inner, inlay_window outer);
/* Do A and B have the same positions in the same order? */
bool inlay_window_equal(inlay_window a, inlay_window b);
bool inlay_windows_equal(const inlay_window *a, const inlay_window *b, int rank);
/* Is A a shifted copy of B, with positive steps? */
bool inlay_windows_shifted(const inlay_window *a, const inlay_window *b, int rank);
/* W is a window of a dense tensor of DIMS, with elements of BITS bits: does every row of W begin
 * and end on a whole byte? */
bool inlay_windows_on_bytes(const inlay_window *w, int rank, const int64_t *dims, int bits);
/* Returns the number of elements that start:stop:step (step != 0) selects of an axis of SIZE, as
 * the smallest interval; SIZE itself, with its id, if it is surely all of them. */
inlay_dim inlay_window_length(int64_t start, int64_t stop, int64_t step, inlay_dim size);

/* Sets the strides of a dense tensor of DIMS in row-major order; has a tensor of DIMS these
 * strides? The product of the sizes must fit. */
void inlay_strides_dense(int rank, const int64_t *dims, int64_t *strides);
bool inlay_strides_are_dense(int rank, const int64_t *dims, const int64_t *strides);
/* Sets NEW_STRIDES so that the elements of a view with DIMS and STRIDES, in their order, have the
 * sizes NEW_DIMS. False: there are no such strides. The products of sizes must fit. */
bool inlay_strides_reshaped(int rank, const int64_t *dims, const int64_t *strides, int new_rank,
                            const int64_t *new_dims, int64_t *new_strides);

/* The index operands of a Slice or SliceScatter. STEP NULL: all 1; AXES NULL: 0, 1, ... */
typedef struct inlay_slice {
    int n; /* entries of each list */
    const int64_t *start, *stop, *step, *axes;
    const char *step_name, *axes_name; /* their names in messages */
} inlay_slice;

/* Checks the lists for data of RANK axes; AXIS[i] is the axis of entry i. False: WHY says what is
 * wrong: an axis out of range or repeated, more entries than axes, a step of 0. */
bool inlay_slice_axes(const inlay_slice *s, int rank, int *axis, char *why, size_t size);
/* Writes the window on data of these DIMS to OUT[RANK]. */
bool inlay_slice_windows(const inlay_slice *s, int rank, const int64_t *dims, inlay_window *out,
                         char *why, size_t size);

#endif
