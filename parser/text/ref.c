/* Names in the text form: resolves %name and %name:port. */
#include "ir/shared.h"
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

/* Decodes the name of REF into r->word. */
static bool read_word(text_reader *r, const text_ref *ref)
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

    return inlay_fail(r->a.d, &pos, "found `%.*s`, %s",
                      (int)(ref->name.length > 60 ? 60 : ref->name.length), ref->name.start, what);
}

bool text_ref_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault)
{
    const text_ref *at = ref->at;
    const inlay_node *n = ref->name->node;
    char what[96];

    if (fault == ASSEMBLE_UNDEFINED)
        return text_ref_fail(reader, at, "which is not defined in this graph");
    if (fault == ASSEMBLE_WHICH_OUTPUT)
        snprintf(what, sizeof what, "expected `:` and an output number: it has %d output%s",
                 n->n_out, inlay_plural(n->n_out, "", "s"));
    else
        snprintf(what, sizeof what, "which has no output %lld, it has %d", (long long)at->port,
                 n->n_out);
    return text_ref_fail(reader, at, what);
}

assemble_name *text_ref_name(text_reader *r, assemble_scope *s, const text_ref *ref)
{
    return read_word(r, ref) ? assemble_name_of(s, r->word.bytes, r->word.n) : NULL;
}

bool text_ref_keep(text_reader *r, assemble_scope *s, const text_ref *ref, assemble_ref *out)
{
    text_ref *copy = inlay_arena_alloc(r->a.scratch, sizeof *copy);

    if (!copy)
        return inlay_fail_memory(r->a.d);
    *copy = *ref;
    *out = (assemble_ref){text_ref_name(r, s, ref), ref->port, copy};
    return out->name != NULL;
}
