/* Operations that select, write and join parts of a tensor. */
#include "passes/prove/rows.h"

#include <string.h>

/* The window fits operand 0. */
static bool check_window(prove_case *c, prove_node *n)
{
    if (!n->window)
        n->window = prove_spelt_window(c, n);
    if (!prove_goes_on(c))
        return false;
    prove_must(c, n, n->window->proper);
    return !c->cut;
}

static void shape_slice(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];

    if (!check_window(c, n))
        return;
    for (int i = 0; i < n->window->rank; i++)
        sizes[i] = n->window->axis[i].count;
    prove_set_sizes(c, n, 0, n->window->rank, sizes);
}

static const smt *element_of_slice(prove_case *c, const prove_node *n, int out,
                                   const smt *const *at)
{
    const smt *from[PROVE_RANK];

    (void)out;
    for (int i = 0; i < n->window->rank; i++)
        from[i] = prove_at(c, n->window, i, at[i]);
    return prove_element(c, n->in[0], from);
}

static void shape_slice_scatter(prove_case *c, prove_node *n)
{
    if (!check_window(c, n))
        return;
    prove_be_of_rank(c, n->in[1], n->window->rank);
    for (int i = 0; i < n->window->rank && !c->cut; i++)
        prove_must(c, n, smt_eq(&c->pool, n->in[1]->dim[i], n->window->axis[i].count));
    prove_set_sizes(c, n, 0, n->in[0]->rank, n->in[0]->dim);
}

static const smt *element_of_slice_scatter(prove_case *c, const prove_node *n, int out,
                                           const smt *const *at)
{
    const smt *written = smt_bool(true), *which[PROVE_RANK];

    (void)out;
    if (n->window->mask) /* the solver need not see what is asked of it here */
        prove_assume(c, prove_masked_at(c, n->window, at));
    for (int i = 0; i < n->window->rank; i++) {
        written = smt_and(&c->pool, written, prove_has(c, n->window, i, at[i]));
        which[i] = prove_which(c, n->window, i, at[i]);
    }
    return smt_ite(&c->pool, written, prove_element(c, n->in[1], which),
                   prove_element(c, n->in[0], at));
}

static void shape_concat(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]);

    prove_need(c, rank > 0);
    n->axis = prove_axis_attr(c, n, "axis", rank);
    memcpy(sizes, n->in[0]->dim, sizeof sizes);
    for (int i = 1; i < n->n_in; i++)
        prove_be_of_rank(c, n->in[i], rank);
    for (int i = 1; i < n->n_in && !c->cut; i++) {
        for (int k = 0; k < rank; k++) {
            if (k == n->axis)
                sizes[k] = smt_add(&c->pool, sizes[k], n->in[i]->dim[k]);
            else
                prove_must(c, n, smt_eq(&c->pool, sizes[k], n->in[i]->dim[k]));
        }
    }
    prove_set_sizes(c, n, 0, rank, sizes);
}

/* Element AT of the Concat of the operands from I on. */
static const smt *joined(prove_case *c, const prove_node *n, int i, const smt *const *at)
{
    const smt *behind[PROVE_RANK], *size = n->in[i]->dim[n->axis];

    if (i + 1 == n->n_in)
        return prove_element(c, n->in[i], at);
    memcpy(behind, at, (size_t)n->in[i]->rank * sizeof *behind);
    behind[n->axis] = smt_sub(&c->pool, at[n->axis], size);
    return smt_ite(&c->pool, smt_lt(&c->pool, at[n->axis], size), prove_element(c, n->in[i], at),
                   joined(c, n, i + 1, behind));
}

static const smt *element_of_concat(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    (void)out;
    return joined(c, n, 0, at);
}

/* Sets the sizes of N's outputs; those along the axis are in n->sizes. */
static void set_parts(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];

    memcpy(sizes, n->in[0]->dim, sizeof sizes);
    for (int i = 0; i < n->n_out && !c->cut; i++) {
        sizes[n->axis] = n->sizes[i];
        prove_set_sizes(c, n, i, n->in[0]->rank, sizes);
    }
}

static void shape_split(prove_case *c, prove_node *n)
{
    const smt *parts = smt_int(&c->pool, n->n_out), *size;
    int rank = prove_rank(c, n->in[0]);

    prove_need(c, rank > 0 && n->n_out > 0);
    n->axis = prove_axis_of(c, n->in[1], rank);
    if (c->cut)
        return;
    size = n->in[0]->dim[n->axis];
    prove_must(c, n, smt_eq(&c->pool, smt_mod(&c->pool, size, parts), smt_int(&c->pool, 0)));
    for (int i = 0; i < n->n_out; i++)
        n->sizes[i] = smt_div(&c->pool, size, parts);
    set_parts(c, n);
}

static bool is_rest(const smt *length)
{
    return length->op == SMT_INT && length->n == -1;
}

/* The size that N's other lengths, which the rule writes, leave for -1. */
static const smt *rest_of(prove_case *c, const prove_node *n)
{
    const smt *rest = n->in[0]->dim[n->axis];

    for (int i = 0; i < n->n_out; i++) {
        if (!is_rest(n->in[2]->ints[i]))
            rest = smt_sub(&c->pool, rest, n->in[2]->ints[i]);
    }
    return rest;
}

/* A length of -1 stands for the rest; a node of the left side has lengths without it. */
static void shape_variadic_split(prove_case *c, prove_node *n)
{
    const smt *sum = smt_int(&c->pool, 0), *zero = sum;
    int rank = prove_rank(c, n->in[0]), rests = 0;

    prove_need(c, rank > 0 && n->n_out > 0);
    n->axis = prove_axis_of(c, n->in[1], rank);
    prove_be_ints(c, n->in[2], n->n_out);
    for (int i = 0; i < n->n_out && !c->cut; i++) {
        n->sizes[i] = is_rest(n->in[2]->ints[i]) ? rest_of(c, n) : n->in[2]->ints[i];
        prove_need(c, (rests += is_rest(n->in[2]->ints[i])) < 2);
        sum = smt_add(&c->pool, sum, n->sizes[i]);
        prove_must(c, n, smt_le(&c->pool, zero, n->sizes[i]));
    }
    if (c->cut)
        return;
    prove_must(c, n, smt_eq(&c->pool, sum, n->in[0]->dim[n->axis]));
    set_parts(c, n);
}

static const smt *element_of_split(prove_case *c, const prove_node *n, int out,
                                   const smt *const *at)
{
    const smt *from[PROVE_RANK];

    memcpy(from, at, (size_t)n->in[0]->rank * sizeof *from);
    for (int i = 0; i < out; i++)
        from[n->axis] = smt_add(&c->pool, from[n->axis], n->sizes[i]);
    return prove_element(c, n->in[0], from);
}

enum { CONSTANT, EDGE, REFLECT, SYMMETRIC };

/* Whether PADS is no more than can be mirrored of an axis of SIZE elements, each of them at most
 * once. */
static const smt *in_reach(prove_case *c, int mode, const smt *pads, const smt *size)
{
    smt_pool *p = &c->pool;
    const smt *zero = smt_int(p, 0), *within;

    within = mode == EDGE      ? smt_lt(p, zero, size)
             : mode == REFLECT ? smt_lt(p, pads, size)
                               : smt_le(p, pads, size);
    return mode == CONSTANT ? smt_bool(true) : smt_or(p, smt_le(p, pads, zero), within);
}

/* All nodes of the side SIDE that read V are Pads, whose value it is. */
static bool reads_as_padding(const prove_case *c, const rule_side *side, const prove_value *v)
{
    bool alone = true;

    for (int i = 0; i < side->n_nodes && alone; i++) {
        for (int k = 0; k < side->nodes[i].n_in && alone; k++) {
            const rule_term *t = &side->nodes[i].in[k];

            alone = (k == 3 && prove_is_type(side->nodes[i].type, "Pad")) || t->kind != TERM_NAME ||
                    c->names[t->name].value != v;
        }
    }
    return alone;
}

/* Nothing is asked of the sizes of V, which is the value of Pads alone, but how many elements it
 * has: a list is as good as any. */
static bool is_padding_alone(const prove_case *c, const prove_value *v)
{
    static const char *const plain[] = {"one_element", "absent_or_zero", "least",
                                        "constant",    "equals",         NULL};
    bool alone = !v->node && v->rank < 0;

    for (int i = 0; i < c->rule->n_clauses && alone; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        for (int k = 0; k < clause->n_args && alone; k++)
            alone = prove_calls_one(clause, plain) || prove_value_at(c, clause, k) != v;
    }
    return alone && reads_as_padding(c, &c->rule->left, v) &&
           reads_as_padding(c, &c->rule->right, v);
}

/* The value that a Pad puts around its data has one element. */
static void shape_padding(prove_case *c, prove_node *n, prove_value *v)
{
    if (is_padding_alone(c, v))
        prove_be_of_rank(c, v, 1);
    prove_rank(c, v);
    for (int i = 0; i < v->rank && !c->cut; i++)
        prove_must(c, n, smt_eq(&c->pool, v->dim[i], smt_int(&c->pool, 1)));
}

static void shape_pad(prove_case *c, prove_node *n)
{
    static const char *const modes[] = {"constant", "edge", "reflect", "symmetric"};
    smt_pool *p = &c->pool;
    const smt *sizes[PROVE_RANK], *zero = smt_int(p, 0);
    int rank = prove_rank(c, n->in[0]);

    n->form = prove_text_attr(c, n, "pad_mode", modes, 4);
    prove_be_ints(c, n->in[1], rank);
    prove_be_ints(c, n->in[2], rank);
    if (n->n_in > 3 && n->in[3])
        shape_padding(c, n, n->in[3]);
    for (int i = 0; i < rank && !c->cut; i++) {
        const smt *before = n->in[1]->ints[i], *behind = n->in[2]->ints[i];
        const smt *sum = smt_add(p, smt_add(p, before, n->in[0]->dim[i]), behind);

        prove_must(c, n, in_reach(c, n->form, before, n->in[0]->dim[i]));
        prove_must(c, n, in_reach(c, n->form, behind, n->in[0]->dim[i]));
        sizes[i] = smt_ite(p, smt_le(p, zero, sum), sum, zero);
    }
    prove_set_sizes(c, n, 0, rank, sizes);
}

/* The position of an axis of SIZE elements that a padded position X shows. */
static const smt *shown_at(prove_case *c, int mode, const smt *x, const smt *size)
{
    smt_pool *p = &c->pool;
    const smt *zero = smt_int(p, 0), *last = smt_sub(p, size, smt_int(p, 1)), *ahead, *behind;
    /* The mirror is at the outermost element, or just outside of it. */
    const smt *beside = smt_int(p, mode == SYMMETRIC);

    ahead = smt_sub(p, smt_sub(p, zero, x), beside);
    behind = smt_add(p, smt_sub(p, smt_add(p, last, last), x), beside);
    if (mode == EDGE) {
        ahead = zero;
        behind = last;
    }
    return smt_ite(p, smt_lt(p, x, zero), ahead, smt_ite(p, smt_lt(p, x, size), x, behind));
}

static const smt *element_of_pad(prove_case *c, const prove_node *n, int out, const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *inside = smt_bool(true), *from[PROVE_RANK], *padding;
    int rank = n->in[0]->rank;

    (void)out;
    for (int i = 0; i < rank; i++) {
        const smt *size = n->in[0]->dim[i];

        from[i] = smt_sub(p, at[i], n->in[1]->ints[i]);
        inside = smt_and(p, inside, smt_within(p, smt_int(p, 0), from[i], size));
        if (n->form != CONSTANT)
            from[i] = shown_at(c, n->form, from[i], size);
    }
    if (n->form != CONSTANT)
        return prove_element(c, n->in[0], from);
    padding = n->n_in > 3 && n->in[3] ? prove_first_element(c, n->in[3]) : prove_zero(c);
    return smt_ite(p, inside, prove_element(c, n->in[0], from), padding);
}

const prove_row prove_window_rows[] = {
    {"Slice", shape_slice, element_of_slice, NULL,
     PROVE_SIZES_OF_WINDOW | PROVE_ALONG_AXES | PROVE_KEEPS_RANK | PROVE_SAME_AXES,
     " starts ends axes "},
    {"SliceScatter", shape_slice_scatter, element_of_slice_scatter, NULL,
     PROVE_SIZES_OF_DATA | PROVE_ALONG_AXES | PROVE_HAS_PLACES | PROVE_KEEPS_RANK | PROVE_SAME_AXES,
     NULL},
    {"Concat", shape_concat, element_of_concat, NULL,
     PROVE_CHECKS_KNOWN | PROVE_KEEPS_ELEMENTS | PROVE_ALONG_AXES | PROVE_HAS_PLACES |
         PROVE_SAME_AXES,
     " axis "},
    {"Split", shape_split, element_of_split, NULL,
     PROVE_ALONG_AXES | PROVE_HAS_PLACES | PROVE_KEEPS_RANK | PROVE_SAME_AXES, " num_splits "},
    {"VariadicSplit", shape_variadic_split, element_of_split, NULL,
     PROVE_ALONG_AXES | PROVE_HAS_PLACES | PROVE_KEEPS_RANK | PROVE_SAME_AXES, NULL},
    {"Pad", shape_pad, element_of_pad, NULL,
     PROVE_ALONG_AXES | PROVE_HAS_PLACES | PROVE_BY_LIST | PROVE_SAME_AXES, " pad_mode "},
    {0},
};
