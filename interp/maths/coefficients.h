/* Polynomials in double precision. Made by coefficients.py; private to interp/maths/.
 *
 * Each comment gives the approximated function, its range, and the largest error there. In macros,
 * which also work on vectors, FIRST(c) is c, and STEP(y, x, c) is y x + c.
 */
#ifndef INLAY_MATHS_COEFFICIENTS_H
#define INLAY_MATHS_COEFFICIENTS_H

#include <stdint.h>

/* (exp(r) - 1 - r - r^2 / 2) / r^3, for r from -0.3466 to 0.3466: within 2^-63. */
#define MATHS_POLY_EXP(FIRST, STEP, r)                                                             \
    STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(FIRST(0x1.61b2b7bfda516p-33), r,             \
                                                      0x1.1f7303a209f42p-29),                      \
                                                 r, 0x1.ae643449d0f5ep-26),                        \
                                            r, 0x1.27e4db64408f0p-22),                             \
                                       r, 0x1.71de3a590527dp-19),                                  \
                                  r, 0x1.a01a01a6d8972p-16),                                       \
                             r, 0x1.a01a01a019b2ap-13),                                            \
                        r, 0x1.6c16c16c162d4p-10),                                                 \
                   r, 0x1.1111111111111p-7),                                                       \
              r, 0x1.5555555555556p-5),                                                            \
         r, 0x1.5555555555555p-3)

/* (2 atanh(s) - 2 s) / s^3, z = s^2, for z from 1.0e-40 to 0.02945: within 2^-65. */
static inline double maths_poly_log(double z)
{
    double y = 0x1.e6b660fec7379p-4;

    y = y * z + 0x1.debe214e33b96p-4;
    y = y * z + 0x1.111d2b673d7e2p-3;
    y = y * z + 0x1.3b137b1bd652bp-3;
    y = y * z + 0x1.745d17d3a387ap-3;
    y = y * z + 0x1.c71c71c64bff9p-3;
    y = y * z + 0x1.249249249295dp-2;
    y = y * z + 0x1.9999999999998p-2;
    y = y * z + 0x1.5555555555555p-1;
    return y;
}

/* (sin(r) - r) / r^3, z = r^2, for z from 1.0e-40 to 0.618: within 2^-66. */
static inline double maths_poly_sin(double z)
{
    double y = -0x1.ab1635d19009bp-41;

    y = y * z + 0x1.61217c4c31493p-33;
    y = y * z - 0x1.ae64540f4d1dbp-26;
    y = y * z + 0x1.71de3a545e95cp-19;
    y = y * z - 0x1.a01a01a019927p-13;
    y = y * z + 0x1.1111111111110p-7;
    y = y * z - 0x1.5555555555555p-3;
    return y;
}

/* (cos(r) - 1 + z / 2) / z^2, z = r^2, for z from 1.0e-40 to 0.618: within 2^-70. */
static inline double maths_poly_cos(double z)
{
    double y = 0x1.ab76ea8ab6767p-45;

    y = y * z - 0x1.9394b79b331aap-37;
    y = y * z + 0x1.1eed8dea0c945p-29;
    y = y * z - 0x1.27e4fb7711f2ap-22;
    y = y * z + 0x1.a01a01a019d03p-16;
    y = y * z - 0x1.6c16c16c16c16p-10;
    y = y * z + 0x1.5555555555555p-5;
    return y;
}

/* (atan(t) - t) / t^3, z = t^2, for z from 1.0e-40 to 0.1717: within 2^-64. */
static inline double maths_poly_atan(double z)
{
    double y = -0x1.c7c2a937ca6fep-7;

    y = y * z + 0x1.f5c7f627c1866p-6;
    y = y * z - 0x1.5033bdf344ecap-5;
    y = y * z + 0x1.829ac6ea2558cp-5;
    y = y * z - 0x1.aebccb05d29e8p-5;
    y = y * z + 0x1.e1d8e103c7a90p-5;
    y = y * z - 0x1.1110ce9b3f808p-4;
    y = y * z + 0x1.3b13aea671ef0p-4;
    y = y * z - 0x1.745d17354bd3ep-4;
    y = y * z + 0x1.c71c71c6dd538p-4;
    y = y * z - 0x1.24924924920a6p-3;
    y = y * z + 0x1.9999999999997p-3;
    y = y * z - 0x1.5555555555555p-2;
    return y;
}

/* (asin(s) - s) / s^3, z = s^2, for z from 1.0e-40 to 0.2501: within 2^-63. */
static inline double maths_poly_asin(double z)
{
    double y = 0x1.f7b7e46af0ee8p-6;

    y = y * z - 0x1.8a435f5117258p-6;
    y = y * z + 0x1.720d0586f24a3p-6;
    y = y * z + 0x1.804c0240677f0p-12;
    y = y * z + 0x1.20548a3ca847dp-7;
    y = y * z + 0x1.0a9171f4c504ep-7;
    y = y * z + 0x1.40e47f482ed3fp-7;
    y = y * z + 0x1.7a70ab2bcdeadp-7;
    y = y * z + 0x1.c99b000e791f4p-7;
    y = y * z + 0x1.1c4ebd6df68b7p-6;
    y = y * z + 0x1.6e8ba31ce37bfp-6;
    y = y * z + 0x1.f1c71c70ed1adp-6;
    y = y * z + 0x1.6db6db6db7c96p-5;
    y = y * z + 0x1.333333333332dp-4;
    y = y * z + 0x1.5555555555555p-3;
    return y;
}

/* erf(s) / s - 1, z = s^2, for z from 1.0e-40 to 1.001: within 2^-62. */
#define MATHS_POLY_ERF(FIRST, STEP, z)                                                             \
    STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(STEP(FIRST(0x1.05e163d78b59bp-34), z,   \
                                                                -0x1.38925a42dec1ap-30),           \
                                                           z, 0x1.f7b14dc1f44f0p-27),              \
                                                      z, -0x1.5f1e7c06bb629p-23),                  \
                                                 z, 0x1.b9df193f1fdadp-20),                        \
                                            z, -0x1.f4d1e26a29ff5p-17),                            \
                                       z, 0x1.f9a321cd05c73p-14),                                  \
                                  z, -0x1.c02db3da7b2aep-11),                                      \
                             z, 0x1.565bcd0db9201p-8),                                             \
                        z, -0x1.b82ce31284d69p-6),                                                 \
                   z, 0x1.ce2f21a042b2ep-4),                                                       \
              z, -0x1.812746b0379e6p-2),                                                           \
         z, 0x1.06eba8214db69p-3)

/* exp(s^2) erfc(s), s = 3 (1 + t) / (1 - t), for t from -0.501 to 0.56: within 2^-64. */
#define MATHS_POLY_ERFC(FIRST, STEP, t)                                                                      \
    STEP(                                                                                                    \
        STEP(                                                                                                \
            STEP(                                                                                            \
                STEP(                                                                                        \
                    STEP(                                                                                    \
                        STEP(                                                                                \
                            STEP(                                                                            \
                                STEP(                                                                        \
                                    STEP(                                                                    \
                                        STEP(                                                                \
                                            STEP(                                                            \
                                                STEP(                                                        \
                                                    STEP(                                                    \
                                                        STEP(                                                \
                                                            STEP(                                            \
                                                                STEP(                                        \
                                                                    STEP(                                    \
                                                                        STEP(                                \
                                                                            STEP(                            \
                                                                                FIRST(                       \
                                                                                    -0x1.384619a664028p-28), \
                                                                                t,                           \
                                                                                0x1.3d855cc251ab0p-25),      \
                                                                            t,                               \
                                                                            0x1.27abe6b696d9dp-25),          \
                                                                        t,                                   \
                                                                        -0x1.eceb828ab8980p-23),             \
                                                                    t, -0x1.3ec0fc52098ebp-22),              \
                                                                t, 0x1.4fceeb2b0263cp-20),                   \
                                                            t, 0x1.1ca6dfcf9ca63p-19),                       \
                                                        t, -0x1.0bb13c9de586cp-17),                          \
                                                    t, -0x1.af87fe66e5bd1p-17),                              \
                                                t, 0x1.0cac2aecb8c72p-14),                                   \
                                            t, 0x1.7ba10afe97abep-15),                                       \
                                        t, -0x1.39084c42a2a17p-11),                                          \
                                    t, 0x1.73101e71c00d8p-11),                                               \
                                t, 0x1.17c838ee69255p-8),                                                    \
                            t, -0x1.8fa58eb5d7a31p-6),                                                       \
                        t, 0x1.258b13b017b26p-4),                                                            \
                    t, -0x1.336ffbef08b58p-3),                                                               \
                t, 0x1.f6ff204105974p-3),                                                                    \
            t, -0x1.4e102b9cf8513p-2),                                                                       \
        t, 0x1.6e9827d229d2dp-3)

/* (2^f - 1) / f, for f from -1/32 to 1/32: within 2^-57 of 2^f. FIRST(c) is c, and STEP(y, f, c) is
 * y f + c, of doubles or of vectors of them. */
#define MATHS_POLY_EXP2(FIRST, STEP, f)                                                            \
    STEP(STEP(STEP(STEP(STEP(FIRST(0x1.430a1d3485cf4p-13), f, 0x1.5d897e9142adbp-10), f,           \
                        0x1.3b2ab6fb41008p-7),                                                     \
                   f, 0x1.c6b08d6f29ca2p-5),                                                       \
              f, 0x1.ebfbdff82c590p-3),                                                            \
         f, 0x1.62e42fefa39f3p-1)

/* By i: the bits of 2^(i / 16) less i 2^48. With n 2^48 more they are those of 2^(n / 16), where i
 * is n modulo 16, because the exponent begins at bit 52. */
static const uint64_t maths_exp2_whole[16] = {
    0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b, 0x3fef387a6e756238,
    0x3fef06fe0a31b715, 0x3feedea64c123422, 0x3feebfdad5362a27, 0x3feeab07dd485429,
    0x3feea09e667f3bcd, 0x3feea11473eb0187, 0x3feeace5422aa0db, 0x3feec49182a3f090,
    0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487, 0x3fefa4afa2a490da,
};

/* 8 / ln 2 as a float, ln 2 / 8 as a sum of two, and the relative error of s (exp_avx2.h). */
#define MATHS_EIGHTHS 0x1.7154760000000p+3F
#define MATHS_EIGHTH_HIGH 0x1.62e4300000000p-4F
#define MATHS_EIGHTH_LOW -0x1.05c6100000000p-32F
#define MATHS_EXP_UNSURE 0x1.4000000000000p-22F

/* (exp(r) - 1 - r) / r^2 (1 - MATHS_EXP_UNSURE), for r up to 0.0437. FIRST(c) is c, and STEP(y, r,
 * c) is y r + c, of vectors of floats. */
#define MATHS_POLY_EXP_SINGLE(FIRST, STEP, r)                                                      \
    STEP(STEP(STEP(FIRST(0x1.11143a0000000p-7F), r, 0x1.555ade0000000p-5F), r,                     \
              0x1.55554e0000000p-3F),                                                              \
         r, 0x1.fffff60000000p-2F)

/* By i: the bits of the float T nearest to 2^(i / 8), less i 2^20, as in maths_exp2_whole; and
 * ln(2^(i / 8) / T). */
static const uint32_t maths_exp_eighths[8] = {
    0x3f800000, 0x3f7b95c2, 0x3f7837f0, 0x3f75fed7, 0x3f7504f3, 0x3f75672a, 0x3f7744fd, 0x3f7ac0c7,
};
static const float maths_exp_eighths_left[8] = {
    0x0.0p+0F,
    -0x1.9c0c2141fef92p-27F,
    0x1.1250015761931p-25F,
    -0x1.0a355113e553ap-25F,
    0x1.26055c546c140p-26F,
    0x1.67a1ca1d9d84ap-28F,
    -0x1.f9c305081c25ep-27F,
    -0x1.a5217cbeba37ep-28F,
};

/* 2 / pi times 2^(row - 24), modulo 4, as a sum of three numbers: multiples of 2^-26, multiples of
 * 2^-54, and the rest. The first two have 28 bits, so that their products with 24 bits are exact.
 */
static const double maths_turns[129][3] = {
    {0x1.0000000000000p-25, 0x1.17cc1b6000000p-27, 0x1.27220a94fe13bp-55},
    {0x1.4000000000000p-24, 0x1.7cc1b70000000p-30, 0x1.391054a7f09d6p-57},
    {0x1.4000000000000p-23, 0x1.7cc1b70000000p-29, 0x1.391054a7f09d6p-56},
    {0x1.4000000000000p-22, 0x1.7cc1b70000000p-28, 0x1.391054a7f09d6p-55},
    {0x1.4000000000000p-21, 0x1.7cc1b72000000p-27, 0x1.c882a53f84eb0p-57},
    {0x1.4400000000000p-20, 0x1.f306dc8000000p-28, 0x1.c882a53f84eb0p-56},
    {0x1.4400000000000p-19, 0x1.f306dc8000000p-27, 0x1.c882a53f84eb0p-55},
    {0x1.4500000000000p-18, 0x1.e60db92000000p-27, 0x1.91054a7f09d5fp-55},
    {0x1.4580000000000p-17, 0x1.cc1b726000000p-27, 0x1.220a94fe13abfp-55},
    {0x1.45c0000000000p-16, 0x1.9836e4e000000p-27, 0x1.1054a7f09d5f4p-57},
    {0x1.45e0000000000p-15, 0x1.306dc9c000000p-27, 0x1.1054a7f09d5f4p-56},
    {0x1.45f0000000000p-14, 0x1.836e4e0000000p-29, 0x1.1054a7f09d5f4p-55},
    {0x1.45f0000000000p-13, 0x1.836e4e4000000p-28, 0x1.054a7f09d5f48p-58},
    {0x1.45f0000000000p-12, 0x1.836e4e4000000p-27, 0x1.054a7f09d5f48p-57},
    {0x1.45f2000000000p-11, 0x1.06dc9c8000000p-27, 0x1.054a7f09d5f48p-56},
    {0x1.45f3000000000p-10, 0x1.b727200000000p-32, 0x1.054a7f09d5f48p-55},
    {0x1.45f3000000000p-9, 0x1.b727220000000p-31, 0x1.529fc2757d1f5p-60},
    {0x1.45f3000000000p-8, 0x1.b727220000000p-30, 0x1.529fc2757d1f5p-59},
    {0x1.45f3000000000p-7, 0x1.b727220000000p-29, 0x1.529fc2757d1f5p-58},
    {0x1.45f3000000000p-6, 0x1.b727220000000p-28, 0x1.529fc2757d1f5p-57},
    {0x1.45f3000000000p-5, 0x1.b727220000000p-27, 0x1.529fc2757d1f5p-56},
    {0x1.45f3040000000p-4, 0x1.6e4e440000000p-27, 0x1.529fc2757d1f5p-55},
    {0x1.45f3060000000p-3, 0x1.b939104000000p-28, 0x1.4a7f09d5f47d5p-56},
    {0x1.45f3060000000p-2, 0x1.b939104000000p-27, 0x1.4a7f09d5f47d5p-55},
    {0x1.45f3068000000p-1, 0x1.727220a000000p-27, 0x1.29fc2757d1f53p-56},
    {0x1.45f306c000000p+0, 0x1.c9c8828000000p-28, 0x1.29fc2757d1f53p-55},
    {0x1.45f306c000000p+1, 0x1.c9c882a000000p-27, 0x1.4fe13abe8fa9ap-57},
    {0x1.17cc1b4000000p+0, 0x1.9391054000000p-27, 0x1.4fe13abe8fa9ap-56},
    {0x1.17cc1b6000000p+1, 0x1.27220a8000000p-27, 0x1.4fe13abe8fa9ap-55},
    {0x1.7cc1b70000000p-2, 0x1.3910548000000p-29, 0x1.3f84eafa3ea6ap-56},
    {0x1.7cc1b70000000p-1, 0x1.3910548000000p-28, 0x1.3f84eafa3ea6ap-55},
    {0x1.7cc1b70000000p+0, 0x1.391054a000000p-27, 0x1.fc2757d1f534ep-57},
    {0x1.7cc1b72000000p+1, 0x1.c882a50000000p-29, 0x1.fc2757d1f534ep-56},
    {0x1.f306dc8000000p+0, 0x1.c882a50000000p-28, 0x1.fc2757d1f534ep-55},
    {0x1.f306dc8000000p+1, 0x1.c882a52000000p-27, 0x1.f84eafa3ea69cp-55},
    {0x1.e60db92000000p+1, 0x1.91054a6000000p-27, 0x1.f09d5f47d4d37p-55},
    {0x1.cc1b726000000p+1, 0x1.220a94e000000p-27, 0x1.e13abe8fa9a6fp-55},
    {0x1.9836e4e000000p+1, 0x1.1054a78000000p-29, 0x1.c2757d1f534dep-55},
    {0x1.306dc9c000000p+1, 0x1.1054a7c000000p-28, 0x1.84eafa3ea69bcp-55},
    {0x1.836e4e0000000p-1, 0x1.1054a7e000000p-27, 0x1.09d5f47d4d377p-55},
    {0x1.836e4e4000000p+0, 0x1.054a7f0000000p-30, 0x1.3abe8fa9a6ee0p-59},
    {0x1.836e4e4000000p+1, 0x1.054a7f0000000p-29, 0x1.3abe8fa9a6ee0p-58},
    {0x1.06dc9c8000000p+1, 0x1.054a7f0000000p-28, 0x1.3abe8fa9a6ee0p-57},
    {0x1.b727200000000p-4, 0x1.054a7f0000000p-27, 0x1.3abe8fa9a6ee0p-56},
    {0x1.b727220000000p-3, 0x1.529fc00000000p-32, 0x1.3abe8fa9a6ee0p-55},
    {0x1.b727220000000p-2, 0x1.529fc20000000p-31, 0x1.d5f47d4d37703p-57},
    {0x1.b727220000000p-1, 0x1.529fc20000000p-30, 0x1.d5f47d4d37703p-56},
    {0x1.b727220000000p+0, 0x1.529fc20000000p-29, 0x1.d5f47d4d37703p-55},
    {0x1.b727220000000p+1, 0x1.529fc24000000p-28, 0x1.abe8fa9a6ee07p-55},
    {0x1.6e4e440000000p+1, 0x1.529fc26000000p-27, 0x1.57d1f534ddc0ep-55},
    {0x1.b939104000000p+0, 0x1.4a7f09c000000p-28, 0x1.5f47d4d377037p-56},
    {0x1.b939104000000p+1, 0x1.4a7f09c000000p-27, 0x1.5f47d4d377037p-55},
    {0x1.727220a000000p+1, 0x1.29fc274000000p-28, 0x1.7d1f534ddc0dbp-56},
    {0x1.c9c8828000000p+0, 0x1.29fc274000000p-27, 0x1.7d1f534ddc0dbp-55},
    {0x1.c9c882a000000p+1, 0x1.4fe13a8000000p-29, 0x1.f47d4d377036ep-56},
    {0x1.9391054000000p+1, 0x1.4fe13a8000000p-28, 0x1.f47d4d377036ep-55},
    {0x1.27220a8000000p+1, 0x1.4fe13aa000000p-27, 0x1.e8fa9a6ee06dbp-55},
    {0x1.3910548000000p-1, 0x1.3f84eac000000p-28, 0x1.d1f534ddc0db6p-55},
    {0x1.3910548000000p+0, 0x1.3f84eae000000p-27, 0x1.a3ea69bb81b6cp-55},
    {0x1.391054a000000p+1, 0x1.fc27578000000p-29, 0x1.47d4d377036d9p-55},
    {0x1.c882a50000000p-1, 0x1.fc2757c000000p-28, 0x1.1f534ddc0db63p-56},
    {0x1.c882a50000000p+0, 0x1.fc2757c000000p-27, 0x1.1f534ddc0db63p-55},
    {0x1.c882a52000000p+1, 0x1.f84eafa000000p-27, 0x1.f534ddc0db629p-58},
    {0x1.91054a6000000p+1, 0x1.f09d5f4000000p-27, 0x1.f534ddc0db629p-57},
    {0x1.220a94e000000p+1, 0x1.e13abe8000000p-27, 0x1.f534ddc0db629p-56},
    {0x1.1054a78000000p-1, 0x1.c2757d0000000p-27, 0x1.f534ddc0db629p-55},
    {0x1.1054a7c000000p+0, 0x1.84eafa2000000p-27, 0x1.ea69bb81b6c53p-55},
    {0x1.1054a7e000000p+1, 0x1.09d5f46000000p-27, 0x1.d4d377036d8a5p-55},
    {0x1.054a7f0000000p-2, 0x1.3abe8e0000000p-31, 0x1.a9a6ee06db14bp-55},
    {0x1.054a7f0000000p-1, 0x1.3abe8f0000000p-30, 0x1.534ddc0db6296p-55},
    {0x1.054a7f0000000p+0, 0x1.3abe8f8000000p-29, 0x1.4d377036d8a56p-56},
    {0x1.054a7f0000000p+1, 0x1.3abe8f8000000p-28, 0x1.4d377036d8a56p-55},
    {0x1.529fc00000000p-4, 0x1.3abe8fa000000p-27, 0x1.34ddc0db6295ap-56},
    {0x1.529fc20000000p-3, 0x1.d5f47d0000000p-29, 0x1.34ddc0db6295ap-55},
    {0x1.529fc20000000p-2, 0x1.d5f47d4000000p-28, 0x1.a6ee06db14acdp-57},
    {0x1.529fc20000000p-1, 0x1.d5f47d4000000p-27, 0x1.a6ee06db14acdp-56},
    {0x1.529fc24000000p+0, 0x1.abe8fa8000000p-27, 0x1.a6ee06db14acdp-55},
    {0x1.529fc26000000p+1, 0x1.57d1f52000000p-27, 0x1.4ddc0db629599p-55},
    {0x1.4a7f09c000000p+0, 0x1.5f47d4c000000p-28, 0x1.377036d8a5665p-56},
    {0x1.4a7f09c000000p+1, 0x1.5f47d4c000000p-27, 0x1.377036d8a5665p-55},
    {0x1.29fc274000000p+0, 0x1.7d1f534000000p-28, 0x1.bb81b6c52b328p-57},
    {0x1.29fc274000000p+1, 0x1.7d1f534000000p-27, 0x1.bb81b6c52b328p-56},
    {0x1.4fe13a8000000p-1, 0x1.f47d4d0000000p-28, 0x1.bb81b6c52b328p-55},
    {0x1.4fe13a8000000p+0, 0x1.f47d4d2000000p-27, 0x1.77036d8a5664fp-55},
    {0x1.4fe13aa000000p+1, 0x1.e8fa9a6000000p-27, 0x1.dc0db6295993cp-56},
    {0x1.3f84eac000000p+0, 0x1.d1f534c000000p-27, 0x1.dc0db6295993cp-55},
    {0x1.3f84eae000000p+1, 0x1.a3ea69a000000p-27, 0x1.b81b6c52b3279p-55},
    {0x1.fc27578000000p-1, 0x1.47d4d36000000p-27, 0x1.7036d8a5664f1p-55},
    {0x1.fc2757c000000p+0, 0x1.1f534dc000000p-28, 0x1.c0db6295993c4p-56},
    {0x1.fc2757c000000p+1, 0x1.1f534dc000000p-27, 0x1.c0db6295993c4p-55},
    {0x1.f84eafa000000p+1, 0x1.f534dd0000000p-30, 0x1.81b6c52b32788p-55},
    {0x1.f09d5f4000000p+1, 0x1.f534dd8000000p-29, 0x1.036d8a5664f11p-55},
    {0x1.e13abe8000000p+1, 0x1.f534ddc000000p-28, 0x1.b6c52b3278872p-61},
    {0x1.c2757d0000000p+1, 0x1.f534ddc000000p-27, 0x1.b6c52b3278872p-60},
    {0x1.84eafa2000000p+1, 0x1.ea69bb8000000p-27, 0x1.b6c52b3278872p-59},
    {0x1.09d5f46000000p+1, 0x1.d4d3770000000p-27, 0x1.b6c52b3278872p-58},
    {0x1.3abe8e0000000p-3, 0x1.a9a6ee0000000p-27, 0x1.b6c52b3278872p-57},
    {0x1.3abe8f0000000p-2, 0x1.534ddc0000000p-27, 0x1.b6c52b3278872p-56},
    {0x1.3abe8f8000000p-1, 0x1.4d37700000000p-28, 0x1.b6c52b3278872p-55},
    {0x1.3abe8f8000000p+0, 0x1.4d37702000000p-27, 0x1.6d8a5664f10e4p-55},
    {0x1.3abe8fa000000p+1, 0x1.34ddc0c000000p-28, 0x1.b6295993c4390p-56},
    {0x1.d5f47d0000000p-1, 0x1.34ddc0c000000p-27, 0x1.b6295993c4390p-55},
    {0x1.d5f47d4000000p+0, 0x1.a6ee068000000p-29, 0x1.6c52b32788721p-55},
    {0x1.d5f47d4000000p+1, 0x1.a6ee06c000000p-28, 0x1.b14acc9e21c82p-56},
    {0x1.abe8fa8000000p+1, 0x1.a6ee06c000000p-27, 0x1.b14acc9e21c82p-55},
    {0x1.57d1f52000000p+1, 0x1.4ddc0da000000p-27, 0x1.6295993c43904p-55},
    {0x1.5f47d4c000000p+0, 0x1.377036c000000p-28, 0x1.8a5664f10e410p-56},
    {0x1.5f47d4c000000p+1, 0x1.377036c000000p-27, 0x1.8a5664f10e410p-55},
    {0x1.7d1f534000000p+0, 0x1.bb81b68000000p-29, 0x1.14acc9e21c821p-55},
    {0x1.7d1f534000000p+1, 0x1.bb81b6c000000p-28, 0x1.4acc9e21c8210p-58},
    {0x1.f47d4d0000000p+0, 0x1.bb81b6c000000p-27, 0x1.4acc9e21c8210p-57},
    {0x1.f47d4d2000000p+1, 0x1.77036d8000000p-27, 0x1.4acc9e21c8210p-56},
    {0x1.e8fa9a6000000p+1, 0x1.dc0db60000000p-28, 0x1.4acc9e21c8210p-55},
    {0x1.d1f534c000000p+1, 0x1.dc0db62000000p-27, 0x1.2b32788720840p-56},
    {0x1.a3ea69a000000p+1, 0x1.b81b6c4000000p-27, 0x1.2b32788720840p-55},
    {0x1.47d4d36000000p+1, 0x1.7036d8a000000p-27, 0x1.5993c439041fep-57},
    {0x1.1f534dc000000p+0, 0x1.c0db628000000p-28, 0x1.5993c439041fep-56},
    {0x1.1f534dc000000p+1, 0x1.c0db628000000p-27, 0x1.5993c439041fep-55},
    {0x1.f534dd0000000p-2, 0x1.81b6c52000000p-27, 0x1.664f10e4107f9p-56},
    {0x1.f534dd8000000p-1, 0x1.036d8a4000000p-27, 0x1.664f10e4107f9p-55},
    {0x1.f534ddc000000p+0, 0x1.b6c5280000000p-33, 0x1.993c439041fe5p-56},
    {0x1.f534ddc000000p+1, 0x1.b6c5280000000p-32, 0x1.993c439041fe5p-55},
    {0x1.ea69bb8000000p+1, 0x1.b6c52a0000000p-31, 0x1.3278872083fcap-55},
    {0x1.d4d3770000000p+1, 0x1.b6c52b0000000p-30, 0x1.93c439041fe51p-57},
    {0x1.a9a6ee0000000p+1, 0x1.b6c52b0000000p-29, 0x1.93c439041fe51p-56},
    {0x1.534ddc0000000p+1, 0x1.b6c52b0000000p-28, 0x1.93c439041fe51p-55},
    {0x1.4d37700000000p+0, 0x1.b6c52b2000000p-27, 0x1.278872083fca3p-55},
    {0x1.4d37702000000p+1, 0x1.6d8a566000000p-27, 0x1.3c439041fe516p-57},
    {0x1.34ddc0c000000p+0, 0x1.b629598000000p-28, 0x1.3c439041fe516p-56},
};

#endif
