/* Small windows with vectors of VECTOR_BYTES: included by near.c. TARGET names the instruction set;
 * EVEN and ODD list every second lane of two vectors; LARGER is V where it is larger than U, and
 * else U; ADD_ODD is its first operand, and all bits of lanes where V or U is NaN. MASK is a
 * choice of lanes; LANES(from, to) makes one. LOAD_SOME loads these lanes, and takes others from V,
 * without reading there; STORE_SOME stores the first N lanes. */

typedef float NAME(vector)
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(float)), may_alias));
typedef int32_t NAME(lanes) __attribute__((vector_size(VECTOR_BYTES)));

enum { NAME(width) = VECTOR_BYTES / sizeof(float) };

#define INLINE static inline TARGET __attribute__((always_inline))

#include "interp/library/end_loop.h"

/* For each place of a row and each vector the lanes that see the data: of one vector, or of two. */
typedef MASK NAME(masks)[MOST_SIDE][MOST_BESIDE][2];

static inline int NAME(lane_at)(int64_t i)
{
    return i < 0 ? 0 : i < NAME(width) ? (int)i : NAME(width);
}

static TARGET __attribute__((noinline)) void
NAME(find_masks)(const field_axis *a, const int64_t *at, int n, NAME(masks) m)
{
    for (int64_t k = 0; k < a->kernel; k++) {
        for (int j = 0; j < n; j++) {
            int64_t first = at[j] * a->stride + k - a->pad;

            for (int i = 0; i < a->stride; i++, first += NAME(width)) {
                int from = NAME(lane_at)(-first), to = NAME(lane_at)(a->large - first);

                m[k][j][i] = LANES(from, to > from ? to : from);
            }
        }
    }
}

/* Sets V to the elements of row X that places K of SIDE, and with a stride of 2 the next place, of
 * the columns from AT on read: V[0] and V[1]. AROUND in the padding, which is at most half of a
 * window. ENDS: the row has one there. */
INLINE void NAME(see)(const field_axis *a, const float *x, int64_t at, const MASK *m, int k,
                      int side, int stride, float around, bool ends, NAME(vector) * v)
{
    const int64_t width = NAME(width);
    int64_t first = at * stride + k - a->pad;
    const NAME(vector) others = FUSED_ALL(NAME(vector), around);
    NAME(vector) u[2];

    if (ends || (k < side / 2 && first < 0) || first + stride * width > a->large) {
        u[0] = LOAD_SOME(x + first, m[0], others);
        if (stride > 1)
            u[1] = LOAD_SOME(x + first + width, m[1], others);
    } else {
        u[0] = *(const NAME(vector) *)(x + first);
        if (stride > 1)
            u[1] = *(const NAME(vector) *)(x + first + width);
    }
    if (stride > 1) {
        v[0] = __builtin_shufflevector(u[0], u[1], EVEN);
        v[1] = __builtin_shufflevector(u[0], u[1], ODD);
    } else {
        v[0] = u[0];
    }
}

/* Adds what the columns of N vectors, which begin at AT, see of row X of the data to the rows of
 * the result that see it, the latest first, as row PHASE of their factors, or as one that is a
 * multiple of the stride further. APART: each vector is one of the next channel. */
INLINE void NAME(add_row)(const struct own *w, const float *x, const int64_t *at, NAME(masks) m,
                          int n, int side, int stride, int phase, bool apart,
                          NAME(vector) (*sums)[MOST_BESIDE])
{
    FUSED_UNROLLED
    for (int k = 0; k < side; k += stride) {
        NAME(vector) v[MOST_BESIDE][2];

        FUSED_UNROLLED
        for (int j = 0; j < n; j++)
            NAME(see)
        (&w->across, x + (apart ? j * w->n.x_pitch : 0), at[j], m[k][j], k, side, stride, 0, apart,
         v[j]);
        FUSED_UNROLLED
        for (int p = 0; p < stride; p++) {
            if (k + p == side)
                continue;
            FUSED_UNROLLED
            for (int i = (side - 1 - phase) / stride; i >= 0; i--) {
                FUSED_UNROLLED
                for (int j = 0; j < n; j++)
                    FUSED_ADD(NAME(fused), sums[i][j],
                              FUSED_ALL(NAME(vector), w->n.f[(apart ? j * w->n.f_pitch : 0) +
                                                             (phase + i * stride) * side + k + p]),
                              v[j][p]);
            }
        }
    }
}

/* The same for maxima: that of the row is found first. Lanes of ODD are set where it has a NaN. */
INLINE void NAME(compare_row)(const struct own *w, const float *x, const int64_t *at, NAME(masks) m,
                              int n, int side, int stride, int phase,
                              NAME(vector) (*sums)[MOST_BESIDE], NAME(lanes) * odd)
{
    FUSED_UNROLLED
    for (int j = 0; j < n; j++) {
        NAME(vector) row = FUSED_ALL(NAME(vector), -INFINITY), v[2];

        FUSED_UNROLLED
        for (int k = 0; k < side; k += stride) {
            NAME(see)(&w->across, x, at[j], m[k][j], k, side, stride, -INFINITY, false, v);
            row = LARGER(v[0], row);
            if (stride > 1 && k + 1 < side)
                row = LARGER(v[1], row);
            *odd = ADD_ODD(*odd, v[0], v[stride > 1 && k + 1 < side]);
        }
        FUSED_UNROLLED
        for (int i = (side - 1 - phase) / stride; i >= 0; i--)
            sums[i][j] = LARGER(row, sums[i][j]);
    }
}

/* Stores N vectors, which begin at AT, in row Q of the result. If they are divided, lanes of ODD
 * are set where a sum is not finite. */
INLINE void NAME(keep)(const struct own *w, const NAME(vector) * sums, const int64_t *at, int n,
                       int64_t q, bool most, bool apart, NAME(lanes) * odd)
{
    const int64_t cols = w->across.small;
    tile_end end = w->end;

    FUSED_UNROLLED
    for (int j = 0; j < n; j++) {
        NAME(vector) v = sums[j];
        float *y = w->n.y + (apart ? j * w->n.y_pitch : 0) + q * cols;

        if (!most)
            v = NAME(end)(w->n.end ? &end : NULL, v + 0 /* of -0 */);
        if (apart && end.add)
            end.add++;
        if (!most && w->n.rows) {
            *odd |= (v - v) != 0;
            v /= FUSED_ALL(NAME(vector), w->n.rows[q]) * *(const NAME(vector) *)(w->n.cols + at[j]);
        }
        if (cols >= NAME(width))
            *(NAME(vector) *)(y + at[j]) = v;
        else
            STORE_SOME(y, cols, v);
    }
}

/* Begins row Q of the result. */
INLINE void NAME(begin)(const struct own *w, const int64_t *at, int n, int64_t q, bool most,
                        NAME(vector) * sums)
{
    const NAME(vector) first = FUSED_ALL(NAME(vector), most ? -INFINITY : 0);
    int64_t cols = w->across.small;
    const float *y = w->n.y + q * cols;
    MASK m = LANES(0, NAME(lane_at)(cols));

    FUSED_UNROLLED
    for (int j = 0; j < n; j++) {
        sums[j] = first;
        if (most && w->n.goes_on && q < w->down.small)
            sums[j] = LOAD_SOME(y + at[j], m, first);
    }
}

/* Computes the columns of N vectors, which begin at AT and have the masks SEEN: of one channel or,
 * if they are APART, the same columns of N channels. All but W, AT and SEEN are constants where
 * this is inlined, so that sums are kept in registers: those of the row that begins, of the ones
 * before, and of the one that ends. */
INLINE bool NAME(plane)(const near_field *w, const int64_t *at, NAME(masks) seen, int n, int side,
                        int stride, bool most, bool apart)
{
    const struct own own = {.n = *w,
                            .down = w->w->axis[1],
                            .across = w->w->axis[2],
                            .end = w->end ? *w->end : (tile_end){.add = NULL}};
    const field_axis *a = &own.down;
    const int live = (side - 1) / stride;
    NAME(vector) sums[MOST_LIVE][MOST_BESIDE] = {{{0}}};
    NAME(lanes) odd = {0}, found;
    int32_t some = 0;
    NAME(masks) m;

    FUSED_UNROLLED
    for (int k = 0; k < side; k++) {
        FUSED_UNROLLED
        for (int j = 0; j < n; j++) {
            m[k][j][0] = seen[k][apart ? 0 : j][0];
            if (stride > 1)
                m[k][j][1] = seen[k][apart ? 0 : j][1];
        }
    }
    for (int64_t q = -live, row = -a->pad; q < a->small; q++, row += stride) {
        NAME(begin)(&own, at, n, q + live, most, sums[0]);
        FUSED_UNROLLED
        for (int phase = 0; phase < stride; phase++) {
            const float *x = own.n.x + (row + phase) * own.across.large;
            bool there = row + phase >= 0 && row + phase < a->large;

            if (there && most)
                NAME(compare_row)(&own, x, at, m, n, side, stride, phase, sums, &odd);
            else if (there)
                NAME(add_row)(&own, x, at, m, n, side, stride, phase, apart, sums);
            if (phase == (side - 1) % stride && q >= 0)
                NAME(keep)(&own, sums[live], at, n, q, most, apart, &odd);
        }
        FUSED_UNROLLED
        for (int j = 0; j < n; j++) {
            FUSED_UNROLLED
            for (int i = live; i > 0; i--)
                sums[i][j] = sums[i - 1][j];
        }
    }
    if (!most && !own.n.rows)
        return true;
    found = odd;
    for (int i = 0; i < NAME(width); i++)
        some |= found[i];
    return some == 0;
}

/* The same for all channels. Sums of one vector would wait for themselves, so those of several
 * channels are computed side by side, unless windows have so many rows that they need not. */
INLINE bool NAME(columns)(const near_field *w, const int64_t *at, int n, int side, int stride,
                          bool most)
{
    const int beside = most || side < 3 || side > 5 ? 1 : stride > 1 && side < 5 ? MOST_BESIDE : 2;
    const int64_t same[MOST_BESIDE] = {at[0], at[0], at[0], at[0]};
    near_field one = *w;
    tile_end end = w->end ? *w->end : (tile_end){.add = NULL};
    bool finite = true;
    NAME(masks) m;

    NAME(find_masks)(&w->w->axis[2], at, n, m);
    one.end = w->end ? &end : NULL;
    for (int64_t i = 0, some; i < (w->planes > 1 ? w->planes : 1); i += some) {
        some = n == 1 && w->planes - i >= beside ? beside : 1;
        if (n == 1 && beside > 1 && some > 1)
            finite &= NAME(plane)(&one, same, m, beside, side, stride, false, true);
        else
            finite &= NAME(plane)(&one, at, m, n, side, stride, most, false);
        one.x += some * one.x_pitch;
        one.f = one.f ? one.f + some * one.f_pitch : NULL;
        one.y += some * one.y_pitch;
        end.add = end.add ? end.add + some : NULL;
    }
    return finite;
}

/* Computes all columns, some vectors at a time. The last vector begins early enough to be full, if
 * there is room: columns that it shares with the one before are computed twice, with the same
 * result. */
INLINE bool NAME(compute)(const near_field *w, int side, int stride, bool most)
{
    const int64_t cols = w->w->axis[2].small, width = NAME(width);
    const int64_t last = cols < width ? 0 : cols - width;
    const int beside = side <= 3 ? MOST_BESIDE : 2;
    bool finite = true;

    for (int64_t from = 0, n; from < cols; from += n * width) {
        int64_t at[MOST_BESIDE];

        n = beside > 2 && cols - from > 3 * width ? beside : cols - from > width ? 2 : 1;
        for (int64_t j = 0; j < n; j++)
            at[j] = from + j * width < last ? from + j * width : last;
        if (n > 2)
            finite &= NAME(columns)(w, at, beside, side, stride, most);
        else if (n > 1)
            finite &= NAME(columns)(w, at, 2, side, stride, most);
        else
            finite &= NAME(columns)(w, at, 1, side, stride, most);
    }
    return finite;
}

#define COMPUTE(side, stride)                                                                      \
    static TARGET bool NAME(sum_##side##_##stride)(const near_field *w)                            \
    {                                                                                              \
        return NAME(compute)(w, side, stride, false);                                              \
    }                                                                                              \
    static TARGET bool NAME(most_##side##_##stride)(const near_field *w)                           \
    {                                                                                              \
        return NAME(compute)(w, side, stride, true);                                               \
    }
EACH_WINDOW(COMPUTE)
#undef COMPUTE

#define SUM(side, stride) NAME(sum_##side##_##stride),
#define MOST(side, stride) NAME(most_##side##_##stride),
static compute_fn *const NAME(sum)[] = {EACH_WINDOW(SUM)};
static compute_fn *const NAME(most)[] = {EACH_WINDOW(MOST)};
#undef SUM
#undef MOST
#undef INLINE
#undef MASK
#undef LANES
#undef LOAD_SOME
#undef STORE_SOME
#undef LARGER
#undef ADD_ODD
#undef EVEN
#undef ODD
#undef TARGET
#undef VECTOR_BYTES
#undef NAME
