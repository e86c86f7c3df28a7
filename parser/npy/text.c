/* Text elements of .npy files: numpy stores them at a fixed width, padded with zeros, as UTF-32
 * ("<U5") or as bytes ("|S5"). A string tensor holds UTF-8 or whatever bytes it was given. */
#include "ir/shared.h"
#include "parser/npy/npy.h"
#include "parser/utf8.h"

#include <stdlib.h>
#include <string.h>

static uint32_t load_u32(const unsigned char *b, bool big)
{
    return big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

/* Converts one UTF-32 element to UTF-8 in OUT. Returns its length in bytes, or SIZE_MAX when the
 * element holds something that is no code point. */
static size_t convert_utf32(const npy_header *h, const unsigned char *at, unsigned char *out)
{
    size_t n = h->item / 4, length = 0;

    while (n > 0 && load_u32(at + 4 * (n - 1), h->swapped) == 0)
        n--;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = load_u32(at + 4 * i, h->swapped);
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            return SIZE_MAX;
        length += utf8_encode(c, out + length);
    }
    return length;
}

bool npy_read_text(const npy_header *h, const unsigned char *bytes, inlay_tensor *t,
                   const char *name, inlay_diags *d)
{
    inlay_pos pos = {name, 0};
    int64_t count = inlay_tensor_count(t);
    unsigned char *scratch = inlay_take_raw(inlay_buffer_budget(t->buffer),
                                            h->item); /* UTF-8 is never longer than UTF-32 */
    bool ok = scratch != NULL || inlay_fail_memory(d);

    for (int64_t i = 0; ok && i < count; i++) {
        const unsigned char *at = bytes + (size_t)i * h->item;
        size_t length = h->item;
        if (h->utf32) {
            length = convert_utf32(h, at, scratch);
            at = scratch;
            if (length == SIZE_MAX)
                ok = inlay_fail(d, &pos, "element %lld is no valid text", (long long)i);
        } else {
            while (length > 0 && at[length - 1] == 0)
                length--;
        }
        if (ok && !inlay_tensor_set_string(t, i, (const char *)at, length))
            ok = inlay_fail_memory(d);
    }
    inlay_give(scratch);
    return ok;
}

/* The number of code points of S, or SIZE_MAX when S is not UTF-8. */
static size_t count_utf8(inlay_string s)
{
    size_t n = 0;
    uint32_t c;

    for (size_t at = 0; at < s.length; n++) {
        size_t length = inlay_utf8_decode(s.bytes + at, s.length - at, &c);
        if (length == 0)
            return SIZE_MAX;
        at += length;
    }
    return n;
}

bool npy_text_width(const inlay_tensor *t, bool *utf32, size_t *width, const char *name,
                    inlay_diags *d)
{
    inlay_pos pos = {name, 0};
    int64_t count = inlay_tensor_count(t);
    size_t bytes = 1, points = 1; /* numpy has no elements of width 0 */

    *utf32 = true;
    for (int64_t i = 0; i < count; i++) {
        inlay_string s = inlay_tensor_get_string(t, i);
        size_t n = count_utf8(s);
        if (s.length > 0 && s.bytes[s.length - 1] == '\0')
            return inlay_fail(d, &pos, "element %lld ends in a zero byte, which .npy cannot hold",
                              (long long)i);
        if (n == SIZE_MAX)
            *utf32 = false;
        else if (n > points)
            points = n;
        if (s.length > bytes)
            bytes = s.length;
    }
    *width = *utf32 ? points : bytes;
    return true;
}

bool npy_write_text(const inlay_tensor *t, bool utf32, size_t width, const inlay_sink *to)
{
    static const char zeros[64] = {0};
    int64_t count = inlay_tensor_count(t);

    for (int64_t i = 0; i < count; i++) {
        inlay_string s = inlay_tensor_get_string(t, i);
        size_t left = width * (utf32 ? 4 : 1);
        if (!utf32 && s.length > 0 && !to->write(to->ctx, s.bytes, s.length))
            return false;
        left -= utf32 ? 0 : s.length;
        for (size_t at = 0; utf32 && at < s.length; left -= 4) {
            uint32_t c = 0;
            at += inlay_utf8_decode(s.bytes + at, s.length - at, &c);
            char le[4] = {(char)(c & 0xff), (char)(c >> 8 & 0xff), (char)(c >> 16 & 0xff), 0};
            if (!to->write(to->ctx, le, 4))
                return false;
        }
        for (size_t n; left > 0; left -= n) {
            n = left < sizeof(zeros) ? left : sizeof(zeros);
            if (!to->write(to->ctx, zeros, n))
                return false;
        }
    }
    return true;
}
