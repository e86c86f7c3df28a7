/* The regions of ROIAlign, RoiAlign and ROIAlignRotated. Private to interp/kernels/ and
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

#endif
