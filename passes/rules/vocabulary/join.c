/* Conditions and functions on values that are joined or split along an axis. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/rules/vocabulary/vocabulary.h"

/* The size of V along AXIS, which may count from the end; false if it is not known. */
static bool size_along(const inlay_value *v, const rule_ints *axis, int64_t *out)
{
    int64_t a = axis->n == 1 ? axis->x[0] : INT64_MIN;
    int rank = v->fact.rank;

    if (rank < 0 || a < -rank || a >= rank)
        return false;
    a += a < 0 ? rank : 0;
    *out = v->fact.dims[a].lo;
    return inlay_dim_is_static(v->fact.dims[a]);
}

/* All sizes of B except along AXIS are proven to be those of A. So a Concat that also joins A
 * checks no less without B. */
static bool same_but(const inlay_value *a, const inlay_value *b, const rule_ints *axis)
{
    int along;

    if (a->fact.rank < 0 || a->fact.rank != b->fact.rank ||
        !rule_axis_of(axis, a->fact.rank, &along))
        return false;
    for (int i = 0; i < a->fact.rank; i++) {
        if (i != along && !inlay_dim_proven_equal(a->fact.dims[i], b->fact.dims[i]))
            return false;
    }
    return true;
}

static bool is_empty_along(const inlay_value *v, const rule_ints *axis)
{
    int64_t size;

    return size_along(v, axis, &size) && size == 0;
}

rule_answer rule_fn_without_empty(rule_call *c)
{
    int n = c->arg[0].n_list;
    inlay_value **list = rule_alloc(c->match, ((size_t)n + 1) * sizeof(inlay_value *));
    const inlay_value *kept = NULL;

    for (int i = 0; i < n && !kept; i++) {
        if (!is_empty_along(c->arg[0].list[i], c->arg[1].ints))
            kept = c->arg[0].list[i];
    }
    for (int i = 0; list && kept && i < n; i++) {
        inlay_value *v = c->arg[0].list[i];

        if (!is_empty_along(v, c->arg[1].ints) || !same_but(kept, v, c->arg[1].ints))
            list[c->out.n_list++] = v;
    }
    c->out.list = list;
    return rule_yes_if(list && c->out.n_list > 0 && c->out.n_list < n);
}

/* Can the Concat BY join the operands of V directly? */
static bool is_joined(const inlay_value *v, const inlay_node *by)
{
    int64_t a, b;

    if (!inlay_node_is(v->node, INLAY_OP_CONCAT) || !rule_used_once(v) || v->fact.rank < 0)
        return false;
    a = inlay_node_int(by, "axis");
    b = inlay_node_int(v->node, "axis");
    return (a < 0 ? a + v->fact.rank : a) == (b < 0 ? b + v->fact.rank : b);
}

static const inlay_use *first_below(const inlay_use *u)
{
    while (is_joined(u->value, u->node))
        u = &u->value->node->in[0];
    return u;
}

/* The operand after U among all operands that TOP joins, at any depth. NULL: U is the last. Each
 * Concat below TOP has one reader, so going up needs no list. */
static const inlay_use *next_below(const inlay_node *top, const inlay_use *u)
{
    while (u->index + 1 == u->node->n_in) {
        if (u->node == top)
            return NULL;
        u = u->node->out[0].uses;
    }
    return first_below(&u->node->in[u->index + 1]);
}

/* A chain is flattened from its end. From its beginning, every operand would be moved again at each
 * Concat. */
rule_answer rule_fn_flattened(rule_call *c)
{
    const inlay_value *y = c->arg[0].value;
    const inlay_node *top = y->node;
    const inlay_use *first;
    inlay_value **list;
    size_t n = 0;
    bool any = false;

    if (y->uses && inlay_node_is(y->uses->node, INLAY_OP_CONCAT) && is_joined(y, y->uses->node))
        return RULE_NO;
    first = first_below(&top->in[0]);
    for (const inlay_use *u = first; u; u = next_below(top, u), n++)
        any = any || u->node != top;
    inlay_count_steps(top->graph, n);
    list = any ? rule_alloc(c->match, n * sizeof(inlay_value *)) : NULL;
    for (const inlay_use *u = list ? first : NULL; u; u = next_below(top, u))
        list[c->out.n_list++] = u->value;
    c->out.list = list;
    return rule_yes_if(list != NULL);
}

rule_answer rule_fn_joinable(rule_call *c)
{
    for (int i = 1; i < c->arg[0].n_list; i++) {
        if (!same_but(c->arg[0].list[0], c->arg[0].list[i], c->arg[1].ints))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

rule_answer rule_fn_cut_as_joined(rule_call *c)
{
    if (c->arg[0].n_list != c->arg[1].n_list)
        return RULE_NO;
    for (int i = 0; i < c->arg[0].n_list; i++) {
        int64_t a, b;

        if (!size_along(c->arg[0].list[i], c->arg[2].ints, &a) ||
            !size_along(c->arg[1].list[i], c->arg[2].ints, &b))
            return RULE_DONT_KNOW;
        if (a != b)
            return RULE_NO;
    }
    return RULE_YES;
}

/* Is V computed, so that a Concat which reads it may have it computed in its place? */
static bool is_computed(const inlay_value *v)
{
    const inlay_node *n = v->node;

    return n->n_in > 0 && !(n->op->flags & (INLAY_VIEW | INLAY_RESHAPES | INLAY_CUTS)) &&
           !inlay_node_is(n, INLAY_OP_READ_VALUE);
}

/* Adds the number of V's elements to *SUM. False: it is not known. */
static bool add_elements(const inlay_value *v, int64_t *sum)
{
    int64_t dims[INLAY_MAX_RANK], n = 1;

    if (!inlay_fact_dims(&v->fact, dims))
        return false;
    for (int i = 0; i < v->fact.rank; i++) {
        if (__builtin_mul_overflow(n, dims[i], &n))
            return false;
    }
    return !__builtin_add_overflow(*sum, n, sum);
}

/* A value that others read, too, is computed whole in any case: in the Concat of whole values it
 * needs no copy, and its windows do. */
rule_answer rule_fn_copies_no_more(rule_call *c)
{
    const rule_binding *xs = &c->arg[0], *ps = &c->arg[1];
    int64_t whole = 0, cut = 0;

    for (int i = 0; i < ps->n_list; i++) {
        if (is_computed(ps->list[i]) && !ps->list[i]->uses->next)
            return RULE_YES;
    }
    for (int i = 0; i < xs->n_list; i++) {
        if (!is_computed(xs->list[i]) && !add_elements(xs->list[i], &whole))
            return RULE_YES;
    }
    return rule_yes_if(!add_elements(c->arg[2].value, &cut) || cut <= whole);
}

/* Other rules achieve more with windows of joined and written values than with those of a Tile or a
 * Pad. */
rule_answer rule_fn_uncut(rule_call *c)
{
    for (const inlay_use *u = c->arg[0].value->uses; u; u = u->next) {
        const inlay_op *op = u->node->op;

        if ((op->flags & INLAY_CUTS) || inlay_op_operand(op, INLAY_ROLE_START) >= 0 ||
            op->kind == INLAY_OP_GATHER)
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_copied(rule_call *c)
{
    if (c->arg[0].n_list < 2)
        return RULE_NO;
    for (int i = 1; i < c->arg[0].n_list; i++) {
        if (!inlay_value_same(c->arg[0].list[0], c->arg[0].list[i]))
            return RULE_NO;
    }
    c->out.value = c->arg[0].list[0];
    return RULE_YES;
}

rule_answer rule_fn_repeats(rule_call *c)
{
    int rank = c->arg[0].n_list > 0 ? c->arg[0].list[0]->fact.rank : -1;
    int64_t axis = c->arg[1].ints->n == 1 ? c->arg[1].ints->x[0] : INT64_MIN;
    rule_ints *out;

    if (rank < 1 || axis < -rank || axis >= rank ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < rank; i++)
        out->x[i] = i == (axis < 0 ? axis + rank : axis) ? c->arg[0].n_list : 1;
    c->out.ints = out;
    return RULE_YES;
}

static const inlay_value *order_of(const inlay_value *v)
{
    return inlay_node_is(v->node, INLAY_OP_TRANSPOSE) ? inlay_node_input(v->node, 1) : NULL;
}

rule_answer rule_fn_order_of(rule_call *c)
{
    for (int i = 0; i < c->arg[0].n_list; i++) {
        if (order_of(c->arg[0].list[i])) {
            c->out.value = inlay_node_input(c->arg[0].list[i]->node, 1);
            return RULE_YES;
        }
    }
    return RULE_NO;
}

rule_answer rule_fn_two_transposes(rule_call *c)
{
    int n = 0;

    for (int i = 0; i < c->arg[0].n_list; i++)
        n += order_of(c->arg[0].list[i]) != NULL;
    return rule_yes_if(n > 1);
}

/* The operands of a list of Transposes, each with one reader and with the order and rank of the
 * first. NUMBERS: values of one element with no more axes may be among them, and stay as they are.
 */
static rule_answer untranspose(rule_call *c, bool numbers)
{
    int n = c->arg[0].n_list, rank = -1;
    inlay_value **list = rule_alloc(c->match, ((size_t)n + 1) * sizeof *list);
    const inlay_value *first = NULL;

    for (int i = 0; list && i < n; i++) {
        inlay_value *v = c->arg[0].list[i];
        const inlay_value *order = order_of(v);

        list[i] = order ? inlay_node_input(v->node, 0) : v;
        if (!order)
            continue;
        if (!first) {
            first = order;
            rank = list[i]->fact.rank;
        }
        if (!inlay_value_same(order, first) || !rule_used_once(v))
            return RULE_NO;
        if (rank < 0 || list[i]->fact.rank != rank)
            return list[i]->fact.rank < 0 ? RULE_DONT_KNOW : RULE_NO;
    }
    for (int i = 0; list && i < n; i++) {
        const inlay_value *v = c->arg[0].list[i];

        if (!order_of(v) && (!numbers || !rule_has_one_element(&v->fact) || v->fact.rank > rank))
            return RULE_NO;
    }
    c->out.list = list;
    c->out.n_list = n;
    return rule_yes_if(first != NULL);
}

rule_answer rule_fn_untransposed(rule_call *c)
{
    return untranspose(c, false);
}

rule_answer rule_fn_untransposed_operands(rule_call *c)
{
    return untranspose(c, true);
}
