/* Names in the text form: what %name and %name:port stand for. */
#include "parser/text/text.h"

#include <stdio.h>
#include <string.h>

bool text_ref_read(text_reader *r, text_ref *ref)
{
    if (r->lex.now.kind != INLAY_TOKEN_NAME)
        return inlay_lexer_fail(&r->lex, "a name like %x");
    ref->name = r->lex.now;
    ref->port = -1;
    if (!text_next(r))
        return false;
    if (!inlay_token_is(&r->lex.now, ":") || !r->lex.now.glued)
        return true;
    if (!text_next(r) || !text_int(r, &ref->port))
        return false;
    return ref->port >= 0 || text_fail(r, "found an output number below 0");
}

/* The name of REF in r->word. */
static bool text_ref_name(text_reader *r, const text_ref *ref)
{
    inlay_lexer at = r->lex;

    at.now = ref->name;
    if (!inlay_lexer_string(&at, &r->word))
        return false;
    if (!memchr(r->word.bytes, '\0', r->word.n) && r->word.n > 0)
        return true;
    return inlay_lexer_fail(&at, "a name without zero bytes that is not empty");
}

bool text_ref_fail(text_reader *r, const text_ref *ref, const char *what)
{
    inlay_pos pos = {r->lex.file, ref->name.line};

    return inlay_fail(r->diags, &pos, "found `%.*s`, %s",
                      (int)(ref->name.length > 60 ? 60 : ref->name.length), ref->name.start, what);
}

/* The node that REF names, NULL without an error when there is none (yet). */
bool text_ref_node(text_reader *r, const text_scope *s, const text_ref *ref, inlay_node **n)
{
    if (!text_ref_name(r, ref))
        return false;
    *n = inlay_graph_node(s->g, r->word.bytes);
    return true;
}

bool text_ref_value(text_reader *r, const text_ref *ref, inlay_node *n, inlay_value **v)
{
    char what[96];

    if (ref->port < 0 && n->n_out != 1) {
        snprintf(what, sizeof what, "expected `:` and an output number: it has %d outputs",
                 n->n_out);
        return text_ref_fail(r, ref, what);
    }
    if (ref->port >= n->n_out) {
        snprintf(what, sizeof what, "which has no output %lld, it has %d", (long long)ref->port,
                 n->n_out);
        return text_ref_fail(r, ref, what);
    }
    *v = &n->out[ref->port < 0 ? 0 : ref->port];
    return true;
}

bool text_ref_resolve(text_reader *r, const text_scope *s, const text_ref *ref, inlay_value **v)
{
    inlay_node *n;

    if (!text_ref_node(r, s, ref, &n))
        return false;
    return n ? text_ref_value(r, ref, n, v)
             : text_ref_fail(r, ref, "which is not defined in this graph");
}

const char *text_copy_word(text_reader *r, inlay_graph *g)
{
    const char *copy = inlay_arena_strdup(g->arena, r->word.bytes);

    if (!copy)
        inlay_fail_memory(r->diags);
    return copy;
}
