/* Loop-5, TensorIterator-1: infers the body repeatedly, until the facts that arrive over its back
 * edges do not change the facts of its parameters (a fixed point). */
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/infer/border.h"
#include "ir/tensor/dim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROUNDS = 8, /* most rounds of inference of a body */
    FULL_DEPTH = 6  /* bodies nested deeper are inferred once, because rounds multiply */
};

/* A condition has one element. */
static bool check_one(inlay_infer *cx, int i)
{
    return in_check_rank(cx, i, 0, 1) && in_check_one(cx, i);
}

/* A back edge from the parameter itself changes nothing: the value is the same in every iteration.
 */
static bool changes(const inlay_body *b, const inlay_back_edge *e)
{
    return inlay_body_result(b, e->from) != border_param(b, e->to);
}

/* Returns, for each parameter, whether a back edge changes its value. NULL: out of memory. */
static bool *changed_params(const inlay_body *b)
{
    bool *changed =
        inlay_take(inlay_graph_budget(b->graph), (size_t)b->graph->n_params + 1, sizeof *changed);

    for (int k = 0; changed && k < b->n_back; k++)
        changed[b->back[k].to] = changed[b->back[k].to] || changes(b, &b->back[k]);
    return changed;
}

/* COUNT receives how many iterations there can be where each takes a part of an axis of SIZE. */
static bool slice_count(inlay_infer *cx, const inlay_port *p, inlay_dim size, inlay_dim *count)
{
    int64_t first, n;
    bool whole = (p->start == 0 && p->end == -1 && p->stride == 1) ||
                 (p->start == -1 && p->end == 0 && p->stride == -1);
    char text[64];

    if (inlay_dim_is_static(size)) {
        if (!inlay_port_parts(p, size.lo, &first, &n))
            return inlay_infer_fail(cx,
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
        return inlay_infer_fail(cx, "input %d is a scalar, it cannot be sliced", p->outer);
    memcpy(what, "axis of the port map", sizeof "axis of the port map");
    return inlay_infer_axis(cx, what, p->axis, rank, axis);
}

/* One part of an outer value enters in each iteration. */
static bool enter_slice(border *b, const inlay_port *p)
{
    inlay_shape s;
    int axis;

    inlay_infer_shape(b->cx, p->outer, &s);
    if (s.rank >= 0) {
        if (!slice_axis(b->cx, p, s.rank, &axis))
            return false;
        for (int i = 0; i < s.rank; i++)
            s.dim[i] = i == axis ? inlay_dim_of(p->part_size) : border_in(b, s.dim[i]);
    }
    return border_check_type(b, p, b->cx->in[p->outer]->type) &&
           border_set_param(b, p->inner, b->cx->in[p->outer]->type, &s);
}

/* The iteration number has the type and shape that its parameter declares; it is a scalar where
 * that says no shape. */
static bool enter_iteration(border *b, const inlay_port *p)
{
    inlay_fact *f = &border_param(b->body, p->inner)->fact;
    inlay_shape s = {.rank = 0};

    if (f->type != INLAY_I64 && f->type != INLAY_I32)
        return inlay_infer_fail(b->cx,
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
    return border_set_param(b, p->inner, f->type, &s);
}

static bool enter_ports(border *b, const bool *changed)
{
    for (int i = 0; i < b->body->n_in; i++) {
        const inlay_port *p = &b->body->in[i];
        bool ok = true;

        if (p->purpose == INLAY_PORT_ITERATION)
            ok = enter_iteration(b, p);
        else if (p->outer >= 0 && p->has_axis)
            ok = enter_slice(b, p);
        else if (p->outer >= 0)
            ok = border_enter(b, p, !changed[p->inner]);
        if (!ok)
            return false;
    }
    return true;
}

static bool enter_all(border *b)
{
    bool *changed, ok;

    if (!border_reset(b->body, b->cx->diags))
        return false;
    changed = changed_params(b->body);
    ok = changed ? enter_ports(b, changed) : inlay_fail_memory(b->cx->diags);
    inlay_give(changed);
    return ok;
}

static bool is_carried(const border *b, uint32_t id)
{
    for (int i = 0; i < b->n; i++) {
        if (b->inner[i] == id)
            return true;
    }
    return false;
}

/* In the next iteration parameter TO has what RESULT has. So the facts of TO are widened until they
 * allow both. */
static bool widen(border *b, int to, const inlay_fact *result, bool *changed)
{
    inlay_fact *p = &border_param(b->body, to)->fact;
    uint32_t *next = &b->body->graph->next_dim_id;
    inlay_shape s = {.rank = p->rank};
    bool same = true;

    if (p->rank < 0)
        return true;
    if (result->rank != p->rank) {
        *changed = true;
        s.rank = -1;
        return border_set_param(b, to, p->type, &s);
    }
    for (int i = 0; i < p->rank; i++) {
        inlay_dim d = p->dims[i], r = result->dims[i];

        s.dim[i] = d;
        if (r.lo < d.lo || r.hi > d.hi)
            s.dim[i] = (inlay_dim){0, INLAY_DIM_MAX, (*next)++};
        else if (d.id && d.id != r.id && is_carried(b, d.id))
            s.dim[i].id = (*next)++; /* the dim is that outer size in the first iteration only */
        same = same && s.dim[i].lo == d.lo && s.dim[i].hi == d.hi && s.dim[i].id == d.id;
    }
    *changed = *changed || !same;
    return same || border_set_param(b, to, p->type, &s);
}

static bool forget_merged(border *b)
{
    inlay_shape unknown = {.rank = -1};

    for (int i = 0; i < b->body->n_back; i++) {
        int to = b->body->back[i].to;

        if (changes(b->body, &b->body->back[i]) &&
            !border_set_param(b, to, border_param(b->body, to)->fact.type, &unknown))
            return false;
    }
    return true;
}

static bool feed_back(border *b, bool *changed)
{
    *changed = false;
    for (int i = 0; i < b->body->n_back; i++) {
        const inlay_back_edge *e = &b->body->back[i];
        const inlay_fact *r = &inlay_body_result(b->body, e->from)->fact;
        inlay_fact *p = &border_param(b->body, e->to)->fact;

        if (p->type == INLAY_DYNAMIC)
            p->type = r->type;
        if (r->type != INLAY_DYNAMIC && p->type != r->type)
            return inlay_infer_fail(b->cx,
                                    "the back edge to parameter \"%s\" of body carries type %s, it "
                                    "began with %s",
                                    b->body->graph->params[e->to]->name,
                                    inlay_type_info_of(r->type)->name,
                                    inlay_type_info_of(p->type)->name);
        if (changes(b->body, e) && !widen(b, e->to, r, changed))
            return false;
    }
    return true;
}

/* Infers the body until the facts that come round the back edges change nothing. */
static bool infer_iterated(border *b)
{
    bool changed = b->body->n_back > 0;
    int rounds = inlay_graph_depth(b->body->graph) <= FULL_DEPTH ? MAX_ROUNDS : 0;

    if (!enter_all(b))
        return false;
    if (changed && rounds == 0 && !forget_merged(b))
        return false;
    if (!border_infer(b, b->cx->diags) || !feed_back(b, &changed))
        return false;
    for (int i = 0; changed && i < rounds; i++) {
        if (i == rounds - 1 && !forget_merged(b))
            return false;
        if (!border_infer(b, b->cx->diags) || !feed_back(b, &changed))
            return false;
    }
    return true;
}

/* Narrows COUNT by what one sliced input allows. */
static bool count_slices(inlay_infer *cx, const inlay_port *p, bool at_most, inlay_dim *count)
{
    inlay_dim parts = inlay_dim_any(), size;
    char found[64], wanted[64];
    inlay_dim before = *count;
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
    return inlay_infer_fail(cx, "input %d is sliced into %s parts, there are %s iterations",
                            p->outer, inlay_dim_text(parts, found, sizeof found),
                            inlay_dim_text(before, wanted, sizeof wanted));
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
        const inlay_fact *f = &inlay_body_result(b, b->out[i].inner)->fact;

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
        return inlay_infer_fail(cx, "input 0 \"trip_count\" is %" PRId64 ", it must be -1 or more",
                                trip);
    if (have_trip && trip >= 0)
        count->hi = trip;
    if (condition_is(b, false) && count->hi > 1)
        count->hi = 1;
    if (cond == 0)
        count->hi = 0;
    else if (cond == 1 && count->hi > 0 && have_trip)
        count->lo = condition_is(b, true) ? count->hi : 1;
    if (count->lo == INLAY_DIM_MAX)
        count->lo = 1; /* the loop has no end, unless something fails */
    return narrow_by_slices(cx, true, count, &any);
}

static bool concat_out(border *b, const inlay_port *p, inlay_dim count)
{
    inlay_type type = inlay_body_result(b->body, p->inner)->fact.type;
    inlay_shape s;
    int axis;

    border_result(b, p->inner, &s);
    if (s.rank < 0)
        return inlay_infer_set_out(b->cx, p->outer, type, &s);
    if (s.rank == 0)
        return inlay_infer_fail(b->cx, "output %d joins scalars, they have no axis", p->outer);
    if (!inlay_infer_axis(b->cx, "axis of the port map", p->axis, s.rank, &axis))
        return false;
    s.dim[axis] = inlay_dim_mul(s.dim[axis], count);
    return inlay_infer_set_out(b->cx, p->outer, type, &s);
}

/* The output is the value of the last iteration. Where there may be no iteration it may be the
 * initial value of its back edge too. */
static bool last_out(border *b, const inlay_port *p, inlay_dim count)
{
    inlay_shape s, first;

    border_result(b, p->inner, &s);
    for (int i = 0; count.lo == 0 && i < b->body->n_back; i++) {
        for (int k = 0; b->body->back[i].from == p->inner && k < b->body->n_in; k++) {
            if (b->body->in[k].inner != b->body->back[i].to)
                continue;
            inlay_infer_shape(b->cx, b->body->in[k].outer, &first);
            if (count.hi == 0)
                s = first;
            else
                border_join(&s, &first);
        }
    }
    return inlay_infer_set_out(b->cx, p->outer, inlay_body_result(b->body, p->inner)->fact.type,
                               &s);
}

static bool take_outputs(border *b, inlay_dim count)
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
    border b = {.cx = cx, .body = cx->node->bodies};
    inlay_dim count;

    if (!inlay_check_bodies(cx->node, cx->diags) || !check_one(cx, 0) || !check_one(cx, 1))
        return false;
    if (compiling(cx) && !infer_iterated(&b))
        return false;
    return loop_count(cx, &count) && take_outputs(&b, count);
}

bool infer_tensor_iterator(inlay_infer *cx)
{
    border b = {.cx = cx, .body = cx->node->bodies};
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
