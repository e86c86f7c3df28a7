/* Operations that take, write and join parts of a tensor. */
#include "passes/prove/rows.h"

#include <string.h>

/* The window is one of operand 0. */
static bool check_window(prove_case *c, prove_node *n)
{
    if (!n->window)
        return prove_unknown(c, "a window that is given as lists is not encoded");
    prove_be_of_rank(c, n->in[0], n->window->rank);
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

/* Element AT of the operands from I on, joined. */
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

/* Sets the sizes of the outputs of N, whose sizes along the axis are in n->sizes. */
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

/* A length of -1 stands for what is left: the lengths of a given node are what it means. */
static void shape_variadic_split(prove_case *c, prove_node *n)
{
    const smt *sum = smt_int(&c->pool, 0), *zero = sum;
    int rank = prove_rank(c, n->in[0]);

    prove_need(c, rank > 0 && n->n_out > 0);
    n->axis = prove_axis_of(c, n->in[1], rank);
    prove_be_ints(c, n->in[2], n->n_out);
    for (int i = 0; i < n->n_out && !c->cut; i++) {
        n->sizes[i] = n->in[2]->ints[i];
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

static void shape_pad(prove_case *c, prove_node *n)
{
    static const char *const modes[] = {"constant", "edge"}; /* the second is for all others */
    smt_pool *p = &c->pool;
    const smt *sizes[PROVE_RANK], *nothing = smt_bool(true), *zero = smt_int(p, 0);
    int rank = prove_rank(c, n->in[0]);

    n->form = prove_text_attr(c, n, "pad_mode", modes, 2);
    prove_be_ints(c, n->in[1], rank);
    prove_be_ints(c, n->in[2], rank);
    if (n->n_in > 3 && n->in[3])
        prove_be_of_rank(c, n->in[3], 0);
    n->made = smt_function(p, "padding", rank, false, "E");
    for (int i = 0; i < rank && !c->cut; i++) {
        const smt *before = n->in[1]->ints[i], *behind = n->in[2]->ints[i];
        const smt *sum = smt_add(p, smt_add(p, before, n->in[0]->dim[i]), behind);

        nothing = smt_and(p, nothing, smt_and(p, smt_eq(p, before, zero), smt_eq(p, behind, zero)));
        sizes[i] = smt_ite(p, smt_le(p, zero, sum), sum, zero);
    }
    if (n->form > 0) /* how far other modes can pad is left open */
        prove_must(c, n, smt_or(p, nothing, smt_constant(p, "in_reach", "Bool")));
    prove_set_sizes(c, n, 0, rank, sizes);
}

static const smt *element_of_pad(prove_case *c, const prove_node *n, int out, const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *inside = smt_bool(true), *from[PROVE_RANK], *padding;
    int rank = n->in[0]->rank;

    (void)out;
    for (int i = 0; i < rank; i++) {
        from[i] = smt_sub(p, at[i], n->in[1]->ints[i]);
        inside = smt_and(p, inside, smt_within(p, smt_int(p, 0), from[i], n->in[0]->dim[i]));
    }
    if (n->form > 0)
        padding = smt_apply(p, n->made, rank, at);
    else
        padding = n->n_in > 3 && n->in[3] ? prove_element(c, n->in[3], NULL) : prove_zero(c);
    return smt_ite(p, inside, prove_element(c, n->in[0], from), padding);
}

const prove_row prove_window_rows[] = {
    {"Slice", shape_slice, element_of_slice, NULL, false},
    {"SliceScatter", shape_slice_scatter, element_of_slice_scatter, NULL, false},
    {"Concat", shape_concat, element_of_concat, NULL, false},
    {"Split", shape_split, element_of_split, NULL, false},
    {"VariadicSplit", shape_variadic_split, element_of_split, NULL, false},
    {"Pad", shape_pad, element_of_pad, NULL, false},
    {0},
};
