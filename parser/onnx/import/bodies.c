/* Exports of If, Loop and TensorIterator. In ONNX a body uses values of the graph around it by name,
 * so a Parameter that only passes one on has its name:
 *
 *     If(cond, x) {then: %p = Parameter, Add(%p, %one)}
 *     =>
 *     If(cond) {then_branch: Add(x, one)}
 *
 * A Loop of ONNX has the counter, the condition and carried values as inputs, a Scan carried values and parts; both
 * give carried values and stacks of values, one for each iteration. A part along an axis keeps that axis here, and
 * loses it there. */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <string.h>

/* A body, and what its ports are in ONNX. */
typedef struct part {
    onnx_export *x;
    const inlay_body *b;
    const char **outer;                 /* by port of an input: what it is called outside */
    int *carried;                       /* N_CARRIED back edges, by index */
    int *joined;                        /* N_JOINED ports of outputs that are stacked, by index */
    int n_carried, n_joined, condition; /* CONDITION: the Result; -1: none */
    const char *count;                  /* in the body: the counter */
    onnx_out_graph graph;
} part;

static int *numbers(onnx_writer *w, int count)
{
    int *list = inlay_arena_array(w->a, (size_t)count + 1, sizeof *list);

    return list ? list : (onnx_out_of_memory(w), NULL);
}

/* The port that feeds Parameter INNER, or NULL. */
static const inlay_port *port_to(const inlay_body *b, int inner)
{
    for (int i = 0; i < b->n_in; i++) {
        if (b->in[i].inner == inner)
            return &b->in[i];
    }
    return NULL;
}

static const inlay_port *port_from(const inlay_body *b, int outer)
{
    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].outer == outer)
            return &b->out[i];
    }
    return NULL;
}

static bool is_carried(const inlay_body *b, int param)
{
    for (int i = 0; i < b->n_back; i++) {
        if (b->back[i].to == param)
            return true;
    }
    return false;
}

/* As deep as bodies can stand in each other where messages can 100 deep, which is as far as readers
 * of protobuf go: each body is a graph in an attribute of a node, and the shape of a value stands
 * five messages below its graph. */
enum { DEEPEST_BODY = 31 };

/* Begins the body as attribute NAME of the operator that was put last. */
static bool begin_part(part *p, const char *name)
{
    onnx_writer *w = p->x->w;
    Onnx__GraphProto *around = w->graph->proto;
    Onnx__AttributeProto *a = onnx_put_message(w, around->node[around->n_node - 1], "attribute");
    Onnx__GraphProto *g = a ? onnx_put_message(w, a, "g") : NULL;

    if (!g)
        return false;
    if (inlay_graph_depth(p->b->graph) > DEEPEST_BODY)
        return put_refuse(p->x, "its body stands more than %d deep, and readers go no further",
                          DEEPEST_BODY);
    onnx_put_text(w, a, "name", name);
    a->has_type = true;
    a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH;
    return onnx_begin_graph(w, &p->graph, g, p->b->graph);
}

static bool find_outer(part *p)
{
    p->outer = inlay_arena_array(p->x->w->a, (size_t)p->b->n_in + 1, sizeof *p->outer);
    if (!p->outer)
        return onnx_out_of_memory(p->x->w);
    for (int i = 0; i < p->b->n_in; i++) {
        if (p->b->in[i].outer >= 0 && !(p->outer[i] = put_items(p->x, p->b->in[i].outer)))
            return false;
    }
    return true;
}

/* Gives Parameters that only pass on a value the name of that. */
static void pass_on(part *p)
{
    for (int i = 0; i < p->b->n_in; i++) {
        const inlay_port *port = &p->b->in[i];

        if (port->outer >= 0 && !port->has_axis && !is_carried(p->b, port->inner))
            onnx_name_value(p->x->w, &p->b->graph->params[port->inner]->out[0], p->outer[i]);
    }
}

static bool put_branch(onnx_export *x, const char *role, const char *name)
{
    part p = {.x = x};
    bool ok = true;

    for (int i = 0; i < x->n->n_bodies; i++) {
        if (strcmp(x->n->bodies[i].role, role) == 0)
            p.b = &x->n->bodies[i];
    }
    if (!p.b || !find_outer(&p) || !begin_part(&p, name))
        return false;
    pass_on(&p);
    ok = onnx_put_nodes(x->w);
    for (int i = 0; ok && i < x->n->n_out; i++) {
        const inlay_port *port = port_from(p.b, i);

        ok = port && onnx_put_output(x->w, port->inner);
    }
    onnx_end_graph(x->w);
    return ok;
}

static bool give_all(onnx_export *x, const char *const *out)
{
    bool ok = true;

    for (int i = 0; ok && i < x->n->n_out; i++)
        ok = put_give(x, i, out[i]);
    return ok;
}

static bool export_if(onnx_export *x)
{
    const char **out = inlay_arena_array(x->w->a, (size_t)x->n->n_out + 1, sizeof *out);

    return out && put_many(x, "If", IN(put_in(x, 0)), NULL, x->n->n_out, out) &&
           put_branch(x, "then_body", "then_branch") && put_branch(x, "else_body", "else_branch") &&
           give_all(x, out);
}

/* Whether the back edge E carries the condition itself, which ONNX's bodies get anyway. */
static bool carries_condition(const part *p, const inlay_back_edge *e)
{
    const inlay_port *port = port_to(p->b, e->to);

    return e->from == p->condition && port && port->outer >= 0 && p->x->n->n_in > 1 &&
           p->x->n->in[port->outer].value == p->x->n->in[1].value;
}

static bool find_ports(part *p)
{
    const inlay_body *b = p->b;

    p->condition = -1;
    p->carried = numbers(p->x->w, b->n_back);
    p->joined = numbers(p->x->w, b->n_out);
    if (!p->carried || !p->joined)
        return false;
    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].purpose == INLAY_PORT_CONDITION)
            p->condition = b->out[i].inner;
    }
    for (int i = 0; i < b->n_back; i++) {
        if (!carries_condition(p, &b->back[i]))
            p->carried[p->n_carried++] = i;
    }
    for (int i = 0; i < b->n_out; i++) {
        bool kept = false;

        for (int k = 0; k < p->n_carried; k++)
            kept = kept || b->back[p->carried[k]].from == b->out[i].inner;
        if (b->out[i].outer >= 0 && (b->out[i].has_axis || !kept))
            p->joined[p->n_joined++] = i;
    }
    return true;
}

/* Whether V has the sizes of WIDE without that of AXIS. */
static bool is_without(const inlay_value *v, const inlay_value *wide, int axis)
{
    if (v->fact.rank < 0 || v->fact.rank + 1 != wide->fact.rank)
        return false;
    for (int i = 0; i < v->fact.rank; i++) {
        if (!inlay_dim_proven_equal(v->fact.dims[i], wide->fact.dims[i + (i >= axis)]))
            return false;
    }
    return true;
}

static onnx_export inside(const part *p, const inlay_node *n)
{
    return (onnx_export){
        .w = p->x->w, .n = n, .version = p->x->version, .first = p->graph.proto->n_node};
}

/* Makes NAME, a slice without its axis, the value of Parameter V. Nodes of the body that only
 * remove that axis from V become NAME themselves. */
static bool enter_part(part *p, const inlay_value *v, int axis, const char *name)
{
    onnx_export in = inside(p, v->node);
    bool all = true;

    for (const inlay_use *u = v->uses; u; u = u->next) {
        bool same = u->index == 0 && (u->node->op->flags & INLAY_RESHAPES) &&
                    is_without(&u->node->out[0], v, axis);

        if (same) {
            onnx_name_value(p->x->w, &u->node->out[0], name);
            p->graph.stored[u->node->id] = true;
        }
        all = all && same;
    }
    return all || (onnx_name_new(p->x->w, v) &&
                   put_give(&in, 0, put_unsqueeze(&in, name, (int64_t[]){axis}, 1)));
}

/* Makes what Result I reads an output of the body, without AXIS (-1: as it is). */
static bool put_stacked(part *p, int i, int axis)
{
    const inlay_value *v = inlay_node_input(p->b->graph->results[i], 0);
    const inlay_value *from =
        axis >= 0 && (v->node->op->flags & INLAY_RESHAPES) ? inlay_node_input(v->node, 0) : NULL;
    inlay_fact fact = {.type = v->fact.type, .rank = -1};
    onnx_export in = inside(p, v->node);
    const char *name;

    if (from && is_without(from, v, axis))
        v = from;
    else if (axis >= 0)
        from = NULL;
    name = onnx_value_name(p->x->w, v);
    if (name && axis >= 0 && !from) {
        name = put_squeeze(&in, name, (int64_t[]){axis}, 1);
        v = NULL;
    }
    return name && onnx_put_output_of(p->x->w, v, name, &fact);
}

static bool declare_scalar(part *p, const char *name, inlay_type type)
{
    inlay_fact fact = {.type = type, .rank = 0};
    Onnx__ValueInfoProto *info = name ? onnx_put_message(p->x->w, p->graph.proto, "input") : NULL;

    return info && onnx_put_info(p->x->w, info, name, NULL, &fact);
}

/* The axis of PORT, whose slices have one element, in a value of RANK axes. ONNX drops this axis.
 * -1: the port has no axis. -2: slices are larger. */
static int axis_of(const inlay_port *port, int rank)
{
    if (!port->has_axis)
        return -1;
    if (port->part_size != 1 || rank < 1)
        return -2;
    return (int)(port->axis < 0 ? port->axis + rank : port->axis);
}

static bool is_backward(const inlay_port *port)
{
    return port->stride < 0;
}

/* Whether the parts of PORT are all elements of the axis, in order or backward. */
static bool takes_all(const inlay_port *port)
{
    return port->part_size == 1 && ((port->stride == 1 && port->start == 0 && port->end == -1) ||
                                    (port->stride == -1 && port->start == -1 && port->end == 0));
}

/* Where the first of the parts of PORT begins; *COUNT: how many there are. -1: the size of their
 * axis is not known. */
static int64_t known_parts(const part *p, const inlay_port *port, int64_t *count)
{
    int rank = put_fact(p->x, port->outer)->rank;
    int64_t first,
        size = put_size(p->x, port->outer, (int)(port->axis < 0 ? port->axis + rank : port->axis));

    return size >= 0 && inlay_port_parts(port, size, &first, count) ? first : -1;
}

/* The elements of OUTER from AT on along the axis of PORT. */
static const char *larger_part(onnx_export *in, const inlay_port *port, int rank, const char *outer,
                               const char *at)
{
    int64_t axis = port->axis < 0 ? port->axis + rank : port->axis, first = 0;
    const char *stop;

    at = put_unsqueeze(in, at, &first, 1);
    stop = put_binary(in, "Add", at, put_int(in, port->part_size));
    return put(in, "Slice", IN(outer, at, stop, put_list(in, &axis, 1)), NULL);
}

/* In a Loop: the part of PORT, which the counter selects. */
static bool cut_part(part *p, const inlay_port *port, const char *outer)
{
    const inlay_value *v = &p->b->graph->params[port->inner]->out[0];
    onnx_export in = inside(p, v->node);
    int axis = axis_of(port, v->fact.rank);
    const char *at = p->count;
    int64_t first = takes_all(port) ? port->start : -1, count;

    if (!takes_all(port))
        first = known_parts(p, port, &count);
    if (axis < 0 && first < 0 && (port->start < 0 || port->stride < 0))
        return put_refuse(p->x, "parts of more than one element whose places are not known");
    if (!onnx_name_new(p->x->w, v))
        return false;
    if (port->stride != 1)
        at = put(&in, "Mul", IN(at, put_int(&in, port->stride)), NULL);
    if (first != 0)
        at = put(&in, "Add", IN(at, put_int(&in, first < 0 ? port->start : first)), NULL);
    if (axis < 0)
        return put_give(&in, 0, larger_part(&in, port, v->fact.rank, outer, at));
    at = put(&in, "Gather", IN(outer, at), ATTRS(INT("axis", axis)));
    return at && put_give(&in, 0, put_unsqueeze(&in, at, (int64_t[]){axis}, 1));
}

/* The counter as Parameter V has it. */
static bool enter_counter(part *p, const inlay_value *v)
{
    onnx_export in = inside(p, v->node);
    const char *name = p->count;

    if (v->fact.type == INLAY_I64 && v->fact.rank == 0)
        return onnx_name_value(p->x->w, v, name), true;
    if (!onnx_name_new(p->x->w, v))
        return false;
    name = v->fact.type == INLAY_I64 ? name : put_cast(&in, name, v->fact.type);
    if (v->fact.rank == 1)
        name = put_reshape(&in, name, (int64_t[]){1}, 1);
    return put_give(&in, 0, name);
}

/* Enters the body of a Loop: counter, condition, carried values. */
static bool enter_loop(part *p)
{
    onnx_writer *w = p->x->w;
    const char *condition;
    bool ok;

    p->count = onnx_new_name(w, "iteration");
    condition = onnx_new_name(w, "condition");
    ok = declare_scalar(p, p->count, INLAY_I64) && declare_scalar(p, condition, INLAY_BOOLEAN);
    for (int i = 0; ok && i < p->n_carried; i++)
        ok = onnx_name_input(w, p->b->back[p->carried[i]].to);
    for (int i = 0; ok && i < p->b->n_back; i++) {
        if (carries_condition(p, &p->b->back[i]))
            onnx_name_value(w, &p->b->graph->params[p->b->back[i].to]->out[0], condition);
    }
    for (int i = 0; ok && i < p->b->n_in; i++) {
        const inlay_port *port = &p->b->in[i];

        if (port->purpose == INLAY_PORT_ITERATION)
            ok = enter_counter(p, &p->b->graph->params[port->inner]->out[0]);
        else if (port->has_axis)
            ok = cut_part(p, port, p->outer[i]);
    }
    return ok;
}

/* The condition for another iteration: that of the body, else true. */
static bool leave_condition(part *p)
{
    onnx_export in = inside(p, p->b->graph->results[0]);
    inlay_fact fact = {.type = INLAY_BOOLEAN, .rank = 0};
    const char *name;

    if (p->condition >= 0)
        return onnx_put_output(p->x->w, p->condition);
    name = put(&in, "Identity", IN(put_number(&in, INLAY_BOOLEAN, 1)), NULL);
    return name && onnx_put_output_of(p->x->w, NULL, name, &fact);
}

/* Makes the outputs of the body that follow its condition. */
static bool leave(part *p)
{
    bool ok = true;

    for (int i = 0; ok && i < p->n_carried; i++)
        ok = onnx_put_output(p->x->w, p->b->back[p->carried[i]].from);
    for (int i = 0; ok && i < p->n_joined; i++) {
        const inlay_port *port = &p->b->out[p->joined[i]];
        const inlay_value *v = inlay_node_input(p->b->graph->results[port->inner], 0);
        int axis = axis_of(port, v->fact.rank);

        ok = axis == -2 && v->fact.rank < 0 ? put_refuse(p->x, "joins values of unknown rank")
                                            : put_stacked(p, port->inner, axis == -2 ? -1 : axis);
    }
    return ok;
}

/* Turns V, the operator's stack of all iterations, into what PORT gives: values joined along its
 * axis. */
static const char *joined_as(part *p, const inlay_port *port, const char *v, bool turned)
{
    const inlay_value *r = inlay_node_input(p->b->graph->results[port->inner], 0);
    int rank = r->fact.rank, axis = axis_of(port, rank), at;
    int64_t dims[INLAY_MAX_RANK];

    if (!port->has_axis)
        return put(p->x, "Gather", IN(v, put_int(p->x, -1)), ATTRS(INT("axis", 0)));
    if (turned && is_backward(port))
        v = put_cut(p->x, v, 0, -1, INT64_MIN, -1);
    at = (int)(port->axis < 0 ? port->axis + rank : port->axis);
    if (axis == -2 && (!inlay_fact_dims(&r->fact, dims) || rank >= INLAY_MAX_RANK))
        return put_refuse(p->x, "joins parts of sizes that are not known"), NULL;
    v = put_moved(p->x, v, rank + (axis == -2), 0, at);
    if (axis != -2)
        return v;
    dims[at] = -1;
    return put_reshape(p->x, v, dims, rank);
}

/* Gives V, a carried value, as the output of port I; where an earlier port gives the same Result,
 * as a copy of its output. */
static bool give_carried(part *p, int i, const char *v)
{
    const inlay_port *out = p->b->out;
    const char **names = p->x->w->graph->values[p->x->n->id];

    for (int k = 0; k < i; k++) {
        if (out[k].outer >= 0 && !out[k].has_axis && out[k].inner == out[i].inner)
            return onnx_put_identity(p->x->w, names[out[k].outer], names[out[i].outer]);
    }
    return put_give(p->x, out[i].outer, v);
}

/* Gives the outputs of the node: STACKS are those of the operator, behind the carried values. */
static bool give_outputs(part *p, const char *const *out, bool turned)
{
    bool ok = true;

    for (int i = 0; ok && i < p->n_joined; i++) {
        const inlay_port *port = &p->b->out[p->joined[i]];

        ok = put_give(p->x, port->outer, joined_as(p, port, out[p->n_carried + i], turned));
    }
    for (int i = 0; ok && i < p->b->n_out; i++) {
        const inlay_port *port = &p->b->out[i];
        int k = 0;

        while (k < p->n_carried && p->b->back[p->carried[k]].from != port->inner)
            k++;
        if (port->outer >= 0 && !port->has_axis && k < p->n_carried)
            ok = give_carried(p, i, out[k]);
    }
    return ok;
}

/* If V is max(X, 0), returns X: a trip count below 0 means 0 in ONNX anyway. Else NULL. */
static const inlay_value *not_negative(const inlay_value *v)
{
    const inlay_value *zero = put_operand_of(v, "Maximum", 1);
    const inlay_tensor *t = zero ? zero->fact.content : NULL;

    return t && inlay_tensor_count(t) == 1 && inlay_tensor_get_i64(t, 0) == 0 &&
                   v->fact.type == INLAY_I64
               ? inlay_node_input(v->node, 0)
               : NULL;
}

/* The number of slices of PORT along an axis of SIZE: from start to end in steps, where a negative
 * start or end counts from the end of the axis. */
static const char *steps_along(onnx_export *x, const inlay_port *port, const char *size)
{
    bool back = is_backward(port);
    int64_t from = back ? port->end : port->start, to = back ? port->start : port->end,
            sizes = (to < 0) - (from < 0), step = back ? -port->stride : port->stride;
    const char *n = put_int(x, to - from + 1 - port->part_size + step);

    if (sizes != 0)
        n = put_binary(x, sizes > 0 ? "Add" : "Sub", n, size);
    return put_binary(x, "Div", n, put_int(x, step));
}

/* The trip count of a Loop: an operand (negative: no limit), or else the number of slices. */
static const char *trips(part *p)
{
    onnx_export *x = p->x;
    const inlay_port *sliced = NULL;
    const char *size;
    int64_t number;

    for (int i = 0; i < p->b->n_in; i++)
        sliced = p->b->in[i].has_axis ? &p->b->in[i] : sliced;
    if (strcmp(x->how->as, "Loop") == 0) {
        const inlay_fact *f = put_fact(x, 0);

        if (put_seen(x, 0, &number, 1) == 1)
            return number < 0 ? "" : put_i64(x, 0);
        if (not_negative(x->n->in[0].value))
            return put_value(x, not_negative(x->n->in[0].value));
        if (f->known && f->n_known == 1 && f->known[0].lo >= 0)
            return put_i64(x, 0);
        return put(x, "Where",
                   IN(put(x, "Less", IN(put_i64(x, 0), put_int(x, 0)), NULL), put_int(x, INT64_MAX),
                      put_i64(x, 0)),
                   NULL);
    }
    if (sliced && !takes_all(sliced) && known_parts(p, sliced, &number) >= 0)
        return put_int(x, number);
    if (!sliced)
        return put_refuse(x, "nothing says how often it runs"), NULL;
    number = sliced->axis;
    size = put(x, "Gather",
               IN(put(x, "Shape", IN(put_in(x, sliced->outer)), NULL), put_int(x, number)),
               ATTRS(INT("axis", 0)));
    return takes_all(sliced) ? size : steps_along(x, sliced, size);
}

/* What the carried values begin with, behind FIRST others; NULL: out of memory. */
static const char **carried_inputs(part *p, int first, int more)
{
    const char **in =
        inlay_arena_array(p->x->w->a, (size_t)(first + p->n_carried + more) + 1, sizeof *in);

    for (int i = 0; in && i < p->n_carried; i++) {
        const inlay_port *port = port_to(p->b, p->b->back[p->carried[i]].to);

        if (!port || port->outer < 0)
            return put_refuse(p->x, "a carried value that begins with nothing"), NULL;
        in[first + i] = put_items(p->x, port->outer);
    }
    return in;
}

static bool put_loop(part *p)
{
    onnx_export *x = p->x;
    const char **in = carried_inputs(p, 2, 0);
    int n_out = p->n_carried + p->n_joined;
    const char **out = inlay_arena_array(x->w->a, (size_t)n_out, sizeof *out);
    bool ok;

    if (!in || !out || !(in[0] = trips(p)))
        return false;
    in[1] = strcmp(x->how->as, "Loop") == 0 ? put_in(x, 1) : "";
    if (p->n_carried == 0 && in[1] && !*in[1]) /* the last operand cannot be an absent one */
        in[1] = put_number(x, INLAY_BOOLEAN, 1);
    if (!put_many(x, "Loop", in, NULL, n_out, out) || !begin_part(p, "body"))
        return false;
    pass_on(p);
    ok = enter_loop(p) && onnx_put_nodes(x->w) && leave_condition(p) && leave(p);
    onnx_end_graph(x->w);
    return ok && give_outputs(p, out, true);
}

/* Whether the loop is one of Scan: each iteration takes one element of an axis. */
static bool is_scan(const part *p)
{
    int sliced = 0;

    for (int i = 0; i < p->b->n_in; i++) {
        const inlay_port *port = &p->b->in[i];

        if (port->purpose == INLAY_PORT_ITERATION || (port->has_axis && !takes_all(port)))
            return false;
        sliced += port->has_axis;
    }
    for (int i = 0; i < p->n_joined; i++) {
        const inlay_port *port = &p->b->out[p->joined[i]];

        if (!port->has_axis || port->part_size != 1)
            return false;
    }
    return sliced > 0 && p->condition < 0;
}

/* Makes Parameter V a part without its axis, an input of the body. */
static bool enter_scanned(part *p, const inlay_port *port)
{
    const inlay_value *v = &p->b->graph->params[port->inner]->out[0];
    inlay_dim dims[INLAY_MAX_RANK];
    inlay_fact fact = {.type = v->fact.type, .rank = v->fact.rank - 1, .dims = dims};
    int axis = axis_of(port, v->fact.rank);
    const char *name = onnx_new_name(p->x->w, onnx_called(p->x->w, v));
    Onnx__ValueInfoProto *info = name ? onnx_put_message(p->x->w, p->graph.proto, "input") : NULL;

    if (axis < 0)
        return put_refuse(p->x, "the number of axes of what its body takes is not known");
    for (int i = 0; i < fact.rank; i++)
        dims[i] = v->fact.dims[i + (i >= axis)];
    return info && onnx_put_info(p->x->w, info, name, NULL, &fact) && enter_part(p, v, axis, name);
}

/* The axes and directions of the parts that a Scan takes and joins. */
typedef struct directions {
    int64_t axes[2][ONNX_MAX_OUTPUTS], backward[2][ONNX_MAX_OUTPUTS];
    int count[2];
} directions;

static bool add_direction(part *p, directions *d, int side, const inlay_port *port, int rank)
{
    if (d->count[side] >= ONNX_MAX_OUTPUTS)
        return put_refuse(p->x, "has more than %d parts", ONNX_MAX_OUTPUTS);
    d->axes[side][d->count[side]] = port->axis < 0 ? port->axis + rank : port->axis;
    d->backward[side][d->count[side]++] = is_backward(port);
    return true;
}

static bool put_scan(part *p)
{
    onnx_export *x = p->x;
    const char **in = carried_inputs(p, 0, p->b->n_in);
    const char **out =
        inlay_arena_array(x->w->a, (size_t)(p->n_carried + p->n_joined) + 1, sizeof *out);
    directions *d = inlay_arena_alloc(x->w->a, sizeof *d);
    bool ok = in && out && d;

    for (int i = 0; ok && i < p->b->n_in; i++) {
        const inlay_port *port = &p->b->in[i];

        if (port->has_axis) {
            in[p->n_carried + d->count[0]] = p->outer[i];
            ok = add_direction(p, d, 0, port, p->b->graph->params[port->inner]->out[0].fact.rank);
        }
    }
    for (int i = 0; ok && i < p->n_joined; i++) {
        const inlay_port *port = &p->b->out[p->joined[i]];

        ok = add_direction(p, d, 1, port,
                           inlay_node_input(p->b->graph->results[port->inner], 0)->fact.rank);
    }
    if (!ok ||
        !put_many(x, "Scan", in,
                  ATTRS(INT("num_scan_inputs", d->count[0]),
                        INTS("scan_input_axes", d->axes[0], d->count[0]),
                        INTS("scan_input_directions", d->backward[0], d->count[0]),
                        INTS("scan_output_axes", d->axes[1], d->count[1]),
                        INTS("scan_output_directions", d->backward[1], d->count[1])),
                  p->n_carried + p->n_joined, out) ||
        !begin_part(p, "body"))
        return false;
    pass_on(p);
    for (int i = 0; ok && i < p->n_carried; i++)
        ok = onnx_name_input(x->w, p->b->back[p->carried[i]].to);
    for (int i = 0; ok && i < p->b->n_in; i++)
        ok = !p->b->in[i].has_axis || enter_scanned(p, &p->b->in[i]);
    ok = ok && onnx_put_nodes(x->w) && leave(p);
    onnx_end_graph(x->w);
    for (int i = 0; ok && i < p->n_joined; i++)
        ok = put_give(x, p->b->out[p->joined[i]].outer, out[p->n_carried + i]);
    p->n_joined = 0;
    return ok && give_outputs(p, out, false);
}

/* If Result I of the body is a list of a single element, returns that element; else NULL. */
static const inlay_value *item_of(const part *p, int i)
{
    const inlay_value *v = inlay_body_result(p->b, i);

    return put_operand_of(v->node->op->flags & INLAY_RESHAPES ? inlay_node_input(v->node, 0) : NULL,
                          "Optional", 0);
}

/* Whether the loop takes the items of lists one by one, and gives lists of what it makes of them.
 */
static bool is_map(const part *p)
{
    int lists = 0;

    for (int i = 0; i < p->b->n_in; i++) {
        const inlay_port *port = &p->b->in[i];

        if (port->purpose == INLAY_PORT_ITERATION ||
            (port->has_axis && (!takes_all(port) || is_backward(port) ||
                                p->b->graph->params[port->inner]->out[0].fact.type != INLAY_ITEM)))
            return false;
        lists += port->has_axis;
    }
    for (int i = 0; i < p->n_joined; i++) {
        const inlay_port *port = &p->b->out[p->joined[i]];

        if (!port->has_axis || !takes_all(port) || is_backward(port) || !item_of(p, port->inner))
            return false;
    }
    return lists > 0 && p->n_carried == 0 && p->condition < 0;
}

/* Makes an input of the body of what is in the item that PORT brings. */
static bool enter_item(part *p, const inlay_port *port)
{
    const inlay_value *v = &p->b->graph->params[port->inner]->out[0];
    const char *name = onnx_new_name(p->x->w, onnx_called(p->x->w, v));
    Onnx__ValueInfoProto *info = name ? onnx_put_message(p->x->w, p->graph.proto, "input") : NULL;
    inlay_fact fact = {.type = onnx_content_type(v), .rank = -1};

    for (const inlay_use *u = v->uses; u; u = u->next) {
        const inlay_value *item =
            u->index == 0 && (u->node->op->flags & INLAY_RESHAPES) ? &u->node->out[0] : NULL;

        for (const inlay_use *t = item ? item->uses : NULL; t; t = t->next) {
            if (put_operand_of(&t->node->out[0], "OptionalGetElement", 0) != item)
                return put_refuse(p->x, "an item is not only taken out");
            onnx_name_value(p->x->w, &t->node->out[0], name);
            p->graph.stored[t->node->id] = true;
        }
        if (!item)
            return put_refuse(p->x, "an item is not only taken out");
        p->graph.stored[u->node->id] = true;
    }
    return info && onnx_put_info(p->x->w, info, name, NULL, &fact);
}

/* Makes what is in the item that Result I gives an output of the body. */
static bool leave_item(part *p, int i)
{
    const inlay_value *v = item_of(p, i);
    const char *name = onnx_value_name(p->x->w, v);
    inlay_fact fact = {.type = v->fact.type, .rank = -1};
    onnx_export in = inside(p, v->node);

    if (name && p->graph.stored[v->node->id]) { /* an input */
        name = put(&in, "Identity", IN(name), NULL);
        v = NULL;
    }
    return name && onnx_put_output_of(p->x->w, v, name, &fact);
}

static bool put_map(part *p)
{
    onnx_export *x = p->x;
    const char **in = inlay_arena_array(x->w->a, (size_t)p->b->n_in + 1, sizeof *in);
    const char **out = inlay_arena_array(x->w->a, (size_t)p->n_joined + 1, sizeof *out);
    bool ok = in && out;
    int lists = 0;

    for (int i = 0; ok && i < p->b->n_in; i++) {
        if (p->b->in[i].has_axis)
            in[lists++] = p->outer[i];
    }
    if (!ok || !put_many(x, "SequenceMap", in, NULL, p->n_joined, out) || !begin_part(p, "body"))
        return false;
    pass_on(p);
    for (int i = 0; ok && i < p->b->n_in; i++)
        ok = !p->b->in[i].has_axis || enter_item(p, &p->b->in[i]);
    for (int i = 0; ok && i < p->n_joined; i++) {
        const inlay_value *list = inlay_body_result(p->b, p->b->out[p->joined[i]].inner);

        p->graph.stored[list->node->id] = true;
        p->graph.stored[inlay_node_input(list->node, 0)->node->id] = true;
    }
    ok = ok && onnx_put_nodes(x->w);
    for (int i = 0; ok && i < p->n_joined; i++)
        ok = leave_item(p, p->b->out[p->joined[i]].inner);
    onnx_end_graph(x->w);
    for (int i = 0; ok && i < p->n_joined; i++)
        ok = put_give(x, p->b->out[p->joined[i]].outer, out[i]);
    return ok;
}

/* Whether a list is cut into items, or items are joined to a list, which ONNX has no loop for. */
static bool splits_items(const part *p)
{
    bool splits = false;

    for (int i = 0; i < p->b->n_in; i++) {
        const inlay_port *port = &p->b->in[i];

        splits = splits || (port->has_axis &&
                            p->b->graph->params[port->inner]->out[0].fact.type == INLAY_ITEM);
    }
    for (int i = 0; i < p->n_joined; i++) {
        const inlay_port *port = &p->b->out[p->joined[i]];

        splits = splits || inlay_body_result(p->b, port->inner)->fact.type == INLAY_ITEM;
    }
    return splits;
}

static bool export_loop(onnx_export *x)
{
    part p = {.x = x, .b = x->n->bodies};

    if (x->n->n_bodies != 1 || !find_outer(&p) || !find_ports(&p))
        return false;
    if (is_map(&p))
        return put_map(&p);
    if (splits_items(&p))
        return put_refuse(x, "parts of a list of items");
    return *x->how->as == 'S' && is_scan(&p) ? put_scan(&p) : put_loop(&p);
}

const onnx_exporter onnx_exporters_bodies[] = {
    {"If", export_if, "If", 0, PUT_ANY},
    {"Loop", export_loop, "Loop", 0, PUT_ANY},
    {"TensorIterator", export_loop, "Scan", 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
