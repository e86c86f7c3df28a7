/* Bounding boxes of windows. See box.h. */
#include "ir/tensor/box.h"

inlay_box inlay_box_of(const inlay_window *windows, int rank)
{
    inlay_box box;

    for (int i = 0; i < INLAY_BOX_AXES; i++) {
        const inlay_window *w = windows && i < rank ? &windows[i] : NULL;
        int64_t last = w ? w->begin + w->step * (w->count - 1) : 0;

        if (!w) {
            box.lo[i] = INT64_MIN;
            box.hi[i] = INT64_MAX;
        } else {
            box.lo[i] = w->begin < last ? w->begin : last;
            box.hi[i] = w->begin < last ? last : w->begin;
        }
    }
    return box;
}

void inlay_box_add(inlay_box *all, const inlay_box *one)
{
    for (int i = 0; i < INLAY_BOX_AXES; i++) {
        all->lo[i] = one->lo[i] < all->lo[i] ? one->lo[i] : all->lo[i];
        all->hi[i] = one->hi[i] > all->hi[i] ? one->hi[i] : all->hi[i];
    }
}

bool inlay_boxes_meet(const inlay_box *a, const inlay_box *b)
{
    for (int i = 0; i < INLAY_BOX_AXES; i++) {
        if (a->lo[i] > b->hi[i] || b->lo[i] > a->hi[i])
            return false;
    }
    return true;
}

static bool are_equal(const inlay_box *a, const inlay_box *b)
{
    for (int i = 0; i < INLAY_BOX_AXES; i++) {
        if (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i])
            return false;
    }
    return true;
}

inlay_framed_box inlay_framed_nothing(void)
{
    return (inlay_framed_box){.box.lo[0] = 1}; /* which is behind its end */
}

static bool is_nothing(const inlay_framed_box *b)
{
    return b->box.lo[0] > b->box.hi[0];
}

void inlay_framed_add(inlay_framed_box *all, const inlay_framed_box *one)
{
    if (is_nothing(one))
        return;
    if (is_nothing(all)) {
        *all = *one;
        return;
    }
    inlay_box_add(&all->box, &one->box);
    if (all->frame == one->frame)
        inlay_box_add(&all->inside, &one->inside);
    else
        all->frame = NULL;
}

bool inlay_framed_meet(const inlay_framed_box *a, const inlay_framed_box *b)
{
    return !is_nothing(a) && !is_nothing(b) && inlay_boxes_meet(&a->box, &b->box) &&
           (!a->frame || a->frame != b->frame || inlay_boxes_meet(&a->inside, &b->inside));
}

bool inlay_framed_equal(const inlay_framed_box *a, const inlay_framed_box *b)
{
    return are_equal(&a->box, &b->box) && a->frame == b->frame &&
           (!a->frame || are_equal(&a->inside, &b->inside));
}
