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

/* An element, which is only copied: a float or an integer. */
typedef uint32_t image_word __attribute__((may_alias));

/* N positions that read neighbours in an image, the first one from AT on. */
typedef struct image_run {
    int64_t at, n;
} image_run;

typedef struct image {
    const field *w;
    uint32_t around; /* the bits of an element of the padding: 0 unless the caller sets others */
    int64_t parts[FIELD_AXES], width[FIELD_AXES]; /* number of parts; elements of a part */
    int64_t step[FIELD_AXES]; /* from one position to the next: 1 if the image is split */
    int64_t part, plane;      /* elements of a part, and of all parts of a channel */
    int64_t span; /* from the first position to the end of the last one, gaps included */
    bool plain;   /* the data itself is the image */
    bool dense;   /* positions have no gaps */
} image;

/* Is an image for the field W not much larger than the data and the result? With a wide field or
 * padding it may be. */
bool image_is_small(const field *w);
/* Sets X to the layout of images for the field W, which are small. */
void image_of_field(const field *w, image *x);
/* The same, but not split, for kernels that load what a position reads element by element: X is the
 * image of UNIT, whose positions are those of W and all between them. */
void image_of_steps(const field *w, field *unit, image *x);
/* Writes the images of N channels, which are dense, from FROM on, to TO. Elements are floats or
 * integers of that size. */
void image_copy(const image *x, int64_t n, const void *from, void *to);
/* Writes to AT, for each place of N channels, channel by channel, the distance from the first
 * element of an image to the one that the place reads at the first position. */
void image_list(const image *x, int64_t n, int64_t *at);
/* Lists where N positions from FIRST on lie in an image. Returns the number of RUNS, N at most. */
int image_list_runs(const image *x, int64_t first, int64_t n, image_run *runs);

/* Copies N elements. Runs are short, so memcpy would cost more than the copies. */
static inline void image_copy_words(image_word *to, const image_word *from, int64_t n)
{
    enum { FEW = 4, SOME = 8 };
    typedef image_word few
        __attribute__((vector_size(FEW * sizeof(image_word)), aligned(4), may_alias));
    typedef image_word words
        __attribute__((vector_size(SOME * sizeof(image_word)), aligned(4), may_alias));

    if (n < SOME) {
        if (n >= FEW) {
            const few first = *(const few *)from, last = *(const few *)(from + n - FEW);

            *(few *)to = first;
            *(few *)(to + n - FEW) = last;
            return;
        }
        for (int64_t i = 0; i < n; i++)
            to[i] = from[i];
        return;
    }
    for (int64_t i = 0; i < n; i += SOME) {
        int64_t at = i + SOME <= n ? i : n - SOME;

        *(words *)(to + at) = *(const words *)(from + at);
    }
}

#endif
