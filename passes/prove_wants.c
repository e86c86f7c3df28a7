/* What a graph wants of its Parameters.
 *
 * An operand that is an index must be within its axis, or every run would only fail; a number from
 * which a size or a loop's end is computed must not be huge, or a run would not end. The table
 * below says which operands are indices and of what. One walk from the Results back to the
 * Parameters takes what each operand wants to whoever makes it: as an interval through operations
 * that only move elements, and as a warning through all others.
 */
#include "passes/prove.h"

#include <stdlib.h>

/* What an index operand may hold. */
enum extent {
    IN_AXIS_ATTR,  /* the size of input 0's axis, named by attribute `axis` or `dim` */
    IN_AXIS_INPUT, /* the size of input 0's axis, named by input `axis_input` */
    IN_ALL_AXES,   /* the smallest of input 0's dimensions: the tuples of ND operations */
    AN_AXIS,       /* the rank of input 0 */
    A_STEP,        /* 1 or 2 */
    A_COUNT        /* 1 .. 3 */
};

static const struct index_operand {
    inlay_op_kind kind;
    int input;
    enum extent extent;
    int axis_input;
} index_operands[] = {
    {INLAY_OP_GATHER, 1, IN_AXIS_INPUT, 2},
    {INLAY_OP_GATHER, 2, AN_AXIS, 0},
    {INLAY_OP_GATHER_ELEMENTS, 1, IN_AXIS_ATTR, 0},
    {INLAY_OP_GATHER_ND, 1, IN_ALL_AXES, 0},
    {INLAY_OP_SCATTER_UPDATE, 1, IN_AXIS_INPUT, 3},
    {INLAY_OP_SCATTER_UPDATE, 3, AN_AXIS, 0},
    {INLAY_OP_SCATTER_ELEMENTS_UPDATE, 1, IN_AXIS_INPUT, 3},
    {INLAY_OP_SCATTER_ELEMENTS_UPDATE, 3, AN_AXIS, 0},
    {INLAY_OP_SCATTER_ND_UPDATE, 1, IN_ALL_AXES, 0},
    {INLAY_OP_TENSOR_SCATTER_ND_UPDATE, 1, IN_ALL_AXES, 0},
    {INLAY_OP_TENSOR_SCATTER, 1, IN_AXIS_ATTR, 0},
    {INLAY_OP_SLICE, 3, A_STEP, 0},
    {INLAY_OP_SLICE, 4, AN_AXIS, 0},
    {INLAY_OP_SLICE_SCATTER, 4, A_STEP, 0},
    {INLAY_OP_SLICE_SCATTER, 5, AN_AXIS, 0},
    {INLAY_OP_ONNX_SLICE, 3, AN_AXIS, 0},
    {INLAY_OP_ONNX_SLICE, 4, A_STEP, 0},
    {INLAY_OP_SPLIT, 1, AN_AXIS, 0},
    {INLAY_OP_VARIADIC_SPLIT, 1, AN_AXIS, 0},
    {INLAY_OP_TILE, 1, A_COUNT, 0},
    {INLAY_OP_ROLL, 2, AN_AXIS, 0},
    {INLAY_OP_UNSQUEEZE, 1, AN_AXIS, 0},
    {INLAY_OP_CUM_SUM, 1, AN_AXIS, 0},
    {INLAY_OP_TOP_K, 1, A_COUNT, 0},
    {INLAY_OP_ONE_HOT, 1, A_COUNT, 0},
    {INLAY_OP_LOOP, 0, A_COUNT, 0}, /* -1 would be for ever */
};

/* Operations whose output 0 holds nothing but elements of input 0. */
static const inlay_op_kind movers[] = {
    INLAY_OP_CONVERT,   INLAY_OP_RESHAPE,       INLAY_OP_SQUEEZE, INLAY_OP_UNSQUEEZE,
    INLAY_OP_TRANSPOSE, INLAY_OP_BROADCAST,     INLAY_OP_SLICE,   INLAY_OP_GATHER,
    INLAY_OP_TILE,      INLAY_OP_STRIDED_SLICE,
};

/* The ends of windows are cut to their axis: any number will do. */
static const struct {
    inlay_op_kind kind;
    int first, last;
} cut_operands[] = {
    {INLAY_OP_SLICE, 1, 2},
    {INLAY_OP_SLICE_SCATTER, 2, 3},
    {INLAY_OP_ONNX_SLICE, 1, 2},
    {INLAY_OP_STRIDED_SLICE, 1, 2},
};

struct walk {
    const inlay_graph *g;
    int64_t *sizes; /* by dim id; -1: not known */
    prove_want *of; /* by node id: what is wanted of what it makes */
    inlay_diags *diags;
};

/* A loop's end that is computed, rather than given. */
static const prove_want a_span = {PROVE_SPAN, 1, 7, true};

static void meet(prove_want *w, const prove_want *more)
{
    w->tame = w->tame || more->tame;
    if (more->bound == PROVE_UNBOUND || (more->bound == PROVE_DIVISOR && w->bound))
        return;
    if (w->bound == PROVE_UNBOUND || w->bound == PROVE_DIVISOR) {
        w->bound = more->bound;
        w->lo = more->lo;
        w->hi = more->hi;
        return;
    }
    w->lo = more->lo > w->lo ? more->lo : w->lo;
    w->hi = more->hi < w->hi ? more->hi : w->hi;
    w->hi = w->hi < w->lo ? w->lo : w->hi;
}

/* The least size that the axis may turn out to have in this run. */
static int64_t axis_size(const struct walk *w, const inlay_fact *data, int axis)
{
    inlay_dim d = data->dims[axis];

    if (inlay_dim_is_static(d) || d.id == 0 || d.id >= w->g->next_dim_id || w->sizes[d.id] < 0)
        return d.lo;
    return w->sizes[d.id];
}

static int64_t smallest_axis(const struct walk *w, const inlay_fact *data)
{
    int64_t least = INT64_MAX;

    for (int k = 0; k < data->rank; k++) {
        int64_t n = axis_size(w, data, k);

        least = n < least ? n : least;
    }
    return least;
}

/* The axis that NODE indexes, or -1 when it is not known. */
static int indexed_axis(const inlay_node *n, const struct index_operand *op, int rank)
{
    const inlay_value *v;
    int64_t axis;

    if (op->extent == IN_AXIS_ATTR) {
        axis = inlay_node_int(n, inlay_op_attr(n->op, "axis") >= 0 ? "axis" : "dim");
    } else {
        v = inlay_node_input(n, op->axis_input);
        if (!v || !v->fact.known || v->fact.n_known != 1 || !inlay_dim_is_static(v->fact.known[0]))
            return -1;
        axis = v->fact.known[0].lo;
    }
    axis = axis < 0 ? axis + rank : axis;
    return axis >= 0 && axis < rank ? (int)axis : -1;
}

/* How many the index operand chooses from. */
static int64_t choices(const struct walk *w, const inlay_node *n, const struct index_operand *op)
{
    const inlay_value *data = inlay_node_input(n, 0);
    int axis;

    if (!data || data->fact.rank <= 0)
        return 1;
    if (op->extent == AN_AXIS)
        return data->fact.rank;
    axis = op->extent == IN_ALL_AXES ? -1 : indexed_axis(n, op, data->fact.rank);
    return axis >= 0 ? axis_size(w, &data->fact, axis) : smallest_axis(w, &data->fact);
}

static prove_want want_of(const struct walk *w, const inlay_node *n, const struct index_operand *op)
{
    int64_t count;

    if (op->extent == A_STEP)
        return (prove_want){PROVE_STEP, 1, 2, true};
    if (op->extent == A_COUNT)
        return (prove_want){PROVE_COUNT, 1, 3, true};
    count = choices(w, n, op);
    return (prove_want){PROVE_INDEX, 0, count > 0 ? count - 1 : 0, true};
}

static const struct index_operand *find_index_operand(const inlay_node *n, int input)
{
    for (size_t k = 0; k < sizeof index_operands / sizeof index_operands[0]; k++) {
        if (inlay_node_is(n, index_operands[k].kind) && index_operands[k].input == input)
            return &index_operands[k];
    }
    return NULL;
}

static bool is_cut(const inlay_node *n, int input)
{
    for (size_t k = 0; k < sizeof cut_operands / sizeof cut_operands[0]; k++) {
        if (inlay_node_is(n, cut_operands[k].kind) && input >= cut_operands[k].first &&
            input <= cut_operands[k].last)
            return true;
    }
    return false;
}

static bool is_mover(const inlay_node *n)
{
    for (size_t i = 0; i < sizeof movers / sizeof movers[0]; i++) {
        if (inlay_node_is(n, movers[i]))
            return true;
    }
    return false;
}

/* An operand that can be nothing but integers, beside the data, places or counts something. */
static bool decides_sizes(const inlay_node *n, int input)
{
    const inlay_op *op = n->op;
    inlay_type_set types;

    if (inlay_node_is(n, INLAY_OP_RANGE))
        return true;
    if (input == 0 || op->n_in == 0 || (op->flags & (INLAY_POINTWISE | INLAY_STAND_IN)) ||
        is_cut(n, input))
        return false;
    types = op->in[input < op->n_in ? input : op->n_in - 1].types;
    for (int t = 0; t < INLAY_N_TYPES; t++) {
        if ((types >> t & 1) && !inlay_type_is_int((inlay_type)t))
            return false;
    }
    return true;
}

/* What V holds is within bounds whatever it is computed from. */
static bool is_bounded(const inlay_value *v)
{
    return v->fact.type == INLAY_BOOLEAN || inlay_node_is(v->node, INLAY_OP_SHAPE_OF) ||
           inlay_node_is(v->node, INLAY_OP_NON_ZERO) ||
           (inlay_node_is(v->node, INLAY_OP_TOP_K) && v->index == 1);
}

static void demand(struct walk *w, const inlay_value *v, const prove_want *want)
{
    if (v && !is_bounded(v))
        meet(&w->of[v->node->id], want);
}

/* What N itself wants of its operands. */
static void demand_own(struct walk *w, const inlay_node *n)
{
    static const prove_want tame = {.tame = true};
    static const prove_want divisor = {PROVE_DIVISOR, 1, 15, false};

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const struct index_operand *op = find_index_operand(n, i);
        prove_want want = op ? want_of(w, n, op) : tame;

        if (op || decides_sizes(n, i))
            demand(w, v, &want);
        if (v && i == 1 && (n->op->flags & INLAY_FAULTS) && inlay_type_is_int(v->fact.type))
            demand(w, v, &divisor);
    }
}

/* What others want of N is wanted of its operands: the interval of those whose elements it moves,
 * and no wild numbers of all. A loop's end that they reach by way of arithmetic is a span. */
static void pass_on(struct walk *w, const inlay_node *n)
{
    const prove_want *own = &w->of[n->id];
    bool moves = is_mover(n), joins = inlay_node_is(n, INLAY_OP_CONCAT);
    bool loop = own->bound == PROVE_SPAN || (own->bound == PROVE_COUNT && own->tame);
    prove_want rest = loop ? a_span : (prove_want){.tame = own->tame};

    for (int i = 0; i < n->n_in; i++)
        demand(w, n->in[i].value, joins || (moves && i == 0) ? own : &rest);
}

static bool is_computed_condition(const inlay_body *b)
{
    for (int i = 0; i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];
        const inlay_value *v;

        if (p->purpose != INLAY_PORT_CONDITION || p->inner < 0)
            continue;
        v = inlay_node_input(b->graph->results[p->inner], 0);
        return v && !inlay_node_is(v->node, INLAY_OP_CONST);
    }
    return false;
}

/* What enters a loop may come to stand at any other of its places in a later iteration. */
static void spread(prove_want *of, int n)
{
    bool tame = false;

    for (int i = 0; i < n; i++)
        tame = tame || of[i].tame;
    for (int i = 0; i < n; i++)
        of[i].tame = tame;
}

static bool demand_body(struct walk *w, const inlay_node *n, const inlay_body *b)
{
    prove_want *of = calloc((size_t)b->graph->n_params + 1, sizeof *of);
    bool ok = of && prove_find_wants(b->graph, NULL, NULL, of, w->diags);

    if (!of)
        return inlay_fail_memory(w->diags);
    if (!inlay_node_is(n, INLAY_OP_IF))
        spread(of, b->graph->n_params);
    for (int i = 0; ok && i < b->n_in; i++) {
        if (b->in[i].outer >= 0 && b->in[i].inner >= 0)
            demand(w, inlay_node_input(n, b->in[i].outer), &of[b->in[i].inner]);
    }
    for (int i = 1; ok && i < n->n_in && is_computed_condition(b); i++)
        demand(w, n->in[i].value, &a_span);
    free(of);
    return ok;
}

/* Bodies nest at most INLAY_MAX_BODY_DEPTH deep. */
static bool walk_back(struct walk *w)
{
    inlay_order_list order;
    bool ok = inlay_order(w->g, false, &order, w->diags);

    for (size_t i = order.n; ok && i > 0; i--) {
        const inlay_node *n = order.nodes[i - 1];

        pass_on(w, n);
        demand_own(w, n);
        for (int k = 0; ok && k < n->n_bodies; k++)
            ok = !n->bodies[k].graph || demand_body(w, n, &n->bodies[k]);
    }
    inlay_order_free(&order);
    return ok;
}

/* The sizes that dims of one identity have, from those of the inputs. */
static void learn_sizes(struct walk *w, const int *pair, const prove_dims *dims)
{
    for (uint32_t i = 0; i < w->g->next_dim_id; i++)
        w->sizes[i] = -1;
    for (int i = 0; dims && i < w->g->n_params; i++) {
        const inlay_fact *f = &w->g->params[pair ? pair[i] : i]->out[0].fact;

        for (int k = 0; f->rank == dims[i].rank && k < f->rank; k++) {
            if (f->dims[k].id < w->g->next_dim_id)
                w->sizes[f->dims[k].id] = dims[i].dims[k];
        }
    }
}

bool prove_find_wants(const inlay_graph *g, const int *pair, const prove_dims *dims,
                      prove_want *wants, inlay_diags *d)
{
    struct walk w = {.g = g, .diags = d};
    bool ok;

    w.sizes = malloc(((size_t)g->next_dim_id + 1) * sizeof *w.sizes);
    w.of = calloc((size_t)g->next_id + 1, sizeof *w.of);
    ok = w.sizes && w.of;
    if (ok)
        learn_sizes(&w, pair, dims);
    ok = ok ? walk_back(&w) : inlay_fail_memory(d);
    for (int i = 0; ok && i < g->n_params; i++)
        meet(&wants[i], &w.of[g->params[pair ? pair[i] : i]->id]);
    free(w.sizes);
    free(w.of);
    return ok;
}
