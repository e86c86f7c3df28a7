/* The conditions of writing in place, as the table has them. */
#include "ir/graph/condition.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *text;
} table[INLAY_CONDITIONS] = {
    [INLAY_NO_CONDITION] = {NULL, ""},
#define CONDITION(id, name, text) [INLAY_##id] = {name, text},
#include "ir/graph/conditions.def"
#undef CONDITION
};

const char *inlay_condition_name(inlay_condition c)
{
    return table[c].name;
}

const char *inlay_condition_text(inlay_condition c)
{
    return table[c].text;
}

inlay_condition inlay_condition_named(const char *name)
{
    inlay_condition c = INLAY_CONDITIONS;

    while (--c > INLAY_NO_CONDITION && (!name || strcmp(table[c].name, name) != 0)) {
    }
    return c;
}
