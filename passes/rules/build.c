/* Makes the nodes of a rule's right side: for "=> Add(x, 1)" a constant 1 and an Add. */
#include "passes/rules/build.h"
#include "ir/shared.h"
#include "passes/rules/window.h"

static inlay_node *make_node(rule_building *b, int index);

static inlay_value *make_real(rule_building *b, const rule_ints *number)
{
    inlay_tensor *t = inlay_tensor_new(number->type, 0, NULL);
    inlay_value *v;

    if (!t) {
        inlay_fail_memory(b->diags);
        return NULL;
    }
    inlay_tensor_set_f64(t, 0, number->real);
    v = inlay_build_const(b->m->graph, NULL, t, b->diags);
    inlay_tensor_release(t);
    return v;
}

static inlay_value *make_ints(rule_building *b, const rule_ints *ints)
{
    int64_t n = ints->n;

    if (ints->is_real)
        return make_real(b, ints);
    return inlay_build_ints(b->m->graph, NULL, ints->type, ints->rank, &n, ints->x, b->diags);
}

/* *OUT becomes NULL if the operand is absent. */
static bool make_name(rule_building *b, int name, inlay_value **out)
{
    const rule_name *info = &b->m->rule->names[name];
    const rule_binding *bound = &b->m->names[name];
    inlay_node *n;

    *out = NULL;
    if (info->right >= 0) {
        n = make_node(b, info->right);
        if (n && info->out < n->n_out)
            *out = &n->out[info->out];
        return *out != NULL;
    }
    if (info->kind != RULE_INTEGERS) {
        *out = bound->value;
        return true;
    }
    if (bound->ints)
        *out = make_ints(b, bound->ints);
    return !bound->ints || *out;
}

/* Makes a literal operand. A number with a point has the type of the value that is replaced; NULL
 * if that type cannot represent it. */
static inlay_value *make_literal(rule_building *b, const rule_ints *literal)
{
    const inlay_node *root = b->m->nodes[b->m->rule->root];
    rule_ints number = *literal;

    if (!literal->is_real)
        return make_ints(b, literal);
    number.type = root->out[0].fact.type;
    return inlay_type_is_float(number.type) &&
                   rule_has_number(number.type, number.real, b->m->rule->exactness)
               ? make_real(b, &number)
               : NULL;
}

static bool make_term(rule_building *b, const rule_term *t, inlay_value **out)
{
    inlay_node *n;

    if (t->kind == TERM_NAME)
        return make_name(b, t->name, out);
    if (t->kind == TERM_INTS) {
        *out = make_literal(b, t->ints);
        return *out != NULL;
    }
    n = make_node(b, t->node);
    *out = n ? &n->out[0] : NULL;
    return n != NULL;
}

/* The number of nodes that `...NODE` stands for: one for each element of the lists among its
 * operands. -1: the lists have different lengths. */
static int count_spread(const rule_building *b, const rule_node *node)
{
    int n = -1;

    for (int i = 0; i < node->n_in; i++) {
        const rule_term *t = &node->in[i];
        const rule_binding *bound =
            t->kind == TERM_NAME || t->kind == TERM_WINDOW ? &b->m->names[t->name] : NULL;

        if (!bound || (bound->kind != RULE_LIST && bound->kind != RULE_WINDOWS))
            continue;
        if (n >= 0 && n != bound->n_list)
            return -1;
        n = bound->n_list;
    }
    return n;
}

/* Element ELEMENT of a list of windows; a single window is the same for all elements. */
static const rule_window *window_at(const rule_building *b, const rule_term *t, int element)
{
    const rule_binding *bound = &b->m->names[t->name];

    return bound->kind == RULE_WINDOWS ? bound->windows[element] : bound->window;
}

/* W takes every element of DATA. DATA may be a scalar. */
static bool takes_all(const rule_window *w, const inlay_value *data)
{
    if (!w->known || data->fact.rank != w->rank)
        return false;
    for (int i = 0; i < w->rank; i++) {
        if (!inlay_window_equal(w->axis[i], rule_whole(data->fact.dims[i])))
            return false;
    }
    return true;
}

static bool make_axes(rule_building *b, const rule_ints *axes, inlay_value **out)
{
    int64_t n = axes->n;

    *out = inlay_build_ints(b->m->graph, NULL, axes->type, 1, &n, axes->x, b->diags);
    return *out != NULL;
}

/* Makes the operands start, stop, step and axes for a window of DATA, with only the axes that the
 * window cuts. A window that was matched in the graph keeps its operands. */
static bool make_window(rule_building *b, const rule_window *w, const inlay_value *data,
                        inlay_value **out)
{
    int64_t list[4][INLAY_MAX_RANK], n = 0;

    if (w->from) {
        for (int i = 0; i < 4; i++)
            out[i] = inlay_node_window(w->from, i);
        return !w->axes || make_axes(b, w->axes, &out[3]);
    }
    if (data->fact.rank != w->rank)
        return false;
    for (int a = 0; a < w->rank; a++) {
        inlay_window whole = rule_whole(data->fact.dims[a]);

        if (inlay_window_equal(w->axis[a], whole))
            continue;
        inlay_window_denormalise(w->axis[a], whole.count, &list[0][n], &list[1][n], &list[2][n]);
        list[3][n++] = a;
    }
    if (n == 0) { /* a Slice must name an axis: all of axis 0 */
        list[0][0] = list[3][0] = 0;
        list[1][0] = INT64_MAX;
        list[2][0] = 1;
        n = 1;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = inlay_build_ints(b->m->graph, NULL, INLAY_I64, 1, &n, list[i], b->diags);
        if (!out[i])
            return false;
    }
    return true;
}

/* The number of operands that NODE gets. */
static int count_operands(const rule_building *b, const rule_node *node)
{
    int n = 0;

    for (int i = 0; i < node->n_in; i++) {
        const rule_term *t = &node->in[i];
        int k = 1;

        if (t->kind == TERM_WINDOW)
            k = 4;
        else if (t->kind == TERM_REST)
            k = b->m->names[t->name].n_list;
        else if (t->kind == TERM_SPREAD)
            k = count_spread(b, &b->m->rule->right.nodes[t->node]);
        n += k > 0 ? k : 0;
    }
    return n;
}

/* Adds the values of a list that the left side matched or a let computed. */
static void make_rest(rule_building *b, const rule_term *t, inlay_value **in, int *n)
{
    const rule_binding *bound = &b->m->names[t->name];

    for (int i = 0; i < bound->n_list; i++)
        in[(*n)++] = bound->list[i];
}

static bool make_element(rule_building *b, const rule_node *node, int element, inlay_value **out);
static bool make_whole(rule_building *b, const rule_node *node, int element, inlay_value **data);

/* Adds the values of `...node`, one after another. */
static bool make_spread(rule_building *b, const rule_term *t, inlay_value **in, int *n)
{
    const rule_node *node = &b->m->rule->right.nodes[t->node];
    int count = count_spread(b, node);

    for (int i = 0; i < count; i++) {
        if (!make_element(b, node, i, &in[(*n)++]))
            return false;
    }
    return count >= 0;
}

/* Makes the operand T. Within `...node` a list stands for its element ELEMENT. */
static bool make_operand(rule_building *b, const rule_term *t, int element, inlay_value **in,
                         int *n)
{
    const rule_binding *bound = t->kind == TERM_NAME ? &b->m->names[t->name] : NULL;

    switch (t->kind) {
    case TERM_REST:
        make_rest(b, t, in, n);
        return true;
    case TERM_SPREAD:
        return make_spread(b, t, in, n);
    case TERM_WINDOW:
        *n += 4;
        return make_window(b, window_at(b, t, element), in[0], in + *n - 4);
    case TERM_NODE:
        if (!make_whole(b, &b->m->rule->right.nodes[t->node], element, &in[*n]))
            return false;
        return in[(*n)++] || make_term(b, t, &in[*n - 1]);
    default:
        if (!bound || bound->kind != RULE_LIST)
            return make_term(b, t, &in[(*n)++]);
        in[(*n)++] = bound->list[element];
        return true;
    }
}

static bool make_operands(rule_building *b, const rule_node *node, int element, inlay_value **in,
                          int *n)
{
    *n = 0;
    for (int i = 0; i < node->n_in; i++) {
        if (!make_operand(b, &node->in[i], element, in, n))
            return false;
    }
    while (*n > 0 && !in[*n - 1])
        (*n)--;
    return true;
}

/* The matched node with the operation of NODE: the same type, and a row that NODE may have. */
static const inlay_node *matched_like(const rule_match *m, const rule_node *node)
{
    const rule_side *left = &m->rule->left;

    if (node->op_name >= 0)
        return m->names[node->op_name].op;
    for (int i = left->n_nodes - 1; i >= 0; i--) {
        for (int k = 0; m->nodes[i] && k < node->n_rows; k++) {
            if (m->nodes[i]->op == node->rows[k])
                return m->nodes[i];
        }
    }
    return NULL;
}

/* The row of the matched node of this type; if there is none, the newest row. */
static const inlay_op *row_of(const rule_node *node, const inlay_node *like)
{
    const inlay_op *newest = NULL;

    if (like)
        return like->op;
    for (int i = 0; i < node->n_rows; i++) {
        if (!newest || node->rows[i]->version > newest->version)
            newest = node->rows[i];
    }
    return newest;
}

static bool set_all_attrs(inlay_node *n, const inlay_node *like, inlay_diags *d)
{
    for (int i = 0; i < n->op->n_attrs; i++) {
        if (like->attrs[i].set && !inlay_node_set_attr(n, n->op->attrs[i].name, &like->attrs[i], d))
            return false;
    }
    return true;
}

static bool set_attr(rule_building *b, inlay_node *n, const rule_attr *a)
{
    const rule_binding *bound = a->var < 0 ? NULL : &b->m->names[a->var];

    if (!bound)
        return inlay_node_set_attr(n, a->name, &a->literal, b->diags);
    if (a->kind == INLAY_ATTR_FLOAT && bound->kind == RULE_INTEGERS && bound->ints)
        return bound->ints->is_real &&
               inlay_node_set_float(n, a->name, bound->ints->real, b->diags);
    if (bound->kind == RULE_INTEGERS) {
        if (!bound->ints || (a->kind == INLAY_ATTR_INT && bound->ints->n != 1))
            return false;
        return a->kind == INLAY_ATTR_INT
                   ? inlay_node_set_int(n, a->name, bound->ints->x[0], b->diags)
                   : inlay_node_set_ints(n, a->name, bound->ints->x, bound->ints->n, b->diags);
    }
    return !bound->attr || inlay_node_set_attr(n, a->name, bound->attr, b->diags);
}

static bool fill_node(rule_building *b, const rule_node *node, const inlay_node *like,
                      inlay_node *n, inlay_value *const *in)
{
    int n_out;

    if ((node->op_name >= 0 || node->any_attrs) && (!like || !set_all_attrs(n, like, b->diags)))
        return false;
    for (int i = 0; i < node->n_attrs; i++) {
        if (!set_attr(b, n, &node->attrs[i]))
            return false;
    }
    for (int i = 0; i < n->n_in; i++) {
        if (!inlay_node_set_input(n, i, in[i], b->diags))
            return false;
    }
    n_out = inlay_node_n_out(n);
    return n_out > 0 && inlay_node_set_n_out(n, n_out, b->diags) && inlay_check_node(n, b->diags) &&
           inlay_infer_node(n, b->diags);
}

/* Makes NODE; within `...node`, for element ELEMENT of its lists. The recursion is bounded, because
 * the nesting of a rule is. */
static inlay_node *new_node(rule_building *b, const rule_node *node, int element)
{
    const inlay_node *like = matched_like(b->m, node);
    const inlay_op *op = row_of(node, like);
    int n_in = count_operands(b, node);
    inlay_value **in = rule_alloc(b->m, ((size_t)n_in + 1) * sizeof(inlay_value *));
    inlay_node *n;

    if (!in || !op || !make_operands(b, node, element, in, &n_in))
        return NULL;
    n = inlay_node_new(b->m->graph, op, NULL, n_in, op->n_out < 0 ? 0 : op->n_out, b->diags);
    return n && fill_node(b, node, like, n, in) ? n : NULL;
}

static inlay_node *make_node(rule_building *b, int index)
{
    if (!b->made[index])
        b->made[index] = new_node(b, &b->m->rule->right.nodes[index], 0);
    return b->made[index];
}

/* If NODE is a Slice that takes all of its data, *DATA is that data, which replaces the Slice: a
 * scalar has no axis that a Slice could name. Otherwise *DATA is NULL. */
static bool make_whole(rule_building *b, const rule_node *node, int element, inlay_value **data)
{
    const rule_window *w;
    int one = 0;

    *data = NULL;
    if (node->n_in != 2 || node->in[1].kind != TERM_WINDOW)
        return true;
    if (!make_operand(b, &node->in[0], element, data, &one))
        return false;
    w = window_at(b, &node->in[1], element);
    if (w && !takes_all(w, *data))
        *data = NULL;
    return true;
}

/* Makes the value of `...node` for one element of its lists. */
static bool make_element(rule_building *b, const rule_node *node, int element, inlay_value **out)
{
    inlay_node *n;

    if (!make_whole(b, node, element, out))
        return false;
    if (*out)
        return true;
    n = new_node(b, node, element);
    *out = n ? &n->out[0] : NULL;
    return n != NULL;
}

bool rule_make_values(rule_building *b, inlay_value **out, int n)
{
    const rule_side *right = &b->m->rule->right;
    const rule_term *first = &right->values[0];
    int made_n = 0;

    if (first->kind == TERM_SPREAD)
        return count_spread(b, &right->nodes[first->node]) == n &&
               make_spread(b, first, out, &made_n);
    if (first->kind == TERM_REST) {
        const rule_name *info = &b->m->rule->names[first->name];
        const rule_binding *list = &b->m->names[first->name];
        inlay_node *made = info->right < 0 ? NULL : make_node(b, info->right);

        if ((info->right >= 0 && !made) || (made ? made->n_out : list->n_list) != n)
            return false;
        for (int i = 0; i < n; i++)
            out[i] = made ? &made->out[i] : list->list[i];
        return true;
    }
    for (int i = 0; i < n; i++) {
        if (!make_term(b, &right->values[i], &out[i]) || !out[i])
            return false;
    }
    return true;
}
