/* One element as text that reads back to the same bits: the shortest decimal that does, or, where
 * no decimal does (NaN payloads, boolean bytes beyond 0 and 1, complex numbers), the bits in
 * hexadecimal.
 */

#include "ir/base/locale.h"
#include "ir/tensor/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 16 }; /* the length of the longest text of one number */

static size_t element_bytes(inlay_type type)
{
    return (size_t)(inlay_type_info_of(type)->bits + 7) / 8;
}

static bool same_bits(inlay_type type, const void *a, const void *b)
{
    return memcmp(a, b, element_bytes(type)) == 0;
}

/* *LAST: the number of digits that is always enough; *FIRST: the number from which on it is worth
 * trying. */
static void decimal_digits(inlay_type type, int *first, int *last)
{
    int bits = inlay_type_info_of(type)->bits;

    *first = bits == 64 ? 15 : bits == 32 ? 6 : 1;
    *last = bits == 64 ? 17 : 9;
}

static bool float_text(inlay_type type, const void *element, char *buf, size_t size)
{
    double x = inlay_load_f64(type, element, 0);
    bool exact = false;
    int first, last;
    void *host;

    if (isinf(x)) {
        snprintf(buf, size, x < 0 ? "-inf" : "inf");
        return true;
    }
    decimal_digits(type, &first, &last);
    host = inlay_locale_enter();
    for (int digits = first; digits <= last && !exact; digits++) {
        unsigned char back[MAX_BYTES] = {0};

        snprintf(buf, size, "%.*g", digits, x);
        inlay_store_f64(type, back, 0, isnan(x) ? NAN : strtod(buf, NULL));
        if (isnan(x))
            snprintf(buf, size, "nan");
        exact = same_bits(type, back, element);
    }
    inlay_locale_leave(host);
    return exact;
}

/* Writes the bits as one hexadecimal number. */
static void bits_text(inlay_type type, const unsigned char *element, char *buf, size_t size)
{
    size_t n = (size_t)snprintf(buf, size, "0x");

    for (size_t i = element_bytes(type); i-- > 0 && n < size;)
        n += (size_t)snprintf(buf + n, size - n, "%02x", element[i]);
}

char *inlay_element_text(inlay_type type, const void *base, int64_t index, char *buf, size_t size)
{
    unsigned char element[MAX_BYTES] = {0};
    int64_t i;

    if (inlay_type_info_of(type)->bits > 8 * MAX_BYTES || inlay_type_info_of(type)->refused ||
        inlay_type_refers(type)) {
        snprintf(buf, size, "?");
        return buf;
    }
    inlay_copy_element(type, element, 0, base, index);
    switch (inlay_type_info_of(type)->cls) {
    case INLAY_CLASS_BOOLEAN:
        if (element[0] > 1)
            break;
        snprintf(buf, size, element[0] ? "true" : "false");
        return buf;
    case INLAY_CLASS_FLOAT:
        if (float_text(type, element, buf, size))
            return buf;
        break;
    case INLAY_CLASS_SIGNED:
    case INLAY_CLASS_UNSIGNED:
        i = inlay_load_i64(type, element, 0);
        if (type == INLAY_U64)
            snprintf(buf, size, "%" PRIu64, (uint64_t)i);
        else
            snprintf(buf, size, "%" PRId64, i);
        return buf;
    default:
        break;
    }
    bits_text(type, element, buf, size);
    return buf;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads TEXT after "0x"; it has at most as many digits as the element. */
static bool parse_bits(inlay_type type, const char *text, unsigned char *element)
{
    int bits = inlay_type_info_of(type)->bits;
    size_t n = strlen(text);

    if (n == 0 || n > 2 * element_bytes(type))
        return false;
    for (size_t i = 0; i < n; i++) {
        int digit = hex_digit(text[n - 1 - i]);

        if (digit < 0)
            return false;
        element[i / 2] |= (unsigned char)(digit << 4 * (i % 2));
    }
    if (bits == 2 || bits == 4) /* element 0 of a packed type: see number.c */
        return element[0] < 1 << bits;
    if (bits == 1)
        element[0] = (unsigned char)(element[0] << 7);
    return true;
}

static bool parse_float(inlay_type type, const char *text, unsigned char *element)
{
    bool word = strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
    char *end;
    void *host = inlay_locale_enter();
    double x = strtod(text, &end);

    inlay_locale_leave(host);
    if (*end || end == text || (!word && strcspn(text, "nNxXpP") < strlen(text)))
        return false;
    if (isinf(x) && !word)
        return false;
    inlay_store_f64(type, element, 0, isnan(x) ? NAN : x);
    return true;
}

static bool parse_integer(inlay_type type, const char *text, unsigned char *element)
{
    char *end;
    uint64_t u;
    int64_t i;

    errno = 0;
    if (type == INLAY_U64) {
        u = strtoull(text, &end, 10);
        i = (int64_t)u;
        if (text[0] == '-')
            return false;
    } else {
        i = strtoll(text, &end, 10);
    }
    if (*end || end == text || errno)
        return false;
    inlay_store_i64(type, element, 0, i);
    return inlay_load_i64(type, element, 0) == i;
}

static bool parse_boolean(const char *text, unsigned char *element)
{
    element[0] = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return element[0] || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

bool inlay_element_parse(inlay_type type, const char *text, void *base, int64_t index)
{
    if (!text)
        return false;

    unsigned char element[MAX_BYTES] = {0};
    inlay_type_class cls = inlay_type_info_of(type)->cls;
    bool ok = false;

    if (cls == INLAY_CLASS_NONE || cls == INLAY_CLASS_STRING || inlay_type_info_of(type)->refused)
        return false;
    if (text[0] == '0' && text[1] == 'x')
        ok = parse_bits(type, text + 2, element);
    else if (cls == INLAY_CLASS_BOOLEAN)
        ok = parse_boolean(text, element);
    else if (cls == INLAY_CLASS_FLOAT)
        ok = parse_float(type, text, element);
    else if (cls != INLAY_CLASS_COMPLEX)
        ok = parse_integer(type, text, element);
    if (ok)
        inlay_copy_element(type, base, index, element, 0);
    return ok;
}
