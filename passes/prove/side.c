/* Makes the nodes of a case from both sides of a rule. */
#include "passes/prove/meaning.h"
#include "passes/prove/rows.h"

#include <stdio.h>
#include <string.h>

static prove_node *left_node(prove_case *c, int index);

static prove_window *left_window(prove_case *c, prove_name *name, const prove_value *data)
{
    prove_window *w = name->window;

    if (!w) {
        w = name->window = prove_new_window(c, data->rank, data->dim);
        w->proper = smt_constant(&c->pool, "proper", "Bool");
        return w;
    }
    /* The same numbers, or the same operands on an axis of the same size. */
    prove_need(c, w->rank == data->rank);
    for (int i = 0; i < w->rank && !c->cut; i++) {
        if (!smt_same(w->axis[i].size, data->dim[i]) && !w->known)
            prove_unknown(c, "a window that is not known, of two sizes");
        prove_assume(c, smt_le(&c->pool, w->axis[i].count, data->dim[i]));
    }
    return w;
}

/* V as an operand of the left side: the output of one of its nodes, or an input of the rule. */
static prove_value *left_name(prove_case *c, int name)
{
    const rule_name *info = &c->rule->names[name];

    if (!c->names[name].value)
        c->names[name].value =
            info->node >= 0 ? &left_node(c, info->node)->out[info->out] : prove_free_value(c);
    return c->names[name].value;
}

/* Literals of so many axes are too many cases. All their sizes are 1, so that one makes a result
 * another one only if it has more axes than the other operands, where these are broadcast as numpy
 * does: whether a result has more axes than there are else shows where it has as many as are tried.
 */
static bool has_many_literals(const rule *r)
{
    int n = 0;

    for (int i = 0; i < r->left.n_nodes; i++) {
        for (int k = 0; k < r->left.nodes[i].n_in; k++) {
            const rule_term *t = &r->left.nodes[i].in[k];

            n += t->kind == TERM_INTS && t->ints->is_real && !r->left.nodes[i].any_attrs;
            if (t->kind == TERM_INTS && t->ints->is_real && r->left.nodes[i].any_attrs)
                return false;
        }
    }
    return n > 3;
}

/* A float that a rule writes is a constant of one element; on the left side it may have axes. */
static prove_value *real_of_rule(prove_case *c, double number, bool left)
{
    prove_value *v = prove_free_value(c);
    int rank = 0;

    if (left)
        rank = has_many_literals(c->rule) ? prove_choose_no_or_all_axes(c) : prove_choose_rank(c);
    prove_be_of_rank(c, v, rank);
    for (int i = 0; i < v->rank; i++)
        v->dim[i] = smt_int(&c->pool, 1);
    v->number = prove_literal(c, number, number_class_types(NUMBER_FLOAT));
    return v;
}

static prove_value *ints_of_rule(prove_case *c, const rule_ints *ints, bool left)
{
    const smt *x[PROVE_RANK];

    if (ints->is_real)
        return real_of_rule(c, ints->real, left);
    if (ints->n > PROVE_RANK) {
        prove_unknown(c, "a list is too long");
        return prove_free_value(c);
    }
    for (int i = 0; i < ints->n; i++)
        x[i] = smt_int(&c->pool, ints->x[i]);
    return prove_ints_value(c, ints->rank == 0 ? -1 : ints->n, x);
}

/* `...xs`: several inputs of the rule, or all outputs of a node. */
static void left_rest(prove_case *c, prove_node *n, int name)
{
    prove_name *list = &c->names[name];
    int node = c->rule->names[name].node;

    if (!list->bound) {
        prove_node *of = node >= 0 ? left_node(c, node) : NULL;

        list->bound = true;
        list->n_list = of ? of->n_out : 1 + prove_choose(c, PROVE_LIST);
        for (int i = 0; i < list->n_list; i++)
            list->list[i] = of ? &of->out[i] : prove_free_value(c);
    }
    for (int i = 0; i < list->n_list; i++)
        n->in[n->n_in++] = list->list[i];
}

static prove_value *left_optional(prove_case *c, int name)
{
    prove_name *at = &c->names[name];

    if (!at->bound) {
        at->bound = true;
        at->absent = prove_choose(c, 2) == 1;
        at->value = at->absent ? NULL : prove_free_value(c);
    }
    return at->value;
}

static void left_operand(prove_case *c, prove_node *n, const rule_term *t)
{
    switch (t->kind) {
    case TERM_NAME:
        n->in[n->n_in++] = t->optional ? left_optional(c, t->name) : left_name(c, t->name);
        break;
    case TERM_NODE:
        n->in[n->n_in++] = &left_node(c, t->node)->out[0];
        break;
    case TERM_REST:
        left_rest(c, n, t->name);
        break;
    case TERM_WINDOW:
        prove_rank(c, n->in[0]);
        n->window = left_window(c, &c->names[t->name], n->in[0]);
        break;
    case TERM_INTS:
        n->in[n->n_in++] = ints_of_rule(c, t->ints, true);
        break;
    case TERM_ANY:
    case TERM_SPREAD:
        n->in[n->n_in++] = prove_free_value(c);
        break;
    }
}

static bool calls(const rule *r, const char *condition, int name)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *clause = &r->clauses[i];

        for (int k = 0; k < clause->n_args && prove_calls(clause, condition); k++) {
            if (prove_name_at(clause, k) == name)
                return true;
        }
    }
    return false;
}

/* The kind of `any f`: a reduction, a pointwise operation, or one that keeps the row-major numbers
 * of elements. */
static const prove_row *row_of_any(prove_case *c, int name, const rule_node *from)
{
    if (calls(c->rule, "folds", name) || calls(c->rule, "gives_it", name) ||
        calls(c->rule, "gives_it_nearly", name))
        return &prove_fold;
    if (from->n_attrs > 0)
        prove_unknown(c, "attributes of an operation of any type");
    if (calls(c->rule, "pointwise", name) || calls(c->rule, "commutes", name) || c->names[name].op)
        return &prove_pointwise;
    if (from->n_in != 2) {
        prove_unknown(c, "an operation of any type");
        return &prove_pointwise;
    }
    return prove_row_with(PROVE_KEEPS_NUMBERS,
                          prove_choose(c, prove_count_rows(PROVE_KEEPS_NUMBERS)));
}

static const prove_row *row_of(prove_case *c, const rule_node *from)
{
    const prove_row *row =
        from->op_name >= 0 ? row_of_any(c, from->op_name, from) : prove_row_of(from->type);

    if (!row && from->op_name < 0)
        row = prove_named_row(from);
    if (!row)
        prove_unknown(c, inlay_arena_printf(c->pool.arena, "%s has no encoding", from->type));
    else if (row->unknown)
        prove_unknown(c, row->unknown);
    return row ? row : &prove_pointwise;
}

static prove_node *new_node(prove_case *c, const rule_node *from, bool right)
{
    prove_node *n = prove_alloc(c, sizeof *n);

    *n = (prove_node){.from = from,
                      .right = right,
                      .valid = smt_bool(true),
                      .right_axes = smt_bool(true),
                      .n_out = 1};
    if (from->n_outs > 0)
        n->n_out = from->outs_rest ? 1 + prove_choose(c, PROVE_LIST) : from->n_outs;
    prove_need(c, n->n_out <= PROVE_OUTS);
    for (int i = 0; i < PROVE_OUTS; i++)
        n->out[i] = (prove_value){.node = n, .out = i, .n_ints = -1};
    return n;
}

/* If `any f` occurs twice, both are the same operation. Where c is absent, f(x, [c]) is f(x). */
static void bind_op(prove_case *c, prove_node *n)
{
    prove_name *name = n->from->op_name >= 0 ? &c->names[n->from->op_name] : NULL;

    if (!name)
        return;
    while (n->n_in > 1 && !n->in[n->n_in - 1])
        n->n_in--;
    if (!name->op) {
        name->op = n;
        n->function = smt_function(&c->pool, "pointwise", n->n_in, true, "E");
        if (n->row == &prove_pointwise && n->n_in > 1 &&
            !calls(c->rule, "numpy", n->from->op_name)) {
            n->form = prove_choose(c, 3);
        }
    }
    n->function = name->op->function;
    n->form = name->op->form;
    n->commutes = calls(c->rule, "commutes", n->from->op_name);
    prove_need(c, n->n_in == name->op->n_in);
}

static bool reads_attr(const prove_row *row, const char *name)
{
    char word[64];

    snprintf(word, sizeof word, " %s ", name);
    return row->attrs && strstr(row->attrs, word);
}

/* A has the operation's default, which is what rows that do not look at A assume. */
static bool is_default(const rule_node *from, const rule_attr *a)
{
    const inlay_op *op = from->n_rows > 0 ? from->rows[from->n_rows - 1] : NULL;
    int at = op ? inlay_op_attr(op, a->name) : -1;

    return at >= 0 && a->var < 0 && !op->attrs[at].required &&
           inlay_attr_equal(op->attrs[at].kind, &a->literal, &op->attrs[at].dflt);
}

/* The row of N looks at all attributes that the rule writes. */
static void check_attrs(prove_case *c, const prove_node *n)
{
    for (int i = 0; i < n->from->n_attrs; i++) {
        const rule_attr *a = &n->from->attrs[i];

        if (!reads_attr(n->row, a->name) && !is_default(n->from, a))
            prove_unknown(c, inlay_arena_printf(c->pool.arena, "%s: its %s is not encoded",
                                                n->row->type, a->name));
    }
}

/* N is the result of its side of the rule, whose elements the questions are about. */
static bool is_result(const prove_case *c, const prove_node *n)
{
    const rule_side *right = &c->rule->right;

    if (!n->right)
        return n->from == &c->rule->left.nodes[c->rule->root];
    for (int i = 0; i < right->n_values; i++) {
        if (right->values[i].kind == TERM_NODE && n->from == &right->nodes[right->values[i].node])
            return true;
    }
    return false;
}

/* The rule says of an operand of N that it is of floats. */
static bool is_of_floats(const rule *r, const rule_node *n)
{
    for (int i = 0; i < r->n_clauses; i++) {
        bool floats = !r->clauses[i].negated && prove_calls(&r->clauses[i], "wide_float");
        int name = floats ? prove_name_at(&r->clauses[i], 0) : -1;

        for (int k = 0; k < n->n_in && name >= 0; k++) {
            const rule_term *t = &n->in[k];

            if (t->kind == TERM_NODE ? r->names[name].node == t->node
                                     : t->kind == TERM_NAME && t->name == name)
                return true;
        }
    }
    return false;
}

/* An integer divided by zero is an error even if nothing reads the quotient, but laws are about
 * what is read: so an operation inside of a side may fail, as far as is known. */
static void state_faults(prove_case *c, prove_node *n)
{
    const meaning *m = n->from->type && !is_result(c, n) ? meaning_of(n->from->type) : NULL;
    bool fails = false;

    for (int i = 0; m && c->meanings.numbers != PROVE_REAL && i < NUMBER_CLASSES; i++)
        fails = fails || (m->fault[i] && (i == NUMBER_FLOAT || !is_of_floats(c->rule, n->from)));
    if (fails)
        prove_must(c, n, smt_constant(&c->pool, "faultless", "Bool"));
}

static void finish(prove_case *c, prove_node *n)
{
    if (!prove_goes_on(c))
        return;
    if (n->row != prove_named_row(n->from))
        check_attrs(c, n);
    state_faults(c, n);
    if (!c->unknown)
        bind_op(c, n);
    if (prove_goes_on(c))
        n->row->shape(c, n);
}

static void bind_outs(prove_case *c, prove_node *n)
{
    prove_name *rest = n->from->outs_rest ? &c->names[n->from->outs[0]] : NULL;

    if (rest) {
        rest->bound = true;
        rest->n_list = n->n_out;
        for (int i = 0; i < n->n_out; i++)
            rest->list[i] = &n->out[i];
    }
    for (int i = 0; !rest && i < n->from->n_outs; i++) {
        if (n->from->outs[i] >= 0)
            c->names[n->from->outs[i]] = (prove_name){.bound = true, .value = &n->out[i]};
    }
}

static prove_node *left_node(prove_case *c, int index)
{
    const rule_node *from = &c->rule->left.nodes[index];
    prove_node *n = c->left[index];

    if (n)
        return n;
    n = c->left[index] = new_node(c, from, false);
    bind_outs(c, n);
    n->row = row_of(c, from);
    for (int i = 0; i < from->n_in && prove_goes_on(c); i++)
        left_operand(c, n, &from->in[i]);
    finish(c, n);
    prove_state_dropped_axes(c, n);
    c->left_valid = smt_and(&c->pool, c->left_valid, smt_and(&c->pool, n->valid, n->right_axes));
    return n;
}

/* A condition that only a window with known numbers can fulfil. */
static bool wants_numbers(const rule_clause *clause)
{
    return !clause->negated && !prove_calls(clause, "proper") && !prove_calls(clause, "full");
}

static void mark_known(prove_case *c)
{
    const rule *r = c->rule;

    for (int i = 0; i < r->n_clauses; i++) {
        for (int k = 0; wants_numbers(&r->clauses[i]) && k < r->clauses[i].n_args; k++) {
            const rule_term *t = &r->clauses[i].args[k];
            prove_window *w = t->kind == TERM_INTS ? NULL : c->names[t->name].window;

            if (w && !w->known) {
                w->known = true;
                prove_assume(c, w->proper);
            }
        }
    }
}

/* Known windows fit the values that they write to. */
static void state_known(prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes && prove_goes_on(c); i++) {
        prove_node *n = c->left[i];

        if (n && n->window && n->window->known)
            prove_assume(c, n->valid);
    }
}

void prove_build_left(prove_case *c)
{
    left_node(c, c->rule->root);
    if (!prove_goes_on(c))
        return;
    mark_known(c);
    state_known(c);
    prove_state_dropped_sizes(c);
    prove_state_dropped_elements(c);
}

/* ---- conditions ---- */

static prove_name *argument(prove_case *c, const rule_term *t)
{
    prove_name *name;

    if (t->kind != TERM_INTS)
        return &c->names[t->name];
    name = prove_alloc(c, sizeof *name);
    *name = (prove_name){
        .bound = true, .value = ints_of_rule(c, t->ints, false), .type = t->ints->type};
    return name;
}

static void state_clause(prove_case *c, const rule_clause *clause)
{
    const prove_contract *contract = prove_contract_of(clause->fn->name);
    prove_call call = {.c = c};

    /* A condition may be left out: then less is assumed. The result of a function may not. */
    if (clause->negated || (!contract->state && clause->target < 0))
        return;
    if (!contract->state) {
        prove_unknown(
            c, inlay_arena_printf(c->pool.arena, "%s: %s", clause->fn->name, contract->unknown));
        return;
    }
    for (int i = 0; i < clause->n_args; i++)
        call.arg[i] = argument(c, &clause->args[i]);
    if (clause->target >= 0) {
        call.out = &c->names[clause->target];
        call.out->bound = true;
    }
    contract->state(&call);
}

void prove_state_clauses(prove_case *c)
{
    for (int i = 0; i < c->rule->n_clauses && prove_goes_on(c); i++)
        state_clause(c, &c->rule->clauses[i]);
}

/* ---- the right side ---- */

static prove_node *right_node(prove_case *c, int index, int of);

/* The right side reads V, too: an error of the nodes that make it is one of both sides. */
static void state_kept(prove_case *c, const prove_value *v)
{
    if (!v || !v->node || v->node->right || !v->node->from)
        return;
    c->right_valid =
        smt_and(&c->pool, c->right_valid, smt_and(&c->pool, v->node->valid, v->node->right_axes));
    for (int i = 0; i < v->node->n_in; i++)
        state_kept(c, v->node->in[i]);
}

static prove_value *right_name(prove_case *c, int name)
{
    int node = c->rule->names[name].right;

    if (!c->names[name].value && node >= 0)
        right_node(c, node, -1);
    if (!c->names[name].value && c->names[name].attr) {
        prove_count_axis(c, &c->names[name].attr, &c->names[name].axis_of);
        c->names[name].value = prove_ints_value(c, -1, &c->names[name].attr);
    }
    if (!c->names[name].value && !c->names[name].absent)
        prove_unknown(c, "a name without a value");
    if (c->rule->names[name].node >= 0)
        state_kept(c, c->names[name].value);
    return c->names[name].value;
}

/* How many nodes `...node` stands for: as many as the lists among its operands, or its window, have
 * numbers. */
static int spread_length(const prove_case *c, const rule_node *from)
{
    for (int i = 0; i < from->n_in; i++) {
        if ((from->in[i].kind == TERM_NAME || from->in[i].kind == TERM_WINDOW) &&
            c->rule->names[from->in[i].name].kind != RULE_VALUE &&
            c->rule->names[from->in[i].name].kind != RULE_WINDOW)
            return c->names[from->in[i].name].n_list;
    }
    return 0;
}

static void right_window(prove_case *c, prove_node *n, const rule_term *t, int of)
{
    prove_name *name = &c->names[t->name];
    prove_window *w = name->window;

    if (c->rule->names[t->name].kind == RULE_WINDOWS && of >= 0)
        w = name->windows[of];
    if (!w || c->cut)
        return;
    prove_need(c, prove_rank(c, n->in[0]) == w->rank);
    n->window = w;
    for (int i = 0; i < w->rank && !c->cut; i++) {
        const smt *size = n->in[0]->dim[i];
        const smt *none = smt_eq(&c->pool, w->axis[i].count, smt_int(&c->pool, 0));

        /* Numbers that fit the smaller axis mean the same positions of the larger one. */
        prove_must(c, n,
                   w->known ? smt_or(&c->pool, none, smt_le(&c->pool, w->axis[i].size, size))
                            : smt_eq(&c->pool, w->axis[i].size, size));
    }
    prove_must(c, n, w->proper);
}

static void add_list(prove_node *n, const prove_name *list)
{
    for (int i = 0; i < list->n_list && n->n_in < SMT_ARGS; i++)
        n->in[n->n_in++] = list->list[i];
}

static void add_spread(prove_case *c, prove_node *n, int index)
{
    int length = spread_length(c, &c->rule->right.nodes[index]);

    for (int i = 0; i < length && n->n_in < SMT_ARGS && prove_goes_on(c); i++)
        n->in[n->n_in++] = &right_node(c, index, i)->out[0];
}

static void right_operand(prove_case *c, prove_node *n, const rule_term *t, int of)
{
    switch (t->kind) {
    case TERM_NAME:
        if (c->rule->names[t->name].kind == RULE_LIST && of >= 0)
            n->in[n->n_in++] = c->names[t->name].list[of];
        else
            n->in[n->n_in++] = right_name(c, t->name);
        break;
    case TERM_NODE:
        n->in[n->n_in++] = &right_node(c, t->node, -1)->out[0];
        break;
    case TERM_REST:
        add_list(n, &c->names[t->name]);
        break;
    case TERM_SPREAD:
        add_spread(c, n, t->node);
        break;
    case TERM_WINDOW:
        right_window(c, n, t, of);
        break;
    case TERM_INTS:
        n->in[n->n_in++] = ints_of_rule(c, t->ints, false);
        break;
    case TERM_ANY:
        break;
    }
}

/* A Slice whose window takes everything is its data. */
static void shape_whole(prove_case *c, prove_node *n)
{
    prove_set_sizes(c, n, 0, prove_rank(c, n->in[0]), n->in[0]->dim);
}

static const smt *element_of_whole(prove_case *c, const prove_node *n, int out,
                                   const smt *const *at)
{
    (void)out;
    return prove_element(c, n->in[0], at);
}

static const prove_row whole_row = {"", shape_whole, element_of_whole, NULL, 0, NULL};

/* All sizes that N's shape rule looks at are known: a right side that it refuses is not made. */
static bool is_checked(const prove_node *n)
{
    bool known = (n->row->flags & PROVE_CHECKS_KNOWN) != 0;

    for (int i = 0; i < n->n_in && known; i++)
        known = n->in[i]->fixed || (i > 1 && n->in[i]->n_ints >= 0);
    return known;
}

static prove_node *right_node(prove_case *c, int index, int of)
{
    const rule_node *from = &c->rule->right.nodes[index];
    prove_node *n = of < 0 ? c->right[index] : NULL;

    if (n)
        return n;
    n = new_node(c, from, true);
    if (of < 0)
        c->right[index] = n;
    bind_outs(c, n);
    n->row = row_of(c, from);
    for (int i = 0; i < from->n_in && prove_goes_on(c); i++)
        right_operand(c, n, &from->in[i], of);
    if (of >= 0 && !n->window)
        n->row = &whole_row;
    if (prove_is_by_channels(c->rule, from))
        n->row = &prove_channel_row;
    finish(c, n);
    if (prove_goes_on(c) && is_checked(n))
        prove_assume(c, n->valid);
    c->right_valid = smt_and(&c->pool, c->right_valid, n->valid);
    return n;
}

static void add_result(prove_case *c, prove_value *v)
{
    prove_need(c, c->n_results < SMT_ARGS);
    if (!c->cut && v) {
        prove_rank(c, v);
        c->results[c->n_results++] = v;
    }
}

static void add_results(prove_case *c, const rule_term *t)
{
    prove_node several = {.n_in = 0};

    if (t->kind == TERM_REST)
        add_list(&several, &c->names[t->name]);
    else if (t->kind == TERM_SPREAD)
        add_spread(c, &several, t->node);
    else
        right_operand(c, &several, t, -1);
    for (int i = 0; i < several.n_in; i++)
        add_result(c, several.in[i]);
}

void prove_build_right(prove_case *c)
{
    for (int i = 0; i < c->rule->right.n_values && prove_goes_on(c); i++)
        add_results(c, &c->rule->right.values[i]);
    prove_need(c, c->n_results == c->left[c->rule->root]->n_out);
    for (int i = 0; i < c->n_results && prove_goes_on(c); i++) {
        const prove_value *old = &c->left[c->rule->root]->out[i];

        if (c->ranks_known || prove_knows_rank(c, old))
            prove_need(c, c->results[i]->rank == old->rank);
    }
    for (int i = 0; i < c->n_results && prove_goes_on(c); i++) {
        prove_state_fixed_result(c, &c->left[c->rule->root]->out[i], c->results[i]);
        prove_state_size_of_constants(c, &c->left[c->rule->root]->out[i], c->results[i]);
    }
}
