/* Numbers as text for people and for tensors of strings, and back. Files use the text of element.c,
 * which keeps every bit. */
#include "ir/base/locale.h"
#include "ir/tensor/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts the digits of the shortest decimal in TEXT, as written by inlay_element_text. */
static int count_digits(const char *text)
{
    int n = 0;

    for (const char *p = text; *p && *p != 'e'; p++)
        n += *p >= '0' && *p <= '9' && (n > 0 || *p != '0');
    for (const char *p = strchr(text, 'e') || strchr(text, '.') ? NULL : text + strlen(text);
         p && n > 1 && p[-1] == '0'; p--)
        n--; /* 1000 has one significant digit */
    return n > 0 ? n : 1;
}

static void float_plain(const char *shortest, double x, char *buf, size_t size)
{
    int digits = count_digits(shortest), exponent = x != 0 ? (int)floor(log10(fabs(x))) : 0;

    if (x != 0 && (fabs(x) < 1e-4 || fabs(x) >= 1e16))
        snprintf(buf, size, "%.*e", digits - 1, x);
    else
        snprintf(buf, size, "%.*f", digits - 1 - exponent > 1 ? digits - 1 - exponent : 1, x);
}

/* Writes the integer whose bits are X. */
static void integer_plain(int64_t x, bool is_unsigned, char *buf, size_t size)
{
    char digits[24], *p = digits + sizeof digits;
    bool negative = !is_unsigned && x < 0;
    uint64_t rest = negative ? -(uint64_t)x : (uint64_t)x;

    *--p = '\0';
    do
        *--p = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (negative)
        *--p = '-';
    if ((size_t)(digits + sizeof digits - p) <= size)
        memcpy(buf, p, (size_t)(digits + sizeof digits - p));
}

void inlay_element_plain(inlay_type type, const void *base, int64_t index, char *buf, size_t size)
{
    char shortest[40];
    double x;
    void *host;

    if (!inlay_type_is_float(type)) {
        integer_plain(inlay_load_i64(type, base, index), type == INLAY_U64, buf, size);
        return;
    }
    x = inlay_load_f64(type, base, index);
    if (!isfinite(x)) {
        snprintf(buf, size, isnan(x) ? "NaN" : x < 0 ? "-INF" : "INF");
        return;
    }
    inlay_element_text(type, base, index, shortest, sizeof shortest);
    host = inlay_locale_enter();
    float_plain(shortest, strtod(shortest, NULL), buf, size);
    inlay_locale_leave(host);
}

static bool special_number(const char *text, double *x)
{
    const char *word = text + (*text == '+' || *text == '-');

    if (inlay_word_compare(word, "INF") != 0 && inlay_word_compare(text, "NaN") != 0)
        return false;
    *x = inlay_word_compare(text, "NaN") == 0 ? (double)NAN
         : *text == '-'                       ? -(double)INFINITY
                                              : (double)INFINITY;
    return true;
}

/* Reads an integer of so few digits that it does not overflow; -0 is none. */
static bool short_integer(const char *text, size_t size, int64_t *integer)
{
    bool negative = size > 0 && text[0] == '-';
    int64_t x = 0;

    if (size == (size_t)negative || size > 18)
        return false;
    for (size_t i = negative; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        x = 10 * x + (text[i] - '0');
    }
    *integer = negative ? -x : x;
    return x != 0 || !negative;
}

bool inlay_number_of_text(const char *text, size_t size, double *x, int64_t *integer)
{
    char copy[400], *end;
    void *host;

    if (size == 0 || size >= sizeof copy)
        return false;
    if (short_integer(text, size, integer)) {
        *x = (double)*integer;
        return true;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    *integer = 0;
    if (special_number(copy, x))
        return true;
    if (strspn(copy, "+-.0123456789eE") < size)
        return false;
    host = inlay_locale_enter();
    *x = strtod(copy, &end);
    inlay_locale_leave(host);
    if (*end || end == copy)
        return false;
    errno = 0;
    *integer = copy[0] == '-' ? strtoll(copy, &end, 10) : (int64_t)strtoull(copy, &end, 10);
    if (*end || errno)
        inlay_store_f64(INLAY_I64, integer, 0, *x);
    return true;
}
