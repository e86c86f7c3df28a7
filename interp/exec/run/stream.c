/* Stores that bypass the caches, if the compiler offers them. */
#include "interp/exec/run/stream.h"

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

enum { LINE = 64 };

static void copy_line(char *to, const char *from)
{
    for (int i = 0; i < LINE; i += (int)sizeof(__m128i)) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(from + i));

        _mm_stream_si128((__m128i *)(void *)(to + i), part);
    }
}

/* Only whole cache lines are written in this way. */
void stream_copy(char *to, const char *from, size_t n)
{
    size_t first = (LINE - (uintptr_t)to % LINE) % LINE, i;

    first = first < n ? first : n;
    memcpy(to, from, first);
    for (i = first; i + LINE <= n; i += LINE)
        copy_line(to + i, from + i);
    memcpy(to + i, from + i, n - i);
}

void stream_end(void)
{
    _mm_sfence();
}
#else
void stream_copy(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
}

void stream_end(void)
{
}
#endif
