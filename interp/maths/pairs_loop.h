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
 *     PER_LN2, PART, PART_LOW, POLY, NEAR  the numbers of its table of powers
 *
 * and power, left, inverse, smaller, load, store and are_sure.
 *
 * Each function sets LOW and HIGH to its value at X rounded from below and from above, for both
 * vectors: one advances while the other waits. */

#define BOTH for (int i = 0; i < 2; i++)

/* Sets T, W and S so that T (W + S) is exp(x), or exp(-x): that x is n ln2 / parts + r with the
 * smallest r. With a float PART for ln2 / parts a fused product gives r exactly. d is the error of
 * PART, n PART_LOW, plus that of the float T for 2^(n / parts):
 *
 *     exp(x) = T (1 + r + s),  s = d (1 + r) + (exp(r) - 1 - r)
 *
 * 1 + r is a float W and a remainder, which S includes. */
WIDTH_INLINE void PAIRS(powers)(vec *t, vec *w, vec *s, const vec *x, bool negative)
{
    vec shifted[2], n[2], r[2], d[2];

    BOTH shifted[i] = FUSED(x[i], ALL(negative ? -PER_LN2 : PER_LN2), ALL(PAIRS_SHIFT));
    BOTH n[i] = shifted[i] - ALL(PAIRS_SHIFT);
    BOTH r[i] = negative ? MINUS(n[i], ALL(PART), x[i]) : LESS(n[i], ALL(PART), x[i]);
    BOTH d[i] = LESS(n[i], ALL(PART_LOW), PAIRS(left)(shifted[i]));
    BOTH w[i] = ALL(1) + r[i];
    BOTH s[i] = FUSED(d[i], w[i], r[i] - (w[i] - ALL(1)));
    BOTH s[i] = FUSED(r[i] * r[i], POLY(ALL, STEP, r[i]), s[i]);
    BOTH t[i] = PAIRS(power)(shifted[i]);
}

/* The error is that of S: what POLY is less than it should be, and what is rounded, also where S is
 * tiny or below 0. */
WIDTH_INLINE void PAIRS(exp)(vec *low, vec *high, const vec *x)
{
    vec t[2], w[2], s[2];

    PAIRS(powers)(t, w, s, x, false);
    BOTH low[i] = FUSED(t[i], w[i], t[i] * s[i]);
    BOTH s[i] = FUSED(s[i], ALL(1 + 2 * MATHS_EXP_UNSURE), ALL(0x1p-38F));
    BOTH high[i] = FUSED(t[i], w[i], t[i] * s[i]);
}

/* Sets Q and RHO so that q (1 + rho) is 1 / (1 + exp(-x)): the divisor is a sum of floats d + more;
 * with an estimate q of 1 / d and p = 1 - q (d + more), rho is p + p^2. */
WIDTH_INLINE void PAIRS(inverses)(vec *q, vec *rho, const vec *x)
{
    vec v[2], t[2], w[2], s[2], d[2], more[2];

    BOTH v[i] = PAIRS(smaller)(ALL(30), x[i]);
    PAIRS(powers)(t, w, s, v, true);
    BOTH d[i] = FUSED(t[i], w[i], ALL(1));
    BOTH more[i] = FUSED(t[i], s[i], FUSED(t[i], w[i], ALL(1) - d[i]));
    BOTH q[i] = PAIRS(inverse)(d[i]);
    BOTH rho[i] = LESS(q[i], more[i], LESS(q[i], d[i], ALL(1)));
    BOTH rho[i] = FUSED(rho[i], rho[i], rho[i]);
}

WIDTH_INLINE void PAIRS(sigmoid)(vec *low, vec *high, const vec *x)
{
    vec q[2], rho[2];

    PAIRS(inverses)(q, rho, x);
    BOTH low[i] = FUSED(q[i], rho[i] - ALL(NEAR), q[i]);
    BOTH high[i] = FUSED(q[i], rho[i] + ALL(NEAR), q[i]);
}

/* x sigmoid(x): x q (1 + rho) is a difference of floats y - z, and z is not -0, so that -0 stays.
 */
WIDTH_INLINE void PAIRS(silu)(vec *low, vec *high, const vec *x)
{
    vec q[2], rho[2], y[2], z[2];

    PAIRS(inverses)(q, rho, x);
    BOTH y[i] = x[i] * q[i];
    BOTH z[i] = LESS(y[i], rho[i], LESS(x[i], q[i], y[i]));
    BOTH low[i] = y[i] - FUSED(y[i], ALL(NEAR), z[i]);
    BOTH high[i] = y[i] - LESS(y[i], ALL(NEAR), z[i]);
}

/* Defines what computes a part of a row of NAME, whose x are from LEAST to MOST. */
#define PAIRS_PART(name, plain, take, least, most)                                                 \
    WIDTH_INLINE void AT(name##_part)(float *to, const float *from, double a, double b)            \
    {                                                                                              \
        vec x[2], low[2], high[2];                                                                 \
                                                                                                   \
        BOTH x[i] = take(PAIRS(load)(from + i * PAIRS(LANES)));                                    \
        PAIRS(name)(low, high, x);                                                                 \
        if (PAIRS(are_sure)(x, low, high, least, most))                                            \
            BOTH PAIRS(store)(to + i * PAIRS(LANES), low[i]);                                      \
        else                                                                                       \
            AT(plain##_plain)(to, from, AT(PART), a, b);                                           \
    }
#define AS_IT_IS(x) (x)
#define LESS_A(x) ((x)-ALL((float)a))

/* Beyond the ends of exp d is so large that its error has an effect, and T s may underflow; beyond
 * those of the others 1 has no bit in the sum of 1 and an exponential. */
PAIRS_PART(exp, exp, LESS_A, -56, 56)
PAIRS_PART(sigmoid, sigmoid, AS_IT_IS, -16, INFINITY)
PAIRS_PART(silu, swish, AS_IT_IS, -16, INFINITY)
WIDTH_ROW(exp)
WIDTH_ROW(sigmoid)
WIDTH_ROW(silu)

static void AT(swish_row)(float *to, const float *from, int64_t n, double a, double b)
{
    (a == 1 ? AT(silu_row) : AT(swish_any_row))(to, from, n, a, b);
}

/* Element I of a row is added to lane I % MATHS_LANES. */
static WIDTH_CODE float AT(exp_sum)(float *to, const float *from, int64_t n, float less, float *was,
                                    float by)
{
    vec sum[MATHS_LANES / PAIRS(LANES)] = {ALL(0)};
    float lane[MATHS_LANES], last[AT(PART)];
    int64_t i = 0;

    for (; i + AT(PART) <= n; i += AT(PART)) {
        AT(exp_part)(to + i, from + i, less, 0);
        for (int k = 0; k < AT(PART); k += PAIRS(LANES)) {
            sum[k % MATHS_LANES / PAIRS(LANES)] += PAIRS(load)(to + i + k);
            if (was)
                PAIRS(store)(was + i + k, PAIRS(load)(was + i + k) / ALL(by));
        }
    }
    memcpy(lane, sum, sizeof lane);
    if (was)
        divide(was + i, n - i, by);
    if (i < n) {
        for (int k = 0; k < AT(PART); k++)
            last[k] = k < n - i ? from[i + k] : less;
        AT(exp_part)(last, last, less, 0);
        memcpy(to + i, last, (size_t)(n - i) * sizeof *last);
        add_lanes(lane, last, n - i);
    }
    return sum_of_lanes(lane);
}

#undef PAIRS_PART
#undef AS_IT_IS
#undef LESS_A
#undef BOTH
