/* Which operand of a node corresponds to which of a rule? Operands of a commutative operation match
 * in either order:
 *
 *     rule     Multiply(x, Sigmoid(x))
 *     graph    Multiply(%a, %b), where %a is a Sigmoid
 *
 * The order is found before names are bound, from what is visible without that: the types of
 * operations, numbers, and names that are bound already. So matching need not backtrack. */
#include "ir/shared.h"
#include "passes/rules/rule.h"

#include <math.h>
#include <string.h>

static double nearest_of(inlay_type type, double number)
{
    double nearest;

    inlay_store_f64(type, &nearest, 0, number);
    return inlay_load_f64(type, &nearest, 0);
}

double rule_step_from_one(inlay_type type)
{
    double step = 0x1p-52;

    while (step < 1 && nearest_of(type, 1 + step) <= 1)
        step *= 2;
    return step;
}

/* The tolerance of a number: a result may be four steps off, of which a number takes two; for
 * floats of few bits no more than a quarter of the number. */
bool rule_has_number(inlay_type type, double number, inlay_exactness exactness)
{
    double nearest = nearest_of(type, number);

    if (exactness != INLAY_APPROX)
        return nearest == number && signbit(nearest) == signbit(number);
    return fabs(nearest - number) <= fabs(number) * fmin(0.25, 2 * rule_step_from_one(type));
}

/* V is a constant of one float, the one of its type nearest to NUMBER, provided that it is near:
 * nf4 ends at 1, and f8e8m0 has no zero and no negative numbers. */
static bool is_real(double number, const inlay_value *v)
{
    const inlay_tensor *t = v ? v->fact.content : NULL;
    double nearest, found;

    if (!t || !inlay_type_is_float(t->type) || inlay_tensor_count(t) != 1)
        return false;
    nearest = nearest_of(t->type, number);
    found = inlay_tensor_get_f64(t, 0);
    return found == nearest && signbit(found) == signbit(nearest) &&
           fabs(nearest - number) <= fabs(number) / 4;
}

bool rule_is_literal(const rule_ints *ints, const inlay_value *v)
{
    const inlay_fact *f = v ? &v->fact : NULL;

    if (ints->is_real)
        return is_real(ints->real, v);
    if (!f || !f->known || f->rank != ints->rank || f->n_known != ints->n)
        return false;
    for (int i = 0; i < ints->n; i++) {
        if (!inlay_dim_is_static(f->known[i]) || f->known[i].lo != ints->x[i])
            return false;
    }
    return true;
}

bool rule_has_row(const rule_node *node, const inlay_node *n)
{
    for (int i = 0; i < node->n_rows; i++) {
        if (node->rows[i] == n->op)
            return true;
    }
    return false;
}

static bool node_looks_like(const rule_match *m, int index, const inlay_node *n);

static bool looks_like(const rule_match *m, const rule_term *t, const inlay_value *v)
{
    const rule_name *name = t->kind == TERM_NAME ? &m->rule->names[t->name] : NULL;

    if (t->kind == TERM_INTS)
        return rule_is_literal(t->ints, v);
    if (t->kind == TERM_NODE)
        return v && v->index == 0 && node_looks_like(m, t->node, v->node);
    if (!name)
        return true;
    if (m->names[t->name].bound && !inlay_value_same(m->names[t->name].value, v))
        return false;
    return name->node < 0 ||
           (v && v->index == name->out && node_looks_like(m, name->node, v->node));
}

/* The operands of N look like those of NODE; if FIRST is 1, with two of them swapped. */
static bool operands_look_like(const rule_match *m, const rule_node *node, const inlay_node *n,
                               int first)
{
    for (int i = 0; i < node->n_in; i++) {
        if (node->in[i].kind == TERM_REST || node->in[i].kind == TERM_WINDOW)
            return true;
        if (!looks_like(m, &node->in[i], inlay_node_input(n, i ^ first)))
            return false;
    }
    return true;
}

/* The operands of N look like those of NODE when swapped, and may be swapped. That is asked last,
 * because it means looking up an attribute by its name. */
static bool looks_turned(const rule_match *m, const rule_node *node, const inlay_node *n)
{
    const char *mode;

    if (!node->type || node->n_in != 2 || n->n_in != 2 || !(n->op->flags & INLAY_COMMUTES) ||
        !operands_look_like(m, node, n, 1))
        return false;
    mode = inlay_node_string(n, "auto_broadcast");
    return !mode || strcmp(mode, "numpy") == 0;
}

static bool node_looks_like(const rule_match *m, int index, const inlay_node *n)
{
    const rule_node *node = &m->rule->left.nodes[index];

    inlay_count_steps(m->graph, 1);
    if (m->nodes[index])
        return m->nodes[index] == n;
    if (node->type && !rule_has_row(node, n))
        return false;
    return operands_look_like(m, node, n, 0) || looks_turned(m, node, n);
}

bool rule_is_turned(const rule_match *m, const rule_node *node, const inlay_node *n)
{
    return node->n_in == 2 && !operands_look_like(m, node, n, 0) && looks_turned(m, node, n);
}
