/* Rows of f16 and bf16 in vectors. It is included once for each length of vectors, with what
 * narrow.c defines for it. */

/* STEP for LANES elements from I on, and at the end for the last LANES of N, of which some are
 * converted twice. */
#define EACH_LANES(step)                                                                           \
    for (i = 0; i + LANES <= n; i += LANES) {                                                      \
        step;                                                                                      \
    }                                                                                              \
    if (i < n) {                                                                                   \
        i = n - LANES;                                                                             \
        step;                                                                                      \
    }

/* The processor makes a NaN of f16 quiet; where there is one, the row is computed by the caller. */
static TARGET int64_t NAME(decode)(inlay_type type, const char *from, int64_t n, float *x)
{
    mask nan = NO_NAN;
    floats v;
    int64_t i;

    if (n < LANES)
        return 0;
    if (type == INLAY_F16) {
        EACH_LANES(v = WIDEN_F16(LOAD_CODES(from + 2 * i)); nan = ALSO_NAN(nan, v);
                   STORE_FLOATS(x + i, v))
    } else {
        EACH_LANES(STORE_FLOATS(x + i, WIDEN_BF16(LOAD_CODES(from + 2 * i))))
    }
    return HAS_NAN(nan) ? 0 : n;
}

/* Returns in the upper half of each element the code of bf16, as inlay_bf16_code does. */
static inline TARGET floats NAME(bf16)(floats v)
{
    bits u = (bits)v, up = u + 0x7fff + (u >> 16 & 1), nan = u | 0x400000;

    return CHOOSE_NAN(v, (floats)nan, (floats)up);
}

static TARGET int64_t NAME(encode)(inlay_type type, char *to, int64_t n, const float *x)
{
    int64_t i;

    if (n < LANES)
        return 0;
    if (type == INLAY_F16) {
        EACH_LANES(STORE_CODES(to + 2 * i, NARROW_F16(LOAD_FLOATS(x + i))))
    } else {
        EACH_LANES(STORE_CODES(to + 2 * i, UPPER(NAME(bf16)(LOAD_FLOATS(x + i)))))
    }
    return n;
}

#undef EACH_LANES
#undef NAME
#undef TARGET
#undef LANES
#undef floats
#undef bits
#undef LOAD_CODES
#undef STORE_CODES
#undef LOAD_FLOATS
#undef STORE_FLOATS
#undef WIDEN_F16
#undef WIDEN_BF16
#undef NARROW_F16
#undef UPPER
#undef mask
#undef NO_NAN
#undef ALSO_NAN
#undef HAS_NAN
#undef CHOOSE_NAN
