/* Elements that are kept as trees of inlay_meta: names, attributes, and the text of elements that
 * contain nothing else. */
#include "parser/xml/xml.h"

#include <string.h>

/* "prefix:name", as the file wrote it. */
static const char *full_name(xml_reader *x, const xmlChar *prefix, const xmlChar *name)
{
    const char *full;

    if (!prefix)
        return xml_copy(x, x->tree_arena, (const char *)name, strlen((const char *)name));
    full = inlay_arena_printf(x->tree_arena, "%s:%s", (const char *)prefix, (const char *)name);
    if (!full)
        xml_fail_memory(x);
    return full;
}

/* Whether the element that begins is nested in INLAY_MAX_META_DEPTH elements of the same tree. */
static bool is_too_deep(const xml_reader *x)
{
    int top = x->depth - INLAY_MAX_META_DEPTH;

    return top >= 0 && x->kinds[top] == XML_TREE && x->tree[top] != NULL;
}

bool xml_tree_start(xml_reader *x, xml_attrs attrs)
{
    inlay_meta *m = inlay_arena_alloc(x->tree_arena, sizeof *m);
    const char **list = inlay_arena_array(x->tree_arena, (size_t)attrs.n * 2, sizeof *list);

    if (!m || !list)
        return xml_fail_memory(x);
    if (is_too_deep(x))
        return xml_fail(x, "metadata is nested more than %d deep", INLAY_MAX_META_DEPTH);
    for (int i = 0; i < attrs.n; i++) {
        const xmlChar **a = attrs.a + 5 * i;

        list[2 * i] = full_name(x, a[1], a[0]);
        list[2 * i + 1] = xml_copy(x, x->tree_arena, (const char *)a[3], (size_t)(a[4] - a[3]));
    }
    m->tag = full_name(x, attrs.prefix, attrs.tag);
    m->attrs = list;
    m->n_attrs = attrs.n;
    x->tree[x->depth] = m;
    *x->tree_end[x->depth] = m;
    x->tree_end[x->depth] = &m->next;
    x->tree_end[x->depth + 1] = &m->child;
    x->text.n = 0;
    return !x->failed;
}

static bool is_blank(const char *s, size_t n)
{
    while (n > 0 && strchr(" \t\r\n", s[n - 1]))
        n--;
    return n == 0;
}

bool xml_tree_finish(xml_reader *x)
{
    inlay_meta *m = x->tree[x->depth];

    if (m && !m->child && x->text.n > 0 && !is_blank(x->text.bytes, x->text.n))
        m->text = xml_copy(x, x->tree_arena, x->text.bytes, x->text.n);
    x->text.n = 0;
    return !x->failed;
}

bool xml_tree_append(xml_reader *x, xml_attrs attrs, inlay_meta ***end)
{
    x->tree_end[x->depth] = *end;
    if (!xml_tree_start(x, attrs))
        return false;
    *end = x->tree_end[x->depth];
    return true;
}

void xml_tree_list(xml_reader *x, inlay_meta **list)
{
    x->tree[x->depth] = NULL;
    x->tree_end[x->depth + 1] = list;
    x->text.n = 0;
}
