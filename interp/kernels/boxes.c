/* Boxes of detection operations. */
#include "interp/kernels/boxes.h"
#include "interp/maths/maths.h"

#include <math.h>
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

bool box_touches(const box *a, const box *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

typedef struct point {
    double x, y;
} point;

enum { CORNERS = 4, MOST_CORNERS = 2 * CORNERS };

/* The intersection of two boxes: each side that cuts a polygon adds one corner. */
typedef struct polygon {
    int n;
    point at[MOST_CORNERS];
} polygon;

/* Returns the corners of B relative to (X, Y), each a quarter turn after the one before. */
static polygon corners_of(const turned_box *b, double x, double y)
{
    static const int u[CORNERS] = {-1, 1, 1, -1}, v[CORNERS] = {-1, -1, 1, 1};
    double along = maths_cos_f64(b->angle) / 2, across = maths_sin_f64(b->angle) / 2;
    polygon p = {.n = CORNERS};

    for (int i = 0; i < CORNERS; i++)
        p.at[i] = (point){b->x - x + u[i] * b->width * along - v[i] * b->height * across,
                          b->y - y + u[i] * b->width * across + v[i] * b->height * along};
    return p;
}

/* Returns twice the signed area of the triangle A, B, C: negative if C lies outside of the side A,
 * B of a polygon. */
static double turn(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

/* Cuts off the part of P outside of the side FROM, TO. */
static void cut_side(polygon *p, point from, point to)
{
    polygon old = *p;

    p->n = 0;
    for (int i = 0; i < old.n; i++) {
        point a = old.at[i], b = old.at[(i + 1) % old.n];
        double at_a = turn(from, to, a), at_b = turn(from, to, b), part = at_a / (at_a - at_b);

        if (at_a >= 0 && p->n < MOST_CORNERS)
            p->at[p->n++] = a;
        if (at_a * at_b < 0 && p->n < MOST_CORNERS)
            p->at[p->n++] = (point){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
    }
}

double box_overlap_turned(const turned_box *a, const turned_box *b)
{
    polygon shape = corners_of(a, a->x, a->y), frame = corners_of(b, a->x, a->y);
    double area_a = a->width * a->height, area_b = b->width * b->height, shared = 0;

    if (!(area_a > 0 && area_b > 0))
        return 0;
    for (int i = 0; i < CORNERS; i++)
        cut_side(&shape, frame.at[i], frame.at[(i + 1) % CORNERS]);
    for (int i = 2; i < shape.n; i++)
        shared += turn(shape.at[0], shape.at[i - 1], shape.at[i]) / 2;
    return shared > 0 ? shared / (area_a + area_b - shared) : 0;
}

static bool suppresses(const suppression *s, double threshold, const box *better, const box *b)
{
    double overlap = s->touching && !box_touches(better, b) ? 0 : box_overlap(better, b, s->margin);

    return overlap > threshold || (s->inclusive && overlap == threshold);
}

int64_t box_suppress(const suppression *s, const box *boxes, detection *list, int64_t n,
                     int64_t most)
{
    double threshold = s->threshold;
    int64_t kept = 0;

    for (int64_t i = 0; i < n && kept < most; i++) {
        bool keep = true;

        for (int64_t k = 0; keep && k < kept; k++)
            keep = !suppresses(s, threshold, &boxes[list[k].index], &boxes[list[i].index]);
        if (!keep)
            continue;
        list[kept++] = list[i];
        if (s->eta < 1 && threshold > 0.5)
            threshold *= s->eta;
    }
    return kept;
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
