/* If and Loop, and loops that other imports make. A body in ONNX uses values of the outer graph by
 * name; here a body gets values through ports only. So each value that a body captures becomes an
 * operand of the node and a Parameter of the body:
 *
 *     If(cond) {then: Add(x, one)}
 *     =>
 *     If(cond, x, one) {then: %x = Parameter, %one = Parameter, Add(%x, %one)} */
#include "parser/onnx/import/loop.h"
#include "parser/onnx/import/make.h"

#include <string.h>

enum { MAX_BODIES = 2 };

/* Values that the bodies of a node capture, in the order of their first use. */
typedef struct captures {
    onnx_node *n;
    const char **names; /* in the scratch memory */
    size_t count;
} captures;

/* Finds what the COUNT bodies G of N capture: the names that they use and that mean a value of the
 * graph around. */
static bool find_captures(captures *c, onnx_node *n, const Onnx__GraphProto *const *g, int count)
{
    onnx_uses u;
    bool ok = onnx_uses_begin(&u, n->s);

    for (int i = 0; ok && i < count; i++)
        ok = onnx_see_uses(&u, g[i]);
    *c = (captures){.n = n, .names = u.names};
    for (size_t i = 0; ok && i < u.count; i++) {
        if (onnx_find_value(n->s, u.names[i]))
            c->names[c->count++] = u.names[i];
    }
    return ok;
}

/* The body of NODE under the attribute NAME, with the scope of its names. */
typedef struct body {
    const Onnx__GraphProto *g;
    const char *name, *role;
    onnx_place at;
    onnx_scope scope;
    assemble_scope *names;
} body;

/* Makes a Parameter of B for each captured value, and connects it to the operands of OWNER from
 * FIRST on. */
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
        if (!inner || !onnx_set_item_type(inner, onnx_content_type(outer), c->n->d) ||
            !onnx_define_value(&b->scope, c->names[i], inner) ||
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

/* Makes a node of TYPE with the N_IN operands IN, which is neither checked nor inferred yet. */
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

/* Lists the COUNT values OWN, and then those that bodies capture, in the scratch memory. */
static inlay_value **with_captures(onnx_node *n, inlay_value *const *own, int count,
                                   const captures *c)
{
    inlay_value **all;

    if (c->count > (size_t)(INT32_MAX - count))
        return onnx_node_fail(n, "captures %zu value%s", c->count, inlay_plural(c->count, "", "s")),
               NULL;
    all = inlay_arena_array(n->s->r->a.scratch, c->count + (size_t)count, sizeof *all);
    if (!all)
        return inlay_fail_memory(n->d), NULL;
    for (int i = 0; i < count; i++)
        all[i] = own[i];
    for (size_t i = 0; i < c->count; i++)
        all[(size_t)count + i] = onnx_find_value(n->s, c->names[i]);
    return all;
}

/* Makes a node whose operands are the values OWN and those that its bodies capture. */
static inlay_node *make_owner(onnx_node *n, const char *type, inlay_value *const *own, int n_own,
                              const captures *c)
{
    inlay_value **in = with_captures(n, own, n_own, c);

    return in ? begin_owner(n, type, in, n_own + (int)c->count, n->n_out) : NULL;
}

/* Checks and infers OWNER, whose bodies are complete. */
static bool end_owner(onnx_node *n, inlay_node *owner, body *bodies, int count)
{
    assemble_scope *scopes[MAX_BODIES];
    inlay_diags *said = n->s->r->said;

    for (int i = 0; i < count; i++)
        scopes[i] = bodies[i].names;
    return onnx_made(n, assemble_bodies(owner, scopes, count, said) &&
                            inlay_check_node(owner, said) && inlay_infer_node(owner, said));
}

/* Ends OWNER, which gives the outputs of N, too. */
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
    captures c;
    inlay_value *condition;
    inlay_node *owner;

    if (!ok)
        return false;
    if (!bodies[0].g || !bodies[1].g)
        return onnx_node_fail(n, "attributes \"then_branch\" and \"else_branch\" must be graphs");
    if (!find_captures(&c, n, (const Onnx__GraphProto *[]){bodies[0].g, bodies[1].g}, MAX_BODIES) ||
        !(condition = onnx_single(n, n->in[0])) ||
        !(owner = make_owner(n, "If", &condition, 1, &c)))
        return false;
    for (int i = 0; i < MAX_BODIES; i++) {
        body *b = &bodies[i];

        if (b->g->n_output != (size_t)n->n_out)
            return onnx_node_fail(n, "has %d output%s, its %s gives %zu", n->n_out,
                                  inlay_plural(n->n_out, "", "s"), b->name, b->g->n_output);
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

/* The operands of this library's Loop are the trip count, the condition, the condition again for
 * the body to look at, carried values and captures. */
enum { LOOP_CONDITION = 2, LOOP_CARRIED = 3 };

/* Connects the ports of a Loop. Inputs of the body are the counter, the condition and carried
 * values; its outputs are the condition, carried values and values to be joined. */
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

/* Returns the trip count: in ONNX a negative one means no iteration, in OpenVINO that there is no
 * limit. */
static inlay_value *trip_count(onnx_node *n)
{
    inlay_value *trips = onnx_in(n, 0);

    if (!trips)
        return onnx_integer(n, -1);
    trips = onnx_single(n, trips);
    if (!trips || (trips->fact.known && trips->fact.n_known == 1 && trips->fact.known[0].lo >= 0))
        return trips;
    return onnx_binary(n, "Maximum", trips, onnx_number(n, trips->fact.type, 0));
}

static bool import_loop(onnx_node *n)
{
    bool ok = true;
    body b = {.g = onnx_attr_graph(n, "body", &ok), .name = "body", .role = "body"};
    captures c;
    int n_carried = n->n_in > 2 ? n->n_in - 2 : 0;
    inlay_value **own =
        inlay_arena_array(n->s->r->a.scratch, (size_t)n->n_in + LOOP_CARRIED, sizeof *own);
    inlay_node *owner;

    if (!ok || !own)
        return ok ? inlay_fail_memory(n->d) : false;
    if (!b.g || b.g->n_input != (size_t)n_carried + 2 || b.g->n_output != (size_t)n->n_out + 1 ||
        n->n_out < n_carried)
        return onnx_node_fail(n,
                              "attribute \"body\" must be a graph with %d input%s and %d output%s",
                              n_carried + 2, inlay_plural(n_carried + 2, "", "s"), n->n_out + 1,
                              inlay_plural(n->n_out + 1, "", "s"));
    own[0] = trip_count(n);
    own[1] = own[LOOP_CONDITION] = onnx_in(n, 1) ? onnx_single(n, n->in[1]) : true_value(n);
    for (int i = 0; i < n_carried; i++)
        own[LOOP_CARRIED + i] = n->in[2 + i];
    if (!own[0] || !own[1] || !find_captures(&c, n, &b.g, 1) ||
        !(owner = make_owner(n, "Loop", own, LOOP_CARRIED + n_carried, &c)))
        return false;
    own[1] = own[0]; /* before the condition, now: the inputs of the body begin with a counter */
    if (!begin_body(n, owner, &b) || !take_captures(&c, &b, LOOP_CARRIED + n_carried) ||
        !onnx_import_graph(&b.scope, b.g, own + 1, n_carried + 1) ||
        !connect_loop(n, &b, (int)c.count, n_carried))
        return false;
    return finish_owner(n, owner, &b, 1);
}

/* Loops of parts */

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

/* Makes P a port of slices of one element along AXIS. */
static void slice_along(inlay_port *p, int axis, bool backward)
{
    p->has_axis = true;
    p->axis = axis;
    p->start = backward ? -1 : 0;
    p->end = backward ? 0 : -1;
    p->stride = backward ? -1 : 1;
    p->part_size = 1;
}

/* Makes Parameter I of the body B and connects it to operand FIRST + I. A slice loses its axis. */
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
    if (!v || !onnx_set_item_type(v, onnx_content_type(outer), l->n->d) ||
        !assemble_port(b->names, true, &port))
        return NULL;
    return part >= 0 ? make_squeeze(inside, v, (int64_t[]){axis}, 1) : v;
}

/* Makes Result I of the body B. */
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

/* Makes the condition of a Loop, which is always true. */
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
    inlay_value **params = inlay_arena_array(scratch, (size_t)(n_in + n_out), sizeof *params);
    inlay_value **results;
    onnx_node inside = *l->n;
    bool ok = true;

    if (!params || !begin_body(l->n, owner, b))
        return params ? false : inlay_fail_memory(l->n->d);
    inside.s = &b->scope;
    results = params + n_in;
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
        inlay_arena_array(l->n->s->r->a.scratch, (size_t)(first + count), sizeof *in);
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
    for (int i = 0; i < first + count; i++) {
        if (!in[i])
            return false;
    }
    owner = begin_owner(l->n, l->trips ? "Loop" : "TensorIterator", in, first + count, n_out);
    if (!owner || !fill_body(l, owner, &b, first) || !end_owner(l->n, owner, &b, 1))
        return false;
    for (int i = 0; i < n_out; i++)
        out[i] = &owner->out[i];
    return true;
}

bool onnx_captured(onnx_node *n, const Onnx__GraphProto *g, const char *const **names, int *count)
{
    captures c;

    if (!find_captures(&c, n, &g, 1))
        return false;
    *names = c.names;
    *count = (int)c.count;
    return c.count < INT32_MAX ||
           onnx_node_fail(n, "captures %zu value%s", c.count, inlay_plural(c.count, "", "s"));
}

const onnx_operator onnx_operators_control[] = {
    {"If", 1, import_if, NULL, 1},
    {"Loop", 1, import_loop, NULL, -1},
    {NULL, 0, NULL, NULL, 0},
};
