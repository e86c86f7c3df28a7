/* Makes random nodes that match the left side of a rule. */
#include "passes/check/maker.h"

#include <stdio.h>
#include <string.h>

static inlay_node *make_node(check_maker *m, int index);

/* Argument K of the clause is NAME. */
static bool is_argument(const rule_clause *c, int k, int name)
{
    return k < c->n_args && c->args[k].kind != TERM_INTS && c->args[k].name == name;
}

/* NAME is argument K of CONDITION. */
static bool calls_with(const rule *r, const char *condition, int k, int name)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *c = &r->clauses[i];

        if (strcmp(c->fn->name, condition) == 0 && is_argument(c, k, name))
            return true;
    }
    return false;
}

/* The rule has CONDITION about NAME. */
static bool calls(const rule *r, const char *condition, int name)
{
    return calls_with(r, condition, 0, name);
}

/* ---- which operation ---- */

/* The flags that the row of `any f` must have for the conditions to hold. */
static unsigned flags_of(const check_maker *m, const rule_node *from)
{
    unsigned flags = 0, reshapes = 0;

    for (int i = 0; i < m->rule->n_clauses; i++) {
        const rule_clause *c = &m->rule->clauses[i];

        if (is_argument(c, 0, from->op_name) && !c->negated)
            flags |= c->fn->flags;
        reshapes |= c->fn->flags & INLAY_RESHAPES;
    }
    return flags ? flags : reshapes;
}

/* OP is an operation of OpenVINO that `any f` with N_IN operands may stand for. */
static bool may_be(const inlay_op *op, unsigned flags, int n_in)
{
    return strcmp(op->set, "opset") == 0 && op->eval && (op->flags & flags) == flags &&
           !(op->flags & (INLAY_EFFECT | INLAY_HAS_BODY | INLAY_SINK)) && op->n_out == 1 &&
           (n_in <= op->n_in || op->variadic_in) && n_in >= op->min_in;
}

/* A random one of these; NULL: there is none. */
static const inlay_op *any_row(check_maker *m, const rule_node *from, int n_in)
{
    const inlay_op *chosen = NULL;
    unsigned flags = flags_of(m, from);
    int64_t n = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);

        if (may_be(op, flags, n_in) && check_one_in(m, ++n))
            chosen = op;
    }
    return chosen;
}

static const inlay_op *row_of(check_maker *m, const rule_node *from, int n_in)
{
    if (from->op_name >= 0 && m->names[from->op_name].op)
        return m->names[from->op_name].op->op;
    if (from->op_name >= 0)
        return any_row(m, from, n_in);
    return from->rows[check_draw(m, 0, from->n_rows - 1)];
}

/* ---- operands ---- */

/* What has been made for a node so far. */
struct draft {
    const rule_node *from;
    const inlay_op *op;
    inlay_value *in[2 * RULE_TERMS];
    int n_in;
    inlay_value *window[4];
};

/* The windows of D, if their operands are constants. */
static bool windows_of(const struct draft *d, int rank, inlay_window *out)
{
    int64_t lists[4][INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    inlay_slice s = {d->window[0]->fact.n_known, lists[0], lists[1], lists[2], lists[3], "", ""};
    char why[100];

    for (int i = 0; i < rank; i++)
        dims[i] = d->in[0]->fact.dims[i].lo;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < s.n; i++)
            lists[k][i] = d->window[k]->fact.known[i].lo;
    }
    return inlay_slice_windows(&s, rank, dims, out, why, sizeof why);
}

/* Data with the sizes of D's window; with any sizes if its numbers are not known. */
static inlay_value *windowed(check_maker *m, const struct draft *d)
{
    inlay_window w[INLAY_MAX_RANK];
    inlay_shape shape = {.rank = d->in[0]->fact.rank};
    bool known = d->window[0]->fact.known != NULL;

    if (shape.rank < 0 || (known && !windows_of(d, shape.rank, w)))
        return NULL;
    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] =
            known ? inlay_dim_of(w[i].count) : (inlay_dim){0, d->in[0]->fact.dims[i].hi, 0};
    return inlay_build_parameter(m->graph, NULL, d->in[0]->fact.type, &shape, m->diags);
}

/* The rule calls one of FUNCTIONS (NULL ends the list) with name number AT as one of the first N
 * arguments. */
static bool calls_any(const rule *r, const char *const *functions, int n, int at)
{
    for (; *functions; functions++) {
        for (int k = 0; k < n; k++) {
            if (calls_with(r, *functions, k, at))
                return true;
        }
    }
    return false;
}

/* The number that all elements of name number AT must equal; NULL: none is written. */
static const rule_ints *asked_of(const rule *r, int at)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *c = &r->clauses[i];

        if (strcmp(c->fn->name, "equals") == 0 && is_argument(c, 0, at) &&
            c->args[1].kind == TERM_INTS)
            return c->args[1].ints;
    }
    return NULL;
}

/* Notes what the rule requires of name number AT. */
static void note_wishes(check_maker *m, int at)
{
    static const char *const of_constants[] = {"constant",   "finite",       "not_zero",
                                               "invertible", "product_fits", "sum_fits",
                                               "scales",     "normalizes",   NULL},
                             *const of_alike[] = {"equals", "all_true", "none_true", "zeros_only",
                                                  NULL},
                             *const of_numbers[] = {"only_number", "reciprocal", "least", NULL},
                             *const of_low[] = {"very_low", "least", NULL};

    m->alike = calls_any(m->rule, of_alike, 1, at);
    m->constant = m->alike || calls_any(m->rule, of_constants, RULE_ARGS, at);
    m->number = calls_any(m->rule, of_numbers, 1, at);
    m->low = calls_any(m->rule, of_low, 1, at);
    m->scalar = calls(m->rule, "scalar", at);
    m->asked = asked_of(m->rule, at);
    m->margins = calls_with(m->rule, "raised_padding", 2, at);
}

static inlay_value *free_operand(check_maker *m, const struct draft *d)
{
    int row = d->n_in < d->op->n_in ? d->n_in : d->op->n_in - 1;

    if (d->op->in[row].role == INLAY_ROLE_UPDATES && d->window[0] && !check_one_in(m, 12))
        return windowed(m, d);
    if (d->n_in == 0 && d->from->n_outs == 1 && d->from->outs[0] >= 0 &&
        calls(m->rule, "tiles", d->from->outs[0]) && !check_one_in(m, 8))
        return check_written(m);
    return check_operand(m, d->op, d->n_in, d->in);
}

static bool add(struct draft *d, inlay_value *v)
{
    if (d->n_in == 2 * RULE_TERMS)
        return false;
    d->in[d->n_in++] = v;
    return true;
}

static bool add_name(check_maker *m, struct draft *d, const rule_term *t)
{
    const rule_name *info = &m->rule->names[t->name];
    check_name *name = &m->names[t->name];

    if (!name->bound && info->node >= 0) {
        inlay_node *n = make_node(m, info->node);

        if (!n || info->out >= n->n_out)
            return false;
        name->value = &n->out[info->out];
    } else if (!name->bound && !(t->optional && check_one_in(m, 2))) {
        note_wishes(m, t->name);
        name->value = free_operand(m, d);
        m->constant = m->alike = m->number = m->scalar = m->low = m->margins = false;
        m->asked = NULL;
        if (!name->value)
            return false;
    }
    name->bound = true;
    return add(d, name->value);
}

static bool fill_list(check_maker *m, const struct draft *d, check_name *list)
{
    bool copies = check_one_in(m, 4);

    if (!copies && check_one_in(m, 3))
        return check_list(m, list->n_list, list->list);
    for (int i = 0; i < list->n_list; i++) {
        list->list[i] = copies && i > 0 ? list->list[0] : free_operand(m, d);
        if (!list->list[i])
            return false;
    }
    return true;
}

static bool add_rest(check_maker *m, struct draft *d, int at)
{
    const rule_name *info = &m->rule->names[at];
    check_name *list = &m->names[at];

    if (!list->bound && info->node >= 0) {
        if (!make_node(m, info->node))
            return false;
    } else if (!list->bound) {
        list->n_list = (int)check_draw(m, 1, CHECK_LIST);
        if (!fill_list(m, d, list))
            return false;
        list->bound = true;
    }
    for (int i = 0; i < list->n_list; i++) {
        if (!add(d, list->list[i]))
            return false;
    }
    return true;
}

/* The clause `let f = relative(part, whole)` in which window AT is argument K; NULL: none. */
static const rule_clause *relative_of(const rule *r, int k, int at)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *c = &r->clauses[i];

        if (strcmp(c->fn->name, "relative") == 0 && is_argument(c, k, at))
            return c;
    }
    return NULL;
}

/* Which window stands for window AT where the rule compares positions of windows: the one relative
 * to a window of the same data, if the rule computes that. */
static int place_of(const rule *r, int at)
{
    const rule_clause *c = relative_of(r, 0, at);

    return c && c->target >= 0 ? c->target : at;
}

/* Window AT is divided into two adjacent parts. */
static bool is_cut_again(const rule *r, int at)
{
    const rule_clause *c = relative_of(r, 1, at);

    return c && c->target >= 0 && calls(r, "before", c->target);
}

/* The rule requires another window before window AT. */
static bool is_behind(const rule *r, int at)
{
    return calls_with(r, "before", 1, at);
}

/* Window AT is one of two parts of a value. */
static bool is_cut(const rule *r, int at)
{
    int place = place_of(r, at);

    return calls(r, "cut_axis", at) && (calls(r, "before", place) || is_behind(r, place));
}

/* A window that must come before or after another one along an axis is mostly one of two adjacent
 * parts, and their data is both together. */
static bool draw_window(check_maker *m, const struct draft *d, int at)
{
    inlay_value **out = m->names[at].window;
    bool cut = is_cut(m->rule, at);
    bool again = is_cut_again(m->rule, at);

    if ((!cut && !again) || check_one_in(m, 8))
        return check_window(m, d->in[0], out);
    if (again)
        return check_part(m, m->cut_from, m->cut_to, out);
    if (is_behind(m->rule, place_of(m->rule, at)))
        return check_part(m, m->cut_at, m->cut_to, out);
    return check_part(m, m->cut_from, m->cut_at, out);
}

/* Chooses where windows that are two parts of one value are divided. */
static void draw_cut(check_maker *m)
{
    const rule *r = m->rule;
    bool again = false;

    for (int i = 0; i < r->n_names; i++) {
        again = again || is_cut_again(r, i);
        m->cuts = m->cuts || is_cut(r, i);
    }
    m->cut_axis = (int)check_draw(m, 0, m->rank - 1);
    m->cut_to = m->rank > 0 ? m->dims[m->cut_axis] : 0;
    if (again) { /* the two parts need not cover the data */
        m->cut_from = check_draw(m, 0, m->cut_to / 2);
        m->cut_to -= check_draw(m, 0, m->cut_to / 3);
    }
    m->cut_at = check_draw(m, m->cut_from, m->cut_to);
}

static bool take_window(check_maker *m, struct draft *d, int at)
{
    check_name *name = &m->names[at];

    if (!name->bound && !draw_window(m, d, at))
        return false;
    name->bound = true;
    memcpy(d->window, name->window, sizeof d->window);
    return true;
}

/* One number of TYPE, a float type; sometimes with an axis. */
static inlay_value *real_literal(check_maker *m, inlay_type type, double x)
{
    int64_t one = 1;
    int rank = check_one_in(m, 8);
    inlay_tensor *t = inlay_type_is_float(type) ? inlay_tensor_new(type, rank, &one) : NULL;
    inlay_value *v = NULL;

    if (t) {
        inlay_tensor_set_f64(t, 0, x);
        v = inlay_build_const(m->graph, NULL, t, m->diags);
    }
    inlay_tensor_release(t);
    return v;
}

/* The next operand of D, of a type that it may have; integers that share no type variable with
 * another operand are i64. */
static inlay_value *literal(check_maker *m, const struct draft *d, const rule_ints *ints)
{
    int64_t n = ints->n;
    int row = d->n_in < d->op->n_in ? d->n_in : d->op->n_in - 1;
    inlay_type type = check_type(m, d->op, row, d->in);

    if (ints->is_real)
        return real_literal(m, type, ints->real);
    if (!inlay_type_is_int(type) || ints->rank > 0)
        type = INLAY_I64;
    return inlay_build_ints(m->graph, NULL, type, ints->rank, &n, ints->x, m->diags);
}

static bool add_term(check_maker *m, struct draft *d, const rule_term *t)
{
    inlay_node *n;
    inlay_value *v;

    switch (t->kind) {
    case TERM_NAME:
        return add_name(m, d, t);
    case TERM_NODE:
        n = make_node(m, t->node);
        return n && add(d, &n->out[0]);
    case TERM_REST:
        return add_rest(m, d, t->name);
    case TERM_WINDOW:
        for (int i = 0; i < 4; i++) {
            if (!add(d, d->window[i]))
                return false;
        }
        return true;
    case TERM_INTS:
        v = literal(m, d, t->ints);
        return v && add(d, v);
    case TERM_ANY:
    case TERM_SPREAD:
        v = free_operand(m, d);
        return v && add(d, v);
    }
    return false;
}

/* The operand that defines the window is made before the updates, whose sizes depend on it. */
static bool add_terms(check_maker *m, struct draft *d)
{
    const rule_term *window = NULL;

    for (int i = 0; i < d->from->n_in; i++) {
        if (d->from->in[i].kind == TERM_WINDOW)
            window = &d->from->in[i];
    }
    for (int i = 0; i < d->from->n_in; i++) {
        if (!add_term(m, d, &d->from->in[i]))
            return false;
        if (i == 0 && window && !take_window(m, d, window->name))
            return false;
    }
    return true;
}

/* ---- nodes ---- */

static int count_of(check_maker *m, const rule_node *from)
{
    int n = 0;

    for (int i = 0; i < from->n_in; i++) {
        const rule_term *t = &from->in[i];

        n += t->kind == TERM_REST ? (m->names[t->name].bound ? m->names[t->name].n_list : 2) : 1;
    }
    return n;
}

/* Two commutative operands are sometimes swapped, since a rule accepts them in either order. */
static void turn_operands(check_maker *m, struct draft *d)
{
    inlay_value *first = d->in[0];

    if (!d->from->type || d->n_in != 2 || !(d->op->flags & INLAY_COMMUTES) || !check_one_in(m, 4))
        return;
    d->in[0] = d->in[1];
    d->in[1] = first;
}

static inlay_node *try_node(check_maker *m, const rule_node *from)
{
    struct draft d = {.from = from, .op = row_of(m, from, count_of(m, from))};
    char type[100];
    inlay_node *n;
    bool ok = true;

    if (!d.op || !add_terms(m, &d))
        return NULL;
    turn_operands(m, &d);
    snprintf(type, sizeof type, "%s@%s", d.op->name, d.op->written);
    n = inlay_build_begin(m->graph, NULL, type, d.in, d.n_in, m->diags);
    for (int i = 0; n && ok && i < d.op->n_attrs; i++)
        ok = check_set_attr(m, n, from, &d.op->attrs[i]);
    return inlay_build_end(n, ok, m->diags);
}

static bool bind_outs(check_maker *m, const rule_node *from, inlay_node *n)
{
    if (from->outs_rest) {
        check_name *list = &m->names[from->outs[0]];

        if (n->n_out > CHECK_LIST)
            return false;
        list->bound = true;
        list->n_list = n->n_out;
        for (int i = 0; i < n->n_out; i++)
            list->list[i] = &n->out[i];
        return true;
    }
    if (n->n_out != (from->n_outs ? from->n_outs : 1))
        return false;
    for (int i = 0; i < from->n_outs; i++) {
        if (from->outs[i] >= 0) {
            m->names[from->outs[i]].bound = true;
            m->names[from->outs[i]].value = &n->out[i];
        }
    }
    return true;
}

/* Makes the nodes that are operands of FROM, once, however often FROM is tried. */
static bool make_operands(check_maker *m, const rule_node *from)
{
    for (int i = 0; i < from->n_in; i++) {
        const rule_term *t = &from->in[i];
        int node = t->kind == TERM_NODE                           ? t->node
                   : t->kind == TERM_NAME || t->kind == TERM_REST ? m->rule->names[t->name].node
                                                                  : -1;

        if (node >= 0 && !make_node(m, node))
            return false;
    }
    return true;
}

/* Makes operands of the node until its shape rule accepts them. */
static inlay_node *make_node(check_maker *m, int index)
{
    const rule_node *from = &m->rule->left.nodes[index];
    check_name names[RULE_NAMES];
    inlay_node *n = m->nodes[index];

    if (n || !make_operands(m, from))
        return n;
    memcpy(names, m->names, sizeof names);
    for (int i = 0; !n && i < CHECK_TRIES; i++) {
        n = try_node(m, from);
        if (!n)
            memcpy(m->names, names, sizeof names);
    }
    if (!n) {
        m->unmade = m->unmade ? m->unmade : from;
        return NULL;
    }
    m->nodes[index] = n;
    if (from->op_name >= 0)
        m->names[from->op_name].op = n;
    return bind_outs(m, from, n) ? n : NULL;
}

/* Removes the operands of nodes that were refused. */
static bool sweep(check_maker *m)
{
    for (inlay_node *n = m->graph->last, *before; n; n = before) {
        bool used = n->n_out == 0;

        before = n->prev;
        for (int i = 0; i < n->n_out; i++)
            used = used || n->out[i].uses;
        if (!used && !inlay_node_remove(n, m->diags))
            return false;
    }
    return true;
}

/* Makes an output for V, whose own name a rewrite must keep. */
static bool show(check_maker *m, inlay_value *v)
{
    inlay_value *axis = inlay_build_i64(m->graph, NULL, 0, m->diags);
    inlay_node *n = axis ? inlay_build(m->graph, NULL, "Unsqueeze", (inlay_value *[]){v, axis}, 2,
                                       NULL, m->diags)
                         : NULL;

    return n && inlay_build_result(m->graph, NULL, &n->out[0], m->diags);
}

/* The order by which an operand of N is transposed; NULL: none is. */
static const inlay_value *order_below(const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_node *below = n->in[i].value ? n->in[i].value->node : NULL;

        if (below && inlay_node_operand(below, INLAY_ROLE_ORDER))
            return inlay_node_operand(below, INLAY_ROLE_ORDER);
    }
    return NULL;
}

/* The order of the Transpose that must read name number AT; NULL: none has to. Where the rule finds
 * the order, it is that below ROOT. */
static const inlay_value *turned_by(const check_maker *m, const inlay_node *root, int at)
{
    for (int i = 0; i < m->rule->n_clauses; i++) {
        const rule_clause *c = &m->rule->clauses[i];

        if (strcmp(c->fn->name, "turned_back") == 0 && is_argument(c, 0, at) &&
            c->args[1].kind == TERM_NAME) {
            const inlay_value *order = m->names[c->args[1].name].value;

            return order ? order : order_below(root);
        }
    }
    return NULL;
}

/* Makes an output for V behind a Transpose that undoes one by ORDER, where that is known. */
static bool show_turned(check_maker *m, inlay_value *v, const inlay_value *order)
{
    int64_t back[INLAY_MAX_RANK] = {0}, n = order->fact.n_known;
    inlay_value *list;
    inlay_node *turned;

    if (!order->fact.known || n > INLAY_MAX_RANK)
        return true;
    for (int i = 0; i < n; i++) {
        int64_t axis = order->fact.known[i].lo;

        if (axis < 0 || axis >= n)
            return true;
        back[axis] = i;
    }
    list = inlay_build_ints(m->graph, NULL, INLAY_I64, 1, &n, back, m->diags);
    turned = list ? inlay_build(m->graph, NULL, "Transpose", (inlay_value *[]){v, list}, 2, NULL,
                                m->diags)
                  : NULL;
    return !turned || show(m, &turned->out[0]);
}

/* Makes an output for output I of the root, and what the rule requires behind it. */
static bool show_output(check_maker *m, inlay_node *root, int i)
{
    const rule_node *from = &m->rule->left.nodes[m->rule->root];
    const inlay_value *order = i < from->n_outs ? turned_by(m, root, from->outs[i]) : NULL;

    return show(m, &root->out[i]) &&
           (!order || check_one_in(m, 8) || show_turned(m, &root->out[i], order));
}

/* The same for operands of ROOT that something must turn. */
static bool show_operands(check_maker *m, inlay_node *root)
{
    const rule_node *from = &m->rule->left.nodes[m->rule->root];
    bool ok = true;

    for (int i = 0; ok && i < from->n_in; i++) {
        const inlay_value *order =
            from->in[i].kind == TERM_NAME ? turned_by(m, root, from->in[i].name) : NULL;

        if (order && !check_one_in(m, 8))
            ok = show_turned(m, inlay_node_input(root, i), order);
    }
    return ok;
}

/* The rule requires that nothing reads output I of the root, and mostly nothing does. */
static bool is_unread(check_maker *m, int i)
{
    const rule_node *root = &m->rule->left.nodes[m->rule->root];

    return i < root->n_outs && root->outs[i] >= 0 && calls(m->rule, "unread", root->outs[i]) &&
           !check_one_in(m, 8);
}

bool check_make(check_maker *m)
{
    inlay_node *root;

    draw_cut(m);
    root = make_node(m, m->rule->root);
    for (int i = 0; root && i < root->n_out; i++) {
        if (!is_unread(m, i) && !show_output(m, root, i))
            return false;
    }
    if (root && !show_operands(m, root))
        return false;
    if (root && check_one_in(m, 8)) { /* another node reads what the rule removes */
        inlay_node *other = m->nodes[check_draw(m, 0, m->rule->left.n_nodes - 1)];

        if (other && other != root && !show(m, &other->out[0]))
            return false;
    }
    return root && sweep(m);
}
