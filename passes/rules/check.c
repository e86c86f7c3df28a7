/* Checks that need the whole rule: what the right side uses is defined with the right kind, and the
 * left side is connected. */
#include "passes/rules/parse.h"

#include <string.h>

/* Checks a name that the right side uses: the rule defines it, with the kind that is needed there.
 */
static bool check_name(rule_parser *p, const rule_term *t, rule_kind wanted)
{
    const rule_name *n = &p->r->names[t->name];

    if (n->right >= 0 && n->kind == wanted)
        return true;
    if (!n->bound && n->right < 0)
        return rule_fail(p, t->line,
                         "`%s` has no meaning: neither the left side nor a let binds it", n->text);
    if (n->kind == wanted || (wanted == RULE_VALUE && n->kind == RULE_INTEGERS))
        return n->kind != RULE_VALUE || !n->optional || t->optional ||
               rule_fail(p, t->line, "`%s` may be absent: write [%s]", n->text, n->text);
    return rule_fail(p, t->line, "`%s` is %s, here %s is needed", n->text, rule_kind_text(n->kind),
                     rule_kind_text(wanted));
}

static bool check_term(rule_parser *p, const rule_term *t)
{
    switch (t->kind) {
    case TERM_NAME:
        return check_name(p, t, RULE_VALUE);
    case TERM_REST:
        return check_name(p, t, RULE_LIST);
    case TERM_WINDOW:
        return check_name(p, t, RULE_WINDOW);
    default:
        return true;
    }
}

static rule_kind kind_of(const rule_parser *p, const rule_term *t)
{
    return t->kind == TERM_NAME || t->kind == TERM_WINDOW ? p->r->names[t->name].kind
                                                          : RULE_UNKNOWN;
}

/* Checks the operands of `...node`, which takes lists element by element. */
static bool check_spread(rule_parser *p, const rule_node *node)
{
    bool any = false;

    for (int i = 0; i < node->n_in; i++) {
        rule_kind kind = kind_of(p, &node->in[i]);
        bool list = (node->in[i].kind == TERM_NAME && kind == RULE_LIST) ||
                    (node->in[i].kind == TERM_WINDOW && kind == RULE_WINDOWS);

        if (list && p->r->names[node->in[i].name].right >= 0)
            return rule_fail(p, node->line, "all outputs of a new node cannot be operands");
        any = any || list;
        if (!list && !check_term(p, &node->in[i]))
            return false;
    }
    return any ||
           rule_fail(p, node->line,
                     "no operand of the node after `...` is a list, so their number is not known");
}

static bool check_operands(rule_parser *p, const rule_node *node)
{
    if (node->spread)
        return check_spread(p, node);
    for (int i = 0; i < node->n_in; i++) {
        if (!check_term(p, &node->in[i]))
            return false;
        if (node->in[i].kind == TERM_REST && p->r->names[node->in[i].name].right >= 0)
            return rule_fail(p, node->line, "all outputs of a new node cannot be operands");
    }
    return true;
}

static bool check_attr(rule_parser *p, const rule_node *node, const rule_attr *a)
{
    const rule_name *n = a->var < 0 ? NULL : &p->r->names[a->var];

    if (!n ||
        (n->kind == RULE_INTEGERS && n->bound &&
         (a->kind == INLAY_ATTR_INT || a->kind == INLAY_ATTR_INTS || a->kind == INLAY_ATTR_FLOAT)))
        return true;
    if (!n->bound)
        return rule_fail(p, node->line, "`%s` has no meaning, and \"%s\" knows no such value",
                         n->text, a->name);
    if (n->kind == RULE_ATTR && n->attr_kind == a->kind)
        return true;
    return rule_fail(p, node->line, "`%s` is %s of another kind than attribute \"%s\"", n->text,
                     rule_kind_text(n->kind), a->name);
}

static const rule_node *same_type_on_left(const rule *r, const rule_node *node)
{
    for (int i = 0; i < r->left.n_nodes; i++) {
        if (r->left.nodes[i].type && strcmp(r->left.nodes[i].type, node->type) == 0)
            return &r->left.nodes[i];
    }
    return NULL;
}

static bool check_right(rule_parser *p)
{
    const rule_side *s = &p->r->right;

    for (int i = 0; i < s->n_nodes; i++) {
        const rule_node *node = &s->nodes[i];

        if (!check_operands(p, node))
            return false;
        for (int k = 0; k < node->n_attrs; k++) {
            if (!check_attr(p, node, &node->attrs[k]))
                return false;
        }
        if (node->any_attrs && node->type && !same_type_on_left(p->r, node))
            return rule_fail(p, node->line,
                             "there is no %s on the left whose attributes {...} could be",
                             node->type);
    }
    for (int i = 0; i < s->n_values; i++) {
        if (s->values[i].kind == TERM_INTS || s->values[i].kind == TERM_WINDOW ||
            s->values[i].optional)
            return rule_fail(p, s->values[i].line, "the right side must be a value");
        if (!check_term(p, &s->values[i]))
            return false;
        if (s->values[i].kind == TERM_NAME && p->r->names[s->values[i].name].kind == RULE_INTEGERS)
            return rule_fail(p, s->values[i].line, "the right side must be a value");
    }
    return true;
}

/* Checks that the right side has a value for each output of the root. */
static bool check_outputs(rule_parser *p)
{
    const rule *r = p->r;
    const rule_node *root = &r->left.nodes[r->root];
    bool list = r->right.n_values == 1 &&
                (r->right.values[0].kind == TERM_REST || r->right.values[0].kind == TERM_SPREAD);
    int outs = root->n_outs == 0 ? 1 : root->n_outs;

    if (root->outs_rest != list)
        return rule_fail(p, r->line,
                         root->outs_rest
                             ? "the root has any number of outputs, the right side must be a list"
                             : "the right side is a list, the root is not");
    if (!list && outs != r->right.n_values)
        return rule_fail(p, r->line, "the root has %d output%s, the right side %d value%s", outs,
                         inlay_plural(outs, "", "s"), r->right.n_values,
                         inlay_plural(r->right.n_values, "", "s"));
    return true;
}

/* Marks the nodes from which the root is computed. */
static void mark(const rule *r, int index, bool *seen)
{
    const rule_node *node = &r->left.nodes[index];

    if (seen[index])
        return;
    seen[index] = true;
    for (int i = 0; i < node->n_in; i++) {
        const rule_term *t = &node->in[i];

        if (t->kind == TERM_NODE)
            mark(r, t->node, seen);
        else if ((t->kind == TERM_NAME || t->kind == TERM_REST) && r->names[t->name].node >= 0)
            mark(r, r->names[t->name].node, seen);
    }
}

static bool check_connected(rule_parser *p)
{
    bool seen[RULE_NODES] = {false};
    const rule *r = p->r;

    mark(r, r->root, seen);
    for (int i = 0; i < r->left.n_nodes; i++) {
        if (!seen[i])
            return rule_fail(p, r->left.nodes[i].line,
                             "nothing the root depends on uses this node of the left side");
    }
    return true;
}

/* A name instead of an enum's value, a type or a boolean that is used nowhere else is a misspelt
 * literal. */
static bool check_misspelt(rule_parser *p)
{
    const rule *r = p->r;
    int uses[RULE_NAMES] = {0};
    const rule_side *sides[2] = {&r->left, &r->right};

    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < sides[s]->n_nodes; i++) {
            for (int k = 0; k < sides[s]->nodes[i].n_attrs; k++) {
                if (sides[s]->nodes[i].attrs[k].var >= 0)
                    uses[sides[s]->nodes[i].attrs[k].var]++;
            }
        }
    }
    for (int i = 0; i < r->n_clauses; i++) {
        for (int k = 0; k < r->clauses[i].n_args; k++) {
            if (r->clauses[i].args[k].kind == TERM_NAME)
                uses[r->clauses[i].args[k].name]++;
        }
    }
    for (int i = 0; i < r->n_names; i++) {
        const rule_name *n = &r->names[i];
        bool word = n->attr_kind == INLAY_ATTR_ENUM || n->attr_kind == INLAY_ATTR_TYPE ||
                    n->attr_kind == INLAY_ATTR_BOOL;

        if (n->kind == RULE_ATTR && word && uses[i] < 2)
            return rule_fail(p, n->line,
                             "`%s` is no value of its attribute, and as a name it is "
                             "used only here",
                             n->text);
    }
    return true;
}

bool rule_check(rule_parser *p)
{
    return check_right(p) && check_outputs(p) && check_connected(p) && check_misspelt(p);
}
