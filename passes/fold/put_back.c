/* Unchanged parts of a tensor that are joined again with computed ones:
 *
 *     %a, %b, %c = Split(%d, 0)
 *     %r = Concat(%a, Exp(%b), %c)      =>  %r = SliceScatter(%d, Exp(%b), the window of b)
 *
 * A Concat copies the unchanged parts. A SliceScatter for each of the others writes only these, if
 * the tensor may be overwritten, which in-place-windows decides later. If it may not, all of the
 * tensor is copied, so this is done only if it probably may: nobody else reads all of it or returns
 * part of it from the run, and it comes from no constant. The written part must not be larger than
 * the unchanged one, because it may have to be copied itself; of an input, which the caller may
 * keep, only a third as large. A part that consists of what was there but for writes stays, too,
 * also if its own parts are put together again by such a Concat. What is new between two parts that
 * stay is found by between.c where only the run knows its place. Along an axis whose size only the
 * run knows the window is between the parts that stay, whose sizes are asked in the run. */
#include "passes/fold/scattering.h"
#include "passes/query/scatter.h"

enum {
    MOST_PARTS = 512, /* longer Concats are not tried, since each part is compared with those before
                         it */
    MOST_OPEN = 16,   /* parts of unknown sizes */
    MOST_SHAPES = 4,  /* shapes of shapes that are followed */
    MOST_NESTED = 4,  /* Concats of Concats that are followed */
    MOST_LINKS = 16   /* writes and reshapes that are followed */
};

/* Returns where V, the result of a Split or Slice that cuts only AXIS, begins along it; -1: V is
 * not one, or it is not known. */
static int64_t begin_of(const inlay_value *v, int axis)
{
    const inlay_node *n = v->node;
    const inlay_fact *data = &inlay_node_input(n, 0)->fact;
    inlay_window w[INLAY_MAX_RANK];
    int64_t at = 0;
    int along;

    if (!inlay_node_reads_window(n)) {
        bool same = inlay_node_axis(n, data->rank, &along) && along == axis;

        for (int i = 0; same && i < v->index; i++)
            at = inlay_value_cut_end(&n->out[i], at);
        return same ? at : -1;
    }
    if (!inlay_node_windows(n, NULL, w))
        return -1;
    for (int i = 0; i < data->rank; i++) {
        if (i != axis && !inlay_window_equal(w[i], (inlay_window){0, data->dims[i].lo, 1}))
            return -1;
    }
    return w[axis].step == 1 ? w[axis].begin : -1;
}

inlay_value *fold_whole_of(const inlay_value *v, int axis, int64_t at)
{
    bool part = v->node->op->flags & INLAY_CUTS && begin_of(v, axis) == at;

    return part ? inlay_node_input(v->node, 0) : NULL;
}

static inlay_value *rejoined(const inlay_node *join, int depth);

/* Returns what V was before writes into it, also into its parts, and changes of its axes. */
static const inlay_value *unwritten(const inlay_value *v, int depth)
{
    const inlay_value *was = v;

    for (int i = 0; i < MOST_LINKS && was; i++) {
        v = was;
        was = query_is_scatter(v->node) || v->node->op->flags & INLAY_RESHAPES
                  ? inlay_node_input(v->node, 0)
                  : rejoined(v->node, depth);
    }
    return v;
}

/* Returns the tensor into a part of which, at AT along AXIS, V is a write, or of which it is that
 * part; NULL: V is neither. */
static inlay_value *kept_by(const inlay_value *v, int axis, int64_t at, int depth)
{
    const inlay_value *part = unwritten(v, depth);
    bool alike = part->fact.rank == v->fact.rank &&
                 inlay_dim_proven_equal(part->fact.dims[axis], v->fact.dims[axis]);

    return alike ? fold_whole_of(part, axis, at) : NULL;
}

/* Are the sizes of V proven to be those of DATA, except along AXIS? */
static bool lies_beside(const inlay_value *v, const inlay_value *data, int axis)
{
    bool lies = v->fact.rank == data->fact.rank;

    for (int i = 0; lies && i < v->fact.rank; i++)
        lies = i == axis || inlay_dim_proven_equal(v->fact.dims[i], data->fact.dims[i]);
    return lies;
}

/* Returns the tensor of which the first unmoved part of JOIN, perhaps written into, is a part;
 * NULL: no part is unmoved, or a size is not known. */
static inlay_value *find_data(const inlay_node *join, int axis)
{
    inlay_value *data = NULL;
    int64_t at = 0;

    for (int i = 0; i < join->n_in && !data; i++) {
        const inlay_fact *f = &join->in[i].value->fact;

        if (f->rank != join->out[0].fact.rank || !inlay_dim_is_static(f->dims[axis]))
            return NULL;
        data = kept_by(join->in[i].value, axis, at, 0);
        at += f->dims[axis].lo;
    }
    return data;
}

/* Returns the tensor all of whose parts, written into or not, JOIN puts together again, each at its
 * place; NULL: there is none. */
static inlay_value *rejoined(const inlay_node *join, int depth)
{
    bool tried = depth < MOST_NESTED && join->n_in > 0 && join->n_in <= MOST_PARTS;
    inlay_value *data = NULL;
    int64_t at = 0;
    int axis;

    if (!tried || !inlay_node_joined_axis(join, &axis))
        return NULL;
    for (int i = 0; i < join->n_in; i++) {
        const inlay_value *v = join->in[i].value;
        inlay_value *whole;

        if (v->fact.rank != join->out[0].fact.rank || !inlay_dim_is_static(v->fact.dims[axis]))
            return NULL;
        whole = kept_by(v, axis, at, depth + 1);
        if (!whole || (data && whole != data) || !lies_beside(v, whole, axis))
            return NULL;
        data = whole;
        at += v->fact.dims[axis].lo;
    }
    return inlay_dim_proven_equal(inlay_dim_of(at), data->fact.dims[axis]) ? data : NULL;
}

/* Returns the value of which V is a view. */
static const inlay_value *origin_of(const inlay_value *v)
{
    while (v->node->op->flags & (INLAY_VIEW | INLAY_RESHAPES | INLAY_CUTS))
        v = inlay_node_input(v->node, 0);
    return v;
}

/* Is V a state, or an input of the run? */
static bool is_from_outside(const inlay_value *v)
{
    const inlay_node *n = origin_of(v)->node;

    return inlay_node_is(n, INLAY_OP_READ_VALUE) ||
           (inlay_node_is(n, INLAY_OP_PARAMETER) && !n->graph->owner);
}

/* Do the operands of JOIN lie in DATA, and is the unmoved part at least as large as what may have
 * to be copied for the written part? For a state that is the old contents, in case the run fails;
 * what is read of it; and what is new. Otherwise it is mostly one of the last two. */
static bool is_worth_it(const inlay_node *join, const inlay_value *data, int axis)
{
    int64_t at = 0, stays = 0;
    bool written = false;

    for (int i = 0; i < join->n_in; i++) {
        const inlay_value *v = join->in[i].value;

        if (!lies_beside(v, data, axis) || !inlay_dim_is_static(v->fact.dims[axis]))
            return false;
        written = written || fold_whole_of(v, axis, at) != data;
        if (kept_by(v, axis, at, 0) == data)
            stays += v->fact.dims[axis].lo;
        else if (v->node->op->flags & INLAY_CUTS && inlay_node_input(v->node, 0) == data)
            return false; /* a part that moves, which another node may have to read first */
        at += v->fact.dims[axis].lo;
    }
    return written && stays / (is_from_outside(data) ? 3 : 1) >= at - stays;
}

/* Is V an output of the run, or kept by it? */
static bool is_taken_out(const inlay_value *v)
{
    bool taken = false;

    for (const inlay_use *u = v->uses; u && !taken; u = u->next)
        taken = inlay_node_is(u->node, INLAY_OP_RESULT) || u->node->op->flags & INLAY_SINK;
    return taken;
}

/* Do the readers of DATA only read parts of it, which do not leave the run? */
static bool is_read_in_parts(const inlay_value *data)
{
    bool parts = true;

    for (const inlay_use *u = data->uses; u && parts; u = u->next) {
        const inlay_node *n = u->node;

        parts = n->op->flags & (INLAY_CUTS | INLAY_SHAPE_ONLY) || inlay_node_reads_window(n);
        for (int i = 0; parts && i < n->n_out; i++)
            parts = !is_taken_out(&n->out[i]);
    }
    return parts;
}

/* Returns whether JOINED is the next state of the variable whose state is V, and does not leave the
 * run otherwise. */
static bool is_kept_for(const inlay_value *v, const inlay_value *joined)
{
    const inlay_variable *state = inlay_variable_of(v->node, INLAY_OP_READ_VALUE);
    bool kept = false, given = false;

    for (const inlay_use *u = joined->uses; u; u = u->next) {
        kept = kept || inlay_variable_of(u->node, INLAY_OP_ASSIGN) == state;
        given = given || inlay_node_is(u->node, INLAY_OP_RESULT);
    }
    return kept && !given;
}

/* May the bytes of V be overwritten, considering where V comes from? */
static bool may_be_written(const inlay_value *v, const inlay_value *joined)
{
    const inlay_value *from = origin_of(v);
    const inlay_node *n = from->node;

    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return !n->graph->owner && is_kept_for(from, joined);
    if (inlay_node_is(n, INLAY_OP_PARAMETER)) /* what is given may be given away */
        return !n->graph->owner || !inlay_node_is_iterated(n) || inlay_param_is_carried(n);
    return n->n_in > 0;
}

/* Does the reader of U put its value, which FROM was part of before, back to where it came from? */
static bool is_put_back(const inlay_use *u, const inlay_value *from)
{
    const inlay_value *whole = unwritten(&u->node->out[0], 0);

    return whole != &u->node->out[0] && origin_of(whole) == origin_of(from);
}

/* Is JOINED, which consists of parts of DATA, written into something larger, perhaps with other
 * axes, other than that of which DATA is a part? Then its operands may be computed in place there.
 */
static bool is_put_further(const inlay_value *joined, const inlay_value *data, int depth)
{
    bool put = false;

    for (const inlay_use *u = joined->uses; u && !put; u = u->next) {
        bool into = u->node->op->flags & INLAY_HOLDS ||
                    (query_is_scatter(u->node) && query_scatter_updates(u->node) == joined);

        put = (into && !is_put_back(u, data)) ||
              (u->node->op->flags & INLAY_RESHAPES && u->index == 0 && depth < MOST_SHAPES &&
               is_put_further(&u->node->out[0], data, depth + 1));
    }
    return put;
}

/* Returns a part of DATA that a Split selects from the window of TO, and that is read; or NULL. */
static inlay_value *find_split_part(const inlay_value *data, int axis, const target *to)
{
    for (const inlay_use *u = data->uses; u; u = u->next) {
        bool split = u->node->op->flags & INLAY_CUTS && !inlay_node_reads_window(u->node);

        for (int i = 0; split && i < u->node->n_out; i++) {
            inlay_value *v = &u->node->out[i];

            if (v->uses && fold_whole_of(v, axis, to->w[axis].begin) == data &&
                v->fact.dims[axis].lo == to->w[axis].count)
                return v;
        }
    }
    return NULL;
}

/* Replaces the outputs of Splits in the window of TO in DATA by Slices, if a size is open or what
 * is put back is a write into a part: only for a Slice is it known then that it is written where it
 * was read. */
static bool slice_parts(const scattering *s, inlay_value *data, int axis, const target *to)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_value *part, *by;
    bool take;

    if (inlay_fact_dims(&data->fact, dims) && unwritten(s->u, 0) == s->u)
        return true;
    while ((part = find_split_part(data, axis, to))) {
        by = scattering_slice(s, data, to);
        if (!by)
            return false;
        if (!pass_ask_readers(part, by, &take, s->diags))
            return false;
        if (!take)
            return true;
        if (!inlay_value_replace(part, by, s->diags))
            return false;
    }
    return true;
}

/* Keeps the axis of a layer that the write S->out puts back: the pass looks at the last one of
 * several writes alone. */
static bool keep_layer(const scattering *s)
{
    simpler kept = {0};

    if (!fold_scatter_layer(s->out->new->node, &kept, s->diags))
        return false;
    s->out->new = kept.new ? kept.new : s->out->new;
    return true;
}

/* Writes the operands of JOIN that are not unmoved into S->data, one by one. */
static bool write_others(scattering *s, const inlay_node *join, int axis)
{
    inlay_value *data = s->data;
    int64_t at = 0;

    for (int i = 0; i < join->n_in; i++) {
        int64_t size = join->in[i].value->fact.dims[axis].lo;
        target to = {.cut = {false}};

        to.cut[axis] = true;
        to.w[axis] = (inlay_window){at, size, 1};
        at += size;
        s->u = join->in[i].value;
        if (size == 0 || fold_whole_of(s->u, axis, to.w[axis].begin) == data)
            continue;
        if (!slice_parts(s, data, axis, &to) || !scattering_write_target(s, s->u, &to) ||
            !keep_layer(s))
            return false;
        s->data = s->out->new;
    }
    return true;
}

/* Returns the node that splits a tensor along AXIS into parts, all of which JOIN puts together,
 * each at its place, but for one, *NEW, in whose place something of its size stands. NULL: there is
 * none, or all sizes are known. */
static const inlay_node *find_split(const inlay_node *join, int axis, int *new)
{
    const inlay_node *split = NULL;
    int along, n_new = 0;

    for (int i = 0; i < join->n_in && !split; i++) {
        const inlay_node *n = join->in[i].value->node;

        split = n->op->flags & INLAY_CUTS && !inlay_node_reads_window(n) ? n : NULL;
    }
    if (!split || split->n_out != join->n_in ||
        !inlay_node_axis(split, join->out[0].fact.rank, &along) || along != axis)
        return NULL;
    for (int i = 0; i < join->n_in; i++) {
        const inlay_value *v = join->in[i].value;

        if (v == &split->out[i])
            continue;
        n_new++;
        *new = i;
        if (v->node == split || !inlay_fact_same_shape(&v->fact, &split->out[i].fact))
            return NULL;
    }
    return n_new == 1 ? split : NULL;
}

/* Returns the size of V along AXIS, a list of one. */
static inlay_value *size_of(const scattering *s, inlay_value *v, int axis)
{
    int64_t one = 1, at = axis, zero = 0;
    inlay_value *in[3] = {scattering_build(s, "ShapeOf", &v, 1, "output_type=i64"),
                          scattering_ints(s, "axis", 1, &one, &at),
                          scattering_ints(s, "zero", 0, NULL, &zero)};

    return scattering_build(s, "Gather", in, 3, NULL);
}

/* Returns FIRST, to which the sizes along AXIS of parts FROM to TO of SPLIT are added, or from
 * which they are subtracted. */
static inlay_value *beside(const scattering *s, const inlay_node *split, inlay_value *first,
                           int from, int to, int axis)
{
    const char *how = from == 0 ? "Add" : "Subtract";

    for (int i = from; first && i < to; i++) {
        inlay_value *in[2] = {first, size_of(s, (inlay_value *)&split->out[i], axis)};

        first = scattering_build(s, how, in, 2, NULL);
    }
    return first;
}

/* Replaces part NEW of SPLIT by a Slice between those that stay, and writes V, which is computed
 * from it, to its place. The sizes of those that stay are asked of SPLIT, which still says what it
 * refuses. */
static bool write_open(scattering *s, const inlay_node *split, inlay_value *v, int new, int axis)
{
    int64_t one = 1, at = axis, zero = 0;
    inlay_value *window[6] = {s->data, v}, *slice[5] = {s->data}, *by;

    window[2] = beside(s, split, scattering_ints(s, "start", 1, &one, &zero), 0, new, axis);
    window[3] = beside(s, split, size_of(s, s->data, axis), new + 1, split->n_out, axis);
    window[4] = scattering_ints(s, "step", 1, &one, &one);
    window[5] = scattering_ints(s, "axes", 1, &one, &at);
    for (int i = 1; i < 5; i++)
        slice[i] = window[i + 1];
    by = scattering_build(s, "Slice", slice, 5, NULL);
    if (!by || !inlay_value_replace((inlay_value *)&split->out[new], by, s->diags))
        return false;
    s->out->new = scattering_build(s, "SliceScatter", window, 6, NULL);
    return s->out->new != NULL;
}

/* Does the same for parts whose sizes only the run knows, if one of three to MOST_OPEN is new. */
static bool put_back_open(scattering *s, const inlay_node *join, int axis)
{
    int new = 0;
    const inlay_node *split = find_split(join, axis, &new);
    const inlay_value *v = split ? join->in[new].value : NULL;

    s->data = split ? inlay_node_input(split, 0) : NULL;
    if (!split || split->n_out < 3 || split->n_out > MOST_OPEN || !is_read_in_parts(s->data) ||
        !may_be_written(s->data, &join->out[0]) || is_put_further(&join->out[0], s->data, 0) ||
        !scattering_takes("SliceScatter", s->data))
        return true;
    return write_open(s, split, (inlay_value *)v, new, axis);
}

/* Writes the new part of JOIN between those that stay, at a place that only the run knows. */
static bool put_back_between(scattering *s, const inlay_node *join, const between *b)
{
    int64_t one = 1, step = 1, axis = b->axis;
    inlay_value *in[6] = {b->data, join->in[1].value, b->start, b->stop};

    if (!lies_beside(in[1], b->data, (int)axis) || !is_read_in_parts(b->data) ||
        !may_be_written(b->data, &join->out[0]) || is_put_further(&join->out[0], b->data, 0) ||
        !scattering_takes("SliceScatter", b->data))
        return true;
    in[4] = scattering_ints(s, "step", 1, &one, &step);
    in[5] = scattering_ints(s, "axes", 1, &one, &axis);
    s->out->new = scattering_build(s, "SliceScatter", in, 6, NULL);
    return s->out->new != NULL;
}

bool fold_put_back(const inlay_node *n, simpler *out, inlay_diags *d)
{
    scattering s = {.g = n->graph, .out = out, .diags = d};
    between b;
    int axis;

    if (n->n_in > MOST_PARTS || !inlay_node_joined_axis(n, &axis) || n->out[0].fact.known)
        return true; /* the shape rules know more about the sizes of a Concat than about those of a
                        write */
    if (fold_find_between(n, axis, &b))
        return put_back_between(&s, n, &b);
    s.data = find_data(n, axis);
    if (!s.data)
        return put_back_open(&s, n, axis);
    if (!lies_beside(&n->out[0], s.data, axis) ||
        !inlay_dim_proven_equal(n->out[0].fact.dims[axis], s.data->fact.dims[axis]) ||
        !is_worth_it(n, s.data, axis) || !is_read_in_parts(s.data) ||
        !may_be_written(s.data, &n->out[0]) || is_put_further(&n->out[0], s.data, 0) ||
        !scattering_takes("SliceScatter", s.data))
        return true;
    return write_others(&s, n, axis);
}
