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

/* The same as atan, for z from 1.0e-40 to 0.1717: within 2^-40. */
#define MATHS_POLY_ATAN_SHORT(FIRST, STEP, z)                                                      \
    STEP(STEP(STEP(STEP(STEP(STEP(STEP(FIRST(0x1.0ddf6121afe09p-5), z, -0x1.edb21ec623742p-5), z,  \
                                  0x1.377c65145e4d9p-4),                                           \
                             z, -0x1.7415871db67d0p-4),                                            \
                        z, 0x1.c71960fb12addp-4),                                                  \
                   z, -0x1.249240d225f4fp-3),                                                      \
              z, 0x1.9999998849aafp-3),                                                            \
         z, -0x1.55555555525d5p-2)

/* The same as asin, for z from 1.0e-40 to 0.2501: within 2^-39. */
#define MATHS_POLY_ASIN_SHORT(FIRST, STEP, z)                                                      \
    STEP(                                                                                          \
        STEP(STEP(STEP(STEP(STEP(STEP(STEP(FIRST(0x1.d0a710b072b00p-6), z, 0x1.148f816806cb3p-10), \
                                      z, 0x1.1460edb1ea630p-6),                                    \
                                 z, 0x1.14eb1fd23981cp-6),                                         \
                            z, 0x1.6f34e8d0b24a5p-6),                                              \
                       z, 0x1.f1beb39d0c483p-6),                                                   \
                  z, 0x1.6db6f6000eadfp-5),                                                        \
             z, 0x1.333333131447fp-4),                                                             \
        z, 0x1.555555555bb08p-3)

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

/* (2^f - 1) / f, for f from -1/32 to 1/32: within 2^-47 of 2^f. FIRST(c) is c, and STEP(y, f, c) is
 * y f + c, of doubles or of vectors of them. */
#define MATHS_POLY_EXP2_SHORT(FIRST, STEP, f)                                                      \
    STEP(STEP(STEP(STEP(FIRST(0x1.5d893e8d178adp-10), f, 0x1.3b2c4b0a05b12p-7), f,                 \
                   0x1.c6b08d6fa9e77p-5),                                                          \
              f, 0x1.ebfbdff698082p-3),                                                            \
         f, 0x1.62e42fefa39efp-1)

/* (2^f - 1) / f, for f from -1/4 to 1/4: within 2^-49 of 2^f. FIRST(c) is c, and STEP(y, f, c) is y
 * f + c, of doubles or of vectors of them. */
#define MATHS_POLY_EXP2_HALF(FIRST, STEP, f)                                                       \
    STEP(STEP(STEP(STEP(STEP(STEP(STEP(FIRST(0x1.62fccd6aee5b2p-20), f, 0x1.001cb34802cb2p-16), f, \
                                  0x1.43090e39f60c6p-13),                                          \
                             f, 0x1.5d87f5ea58c45p-10),                                            \
                        f, 0x1.3b2ab6fbe1adap-7),                                                  \
                   f, 0x1.c6b08d7125433p-5),                                                       \
              f, 0x1.ebfbdff82c570p-3),                                                            \
         f, 0x1.62e42fefa3982p-1)

/* By i: the bits of 2^(i / 16) less i 2^48. With n 2^48 more they are those of 2^(n / 16), where i
 * is n modulo 16, because the exponent begins at bit 52. */
static const uint64_t maths_exp2_whole[16] = {
    0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b, 0x3fef387a6e756238,
    0x3fef06fe0a31b715, 0x3feedea64c123422, 0x3feebfdad5362a27, 0x3feeab07dd485429,
    0x3feea09e667f3bcd, 0x3feea11473eb0187, 0x3feeace5422aa0db, 0x3feec49182a3f090,
    0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487, 0x3fefa4afa2a490da,
};

/* 16 / ln 2 as a float, ln 2 / 16 as a sum of two. */
#define MATHS_PER_SIXTEENTH 0x1.7154760000000p+4F
#define MATHS_SIXTEENTH_HIGH 0x1.62e4300000000p-5F
#define MATHS_SIXTEENTH_LOW -0x1.05c6100000000p-33F

/* (exp(r) - 1 - r) / r^2, for r up to ln 2 / 32. FIRST(c) is c, and STEP(y, r, c) is y r + c, of
 * vectors of floats. The relative error of exp is up to MATHS_UNSURE_SIXTEENTH. */
#define MATHS_POLY_EXP_SIXTEENTH(FIRST, STEP, r)                                                   \
    STEP(STEP(FIRST(0x1.5556620000000p-5F), r, 0x1.5556e60000000p-3F), r, 0x1.0000000000000p-1F)
#define MATHS_UNSURE_SIXTEENTH 0x1.4000000000000p-34F

/* By i: the bits of the float T nearest to 2^(i / 16), less i 2^19, as in maths_exp2_whole;
 * ln(2^(i / 16) / T); and that less MATHS_UNSURE_SIXTEENTH. */
static const uint32_t maths_exp_sixteenths[16] = {
    0x3f800000, 0x3f7daac3, 0x3f7b95c2, 0x3f79c3d3, 0x3f7837f0, 0x3f76f532, 0x3f75fed7, 0x3f75583f,
    0x3f7504f3, 0x3f7508a4, 0x3f75672a, 0x3f76248c, 0x3f7744fd, 0x3f78ccdf, 0x3f7ac0c7, 0x3f7d257d,
};
static const float maths_exp_sixteenths_left[16] = {
    0x0.0p+0F,
    0x1.8d96d308b9cb9p-25F,
    -0x1.9c0c2141fef92p-27F,
    0x1.964902f947c22p-25F,
    0x1.1250015761931p-25F,
    0x1.370be4186bf5ap-25F,
    -0x1.0a355113e553ap-25F,
    -0x1.00d8abadaf8d3p-27F,
    0x1.26055c546c140p-26F,
    -0x1.05cb44acca329p-25F,
    0x1.67a1ca1d9d84ap-28F,
    0x1.a3b5e344f7bdfp-28F,
    -0x1.f9c305081c25ep-27F,
    -0x1.6961b3cf799a0p-28F,
    -0x1.a5217cbeba37ep-28F,
    0x1.61428daeb9d87p-28F,
};
static const float maths_exp_sixteenths_less[16] = {
    -0x1.4000000000000p-34F, 0x1.8cf6d308b9cb9p-25F,  -0x1.9e8c2141fef92p-27F,
    0x1.95a902f947c22p-25F,  0x1.11b0015761931p-25F,  0x1.366be4186bf5ap-25F,
    -0x1.0ad55113e553ap-25F, -0x1.0358abadaf8d3p-27F, 0x1.24c55c546c140p-26F,
    -0x1.066b44acca329p-25F, 0x1.62a1ca1d9d84ap-28F,  0x1.9eb5e344f7bdfp-28F,
    -0x1.fc4305081c25ep-27F, -0x1.6e61b3cf799a0p-28F, -0x1.aa217cbeba37ep-28F,
    0x1.5c428daeb9d87p-28F,
};

/* 32 / ln 2 as a float, ln 2 / 32 as a sum of two. */
#define MATHS_PER_THIRTYSECOND 0x1.7154760000000p+5F
#define MATHS_THIRTYSECOND_HIGH 0x1.62e4300000000p-6F
#define MATHS_THIRTYSECOND_LOW -0x1.05c6100000000p-34F

/* (exp(r) - 1 - r) / r^2, for r up to ln 2 / 64. FIRST(c) is c, and STEP(y, r, c) is y r + c, of
 * vectors of floats. The relative error of exp is up to MATHS_UNSURE_THIRTYSECOND. */
#define MATHS_POLY_EXP_THIRTYSECOND(FIRST, STEP, r)                                                \
    STEP(STEP(FIRST(0x1.5555980000000p-5F), r, 0x1.5555ba0000000p-3F), r, 0x1.0000000000000p-1F)
#define MATHS_UNSURE_THIRTYSECOND 0x1.8000000000000p-36F

/* By i: the bits of the float T nearest to 2^(i / 32), less i 2^18, as in maths_exp2_whole;
 * ln(2^(i / 32) / T); and that less MATHS_UNSURE_THIRTYSECOND. */
static const uint32_t maths_exp_thirtyseconds[32] = {
    0x3f800000, 0x3f7ecd87, 0x3f7daac3, 0x3f7c980f, 0x3f7b95c2, 0x3f7aa43a, 0x3f79c3d3, 0x3f78f4f0,
    0x3f7837f0, 0x3f778d3a, 0x3f76f532, 0x3f767043, 0x3f75fed7, 0x3f75a15b, 0x3f75583f, 0x3f7523f6,
    0x3f7504f3, 0x3f74fbaf, 0x3f7508a4, 0x3f752c4d, 0x3f75672a, 0x3f75b9be, 0x3f76248c, 0x3f76a81e,
    0x3f7744fd, 0x3f77fbb8, 0x3f78ccdf, 0x3f79b907, 0x3f7ac0c7, 0x3f7be4ba, 0x3f7d257d, 0x3f7e83b3,
};
static const float maths_exp_thirtyseconds_left[32] = {
    0x0.0p+0F,
    -0x1.9474154a321c3p-25F,
    0x1.8d96d308b9cb9p-25F,
    -0x1.dda2fd7b50d68p-25F,
    -0x1.9c0c2141fef92p-27F,
    -0x1.a2fbb37707707p-25F,
    0x1.964902f947c22p-25F,
    -0x1.2b0dbbf91e1d3p-25F,
    0x1.1250015761931p-25F,
    -0x1.cde8ce8402292p-26F,
    0x1.370be4186bf5ap-25F,
    0x1.336de2bca05e0p-30F,
    -0x1.0a355113e553ap-25F,
    -0x1.c541b524d305cp-26F,
    -0x1.00d8abadaf8d3p-27F,
    -0x1.6cb283e7abb97p-25F,
    0x1.26055c546c140p-26F,
    0x1.8b2bb805e2a60p-26F,
    -0x1.05cb44acca329p-25F,
    -0x1.1c2141d1ad9b0p-26F,
    0x1.67a1ca1d9d84ap-28F,
    -0x1.348e56be9e687p-25F,
    0x1.a3b5e344f7bdfp-28F,
    -0x1.0b7ec7cb5dd56p-25F,
    -0x1.f9c305081c25ep-27F,
    -0x1.e4c885d12e43cp-26F,
    -0x1.6961b3cf799a0p-28F,
    -0x1.b5151d6f4f7a4p-28F,
    -0x1.a5217cbeba37ep-28F,
    -0x1.ab713163d28aap-26F,
    0x1.61428daeb9d87p-28F,
    -0x1.2ad5f7565af2dp-27F,
};
static const float maths_exp_thirtyseconds_less[32] = {
    -0x1.8000000000000p-36F, -0x1.94a4154a321c3p-25F, 0x1.8d66d308b9cb9p-25F,
    -0x1.ddd2fd7b50d68p-25F, -0x1.9ccc2141fef92p-27F, -0x1.a32bb37707707p-25F,
    0x1.961902f947c22p-25F,  -0x1.2b3dbbf91e1d3p-25F, 0x1.1220015761931p-25F,
    -0x1.ce48ce8402292p-26F, 0x1.36dbe4186bf5ap-25F,  0x1.2d6de2bca05e0p-30F,
    -0x1.0a655113e553ap-25F, -0x1.c5a1b524d305cp-26F, -0x1.0198abadaf8d3p-27F,
    -0x1.6ce283e7abb97p-25F, 0x1.25a55c546c140p-26F,  0x1.8acbb805e2a60p-26F,
    -0x1.05fb44acca329p-25F, -0x1.1c8141d1ad9b0p-26F, 0x1.6621ca1d9d84ap-28F,
    -0x1.34be56be9e687p-25F, 0x1.a235e344f7bdfp-28F,  -0x1.0baec7cb5dd56p-25F,
    -0x1.fa8305081c25ep-27F, -0x1.e52885d12e43cp-26F, -0x1.6ae1b3cf799a0p-28F,
    -0x1.b6951d6f4f7a4p-28F, -0x1.a6a17cbeba37ep-28F, -0x1.abd13163d28aap-26F,
    0x1.5fc28daeb9d87p-28F,  -0x1.2b95f7565af2dp-27F,
};

/* erf(x) / x for x from 0 to 3.95, in 16 pieces, the middle of which are i / MATHS_PER_PIECE_ERF:
 * by the power of f, the highest one first, and by i. f is what x MATHS_PER_PIECE_ERF is more than
 * i. */
#define MATHS_PER_PIECE_ERF 0x1.e613716aefcc2p+1
static const double maths_pieces_erf[9][16] = {
    {0x1.01c14576fa426p-23, 0x1.1785320c25b14p-24, -0x1.4d9d1303a199dp-25, -0x1.773d4bb898172p-24,
     -0x1.d107181780a27p-25, 0x1.029d51dce7fd4p-28, 0x1.0bcb34fd384dcp-25, 0x1.9df0d3fa840dbp-26,
     0x1.e6a986456a6c6p-28, -0x1.81ce5b895d3edp-29, -0x1.2e0f1343c4b2fp-28, -0x1.6eaebf7054ea2p-29,
     -0x1.16d5645bfc4fbp-30, -0x1.d64108a49fbabp-33, 0x1.175a71232ace1p-35, 0x1.2009047dde0e2p-34},
    {0x1.554919d63d342p-412, 0x1.b0b1cb5480b3bp-21, 0x1.e5f5ae075bdb9p-21, 0x1.6f43dcd112b87p-22,
     -0x1.1bbbef67cc130p-22, -0x1.ec531a196faddp-22, -0x1.38f64e02e07c9p-22, -0x1.d95ab3c8268f3p-25,
     0x1.259474610acebp-24, 0x1.531790a611057p-24, 0x1.8d637c9f6454bp-25, 0x1.29a90f1ea3390p-26,
     0x1.add5fa0184b2ep-29, -0x1.60ca63d81f8ccp-30, -0x1.e9fbb3d384429p-30, -0x1.6ce455611ab45p-30},
    {-0x1.2c98aa7b97a41p-17, -0x1.88ba3f7e05495p-18, 0x1.6ad05cea16833p-21, 0x1.630b9b5bf137dp-18,
     0x1.699bab2baa49cp-18, 0x1.5772a8f8cd50fp-19, -0x1.ba5745e52ee58p-23, -0x1.72a74fab7b9fcp-20,
     -0x1.4e8ff0aca4fe5p-20, -0x1.6d3ddb59aa178p-21, -0x1.f75127404967ep-23, -0x1.669dfead7aeeep-26,
     0x1.6ac7c2b505938p-25, 0x1.7f5e147cfa1edp-25, 0x1.18a31239fba47p-25, 0x1.737e98bedf9fbp-26},
    {-0x1.0e31f8bbc36d9p-413, -0x1.8cf52ccb08c11p-15, -0x1.090af309f4b50p-14,
     -0x1.6ae43967f5756p-15, -0x1.2ff8fac5bcfd1p-17, 0x1.034aaa7e57037p-16, 0x1.6f6dfde626270p-16,
     0x1.116b1f3b23693p-16, 0x1.0bed4cab20e43p-17, 0x1.23de1d593695ap-19, -0x1.e44d87efc1dc8p-22,
     -0x1.2b416b82fe7e2p-20, -0x1.0cdd586951a50p-20, -0x1.85d1ad755c3c3p-21, -0x1.08821673b1505p-21,
     -0x1.63e7e4c47f758p-22},
    {0x1.1c7a4e4a379e3p-11, 0x1.b49ebee723230p-12, 0x1.03131bd481ab1p-13, -0x1.437a5e281e565p-13,
     -0x1.2b0efb1de4beap-12, -0x1.12b9a1cc7fcefp-12, -0x1.52f7686d70e6ap-13, -0x1.0929d560f279ep-14,
     -0x1.8453fe5284714p-19, 0x1.61705cf62f282p-16, 0x1.96f7e598e1fafp-16, 0x1.4c68f105a899bp-16,
     0x1.e21f5a4e5e70dp-17, 0x1.510e297737de4p-17, 0x1.d7ad7960d1d62p-18, 0x1.4f443f34b3f00p-18},
    {0x1.c7157447973dep-417, 0x1.05dbd6a4c7d06p-9, 0x1.96e138a0a0667p-9, 0x1.8a62b1e19865bp-9,
     0x1.0f9e9c94d2424p-9, 0x1.eb282fd050f86p-11, 0x1.4b6785d8bbc37p-14, -0x1.7a9b7ba4033a3p-12,
     -0x1.f6946b41d00e2p-12, -0x1.c64dbe99e792dp-12, -0x1.62b4c3aeb7f3bp-12, -0x1.0528d76825bc1p-12,
     -0x1.7b6196086810dp-13, -0x1.15f50bfb6e9e5p-13, -0x1.9e53144b00ef8p-14,
     -0x1.3a94c71befdacp-14},
    {-0x1.ab54fe0e82e8ep-6, -0x1.7823c180fdb4ap-6, -0x1.ebcbf7a0d3c78p-7, -0x1.6c494f82a9f69p-8,
     0x1.1f9a688c54546p-9, 0x1.b5fdf4d469465p-8, 0x1.099745e4143eep-7, 0x1.f0f78d87c944fp-8,
     0x1.9a684648a6f3fp-8, 0x1.3f25f36c5f622p-8, 0x1.e637e2b4ede23p-9, 0x1.7356fdf75a6b2p-9,
     0x1.1f85e77aade8dp-9, 0x1.c4edbe7f019cdp-10, 0x1.6ac207c60fcd0p-10, 0x1.26f45535a2961p-10},
    {-0x1.8e36d99bb098ap-423, -0x1.99fc135191b5dp-5, -0x1.6ac758dc9d56bp-4, -0x1.becfdcabb50a7p-4,
     -0x1.caa6780666955p-4, -0x1.a3f221e796570p-4, -0x1.659c863efcf22p-4, -0x1.24746f8afb3b0p-4,
     -0x1.d703de6deff6dp-5, -0x1.7c04667bee483p-5, -0x1.3620aabb84840p-5, -0x1.00e581646c1d5p-5,
     -0x1.affe3f709bf26p-6, -0x1.7023e11562898p-6, -0x1.3d6f865b43b7cp-6, -0x1.1485e2ee3179dp-6},
    {0x1.20dd750429b6dp+0, 0x1.1a531c09cb045p+0, 0x1.083d76aa77b68p+0, 0x1.dd11d00201a13p-1,
     0x1.a3d07b5d0e627p-1, 0x1.6c84fdc67b55ap-1, 0x1.3bcd75912420dp-1, 0x1.13383cdef9125p-1,
     0x1.e4abe97192f71p-2, 0x1.afb870b096bb6p-2, 0x1.84c8d75fc382dp-2, 0x1.617eb54d799d7p-2,
     0x1.440c4f519e0b7p-2, 0x1.2b1f8ef92a45cp-2, 0x1.15c1f44c5ce90p-2, 0x1.033d916da7d4bp-2},
};

/* erfc(x / sqrt(2)) / 2 for x from 0 to 5.5, in 16 pieces, the middle of which are i /
 * MATHS_PER_PIECE_AREA: by the power of f, the highest one first, and by i. f is what x
 * MATHS_PER_PIECE_AREA is more than i. */
#define MATHS_PER_PIECE_AREA 0x1.5d1745d1745d1p+1
static const double maths_pieces_area[12][16] = {
    {0x1.4c22978a8a5fdp-33, 0x1.e0f0625290e1dp-35, -0x1.a2132ea8a72a8p-34, -0x1.c68aff71a11e0p-34,
     -0x1.5790859316a63p-44, 0x1.0b39164f62885p-34, 0x1.371608d8aad7cp-35, -0x1.fefafe294d228p-38,
     -0x1.3dac9cddea4a7p-36, -0x1.09cdc88f3006cp-37, 0x1.670422f7b8220p-40, 0x1.7de7cfec6b133p-39,
     0x1.569778218f99ep-40, 0x1.26f03663af574p-43, -0x1.415b7e6245beep-43, -0x1.cb68ed9d878f6p-44},
    {0x1.6fed2914b849cp-403, 0x1.612ffee97a821p-30, 0x1.127be87623307p-30, -0x1.130b9a60bbdd6p-32,
     -0x1.d18f7a25f1839p-31, -0x1.d4e7ef3b471a3p-32, 0x1.5797d71569ea4p-33, 0x1.41bf4aafd783cp-32,
     0x1.0d466e5748c47p-33, -0x1.bb4d2e3c1e4e5p-36, -0x1.ceff77611f9f0p-35, -0x1.c22cff546567dp-36,
     -0x1.e3ede762eebc4p-39, 0x1.b418a74b9f3acp-39, 0x1.62b861dde1897p-39, 0x1.2f25968b90e61p-40},
    {-0x1.db23447e985b2p-27, -0x1.ba3bb9b7c7862p-28, 0x1.bd7259be3e512p-28, 0x1.61dac8dce6e8bp-27,
     0x1.036dbd850f7ebp-28, -0x1.b6d7c8f977954p-29, -0x1.264dfd2191ac0p-28, -0x1.bb77b1042381dp-30,
     0x1.36b8d263888bfp-31, 0x1.03b65d3bd87c7p-30, 0x1.019aa89729c9ap-31, 0x1.1a67940ca7addp-34,
     -0x1.215440a79b91bp-34, -0x1.f3ebcb23c1ee3p-35, -0x1.cbfa2e6a406fbp-36,
     -0x1.2e8853c64d5fep-37},
    {-0x1.a7eea270183e6p-404, -0x1.b260e8a83ef1ap-24, -0x1.a7afba78fc84ep-24,
     -0x1.ce0c5d75ea5aep-27, 0x1.d36d5a73dd19dp-25, 0x1.cd537e7d09ab1p-25, 0x1.0bbdce2746011p-26,
     -0x1.9a01b829e26e4p-27, -0x1.070614643c0acp-26, -0x1.fc1aa1a50b628p-28, -0x1.cf115b6527d55p-31,
     0x1.70e484f21f370p-30, 0x1.40fe13b811237p-30, 0x1.38aac134d02ebp-31, 0x1.b957d7be41b1cp-33,
     0x1.e702c2a539cd4p-35},
    {0x1.1bfeb7094d841p-20, 0x1.46618735c3168p-21, -0x1.22648c776fe02p-22, -0x1.8e40bb470512cp-21,
     -0x1.209ca7b6ce399p-21, -0x1.0cdac576e916fp-24, 0x1.da24c7531f90cp-23, 0x1.d6102ee4d269dp-23,
     0x1.9f776cc8eec8ap-24, 0x1.02be2c537a95bp-28, -0x1.c27f79a6e0c01p-26, -0x1.763b7bad8c276p-26,
     -0x1.7954c5d57a3a6p-27, -0x1.19dc62441195dp-28, -0x1.4cd629d3b752fp-30,
     -0x1.4053c33c9c639p-32},
    {0x1.4acb2bbc7ac28p-406, 0x1.a79760efcfb97p-18, 0x1.f5ef1ffa120d0p-18, 0x1.d9c1b07a1d1f1p-19,
     -0x1.54a7117b17bb0p-20, -0x1.c365b7471f99cp-19, -0x1.60a41bf7e14c8p-19, -0x1.017a354482955p-20,
     0x1.57950574cdcc0p-23, 0x1.fcae0ca54954fp-22, 0x1.8744cbb395172p-22, 0x1.904331fe3255ep-23,
     0x1.382751c84d407p-24, 0x1.866dbe9a238a4p-26, 0x1.91a06fa8b2c9ep-28, 0x1.58dffe4e0964ep-30},
    {-0x1.153f46ee2b551p-14, -0x1.7e2a2d884e653p-15, -0x1.1aae06ecd3b31p-20, 0x1.1a31ecce6f09cp-15,
     0x1.4cda3152d8e61p-15, 0x1.942a239f4ceecp-16, 0x1.57c083cfb3f12p-18, -0x1.791613a7cfbf3p-18,
     -0x1.fcab63f3a52f1p-18, -0x1.6725664d9349dp-18, -0x1.6f01906892309p-19, -0x1.2717b72486587p-20,
     -0x1.83058f104756ep-22, -0x1.a60451d923b3ep-24, -0x1.831e7a48bfe2dp-26,
     -0x1.2d129ca5e0144p-28},
    {-0x1.8c4d3782559e0p-410, -0x1.3581cb0c4bc70p-12, -0x1.b2bf1faa1c74dp-12,
     -0x1.52c08a85fea6cp-12, -0x1.0b9a099d52e1bp-13, 0x1.36d0699a5a1fdp-15, 0x1.c59ec01d68dc1p-14,
     0x1.aea5b2d019bd3p-14, 0x1.187bbbf4fb0b9p-14, 0x1.1b5b0e6160b58p-15, 0x1.d0cd183abddbcp-17,
     0x1.3c9bfb865f85ap-18, 0x1.6afc673c03e43p-20, 0x1.612fb8d6fa29bp-22, 0x1.25589b63089c6p-24,
     0x1.a1b1fcd2100b0p-27},
    {0x1.ad9e59d08559cp-9, 0x1.5baee807781cbp-9, 0x1.2f850b48cbfbdp-10, -0x1.8a225cd43357bp-12,
     -0x1.5161e567bd8e7p-10, -0x1.79e5a215ad658p-10, -0x1.2564edf3a3e41p-10, -0x1.6456ffd4fa2b9p-11,
     -0x1.61d7807604353p-12, -0x1.2589fdce66333p-13, -0x1.9bebea1469984p-15, -0x1.ecb709079792fp-17,
     -0x1.f8fe202ec487fp-19, -0x1.bd245075da2c9p-21, -0x1.52661bfe5b9f6p-23,
     -0x1.bca57b2c76d5bp-26},
    {0x1.1fa7b896a03b0p-415, 0x1.2d44159f4877fp-7, 0x1.ec7d6a4f59a58p-7, 0x1.07edde29870c6p-6,
     0x1.b7a3a50140ab5p-7, 0x1.2c183cf318bdcp-7, 0x1.57d246d984045p-8, 0x1.4ecc9fd5f2e8ap-9,
     0x1.172f7ea4a28c1p-10, 0x1.90af6b03fed6dp-12, 0x1.f08337dd2d286p-14, 0x1.0a3d87fff2822p-15,
     0x1.ef1742b05b190p-18, 0x1.8f9f9cbc9c0b6p-20, 0x1.18517138443acp-22, 0x1.560923ac147c7p-25},
    {-0x1.2b943d0acb05ep-3, -0x1.181a46e15130fp-3, -0x1.c9e4bcc25f057p-4, -0x1.472f571c35263p-4,
     -0x1.98c167b1d35c2p-5, -0x1.be6bfd93f2057p-6, -0x1.aa3990f44261ep-7, -0x1.63bfbce0eb2ffp-8,
     -0x1.0392c515e5656p-9, -0x1.4b25129fdd0f1p-11, -0x1.714e8f1afd70cp-13, -0x1.680df8bd303bfp-15,
     -0x1.32dfdf4958fd8p-17, -0x1.c94b1212e9e95p-20, -0x1.29dbd3e253530p-22,
     -0x1.53357e5a3b18dp-25},
    {0x1.0000000000000p-1, 0x1.6d80104e7e520p-2, 0x1.da79c5b22f38dp-3, 0x1.15d8167788ebfp-3,
     0x1.23c59c2606f1bp-4, 0x1.116b9c1101eeep-5, 0x1.c796922fa1ec9p-7, 0x1.50774a1628f86p-8,
     0x1.b78aa7ce715c5p-10, 0x1.fae82e1b2d7a7p-12, 0x1.01ab640dbed50p-13, 0x1.cd4cad0632ce9p-16,
     0x1.6b3acbd977243p-18, 0x1.f6c6c169f7dcfp-21, 0x1.31a566668f68ep-23, 0x1.463cfa9c7fbfbp-26},
};

/* The same for x from 0 to 4, in 16 pieces, the middle of which are i / MATHS_PER_PIECE_AREA_NEAR:
 * by the power of f, the highest one first, and by i. f is what x MATHS_PER_PIECE_AREA_NEAR is more
 * than i. */
#define MATHS_PER_PIECE_AREA_NEAR 0x1.e000000000000p+1
static const double maths_pieces_area_near[9][16] = {
    {0x1.7ff045d49d33ap-409, -0x1.b32fe4442eaf5p-28, -0x1.33d0332ccf046p-27, -0x1.d0bfcaf66b79bp-28,
     -0x1.d9409183b1edap-30, 0x1.8c307f173d5a8p-29, 0x1.4af762c938354p-28, 0x1.11675e8833ce6p-28,
     0x1.ead6941e12565p-30, -0x1.a5ce3ec789187p-33, -0x1.3fb717e026ba9p-30, -0x1.4897c6392cf7fp-30,
     -0x1.a46cd2199ad6dp-31, -0x1.4df6d18a90af1p-32, -0x1.cd1af75618ddfp-37, 0x1.b594763695394p-34},
    {0x1.e71b0d44e5232p-24, 0x1.744a967329a09p-24, 0x1.7f6739b4f09fdp-26, -0x1.74a860e59e8a4p-25,
     -0x1.4f7c755ee56a6p-24, -0x1.3627469949a66p-24, -0x1.524cd104a6043p-25, -0x1.7a580ba8c4927p-29,
     0x1.623766f891152p-26, 0x1.c6d8a7b912de7p-26, 0x1.5d657c21bd5eap-26, 0x1.664ee2900d7c8p-27,
     0x1.50b9fc03b8641p-29, -0x1.e0b623ba19e91p-30, -0x1.8ca0333bf20b4p-29, -0x1.4fea7e022fd37p-29},
    {-0x1.38d9f1bc71ddap-410, 0x1.897e0efca488ap-21, 0x1.2ec5a97b9fe19p-20, 0x1.17ee1d7cb0ea7p-20,
     0x1.3d9dc5a0ae4e7p-21, 0x1.67145fe75a9dep-25, -0x1.811a8480b01c2p-22, -0x1.0d5f48bf3f7acp-21,
     -0x1.cb75a0e9da656p-22, -0x1.0f944e071ffe4p-22, -0x1.6959811fb5b42p-24, 0x1.96b81447d90b0p-26,
     0x1.1db0e458e58b6p-24, 0x1.1e110295d6ec0p-24, 0x1.a40de91281809p-25, 0x1.fdd87e2896a7dp-26},
    {-0x1.c346508dc1f9dp-17, -0x1.764e6b21d87d3p-17, -0x1.66a1d077bf8aep-18, 0x1.7817d2e0ef1f6p-20,
     0x1.af4a068fda5aap-18, 0x1.16ab3f1620d8ep-17, 0x1.e5b17b96ef9c6p-18, 0x1.2fc437c221625p-18,
     0x1.bc5e3a2309acbp-20, -0x1.b5134a28165e0p-22, -0x1.76bd0d0b0bce1p-20, -0x1.9dfbcd765b516p-20,
     -0x1.4dd153eace96bp-20, -0x1.bd60fc8ebeddfp-21, -0x1.0147bee8a0526p-21,
     -0x1.07362c735552bp-22},
    {0x1.1ffa1a20451acp-413, -0x1.09be80356c9a0p-14, -0x1.baeb60ef2fc8dp-14, -0x1.e35982f7fc3f3p-14,
     -0x1.8c7c95d4e716fp-14, -0x1.d867462e8d186p-15, -0x1.1409cf6d7423bp-16, 0x1.beae2eaa38f39p-17,
     0x1.df7094c860604p-16, 0x1.063099d4dcd20p-15, 0x1.b9a28c5e7c6f6p-16, 0x1.39dfea2bdbefdp-16,
     0x1.8680c8939159bp-17, 0x1.b13fd86dc7bd7p-18, 0x1.b15ee3c15639bp-19, 0x1.899affa14c96bp-20},
    {0x1.4a86853d7b34ep-10, 0x1.284c02259b1f2p-10, 0x1.9a4f537a6b4ebp-11, 0x1.599d90a3ab8d3p-12,
     -0x1.9c839a3841117p-14, -0x1.a6bf539623cc4p-12, -0x1.1eb919158a5efp-11, -0x1.1fa003fbbb72dp-11,
     -0x1.e25b375f26eebp-12, -0x1.61447f8527b04p-12, -0x1.cd9730b9484d0p-13, -0x1.103a163fbb24ep-13,
     -0x1.24048651dcbeep-14, -0x1.1e4cd8ff2bbabp-15, -0x1.0173757523977p-16,
     -0x1.a9c66f9961b77p-18},
    {-0x1.fffac1dcec891p-419, 0x1.de784a9f1fc94p-9, 0x1.ae0f9123bd724p-8, 0x1.0e0318d17cb10p-7,
     0x1.18b14b0b0bb7dp-7, 0x1.fd8fc2b3243bep-8, 0x1.9d8af7e324e0cp-8, 0x1.2fe5b0ce6be3fp-8,
     0x1.977f5cceac53ep-9, 0x1.f4f5089c3df56p-10, 0x1.1b3faf52b96f0p-10, 0x1.27563592a6239p-11,
     0x1.1c6ecc15372e7p-12, 0x1.fab695bd8aee1p-14, 0x1.a1e1ed5d701cbp-15, 0x1.3f54d3d2959b3p-16},
    {-0x1.b3c058c9df978p-4, -0x1.a487b995dc98cp-4, -0x1.79fbae906b680p-4, -0x1.3c6ba1157ffb5p-4,
     -0x1.ed67a5e96d445p-5, -0x1.664914e5f678bp-5, -0x1.e49eda7e2e2cfp-6, -0x1.31410073e78dcp-6,
     -0x1.6626f091a0bddp-7, -0x1.875f6eba0b501p-8, -0x1.8e518e8c535b3p-9, -0x1.798faa4e69de5p-10,
     -0x1.4d51d728eded3p-11, -0x1.12104ad5fed38p-12, -0x1.a3bf81da97ef8p-14,
     -0x1.2b5f86957a976p-15},
    {0x1.0000000000000p-1, 0x1.9456f15b62ad5p-2, 0x1.3006ed97f4f61p-2, 0x1.b1e13e432c82ap-3,
     0x1.24fd442e73accp-3, 0x1.7599e55c03930p-4, 0x1.c0ea71b631b10p-5, 0x1.fb7ab08bcb39dp-6,
     0x1.0d7ed4a7b6fa0p-6, 0x1.0c9dea5a1a3b1p-7, 0x1.f60e3e89be8a5p-9, 0x1.b78aa7ce715cbp-10,
     0x1.684217c4fef92p-11, 0x1.1446b19143838p-12, 0x1.8c4855d4f94f1p-14, 0x1.09ad7954afff8p-15},
};

/* log(1 + x) / x for x from 0 to 1, in 16 pieces, the middle of which are i /
 * MATHS_PER_PIECE_LOG1P: by the power of f, the highest one first, and by i. f is what x
 * MATHS_PER_PIECE_LOG1P is more than i. */
#define MATHS_PER_PIECE_LOG1P 0x1.e000000000000p+3
static const double maths_pieces_log1p[8][16] = {
    {-0x1.92ea3d871e096p-31, -0x1.fd0d9ec365eeap-32, -0x1.4a90821137151p-32, -0x1.b7ee879c16428p-33,
     -0x1.2b305887d5a86p-33, -0x1.9efb0219094cdp-34, -0x1.24eadff3f167cp-34, -0x1.a430e54e31f96p-35,
     -0x1.31d00c92f019cp-35, -0x1.c31f2769d476ep-36, -0x1.50d82ce9c0d23p-36, -0x1.fcc078edff578p-37,
     -0x1.843c0d893db72p-37, -0x1.2b2771df50cf9p-37, -0x1.d134482bcaca7p-38,
     -0x1.6cc469243ceaep-38},
    {0x1.afac5e9cb9d57p-27, 0x1.229c5b52cdcccp-27, 0x1.90ab25d85f7f3p-28, 0x1.1a0f7d07950a9p-28,
     0x1.94a1ab6d8543cp-29, 0x1.2726effe71b78p-29, 0x1.b52ba4186553fp-30, 0x1.483fcc234b92ep-30,
     0x1.f327909f2c64ep-31, 0x1.7fe7813685e35p-31, 0x1.2a653c70d2522p-31, 0x1.d465dcd1738adp-32,
     0x1.72f2e3a223ff1p-32, 0x1.283c30ae13f8fp-32, 0x1.dcd36548b4e5cp-33, 0x1.828aa2b2804c1p-33},
    {-0x1.d75399aeaa7c5p-23, -0x1.5222a34340d25p-23, -0x1.eedbb7941909fp-24, -0x1.7083ecf22a0b4p-24,
     -0x1.16c1c6748d310p-24, -0x1.abb05a9712cc0p-25, -0x1.4c48e8496cba4p-25, -0x1.0526f64b46d95p-25,
     -0x1.9ed36e5eb6de1p-26, -0x1.4ca53ac8f95dep-26, -0x1.0d1c8f54e291cp-26, -0x1.b6fc21192ffd1p-27,
     -0x1.68c0656af7290p-27, -0x1.2a8a2aaf60dd5p-27, -0x1.f15604710909bp-28,
     -0x1.a0c663d25ce6ap-28},
    {0x1.091f07a3f9725p-18, 0x1.952219830d33bp-19, 0x1.3a84008652c9bp-19, 0x1.ef4829cf3ad59p-20,
     0x1.8aebc7ecfc6c8p-20, 0x1.3e7c0c17cb32ep-20, 0x1.037bf2a0b031ap-20, 0x1.aac6226513012p-21,
     0x1.61f19517b3d7cp-21, 0x1.27d3feb2fa362p-21, 0x1.f20c5563dce85p-22, 0x1.a6043ca0105c5p-22,
     0x1.67c649254c3c5p-22, 0x1.347310adc9675p-22, 0x1.09d6fbda9b889p-22, 0x1.cc7c146c1f269p-23},
    {-0x1.36b06e716ea8dp-14, -0x1.f95222b3fced4p-15, -0x1.9ff421f8f4d7ap-15, -0x1.5a18263c35883p-15,
     -0x1.22bf896bffff0p-15, -0x1.ecbe115cf7be0p-16, -0x1.a4ce6dc942eacp-16, -0x1.69edbb694c2f4p-16,
     -0x1.394ef726184e7p-16, -0x1.10d4cfc7bd5a2p-16, -0x1.ddc33b1d718d6p-17, -0x1.a46b7f0351598p-17,
     -0x1.73af667c909d0p-17, -0x1.4a05b61b7e62cp-17, -0x1.2635d7f89ff7ep-17,
     -0x1.07454c67f2fb9p-17},
    {0x1.845c8a0da41c0p-10, 0x1.4fca91160ac06p-10, 0x1.24c87e840e074p-10, 0x1.01314c5d405d9p-10,
     0x1.c6e07aa28a290p-11, 0x1.94abc73184a7bp-11, 0x1.69f6a7c249345p-11, 0x1.455cdb7da388bp-11,
     0x1.25c8335c9b957p-11, 0x1.0a5d09d87ea93p-11, 0x1.e4d85b0771bc6p-12, 0x1.bad128543777ap-12,
     0x1.95bf7205cb13ap-12, 0x1.74e7c728b5354p-12, 0x1.57afa1b792875p-12, 0x1.3d96c0d72deccp-12},
    {-0x1.1111111111106p-5, -0x1.f4fca9115997bp-6, -0x1.cdc9c81040677p-6, -0x1.ab7b9d220b9b2p-6,
     -0x1.8d3f56f3d8c9bp-6, -0x1.726e0a52ea249p-6, -0x1.5a81f2d431543p-6, -0x1.450eb155fb370p-6,
     -0x1.31bb9b99ae547p-6, -0x1.203f801a3697dp-6, -0x1.105d741c7bdb1p-6, -0x1.01e26306b49ebp-6,
     -0x1.e94657ed5b40ep-7, -0x1.d0f652b448fa2p-7, -0x1.ba9610e439d58p-7, -0x1.a5efbb75ed50ep-7},
    {0x1.ffffffffffff4p-1, 0x1.efa7e5488acc5p-1, 0x1.e0a06044c7ca0p-1, 0x1.d2be4165dbc11p-1,
     0x1.c5ddcfebf45c8p-1, 0x1.b9e1319cf495bp-1, 0x1.aeaf38f5801b3p-1, 0x1.a4327c9c43512p-1,
     0x1.9a58a41e1289fp-1, 0x1.9111dc075f5abp-1, 0x1.8850677c19e7ap-1, 0x1.80084831b08cbp-1,
     0x1.782ef798f2e34p-1, 0x1.70bb2d5ee7f76p-1, 0x1.69a4b06279e48p-1, 0x1.62e42fefa39efp-1},
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
