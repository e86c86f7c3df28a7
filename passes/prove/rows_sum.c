/* MatMul. A sum is an uninterpreted function of its terms: two sums are equal if they have the same
 * terms in the same order. For two that may differ, the solver is given a term in which they do. */
#include "passes/prove/rows.h"

enum { BY_COLUMNS, OF_COLUMNS }; /* in n->axes: transpose_a, transpose_b */

bool prove_is_by_rows(const prove_node *n)
{
    return n->axes[OF_COLUMNS];
}

/* The size of V's axis K from the end; a list counts as the matrix of which it is the only row or
 * column. */
static const smt *size_from_end(prove_case *c, const prove_value *v, int k)
{
    return v->rank > k ? v->dim[v->rank - 1 - k] : smt_int(&c->pool, 1);
}

static int batches_of(const prove_value *v)
{
    return v->rank > 2 ? v->rank - 2 : 0;
}

/* The batch sizes after broadcasting. */
static int shape_batches(prove_case *c, prove_node *n, const smt **sizes)
{
    smt_pool *p = &c->pool;
    const smt *one = smt_int(p, 1);
    int all =
        batches_of(n->in[0]) > batches_of(n->in[1]) ? batches_of(n->in[0]) : batches_of(n->in[1]);

    for (int i = 0; i < all; i++)
        sizes[i] = one;
    for (int k = 0; k < 2; k++) {
        int more = all - batches_of(n->in[k]);

        for (int i = more; i < all; i++) {
            const smt *size = n->in[k]->dim[i - more];
            const smt *any = smt_or(p, smt_eq(p, size, one), smt_eq(p, sizes[i], one));

            prove_must(c, n, smt_or(p, smt_eq(p, size, sizes[i]), any));
            sizes[i] = smt_ite(p, smt_eq(p, sizes[i], one), size, sizes[i]);
        }
    }
    return all;
}

void prove_shape_product(prove_case *c, prove_node *n, bool a_transposed, bool b_transposed)
{
    const prove_value *a = n->in[0], *b = n->in[1];
    const smt *sizes[PROVE_RANK], *depth;
    int all;

    n->axes[BY_COLUMNS] = a_transposed && a->rank > 1;
    n->axes[OF_COLUMNS] = b_transposed && b->rank > 1;
    if (c->cut)
        return;
    all = shape_batches(c, n, sizes);
    n->sizes[0] = depth = size_from_end(c, a, n->axes[BY_COLUMNS]);
    prove_must(c, n,
               smt_eq(&c->pool, depth, size_from_end(c, b, b->rank > 1 && !n->axes[OF_COLUMNS])));
    n->axis = all;
    if (a->rank > 1)
        sizes[all++] = size_from_end(c, a, !n->axes[BY_COLUMNS]);
    if (b->rank > 1)
        sizes[all++] = size_from_end(c, b, n->axes[OF_COLUMNS]);
    prove_set_sizes(c, n, 0, all, sizes);
}

static void shape_matmul(prove_case *c, prove_node *n)
{
    bool a_transposed, b_transposed;

    prove_need(c, prove_rank(c, n->in[0]) > 0 && prove_rank(c, n->in[1]) > 0);
    a_transposed = prove_flag_attr(c, n, "transpose_a");
    b_transposed = prove_flag_attr(c, n, "transpose_b");
    prove_shape_product(c, n, a_transposed, b_transposed);
}

const smt *prove_factor(prove_case *c, const prove_node *n, int i, const smt *const *at,
                        const smt *k)
{
    smt_pool *p = &c->pool;
    const prove_value *v = n->in[i];
    const smt *from[PROVE_RANK], *line = at[n->axis + (i == 1 && n->in[0]->rank > 1)];
    int batches = batches_of(v);
    bool first = i == 0 ? n->axes[BY_COLUMNS] : !n->axes[OF_COLUMNS];

    if (v->rank == 1)
        return prove_element(c, v, &k);
    for (int j = 0; j < batches; j++) {
        const smt *one = smt_eq(p, v->dim[j], smt_int(p, 1));

        from[j] = smt_ite(p, one, smt_int(p, 0), at[n->axis - batches + j]);
    }
    from[batches] = first ? k : line;
    from[batches + 1] = first ? line : k;
    return prove_element(c, v, from);
}

/* If they are not equal, the numbers of terms differ, or some term K does. */
static void compare_sums(prove_case *c, const struct prove_sum *a, const struct prove_sum *b)
{
    smt_pool *p = &c->pool;
    const smt *k = smt_constant(p, "term", "Int"), *same = smt_bool(true);

    for (int i = 0; i < 2; i++)
        same = smt_and(p, same,
                       smt_eq(p, prove_factor(c, a->node, i, a->at, k),
                              prove_factor(c, b->node, i, b->at, k)));
    same = smt_implies(p, smt_within(p, smt_int(p, 0), k, a->node->sizes[0]), same);
    same = smt_and(p, same, smt_eq(p, a->node->sizes[0], b->node->sizes[0]));
    prove_assume(c, smt_implies(p, same, smt_eq(p, a->made, b->made)));
}

/* A sum of products for integers, which wrap. */
static const smt *sum_of_integers(prove_case *c, const prove_node *n, const smt *const *at)
{
    prove_total t = {.kind = prove_total_kind_of("ReduceSum"), .n = 1};
    const smt *factors[2];

    t.var[0] = smt_constant(&c->pool, "term", "Int");
    t.size[0] = n->sizes[0];
    for (int i = 0; i < 2; i++)
        factors[i] = prove_factor(c, n, i, at, t.var[0]);
    t.body = prove_product(c, factors[0], factors[1]);
    return prove_total_of(c, t);
}

static const smt *element_of_matmul(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    struct prove_sum *sum = &c->terms.sums[c->terms.n_sums];
    int before = c->terms.n_sums;

    (void)out;
    if (before == PROVE_SUMS)
        prove_unknown(c, "too many sums");
    for (int i = 0; i < n->out[0].rank; i++) {
        if (smt_is_open(at[i]))
            prove_unknown(c, "a sum at every place");
    }
    if (c->unknown)
        return smt_bool(false);
    if (prove_is_discrete(c, n->in[0]) || prove_is_discrete(c, n->in[1]))
        return sum_of_integers(c, n, at);
    *sum = (struct prove_sum){
        .within = c->terms.within, .node = n, .made = smt_constant(&c->pool, "sum", "E")};
    for (int i = 0; i < n->out[0].rank; i++)
        sum->at[i] = at[i];
    c->terms.n_sums++;
    for (int i = 0; i < before; i++) {
        if (c->terms.sums[i].within == sum->within)
            compare_sums(c, &c->terms.sums[i], sum);
    }
    return sum->made;
}

const prove_row prove_sum_rows[] = {
    {"MatMul", shape_matmul, element_of_matmul, NULL,
     PROVE_ALONG_AXES | PROVE_SAME_AXES | PROVE_OF_MATRICES, " transpose_a transpose_b "},
    {0},
};
