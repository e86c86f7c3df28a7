/* Regions of interest of an image, pooled from samples that are interpolated between its elements.
 * Private to interp/kernels/ and interp/library/. */
#ifndef INLAY_KERNELS_REGION_H
#define INLAY_KERNELS_REGION_H

#include "interp/call/kernel.h"

typedef struct region {
    int64_t height, width; /* of the image */
    double x, y, bin_width,
        bin_height;        /* the beginning of the region, and the size of an output element */
    int64_t columns, rows; /* samples in an output element */
    bool turned; /* positions are relative to the center of the region, and rotated around it: */
    double center_x, center_y, cosine, sine; /* from the y axis towards the x axis */
} region;

/* Divides region number N, WIDTH x HEIGHT elements of the image large, into COLUMNS x ROWS output
 * elements with RATIO samples in each direction; 0: as many as the output element covers elements
 * of the image, which is none if the region has no area. An error if the region is too large to
 * sample. */
bool region_divide(inlay_call *c, int64_t n, double width, double height, int64_t columns,
                   int64_t rows, int64_t ratio, region *r);
enum { REGION_TAPS = 4 };

/* An element of an image, and its weight in a sample, which is the sum of products in f64, each
 * rounded, in the order of the taps. */
typedef struct region_tap {
    int64_t at;
    double weight;
} region_tap;

/* Finds the REGION_TAPS taps of sample (V, U) of output element (I, J). False: it is outside of
 * [-1, size], where it is 0. */
bool region_sample(const region *r, int64_t i, int64_t j, int64_t v, int64_t u, region_tap *at);

/* Returns the greater one; A, if they are equal; a number rather than NaN. */
static inline double region_greater(double a, double b)
{
    return b > a || a != a ? b : a;
}

/* Returns the mean, and the maximum, of the samples in output element (I, J), which has some; the
 * mean of none is 0. Each sample is interpolated from four elements of the image. OF_PARTS: the
 * maximum of these elements times their weights. */
double region_mean(const region *r, const double *plane, int64_t i, int64_t j);
double region_max(const region *r, const double *plane, int64_t i, int64_t j, bool of_parts);

#endif
