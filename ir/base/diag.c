/* Messages, collected in order. The texts live in an arena of the collector. When memory runs out
 * the collector falls back to one constant message, so that the failure is still reported. */
#include "ir/base/arena.h"
#include "ir/base/locale.h"
#include "ir/base/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    inlay_diag diag;
};

struct inlay_diags {
    inlay_arena *arena;
    struct entry *first, **end;
    size_t n;
    bool out_of_memory;
};

/* A hostile model could cause a warning for each layer; beyond this number only errors are kept. */
enum { MAX_DIAGS = 1000 };

static const inlay_diag memory_diag = {INLAY_ERROR, INLAY_NO_RESOURCE, NULL, 0, "out of memory"};

inlay_diags *inlay_diags_new(void)
{
    inlay_diags *d = calloc(1, sizeof *d);

    if (d)
        d->end = &d->first;
    return d;
}

void inlay_diags_clear(inlay_diags *d)
{
    if (!d)
        return;
    inlay_arena_free(d->arena);
    *d = (inlay_diags){.end = &d->first};
}

void inlay_diags_free(inlay_diags *d)
{
    if (!d)
        return;
    inlay_arena_free(d->arena);
    free(d);
}

size_t inlay_diags_count(const inlay_diags *d)
{
    if (!d)
        return 0;
    return d->n + d->out_of_memory;
}

const inlay_diag *inlay_diags_at(const inlay_diags *d, size_t i)
{
    const struct entry *e;

    if (i >= inlay_diags_count(d))
        return NULL;
    if (i >= d->n)
        return &memory_diag;
    e = d->first;
    while (i-- > 0)
        e = e->next;
    return &e->diag;
}

const inlay_diag *inlay_diags_error(const inlay_diags *d)
{
    if (!d)
        return NULL;
    for (const struct entry *e = d->first; e; e = e->next) {
        if (e->diag.severity == INLAY_ERROR)
            return &e->diag;
    }
    return d->out_of_memory ? &memory_diag : NULL;
}

inlay_status inlay_diags_status(const inlay_diags *d)
{
    const inlay_diag *e = inlay_diags_error(d);

    return e ? e->status : INLAY_OK;
}

static char *format(inlay_arena *arena, const char *prefix, const char *fmt, va_list args)
{
    void *host = inlay_locale_enter();
    va_list again;
    size_t before = strlen(prefix);
    char *text = NULL;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    if (n >= 0)
        text = inlay_arena_alloc(arena, before + (size_t)n + 1);
    if (text) {
        memcpy(text, prefix, before);
        vsnprintf(text + before, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    inlay_locale_leave(host);
    return text;
}

/* What ran out once ran out: whatever else asks for it then is not another failure. */
static bool is_known(const inlay_diags *d, const inlay_diag *head)
{
    return head->severity == INLAY_ERROR && head->status == INLAY_NO_RESOURCE &&
           inlay_diags_status(d) == INLAY_NO_RESOURCE;
}

void inlay_diags_record(inlay_diags *d, inlay_diag head, const inlay_pos *pos, const char *prefix,
                        const char *fmt, va_list args)
{
    struct entry *e;

    if (!d || (head.severity != INLAY_ERROR && d->n >= MAX_DIAGS) || is_known(d, &head))
        return;
    if (!d->arena)
        d->arena = inlay_arena_new();
    e = d->arena ? inlay_arena_alloc(d->arena, sizeof *e) : NULL;
    head.text = e ? format(d->arena, prefix, fmt, args) : NULL;
    if (!head.text) {
        d->out_of_memory = true;
        return;
    }
    if (pos) {
        head.file = pos->file ? inlay_arena_strdup(d->arena, pos->file) : NULL;
        head.line = pos->line;
    }
    e->diag = head;
    *d->end = e;
    d->end = &e->next;
    d->n++;
}

bool inlay_fail(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    inlay_diags_record(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_INVALID}, pos, "",
                       fmt, args);
    va_end(args);
    return false;
}

bool inlay_fail_resource(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    inlay_diags_record(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_NO_RESOURCE}, pos,
                       "", fmt, args);
    va_end(args);
    return false;
}

bool inlay_fail_memory(inlay_diags *d)
{
    if (d && inlay_diags_status(d) != INLAY_NO_RESOURCE) /* else it was told what did not fit */
        d->out_of_memory = true;
    return false;
}

bool inlay_diags_out_of_memory(const inlay_diags *d)
{
    return d && d->out_of_memory;
}

bool inlay_fail_limit(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
{
    va_list args;

    if (d)
        d->out_of_memory = false;
    va_start(args, fmt);
    inlay_diags_record(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_NO_RESOURCE}, pos,
                       "", fmt, args);
    va_end(args);
    return false;
}

void inlay_warn(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    inlay_diags_record(d, (inlay_diag){.severity = INLAY_WARNING}, pos, "", fmt, args);
    va_end(args);
}
