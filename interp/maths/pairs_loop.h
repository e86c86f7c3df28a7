/* Functions of rows in pairs of floats with fused products, for one width. Private to
 * interp/maths/.
 *
 * wide.h includes this file for each width, and defines
 *
 *     PAIRS(name)     the name for the width; AT, WIDTH_INLINE, WIDTH_CODE, WIDTH_ROW: see wide.h
 *     vec             a vector of floats
 *     FUSED(a, b, c)  a b + c, rounded once; LESS(a, b, c): c - a b; MINUS(a, b, c): -c - a b
 *     ALL(c)          a vector of C
 *     STEP(y, x, c)   y x + c for a number C
 *     SIDE, SUM_SIDE, MOST_SIDE  how many vectors are computed side by side: one advances while
 *                     others wait; the last of them for long functions of long rows
 *     PER_LN2, PART, PART_LOW, POLY, UNSURE, LEFT, LEFT_LESS  the numbers of its table of powers
 *
 * and what it says of single vectors and lanes.
 *
 * Each function sets LOW and HIGH to its value at X rounded from below and from above, for COUNT
 * vectors. Where these differ, lanes are mended one by one. Sums and differences use another part
 * of the processor than products, so that the two are worth as many instructions of each. */

#define UP_TO(n) for (int i = 0; i < (n); i++)
#define OF_ALL UP_TO(count)

/* Sets T, R and S so that T (1 + R + S) is exp(x), or exp(-x): that x is n ln2 / parts + r with the
 * smallest r. With a float PART for ln2 / parts a fused product gives r exactly. d is the error of
 * PART, n PART_LOW, plus that of the float T for 2^(n / parts):
 *
 *     exp(x) = T (1 + r + s),  s = d (1 + r) + (exp(r) - 1 - r) */
WIDTH_INLINE void PAIRS(powers)(vec *t, vec *r, vec *s, const vec *x, const float *left,
                                bool negative, int count)
{
    vec shifted[MOST_SIDE], n[MOST_SIDE], d[MOST_SIDE];

    OF_ALL shifted[i] = FUSED(x[i], ALL(negative ? -PER_LN2 : PER_LN2), ALL(PAIRS_SHIFT));
    OF_ALL n[i] = shifted[i] - ALL(PAIRS_SHIFT);
    OF_ALL r[i] = negative ? MINUS(n[i], ALL(PART), x[i]) : LESS(n[i], ALL(PART), x[i]);
    OF_ALL d[i] = LESS(n[i], ALL(PART_LOW), PAIRS(left)(shifted[i], left));
    OF_ALL s[i] = FUSED(r[i], POLY(ALL, STEP, r[i]), d[i]);
    OF_ALL s[i] = FUSED(r[i], s[i], d[i]);
    OF_ALL t[i] = PAIRS(power)(shifted[i]);
}

/* Sets H to a float near exp(x), or exp(-x), and E to what that is more. */
WIDTH_INLINE void PAIRS(exps)(vec *h, vec *e, const vec *x, const float *left, bool negative,
                              int count)
{
    vec t[MOST_SIDE], r[MOST_SIDE], s[MOST_SIDE];

    PAIRS(powers)(t, r, s, x, left, negative, count);
    OF_ALL h[i] = FUSED(t[i], r[i], t[i]);
    OF_ALL e[i] = FUSED(t[i], r[i], t[i] - h[i]);
    OF_ALL e[i] = FUSED(t[i], s[i], e[i]);
}

WIDTH_INLINE void PAIRS(exp)(vec *low, vec *high, const vec *x, int count)
{
    vec h[MOST_SIDE], e[MOST_SIDE];

    PAIRS(exps)(h, e, x, LEFT_LESS, false, count);
    OF_ALL low[i] = h[i] + e[i];
    OF_ALL high[i] = h[i] + FUSED(h[i], ALL(2 * UNSURE), e[i]);
}

/* Sets Q and RHO so that q (1 + rho) is 1 / (d + more): with an estimate q of 1 / d and p = 1 - q (d
 * + more), rho is p + p^2. */
WIDTH_INLINE void PAIRS(inverses)(vec *q, vec *rho, const vec *d, const vec *more, int count)
{
    OF_ALL q[i] = PAIRS(inverse)(d[i]);
    OF_ALL rho[i] = LESS(q[i], more[i], LESS(q[i], d[i], ALL(1)));
    OF_ALL rho[i] = FUSED(rho[i], rho[i], rho[i]);
}

/* Sets Q and RHO so that q (1 + rho) is 1 / (1 + exp(-x)). */
WIDTH_INLINE void PAIRS(shares)(vec *q, vec *rho, const vec *x, int count)
{
    vec v[MOST_SIDE], h[MOST_SIDE], e[MOST_SIDE], d[MOST_SIDE];

    OF_ALL v[i] = PAIRS(smaller)(ALL(30), x[i]);
    PAIRS(exps)(h, e, v, LEFT, true, count);
    OF_ALL d[i] = h[i] + ALL(1);
    OF_ALL e[i] += h[i] - (d[i] - ALL(1));
    PAIRS(inverses)(q, rho, d, e, count);
}

WIDTH_INLINE void PAIRS(sigmoid)(vec *low, vec *high, const vec *x, int count)
{
    vec q[MOST_SIDE], rho[MOST_SIDE];

    PAIRS(shares)(q, rho, x, count);
    OF_ALL low[i] = FUSED(q[i], rho[i] - ALL(UNSURE), q[i]);
    OF_ALL high[i] = FUSED(q[i], rho[i] + ALL(UNSURE), q[i]);
}

/* x sigmoid(x): x q (1 + rho) is a difference of floats y - z, and z is not -0, so that -0 stays.
 */
WIDTH_INLINE void PAIRS(silu)(vec *low, vec *high, const vec *x, int count)
{
    vec q[MOST_SIDE], rho[MOST_SIDE], y[MOST_SIDE], z[MOST_SIDE];

    PAIRS(shares)(q, rho, x, count);
    OF_ALL y[i] = x[i] * q[i];
    OF_ALL z[i] = LESS(y[i], rho[i], LESS(x[i], q[i], y[i]));
    OF_ALL low[i] = y[i] - FUSED(y[i], ALL(UNSURE), z[i]);
    OF_ALL high[i] = y[i] - LESS(y[i], ALL(UNSURE), z[i]);
}

/* m / (m + 2), m = exp(2 |x|) - 1. The error of m is at most that of exp(2 |x|), which changes the
 * result by at most a quarter of UNSURE. Where n is 0 it is only that of s: three roundings of r^2 /
 * 2. */
WIDTH_INLINE void PAIRS(tanh)(vec *low, vec *high, const vec *x, int count)
{
    vec m[MOST_SIDE], t[MOST_SIDE], r[MOST_SIDE], s[MOST_SIDE], h[MOST_SIDE], e[MOST_SIDE],
        d[MOST_SIDE], y[MOST_SIDE];

    OF_ALL m[i] = PAIRS(smaller)(ALL(9.5F), PAIRS(absolute)(x[i]));
    OF_ALL m[i] += m[i];
    PAIRS(powers)(t, r, s, m, LEFT, false, count);
    OF_ALL m[i] = t[i] - ALL(1);
    OF_ALL d[i] = r[i] + s[i];
    OF_ALL s[i] += r[i] - d[i];
    OF_ALL h[i] = FUSED(t[i], d[i], m[i]);
    OF_ALL e[i] = FUSED(t[i], s[i], FUSED(t[i], d[i], m[i] - h[i]));
    OF_ALL d[i] = h[i] + ALL(2);
    OF_ALL s[i] = e[i] + (PAIRS(smaller)(ALL(2), h[i]) - (d[i] - PAIRS(larger)(ALL(2), h[i])));
    OF_ALL y[i] = h[i] / d[i];
    OF_ALL e[i] = LESS(y[i], s[i], LESS(y[i], d[i], h[i]) + e[i]) * PAIRS(inverse)(d[i]);
    OF_ALL m[i] =
        PAIRS(smaller)(ALL(0.5F * UNSURE), y[i] * FUSED(y[i], ALL(0x1.ap-23F), ALL(0x1p-36F)));
    OF_ALL low[i] = PAIRS(with_sign)(y[i] + (e[i] - m[i]), x[i]);
    OF_ALL high[i] = PAIRS(with_sign)(y[i] + (e[i] + m[i]), x[i]);
}

/* Sets those lanes of Y which are in WHICH to what the function of maths.h says of X. Below ZERO that
 * is 0: rows with a mask have many such numbers. */
#define PAIRS_MEND(plain, a, zero)                                                                 \
    static WIDTH_CODE vec PAIRS(plain##_mend)(vec y, vec x, uint32_t which)                        \
    {                                                                                              \
        float part[PAIRS(LANES)];                                                                  \
                                                                                                   \
        y = PAIRS(where_not_below)(y, x, zero);                                                    \
        which &= ~PAIRS(lanes_below)(x, zero);                                                     \
        if (__builtin_popcount(which) > 2) {                                                       \
            PAIRS(store)(part, x);                                                                 \
            AT(plain##_plain)(part, part, PAIRS(LANES), a, 1);                                     \
            return PAIRS(load)(part);                                                              \
        }                                                                                          \
        for (; which; which &= which - 1) {                                                        \
            int k = __builtin_ctz(which);                                                          \
                                                                                                   \
            y = PAIRS(with_lane)(y, k, AT(plain##_one)(PAIRS(lane)(x, k), a, 1));                  \
        }                                                                                          \
        return y;                                                                                  \
    }

/* Defines what sets COUNT vectors Y to NAME of X, which is from LEAST to MOST, or is mended. */
#define PAIRS_VALUES(name, plain, least, most)                                                     \
    WIDTH_INLINE void PAIRS(name##_values)(vec * y, const vec *x, int count)                       \
    {                                                                                              \
        vec high[MOST_SIDE];                                                                       \
                                                                                                   \
        PAIRS(name)(y, high, x, count);                                                            \
        if (__builtin_expect(PAIRS(are_sure)(x, y, high, least, most, count), 1))                  \
            return;                                                                                \
        OF_ALL                                                                                     \
        {                                                                                          \
            uint32_t which = PAIRS(unsure)(x[i], y[i], high[i], least, most);                      \
                                                                                                   \
            if (which)                                                                             \
                y[i] = PAIRS(plain##_mend)(y[i], x[i], which);                                     \
        }                                                                                          \
    }

/* In a row of NAME, of x LESS something, and then the product TIMES something: COUNT vectors at once
 * as long as there are so many. */
#define PAIRS_PARTS(name, count, less, times)                                                      \
    for (; at + (count)*PAIRS(LANES) <= n; at += (count)*PAIRS(LANES)) {                           \
        UP_TO(count) x[i] = PAIRS(load)(from + at + i * PAIRS(LANES)) less;                        \
        PAIRS(name##_values)(y, x, count);                                                         \
        UP_TO(count) PAIRS(store)(to + at + i * PAIRS(LANES), y[i] times);                         \
    }

/* Defines the row ROW of NAME: of MANY vectors at once, of SIDE, of one, and of the last elements. */
#define PAIRS_ROW(row, name, many, less, times)                                                    \
    static WIDTH_CODE void AT(row##_row)(float *to, const float *from, int64_t n, double a,        \
                                         double b)                                                 \
    {                                                                                              \
        vec x[MOST_SIDE], y[MOST_SIDE];                                                            \
        int64_t at = 0;                                                                            \
                                                                                                   \
        (void)a, (void)b;                                                                          \
        PAIRS_PARTS(name, many, less, times)                                                       \
        if ((many) > SIDE)                                                                         \
            PAIRS_PARTS(name, SIDE, less, times)                                                   \
        for (int i = 0; at < n; at += PAIRS(LANES)) {                                              \
            x[0] = PAIRS(load_or)(from + at, n - at, (float)a) less;                               \
            PAIRS(name##_values)(y, x, 1);                                                         \
            PAIRS(store_some)(to + at, y[i] times, n - at);                                        \
        }                                                                                          \
    }

PAIRS_MEND(exp, 0, -104)
PAIRS_MEND(sigmoid, 0, -104)
PAIRS_MEND(swish, 1, -INFINITY)
PAIRS_MEND(tanh, 0, -INFINITY)

/* Beyond the ends of exp d is so large that its error has an effect, and T s may underflow; beyond
 * those of the others 1 has no bit in the sum of 1 and an exponential. */
PAIRS_VALUES(exp, exp, -56, 56)
PAIRS_VALUES(sigmoid, sigmoid, -16, INFINITY)
PAIRS_VALUES(silu, swish, -16, INFINITY)
PAIRS_VALUES(tanh, tanh, -INFINITY, INFINITY)

PAIRS_ROW(exp_less, exp, SIDE, -ALL((float)a), )
PAIRS_ROW(exp_of, exp, SIDE, , )
PAIRS_ROW(sigmoid, sigmoid, MOST_SIDE, , )
PAIRS_ROW(gate, sigmoid, MOST_SIDE, , *x[i])
PAIRS_ROW(silu, silu, MOST_SIDE, , )
PAIRS_ROW(tanh, tanh, MOST_SIDE, , )

static void AT(exp_row)(float *to, const float *from, int64_t n, double a, double b)
{
    (a == 0 ? AT(exp_of_row) : AT(exp_less_row))(to, from, n, a, b);
}

static void AT(swish_row)(float *to, const float *from, int64_t n, double a, double b)
{
    (a == 1 ? AT(silu_row) : AT(swish_any_row))(to, from, n, a, b);
}

/* The largest of FROM; NaNs do not count. */
WIDTH_INLINE float PAIRS(largest)(const float *from, int64_t n)
{
    vec most[2] = {ALL(-INFINITY), ALL(-INFINITY)};
    int64_t at = 0;

    for (; at + 2 * PAIRS(LANES) <= n; at += 2 * PAIRS(LANES))
        UP_TO(2) most[i] = PAIRS(larger)(PAIRS(load)(from + at + i * PAIRS(LANES)), most[i]);
    for (; at < n; at += PAIRS(LANES))
        most[0] = PAIRS(larger)(PAIRS(load_or)(from + at, n - at, -INFINITY), most[0]);
    return PAIRS(largest_lane)(PAIRS(larger)(most[0], most[1]));
}

static WIDTH_CODE float AT(largest)(const float *from, int64_t n)
{
    return PAIRS(largest)(from, n);
}

/* Divides the N elements of Y by BY. */
WIDTH_INLINE void PAIRS(divide)(float *y, int64_t n, vec by)
{
    int64_t at = 0;

    for (; at + PAIRS(LANES) <= n; at += PAIRS(LANES))
        PAIRS(store)(y + at, PAIRS(load)(y + at) / by);
    if (at < n)
        PAIRS(store_some)(y + at, PAIRS(load_some)(y + at, n - at) / by, n - at);
}

static WIDTH_CODE void AT(divide)(float *y, int64_t n, float by)
{
    PAIRS(divide)(y, n, ALL(by));
}

enum { PAIRS(SUMS) = MATHS_LANES / PAIRS(LANES), PAIRS(WHOLE) = SUM_SIDE * PAIRS(LANES) };

/* Sets the N elements of TO, COUNT vectors but for some lanes of the last one, to exp(x - LESS), and
 * adds element I to lane I % MATHS_LANES of SUM. Divides those of WAS by BY; NULL: there are none.
 */
WIDTH_INLINE void PAIRS(exp_part)(float *to, const float *from, int64_t n, int count, float less,
                                  vec *sum, float *was, vec by)
{
    const int whole = n == count * PAIRS(LANES) ? count : count - 1, last = whole * PAIRS(LANES);
    vec x[SUM_SIDE], y[SUM_SIDE];

    UP_TO(whole) x[i] = PAIRS(load)(from + i * PAIRS(LANES)) - ALL(less);
    if (whole < count)
        x[whole] = PAIRS(load_or)(from + last, n - last, less) - ALL(less);
    PAIRS(exp_values)(y, x, count);
    UP_TO(whole) sum[i % PAIRS(SUMS)] += y[i];
    UP_TO(whole) PAIRS(store)(to + i * PAIRS(LANES), y[i]);
    if (whole < count) {
        sum[whole % PAIRS(SUMS)] += PAIRS(first_of)(y[whole], n - last);
        PAIRS(store_some)(to + last, y[whole], n - last);
    }
    if (was)
        PAIRS(divide)(was, n, by);
}

/* The same for a row; LANE becomes the lanes. */
WIDTH_INLINE void PAIRS(exp_lanes)(float *to, const float *from, int64_t n, float less, float *lane,
                                   float *was, vec by)
{
    vec sum[PAIRS(SUMS)] = {ALL(0)};
    int64_t at = 0;

#define NEXT_PART(n, count)                                                                        \
    PAIRS(exp_part)(to + at, from + at, n, count, less, sum, was ? was + at : NULL, by)
#define LAST_PART(count) NEXT_PART(n - at, (count) < SUM_SIDE ? (count) : SUM_SIDE)
    for (; at + PAIRS(WHOLE) <= n; at += PAIRS(WHOLE))
        NEXT_PART(PAIRS(WHOLE), SUM_SIDE);
    if (n - at > 3 * PAIRS(LANES))
        LAST_PART(4);
    else if (n - at > 2 * PAIRS(LANES))
        LAST_PART(3);
    else if (n - at > PAIRS(LANES))
        LAST_PART(2);
    else if (n > at)
        LAST_PART(1);
    memcpy(lane, sum, sizeof sum);
#undef NEXT_PART
#undef LAST_PART
}

/* Rows are divided by their sums while the exponentials of those that follow are computed, whose
 * largest elements are found before, so that none waits for another. */
static WIDTH_CODE void AT(softmax)(char *to, ptrdiff_t to_pitch, const char *from,
                                   ptrdiff_t from_pitch, int64_t rows, int64_t n)
{
    float most[TOGETHER], sum[TOGETHER], lane[TOGETHER][MATHS_LANES] = {{0}};
    float *was[TOGETHER] = {NULL};

    for (; rows > 0; rows -= TOGETHER) {
        const float *x[TOGETHER];
        int count = rows < TOGETHER ? (int)rows : TOGETHER;

        for (int r = 0; r < count; r++, from += from_pitch) {
            x[r] = (const float *)(const void *)from;
            most[r] = PAIRS(largest)(x[r], n);
        }
        for (int r = 0; r < count; r++, to += to_pitch) {
            float *y = (float *)(void *)to;

            PAIRS(exp_lanes)(y, x[r], n, most[r], lane[r], was[r], ALL(was[r] ? sum[r] : 1));
            was[r] = y;
        }
        for (int r = count; r < TOGETHER; r++) {
            if (was[r])
                PAIRS(divide)(was[r], n, ALL(sum[r]));
            was[r] = NULL;
        }
        add_up(sum, lane);
    }
    for (int r = 0; r < TOGETHER && was[r]; r++)
        PAIRS(divide)(was[r], n, ALL(sum[r]));
}

/* Elements of which the difference X from the largest is 0 are counted, not added. */
static WIDTH_CODE float AT(exp_rest)(const float *from, int64_t n, float most)
{
    enum { SUMS = MATHS_LANES / PAIRS(LANES), WHOLE = SUM_SIDE * PAIRS(LANES) };
    vec sum[SUMS] = {ALL(0)};
    vec x[SUM_SIDE], y[SUM_SIDE];
    float lane[MATHS_LANES];
    int64_t at = 0, others = 0;

    for (; at + WHOLE <= n; at += WHOLE) {
        UP_TO(SUM_SIDE) x[i] = PAIRS(load)(from + at + i * PAIRS(LANES)) - ALL(most);
        PAIRS(exp_values)(y, x, SUM_SIDE);
        UP_TO(SUM_SIDE) others += PAIRS(add_others)(&sum[i % SUMS], x[i], y[i]);
    }
    for (int i = 0; at < n; i++, at += PAIRS(LANES)) {
        x[0] = PAIRS(load_or)(from + at, n - at, most) - ALL(most);
        PAIRS(exp_values)(y, x, 1);
        others += PAIRS(add_others)(&sum[SUMS == 1 ? 0 : i & 1], x[0], y[0]);
    }
    memcpy(lane, sum, sizeof lane);
    return sum_of_lanes(lane, (float)(n - others - 1));
}

#undef PAIRS_MEND
#undef PAIRS_VALUES
#undef PAIRS_ROW
#undef PAIRS_PARTS
#undef OF_ALL
#undef UP_TO
