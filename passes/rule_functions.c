/* The table of conditions and functions that rules call. */
#include "passes/rule.h"

#include <string.h>

static const rule_function functions[] = {
#define RULE_FN(name, signature, result, help) {#name, signature, result, rule_fn_##name, help},
#include "passes/rule_functions.def"
#undef RULE_FN
};

const rule_function *rule_function_find(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const char *known = functions[i].name;

        if (known[0] == name[0] && strlen(known) == len && memcmp(known, name, len) == 0)
            return &functions[i];
    }
    return NULL;
}

const rule_function *rule_function_at(size_t i)
{
    return i < sizeof functions / sizeof functions[0] ? &functions[i] : NULL;
}
