/* If, Loop and Scan. A body of ONNX uses values of the graph around it by their names; a body of
 * ours uses nothing that does not come in through a port. Each value that a body captures so
 * becomes an operand of the node and a Parameter of the body:
 *
 *     If(cond) {then: Add(x, one)}     =>     If(cond, x, one) {then: %x = Parameter, %one =
 * Parameter, Add(%x, %one)} */
#include "parser/onnx/import/loop.h"
#include "parser/onnx/import/make.h"

#include <string.h>

enum { MAX_BODIES = 2 };

/* Values that the bodies of a node capture, in the order of their first use. */
typedef struct captures {
    onnx_node *n;
    assemble_scope *seen; /* a name's LINE says whether it is DEFINED in a body, or CAPTURED */
    const char **names;   /* in the scratch memory */
    size_t count, room;
} captures;

enum { UNSEEN, DEFINED, CAPTURED };

static bool add_capture(captures *c, const char *name)
{
    if (c->count == c->room) {
        size_t room = c->room ? 2 * c->room : 8;
        const char **names = inlay_arena_array(c->n->s->r->a.scratch, room, sizeof *names);

        if (!names)
            return inlay_fail_memory(c->n->d);
        if (c->count > 0)
            memcpy(names, c->names, c->count * sizeof *names);
        c->names = names;
        c->room = room;
    }
    c->names[c->count++] = name;
    return true;
}

static bool see_definition(captures *c, const char *name)
{
    assemble_name *seen = name ? assemble_name_of(c->seen, name, strlen(name)) : NULL;

    if (seen)
        seen->line = DEFINED;
    return seen || !name;
}

static bool see_use(captures *c, const char *name)
{
    assemble_name *seen = assemble_name_of(c->seen, name, strlen(name));

    if (!seen)
        return false;
    if (seen->line != UNSEEN || !onnx_find_value(c->n->s, name))
        return true;
    seen->line = CAPTURED;
    return add_capture(c, name);
}

static bool see_graph(captures *c, const Onnx__GraphProto *g);

static bool see_node(captures *c, const Onnx__NodeProto *n)
{
    bool ok = true;

    for (size_t i = 0; ok && i < n->n_input; i++)
        ok = see_use(c, n->input[i]);
    for (size_t i = 0; ok && i < n->n_attribute; i++)
        ok = !n->attribute[i]->g || see_graph(c, n->attribute[i]->g);
    for (size_t i = 0; ok && i < n->n_output; i++)
        ok = see_definition(c, n->output[i]);
    return ok;
}

static bool see_graph(captures *c, const Onnx__GraphProto *g)
{
    bool ok = true;

    for (size_t i = 0; ok && i < g->n_input; i++)
        ok = see_definition(c, g->input[i]->name);
    for (size_t i = 0; ok && i < g->n_initializer; i++)
        ok = see_definition(c, g->initializer[i]->name);
    for (size_t i = 0; ok && i < g->n_node; i++)
        ok = see_node(c, g->node[i]);
    for (size_t i = 0; ok && i < g->n_output; i++)
        ok = !g->output[i]->name || see_use(c, g->output[i]->name);
    return ok;
}

/* The body of NODE under the attribute NAME, and what it takes. */
typedef struct body {
    const Onnx__GraphProto *g;
    const char *name, *role;
    onnx_place at;
    onnx_scope scope;
    assemble_scope *names;
} body;

/* A Parameter of B for each captured value, connected to the operands of OWNER from FIRST on. */
static bool take_captures(const captures *c, body *b, int first)
{
    for (size_t i = 0; i < c->count; i++) {
        const inlay_value *outer = onnx_find_value(c->n->s, c->names[i]);
        inlay_port port = {.outer = first + (int)i, .inner = b->names->graph->n_params};
        inlay_shape shape = {.rank = outer->fact.rank};
        inlay_value *inner;

        for (int k = 0; k < shape.rank; k++) {
            shape.dim[k] = outer->fact.dims[k];
            shape.dim[k].id = 0;
        }
        inner =
            inlay_build_parameter(b->names->graph, c->names[i], outer->fact.type, &shape, c->n->d);
        if (!inner || !onnx_define_value(&b->scope, c->names[i], inner) ||
            !assemble_port(b->names, true, &port))
            return false;
    }
    return true;
}

static bool begin_body(onnx_node *n, inlay_node *owner, body *b)
{
    b->at = (onnx_place){.outer = &n->at, .field = "attribute", .index = -1, .name = b->name};
    b->names =
        assemble_body(n->s->names, owner, b->role, b->g && b->g->name ? b->g->name : b->role);
    if (!b->names)
        return false;
    b->scope = *n->s;
    b->scope.names = b->names;
    b->scope.graph = b->names->graph;
    b->scope.at = &b->at;
    b->scope.around = NULL;
    return true;
}

/* A node of TYPE with the N_IN operands IN, which is neither checked nor inferred. */
static inlay_node *begin_owner(onnx_node *n, const char *type, inlay_value *const *in, int n_in,
                               int n_out)
{
    assemble_spec spec = {.type = type, .number = -1, .wanted = ASSEMBLE_ROW};
    const inlay_op *op = assemble_row(n->s->names, &spec, NULL);
    inlay_node *made;
    bool ok;

    if (!op)
        return NULL;
    made = assemble_node(n->s->names, op, &(assemble_record){.n_in = n_in, .n_out = n_out});
    ok = made != NULL;
    for (int i = 0; ok && i < made->n_in; i++)
        ok = inlay_node_set_input(made, i, in[i], n->d);
    return ok ? made : NULL;
}

/* The COUNT values OWN, and then those that bodies capture, in the scratch memory. */
static inlay_value **with_captures(onnx_node *n, inlay_value *const *own, int count,
                                   const captures *c)
{
    inlay_value **all;

    if (c->count > (size_t)(INT32_MAX - count))
        return onnx_node_fail(n, "captures %zu values", c->count), NULL;
    all = inlay_arena_array(n->s->r->a.scratch, c->count + (size_t)count + 1, sizeof *all);
    if (!all)
        return inlay_fail_memory(n->d), NULL;
    for (int i = 0; i < count; i++)
        all[i] = own[i];
    for (size_t i = 0; i < c->count; i++)
        all[(size_t)count + i] = onnx_find_value(n->s, c->names[i]);
    return all;
}

/* The same for the operands of N and those that its bodies capture. */
static inlay_node *make_owner(onnx_node *n, const char *type, inlay_value *const *own, int n_own,
                              const captures *c)
{
    inlay_value **in = with_captures(n, own, n_own, c);

    return in ? begin_owner(n, type, in, n_own + (int)c->count, n->n_out) : NULL;
}

/* The bodies of OWNER are complete: it is checked and inferred. */
static bool end_owner(onnx_node *n, inlay_node *owner, body *bodies, int count)
{
    assemble_scope *scopes[MAX_BODIES];

    for (int i = 0; i < count; i++)
        scopes[i] = bodies[i].names;
    return assemble_bodies(owner, scopes, count, n->d) && inlay_check_node(owner, n->d) &&
           inlay_infer_node(owner, n->d);
}

/* OWNER gives the outputs of N, too. */
static bool finish_owner(onnx_node *n, inlay_node *owner, body *bodies, int count)
{
    if (!end_owner(n, owner, bodies, count))
        return false;
    for (int i = 0; i < n->n_out; i++)
        n->out[i] = &owner->out[i];
    return true;
}

static bool import_if(onnx_node *n)
{
    bool ok = true;
    body bodies[MAX_BODIES] = {
        {.g = onnx_attr_graph(n, "then_branch", &ok), .name = "then_branch", .role = "then_body"},
        {.g = onnx_attr_graph(n, "else_branch", &ok), .name = "else_branch", .role = "else_body"}};
    captures c = {.n = n, .seen = assemble_scope_new(&n->s->r->a, NULL, n->s->graph)};
    inlay_node *owner;

    if (!ok || !c.seen)
        return false;
    if (!bodies[0].g || !bodies[1].g)
        return onnx_node_fail(n, "attributes \"then_branch\" and \"else_branch\" must be graphs");
    if (!see_graph(&c, bodies[0].g) || !see_graph(&c, bodies[1].g) ||
        !(owner = make_owner(n, "If", n->in, 1, &c)))
        return false;
    for (int i = 0; i < MAX_BODIES; i++) {
        body *b = &bodies[i];

        if (b->g->n_output != (size_t)n->n_out)
            return onnx_node_fail(n, "has %d outputs, its %s gives %zu", n->n_out, b->name,
                                  b->g->n_output);
        if (!begin_body(n, owner, b) || !take_captures(&c, b, 1) ||
            !onnx_import_graph(&b->scope, b->g, NULL, -1))
            return false;
        for (int k = 0; k < n->n_out; k++) {
            if (!assemble_port(b->names, false, &(inlay_port){.outer = k, .inner = k}))
                return false;
        }
    }
    return finish_owner(n, owner, bodies, MAX_BODIES);
}

/* Operands of our Loop: trip count, condition, the condition again for the body to look at, carried
 * values, captures. */
enum { LOOP_CONDITION = 2, LOOP_CARRIED = 3 };

/* Inputs of the body: counter, condition, carried values. Its outputs: condition, carried values,
 * values to be joined. */
static bool connect_loop(onnx_node *n, body *b, int first_param, int n_carried)
{
    inlay_port counter = {.outer = -1, .inner = first_param, .purpose = INLAY_PORT_ITERATION};
    inlay_port next = {.outer = -1, .inner = 0, .purpose = INLAY_PORT_CONDITION};
    bool ok = assemble_port(b->names, true, &counter) && assemble_port(b->names, false, &next);

    for (int i = 0; ok && i <= n_carried; i++) {
        inlay_port in = {.outer = LOOP_CONDITION + i, .inner = first_param + 1 + i};

        ok = assemble_port(b->names, true, &in) &&
             assemble_back_edge(b->names, (inlay_back_edge){.from = i, .to = first_param + 1 + i});
    }
    for (int i = 0; ok && i < n->n_out; i++) {
        inlay_port out = {.outer = i, .inner = 1 + i, .has_axis = i >= n_carried};

        if (out.has_axis) {
            out.end = -1;
            out.stride = out.part_size = 1;
        }
        ok = assemble_port(b->names, false, &out);
    }
    return ok;
}

static inlay_value *true_value(onnx_node *n)
{
    return onnx_number(n, INLAY_BOOLEAN, 1);
}

static bool import_loop(onnx_node *n)
{
    bool ok = true;
    body b = {.g = onnx_attr_graph(n, "body", &ok), .name = "body", .role = "body"};
    captures c = {.n = n, .seen = assemble_scope_new(&n->s->r->a, NULL, n->s->graph)};
    int n_carried = n->n_in > 2 ? n->n_in - 2 : 0;
    inlay_value **own =
        inlay_arena_array(n->s->r->a.scratch, (size_t)n->n_in + LOOP_CARRIED, sizeof *own);
    inlay_node *owner;

    if (!ok || !own || !c.seen)
        return ok ? inlay_fail_memory(n->d) : false;
    if (!b.g || b.g->n_input != (size_t)n_carried + 2 || b.g->n_output != (size_t)n->n_out + 1 ||
        n->n_out < n_carried)
        return onnx_node_fail(n, "attribute \"body\" must be a graph with %d inputs and %d outputs",
                              n_carried + 2, n->n_out + 1);
    own[0] = onnx_in(n, 0) ? n->in[0] : onnx_integer(n, -1);
    own[1] = own[LOOP_CONDITION] = onnx_in(n, 1) ? n->in[1] : true_value(n);
    for (int i = 0; i < n_carried; i++)
        own[LOOP_CARRIED + i] = n->in[2 + i];
    if (!own[0] || !own[1] || !see_graph(&c, b.g) ||
        !(owner = make_owner(n, "Loop", own, LOOP_CARRIED + n_carried, &c)))
        return false;
    if (!begin_body(n, owner, &b) || !take_captures(&c, &b, LOOP_CARRIED + n_carried) ||
        !onnx_import_graph(&b.scope, b.g, n->in, n_carried + 1) ||
        !connect_loop(n, &b, (int)c.count, n_carried))
        return false;
    return finish_owner(n, owner, &b, 1);
}

/* Loops of parts */

enum { MAX_SCAN = 64 }; /* values that are carried, sliced or joined */

static int carried_end(const onnx_loop *l)
{
    return l->n_carried;
}

static int sliced_end(const onnx_loop *l)
{
    return l->n_carried + l->n_sliced;
}

static inlay_value *outer_value(const onnx_loop *l, int i)
{
    if (i < carried_end(l))
        return l->carried[i];
    return i < sliced_end(l) ? l->sliced[i - carried_end(l)] : l->shared[i - sliced_end(l)];
}

/* A port of parts of one element along AXIS. */
static void slice_along(inlay_port *p, int axis, bool backward)
{
    p->has_axis = true;
    p->axis = axis;
    p->start = backward ? -1 : 0;
    p->end = backward ? 0 : -1;
    p->stride = backward ? -1 : 1;
    p->part_size = 1;
}

/* Parameter I of the body B, connected to operand FIRST + I; a part loses its axis. */
static inlay_value *enter(const onnx_loop *l, onnx_node *inside, body *b, int i, int first)
{
    const inlay_value *outer = outer_value(l, i);
    int part = i >= carried_end(l) && i < sliced_end(l) ? i - carried_end(l) : -1;
    int axis = part >= 0 && l->axes ? l->axes[part] : 0;
    inlay_port port = {.outer = first + i, .inner = i};
    inlay_shape shape = {.rank = outer->fact.rank};
    inlay_value *v;

    for (int k = 0; k < shape.rank; k++) {
        shape.dim[k] = part >= 0 && k == axis ? inlay_dim_of(1) : outer->fact.dims[k];
        shape.dim[k].id = 0;
    }
    if (part >= 0)
        slice_along(&port, axis, l->backward && l->backward[part]);
    v = inlay_build_parameter(b->names->graph, NULL, outer->fact.type, &shape, l->n->d);
    if (!v || !assemble_port(b->names, true, &port))
        return NULL;
    return part >= 0 ? make_squeeze(inside, v, (int64_t[]){axis}, 1) : v;
}

/* Result I of the body B. */
static bool leave(const onnx_loop *l, onnx_node *inside, body *b, int i, inlay_value *v)
{
    inlay_port port = {.outer = i, .inner = i};
    bool joined = i >= l->n_carried;

    if (joined) {
        v = make_unsqueeze(inside, v, (int64_t[]){0}, 1);
        slice_along(&port, 0, l->prepended && l->prepended[i - l->n_carried]);
    }
    return v && inlay_build_result(b->names->graph, NULL, v, l->n->d) &&
           assemble_port(b->names, false, &port) &&
           (joined || assemble_back_edge(b->names, (inlay_back_edge){.from = i, .to = i}));
}

/* The condition of a Loop, which holds for ever. */
static bool go_on(onnx_node *inside, body *b, int count)
{
    inlay_value *v = true_value(inside);
    inlay_port port = {.outer = -1, .inner = count, .purpose = INLAY_PORT_CONDITION};

    return v && inlay_build_result(b->names->graph, NULL, v, inside->d) &&
           assemble_port(b->names, false, &port);
}

static bool fill_body(const onnx_loop *l, inlay_node *owner, body *b, int first)
{
    inlay_arena *scratch = l->n->s->r->a.scratch;
    int n_in = sliced_end(l) + l->n_shared, n_out = l->n_carried + l->n_joined;
    inlay_value **params = inlay_arena_array(scratch, (size_t)(n_in + n_out) + 1, sizeof *params);
    inlay_value **results = params + n_in;
    onnx_node inside = *l->n;
    bool ok = true;

    if (!params || !begin_body(l->n, owner, b))
        return params ? false : inlay_fail_memory(l->n->d);
    inside.s = &b->scope;
    for (int i = 0; ok && i < n_in; i++)
        ok = (params[i] = enter(l, &inside, b, i, first)) != NULL;
    ok = ok && l->fill(l, &inside, params, results);
    for (int i = 0; ok && i < n_out; i++)
        ok = leave(l, &inside, b, i, results[i]);
    return ok && (!l->trips || go_on(&inside, b, n_out));
}

bool onnx_iterate(const onnx_loop *l, inlay_value **out)
{
    int first = l->trips ? 2 : 0, count = sliced_end(l) + l->n_shared;
    inlay_value **in =
        inlay_arena_array(l->n->s->r->a.scratch, (size_t)(first + count) + 1, sizeof *in);
    body b = {.name = "body", .role = "body"};
    int n_out = l->n_carried + l->n_joined;
    inlay_node *owner;

    if (!in)
        return inlay_fail_memory(l->n->d);
    if (l->trips) {
        in[0] = l->trips;
        in[1] = true_value(l->n);
    }
    for (int i = 0; i < count; i++)
        in[first + i] = outer_value(l, i);
    owner = begin_owner(l->n, l->trips ? "Loop" : "TensorIterator", in, first + count, n_out);
    if (!owner || !fill_body(l, owner, &b, first) || !end_owner(l->n, owner, &b, 1))
        return false;
    for (int i = 0; i < n_out; i++)
        out[i] = &owner->out[i];
    return true;
}

/* Scan */

typedef struct scan {
    onnx_node *n;
    const Onnx__GraphProto *g;
    captures c;
    int n_states, n_inputs, n_outputs;
    int in_axes[MAX_SCAN], out_axes[MAX_SCAN];
    bool backward[MAX_SCAN], prepended[MAX_SCAN];
} scan;

static bool fill_scan(const onnx_loop *l, onnx_node *n, inlay_value **params, inlay_value **results)
{
    const scan *s = l->data;
    int count = s->n_states + s->n_inputs;

    for (int i = 0; i < count; i++) {
        if (!onnx_define_value(n->s, s->g->input[i]->name, params[i]))
            return false;
    }
    for (size_t i = 0; i < s->c.count; i++) {
        if (!onnx_define_value(n->s, s->c.names[i], params[(size_t)count + i]))
            return false;
    }
    if (!onnx_import_inside(n->s, s->g))
        return false;
    for (int i = 0; i < s->n_states + s->n_outputs; i++) {
        const char *name = s->g->output[i]->name;

        if (!(results[i] = name ? onnx_find_value(n->s, name) : NULL))
            return onnx_node_fail(n, "no node of its body makes output %d", i);
    }
    return true;
}

/* The directions that attribute NAME says for COUNT values. */
static bool read_directions(scan *s, const char *name, int count, bool *backward)
{
    bool ok = true;
    int found;
    const int64_t *list = onnx_attr_ints(s->n, name, &found, &ok);

    if (ok && list && found != count)
        return onnx_node_fail(s->n, "attribute \"%s\" has %d elements, it must have %d", name,
                              found, count);
    for (int i = 0; ok && i < count; i++)
        backward[i] = list && list[i] != 0;
    return ok;
}

/* The axes of attribute NAME as they stand there. */
static bool read_axes(scan *s, const char *name, int count, int *axes)
{
    bool ok = true;
    int found;
    const int64_t *list = onnx_attr_ints(s->n, name, &found, &ok);

    if (ok && list && found != count)
        return onnx_node_fail(s->n, "attribute \"%s\" has %d elements, it must have %d", name,
                              found, count);
    for (int i = 0; ok && i < count; i++) {
        int64_t axis = list ? list[i] : 0;

        if (axis < -INLAY_MAX_RANK || axis >= INLAY_MAX_RANK)
            return onnx_node_fail(s->n, "attribute \"%s\" has an axis %lld", name, (long long)axis);
        axes[i] = (int)axis;
    }
    return ok;
}

/* FIRST: the operand that the first state is. */
static bool read_scan(scan *s, int first)
{
    onnx_node *n = s->n;
    bool ok = true;
    int64_t inputs = onnx_attr_int(n, "num_scan_inputs", 0, &ok);

    s->g = onnx_attr_graph(n, "body", &ok);
    s->c = (captures){.n = n, .seen = assemble_scope_new(&n->s->r->a, NULL, n->s->graph)};
    if (!ok || !s->c.seen)
        return false;
    if (!s->g || inputs < 1 || inputs > n->n_in - first || n->n_in > MAX_SCAN ||
        n->n_out > MAX_SCAN)
        return onnx_node_fail(n,
                              "attributes \"body\" and \"num_scan_inputs\" must say a graph and "
                              "how many of at most %d inputs are scanned",
                              MAX_SCAN);
    s->n_inputs = (int)inputs;
    s->n_states = n->n_in - first - s->n_inputs;
    s->n_outputs = n->n_out - s->n_states;
    if (s->g->n_input != (size_t)(n->n_in - first) || s->g->n_output != (size_t)n->n_out ||
        s->n_outputs < 0)
        return onnx_node_fail(n, "attribute \"body\" must be a graph with %d inputs and %d outputs",
                              n->n_in - first, n->n_out);
    for (int i = first; i < n->n_in; i++) {
        if (!n->in[i])
            return onnx_node_fail(n, "input[%d] is missing", i);
    }
    for (size_t i = 0; i < s->g->n_input; i++) {
        if (!s->g->input[i]->name)
            return onnx_node_fail(n, "input %zu of its body has no name", i);
    }
    return see_graph(&s->c, s->g);
}

/* The first axis of X as axis AXIS. */
static inlay_value *placed(onnx_node *n, inlay_value *x, int axis)
{
    int64_t order[INLAY_MAX_RANK];
    int rank, at;

    if (axis == 0 || !x)
        return x;
    rank = onnx_rank(n, x);
    at = rank < 0 ? -1 : onnx_axis(n, axis, rank);
    if (at < 0)
        return NULL;
    for (int i = 0; i < rank; i++)
        order[i] = i < at ? i + 1 : i == at ? 0 : i;
    return make_transpose(n, x, order, rank);
}

/* Runs S on STATES and INPUTS, which stand one behind the other in IN. */
static bool run_scan(const scan *s, inlay_value *const *in, inlay_value *trips, inlay_value **out)
{
    inlay_value **shared = with_captures(s->n, NULL, 0, &s->c);
    onnx_loop l = {.n = s->n,
                   .trips = trips,
                   .carried = in,
                   .n_carried = s->n_states,
                   .sliced = in + s->n_states,
                   .n_sliced = s->n_inputs,
                   .axes = s->in_axes,
                   .backward = s->backward,
                   .shared = shared,
                   .n_shared = (int)s->c.count,
                   .n_joined = s->n_outputs,
                   .prepended = s->prepended,
                   .fill = fill_scan,
                   .data = s};

    return shared && onnx_iterate(&l, out);
}

static bool import_scan(onnx_node *n)
{
    scan s = {.n = n};
    inlay_value *out[MAX_SCAN];

    if (!read_scan(&s, 0) || !read_axes(&s, "scan_input_axes", s.n_inputs, s.in_axes) ||
        !read_axes(&s, "scan_output_axes", s.n_outputs, s.out_axes) ||
        !read_directions(&s, "scan_input_directions", s.n_inputs, s.backward) ||
        !read_directions(&s, "scan_output_directions", s.n_outputs, s.prepended))
        return false;
    for (int i = 0; i < s.n_inputs; i++) {
        int rank = onnx_rank(n, n->in[s.n_states + i]);

        if (rank < 0 || (s.in_axes[i] = onnx_axis(n, s.in_axes[i], rank)) < 0)
            return false;
    }
    if (!run_scan(&s, n->in, NULL, out))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (!onnx_give(n, i,
                       i < s.n_states ? out[i] : placed(n, out[i], s.out_axes[i - s.n_states])))
            return false;
    }
    return true;
}

/* Scan-8 has batches, each with a length of its own: one loop for each. */

/* Element B of the first axis of X. */
static inlay_value *element(onnx_node *n, inlay_value *x, int64_t b)
{
    return make_gather(n, x, onnx_integer(n, b), 0);
}

/* X with zeros behind its first axis, as long as axis 1 of the scanned LIKE. */
static inlay_value *filled_up(onnx_node *n, inlay_value *x, inlay_value *like)
{
    int rank = x ? onnx_rank(n, x) : -1;
    inlay_value *missing, *zeros, *ends;

    if (rank < 1)
        return NULL;
    missing = onnx_binary(n, "Subtract", make_size(n, like, 1), make_size(n, x, 0));
    zeros = onnx_list(n, (int64_t[INLAY_MAX_RANK]){0}, rank);
    ends = rank == 1 ? missing
                     : make_join(n,
                                 (inlay_value *[]){
                                     missing, onnx_list(n, (int64_t[INLAY_MAX_RANK]){0}, rank - 1)},
                                 2);
    return zeros && ends
               ? onnx_make(n, "Pad", 4,
                           (inlay_value *[]){x, zeros, ends, onnx_number(n, x->fact.type, 0)},
                           "pad_mode=constant")
               : NULL;
}

/* The results of batch B, each with a first axis of one element. */
static bool scan_batch(const scan *s, int64_t b, inlay_value **out)
{
    onnx_node *n = s->n;
    inlay_value *in[MAX_SCAN], *trips = onnx_in(n, 0);

    for (int i = 1; i < n->n_in; i++) {
        if (!(in[i - 1] = element(n, n->in[i], b)))
            return false;
    }
    if (trips && !(trips = element(n, trips, b)))
        return false;
    if (!run_scan(s, in, trips, out))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (trips && i >= s->n_states)
            out[i] = filled_up(n, out[i], n->in[1 + s->n_states]);
        if (!(out[i] = make_unsqueeze(n, out[i], (int64_t[]){0}, 1)))
            return false;
    }
    return true;
}

enum { MAX_SCAN_BATCH = 64 };

static bool import_scan_8(onnx_node *n)
{
    scan s = {.n = n};
    inlay_value *out[MAX_SCAN], *more[MAX_SCAN];
    inlay_dim batch;

    if (!read_scan(&s, 1) || !read_directions(&s, "directions", s.n_inputs, s.backward))
        return false;
    if (onnx_rank(n, n->in[1]) < 1)
        return false;
    batch = n->in[1]->fact.dims[0];
    if (!inlay_dim_is_static(batch) || batch.lo < 1 || batch.lo > MAX_SCAN_BATCH)
        return onnx_node_fail(n, "is read for 1 to %d batches only", MAX_SCAN_BATCH);
    for (int i = 0; onnx_in(n, 0) && i < s.n_inputs; i++) {
        if (s.backward[i])
            return onnx_node_fail(n,
                                  "scans backward sequences of several lengths, which is not read");
    }
    for (int64_t b = 0; b < batch.lo; b++) {
        if (!scan_batch(&s, b, b == 0 ? out : more))
            return false;
        for (int i = 0; b > 0 && i < n->n_out; i++) {
            if (!(out[i] = make_concat(n, out[i], more[i], 0)))
                return false;
        }
    }
    for (int i = 0; i < n->n_out; i++)
        onnx_give(n, i, out[i]);
    return true;
}

const onnx_operator onnx_operators_control[] = {
    {"If", 1, import_if, NULL, 1},      {"Loop", 1, import_loop, NULL, -1},
    {"Scan", 9, import_scan, NULL, -1}, {"Scan", 8, import_scan_8, NULL, -1},
    {NULL, 0, NULL, NULL, 0},
};
