/* The operands of convolutions. Private to the kernels. */
#ifndef INLAY_KERNELS_CONVOLUTION_H
#define INLAY_KERNELS_CONVOLUTION_H

#include "interp/kernels/field.h"

/* The data is [batch, groups * in, spatial], the filters are [groups, out, in, kernel] or,
 * transposed, [groups, in, out, kernel], and the output is [batch, groups * out, spatial]. */
typedef struct convolution {
    int64_t batch, groups, in, out;
    field w;
    const field_place *places; /* of w */
} convolution;

/* Sets V to the operands and attributes of C; the places are not listed yet. */
void convolution_of_call(const inlay_call *c, bool grouped, bool transposed, convolution *v);

#endif
