/* UTF-8 as RFC 3629 defines it. */
#include "parser/utf8.h"

#include <string.h>

size_t utf8_decode(const void *s, size_t n, uint32_t *out)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = s;
    size_t length = b[0] < 0x80 ? 1 : b[0] >> 5 == 6 ? 2 : b[0] >> 4 == 14 ? 3 : 4;
    uint32_t c = length == 1 ? b[0] : b[0] & (0x7fu >> length);

    if (length > n || (length == 4 && b[0] >> 3 != 30))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (b[i] >> 6 != 2)
            return 0;
        c = c << 6 | (b[i] & 0x3f);
    }
    *out = c;
    return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : length;
}

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
        length = utf8_decode(b, n, &c);
        if (length == 0)
            return false;
    }
    return true;
}
