/* Writes text into JSON and HTML. Names come from untrusted files: whatever they contain, they stay
 * text. */
#include "front/view/view.h"
#include "ir/shared.h"

#include <string.h>

/* U+2028 and U+2029 end a line for some readers of scripts. */
static bool is_separator(uint32_t code)
{
    return code == 0x2028 || code == 0x2029;
}

/* An end tag of a script begins with <, and so does a comment. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != 0x7f;
}

void view_quote(inlay_strbuf *b, const char *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;
    uint32_t code;

    inlay_strbuf_puts(b, "\"");
    for (size_t i = 0; i < n;) {
        size_t length = inlay_utf8_decode(p + i, n - i, &code);

        if (length == 0)
            inlay_strbuf_puts(b, "\\ufffd");
        else if (is_separator(code))
            inlay_strbuf_printf(b, "\\u%04x", (unsigned)code);
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
    uint32_t code;

    for (size_t n = strlen(s); *s;) {
        size_t length = inlay_utf8_decode(s, n, &code);

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
