/* Operations that are several others in one, as their pages say it of real numbers: of floats as
 * they are nothing is told of them, but that a softmax is a function of the line. */
#include "passes/prove/rows.h"

#include <stdio.h>
#include <string.h>

/* ---- the parts that they are made of ---- */

static const smt *apply(prove_case *c, const char *type, const smt *a, const smt *b)
{
    return prove_operation(c, type, b ? 2 : 1, (const smt *[]){a, b});
}

static bool is_told(prove_case *c, const prove_node *n, const smt *const *at)
{
    for (int i = 0; i < n->out[0].rank; i++) {
        if (smt_is_open(at[i]))
            prove_unknown(c, "a reduction at every place");
    }
    return prove_goes_on(c);
}

/* T becomes a box along the axes of operand 0 of N, which stands in the middle of *BODY, the
 * element of the box that is made at AT. */
static prove_total along_axes(prove_case *c, const prove_node *n, const smt *const *at)
{
    prove_total t = {.kind = prove_total_kind_of("ReduceSum")};
    const smt *from[PROVE_RANK];

    for (int i = 0; i < n->in[0]->rank; i++) {
        from[i] = at[i];
        if (!n->axes[i])
            continue;
        from[i] = t.var[t.n] = smt_constant(&c->pool, "along", "Int");
        t.size[t.n++] = n->in[0]->dim[i];
    }
    t.body = prove_element(c, n->in[0], from);
    return t;
}

const smt *prove_mean_of(prove_case *c, prove_total t)
{
    const smt *count = smt_int(&c->pool, 1);

    for (int i = 0; i < t.n; i++)
        count = smt_mul(&c->pool, count, t.size[i]);
    return apply(c, "Multiply", prove_total_of(c, t), smt_apply1(&c->pool, prove_per_count, count));
}

/* All of the left side is read wherever its result is. */
static bool reads_all(const prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        if (n && n->row != prove_named_row(n->from) && !(n->row->flags & PROVE_FOLDS))
            return false;
    }
    return true;
}

void prove_must_have_some(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *none = smt_bool(false), *some = smt_bool(true);

    for (int i = 0; i < n->out[0].rank; i++)
        none = smt_or(p, none, smt_eq(p, n->out[0].dim[i], smt_int(p, 0)));
    for (int i = 0; i < n->in[0]->rank; i++) {
        if (n->axes[i])
            some = smt_and(p, some, smt_not(p, smt_eq(p, n->in[0]->dim[i], smt_int(p, 0))));
    }
    some = smt_or(p, none, some);
    prove_must(c, n, n->right || reads_all(c) ? some : smt_constant(p, "defined", "Bool"));
}

/* ---- rows ---- */

/* OTHERS: what it is told of beside reals. */
static bool begin(prove_case *c, prove_node *n, int least_rank, prove_numbers others)
{
    if (c->meanings.numbers != PROVE_REAL && c->meanings.numbers != others)
        return prove_unknown(c,
                             inlay_arena_printf(c->pool.arena, "%s has no encoding", n->row->type));
    prove_need(c, prove_rank(c, n->in[0]) >= least_rank);
    if (prove_goes_on(c))
        prove_set_sizes(c, n, 0, n->in[0]->rank, n->in[0]->dim);
    return prove_goes_on(c);
}

static void shape_softmax(prove_case *c, prove_node *n)
{
    if (!begin(c, n, 1, PROVE_AS_THEY_ARE))
        return;
    n->axis = prove_axis_attr(c, n, "axis", n->in[0]->rank);
    if (!c->cut)
        n->axes[n->axis] = true;
}

/* e^x divided by the sum of all of these along the axis. */
static const smt *element_of_softmax(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    prove_total t;

    (void)out;
    if (c->meanings.numbers != PROVE_REAL)
        return prove_element_of_line(c, n, at);
    if (!is_told(c, n, at))
        return smt_bool(false);
    t = along_axes(c, n, at);
    t.body = apply(c, "Exp", t.body, NULL);
    return apply(c, "Divide", apply(c, "Exp", prove_element(c, n->in[0], at), NULL),
                 prove_total_of(c, t));
}

/* The number that attribute NAME of N is, whatever it is where it is left open. */
static const smt *number_attr(prove_case *c, prove_node *n, const char *name)
{
    prove_node *of = prove_attr_node(c, n, name);
    const rule_attr *a = prove_attr(of, name);
    const prove_symbol open = {.kind = PROVE_ATTRIBUTE,
                               .name = inlay_arena_printf(c->pool.arena, "attr_%s_of_%d", name,
                                                          (int)(of->from - c->rule->left.nodes)),
                               .attr = -1};

    if (a)
        return prove_attr_number(c, a);
    if (!prove_is_open(of))
        prove_unknown(c, "a number that is not written");
    return smt_apply(&c->pool, prove_symbol_like(c, &open, 0)->name, 0, NULL);
}

static void shape_mvn(prove_case *c, prove_node *n)
{
    static const char *const modes[] = {"inside_sqrt", "outside_sqrt"};

    prove_need(c, n->n_in == 2);
    if (c->cut || !begin(c, n, 0, PROVE_REAL))
        return;
    prove_axes_of(c, n->in[1], n->in[0]->rank, n->axes);
    n->form = prove_text_attr(c, n, "eps_mode", modes, 2);
    n->listed = prove_flag_attr(c, n, "normalize_variance");
    n->sizes[0] = number_attr(c, n, "eps");
    if (prove_goes_on(c))
        prove_must_have_some(c, n);
}

/* The mean of the squares of what is on the axes of N, less LESS. */
static const smt *mean_of_squares(prove_case *c, const prove_node *n, const smt *const *at,
                                  const smt *less)
{
    prove_total t = along_axes(c, n, at);
    const smt *x = less ? apply(c, "Subtract", t.body, less) : t.body;

    t.body = apply(c, "Multiply", x, x);
    return prove_mean_of(c, t);
}

/* x - m divided by the root of the variance, with eps inside of it or outside. */
static const smt *element_of_mvn(prove_case *c, const prove_node *n, int out, const smt *const *at)
{
    const smt *mean, *off, *variance;

    (void)out;
    if (!is_told(c, n, at))
        return smt_bool(false);
    mean = prove_mean_of(c, along_axes(c, n, at));
    off = apply(c, "Subtract", prove_element(c, n->in[0], at), mean);
    if (!n->listed)
        return off;
    variance = mean_of_squares(c, n, at, mean);
    if (n->form == 1)
        return apply(c, "Divide", off,
                     apply(c, "Add", apply(c, "Sqrt", variance, NULL), n->sizes[0]));
    return apply(c, "Divide", off, apply(c, "Sqrt", apply(c, "Add", variance, n->sizes[0]), NULL));
}

/* The scale is broadcast to the data. */
static void shape_rms(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const prove_value *scale = n->in[1];

    prove_need(c, n->n_in == 2);
    if (c->cut || !begin(c, n, 1, PROVE_REAL))
        return;
    prove_rank(c, n->in[1]);
    n->axes[n->in[0]->rank - 1] = true;
    n->sizes[0] = number_attr(c, n, "epsilon");
    if (scale->rank > n->in[0]->rank)
        prove_must(c, n, smt_bool(false));
    for (int i = 1; i <= scale->rank && i <= n->in[0]->rank; i++) {
        const smt *size = scale->dim[scale->rank - i];

        prove_must(c, n,
                   smt_or(p, smt_eq(p, size, smt_int(p, 1)),
                          smt_eq(p, size, n->in[0]->dim[n->in[0]->rank - i])));
    }
    if (prove_goes_on(c))
        prove_must_have_some(c, n);
}

/* x divided by the root of the mean of its squares along the last axis, with epsilon, times the
 * scale. */
static const smt *element_of_rms(prove_case *c, const prove_node *n, int out, const smt *const *at)
{
    int order[PROVE_RANK];
    const smt *root, *scale;

    (void)out;
    if (!is_told(c, n, at) || n->in[1]->rank > n->in[0]->rank)
        return prove_zero(c);
    for (int i = 0; i < n->in[1]->rank; i++)
        order[i] = n->in[0]->rank - n->in[1]->rank + i;
    scale = prove_repeated(c, n->in[1], order, at);
    root = apply(c, "Sqrt", apply(c, "Add", mean_of_squares(c, n, at, NULL), n->sizes[0]), NULL);
    return apply(c, "Multiply", apply(c, "Divide", prove_element(c, n->in[0], at), root), scale);
}

/* Operands 1 to 4 have a number for each channel, axis 1 of operand 0. */
static void shape_batch_norm(prove_case *c, prove_node *n)
{
    prove_need(c, n->n_in == 5);
    for (int i = 0; i < n->from->n_rows; i++) {
        if (strcmp(n->from->rows[i]->in[0].name, "data") != 0)
            prove_unknown(c, "data may be another operand");
    }
    if (c->cut || !begin(c, n, 2, PROVE_REAL))
        return;
    for (int i = 1; i < n->n_in && !c->cut; i++) {
        prove_be_of_rank(c, n->in[i], 1);
        if (!c->cut)
            prove_must(c, n, smt_eq(&c->pool, n->in[i]->dim[0], n->in[0]->dim[1]));
    }
    n->sizes[0] = number_attr(c, n, "epsilon");
}

/* (x - mean) / root of (variance + epsilon) * gamma + beta */
static const smt *element_of_batch_norm(prove_case *c, const prove_node *n, int out,
                                        const smt *const *at)
{
    const smt *of[5], *root;

    (void)out;
    for (int i = 0; i < 5; i++)
        of[i] = prove_element(c, n->in[i], i ? &at[1] : at);
    root = apply(c, "Sqrt", apply(c, "Add", of[4], n->sizes[0]), NULL);
    of[0] = apply(c, "Divide", apply(c, "Subtract", of[0], of[3]), root);
    return apply(c, "Add", apply(c, "Multiply", of[0], of[1]), of[2]);
}

enum { ALONG = PROVE_ALONG_AXES | PROVE_KEEPS_RANK | PROVE_FOLDS };

const prove_row prove_real_rows[] = {
    {"SoftMax", shape_softmax, element_of_softmax, NULL, ALONG, " axis "},
    {"MVN", shape_mvn, element_of_mvn, NULL, ALONG, " eps eps_mode normalize_variance "},
    {"RMS", shape_rms, element_of_rms, NULL, ALONG, " epsilon output_type "},
    {"BatchNormInference", shape_batch_norm, element_of_batch_norm, NULL,
     PROVE_ALONG_AXES | PROVE_KEEPS_RANK, " epsilon "},
    {0},
};
