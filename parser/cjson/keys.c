/* Compares keys of JSON objects with escapes resolved: "a" and "\u0061" are one key. */
#include "parser/cjson/scan.h"
#include "parser/utf8.h"

#include <string.h>

int json_hex4(const char *p, const char *end)
{
    int x = 0;

    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        x = x * 16 + digit;
    }
    return x;
}

/* Reads a key byte by byte, with escapes resolved; next_byte returns -1 at the end. UNREAD: the
 * remaining bytes of an escape that stands for several. */
typedef struct key_bytes {
    const char *p, *end;
    unsigned char unread[4];
    int n_unread;
} key_bytes;

static int next_byte(key_bytes *k)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";

    if (k->n_unread > 0) {
        int c = k->unread[0];
        memmove(k->unread, k->unread + 1, (size_t)--k->n_unread);
        return c;
    }
    if (k->p == k->end)
        return -1;
    if (*k->p != '\\')
        return (unsigned char)*k->p++;
    k->p += 2;
    if (k->p[-1] != 'u') {
        const char *at = strchr(from, k->p[-1]);
        return (unsigned char)(at != NULL ? to[at - from] : k->p[-1]);
    }
    uint32_t code = (uint32_t)json_hex4(k->p, k->end);
    k->p += 4;
    if (code >= 0xd800 && code < 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)json_hex4(k->p + 2, k->end) - 0xdc00);
        k->p += 6;
    }
    k->n_unread = (int)utf8_encode(code, k->unread);
    return next_byte(k);
}

int json_compare_keys(const void *x, const void *y)
{
    const json_key *a = x, *b = y;
    key_bytes i = {.p = a->text, .end = a->text + a->n}, j = {.p = b->text, .end = b->text + b->n};

    for (;;) {
        int c = next_byte(&i), e = next_byte(&j);
        if (c != e)
            return c - e;
        if (c < 0)
            return 0;
    }
}
