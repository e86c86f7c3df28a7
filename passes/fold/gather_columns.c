/* A GatherND of tuples that a Concat joins of one constant number, repeated, and others:
 *
 *     %t = Concat([[0], [0], ...], %i)     tuples (0, i)
 *     %x = GatherND(%d, %t)             =>  GatherND(Squeeze(%d, 0), %i)
 *
 * The constants select a part of the data, which is a view, and nobody need join the tuples. So
 * exporters look up the mask of a decoder, in each step anew. */
#include "passes/fold/scattering.h"

enum { MOST_COMPONENTS = 8 };

/* The components of tuples: constant numbers, and values with one number of each tuple. */
typedef struct columns {
    int n_open;
    inlay_value *open[MOST_COMPONENTS];
    int64_t axis[MOST_COMPONENTS], at[MOST_COMPONENTS]; /* where the constants select a part */
    int n_constant;
} columns;

/* Is N one element, repeated to sizes that are surely none? */
static bool repeats_one(const inlay_node *n)
{
    const inlay_fact *x, *sizes;
    bool one = n->op->flags & INLAY_REPEATS && n->n_in >= 2 && (n->n_in == 2 || !n->in[2].value);

    if (!one)
        return false;
    x = &n->in[0].value->fact;
    sizes = &n->in[1].value->fact;
    for (int i = 0; one && i < x->rank; i++)
        one = inlay_dim_is_static(x->dims[i]) && x->dims[i].lo == 1;
    for (int i = 0; one && sizes->known && i < sizes->n_known; i++)
        one = sizes->known[i].lo >= 0;
    return one && x->rank >= 0 && x->rank <= n->out[0].fact.rank && sizes->known;
}

/* Is V one constant number, once or repeated? Sets *X to it. */
static bool is_number(const inlay_value *v, int64_t *x)
{
    const inlay_value *from;
    const inlay_tensor *t;
    bool same;

    while (!v->fact.content && ((from = scattering_shown(v, false)) || repeats_one(v->node)))
        v = from ? from : v->node->in[0].value;
    t = v->fact.content;
    same = t && v->fact.type != INLAY_U64 && inlay_tensor_count(t) > 0;
    *x = same ? inlay_tensor_get_i64(t, 0) : 0;
    for (int64_t i = 1; same && i < inlay_tensor_count(t); i++)
        same = inlay_tensor_get_i64(t, i) == *x;
    return same;
}

/* Adds PART, component I of the tuples, which index DATA. False: it may be out of range. */
static bool add_column(columns *c, const inlay_value *data, inlay_value *part, int i)
{
    inlay_dim size = data->fact.dims[i];
    int64_t x;

    if (!is_number(part, &x)) {
        c->open[c->n_open++] = part;
        return true;
    }
    if (!inlay_dim_is_static(size) || x < -size.lo || x >= size.lo)
        return false;
    c->axis[c->n_constant] = i;
    c->at[c->n_constant++] = x < 0 ? x + size.lo : x;
    return true;
}

/* Reads the tuples T, each of one number a part. False: they are not joined so, or the parts may
 * have different sizes, which is an error. */
static bool read_columns(columns *c, const inlay_value *data, const inlay_value *t)
{
    const inlay_node *join = t->node;
    bool fits = true;
    int axis;

    if (!inlay_node_joined_axis(join, &axis) || axis != t->fact.rank - 1 ||
        join->n_in > MOST_COMPONENTS || join->n_in > data->fact.rank)
        return false;
    for (int i = 0; fits && i < join->n_in; i++) {
        const inlay_fact *part = &join->in[i].value->fact;

        fits = part->rank == t->fact.rank && inlay_dim_is_static(part->dims[axis]) &&
               part->dims[axis].lo == 1 && add_column(c, data, join->in[i].value, i);
    }
    for (int i = 0; fits && i < join->n_in && c->n_open > 0; i++)
        fits = inlay_fact_same_shape(&join->in[i].value->fact, &c->open[0]->fact);
    return fits && c->n_open > 0 && c->n_constant > 0;
}

/* Returns the part of the data that the constants of C select, without their axes; NULL after
 * recording the error. */
static inlay_value *part_of(const scattering *s, const columns *c)
{
    int64_t n = c->n_constant, behind[MOST_COMPONENTS], one[MOST_COMPONENTS];
    inlay_value *in[5] = {s->data}, *axes = scattering_ints(s, "axes", 1, &n, c->axis);
    bool whole = true;

    for (int i = 0; i < n; i++) {
        behind[i] = c->at[i] + 1;
        one[i] = 1;
        whole = whole && s->data->fact.dims[c->axis[i]].lo == 1;
    }
    if (!whole) {
        in[1] = scattering_ints(s, "start", 1, &n, c->at);
        in[2] = scattering_ints(s, "stop", 1, &n, behind);
        in[3] = scattering_ints(s, "step", 1, &n, one);
        in[4] = axes;
        in[0] = scattering_build(s, "Slice", in, 5, NULL);
    }
    in[1] = axes;
    return scattering_build(s, "Squeeze", in, 2, NULL);
}

bool fold_gather_columns(const inlay_node *n, simpler *out, inlay_diags *d)
{
    const scattering s = {.g = n->graph, .data = inlay_node_input(n, 0), .out = out, .diags = d};
    inlay_value *t = inlay_node_operand(n, INLAY_ROLE_TUPLES), *in[2];
    columns c = {.n_open = 0};

    if (s.data->fact.rank < 1 || inlay_node_int(n, "batch_dims") != 0 ||
        !read_columns(&c, s.data, t))
        return true;
    in[0] = part_of(&s, &c);
    in[1] = c.n_open == 1 ? c.open[0] : scattering_build(&s, "Concat", c.open, c.n_open, "axis=-1");
    out->new = scattering_build(&s, "GatherND", in, 2, "batch_dims=0");
    return out->new != NULL;
}
