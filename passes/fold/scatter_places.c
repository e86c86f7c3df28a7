/* Scatters with one index that only the run knows, joined with constants by a Concat:
 *
 *     %t = Concat([[5]], %i)              tuples (5, i)
 *     %r = ScatterNDUpdate(%d, %t, %u)    row i of layer 5
 *
 * The constants select a window, and the unknown number is an index in it, so the Concat is not
 * needed:
 *
 *     %layer = Slice(%d, 5:6)
 *     %new = ScatterUpdate(%layer, %i, %u, 1)
 *     %r = SliceScatter(%d, %new, 5:6)
 *
 * A ScatterUpdate refuses negative indices, and tuples count them from the end: the size is added
 * to these first. Windows of a SliceScatter are split in the same way, and indices of single
 * elements that a Broadcast repeats along whole rows are a list of rows. */
#include "inlay_ops.h"
#include "passes/fold/scattering.h"
#include "passes/query/indices.h"
#include "passes/query/scatter.h"

#include <string.h>

enum { MOST_NUMBERS = 4096 }; /* of all tuples */

/* The numbers of a list of tuples. In KNOWN those that only the run knows are 0; all of these are
 * the same number, SAID, as one component of all tuples. */
typedef struct tuples {
    inlay_tensor *known;
    int64_t n, width; /* number of tuples; length of each */
    inlay_value *said;
    int component;
} tuples;

/* V, or the value of which V is a reshape, perhaps of a reshape. */
static inlay_value *numbers_of(inlay_value *v)
{
    inlay_value *x;

    while ((x = scattering_shown(v, false)))
        v = x;
    return v;
}

/* Returns the product of the sizes of V on axes FROM up to, not including, TO; -1: not known, or
 * more than MOST_NUMBERS. */
static int64_t count_of(const inlay_value *v, int from, int to)
{
    int64_t dims[INLAY_MAX_RANK], n = 1;

    if (!inlay_fact_dims(&v->fact, dims))
        return -1;
    for (int i = from; i < to && n >= 0; i++)
        n = dims[i] <= MOST_NUMBERS && n * dims[i] <= MOST_NUMBERS ? n * dims[i] : -1;
    return n;
}

static int64_t count_all(const inlay_value *v)
{
    return count_of(v, 0, v->fact.rank);
}

/* Returns the value with one element that V consists of, once or repeated; NULL: V is not one. */
static inlay_value *one_number(inlay_value *v)
{
    inlay_value *x;

    v = numbers_of(v);
    while ((x = scattering_shown(v, true)))
        v = numbers_of(x);
    return count_all(v) == 1 ? v : NULL;
}

/* Adds PART, WIDTH numbers of each tuple from component AT on. False: it has more than one unknown
 * number. */
static bool add_part(tuples *t, inlay_value *part, int at, int64_t width)
{
    const inlay_tensor *c = part->fact.content;

    if (!c && (width != 1 || t->said || !(t->said = one_number(part))))
        return false;
    if (!c)
        t->component = at;
    for (int64_t i = 0; c && i < t->n * width; i++)
        inlay_tensor_set_i64(t->known, i / width * t->width + at + i % width,
                             inlay_tensor_get_i64(c, i));
    return true;
}

/* Adds the operands of JOIN, whose output is the numbers of T. */
static bool add_parts(tuples *t, const inlay_node *join)
{
    int64_t at = 0;
    int axis;

    if (!inlay_node_joined_axis(join, &axis) || count_of(&join->out[0], 0, axis) != t->n)
        return false;
    for (int i = 0; i < join->n_in; i++) {
        inlay_value *part = join->in[i].value;
        int64_t width = count_of(part, axis, part->fact.rank);

        if (width < 0 || !add_part(t, part, (int)at, width))
            return false;
        at += width;
    }
    return t->said && at == t->width;
}

/* Reads V, the tuples of a ScatterNDUpdate, if they are like that; T->known has room for them. */
static bool read_tuples(inlay_value *v, tuples *t)
{
    int last = v->fact.rank - 1;

    t->width = t->known->dims[last];
    t->n = inlay_tensor_count(t->known) / t->width;
    return t->width > 1 && v->fact.type != INLAY_U64 && add_parts(t, numbers_of(v)->node);
}

/* Returns whether all other readers of N's data only read parts of it, so that a window of it can
 * be written in place. */
static bool is_read_in_parts(const inlay_node *n, const inlay_value *data)
{
    bool parts = true;

    for (const inlay_use *u = data->uses; u && parts; u = u->next)
        parts = u->node == n || inlay_node_reads_window(u->node) ||
                (u->node->op->flags & INLAY_SHAPE_ONLY);
    return parts;
}

/* Returns whether the scatter N can be split into a write in the window TO, and a write of that to
 * the data. */
static bool can_split(const scattering *s, const inlay_node *n, const target *to)
{
    return scattering_takes_all(s->data, to) ||
           (scattering_can_write(s, to) && is_read_in_parts(n, s->data));
}

/* Returns the window TO of the data; NULL after recording the error. */
static inlay_value *layer_of(const scattering *s, const target *to)
{
    return scattering_takes_all(s->data, to) ? s->data : scattering_slice(s, s->data, to);
}

/* Returns the updates reshaped to the sizes of the windows W on the first axes, if they are proven
 * to have as many elements. *CAN is false if no Reshape can say that. */
static inlay_value *shaped(const scattering *s, const tuples *t, const inlay_window *w, bool *can)
{
    int rank = s->data->fact.rank, front = s->t->rank - 1, width = (int)t->width;
    inlay_dim dims[INLAY_MAX_RANK];

    for (int i = 0; i < rank; i++)
        dims[i] = i < width ? inlay_dim_of(w[i].count) : s->u->fact.dims[front + i - width];
    return scattering_reshaped(s, dims, can);
}

/* Returns the updates with axes of size 1 next to that of the tuples, so that the scatter checks
 * the length of that axis. *CAN is false if the tuples do not vary along one axis. */
static inlay_value *with_axes(const scattering *s, const tuples *t, const inlay_window *w,
                              bool *can)
{
    int front = s->t->rank - 1, lies = t->component, many = 0;
    int64_t axes[INLAY_MAX_RANK], n = 0;
    inlay_value *in[2] = {s->u};

    for (int i = 0; i < t->width; i++) {
        lies = w[i].count > 1 ? i : lies;
        many += w[i].count > 1;
    }
    *can = front <= 1 && many <= 1 && s->u->fact.rank == front + s->data->fact.rank - t->width;
    for (int i = 0; i < t->width; i++) {
        if (front == 0 || i != lies)
            axes[n++] = i;
    }
    in[1] = *can ? scattering_ints(s, "axes", 1, &n, axes) : NULL;
    return scattering_build(s, "Unsqueeze", in, 2, NULL);
}

/* Writes the updates, which have the windows W on the first axes, at index T->said of TO. */
static bool write_at(const scattering *s, const tuples *t, const target *to, const inlay_window *w)
{
    int64_t axis = t->component;
    inlay_value *in[4] = {NULL}, *v;
    bool can;

    in[2] = (s->fits ? shaped : with_axes)(s, t, w, &can);
    if (!in[2])
        return !can;
    in[0] = layer_of(s, to);
    in[1] = scattering_counted(s, t->said, 1, s->data, t->component);
    in[3] = scattering_ints(s, "axis", 0, NULL, &axis);
    v = scattering_build(s, "ScatterUpdate", in, 4, NULL);
    return v && scattering_write_target(s, v, to);
}

/* Handles the tuples T, whose constants must form a window. */
static bool split_places(const scattering *s, const inlay_node *n, const tuples *t)
{
    const inlay_dim *dims = s->data->fact.dims;
    inlay_window w[INLAY_MAX_RANK];
    target to = {.cut = {false}};

    if (t->width > s->data->fact.rank || !index_box(t->known, dims, true, w) ||
        !scattering_can_count(t->said->fact.type, dims[t->component]) ||
        !scattering_takes("ScatterUpdate", s->data))
        return true;
    for (int i = 0; i < t->width; i++) {
        to.cut[i] = i != t->component;
        to.w[i] = w[i];
    }
    return !can_split(s, n, &to) || write_at(s, t, &to, w);
}

/* Finds the two numbers of V, a single tuple of two that only the run knows. */
static bool read_pair(inlay_value *v, inlay_value **pair)
{
    const inlay_node *join = numbers_of(v)->node;
    int axis;

    if (count_all(v) != 2 || v->fact.dims[v->fact.rank - 1].lo != 2 || join->n_in != 2 ||
        !inlay_node_joined_axis(join, &axis))
        return false;
    for (int i = 0; i < 2; i++) {
        pair[i] = one_number(join->in[i].value);
        if (!pair[i] || pair[i]->fact.content)
            return false;
    }
    return true;
}

/* Writes the updates to the place that two numbers of the run name: an index of a layer, and one in
 * that layer.
 *
 *     ScatterNDUpdate(d, [[i, j]], u)  =>  ScatterUpdate(d, i, ScatterUpdate(Gather(d, i), j, u))
 */
static bool split_pair(const scattering *s, const inlay_node *n, inlay_value *const *pair)
{
    const inlay_fact *data = &s->data->fact;
    int front = s->t->rank - 1;
    int64_t zero = 0, one = 1;
    inlay_dim dims[INLAY_MAX_RANK];
    inlay_value *gather[3] = {s->data}, *inner[4] = {NULL}, *outer[4] = {s->data};
    bool can = s->fits && data->rank >= 2 && is_read_in_parts(n, s->data) &&
               scattering_takes("ScatterUpdate", s->data);

    for (int i = 0; i < 2; i++)
        can = can && scattering_can_count(pair[i]->fact.type, data->dims[i]);
    if (!can)
        return true;
    for (int i = 0; i < data->rank; i++)
        dims[i] = i < 2 ? inlay_dim_of(1) : s->u->fact.dims[front + i - 2];
    inner[2] = scattering_reshaped(s, dims, &can);
    if (!inner[2])
        return !can;
    outer[1] = gather[1] = scattering_counted(s, pair[0], 1, s->data, 0);
    inner[1] = scattering_counted(s, pair[1], 1, s->data, 1);
    outer[3] = gather[2] = scattering_ints(s, "axis", 0, NULL, &zero);
    inner[3] = scattering_ints(s, "axis", 0, NULL, &one);
    inner[0] = scattering_build(s, "Gather", gather, 3, NULL);
    outer[2] = scattering_build(s, "ScatterUpdate", inner, 4, NULL);
    s->out->new = scattering_build(s, "ScatterUpdate", outer, 4, NULL);
    return s->out->new != NULL;
}

static bool split_tuples(scattering *s, const inlay_node *n)
{
    inlay_value *pair[2];
    inlay_value *v = inlay_node_operand(n, INLAY_ROLE_TUPLES);
    int64_t dims[INLAY_MAX_RANK];
    tuples t = {.known = NULL};
    bool ok = true;

    if (v->fact.content || v->fact.rank < 1 || count_all(v) < 1 || !inlay_fact_dims(&v->fact, dims))
        return true;
    s->fits = scatter_updates_fit(n);
    s->t = t.known = inlay_tensor_new(INLAY_I64, v->fact.rank, dims);
    if (!t.known)
        return inlay_fail_memory(s->diags);
    if (read_pair(v, pair))
        ok = split_pair(s, n, pair);
    else if (read_tuples(v, &t))
        ok = split_places(s, n, &t);
    inlay_tensor_release(t.known);
    return ok;
}

/* Are V tuples of one number each, one tuple or a list of them, for the updates of S? */
static bool are_rows(const scattering *s, const inlay_value *v)
{
    const inlay_fact *f = &v->fact;

    return (f->rank == 1 || f->rank == 2) && inlay_dim_is_static(f->dims[f->rank - 1]) &&
           f->dims[f->rank - 1].lo == 1 && (f->type == INLAY_I64 || f->type == INLAY_I32) &&
           s->u->fact.rank == f->rank - 2 + s->data->fact.rank;
}

/* Rows that are written into a Transpose are named by a list, as they then are along whichever axis
 * they had before it. */
static bool list_rows(const scattering *s, const inlay_node *n)
{
    inlay_value *v = inlay_node_operand(n, INLAY_ROLE_TUPLES), *in[4] = {s->data},
                *raise[2] = {s->u};
    int64_t zero = 0, one = 1, rows;

    if (!inlay_node_is(s->data->node, INLAY_OP_TRANSPOSE) || v->fact.content || !are_rows(s, v) ||
        !scattering_takes("ScatterUpdate", s->data))
        return true;
    rows = v->fact.rank == 1 ? 1 : inlay_dim_is_static(v->fact.dims[0]) ? v->fact.dims[0].lo : -1;
    in[1] = scattering_counted(s, v, rows, s->data, 0);
    in[2] = s->u;
    in[3] = scattering_ints(s, "axis", 0, NULL, &zero);
    if (v->fact.rank == 1) {
        raise[1] = scattering_ints(s, "axes", 1, &one, &zero);
        in[2] = scattering_build(s, "Unsqueeze", raise, 2, NULL);
    }
    s->out->new = scattering_build(s, "ScatterUpdate", in, 4, NULL);
    return s->out->new != NULL;
}

/* Returns the list that V, indices of single elements, repeats on all axes but AXIS, where it has
 * each number once; NULL: V is nothing like that. */
static inlay_value *list_along(const inlay_value *v, int axis)
{
    inlay_value *x = scattering_shown(v, true);
    int at = x ? axis - v->fact.rank + x->fact.rank : -1;
    const char *mode = x ? inlay_node_string(v->node, "mode") : NULL;
    int64_t n = x ? count_all(x) : -1;
    bool along = n >= 1 && inlay_dim_is_static(v->fact.dims[axis]) && mode &&
                 strcmp(mode, "explicit") != 0 && v->fact.dims[axis].lo == n &&
                 (n == 1 || (at >= 0 && x->fact.dims[at].lo == n));

    return along ? x : NULL;
}

/* Single elements that are whole rows are named by a list, as whole rows are. If they are never
 * negative, a rule says so of more of them. */
static bool list_elements(const scattering *s, const inlay_node *n)
{
    const inlay_value *v = inlay_node_input(n, 1);
    int64_t at;
    inlay_value *in[4] = {s->data, NULL, s->u}, *list;
    int axis;

    if (!inlay_node_axis(n, s->data->fact.rank, &axis) || v->fact.rank != s->data->fact.rank ||
        count_all(v) < 1 || !inlay_fact_same_shape(&v->fact, &s->u->fact) ||
        !(list = list_along(v, axis)) || index_never_negative(list) > 0 ||
        !scattering_can_count(list->fact.type, s->data->fact.dims[axis]) ||
        !scattering_takes("ScatterUpdate", s->data))
        return true;
    for (int i = 0; i < s->data->fact.rank; i++) {
        if (i != axis && !inlay_dim_proven_equal(s->data->fact.dims[i], s->u->fact.dims[i]))
            return true;
    }
    at = axis;
    in[1] = scattering_counted(s, list, count_all(list), s->data, axis);
    in[3] = scattering_ints(s, "axis", 0, NULL, &at);
    s->out->new = scattering_build(s, "ScatterUpdate", in, 4, NULL);
    return s->out->new != NULL;
}

/* The window of a SliceScatter on one axis: numbers, or the values that have them in the run. */
typedef struct cut {
    inlay_value *said[2]; /* start and stop; NULL: known */
    int64_t start, stop, step, axis;
} cut;

/* Reads element I of LIST: its value, or the operand of a Concat that has it. */
static bool read_element(const inlay_value *list, int i, inlay_value **said, int64_t *x)
{
    const inlay_node *join = list->node;
    int axis;

    *said = NULL;
    if (list->fact.known && inlay_dim_is_static(list->fact.known[i])) {
        *x = list->fact.known[i].lo;
        return true;
    }
    if (!inlay_node_joined_axis(join, &axis) || i >= join->n_in)
        return false;
    for (int k = 0; k <= i; k++) {
        if (count_all(join->in[k].value) != 1)
            return false;
    }
    *said = join->in[i].value;
    return true;
}

/* Reads entry I of the window of N. */
static bool read_cut(const inlay_node *n, int rank, int i, cut *c)
{
    const inlay_value *step = inlay_node_window(n, 2), *axes = inlay_node_window(n, 3);
    inlay_value *none;

    c->axis = i;
    return read_element(inlay_node_window(n, 0), i, &c->said[0], &c->start) &&
           read_element(inlay_node_window(n, 1), i, &c->said[1], &c->stop) &&
           read_element(step, i, &none, &c->step) && !none && c->step != 0 &&
           (!axes || (read_element(axes, i, &none, &c->axis) && !none)) &&
           (c->axis += c->axis < 0 ? rank : 0) >= 0 && c->axis < rank;
}

/* Reads the windows of N: TO receives the known ones, and *OPEN the only unknown one. False: none
 * or several are unknown, or some may be invalid. */
static bool read_cuts(const inlay_node *n, const inlay_fact *data, target *to, cut *open)
{
    int64_t count = count_all(inlay_node_window(n, 0));
    int said = 0;
    cut c;

    for (int i = 1; i < 4; i++) {
        if (inlay_node_window(n, i) && count_all(inlay_node_window(n, i)) != count)
            return false;
    }
    for (int i = 0; i < count && said < 2; i++) {
        if (!read_cut(n, data->rank, i, &c) || to->cut[c.axis])
            return false;
        to->cut[c.axis] = true;
        if (c.said[0] || c.said[1]) {
            *open = c;
            said++;
        } else if (!inlay_dim_is_static(data->dims[c.axis])) {
            return false;
        } else {
            to->w[c.axis] = inlay_window_normalise(c.start, c.stop, c.step, data->dims[c.axis].lo);
        }
    }
    to->cut[said ? open->axis : 0] = false;
    return said == 1 && count > 1;
}

/* Writes the updates into the window OPEN of TO. */
static bool write_cut(const scattering *s, const target *to, const cut *open)
{
    int64_t one = 1;
    inlay_value *in[6] = {layer_of(s, to), s->u, open->said[0], open->said[1]}, *v;

    in[2] = in[2] ? in[2] : scattering_ints(s, "start", 1, &one, &open->start);
    in[3] = in[3] ? in[3] : scattering_ints(s, "stop", 1, &one, &open->stop);
    in[4] = scattering_ints(s, "step", 1, &one, &open->step);
    in[5] = scattering_ints(s, "axes", 1, &one, &open->axis);
    v = scattering_build(s, "SliceScatter", in, 6, NULL);
    return v && scattering_write_target(s, v, to);
}

static bool split_window(const scattering *s, const inlay_node *n)
{
    const inlay_value *start = inlay_node_window(n, 0);
    target to = {.cut = {false}};
    cut open;

    if (!start || start->fact.type != INLAY_I64 || count_all(start) < 2 ||
        !read_cuts(n, &s->data->fact, &to, &open) || !can_split(s, n, &to))
        return true;
    return write_cut(s, &to, &open);
}

bool fold_scatter_places(const inlay_node *n, simpler *out, inlay_diags *d)
{
    scattering s = {.g = n->graph,
                    .data = query_scatter_data(n),
                    .u = query_scatter_updates(n),
                    .out = out,
                    .diags = d};

    if (!s.u || s.data->fact.rank < 1 || s.u->fact.rank < 0 || !scatter_replaces(n))
        return true;
    if (inlay_node_is(n, INLAY_OP_SLICE_SCATTER))
        return split_window(&s, n);
    if (inlay_node_is(n, INLAY_OP_SCATTER_ELEMENTS_UPDATE))
        return list_elements(&s, n);
    if (inlay_op_operand(n->op, INLAY_ROLE_TUPLES) < 0)
        return true;
    return split_tuples(&s, n) && (out->new || out->old || list_rows(&s, n));
}
