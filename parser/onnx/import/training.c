/* Optimizers of ai.onnx.preview.training. Operands are the learning rate R, the number T of earlier
 * updates, and then lists of equally many tensors: the parameters (X), their gradients (G), and the
 * states of the optimizer. The results are the lists without the gradients. */
#include "parser/onnx/import/make.h"

#include <string.h>

/* One of the tensors that are learned, and the operands for it. */
typedef struct learned {
    onnx_node *n;
    inlay_value *x, *g; /* the gradient of x and of its L2 norm */
    inlay_type type;
    int at, count; /* which, of how many */
} learned;

enum { RATE, UPDATES, LISTS };

/* Returns list K of the operands. */
static inlay_value *operand(const learned *l, int k)
{
    return l->n->in[LISTS + k * l->count + l->at];
}

static bool give(const learned *l, int k, inlay_value *v)
{
    return onnx_give(l->n, k * l->count + l->at, v);
}

static inlay_value *times(const learned *l, inlay_value *a, inlay_value *b)
{
    return onnx_binary(l->n, "Multiply", a, b);
}

static inlay_value *plus(const learned *l, inlay_value *a, inlay_value *b)
{
    return onnx_binary(l->n, "Add", a, b);
}

/* Returns FROM - RATE * STEP. */
static inlay_value *descend(const learned *l, inlay_value *from, inlay_value *rate,
                            inlay_value *step)
{
    return onnx_binary(l->n, "Subtract", from, times(l, onnx_convert(l->n, rate, l->type), step));
}

/* Makes NUMBER a constant of the type of the learning rate. */
static inlay_value *number(onnx_node *n, double x)
{
    return onnx_number(n, n->in[RATE]->fact.type, x);
}

/* Returns WITH where there were updates before, else WITHOUT. */
static inlay_value *after_first(onnx_node *n, inlay_value *with, inlay_value *without)
{
    return make_select(n, onnx_binary(n, "Greater", n->in[UPDATES], onnx_integer(n, 0)), with,
                       without);
}

/* Calls ONE for each of the tensors that are learned, which have N_LISTS lists of operands. */
static bool for_each(onnx_node *n, int n_lists, inlay_value *rate,
                     bool (*one)(const learned *l, inlay_value *rate))
{
    bool ok = true;
    double decay = onnx_attr_float(n, "norm_coefficient", 0, &ok);
    learned l = {.n = n, .count = (n->n_in - LISTS) / n_lists};

    if (!ok || !rate)
        return false;
    if (n->n_in != LISTS + n_lists * l.count || n->n_out != (n_lists - 1) * l.count)
        return onnx_node_fail(n,
                              "has %d input%s and %d output%s, they must be 2 and %d, and %d, for "
                              "each tensor",
                              n->n_in, inlay_plural(n->n_in, "", "s"), n->n_out,
                              inlay_plural(n->n_out, "", "s"), n_lists, n_lists - 1);
    for (int i = LISTS; i < n->n_in; i++) {
        inlay_shape x = {.rank = -1};

        if (!n->in[i])
            return onnx_node_fail(n, "input[%d] is missing", i);
        x = onnx_shape(n->in[LISTS + (i - LISTS) % l.count]);
        if (!onnx_has_shape(n, i, &x))
            return false;
        if (x.rank >= 0)
            n->in[i] = onnx_held_like(n, n->in[i], n->in[LISTS + (i - LISTS) % l.count], 0);
        if (!n->in[i])
            return false;
    }
    for (l.at = 0; ok && l.at < l.count; l.at++) {
        l.x = operand(&l, 0);
        l.type = l.x->fact.type;
        l.g = plus(&l, make_scaled(n, l.x, decay), operand(&l, 1));
        ok = one(&l, rate);
    }
    return ok;
}

static inlay_value *root(const learned *l, inlay_value *squares, const char *epsilon)
{
    bool ok = true;
    double e = onnx_attr_float(l->n, epsilon, 1e-6f, &ok);

    return ok ? plus(l, onnx_unary(l->n, "Sqrt", squares), onnx_number(l->n, l->type, e)) : NULL;
}

static bool adagrad(const learned *l, inlay_value *rate)
{
    inlay_value *squares = plus(l, operand(l, 2), times(l, l->g, l->g));
    inlay_value *step = onnx_binary(l->n, "Divide", l->g, root(l, squares, "epsilon"));

    return give(l, 0, descend(l, l->x, rate, step)) && give(l, 1, squares);
}

/* The rate falls with the number of updates: R / (1 + T * decay_factor). */
static bool import_adagrad(onnx_node *n)
{
    bool ok = true;
    double decay = onnx_attr_float(n, "decay_factor", 0, &ok);
    inlay_value *updates = onnx_convert(n, n->in[UPDATES], n->in[RATE]->fact.type), *divisor;

    divisor = onnx_binary(n, "Add", make_scaled(n, updates, decay), number(n, 1));
    return ok && for_each(n, 3, onnx_binary(n, "Divide", n->in[RATE], divisor), adagrad);
}

/* Returns SHARE * A + (1 - SHARE) * B. */
static inlay_value *mix(const learned *l, double share, inlay_value *a, inlay_value *b)
{
    return plus(l, make_scaled(l->n, a, share), make_scaled(l->n, b, 1 - share));
}

static bool adam(const learned *l, inlay_value *rate)
{
    bool ok = true;
    double alpha = onnx_attr_float(l->n, "alpha", 0.9f, &ok),
           beta = onnx_attr_float(l->n, "beta", 0.999f, &ok),
           after = onnx_attr_float(l->n, "norm_coefficient_post", 0, &ok);
    inlay_value *mean = mix(l, alpha, operand(l, 2), l->g),
                *squares = mix(l, beta, operand(l, 3), times(l, l->g, l->g)), *step;

    step = onnx_binary(l->n, "Divide", mean, root(l, squares, "epsilon"));
    return ok && give(l, 0, make_scaled(l->n, descend(l, l->x, rate, step), 1 - after)) &&
           give(l, 1, mean) && give(l, 2, squares);
}

/* Returns 1 - BASE^T. */
static inlay_value *bias_of(onnx_node *n, double base)
{
    inlay_value *updates = onnx_convert(n, n->in[UPDATES], n->in[RATE]->fact.type);

    return onnx_binary(n, "Subtract", number(n, 1),
                       onnx_binary(n, "Power", number(n, base), updates));
}

/* The averages begin with 0, and the rate makes up for that: R * sqrt(1 - beta^T) / (1 -
 * alpha^T). */
static bool import_adam(onnx_node *n)
{
    bool ok = true;
    double alpha = onnx_attr_float(n, "alpha", 0.9f, &ok),
           beta = onnx_attr_float(n, "beta", 0.999f, &ok);
    inlay_value *rate =
        onnx_binary(n, "Multiply", n->in[RATE], onnx_unary(n, "Sqrt", bias_of(n, beta)));

    rate = onnx_binary(n, "Divide", rate, bias_of(n, alpha));
    return ok && for_each(n, 4, after_first(n, rate, n->in[RATE]), adam);
}

/* V = alpha * V + beta * G, where beta is 1 for the first update; X falls by V, or by G + alpha * V
 * in mode nesterov. */
static bool momentum(const learned *l, inlay_value *rate)
{
    onnx_node *n = l->n;
    bool ok = true;
    double alpha = onnx_attr_float(n, "alpha", 0, &ok), beta = onnx_attr_float(n, "beta", 0, &ok);
    const char *mode = onnx_attr_string(n, "mode", "", &ok);
    inlay_value *share = after_first(n, onnx_number(n, l->type, beta), onnx_number(n, l->type, 1));
    inlay_value *velocity = plus(l, make_scaled(n, operand(l, 2), alpha), times(l, share, l->g)),
                *step = velocity;

    if (ok && strcmp(mode, "nesterov") == 0)
        step = plus(l, l->g, make_scaled(n, velocity, alpha));
    else if (ok && strcmp(mode, "standard") != 0)
        return onnx_node_fail(n, "mode is \"%.80s\", it must be standard or nesterov", mode);
    return ok && give(l, 0, descend(l, l->x, rate, step)) && give(l, 1, velocity);
}

static bool import_momentum(onnx_node *n)
{
    static const char *const needed[] = {"alpha", "beta", "mode", "norm_coefficient"};
    bool ok = true;

    for (int i = 0; i < 4; i++)
        ok = ok && onnx_needs_attr(n, needed[i]);
    return ok && for_each(n, 3, n->in[RATE], momentum);
}

const onnx_operator onnx_operators_training[] = {
    {"ai.onnx.preview.training.Adagrad", 1, import_adagrad, NULL, 2},
    {"ai.onnx.preview.training.Adam", 1, import_adam, NULL, 2},
    {"ai.onnx.preview.training.Momentum", 1, import_momentum, NULL, 2},
    {NULL, 0, NULL, NULL, 0},
};
