/* Sliding windows over one, two or three spatial axes, always handled as three: missing leading
 * ones have size 1. Private to interp/kernels/.
 */
#ifndef INLAY_KERNELS_WINDOW_H
#define INLAY_KERNELS_WINDOW_H

#include "interp/call/kernel.h"

enum { WINDOW_AXES = 3 };

/* Place K of the window at position P reads element p * stride - pad + k * dilation of LARGE. */
typedef struct window_axis {
    int64_t large, small; /* elements that the window slides over; positions of the window */
    int64_t kernel, stride, dilation, pad;
    int64_t pad_end; /* elements behind the last one that count as padding */
} window_axis;

typedef struct window {
    window_axis axis[WINDOW_AXES];
    int64_t large, small, kernel; /* products over the axes */
} window;

/* Reads strides, dilations, pads and auto_pad of the node. LARGE, SMALL and KERNEL are the N
 * spatial dims; the shape rule has checked that the attributes have N elements. */
void read_window(const inlay_call *c, int n, const int64_t *large, const int64_t *small,
                 const int64_t *kernel, window *w);

/* The same for a transposed convolution: the window slides over the output, LARGE, and pads follow
 * from ConvolutionBackpropData-1's formulas. */
void read_transposed_window(const inlay_call *c, int n, const int64_t *small, const int64_t *large,
                            const int64_t *kernel, window *w);

/* Positions FROM <= p < TO at which place K of the window does not lie in the padding. */
void window_reach(const window_axis *a, int64_t k, int64_t *from, int64_t *to);
/* Places FROM <= k < TO of the window at position P that do not lie in the padding. */
void window_inside(const window_axis *a, int64_t p, int64_t *from, int64_t *to);

#endif
