/* Functions for all parts of the rule parser: errors, single words and literals, the names of a
 * rule. */
#include "passes/rules/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rule_fail(rule_parser *p, unsigned line, const char *fmt, ...)
{
    inlay_pos pos = {p->set->file, line};
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return inlay_fail(p->l.diags, &pos, "rule %s: %s", p->r->name, text);
}

bool rule_expect(rule_parser *p, const char *text)
{
    char expected[16];

    if (inlay_token_is(&p->l.now, text))
        return inlay_lexer_next(&p->l);
    snprintf(expected, sizeof expected, "`%s`", text);
    return inlay_lexer_fail(&p->l, expected);
}

bool rule_accept(rule_parser *p, const char *text, bool *ok)
{
    if (!inlay_token_is(&p->l.now, text))
        return false;
    *ok = inlay_lexer_next(&p->l);
    return *ok;
}

const char *rule_kind_text(rule_kind kind)
{
    switch (kind) {
    case RULE_VALUE:
        return "a value";
    case RULE_WINDOW:
        return "a window";
    case RULE_LIST:
        return "a list of values";
    case RULE_WINDOWS:
        return "a list of windows";
    case RULE_INTEGERS:
        return "a list of integers";
    case RULE_NUMBERS:
        return "a number";
    case RULE_ATTR:
        return "an attribute";
    default: /* RULE_OP; an unknown kind has another message */
        return "an operation";
    }
}

int rule_lookup(const rule *r, const inlay_token *t)
{
    for (int i = 0; i < r->n_names; i++) {
        if (strlen(r->names[i].text) == t->length &&
            memcmp(r->names[i].text, t->start, t->length) == 0)
            return i;
    }
    return -1;
}

int rule_intern(rule_parser *p, const inlay_token *t)
{
    rule *r = p->r;
    int known = rule_lookup(r, t);

    if (known >= 0)
        return known;
    if (r->n_names == RULE_NAMES) {
        rule_fail(p, t->line, "there are more than %d names", RULE_NAMES);
        return -1;
    }
    r->names[r->n_names] =
        (rule_name){.text = inlay_arena_strndup(p->set->arena, t->start, t->length),
                    .node = -1,
                    .right = -1,
                    .line = t->line};
    if (!r->names[r->n_names].text) {
        inlay_fail_memory(p->l.diags);
        return -1;
    }
    return r->n_names++;
}

int rule_word(rule_parser *p, const char *expected)
{
    inlay_token t = p->l.now;

    if (t.kind != INLAY_TOKEN_WORD) {
        inlay_lexer_fail(&p->l, expected);
        return -1;
    }
    return inlay_lexer_next(&p->l) ? rule_intern(p, &t) : -1;
}

bool rule_define(rule_parser *p, int name, rule_kind kind, unsigned line)
{
    rule_name *n = &p->r->names[name];

    if (n->kind != RULE_UNKNOWN && n->kind != kind)
        return rule_fail(p, line, "`%s` is %s, here it would be %s", n->text,
                         rule_kind_text(n->kind), rule_kind_text(kind));
    n->kind = kind;
    n->bound = true;
    return true;
}

static bool read_int(rule_parser *p, int64_t *out)
{
    char text[32];
    bool ok = true, negative = rule_accept(p, "-", &ok);
    inlay_token t = p->l.now;

    if (!ok)
        return false;
    if (t.kind != INLAY_TOKEN_NUMBER)
        return inlay_lexer_fail(&p->l, "a whole number");
    snprintf(text, sizeof text, "%s%.*s", negative ? "-" : "", (int)t.length, t.start);
    if (t.length > sizeof text - 2 || !inlay_element_parse(INLAY_I64, text, out, 0))
        return inlay_lexer_fail(&p->l, "a whole number of 64 bits");
    return inlay_lexer_next(&p->l);
}

bool rule_read_ints(rule_parser *p, const rule_ints **out)
{
    int64_t x[RULE_LITERAL];
    bool ok = true, list = rule_accept(p, "[", &ok), more = true;
    rule_ints *ints;
    int n = 0;

    if (!ok)
        return false;
    more = !list || !inlay_token_is(&p->l.now, "]");
    while (more) {
        if (n == RULE_LITERAL)
            return rule_fail(p, p->l.now.line, "a list has more than %d elements", RULE_LITERAL);
        if (!read_int(p, &x[n++]))
            return false;
        more = list && rule_accept(p, ",", &ok);
        if (!ok)
            return false;
    }
    if (list && !rule_expect(p, "]"))
        return false;
    ints = inlay_arena_alloc(p->set->arena, sizeof *ints + (size_t)n * sizeof *x);
    if (!ints)
        return inlay_fail_memory(p->l.diags);
    *ints = (rule_ints){.type = INLAY_I64, .rank = list, .n = n, .x = (int64_t *)(ints + 1)};
    if (n > 0)
        memcpy(ints->x, x, (size_t)n * sizeof *x);
    *out = ints;
    return true;
}

bool rule_read_real(rule_parser *p, const rule_ints **out)
{
    char text[64];
    bool ok = true, negative = rule_accept(p, "-", &ok);
    inlay_token t = p->l.now;
    rule_ints *number;

    if (!ok)
        return false;
    number = inlay_arena_alloc(p->set->arena, sizeof *number);
    if (!number)
        return inlay_fail_memory(p->l.diags);
    *number = (rule_ints){.type = INLAY_F64, .is_real = true};
    snprintf(text, sizeof text, "%s%.*s", negative ? "-" : "", (int)t.length, t.start);
    if (t.kind != INLAY_TOKEN_NUMBER || t.length > sizeof text - 2 ||
        !inlay_element_parse(INLAY_F64, text, &number->real, 0))
        return inlay_lexer_fail(&p->l, "a number");
    *out = number;
    return inlay_lexer_next(&p->l);
}

/* The next token is a number with a point or an exponent. Its sign, if any, is a token of its own
 * before it. */
static bool is_real(const rule_parser *p)
{
    inlay_lexer ahead = p->l;

    ahead.diags = NULL;
    if (inlay_token_is(&ahead.now, "-") && !inlay_lexer_next(&ahead))
        return false;
    if (ahead.now.kind != INLAY_TOKEN_NUMBER)
        return false;
    for (size_t i = 0; i < ahead.now.length; i++) {
        if (strchr(".eE", ahead.now.start[i]))
            return true;
    }
    return false;
}

bool rule_read_literal(rule_parser *p, const rule_ints **out)
{
    return is_real(p) ? rule_read_real(p, out) : rule_read_ints(p, out);
}
