/* Operations that move, add and remove axes, and repeat elements along them. */
#include "passes/prove/rows.h"

#include <string.h>

static void shape_transpose(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]);

    prove_order_of(c, n->in[1], rank, n->order);
    for (int i = 0; i < rank && !c->cut; i++)
        sizes[i] = n->in[0]->dim[n->order[i]];
    prove_set_sizes(c, n, 0, rank, sizes);
}

static const smt *element_of_transpose(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    const smt *from[PROVE_RANK];

    (void)out;
    for (int i = 0; i < n->in[0]->rank; i++)
        from[n->order[i]] = at[i];
    return prove_element(c, n->in[0], from);
}

static int count_axes(const bool *axes, int rank)
{
    int n = 0;

    for (int i = 0; i < rank; i++)
        n += axes[i];
    return n;
}

static bool are_same_lists(const prove_value *a, const prove_value *b)
{
    bool same = a && b && (a == b || (a->n_ints >= 0 && a->n_ints == b->n_ints));

    for (int i = 0; same && a != b && i < a->n_ints; i++)
        same = smt_same(a->ints[i], b->ints[i]);
    return same;
}

/* A Squeeze of the left side asks the same of a value of the same sizes, and so leaves what N does.
 */
static bool leaves_as_matched(prove_case *c, prove_node *n)
{
    for (int i = 0; i < c->rule->left.n_nodes && n->right && n->n_in > 1; i++) {
        const prove_node *from = c->left[i];

        if (!from || from->row != n->row || from->n_in < 2 ||
            !are_same_lists(from->in[1], n->in[1]) ||
            prove_same_sizes(c, from->in[0], n->in[0])->op != SMT_TRUE)
            continue;
        memcpy(n->axes, from->axes, sizeof n->axes);
        return true;
    }
    return false;
}

/* Squeeze leaves an axis whose size is not 1. On a right side that is an error, since the rule
 * wants it away, if nothing has left it before. Its attributes say what is known of the axes before
 * a run, and nothing of a run. */
static void shape_squeeze(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), kept = 0;
    bool matched = leaves_as_matched(c, n), all;

    if (n->n_in > 1 && n->in[1] && !matched)
        prove_axes_of(c, n->in[1], rank, n->axes);
    all = !matched && count_axes(n->axes, rank) == 0; /* an empty list, or none */
    for (int i = 0; i < rank && all; i++)
        n->axes[i] = true;
    for (int i = 0; i < rank && !c->cut; i++) {
        const smt *is_one = smt_eq(p, n->in[0]->dim[i], smt_int(p, 1));

        if (n->axes[i] && n->right && !matched) {
            prove_must(c, n, is_one);
        } else if (n->axes[i] && !matched) {
            n->axes[i] = prove_choose(c, 2) == 0;
            prove_assume(c, n->axes[i] ? is_one : smt_not(p, is_one));
        }
        if (!n->axes[i])
            sizes[kept++] = n->in[0]->dim[i];
    }
    prove_set_sizes(c, n, 0, kept, sizes);
}

static const smt *element_of_squeeze(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    const smt *from[PROVE_RANK];

    (void)out;
    for (int i = 0, k = 0; i < n->in[0]->rank; i++)
        from[i] = n->axes[i] ? smt_int(&c->pool, 0) : at[k++];
    return prove_element(c, n->in[0], from);
}

static void shape_unsqueeze(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), all = rank;

    prove_need(c, n->in[1] != NULL);
    if (c->cut)
        return;
    all += n->in[1]->n_ints < 0 ? prove_choose(c, 3) : n->in[1]->n_ints;
    prove_need(c, all <= PROVE_RANK);
    if (c->cut)
        return;
    prove_axes_of(c, n->in[1], all, n->axes);
    prove_need(c, count_axes(n->axes, all) == all - rank);
    for (int i = 0, k = 0; i < all && !c->cut; i++)
        sizes[i] = n->axes[i] ? smt_int(&c->pool, 1) : n->in[0]->dim[k++];
    prove_set_sizes(c, n, 0, all, sizes);
}

static const smt *element_of_unsqueeze(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    const smt *from[PROVE_RANK];

    for (int i = 0, k = 0; i < n->out[out].rank; i++) {
        if (!n->axes[i])
            from[k++] = at[i];
    }
    return prove_element(c, n->in[0], from);
}

/* The kind of an entry of a list that a rule writes: a number; 0, which with special_zero copies
 * the size of the data; or -1, what remains of the elements. */
enum { GIVEN, COPIED, REST };

static int kind_of_entry(prove_case *c, prove_node *n, int i)
{
    const smt *t = n->in[1]->ints[i];

    if (t->op == SMT_INT && t->n == -1)
        return REST;
    return t->op == SMT_INT && t->n == 0 && prove_flag_attr(c, n, "special_zero") ? COPIED : GIVEN;
}

/* The size for -1: the data's elements divided by the other sizes, those that are copied left out
 * on both sides; 0 if some given size is 0. */
static const smt *count_rest(prove_case *c, prove_node *n, int rank, int rest)
{
    smt_pool *p = &c->pool;
    const smt *have = smt_int(p, 1), *others = have, *size;

    for (int i = 0; i < n->in[0]->rank; i++) {
        if (i >= rank || kind_of_entry(c, n, i) != COPIED)
            have = smt_mul(p, have, n->in[0]->dim[i]);
    }
    for (int i = 0; i < rank; i++) {
        if (i != rest && kind_of_entry(c, n, i) == GIVEN)
            others = smt_mul(p, others, n->in[1]->ints[i]);
    }
    size = smt_ite(p, smt_eq(p, others, smt_int(p, 0)), smt_int(p, 0), smt_div(p, have, others));
    prove_must(c, n, smt_eq(p, have, smt_mul(p, size, others)));
    return size;
}

static void ask_for_sizes(prove_case *c, prove_node *n, int rank, const smt **sizes)
{
    smt_pool *p = &c->pool;
    int rest = -1;

    for (int i = 0; i < rank; i++) {
        int kind = kind_of_entry(c, n, i);

        if (kind == COPIED)
            prove_need(c, i < n->in[0]->rank);
        prove_need(c, kind != REST || rest < 0);
        if (c->cut)
            return;
        rest = kind == REST ? i : rest;
        sizes[i] = kind == COPIED ? n->in[0]->dim[i] : n->in[1]->ints[i];
        if (kind != REST)
            prove_must(c, n, smt_le(p, smt_int(p, 0), sizes[i]));
    }
    if (rest >= 0)
        sizes[rest] = count_rest(c, n, rank, rest);
}

/* Node number I of the rule if it is a Reshape by the same unknown list as N; NULL: it is not. */
static prove_node *reshaped_alike(prove_case *c, const prove_node *n, int i)
{
    prove_node *of = prove_node_at(c, i);

    return of && of != n && of->row == n->row && of->in[1] == n->in[1] && of->listed ? of : NULL;
}

/* The same list gives the same sizes for the same number of elements; with special_zero, for the
 * same sizes. */
static void state_same_list(prove_case *c, prove_node *n)
{
    for (int i = 0; i < prove_count_nodes(c) && !c->cut; i++) {
        prove_node *of = reshaped_alike(c, n, i);
        const smt *alike;

        if (!of || prove_flag_attr(c, n, "special_zero") != prove_flag_attr(c, of, "special_zero"))
            continue;
        alike = prove_flag_attr(c, n, "special_zero")
                    ? prove_same_sizes(c, n->in[0], of->in[0])
                    : smt_eq(&c->pool, prove_count(c, n->in[0]), prove_count(c, of->in[0]));
        prove_assume(c, smt_implies(&c->pool, alike, prove_same_sizes(c, &n->out[0], &of->out[0])));
    }
}

static int length_of_list(prove_case *c, const prove_node *n)
{
    if (n->in[1]->n_ints >= 0)
        return n->in[1]->n_ints;
    for (int i = 0; i < prove_count_nodes(c); i++) {
        const prove_node *of = reshaped_alike(c, n, i);

        if (of)
            return of->out[0].rank;
    }
    return prove_choose_rank(c);
}

static void shape_reshape(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *sizes[PROVE_RANK];
    int rank;

    prove_need(c, n->in[1] != NULL);
    if (c->cut)
        return;
    prove_rank(c, n->in[0]);
    rank = length_of_list(c, n);
    if (n->in[1]->n_ints >= 0)
        ask_for_sizes(c, n, rank, sizes);
    for (int i = 0; i < rank && n->in[1]->n_ints < 0; i++) {
        sizes[i] = smt_constant(p, "size", "Int");
        prove_must(c, n, smt_le(p, smt_int(p, 0), sizes[i]));
    }
    if (c->cut)
        return;
    prove_set_sizes(c, n, 0, rank, sizes);
    prove_must(c, n, smt_eq(p, prove_count(c, n->in[0]), prove_count(c, &n->out[0])));
    n->listed = n->in[1]->n_ints < 0;
    if (n->listed)
        state_same_list(c, n);
}

/* The elements of V are described by their row-major numbers alone. */
static bool is_flat(const prove_case *c, const prove_value *v)
{
    while (v->node && (v->node->row->flags & PROVE_KEEPS_NUMBERS))
        v = v->node->in[0];
    return c->flat && !v->node && v->n_ints < 0;
}

/* The number of axes that A and B share at the front, or at the end, at most MOST. */
static int shared_axes(const prove_value *a, const prove_value *b, int most, bool from_end)
{
    int n = 0;

    while (n < most &&
           smt_same(a->dim[from_end ? a->rank - 1 - n : n], b->dim[from_end ? b->rank - 1 - n : n]))
        n++;
    return n;
}

static const smt *number_of(prove_case *c, const prove_value *v, int first, int end,
                            const smt *const *at)
{
    const smt *n = smt_int(&c->pool, 0);

    for (int i = first; i < end; i++)
        n = smt_add(&c->pool, smt_mul(&c->pool, n, v->dim[i]), at[i]);
    return n;
}

/* An element of V has the same row-major number as the elements of V's operands from which it is
 * computed. */
static bool keeps_places(const prove_case *c, const prove_value *v)
{
    const rule_node *from = v->node ? v->node->from : NULL;
    bool keeps =
        c->flat && from && v->node->n_in > 0 &&
        (from->op_name >= 0 || (from->n_rows > 0 && (from->rows[0]->flags & INLAY_POINTWISE)));

    for (int i = 0; keeps && i < v->node->n_in; i++)
        keeps = v->node->in[i]->rank == v->rank || v->node->in[i]->rank == 0;
    return keeps;
}

/* FROM is the position in V with the row-major number NUMBER. */
static void state_number(prove_case *c, const prove_value *v, const smt *number,
                         const smt *const *from)
{
    smt_pool *p = &c->pool;
    const smt *inside = smt_within(p, smt_int(p, 0), number, prove_count(c, v)), *is;

    is = smt_eq(p, number, number_of(c, v, 0, v->rank, from));
    for (int i = 0; i < v->rank; i++)
        is = smt_and(p, is, smt_within(p, smt_int(p, 0), from[i], v->dim[i]));
    if (!smt_is_open(number))
        prove_assume(c, smt_implies(p, inside, is));
}

/* The position along axis I of V of the element whose row-major number over the axes from FIRST to
 * END is NUMBER: by remainders if all sizes but the first are known. */
static const smt *unravelled(prove_case *c, const prove_value *v, int first, int end,
                             const smt *number, int i)
{
    smt_pool *p = &c->pool;
    const smt *behind = smt_int(p, 1);
    bool known = c->flat;

    for (int k = first + 1; k < end; k++)
        known = known && v->dim[k]->op == SMT_INT && v->dim[k]->n > 0;
    if (!known)
        return prove_unravelled(c, end - first, v->dim + first, number, i - first);
    for (int k = i + 1; k < end; k++)
        behind = smt_mul(p, behind, v->dim[k]);
    number = behind->n == 1 ? number : smt_div(p, number, behind);
    return i == first ? number : smt_mod(p, number, v->dim[i]);
}

/* Axes that both sides share at either end stay as they are, because an element keeps its row-major
 * number. For the others, which position of the data has a number is left open, but it is the same
 * one for the same sizes and number. */
static const smt *element_of_reshape(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    const prove_value *x = n->in[0], *y = &n->out[out];
    int less = x->rank < y->rank ? x->rank : y->rank, ahead, behind;
    const smt *from[PROVE_RANK], *number;

    if (is_flat(c, x))
        return prove_flat_element(c, x, prove_number(c, y, at));
    less = keeps_places(c, x) ? 0 : less;
    ahead = shared_axes(x, y, less, false);
    behind = shared_axes(x, y, less - ahead, true);
    number = number_of(c, y, ahead, y->rank - behind, at);
    for (int i = 0; i < ahead; i++)
        from[i] = at[i];
    for (int i = ahead; i < x->rank - behind; i++)
        from[i] = unravelled(c, x, ahead, x->rank - behind, number, i);
    for (int i = 1; i <= behind; i++)
        from[x->rank - i] = at[y->rank - i];
    if (c->flat && ahead + behind == 0 && !keeps_places(c, x))
        state_number(c, x, number, from);
    return prove_element(c, x, from);
}

/* ---- what repeats elements ---- */

/* Axis I of operand 0 becomes axis n->order[I] of the result. */
static void check_repeated(prove_case *c, prove_node *n, const smt *const *sizes)
{
    smt_pool *p = &c->pool;

    for (int i = 0; i < n->in[0]->rank && !c->cut; i++) {
        const smt *size = n->in[0]->dim[i];

        prove_must(c, n,
                   smt_or(p, smt_eq(p, size, smt_int(p, 1)), smt_eq(p, size, sizes[n->order[i]])));
    }
}

/* Which axes of the result the axes of the operand are, by axes_mapping: any that ascend. */
static void map_axes(prove_case *c, prove_node *n, int all)
{
    int rank = n->in[0]->rank;

    if (n->in[2]->n_ints < 0) {
        int set = prove_choose(c, 1 << all), k = 0;
        const smt *axes[PROVE_RANK];

        for (int i = 0; i < all; i++) {
            if (set >> i & 1)
                axes[k++] = smt_int(&c->pool, i);
        }
        prove_need(c, k == rank);
        prove_be_ints(c, n->in[2], rank);
        if (!c->cut)
            memcpy(n->in[2]->ints, axes, (size_t)k * sizeof *axes);
    }
    prove_need(c, n->in[2]->n_ints == rank);
    for (int i = 0; i < rank && !c->cut; i++) {
        prove_need(c, n->in[2]->ints[i]->op == SMT_INT && n->in[2]->ints[i]->n >= 0 &&
                          n->in[2]->ints[i]->n < all);
        n->order[i] = c->cut ? 0 : (int)n->in[2]->ints[i]->n;
    }
}

enum { NUMPY, EXPLICIT, BIDIRECTIONAL };

/* The sizes that the operand and the list agree on: if one of them is 1, the other's. */
static void both_ways(prove_case *c, prove_node *n, int all, const smt **sizes)
{
    smt_pool *p = &c->pool;
    int asked = n->in[1]->n_ints;

    for (int i = 0; i < all; i++) {
        int k = i - (all - asked), of = i - (all - n->in[0]->rank);
        const smt *size = k < 0 ? smt_int(p, 1) : n->in[1]->ints[k];

        sizes[i] =
            of < 0 ? size : smt_ite(p, smt_eq(p, size, smt_int(p, 1)), n->in[0]->dim[of], size);
    }
}

static int times_said(const rule *r, int name)
{
    const rule_side *sides[] = {&r->left, &r->right};
    int n = 0;

    for (int i = 0; i < sides[0]->n_nodes + sides[1]->n_nodes; i++) {
        int k = i - sides[0]->n_nodes;
        const rule_node *of = k < 0 ? &sides[0]->nodes[i] : &sides[1]->nodes[k];

        for (k = 0; k < of->n_in; k++)
            n += of->in[k].kind == TERM_NAME && of->in[k].name == name;
    }
    for (int i = 0; i < r->n_clauses; i++) {
        for (int k = 0; k < r->clauses[i].n_args; k++)
            n += prove_name_at(&r->clauses[i], k) == name;
    }
    return n;
}

/* Only by EXPLICIT anybody looks at axes_mapping, which may be there for nothing: if the rule takes
 * it or leaves it, and says no more of it, that is as good as its absence. */
static bool says_axes(const prove_case *c, const prove_node *n)
{
    bool there = n->n_in > 2 && n->in[2];
    const rule_term *t = there ? &n->from->in[2] : NULL;

    if (n->form == EXPLICIT)
        return there;
    return !there || t->kind != TERM_NAME || !t->optional || times_said(c->rule, t->name) > 1;
}

/* The rule says of what N makes that it is repeated beside one axis. */
static bool is_beside(const prove_case *c, const prove_node *n)
{
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];
        int name = prove_calls(clause, "repeated_beside") ? prove_name_at(clause, 0) : -1;

        if (name >= 0 && !clause->negated && !n->right &&
            n->from == &c->rule->left.nodes[c->rule->names[name].node])
            return true;
    }
    return false;
}

/* Chooses that axis: along all others the operand has one element, and the result at least one. */
static void choose_beside(prove_case *c, prove_node *n, int all, const smt *const *sizes)
{
    smt_pool *p = &c->pool;
    const smt *one = smt_int(p, 1), *along = one;

    n->single = true;
    prove_need(c, all > 0);
    if (n->in[0]->node)
        prove_unknown(c, "indices that are made and repeated");
    n->axis = c->cut ? 0 : prove_choose(c, all);
    for (int i = 0; i < n->in[0]->rank && !c->cut; i++) {
        if (n->order[i] == n->axis)
            along = n->in[0]->dim[i];
        else
            n->in[0]->dim[i] = one;
    }
    for (int i = 0; i < all && !c->cut; i++)
        prove_assume(c, i == n->axis ? smt_eq(p, along, sizes[i]) : smt_le(p, one, sizes[i]));
}

static void shape_broadcast(prove_case *c, prove_node *n)
{
    static const char *const modes[] = {"numpy", "explicit", "bidirectional"};
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), all;

    n->form = prove_text_attr(c, n, "mode", modes, 3);
    if (n->in[1]->n_ints < 0)
        prove_be_ints(c, n->in[1], prove_choose_rank(c));
    prove_need(c, says_axes(c, n));
    all = n->in[1]->n_ints;
    if (n->form == BIDIRECTIONAL && rank > all)
        all = rank;
    prove_need(c, all >= rank);
    if (c->cut)
        return;
    for (int i = 0; i < n->in[1]->n_ints; i++)
        prove_must(c, n, smt_le(&c->pool, smt_int(&c->pool, 0), n->in[1]->ints[i]));
    memcpy(sizes, n->in[1]->ints, sizeof sizes);
    for (int i = 0; i < rank; i++)
        n->order[i] = all - rank + i;
    if (n->form == EXPLICIT)
        map_axes(c, n, all);
    if (n->form == BIDIRECTIONAL)
        both_ways(c, n, all, sizes);
    if (is_beside(c, n) && !c->cut)
        choose_beside(c, n, all, sizes);
    check_repeated(c, n, sizes);
    prove_set_sizes(c, n, 0, all, sizes);
}

const smt *prove_repeated(prove_case *c, const prove_value *v, const int *order,
                          const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *from[PROVE_RANK];

    for (int i = 0; i < v->rank; i++)
        from[i] = smt_ite(p, smt_eq(p, v->dim[i], smt_int(p, 1)), smt_int(p, 0), at[order[i]]);
    return prove_element(c, v, from);
}

static const smt *element_of_broadcast(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    const smt *from[PROVE_RANK];

    (void)out;
    if (!n->single)
        return prove_repeated(c, n->in[0], n->order, at);
    for (int i = 0; i < n->in[0]->rank; i++)
        from[i] = n->order[i] == n->axis ? at[n->axis] : smt_int(&c->pool, 0);
    return prove_element(c, n->in[0], from);
}

static void shape_tile(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), all;

    if (n->in[1]->n_ints < 0)
        prove_be_ints(c, n->in[1], prove_choose_rank(c));
    all = n->in[1]->n_ints > rank ? n->in[1]->n_ints : rank;
    for (int i = 0; i < all && !c->cut; i++) {
        int k = i - (all - n->in[1]->n_ints), of = i - (all - rank);
        const smt *times = k < 0 ? smt_int(p, 1) : n->in[1]->ints[k];

        prove_must(c, n, smt_le(p, smt_int(p, 0), times));
        sizes[i] = of < 0 ? times : smt_mul(p, n->in[0]->dim[of], times);
    }
    prove_set_sizes(c, n, 0, all, sizes);
}

static const smt *element_of_tile(prove_case *c, const prove_node *n, int out, const smt *const *at)
{
    const smt *from[PROVE_RANK];
    int more = n->out[out].rank - n->in[0]->rank;

    for (int i = 0; i < n->in[0]->rank; i++)
        from[i] = prove_remainder(c, at[more + i], n->in[0]->dim[i]);
    return prove_element(c, n->in[0], from);
}

/* Whether N reverses the same axes as a Reverse of the left side, because the same operand names
 * them. */
static bool turns_as_matched(const prove_case *c, prove_node *n)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *from = c->left[i];

        if (!from || from->row != n->row || from == n || from->in[1] != n->in[1])
            continue;
        memcpy(n->axes, from->axes, sizeof n->axes);
        return true;
    }
    return false;
}

/* A list or a mask says which axes are reversed. */
static void shape_reverse(prove_case *c, prove_node *n)
{
    int rank = prove_rank(c, n->in[0]);
    bool matched = turns_as_matched(c, n);

    if (n->right && !matched)
        prove_unknown(c, "axes to turn that no operation of the left side names");
    for (int i = 0; i < rank && !matched; i++)
        n->axes[i] = prove_choose(c, 2) == 1;
    prove_set_sizes(c, n, 0, rank, n->in[0]->dim);
}

static const smt *element_of_reverse(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *from[PROVE_RANK];

    (void)out;
    for (int i = 0; i < n->in[0]->rank; i++) {
        const smt *last = smt_sub(p, n->in[0]->dim[i], smt_int(p, 1));

        from[i] = n->axes[i] ? smt_sub(p, last, at[i]) : at[i];
    }
    return prove_element(c, n->in[0], from);
}

const prove_row prove_view_rows[] = {
    {"Transpose", shape_transpose, element_of_transpose, NULL,
     PROVE_KEEPS_ELEMENTS | PROVE_ALONG_AXES | PROVE_BY_LIST, NULL},
    {"Squeeze", shape_squeeze, element_of_squeeze, NULL,
     PROVE_KEEPS_NUMBERS | PROVE_TAKES_AXES | PROVE_KEEPS_ELEMENTS | PROVE_ALONG_AXES,
     " allow_axis_skip pytorch_dynamic_rank "},
    {"Unsqueeze", shape_unsqueeze, element_of_unsqueeze, NULL,
     PROVE_KEEPS_NUMBERS | PROVE_BRINGS_AXES | PROVE_KEEPS_ELEMENTS | PROVE_ALONG_AXES, NULL},
    {"Reshape", shape_reshape, element_of_reshape, NULL, PROVE_KEEPS_NUMBERS | PROVE_KEEPS_ELEMENTS,
     " special_zero "},
    {"Broadcast", shape_broadcast, element_of_broadcast, NULL,
     PROVE_CHECKS_KNOWN | PROVE_ALONG_AXES, " mode "},
    {"Tile", shape_tile, element_of_tile, NULL, PROVE_ALONG_AXES | PROVE_ANY_RANK, NULL},
    {"Reverse", shape_reverse, element_of_reverse, NULL,
     PROVE_KEEPS_ELEMENTS | PROVE_ALONG_AXES | PROVE_KEEPS_RANK | PROVE_SAME_AXES, " mode "},
    {0},
};
