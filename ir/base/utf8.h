/* UTF-8 as RFC 3629 defines it. */
#ifndef INLAY_IR_UTF8_H
#define INLAY_IR_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Decodes one code point from the N > 0 bytes at S. Returns the length of the code point in bytes,
 * or 0 when it is malformed (overlong, a surrogate, above U+10FFFF, cut short). */
static inline size_t inlay_utf8_decode(const void *s, size_t n, uint32_t *out)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)s;
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

#endif
