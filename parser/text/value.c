/* The literals of the text form: numbers, element types, shapes. */
#include "parser/text/text.h"

#include <string.h>

bool text_number(text_reader *r, char *buf, size_t size, const char *what)
{
    const inlay_token *t = &r->lex.now;
    size_t n = 0;

    if (inlay_token_is(t, "-")) {
        buf[n++] = '-';
        if (!text_next(r))
            return false;
    }
    if (t->kind != INLAY_TOKEN_NUMBER && t->kind != INLAY_TOKEN_WORD)
        return inlay_lexer_fail(&r->lex, what);
    if (t->length >= size - n)
        return text_fail(r, "found a number of %zu character%s, which is too long", t->length,
                         inlay_plural(t->length, "", "s"));
    memcpy(buf + n, t->start, t->length);
    buf[n + t->length] = '\0';
    return true;
}

bool text_element(text_reader *r, inlay_type type, void *base, int64_t index, const char *what)
{
    char text[400]; /* a double in decimal may have some 330 digits */

    if (!text_number(r, text, sizeof text, what))
        return false;
    if (!inlay_element_parse(type, text, base, index))
        return text_fail(r, "found `%s`, expected %s", text, what);
    return text_next(r);
}

bool text_int(text_reader *r, int64_t *out)
{
    return text_element(r, INLAY_I64, out, 0, "an integer");
}

bool text_type(text_reader *r, inlay_type *out)
{
    if (r->lex.now.kind != INLAY_TOKEN_WORD)
        return inlay_lexer_fail(&r->lex, "an element type");
    if (!inlay_lexer_string(&r->lex, &r->word))
        return false;
    if (!inlay_type_by_name(r->word.bytes, out))
        return inlay_lexer_fail(&r->lex, "an element type");
    return text_next(r);
}

const char *text_dim_name(const text_reader *r, uint32_t id)
{
    const char *name;

    if (!(id & TEXT_NAMED))
        return NULL;
    memcpy(&name, r->dim_names.bytes + (id & ~TEXT_NAMED) * sizeof name, sizeof name);
    return name;
}

/* Reads the name of an identity and sets *ID to it. */
static bool read_dim_name(text_reader *r, uint32_t *id)
{
    size_t n = r->dim_names.n / sizeof(char *);
    const char *name;

    if (n > TEXT_MAX_NUMBER)
        return text_fail(r, "found more names of dimensions than can be counted");
    if (!text_string(r, true, "the number or name of an identity"))
        return false;
    if (r->word.n == 0)
        return text_fail(r, "found the name of a dimension that is empty");
    name = inlay_arena_strdup(r->a.scratch, r->word.bytes);
    inlay_strbuf_add(&r->dim_names, (const char *)&name, sizeof name);
    *id = TEXT_NAMED | (uint32_t)n;
    return (name && !r->dim_names.failed) || inlay_fail_memory(r->a.d);
}

/* Reads the identity after a #. */
static bool read_identity(text_reader *r, uint32_t *id)
{
    int64_t number;

    if (r->lex.now.kind == INLAY_TOKEN_WORD || r->lex.now.kind == INLAY_TOKEN_STRING)
        return read_dim_name(r, id);
    if (!text_int(r, &number))
        return false;
    if (number < 1 || number > TEXT_MAX_NUMBER)
        return text_fail(r, "found the identity #%lld, expected a positive number",
                         (long long)number);
    *id = (uint32_t)number;
    return true;
}

/* Reads one dimension: the tokens up to a comma, a bracket or the # of its identity. */
static bool read_dim(text_reader *r, inlay_dim *out)
{
    const char *start = r->lex.now.start, *end = start, *why = NULL;

    while (!inlay_token_is(&r->lex.now, ",") && !inlay_token_is(&r->lex.now, "]") &&
           !inlay_token_is(&r->lex.now, "#") && r->lex.now.kind != INLAY_TOKEN_END) {
        end = r->lex.now.start + r->lex.now.length;
        if (!text_next(r))
            return false;
    }
    if (!inlay_dim_parse(start, (size_t)(end - start), out, &why))
        return text_fail(r, "found `%.*s` in a shape: %s",
                         (int)(end - start > 60 ? 60 : end - start), start, why);
    if (!inlay_token_is(&r->lex.now, "#"))
        return true;
    return text_next(r) && read_identity(r, &out->id);
}

bool text_shape(text_reader *r, inlay_shape *out)
{
    bool there;

    out->rank = 0;
    if (!text_expect(r, "[") || !text_accept(r, "...", &there))
        return false;
    if (there) {
        out->rank = -1;
        return text_expect(r, "]");
    }
    if (!text_accept(r, "]", &there))
        return false;
    if (there)
        return true;
    for (;;) {
        if (out->rank == INLAY_MAX_RANK)
            return text_fail(r, "found a shape of more than %d dimensions", INLAY_MAX_RANK);
        if (!read_dim(r, &out->dim[out->rank++]) || !text_accept(r, ",", &there))
            return false;
        if (!there)
            return text_expect(r, "]");
    }
}
