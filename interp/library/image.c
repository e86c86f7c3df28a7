/* Images: data padded and split by strides, so that a convolution reads shifted views. */
#include "interp/library/image.h"

#include "interp/kernels/clones.h"

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
    *x = (image){.w = w, .around = 0, .part = 1, .plane = 1, .plain = true, .dense = true};
    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->axis[i];

        x->step[i] = 1;
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

void image_of_steps(const field *w, field *unit, image *x)
{
    *unit = *w;
    unit->small = 1;
    for (int i = 0; i < FIELD_AXES; i++) {
        field_axis *a = &unit->axis[i];
        int64_t reach = (a->kernel - 1) * a->dilation, all = (a->small - 1) * a->stride + 1;

        /* what follows the last position is there, so that the data itself may be the image */
        a->small = a->pad == 0 && all + reach <= a->large ? a->large - reach : all;
        a->stride = 1;
        unit->small *= a->small;
    }
    image_of_field(unit, x);
    for (int i = 0; i < FIELD_AXES; i++)
        x->step[i] = w->axis[i].stride;
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

    if (way <= 0)
        return 0;
    way = a->stride == 1 ? way : (way + a->stride - 1) / a->stride; /* divisions take long */
    return way < n ? way : n;
}

static struct run run_of(const field_axis *a, int64_t part, int64_t n)
{
    struct run r = {first_behind(a, part, 0, n), first_behind(a, part, a->large, n), 0};

    r.from = r.begin * a->stride + part - a->pad;
    return r;
}

/* SOME elements at any address. */
enum { SOME = 8 };
typedef image_word words
    __attribute__((vector_size(SOME * sizeof(image_word)), aligned(4), may_alias));

/* Copies every second of the elements from FROM on; N are copied. Nothing is read behind the last
 * of them. */
static inline void copy_second(image_word *to, const image_word *from, int64_t n)
{
    if (n < SOME) {
        for (int64_t i = 0; i < n; i++)
            to[i] = from[i * 2];
        return;
    }
    for (int64_t i = 0; i < n; i += SOME) {
        int64_t at = i + SOME <= n ? i : n - SOME;
        words a = *(const words *)(from + at * 2), b = *(const words *)(from + at * 2 + SOME - 1);

        *(words *)(to + at) = __builtin_shufflevector(a, b, 0, 2, 4, 6, 9, 11, 13, 15);
    }
}

/* Sets N elements to X, usually just one. */
static inline void fill(image_word *to, int64_t n, image_word x)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = x;
}

static bool has(const struct run *r, int64_t i)
{
    return r->begin <= i && i < r->end;
}

/* Writes ROWS rows of N elements each. FROM <= j < TO have R of the data, STRIDE apart, and AROUND
 * on both sides, the others AROUND alone. The data of row FROM begins at X, and that of the next one
 * is APART behind. */
struct rows {
    struct run r;
    int64_t from, to, rows, n, stride, apart;
    image_word around;
};

enum { SHORT = 32 }; /* rows whose ends are filled in no less time than all of them */

static INLAY_CLONES void copy_rows(const struct rows *w, const image_word *x, image_word *to)
{
    const int64_t begin = w->r.begin, n = w->r.end - begin, behind = w->n - w->r.end;
    const bool small = w->n <= SHORT;

    fill(to, small ? w->rows * w->n : w->from * w->n, w->around);
    if (!small)
        fill(to + w->to * w->n, (w->rows - w->to) * w->n, w->around);
    to += w->from * w->n;
    for (int64_t j = w->from; j < w->to; j++, x += w->apart, to += w->n) {
        if (!small)
            fill(to, begin, w->around);
        if (w->stride == 1)
            image_copy_words(to + begin, x, n);
        else if (w->stride == 2)
            copy_second(to + begin, x, n);
        else
            for (int64_t i = 0; i < n; i++)
                to[begin + i] = x[i * w->stride];
        if (!small)
            fill(to + w->r.end, behind, w->around);
    }
}

/* Makes the part number PART of N channels. */
static void copy_part(const image *x, const int64_t *part, int64_t n, const image_word *from,
                      image_word *to)
{
    const field_axis *a = x->w->axis;
    int64_t plane = x->width[1] * x->width[2], first;
    struct run r[FIELD_AXES];
    struct rows w;

    for (int k = 0; k < FIELD_AXES; k++)
        r[k] = run_of(&a[k], part[k], x->width[k]);
    if (r[2].begin >= r[2].end)
        r[1].end = r[1].begin;
    w = (struct rows){.r = r[2],
                      .from = r[1].begin,
                      .to = r[1].end,
                      .rows = x->width[1],
                      .n = x->width[2],
                      .stride = a[2].stride,
                      .apart = a[1].stride * a[2].large,
                      .around = x->around};
    first = r[1].from * a[2].large + r[2].from;
    for (int64_t j = 0; j < n; j++, from += x->w->large, to += x->plane) {
        for (int64_t i = 0; i < x->width[0]; i++) {
            int64_t z = r[0].from + (i - r[0].begin) * a[0].stride;

            if (has(&r[0], i) && w.from < w.to)
                copy_rows(&w, from + z * a[1].large * a[2].large + first, to + i * plane);
            else
                fill(to + i * plane, plane, x->around);
        }
    }
}

/* Makes the parts of N channels. */
static void copy_parts(const image *x, int64_t n, const image_word *from, image_word *to)
{
    int64_t part[FIELD_AXES];

    for (part[0] = 0; part[0] < x->parts[0]; part[0]++) {
        for (part[1] = 0; part[1] < x->parts[1]; part[1]++) {
            for (part[2] = 0; part[2] < x->parts[2]; part[2]++, to += x->part)
                copy_part(x, part, n, from, to);
        }
    }
}

/* Several parts of one channel are made while it is in the first-level cache. */
void image_copy(const image *x, int64_t n, const void *from, void *to)
{
    int64_t some = x->part == x->plane ? n : 1;
    const image_word *data = from;
    image_word *at = to;

    for (int64_t i = 0; i < n; i += some, data += some * x->w->large, at += some * x->plane)
        copy_parts(x, some, data, at);
}

void image_list(const image *x, int64_t n, int64_t *at)
{
    const field_axis *a = x->w->axis;
    const int64_t dims[FIELD_AXES] = {a[0].kernel, a[1].kernel, a[2].kernel};
    int64_t each = 0;

    for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
        int64_t part = 0, shift = 0;

        for (int k = 0; k < FIELD_AXES; k++) {
            int64_t far = it.at[k] * a[k].dilation;

            part = part * x->parts[k] + far % a[k].stride;
            shift = shift * x->width[k] + far / a[k].stride;
        }
        if (n > 0)
            at[each++] = part * x->part + shift;
    }
    for (int64_t i = each; i < n * each; i++)
        at[i] = at[i - each] + x->plane;
}

int image_list_runs(const image *x, int64_t first, int64_t n, image_run *runs)
{
    const field_axis *a = x->w->axis;
    int count = 0;

    for (int64_t at = first, some; at < first + n; at += some) {
        int64_t r = at % a[2].small, row = at / a[2].small;
        int64_t line = row / a[1].small * x->width[1] + row % a[1].small;

        some = a[2].small - r < first + n - at ? a[2].small - r : first + n - at;
        runs[count++] = (image_run){line * x->width[2] + r, some};
    }
    return count;
}
