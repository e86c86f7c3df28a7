/* The constraints of a graph on its Parameters.
 *
 * An operand that is an index must be within its axis, or every run would only fail; a number from
 * which a size or a loop's end is computed must not be huge, or a run would not end. The roles of
 * operands say which are indices and of what. One walk from the Results back to the Parameters
 * passes the constraint of each operand to its producer: as an interval through operations that
 * only move elements, and as a warning through all others. */
#include "passes/verify/verify.h"

#include "inlay_ops.h"
#include "ir/shared.h"

#include <stdlib.h>

struct walk {
    const verify_probe *probe; /* the facts */
    verify_want *of;           /* by node id: constraints on its outputs */
    inlay_diags *diags;
};

/* The end of a loop that is computed rather than given. */
static const verify_want a_span = {
    .bound = VERIFY_SPAN, .lo = 1, .hi = 7, .tame = true, .asked = true};

static void meet(verify_want *w, const verify_want *more)
{
    w->tame = w->tame || more->tame;
    w->asked = w->asked || more->asked;
    w->distinct = w->distinct || more->distinct;
    w->late = w->late || more->late;
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

static int64_t smallest_axis(const inlay_fact *data)
{
    int64_t least = INT64_MAX;

    for (int k = 0; k < data->rank; k++)
        least = data->dims[k].lo < least ? data->dims[k].lo : least;
    return least;
}

/* The number of valid choices for an operand with this role, an index. */
static int64_t choices(const struct walk *w, const inlay_node *n, inlay_role role)
{
    enum { LIKELY_RANK = 4 }; /* if the rank is not known */
    const inlay_value *data = inlay_node_operand(n, INLAY_ROLE_DATA);
    const inlay_fact *f = data ? verify_fact(w->probe, data) : NULL;
    int axis;

    if (role == INLAY_ROLE_AXIS || role == INLAY_ROLE_AXES || role == INLAY_ROLE_ORDER)
        return f && f->rank >= 0 ? f->rank : LIKELY_RANK;
    if (!f || f->rank <= 0)
        return 1;
    axis = role == INLAY_ROLE_TUPLES ? -1 : verify_indexed_axis(w->probe, n);
    return axis >= 0 ? f->dims[axis].lo : smallest_axis(f);
}

static int64_t at_least(int64_t n, int64_t least)
{
    return n > least ? n : least;
}

static verify_want index_of(int64_t count)
{
    return (verify_want){
        .bound = VERIFY_INDEX, .lo = 0, .hi = at_least(count, 1) - 1, .tame = true, .asked = true};
}

/* The constraint of N on an operand because of its role. A loop with -1 iterations would not end.
 */
static verify_want want_of(const struct walk *w, const inlay_node *n, inlay_role role)
{
    verify_want want;

    switch (role) {
    case INLAY_ROLE_AXES:
    case INLAY_ROLE_ORDER:
        want = index_of(choices(w, n, role));
        want.distinct = true;
        return want;
    case INLAY_ROLE_AXIS:
    case INLAY_ROLE_INDICES:
    case INLAY_ROLE_POSITION:
    case INLAY_ROLE_TUPLES:
        return index_of(choices(w, n, role));
    case INLAY_ROLE_PREFIXES:
        return (verify_want){
            .bound = VERIFY_COUNT, .lo = 1, .hi = at_least(choices(w, n, role), 1), .tame = true};
    case INLAY_ROLE_LENGTHS:
        return (verify_want){
            .bound = VERIFY_PARTS, .hi = choices(w, n, role), .tame = true, .asked = true};
    case INLAY_ROLE_RISING: /* two lengths: the whole is rarely smaller */
        return (verify_want){.bound = VERIFY_RISING, .hi = 1, .tame = true, .asked = true};
    case INLAY_ROLE_STEP:
        return (verify_want){.bound = VERIFY_STEP, .lo = 1, .hi = 2, .tame = true, .asked = true};
    case INLAY_ROLE_COUNT:
    case INLAY_ROLE_REPEATS:
        return (verify_want){.bound = VERIFY_COUNT, .lo = 1, .hi = 3, .tame = true, .asked = true};
    case INLAY_ROLE_START: /* clamped to the axis, so any number is valid */
    case INLAY_ROLE_STOP:
        return (verify_want){.asked = true};
    case INLAY_ROLE_UPDATES:
        return (verify_want){.late = true};
    default:
        return (verify_want){0};
    }
}

/* The row's information on input I, or NULL. The last one repeats. */
static const inlay_operand_info *info_of(const inlay_node *n, int i)
{
    int last = n->op->n_in - 1;

    return last < 0 ? NULL : &n->op->in[i < last ? i : last];
}

/* Elements of input I appear in output 0. */
static bool is_moved(const inlay_node *n, int i)
{
    const inlay_operand_info *info = info_of(n, i);

    if (n->op->flags & INLAY_CONVERTS)
        return i == 0;
    return (n->op->flags & (INLAY_MOVES | INLAY_VIEW)) && info && info->var >= 0 &&
           info->var == n->op->out[0].var;
}

/* An operand that can only be integers, and is not the data, is a position or a count. The ends of
 * windows are clamped, so any number is valid for them. */
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

/* The elements of V have bounds whatever V is computed from. */
static bool is_bounded(const inlay_value *v)
{
    inlay_role role = inlay_value_role(v);

    return v->fact.type == INLAY_BOOLEAN || role == INLAY_ROLE_SHAPE || role == INLAY_ROLE_INDICES;
}

static void demand(struct walk *w, const inlay_value *v, const verify_want *want)
{
    const verify_want order = {.late = want->late};

    if (v)
        meet(&w->of[v->node->id], is_bounded(v) ? &order : want);
}

/* Records the constraints of N on its operands. */
static void demand_own(struct walk *w, const inlay_node *n)
{
    static const verify_want tame = {.tame = true, .asked = true};
    static const verify_want divisor = {.bound = VERIFY_DIVISOR, .lo = 1, .hi = 15};

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inlay_operand_info *info = info_of(n, i);
        verify_want want = want_of(w, n, info ? info->role : INLAY_ROLE_NONE);

        if (want.bound != VERIFY_UNBOUND || want.asked || want.late)
            demand(w, v, &want);
        else if (decides_sizes(n, i))
            demand(w, v, &tame);
        if (v && i == n->op->faults && inlay_type_is_int(v->fact.type))
            demand(w, v, &divisor);
    }
}

/* Passes the constraints on N's outputs on to its operands: the interval if N moves their elements,
 * and for all others that numbers must not be huge. The end of a loop, reached through arithmetic,
 * becomes a span. */
static void pass_on(struct walk *w, const inlay_node *n)
{
    const verify_want *own = &w->of[n->id];
    bool loop = own->bound == VERIFY_SPAN || (own->bound == VERIFY_COUNT && own->tame);
    verify_want rest = loop ? a_span : (verify_want){.tame = own->tame};

    rest.asked = own->asked || loop;
    rest.late = own->late;

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

/* An input of a loop may be any of its carried values in a later iteration, so their constraints
 * are merged. */
static void spread(verify_want *of, int n)
{
    bool tame = false;

    for (int i = 0; i < n; i++)
        tame = tame || of[i].tame;
    for (int i = 0; i < n; i++)
        of[i].tame = tame;
}

static bool body_wants(const inlay_graph *body, verify_want *of, inlay_diags *d)
{
    verify_probe p;
    bool ok = verify_probe_begin(&p, body, d);

    if (ok)
        verify_probe_accepts(&p, NULL, NULL);
    ok = ok && verify_find_wants(&p, NULL, of, d);
    verify_probe_end(&p);
    return ok;
}

static bool demand_body(struct walk *w, const inlay_node *n, const inlay_body *b)
{
    verify_want *of = inlay_take(inlay_node_budget(n), (size_t)b->graph->n_params + 1, sizeof *of);
    bool ok = of ? body_wants(b->graph, of, w->diags) : inlay_fail_memory(w->diags);

    if (ok && !inlay_node_is(n, INLAY_OP_IF))
        spread(of, b->graph->n_params);
    for (int i = 0; ok && i < b->n_in; i++) {
        if (b->in[i].outer >= 0 && b->in[i].inner >= 0)
            demand(w, inlay_node_input(n, b->in[i].outer), &of[b->in[i].inner]);
    }
    for (int i = 1; ok && i < n->n_in && is_computed_condition(b); i++)
        demand(w, n->in[i].value, &a_span);
    inlay_give(of);
    return ok;
}

/* Bodies nest at most INLAY_MAX_BODY_DEPTH deep. */
static bool walk_back(struct walk *w)
{
    const inlay_order_list *order = &w->probe->order;
    bool ok = true;

    for (size_t i = order->n; ok && i > 0; i--) {
        const inlay_node *n = order->nodes[i - 1];

        pass_on(w, n);
        demand_own(w, n);
        for (int k = 0; ok && k < n->n_bodies; k++)
            ok = !n->bodies[k].graph || demand_body(w, n, &n->bodies[k]);
    }
    return ok;
}

bool verify_find_wants(const verify_probe *p, const int *pair, verify_want *wants, inlay_diags *d)
{
    struct walk w = {.probe = p, .diags = d};
    bool ok;

    w.of = inlay_take(inlay_graph_budget(p->g), (size_t)p->g->next_id + 1, sizeof *w.of);
    ok = w.of ? walk_back(&w) : inlay_fail_memory(d);
    for (int i = 0; ok && i < p->g->n_params; i++)
        meet(&wants[i], &w.of[p->g->params[pair ? pair[i] : i]->id]);
    inlay_give(w.of);
    return ok;
}
