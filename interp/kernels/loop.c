/* Loop-5, TensorIterator-1: runs a body repeatedly, with its values through the port map. */
#include "interp/call/body.h"
#include "interp/call/ports.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The parts of one output that are joined at the end. */
struct parts {
    inlay_tensor **tensors;
    size_t n, cap;
};

/* Bytes of a part in addition to its buffer: a tensor, and its entry in the list. */
enum { PART_COST = 192 };

struct loop {
    inlay_call *c;
    const inlay_body *body;
    const inlay_tensor **in; /* per parameter, in this iteration; not owned */
    inlay_tensor **made;     /* per parameter: what the loop made for it, owned */
    inlay_tensor **last;     /* per result, of the newest iteration */
    struct parts *parts;     /* per output port */
    const inlay_tensor *
        *initial;       /* per result, when no iteration ran; not owned; NULL: not asked */
    inlay_fact *exact;  /* per output: what the rule says of these operands; NULL: not asked */
    int64_t iterations; /* done so far */
};

static bool loop_begin(struct loop *l, inlay_call *c)
{
    const inlay_body *b = c->node->bodies;

    *l = (struct loop){.c = c, .body = b};
    l->in = inlay_call_memory(c, b->graph->n_params, sizeof *l->in);
    l->made = inlay_call_memory(c, b->graph->n_params, sizeof *l->made);
    l->last = inlay_call_memory(c, b->graph->n_results, sizeof *l->last);
    l->parts = inlay_call_memory(c, b->n_out, sizeof *l->parts);
    if (!l->in || !l->made || !l->last || !l->parts)
        return false;
    for (int i = 0; i < b->n_in; i++)
        l->in[b->in[i].inner] = b->in[i].outer >= 0 ? c->in[b->in[i].outer] : NULL;
    return true;
}

static void loop_end(struct loop *l)
{
    if (l->made)
        call_release(l->made, (size_t)l->body->graph->n_params);
    if (l->last)
        call_release(l->last, (size_t)l->body->graph->n_results);
    for (int i = 0; l->parts && i < l->body->n_out; i++) {
        call_release(l->parts[i].tensors, l->parts[i].n);
        call_give(l->c, l->parts[i].n * PART_COST);
        inlay_give(l->parts[i].tensors);
    }
}

/* Makes T the value of parameter PARAM from now on; takes over the reference to T. */
static void set_param(struct loop *l, int param, inlay_tensor *t)
{
    inlay_tensor_release(l->made[param]);
    l->made[param] = t;
    l->in[param] = t;
}

/* Makes part number l->iterations of a sliced input a tensor of its own, which the body gets. */
static bool enter_slice(struct loop *l, const inlay_port *p)
{
    inlay_call *c = l->c;
    const inlay_tensor *t = c->in[p->outer];
    int64_t dims[INLAY_MAX_RANK], first, n;
    inlay_tensor *window, *part;
    int axis = 0;
    bool ok;

    if (!ports_parts(c, p, &axis, &first, &n))
        return false;
    if (l->iterations >= n)
        return ports_fail_part(c, p, n, l->iterations);
    memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    dims[axis] = p->part_size;
    window = inlay_tensor_window(t, t->rank, dims, t->strides,
                                 (first + l->iterations * p->stride) * t->strides[axis]);
    part = window ? call_raw_tensor(c, t->type, t->rank, dims) : NULL;
    ok = window && part && inlay_tensor_assign(part, window);
    inlay_tensor_release(window);
    if (!ok) {
        inlay_tensor_release(part);
        return inlay_fail_memory(c->diags);
    }
    call_copied(c, inlay_tensor_bytes(part));
    set_param(l, p->inner, part);
    return true;
}

static bool enter_iteration(struct loop *l, const inlay_port *p)
{
    const inlay_fact *f = &l->body->graph->params[p->inner]->out[0].fact;
    const int64_t one = 1;
    inlay_tensor *t = call_raw_tensor(l->c, f->type, f->rank == 1 ? 1 : 0, &one);

    if (!t)
        return false;
    inlay_tensor_set_i64(t, 0, l->iterations);
    set_param(l, p->inner, t);
    return true;
}

static bool enter(struct loop *l)
{
    for (int i = 0; i < l->body->n_in; i++) {
        const inlay_port *p = &l->body->in[i];

        if (p->purpose == INLAY_PORT_ITERATION && !enter_iteration(l, p))
            return false;
        if (p->purpose == INLAY_PORT_PLAIN && p->has_axis && p->outer >= 0 && !enter_slice(l, p))
            return false;
    }
    return true;
}

static bool add_part(struct loop *l, int port)
{
    struct parts *parts = &l->parts[port];

    if (parts->n == parts->cap) {
        size_t cap = parts->cap ? parts->cap * 2 : 8;
        inlay_tensor **grown =
            inlay_retake(inlay_node_budget(l->c->node), parts->tensors, cap * sizeof *grown);

        if (!grown)
            return inlay_fail_memory(l->c->diags);
        parts->tensors = grown;
        parts->cap = cap;
    }
    if (!call_take(l->c, PART_COST))
        return false;
    parts->tensors[parts->n++] = inlay_tensor_retain(l->last[l->body->out[port].inner]);
    return true;
}

/* Runs the body once, and then follows all back edges at once. */
static bool iterate(struct loop *l)
{
    const inlay_body *b = l->body;

    if (!call_iterates(l->c) || !enter(l))
        return false;
    call_release(l->last, (size_t)b->graph->n_results);
    if (!call_body(l->c, 0, l->in, l->last))
        return false;
    for (int i = 0; i < b->n_back; i++)
        set_param(l, b->back[i].to, inlay_tensor_retain(l->last[b->back[i].from]));
    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].has_axis && b->out[i].outer >= 0 && !add_part(l, i))
            return false;
    }
    l->iterations++;
    return true;
}

/* Lists, by result, the initial value of its first back edge, or NULL. */
static bool list_initial(struct loop *l)
{
    l->initial = inlay_call_memory(l->c, l->body->graph->n_results, sizeof *l->initial);
    for (int i = l->initial ? l->body->n_back : 0; i-- > 0;)
        l->initial[l->body->back[i].from] = l->in[l->body->back[i].to];
    return l->initial != NULL;
}

/* Sets an output after no iterations: to the initial value of its back edge. */
static bool give_initial(struct loop *l, const inlay_port *p)
{
    if (!l->initial && !list_initial(l))
        return false;
    if (!l->initial[p->inner])
        return inlay_call_fail(l->c, "no iteration ran, so output %d has no value", p->outer);
    return call_adopt(l->c, p->outer, l->initial[p->inner]);
}

/* Returns the shape of an output that joins nothing: 0 along the axis of P, and the other sizes of
 * F. False: F does not have them. */
static bool empty_shape(const inlay_port *p, const inlay_fact *f, int64_t *dims)
{
    int64_t axis = p->axis < 0 ? p->axis + f->rank : p->axis;

    for (int i = 0; i < f->rank; i++) {
        if (i != axis && !inlay_dim_is_static(f->dims[i]))
            return false;
        dims[i] = i == axis ? 0 : f->dims[i].lo;
    }
    return f->rank >= 0 && f->type != INLAY_DYNAMIC;
}

/* Infers what the bodies' shape rules say of the outputs for these operands. */
static bool infer_exactly(struct loop *l)
{
    inlay_call *c = l->c;
    const inlay_fact *const *in = exact_facts(c);

    if (!in)
        return inlay_fail_memory(c->diags);
    l->exact = inlay_call_memory(c, c->n_out, sizeof *l->exact);
    return l->exact && inlay_infer_bodies(c->node, in, c->scratch, l->exact, c->diags);
}

/* Sets an output that joins nothing: empty along the axis, with the other sizes from the body's
 * shape rules. What these found when the graph was compiled may not be enough. */
static bool give_empty(struct loop *l, const inlay_port *p)
{
    const inlay_fact *f = &l->body->graph->results[p->inner]->in[0].value->fact;
    int64_t dims[INLAY_MAX_RANK];
    char text[512];
    int axis;

    if (!empty_shape(p, f, dims)) {
        if (!l->exact && !infer_exactly(l))
            return false;
        if (!empty_shape(p, &l->exact[p->outer], dims))
            return inlay_call_fail(
                l->c, "no iteration ran, and shape %s does not say how large output %d is",
                inlay_shape_text(f->rank, f->dims, text, sizeof text), p->outer);
        f = &l->exact[p->outer];
    }
    return ports_axis(l->c, p, f->rank, &axis) &&
           inlay_call_output(l->c, p->outer, f->type, f->rank, dims) != NULL;
}

/* Finds the shape of all parts joined: the parts agree in everything but the axis. */
static bool joined_shape(struct loop *l, const inlay_port *p, const struct parts *parts, int axis,
                         int64_t *dims)
{
    const inlay_tensor *first = parts->tensors[0];

    memcpy(dims, first->dims, (size_t)first->rank * sizeof *dims);
    dims[axis] = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const inlay_tensor *t = parts->tensors[i];
        bool same = t->rank == first->rank && t->type == first->type;

        for (int k = 0; same && k < t->rank; k++)
            same = k == axis || t->dims[k] == dims[k];
        if (!same)
            return ports_fail_join(l->c, p, first, t, (int64_t)i);
        if (t->dims[axis] > INT64_MAX - dims[axis])
            return ports_fail_size(l->c, p, axis);
        dims[axis] += t->dims[axis];
    }
    return true;
}

/* Joins the parts. In TensorIterator-1 a negative stride joins in reverse order. */
static bool join(struct loop *l, const inlay_port *p, const struct parts *parts)
{
    const inlay_tensor *first = parts->tensors[0];
    int64_t dims[INLAY_MAX_RANK], at = 0;
    inlay_tensor *out;
    int axis = 0;

    if (!ports_axis(l->c, p, first->rank, &axis) || !joined_shape(l, p, parts, axis, dims))
        return false;
    out = inlay_call_output(l->c, p->outer, first->type, first->rank, dims);
    for (size_t i = 0; out && i < parts->n; i++) {
        const inlay_tensor *t = parts->tensors[p->stride < 0 ? parts->n - 1 - i : i];
        inlay_tensor *window =
            inlay_tensor_window(out, t->rank, t->dims, out->strides, at * out->strides[axis]);
        bool ok = window && inlay_tensor_assign(window, t);

        inlay_tensor_release(window);
        if (!ok)
            return inlay_fail_memory(l->c->diags);
        at += t->dims[axis];
    }
    if (out)
        call_copied(l->c, inlay_tensor_bytes(out));
    return out != NULL;
}

static bool give_outputs(struct loop *l)
{
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];
        bool ok = true;

        if (p->outer < 0)
            continue;
        if (p->has_axis)
            ok = l->iterations > 0 ? join(l, p, &l->parts[i]) : give_empty(l, p);
        else
            ok = l->iterations > 0 ? call_adopt(l->c, p->outer, l->last[p->inner])
                                   : give_initial(l, p);
        if (!ok)
            return false;
    }
    return true;
}

static bool run_iterations(struct loop *l, int64_t most, bool more)
{
    while (more && l->iterations < most) {
        if (!iterate(l) || !ports_condition(l->c, l->body, l->last, &more))
            return false;
    }
    return give_outputs(l);
}

bool eval_loop(inlay_call *c)
{
    struct loop l = {.body = c->node->bodies};
    int64_t trip, cond;
    bool ok;

    if (!load_one_int(c, 0, &trip) || !load_one_int(c, 1, &cond))
        return false;
    if (trip < -1)
        return inlay_call_fail(c, "input 0 \"trip_count\" is %" PRId64 ", it must be -1 or more",
                               trip);
    if (trip != 0 && cond != 0 && call_can_repeat(c))
        return call_repeat(c, trip < 0 ? INT64_MAX : trip);
    ok = loop_begin(&l, c) && run_iterations(&l, trip < 0 ? INT64_MAX : trip, cond != 0);
    loop_end(&l);
    return ok;
}

/* There are as many iterations as the sliced inputs have parts; without such an input there is a
 * single iteration. */
static bool iterations_of(inlay_call *c, int64_t *n)
{
    const inlay_body *b = c->node->bodies;
    int from = -1;

    *n = 1;
    for (int i = 0; i < b->n_in; i++) {
        int64_t first, parts;
        int axis;

        if (!b->in[i].has_axis || b->in[i].outer < 0)
            continue;
        if (!ports_parts(c, &b->in[i], &axis, &first, &parts))
            return false;
        if (from >= 0 && parts != *n)
            return inlay_call_fail(
                c, "input %d is sliced into %" PRId64 " part%s, input %d into %" PRId64,
                b->in[i].outer, parts, inlay_plural(parts, "", "s"), from, *n);
        from = b->in[i].outer;
        *n = parts;
    }
    return true;
}

bool eval_tensor_iterator(inlay_call *c)
{
    struct loop l = {.body = c->node->bodies};
    int64_t n;
    bool ok;

    if (!iterations_of(c, &n))
        return false;
    if (n > 0 && call_can_repeat(c))
        return call_repeat(c, n);
    ok = loop_begin(&l, c) && run_iterations(&l, n, true);
    loop_end(&l);
    return ok;
}
