/* The operands of MatMulQuantized and ConvolutionQuantized, and how their sums end. Private to the
 * kernels. */
#ifndef INLAY_KERNELS_QUANTIZED_H
#define INLAY_KERNELS_QUANTIZED_H

#include "interp/call/kernel.h"

#include <string.h>

/* Operands behind the two factors. */
enum {
    QUANTIZED_A_ZERO = 2,
    QUANTIZED_B_ZERO,
    QUANTIZED_BIAS,
    QUANTIZED_SCALE,
    QUANTIZED_SHIFT,
    QUANTIZED_FACTOR,
    QUANTIZED_DIVISOR,
    QUANTIZED_ZERO
};

enum { QUANTIZED_COLS = 32 /* of a block of sums */ };

/* Lists with a number for each channel (column) of the result, and some more behind them, so that
 * whole blocks can be computed. What is absent is a number that changes nothing: 0, 1, or -0 where
 * floats are added. */
typedef struct quantized_end {
    inlay_type type; /* of the result */
    const uint32_t *bias;
    const float *scale, *shift, *factor, *divisor, *zero;
    bool divides;
    float min, max;
    size_t size; /* bytes of an element */
} quantized_end;

/* Sets *E to what follows the sums of C, whose result has CHANNELS. False: there are no elements
 * yet, or no memory. */
bool quantized_end_of(inlay_call *c, int64_t channels, quantized_end *e);
/* Sets *ZERO to the zero point, operand I, or 0. */
bool quantized_zero(inlay_call *c, int i, uint32_t *zero);
/* Ends ROWS rows of SUMS, QUANTIZED_COLS apart, of which N are wanted; row I is written to TO + I *
 * PITCH bytes. Column j is of channel CHANNEL + j, if the channels lie ALONG the rows, else row i
 * is of channel CHANNEL + i. */
void quantized_block(const quantized_end *e, const uint32_t *sums, int64_t rows, int64_t n,
                     int64_t channel, bool along, char *to, size_t pitch);
/* Copies N bytes, few of them, for which memcpy would be a call. */
static inline void quantized_copy(char *to, const char *from, size_t n)
{
    enum { LONG = 16, SHORT = 4 };
    size_t some = n >= LONG ? LONG : SHORT;

    if (n < SHORT) {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
        return;
    }
    for (size_t i = 0; i < n; i += some) {
        size_t at = i + some <= n ? i : n - some;

        if (some == LONG)
            memcpy(to + at, from + at, LONG);
        else
            memcpy(to + at, from + at, SHORT);
    }
}

/* Returns an array for the elements of output 0, and hands it over when it is complete. */
void *quantized_place(inlay_call *c);
bool quantized_store(inlay_call *c, const void *y);

#endif
