/* Reads the text form (ir/text/TEXT.md). One pass makes the nodes; a name that is used before it is
 * defined waits until its graph is complete. Then every node is checked and inferred, and at last
 * the storage notes and order edges are set, which any edit would have dropped.
 */
#include "ir/base/argument.h"
#include "parser/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_variable(text_reader *r, inlay_graph *g)
{
    inlay_variable *v;
    inlay_shape shape;
    inlay_type type;

    if (!text_next(r) || !text_string(r, false, "the name of the variable in quotes") ||
        !(v = inlay_graph_variable(g, r->word.bytes, r->diags)) || !text_expect(r, ":") ||
        !text_type(r, &type) || !text_shape(r, &shape))
        return false;
    for (int i = 0; i < shape.rank; i++)
        shape.dim[i].id = 0;
    return inlay_variable_set(g, v, type, shape.rank, shape.dim, r->diags);
}

static bool read_ir_version(text_reader *r, inlay_graph *g)
{
    int64_t version;

    if (!text_next(r) || !text_int(r, &version))
        return false;
    if (version != 10 && version != 11)
        return text_fail(r, "found IR version %lld, expected 10 or 11", (long long)version);
    g->ir_version = (int)version;
    return true;
}

static bool read_order(text_reader *r, text_scope *s)
{
    text_pending *p = inlay_arena_alloc(r->scratch, sizeof *p);

    if (!p)
        return inlay_fail_memory(r->diags);
    *s->notes_end = p;
    s->notes_end = &p->next;
    return text_next(r) && text_ref_read(r, &p->ref) && text_expect(r, "before") &&
           text_ref_read(r, &p->after);
}

static bool read_statement(text_reader *r, text_scope *s)
{
    const inlay_token *t = &r->lex.now;
    bool outermost = !s->g->owner;

    if (t->kind == INLAY_TOKEN_NAME)
        return text_node(r, s);
    if (inlay_token_is(t, "order"))
        return read_order(r, s);
    if (inlay_token_is(t, "meta"))
        return text_next(r) && text_meta(r, s->g, &s->g->meta);
    if (outermost && inlay_token_is(t, "variable"))
        return read_variable(r, s->g);
    if (outermost && inlay_token_is(t, "ir_version"))
        return read_ir_version(r, s->g);
    return inlay_lexer_fail(&r->lex,
                            outermost ? "a node (%name = ...), `variable`, `meta`, `ir_version`, "
                                        "`order` or `}`"
                                      : "a node (%name = ...), `meta`, `order` or `}`");
}

static bool set_order_edge(text_reader *r, text_scope *s, const text_pending *p)
{
    inlay_node *before, *after;

    if (!text_ref_node(r, s, &p->ref, &before) || !text_ref_node(r, s, &p->after, &after))
        return false;
    if (!before || !after)
        return text_ref_fail(r, before ? &p->after : &p->ref, "which is not defined in this graph");
    return inlay_graph_add_order_edge(s->g, before, after, r->diags);
}

static bool set_notes(text_reader *r, text_scope *s)
{
    inlay_value *v;

    for (const text_pending *p = s->notes; p; p = p->next) {
        if (!p->node) {
            if (!set_order_edge(r, s, p))
                return false;
        } else if (!text_ref_resolve(r, s, &p->ref, &v) ||
                   !inlay_value_set_note(&p->node->out[p->index], p->note, v, r->diags)) {
            return false;
        }
    }
    return true;
}

/* Every node is there: inputs that waited are connected, facts from outside taken. */
static bool connect_pending(text_reader *r, text_scope *s)
{
    inlay_value *v;

    for (const text_pending *p = s->pending; p; p = p->next) {
        if (!text_ref_resolve(r, s, &p->ref, &v) ||
            !inlay_node_set_input(p->node, p->index, v, r->diags))
            return false;
    }
    return text_take_claims(r, s);
}

/* Inference of the outermost graph goes into the bodies; then all is known. */
static bool complete(text_reader *r, text_scope *outermost)
{
    if (!text_infer(r, outermost) || !inlay_settle_variables(outermost->g, r->diags))
        return false;
    for (text_scope *s = r->scopes; s; s = s->next) {
        if ((s != outermost && !text_check_claims(r, s)) || !set_notes(r, s))
            return false;
    }
    return true;
}

/* { statements }; the scope is kept for what comes after inference. */
bool text_graph(text_reader *r, inlay_graph *g)
{
    text_scope *s = inlay_arena_alloc(r->scratch, sizeof *s);

    if (!s)
        return inlay_fail_memory(r->diags);
    s->g = g;
    s->pending_end = &s->pending;
    s->notes_end = &s->notes;
    s->next = r->scopes;
    r->scopes = s;
    if (!text_expect(r, "{"))
        return false;
    while (!inlay_token_is(&r->lex.now, "}")) {
        if (!read_statement(r, s))
            return false;
    }
    return text_next(r) && connect_pending(r, s) && (g->owner || complete(r, s));
}

static bool read_text(text_reader *r, const char *name, inlay_graph **g)
{
    if (!text_next(r) || !text_expect(r, "graph") ||
        !text_string(r, false, "the name of the graph in quotes"))
        return false;
    *g = inlay_graph_new(r->word.bytes, r->diags);
    if (!*g)
        return false;
    if (r->options)
        inlay_arena_limit((*g)->arena, r->options->max_memory);
    inlay_arena_share(r->scratch, (*g)->arena);
    if (name && !((*g)->file = inlay_arena_strdup((*g)->arena, name)))
        return inlay_fail_memory(r->diags);
    if (!text_graph(r, *g))
        return false;
    return r->lex.now.kind == INLAY_TOKEN_END || inlay_lexer_fail(&r->lex, "the end of the text");
}

inlay_graph *inlay_read_text(const char *bytes, size_t n, const char *name,
                             const inlay_read_options *o, inlay_diags *d)
{
    if (is_missing(bytes, "text", d))
        return NULL;

    text_reader r = {.diags = d, .options = o, .scratch = inlay_arena_new()};
    inlay_graph *g = NULL;
    bool ok;

    inlay_lexer_start(&r.lex, bytes, n, name, d);
    ok = r.scratch ? read_text(&r, name, &g) : inlay_fail_memory(d);
    ok = ok && inlay_drop_illegal_notes(g, d); /* what is read is a claim */
    for (text_scope *s = r.scopes; s; s = s->next) {
        free(s->claims);
        free(s->ids);
    }
    inlay_strbuf_free(&r.word);
    inlay_strbuf_free(&r.list);
    inlay_arena_free(r.scratch);
    if (!ok) {
        file_say_over(g ? g->arena : NULL, name, o, d);
        inlay_graph_free(g);
        g = NULL;
    }
    return g;
}
