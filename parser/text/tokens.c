/* Reads the tokens of the text form one by one. */
#include "parser/text/text.h"

#include <stdio.h>
#include <string.h>

bool text_next(text_reader *r)
{
    return inlay_lexer_next(&r->lex);
}

bool text_fail(text_reader *r, const char *fmt, ...)
{
    inlay_pos pos = {r->lex.file, r->lex.now.line};
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return inlay_fail(r->a.d, &pos, "%s", text);
}

bool text_expect(text_reader *r, const char *text)
{
    char quoted[32];

    if (inlay_token_is(&r->lex.now, text))
        return text_next(r);
    snprintf(quoted, sizeof quoted, "`%s`", text);
    return inlay_lexer_fail(&r->lex, quoted);
}

bool text_accept(text_reader *r, const char *text, bool *there)
{
    *there = inlay_token_is(&r->lex.now, text);
    return !*there || text_next(r);
}

bool text_string(text_reader *r, bool word_ok, const char *what)
{
    inlay_token_kind kind = r->lex.now.kind;

    if (kind != INLAY_TOKEN_STRING && !(word_ok && kind == INLAY_TOKEN_WORD))
        return inlay_lexer_fail(&r->lex, what);
    if (!inlay_lexer_string(&r->lex, &r->word))
        return false;
    if (memchr(r->word.bytes, '\0', r->word.n))
        return text_fail(r, "found a zero byte in %s, it cannot have one", what);
    return text_next(r);
}
