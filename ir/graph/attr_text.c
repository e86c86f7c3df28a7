/* Attributes from text, in the spelling of OpenVINO's XML. Stricter than OpenVINO where that would
 * silently take a default or a prefix ("12abc" is 12): here that is an error, because a wrong
 * attribute is a wrong function. */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/base/locale.h"
#include "ir/graph/attr.h"
#include "ir/graph/graph.h"
#include "ir/tensor/storage.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool bad(const inlay_node *n, int attr, const char *found, size_t len, const char *wanted,
                inlay_diags *d)
{
    return inlay_fail_node(d, n, "attribute \"%s\" is \"%.*s\", it must be %s",
                           n->op->attrs[attr].name, (int)(len > 200 ? 200 : len), found, wanted);
}

/* One field of a list, without the blanks around it. */
struct field {
    const char *text;
    size_t len;
};

static struct field trim(const char *text, size_t len)
{
    while (len > 0 && isspace((unsigned char)*text))
        text++, len--;
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        len--;
    return (struct field){text, len};
}

static bool parse_int(struct field f, int64_t *out)
{
    char buf[32], *end;

    if (f.len == 0 || f.len >= sizeof buf)
        return false;
    memcpy(buf, f.text, f.len);
    buf[f.len] = '\0';
    errno = 0;
    *out = strtoll(buf, &end, 10);
    return *end == '\0' && errno == 0;
}

/* Reads the decimal forms of the C locale, and hexadecimal floats, "inf" and "nan" as strtod does.
 * */
static bool parse_double(struct field f, double *out)
{
    char buf[64], *end;
    void *host;

    if (f.len == 0 || f.len >= sizeof buf)
        return false;
    memcpy(buf, f.text, f.len);
    buf[f.len] = '\0';
    host = inlay_locale_enter();
    *out = strtod(buf, &end);
    inlay_locale_leave(host);
    return *end == '\0';
}

static bool parse_bool(struct field f, bool *out)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"true", true}, {"1", true}, {"false", false}, {"0", false}};
    char buf[8];

    if (f.len >= sizeof buf)
        return false;
    memcpy(buf, f.text, f.len);
    buf[f.len] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (inlay_word_compare(buf, words[i].word) == 0) {
            *out = words[i].value;
            return true;
        }
    }
    return false;
}

bool inlay_bool_parse(const char *text, bool *out)
{
    return text && parse_bool(trim(text, strlen(text)), out);
}

static bool parse_type(struct field f, inlay_type *out)
{
    char buf[16];

    if (f.len == 0 || f.len >= sizeof buf)
        return false;
    for (size_t i = 0; i < f.len; i++)
        buf[i] = (char)(f.text[i] >= 'A' && f.text[i] <= 'Z' ? f.text[i] | 0x20 : f.text[i]);
    buf[f.len] = '\0';
    if (inlay_type_by_name(buf, out))
        return true;
    memcpy(buf, f.text, f.len);
    return inlay_type_by_xml(buf, out);
}

/* The number of fields between commas. A trailing comma is accepted; an empty field gives -1. */
static int count_fields(const char *text)
{
    int n = 0;

    if (trim(text, strlen(text)).len == 0)
        return 0;
    for (const char *p = text; *p;) {
        size_t len = strcspn(p, ",");
        bool empty = trim(p, len).len == 0;

        if (empty && p[len] == '\0' && n > 0)
            return n;
        if (empty)
            return -1;
        n++;
        p += len + (p[len] == ',');
    }
    return n;
}

static struct field next_field(const char **p)
{
    size_t len = strcspn(*p, ",");
    struct field f = trim(*p, len);

    *p += len + ((*p)[len] == ',');
    return f;
}

/* Reads field F into element I of LIST. There is such a function for each kind of list. */
typedef bool element_fn(inlay_node *n, struct field f, void *list, int i);

static bool int_element(inlay_node *n, struct field f, void *list, int i)
{
    (void)n;
    return parse_int(f, (int64_t *)list + i);
}

static bool float_element(inlay_node *n, struct field f, void *list, int i)
{
    (void)n;
    return parse_double(f, (double *)list + i);
}

static bool type_element(inlay_node *n, struct field f, void *list, int i)
{
    (void)n;
    return parse_type(f, (inlay_type *)list + i);
}

static bool string_element(inlay_node *n, struct field f, void *list, int i)
{
    return (((const char **)list)[i] = inlay_arena_strndup(n->graph->arena, f.text, f.len)) != NULL;
}

static bool set_list(inlay_node *n, int attr, const char *text, size_t size, element_fn *element,
                     const char *wanted, inlay_diags *d)
{
    int count = count_fields(text);
    const char *p = text;
    void *list;

    if (count < 0)
        return inlay_fail_node(d, n, "attribute \"%s\" is \"%.200s\": a field of the list is empty",
                               n->op->attrs[attr].name, text);
    list = inlay_arena_array(n->graph->arena, (size_t)count, size);
    if (!list)
        return inlay_fail_memory(d);
    for (int i = 0; i < count; i++) {
        struct field f = next_field(&p);

        if (!element(n, f, list, i))
            return bad(n, attr, f.text, f.len, wanted, d);
    }
    n->attrs[attr] = (inlay_attr){.set = true, .n = count, .as.ints = list};
    return true;
}

static bool set_number_text(inlay_node *n, int attr, const char *text, inlay_diags *d)
{
    struct field field = trim(text, strlen(text));
    const char *name = n->op->attrs[attr].name;
    int64_t i;
    double f;
    bool b;

    if (parse_int(field, &i))
        return inlay_node_set_number(n, name, true, i, (double)i, d);
    if (parse_bool(field, &b))
        return inlay_node_set_number(n, name, true, b, b, d);
    if (parse_double(field, &f))
        return inlay_node_set_number(n, name, false, 0, f, d);
    return bad(n, attr, field.text, field.len, "a number or a boolean", d);
}

static bool set_shape_text(inlay_node *n, int attr, const char *text, inlay_diags *d)
{
    inlay_shape *s = inlay_arena_alloc(n->graph->arena, sizeof *s);
    const char *why;

    if (!s)
        return inlay_fail_memory(d);
    if (!inlay_shape_parse(text, s, &why))
        return inlay_fail_node(d, n, "attribute \"%s\" is \"%.200s\": %s", n->op->attrs[attr].name,
                               text, why);
    n->attrs[attr] = (inlay_attr){.set = true, .as.shape = s};
    return true;
}

static bool set_scalar(inlay_node *n, int attr, const char *text, inlay_diags *d)
{
    struct field f = trim(text, strlen(text));
    inlay_attr a = {.set = true};
    inlay_attr_kind kind = n->op->attrs[attr].kind;
    bool ok = kind == INLAY_ATTR_BOOL    ? parse_bool(f, &a.as.b)
              : kind == INLAY_ATTR_INT   ? parse_int(f, &a.as.i)
              : kind == INLAY_ATTR_FLOAT ? parse_double(f, &a.as.f)
                                         : parse_type(f, &a.as.type);

    if (!ok)
        return bad(n, attr, text, strlen(text), attr_kind_text(kind), d);
    n->attrs[attr] = a;
    return true;
}

bool inlay_node_set_attr_text(inlay_node *n, int attr, const char *text, inlay_diags *d)
{
    if (inlay_is_missing(n, "node", d) || inlay_is_missing(text, "text", d))
        return false;
    if (attr < 0 || attr >= n->op->n_attrs)
        return inlay_fail_node(d, n, "there is no attribute %d, the operation has %d", attr,
                               n->op->n_attrs);
    graph_touch_node(n);
    switch (n->op->attrs[attr].kind) {
    case INLAY_ATTR_BOOL:
    case INLAY_ATTR_INT:
    case INLAY_ATTR_FLOAT:
    case INLAY_ATTR_TYPE:
        return set_scalar(n, attr, text, d);
    case INLAY_ATTR_NUMBER:
        return set_number_text(n, attr, text, d);
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
    case INLAY_ATTR_VARIABLE:
        return inlay_node_set_string(n, n->op->attrs[attr].name, text, d);
    case INLAY_ATTR_INTS:
        return set_list(n, attr, text, sizeof(int64_t), int_element, "a list of integers", d);
    case INLAY_ATTR_FLOATS:
        return set_list(n, attr, text, sizeof(double), float_element, "a list of numbers", d);
    case INLAY_ATTR_STRINGS:
        return set_list(n, attr, text, sizeof(char *), string_element, "a list of strings", d);
    case INLAY_ATTR_TYPES:
        return set_list(n, attr, text, sizeof(inlay_type), type_element, "a list of element types",
                        d);
    case INLAY_ATTR_SHAPE:
        return set_shape_text(n, attr, text, d);
    case INLAY_ATTR_TENSOR:
        break;
    }
    return inlay_fail_node(d, n, "attribute \"%s\" cannot be given as text",
                           n->op->attrs[attr].name);
}
