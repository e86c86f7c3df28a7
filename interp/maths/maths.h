/* Functions of one float that are correctly rounded: the result is the float nearest to the true
 * value, on every machine. Private to interp/.
 *
 * Each function is computed in double precision, which rounds to the right float for all but a few
 * of the 2^32 arguments: these are listed here with their results. The part `maths` of `make long`
 * compares all floats with MPFR, test_maths a sample. The functions have no branches and call
 * nothing, so that a caller's loop over them is vectorized.
 *
 * sigmoid, swish, softplus, mish, both forms of gelu, elu and selu are not single functions of
 * libraries, and powers have two arguments: they are within 0.501 units in the last place. */
#ifndef INLAY_MATHS_H
#define INLAY_MATHS_H

#include "interp/maths/circle.h"
#include "interp/maths/erf.h"
#include "interp/maths/exp.h"
#include "interp/maths/log.h"
#include "interp/maths/power.h"

/* Returns Y, except for the one X whose correctly rounded result KNOWN is listed. */
static inline float maths_but(float x, float one, float known, float y)
{
    return x == one ? known : y;
}

/* The same for a function with f(-x) = -f(x). */
static inline float maths_but_odd(float x, float one, float known, float y)
{
    return maths_but(x, -one, -known, maths_but(x, one, known, y));
}

/* Below and above these bounds exp(x) is 0 and infinite. */
#define MATHS_EXP_LOW (-150.0F)
#define MATHS_EXP_HIGH 100.0F
/* exp(-0x1.65cf3p+6) is rounded to the wrong one of two floats, which is never the right result. */
#define MATHS_EXP_WRONG 0x1.edb9ap-130F
#define MATHS_EXP_RIGHT 0x1.edb9cp-130F

static inline float maths_exp(float x)
{
    float y = (float)maths_exp_near_d(x);

    y = maths_but(y, MATHS_EXP_WRONG, MATHS_EXP_RIGHT, y);
    return x < MATHS_EXP_LOW ? 0 : x > MATHS_EXP_HIGH ? INFINITY : y;
}

static inline float maths_expm1(float x)
{
    return (float)maths_expm1_d(x);
}

static inline float maths_log(float x)
{
    float y = (float)maths_log_d(x);

    y = maths_but(x, 0x1.827a74p-7f, -0x1.1c2b1ep+2f, y);
    y = maths_but(x, 0x1.2f1fd6p+3f, 0x1.1fcbcep+1f, y);
    y = maths_but(x, 0x1.bacb4ap+25f, 0x1.1e0696p+4f, y);
    y = maths_but(x, 0x1.b121a6p+76f, 0x1.a9a3f2p+5f, y);
    return maths_but(x, 0x1.6351d8p+95f, 0x1.08b512p+6f, y);
}

static inline float maths_log1p(float x)
{
    float y = (float)maths_log1p_d(x);

    y = maths_but(x, 0x1.800006p-21f, 0x1.7ffffep-21f, y);
    y = maths_but(x, 0x1.200036p-17f, 0x1.1fffe6p-17f, y);
    y = maths_but(x, 0x1.fb035ap-2f, 0x1.9bddc2p-2f, y);
    y = maths_but(x, 0x1.0f1fd6p+3f, 0x1.1fcbcep+1f, y);
    y = maths_but(x, 0x1.b121a6p+76f, 0x1.a9a3f2p+5f, y);
    y = maths_but(x, 0x1.6351d8p+95f, 0x1.08b512p+6f, y);
    y = maths_but(x, -0x1.7ffffap-21f, -0x1.800002p-21f, y);
    y = maths_but(x, -0x1.1fffcap-17f, -0x1.20001ap-17f, y);
    return maths_but(x, -0x1.1d9188p-9f, -0x1.1de14ap-9f, y);
}

static inline float maths_sin(float x)
{
    float y = (float)maths_sin_d(x);

    return maths_but_odd(x, 0x1.33333p+13f, -0x1.63f4bap-2f, y);
}

/* cos(-x) is cos(x). */
static inline float maths_cos(float x)
{
    float y = (float)maths_cos_d(x);

    y = maths_but(fabsf(x), 0x1.3170fp+63f, 0x1.fe2976p-1f, y);
    return maths_but(fabsf(x), 0x1.2b9622p+67f, 0x1.f0285ep-1f, y);
}

static inline float maths_tan(float x)
{
    return (float)maths_tan_d(x);
}

static inline float maths_asin(float x)
{
    return (float)maths_asin_d(x);
}

static inline float maths_acos(float x)
{
    float y = (float)maths_acos_d(x);

    y = maths_but(x, 0x1.110b46p-26f, 0x1.921fb6p+0f, y);
    return maths_but(x, 0x1.04c444p-12f, 0x1.920f6ap+0f, y);
}

static inline float maths_atan(float x)
{
    float y = (float)maths_atan_d(x);

    return maths_but_odd(x, 0x1.1ad646p-4f, 0x1.1a6386p-4f, y);
}

static inline float maths_sinh(float x)
{
    float y = (float)maths_sinh_d(x);

    return maths_but_odd(x, 0x1.250bfep-11f, 0x1.250bfep-11f, y);
}

static inline float maths_cosh(float x)
{
    return (float)maths_cosh_d(x);
}

static inline float maths_tanh(float x)
{
    return (float)maths_tanh_d(x);
}

static inline float maths_asinh(float x)
{
    float y = (float)maths_asinh_d(x);

    y = maths_but_odd(x, 0x1.bacb4ap+24f, 0x1.1e0696p+4f, y);
    y = maths_but_odd(x, 0x1.b121a6p+75f, 0x1.a9a3f2p+5f, y);
    return maths_but_odd(x, 0x1.6351d8p+94f, 0x1.08b512p+6f, y);
}

static inline float maths_acosh(float x)
{
    float y = (float)maths_acosh_d(x);

    y = maths_but(x, 0x1.b121a6p+75f, 0x1.a9a3f2p+5f, y);
    return maths_but(x, 0x1.6351d8p+94f, 0x1.08b512p+6f, y);
}

static inline float maths_atanh(float x)
{
    return (float)maths_atanh_d(x);
}

static inline float maths_erf(float x)
{
    return (float)maths_erf_d(x);
}

/* sin, cos and tan of X between -MATHS_NEAR and MATHS_NEAR, several times faster. */
static inline float maths_sin_near(float x)
{
    return maths_but_odd(x, 0x1.33333p+13f, -0x1.63f4bap-2f, (float)maths_sin_near_d(x));
}

static inline float maths_cos_near(float x)
{
    return (float)maths_cos_near_d(x);
}

static inline float maths_tan_near(float x)
{
    return (float)maths_tan_near_d(x);
}

/* 1 / (1 + exp(-x)) */
static inline float maths_sigmoid(float x)
{
    return (float)(1 / (1 + maths_exp_fast_d(-(double)x)));
}

/* x sigmoid(a x) */
static inline float maths_swish(float x, float a)
{
    return (float)(x / (1 + maths_exp_fast_d(-((double)a * x))));
}

/* log(1 + exp(x)), which equals x + log(1 + exp(-x)) */
static inline float maths_softplus(float x)
{
    return (float)((x > 0 ? x : 0) + maths_log1p_d(maths_exp_fast_d(-fabs((double)x))));
}

/* x tanh(softplus(x)): with e = exp(x), tanh(log(1 + e)) is (e^2 + 2 e) / (e^2 + 2 e + 2), which is
 * 1 long before e^2 overflows. */
static inline float maths_mish(float x)
{
    double e = maths_exp_d(x > 100 ? 100 : x), d = e * (e + 2);

    return (float)(x * (d / (d + 2)));
}

/* x / 2 (1 + erf(x / sqrt(2))) */
static inline float maths_gelu_erf(float x)
{
    return (float)(0.5 * x * maths_area_d(x));
}

#define MATHS_ROOT_2_PER_PI 0x1.9884533d43651p-1 /* sqrt(2 / pi) */

/* x / 2 (1 + tanh(u)), u = sqrt(2 / pi) (x + 0.044715 x^3), which equals x sigmoid(2 u) */
static inline float maths_gelu_tanh(float x)
{
    double y = x, u = MATHS_ROOT_2_PER_PI * (y + 0.044715 * (y * y * y));

    return (float)(y / (1 + maths_exp_fast_d(-2 * u)));
}

/* x^y */
MATHS_INLINE float maths_pow(float x, float y)
{
    return (float)maths_power_d(x, y);
}

/* A (exp(x) - 1) for X below 0, else X; both times B */
static inline float maths_elu(float x, double a, double b)
{
    return (float)(b * (x > 0 ? x : a * maths_expm1_d(x)));
}

#endif
