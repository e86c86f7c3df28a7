/* Reads metadata of the text form:
 *
 *     { tag(name = "value", ...) "text" { ... }, ... }
 *
 * A comma is needed only between an element without text and a quoted tag. */
#include "ir/shared.h"
#include "parser/text/text.h"

/* Reads `(name = "value", ...)`. */
static bool meta_attrs(text_reader *r, inlay_graph *g, inlay_meta *m)
{
    bool there;

    do {
        const char *name;

        if (m->n_attrs == ASSEMBLE_MAX_ATTRIBUTES)
            return text_fail(r, "found more than %d attributes of one element",
                             ASSEMBLE_MAX_ATTRIBUTES);
        if (!text_string(r, true, "the name of an attribute"))
            return false;
        name = inlay_arena_strdup(g->arena, r->word.bytes);
        if (!name)
            return inlay_fail_memory(r->a.d);
        if (!text_expect(r, "=") || !text_string(r, false, "a string") ||
            !inlay_meta_set(g, m, name, r->word.bytes, r->a.d) || !text_accept(r, ",", &there))
            return false;
    } while (there);
    return text_expect(r, ")");
}

static bool meta_list(text_reader *r, inlay_graph *g, inlay_meta **list, int depth);

static inlay_meta *meta_element(text_reader *r, inlay_graph *g, const char *what, int depth)
{
    inlay_meta *m;
    bool there;

    if (!text_string(r, true, what))
        return NULL;
    m = inlay_meta_new(g, r->word.bytes, r->a.d);
    if (!m || !text_accept(r, "(", &there) || (there && !meta_attrs(r, g, m)))
        return NULL;
    if (r->lex.now.kind == INLAY_TOKEN_STRING) {
        if (!text_string(r, false, "a string"))
            return NULL;
        m->text = inlay_arena_strdup(g->arena, r->word.bytes);
        if (!m->text) {
            inlay_fail_memory(r->a.d);
            return NULL;
        }
    }
    if (inlay_token_is(&r->lex.now, "{") && !meta_list(r, g, &m->child, depth + 1))
        return NULL;
    return m;
}

static bool meta_list(text_reader *r, inlay_graph *g, inlay_meta **list, int depth)
{
    bool comma = false;

    if (depth > INLAY_MAX_META_DEPTH)
        return text_fail(r, "metadata is nested more than %d deep", INLAY_MAX_META_DEPTH);
    if (!text_expect(r, "{"))
        return false;
    while (comma || !inlay_token_is(&r->lex.now, "}")) {
        const char *what = comma ? "an element of metadata" : "an element of metadata or `}`";
        inlay_meta *m = meta_element(r, g, what, depth);

        if (!m || !text_accept(r, ",", &comma))
            return false;
        *list = m;
        list = &m->next;
    }
    return text_next(r);
}

bool text_meta(text_reader *r, inlay_graph *g, inlay_meta **list)
{
    return meta_list(r, g, list, 1);
}
