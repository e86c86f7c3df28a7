/* The literals of the text form: names, strings, shapes, tensors, attributes, metadata. */
#include "ir/base/utf8.h"
#include "ir/graph.h"
#include "ir/graph/dim_sum.h"
#include "ir/graph/provenance.h"
#include "ir/strbuf.h"
#include "ir/tensor/dim.h"
#include "ir/tensor/number.h"
#include "ir/tensor/storage.h"
#include "ir/text/print.h"
#include "ir/text/token.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Characters that command a terminal: control characters of two bytes, and those that change the
 * direction of the text around them. */
static bool commands(uint32_t code)
{
    return code < 0xa0 || code == 0x061c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* A printf for each integer would take half of the time of a text. */
void print_int(inlay_strbuf *b, int64_t x)
{
    char text[24];
    size_t n = sizeof text;
    uint64_t rest = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;

    do
        text[--n] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (x < 0)
        text[--n] = '-';
    inlay_strbuf_add(b, text + n, sizeof text - n);
}

size_t print_plain_length(const unsigned char *p, size_t n)
{
    uint32_t code;
    size_t length;

    if (*p >= 0x20 && *p < 0x7f)
        return *p != '"' && *p != '\\';
    length = *p >= 0x80 ? inlay_utf8_decode(p, n, &code) : 0;
    return length > 0 && !commands(code) ? length : 0;
}

void print_string(inlay_strbuf *b, const char *bytes, size_t n)
{
    static const char special[] = "\"\\\n\r\t", names[] = "\"\\nrt";

    inlay_strbuf_puts(b, "\"");
    for (size_t i = 0; i < n;) {
        size_t plain = 0, len;

        while (i + plain < n && (len = print_plain_length((const unsigned char *)bytes + i + plain,
                                                          n - i - plain)) > 0)
            plain += len;
        inlay_strbuf_add(b, bytes + i, plain);
        i += plain;
        if (i < n) {
            const char *at = bytes[i] ? strchr(special, bytes[i]) : NULL;

            if (at)
                inlay_strbuf_printf(b, "\\%c", names[at - special]);
            else
                inlay_strbuf_printf(b, "\\x%02x", (unsigned char)bytes[i]);
            i++;
        }
    }
    inlay_strbuf_puts(b, "\"");
}

void print_word(inlay_strbuf *b, const char *s)
{
    if (inlay_token_is_word(s))
        inlay_strbuf_puts(b, s);
    else
        print_string(b, s, strlen(s));
}

void print_node_ref(inlay_strbuf *b, const inlay_node *n)
{
    inlay_strbuf_puts(b, "%");
    if (inlay_token_is_name(n->name))
        inlay_strbuf_puts(b, n->name);
    else
        print_string(b, n->name, strlen(n->name));
}

void print_ref(inlay_strbuf *b, const inlay_value *v)
{
    print_node_ref(b, v->node);
    if (v->node->n_out > 1)
        inlay_strbuf_printf(b, ":%d", v->index);
}

/* The number printed for DIM's identity, 0 if none is. Counted in print.c. */
static uint32_t shown_number(printer *p, inlay_dim dim)
{
    enum { ONCE = 1, TWICE = 2, FIRST = 3 };

    if (dim.id == 0 || dim.id >= p->n_shown || inlay_dim_is_static(dim) || p->shown[dim.id] <= ONCE)
        return 0;
    if (p->shown[dim.id] == TWICE)
        p->shown[dim.id] = FIRST + p->next_shown++;
    return p->shown[dim.id] - FIRST + 1;
}

/* "#batch" if DIM's identity has a name, #"batch + 1" if it is a sum of such sizes, "#1" if it
 * occurs more than once. */
static void print_identity(printer *p, inlay_dim dim)
{
    char text[200];
    const char *name = inlay_dim_shown_name(p->graph, dim, text, sizeof text);
    uint32_t number = name ? 0 : shown_number(p, dim);

    if (name) {
        inlay_strbuf_puts(&p->buf, "#");
        print_word(&p->buf, name);
    } else if (number) {
        inlay_strbuf_printf(&p->buf, "#%" PRIu32, number);
    }
}

void print_shape(printer *p, int rank, const inlay_dim *dims)
{
    char text[64];

    inlay_strbuf_puts(&p->buf, "[");
    if (rank < 0)
        inlay_strbuf_puts(&p->buf, "...");
    for (int i = 0; i < rank; i++) {
        if (i > 0)
            inlay_strbuf_puts(&p->buf, ",");
        if (inlay_dim_is_static(dims[i]) && dims[i].lo >= 0)
            print_int(&p->buf, dims[i].lo);
        else
            inlay_strbuf_puts(&p->buf, inlay_dim_text(dims[i], text, sizeof text));
        print_identity(p, dims[i]);
    }
    inlay_strbuf_puts(&p->buf, "]");
}

static uint64_t hash_once(const printer *p, const inlay_tensor *t)
{
    uint64_t *known = p->graph ? inlay_watched_hash(p->graph, t) : NULL;

    if (known && *known == 0)
        *known = inlay_tensor_digest(t);
    return known ? *known : inlay_tensor_digest(t);
}

static void print_element(printer *p, const inlay_tensor *t, int64_t i)
{
    char text[64];

    if (t->type == INLAY_STRING) {
        inlay_string s = inlay_tensor_get_string(t, i);

        print_string(&p->buf, s.bytes ? s.bytes : "", s.length);
    } else {
        inlay_strbuf_puts(&p->buf, inlay_element_text(t->type, t->data, inlay_tensor_index(t, i),
                                                      text, sizeof text));
    }
}

/* The number of elements that are printed if not all are. A certificate needs windows and shapes.
 */
enum { SMALL = 16 };

void print_tensor(printer *p, const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);
    inlay_dim dims[INLAY_MAX_RANK];

    for (int i = 0; i < t->rank; i++)
        dims[i] = inlay_dim_of(t->dims[i]);
    inlay_strbuf_puts(&p->buf, inlay_type_info_of(t->type)->name);
    print_shape(p, t->rank, dims);
    if (!p->full && n > SMALL) {
        inlay_strbuf_printf(&p->buf, " #%016" PRIx64, hash_once(p, t));
        return;
    }
    inlay_strbuf_puts(&p->buf, t->rank == 0 ? " " : " [");
    for (int64_t i = 0; i < n && print_flush(p, false); i++) {
        if (i > 0)
            inlay_strbuf_puts(&p->buf, ", ");
        print_element(p, t, i);
    }
    if (t->rank > 0)
        inlay_strbuf_puts(&p->buf, "]");
}

static void print_double(inlay_strbuf *b, double x)
{
    char text[64];

    inlay_strbuf_puts(b, inlay_element_text(INLAY_F64, &x, 0, text, sizeof text));
}

/* Whether a number is an integer is part of its value: 2 and 2.0 differ. */
static void print_number(inlay_strbuf *b, const inlay_attr *a)
{
    size_t start = b->n;

    if (a->as.number.integral) {
        print_int(b, a->as.number.i);
        return;
    }
    print_double(b, a->as.number.f);
    if (!b->failed && !strpbrk(b->bytes + start, ".einx"))
        inlay_strbuf_puts(b, ".0");
}

static void print_list_item(inlay_strbuf *b, inlay_attr_kind kind, const inlay_attr *a, int i)
{
    if (kind == INLAY_ATTR_INTS)
        print_int(b, a->as.ints[i]);
    else if (kind == INLAY_ATTR_FLOATS)
        print_double(b, a->as.floats[i]);
    else if (kind == INLAY_ATTR_STRINGS)
        print_string(b, a->as.strings[i], strlen(a->as.strings[i]));
    else
        inlay_strbuf_puts(b, inlay_type_info_of(a->as.types[i])->name);
}

static void print_list(printer *p, inlay_attr_kind kind, const inlay_attr *a)
{
    inlay_strbuf_puts(&p->buf, "[");
    for (int i = 0; i < a->n && print_flush(p, false); i++) {
        if (i > 0)
            inlay_strbuf_puts(&p->buf, ", ");
        print_list_item(&p->buf, kind, a, i);
    }
    inlay_strbuf_puts(&p->buf, "]");
}

void print_attr(printer *p, const inlay_attr_info *info, const inlay_attr *a)
{
    inlay_strbuf *b = &p->buf;

    switch (info->kind) {
    case INLAY_ATTR_BOOL:
        inlay_strbuf_puts(b, a->as.b ? "true" : "false");
        break;
    case INLAY_ATTR_INT:
        print_int(b, a->as.i);
        break;
    case INLAY_ATTR_FLOAT:
        print_double(b, a->as.f);
        break;
    case INLAY_ATTR_NUMBER:
        print_number(b, a);
        break;
    case INLAY_ATTR_STRING:
        print_string(b, a->as.s, strlen(a->as.s));
        break;
    case INLAY_ATTR_ENUM:
        print_word(b, a->as.s);
        break;
    case INLAY_ATTR_TYPE:
        inlay_strbuf_puts(b, inlay_type_info_of(a->as.type)->name);
        break;
    case INLAY_ATTR_SHAPE:
        print_shape(p, a->as.shape->rank, a->as.shape->dim);
        break;
    case INLAY_ATTR_TENSOR:
        print_tensor(p, a->as.tensor);
        break;
    case INLAY_ATTR_VARIABLE:
        print_string(b, a->as.variable->name, strlen(a->as.variable->name));
        break;
    default:
        print_list(p, info->kind, a);
        break;
    }
}

static void print_meta_head(inlay_strbuf *b, const inlay_meta *m)
{
    inlay_strbuf_puts(b, " ");
    print_word(b, m->tag);
    for (int i = 0; i < m->n_attrs; i++) {
        inlay_strbuf_puts(b, i ? ", " : "(");
        print_word(b, m->attrs[2 * i]);
        inlay_strbuf_puts(b, " = ");
        print_string(b, m->attrs[2 * i + 1], strlen(m->attrs[2 * i + 1]));
    }
    if (m->n_attrs)
        inlay_strbuf_puts(b, ")");
    if (m->text) {
        inlay_strbuf_puts(b, " ");
        print_string(b, m->text, strlen(m->text));
    }
}

/* A quoted tag after an element without text would be read as its text. */
static bool needs_comma(const inlay_meta *m)
{
    return m->next && !m->text && !m->child && !inlay_token_is_word(m->next->tag);
}

/* Prints the elements of LIST in braces. DEPTH bounds the recursion, since metadata nests as deep
 * as its file says. */
static bool print_meta_list(printer *p, const inlay_meta *list, int depth)
{
    if (depth > INLAY_MAX_META_DEPTH)
        return inlay_fail(p->diags, NULL, "metadata is nested more than %d deep",
                          INLAY_MAX_META_DEPTH);
    inlay_strbuf_puts(&p->buf, " {");
    for (const inlay_meta *m = list; m; m = m->next) {
        print_meta_head(&p->buf, m);
        if (m->child && !print_meta_list(p, m->child, depth + 1))
            return false;
        if (needs_comma(m))
            inlay_strbuf_puts(&p->buf, ",");
        if (!print_flush(p, false))
            return false;
    }
    inlay_strbuf_puts(&p->buf, " }");
    return true;
}

bool print_meta(printer *p, const inlay_meta *list)
{
    return print_meta_list(p, list, 1);
}
