/* What a TopK is to do. Private to interp/. */
#ifndef INLAY_KERNELS_TOPK_H
#define INLAY_KERNELS_TOPK_H

#include "interp/kernels/axes.h"

typedef struct topk {
    axis_split s; /* of the data */
    int64_t k;
    bool greatest;
    bool by_index; /* what is taken is sorted by position */
} topk;

/* Reads and checks all but the data. */
bool topk_read(inlay_call *c, topk *t);

#endif
