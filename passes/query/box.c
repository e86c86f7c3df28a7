/* Bounding boxes of windows. See box.h. */
#include "passes/query/box.h"
#include "ir/shared.h"

query_box query_box_of(const inlay_window *windows, int rank)
{
    query_box box;

    for (int i = 0; i < QUERY_BOX_AXES; i++) {
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

void query_box_add(query_box *all, const query_box *one)
{
    for (int i = 0; i < QUERY_BOX_AXES; i++) {
        all->lo[i] = one->lo[i] < all->lo[i] ? one->lo[i] : all->lo[i];
        all->hi[i] = one->hi[i] > all->hi[i] ? one->hi[i] : all->hi[i];
    }
}

bool query_boxes_meet(const query_box *a, const query_box *b)
{
    for (int i = 0; i < QUERY_BOX_AXES; i++) {
        if (a->lo[i] > b->hi[i] || b->lo[i] > a->hi[i])
            return false;
    }
    return true;
}

bool query_boxes_equal(const query_box *a, const query_box *b)
{
    for (int i = 0; i < QUERY_BOX_AXES; i++) {
        if (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i])
            return false;
    }
    return true;
}
