/* The part of its data that a SliceScatter writes, by its document. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_WINDOW_H
#define INLAY_INTERP_AUDIT_WINDOW_H

#include "ir/shared.h"

/* The elements of a tensor that a window selects. */
typedef struct window_part {
    inlay_tensor tensor; /* whose dims and strides stand here */
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
} window_part;

/* OUT receives the elements of DATA that the window of N selects. False: start, stop or step is not
 * known before the run, or N is neither a Slice nor a scatter of windows. */
bool window_selected(const inlay_node *n, const inlay_tensor *data, window_part *out);
/* OUT receives the form of what N picks of DATA, if that is one row along AXIS, whichever it is:
 * the first one. False: N picks none. */
bool window_row(const inlay_node *n, const inlay_tensor *data, int axis, window_part *out);
/* STEPS receives by how much the elements of DATA are apart, on each axis, that N, a scatter of
 * windows, writes, wherever its window begins. False: one of them is not known before the run. */
bool window_steps(const inlay_node *n, const inlay_tensor *data, int64_t *steps);
/* The operands of a step: the number of each, SIZE_MAX for one that is absent, and by number its
 * tensor, NULL where only the run makes it. */
typedef struct window_operands {
    const size_t *in;
    inlay_tensor *const *meta;
} window_operands;

/* The part of RESULT, the first output of N, in which the document of N's operation says that
 * operand I stands, which has the form of PART. OF has the operands. False when N holds no
 * operands, or not this one. */
bool window_held(const inlay_node *n, const window_operands *of, int i, const inlay_tensor *part,
                 const inlay_tensor *result, window_part *out);
/* Whether A and B have elements of one size, equally many and equally far apart, wherever the first
 * ones are. Axes of one element make no difference. */
bool window_alike(const inlay_tensor *a, const inlay_tensor *b);
/* Whether element p of A and of B are the same byte, for each p. */
bool window_is(const inlay_tensor *a, const inlay_tensor *b);
/* Whether A and B, of one type, show the same elements in the same row-major order. Large tensors
 * are not compared, and are taken to do so. */
bool window_order_is(const inlay_tensor *a, const inlay_tensor *b);

#endif
