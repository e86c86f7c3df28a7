/* The values of a case: their axes, sizes, elements and integers. */
#include "passes/prove/rows.h"

#include <string.h>

void prove_assume(prove_case *c, const smt *t)
{
    c->assumed = smt_and(&c->pool, c->assumed, t);
}

void prove_assume_one(prove_case *c, const smt *size)
{
    prove_assume(c, smt_eq(&c->pool, size, smt_int(&c->pool, 1)));
    if (size->op == SMT_APPLY && size->n_args == 0 && c->facts.n_ones < PROVE_SUMS)
        c->facts.ones[c->facts.n_ones++] = size;
}

const smt *prove_with_ones(prove_case *c, const smt *t)
{
    for (int i = 0; i < c->facts.n_ones; i++)
        t = smt_replaced(&c->pool, t, c->facts.ones[i], smt_int(&c->pool, 1));
    return t;
}

void prove_need(prove_case *c, bool yes)
{
    c->cut = c->cut || !yes;
}

bool prove_unknown(prove_case *c, const char *why)
{
    if (!c->unknown)
        c->unknown = why;
    return false;
}

void *prove_alloc(prove_case *c, size_t size)
{
    void *out = inlay_arena_alloc(c->pool.arena, size);

    if (!out)
        c->pool.no_memory = true;
    return out ? out : (void *)&c->spare;
}

prove_value *prove_free_value(prove_case *c)
{
    prove_value *v = prove_alloc(c, sizeof *v);

    *v = (prove_value){.rank = -1, .n_ints = -1};
    return v;
}

static void choose_rank(prove_case *c, prove_value *v, int rank)
{
    prove_need(c, rank <= PROVE_RANK);
    v->rank = c->cut ? 0 : rank;
    v->element = smt_function(&c->pool, "element", c->flat ? 1 : v->rank, false, "E");
    for (int i = 0; i < v->rank; i++) {
        v->dim[i] = smt_constant(&c->pool, "size", "Int");
        prove_assume(c, smt_le(&c->pool, smt_int(&c->pool, 0), v->dim[i]));
    }
}

int prove_rank(prove_case *c, prove_value *v)
{
    if (v->rank < 0)
        choose_rank(c, v, prove_choose_rank(c));
    return v->rank;
}

void prove_be_of_rank(prove_case *c, prove_value *v, int rank)
{
    if (v->rank < 0)
        choose_rank(c, v, rank);
    prove_need(c, v->rank == rank);
}

prove_value *prove_ints_value(prove_case *c, int n, const smt *const *ints)
{
    prove_value *v = prove_free_value(c);

    v->rank = n < 0 ? 0 : 1;
    v->dim[0] = smt_int(&c->pool, n);
    v->n_ints = n < 0 ? 1 : n;
    prove_need(c, v->n_ints <= PROVE_RANK);
    for (int i = 0; i < v->n_ints && !c->cut; i++)
        v->ints[i] = ints[i];
    return v;
}

void prove_be_ints(prove_case *c, prove_value *v, int n)
{
    prove_be_of_rank(c, v, n < 0 ? 0 : 1);
    prove_need(c, n <= PROVE_RANK);
    if (v->n_ints < 0 && !c->cut) {
        v->n_ints = n < 0 ? 1 : n;
        if (n >= 0)
            prove_assume(c, smt_eq(&c->pool, v->dim[0], smt_int(&c->pool, n)));
        for (int i = 0; i < v->n_ints; i++)
            v->ints[i] = smt_constant(&c->pool, "int", "Int");
    }
    prove_need(c, v->n_ints == (n < 0 ? 1 : n));
}

static int front(int axis, int rank)
{
    return axis < 0 ? axis + rank : axis;
}

void prove_count_axis(prove_case *c, const smt **axis, int *of)
{
    if (*of > 0 && prove_choose(c, 2) == 1)
        *axis = smt_int(&c->pool, (*axis)->n - *of);
    *of = 0;
}

bool prove_names_axes(const rule_node *n, int at)
{
    const inlay_op *op = n->n_rows > 0 ? n->rows[0] : NULL;
    inlay_role role = op && at < op->n_in ? op->in[at].role : INLAY_ROLE_NONE;

    return role == INLAY_ROLE_AXIS || role == INLAY_ROLE_AXES || role == INLAY_ROLE_ORDER;
}

static bool names_axes_alone(const rule_side *side, int name)
{
    for (int i = 0; i < side->n_nodes; i++) {
        for (int k = 0; k < side->nodes[i].n_in; k++) {
            const rule_term *t = &side->nodes[i].in[k];

            if (t->kind == TERM_NAME && t->name == name && !prove_names_axes(&side->nodes[i], k))
                return false;
        }
    }
    return true;
}

/* The operations only use V as an axis: it may be a number or a list of one, and count from the
 * front or from the end. */
static bool is_axis_alone(const prove_case *c, const prove_value *v)
{
    bool alone = v->rank < 0;

    for (int i = 0; i < c->rule->n_names && alone; i++) {
        if (c->names[i].value == v)
            alone = names_axes_alone(&c->rule->left, i) && names_axes_alone(&c->rule->right, i);
    }
    return alone;
}

int prove_axis_at(prove_case *c, const smt **axis, int *of, int rank)
{
    if (*of != rank)
        prove_count_axis(c, axis, of);
    prove_need(c, (*axis)->op == SMT_INT && (*axis)->n >= -rank && (*axis)->n < rank);
    return c->cut ? 0 : front((int)(*axis)->n, rank);
}

int prove_axis_of(prove_case *c, prove_value *v, int rank)
{
    if (v->n_ints < 0) { /* a number, or a list of one */
        bool alone = is_axis_alone(c, v);
        int at = prove_choose(c, alone ? rank : 2 * rank);

        if (v->rank < 0)
            prove_be_ints(c, v, !alone && prove_choose(c, 2) ? 1 : -1);
        prove_be_ints(c, v, v->rank == 0 ? -1 : 1);
        v->ints[0] = smt_int(&c->pool, alone ? at : at - rank);
        v->axis_of = alone ? rank : 0;
    }
    prove_need(c, v->n_ints == 1);
    return c->cut ? 0 : prove_axis_at(c, &v->ints[0], &v->axis_of, rank);
}

const rule_attr *prove_attr(const prove_node *n, const char *name)
{
    for (int i = 0; i < n->from->n_attrs; i++) {
        if (strcmp(n->from->attrs[i].name, name) == 0)
            return &n->from->attrs[i];
    }
    return NULL;
}

int prove_axis_attr(prove_case *c, prove_node *n, const char *attr, int rank)
{
    const rule_attr *a = prove_attr(n, attr);
    prove_name *name = a && a->var >= 0 ? &c->names[a->var] : NULL;
    int of = 0;

    if (a && a->var < 0) {
        const smt *at = smt_int(&c->pool, a->literal.as.i);

        return prove_axis_at(c, &at, &of, rank);
    }
    if (!name)
        return prove_choose(c, rank);
    if (!name->attr) {
        name->attr = smt_int(&c->pool, prove_choose(c, rank));
        name->axis_of = rank;
    }
    return prove_axis_at(c, &name->attr, &name->axis_of, rank);
}

bool prove_flag_attr(prove_case *c, prove_node *n, const char *attr)
{
    prove_node *of = prove_attr_node(c, n, attr);
    const rule_attr *a = prove_attr(of, attr);
    prove_name *name = a && a->var >= 0 ? &c->names[a->var] : NULL;

    if (!name)
        return a ? a->literal.as.b : prove_is_open(of) && prove_open_attr(c, of, attr, 2) == 1;
    if (!name->attr)
        name->attr = smt_int(&c->pool, prove_choose(c, 2));
    return name->attr->n == 1;
}

void prove_axes_of(prove_case *c, prove_value *v, int rank, bool *axes)
{
    if (v->n_ints < 0) {
        const smt *named[PROVE_RANK];
        int set = prove_choose(c, 1 << rank), n = 0;

        for (int i = 0; i < rank; i++) {
            if (set >> i & 1)
                named[n++] = smt_int(&c->pool, i);
        }
        prove_be_ints(c, v, n);
        memcpy(v->ints, named, (size_t)n * sizeof *named);
    }
    if (v->axis_of != rank)
        prove_count_axis(c, &v->ints[0], &v->axis_of);
    memset(axes, 0, (size_t)rank * sizeof *axes);
    for (int i = 0; i < v->n_ints; i++) {
        const smt *t = v->ints[i];

        prove_need(c, t->op == SMT_INT && t->n >= -rank && t->n < rank);
        if (!c->cut)
            axes[front((int)t->n, rank)] = true;
    }
}

void prove_nth_order(int n, int rank, int *order)
{
    bool used[PROVE_RANK] = {false};

    for (int i = 0; i < rank; i++) {
        int skip, at = 0, rest = 1;

        for (int k = 2; k < rank - i; k++)
            rest *= k;
        skip = n / rest;
        n %= rest;
        while (used[at] || skip-- > 0)
            at++;
        used[at] = true;
        order[i] = at;
    }
}

/* Chooses an order of RANK axes for V; or V is empty, which means reversed. */
static void choose_order(prove_case *c, prove_value *v, int rank)
{
    int order[PROVE_RANK], n = 1, chosen;

    for (int i = 2; i <= rank; i++)
        n *= i;
    chosen = prove_choose(c, rank > 0 ? n + 1 : n);
    v->turns_round = chosen == n;
    prove_be_ints(c, v, v->turns_round ? 0 : rank);
    prove_nth_order(v->turns_round ? 0 : chosen, rank, order);
    for (int i = 0; i < v->n_ints && !c->cut; i++)
        v->ints[i] = smt_int(&c->pool, order[i]);
}

void prove_order_of(prove_case *c, prove_value *v, int rank, int *order)
{
    bool used[PROVE_RANK] = {false};

    if (v->n_ints < 0)
        choose_order(c, v, rank);
    prove_count_axis(c, &v->ints[0], &v->axis_of);
    for (int i = 0; i < rank && v->turns_round; i++)
        order[i] = rank - 1 - i;
    if (v->turns_round)
        return;
    prove_need(c, v->n_ints == rank);
    for (int i = 0; i < rank && !c->cut; i++) {
        order[i] = (int)v->ints[i]->n;
        prove_need(c, v->ints[i]->op == SMT_INT && order[i] >= 0 && order[i] < rank &&
                          !used[order[i]]);
        if (!c->cut)
            used[order[i]] = true;
    }
}

static const char *const axis_names[PROVE_RANK] = {"axis_0_", "axis_1_", "axis_2_", "axis_3_",
                                                   "axis_4_", "axis_5_", "axis_6_"};

/* T is the position, along AXIS, of a row-major number, its last argument. */
static bool is_place(int rank, const smt *const *sizes, const smt *t, int axis)
{
    bool is = t->op == SMT_APPLY && t->n_args == rank + 1 &&
              strncmp(t->name, axis_names[axis], strlen(axis_names[axis])) == 0;

    for (int i = 0; i < rank && is; i++)
        is = smt_same(t->arg[i], sizes[i]);
    return is;
}

const smt *prove_unravelled(prove_case *c, int rank, const smt *const *sizes, const smt *number,
                            int axis)
{
    const smt *args[PROVE_RANK + 1];

    if (rank == 1)
        return number;
    for (int i = 0; i < rank; i++)
        args[i] = sizes[i];
    args[rank] = number;
    return smt_apply(&c->pool, inlay_arena_printf(c->pool.arena, "%sof_%d", axis_names[axis], rank),
                     rank + 1, args);
}

/* The condition of T is that SIZE is 1. */
static bool is_one(const smt *t, const smt *size)
{
    const smt *one = t->arg[0]->op == SMT_EQ ? t->arg[0]->arg[1] : NULL;

    return one && one->op == SMT_INT && one->n == 1 && smt_same(t->arg[0]->arg[0], size);
}

/* The row-major number of which AT is the position in V, as prove_unravelled writes it; an axis of
 * size 1 may be written in another way. NULL: AT is not written like that. */
static const smt *number_told(const prove_value *v, const smt *const *at)
{
    const smt *number = NULL;

    for (int i = 0; i < v->rank; i++) {
        const smt *t = at[i]->op == SMT_ITE && at[i]->arg[1]->op == SMT_INT && !at[i]->arg[1]->n
                           ? at[i]->arg[2]
                           : at[i];

        if (!is_place(v->rank, v->dim, t, i) || (t != at[i] && !is_one(at[i], v->dim[i])) ||
            (number && !smt_same(number, t->arg[v->rank])))
            return NULL;
        number = t->arg[v->rank];
    }
    return number;
}

const smt *prove_number(prove_case *c, const prove_value *v, const smt *const *at)
{
    const smt *n = smt_int(&c->pool, 0), *told = v->rank > 1 ? number_told(v, at) : NULL;

    if (told)
        return told;
    for (int i = 0; i < v->rank; i++)
        n = smt_add(&c->pool, smt_mul(&c->pool, n, v->dim[i]), at[i]);
    return n;
}

const smt *prove_count(prove_case *c, const prove_value *v)
{
    const smt *n = smt_int(&c->pool, 1);

    for (int i = 0; i < v->rank; i++)
        n = smt_mul(&c->pool, n, v->dim[i]);
    return n;
}

const smt *prove_same_sizes(prove_case *c, const prove_value *a, const prove_value *b)
{
    const smt *same = smt_bool(a->rank == b->rank);

    for (int i = 0; i < a->rank && i < b->rank; i++)
        same = smt_and(&c->pool, same, smt_eq(&c->pool, a->dim[i], b->dim[i]));
    return same;
}

const char prove_of_int[] = "of_int";

const smt *prove_ints_element(prove_case *c, const prove_value *v, const smt *const *at)
{
    const smt *t =
        smt_apply1(&c->pool, prove_of_int, v->n_ints ? v->ints[0] : smt_int(&c->pool, 0));

    for (int i = 1; i < v->n_ints; i++)
        t = smt_ite(&c->pool, smt_eq(&c->pool, at[0], smt_int(&c->pool, i)),
                    smt_apply1(&c->pool, prove_of_int, v->ints[i]), t);
    return t;
}

const smt *prove_element(prove_case *c, const prove_value *v, const smt *const *at)
{
    const smt *number;

    if (c->pool.no_memory || !prove_goes_on(c))
        return smt_bool(false);
    if (v->node)
        return v->node->row->element(c, v->node, v->out, at);
    if (v->n_ints >= 0)
        return prove_ints_element(c, v, at);
    if (v->number)
        return smt_apply(&c->pool, v->number->name, 0, NULL);
    if (!c->flat)
        return smt_apply(&c->pool, v->element, v->rank, at);
    number = prove_number(c, v, at);
    return smt_apply1(&c->pool, v->element, number);
}

const smt *prove_first_element(prove_case *c, const prove_value *v)
{
    const smt *first[PROVE_RANK];

    for (int i = 0; i < PROVE_RANK; i++)
        first[i] = smt_int(&c->pool, 0);
    return prove_element(c, v, first);
}

const smt *prove_flat_element(prove_case *c, const prove_value *v, const smt *at)
{
    if (c->pool.no_memory || !prove_goes_on(c))
        return smt_bool(false);
    if (!v->node && v->n_ints < 0)
        return smt_apply1(&c->pool, v->element, at);
    if (v->node && (v->node->row->flags & PROVE_KEEPS_NUMBERS))
        return prove_flat_element(c, v->node->in[0], at);
    prove_unknown(c, "a Reshape of what is moved");
    return smt_bool(false);
}

const char prove_remainder_of[] = "rem_of";

const smt *prove_remainder(prove_case *c, const smt *k, const smt *n)
{
    return smt_apply(&c->pool, prove_remainder_of, 2, (const smt *[]){k, n});
}

const smt *prove_integer(prove_case *c, const smt *t)
{
    if (t->op == SMT_APPLY && t->name == prove_of_int)
        return t->arg[0];
    return smt_apply1(&c->pool, "as_int", t);
}

/* ---- attributes that the rule leaves open ---- */

static bool shares_row(const rule_node *a, const rule_node *b)
{
    for (int i = 0; i < a->n_rows; i++) {
        for (int k = 0; k < b->n_rows; k++) {
            if (a->rows[i] == b->rows[k])
                return true;
        }
    }
    return false;
}

/* See build.c, matched_like: the last node of the left side with the same operation. */
prove_node *prove_attr_node(const prove_case *c, prove_node *n, const char *attr)
{
    if (!n->right || !prove_is_open(n) || prove_attr(n, attr))
        return n;
    if (n->from->op_name >= 0)
        return c->names[n->from->op_name].op;
    for (int i = c->rule->left.n_nodes - 1; i >= 0; i--) {
        if (c->left[i] && shares_row(c->left[i]->from, n->from))
            return c->left[i];
    }
    return n;
}

bool prove_is_open(const prove_node *n)
{
    return n->from->any_attrs || n->from->op_name >= 0;
}

int prove_open_attr(prove_case *c, prove_node *n, const char *attr, int ways)
{
    for (int i = 0; i < n->n_open; i++) {
        if (strcmp(n->open[i].name, attr) == 0)
            return n->open[i].way;
    }
    if (n->n_open == PROVE_OPEN) {
        prove_unknown(c, "too many attributes are left open");
        return 0;
    }
    n->open[n->n_open].name = attr;
    return n->open[n->n_open++].way = prove_choose(c, ways);
}
