/* Diagnostics: messages for people, collected by whoever called, never printed by the library. */
#ifndef INLAY_DIAG_H
#define INLAY_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a public header declares with INLAY_API is exported; every other name is hidden. */
#define INLAY_API __attribute__((visibility("default")))
#define INLAY_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

typedef struct inlay_diags inlay_diags;

/* base/diag.c: the collector */

typedef enum inlay_severity { INLAY_NOTE, INLAY_WARNING, INLAY_ERROR } inlay_severity;

/* What a failure means to the caller; the command exits with this number. */
typedef enum inlay_status {
    INLAY_OK = 0,
    INLAY_DIFFERENT = 1,   /* a check found a difference */
    INLAY_INVALID = 2,     /* bad usage, model or input */
    INLAY_NO_RESOURCE = 3, /* out of memory, over a limit, file system */
    INLAY_UNDECIDED = 4,   /* a check could not decide */
} inlay_status;

typedef struct inlay_diag {
    inlay_severity severity;
    /* INLAY_OK for notes and warnings; of a warning that a claim of the file is not so, and is not
     * obeyed, INLAY_DIFFERENT */
    inlay_status status;
    const char *file; /* or NULL */
    unsigned line;    /* from 1; 0: not known */
    const char *text; /* `layer 17 "set" (SliceScatter-15): step[0] is 0, it must not be zero` */
} inlay_diag;

/* A place in a source; either part may be missing. */
typedef struct inlay_pos {
    const char *file;
    unsigned line;
} inlay_pos;

INLAY_API inlay_diags *inlay_diags_new(void); /* NULL when out of memory */
INLAY_API void inlay_diags_free(inlay_diags *d);
INLAY_API void inlay_diags_clear(inlay_diags *d);
INLAY_API size_t inlay_diags_count(const inlay_diags *d);
INLAY_API const inlay_diag *inlay_diags_at(const inlay_diags *d, size_t i); /* NULL: no such */
/* The first error; NULL: there is none. */
INLAY_API const inlay_diag *inlay_diags_error(const inlay_diags *d);
/* The status of the first error, INLAY_OK without one. */
INLAY_API inlay_status inlay_diags_status(const inlay_diags *d);

/* Records an error with status INLAY_INVALID at POS (may be NULL). Always returns false, so that
 * `return inlay_fail(...)` reads well. What names a node is in ir/graph.h. */
INLAY_API bool inlay_fail(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* Records an error with status INLAY_NO_RESOURCE. */
INLAY_API bool inlay_fail_resource(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* Records "out of memory"; needs no memory itself. */
INLAY_API bool inlay_fail_memory(inlay_diags *d);
/* Records a warning at POS (may be NULL). */
INLAY_API void inlay_warn(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
    INLAY_PRINTF(3, 4);

/* The ending of a word in a message that counts N things: ONE if N is 1, else MANY.
 *
 *     "%d element%s", n, inlay_plural(n, "", "s") */
static inline const char *inlay_plural(int64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

/* base/guess.c: what a misspelt word probably means. A word that is missing is like none. */

/* The word, of LENGTH bytes, and the nearest of the known words so far. The rest begins as zero. */
typedef struct inlay_guess {
    const char *word;
    size_t length;
    const char *best; /* NULL: no word is near enough; else as inlay_guess_try was given it */
    size_t distance;  /* letters added, left out, replaced or swapped */
} inlay_guess;

/* KNOWN is a word that could have been meant. */
INLAY_API void inlay_guess_try(inlay_guess *g, const char *known);
/* `, did you mean "info"?` for the end of a message, or "". */
INLAY_API char *inlay_guess_text(const inlay_guess *g, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
