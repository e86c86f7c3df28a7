/* Reads one node of the text form. */
#include "parser/text/text.h"

#include <stdio.h>
#include <string.h>

/* (%a, none, %b:1): the references, appended to r->list; `none` has a NULL start. */
static bool read_inputs(text_reader *r, int *count)
{
    bool there;

    r->list.n = 0;
    *count = 0;
    if (!text_accept(r, "(", &there) || !there)
        return !there;
    if (!text_accept(r, ")", &there) || there)
        return there;
    for (;;) {
        text_ref ref = {{INLAY_TOKEN_END, NULL, 0, 0, false}, -1};

        if (!text_accept(r, "none", &there) || (!there && !text_ref_read(r, &ref)))
            return false;
        inlay_strbuf_add(&r->list, (const char *)&ref, sizeof ref);
        ++*count;
        if (!text_accept(r, ")", &there))
            return false;
        if (there)
            return !r->list.failed || inlay_fail_memory(r->diags);
        if (!text_expect(r, ","))
            return false;
    }
}

static bool connect(text_reader *r, text_scope *s, inlay_node *n)
{
    const text_ref *refs = (const text_ref *)(void *)r->list.bytes;

    for (int i = 0; i < n->n_in; i++) {
        inlay_node *from;
        inlay_value *v;
        text_pending *p;

        if (!refs[i].name.start)
            continue;
        if (!text_ref_node(r, s, &refs[i], &from))
            return false;
        if (from) {
            if (!text_ref_value(r, &refs[i], from, &v) || !inlay_node_set_input(n, i, v, r->diags))
                return false;
            continue;
        }
        p = inlay_arena_alloc(r->scratch, sizeof *p);
        if (!p)
            return inlay_fail_memory(r->diags);
        *p = (text_pending){.node = n, .index = i, .ref = refs[i]};
        *s->pending_end = p;
        s->pending_end = &p->next;
    }
    return true;
}

/* Type-version@opset, each after the other without a blank. */
struct op_spelling {
    char *type, *opset; /* in scratch; opset may be NULL */
    int64_t version;    /* -1: not given */
    bool stand_in;
};

static bool read_op(text_reader *r, struct op_spelling *op)
{
    bool there;

    *op = (struct op_spelling){.version = -1};
    if (!text_accept(r, "?", &op->stand_in) || !text_string(r, true, "an operation"))
        return false;
    if (!(op->type = inlay_arena_strdup(r->scratch, r->word.bytes)))
        return inlay_fail_memory(r->diags);
    if (r->lex.now.glued) {
        if (!text_accept(r, "-", &there) || (there && !text_int(r, &op->version)))
            return false;
    }
    if (!r->lex.now.glued || !inlay_token_is(&r->lex.now, "@"))
        return true;
    if (!text_next(r) || !text_string(r, true, "an opset"))
        return false;
    op->opset = inlay_arena_strdup(r->scratch, r->word.bytes);
    return op->opset || inlay_fail_memory(r->diags);
}

static const inlay_op *stand_in(text_reader *r, text_scope *s, const struct op_spelling *op)
{
    if (!r->options || !r->options->allow_unknown) {
        text_fail(r, "unknown operation %s of version %s", op->type, op->opset ? op->opset : "");
        return NULL;
    }
    return inlay_op_stand_in(s->g, op->type, op->opset ? op->opset : "", r->diags);
}

/* Another letter case, or another version, is what is meant most often. */
static bool fail_spec(text_reader *r, const struct op_spelling *op)
{
    const inlay_op *near = inlay_op_find(op->type, NULL, NULL, NULL);
    char text[160];

    if (!near)
        return text_fail(r, "unknown operation %s-%lld", op->type, (long long)op->version);
    return text_fail(r, "unknown operation %s-%lld (%s is known)", op->type, (long long)op->version,
                     inlay_op_text(near, text, sizeof text));
}

static const inlay_op *find_op(text_reader *r, text_scope *s, const struct op_spelling *spelling)
{
    inlay_pos pos = {r->lex.file, r->lex.now.line};
    const inlay_op *op;
    char text[160];

    if (spelling->stand_in)
        return stand_in(r, s, spelling);
    if (!spelling->opset && spelling->version >= 0) {
        op = spelling->version > 9999 ? NULL
                                      : inlay_op_of_spec(spelling->type, (int)spelling->version);
        if (!op)
            fail_spec(r, spelling);
        return op;
    }
    op = inlay_op_find(spelling->type, spelling->opset, r->diags, &pos);
    if (op && spelling->version >= 0 && spelling->version != op->version) {
        text_fail(r, "found %s-%lld@%s, but %s has %s", spelling->type,
                  (long long)spelling->version, spelling->opset, spelling->opset,
                  inlay_op_text(op, text, sizeof text));
        return NULL;
    }
    return op;
}

/* name = "value" of a stand-in */
static bool read_extra(text_reader *r, inlay_node *n, const char *name)
{
    if (!n->extra && !(n->extra = inlay_meta_new(n->graph, "data", r->diags)))
        return false;
    if (n->extra->n_attrs == TEXT_MAX_META_ATTRS)
        return text_fail(r, "found more than %d attributes of one node", TEXT_MAX_META_ATTRS);
    return text_string(r, false, "a string") &&
           inlay_meta_set(n->graph, n->extra, name, r->word.bytes, r->diags);
}

static bool read_attr(text_reader *r, text_scope *s, inlay_node *n)
{
    char name[128];
    int i;

    if (!text_string(r, true, "the name of an attribute"))
        return false;
    snprintf(name, sizeof name, "%s", r->word.bytes);
    i = r->word.n < sizeof name ? inlay_op_attr(n->op, name) : -1;
    if (n->op->flags & INLAY_STAND_IN) {
        const char *copy = inlay_arena_strdup(r->scratch, r->word.bytes);

        return (copy || inlay_fail_memory(r->diags)) && text_expect(r, "=") &&
               read_extra(r, n, copy);
    }
    if (i < 0)
        return inlay_fail_node(r->diags, n, "there is no attribute \"%s\"", name);
    if (n->attrs[i].set)
        return inlay_fail_node(r->diags, n, "attribute \"%s\" is given twice", name);
    return text_expect(r, "=") && text_attr(r, s, n, i);
}

static bool read_attrs(text_reader *r, text_scope *s, inlay_node *n)
{
    bool there;

    if (!text_accept(r, "{", &there) || !there)
        return !there;
    if (!text_accept(r, "}", &there) || there)
        return there;
    do {
        if (!read_attr(r, s, n) || !text_accept(r, ",", &there))
            return false;
    } while (there);
    return text_expect(r, "}");
}

/* The number of outputs of a node for which the text gives none. */
static bool count_outputs(inlay_node *n, inlay_diags *d)
{
    int n_out = n->op->n_out < 0 ? inlay_node_n_out(n) : n->op->n_out;

    if (n_out < 0)
        return true;
    if (n_out > 1 << 20)
        return inlay_fail_node(d, n, "has %d outputs, which is too many", n_out);
    return inlay_node_set_n_out(n, n_out, d);
}

/* label "x" output_names "a,b" rt_info {...}, in any order */
static bool read_clauses(text_reader *r, inlay_node *n)
{
    for (;;) {
        bool label = inlay_token_is(&r->lex.now, "label");

        if (label || inlay_token_is(&r->lex.now, "output_names")) {
            const char *text;

            if (!text_next(r) || !text_string(r, false, "a string") ||
                !(text = text_copy_word(r, n->graph)))
                return false;
            *(label ? &n->label : &n->result_names) = text;
        } else if (inlay_token_is(&r->lex.now, "rt_info")) {
            if (!text_next(r) || !text_meta(r, n->graph, &n->rt_info))
                return false;
        } else {
            return true;
        }
    }
}

static bool new_node(text_reader *r, text_scope *s, const text_ref *name, unsigned line,
                     const inlay_op *op, int n_in, inlay_node **n)
{
    inlay_node *before;

    if (!text_ref_node(r, s, name, &before))
        return false;
    if (before) {
        char what[64];

        snprintf(what, sizeof what, "which is already defined on line %u", before->line);
        return text_ref_fail(r, name, what);
    }
    if (name->port > 1 << 20)
        return text_ref_fail(r, name, "which has too many outputs");
    *n = inlay_node_new(s->g, op, r->word.bytes, n_in,
                        name->port >= 0 ? (int)name->port
                        : op->n_out < 0 ? 1
                                        : op->n_out,
                        r->diags);
    if (*n)
        (*n)->line = line;
    return *n != NULL;
}

/* %name = Op-1(%a, %b) {axis = 0} : f32[2] */
bool text_node(text_reader *r, text_scope *s)
{
    unsigned line = r->lex.now.line;
    struct op_spelling spelling;
    const inlay_op *op;
    text_ref name;
    inlay_node *n = NULL;
    int n_in;

    if (!text_ref_read(r, &name) || !text_expect(r, "=") || !read_op(r, &spelling) ||
        !(op = find_op(r, s, &spelling)) || !read_inputs(r, &n_in) ||
        !new_node(r, s, &name, line, op, n_in, &n) || !connect(r, s, n))
        return false;
    if (spelling.opset && !(op->flags & INLAY_STAND_IN) &&
        !inlay_node_set_opset(n, spelling.opset, r->diags))
        return false;
    return read_attrs(r, s, n) && (name.port >= 0 || count_outputs(n, r->diags)) &&
           text_outputs(r, s, n) && read_clauses(r, n) && text_bodies(r, n);
}
