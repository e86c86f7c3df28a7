/* Tokens of the text form and of the rule language: words, %names, strings, numbers, punctuation,
 * each with its line. Blanks and line ends only separate; a comment runs from two slashes to the
 * end of the line.
 */

#include "ir/text/token.h"
#include "ir/strbuf.h"

#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_char(char c)
{
    return is_letter(c) || is_digit(c);
}

/* The end of a word that starts at P: letters and digits, single dots between them, and hyphens
 * before a letter (a hyphen before a digit ends it, so that Slice-8 and n-1 are three tokens). */
static const char *word_end(const char *p, const char *end)
{
    while (p < end) {
        bool joins =
            end - p > 1 && ((*p == '.' && is_name_char(p[1])) || (*p == '-' && is_letter(p[1])));

        if (!is_name_char(*p) && !joins)
            break;
        p++;
    }
    return p;
}

/* The end of a plain name: as a word, but any of . - / may join, and it may begin with a digit. */
static const char *name_end(const char *p, const char *end)
{
    for (; p < end; p++) {
        bool joins = *p == '.' || *p == '-' || *p == '/';

        if (!is_name_char(*p) && !(joins && end - p > 1 && is_name_char(p[1])))
            break;
    }
    return p;
}

bool inlay_token_is_word(const char *s)
{
    const char *end = s ? s + strlen(s) : NULL;

    return s && is_letter(*s) && word_end(s, end) == end;
}

bool inlay_token_is_name(const char *s)
{
    const char *end = s ? s + strlen(s) : NULL;

    return s && is_name_char(*s) && name_end(s, end) == end;
}

void inlay_lexer_start(inlay_lexer *l, const char *file, const char *bytes, size_t n,
                       inlay_diags *d)
{
    *l = (inlay_lexer){
        .file = file, .at = bytes, .end = bytes ? bytes + n : NULL, .line = 1, .diags = d};
}

static bool fail_here(inlay_lexer *l, const char *what)
{
    inlay_pos pos = {l->file, l->line};

    l->now = (inlay_token){INLAY_TOKEN_END, l->at, 0, l->line, false};
    return inlay_fail(l->diags, &pos, "%s", what);
}

/* Moves past blanks and comments; true when there were any. */
static bool skip_blanks(inlay_lexer *l)
{
    const char *start = l->at;

    while (l->at < l->end) {
        if (*l->at == '\n')
            l->line++;
        if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r' || *l->at == '\n')
            l->at++;
        else if (l->end - l->at > 1 && l->at[0] == '/' && l->at[1] == '/')
            while (l->at < l->end && *l->at != '\n')
                l->at++;
        else
            break;
    }
    return l->at > start;
}

/* The end of a number at P: digits, a fraction and an exponent, or 0x and digits. The sign is a
 * token of its own, and so are the dots of 1..8. */
static const char *number_end(const char *p, const char *end)
{
    if (end - p > 2 && p[0] == '0' && p[1] == 'x' && is_name_char(p[2])) {
        for (p += 2; p < end && is_name_char(*p);)
            p++;
        return p;
    }
    while (p < end && is_digit(*p))
        p++;
    if (end - p > 1 && *p == '.' && is_digit(p[1])) {
        for (p++; p < end && is_digit(*p);)
            p++;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;

        if (q < end && (*q == '+' || *q == '-'))
            q++;
        if (q < end && is_digit(*q)) {
            while (q < end && is_digit(*q))
                q++;
            p = q;
        }
    }
    return p;
}

/* The end of a quoted string, NULL when its line ends before it does. */
static const char *string_end(const char *p, const char *end)
{
    for (p++; p < end && *p != '\n'; p++) {
        if (*p == '"')
            return p + 1;
        if (*p == '\\' && end - p > 1 && p[1] != '\n')
            p++;
    }
    return NULL;
}

static size_t punctuation(const char *p, const char *end)
{
    static const char *const longer[] = {
        "...", "..", "=>", "->", "==", "!=", "<=", ">=", "&&", "||"};

    bool may_be_longer = end - p > 1 && strchr(".>=&|", p[1]);

    for (size_t i = 0; may_be_longer && i < sizeof longer / sizeof longer[0]; i++) {
        size_t n = strlen(longer[i]);

        if ((size_t)(end - p) >= n && memcmp(p, longer[i], n) == 0)
            return n;
    }
    return *p && strchr("()[]{}<>=,:;?@#+-*/|!&.", *p) ? 1 : 0;
}

static bool bad_byte(inlay_lexer *l)
{
    unsigned char c = (unsigned char)*l->at;
    char what[64];

    if (c > 0x20 && c < 0x7f)
        snprintf(what, sizeof what, "a stray `%c`", c);
    else
        snprintf(what, sizeof what, "a stray byte 0x%02x", c);
    return fail_here(l, what);
}

bool inlay_lexer_next(inlay_lexer *l)
{
    bool gap = skip_blanks(l);
    const char *p = l->at, *end = l->end;
    inlay_token t = {INLAY_TOKEN_END, p, 0, l->line, !gap};

    if (p == end) {
        l->now = t;
        return true;
    }
    if (*p == '"' || (*p == '%' && end - p > 1 && p[1] == '"')) {
        t.kind = *p == '"' ? INLAY_TOKEN_STRING : INLAY_TOKEN_NAME;
        end = string_end(p + (*p == '%'), end);
        if (!end)
            return fail_here(l, "a string is not closed on its line");
    } else if (*p == '%' && end - p > 1 && is_name_char(p[1])) {
        t.kind = INLAY_TOKEN_NAME;
        end = name_end(p + 1, end);
    } else if (is_letter(*p)) {
        t.kind = INLAY_TOKEN_WORD;
        end = word_end(p, end);
    } else if (is_digit(*p)) {
        t.kind = INLAY_TOKEN_NUMBER;
        end = number_end(p, end);
    } else {
        t.kind = INLAY_TOKEN_PUNCT;
        end = p + punctuation(p, end);
        if (end == p)
            return bad_byte(l);
    }
    t.length = (size_t)(end - p);
    l->at = end;
    l->now = t;
    return true;
}

bool inlay_token_is(const inlay_token *t, const char *text)
{
    return (t->kind == INLAY_TOKEN_WORD || t->kind == INLAY_TOKEN_PUNCT) &&
           strlen(text) == t->length && memcmp(t->start, text, t->length) == 0;
}

/* The token as messages show it: "`foo`", "the end of the text". */
static char *token_text(const inlay_token *t, char *buf, size_t size)
{
    if (t->kind == INLAY_TOKEN_END)
        snprintf(buf, size, "the end of the text");
    else
        snprintf(buf, size, "`%.*s`%s", (int)(t->length > 60 ? 60 : t->length), t->start,
                 t->length > 60 ? "..." : "");
    return buf;
}

bool inlay_lexer_fail(inlay_lexer *l, const char *expected)
{
    inlay_pos pos = {l->file, l->now.line};
    char found[96];

    return inlay_fail(l->diags, &pos, "found %s, expected %s",
                      token_text(&l->now, found, sizeof found), expected);
}

static int hex(char c)
{
    if (is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character that an escape means. *P stands behind the backslash and moves past the escape. -1:
 * there is no such escape. */
static int unescape(const char **p, const char *end)
{
    static const char names[] = "\"\\nrt", bytes[] = "\"\\\n\r\t";
    const char *at = memchr(names, **p, sizeof names - 1);

    if (at) {
        (*p)++;
        return (unsigned char)bytes[at - names];
    }
    if (**p == 'x' && end - *p > 2 && hex((*p)[1]) >= 0 && hex((*p)[2]) >= 0) {
        int byte = hex((*p)[1]) << 4 | hex((*p)[2]);

        *p += 3;
        return byte;
    }
    return -1;
}

bool inlay_lexer_string(inlay_lexer *l, inlay_strbuf *out)
{
    const char *p = l->now.start, *end = p + l->now.length;
    inlay_pos pos = {l->file, l->now.line};

    out->n = 0;
    p += *p == '%';
    if (*p != '"') {
        inlay_strbuf_add(out, p, (size_t)(end - p));
        return !out->failed || inlay_fail_memory(l->diags);
    }
    for (p++, end--; p < end;) {
        size_t plain = 0;
        char byte;

        while (p + plain < end && p[plain] != '\\')
            plain++;
        inlay_strbuf_add(out, p, plain);
        p += plain;
        if (p < end) {
            int c = (p++, unescape(&p, end));

            if (c < 0)
                return inlay_fail(l->diags, &pos,
                                  "found `\\%c` in a string, expected one of "
                                  "\\\\ \\\" \\n \\r \\t \\xHH",
                                  *p);
            byte = (char)c;
            inlay_strbuf_add(out, &byte, 1);
        }
    }
    inlay_strbuf_add(out, "", 0);
    return !out->failed || inlay_fail_memory(l->diags);
}
