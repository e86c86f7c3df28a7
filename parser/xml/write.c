#include "parser/xml/write.h"
#include "ir/shared.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { FLUSH_AT = 1 << 16 };

bool xml_out_of_memory(xml_writer *w)
{
    if (!w->failed)
        inlay_fail_memory(w->d);
    w->failed = true;
    return false;
}

bool xml_refuse(xml_writer *w, const char *fmt, ...)
{
    char text[400];
    va_list args;

    if (w->failed)
        return false;
    w->failed = true;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (w->node)
        return inlay_fail_node(w->d, w->node, "%s", text);
    return inlay_fail(w->d, NULL, "%s", text);
}

bool xml_flush(xml_writer *w)
{
    if (w->buf.failed)
        return xml_out_of_memory(w);
    if (w->failed)
        return false;
    /* The function that opened the sink reports its error. */
    if (w->buf.n > 0 && !w->to->write(w->to->ctx, w->buf.bytes, w->buf.n))
        w->failed = true;
    w->buf.n = 0;
    return !w->failed;
}

void xml_puts(xml_writer *w, const char *text)
{
    inlay_strbuf_puts(&w->buf, text);
    if (w->buf.n >= FLUSH_AT)
        xml_flush(w);
}

void xml_printf(xml_writer *w, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    xml_puts(w, text);
}

void xml_newline(xml_writer *w)
{
    inlay_strbuf_puts(&w->buf, "\n");
    for (int i = 0; i < w->indent; i++)
        inlay_strbuf_puts(&w->buf, "\t");
}

void xml_open(xml_writer *w, const char *text)
{
    xml_newline(w);
    xml_puts(w, text);
    w->indent++;
}

void xml_close(xml_writer *w, const char *text)
{
    w->indent--;
    xml_newline(w);
    xml_puts(w, text);
}

/* Returns the length of the character at P, or 0 if XML 1.0 does not allow it. */
static size_t character(const char *p)
{
    uint32_t c;
    size_t n = inlay_utf8_decode(p, strnlen(p, 4), &c);
    bool fine = c >= 0x20 ? c != 0xfffe && c != 0xffff : c == '\t' || c == '\n' || c == '\r';

    return n > 0 && fine ? n : 0;
}

/* In an attribute a reader would normalise blanks other than ' ', and everywhere '\r'; so they are
 * escaped, too. */
static const char *escape(char c, bool in_attr)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\r':
        return "&#13;";
    case '\t':
        return in_attr ? "&#9;" : NULL;
    case '\n':
        return in_attr ? "&#10;" : NULL;
    }
    return NULL;
}

static void put_escaped(xml_writer *w, const char *what, const char *value, bool in_attr)
{
    for (const char *p = value, *from = value;;) {
        const char *replaced = *p ? escape(*p, in_attr) : "";
        size_t n = *p ? character(p) : 1;

        if (n == 0) {
            xml_refuse(w, "%s holds the byte 0x%02x, which XML cannot hold there", what,
                       (unsigned char)*p);
            return;
        }
        if (replaced) {
            inlay_strbuf_add(&w->buf, from, (size_t)(p - from));
            if (!*p)
                return;
            inlay_strbuf_puts(&w->buf, replaced);
            from = p + 1;
        }
        p += n;
    }
}

static bool is_name(const char *s)
{
    if (!*s || isdigit((unsigned char)*s) || *s == '-' || *s == '.')
        return false;
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;

        if (c < 0x80 && !isalnum(c) && !strchr("_:-.", c))
            return false;
    }
    return true;
}

void xml_put_attr(xml_writer *w, const char *name, const char *value)
{
    if (!is_name(name)) {
        xml_refuse(w, "\"%.100s\" is no name that an XML attribute can have", name);
        return;
    }
    inlay_strbuf_puts(&w->buf, " ");
    inlay_strbuf_puts(&w->buf, name);
    inlay_strbuf_puts(&w->buf, "=\"");
    put_escaped(w, name, value, true);
    xml_puts(w, "\"");
}

static void put_tree(xml_writer *w, const inlay_meta *m, int depth)
{
    if (depth > INLAY_MAX_META_DEPTH) {
        xml_refuse(w, "metadata is nested more than %d deep", INLAY_MAX_META_DEPTH);
        return;
    }
    if (!is_name(m->tag)) {
        xml_refuse(w, "\"%.100s\" is no name that an XML element can have", m->tag);
        return;
    }
    xml_newline(w);
    xml_puts(w, "<");
    put_escaped(w, "a metadata element", m->tag, true);
    for (int i = 0; i < m->n_attrs && !w->failed; i++)
        xml_put_attr(w, m->attrs[2 * i], m->attrs[2 * i + 1]);
    if (!m->child && !m->text) {
        xml_puts(w, " />");
        return;
    }
    xml_puts(w, ">");
    if (!m->child)
        put_escaped(w, "metadata", m->text, false);
    w->indent++;
    for (const inlay_meta *c = m->child; c && !w->failed; c = c->next)
        put_tree(w, c, depth + 1);
    w->indent--;
    if (m->child)
        xml_newline(w);
    xml_puts(w, "</");
    xml_puts(w, m->tag);
    xml_puts(w, ">");
}

void xml_put_trees(xml_writer *w, const inlay_meta *list)
{
    for (const inlay_meta *m = list; m && !w->failed; m = m->next)
        put_tree(w, m, 1);
}
