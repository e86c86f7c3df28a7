/* Images, parted and padded. */
#include "interp/library/image.h"

#include <string.h>

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
    *x = (image){.w = w, .part = 1, .plane = 1, .plain = true, .dense = true};
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

/* Returns the element of the data that element AT of part PART is; the data may not have it. */
static int64_t element_of(const field_axis *a, int64_t part, int64_t at)
{
    return at * a->stride + part - a->pad;
}

static bool has_element(const field_axis *a, int64_t x)
{
    return x >= 0 && x < a->large;
}

/* Copies N elements. Rows are short, so that calls of memcpy would cost more than the copies. */
static void copy_run(float *to, const float *from, int64_t n)
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

/* Writes a row of N elements: those of part PART of the row FROM. */
static void copy_row(const field_axis *a, int64_t part, const float *from, float *to, int64_t n)
{
    int64_t begin = 0, end = n;

    while (begin < n && element_of(a, part, begin) < 0)
        to[begin++] = 0;
    while (end > begin && element_of(a, part, end - 1) >= a->large)
        to[--end] = 0;
    if (begin == end)
        return;
    from += element_of(a, part, begin);
    to += begin;
    if (a->stride == 1) {
        copy_run(to, from, end - begin);
        return;
    }
    if (a->stride == 2) { /* a number that the compiler knows makes it a loop of vectors */
        for (int64_t i = 0; i < end - begin; i++)
            to[i] = from[i * 2];
        return;
    }
    for (int64_t i = 0; i < end - begin; i++)
        to[i] = from[i * a->stride];
}

/* Makes the part with these numbers of a channel. */
static void copy_part(const image *x, const int64_t *part, const float *from, float *to)
{
    const field_axis *a = x->w->axis;
    int64_t n = x->width[2];

    for (int64_t i = 0; i < x->width[0]; i++) {
        int64_t z = element_of(&a[0], part[0], i);

        for (int64_t j = 0; j < x->width[1]; j++, to += n) {
            int64_t y = element_of(&a[1], part[1], j);

            if (has_element(&a[0], z) && has_element(&a[1], y))
                copy_row(&a[2], part[2], from + (z * a[1].large + y) * a[2].large, to, n);
            else
                memset(to, 0, (size_t)n * sizeof *to);
        }
    }
}

void image_copy(const image *x, const float *from, float *to)
{
    for (index_iter it = index_begin(FIELD_AXES, x->parts); index_valid(&it); index_next(&it))
        copy_part(x, it.at, from, to + it.linear * x->part);
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
