/* What a graph wants of its Parameters.
 *
 * An operand that is an index must be within its axis, or every run would only fail; a number from
 * which a size or a loop's end is computed must not be huge, or a run would not end. The roles of
 * operands say which are indices and of what. One walk from the Results back to the
 * Parameters takes what each operand wants to whoever makes it: as an interval through operations
 * that only move elements, and as a warning through all others.
 */
#include "passes/verify/verify.h"

#include <stdlib.h>

struct walk {
    const inlay_graph *g;
    int64_t *sizes;  /* by dim id; -1: not known */
    verify_want *of; /* by node id: what is wanted of what it makes */
    inlay_diags *diags;
};

/* A loop's end that is computed, rather than given. */
static const verify_want a_span = {VERIFY_SPAN, 1, 7, true};

static void meet(verify_want *w, const verify_want *more)
{
    w->tame = w->tame || more->tame;
    if (more->bound == VERIFY_UNBOUND || (more->bound == VERIFY_DIVISOR && w->bound))
        return;
    if (w->bound == VERIFY_UNBOUND || w->bound == VERIFY_DIVISOR) {
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

/* The axis that NODE indexes, which an operand or an attribute names; -1 when it is not known. */
static int indexed_axis(const inlay_node *n, int rank)
{
    int attr = inlay_op_role_attr(n->op, INLAY_ROLE_AXIS);
    const inlay_value *v = inlay_node_operand(n, INLAY_ROLE_AXIS);
    int64_t axis;

    if (attr >= 0) {
        axis = inlay_node_int(n, n->op->attrs[attr].name);
    } else {
        if (!v || !v->fact.known || v->fact.n_known != 1 || !inlay_dim_is_static(v->fact.known[0]))
            return -1;
        axis = v->fact.known[0].lo;
    }
    axis = axis < 0 ? axis + rank : axis;
    return axis >= 0 && axis < rank ? (int)axis : -1;
}

/* How many an operand of this role, an index, chooses from. */
static int64_t choices(const struct walk *w, const inlay_node *n, inlay_role role)
{
    const inlay_value *data = inlay_node_operand(n, INLAY_ROLE_DATA);
    int axis;

    if (!data || data->fact.rank <= 0)
        return 1;
    if (role == INLAY_ROLE_AXIS || role == INLAY_ROLE_AXES)
        return data->fact.rank;
    axis = role == INLAY_ROLE_TUPLES ? -1 : indexed_axis(n, data->fact.rank);
    return axis >= 0 ? axis_size(w, &data->fact, axis) : smallest_axis(w, &data->fact);
}

static verify_want index_of(int64_t count)
{
    return (verify_want){VERIFY_INDEX, 0, count > 0 ? count - 1 : 0, true};
}

/* What N wants of an operand for its role alone. A loop that goes round -1 times would not end. */
static verify_want want_of(const struct walk *w, const inlay_node *n, inlay_role role)
{
    switch (role) {
    case INLAY_ROLE_AXIS:
    case INLAY_ROLE_AXES:
    case INLAY_ROLE_INDICES:
    case INLAY_ROLE_TUPLES:
        return index_of(choices(w, n, role));
    case INLAY_ROLE_STEP:
        return (verify_want){VERIFY_STEP, 1, 2, true};
    case INLAY_ROLE_COUNT:
    case INLAY_ROLE_REPEATS:
        return (verify_want){VERIFY_COUNT, 1, 3, true};
    default:
        return (verify_want){0};
    }
}

/* What the row says of input I, or NULL: it has none. The last one repeats. */
static const inlay_operand_info *info_of(const inlay_node *n, int i)
{
    int last = n->op->n_in - 1;

    return last < 0 ? NULL : &n->op->in[i < last ? i : last];
}

/* Elements of input I come to stand in output 0. */
static bool is_moved(const inlay_node *n, int i)
{
    const inlay_operand_info *info = info_of(n, i);

    if (n->op->flags & INLAY_CONVERTS)
        return i == 0;
    return (n->op->flags & (INLAY_MOVES | INLAY_VIEW)) && info && info->var >= 0 &&
           info->var == n->op->out[0].var;
}

/* An operand that can be nothing but integers, beside the data, places or counts something. The
 * ends of windows are cut to their axis: any number will do. */
static bool decides_sizes(const inlay_node *n, int input)
{
    const inlay_operand_info *info = info_of(n, input);

    if (inlay_node_is(n, INLAY_OP_RANGE))
        return true;
    if (input == 0 || !info || (n->op->flags & (INLAY_POINTWISE | INLAY_STAND_IN)) ||
        info->role == INLAY_ROLE_START || info->role == INLAY_ROLE_STOP)
        return false;
    for (int t = 0; t < INLAY_N_TYPES; t++) {
        if ((info->types >> t & 1) && !inlay_type_is_int((inlay_type)t))
            return false;
    }
    return true;
}

/* What V holds is within bounds whatever it is computed from. */
static bool is_bounded(const inlay_value *v)
{
    inlay_role role = inlay_value_role(v);

    return v->fact.type == INLAY_BOOLEAN || role == INLAY_ROLE_SHAPE || role == INLAY_ROLE_INDICES;
}

static void demand(struct walk *w, const inlay_value *v, const verify_want *want)
{
    if (v && !is_bounded(v))
        meet(&w->of[v->node->id], want);
}

/* What N itself wants of its operands. */
static void demand_own(struct walk *w, const inlay_node *n)
{
    static const verify_want tame = {.tame = true};
    static const verify_want divisor = {VERIFY_DIVISOR, 1, 15, false};

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inlay_operand_info *info = info_of(n, i);
        verify_want want = want_of(w, n, info ? info->role : INLAY_ROLE_NONE);

        if (want.bound != VERIFY_UNBOUND)
            demand(w, v, &want);
        else if (decides_sizes(n, i))
            demand(w, v, &tame);
        if (v && i == n->op->faults && inlay_type_is_int(v->fact.type))
            demand(w, v, &divisor);
    }
}

/* What others want of N is wanted of its operands: the interval of those whose elements it moves,
 * and no wild numbers of all. A loop's end that they reach by way of arithmetic is a span. */
static void pass_on(struct walk *w, const inlay_node *n)
{
    const verify_want *own = &w->of[n->id];
    bool loop = own->bound == VERIFY_SPAN || (own->bound == VERIFY_COUNT && own->tame);
    verify_want rest = loop ? a_span : (verify_want){.tame = own->tame};

    for (int i = 0; i < n->n_in; i++)
        demand(w, n->in[i].value, is_moved(n, i) ? own : &rest);
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
static void spread(verify_want *of, int n)
{
    bool tame = false;

    for (int i = 0; i < n; i++)
        tame = tame || of[i].tame;
    for (int i = 0; i < n; i++)
        of[i].tame = tame;
}

static bool demand_body(struct walk *w, const inlay_node *n, const inlay_body *b)
{
    verify_want *of = calloc((size_t)b->graph->n_params + 1, sizeof *of);
    bool ok = of && verify_find_wants(b->graph, NULL, NULL, of, w->diags);

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
static void learn_sizes(struct walk *w, const int *pair, const verify_dims *dims)
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

bool verify_find_wants(const inlay_graph *g, const int *pair, const verify_dims *dims,
                       verify_want *wants, inlay_diags *d)
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
