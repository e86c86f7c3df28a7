/* Text of any format: a word takes the place of another one, numbers become others, lines are doubled, moved and
 * dropped. Names of operations and types come from the table of the library. */
#include "ir/ir.h"
#include "mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SPANS = 4096, MOST_LETTERS = 400 };

typedef struct span {
    size_t at, n;
} span;

typedef struct mutation {
    uint8_t *data;
    size_t n, most;
    uint64_t state;
    span spans[MOST_SPANS];
    size_t n_spans;
} mutation;

static bool is_letter(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '-' || c == '%' || c == '+' || c >= 128;
}

static bool is_of_line(uint8_t c)
{
    return c != '\n';
}

/* Lists the longest runs of bytes that IS takes. */
static void list_spans(mutation *m, bool (*is)(uint8_t c))
{
    m->n_spans = 0;
    for (size_t i = 0; i < m->n && m->n_spans < MOST_SPANS;) {
        size_t end = i;

        while (end < m->n && is(m->data[end]))
            end++;
        if (end > i)
            m->spans[m->n_spans++] = (span){i, end - i};
        i = end + 1;
    }
}

static span draw_span(mutation *m)
{
    return m->spans[draw(&m->state, m->n_spans)];
}

/* Puts the N bytes at TEXT, which are no part of M, in the place of OLD. */
static void replace(mutation *m, span old, const void *text, size_t n)
{
    if (m->n - old.n + n > m->most)
        return;
    memmove(m->data + old.at + n, m->data + old.at + old.n, m->n - old.at - old.n);
    memcpy(m->data + old.at, text, n);
    m->n = m->n - old.n + n;
}

/* Puts a copy of WHAT in the place of OLD. */
static void copy(mutation *m, span old, span what, const char *behind)
{
    char text[MOST_LETTERS + 2];
    size_t n = what.n < MOST_LETTERS ? what.n : MOST_LETTERS;

    memcpy(text, m->data + what.at, n);
    memcpy(text + n, behind, strlen(behind));
    replace(m, old, text, n + strlen(behind));
}

static void number(mutation *m, span old)
{
    static const char *const others[] = {
        "?",    "nan", "-inf", "1e308", "1e-320", "18446744073709551615",
        "0.5",  "-0",  "1e19", "..",    "0x10",   "9223372036854775808",
        "true", "[]",  "\"\"", "-",     "%",      "00000000000000000001"};
    char text[24];

    if (draw(&m->state, 4) == 0) {
        const char *other = others[draw(&m->state, sizeof others / sizeof *others)];

        replace(m, old, other, strlen(other));
        return;
    }
    snprintf(text, sizeof text, "%lld", (long long)draw_number(&m->state));
    replace(m, old, text, strlen(text));
}

static void known_name(mutation *m, span old)
{
    const char *name;

    if (draw(&m->state, 3) == 0)
        name = inlay_type_info_of((inlay_type)draw(&m->state, INLAY_ITEM + 1))->name;
    else
        name = inlay_op_at(NULL, draw(&m->state, inlay_op_count(NULL)))->name;
    replace(m, old, name, strlen(name));
}

static void change_word(mutation *m)
{
    span old;

    list_spans(m, is_letter);
    if (m->n_spans == 0)
        return;
    old = draw_span(m);
    if (isdigit(m->data[old.at]) || draw(&m->state, 8) == 0)
        number(m, old);
    else if (draw(&m->state, 4) == 0)
        known_name(m, old);
    else
        copy(m, old, draw_span(m), "");
}

static void change_lines(mutation *m)
{
    span old, new;

    list_spans(m, is_of_line);
    if (m->n_spans == 0)
        return;
    old = draw_span(m);
    new = draw_span(m);
    switch (draw(&m->state, 3)) {
    case 0: /* NEW once more before OLD */
        copy(m, (span){old.at, 0}, new, "\n");
        break;
    case 1:
        replace(m, old, "", 0);
        break;
    default:
        copy(m, old, new, "");
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed)
{
    mutation m = {.data = data, .n = n, .most = most, .state = seed};

    draw(&m.state, 1);
    if (draw(&m.state, 4) == 0)
        return LLVMFuzzerMutate(data, n, most);
    for (size_t i = 1 + draw(&m.state, 3); i > 0; i--) {
        if (draw(&m.state, 4) == 0)
            change_lines(&m);
        else
            change_word(&m);
    }
    return m.n;
}
