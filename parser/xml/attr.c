/* Attributes of elements, and copies of them. */
#include "parser/xml/xml.h"

#include <string.h>

void *xml_alloc(xml_reader *x, size_t size)
{
    void *p = inlay_arena_alloc(x->arena, size);

    if (!p)
        xml_fail_memory(x);
    return p;
}

const char *xml_copy(xml_reader *x, inlay_arena *arena, const char *bytes, size_t n)
{
    char *copy = inlay_arena_strndup(arena, bytes, n);

    if (!copy)
        xml_fail_memory(x);
    return copy;
}

/* Copies a frequent word: each is kept once, until the words are freed. The dictionary has a limit;
 * beyond it a word is copied like any other string. */
static const char *word_of(xml_reader *x, const char *bytes, size_t n)
{
    const xmlChar *word = NULL;

    if (n < 100)
        word = x->library.xmlDictLookup(x->ctxt->dict, (const xmlChar *)bytes, (int)n);
    return word ? (const char *)word : xml_copy(x, x->arena, bytes, n);
}

const char *xml_attr(const xml_reader *x, xml_attrs attrs, int name, size_t *n)
{
    for (int i = 0; i < attrs.n; i++) {
        const xmlChar **a = attrs.a + 5 * i;

        if (a[0] == x->names[name] && !a[1]) {
            *n = (size_t)(a[4] - a[3]);
            return (const char *)a[3];
        }
    }
    return NULL;
}

bool xml_copy_attr(xml_reader *x, xml_attrs attrs, int name, const char **out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    *out = s ? xml_copy(x, x->arena, s, n) : NULL;
    return !s || *out;
}

static bool fail_missing(xml_reader *x, xml_attrs attrs, int name)
{
    return xml_fail(x, "<%s> needs the attribute \"%s\"", (const char *)attrs.tag,
                    (const char *)x->names[name]);
}

bool xml_need_attr(xml_reader *x, xml_attrs attrs, int name, bool word, const char **out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    if (!s)
        return fail_missing(x, attrs, name);
    *out = word ? word_of(x, s, n) : xml_copy(x, x->arena, s, n);
    return *out != NULL;
}

bool xml_int_attr(xml_reader *x, xml_attrs attrs, int name, int64_t lo, int64_t dflt, int64_t *out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    *out = dflt;
    if (!s)
        return dflt >= lo || fail_missing(x, attrs, name);
    if (xml_parse_int(s, n, out) && *out >= lo)
        return true;
    if (lo == INT64_MIN)
        return xml_fail(x, "<%s>: %s is \"%.*s\", expected an integer", (const char *)attrs.tag,
                        (const char *)x->names[name], n < 80 ? (int)n : 80, s);
    return xml_fail(x, "<%s>: %s is \"%.*s\", expected a number from %lld to 2^63-1",
                    (const char *)attrs.tag, (const char *)x->names[name], n < 80 ? (int)n : 80, s,
                    (long long)lo);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool xml_parse_int(const char *text, size_t n, int64_t *out)
{
    bool negative = false;
    uint64_t value = 0;
    size_t i = 0;

    while (n > 0 && is_space(text[n - 1]))
        n--;
    while (i < n && is_space(text[i]))
        i++;
    if (i < n && text[i] == '-') {
        negative = true;
        i++;
    }
    if (i == n)
        return false;
    for (; i < n; i++) {
        unsigned digit = (unsigned char)text[i] - '0';

        if (digit > 9 || value > ((uint64_t)INT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = negative ? -(int64_t)value : (int64_t)value;
    return true;
}
