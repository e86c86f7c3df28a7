/* Where GridSample and DeformableConvolution sample images. Private to interp/kernels/ and
 * interp/library/. */
#ifndef INLAY_KERNELS_SAMPLE_H
#define INLAY_KERNELS_SAMPLE_H

#include "interp/kernels/field.h"
#include "interp/kernels/region.h"

typedef enum sample_padding { ZEROS, BORDER, REFLECTION } sample_padding;

typedef struct grid_sampler {
    int axes, taps; /* on each axis; 1: nearest, 2: linear, 4: cubic */
    int64_t most;   /* taps of a place */
    const int64_t *size;
    bool corners;
    sample_padding padding;
} grid_sampler;

void sample_read(const inlay_call *c, grid_sampler *s);
enum { SAMPLE_PLACES = 64 /* that are found together, at most */ };

/* Finds the taps of N places of GRID on each axis: INDEX (-1: a zero of the padding) and WEIGHT of
 * tap K of axis A at place I are number (a * taps + k) * n + i. */
void sample_places(const grid_sampler *s, const double *grid, int64_t n, double *index,
                   double *weight);
/* Makes AT the taps of place I of these, which are the products of those of the axes, without those
 * of weight 0 and of the padding; it has room for twice as many as `most`. Returns how many there
 * are. */
int sample_taps(const grid_sampler *s, const double *index, const double *weight, int64_t n,
                int64_t i, region_tap *at);

typedef struct deformable {
    field w;
    int64_t group, parts, channels; /* deformable groups, each of some channels, share offsets */
    bool pads; /* between the image and its padding there is interpolation, too */
    const double *offsets, *mask;
} deformable;

/* The taps of a sample, whose sum is multiplied by MASK. */
typedef struct deformed {
    region_tap at[REGION_TAPS];
    int n;
    double mask;
} deformed;

/* Reads the node C, its offsets and mask. */
bool deformable_read(inlay_call *c, deformable *d);
/* Finds the sample of image N and deformable group PART under place T of the filter, at row P and
 * column Q of the result. */
void deformable_sample(const deformable *d, int64_t n, int64_t part, int64_t t, int64_t p,
                       int64_t q, deformed *s);

#endif
