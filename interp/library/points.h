/* Images that are sampled at points (region.h), for all channels of a point at once. Where many
 * points are sampled, the channels of a pixel are put side by side first.
 *
 *     points p;
 *     if (!points_begin(c, 0, taps, &p)) ...
 *     for each point: points_fold(&p, ..., y), points_keep(type, y, n, rows, point, 1)
 *     points_turn(p.result, rows, points, n, at, far)
 *     return points_end(c, &p) */
#ifndef INLAY_LIBRARY_POINTS_H
#define INLAY_LIBRARY_POINTS_H

#include "interp/kernels/region.h"

/* How a list of taps changes the number of a channel. */
typedef enum points_way {
    POINTS_ADD,      /* their products are added to it, one after the other */
    POINTS_GREATEST, /* it becomes the sum of their products, of REGION_TAPS, if that is greater */
    POINTS_GREATEST_PART /* it becomes the greatest of their products, if that is greater */
} points_way;

typedef struct points {
    int64_t channels, size; /* SIZE: elements of a plane */
    bool beside;            /* channels are side by side */
    const float *f32;       /* the images; NULL: */
    const double *f64;
    inlay_tensor *result; /* dense: output 0, or what becomes it; NULL: the caller stores it */
} points;

/* Reads operand I of C, [N, channels, plane...], of which about TAPS elements of a channel of an
 * image will be read. */
bool points_read(inlay_call *c, int i, double taps, points *p);
/* The same, with a result. */
bool points_begin(inlay_call *c, int i, double taps, points *p);
/* Folds N taps of IMAGE to numbers Y of the channels FIRST to FIRST + CHANNELS. */
void points_fold(const points *p, int64_t image, int64_t first, int64_t channels,
                 const region_tap *at, int n, points_way way, double *y);
/* Sets Y to the sums of channel CHANNEL of IMAGE at N places: their taps K are the elements AT[K *
 * N] and behind, times PRODUCTS; those of weight 0 are no steps. Channels must not be side by side.
 */
void points_sum(const points *p, int64_t image, int64_t channel, const int64_t *at,
                const double *products, int64_t taps, int64_t n, double *y);
/* Stores N rows of CHANNELS numbers as those from K on of ROWS, of elements of TYPE. */
void points_keep(inlay_type type, const double *y, int64_t channels, void *rows, int64_t k,
                 int64_t n);
/* Moves N such rows to TO, which is dense: column I begins at its element AT + I * FAR. */
void points_turn(const inlay_tensor *to, const void *rows, int64_t n, int64_t channels, int64_t at,
                 int64_t far);
/* Sets output 0, if it is not there, and releases what P holds. OK: false after an error. */
bool points_end(inlay_call *c, points *p, bool ok);

#endif
