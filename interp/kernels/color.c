/* NV12toRGB, I420toRGB, RGBtoNV12 and their BGR forms. Coefficients are integers in thousandths, so
 * that the results of the formulas for integers are exact, halves included. */
#include "interp/call/kernel.h"

#include <math.h>

/* Where the planes of an image lie. The U of pixel [n, h, w] is u[n * batch + h / 2 * row +
 * w / 2 * step]. */
typedef struct planes {
    int64_t n, h, w;
    int64_t y_batch, batch, row, step; /* distances in elements */
    bool whole;                        /* colours are integers */
    bool bgr;                          /* blue comes first */
} planes;

/* Returns X / 1000 as a colour. */
static double clipped(const planes *p, double x)
{
    x = p->whole ? round(x / 1000) : x / 1000;
    return x < 0 ? 0 : x > 255 ? 255 : x;
}

static void to_rgb(const planes *p, double y, double u, double v, double *rgb)
{
    double light = 1164 * (y - 16);

    rgb[p->bgr ? 2 : 0] = clipped(p, light + 1596 * (v - 128));
    rgb[1] = clipped(p, light - 813 * (v - 128) - 391 * (u - 128));
    rgb[p->bgr ? 0 : 2] = clipped(p, light + 2018 * (u - 128));
}

static bool convert_to_rgb(inlay_call *c, const planes *p, const double *y, const double *u,
                           const double *v)
{
    double *out = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *out);
    const int64_t dims[] = {p->n, p->h, p->w};

    if (!out || !y || !u || !v)
        return false;
    for (index_iter it = index_begin(3, dims); index_valid(&it); index_next(&it)) {
        int64_t at = it.at[0] * p->batch + it.at[1] / 2 * p->row + it.at[2] / 2 * p->step;

        to_rgb(p, y[it.at[0] * p->y_batch + it.at[1] * p->w + it.at[2]], u[at], v[at],
               out + 3 * it.linear);
    }
    return store_f64(c, 0, out);
}

/* U and V follow each other, or are planes apart. */
static planes read_planes(const inlay_call *c, bool paired, bool bgr)
{
    const inlay_tensor *y = c->in[0], *out = c->out[0];
    planes p = {.n = out->dims[0], .h = out->dims[1], .w = out->dims[2]};

    p.y_batch = y->dims[1] * p.w;
    p.row = paired ? p.w : p.w / 2;
    p.step = paired ? 2 : 1;
    p.batch = call_has(c, 1) ? p.h / 2 * p.row : p.y_batch;
    p.whole = inlay_type_is_int(y->type);
    p.bgr = bgr;
    return p;
}

static bool run_nv12(inlay_call *c, bool bgr)
{
    planes p = read_planes(c, true, bgr);
    const double *y = load_f64(c, 0), *uv = NULL;

    if (y)
        uv = call_has(c, 1) ? load_f64(c, 1) : y + p.h * p.w;
    return convert_to_rgb(c, &p, y, uv, uv ? uv + 1 : NULL);
}

bool eval_nv12_to_rgb(inlay_call *c)
{
    return run_nv12(c, false);
}

bool eval_nv12_to_bgr(inlay_call *c)
{
    return run_nv12(c, true);
}

static bool run_i420(inlay_call *c, bool bgr)
{
    planes p = read_planes(c, false, bgr);
    const double *y = load_f64(c, 0), *u = NULL, *v = NULL;

    if (y)
        u = call_has(c, 1) ? load_f64(c, 1) : y + p.h * p.w;
    if (u)
        v = call_has(c, 2) ? load_f64(c, 2) : u + p.h / 2 * p.row;
    return convert_to_rgb(c, &p, y, u, v);
}

bool eval_i420_to_rgb(inlay_call *c)
{
    return run_i420(c, false);
}

bool eval_i420_to_bgr(inlay_call *c)
{
    return run_i420(c, true);
}

/* Computes Y of the four pixels whose first one is [., H, W] of X, and the mean of their U and
 * V. */
static void to_nv12(const planes *p, const double *x, int64_t h, int64_t w, double *y, double *uv)
{
    double u = 0, v = 0;

    for (int i = 0; i < 4; i++) {
        int64_t at = (h + i / 2) * p->w + w + i % 2;
        double red = x[3 * at + (p->bgr ? 2 : 0)], green = x[3 * at + 1];
        double blue = x[3 * at + (p->bgr ? 0 : 2)];

        y[at] = clipped(p, 257 * red + 504 * green + 98 * blue + 16000);
        u += clipped(p, -148 * red - 291 * green + 439 * blue + 128000);
        v += clipped(p, 439 * red - 368 * green - 71 * blue + 128000);
    }
    uv[0] = p->whole ? round(u / 4) : u / 4;
    uv[1] = p->whole ? round(v / 4) : v / 4;
}

static bool run_to_nv12(inlay_call *c, bool bgr)
{
    const inlay_tensor *in = c->in[0];
    planes p = {.n = in->dims[0], .h = in->dims[1], .w = in->dims[2], .bgr = bgr};
    bool single = c->n_out == 1;
    const double *x = load_f64(c, 0);
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    double *uv = single ? y : inlay_call_memory(c, inlay_tensor_count(c->out[1]), sizeof *uv);
    const int64_t dims[] = {p.n, p.h / 2, p.w / 2};

    if (!x || !y || !uv)
        return false;
    uv += single ? p.h * p.w : 0;
    p.whole = inlay_type_is_int(in->type);
    p.y_batch = single ? p.h * p.w / 2 * 3 : p.h * p.w;
    p.batch = single ? p.y_batch : p.h * p.w / 2;
    for (index_iter it = index_begin(3, dims); index_valid(&it); index_next(&it))
        to_nv12(&p, x + it.at[0] * p.h * p.w * 3, 2 * it.at[1], 2 * it.at[2],
                y + it.at[0] * p.y_batch, uv + it.at[0] * p.batch + it.at[1] * p.w + 2 * it.at[2]);
    return store_f64(c, 0, y) && (single || store_f64(c, 1, uv));
}

bool eval_rgb_to_nv12(inlay_call *c)
{
    return run_to_nv12(c, false);
}

bool eval_bgr_to_nv12(inlay_call *c)
{
    return run_to_nv12(c, true);
}
