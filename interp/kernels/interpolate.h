/* What Interpolate and Resize compute, for their kernels: axes that are resized one after the
 * other, and for each element of an axis the elements of the data of which it is a weighted sum.
 * Private to interp/kernels/ and interp/library/. */
#ifndef INLAY_KERNELS_INTERPOLATE_H
#define INLAY_KERNELS_INTERPOLATE_H

#include "interp/call/kernel.h"

/* What belongs to one axis. Pads are zeros at its ends, which are included in SIZE. */
typedef struct resized {
    int axis;
    int64_t size, out, pad, real; /* PAD elements before REAL ones */
    double scale, length;         /* LENGTH: the size of the result as the coordinates see it */
    double stretch;               /* the weights reach 1 / STRETCH times as far */
    double from, to;              /* the region of tf_crop_and_resize */
} resized;

typedef enum shape_of_weights { TRIANGLE, CUBIC, BOX } shape_of_weights;

/* What belongs to all axes, in the order in which they are resized. */
typedef struct resizing {
    resized axis[INLAY_MAX_RANK];
    int n;
    const char *mode, *coordinates, *rounding;
    shape_of_weights shape;
    double cubic;      /* the coefficient a */
    bool normalized;   /* weights are divided by their sum */
    bool cut;          /* elements outside do not count; otherwise the border element is used
                          instead */
    bool extrapolates; /* positions outside give a constant */
} resizing;

/* For each element of the result: MOST elements of the axis, and their weights, in f64. Those of
 * weight 0 are not added. */
typedef struct taps {
    int64_t most;
    int64_t *index;
    double *weight;
} taps;

/* Computes output 0 of C as R says, which is not `nearest`. */
typedef bool interpolate_fn(inlay_call *c, const resizing *r);

/* Computes output 0 of C, an Interpolate or Resize: by WEIGH where it is not `nearest`. */
bool interpolate_by(inlay_call *c, interpolate_fn *weigh);
/* The plain kernel. */
interpolate_fn interpolate_weigh;
/* Makes the taps of axis A of R, which live as long as the call. */
bool interpolate_taps(inlay_call *c, const resizing *r, const resized *a, taps *t);
/* Are sums rounded to the nearest integer? */
bool interpolate_rounds(const inlay_call *c, const resizing *r);

#endif
