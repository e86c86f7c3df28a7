/* The layout of images for tiled convolutions and for poolings. For each place of the field, what
 * all positions of a row read is contiguous, and rows have one length, so an address and a list of
 * distances are enough. An image is split by its strides, and includes its padding as zeros. With stride 2 and
 * padding 1 the row a b c d, in which two positions of three places read 0ab and bcd, becomes two
 * parts:
 *
 *     0 b d         place 0 of both positions: 0 b;  place 2: b d
 *     a c .         place 1 of both positions: a c */
#ifndef INLAY_LIBRARY_IMAGE_H
#define INLAY_LIBRARY_IMAGE_H

#include "interp/kernels/convolution.h"

typedef struct image {
    const field *w;
    uint32_t around; /* the bits of an element of the padding: 0 unless the caller sets others */
    int64_t parts[FIELD_AXES], width[FIELD_AXES]; /* number of parts; elements of a part */
    int64_t part, plane; /* elements of a part, and of all parts of a channel */
    int64_t span;        /* from the first position to the end of the last one, gaps included */
    bool plain;          /* the data itself is the image */
    bool dense;          /* positions have no gaps */
} image;

/* Is an image for the field W not much larger than the data and the result? With a wide field or
 * padding it may be. */
bool image_is_small(const field *w);
/* Sets X to the layout of images for the field W, which are small. */
void image_of_field(const field *w, image *x);
/* Writes the image of channel FROM, which is dense, to TO. Elements are floats or integers of that
 * size. */
void image_copy(const image *x, const void *from, void *to);
/* Writes to AT, for each place of N channels, channel by channel, the distance from the first
 * element of an image to the one that the place reads at the first position. */
void image_list(const image *x, int64_t n, int64_t *at);

#endif
