/* The two sides of a rule.
 *
 *     left  = { names "=" node ";" } ( node | names "=" node )
 *     right = { names "=" node ";" } ( term | "(" term { "," term } ")" )
 *     names = NAME | "(" name { "," name } ")"          name = NAME | "_" | "..." NAME
 *     node  = ( TYPE [ "@" versions ] | "any" NAME ) "(" [ term { "," term } ] ")" [ attributes ]
 *     term  = NAME | node | integers | 0.5 | "[" NAME "]" | "..." NAME | "window" NAME | "_"
 *
 * On the right side `f(...)`, with the F of `any F`, is that operation again, with all attributes
 * except those named, and `...node` is a node for each element of the lists among its operands. */
#include "ir/shared.h"
#include "passes/rules/parse.h"

#include <stdio.h>
#include <string.h>

static rule_side *side_of(rule_parser *p)
{
    return p->right ? &p->r->right : &p->r->left;
}

/* Versions as written in a rule: "opset8..12" is the set "opset" from 8 to 12. */
struct versions {
    char set[24];
    int64_t first, last;
};

static bool read_number(rule_parser *p, const char *text, size_t n, int64_t *out)
{
    char digits[16];

    snprintf(digits, sizeof digits, "%.*s", (int)n, text);
    return (n < sizeof digits && inlay_element_parse(INLAY_I64, digits, out, 0)) ||
           inlay_lexer_fail(&p->l, "a version such as opset8");
}

static bool read_versions(rule_parser *p, struct versions *v)
{
    const inlay_token t = p->l.now;
    size_t letters = 0;
    bool ok = true;

    *v = (struct versions){"opset", 0, INT64_MAX};
    if (t.kind != INLAY_TOKEN_WORD)
        return inlay_lexer_fail(&p->l, "a version such as opset8");
    while (letters < t.length && !(t.start[letters] >= '0' && t.start[letters] <= '9'))
        letters++;
    snprintf(v->set, sizeof v->set, "%.*s", (int)letters, t.start);
    if (letters < t.length) {
        if (!read_number(p, t.start + letters, t.length - letters, &v->first))
            return false;
        v->last = v->first;
    }
    if (!inlay_lexer_next(&p->l))
        return false;
    if (letters < t.length && rule_accept(p, "..", &ok)) {
        v->last = INT64_MAX;
        if (p->l.now.kind == INLAY_TOKEN_NUMBER)
            return read_number(p, p->l.now.start, p->l.now.length, &v->last) &&
                   inlay_lexer_next(&p->l);
    }
    return ok;
}

static bool row_is(const inlay_op *op, const char *type, const struct versions *v)
{
    return strcmp(op->name, type) == 0 && strcmp(op->set, v->set) == 0 &&
           ((op->first == 0 && op->last == 0) ||
            (op->first <= v->last && (op->last >= v->first || op->last == 0)));
}

static bool no_rows(rule_parser *p, const inlay_token *type, const struct versions *v,
                    const char *name, bool known)
{
    inlay_guess guess = {.word = name, .length = strlen(name)};
    char text[160];

    for (size_t i = 0; !known && i < inlay_op_count(p->set->ops); i++)
        inlay_guess_try(&guess, inlay_op_at(p->set->ops, i)->name);
    return rule_fail(p, type->line, "there is no operation `%s` in %s%s", name,
                     v->last == INT64_MAX && v->first == 0 ? v->set : "these versions",
                     inlay_guess_text(&guess, text, sizeof text));
}

static bool find_rows(rule_parser *p, const inlay_token *type, const struct versions *v,
                      rule_node *node)
{
    size_t n;

    node->type = inlay_arena_strndup(p->set->arena, type->start, type->length);
    if (!node->type)
        return inlay_fail_memory(p->l.diags);
    n = inlay_op_of_type(p->set->ops, node->type, NULL, 0);
    node->rows = inlay_arena_array(p->set->arena, n + 1, sizeof *node->rows);
    if (!node->rows)
        return inlay_fail_memory(p->l.diags);
    inlay_op_of_type(p->set->ops, node->type, node->rows, n);
    for (size_t i = 0; i < n; i++) {
        if (row_is(node->rows[i], node->type, v))
            node->rows[node->n_rows++] = node->rows[i];
    }
    return node->n_rows > 0 || no_rows(p, type, v, node->type, n > 0);
}

static bool read_term(rule_parser *p, int depth, rule_term *out);

static bool is_several(const rule_term *t)
{
    return t->kind == TERM_REST || t->kind == TERM_SPREAD;
}

/* Checks the number of operands against each row that the node may have. */
static bool check_arity(rule_parser *p, const rule_node *node)
{
    int n = 0;
    bool rest = false;
    char op[160];

    for (int i = 0; i < node->n_in; i++) {
        n += node->in[i].kind == TERM_WINDOW ? 4 : is_several(&node->in[i]) ? 0 : 1;
        rest = rest || is_several(&node->in[i]);
        if (rest && !p->right && i + 1 < node->n_in)
            return rule_fail(p, node->line, "`...` must be the last operand");
    }
    for (int i = 0; i < node->n_rows; i++) {
        const inlay_op *row = node->rows[i];

        inlay_op_text(row, op, sizeof op);
        if (rest && !row->variadic_in)
            return rule_fail(p, node->line, "%s does not take any number of operands", op);
        if ((n > row->n_in && !row->variadic_in) || (n < row->min_in && !rest))
            return rule_fail(p, node->line, "%s has %d operand%s, here it has %d", op, row->n_in,
                             inlay_plural(row->n_in, "", "s"), n);
    }
    return true;
}

/* `window` is short for the four operands start, stop, step and axes. */
static bool takes_window(const inlay_op *op, int i)
{
    return strcmp(op->set, "opset") == 0 && i == inlay_op_operand(op, INLAY_ROLE_START) &&
           inlay_op_operand(op, INLAY_ROLE_AXES) == i + INLAY_ROLE_AXES - INLAY_ROLE_START;
}

static bool check_windows(rule_parser *p, const rule_node *node)
{
    for (int i = 0; i < node->n_in; i++) {
        if (node->in[i].kind == TERM_WINDOW && !(node->type && takes_window(node->rows[0], i)))
            return rule_fail(p, node->line,
                             "`window` stands for the last operands of OpenVINO's Slice and "
                             "SliceScatter only");
    }
    return true;
}

static bool read_operands(rule_parser *p, int depth, rule_node *node)
{
    bool ok = true;

    if (!rule_expect(p, "("))
        return false;
    while (!inlay_token_is(&p->l.now, ")")) {
        if (node->n_in == RULE_TERMS)
            return rule_fail(p, node->line, "there are more than %d operands", RULE_TERMS);
        if (!read_term(p, depth, &node->in[node->n_in++]))
            return false;
        if (!rule_accept(p, ",", &ok))
            break;
    }
    return ok && rule_expect(p, ")") && check_arity(p, node) && check_windows(p, node);
}

/* Gives NODE room for the most operands and attributes that it may have. */
static bool make_room(rule_parser *p, rule_node *node)
{
    inlay_arena *a = p->set->arena;

    node->in = inlay_arena_array(a, RULE_TERMS, sizeof *node->in);
    node->attrs = inlay_arena_array(a, RULE_TERMS, sizeof *node->attrs);
    node->outs = inlay_arena_array(a, RULE_TERMS, sizeof *node->outs);
    return (node->in && node->attrs && node->outs) || inlay_fail_memory(p->l.diags);
}

/* Reads a node whose TYPE was read already: the current token is the one after it. A node of `any
 * f` has no type. */
static bool read_node(rule_parser *p, const inlay_token *type, int op_name, int depth, int *index)
{
    rule_side *side = side_of(p);
    struct versions v = {"opset", 0, INT64_MAX};
    rule_node node = {.op_name = op_name, .line = p->l.now.line};
    bool ok = true;

    if (depth >= RULE_DEPTH)
        return rule_fail(p, node.line, "nodes are nested more than %d deep", RULE_DEPTH);
    if (!make_room(p, &node) || (type && rule_accept(p, "@", &ok) && !read_versions(p, &v)))
        return false;
    if (!ok || (type && !find_rows(p, type, &v, &node)) || !read_operands(p, depth + 1, &node))
        return false;
    if (!rule_read_attrs(p, &node) || (type && !rule_check_attrs(p, &node)))
        return false;
    if (side->n_nodes == RULE_NODES)
        return rule_fail(p, node.line, "there are more than %d nodes on a side", RULE_NODES);
    *index = side->n_nodes;
    side->nodes[side->n_nodes++] = node;
    return true;
}

/* Reads `any f(...)`. On the left side this defines f. */
static bool read_any(rule_parser *p, int depth, rule_term *out)
{
    unsigned line = p->l.now.line;
    int name = rule_word(p, "a name for the operation");

    out->kind = TERM_NODE;
    return name >= 0 && rule_define(p, name, RULE_OP, line) &&
           read_node(p, NULL, name, depth, &out->node);
}

static bool read_name(rule_parser *p, rule_term *out, rule_term_kind kind, rule_kind of)
{
    out->kind = kind;
    out->name = rule_word(p, "a name");
    if (out->name < 0)
        return false;
    return p->right || rule_define(p, out->name, of, out->line);
}

/* Reads a term that begins with a word: a name, a node, `window w` or `any f(...)`. */
static bool read_word_term(rule_parser *p, int depth, rule_term *out)
{
    inlay_token t = p->l.now;
    int name;

    if (!inlay_lexer_next(&p->l))
        return false;
    if (inlay_token_is(&t, "window") && p->l.now.kind == INLAY_TOKEN_WORD)
        return read_name(p, out, TERM_WINDOW, RULE_WINDOW);
    if (inlay_token_is(&t, "any") && p->l.now.kind == INLAY_TOKEN_WORD && !p->right)
        return read_any(p, depth, out);
    if (inlay_token_is(&t, "_")) {
        out->kind = TERM_ANY;
        return !p->right || rule_fail(p, t.line, "`_` has no meaning on the right side");
    }
    if (inlay_token_is(&p->l.now, "(") || inlay_token_is(&p->l.now, "@")) {
        out->kind = TERM_NODE;
        if (p->right && (name = rule_lookup(p->r, &t)) >= 0 && p->r->names[name].kind == RULE_OP)
            return read_node(p, NULL, name, depth, &out->node);
        return read_node(p, &t, -1, depth, &out->node);
    }
    out->kind = TERM_NAME;
    out->name = rule_intern(p, &t);
    if (out->name < 0)
        return false;
    if (p->right)
        return true;
    return rule_define(p, out->name, RULE_VALUE, t.line);
}

static bool starts_integers(const rule_parser *p)
{
    return p->l.now.kind == INLAY_TOKEN_NUMBER || inlay_token_is(&p->l.now, "-");
}

/* Reads `[p]` or `[0, 1]`; the token after the bracket decides which it is. */
static bool read_bracket(rule_parser *p, rule_term *out)
{
    inlay_lexer before = p->l;

    if (!inlay_lexer_next(&p->l))
        return false;
    if (starts_integers(p) || inlay_token_is(&p->l.now, "]")) {
        p->l = before;
        out->kind = TERM_INTS;
        return rule_read_ints(p, &out->ints);
    }
    out->optional = true;
    if (!read_name(p, out, TERM_NAME, RULE_VALUE) || !rule_expect(p, "]"))
        return false;
    p->r->names[out->name].optional = p->r->names[out->name].optional || !p->right;
    return true;
}

/* The next tokens are a name and an opening bracket. The reader looks ahead and goes back. */
static bool is_node(const rule_parser *p)
{
    inlay_lexer ahead = p->l;

    ahead.diags = NULL;
    return ahead.now.kind == INLAY_TOKEN_WORD && inlay_lexer_next(&ahead) &&
           (inlay_token_is(&ahead.now, "(") || inlay_token_is(&ahead.now, "@"));
}

/* Reads what follows `...`: a name or a node. */
static bool read_several(rule_parser *p, int depth, rule_term *out)
{
    if (!p->right || !is_node(p))
        return read_name(p, out, TERM_REST, RULE_LIST);
    if (!read_word_term(p, depth, out))
        return false;
    out->kind = TERM_SPREAD;
    p->r->right.nodes[out->node].spread = true;
    return true;
}

static bool read_term(rule_parser *p, int depth, rule_term *out)
{
    bool ok = true;

    *out = (rule_term){.line = p->l.now.line};
    if (p->l.now.kind == INLAY_TOKEN_WORD)
        return read_word_term(p, depth, out);
    if (starts_integers(p)) {
        out->kind = TERM_INTS;
        return rule_read_literal(p, &out->ints);
    }
    if (inlay_token_is(&p->l.now, "["))
        return read_bracket(p, out);
    if (rule_accept(p, "...", &ok))
        return read_several(p, depth, out);
    return ok && inlay_lexer_fail(&p->l, "an operand");
}

/* Reads the name of an output, which must be new in this rule. */
static bool read_out_name(rule_parser *p, int *outs, int n, bool rest)
{
    const inlay_token t = p->l.now;
    rule_name *name;

    if (!rest && inlay_token_is(&t, "_")) {
        outs[n] = -1;
        return inlay_lexer_next(&p->l);
    }
    outs[n] = rule_word(p, "a name for an output");
    if (outs[n] < 0)
        return false;
    name = &p->r->names[outs[n]];
    if (name->kind != RULE_UNKNOWN || name->node >= 0 || name->right >= 0)
        return rule_fail(p, t.line, "`%s` has a meaning already", name->text);
    return true;
}

static bool read_out_names(rule_parser *p, int *outs, int *n, bool *rest)
{
    bool ok = true, list = rule_accept(p, "(", &ok);

    do {
        if (!ok)
            return false;
        if (*n == RULE_TERMS)
            return rule_fail(p, p->l.now.line, "there are more than %d outputs", RULE_TERMS);
        *rest = list && *n == 0 && rule_accept(p, "...", &ok);
        if (!ok || !read_out_name(p, outs, *n, *rest))
            return false;
        (*n)++;
    } while (list && !*rest && rule_accept(p, ",", &ok));
    return ok && (!list || rule_expect(p, ")")) && rule_expect(p, "=");
}

/* Defines the names of `names = node`. The node was just added to its side, with number INDEX. */
static bool bind_outs(rule_parser *p, int index, const int *outs, int n, bool rest)
{
    rule_node *node = &side_of(p)->nodes[index];

    node->n_outs = n;
    node->outs_rest = rest;
    for (int i = 0; i < n; i++) {
        node->outs[i] = outs[i];
        if (outs[i] < 0)
            continue;
        if (p->r->names[outs[i]].kind != RULE_UNKNOWN)
            return rule_fail(p, node->line, "`%s` has a meaning already",
                             p->r->names[outs[i]].text);
        p->r->names[outs[i]].kind = rest ? RULE_LIST : RULE_VALUE;
        p->r->names[outs[i]].bound = !p->right;
        *(p->right ? &p->r->names[outs[i]].right : &p->r->names[outs[i]].node) = index;
        p->r->names[outs[i]].out = i;
    }
    return true;
}

/* Are the next tokens names and "="? The reader looks ahead and goes back. */
static bool is_statement(rule_parser *p)
{
    inlay_lexer before = p->l;
    inlay_diags *d = p->l.diags;
    bool found = false;

    p->l.diags = NULL;
    if (inlay_token_is(&p->l.now, "(")) {
        while (inlay_lexer_next(&p->l) && p->l.now.kind != INLAY_TOKEN_END &&
               (p->l.now.kind == INLAY_TOKEN_WORD || inlay_token_is(&p->l.now, ",") ||
                inlay_token_is(&p->l.now, "...")))
            ;
        found = inlay_token_is(&p->l.now, ")") && inlay_lexer_next(&p->l);
    } else if (p->l.now.kind == INLAY_TOKEN_WORD) {
        found = inlay_lexer_next(&p->l);
    }
    found = found && inlay_token_is(&p->l.now, "=");
    p->l = before;
    p->l.diags = d;
    return found;
}

/* Reads one statement, `names = node`. *INDEX is the number of the node. */
static bool read_statement(rule_parser *p, int *index)
{
    int outs[RULE_TERMS], n = 0;
    bool rest = false;
    rule_term t;

    if (!read_out_names(p, outs, &n, &rest) || !read_term(p, 0, &t))
        return false;
    if (t.kind != TERM_NODE)
        return rule_fail(p, t.line, "a node must follow `=`");
    if (!rest && n > 1 && side_of(p)->nodes[t.node].n_rows > 0 &&
        side_of(p)->nodes[t.node].rows[0]->n_out >= 0 &&
        n != side_of(p)->nodes[t.node].rows[0]->n_out)
        return rule_fail(p, t.line, "%s has %d output%s, here it has %d",
                         side_of(p)->nodes[t.node].type, side_of(p)->nodes[t.node].rows[0]->n_out,
                         inlay_plural(side_of(p)->nodes[t.node].rows[0]->n_out, "", "s"), n);
    *index = t.node;
    return bind_outs(p, t.node, outs, n, rest);
}

bool rule_read_left(rule_parser *p)
{
    rule_term root = {.kind = TERM_NODE};
    bool ok = true;

    while (is_statement(p)) {
        if (!read_statement(p, &p->r->root))
            return false;
        if (!rule_accept(p, ";", &ok))
            return ok;
    }
    if (!read_term(p, 0, &root))
        return false;
    if (root.kind != TERM_NODE)
        return rule_fail(p, root.line, "the left side must be a node");
    p->r->root = root.node;
    return true;
}

bool rule_read_right(rule_parser *p)
{
    rule_side *side = &p->r->right;
    bool ok = true, tuple;
    int index;

    p->right = true;
    side->values = inlay_arena_array(p->set->arena, RULE_TERMS, sizeof *side->values);
    if (!side->values)
        return inlay_fail_memory(p->l.diags);
    while (is_statement(p)) {
        if (!read_statement(p, &index) || !rule_expect(p, ";"))
            return false;
    }
    tuple = rule_accept(p, "(", &ok);
    do {
        if (!ok)
            return false;
        if (side->n_values == RULE_TERMS)
            return rule_fail(p, p->l.now.line, "there are more than %d values", RULE_TERMS);
        if (!read_term(p, 0, &side->values[side->n_values++]))
            return false;
    } while (tuple && rule_accept(p, ",", &ok));
    return ok && (!tuple || rule_expect(p, ")"));
}
