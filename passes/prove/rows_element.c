/* Operations that work element by element. What they compute is a function that nothing is known
 * of, the same one for the same operation with the same attributes. */
#include "passes/prove/rows.h"

const char prove_holds[] = "holds";

/* Aligns the operands' axes, the last with the last. */
static void shape_pointwise(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *sizes[PROVE_RANK], *one = smt_int(p, 1);
    int rank = 0;

    for (int i = 0; i < n->n_in; i++) {
        if (prove_rank(c, n->in[i]) > rank)
            rank = n->in[i]->rank;
    }
    for (int k = 0; k < rank; k++)
        sizes[k] = one;
    for (int i = 1; i < n->n_in && n->form == PROVE_STRICT; i++)
        prove_must(c, n, prove_same_sizes(c, n->in[0], n->in[i]));
    for (int i = 0; i < n->n_in && !c->cut; i++) {
        int more = rank - n->in[i]->rank;

        for (int k = more; k < rank; k++) {
            const smt *size = n->in[i]->dim[k - more];

            prove_must(c, n,
                       smt_or(p, smt_eq(p, size, sizes[k]),
                              smt_or(p, smt_eq(p, size, one), smt_eq(p, sizes[k], one))));
            sizes[k] = smt_ite(p, smt_eq(p, sizes[k], one), size, sizes[k]);
        }
    }
    prove_set_sizes(c, n, 0, rank, sizes);
}

/* Element AT of operand I, broadcast to the sizes of the result. */
static const smt *element_of_operand(prove_case *c, const prove_node *n, int i,
                                     const smt *const *at)
{
    const prove_value *v = n->in[i];
    int order[PROVE_RANK], more = n->out[0].rank - v->rank;

    for (int k = 0; k < v->rank; k++)
        order[k] = more + k;
    return n->n_in == 1 ? prove_element(c, v, at) : prove_repeated(c, v, order, at);
}

static const smt *element_of_pointwise(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    const smt *args[SMT_ARGS];

    (void)out;
    for (int i = 0; i < n->n_in; i++)
        args[i] = element_of_operand(c, n, i, at);
    return smt_apply(&c->pool, n->function, n->n_in, args);
}

const prove_row prove_pointwise = {"", shape_pointwise, element_of_pointwise, NULL, 0};

static const smt *element_of_select(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    const smt *mask;

    (void)out;
    mask = element_of_operand(c, n, 0, at);
    return smt_ite(&c->pool, smt_apply1(&c->pool, prove_holds, mask),
                   element_of_operand(c, n, 1, at), element_of_operand(c, n, 2, at));
}

/* As a boolean an integer holds unless it is 0. */
static void state_boolean(prove_case *c, const char *converted)
{
    smt_pool *p = &c->pool;
    const smt *k = smt_variable(p);
    const smt *x = smt_apply1(p, converted, smt_apply1(p, prove_of_int, k));
    const smt *holds = smt_apply1(p, prove_holds, x);

    prove_assume(c, smt_all(p, k, smt_or(p, holds, smt_eq(p, k, smt_int(p, 0))), x));
}

static void shape_convert(prove_case *c, prove_node *n)
{
    const rule_attr *to = prove_attr(n, "destination_type");

    prove_rank(c, n->in[0]);
    n->made = smt_function(&c->pool, "converted", 1, true, "E");
    if (to && to->var < 0 && to->literal.as.type == INLAY_BOOLEAN)
        state_boolean(c, n->made);
    prove_set_sizes(c, n, 0, n->in[0]->rank, n->in[0]->dim);
}

static const smt *element_of_convert(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    const smt *x = prove_element(c, n->in[0], at);

    (void)out;
    return n->form == PROVE_SAME_TYPE ? x : smt_apply1(&c->pool, n->made, x);
}

const prove_row prove_element_rows[] = {
    {"Select", shape_pointwise, element_of_select, NULL, 0},
    {"Convert", shape_convert, element_of_convert, NULL, 0},
    {"ConvertLike", shape_convert, element_of_convert, NULL, 0},
    {0},
};
