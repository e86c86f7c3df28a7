/* Reads one node of the text form. */
#include "ir/shared.h"
#include "parser/text/text.h"

#include <stdio.h>
#include <string.h>

/* Reads `(%a, none, %b:1)`: appends the references to r->list. The reference of `none` has a NULL
 * start. */
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
            return !r->list.failed || inlay_fail_memory(r->a.d);
        if (!text_expect(r, ","))
            return false;
    }
}

static bool connect(text_reader *r, text_scope *s, inlay_node *n)
{
    const text_ref *refs = (const text_ref *)(void *)r->list.bytes;

    for (int i = 0; i < n->n_in; i++) {
        assemble_ref ref = {NULL, refs[i].port, &refs[i]};

        if (!refs[i].name.start)
            continue;
        ref.name = text_ref_name(r, s->names, &refs[i]);
        if (!ref.name || (!ref.name->node && !text_ref_keep(r, s->names, &refs[i], &ref)) ||
            !assemble_operand(s->names, n, i, &ref))
            return false;
    }
    return true;
}

/* Reads `Type-number@opset`, without blanks between the parts; a `?` in front asks for a stand-in.
 */
static bool read_op(text_reader *r, assemble_spec *op)
{
    bool there;

    *op = (assemble_spec){.number = -1};
    if (!text_accept(r, "?", &there) || !text_string(r, true, "an operation"))
        return false;
    op->wanted = there ? ASSEMBLE_STAND_IN : ASSEMBLE_ROW;
    if (!(op->type = inlay_arena_strdup(r->a.scratch, r->word.bytes)))
        return inlay_fail_memory(r->a.d);
    if (r->lex.now.glued) {
        if (!text_accept(r, "-", &there) || (there && !text_int(r, &op->number)))
            return false;
    }
    if (!r->lex.now.glued || !inlay_token_is(&r->lex.now, "@"))
        return true;
    if (!text_next(r) || !text_string(r, true, "an opset"))
        return false;
    op->version = inlay_arena_strdup(r->a.scratch, r->word.bytes);
    return op->version || inlay_fail_memory(r->a.d);
}

/* Finds the row that SPEC means. If the text gives a number and an opset, both must mean the same
 * row. */
static const inlay_op *find_op(text_reader *r, text_scope *s, const assemble_spec *spec)
{
    bool stand_in = spec->wanted == ASSEMBLE_STAND_IN;
    const inlay_op *op;
    char text[160];

    if (stand_in && !r->a.options.allow_unknown) {
        text_fail(r, "unknown operation %s of version %s", spec->type,
                  spec->version ? spec->version : "");
        return NULL;
    }
    op = assemble_row(s->names, spec, NULL);
    if (op && !stand_in && spec->number >= 0 && spec->number != op->version) {
        text_fail(r, "found %s-%lld@%s, but %s has %s", spec->type, (long long)spec->number,
                  spec->version, spec->version, inlay_op_text(op, text, sizeof text));
        return NULL;
    }
    return op;
}

/* Reads the value of an attribute NAME of a stand-in. */
static bool read_extra(text_reader *r, inlay_node *n, const char *name)
{
    if (n->extra && n->extra->n_attrs == ASSEMBLE_MAX_ATTRIBUTES)
        return text_fail(r, "found more than %d attributes of one node", ASSEMBLE_MAX_ATTRIBUTES);
    return text_string(r, false, "a string") && assemble_extra(n, name, r->word.bytes, r->a.d);
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
        const char *copy = inlay_arena_strdup(r->a.scratch, r->word.bytes);

        return (copy || inlay_fail_memory(r->a.d)) && text_expect(r, "=") && read_extra(r, n, copy);
    }
    if (i < 0)
        return inlay_fail_node(r->a.d, n, "there is no attribute \"%s\"", name);
    if (n->attrs[i].set)
        return inlay_fail_node(r->a.d, n, "attribute \"%s\" is given twice", name);
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

/* Gives N as many outputs as its row and attributes determine, if the text does not state the
 * number. */
static bool count_outputs(inlay_node *n, inlay_diags *d)
{
    int n_out = n->op->n_out < 0 ? inlay_node_n_out(n) : n->op->n_out;

    if (n_out < 0)
        return true;
    if (n_out > 1 << 20)
        return inlay_fail_node(d, n, "has %d output%s, which is too many", n_out,
                               inlay_plural(n_out, "", "s"));
    return inlay_node_set_n_out(n, n_out, d);
}

/* Reads `label "x" output_names "a,b" rt_info {...}`, in any order. */
static bool read_clauses(text_reader *r, inlay_node *n)
{
    for (;;) {
        bool label = inlay_token_is(&r->lex.now, "label");

        if (label || inlay_token_is(&r->lex.now, "output_names")) {
            const char *text;

            if (!text_next(r) || !text_string(r, false, "a string") ||
                !(text = assemble_string(&r->a, r->word.bytes)))
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

static bool new_node(text_reader *r, text_scope *s, const text_ref *ref, const inlay_op *op,
                     assemble_record *record, inlay_node **n)
{
    assemble_name *name = text_ref_name(r, s->names, ref);

    if (!name)
        return false;
    if (name->node) {
        char what[64];

        snprintf(what, sizeof what, "which is already defined on line %u", name->line);
        return text_ref_fail(r, ref, what);
    }
    if (ref->port > 1 << 20)
        return text_ref_fail(r, ref, "which has too many outputs");
    record->name = name->text;
    record->n_out = ref->port >= 0 ? (int)ref->port : op->n_out < 0 ? 1 : op->n_out;
    *n = assemble_node(s->names, op, record);
    if (*n)
        assemble_define(name, *n, -1, record->line);
    return *n != NULL;
}

/* Reads `%name = Op-1(%a, %b) {axis = 0} : f32[2]` and the clauses that may follow. */
bool text_node(text_reader *r, text_scope *s)
{
    assemble_record record = {.line = r->lex.now.line};
    assemble_spec spec;
    const inlay_op *op;
    text_ref name;
    inlay_node *n = NULL;

    if (!text_ref_read(r, &name) || !text_expect(r, "=") || !read_op(r, &spec) ||
        !(op = find_op(r, s, &spec)) || !read_inputs(r, &record.n_in))
        return false;
    record.version = op->flags & INLAY_STAND_IN ? NULL : spec.version;
    return new_node(r, s, &name, op, &record, &n) && connect(r, s, n) && read_attrs(r, s, n) &&
           (name.port >= 0 || count_outputs(n, r->a.d)) && text_outputs(r, s, n) &&
           read_clauses(r, n) && text_bodies(r, s, n);
}
