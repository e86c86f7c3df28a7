/* Regions of interest on an image, whose elements are pooled from samples between those of the
 * image. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_REGION_H
#define INLAY_KERNELS_REGION_H

#include "interp/call/kernel.h"

typedef struct region {
    int64_t height, width; /* of the image */
    double x, y, bin_width,
        bin_height;        /* where the region starts, and the size of an output element */
    int64_t columns, rows; /* samples in one output element */
    bool turned; /* places are counted from the center of the region, and turned around it: */
    double center_x, center_y, cosine, sine; /* from the y axis towards the x axis */
} region;

/* Divides region number N, WIDTH x HEIGHT elements of the image large, into COLUMNS x ROWS output
 * elements with RATIO samples in each direction, or with 0 as many as elements of the image are in
 * an output element, which are none where the region has no area. A region so large that the
 * samples would not end is a fault. */
bool region_divide(inlay_call *c, int64_t n, double width, double height, int64_t columns,
                   int64_t rows, int64_t ratio, region *r);
/* The mean, and the greatest, of the samples in output element (I, J), of which there are some;
 * each sample is interpolated from four elements of the image. OF_PARTS: the greatest of these
 * elements times their weights. */
double region_mean(const region *r, const double *plane, int64_t i, int64_t j);
double region_max(const region *r, const double *plane, int64_t i, int64_t j, bool of_parts);

#endif
