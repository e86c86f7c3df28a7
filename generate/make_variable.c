/* Variables: state that is kept from run to run. */
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

/* Whether to use ReadValue and Assign of opset 3, in graphs of all rows. */
static bool is_old(generator *g)
{
    return g->o->mix == INLAY_GENERATE_ROWS && rng_one_in(&g->r, 4);
}

void gen_read_variable(generator *g, int k)
{
    inlay_value *init =
        rng_one_in(&g->r, 2) ? gen_constant(g, g->rank, g->dims) : g->values[0].value;
    char attrs[200], shape[100] = "";
    inlay_node *n;

    for (int i = 0; i < g->rank; i++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%lld", i ? "," : "",
                 (long long)g->dims[i]);
    if (is_old(g)) {
        snprintf(attrs, sizeof attrs, "variable_id=v%d", k);
        n = gen_node(g, "ReadValue", "opset3", &init, 1, attrs);
    } else {
        snprintf(attrs, sizeof attrs, "variable_id=v%d; variable_type=%s; variable_shape=%s", k,
                 inlay_type_info_of(g->type)->name, shape);
        n = gen_node(g, "ReadValue", NULL, &init, rng_one_in(&g->r, 4) ? 0 : 1, attrs);
    }
    gen_add(g, n ? &n->out[0] : NULL, g->rank, g->dims);
}

/* The value of variable K at the beginning of the run; or NULL. */
static const gen_value *read_of(const generator *g, int k)
{
    const gen_value *past = NULL;
    char name[20];

    snprintf(name, sizeof name, "v%d", k);
    for (int i = 0; i < g->n && !past; i++) {
        const inlay_variable *v = inlay_variable_of(g->values[i].value->node, INLAY_OP_READ_VALUE);

        past = v && strcmp(v->name, name) == 0 ? &g->values[i] : NULL;
    }
    return past;
}

inlay_value *gen_in_order(generator *g, const gen_value *x)
{
    inlay_value *in[3] = {x->value};

    if (!gen_has_room(g) || !gen_allows(g, "Gather") || !rng_one_in(&g->r, 2))
        return x->value;
    in[1] = gen_parameter(g, INLAY_I64, 1, x->dims, false, 0, x->dims[0] - 1);
    in[2] = gen_scalar(g, 0);
    return gen_build(g, "Gather", in, 3, NULL);
}

/* Removes the first N of the ROWS rows of X along AXIS. */
static inlay_value *cut(generator *g, inlay_value *x, int axis, int64_t n, int64_t rows)
{
    inlay_value *in[5] = {x};

    in[1] = gen_ints(g, 1, &n);
    in[2] = gen_ints(g, 1, &rows);
    in[3] = gen_ints(g, 1, (const int64_t[]){1});
    in[4] = gen_ints(g, 1, (const int64_t[]){axis});
    return gen_build(g, "Slice", in, 5, NULL);
}

/* Drops the first rows of variable K along some axis and appends as many new ones, as a cache of
 * fixed size does, in this order or the other. NULL: it has no suitable axis. */
static inlay_value *roll(generator *g, int k)
{
    const gen_value *past = read_of(g, k);
    gen_value x = past ? *past : (gen_value){0};
    int axis = x.rank ? (int)rng_in(&g->r, 0, x.rank - 1) : -1;
    int64_t rows = axis < 0 ? 0 : x.dims[axis], n;
    bool behind = rng_one_in(&g->r, 3);
    inlay_value *parts[2];
    char attrs[32];

    if (rows < 2 || x.dims[0] < 1 || !gen_allows(g, "Concat") || !gen_allows(g, "Slice"))
        return NULL;
    n = rng_in(&g->r, 1, rows - 1);
    parts[0] = gen_in_order(g, &x);
    if (!behind)
        parts[0] = cut(g, parts[0], axis, n, rows);
    x.dims[axis] = n;
    parts[1] = gen_of_dims(g, x.rank, x.dims);
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    parts[0] = gen_build(g, "Concat", parts, 2, attrs);
    return behind ? cut(g, parts[0], axis, n, rows + n) : parts[0];
}

void gen_assign_variable(generator *g, int k)
{
    inlay_value *v = rng_one_in(&g->r, 3) ? roll(g, k) : NULL;
    char attrs[40];

    v = v || g->failed ? v : gen_whole(g).value;
    snprintf(attrs, sizeof attrs, "variable_id=v%d", k);
    gen_node(g, "Assign", is_old(g) ? "opset3" : NULL, &v, 1, attrs);
}
