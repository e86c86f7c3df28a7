/* Destinations of text: sinks, and growing strings. */
#ifndef INLAY_STRBUF_H
#define INLAY_STRBUF_H

#include "ir/budget.h"

#ifdef __cplusplus
extern "C" {
#endif

/* base/strbuf.c */

/* Receives pieces of text; false stops the writer. */
typedef bool inlay_write_fn(void *ctx, const char *bytes, size_t n);
typedef struct inlay_sink {
    inlay_write_fn *write;
    void *ctx;
} inlay_sink;

/* A growing string; all zero is the empty one. To get a graph as a string, pass {inlay_strbuf_sink,
 * &buf} as the sink to inlay_print. */
typedef struct inlay_strbuf {
    char *bytes; /* zero-terminated once anything was added */
    size_t n, cap;
    bool failed;          /* out of memory; the contents are incomplete */
    inlay_budget *budget; /* where it counts, which must outlive it; NULL: nowhere */
} inlay_strbuf;

INLAY_API void inlay_strbuf_add(inlay_strbuf *b, const char *bytes, size_t n);
INLAY_API void inlay_strbuf_puts(inlay_strbuf *b, const char *s);
INLAY_API void inlay_strbuf_printf(inlay_strbuf *b, const char *fmt, ...) INLAY_PRINTF(2, 3);
INLAY_API void inlay_strbuf_free(inlay_strbuf *b);
INLAY_API bool inlay_strbuf_sink(void *buf, const char *bytes, size_t n); /* an inlay_write_fn */

#ifdef __cplusplus
}
#endif

#endif
