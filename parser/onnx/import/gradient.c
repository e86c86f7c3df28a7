/* Gradient of ai.onnx.preview.training: the slopes of a sum of the elements of Y in each of some
 * values X, from the nodes between them, the last one first. */
#include "parser/onnx/import/make.h"

#include <string.h>

/* The slope of Y in a value: what its uses add up to. */
typedef struct slope {
    inlay_value *of, *sum;
    struct slope *next;
} slope;

enum { MOST_VALUES = 64, MOST_SLOPES = 1 << 12 };

typedef struct tape {
    onnx_node *n;
    slope *slopes;
    char *names[MOST_VALUES]; /* of the values X */
    inlay_value *x[MOST_VALUES];
    int n_x, n_slopes;
} tape;

static slope *slope_of(const tape *t, const inlay_value *v)
{
    slope *s = t->slopes;

    while (s && s->of != v)
        s = s->next;
    return s;
}

/* G summed over the axes in which V was broadcast to its shape. */
static inlay_value *unbroadcast(onnx_node *n, inlay_value *g, const inlay_value *v)
{
    int64_t own[INLAY_MAX_RANK], all[INLAY_MAX_RANK], ones[INLAY_MAX_RANK];
    int more, count = 0;

    if (!g || !inlay_fact_dims(&v->fact, own) || !inlay_fact_dims(&g->fact, all)) {
        if (g)
            onnx_node_fail(n, "goes through a value whose sizes are not known, which is not read");
        return NULL;
    }
    more = g->fact.rank - v->fact.rank;
    if (more > 0)
        g = make_reduce(n, "ReduceSum", g, onnx_axes(n, 0, more), false);
    for (int i = 0; i < v->fact.rank; i++) {
        if (own[i] == 1 && all[i + more] != 1)
            ones[count++] = i;
    }
    return count > 0 ? make_reduce(n, "ReduceSum", g, onnx_list(n, ones, count), true) : g;
}

static bool add_slope(tape *t, inlay_value *v, inlay_value *g)
{
    slope *s = slope_of(t, v);

    g = unbroadcast(t->n, g, v);
    if (!g)
        return false;
    if (!s) {
        if (t->n_slopes++ == MOST_SLOPES)
            return onnx_node_fail(t->n, "goes through more than %d values", MOST_SLOPES);
        s = inlay_arena_alloc(t->n->s->r->a.scratch, sizeof *s);
        if (!s)
            return inlay_fail_memory(t->n->d);
        *s = (slope){v, NULL, t->slopes};
        t->slopes = s;
    }
    s->sum = s->sum ? onnx_binary(t->n, "Add", s->sum, g) : g;
    return s->sum != NULL;
}

static inlay_value *times(onnx_node *n, inlay_value *a, inlay_value *b)
{
    return onnx_binary(n, "Multiply", a, b);
}

/* 1 - X. */
static inlay_value *rest(onnx_node *n, inlay_value *x)
{
    return x ? onnx_binary(n, "Subtract", onnx_number(n, x->fact.type, 1), x) : NULL;
}

/* The slope in the operand of an operation of one, whose result is Y; NULL without an error: no rule
 * is known. */
static inlay_value *through_one(onnx_node *n, const char *op, inlay_value *x, inlay_value *y,
                                inlay_value *g)
{
    if (strcmp(op, "Negative") == 0)
        return onnx_unary(n, "Negative", g);
    if (strcmp(op, "Exp") == 0)
        return times(n, g, y);
    if (strcmp(op, "Log") == 0)
        return onnx_binary(n, "Divide", g, x);
    if (strcmp(op, "Sqrt") == 0)
        return onnx_binary(n, "Divide", make_scaled(n, g, 0.5), y);
    if (strcmp(op, "Sigmoid") == 0)
        return times(n, g, times(n, y, rest(n, y)));
    if (strcmp(op, "Tanh") == 0)
        return times(n, g, rest(n, times(n, y, y)));
    if (strcmp(op, "ReLU") == 0)
        return make_select(n, onnx_binary(n, "Greater", x, onnx_number(n, x->fact.type, 0)), g,
                           onnx_number(n, x->fact.type, 0));
    return NULL;
}

/* The slope in operand I of A and B. */
static inlay_value *through_two(onnx_node *n, const char *op, inlay_value *const *in,
                                inlay_value *y, inlay_value *g, int i)
{
    if (strcmp(op, "Add") == 0)
        return g;
    if (strcmp(op, "Subtract") == 0)
        return i == 0 ? g : onnx_unary(n, "Negative", g);
    if (strcmp(op, "Multiply") == 0)
        return times(n, g, in[1 - i]);
    if (strcmp(op, "Divide") == 0)
        return onnx_binary(n, "Divide", i == 0 ? g : onnx_unary(n, "Negative", times(n, g, y)),
                           in[1]);
    return NULL;
}

/* Adds what the result of MADE hands on to its operands. */
static bool go_through(tape *t, inlay_node *made, inlay_value *g)
{
    const char *op = made->op->name;
    inlay_value *y = &made->out[0], *in[2] = {NULL, NULL};

    for (int i = 0; i < made->n_in && i < 2; i++)
        in[i] = made->in[i].value;
    for (int i = 0; i < made->n_in; i++) {
        inlay_value *next = made->n_in == 1   ? through_one(t->n, op, in[0], y, g)
                            : made->n_in == 2 ? through_two(t->n, op, in, y, g, i)
                                              : NULL;

        if (!next)
            return onnx_node_fail(t->n, "goes through %s, whose derivative is not read", op);
        if (!add_slope(t, in[i], next))
            return false;
    }
    return true;
}

static bool is_end(const tape *t, const inlay_value *v)
{
    bool end = v->node->n_in == 0;

    for (int i = 0; i < t->n_x; i++)
        end = end || t->x[i] == v;
    return end;
}

/* Reads the values X, which the operands must be, and returns Y. */
static inlay_value *read_tape(tape *t)
{
    onnx_node *n = t->n;
    bool ok = true;
    const char *name = onnx_attr_string(n, "y", NULL, &ok);
    inlay_value *y = ok && name ? onnx_find_value(n->s, name) : NULL;

    t->n_x = onnx_attr_strings(n, "xs", t->names, MOST_VALUES, &ok);
    if (ok && onnx_attr(n, "zs"))
        ok = onnx_node_fail(n, "attribute \"zs\" is not read");
    for (int i = 0; ok && i < t->n_x; i++) {
        t->x[i] = onnx_find_value(n->s, t->names[i]);
        if (!t->x[i] || t->x[i] != onnx_in(n, i))
            ok = onnx_node_fail(n, "operand %d must be the value xs[%d], \"%.80s\"", i, i,
                                t->names[i]);
    }
    if (ok && (t->n_x < 1 || !y || y->node->graph != n->s->graph))
        ok = onnx_node_fail(n, "attributes \"xs\" and \"y\" must name values of this graph");
    return ok ? y : NULL;
}

static bool import_gradient(onnx_node *n)
{
    tape t = {.n = n};
    inlay_value *y = read_tape(&t), *one = y ? onnx_number(n, y->fact.type, 1) : NULL;

    if (!one || !add_slope(&t, y, onnx_fill(n, one, onnx_shape_of(n, y))))
        return false;
    for (inlay_node *k = y->node; k; k = k->prev) {
        slope *s = k->n_out > 0 ? slope_of(&t, &k->out[0]) : NULL;

        if (s && !is_end(&t, s->of) && !go_through(&t, k, s->sum))
            return false;
    }
    for (int i = 0; i < t.n_x; i++) {
        slope *s = slope_of(&t, t.x[i]);
        inlay_value *g = s ? s->sum : make_zeros(n, t.x[i]->fact.type, onnx_shape_of(n, t.x[i]));

        if (!onnx_give(n, i, g))
            return false;
    }
    return true;
}

const onnx_operator onnx_operators_gradient[] = {
    {"ai.onnx.preview.training.Gradient", 1, import_gradient, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};
