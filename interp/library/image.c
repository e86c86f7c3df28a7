/* Images: data padded and split by strides, so that a convolution reads shifted views. */
#include "interp/library/image.h"

#include "interp/kernels/clones.h"

#include <string.h>

/* An element, which is only copied: a float or an integer. */
typedef uint32_t word __attribute__((may_alias));

static int64_t parts_of(const field_axis *a)
{
    return a->kernel > 1 ? a->stride : 1;
}

enum { LARGER = 8, SMALL = 4096 };

bool image_is_small(const field *w)
{
    double plane = 1;

    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->axis[i];
        double reach = (double)(a->kernel - 1) * (double)a->dilation / (double)a->stride;

        plane *= (double)parts_of(a) * ((double)a->small + reach);
    }
    return plane <= SMALL + LARGER * ((double)w->large + (double)w->small);
}

void image_of_field(const field *w, image *x)
{
    *x = (image){.w = w, .around = 0, .part = 1, .plane = 1, .plain = true, .dense = true};
    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->axis[i];

        x->parts[i] = parts_of(a);
        x->width[i] = a->small + (a->kernel - 1) * a->dilation / a->stride;
        x->part *= x->width[i];
        x->plane *= x->parts[i];
        x->plain = x->plain && a->stride == 1 && a->pad == 0 && x->width[i] == a->large;
        x->dense = x->dense && (i == 0 || x->width[i] == a->small);
        x->span = (i == 0 ? 0 : x->span * x->width[i]) + a->small - 1;
    }
    x->plane *= x->part;
    x->span++;
}

/* The part of an axis that the data has: BEGIN <= at < END; element FROM is the first. */
struct run {
    int64_t begin, end, from;
};

/* Returns the index in part PART of the first element at or after element X of the data; at most N.
 */
static int64_t first_behind(const field_axis *a, int64_t part, int64_t x, int64_t n)
{
    int64_t way = x + a->pad - part;

    way = way <= 0 ? 0 : (way + a->stride - 1) / a->stride;
    return way < n ? way : n;
}

static struct run run_of(const field_axis *a, int64_t part, int64_t n)
{
    struct run r = {first_behind(a, part, 0, n), first_behind(a, part, a->large, n), 0};

    r.from = r.begin * a->stride + part - a->pad;
    return r;
}

/* Copies N elements. Rows are short, so memcpy would cost more than the copies. */
static void copy_run(word *to, const word *from, int64_t n)
{
    enum { SOME = 8 };

    if (n < SOME) {
        for (int64_t i = 0; i < n; i++)
            to[i] = from[i];
        return;
    }
    for (int64_t i = 0; i < n; i += SOME) {
        int64_t at = i + SOME <= n ? i : n - SOME;

        memcpy(to + at, from + at, SOME * sizeof *to);
    }
}

/* Copies every second of the elements from FROM on; N are copied. */
static INLAY_CLONES void copy_second(word *restrict to, const word *restrict from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = from[i * 2];
}

/* Sets N elements to X, usually just one. */
static void fill(word *to, int64_t n, word x)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = x;
}

/* Writes a row of N elements: R of the data, STRIDE apart from FROM on, and AROUND on both sides. */
static void copy_row(const struct run *r, int64_t stride, const word *from, word *to, int64_t n,
                     word around)
{
    fill(to, r->begin, around);
    if (stride == 1)
        copy_run(to + r->begin, from, r->end - r->begin);
    else if (stride == 2)
        copy_second(to + r->begin, from, r->end - r->begin);
    else
        for (int64_t i = r->begin; i < r->end; i++)
            to[i] = from[(i - r->begin) * stride];
    fill(to + r->end, n - r->end, around);
}

static bool has(const struct run *r, int64_t i)
{
    return r->begin <= i && i < r->end;
}

/* Makes the part number PART of a channel. */
static void copy_part(const image *x, const int64_t *part, const word *from, word *to)
{
    const field_axis *a = x->w->axis;
    int64_t n = x->width[2];
    struct run r[FIELD_AXES];

    for (int k = 0; k < FIELD_AXES; k++)
        r[k] = run_of(&a[k], part[k], x->width[k]);
    for (int64_t i = 0; i < x->width[0]; i++) {
        int64_t z = r[0].from + (i - r[0].begin) * a[0].stride;

        for (int64_t j = 0; j < x->width[1]; j++, to += n) {
            int64_t y = r[1].from + (j - r[1].begin) * a[1].stride;

            if (has(&r[0], i) && has(&r[1], j) && r[2].begin < r[2].end)
                copy_row(&r[2], a[2].stride, from + (z * a[1].large + y) * a[2].large + r[2].from,
                         to, n, x->around);
            else
                fill(to, n, x->around);
        }
    }
}

void image_copy(const image *x, const void *from, void *to)
{
    int64_t part[FIELD_AXES];
    word *at = to;

    for (part[0] = 0; part[0] < x->parts[0]; part[0]++) {
        for (part[1] = 0; part[1] < x->parts[1]; part[1]++) {
            for (part[2] = 0; part[2] < x->parts[2]; part[2]++, at += x->part)
                copy_part(x, part, from, at);
        }
    }
}

void image_list(const image *x, int64_t n, int64_t *at)
{
    const field_axis *a = x->w->axis;
    const int64_t dims[FIELD_AXES] = {a[0].kernel, a[1].kernel, a[2].kernel};

    for (int64_t i = 0; i < n; i++) {
        for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
            int64_t part = 0, shift = 0;

            for (int k = 0; k < FIELD_AXES; k++) {
                int64_t far = it.at[k] * a[k].dilation;

                part = part * x->parts[k] + far % a[k].stride;
                shift = shift * x->width[k] + far / a[k].stride;
            }
            *at++ = i * x->plane + part * x->part + shift;
        }
    }
}
