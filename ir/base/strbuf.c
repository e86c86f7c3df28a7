/* A growing byte buffer. After one failed allocation it stays failed, so that a writer checks once,
 * at its end. */

#include "ir/strbuf.h"
#include "ir/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for MORE bytes and a NUL. */
static bool reserve(inlay_strbuf *b, size_t more)
{
    size_t need, cap = b->cap ? b->cap : 256;
    char *bytes;

    if (b->failed)
        return false;
    if (__builtin_add_overflow(b->n, more, &need) || need == SIZE_MAX) {
        b->failed = true;
        return false;
    }
    if (need < b->cap)
        return true;
    while (cap <= need)
        cap = cap > SIZE_MAX / 2 ? need + 1 : cap * 2;
    bytes = b->budget ? inlay_retake(b->budget, b->bytes, cap) : realloc(b->bytes, cap);
    if (!bytes) {
        b->failed = true;
        return false;
    }
    b->bytes = bytes;
    b->cap = cap;
    return true;
}

void inlay_strbuf_add(inlay_strbuf *b, const char *bytes, size_t n)
{
    if ((b->failed || n >= b->cap - b->n) && !reserve(b, n))
        return;
    if (n > 0)
        memcpy(b->bytes + b->n, bytes, n);
    b->n += n;
    b->bytes[b->n] = '\0';
}

void inlay_strbuf_puts(inlay_strbuf *b, const char *s)
{
    inlay_strbuf_add(b, s, s ? strlen(s) : 0);
}

static int print_into(inlay_strbuf *b, const char *fmt, va_list args)
{
    return vsnprintf(b->bytes + b->n, b->cap - b->n, fmt, args);
}

void inlay_strbuf_printf(inlay_strbuf *b, const char *fmt, ...)
{
    va_list args;
    int n;

    if (!reserve(b, 80))
        return;
    va_start(args, fmt);
    n = print_into(b, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n >= b->cap - b->n && reserve(b, (size_t)n)) {
        va_start(args, fmt);
        n = print_into(b, fmt, args);
        va_end(args);
    }
    if (n < 0)
        b->failed = true;
    if (!b->failed)
        b->n += (size_t)n;
}

void inlay_strbuf_free(inlay_strbuf *b)
{
    if (b->budget)
        inlay_give(b->bytes);
    else
        free(b->bytes);
    *b = (inlay_strbuf){.budget = b->budget};
}

bool inlay_strbuf_sink(void *buf, const char *bytes, size_t n)
{
    inlay_strbuf *b = buf;

    inlay_strbuf_add(b, bytes, n);
    return !b->failed;
}
