/* The field of a convolution or a pooling: the elements of the image that one element of the result
 * is made of. The field slides over the spatial axes, those behind batch and channels. This header
 * is private to ir/infer/. */
#ifndef INLAY_INFER_FIELD_H
#define INLAY_INFER_FIELD_H

#include "ir/infer/infer.h"

enum { INFER_SPATIAL = 3, INFER_ATTR_MAX = INT32_MAX };

/* The attributes of a sliding field; lists that the op lacks or that are not given keep their
 * default. */
typedef struct inlay_field {
    int n; /* the number of spatial axes; -1: unknown */
    const int64_t *strides, *dilations, *pads_begin, *pads_end;
    const char *auto_pad, *rounding;
} inlay_field;

/* Reads the list NAME of the node, which must have N elements (when N is known), each in [LEAST,
 * INFER_ATTR_MAX]. */
bool infer_read_list(inlay_infer *cx, const char *name, int64_t least, int n, const int64_t **out);
bool infer_read_field(inlay_infer *cx, int n, inlay_field *w);
/* Returns element I of LIST, or OTHERWISE where there is no list. */
int64_t infer_listed(const int64_t *list, int i, int64_t otherwise);
/* Input 0 is data of rank 3 to 5; N becomes its spatial rank, or stays as another operand has it.
 */
bool infer_spatial_rank(inlay_infer *cx, int *n);
/* OUT receives how many positions a kernel of K elements has on spatial axis I of IN elements. */
bool infer_slide(inlay_infer *cx, const inlay_field *w, int i, inlay_dim in, inlay_dim k,
                 inlay_dim *out);

#endif
