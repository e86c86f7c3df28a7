/* Parts of calls, which threads compute at the same time. A part is some images of a result, or
 * some channels or rows of one image, chosen so that it is contiguous in memory or, if a value only
 * changes its layout, at known strides:
 *
 *     blocks of channels, planes    | c0 c1 c2 c3 | c4 c5 c6 c7 |      each has all rows
 *     channels last                 | rows 0 to 27 | rows 28 to 55 |   each has all channels
 */
#include "interp/onednn/make.h"

#include <string.h>

/* Each thread gets one part: smaller parts would read the weights, or an image, more often, which
 * takes longer in ResNet-50 and MobileNetV2 than waiting for a slow thread. */
static int most_wanted(int threads)
{
    return threads < CUT_MOST / 2 ? threads : CUT_MOST / 2;
}

/* With several images, each has at most this many parts. */
int cut_most(int threads)
{
    return threads < 2 ? 1 : 2 * most_wanted(threads);
}

/* Returns how many parts pay off. */
static int64_t parts_worth(const maker *m, double cost)
{
    int most = most_wanted(m->w->threads);

    if (most < 2 || cost < 2 * m->w->least)
        return 1;
    return cost / m->w->least < most ? (int64_t)(cost / m->w->least) : most;
}

static cut_part whole_of(const module_value *v)
{
    cut_part p = {.n = {1, 1, 1}};

    for (int i = 0; i < CUT_AXES && i < v->rank; i++)
        p.n[i] = v->dims[i];
    return p;
}

/* Divides P into at most PARTS ranges of whole UNITs along AXIS. */
static void add_ranges(cut *c, cut_part p, int axis, int64_t unit, int64_t parts)
{
    int64_t units = (p.n[axis] + unit - 1) / unit, end = p.n[axis];

    parts = parts < units ? parts : units;
    for (int64_t i = 0; i < parts; i++) {
        int64_t to = (i + 1) * units / parts * unit;

        p.from[axis] = i * units / parts * unit;
        p.n[axis] = (to < end ? to : end) - p.from[axis];
        c->list[c->n++] = p;
    }
}

void cut_find(const maker *m, const module_value *v, int block, int64_t unit, double cost, cut *c)
{
    int64_t parts = parts_worth(m, cost), images = v->dims[0];
    cut_part p = whole_of(v);
    int axis = block == API_LAST ? CUT_ROWS : CUT_CHANNELS;

    *c = (cut){.n = 1, .list = {p}};
    if (parts < 2 || block == API_UNKNOWN ||
        (block != API_LAST && v->dims[CUT_CHANNELS] % block != 0))
        return;
    c->n = 0;
    if (images >= parts) {
        add_ranges(c, p, CUT_IMAGES, 1, parts);
        return;
    }
    for (int64_t i = 0; i < images; i++) {
        p.from[CUT_IMAGES] = i;
        p.n[CUT_IMAGES] = 1;
        add_ranges(c, p, axis, unit, (parts + images - 1) / images);
    }
}

/* Sets STRIDES to those of V, in a layout with channels in planes or last. */
static void strides_of(const module_value *v, int block, int64_t *strides)
{
    int64_t inner = block == API_LAST ? v->dims[CUT_CHANNELS] : 1;

    for (int i = v->rank; i-- > CUT_ROWS; inner *= v->dims[i])
        strides[i] = inner;
    strides[CUT_CHANNELS] = block == API_LAST ? 1 : inner;
    strides[CUT_IMAGES] = block == API_LAST ? inner : inner * v->dims[CUT_CHANNELS];
}

api_layout cut_layout(maker *m, const module_value *v, int block, const cut_part *p, size_t *offset)
{
    int64_t dims[MODULE_ROOM], strides[MODULE_ROOM], count = 1, at = 0;

    memcpy(dims, v->dims, sizeof dims);
    strides_of(v, block, strides);
    for (int i = 0; i < v->rank; i++) {
        dims[i] = i < CUT_AXES ? p->n[i] : v->dims[i];
        count *= dims[i];
        at += i < CUT_AXES ? p->from[i] * strides[i] : 0;
    }
    *offset = (size_t)at * sizeof(float);
    if (p->n[CUT_IMAGES] == 1)
        strides[CUT_IMAGES] = count; /* unchanged if the part is the whole image */
    return block > 1 ? form_own(m, api_blocked(v->rank, dims, block))
                     : form_own(m, api_plain(v->rank, dims, strides));
}
