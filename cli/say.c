/* Text for people. Names come from files, and a name may hold what commands a terminal: each string
 * that is printed is shown with control characters, and bytes that are no UTF-8, as \xHH. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* The number of bytes of the character at S, whose code is *CODE; 0: it is no UTF-8. */
static size_t character(const unsigned char *s, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = *s < 0x80   ? 1
                     : *s < 0xc2 ? 0
                     : *s < 0xe0 ? 2
                     : *s < 0xf0 ? 3
                     : *s < 0xf5 ? 4
                                 : 0;

    *code = n == 1 ? *s : n == 0 ? 0 : *s & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    return n == 0 || *code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)
               ? 0
               : n;
}

/* Control characters, and those that change the direction of the text around them. */
static bool commands(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* The bytes of TEXT before the first that must not be printed as they are, which are *BAD. */
static size_t plain_prefix(const char *text, size_t *bad)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t at = 0, n = 1;
    uint32_t code;

    while (s[at] && (n = character(s + at, &code)) > 0 && !commands(code))
        at += n;
    *bad = s[at] == 0 ? 0 : n > 0 ? n : 1;
    return at;
}

/* LINES: ends of lines stay. */
static void add_plain(inlay_strbuf *b, const char *text, bool lines)
{
    while (*text) {
        size_t bad, n = plain_prefix(text, &bad);

        inlay_strbuf_add(b, text, n);
        text += n;
        for (size_t i = 0; i < bad; i++) {
            if (lines && text[i] == '\n')
                inlay_strbuf_puts(b, "\n");
            else
                inlay_strbuf_printf(b, "\\x%02x", (unsigned char)text[i]);
        }
        text += bad;
    }
}

void cli_print_text(FILE *f, const char *text)
{
    inlay_strbuf b = {0};

    add_plain(&b, text, true);
    if (b.bytes && !b.failed)
        fwrite(b.bytes, 1, b.n, f);
    inlay_strbuf_free(&b);
}

enum { SPEC = 40 }; /* bytes of a conversion: %-1234567890.1234567890lld */

/* Prints the string TEXT by SPEC, which may have a precision: as many bytes of it count. */
static void say_string(FILE *f, const char *spec, const char *text)
{
    const char *point = strchr(spec, '.');
    size_t most = point ? (size_t)strtoul(point + 1, NULL, 10) : SIZE_MAX;
    char *cut = most < SIZE_MAX ? strndup(text, most) : NULL, whole[SPEC];
    inlay_strbuf b = {0};

    add_plain(&b, cut ? cut : most < SIZE_MAX ? "?" : text, false);
    snprintf(whole, sizeof whole, "%.*ss", (int)strcspn(spec, ".s"), spec);
    fprintf(f, whole, b.failed ? "?" : b.bytes ? b.bytes : "");
    free(cut);
    inlay_strbuf_free(&b);
}

/* Copies the conversion at FMT, with the numbers that * stands for, to SPEC; returns its last
 * character. */
static const char *take_spec(const char *fmt, char *spec, va_list *args)
{
    size_t n = 0;

    for (; !strchr("diuxXcsfgep%", *fmt) || n == 0; fmt++) {
        if (*fmt == '*')
            n += (size_t)snprintf(spec + n, SPEC - n, "%d", va_arg(*args, int));
        else if (n < SPEC - 1)
            spec[n++] = *fmt;
    }
    spec[n++] = *fmt;
    spec[n] = '\0';
    return fmt;
}

static void say_number(FILE *f, const char *spec, va_list *args)
{
    const char last = spec[strlen(spec) - 1];
    const size_t longs = strspn(spec + strcspn(spec, "l"), "l");

    if (strchr("fge", last))
        fprintf(f, spec, va_arg(*args, double));
    else if (last == 'p')
        fprintf(f, spec, va_arg(*args, void *));
    else if (strchr(spec, 'z'))
        fprintf(f, spec, va_arg(*args, size_t));
    else if (longs == 2)
        fprintf(f, spec, va_arg(*args, long long));
    else if (longs == 1)
        fprintf(f, spec, va_arg(*args, long));
    else
        fprintf(f, spec, va_arg(*args, int));
}

static void say(FILE *f, const char *fmt, va_list *args)
{
    char spec[SPEC];

    while (*fmt) {
        size_t n = strcspn(fmt, "%");

        fwrite(fmt, 1, n, f);
        fmt += n;
        if (!*fmt)
            break;
        fmt = take_spec(fmt, spec, args) + 1;
        if (fmt[-1] == 's')
            say_string(f, spec, va_arg(*args, const char *));
        else if (strcmp(spec, "%%") == 0)
            fputc('%', f);
        else
            say_number(f, spec, args);
    }
}

void cli_say(FILE *f, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    say(f, fmt, &args);
    va_end(args);
}

/* Prints the character at S, which commands a terminal, or the sign for a byte that is no UTF-8;
 * returns its bytes. */
static size_t json_escape(FILE *f, const char *s)
{
    uint32_t code;
    size_t n = character((const unsigned char *)s, &code);

    fprintf(f, "\\u%04x", (unsigned)(n > 0 ? code : 0xfffd));
    return n > 0 ? n : 1;
}

void cli_json_string(FILE *f, const char *s)
{
    fputc('"', f);
    while (*s) {
        size_t bad, n = strcspn(s, "\"\\"), plain = plain_prefix(s, &bad);

        n = n < plain ? n : plain;
        fwrite(s, 1, n, f);
        s += n;
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s++);
        else if (*s)
            s += json_escape(f, s);
    }
    fputc('"', f);
}
