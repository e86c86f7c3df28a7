/* The sliding window (field) of convolutions and poolings over one, two or three spatial axes. It
 * always has three axes; missing ones come first and have size 1. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_FIELD_H
#define INLAY_KERNELS_FIELD_H

#include "interp/call/kernel.h"

enum { FIELD_AXES = 3 };

/* Place K of the field at position P reads element p * stride - pad + k * dilation of LARGE. */
typedef struct field_axis {
    int64_t large, small; /* number of elements that the field slides over; number of its
                             positions */
    int64_t kernel, stride, dilation, pad;
    int64_t pad_end; /* elements behind the last one that are padding */
} field_axis;

typedef struct field {
    field_axis axis[FIELD_AXES];
    int64_t large, small, kernel; /* products over the axes */
} field;

/* Sets W to a field of KERNEL elements over the N spatial dims LARGE, with SMALL positions, stride
 * 1 and no padding. */
void field_axes(int n, const int64_t *large, const int64_t *small, const int64_t *kernel, field *w);

/* Reads strides, dilations (some rows: rates), pads and auto_pad of the node. LARGE, SMALL and
 * KERNEL are the N spatial dims; the shape rule has checked that the attributes have N elements. */
void field_of_node(const inlay_call *c, int n, const int64_t *large, const int64_t *small,
                   const int64_t *kernel, field *w);

/* The same for a transposed convolution: the field slides over the output, LARGE; pads are computed
 * by ConvolutionBackpropData-1's formulas. */
void field_of_transposed(const inlay_call *c, int n, const int64_t *small, const int64_t *large,
                         const int64_t *kernel, field *w);

/* A place of the field, and for each axis the positions FROM <= p < TO at which it is not in the
 * padding. */
typedef struct field_place {
    int64_t k[FIELD_AXES], from[FIELD_AXES], to[FIELD_AXES];
} field_place;
/* Returns all places of W in row-major order, which live as long as the call. NULL: out of
 * memory. */
const field_place *field_places(inlay_call *c, const field *w);
/* Merges neighbouring axes if the field is one element that visits all of the image. */
void field_join(field *w);

/* Returns the element that place K of the field reads at position P; -1: padding. */
static inline int64_t field_element(const field_axis *a, int64_t p, int64_t k)
{
    int64_t x = p * a->stride - a->pad + k * a->dilation;

    return x < a->large ? x < 0 ? -1 : x : -1;
}
/* Sets the positions FROM <= p < TO at which place K of the field is not in the padding. */
void field_reach(const field_axis *a, int64_t k, int64_t *from, int64_t *to);
/* Sets the places FROM <= k < TO of the field that are not in the padding at position P. */
void field_inside(const field_axis *a, int64_t p, int64_t *from, int64_t *to);

#endif
