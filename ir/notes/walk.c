/* The checker's walk over the order, layer by layer. See notes.h. */
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/notes/notes.h"

#include <stdlib.h>
#include <string.h>

/* A buffer. */
typedef struct buffer {
    const inlay_value *owner;       /* the value that has it without a note */
    const inlay_variable *variable; /* whose state it holds, or NULL */
    const note_region *whole;       /* made when first asked for */
    note_layers layers;
} buffer;

/* Where a value stands. */
typedef struct place {
    buffer *in;               /* NULL: not made yet */
    size_t knows;             /* it contains so many layers, the lowest ones */
    const note_region *where; /* NULL: the whole */
    bool dense;               /* its elements follow each other */
} place;

typedef struct walk {
    const inlay_graph *g;
    const inlay_order_list *order;
    inlay_arena *arena;
    size_t *first_slot; /* by node id */
    place *places;      /* by slot */
    buffer **state;     /* by index of variable */
    note_parts parts;
    note_complaint *c;
    inlay_diags *d;
    note_costs costs;
    bool failed; /* out of memory */
} walk;

static bool out_of_memory(walk *w)
{
    w->failed = true;
    return inlay_fail_memory(w->d);
}

static place *place_of(const walk *w, const inlay_value *v)
{
    return &w->places[w->first_slot[v->node->id] + (size_t)v->index];
}

static const note_region *where_is(walk *w, place *p)
{
    if (!p->in->whole && !(p->in->whole = note_region_whole(w->arena, p->in->owner)))
        out_of_memory(w);
    if (!p->where)
        p->where = p->in->whole;
    return p->where;
}

static bool push(walk *w, buffer *b, const inlay_value *v, const note_region *where)
{
    return note_layers_push(&b->layers, w->arena, v, where) || out_of_memory(w);
}

/* The first layer above those that P knows that lies over what READER, a user of it, looks at, or
 * NULL. */
static const note_layer *layer_over(walk *w, place *p, const inlay_use *reader)
{
    const note_region *where;

    if (p->knows == p->in->layers.n)
        return NULL;
    where = where_is(w, p);
    if (where && inlay_node_is(reader->node, INLAY_OP_SLICE) && reader->index == 0) {
        where = note_region_slice(w->arena, where, reader->node);
        if (!where)
            out_of_memory(w);
    }
    return where ? note_layers_first(&p->in->layers, p->knows, where, &w->costs) : NULL;
}

static bool is_observer(const inlay_node *n)
{
    return (n->op->flags & (INLAY_SINK | INLAY_HAS_BODY)) != 0;
}

/* Which condition a read that comes too late breaks. */
static const char *condition_of(const inlay_use *u, const note_layer *l)
{
    const inlay_value *out = u->node->n_out > 0 ? &u->node->out[0] : NULL;

    if (u->node->op->flags & INLAY_HAS_BODY)
        return "body";
    if (l->value->note == INLAY_INTO)
        return "I5 sole-consumer";
    if (is_observer(u->node))
        return "O4 not-observed";
    if (out && out->note == INLAY_OVERWRITES && out->note_target == u->value)
        return "O5 one-heir";
    return u->value->note == INLAY_VIEW_OF ? "V1 read-before-write" : "O3 last-read";
}

static bool check_read(walk *w, const inlay_use *u)
{
    place *p = place_of(w, u->value);
    const note_layer *l;
    char reader[120], value[120];

    l = layer_over(w, p, u);
    if (w->failed || !l)
        return !w->failed;
    return note_complain(w->c, l->value, "%s reads %s after this is written over it (%s)",
                         note_node_text(u->node, reader, sizeof reader),
                         note_value_text(u->value, value, sizeof value), condition_of(u, l));
}

/* The data of a SliceScatter that writes over it: what is kept of it is judged at the write. */
static bool is_kept_data(const inlay_use *u)
{
    const inlay_node *n = u->node;

    return note_is_slice_scatter(n) && u->index == n->op->overwrites &&
           n->out[0].note == INLAY_OVERWRITES;
}

/* Uses that look at no bytes. */
static bool reads_nothing(const inlay_use *u)
{
    const inlay_node *n = u->node;
    bool viewed = u->index == 0 && n->n_out > 0;

    if (n->op->flags & INLAY_SHAPE_ONLY)
        return true;
    for (int i = 0; i < n->n_out; i++)
        viewed = viewed && n->out[i].note == INLAY_VIEW_OF && n->out[i].note_target == u->value;
    return viewed || (u->index == inlay_op_operand(n->op, INLAY_ROLE_UPDATES) && n->n_out > 0 &&
                      note_into_operand(&n->out[0]) == u->value);
}

static bool check_reads(walk *w, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_use *u = &n->in[i];

        if (!u->value)
            continue;
        if (!place_of(w, u->value)->in)
            return inlay_fail_node(w->d, n, "the order has it before its input %d", i);
        if (!reads_nothing(u) && !is_kept_data(u) && !check_read(w, u))
            return false;
    }
    return true;
}

/* What N reads while it writes V: the same positions, each before it is written, or others. */
static bool check_own_reads(walk *w, const inlay_value *v, const buffer *b,
                            const note_region *written)
{
    const inlay_node *n = v->node;

    for (int i = 0; i < n->n_in; i++) {
        const inlay_use *u = &n->in[i];
        place *p = u->value ? place_of(w, u->value) : NULL;
        const note_region *read;
        char value[120];

        if (!p || p->in != b || reads_nothing(u) || (note_is_scatter(n) && i == n->op->overwrites))
            continue;
        read = where_is(w, p);
        if (w->failed)
            return false;
        if (!note_meets(&w->costs, read, written) ||
            ((n->op->flags & INLAY_POINTWISE) && note_region_same(read, written)))
            continue;
        return note_complain(w->c, v, "it reads other positions of %s than the one it writes (%s)",
                             note_value_text(u->value, value, sizeof value),
                             v->note == INLAY_INTO ? "I3 other-operands" : "O6 no-self-read");
    }
    return true;
}

static buffer *new_buffer(walk *w, const inlay_value *owner)
{
    buffer *b = inlay_arena_alloc(w->arena, sizeof *b);

    if (b)
        *b = (buffer){.owner = owner, .layers.rank = owner->fact.rank};
    else
        out_of_memory(w);
    return b;
}

static bool place_fresh(walk *w, const inlay_value *v)
{
    const inlay_variable *read = inlay_variable_of(v->node, INLAY_OP_READ_VALUE);
    place *p = place_of(w, v);

    if (read && w->state[read->index]) {
        *p = (place){.in = w->state[read->index], .dense = true};
        return true;
    }
    *p = (place){.in = new_buffer(w, v), .dense = true};
    if (read && p->in) {
        p->in->variable = read;
        w->state[read->index] = p->in;
    }
    return p->in != NULL;
}

/* Bodies may hand an input through, so nobody knows whose buffer their outputs are. */
static bool check_root(walk *w, const inlay_value *v, const buffer *b)
{
    char owner[120];

    if (b->owner->node->op->flags & INLAY_HAS_BODY)
        return note_complain(w->c, v, "the buffer belongs to %s (body)",
                             note_node_text(b->owner->node, owner, sizeof owner));
    if (v->note != INLAY_VIEW_OF && inlay_node_is(b->owner->node, INLAY_OP_CONST))
        return note_complain(w->c, v, "the constant %s may not be written (O2 writable-root)",
                             note_value_text(b->owner, owner, sizeof owner));
    return true;
}

static bool place_view(walk *w, const inlay_value *v)
{
    place *p = place_of(w, v), *from = place_of(w, v->note_target);
    const note_region *outer = where_is(w, from), *inner;
    bool cuts = false;

    if (!outer)
        return false;
    *p = (place){from->in, from->knows, NULL, from->dense};
    if (inlay_node_is(v->node, INLAY_OP_RESHAPE) && !from->dense)
        return note_complain(w->c, v, "what it reshapes is not dense (V2 strided-readers)");
    if (inlay_node_is(v->node, INLAY_OP_SLICE)) {
        cuts = true;
        inner = note_region_slice(w->arena, outer, v->node);
    } else if (v->node->op->flags & INLAY_CUTS) {
        cuts = true;
        inner = note_region_split(w->arena, outer, v, &w->parts);
    } else if (inlay_node_is(v->node, INLAY_OP_CONVERT)) {
        inner = outer;
    } else {
        inner = note_region_turned(w->arena, outer, false);
    }
    if (!inner)
        return out_of_memory(w);
    p->where = inner;
    p->dense = from->dense && !cuts && !inlay_node_is(v->node, INLAY_OP_TRANSPOSE);
    if (cuts && !note_region_on_bytes(inner, p->in->owner))
        return note_complain(w->c, v,
                             "its rows do not begin and end on whole bytes (V4 "
                             "whole-bytes)");
    return check_root(w, v, p->in);
}

/* R = SliceScatter stands where its data D stands. What was written since D must be R's own window,
 * or must be gone under it. */
static bool check_window(walk *w, const inlay_value *r, place *d, const note_region *written)
{
    const inlay_value *u = note_into_operand(r);
    size_t own = u ? place_of(w, u)->knows - 1 : d->in->layers.n;

    for (size_t k = d->knows; k < d->in->layers.n; k++) {
        const note_layer *l = &d->in->layers.list[k];
        bool covered = k < own && note_inside(&w->costs, l->where, written);
        char other[120], value[120];

        if (k == own || covered || !note_meets(&w->costs, l->where, where_is(w, d)))
            continue;
        return note_complain(w->c, r, "%s was already written over %s (O5 one-heir)",
                             note_value_text(l->value, other, sizeof other),
                             note_value_text(r->note_target, value, sizeof value));
    }
    return true;
}

static bool place_overwriting(walk *w, const inlay_value *v)
{
    place *p = place_of(w, v), *t = place_of(w, v->note_target);
    const note_region *where = where_is(w, t), *written = where;

    if (!where || !check_root(w, v, t->in))
        return false;
    if (note_is_slice_scatter(v->node))
        written = note_region_slice(w->arena, where, v->node);
    else if (note_is_scatter(v->node)) /* some of it, nobody knows which */
        written = note_region_turned(w->arena, where, true);
    if (!written)
        return out_of_memory(w);
    if (!check_own_reads(w, v, t->in, written) ||
        (note_is_slice_scatter(v->node) && !check_window(w, v, t, written)))
        return false;
    if (!note_into_operand(v) && !push(w, t->in, v, written))
        return false;
    *p = (place){t->in, t->in->layers.n, where, t->dense};
    return true;
}

/* To compute in the window, the data must stand there and the window must be known. */
static bool check_ready(walk *w, const inlay_value *v, const inlay_node *scatter)
{
    int updates = inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES);
    char operand[120];

    for (int i = 0; i < scatter->n_in; i++) {
        const inlay_value *x = scatter->in[i].value;

        if (i == updates || !x || place_of(w, x)->in ||
            (i > updates && inlay_node_is(x->node, INLAY_OP_CONST)))
            continue;
        return note_complain(w->c, v,
                             "%s, input %d of the SliceScatter, is made later (I9 "
                             "same-version)",
                             note_value_text(x, operand, sizeof operand), i);
    }
    return true;
}

static bool place_into(walk *w, const inlay_value *v)
{
    const inlay_node *scatter = v->note_target->node;
    place *p = place_of(w, v), *d;
    const note_region *outer, *written;

    if (place_of(w, v->note_target)->in)
        return note_complain(w->c, v, "the SliceScatter runs before it");
    if (!check_ready(w, v, scatter))
        return false;
    d = place_of(w, inlay_node_input(scatter, scatter->op->overwrites));
    outer = where_is(w, d);
    written = outer ? note_region_slice(w->arena, outer, scatter) : NULL;
    if (!written)
        return w->failed ? false : out_of_memory(w);
    if (!note_region_on_bytes(written, d->in->owner))
        return note_complain(w->c, v,
                             "the window's rows do not begin and end on whole bytes (O12 "
                             "bytes)");
    if (!check_root(w, v, d->in) || !check_own_reads(w, v, d->in, written) ||
        !push(w, d->in, v, written))
        return false;
    *p = (place){d->in, d->in->layers.n, written, false};
    return true;
}

static bool step(walk *w, const inlay_node *n)
{
    inlay_count_node(n);
    if (!check_reads(w, n))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        const inlay_value *v = &n->out[i];
        bool ok = v->note == INLAY_FRESH        ? place_fresh(w, v)
                  : v->note == INLAY_VIEW_OF    ? place_view(w, v)
                  : v->note == INLAY_OVERWRITES ? place_overwriting(w, v)
                                                : place_into(w, v);

        if (!ok)
            return false;
    }
    return true;
}

static const inlay_value *last_write(const buffer *b)
{
    return b->layers.list[b->layers.n - 1].value;
}

/* What N is given is looked at when the run is over. */
static bool check_observed(walk *w, const inlay_use *u)
{
    const inlay_value *v = u->value;
    const buffer *b = place_of(w, v)->in;
    char node[120];

    if (v->note == INLAY_VIEW_OF)
        return note_complain(w->c, v, "it outlives the buffer: %s has it (V3 does-not-outlive)",
                             note_node_text(u->node, node, sizeof node));
    if (b->variable && b->layers.n > 0 && inlay_node_is(u->node, INLAY_OP_RESULT))
        return note_complain(w->c, last_write(b),
                             "the buffer of variable \"%.80s\" would be the output %s (O4 "
                             "not-observed)",
                             b->variable->name, note_node_text(u->node, node, sizeof node));
    if (b->variable && b->layers.n > 0 && inlay_node_is(u->node, INLAY_OP_ASSIGN) &&
        inlay_node_attr(u->node, "variable_id")->as.variable != b->variable)
        return note_complain(w->c, last_write(b),
                             "%s would give the buffer of variable \"%.80s\" to another one (O4 "
                             "not-observed)",
                             note_node_text(u->node, node, sizeof node), b->variable->name);
    return check_read(w, u);
}

static bool check_end(walk *w)
{
    for (size_t i = 0; i < w->order->n; i++) {
        const inlay_node *n = w->order->nodes[i];

        if (n->n_out > 0 && n->out[0].note == INLAY_INTO && !place_of(w, n->out[0].note_target)->in)
            return note_complain(w->c, &n->out[0], "the SliceScatter does not run");
        for (int k = 0; is_observer(n) && k < n->n_in; k++) {
            if (n->in[k].value && !check_observed(w, &n->in[k]))
                return false;
        }
    }
    return true;
}

/* Does the value at P stand in its buffer as the owner did: all of it, in the same order? */
static bool fills_buffer(walk *w, place *p)
{
    const note_region *where = where_is(w, p);

    return where && p->in->whole && note_region_same(where, p->in->whole);
}

/* The state's buffer was written: what stands there at the end must be the new state. INSIDE: a
 * node of a body that uses the variable. */
static bool check_state(walk *w, const buffer *b, const inlay_node *assign,
                        const inlay_node *inside)
{
    const inlay_value *v = assign ? inlay_node_input(assign, 0) : NULL;
    char node[120];

    if (inside)
        return note_complain(w->c, last_write(b), "a body uses variable \"%.80s\" (body)",
                             b->variable->name);
    if (!v)
        return note_complain(w->c, last_write(b),
                             "nothing is assigned to variable \"%.80s\", which is written (O2 "
                             "writable-root)",
                             b->variable->name);
    if (place_of(w, v)->in != b || !fills_buffer(w, place_of(w, v)))
        return note_complain(w->c, last_write(b),
                             "%s assigns something else to variable \"%.80s\" (O13 "
                             "result-survives)",
                             note_node_text(assign, node, sizeof node), b->variable->name);
    return true;
}

/* ASSIGN and INSIDE by index of variable. */
static bool check_each_state(walk *w, const inlay_node **assign, const inlay_node **inside)
{
    inlay_variables_in_bodies(w->g, inside);
    for (size_t i = 0; i < w->order->n; i++) {
        const inlay_variable *v = inlay_variable_of(w->order->nodes[i], INLAY_OP_ASSIGN);

        inlay_count_steps(w->g, 1);
        if (v)
            assign[v->index] = w->order->nodes[i];
    }
    for (int i = 0; i < w->g->n_variables; i++) {
        if (w->state[i] && w->state[i]->layers.n > 0 &&
            !check_state(w, w->state[i], assign[i], inside[i]))
            return false;
    }
    return true;
}

static bool check_states(walk *w)
{
    size_t n = (size_t)w->g->n_variables;
    const inlay_node **assign = inlay_arena_array(w->arena, n, sizeof *assign);
    const inlay_node **inside = inlay_arena_array(w->arena, n, sizeof *inside);

    return assign && inside ? check_each_state(w, assign, inside) : out_of_memory(w);
}

static bool walk_order(walk *w)
{
    size_t slots = 0;

    for (const inlay_node *n = w->g->first; n; n = n->next) {
        w->first_slot[n->id] = slots;
        slots += (size_t)n->n_out;
    }
    w->places = calloc(slots + 1, sizeof *w->places);
    w->state = calloc((size_t)w->g->n_variables + 1, sizeof(buffer *));
    if (!w->places || !w->state)
        return inlay_fail_memory(w->d);
    for (size_t i = 0; i < w->order->n; i++) {
        if (!step(w, w->order->nodes[i]))
            return false;
    }
    return check_end(w) && check_states(w);
}

bool note_walk(const inlay_graph *g, const inlay_order_list *order, note_complaint *c,
               inlay_diags *d)
{
    walk w = {.g = g, .order = order, .c = c, .d = d, .arena = inlay_arena_new(), .costs.graph = g};
    bool ok;

    w.first_slot = calloc((size_t)g->next_id + 1, sizeof *w.first_slot);
    ok = w.first_slot && w.arena ? walk_order(&w) : inlay_fail_memory(d);
    free(w.first_slot);
    free(w.places);
    free(w.state);
    inlay_arena_free(w.arena);
    return ok;
}
