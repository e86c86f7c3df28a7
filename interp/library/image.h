/* Images as convolutions in tiles read them. For a place of the field all positions of a row lie
 * side by side, and rows have one length, so that one address and a list of distances are enough.
 * An image is parted by its strides, and has its padding as zeros. With stride 2 and padding 1 the
 * row a b c d, of which the two positions of three places see 0ab and bcd, becomes two parts:
 *
 *     0 b d         place 0 of both positions: 0 b;  place 2: b d
 *     a c .         place 1 of both positions: a c
 */
#ifndef INLAY_LIBRARY_IMAGE_H
#define INLAY_LIBRARY_IMAGE_H

#include "interp/kernels/convolution.h"

typedef struct image {
    const field *w;
    int64_t parts[FIELD_AXES], width[FIELD_AXES]; /* how many parts; elements of a part */
    int64_t part, plane; /* elements of a part, and of all parts of a channel */
    int64_t span;        /* from the first position to behind the last one, gaps included */
    bool plain;          /* it is the data itself */
    bool dense;          /* positions have no gaps */
} image;

/* Returns whether an image with the field W is not much larger than the data and the result: with a
 * wide field or padding it may be. */
bool image_is_small(const field *w);
/* X receives the form of images with the field W, which are small. */
void image_of_field(const field *w, image *x);
/* Makes channel FROM, which is dense, an image at TO. */
void image_copy(const image *x, const float *from, float *to);
/* AT receives, for each of the places of N channels, channel by channel, how far behind the first
 * element of an image lies what it sees at the first position. */
void image_list(const image *x, int64_t n, int64_t *at);

#endif
