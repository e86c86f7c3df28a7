/* If, Loop, TensorIterator. At compile time a rule hands its operands' facts to the parameters of
 * the body, infers the body, and takes the results' facts out; at run time (no ids) it reads what
 * was recorded then and leaves the body alone. What a parameter of a body declares is overruled by
 * what is really connected to it, as upstream does. */
#include "ir/infer.h"

#include <inttypes.h>
#include <string.h>

enum {
    MAX_IDS = 64,   /* dims of outer values whose identity is followed into a body */
    MAX_ROUNDS = 8, /* of inferring a loop's body until its merged inputs stay as they are */
    FULL_DEPTH = 6  /* bodies nested deeper are inferred once: rounds multiply with the nesting */
};

/* Ids count within one graph: the same size has one id outside and another one in the body. */
struct border {
    inlay_infer *cx;
    inlay_body *body;
    uint32_t outer[MAX_IDS], inner[MAX_IDS];
    int n;
};

static bool compiling(const inlay_infer *cx)
{
    return cx->next_id != NULL;
}

static inlay_dim dim_into(struct border *b, inlay_dim d)
{
    uint32_t *next = &b->body->graph->next_dim_id, outer = d.id;

    if (inlay_dim_is_static(d)) {
        d.id = 0;
        return d;
    }
    for (int i = 0; outer && i < b->n; i++) {
        if (b->outer[i] == outer) {
            d.id = b->inner[i];
            return d;
        }
    }
    d.id = (*next)++;
    if (outer && b->n < MAX_IDS) {
        b->outer[b->n] = outer;
        b->inner[b->n++] = d.id;
    }
    return d;
}

static inlay_dim dim_out_of(const struct border *b, inlay_dim d)
{
    for (int i = 0; i < b->n; i++) {
        if (d.id && b->inner[i] == d.id) {
            d.id = b->outer[i];
            return d;
        }
    }
    d.id = 0;
    return d;
}

static inlay_value *param_of(const inlay_body *b, int i)
{
    return &b->graph->params[i]->out[0];
}

/* The value that result I of the body reads. */
static const inlay_value *result_of(const inlay_body *b, int i)
{
    return b->graph->results[i]->in[0].value;
}

static bool set_param(struct border *b, int i, inlay_type type, const inlay_shape *s)
{
    inlay_fact *f = &param_of(b->body, i)->fact;
    inlay_dim *dims = NULL;

    if (s->rank > 0) {
        dims = inlay_arena_array(b->body->graph->arena, (size_t)s->rank, sizeof *dims);
        if (!dims)
            return inlay_fail_memory(b->cx->diags);
        memcpy(dims, s->dim, (size_t)s->rank * sizeof *dims);
    }
    *f = (inlay_fact){.type = type, .rank = s->rank, .dims = dims};
    return true;
}

static bool check_param_type(struct border *b, const inlay_port *p, inlay_type type)
{
    const inlay_node *n = b->body->graph->params[p->inner];
    inlay_type declared = inlay_node_type(n, "element_type");

    if (declared == INLAY_DYNAMIC || type == INLAY_DYNAMIC || declared == type)
        return true;
    return infer_fail(b->cx, "input %d has type %s, parameter \"%s\" of %s has type %s", p->outer,
                      inlay_type_info_of(type)->name, n->name, b->body->role,
                      inlay_type_info_of(declared)->name);
}

static bool carry_known(struct border *b, const inlay_port *p)
{
    const inlay_fact *in = b->cx->in[p->outer];
    inlay_fact *f = &param_of(b->body, p->inner)->fact;
    inlay_dim *known;

    if (!in->known)
        return true;
    known = inlay_arena_array(b->body->graph->arena, (size_t)in->n_known + 1, sizeof *known);
    if (!known)
        return inlay_fail_memory(b->cx->diags);
    for (int i = 0; i < in->n_known; i++)
        known[i] = dim_into(b, in->known[i]);
    f->known = known;
    f->n_known = in->n_known;
    return true;
}

/* A whole outer value enters. */
static bool enter(struct border *b, const inlay_port *p, bool with_known)
{
    inlay_shape s;

    in_shape(b->cx, p->outer, &s);
    for (int i = 0; i < s.rank; i++)
        s.dim[i] = dim_into(b, s.dim[i]);
    return check_param_type(b, p, b->cx->in[p->outer]->type) &&
           set_param(b, p->inner, b->cx->in[p->outer]->type, &s) &&
           (!with_known || carry_known(b, p));
}

static bool infer_body(struct border *b, inlay_diags *d)
{
    inlay_graph *g = b->body->graph;
    inlay_order_list order;
    bool ok = inlay_order(g, true, &order, d);

    for (size_t i = 0; ok && i < order.n; i++) {
        inlay_node *n = order.nodes[i];

        if (!inlay_node_is(n, INLAY_OP_PARAMETER))
            ok = inlay_check_node(n, d) && inlay_infer_node(n, d);
    }
    inlay_order_free(&order);
    return ok;
}

/* Parameters that nothing enters have what they declare. */
static bool reset_params(inlay_body *b, inlay_diags *d)
{
    for (int i = 0; i < b->graph->n_params; i++) {
        if (!inlay_infer_node(b->graph->params[i], d))
            return false;
    }
    return true;
}

static void result_shape(const struct border *b, int result, inlay_shape *s)
{
    const inlay_fact *f = &result_of(b->body, result)->fact;

    s->rank = f->rank;
    for (int i = 0; i < f->rank; i++)
        s->dim[i] = dim_out_of(b, f->dims[i]);
}

/* One or the other. */
static void join_shapes(inlay_shape *a, const inlay_shape *b)
{
    if (a->rank < 0 || a->rank != b->rank) {
        a->rank = -1;
        return;
    }
    for (int i = 0; i < a->rank; i++)
        a->dim[i] = inlay_dim_union(a->dim[i], b->dim[i]);
}

/* If-8 */

static bool infer_branch(inlay_infer *cx, int i, struct border *b, inlay_diags *d)
{
    *b = (struct border){.cx = cx, .body = &cx->node->bodies[i]};
    if (!compiling(cx))
        return true;
    if (!reset_params(b->body, d))
        return false;
    for (int k = 0; k < b->body->n_in; k++) {
        if (b->body->in[k].outer >= 0 && !enter(b, &b->body->in[k], true))
            return false;
    }
    return infer_body(b, d);
}

/* The result that is mapped to output O. */
static int mapped_result(const inlay_body *b, int o)
{
    int k = 0;

    while (b->out[k].outer != o)
        k++;
    return b->out[k].inner;
}

static bool known_out(struct border *b, int result, int o)
{
    const inlay_fact *f = &result_of(b->body, result)->fact;
    inlay_dim known[INLAY_MAX_KNOWN];

    if (!f->known || f->n_known > INLAY_MAX_KNOWN)
        return true;
    for (int i = 0; i < f->n_known; i++)
        known[i] = dim_out_of(b, f->known[i]);
    return set_known(b->cx, o, known, f->n_known);
}

/* Only the branch that a known condition takes counts. */
static bool one_branch(struct border *b)
{
    inlay_infer *cx = b->cx;

    for (int o = 0; o < cx->n_out; o++) {
        int result = mapped_result(b->body, o);
        inlay_shape s;

        result_shape(b, result, &s);
        if (!set_out(cx, o, result_of(b->body, result)->fact.type, &s) || !known_out(b, result, o))
            return false;
    }
    return true;
}

static bool both_branches(struct border b[2])
{
    inlay_infer *cx = b[0].cx;

    for (int o = 0; o < cx->n_out; o++) {
        int then_result = mapped_result(b[0].body, o), else_result = mapped_result(b[1].body, o);
        inlay_type type = result_of(b[0].body, then_result)->fact.type;
        inlay_type other = result_of(b[1].body, else_result)->fact.type;
        inlay_shape s, t;

        if (type != INLAY_DYNAMIC && other != INLAY_DYNAMIC && type != other)
            return infer_fail(cx, "output %d has type %s from then_body and %s from else_body", o,
                              inlay_type_info_of(type)->name, inlay_type_info_of(other)->name);
        result_shape(&b[0], then_result, &s);
        result_shape(&b[1], else_result, &t);
        join_shapes(&s, &t);
        if (!set_out(cx, o, type == INLAY_DYNAMIC ? other : type, &s))
            return false;
    }
    return true;
}

/* A condition has one element. */
static bool check_one(inlay_infer *cx, int i)
{
    inlay_dim n = inlay_dim_of(1);

    if (!in_check_rank(cx, i, 0, 1) || !in_length(cx, i, true, &n))
        return false;
    if (n.lo <= 1 && n.hi >= 1)
        return true;
    return infer_fail(cx, "input %d \"%s\" has shape %s, it must have one element", i,
                      in_name(cx, i), in_text(cx, i));
}

bool infer_if(inlay_infer *cx)
{
    struct border b[2];
    int64_t cond;
    bool decided = in_int(cx, 0, &cond);

    /* Files exist whose condition is an empty list (OpenVINO demands only the rank here): they are
     * typed, and fail when they run. */
    if (!inlay_check_bodies(cx->node, cx->diags) || !in_check_rank(cx, 0, 0, 1))
        return false;
    for (int i = 0; i < 2; i++) {
        bool taken = !decided || (i == 0) == (cond != 0);

        if (!infer_branch(cx, i, &b[i], taken ? cx->diags : NULL) && taken)
            return false;
    }
    return decided ? one_branch(&b[cond ? 0 : 1]) : both_branches(b);
}

/* Loop-5, TensorIterator-1 */

/* The back edge into parameter I, or NULL. An edge from the parameter itself changes nothing: the
 * value is the same in every iteration. */
static const inlay_back_edge *back_edge_to(const inlay_body *b, int i)
{
    for (int k = 0; k < b->n_back; k++) {
        if (b->back[k].to == i && result_of(b, b->back[k].from) != param_of(b, i))
            return &b->back[k];
    }
    return NULL;
}

/* Iterations that slicing a dim into parts allows. */
static bool slice_count(inlay_infer *cx, const inlay_port *p, inlay_dim size, inlay_dim *count)
{
    int64_t first, n;
    bool whole = (p->start == 0 && p->end == -1 && p->stride == 1) ||
                 (p->start == -1 && p->end == 0 && p->stride == -1);
    char text[64];

    if (inlay_dim_is_static(size)) {
        if (!inlay_port_parts(p, size.lo, &first, &n))
            return infer_fail(cx,
                              "input %d cannot be sliced from %" PRId64 " to %" PRId64
                              " by %" PRId64 ": axis %" PRId64 " has %s elements",
                              p->outer, p->start, p->end, p->stride, p->axis,
                              inlay_dim_text(size, text, sizeof text));
        *count = inlay_dim_of(n);
    } else {
        *count = whole && p->part_size == 1 ? size : inlay_dim_any();
    }
    return true;
}

static bool slice_axis(inlay_infer *cx, const inlay_port *p, int rank, int *axis)
{
    char what[64];

    if (rank == 0)
        return infer_fail(cx, "input %d is a scalar, it cannot be sliced", p->outer);
    memcpy(what, "axis of the port map", sizeof "axis of the port map");
    return norm_axis(cx, what, p->axis, rank, axis);
}

/* One part of an outer value enters in each iteration. */
static bool enter_slice(struct border *b, const inlay_port *p)
{
    inlay_shape s;
    int axis;

    in_shape(b->cx, p->outer, &s);
    if (s.rank >= 0) {
        if (!slice_axis(b->cx, p, s.rank, &axis))
            return false;
        for (int i = 0; i < s.rank; i++)
            s.dim[i] = i == axis ? inlay_dim_of(p->part_size) : dim_into(b, s.dim[i]);
    }
    return check_param_type(b, p, b->cx->in[p->outer]->type) &&
           set_param(b, p->inner, b->cx->in[p->outer]->type, &s);
}

/* The iteration number: what its parameter declares, a scalar when that says nothing. */
static bool enter_iteration(struct border *b, const inlay_port *p)
{
    inlay_fact *f = &param_of(b->body, p->inner)->fact;
    inlay_shape s = {.rank = 0};

    if (f->type != INLAY_I64 && f->type != INLAY_I32)
        return infer_fail(b->cx,
                          "parameter \"%s\" of body, the current iteration, has type %s, it "
                          "must be i64 or i32",
                          b->body->graph->params[p->inner]->name,
                          inlay_type_info_of(f->type)->name);
    if (f->rank == 0)
        return true;
    if (f->rank == 1) {
        s.rank = 1;
        s.dim[0] = inlay_dim_of(1);
    }
    return set_param(b, p->inner, f->type, &s);
}

static bool enter_all(struct border *b)
{
    if (!reset_params(b->body, b->cx->diags))
        return false;
    for (int i = 0; i < b->body->n_in; i++) {
        const inlay_port *p = &b->body->in[i];
        bool ok = true;

        if (p->purpose == INLAY_PORT_ITERATION)
            ok = enter_iteration(b, p);
        else if (p->outer >= 0 && p->has_axis)
            ok = enter_slice(b, p);
        else if (p->outer >= 0)
            ok = enter(b, p, !back_edge_to(b->body, p->inner));
        if (!ok)
            return false;
    }
    return true;
}

static bool is_carried(const struct border *b, uint32_t id)
{
    for (int i = 0; i < b->n; i++) {
        if (b->inner[i] == id)
            return true;
    }
    return false;
}

/* The parameter P of the next iteration has what RESULT has: widens P until it holds both. */
static bool widen(struct border *b, int to, const inlay_fact *result, bool *changed)
{
    inlay_fact *p = &param_of(b->body, to)->fact;
    uint32_t *next = &b->body->graph->next_dim_id;
    inlay_shape s = {.rank = p->rank};
    bool same = true;

    if (p->rank < 0)
        return true;
    if (result->rank != p->rank) {
        *changed = true;
        s.rank = -1;
        return set_param(b, to, p->type, &s);
    }
    for (int i = 0; i < p->rank; i++) {
        inlay_dim d = p->dims[i], r = result->dims[i];

        s.dim[i] = d;
        if (r.lo < d.lo || r.hi > d.hi)
            s.dim[i] = (inlay_dim){0, INLAY_DIM_MAX, (*next)++};
        else if (d.id && d.id != r.id && is_carried(b, d.id))
            s.dim[i].id = (*next)++; /* only in the first iteration it is that outer size */
        same = same && s.dim[i].lo == d.lo && s.dim[i].hi == d.hi && s.dim[i].id == d.id;
    }
    *changed = *changed || !same;
    return same || set_param(b, to, p->type, &s);
}

static bool forget_merged(struct border *b)
{
    inlay_shape unknown = {.rank = -1};

    for (int i = 0; i < b->body->n_back; i++) {
        int to = b->body->back[i].to;

        if (back_edge_to(b->body, to) &&
            !set_param(b, to, param_of(b->body, to)->fact.type, &unknown))
            return false;
    }
    return true;
}

static bool feed_back(struct border *b, bool *changed)
{
    *changed = false;
    for (int i = 0; i < b->body->n_back; i++) {
        const inlay_back_edge *e = &b->body->back[i];
        const inlay_fact *r = &result_of(b->body, e->from)->fact;
        inlay_fact *p = &param_of(b->body, e->to)->fact;

        if (p->type == INLAY_DYNAMIC)
            p->type = r->type;
        if (r->type != INLAY_DYNAMIC && p->type != r->type)
            return infer_fail(b->cx,
                              "the back edge to parameter \"%s\" of body carries type %s, it "
                              "began with %s",
                              b->body->graph->params[e->to]->name,
                              inlay_type_info_of(r->type)->name, inlay_type_info_of(p->type)->name);
        if (back_edge_to(b->body, e->to) && !widen(b, e->to, r, changed))
            return false;
    }
    return true;
}

/* Infers the body until what comes round the back edges is no news. */
static bool infer_iterated(struct border *b)
{
    bool changed = b->body->n_back > 0;
    int rounds = inlay_graph_depth(b->body->graph) <= FULL_DEPTH ? MAX_ROUNDS : 0;

    if (!enter_all(b))
        return false;
    if (changed && rounds == 0 && !forget_merged(b))
        return false;
    if (!infer_body(b, b->cx->diags) || !feed_back(b, &changed))
        return false;
    for (int i = 0; changed && i < rounds; i++) {
        if (i == rounds - 1 && !forget_merged(b))
            return false;
        if (!infer_body(b, b->cx->diags) || !feed_back(b, &changed))
            return false;
    }
    return true;
}

/* Narrows COUNT by what one sliced input allows. */
static bool count_slices(inlay_infer *cx, const inlay_port *p, bool at_most, inlay_dim *count)
{
    inlay_dim parts = inlay_dim_any(), size;
    char found[64], wanted[64];
    int axis;

    if (in_rank(cx, p->outer) < 0)
        return true;
    if (!slice_axis(cx, p, in_rank(cx, p->outer), &axis))
        return false;
    size = cx->in[p->outer]->dims[axis];
    if (!slice_count(cx, p, size, &parts))
        return false;
    if (at_most) {
        if (parts.hi < count->hi)
            count->hi = parts.hi;
        if (count->lo <= count->hi)
            return true;
    } else if (inlay_dim_merge(*count, parts, count)) {
        return true;
    }
    return infer_fail(cx, "input %d is sliced into %s parts, there are %s iterations", p->outer,
                      inlay_dim_text(parts, found, sizeof found),
                      inlay_dim_text(*count, wanted, sizeof wanted));
}

static bool narrow_by_slices(inlay_infer *cx, bool at_most, inlay_dim *count, bool *any)
{
    const inlay_body *b = &cx->node->bodies[0];

    *any = false;
    for (int i = 0; i < b->n_in; i++) {
        if (!b->in[i].has_axis || b->in[i].outer < 0)
            continue;
        *any = true;
        if (!count_slices(cx, &b->in[i], at_most, count))
            return false;
    }
    return true;
}

/* Whether the condition for the next iteration is known to be VALUE. */
static bool condition_is(const inlay_body *b, bool value)
{
    for (int i = 0; i < b->n_out; i++) {
        const inlay_fact *f = &result_of(b, b->out[i].inner)->fact;

        if (b->out[i].purpose == INLAY_PORT_CONDITION)
            return f->known && f->n_known == 1 && inlay_dim_is_static(f->known[0]) &&
                   (f->known[0].lo != 0) == value;
    }
    return false;
}

static bool loop_count(inlay_infer *cx, inlay_dim *count)
{
    const inlay_body *b = &cx->node->bodies[0];
    int64_t trip = -1, cond = -1;
    bool have_trip = in_int(cx, 0, &trip), any;

    *count = inlay_dim_any();
    in_int(cx, 1, &cond);
    if (have_trip && trip < -1)
        return infer_fail(cx, "input 0 \"trip_count\" is %" PRId64 ", it must be -1 or more", trip);
    if (have_trip && trip >= 0)
        count->hi = trip;
    if (condition_is(b, false) && count->hi > 1)
        count->hi = 1;
    if (cond == 0)
        count->hi = 0;
    else if (cond == 1 && count->hi > 0 && have_trip)
        count->lo = condition_is(b, true) ? count->hi : 1;
    if (count->lo == INLAY_DIM_MAX)
        count->lo = 1; /* without end, unless something fails */
    return narrow_by_slices(cx, true, count, &any);
}

static bool concat_out(struct border *b, const inlay_port *p, inlay_dim count)
{
    inlay_type type = result_of(b->body, p->inner)->fact.type;
    inlay_shape s;
    int axis;

    result_shape(b, p->inner, &s);
    if (s.rank < 0)
        return set_out(b->cx, p->outer, type, &s);
    if (s.rank == 0)
        return infer_fail(b->cx, "output %d joins scalars, they have no axis", p->outer);
    if (!norm_axis(b->cx, "axis of the port map", p->axis, s.rank, &axis))
        return false;
    s.dim[axis] = inlay_dim_mul(s.dim[axis], count);
    return set_out(b->cx, p->outer, type, &s);
}

/* The value of the last iteration, or, when there may be none, the initial one of its back edge. */
static bool last_out(struct border *b, const inlay_port *p, inlay_dim count)
{
    inlay_shape s, first;

    result_shape(b, p->inner, &s);
    for (int i = 0; count.lo == 0 && i < b->body->n_back; i++) {
        for (int k = 0; b->body->back[i].from == p->inner && k < b->body->n_in; k++) {
            if (b->body->in[k].inner != b->body->back[i].to)
                continue;
            in_shape(b->cx, b->body->in[k].outer, &first);
            if (count.hi == 0)
                s = first;
            else
                join_shapes(&s, &first);
        }
    }
    return set_out(b->cx, p->outer, result_of(b->body, p->inner)->fact.type, &s);
}

static bool take_outputs(struct border *b, inlay_dim count)
{
    for (int i = 0; i < b->body->n_out; i++) {
        const inlay_port *p = &b->body->out[i];

        if (p->outer < 0)
            continue;
        if (!(p->has_axis ? concat_out(b, p, count) : last_out(b, p, count)))
            return false;
    }
    return true;
}

bool infer_loop(inlay_infer *cx)
{
    struct border b = {.cx = cx, .body = cx->node->bodies};
    inlay_dim count;

    if (!inlay_check_bodies(cx->node, cx->diags) || !check_one(cx, 0) || !check_one(cx, 1))
        return false;
    if (compiling(cx) && !infer_iterated(&b))
        return false;
    return loop_count(cx, &count) && take_outputs(&b, count);
}

bool infer_tensor_iterator(inlay_infer *cx)
{
    struct border b = {.cx = cx, .body = cx->node->bodies};
    inlay_dim count = inlay_dim_any();
    bool sliced;

    if (!inlay_check_bodies(cx->node, cx->diags))
        return false;
    if (compiling(cx) && !infer_iterated(&b))
        return false;
    if (!narrow_by_slices(cx, false, &count, &sliced))
        return false;
    return take_outputs(&b, sliced ? count : inlay_dim_of(1));
}
