/* The floats of 4 to 16 bits, as bit patterns ("codes"). Private to ir/tensor/. */
#ifndef INLAY_IR_NARROW_H
#define INLAY_IR_NARROW_H

#include "ir/tensor.h"

#include <string.h>

static inline float f32_of_bits(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof(x));
    return x;
}

static inline uint64_t bits_of_f64(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof(u));
    return u;
}

/* Returns the number that CODE represents; exact. */
float narrow_decode(inlay_type type, unsigned code);
/* Returns the code of the number nearest to X. */
unsigned narrow_encode(inlay_type type, double x);

/* The same for N codes of f16 or bf16 from INDEX on, STEP apart. */
void narrow_decode_row(inlay_type type, const void *base, int64_t index, int64_t step, int64_t n,
                       float *x);
void narrow_encode_row(inlay_type type, void *base, int64_t index, int64_t step, int64_t n,
                       const float *x);
/* The same for N codes of at most 8 bits, each in a byte of its own. */
void narrow_decode_codes(inlay_type type, const uint8_t *codes, int64_t n, float *x);
void narrow_encode_codes(inlay_type type, uint8_t *codes, int64_t n, const float *x);

#endif
