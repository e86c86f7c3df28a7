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

enum { CORNERS = 4 };

/* Sets PART to the four elements around a position, times their weights in bilinear interpolation;
 * outside of [-1, size] all are 0. */
static void weigh_corners(const region *r, const double *plane, double y, double x,
                          double part[CORNERS])
{
    int64_t low_y, low_x, high_y, high_x;

    for (int i = 0; i < CORNERS; i++)
        part[i] = 0;
    if (!(y >= -1 && y <= (double)r->height && x >= -1 && x <= (double)r->width))
        return;
    y = clamp(y, (double)(r->height - 1));
    x = clamp(x, (double)(r->width - 1));
    low_y = (int64_t)y;
    low_x = (int64_t)x;
    high_y = low_y + (low_y < r->height - 1);
    high_x = low_x + (low_x < r->width - 1);
    y -= (double)low_y;
    x -= (double)low_x;
    part[0] = plane[low_y * r->width + low_x] * (1 - y) * (1 - x);
    part[1] = plane[low_y * r->width + high_x] * (1 - y) * x;
    part[2] = plane[high_y * r->width + low_x] * y * (1 - x);
    part[3] = plane[high_y * r->width + high_x] * y * x;
}

/* Sets PART to the weighted corners of sample (V, U) of output element (I, J). */
static void sample(const region *r, const double *plane, int64_t i, int64_t j, int64_t v, int64_t u,
                   double part[CORNERS])
{
    double y = r->y + ((double)i + ((double)v + 0.5) / (double)r->rows) * r->bin_height;
    double x = r->x + ((double)j + ((double)u + 0.5) / (double)r->columns) * r->bin_width;

    if (r->turned)
        weigh_corners(r, plane, r->center_y + y * r->cosine - x * r->sine,
                      r->center_x + y * r->sine + x * r->cosine, part);
    else
        weigh_corners(r, plane, y, x, part);
}

double region_mean(const region *r, const double *plane, int64_t i, int64_t j)
{
    double sum = 0, part[CORNERS];

    for (int64_t v = 0; v < r->rows; v++) {
        for (int64_t u = 0; u < r->columns; u++) {
            sample(r, plane, i, j, v, u, part);
            sum += part[0] + part[1] + part[2] + part[3];
        }
    }
    return sum / (double)(r->rows * r->columns);
}

double region_max(const region *r, const double *plane, int64_t i, int64_t j, bool of_parts)
{
    double most = -INFINITY, part[CORNERS];

    for (int64_t v = 0; v < r->rows; v++) {
        for (int64_t u = 0; u < r->columns; u++) {
            sample(r, plane, i, j, v, u, part);
            if (!of_parts)
                most = fmax(most, part[0] + part[1] + part[2] + part[3]);
            for (int k = 0; of_parts && k < CORNERS; k++)
                most = fmax(most, part[k]);
        }
    }
    return most;
}
