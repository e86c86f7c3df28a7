/* Code points of UTF-8 text. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_UTF8_H
#define INLAY_KERNELS_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Returns the code point at S, where N > 0 bytes are left, and sets *LENGTH to its length. A byte
 * that begins no code point is U+FFFD of length 1. */
static inline uint32_t utf8_read(const char *s, size_t n, size_t *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)s[0];
    size_t k = first < 0x80       ? 1
               : first >> 5 == 6  ? 2
               : first >> 4 == 14 ? 3
               : first >> 3 == 30 ? 4
                                  : 0;
    uint32_t x = k < 2 ? first : first & (0xffu >> (k + 1));

    *length = 1;
    if (k == 0 || k > n)
        return 0xfffd;
    for (size_t i = 1; i < k; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0xfffd;
        x = x << 6 | ((unsigned char)s[i] & 0x3f);
    }
    if (x < least[k] || x > 0x10ffff || (x >= 0xd800 && x < 0xe000))
        return 0xfffd;
    *length = k;
    return x;
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
