/* Writes the small pieces of a document: strings, numbers, shapes, metadata. */
#include "ir/shared.h"
#include "parser/json/write.h"
#include "parser/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void json_write_fail(json_writer *w, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    if (w->failed)
        return;
    w->failed = true;
    va_start(args, fmt);
    inlay_vfail_node(w->d, n, fmt, args);
    va_end(args);
}

void json_write_line(json_writer *w)
{
    inlay_strbuf_puts(&w->text, "\n");
    for (int i = 0; i < w->indent; i++)
        inlay_strbuf_puts(&w->text, "  ");
}

void json_write_string(json_writer *w, const char *text)
{
    size_t n = strlen(text);
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";

    if (!utf8_valid(text, n) && !w->failed) {
        w->failed = true;
        inlay_fail(w->d, NULL, "\"%.80s\" is not UTF-8, which JSON needs", text);
    }
    inlay_strbuf_puts(&w->text, "\"");
    for (size_t i = 0, plain; i < n; i += plain + 1) {
        plain = 0;
        while (i + plain < n && (unsigned char)text[i + plain] >= 0x20 && text[i + plain] != '"' &&
               text[i + plain] != '\\')
            plain++;
        inlay_strbuf_add(&w->text, text + i, plain);
        if (i + plain == n)
            break;
        const char *escape = strchr(from, text[i + plain]);
        if (escape != NULL)
            inlay_strbuf_printf(&w->text, "\\%c", to[escape - from]);
        else
            inlay_strbuf_printf(&w->text, "\\u%04x", (unsigned char)text[i + plain]);
    }
    inlay_strbuf_puts(&w->text, "\"");
}

void json_write_key(json_writer *w, const char *key, bool *first)
{
    inlay_strbuf_puts(&w->text, *first ? "" : ", ");
    *first = false;
    json_write_string(w, key);
    inlay_strbuf_puts(&w->text, ": ");
}

void json_write_member(json_writer *w, const char *key, const char *text, bool *first)
{
    json_write_key(w, key, first);
    json_write_string(w, text);
}

void json_write_int(json_writer *w, int64_t x)
{
    bool wide = x >= INT64_C(1) << 53 || x <= -(INT64_C(1) << 53);
    inlay_strbuf_printf(&w->text, wide ? "\"%" PRId64 "\"" : "%" PRId64, x);
}

/* Most elements are written as they are. What is no JSON number ("inf", "0x7fc00001") becomes a
 * string, as does an integer that a double would round. A float of that size gets a point, so that
 * the reader takes it for a number. */
void json_write_element_text(json_writer *w, inlay_type type, const char *text)
{
    size_t digits = strspn(text, "-0123456789");
    bool integer = text[digits] == '\0',
         word = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    bool number = digits > (*text == '-') && (integer || strchr(".eE", text[digits]) != NULL);
    bool wide = integer && digits - (*text == '-') >= 16; /* 2^53 has 16 digits */

    if (number && wide && inlay_type_is_float(type))
        inlay_strbuf_printf(&w->text, "%s.0", text);
    else
        inlay_strbuf_printf(&w->text, (number && !wide) || word ? "%s" : "\"%s\"", text);
}

void json_write_float(json_writer *w, double x)
{
    char buf[48];

    inlay_element_text(INLAY_F64, &x, 0, buf, sizeof(buf));
    json_write_element_text(w, INLAY_F64, x != x ? "nan" : buf);
}

void json_write_shape(json_writer *w, int rank, const inlay_dim *dims)
{
    char buf[64];

    if (rank < 0) {
        inlay_strbuf_puts(&w->text, "\"...\"");
        return;
    }
    inlay_strbuf_puts(&w->text, "[");
    for (int i = 0; i < rank; i++) {
        inlay_strbuf_puts(&w->text, i > 0 ? ", " : "");
        if (inlay_dim_is_static(dims[i]))
            json_write_int(w, dims[i].lo);
        else
            json_write_string(w, inlay_dim_text(dims[i], buf, sizeof(buf)));
    }
    inlay_strbuf_puts(&w->text, "]");
}

void json_write_list(json_writer *w, int n, const void *list,
                     void (*write)(json_writer *w, const void *list, int i))
{
    inlay_strbuf_puts(&w->text, "[");
    for (int i = 0; i < n; i++) {
        inlay_strbuf_puts(&w->text, i > 0 ? ", " : "");
        write(w, list, i);
    }
    inlay_strbuf_puts(&w->text, "]");
}

/* Writes a list of metadata elements. Recursive, to the same depth as the readers. */
static void write_meta(json_writer *w, const inlay_meta *list, int depth)
{
    if (depth > INLAY_MAX_META_DEPTH && !w->failed) {
        w->failed = true;
        inlay_fail(w->d, NULL, "metadata is nested more than %d deep", INLAY_MAX_META_DEPTH);
    }
    inlay_strbuf_puts(&w->text, "[");
    for (const inlay_meta *m = w->failed ? NULL : list; m != NULL; m = m->next) {
        bool first = true, first_attr = true;
        inlay_strbuf_puts(&w->text, "{");
        json_write_member(w, "tag", m->tag, &first);
        if (m->text != NULL)
            json_write_member(w, "text", m->text, &first);
        if (m->n_attrs > 0) {
            json_write_key(w, "attributes", &first);
            inlay_strbuf_puts(&w->text, "{");
            for (int i = 0; i < m->n_attrs; i++)
                json_write_member(w, m->attrs[2 * i], m->attrs[2 * i + 1], &first_attr);
            inlay_strbuf_puts(&w->text, "}");
        }
        if (m->child != NULL) {
            json_write_key(w, "children", &first);
            write_meta(w, m->child, depth + 1);
        }
        inlay_strbuf_puts(&w->text, m->next != NULL ? "}, " : "}");
    }
    inlay_strbuf_puts(&w->text, "]");
}

void json_write_meta(json_writer *w, const inlay_meta *list)
{
    write_meta(w, list, 1);
}
