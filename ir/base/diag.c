/* Messages, collected in order. The texts live in an arena of the collector. When memory runs out
 * the collector falls back to one constant message, so that the failure is still reported. */
#include "ir/ir.h"

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

/* A hostile model could provoke a warning per layer; beyond this many only errors are kept. */
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

static void record(inlay_diags *d, inlay_diag head, const inlay_pos *pos, const char *prefix,
                   const char *fmt, va_list args)
{
    struct entry *e;

    if (!d || (head.severity != INLAY_ERROR && d->n >= MAX_DIAGS))
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
    record(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_INVALID}, pos, "", fmt, args);
    va_end(args);
    return false;
}

bool inlay_fail_resource(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_NO_RESOURCE}, pos, "", fmt,
           args);
    va_end(args);
    return false;
}

bool inlay_fail_memory(inlay_diags *d)
{
    if (d)
        d->out_of_memory = true;
    return false;
}

void inlay_warn(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record(d, (inlay_diag){.severity = INLAY_WARNING}, pos, "", fmt, args);
    va_end(args);
}

/* layer 17 "set" (SliceScatter-15):_ ; a long name is cut, the message is for reading. */
static const char *node_prefix(const inlay_node *n, char *buf, size_t size)
{
    char op[160];
    const char *name = n->label ? n->label : n->name;

    inlay_op_text(n->op, op, sizeof op);
    if (n->place >= 0 && n->graph->place_word && strcmp(n->graph->place_word, "nodes") == 0)
        snprintf(buf, size, "nodes[%lld] \"%.200s\" (%s): ", (long long)n->place, name, op);
    else if (n->place >= 0 && n->graph->place_word)
        snprintf(buf, size, "%s %lld \"%.200s\" (%s): ", n->graph->place_word, (long long)n->place,
                 name, op);
    else
        snprintf(buf, size, "node \"%.200s\" (%s): ", name, op);
    return buf;
}

static void record_node(inlay_diags *d, inlay_diag head, const inlay_node *n, const char *fmt,
                        va_list args)
{
    inlay_pos pos = {n ? n->graph->file : NULL, n ? n->line : 0};
    char prefix[512];

    record(d, head, &pos, n ? node_prefix(n, prefix, sizeof prefix) : "", fmt, args);
}

bool inlay_vfail_node(inlay_diags *d, const inlay_node *n, const char *fmt, va_list args)
{
    record_node(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_INVALID}, n, fmt, args);
    return false;
}

bool inlay_fail_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    inlay_vfail_node(d, n, fmt, args);
    va_end(args);
    return false;
}

void inlay_warn_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record_node(d, (inlay_diag){.severity = INLAY_WARNING}, n, fmt, args);
    va_end(args);
}

bool inlay_fail_resource_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record_node(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_NO_RESOURCE}, n, fmt,
                args);
    va_end(args);
    return false;
}

void inlay_note_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record_node(d, (inlay_diag){.severity = INLAY_NOTE}, n, fmt, args);
    va_end(args);
}
