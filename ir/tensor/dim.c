/* Interval arithmetic with identities, and dimensions as text.
 *
 * An interval is one of unbounded integers; INT64_MIN as lower end and INT64_MAX as upper end mean
 * "no end". A bound that does not fit into 64 bits becomes "no end", and such a result is never
 * static: only an exactly computed number counts as known. The text is OpenVINO's (Dimension and
 * PartialShape), without two accidents of it: `8..2` and numbers of 63 bits and more, which it
 * reads as an empty and as an open interval, are refused. */

#include "ir/tensor/dim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool inlay_dim_proven_equal(inlay_dim a, inlay_dim b)
{
    return (a.id != 0 && a.id == b.id) || (a.lo == a.hi && b.lo == b.hi && a.lo == b.lo);
}

bool inlay_dim_compatible(inlay_dim a, inlay_dim b)
{
    return a.lo <= b.hi && b.lo <= a.hi;
}

int64_t inlay_dim_clamp(inlay_dim d, int64_t n)
{
    return n < d.lo ? d.lo : n > d.hi ? d.hi : n;
}

bool inlay_dim_merge(inlay_dim a, inlay_dim b, inlay_dim *out)
{
    if (!inlay_dim_compatible(a, b))
        return false;
    out->lo = a.lo > b.lo ? a.lo : b.lo;
    out->hi = a.hi < b.hi ? a.hi : b.hi;
    out->id = a.id ? a.id : b.id;
    return true;
}

bool inlay_dims_same_bounds(const inlay_dim *a, const inlay_dim *b, int n)
{
    bool same = true;

    for (int i = 0; same && a != b && i < n; i++)
        same = a[i].lo == b[i].lo && a[i].hi == b[i].hi;
    return same;
}

inlay_dim inlay_dim_union(inlay_dim a, inlay_dim b)
{
    return (inlay_dim){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi,
                       a.id == b.id ? a.id : 0};
}

static bool is_number(inlay_dim d, int64_t x)
{
    return d.lo == x && d.hi == x;
}

static bool open_below(int64_t lo)
{
    return lo == INT64_MIN;
}

static bool open_above(int64_t hi)
{
    return hi == INT64_MAX;
}

/* Makes an interval of computed bounds, which must not look static if it is not exact. */
static inlay_dim inexact(int64_t lo, int64_t hi)
{
    return (inlay_dim){lo == INT64_MAX ? INT64_MAX - 1 : lo, hi == INT64_MIN ? INT64_MIN + 1 : hi,
                       0};
}

static int64_t add_lo(int64_t a, int64_t b)
{
    int64_t sum;

    if (open_below(a) || open_below(b))
        return INT64_MIN;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

static int64_t add_hi(int64_t a, int64_t b)
{
    int64_t sum;

    if (open_above(a) || open_above(b))
        return INT64_MAX;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

inlay_dim inlay_dim_add(inlay_dim a, inlay_dim b)
{
    int64_t sum;

    if (is_number(a, 0))
        return b;
    if (is_number(b, 0))
        return a;
    if (inlay_dim_is_static(a) && inlay_dim_is_static(b) &&
        !__builtin_add_overflow(a.lo, b.lo, &sum))
        return inlay_dim_of(sum);
    return inexact(add_lo(a.lo, b.lo), add_hi(a.hi, b.hi));
}

/* Returns -x for a bound: the upper "no end" becomes the lower one, and vice versa. */
static int64_t negate(int64_t x)
{
    if (x == INT64_MIN)
        return INT64_MAX;
    return x == INT64_MAX ? INT64_MIN : -x;
}

inlay_dim inlay_dim_sub(inlay_dim a, inlay_dim b)
{
    int64_t difference;

    if (is_number(b, 0))
        return a;
    if (inlay_dim_proven_equal(a, b))
        return inlay_dim_of(0);
    if (inlay_dim_is_static(a) && inlay_dim_is_static(b) &&
        !__builtin_sub_overflow(a.lo, b.lo, &difference))
        return inlay_dim_of(difference);
    return inexact(add_lo(a.lo, negate(b.hi)), add_hi(a.hi, negate(b.lo)));
}

static int64_t mul_bounds(int64_t a, int64_t b)
{
    int64_t product;

    if (a == 0 || b == 0)
        return 0;
    if (a == INT64_MIN || b == INT64_MIN || a == INT64_MAX || b == INT64_MAX ||
        __builtin_mul_overflow(a, b, &product))
        return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
    return product;
}

inlay_dim inlay_dim_mul(inlay_dim a, inlay_dim b)
{
    int64_t p[4], product;
    inlay_dim r;

    if (is_number(a, 1))
        return b;
    if (is_number(b, 1))
        return a;
    if (inlay_dim_is_static(a) && inlay_dim_is_static(b) &&
        !__builtin_mul_overflow(a.lo, b.lo, &product))
        return inlay_dim_of(product);
    p[0] = mul_bounds(a.lo, b.lo);
    p[1] = mul_bounds(a.lo, b.hi);
    p[2] = mul_bounds(a.hi, b.lo);
    p[3] = mul_bounds(a.hi, b.hi);
    r = (inlay_dim){p[0], p[0], 0};
    for (int i = 1; i < 4; i++) {
        r.lo = p[i] < r.lo ? p[i] : r.lo;
        r.hi = p[i] > r.hi ? p[i] : r.hi;
    }
    return inexact(r.lo, r.hi);
}

static int64_t div_floor(int64_t x, int64_t by)
{
    return x / by - (x % by < 0);
}

static int64_t div_ceil(int64_t x, int64_t by)
{
    return x / by + (x % by > 0);
}

static inlay_dim divide(inlay_dim a, int64_t by, int64_t (*div)(int64_t, int64_t))
{
    if (by == 1)
        return a;
    if (by <= 0)
        return inlay_dim_unknown_value();
    if (inlay_dim_is_static(a))
        return inlay_dim_of(div(a.lo, by));
    return (inlay_dim){open_below(a.lo) ? a.lo : div(a.lo, by),
                       open_above(a.hi) ? a.hi : div(a.hi, by), 0};
}

inlay_dim inlay_dim_div_floor(inlay_dim a, int64_t by)
{
    return divide(a, by, div_floor);
}

inlay_dim inlay_dim_div_ceil(inlay_dim a, int64_t by)
{
    return divide(a, by, div_ceil);
}

inlay_dim inlay_dim_min(inlay_dim a, inlay_dim b)
{
    if (a.hi <= b.lo || (a.id != 0 && a.id == b.id))
        return a;
    if (b.hi <= a.lo)
        return b;
    return (inlay_dim){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi, 0};
}

inlay_dim inlay_dim_max(inlay_dim a, inlay_dim b)
{
    if (a.lo >= b.hi || (a.id != 0 && a.id == b.id))
        return a;
    if (b.lo >= a.hi)
        return b;
    return (inlay_dim){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, 0};
}

bool inlay_shape_is_static(const inlay_shape *s)
{
    if (s->rank > INLAY_MAX_RANK)
        return false;
    for (int i = 0; i < s->rank; i++) {
        if (!inlay_dim_is_static(s->dim[i]))
            return false;
    }
    return s->rank >= 0;
}

void inlay_shape_of_rank(inlay_shape *s, int rank)
{
    s->rank = rank >= 0 && rank <= INLAY_MAX_RANK ? rank : -1;
    for (int i = 0; i < s->rank; i++)
        s->dim[i] = inlay_dim_any();
}

char *inlay_dim_text(inlay_dim d, char *buf, size_t size)
{
    char text[48]; /* two numbers of 20 characters, and the dots */

    if (d.lo == d.hi)
        snprintf(text, sizeof text, "%" PRId64, d.lo);
    else if ((d.lo == 0 || open_below(d.lo)) && d.hi == INLAY_DIM_MAX)
        snprintf(text, sizeof text, "?");
    else if (d.hi == INLAY_DIM_MAX)
        snprintf(text, sizeof text, "%" PRId64 "..", d.lo);
    else if (d.lo == 0)
        snprintf(text, sizeof text, "..%" PRId64, d.hi);
    else if (open_below(d.lo)) /* only an element's value can have no lower end */
        snprintf(text, sizeof text, "-inf..%" PRId64, d.hi);
    else
        snprintf(text, sizeof text, "%" PRId64 "..%" PRId64, d.lo, d.hi);
    if (size > 0)
        snprintf(buf, size, "%s", text);
    return buf;
}

/* Appends as much of TEXT at *N as fits, with a NUL. */
static void append(char *buf, size_t size, size_t *n, const char *text)
{
    if (*n + 1 < size) {
        size_t len = strlen(text), room = size - *n - 1;

        len = len < room ? len : room;
        memcpy(buf + *n, text, len);
        *n += len;
        buf[*n] = '\0';
    }
}

char *inlay_shape_text(int rank, const inlay_dim *dims, char *buf, size_t size)
{
    size_t n = 0;
    char text[48];

    if (size > 0)
        buf[0] = '\0';
    if (rank < 0) {
        append(buf, size, &n, "...");
        return buf;
    }
    append(buf, size, &n, "[");
    for (int i = 0; i < rank; i++) {
        if (i > 0)
            append(buf, size, &n, ",");
        append(buf, size, &n, inlay_dim_text(dims[i], text, sizeof text));
    }
    append(buf, size, &n, "]");
    return buf;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void trim(const char **text, size_t *len)
{
    while (*len > 0 && is_blank(**text))
        (*text)++, (*len)--;
    while (*len > 0 && is_blank((*text)[*len - 1]))
        (*len)--;
}

static const char bad_dim[] = "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8";

/* Reads a bound, which consists of digits. INT64_MAX is refused because it means "no end". */
static bool parse_bound(const char *text, size_t len, int64_t *out, const char **why)
{
    int64_t x = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            *why = bad_dim;
            return false;
        }
        if (__builtin_mul_overflow(x, 10, &x) || __builtin_add_overflow(x, text[i] - '0', &x) ||
            x == INLAY_DIM_MAX) {
            *why = "the dimension is too big";
            return false;
        }
    }
    *out = x;
    return true;
}

/* Reads the bounds before and after the dots, which are at DOTS. A missing bound means "no end". */
static bool parse_interval(const char *text, size_t len, size_t dots, inlay_dim *out,
                           const char **why)
{
    const char *lo = text, *hi = text + dots + 2;
    size_t n_lo = dots, n_hi = len - dots - 2;

    trim(&lo, &n_lo);
    trim(&hi, &n_hi);
    *out = inlay_dim_any();
    if (n_lo > 0 && !parse_bound(lo, n_lo, &out->lo, why))
        return false;
    if (n_hi > 0 && !parse_bound(hi, n_hi, &out->hi, why))
        return false;
    if (out->lo > out->hi) {
        *why = "the interval is empty: its end is below its start";
        return false;
    }
    return true;
}

bool inlay_dim_parse(const char *text, size_t len, inlay_dim *out, const char **why)
{
    int64_t n;

    trim(&text, &len);
    if (len == 0) {
        *why = "a dimension is empty";
        return false;
    }
    if ((len == 1 && *text == '?') || (len == 2 && memcmp(text, "-1", 2) == 0)) {
        *out = inlay_dim_any();
        return true;
    }
    for (size_t i = 0; i + 1 < len; i++) {
        if (text[i] == '.' && text[i + 1] == '.')
            return parse_interval(text, len, i, out, why);
    }
    if (!parse_bound(text, len, &n, why))
        return false;
    *out = inlay_dim_of(n);
    return true;
}

bool inlay_shape_parse(const char *text, inlay_shape *out, const char **why)
{
    size_t len = text ? strlen(text) : 0;

    if (!text) {
        *why = "there is no text";
        return false;
    }
    trim(&text, &len);
    if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
        trim(&text, &len);
    }
    out->rank = 0;
    if (len == 3 && memcmp(text, "...", 3) == 0) {
        out->rank = -1;
        return true;
    }
    while (len > 0) { /* a comma at the end is accepted, as in OpenVINO */
        const char *comma = memchr(text, ',', len);
        size_t n = comma ? (size_t)(comma - text) : len;

        if (out->rank == INLAY_MAX_RANK) {
            *why = "the shape has more than 32 dimensions";
            return false;
        }
        if (!inlay_dim_parse(text, n, &out->dim[out->rank], why))
            return false;
        out->rank++;
        text += comma ? n + 1 : n;
        len -= comma ? n + 1 : n;
    }
    return true;
}
