/* The part of its data that a SliceScatter writes, by its specification. Private to interp/audit.
 */
#ifndef INLAY_INTERP_AUDIT_WINDOW_H
#define INLAY_INTERP_AUDIT_WINDOW_H

#include "ir/shared.h"

/* The elements of a tensor that a window selects. */
typedef struct window_part {
    inlay_tensor tensor; /* its dims and strides are stored here */
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
} window_part;

/* Sets *OUT to the elements of DATA that the window of N selects. False: start, stop or step is
 * unknown before the run, or N is neither a Slice nor a scatter of windows. */
bool window_selected(const inlay_node *n, const inlay_tensor *data, window_part *out);
/* Sets *OUT to the form of what N reads of DATA, if that is one row along AXIS: the first row in
 * place of any. False: N reads no row. */
bool window_row(const inlay_node *n, const inlay_tensor *data, int axis, window_part *out);
/* Sets STEPS, for each axis, to the step between the elements of DATA that N, a scatter of windows,
 * writes, wherever its window begins. False: one of them is unknown before the run. */
bool window_steps(const inlay_node *n, const inlay_tensor *data, int64_t *steps);
/* The operands of a step: the number of each, SIZE_MAX for an absent one, and by number its tensor,
 * NULL if it is made in the run. */
typedef struct window_operands {
    const size_t *in;
    inlay_tensor *const *meta;
} window_operands;

/* Sets *OUT to the part of RESULT, the first output of N, that operand I is by the specification of
 * N's operation; it has the form of PART. OF has the operands. False: N holds no operands in its
 * output, or not this one. */
bool window_held(const inlay_node *n, const window_operands *of, int i, const inlay_tensor *part,
                 const inlay_tensor *result, window_part *out);
/* Have A and B elements of one size, the same number of them, at the same distances, wherever the
 * first ones are? Axes of one element make no difference. */
bool window_alike(const inlay_tensor *a, const inlay_tensor *b);
/* Are element p of A and of B the same byte, for each p? */
bool window_is(const inlay_tensor *a, const inlay_tensor *b);
/* Do A and B, of one type, have the same elements in the same row-major order? Large tensors are
 * not compared; the answer is yes. */
bool window_order_is(const inlay_tensor *a, const inlay_tensor *b);

#endif
