/* Reads the text form (ir/text/TEXT.md). One pass makes the nodes; uses of a name before its
 * definition are queued until its graph is complete. Then every node is checked and inferred.
 * Storage notes and order edges are set last, because any edit drops them. */
#include "ir/shared.h"
#include "parser/formats.h"
#include "parser/text/text.h"

#include <stdlib.h>
#include <string.h>

static bool read_variable(text_reader *r, inlay_graph *g)
{
    inlay_variable *v;
    inlay_shape shape;
    inlay_type type;

    if (!text_next(r) || !text_string(r, false, "the name of the variable in quotes") ||
        !(v = inlay_graph_variable(g, r->word.bytes, r->a.d)) || !text_expect(r, ":") ||
        !text_type(r, &type) || !text_shape(r, &shape))
        return false;
    for (int i = 0; i < shape.rank; i++)
        shape.dim[i].id = 0;
    return inlay_variable_set(g, v, type, shape.rank, shape.dim, r->a.d);
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
    assemble_ref before, after;
    text_ref first, second;

    return text_next(r) && text_ref_read(r, &first) && text_expect(r, "before") &&
           text_ref_read(r, &second) && text_ref_keep(r, s->names, &first, &before) &&
           text_ref_keep(r, s->names, &second, &after) && assemble_order(s->names, &before, &after);
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

/* Called when the outermost graph has been read: infers it with its bodies, compares what the text
 * says of the bodies with the result, and sets the notes. */
static bool complete(text_reader *r, text_scope *outermost)
{
    r->outermost = outermost;
    if (!assemble_infer(&r->a, text_inferred))
        return false;
    for (text_scope *s = r->scopes; s; s = s->next) {
        if (s != outermost && !text_check_claims(r, s))
            return false;
    }
    return assemble_notes(&r->a);
}

/* Reads `{ statements }`. The scope is kept for the steps after inference. */
bool text_graph(text_reader *r, assemble_scope *names)
{
    text_scope *s = inlay_arena_alloc(r->a.scratch, sizeof *s);

    if (!s)
        return inlay_fail_memory(r->a.d);
    s->names = names;
    s->g = names->graph;
    s->next = r->scopes;
    r->scopes = s;
    if (!text_expect(r, "{"))
        return false;
    while (!inlay_token_is(&r->lex.now, "}")) {
        if (!read_statement(r, s))
            return false;
    }
    return text_next(r) && assemble_all_defined(names) && text_take_claims(r, s) &&
           (s->g->owner || complete(r, s));
}

static bool read_text(text_reader *r)
{
    inlay_graph *g = r->a.graph;
    assemble_scope *names;

    if (!text_next(r) || !text_expect(r, "graph") ||
        !text_string(r, false, "the name of the graph in quotes") ||
        !(g->name = assemble_string(&r->a, r->word.bytes)) ||
        !(names = assemble_scope_new(&r->a, NULL, g)) || !text_graph(r, names))
        return false;
    return r->lex.now.kind == INLAY_TOKEN_END || inlay_lexer_fail(&r->lex, "the end of the text");
}

static bool fail_here(void *reader, const void *at, const char *what)
{
    (void)at;
    return text_fail(reader, "%s", what);
}

inlay_graph *inlay_read_text(const char *name, const char *bytes, size_t n,
                             const inlay_read_options *o, inlay_diags *d)
{
    if (inlay_is_missing(bytes, "text", d))
        return NULL;

    static const assemble_words words = {fail_here, text_ref_unresolved};
    text_reader r = {.a.words = &words};
    bool ok;

    r.a.reader = &r;
    inlay_lexer_start(&r.lex, name, bytes, n, d);
    ok = assemble_begin_as(&r.a, name, o, onnx_expand, d) && read_text(&r);
    for (text_scope *s = r.scopes; s; s = s->next) {
        inlay_give(s->claims);
        inlay_give(s->ids);
    }
    inlay_strbuf_free(&r.word);
    inlay_strbuf_free(&r.list);
    inlay_strbuf_free(&r.dim_names);
    return assemble_end(&r.a, ok);
}
