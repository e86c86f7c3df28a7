/* Operations on each element, conversions, and a sum over an axis. */
#include "generate/make.h"

/* With these, numbers stay small and different from each other. */
static const char *const plain[] = {"ReLU", "Tanh",     "Negative", "Abs",
                                    "Add",  "Multiply", "Maximum",  "Subtract"};

/* Whether OP computes elements of G's type from N_IN operands of that type and nothing else. */
static bool suits(const generator *g, const inlay_op *op, int n_in)
{
    if (!(op->flags & INLAY_POINTWISE) || op->faults >= 0 || op->n_in != n_in ||
        op->min_in != n_in || op->variadic_in || op->n_out != 1 || op->type_attr)
        return false;
    for (int i = 0; i < n_in; i++) {
        if (op->in[i].var < 0 || op->in[i].var != op->out[0].var)
            return false;
    }
    for (int i = 0; i < op->n_attrs; i++) {
        if (op->attrs[i].required)
            return false;
    }
    return (op->in[0].types >> g->type & 1) &&
           inlay_op_find(NULL, op->name, NULL, NULL, NULL) == op && gen_allows(g, op->name);
}

/* Draws an operation of the table with N_IN operands, mostly a plain one. NULL: none is allowed. */
static const char *draw(generator *g, int n_in)
{
    const inlay_op *op;

    if (!rng_one_in(&g->r, 4)) {
        const char *name = plain[(n_in - 1) * 4 + rng_in(&g->r, 0, 3)];

        if (gen_allows(g, name))
            return name;
    }
    op = gen_draw_row(g, suits, n_in);
    return op ? op->name : NULL;
}

bool gen_has_pointwise(const generator *g)
{
    bool has = gen_allows(g, "Convert");

    for (size_t i = 0; i < inlay_op_count(NULL) && !has; i++)
        has = suits(g, inlay_op_at(NULL, i), 1) || suits(g, inlay_op_at(NULL, i), 2);
    return has;
}

static gen_value unary(generator *g, const gen_value *x)
{
    const char *name = draw(g, 1);
    inlay_value *in = x->value;

    return name ? gen_add(g, gen_build(g, name, &in, 1, NULL), x->rank, x->dims) : *x;
}

/* Draws the other operand of a pointwise node over X: of the same shape, or one that broadcasts. */
static inlay_value *companion(generator *g, const gen_value *x)
{
    int64_t dims[INLAY_MAX_RANK];
    gen_value same;

    if (!rng_one_in(&g->r, 3) && gen_same_dims(g, x->rank, x->dims, &same))
        return same.value;
    for (int i = 0; i < x->rank; i++)
        dims[i] = rng_one_in(&g->r, 2) ? 1 : x->dims[i];
    if (gen_same_dims(g, x->rank, dims, &same))
        return same.value;
    return rng_one_in(&g->r, 2) ? gen_constant(g, 0, dims) : gen_constant(g, x->rank, dims);
}

static gen_value binary(generator *g, const gen_value *x)
{
    const char *name = draw(g, 2);
    inlay_value *in[2];
    int at = rng_one_in(&g->r, 3) ? 1 : 0;

    if (!name)
        return *x;
    in[at] = x->value;
    in[1 - at] = rng_one_in(&g->r, 8) ? x->value : companion(g, x);
    return gen_add(g, gen_build(g, name, in, 2, NULL), x->rank, x->dims);
}

/* Converts X to another type, perhaps of another width, and back. */
static gen_value there_and_back(generator *g, const gen_value *x)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F64, INLAY_I32, INLAY_F16};
    inlay_value *between = gen_convert(g, x->value, types[rng_in(&g->r, 0, 3)]);

    return gen_add(g, gen_convert(g, between, g->type), x->rank, x->dims);
}

/* A node that may fail: with integer elements a zero divisor is an error. */
static gen_value divide(generator *g, const gen_value *x)
{
    inlay_value *in[2] = {x->value};

    in[1] = rng_one_in(&g->r, 3) ? companion(g, x) : gen_convert(g, gen_scalar(g, 3), g->type);
    return gen_add(g, gen_build(g, "Divide", in, 2, NULL), x->rank, x->dims);
}

gen_value gen_pointwise_of(generator *g, const gen_value *x)
{
    if (rng_one_in(&g->r, 12) && gen_allows(g, "Convert"))
        return there_and_back(g, x);
    if (rng_one_in(&g->r, inlay_type_is_float(g->type) ? 20 : 4) && gen_allows(g, "Divide") &&
        gen_allows(g, "Convert"))
        return divide(g, x);
    return rng_one_in(&g->r, 2) ? unary(g, x) : binary(g, x);
}

void gen_pointwise(generator *g)
{
    gen_value x = gen_any(g);

    gen_pointwise_of(g, &x);
}

void gen_convert_any(generator *g)
{
    gen_value x = gen_any(g);

    gen_add(g, gen_convert(g, x.value, g->type), x.rank, x.dims);
}

void gen_reduce(generator *g)
{
    gen_value x = gen_any(g);
    inlay_value *in[2] = {x.value};
    bool most = rng_one_in(&g->r, 2) && gen_allows(g, "TopK");

    if (x.rank == 0 || x.dims[0] == 0)
        return;
    x.dims[0] = 1;
    if (most) { /* its kernel needs dense operands */
        in[1] = gen_scalar(g, 1);
        gen_add(g, gen_build(g, "TopK", in, 2, "axis=0;mode=max;sort=value"), x.rank, x.dims);
        return;
    }
    in[1] = gen_ints(g, 1, (int64_t[]){0});
    gen_add(g, gen_build(g, "ReduceSum", in, 2, "keep_dims=true"), x.rank, x.dims);
}
