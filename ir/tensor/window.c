/* Windows of one axis, and slices of a tensor, which consist of them.
 *
 * Slice and SliceScatter, their shape rules and kernels, and all passes that compare windows
 * (equal, intersecting, inside one another) use these functions. Positions are those of the axis,
 * so sums of them do not overflow; numbers from a file are clamped before they are multiplied. */

#include "ir/tensor/window.h"
#include "ir/tensor/dim.h"

#include <inttypes.h>
#include <stdio.h>

/* |x| without overflow. */
static uint64_t magnitude(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

static int64_t clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

inlay_window inlay_window_normalise(int64_t start, int64_t stop, int64_t step, int64_t size)
{
    int64_t lowest = step < 0 ? -1 : 0, highest = step < 0 ? size - 1 : size, distance;
    inlay_window w = {0, 0, step};

    /* Without this the range [0, size - 1] of a backward start would be empty. */
    if (size <= 0 || step == 0)
        return w;
    start = clamp(start < 0 ? start + size : start, 0, highest);
    stop = clamp(stop < 0 ? stop + size : stop, lowest, highest);
    distance = step < 0 ? start - stop : stop - start;
    if (distance <= 0)
        return w;
    w.begin = start;
    w.count = (int64_t)(((uint64_t)distance - 1) / magnitude(step)) + 1;
    return w;
}

static int64_t last_of(inlay_window w)
{
    return w.count > 1 ? w.begin + w.step * (w.count - 1) : w.begin;
}

void inlay_window_denormalise(inlay_window w, int64_t size, int64_t *start, int64_t *stop,
                              int64_t *step)
{
    int64_t last = last_of(w);

    if (w.count == 0) {
        *start = *stop = 0;
        *step = 1;
        return;
    }
    *start = w.begin;
    *step = w.step;
    if (w.step > 0)
        *stop = last + 1;
    else if (last > 0)
        *stop = last - 1;
    else /* -1 would mean the last element */
        *stop = size < 0 ? INT64_MIN : -size - 1;
}

inlay_window inlay_window_compose(inlay_window outer, inlay_window inner)
{
    inlay_window w = {0, inner.count, 1};

    if (inner.count == 0)
        return w;
    w.begin = inner.begin > 0 ? outer.begin + outer.step * inner.begin : outer.begin;
    w.step = inner.count > 1 ? outer.step * inner.step : 1;
    return w;
}

static inlay_window ascending(inlay_window w)
{
    if (w.count <= 1)
        w.step = 1;
    if (w.step < 0) {
        w.begin = last_of(w);
        w.step = -w.step;
    }
    return w;
}

/* Whether X is a position of W, which ascends. */
static bool holds(inlay_window w, int64_t x)
{
    return x >= w.begin && x <= last_of(w) && (x - w.begin) % w.step == 0;
}

/* Computes a * b mod m by doubling, for m < 2^63. */
static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t m)
{
    uint64_t sum = 0;

    for (a %= m; b > 0; b >>= 1) {
        if (b & 1)
            sum = (sum + a) % m;
        a = (a + a) % m;
    }
    return sum;
}

/* Returns the greatest common divisor of A and B, which are positive. *X: the number in [0, b) with
 * a * X mod b = gcd. */
static int64_t gcd_inverse(int64_t a, int64_t b, int64_t *x)
{
    int64_t r0 = a, r1 = b, x0 = 1, x1 = 0;

    while (r1 != 0) {
        int64_t q = r0 / r1, r = r0 % r1, t = x0 - q * x1;

        r0 = r1;
        r1 = r;
        x0 = x1;
        x1 = t;
    }
    *x = x0 % b < 0 ? x0 % b + b : x0 % b;
    return r0;
}

/* Finds the first common position at or above both begins, by the Chinese remainder theorem; false
 * if there is none up to LIMIT. A begins at or before B; both ascend. */
static bool first_common(inlay_window a, inlay_window b, int64_t limit)
{
    int64_t inverse, gcd = gcd_inverse(a.step, b.step, &inverse), gap = b.begin - a.begin;
    int64_t period = b.step / gcd, first, missing, lcm;
    uint64_t k;

    if (gap % gcd != 0)
        return false;
    /* a.begin + a.step * k is on b's grid for k = gap / gcd * inverse modulo period. */
    k = mul_mod((uint64_t)(gap / gcd), (uint64_t)inverse, (uint64_t)period);
    if (k > (uint64_t)((limit - a.begin) / a.step))
        return false;
    first = a.begin + a.step * (int64_t)k;
    if (first >= b.begin)
        return true;
    if (period > (limit - first) / a.step)
        return false;
    lcm = a.step * period;
    missing = b.begin - first;
    return (missing - 1) / lcm + 1 <= (limit - first) / lcm;
}

bool inlay_window_meets(inlay_window a, inlay_window b)
{
    int64_t limit;

    if (a.count == 0 || b.count == 0)
        return false;
    a = ascending(a);
    b = ascending(b);
    if (a.count == 1)
        return holds(b, a.begin);
    if (b.count == 1)
        return holds(a, b.begin);
    limit = last_of(a) < last_of(b) ? last_of(a) : last_of(b);
    if (a.begin > limit || b.begin > limit)
        return false;
    return a.begin <= b.begin ? first_common(a, b, limit) : first_common(b, a, limit);
}

bool inlay_windows_meet(const inlay_window *a, const inlay_window *b, int rank)
{
    for (int i = 0; i < rank; i++) {
        if (!inlay_window_meets(a[i], b[i]))
            return false;
    }
    return true;
}

bool inlay_window_inside(inlay_window inner, inlay_window outer)
{
    if (inner.count == 0)
        return true;
    if (outer.count == 0)
        return false;
    inner = ascending(inner);
    outer = ascending(outer);
    return holds(outer, inner.begin) && holds(outer, last_of(inner)) &&
           (inner.count == 1 || inner.step % outer.step == 0);
}

bool inlay_windows_inside(const inlay_window *inner, const inlay_window *outer, int rank)
{
    bool inside = true;

    for (int i = 0; i < rank; i++) {
        if (inner[i].count == 0)
            return true;
        inside = inside && inlay_window_inside(inner[i], outer[i]);
    }
    return inside;
}

inlay_window inlay_window_relative(inlay_window inner, inlay_window outer)
{
    inlay_window w = {0, inner.count, 1};

    if (inner.count == 0)
        return w;
    if (outer.count > 1)
        w.begin = (inner.begin - outer.begin) / outer.step;
    if (inner.count > 1)
        w.step = inner.step / outer.step;
    return w;
}

bool inlay_window_equal(inlay_window a, inlay_window b)
{
    return a.count == b.count &&
           (a.count == 0 || (a.begin == b.begin && (a.count == 1 || a.step == b.step)));
}

bool inlay_windows_equal(const inlay_window *a, const inlay_window *b, int rank)
{
    for (int i = 0; i < rank; i++) {
        if (!inlay_window_equal(a[i], b[i]))
            return false;
    }
    return true;
}

bool inlay_windows_shifted(const inlay_window *a, const inlay_window *b, int rank)
{
    for (int i = 0; i < rank; i++) {
        if (a[i].count != b[i].count ||
            (a[i].count > 1 && (a[i].step != b[i].step || a[i].step < 1)))
            return false;
    }
    return true;
}

bool inlay_windows_on_bytes(const inlay_window *w, int rank, const int64_t *dims, int bits)
{
    int64_t stride = 1;

    if (bits >= 8)
        return true;
    for (int i = rank; i-- > 0;) {
        bool innermost = i == rank - 1;

        if (stride * bits % 8 != 0 && !innermost && (w[i].begin != 0 || w[i].count > 1))
            return false;
        if (innermost && ((w[i].step != 1 && w[i].count > 1) || w[i].begin * bits % 8 != 0 ||
                          w[i].count * bits % 8 != 0))
            return false;
        stride = stride % 8 * (dims[i] % 8);
    }
    return rank > 0; /* a single element ends within a byte */
}

/* Whether the slice start:stop:step selects every element of an axis of any size in SIZE. */
static bool selects_all(int64_t start, int64_t stop, int64_t step, inlay_dim size)
{
    if (step == 1) {
        bool from_first = start == 0 || (start < 0 && start + size.hi <= 0);

        return from_first && stop >= size.hi;
    }
    if (step == -1) {
        bool from_last = start == -1 || (start >= 0 && start >= size.hi - 1);
        bool to_first = stop < 0 && stop + size.hi < 0;

        return from_last && to_first;
    }
    return false;
}

inlay_dim inlay_window_length(int64_t start, int64_t stop, int64_t step, inlay_dim size)
{
    /* As a function of the size, the length is monotonic between the sizes at which clamping begins
     * or ends, so its extremes are at these or at the ends of the interval. */
    const int64_t marks[] = {0, start, stop, ~start, ~stop}; /* ~x is -x - 1 */
    inlay_dim length;

    if (step == 0)
        return inlay_dim_of(0);
    if (selects_all(start, stop, step, size))
        return size;
    length = inlay_dim_of(inlay_window_normalise(start, stop, step, size.lo).count);
    length = inlay_dim_union(
        length, inlay_dim_of(inlay_window_normalise(start, stop, step, size.hi).count));
    for (int i = 0; i < 5; i++) {
        for (int64_t d = -2; d <= 2; d++) {
            int64_t at = marks[i] > INT64_MAX - 2 ? INT64_MAX - 2 : marks[i];

            if (at < 0 || at + d <= size.lo || at + d >= size.hi)
                continue;
            length = inlay_dim_union(
                length, inlay_dim_of(inlay_window_normalise(start, stop, step, at + d).count));
        }
    }
    if (size.hi == INLAY_DIM_MAX && length.hi > 0 &&
        (uint64_t)length.hi >= (uint64_t)(INT64_MAX / 2) / magnitude(step))
        length.hi = INLAY_DIM_MAX;
    return length;
}

bool inlay_slice_axes(const inlay_slice *s, int rank, int *axis, char *why, size_t size)
{
    bool seen[INLAY_MAX_RANK] = {false};

    if (rank < 0 || rank > INLAY_MAX_RANK || s->n < 0) {
        snprintf(why, size, "%d entr%s to slice of %d dimension%s", s->n,
                 inlay_plural(s->n, "y", "ies"), rank, inlay_plural(rank, "", "s"));
        return false;
    }
    if (s->n > rank) {
        snprintf(why, size, "%d entr%s to slice, data has %d dimension%s", s->n,
                 inlay_plural(s->n, "y", "ies"), rank, inlay_plural(rank, "", "s"));
        return false;
    }
    for (int i = 0; i < s->n; i++) {
        int64_t a = s->axes ? s->axes[i] : i;

        if (a < -rank || a >= rank) {
            snprintf(why, size, "%s[%d] is %" PRId64 ", it must be in [%d, %d]", s->axes_name, i, a,
                     -rank, rank - 1);
            return false;
        }
        axis[i] = (int)(a < 0 ? a + rank : a);
        if (seen[axis[i]]) {
            snprintf(why, size, "%s[%d] is %" PRId64 ": axis %d is repeated", s->axes_name, i, a,
                     axis[i]);
            return false;
        }
        seen[axis[i]] = true;
        if (s->step && s->step[i] == 0) {
            snprintf(why, size, "%s[%d] is 0, it must not be zero", s->step_name, i);
            return false;
        }
    }
    return true;
}

bool inlay_slice_windows(const inlay_slice *s, int rank, const int64_t *dims, inlay_window *out,
                         char *why, size_t size)
{
    int axis[INLAY_MAX_RANK];

    if (!inlay_slice_axes(s, rank, axis, why, size))
        return false;
    for (int i = 0; i < rank; i++)
        out[i] = (inlay_window){0, dims[i], 1};
    for (int i = 0; i < s->n; i++) {
        out[axis[i]] = inlay_window_normalise(s->start[i], s->stop[i], s->step ? s->step[i] : 1,
                                              dims[axis[i]]);
    }
    return true;
}
