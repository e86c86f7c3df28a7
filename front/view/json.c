/* Writes text into JSON and HTML. Names come from untrusted files: whatever they contain, they stay
 * text. */
#include "front/view/view.h"

#include <string.h>

/* The length of the UTF-8 sequence at P, where N bytes are left; 0: it is invalid. */
static size_t sequence(const unsigned char *p, size_t n)
{
    size_t length = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;

    if (length > n || *p > 0xf4 || (*p >= 0x80 && *p < 0xc2))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) ||
        (*p == 0xf4 && p[1] > 0x8f))
        return 0;
    return length;
}

/* U+2028 and U+2029 end a line for some readers of scripts. */
static bool is_separator(const unsigned char *p, size_t n)
{
    return n == 3 && p[0] == 0xe2 && p[1] == 0x80 && (p[2] | 1) == 0xa9;
}

/* An end tag of a script begins with <, and so does a comment. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != 0x7f;
}

void view_quote(inlay_strbuf *b, const char *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;

    inlay_strbuf_puts(b, "\"");
    for (size_t i = 0; i < n;) {
        size_t length = sequence(p + i, n - i);

        if (length == 0)
            inlay_strbuf_puts(b, "\\ufffd");
        else if (is_separator(p + i, length))
            inlay_strbuf_printf(b, "\\u202%d", p[i + 2] - 0xa0);
        else if (length > 1 || is_plain(p[i]))
            inlay_strbuf_add(b, bytes + i, length);
        else if (p[i] == '"' || p[i] == '\\')
            inlay_strbuf_printf(b, "\\%c", p[i]);
        else
            inlay_strbuf_printf(b, "\\u%04x", p[i]);
        i += length ? length : 1;
    }
    inlay_strbuf_puts(b, "\"");
}

void view_escape(inlay_strbuf *b, const char *s)
{
    for (size_t n = strlen(s); *s;) {
        size_t length = sequence((const unsigned char *)s, n);

        if (length == 0 || (unsigned char)*s < 0x20)
            inlay_strbuf_puts(b, "?");
        else if (strchr("<>&\"", *s))
            inlay_strbuf_printf(b, "&#%d;", *s);
        else
            inlay_strbuf_add(b, s, length);
        length = length ? length : 1;
        s += length;
        n -= length;
    }
}

size_t view_text(inlay_view *v, const char *s)
{
    return view_texts_add(&v->texts, s, strlen(s));
}
