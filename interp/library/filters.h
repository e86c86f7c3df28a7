/* Convolutions with packed filters. The filters of a group are packed in panels (panel.h), filters
 * side by side in a vector; positions are the rows of a tile. The elements that a position reads
 * are loaded one by one from the image, so no vector of the image crosses a cache line, and rows of
 * positions may have any length.
 *
 *     6 positions, each       filters, 16 of them      6 positions of 16 filters, which are
 *     place by place          side by side             transposed when they are stored
 *       p0 p1 p2 ..      x     f00 f01 .. f0f     =     o00 o01 .. o0f
 *       ..                     f10 f11 .. f1f           .. */
#ifndef INLAY_LIBRARY_FILTERS_H
#define INLAY_LIBRARY_FILTERS_H

#include "interp/call/parts.h"
#include "interp/library/image.h"
#include "interp/library/tile.h"

enum {
    FILTERS_PART = 128
}; /* positions that are handed over at a time, at most: not fewer than
                                there are, if they are so few */

/* The packed form of constant filters: this, and from the next cache line on the panels, or the
 * filters unchanged if they are too few for a vector. */
typedef struct filters {
    bool finite;
} filters;

/* Returns the bytes of the packed form of T, whose first dim is groups if GROUPED; 0: there is
 * none. */
size_t filters_bytes(const inlay_tensor *t, bool grouped);
void filters_pack(const inlay_tensor *t, bool grouped, void *to);
/* Are OUT filters of a group packed in panels? */
bool filters_are_panels(int64_t out);
/* Returns the floats of OUT filters of DEPTH elements, packed. */
int64_t filters_floats(int64_t out, int64_t depth);
/* Returns the panels, or the unchanged filters. */
const float *filters_of(const filters *f);

/* A convolution of one element of the batch: X are its images, or its data if these are plain; AT
 * is the image_list of the channels of a group. */
typedef struct filters_work {
    const convolution *v;
    const image *form;
    const float *x, *panels;
    const int64_t *at;
    float *y;
    const call_reader *reader; /* of Y, which is not written then; or NULL */
    int64_t row;               /* the number of its first row in the output */
} filters_work;

/* Returns what R has a kernel do, with the numbers to add for all of its rows; NULL: nothing. */
tile_end filters_end(const call_reader *r);
/* Would positions of V, and not filters, lie side by side in vectors if FORM were its images? */
bool filters_side_by_side(const convolution *v, const image *form);
void filters_convolve(inlay_call *c, const filters_work *w);
/* The same where the filters of a group may be rows instead of panels (convolution.c). */
void convolution_multiply(inlay_call *c, const filters_work *w);

#endif
