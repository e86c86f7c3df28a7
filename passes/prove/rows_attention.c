/* ScaledDotProductAttention as the operations that it is made of: the product of queries and keys,
 * times the scale, plus the mask; the softmax of that along the keys; the product of these weights
 * and the values. ir/OPERATIONS.md says in which order it adds; elements of f32 and f64 are what
 * those operations make of them, bit for bit. */
#include "passes/prove/law.h"
#include "passes/prove/rows.h"

#include <string.h>

enum { QUERY, KEY, VALUE, MASK, SCALE, OPERANDS };

/* The operands of the hidden nodes of scores and weights. */
enum { PRODUCTS, OF_SCALE, OF_MASK };

static bool is_literal(const prove_case *c, const smt *t, double number)
{
    const prove_symbol *s = prove_symbol_of(c, t);

    return s && s->kind == PROVE_LITERAL && s->number == number;
}

/* What T adds or multiplies without effect; T: nothing. */
static const smt *without(const prove_case *c, const smt *t, const char *type, double neutral)
{
    const prove_symbol *s = prove_symbol_of(c, t);

    if (!s || !s->op || strcmp(s->op->name, type) != 0)
        return t;
    return is_literal(c, t->arg[1], neutral)   ? t->arg[0]
           : is_literal(c, t->arg[0], neutral) ? t->arg[1]
                                               : t;
}

/* T without a product with 1 and with a product for a quotient, which is what it is bit for bit. */
static const smt *plain(prove_case *c, const smt *t)
{
    return law_with_products(c, without(c, t, "Multiply", 1));
}

/* T as a softmax sees it: it does not tell 0 from -0, which is all that adding 0 changes. */
static const smt *seen(prove_case *c, const smt *t)
{
    const smt *of = without(c, t, "Add", 0), *args[2];
    const prove_symbol *s = prove_symbol_of(c, of);

    if (!s || !s->op || strcmp(s->op->name, "Add") != 0)
        return plain(c, of);
    for (int i = 0; i < 2; i++)
        args[i] = plain(c, of->arg[i]);
    return smt_remade(&c->pool, of, args);
}

/* If A and B differ, which are elements of two lines, they have other numbers in these, the lines
 * have other lengths, or element K of them differs. */
static void compare_lines(prove_case *c, const struct prove_sum *a, const struct prove_sum *b)
{
    smt_pool *p = &c->pool;
    const struct prove_sum *of[] = {a, b};
    const smt *k = smt_constant(p, "term", "Int"), *sees[2], *size[2], *number[2], *same;

    for (int i = 0; i < 2; i++) {
        const prove_node *n = of[i]->node;
        const smt *at[PROVE_RANK];

        memcpy(at, of[i]->at, sizeof at);
        number[i] = at[n->axis];
        size[i] = n->in[0]->dim[n->axis];
        at[n->axis] = k;
        c->terms.within++;
        sees[i] = seen(c, prove_element(c, n->in[0], at));
        c->terms.within--;
    }
    same = smt_implies(p, smt_within(p, smt_int(p, 0), k, size[0]), smt_eq(p, sees[0], sees[1]));
    same =
        smt_and(p, same, smt_and(p, smt_eq(p, size[0], size[1]), smt_eq(p, number[0], number[1])));
    prove_assume(c, smt_implies(p, same, smt_eq(p, a->made, b->made)));
}

const smt *prove_element_of_line(prove_case *c, const prove_node *n, const smt *const *at)
{
    struct prove_sum *line = &c->terms.lines[c->terms.n_lines];
    int before = c->terms.n_lines;

    if (before == PROVE_PLACES)
        prove_unknown(c, "too many lines");
    for (int i = 0; i < n->out[0].rank; i++) {
        if (smt_is_open(at[i]))
            prove_unknown(c, "a softmax at every place");
    }
    if (c->unknown || c->cut)
        return smt_bool(false);
    *line = (struct prove_sum){
        .within = c->terms.within, .node = n, .made = smt_constant(&c->pool, "weight", "E")};
    memcpy(line->at, at, (size_t)n->out[0].rank * sizeof *at);
    c->terms.n_lines++;
    for (int i = 0; i < before; i++) {
        if (c->terms.lines[i].within == line->within)
            compare_lines(c, &c->terms.lines[i], line);
    }
    return line->made;
}

/* ---- the parts of an attention ---- */

/* Element AT of V, whose last axes are those of a result of RANK axes; any, if it has more: that is
 * an error. */
static const smt *broadcast(prove_case *c, const prove_value *v, int rank, const smt *const *at)
{
    int order[PROVE_RANK];

    if (v->rank > rank)
        return prove_zero(c);
    for (int i = 0; i < v->rank; i++)
        order[i] = rank - v->rank + i;
    return prove_repeated(c, v, order, at);
}

static const smt *scaled(prove_case *c, const prove_node *n, const smt *const *at)
{
    return prove_product(c, broadcast(c, n->in[PRODUCTS], n->out[0].rank, at),
                         prove_first_element(c, n->in[OF_SCALE]));
}

static const smt *element_of_scores(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    const smt *sum[2] = {scaled(c, n, at)};

    (void)out;
    if (!n->in[OF_MASK])
        return sum[0];
    sum[1] = broadcast(c, n->in[OF_MASK], n->out[0].rank, at);
    return prove_operation(c, "Add", 2, sum);
}

/* Of reals: e to the power of the score, times what the mask makes of it, which is no number for
 * -infinity: whether a key is seen, a boolean, or e to the power of a number. */
static const smt *exponential(prove_case *c, const prove_node *n, const smt *const *at)
{
    const smt *score = scaled(c, n, at);
    const smt *e = prove_operation(c, "Exp", 1, &score), *by;
    int rank = n->out[0].rank;

    if (!n->form && !n->in[OF_MASK])
        return e;
    if (!c->terms.masks)
        c->terms.masks = smt_function(&c->pool, "mask", n->form ? 2 : 1, !n->form, "E");
    if (n->form)
        by = smt_apply(&c->pool, c->terms.masks, 2, at + rank - 2);
    else
        by = smt_apply1(&c->pool, c->terms.masks, broadcast(c, n->in[OF_MASK], rank, at));
    return prove_product(c, by, e);
}

static const smt *element_of_weights(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    (void)out;
    return prove_element_of_line(c, n, at);
}

/* Of reals: the sum of the values, times their exponentials, by that of these; AT is the place in
 * the product N. */
static const smt *quotient(prove_case *c, const prove_node *n, const smt *const *at)
{
    const prove_node *weights = n->in[0]->node;
    prove_total t = {.kind = prove_total_kind_of("ReduceSum"), .n = 1};
    const smt *from[PROVE_RANK], *e, *sums[2];

    memcpy(from, at, (size_t)weights->out[0].rank * sizeof *at);
    from[weights->axis] = t.var[0] = smt_constant(&c->pool, "along", "Int");
    t.size[0] = weights->out[0].dim[weights->axis];
    t.body = e = exponential(c, weights->in[0]->node, from);
    sums[1] = prove_total_of(c, t);
    t.body = prove_product(c, e, prove_factor(c, n, 1, at, t.var[0]));
    sums[0] = prove_total_of(c, t);
    return prove_operation(c, "Divide", 2, sums);
}

static const prove_row scores_row = {"", NULL, element_of_scores, NULL, 0, NULL};
static const prove_row weights_row = {"", NULL, element_of_weights, NULL, 0, NULL};

/* ---- the attention ---- */

static prove_node *new_part(prove_case *c, const prove_row *row, prove_value *a, prove_value *b)
{
    prove_node *n = prove_alloc(c, sizeof *n);

    *n = (prove_node){
        .row = row, .in = {a, b}, .n_in = 2, .n_out = 1, .valid = smt_bool(true), .right = true};
    n->out[0] = (prove_value){.node = n, .n_ints = -1};
    return n;
}

static prove_node *product_of(prove_case *c, prove_node *n, prove_value *a, prove_value *b,
                              bool by_rows)
{
    prove_node *y = new_part(c, prove_row_in(prove_sum_rows, "MatMul"), a, b);

    prove_shape_product(c, y, false, by_rows);
    prove_must(c, n, y->valid);
    return y;
}

/* The mask is broadcast to the scores, which are not broadcast to it. */
static void fit_mask(prove_case *c, prove_node *n, prove_value *mask, const prove_value *scores)
{
    smt_pool *p = &c->pool;
    int more = scores->rank - prove_rank(c, mask);

    prove_must(c, n, smt_bool(more >= 0));
    for (int i = 0; i < mask->rank && more >= 0; i++)
        prove_must(c, n,
                   smt_or(p, smt_eq(p, mask->dim[i], smt_int(p, 1)),
                          smt_eq(p, mask->dim[i], scores->dim[more + i])));
}

/* What of an attention is said only of some of its elements and operands. */
static void note_left_out(prove_case *c, const prove_node *n)
{
    bool as_they_are = c->meanings.numbers == PROVE_AS_THEY_ARE;

    if (c->meanings.numbers == PROVE_NO_FLOATS)
        prove_unknown(c, "ScaledDotProductAttention has no encoding");
    if (n->n_in < OPERANDS || !n->in[SCALE] || !n->in[MASK])
        prove_unknown(c, "an attention without a mask or a scale");
    if (as_they_are && (!n->right || !prove_count_calls(c->rule, "wide_float")))
        prove_unknown(c, "attentions of narrow floats, or whose masks may be booleans");
    if (as_they_are && n->form)
        prove_unknown(c, "an attention that is causal");
}

static void shape_attention(prove_case *c, prove_node *n)
{
    prove_node *dots, *results, *scores, *weights;

    n->form = prove_flag_attr(c, n, "causal");
    note_left_out(c, n);
    for (int i = QUERY; i <= VALUE && prove_goes_on(c); i++)
        prove_need(c, prove_rank(c, n->in[i]) >= 3);
    if (!prove_goes_on(c))
        return;
    dots = product_of(c, n, n->in[QUERY], n->in[KEY], true);
    results = product_of(c, n, &dots->out[0], n->in[VALUE], false);
    if (c->cut)
        return;
    scores = new_part(c, &scores_row, &dots->out[0], n->in[SCALE]);
    scores->in[OF_MASK] = n->form ? NULL : n->in[MASK];
    scores->n_in = 3;
    scores->form = n->form;
    memcpy(scores->sizes, results->out[0].dim, sizeof scores->sizes);
    scores->sizes[results->out[0].rank - 1] = dots->out[0].dim[dots->out[0].rank - 1];
    prove_set_sizes(c, scores, 0, results->out[0].rank, scores->sizes);
    prove_rank(c, n->in[SCALE]);
    prove_must(c, n, smt_eq(&c->pool, prove_count(c, n->in[SCALE]), smt_int(&c->pool, 1)));
    if (!n->form)
        fit_mask(c, n, n->in[MASK], &scores->out[0]);
    weights = new_part(c, &weights_row, &scores->out[0], NULL);
    weights->n_in = 1;
    prove_set_sizes(c, weights, 0, scores->out[0].rank, scores->sizes);
    weights->axis = scores->out[0].rank - 1;
    results = product_of(c, n, &weights->out[0], n->in[VALUE], false);
    n->made_by = results;
    if (!c->cut)
        prove_set_sizes(c, n, 0, results->out[0].rank, results->out[0].dim);
}

static const smt *element_of_attention(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    return c->meanings.numbers == PROVE_REAL ? quotient(c, n->made_by, at)
                                             : prove_element(c, &n->made_by->out[out], at);
}

const prove_row prove_attention_rows[] = {
    {"ScaledDotProductAttention", shape_attention, element_of_attention, NULL,
     PROVE_ALONG_AXES | PROVE_SAME_AXES | PROVE_OF_MATRICES | PROVE_ONE_FLOAT | PROVE_LAST_IS_ONE,
     " causal "},
    {0},
};
