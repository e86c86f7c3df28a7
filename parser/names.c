/* A hash table of names. */
#include "parser/names.h"
#include "ir/shared.h"

#include <string.h>

/* The slot of NAME, or the free one where it would stand. At least half of the slots are free. */
static size_t *slot_of(const parser_names *t, size_t *slots, size_t cap, const char *name)
{
    size_t at = inlay_hash(name, strlen(name)) & (2 * cap - 1);

    while (slots[at] > 0 && strcmp(t->list[slots[at] - 1].name, name) != 0)
        at = (at + 1) & (2 * cap - 1);
    return &slots[at];
}

void *parser_names_find(const parser_names *t, const char *name)
{
    size_t found = t->n > 0 ? *slot_of(t, t->slots, t->cap, name) : 0;

    return found > 0 ? t->list[found - 1].what : NULL;
}

static bool grow(parser_names *t)
{
    size_t cap = t->cap ? 2 * t->cap : 8;
    size_t *slots = inlay_take(t->budget, 2 * cap, sizeof *slots);
    struct parser_name *list = slots ? inlay_retake(t->budget, t->list, cap * sizeof *list) : NULL;

    if (!list) {
        inlay_give(slots);
        return false;
    }
    t->list = list;
    for (size_t i = 0; i < t->n; i++)
        *slot_of(t, slots, cap, list[i].name) = i + 1;
    inlay_give(t->slots);
    t->slots = slots;
    t->cap = cap;
    return true;
}

bool parser_names_add(parser_names *t, const char *name, void *what)
{
    if (t->n == t->cap && !grow(t))
        return false;
    t->list[t->n] = (struct parser_name){name, what};
    *slot_of(t, t->slots, t->cap, name) = ++t->n;
    return true;
}

void parser_names_free(parser_names *t)
{
    inlay_give(t->list);
    inlay_give(t->slots);
    *t = (parser_names){.budget = t->budget};
}
