/* Files of rules that the tests of passes/prove go through. */
#ifndef INLAY_TESTS_PROVE_RULES_H
#define INLAY_TESTS_PROVE_RULES_H

#include "passes/prove/case.h"
#include "unit.h"

static inline char *text_of(const char *path)
{
    size_t most = 1 << 20, n;
    char *text = calloc(1, most);
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    n = fread(text, 1, most - 1, f);
    assert_true(n < most - 1);
    fclose(f);
    return text;
}

/* The rules of a file of tests/prove, or a set that is built in. */
static inline inlay_rules *rules_in(const char *name)
{
    inlay_diags *d = inlay_diags_new();
    char path[300], *text;
    inlay_rules *rules = strchr(name, '.') ? NULL : inlay_rules_builtin(name, d);

    if (!rules) {
        snprintf(path, sizeof path, "tests/prove/%s", name);
        text = text_of(path);
        rules = inlay_rules_parse(path, text, strlen(text), d);
        free(text);
    }
    assert_non_null(rules);
    inlay_diags_free(d);
    return rules;
}

/* Answers the questions in TEXT as a proof wants it: no case is void, which the first question about
 * it asks, and no other question has a counterexample. */
static inline void answer_as_wanted(const char *text, inlay_strbuf *out)
{
    bool numbers = strncmp(text, "(reset)", 7) == 0, first = false;

    for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL) {
        first = first || strncmp(text, "(declare-fun ", 13) == 0;
        if (strncmp(text, "(echo ", 6) == 0)
            inlay_strbuf_printf(out, "%.*s\n", (int)strcspn(text + 7, "\""), text + 7);
        if (strncmp(text, "(check-sat)", 11) != 0)
            continue;
        inlay_strbuf_puts(out, first && !numbers ? "unknown\n" : "unsat\n");
        first = false;
    }
}

/* One of EVERY, by the name. */
static inline bool is_drawn(const char *name, unsigned every)
{
    const char *seed = getenv("INLAY_SEED");
    unsigned hash = seed ? (unsigned)atoi(seed) : 1;

    for (; *name; name++)
        hash = hash * 31 + (unsigned char)*name;
    return hash / 7 % every == 0;
}

#endif
