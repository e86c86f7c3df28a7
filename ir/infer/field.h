/* The sliding window of a convolution or a pooling: the elements of the image from which one
 * element of the result is computed. It slides over the spatial axes, those behind batch and
 * channels. Private to ir/infer/. */
#ifndef INLAY_INFER_FIELD_H
#define INLAY_INFER_FIELD_H

#include "ir/infer/infer.h"

enum { INFER_SPATIAL = 3, INFER_ATTR_MAX = INT32_MAX };

/* The attributes of a sliding window; lists that are absent keep their default. */
typedef struct inlay_field {
    int n; /* the number of spatial axes; -1: unknown */
    const int64_t *strides, *dilations, *pads_begin, *pads_end;
    const char *auto_pad, *rounding;
} inlay_field;

/* Reads the list NAME of the node, which must have N elements (if N is known), each in [LEAST,
 * INFER_ATTR_MAX]. */
bool infer_read_list(inlay_infer *cx, const char *name, int64_t least, int n, const int64_t **out);
bool infer_read_field(inlay_infer *cx, int n, inlay_field *w);
/* Returns element I of LIST; OTHERWISE if LIST is NULL. */
int64_t infer_listed(const int64_t *list, int i, int64_t otherwise);
/* Checks that input 0 has rank 3 to 5; sets *N to its spatial rank, if it is known. */
bool infer_spatial_rank(inlay_infer *cx, int *n);
/* Sets *OUT to the number of positions of a kernel of K elements on spatial axis I of IN elements.
 */
bool infer_slide(inlay_infer *cx, const inlay_field *w, int i, inlay_dim in, inlay_dim k,
                 inlay_dim *out);

#endif
