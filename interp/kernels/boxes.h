/* Boxes of detection operations, always computed in double precision. Private to interp/kernels/.
 */
#ifndef INLAY_KERNELS_BOXES_H
#define INLAY_KERNELS_BOXES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct box {
    double x0, y0, x1, y1; /* x0 <= x1, y0 <= y1 */
} box;

/* Returns intersection over union. MARGIN is added to every length of a side: it is 1 where
 * coordinates are pixels that belong to the box. Boxes without an area give 0. */
double box_overlap(const box *a, const box *b, double margin);
/* Returns whether the boxes have a point in common. */
bool box_touches(const box *a, const box *b);

/* A box that is turned around its center by ANGLE radians, from the x axis towards the y axis. */
typedef struct turned_box {
    double x, y, width, height, angle;
} turned_box;

/* Returns intersection over union. Boxes without an area give 0. */
double box_overlap_turned(const turned_box *a, const turned_box *b);

/* A box that a detection operation has chosen. */
typedef struct detection {
    double score;
    int64_t batch, label, index;
} detection;

/* What boxes suppress others. */
typedef struct suppression {
    double threshold; /* a greater overlap with a better box suppresses */
    double margin;    /* as box_overlap has it */
    double eta;       /* a threshold above 0.5 is multiplied by it for each box that is kept */
    bool touching;    /* boxes that do not touch do not overlap, whatever the margin */
    bool inclusive;   /* an overlap that equals the threshold suppresses, too */
} suppression;

/* Keeps of LIST, N detections of BOXES with the best first, those that no better one suppresses, at
 * most MOST of them: they come to its front, and their number is returned. */
int64_t box_suppress(const suppression *s, const box *boxes, detection *list, int64_t n,
                     int64_t most);

/* Sorts by descending score; equal scores keep their order. SPARE has room for N as well. */
void box_sort_detections(detection *list, int64_t n, detection *spare);

#endif
