/* Does a rule's left side describe a node and its operands? */
#include "ir/shared.h"
#include "passes/rules/window.h"

#include <string.h>

static bool match_node(rule_match *m, int index, inlay_node *n);

static bool match_name(rule_match *m, int name, inlay_value *v)
{
    const rule_name *info = &m->rule->names[name];
    rule_binding *b = &m->names[name];

    if (info->node >= 0) {
        if (!v || v->index != info->out || !match_node(m, info->node, v->node))
            return false;
    }
    if (b->bound)
        return inlay_value_same(b->value, v);
    *b = (rule_binding){.bound = true, .kind = RULE_VALUE, .value = v};
    return true;
}

/* Matches a list with the inputs of N from FIRST on, none of which may be absent. */
static bool match_rest(rule_match *m, const rule_term *t, const inlay_node *n, int first)
{
    const rule_name *info = &m->rule->names[t->name];
    rule_binding *b = &m->names[t->name];
    int count = n->n_in > first ? n->n_in - first : 0;
    inlay_value **list = rule_alloc(m, ((size_t)count + 1) * sizeof(inlay_value *));

    if (!list)
        return false;
    inlay_count_steps(m->graph, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        list[i] = inlay_node_input(n, first + i);
        if (!list[i])
            return false;
    }
    if (info->node >= 0) { /* all outputs of one node, in order */
        if (count == 0 || list[0]->node->n_out != count ||
            !match_node(m, info->node, list[0]->node))
            return false;
        for (int i = 0; i < count; i++) {
            if (list[i] != &list[0]->node->out[i])
                return false;
        }
    }
    if (!b->bound) {
        *b = (rule_binding){.bound = true, .kind = RULE_LIST, .list = list, .n_list = count};
        return true;
    }
    if (b->n_list != count)
        return false;
    for (int i = 0; i < count; i++) {
        if (!inlay_value_same(b->list[i], list[i]))
            return false;
    }
    return true;
}

static bool match_window(rule_match *m, const rule_term *t, const inlay_node *n)
{
    rule_binding *b = &m->names[t->name];
    rule_window *w;

    if (b->bound)
        return inlay_node_windows_same(b->window->from, n);
    w = rule_window_of(m, n);
    if (!w)
        return false;
    *b = (rule_binding){.bound = true, .kind = RULE_WINDOW, .window = w};
    return true;
}

static bool match_term(rule_match *m, const rule_term *t, const inlay_node *n, int input)
{
    inlay_value *v = inlay_node_input(n, input);

    switch (t->kind) {
    case TERM_NAME:
        return (v || t->optional) && match_name(m, t->name, v);
    case TERM_NODE:
        return v && v->index == 0 && match_node(m, t->node, v->node);
    case TERM_REST:
        return match_rest(m, t, n, input);
    case TERM_WINDOW:
        return match_window(m, t, n);
    case TERM_INTS:
        return rule_is_literal(t->ints, v);
    case TERM_ANY:
        return v != NULL;
    case TERM_SPREAD: /* only possible on the right side */
        return false;
    }
    return false;
}

/* Records MISS as the reason, unless one was recorded for a part within it. */
static bool miss(rule_match *m, rule_miss miss)
{
    miss.held = m->miss.held;
    if (!m->miss.part)
        m->miss = miss;
    return false;
}

static bool side_uses(const rule_side *s, int name)
{
    for (int i = 0; i < s->n_nodes; i++) {
        for (int k = 0; k < s->nodes[i].n_in; k++) {
            if (s->nodes[i].in[k].kind == TERM_NAME && s->nodes[i].in[k].name == name)
                return true;
        }
    }
    return false;
}

/* The right side does not use operand INPUT of N, which T describes, although the shape rule still
 * has to check something about it; the rewrite would drop that check. */
static bool drops_check(const rule_match *m, const rule_term *t, const inlay_node *n, int input)
{
    bool dropped =
        t->kind == TERM_ANY || (t->kind == TERM_NAME && !side_uses(&m->rule->right, t->name));

    return dropped && !rule_sizes_are_sure(n, input);
}

static bool match_operands(rule_match *m, const rule_node *node, const inlay_node *n)
{
    int turned = rule_is_turned(m, node, n) ? 1 : 0, next = 0;

    for (int i = 0; i < node->n_in; i++) {
        const rule_term *t = &node->in[i];
        int input = next ^ turned;

        if (!match_term(m, t, n, input))
            return miss(m, (rule_miss){.part = node, .node = n, .term = t, .input = input});
        if (drops_check(m, t, n, input))
            return miss(
                m, (rule_miss){.part = node, .node = n, .term = t, .input = input, .unsure = true});
        m->miss.held++;
        next += t->kind == TERM_WINDOW ? 4 : t->kind == TERM_REST ? n->n_in : 1;
    }
    for (; next < n->n_in; next++) {
        if (n->in[next].value)
            return miss(m, (rule_miss){.part = node, .node = n, .input = next});
    }
    return true;
}

/* An operation of any type may have no such attribute. */
static bool has_attr(const inlay_op *op, const rule_attr *a)
{
    int i = inlay_op_attr(op, a->name);

    return i >= 0 && op->attrs[i].kind == a->kind;
}

static bool match_attr(rule_match *m, const rule_attr *a, const inlay_node *n)
{
    const inlay_attr *value = inlay_node_attr(n, a->name);
    rule_binding *b;

    if (!has_attr(n->op, a))
        return false;
    if (a->var < 0)
        return inlay_attr_equal(a->kind, value, &a->literal);
    b = &m->names[a->var];
    if (b->bound)
        return inlay_attr_equal(a->kind, value, b->attr);
    *b = (rule_binding){.bound = true, .kind = RULE_ATTR, .attr = value, .attr_kind = a->kind};
    return true;
}

/* An attribute that the rule does not name must have its default, or be absent if it has none. */
static bool match_attrs(rule_match *m, const rule_node *node, const inlay_node *n)
{
    for (int i = 0; i < node->n_attrs; i++) {
        if (!match_attr(m, &node->attrs[i], n))
            return miss(
                m, (rule_miss){.part = node, .node = n, .input = -1, .attr = node->attrs[i].name});
        m->miss.held++;
    }
    for (int i = 0; i < n->op->n_attrs && !node->any_attrs && node->type; i++) {
        const inlay_attr_info *info = &n->op->attrs[i];

        if (!n->attrs[i].set || rule_names_attr(node, info->name))
            continue;
        if (!info->has_default || !inlay_attr_equal(info->kind, &n->attrs[i], &info->dflt))
            return miss(m, (rule_miss){.part = node, .node = n, .input = -1, .attr = info->name});
    }
    return true;
}

static bool same_op(const inlay_node *a, const inlay_node *b)
{
    if (a->op != b->op)
        return false;
    for (int i = 0; i < a->op->n_attrs; i++) {
        const char *name = a->op->attrs[i].name;

        if (!inlay_attr_equal(a->op->attrs[i].kind, inlay_node_attr(a, name),
                              inlay_node_attr(b, name)))
            return false;
    }
    return true;
}

static bool match_op(rule_match *m, const rule_node *node, const inlay_node *n)
{
    rule_binding *b = node->op_name >= 0 ? &m->names[node->op_name] : NULL;

    if (n->op->flags & (INLAY_STAND_IN | INLAY_HAS_BODY | INLAY_EFFECT | INLAY_SINK))
        return false;
    if (rule_has_row(node, n))
        return true;
    if (!b)
        return false;
    if (b->bound)
        return same_op(b->op, n);
    *b = (rule_binding){.bound = true, .kind = RULE_OP, .op = n};
    return true;
}

static bool match_outs(rule_match *m, const rule_node *node, inlay_node *n)
{
    inlay_value **list;

    if (node->outs_rest) {
        list = rule_alloc(m, ((size_t)n->n_out + 1) * sizeof(inlay_value *));
        if (!list)
            return false;
        for (int i = 0; i < n->n_out; i++)
            list[i] = &n->out[i];
        m->names[node->outs[0]] =
            (rule_binding){.bound = true, .kind = RULE_LIST, .list = list, .n_list = n->n_out};
        return true;
    }
    if (n->n_out != (node->n_outs ? node->n_outs : 1))
        return false;
    for (int i = 0; i < node->n_outs; i++) {
        if (node->outs[i] >= 0)
            m->names[node->outs[i]] =
                (rule_binding){.bound = true, .kind = RULE_VALUE, .value = &n->out[i]};
    }
    return true;
}

static bool match_node(rule_match *m, int index, inlay_node *n)
{
    const rule_node *node = &m->rule->left.nodes[index];

    if (m->nodes[index])
        return m->nodes[index] ==
               n; /* the operand that led to this node is another of its outputs */
    m->nodes[index] = n;
    if (!match_op(m, node, n) || !match_outs(m, node, n))
        return miss(m, (rule_miss){.part = node, .node = n, .input = -1});
    m->miss.held++;
    return match_operands(m, node, n) && match_attrs(m, node, n);
}

/* A constant whose elements are all known, as a list. */
static const rule_ints *ints_of_value(rule_match *m, const inlay_value *v)
{
    const inlay_fact *f = v ? &v->fact : NULL;
    rule_ints *ints;

    if (!f || !f->known || f->rank < 0 || f->rank > 1)
        return NULL;
    ints = rule_new_ints(m, f->type, f->rank, f->n_known);
    for (int i = 0; ints && i < f->n_known; i++) {
        if (!inlay_dim_is_static(f->known[i]))
            return NULL;
        ints->x[i] = f->known[i].lo;
    }
    return ints;
}

static const rule_ints *ints_of_attr(rule_match *m, const rule_binding *b)
{
    bool list = b->attr_kind == INLAY_ATTR_INTS;
    rule_ints *ints;

    if (!b->attr || (!list && b->attr_kind != INLAY_ATTR_INT))
        return NULL;
    ints = rule_new_ints(m, INLAY_I64, list, list ? b->attr->n : 1);
    if (!ints)
        return NULL;
    if (!list)
        ints->x[0] = b->attr->as.i;
    else if (ints->n > 0)
        memcpy(ints->x, b->attr->as.ints, (size_t)ints->n * sizeof ints->x[0]);
    return ints;
}

/* The name stands for an operand that is absent. */
static bool is_absent(const rule_binding *b)
{
    return (b->kind == RULE_VALUE && !b->value) || (b->kind == RULE_ATTR && !b->attr) ||
           (b->kind == RULE_INTEGERS && !b->ints);
}

/* Binds an argument of the kind that the function expects. False: its value is not known. */
/* An element type that is written in the place of an attribute. */
static bool bind_type(rule_match *m, inlay_type type, rule_binding *out)
{
    inlay_attr *a = rule_alloc(m, sizeof *a);

    if (!a)
        return false;
    *a = (inlay_attr){.as.type = type};
    *out =
        (rule_binding){.bound = true, .kind = RULE_ATTR, .attr = a, .attr_kind = INLAY_ATTR_TYPE};
    return true;
}

static bool bind_arg(rule_match *m, const rule_term *t, char wanted, rule_binding *out)
{
    bool may_be_absent = wanted >= 'a';

    if (t->kind == TERM_INTS && (wanted & ~0x20) == RULE_ATTR)
        return bind_type(m, t->ints->type, out);
    if (t->kind == TERM_INTS) {
        *out = (rule_binding){.bound = true, .kind = RULE_INTEGERS, .ints = t->ints};
        return true;
    }
    *out = m->names[t->name];
    if (is_absent(out)) {
        out->ints = NULL;
        return may_be_absent;
    }
    if ((wanted & ~0x20) != RULE_INTEGERS)
        return true;
    if (out->kind == RULE_VALUE)
        out->ints = ints_of_value(m, out->value);
    else if (out->kind == RULE_ATTR)
        out->ints = ints_of_attr(m, out);
    return out->ints != NULL;
}

static rule_answer ask(rule_match *m, const rule_clause *c)
{
    rule_call call;
    rule_answer answer;

    call.match = m;
    call.out = (rule_binding){0};
    for (int i = 0; i < c->n_args; i++) {
        if (!bind_arg(m, &c->args[i], c->fn->signature[i], &call.arg[i]))
            return RULE_DONT_KNOW;
    }
    answer = c->fn->call(&call);
    if (c->negated && answer != RULE_DONT_KNOW)
        answer = answer == RULE_YES ? RULE_NO : RULE_YES;
    if (c->target >= 0 && answer == RULE_YES) {
        m->names[c->target] = call.out;
        m->names[c->target].bound = true;
        m->names[c->target].kind = m->rule->names[c->target].kind;
    }
    return answer;
}

/* Most matches fail at the first operand, and a rule_match has room for the largest rule; so only
 * the part of M that rule R uses is cleared. */
static void begin(rule_match *m, const rule *r, inlay_graph *g)
{
    m->rule = r;
    m->graph = g;
    memset(m->nodes, 0, (size_t)r->left.n_nodes * sizeof *m->nodes);
    memset(m->names, 0, (size_t)r->n_names * sizeof *m->names);
    m->miss = (rule_miss){0};
    m->failed = NULL;
    m->lost = NULL;
    m->answer = RULE_NO;
    m->no_memory = false;
}

bool rule_matches(rule_match *m, const rule *r, inlay_node *n)
{
    begin(m, r, n->graph);
    if (!match_node(m, r->root, n))
        return false;
    for (int i = 0; i < r->n_clauses; i++) {
        m->answer = ask(m, &r->clauses[i]);
        if (m->answer != RULE_YES) {
            m->failed = &r->clauses[i];
            return false;
        }
    }
    m->lost = rule_lost_error(m);
    return !m->lost && !m->no_memory;
}
