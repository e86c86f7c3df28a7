/* Boxes of detection operations. */
#include "interp/kernels/boxes.h"

#include <string.h>

static double side(double from, double to, double margin)
{
    double length = to - from + margin;

    return length > 0 ? length : 0;
}

static double area(const box *b, double margin)
{
    return side(b->x0, b->x1, margin) * side(b->y0, b->y1, margin);
}

double box_overlap(const box *a, const box *b, double margin)
{
    box both = {a->x0 > b->x0 ? a->x0 : b->x0, a->y0 > b->y0 ? a->y0 : b->y0,
                a->x1 < b->x1 ? a->x1 : b->x1, a->y1 < b->y1 ? a->y1 : b->y1};
    double shared = area(&both, margin), whole = area(a, margin) + area(b, margin) - shared;

    return shared > 0 && whole > 0 ? shared / whole : 0;
}

static void merge(const detection *from, detection *to, int64_t a, int64_t middle, int64_t end)
{
    int64_t b = middle;

    for (int64_t k = a; k < end; k++) {
        bool second = a == middle || (b < end && from[b].score > from[a].score);

        to[k] = second ? from[b++] : from[a++];
    }
}

void box_sort_detections(detection *list, int64_t n, detection *spare)
{
    detection *from = list, *to = spare;

    for (int64_t width = 1; width < n; width *= 2) {
        detection *swap = from;

        for (int64_t a = 0; a < n; a += 2 * width) {
            int64_t middle = a + width < n ? a + width : n;
            int64_t end = middle + width < n ? middle + width : n;

            merge(from, to, a, middle, end);
        }
        from = to;
        to = swap;
    }
    if (from != list && n > 0)
        memcpy(list, from, (size_t)n * sizeof *list);
}
