/* Boxes of detection operations, always computed in double precision. Private to interp/kernels/.
 */
#ifndef INLAY_KERNELS_BOXES_H
#define INLAY_KERNELS_BOXES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct box {
    double x0, y0, x1, y1; /* x0 <= x1, y0 <= y1 */
} box;

/* Returns intersection over union. MARGIN is added to the length of every side: 1 if coordinates
 * are pixels inside the box. Boxes without an area give 0. */
double box_overlap(const box *a, const box *b, double margin);
/* Have the boxes a point in common? */
bool box_touches(const box *a, const box *b);

/* A box rotated around its center by ANGLE radians, from the x axis towards the y axis. */
typedef struct turned_box {
    double x, y, width, height, angle;
} turned_box;

/* Returns intersection over union. Boxes without an area give 0. */
double box_overlap_turned(const turned_box *a, const turned_box *b);

/* A box that a detection operation has selected. */
typedef struct detection {
    double score;
    int64_t batch, label, index;
} detection;

/* When a box suppresses others. */
typedef struct suppression {
    double threshold; /* a larger overlap with a better box suppresses a box */
    double margin;    /* as in box_overlap */
    double eta;       /* a threshold above 0.5 is multiplied by it after each box that is kept */
    bool touching;    /* boxes that do not touch have no overlap, whatever the margin */
    bool inclusive;   /* an overlap equal to the threshold suppresses, too */
} suppression;

/* Keeps those of LIST, N detections of BOXES with the best first, that no better one suppresses, at
 * most MOST of them: moves them to the front, and returns their number. */
int64_t box_suppress(const suppression *s, const box *boxes, detection *list, int64_t n,
                     int64_t most);

/* Sorts by descending score, stably. SPARE[N] is scratch. */
void box_sort_detections(detection *list, int64_t n, detection *spare);

#endif
