/* Makes the nodes into which scatters are simplified: windows, reshaped updates. */
#include "passes/fold/scattering.h"

#include <stdio.h>

bool scattering_takes(const char *type, const inlay_value *data)
{
    const inlay_op *op = inlay_op_find(NULL, type, NULL, NULL, NULL);

    return op && data->fact.type != INLAY_DYNAMIC && (op->in[0].types >> data->fact.type & 1);
}

inlay_value *scattering_ints(const scattering *s, const char *what, int rank, const int64_t *dims,
                             const int64_t *x)
{
    return inlay_build_ints(s->g, what, INLAY_I64, rank, dims, x, s->diags);
}

inlay_value *scattering_build(const scattering *s, const char *type, inlay_value **in, int n,
                              const char *attrs)
{
    inlay_node *made;

    for (int i = 0; i < n; i++) {
        if (!in[i])
            return NULL;
    }
    made = inlay_build(s->g, NULL, type, in, n, attrs, s->diags);
    return made ? &made->out[0] : NULL;
}

bool scattering_stand_alike(const scattering *s, int at, int n)
{
    for (int i = 0; i < n; i++) {
        if (!inlay_dim_proven_equal(s->u->fact.dims[at + i], inlay_dim_of(s->t->dims[i])))
            return false;
    }
    return true;
}

inlay_value *scattering_shown(const inlay_value *v, bool repeats)
{
    const inlay_node *n = v->node;
    bool shows = n->op->flags & (repeats ? INLAY_REPEATS : INLAY_RESHAPES);

    for (int i = 1; shows && i < n->n_in; i++)
        shows = !n->in[i].value || n->in[i].value->fact.content;
    return shows ? inlay_node_input(n, 0) : NULL;
}

/* Lists the axes of size 1 that the updates U lack for the sizes DIMS of RANK axes. Returns their
 * number; -1: U differs in others, too. */
static int list_lacking(const inlay_fact *u, const inlay_dim *dims, int rank, int64_t *axes)
{
    int n = 0, k = 0;

    for (int i = 0; i < rank; i++) {
        if (k < u->rank && inlay_dim_proven_equal(u->dims[k], dims[i]))
            k++;
        else if (inlay_dim_proven_equal(dims[i], inlay_dim_of(1)))
            axes[n++] = i;
        else
            return -1;
    }
    return k == u->rank ? n : -1;
}

inlay_value *scattering_reshaped(const scattering *s, const inlay_dim *dims, bool *can)
{
    int rank = s->data->fact.rank, open = 0;
    const inlay_fact want = {.rank = rank, .dims = dims};
    int64_t list[INLAY_MAX_RANK], n = rank, lacking;
    inlay_value *in[2] = {s->u, NULL}, *was = scattering_shown(s->u, false);

    *can = true;
    if (inlay_fact_same_shape(&s->u->fact, &want))
        return s->u;
    if (was && inlay_fact_same_shape(&was->fact, &want))
        return was;
    lacking = list_lacking(&s->u->fact, dims, rank, list);
    if (lacking > 0) { /* a view wherever the updates are */
        in[1] = scattering_ints(s, "axes", 1, &lacking, list);
        return scattering_build(s, "Unsqueeze", in, 2, NULL);
    }
    for (int i = 0; i < rank; i++) {
        list[i] = inlay_dim_is_static(dims[i]) ? dims[i].lo : -1;
        open += list[i] == -1;
        *can = *can && list[i] != 0 && open < 2;
    }
    if (!*can)
        return NULL;
    in[1] = scattering_ints(s, "shape", 1, &n, list);
    return scattering_build(s, "Reshape", in, 2, "special_zero=false");
}

static bool is_all(const inlay_value *data, const target *to, int axis)
{
    inlay_dim d = data->fact.dims[axis];

    return !to->cut[axis] ||
           (inlay_dim_is_static(d) && inlay_window_equal(to->w[axis], (inlay_window){0, d.lo, 1}));
}

bool scattering_takes_all(const inlay_value *data, const target *to)
{
    for (int a = 0; a < data->fact.rank; a++) {
        if (!is_all(data, to, a))
            return false;
    }
    return true;
}

void scattering_window(const scattering *s, const target *to, inlay_value **list)
{
    int64_t x[4][INLAY_MAX_RANK], n = 0;
    bool all = scattering_takes_all(s->data, to);

    for (int a = 0; a < s->data->fact.rank; a++) {
        if (all ? !to->cut[a] : is_all(s->data, to, a))
            continue;
        inlay_window_denormalise(to->w[a], s->data->fact.dims[a].lo, &x[0][n], &x[1][n], &x[2][n]);
        x[3][n++] = a;
    }
    list[0] = scattering_ints(s, "start", 1, &n, x[0]);
    list[1] = scattering_ints(s, "stop", 1, &n, x[1]);
    list[2] = scattering_ints(s, "step", 1, &n, x[2]);
    list[3] = scattering_ints(s, "axes", 1, &n, x[3]);
}

inlay_value *scattering_slice(const scattering *s, inlay_value *of, const target *to)
{
    inlay_value *in[5] = {of};

    scattering_window(s, to, in + 1);
    return scattering_build(s, "Slice", in, 5, NULL);
}

inlay_value *scattering_join(const scattering *s, inlay_value **in, int n, int axis)
{
    char attrs[32];

    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    return scattering_build(s, "Concat", in, n, attrs);
}

static bool write_windows(const scattering *s, inlay_value *u, const target *to)
{
    inlay_value *in[6] = {s->data, u};

    scattering_window(s, to, in + 2);
    s->out->new = scattering_build(s, "SliceScatter", in, 6, NULL);
    return s->out->new != NULL;
}

bool scattering_can_write(const scattering *s, const target *to)
{
    return scattering_takes_all(s->data, to) || scattering_takes("SliceScatter", s->data);
}

bool scattering_write_target(const scattering *s, inlay_value *u, const target *to)
{
    bool all = scattering_takes_all(s->data, to);

    if (!all || !inlay_fact_same_shape(&s->data->fact, &u->fact))
        return write_windows(s, u, to);
    if (u == s->u || u == scattering_shown(s->u, false))
        s->out->old = u;
    else
        s->out->new = u;
    return true;
}

bool scattering_can_count(inlay_type type, inlay_dim size)
{
    return inlay_dim_is_static(size) &&
           (type == INLAY_I64 || (type == INLAY_I32 && size.lo <= INT32_MAX));
}

static bool is_counted(const inlay_fact *f)
{
    bool counted = f->known != NULL;

    for (int i = 0; counted && i < f->n_known; i++)
        counted = f->known[i].lo >= 0;
    return counted;
}

/* Returns the size of AXIS of DATA as a list of TYPE; NULL after recording the error. */
static inlay_value *size_along(const scattering *s, inlay_type type, inlay_value *data, int axis)
{
    inlay_dim size = data->fact.dims[axis];
    int64_t one = 1, at = axis, zero = 0;
    inlay_value *in[3] = {data};

    if (inlay_dim_is_static(size))
        return inlay_build_ints(s->g, "size", type, 1, &one, &size.lo, s->diags);
    in[0] = scattering_build(s, "ShapeOf", in, 1,
                             type == INLAY_I32 ? "output_type=i32" : "output_type=i64");
    in[1] = scattering_ints(s, "axis", 1, &one, &at);
    in[2] = scattering_ints(s, "along", 0, NULL, &zero);
    return scattering_build(s, "Gather", in, 3, NULL);
}

inlay_value *scattering_counted(const scattering *s, inlay_value *x, int64_t n, inlay_value *data,
                                int axis)
{
    int64_t one = 1, zero = 0;
    inlay_value *list[2] = {x, scattering_ints(s, "shape", 1, &one, &n)}, *below[2], *pick[3];
    inlay_type type = x->fact.type;

    if (x->fact.rank != 1)
        x = list[0] = scattering_build(s, "Reshape", list, 2, "special_zero=false");
    if (!x || is_counted(&x->fact))
        return x;
    list[1] = size_along(s, type, data, axis);
    below[0] = x;
    below[1] = inlay_build_ints(s->g, "zero", type, 1, &one, &zero, s->diags);
    pick[0] = scattering_build(s, "Less", below, 2, NULL);
    pick[1] = scattering_build(s, "Add", list, 2, NULL);
    pick[2] = x;
    return scattering_build(s, "Select", pick, 3, NULL);
}
