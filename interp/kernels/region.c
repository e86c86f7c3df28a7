/* Regions are sampled by bilinear interpolation. */
#include "interp/kernels/region.h"

#include <math.h>

enum { MOST_SAMPLES = 1 << 12 };

bool region_divide(inlay_call *c, int64_t n, double width, double height, int64_t columns,
                   int64_t rows, int64_t ratio, region *r)
{
    r->bin_width = width / (double)columns;
    r->bin_height = height / (double)rows;
    if (!(r->bin_width <= MOST_SAMPLES && r->bin_height <= MOST_SAMPLES))
        return inlay_call_fail(c, "region %lld is %g x %g elements large, more than can be sampled",
                               (long long)n, width, height);
    r->columns = ratio > 0 ? ratio : (int64_t)fmax(ceil(r->bin_width), 0);
    r->rows = ratio > 0 ? ratio : (int64_t)fmax(ceil(r->bin_height), 0);
    return true;
}

static double clamp(double x, double limit)
{
    return x < 0 ? 0 : x > limit ? limit : x;
}

/* Finds the elements around a position. */
static bool find_corners(const region *r, double y, double x, region_tap *at)
{
    int64_t low_y, low_x, high_y, high_x;

    if (!(y >= -1 && y <= (double)r->height && x >= -1 && x <= (double)r->width))
        return false;
    y = clamp(y, (double)(r->height - 1));
    x = clamp(x, (double)(r->width - 1));
    low_y = (int64_t)y;
    low_x = (int64_t)x;
    high_y = low_y + (low_y < r->height - 1);
    high_x = low_x + (low_x < r->width - 1);
    y -= (double)low_y;
    x -= (double)low_x;
    at[0] = (region_tap){low_y * r->width + low_x, (1 - y) * (1 - x)};
    at[1] = (region_tap){low_y * r->width + high_x, (1 - y) * x};
    at[2] = (region_tap){high_y * r->width + low_x, y * (1 - x)};
    at[3] = (region_tap){high_y * r->width + high_x, y * x};
    return true;
}

bool region_sample(const region *r, int64_t i, int64_t j, int64_t v, int64_t u, region_tap *at)
{
    double y = r->y + ((double)i + ((double)v + 0.5) / (double)r->rows) * r->bin_height;
    double x = r->x + ((double)j + ((double)u + 0.5) / (double)r->columns) * r->bin_width;

    if (!r->turned)
        return find_corners(r, y, x, at);
    return find_corners(r, r->center_y + y * r->cosine - x * r->sine,
                        r->center_x + y * r->sine + x * r->cosine, at);
}

double region_mean(const region *r, const double *plane, int64_t i, int64_t j)
{
    double sum = 0;
    region_tap at[REGION_TAPS];

    for (int64_t v = 0; v < r->rows; v++) {
        for (int64_t u = 0; u < r->columns; u++) {
            bool inside = region_sample(r, i, j, v, u, at);

            for (int k = 0; inside && k < REGION_TAPS; k++)
                sum += at[k].weight * plane[at[k].at];
        }
    }
    return r->rows * r->columns > 0 ? sum / (double)(r->rows * r->columns) : 0;
}

/* Returns the greater one of MOST and the sample, or its parts; outside these are 0. */
static double greater(const region_tap *at, bool inside, const double *plane, bool of_parts,
                      double most)
{
    double sum = 0;

    for (int k = 0; inside && k < REGION_TAPS; k++) {
        double part = at[k].weight * plane[at[k].at];

        sum += part;
        most = of_parts ? region_greater(most, part) : most;
    }
    return of_parts && inside ? most : region_greater(most, sum);
}

double region_max(const region *r, const double *plane, int64_t i, int64_t j, bool of_parts)
{
    double most = -INFINITY;
    region_tap at[REGION_TAPS];

    for (int64_t v = 0; v < r->rows; v++) {
        for (int64_t u = 0; u < r->columns; u++) {
            bool inside = region_sample(r, i, j, v, u, at);

            most = greater(at, inside, plane, of_parts, most);
        }
    }
    return most;
}
