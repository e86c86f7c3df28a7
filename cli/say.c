/* Text for people. Names come from files, and a name may hold what commands a terminal: each string
 * that is printed is shown with control characters, and bytes that are no UTF-8, as \xHH. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* The number of bytes of the character at S, where LEFT > 0 are, and whose code is *CODE; 0: it is
 * no UTF-8. */
static size_t character(const unsigned char *s, size_t left, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = *s < 0x80   ? 1
                     : *s < 0xc2 ? 0
                     : *s < 0xe0 ? 2
                     : *s < 0xf0 ? 3
                     : *s < 0xf5 ? 4
                                 : 0;

    *code = n == 1 ? *s : n == 0 ? 0 : *s & (0xffu >> (n + 1));
    if (n > left)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    return *code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : n;
}

/* Control characters, and those that change the direction of the text around them. */
static bool commands(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* The bytes of TEXT, of which MOST count, before the first that must not be printed as they are,
 * which are *BAD. */
static size_t plain_prefix(const char *text, size_t most, size_t *bad)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t at = 0, n = 1;
    uint32_t code;

    while (at < most && s[at] && (n = character(s + at, most - at, &code)) > 0 && !commands(code))
        at += n;
    *bad = at == most || s[at] == 0 ? 0 : n > 0 ? n : 1;
    return at;
}

/* Prints TEXT, of which MOST bytes count, to F; NULL: only counts what that takes. LINES: ends of
 * lines stay. It needs no memory, as it also says that there is none. */
static size_t put_plain(FILE *f, const char *text, size_t most, bool lines)
{
    size_t all = 0;

    while (most > 0 && *text) {
        size_t bad, n = plain_prefix(text, most, &bad);

        if (f)
            fwrite(text, 1, n, f);
        for (size_t i = n; i < n + bad; i++) {
            bool end = lines && text[i] == '\n';

            if (f)
                fprintf(f, end ? "%c" : "\\x%02x", (unsigned char)text[i]);
            all += end ? 1 : 4;
        }
        all += n;
        text += n + bad;
        most -= n + bad;
    }
    return all;
}

void cli_print_text(FILE *f, const char *text)
{
    put_plain(f, text, SIZE_MAX, true);
}

enum { SPEC = 40 }; /* bytes of a conversion: %-1234567890.1234567890lld */

/* Prints the string TEXT by SPEC: perhaps to the left, a width, how many bytes of it count. */
static void say_string(FILE *f, const char *spec, const char *text)
{
    const char *point = strchr(spec, '.');
    bool left = spec[1] == '-';
    size_t most = point ? (size_t)strtoul(point + 1, NULL, 10) : SIZE_MAX;
    size_t width = (size_t)strtoul(spec + 1 + left, NULL, 10);
    size_t taken = width > 0 ? put_plain(NULL, text, most, false) : 0;
    int pad = width > taken ? (int)(width - taken) : 0;

    fprintf(f, "%*s", left ? 0 : pad, "");
    put_plain(f, text, most, false);
    fprintf(f, "%*s", left ? pad : 0, "");
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
    size_t n = character((const unsigned char *)s, strnlen(s, 4), &code);

    fprintf(f, "\\u%04x", (unsigned)(n > 0 ? code : 0xfffd));
    return n > 0 ? n : 1;
}

void cli_json_string(FILE *f, const char *s)
{
    fputc('"', f);
    while (*s) {
        size_t bad, n = strcspn(s, "\"\\"), plain = plain_prefix(s, n, &bad);

        fwrite(s, 1, plain, f);
        s += plain;
        if (plain < n)
            s += json_escape(f, s);
        else if (*s)
            fprintf(f, "\\%c", *s++);
    }
    fputc('"', f);
}
