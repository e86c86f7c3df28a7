/* What a NonMaxSuppression or NMSRotated is to do. Private to interp/. */
#ifndef INLAY_KERNELS_NMS_H
#define INLAY_KERNELS_NMS_H

#include "interp/call/kernel.h"
#include "interp/kernels/boxes.h"

typedef struct nms nms;

struct nms {
    int64_t batches, classes, boxes;
    int64_t row;  /* numbers of a box */
    int64_t most; /* boxes of one class */
    double iou, score, sigma;
    bool drops;  /* a soft NMS drops beyond the threshold, too (NonMaxSuppression-5) */
    double turn; /* the direction of angles: -1 is that of the clock, backwards */
    box (*box)(const double *b); /* NULL: boxes are turned */
    double (*overlap)(const nms *p, const double *a, const double *b);
};

void nms_read(const inlay_call *c, nms *p);
/* Writes the outputs: the boxes that are FOUND, N of them, class after class. SPARE: room for as
 * many. */
bool nms_write(inlay_call *c, detection *found, int64_t n, detection *spare);

#endif
