/* The table of conditions and functions that rules call. */
#include "passes/rules/rule.h"

#include <stdio.h>
#include <string.h>

const rule_function rule_functions[] = {
#define RULE_FN(name, signature, result, help) RULE_ROW_FN(name, signature, result, 0, help)
#define RULE_ROW_FN(name, signature, result, flags, help)                                          \
    {#name, signature, result, flags, rule_fn_##name, help},
#include "passes/rules/functions.def"
#undef RULE_FN
};

enum { N_FUNCTIONS = sizeof rule_functions / sizeof rule_functions[0] };

const rule_function *rule_function_find(const char *name, size_t len)
{
    for (size_t i = 0; i < N_FUNCTIONS; i++) {
        const char *known = rule_functions[i].name;

        if (known[0] == name[0] && strlen(known) == len && memcmp(known, name, len) == 0)
            return &rule_functions[i];
    }
    return NULL;
}

const rule_function *rule_function_at(size_t i)
{
    return i < N_FUNCTIONS ? &rule_functions[i] : NULL;
}

inlay_rule_function inlay_rule_function_at(size_t i)
{
    const rule_function *fn = rule_function_at(i);

    return fn ? (inlay_rule_function){fn->name, fn->result == 'P', fn->help}
              : (inlay_rule_function){0};
}

static const char *kind_word(char letter)
{
    switch (letter & ~0x20) {
    case RULE_VALUE:
        return "value";
    case RULE_WINDOW:
        return "window";
    case RULE_LIST:
        return "values";
    case RULE_WINDOWS:
        return "windows";
    case RULE_INTEGERS:
        return "integers";
    case RULE_NUMBERS:
        return "number";
    case RULE_ATTR:
        return "attribute";
    default:
        return "operation";
    }
}

char *inlay_rule_function_text(size_t i, char *buf, size_t size)
{
    const rule_function *fn = rule_function_at(i);
    inlay_strbuf text = {0};

    inlay_strbuf_puts(&text, fn ? fn->name : "");
    inlay_strbuf_puts(&text, fn ? "(" : "");
    for (const char *p = fn ? fn->signature : ""; *p; p++) {
        inlay_strbuf_puts(&text, p == fn->signature ? "" : ", ");
        inlay_strbuf_puts(&text, *p >= 'a' ? "[" : "");
        inlay_strbuf_puts(&text, kind_word(*p));
        inlay_strbuf_puts(&text, *p >= 'a' ? "]" : "");
    }
    inlay_strbuf_puts(&text, fn ? ")" : "");
    if (fn && fn->result != 'P') {
        inlay_strbuf_puts(&text, " = ");
        inlay_strbuf_puts(&text, kind_word(fn->result));
    }
    snprintf(buf, size, "%s", text.failed || !text.bytes ? "" : text.bytes);
    inlay_strbuf_free(&text);
    return buf;
}
