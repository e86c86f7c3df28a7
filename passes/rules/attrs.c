/* Attributes of a rule's nodes.
 *
 *     attributes = "{" "..." "}" | "{" ATTRIBUTE "=" ( NAME | literal ) { "," ... } "}"
 *
 * A literal has the form of the attribute's kind in the table of operations: 3, 0.5, true, i64, [1,
 * 2], "text", or one of an enum's names. Anything else is a name for the attribute's value. An
 * operation of any type (`any f`) must have the named attributes; it may have others. */
#include "ir/shared.h"
#include "passes/rules/parse.h"

#include <stdio.h>
#include <string.h>

/* The information of ROW on attribute NAME. NULL: ROW has no such attribute. */
static const inlay_attr_info *info_of(const inlay_op *row, const char *name)
{
    int i = inlay_op_attr(row, name);

    return i < 0 ? NULL : &row->attrs[i];
}

/* Finds the attribute that operations of any type must have: all rows with an attribute of this
 * name have it with the same kind. */
static bool find_common(rule_parser *p, unsigned line, rule_attr *a)
{
    bool found = false;

    for (size_t i = 0; i < inlay_op_count(p->set->ops); i++) {
        const inlay_attr_info *info = info_of(inlay_op_at(p->set->ops, i), a->name);

        if (info && found && info->kind != a->kind)
            return rule_fail(p, line,
                             "\"%s\" is another kind of attribute of one operation than of others: "
                             "say which operation is meant",
                             a->name);
        if (info)
            a->kind = info->kind;
        found = found || info;
    }
    return found || rule_fail(p, line, "no operation has an attribute \"%s\"", a->name);
}

static bool find_attr(rule_parser *p, const rule_node *node, unsigned line, rule_attr *a)
{
    if (!node->type)
        return find_common(p, line, a);
    for (int i = 0; i < node->n_rows; i++) {
        const inlay_attr_info *info = info_of(node->rows[i], a->name);
        char op[160];

        if (!info)
            return rule_fail(p, line, "%s has no attribute \"%s\"%s",
                             inlay_op_text(node->rows[i], op, sizeof op), a->name,
                             node->n_rows > 1 ? ": say which versions are meant, as in Op@opset8.."
                                              : "");
        a->kind = info->kind;
    }
    return true;
}

/* Reads the name of an enum's value. Every row that NODE may be must have it; for operations of any
 * type no row is known. */
static bool read_enum(rule_parser *p, const rule_node *node, rule_attr *a, bool *found)
{
    *found = node->n_rows > 0;
    for (int i = 0; i < node->n_rows && *found; i++) {
        const char *const *allowed = info_of(node->rows[i], a->name)->allowed;
        bool known = false;

        for (int k = 0; allowed && allowed[k] && !known; k++) {
            known = inlay_token_is(&p->l.now, allowed[k]);
            a->literal.as.s = allowed[k];
        }
        *found = known;
    }
    return !*found || inlay_lexer_next(&p->l);
}

static bool read_type(rule_parser *p, rule_attr *a, bool *found)
{
    char name[24];

    snprintf(name, sizeof name, "%.*s", (int)p->l.now.length, p->l.now.start);
    *found = p->l.now.length < sizeof name && inlay_type_by_name(name, &a->literal.as.type);
    return !*found || inlay_lexer_next(&p->l);
}

static bool read_ints(rule_parser *p, rule_attr *a)
{
    const rule_ints *ints;
    unsigned line = p->l.now.line;

    if (!rule_read_ints(p, &ints))
        return false;
    if (ints->rank != (a->kind == INLAY_ATTR_INTS))
        return rule_fail(p, line, "attribute \"%s\" is %s", a->name,
                         ints->rank ? "one number, not a list" : "a list of numbers");
    a->literal.n = ints->n;
    if (a->kind == INLAY_ATTR_INTS)
        a->literal.as.ints = ints->x;
    else
        a->literal.as.i = ints->x[0];
    return true;
}

static bool read_float(rule_parser *p, rule_attr *a)
{
    char text[64];
    bool ok = true, negative = rule_accept(p, "-", &ok);

    if (!ok)
        return false;
    snprintf(text, sizeof text, "%s%.*s", negative ? "-" : "", (int)p->l.now.length,
             p->l.now.start);
    if (p->l.now.kind != INLAY_TOKEN_NUMBER || p->l.now.length > sizeof text - 2 ||
        !inlay_element_parse(INLAY_F64, text, &a->literal.as.f, 0))
        return inlay_lexer_fail(&p->l, "a number");
    return inlay_lexer_next(&p->l);
}

static bool read_string(rule_parser *p, rule_attr *a)
{
    inlay_strbuf b = {0};
    bool ok = inlay_lexer_string(&p->l, &b);

    if (ok && !(a->literal.as.s = inlay_arena_strndup(p->set->arena, b.bytes ? b.bytes : "", b.n)))
        ok = inlay_fail_memory(p->l.diags);
    inlay_strbuf_free(&b);
    return ok && inlay_lexer_next(&p->l);
}

static bool read_variable(rule_parser *p, rule_attr *a)
{
    unsigned line = p->l.now.line;
    rule_name *n;

    a->var = rule_word(p, "a value or a name");
    if (a->var < 0)
        return false;
    n = &p->r->names[a->var];
    if (p->right)
        return true; /* rule_check decides what the name means, after the whole rule is read */
    if (n->kind == RULE_ATTR && n->attr_kind != a->kind)
        return rule_fail(p, line, "`%s` is an attribute of another kind than \"%s\"", n->text,
                         a->name);
    n->attr_kind = a->kind;
    return rule_define(p, a->var, RULE_ATTR, line);
}

static bool read_word(rule_parser *p, const rule_node *node, rule_attr *a)
{
    bool found = false;

    if (a->kind == INLAY_ATTR_BOOL &&
        (inlay_token_is(&p->l.now, "true") || inlay_token_is(&p->l.now, "false"))) {
        a->literal.as.b = inlay_token_is(&p->l.now, "true");
        return inlay_lexer_next(&p->l);
    }
    if ((a->kind == INLAY_ATTR_ENUM && !read_enum(p, node, a, &found)) ||
        (a->kind == INLAY_ATTR_TYPE && !read_type(p, a, &found)))
        return false;
    return found || read_variable(p, a);
}

static bool read_value(rule_parser *p, const rule_node *node, rule_attr *a)
{
    a->var = -1;
    a->literal = (inlay_attr){.set = true};
    if (p->l.now.kind == INLAY_TOKEN_WORD)
        return read_word(p, node, a);
    if (p->l.now.kind == INLAY_TOKEN_STRING && a->kind == INLAY_ATTR_STRING)
        return read_string(p, a);
    if (a->kind == INLAY_ATTR_INT || a->kind == INLAY_ATTR_INTS)
        return read_ints(p, a);
    if (a->kind == INLAY_ATTR_FLOAT)
        return read_float(p, a);
    return inlay_lexer_fail(&p->l, "a name");
}

static bool read_attr(rule_parser *p, rule_node *node)
{
    rule_attr *a = &node->attrs[node->n_attrs];
    const inlay_token t = p->l.now;

    if (node->n_attrs == RULE_TERMS)
        return rule_fail(p, t.line, "there are more than %d attributes", RULE_TERMS);
    if (t.kind != INLAY_TOKEN_WORD)
        return inlay_lexer_fail(&p->l, "the name of an attribute");
    a->name = inlay_arena_strndup(p->set->arena, t.start, t.length);
    if (!a->name)
        return inlay_fail_memory(p->l.diags);
    for (int i = 0; i < node->n_attrs; i++) {
        if (strcmp(node->attrs[i].name, a->name) == 0)
            return rule_fail(p, t.line, "attribute \"%s\" is named twice", a->name);
    }
    node->n_attrs++;
    return find_attr(p, node, t.line, a) && inlay_lexer_next(&p->l) && rule_expect(p, "=") &&
           read_value(p, node, a);
}

bool rule_read_attrs(rule_parser *p, rule_node *node)
{
    bool ok = true;

    if (!rule_accept(p, "{", &ok))
        return ok;
    do {
        node->any_attrs = ok && rule_accept(p, "...", &ok);
        if (!ok || (!node->any_attrs && !read_attr(p, node)))
            return false;
    } while (!node->any_attrs && rule_accept(p, ",", &ok));
    return ok && rule_expect(p, "}");
}

bool rule_names_attr(const rule_node *node, const char *attr)
{
    for (int i = 0; i < node->n_attrs; i++) {
        if (strcmp(node->attrs[i].name, attr) == 0)
            return true;
    }
    return false;
}

bool rule_check_attrs(rule_parser *p, const rule_node *node)
{
    for (int i = 0; i < node->n_rows && !node->any_attrs; i++) {
        for (int k = 0; k < node->rows[i]->n_attrs; k++) {
            const inlay_attr_info *info = &node->rows[i]->attrs[k];

            if (info->required && !info->has_default && !rule_names_attr(node, info->name))
                return rule_fail(p, node->line, "attribute \"%s\" of %s has no default: name it%s",
                                 info->name, node->type, p->right ? "" : " or write {...}");
        }
    }
    return true;
}
