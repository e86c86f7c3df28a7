/* The regions of ROIAlign, RoiAlign, ROIAlignRotated, ROIPooling and
 * ExperimentalDetectronROIFeatureExtractor. Private to interp/kernels/ and
 * interp/library/. */
#ifndef INLAY_KERNELS_ROI_H
#define INLAY_KERNELS_ROI_H

#include "interp/kernels/region.h"

/* How the samples of one element of the result are combined (region.h). */
typedef enum roi_fold { ROI_MEAN, ROI_MAX, ROI_MAX_OF_PARTS } roi_fold;

typedef struct roi_align {
    roi_fold fold;
    bool turned;
} roi_align;

void roi_read(const inlay_call *c, roi_align *a);
/* Sets R to region number I, and IMAGE to the number of its image. ROIS: operand 1. */
bool roi_place(inlay_call *c, const roi_align *a, int64_t i, const double *rois, region *r,
               int64_t *image);

/* What poolings share. A region is the number of its image and four coordinates. */
typedef struct roi_pooling {
    const int64_t *in, *out; /* dims of the data and of the result */
    int64_t plane;           /* elements of a plane of the data */
    double scale;
    int64_t columns, rows; /* of bins in a region, or in a part of it */
    const double *offsets; /* NULL: there are none */
    int64_t parts, classes;
    double spread; /* by which the offsets are multiplied */
} roi_pooling;

/* The elements of an image from row TOP to BOTTOM and column LEFT to RIGHT, both left out. */
typedef struct roi_box {
    int64_t top, bottom, left, right;
} roi_box;

/* Reads dims and scale. */
void roi_pooling_read(const inlay_call *c, roi_pooling *p);
/* Sets IMAGE to the number of the image of region I; -1: the region ends the list. */
bool roi_pooling_image(inlay_call *c, int64_t i, const double *rois, int64_t *image);
/* Returns part (I, J) of a region, whose corners ROI are rounded and included. */
roi_box roi_box_of(const roi_pooling *p, const double *roi, int64_t i, int64_t j);
/* Finds the taps of position (I, J) of those that are spread over a region in [0, 1]; false: it is
 * outside of the image, where it is 0. */
bool roi_spread(const roi_pooling *p, const double *roi, int64_t i, int64_t j, region_tap *at);

/* ExperimentalDetectronROIFeatureExtractor: sets LEVEL and R to the layer and the region there of
 * region number N. */
bool detectron_place(inlay_call *c, int64_t n, const double *roi, int *level, region *r);

#endif
