/* Base64: RFC 4648, sections 4 and 5. */
#include "parser/onnx/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *onnx_base64(const uint8_t *bytes, size_t n, inlay_arena *a)
{
    char *text = n < SIZE_MAX / 2 ? inlay_arena_alloc(a, (n + 2) / 3 * 4 + 1) : NULL, *to = text;

    for (size_t i = 0; text && i < n; i += 3) {
        size_t there = n - i < 3 ? n - i : 3;
        uint32_t bits = (uint32_t)bytes[i] << 16;

        bits |= there > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= there > 2 ? bytes[i + 2] : 0;
        for (size_t k = 0; k < 4; k++)
            *to++ = k <= there ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
    }
    if (to)
        *to = '\0';
    return text;
}

/* Returns the six bits that C stands for in either alphabet; -1: it is in neither. */
static int six_bits(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* Decodes TEXT, N characters of base64 without padding, to OUT. False: that is not base64. */
static bool decode(const char *text, size_t n, uint8_t *out)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < n; i++) {
        int six = six_bits(text[i]);

        if (six < 0)
            return false;
        bits = bits << 6 | (uint32_t)six;
        if (i % 4 != 0)
            *out++ = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    return n % 4 != 1 && (n % 4 == 0 || (bits & (n % 4 == 2 ? 15u : 3u)) == 0);
}

uint8_t *onnx_base64_read(const char *text, size_t *count, bool *bad, inlay_arena *a)
{
    size_t n = strlen(text), padding = 0;
    uint8_t *out;

    while (padding < 2 && padding < n && text[n - padding - 1] == '=')
        padding++;
    *bad = padding > 0 && n % 4 != 0;
    n -= padding;
    *count = n / 4 * 3 + (n % 4 > 0 ? n % 4 - 1 : 0);
    out = *bad ? NULL : inlay_arena_alloc(a, *count + 1);
    *bad = *bad || (out && !decode(text, n, out));
    return *bad ? NULL : out;
}
