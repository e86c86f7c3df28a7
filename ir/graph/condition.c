/* The conditions of writing in place, from their table. */
#include "ir/graph/condition.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *broken, *kept, *remedy;
} table[INLAY_CONDITIONS] = {
    [INLAY_NO_CONDITION] = {NULL, "", "", ""},
#define CONDITION(id, name, broken, remedy) [INLAY_##id] = {name, broken, "", remedy},
#define KEPT(id, name, broken, kept, remedy) [INLAY_##id] = {name, broken, kept, remedy},
#include "ir/graph/conditions.def"
#undef CONDITION
#undef KEPT
};

const char *inlay_condition_name(inlay_condition c)
{
    return table[c].name;
}

const char *inlay_condition_text(inlay_condition c)
{
    return table[c].broken;
}

const char *inlay_condition_kept(inlay_condition c)
{
    return table[c].kept;
}

const char *inlay_condition_remedy(inlay_condition c)
{
    return table[c].remedy;
}

inlay_condition inlay_condition_named(const char *name)
{
    inlay_condition c = INLAY_CONDITIONS;

    while (--c > INLAY_NO_CONDITION && (!name || strcmp(table[c].name, name) != 0)) {
    }
    return c;
}

inlay_condition inlay_condition_of_word(const char *word, size_t n)
{
    inlay_condition c = INLAY_CONDITIONS;

    while (--c > INLAY_NO_CONDITION && (!*table[c].kept || n != strcspn(table[c].name, " ") ||
                                        memcmp(table[c].name, word, n) != 0)) {
    }
    return c;
}
