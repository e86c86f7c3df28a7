#include "parser/utf8.h"

#include "ir/shared.h"

#include <string.h>

size_t utf8_encode(uint32_t c, void *out)
{
    static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    unsigned char *b = out;
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = length; i-- > 1; c >>= 6)
        b[i] = (unsigned char)(0x80 | (c & 0x3f));
    b[0] = (unsigned char)(lead[length] | c);
    return length;
}

/* Returns a number of bytes at the beginning of B that are all ASCII. Tests eight at a time; most
 * names are nothing but ASCII. */
static size_t ascii(const unsigned char *b, size_t n)
{
    size_t i = 0;
    uint64_t eight;

    for (; i + 8 <= n; i += 8) {
        memcpy(&eight, b + i, 8);
        if (eight & UINT64_C(0x8080808080808080))
            return i;
    }
    while (i < n && b[i] < 0x80)
        i++;
    return i;
}

bool utf8_valid(const void *s, size_t n)
{
    const unsigned char *b = s;
    size_t plain = ascii(b, n);
    uint32_t c;

    b += plain;
    n -= plain;
    for (size_t length; n > 0; b += length, n -= length) {
        length = inlay_utf8_decode(b, n, &c);
        if (length == 0)
            return false;
    }
    return true;
}
