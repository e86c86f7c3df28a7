/* NonMaxSuppression and NMSRotated without soft scores. Of a class the boxes with the best scores are
 * selected, some more than may be kept, and looked at in order; a box is dropped if it overlaps one
 * of those kept before too much. Only if none of them are left more are selected. Kept boxes lie in
 * arrays, so that a box is compared with several at a time. */
#include "interp/kernels/nms.h"
#include "inlay_ops.h"
#include "interp/kernels/clones.h"
#include "interp/library/library.h"
#include "interp/library/select.h"

#include <math.h>
#include <string.h>

enum {
    SIDE_BY_SIDE = 8, /* boxes that are compared at a time */
    NUMBERS = 5,      /* of a box */
    MORE = 8,         /* boxes that are selected, and half as many again as may be kept */
    TIMES = 4,        /* as many the next time */
    SLOTS = 8,        /* rooms, each of which one thread uses at a time */
    BOX_COST = 8      /* of a box of a class */
};

/* A box with its area. */
typedef struct sized_box {
    box at;
    double area;
} sized_box;

/* The boxes of a class that are kept. */
typedef struct kept {
    int64_t n;
    double *x0, *y0, *x1, *y1, *area;
    double *rows; /* if they are turned */
} kept;

typedef struct work {
    nms p;
    const inlay_tensor *boxes, *scores;
    detection *found; /* `most` of each class */
    int64_t *count;   /* how many each class has */
    int64_t slots, room;
    char *rooms;   /* for each slot: where a class is selected from, */
    double *sides; /* and what is kept of it */
} work;

/* Boxes */

static double side(double from, double to)
{
    return to - from > 0 ? to - from : 0;
}

static sized_box size_box(box b)
{
    return (sized_box){b, side(b.x0, b.x1) * side(b.y0, b.y1)};
}

/* Is the overlap (box_overlap) of kept box I with B above LIMIT? */
static inline bool overlaps(const kept *k, int64_t i, const sized_box *b, double limit)
{
    double x0 = k->x0[i] > b->at.x0 ? k->x0[i] : b->at.x0;
    double y0 = k->y0[i] > b->at.y0 ? k->y0[i] : b->at.y0;
    double x1 = k->x1[i] < b->at.x1 ? k->x1[i] : b->at.x1;
    double y1 = k->y1[i] < b->at.y1 ? k->y1[i] : b->at.y1;
    double width = x1 - x0 > 0 ? x1 - x0 : 0, height = y1 - y0 > 0 ? y1 - y0 : 0;
    double shared = width * height, whole = k->area[i] + b->area - shared;
    double overlap = shared / whole;

    overlap = ((shared > 0) & (whole > 0)) ? overlap : 0;
    return overlap > limit;
}

static INLAY_CLONES bool overlaps_any(const kept *list, const sized_box *one, double limit)
{
    const kept k = *list;
    const sized_box b = *one;
    int64_t i = 0;

    for (; i + SIDE_BY_SIDE <= k.n; i += SIDE_BY_SIDE) {
        int64_t any = 0;

        for (int64_t j = i; j < i + SIDE_BY_SIDE; j++)
            any |= overlaps(&k, j, &b, limit);
        if (any)
            return true;
    }
    for (; i < k.n; i++) {
        if (overlaps(&k, i, &b, limit))
            return true;
    }
    return false;
}

/* Returns whether the box ROW is suppressed by one that is kept, and keeps it if not. */
static bool suppressed(const nms *p, const double *row, kept *k)
{
    sized_box b;

    if (p->box) {
        b = size_box(p->box(row));
        if (overlaps_any(k, &b, p->iou))
            return true;
        k->x0[k->n] = b.at.x0;
        k->y0[k->n] = b.at.y0;
        k->x1[k->n] = b.at.x1;
        k->y1[k->n] = b.at.y1;
        k->area[k->n++] = b.area;
        return false;
    }
    for (int64_t j = 0; j < k->n; j++) {
        if (p->overlap(p, k->rows + j * NUMBERS, row) > p->iou)
            return true;
    }
    memcpy(k->rows + k->n++ * NUMBERS, row, NUMBERS * sizeof *row);
    return false;
}

/* Classes */

/* Looks at the boxes PLACE of class ITEM, in this order; returns whether none behind them counts. */
static bool look_at(const work *w, int64_t item, const int64_t *place, int64_t n, kept *k)
{
    const nms *p = &w->p;
    int64_t batch = item / p->classes;

    for (int64_t i = 0; i < n && k->n < p->most; i++) {
        double row[NUMBERS],
            score = inlay_load_f64(w->scores->type, w->scores->data, item * p->boxes + place[i]);

        if (isnan(score) || score <= p->score)
            return true;
        load_row_f64(row, w->boxes, (batch * p->boxes + place[i]) * p->row, 1, p->row);
        if (!suppressed(p, row, k))
            w->found[item * p->most + k->n - 1] =
                (detection){score, batch, item % p->classes, place[i]};
    }
    return k->n == p->most;
}

static int64_t select_class(const work *w, int64_t slot, int64_t item)
{
    const nms *p = &w->p;
    const int64_t most = p->most;
    const int64_t *place = (const int64_t *)(void *)(w->rooms + slot * w->room);
    double *sides = w->sides + slot * NUMBERS * most;
    kept k = {0, sides, sides + most, sides + 2 * most, sides + 3 * most, sides + 4 * most, sides};
    selection s = {.type = w->scores->type,
                   .data = w->scores->data,
                   .length = p->boxes,
                   .step = 1,
                   .greatest = true};
    bool over = most == 0;

    for (int64_t n = most + most / 2 + MORE; !over; n *= TIMES) {
        int64_t before = s.k, found;

        s.k = n < p->boxes ? n : p->boxes;
        selection_begin(&s);
        if (!isnan(p->score))
            selection_bound(&s, p->score);
        found = selection_of(&s, item * p->boxes, w->rooms + slot * w->room);
        over =
            look_at(w, item, place + before, found - before, &k) || found < s.k || s.k == p->boxes;
    }
    return k.n;
}

static void select_classes(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;

    for (; from < to; from++) {
        for (int64_t i = from; i < w->p.batches * w->p.classes; i += w->slots)
            w->count[i] = select_class(w, from, i);
    }
}

static bool make_room(inlay_call *c, work *w, detection **spare)
{
    int64_t items = w->p.batches * w->p.classes, most = w->p.most;
    selection all = {.type = w->scores->type, .length = w->p.boxes, .k = w->p.boxes};

    w->slots = items < SLOTS ? items : SLOTS;
    w->room = selection_begin(&all);
    w->rooms = inlay_call_memory(c, w->slots, (size_t)w->room);
    w->sides = inlay_call_memory(c, w->slots * NUMBERS * most, sizeof *w->sides);
    w->found = inlay_call_memory(c, items * most, sizeof *w->found);
    *spare = inlay_call_memory(c, items * most, sizeof **spare);
    w->count = inlay_call_memory(c, items, sizeof *w->count);
    return w->rooms && w->sides && w->found && *spare && w->count;
}

static bool takes(const inlay_call *c)
{
    return selection_takes(c->in[1]->type, c->in[0]->dims[1]);
}

static bool run(inlay_call *c, const void *packed)
{
    work w = {.boxes = c->in[0], .scores = c->in[1]};
    detection *spare;
    int64_t n = 0;

    (void)packed;
    nms_read(c, &w.p);
    if (w.p.sigma != 0)
        return call_kernel_of(c->node->op)(c);
    if (!make_room(c, &w, &spare))
        return false;
    call_split(c, w.slots, BOX_COST * (double)w.p.boxes, select_classes, &w);
    for (int64_t i = 0; i < w.p.batches * w.p.classes; i++) {
        memmove(w.found + n, w.found + i * w.p.most, (size_t)w.count[i] * sizeof *w.found);
        n += w.count[i];
    }
    return nms_write(c, w.found, n, spare);
}

const library_kernel library_non_max_suppression = {.op = INLAY_OP_NON_MAX_SUPPRESSION,
                                                    .name = "selection",
                                                    .takes = takes,
                                                    .packs = -1,
                                                    .run = run},
                     library_nms_rotated = {.op = INLAY_OP_NMS_ROTATED,
                                            .name = "selection",
                                            .takes = takes,
                                            .packs = -1,
                                            .run = run};
