/* The tokens of ONNX's text form. */
#include "parser/onnx/text.h"
#include "parser/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool onnx_text_error(onnx_text *t, const char *fmt, ...)
{
    inlay_pos pos = {t->file, t->line};
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return inlay_fail(t->d, &pos, "%s", text);
}

/* A letter or _, or with DIGITS a digit, independent of the locale. */
static bool is_word(char c, bool digits)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (digits && c >= '0' && c <= '9');
}

bool onnx_text_wrong(onnx_text *t, const char *wanted)
{
    int n = 0;

    if (onnx_text_peek(t) == '\0' && t->at == t->end)
        return onnx_text_error(t, "found the end of the text, expected %s", wanted);
    while (n < 40 && t->at + n < t->end && is_word(t->at[n], true))
        n++;
    return onnx_text_error(t, "found `%.*s`, expected %s", n > 0 ? n : 1, t->at, wanted);
}

char onnx_text_peek(onnx_text *t)
{
    bool comment = false;

    for (; t->at < t->end; t->at++) {
        if (*t->at == '\n')
            t->line++;
        if (*t->at == '\n' || (!comment && *t->at == '#'))
            comment = *t->at == '#';
        else if (!comment && (*t->at == '\0' || !strchr(" \t\r\v\f", *t->at)))
            return *t->at;
    }
    return '\0';
}

bool onnx_text_take(onnx_text *t, char c)
{
    if (onnx_text_peek(t) != c || t->at == t->end)
        return false;
    t->at++;
    return true;
}

bool onnx_text_expect(onnx_text *t, char c)
{
    char wanted[] = {'`', c, '`', '\0'};

    return onnx_text_take(t, c) || onnx_text_wrong(t, wanted);
}

static size_t word_length(onnx_text *t)
{
    size_t n = 0;

    onnx_text_peek(t);
    while (t->at + n < t->end && is_word(t->at[n], n > 0))
        n++;
    return n;
}

const char *onnx_text_word(onnx_text *t)
{
    size_t n = word_length(t);
    const char *word = inlay_arena_strndup(t->arena, t->at, n);

    t->at += n;
    if (!word)
        inlay_fail_memory(t->d);
    return word;
}

bool onnx_text_ahead(onnx_text *t, const char *word)
{
    size_t n = word_length(t);

    return n == strlen(word) && memcmp(t->at, word, n) == 0;
}

bool onnx_text_string(onnx_text *t, ProtobufCBinaryData *out)
{
    unsigned first = t->line;
    uint8_t *to;

    if (!onnx_text_take(t, '"'))
        return onnx_text_wrong(t, "a string in quotes");
    first = t->line;
    for (out->len = 0; t->at + out->len < t->end && t->at[out->len] != '"'; out->len++)
        out->len += t->at[out->len] == '\\';
    if (t->at + out->len >= t->end) {
        t->line = first;
        return onnx_text_error(t, "found a string that has no end");
    }
    out->data = to = inlay_arena_alloc(t->arena, out->len + 1);
    if (!to)
        return inlay_fail_memory(t->d);
    for (; *t->at != '"'; t->at++) {
        t->at += *t->at == '\\';
        t->line += *t->at == '\n';
        *to++ = (uint8_t)*t->at;
    }
    t->at++;
    out->len = (size_t)(to - out->data);
    return true;
}

char *onnx_text_quoted(onnx_text *t)
{
    ProtobufCBinaryData s = {0};

    if (!onnx_text_string(t, &s))
        return NULL;
    if (!utf8_valid((const char *)s.data, s.len) || memchr(s.data, 0, s.len)) {
        onnx_text_error(t, "found a string that is not UTF-8 text");
        return NULL;
    }
    return (char *)s.data; /* the arena has set the byte after it to zero */
}

char *onnx_text_name(onnx_text *t)
{
    size_t n = word_length(t);
    char *name;

    if (onnx_text_peek(t) == '"')
        return onnx_text_quoted(t);
    if (n == 0) {
        onnx_text_wrong(t, "a name");
        return NULL;
    }
    name = inlay_arena_strndup(t->arena, t->at, n);
    t->at += n;
    if (!name)
        inlay_fail_memory(t->d);
    return name;
}

/* Copies the next number to BUF; *WHOLE: it has neither a point nor an exponent. */
static bool number_text(onnx_text *t, char *buf, size_t size, bool *whole)
{
    size_t n = 0;

    onnx_text_peek(t);
    if (t->at < t->end && *t->at == '-')
        buf[n++] = '-';
    while (t->at + n < t->end && n + 1 < size) {
        char c = t->at[n];
        bool sign = (c == '-' || c == '+') && n > 0 && (buf[n - 1] == 'e' || buf[n - 1] == 'E');

        if (!is_word(c, true) && c != '.' && !sign)
            break;
        buf[n++] = c;
    }
    buf[n] = '\0';
    *whole = strspn(buf + (*buf == '-'), "0123456789") == n - (*buf == '-');
    return n > (size_t)(*buf == '-') || onnx_text_wrong(t, "a number");
}

bool onnx_text_integer(onnx_text *t, int64_t *out)
{
    char buf[80];
    bool whole;

    if (!number_text(t, buf, sizeof buf, &whole))
        return false;
    errno = 0;
    *out = strtoll(buf, NULL, 10);
    if (!whole || errno)
        return onnx_text_wrong(t, "a whole number of 64 bits");
    t->at += strlen(buf);
    return true;
}

bool onnx_text_natural(onnx_text *t, uint64_t *out)
{
    char buf[80];
    bool whole;

    if (!number_text(t, buf, sizeof buf, &whole))
        return false;
    errno = 0;
    *out = strtoull(buf, NULL, 10);
    if (!whole || errno || *buf == '-')
        return onnx_text_wrong(t, "a whole number of 64 bits, not negative");
    t->at += strlen(buf);
    return true;
}

/* Reads inf, infinity and nan in any letter case, as ONNX's parser does. */
static bool special(const char *text, double *out)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    bool negative = *text == '-';
    char lower[16] = "";

    for (size_t i = 0; i < sizeof lower - 1 && text[negative + i]; i++)
        lower[i] = (char)(text[negative + i] | 0x20);
    for (int i = 0; i < 3; i++) {
        if (strcmp(lower, words[i]) == 0 && strlen(text + negative) == strlen(lower))
            return inlay_element_parse(INLAY_F64,
                                       i == 2     ? "nan"
                                       : negative ? "-inf"
                                                  : "inf",
                                       out, 0);
    }
    return false;
}

bool onnx_text_real(onnx_text *t, double *out, bool *whole)
{
    char buf[400];

    if (!number_text(t, buf, sizeof buf, whole))
        return false;
    if (!special(buf, out) && (strchr(buf, 'x') || !inlay_element_parse(INLAY_F64, buf, out, 0)))
        return onnx_text_wrong(t, "a number");
    t->at += strlen(buf);
    return true;
}

void *onnx_text_message(onnx_text *t, const ProtobufCMessageDescriptor *what)
{
    void *message = onnx_message_new(what, t->line, t->arena);

    if (!message)
        inlay_fail_memory(t->d);
    return message;
}

static const ProtobufCFieldDescriptor *field_of(const void *message, const char *field)
{
    const ProtobufCMessage *base = message;

    return protobuf_c_message_descriptor_get_field_by_name(base->descriptor, field);
}

bool onnx_text_append(onnx_text *t, void *message, const char *field, const void *value)
{
    const ProtobufCFieldDescriptor *f = field_of(message, field);
    void *to = onnx_field_add(message, f, t->arena);

    if (!to)
        return inlay_fail_memory(t->d);
    memcpy(to, value, onnx_field_size(f));
    return true;
}

void *onnx_text_add(onnx_text *t, void *message, const char *field)
{
    void *element = onnx_text_message(t, field_of(message, field)->descriptor);

    return element && onnx_text_append(t, message, field, &element) ? element : NULL;
}
