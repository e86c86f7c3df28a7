/* Code points of UTF-8 text. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_UTF8_H
#define INLAY_KERNELS_UTF8_H

#include "ir/shared.h"

/* Returns the code point at S, where N > 0 bytes are left, and sets *LENGTH to its length. A byte
 * that begins no code point is U+FFFD of length 1. */
static inline uint32_t utf8_read(const char *s, size_t n, size_t *length)
{
    uint32_t x;

    *length = inlay_utf8_decode(s, n, &x);
    if (*length > 0)
        return x;
    *length = 1;
    return 0xfffd;
}

/* Writes X, of at most four bytes, to S and returns their number. */
static inline size_t utf8_write(char *s, uint32_t x)
{
    size_t k = x < 0x80 ? 1 : x < 0x800 ? 2 : x < 0x10000 ? 3 : 4;

    if (k == 1) {
        s[0] = (char)x;
        return 1;
    }
    for (size_t i = k; i-- > 1; x >>= 6)
        s[i] = (char)(unsigned char)(0x80 | (x & 0x3f));
    s[0] = (char)(unsigned char)((0xf00 >> k & 0xf0) | x);
    return k;
}

#endif
