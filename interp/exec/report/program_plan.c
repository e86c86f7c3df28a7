/* What a program will do, without running it, according to the instance for its static shapes. */
#include "interp/exec/build/copied.h"
#include "interp/exec/plan/aligned.h"
#include "interp/exec/plan/packed.h"
#include "interp/exec/report/static_instance.h"
#include "interp/library/library.h"

#include <stdlib.h>
#include <string.h>

static const char *const roots[] = {
    [EXEC_ARENA] = "arena", [EXEC_CONST] = "const", [EXEC_INPUT] = "input",
    [EXEC_STATE] = "state", [EXEC_HEAP] = "output", [EXEC_MADE] = "made"};

/* Returns a word for how a step is computed. */
static const char *made_of(const exec_step *s)
{
    switch (s->kind) {
    case EXEC_NOTHING:
        return s->views ? "view" : "nothing";
    case EXEC_POINT:
        return "view";
    case EXEC_COPY:
        return "copy";
    case EXEC_ZEROS:
        return "zeros";
    case EXEC_BLOCKS:
        return "rows";
    case EXEC_FUSED:
        return "fused";
    case EXEC_CHAIN:
        return "chain";
    case EXEC_MOVES:
        return "moves";
    case EXEC_KERNEL:
        return "kernel";
    case EXEC_CHECK:
        return "check";
    case EXEC_ASSIGN:
        return "assign";
    case EXEC_WALK:
        break;
    }
    return s->inner ? "bodies" : "in the run";
}

static const exec_allocation *allocation_of(const exec_instance *x, size_t value)
{
    return x->allocation[value] == SIZE_MAX
               ? NULL
               : &x->allocations[x->allocations[x->allocation[value]].same];
}

static inlay_plan_place place_of(const exec_instance *x, const inlay_value *value, size_t slot)
{
    const exec_allocation *u = allocation_of(x, slot);
    const inlay_tensor *t = x->meta[slot];
    inlay_plan_place p = {.value = value, .root = "in the run", .number = -1};
    size_t bytes;

    if (inlay_fact_bytes(&value->fact, &bytes))
        p.bytes = bytes;
    if (!u || !t || u->points)
        return p;
    p.root = roots[exec_in_arena(u) ? EXEC_ARENA : u->root];
    if (exec_in_register(x, slot)) {
        p.root = "register";
        p.offset = -1;
        p.bytes = inlay_tensor_bytes(t);
        return p;
    }
    p.number = u->root == EXEC_INPUT || u->root == EXEC_STATE ? u->number : -1;
    p.bytes = inlay_tensor_bytes(t);
    p.strided = !inlay_tensor_is_dense(t);
    if (u->root != EXEC_CONST)
        p.offset = (int64_t)((char *)t->data - x->allocations[x->allocation[slot]].fake) +
                   t->offset * (inlay_type_info_of(t->type)->bits / 8) +
                   (exec_in_arena(u) ? (int64_t)u->offset : 0);
    return p;
}

/* Steps */

/* An instance and the list of steps that is made of it. */
struct list {
    inlay_program_plan *out;
    const exec_instance *x;
    const exec_pick *picks; /* by slot; NULL: X is an instance of a body */
    int64_t at;             /* where in the arena that of X begins */
    int depth;
};

static inlay_plan_place place_in(const struct list *l, const inlay_value *value, size_t slot)
{
    inlay_plan_place p = place_of(l->x, value, slot);

    if (strcmp(p.root, roots[EXEC_ARENA]) == 0)
        p.offset += l->at;
    else if (l->depth > 0 && strcmp(p.root, roots[EXEC_HEAP]) == 0)
        p.root = "result";
    return p;
}

static bool list_places(const struct list *l, const exec_step *s, inlay_plan_step *to)
{
    const inlay_node *n = s->step->node;
    inlay_plan_place *in = inlay_arena_array(l->out->memory, (size_t)n->n_in + 1, sizeof *in);
    inlay_plan_place *outs = inlay_arena_array(l->out->memory, (size_t)n->n_out + 1, sizeof *outs);

    for (int i = 0; in && i < n->n_in; i++) {
        if (s->in[i] != SIZE_MAX)
            in[i] = place_in(l, n->in[i].value, s->in[i]);
    }
    for (int i = 0; outs && i < n->n_out; i++)
        outs[i] = place_in(l, &n->out[i], s->out[i]);
    to->in = in;
    to->out = outs;
    return in && outs;
}

static bool list_bodies(const struct list *l, const exec_step *s, inlay_plan_step *to);

/* Returns whether S is computed as part of a fusion group, or selects rows for one. */
static bool is_of_group(const exec_step *s)
{
    return s->kind == EXEC_FUSED || s->kind == EXEC_CHAIN || (s->kind == EXEC_CHECK && s->fused);
}

/* Returns the number of the group that S is computed with; 0: there is none. */
static int group_of(const exec_step *s)
{
    const exec_fused *f = is_of_group(s)           ? s->fused
                          : s->kind == EXEC_KERNEL ? s->kernel.follower
                                                   : NULL;

    return f ? f->number : 0;
}

static const char *kernel_of(const exec_step *s)
{
    if (s->kind == EXEC_CHAIN)
        return "onednn";
    return s->kind == EXEC_KERNEL && s->kernel.library ? s->kernel.library->name : NULL;
}

static bool list_step(const struct list *l, const exec_step *s, inlay_plan_step *to)
{
    *to = (inlay_plan_step){.node = s->step->node,
                            .made = made_of(s),
                            .kernel = kernel_of(s),
                            .group = group_of(s),
                            .in_place = s->in_place,
                            .picked =
                                l->picks && s->step->node->n_out == 1 && l->picks[s->out[0]].picks,
                            .copied_bytes = exec_step_copies(l->x, s)};
    if (inlay_node_is(to->node, INLAY_OP_READ_VALUE))
        l->out->initial_copies += to->copied_bytes;
    return list_places(l, s, to) && list_bodies(l, s, to);
}

static bool is_listed(const exec_step *s)
{
    return !inlay_node_is(s->step->node, INLAY_OP_CONST) || s->kind != EXEC_NOTHING;
}

/* Lists the steps of L in TO, which has room for them, and adds their number to *N. */
static bool list_steps(const struct list *l, inlay_plan_step *to, size_t *n)
{
    bool ok = true;

    for (size_t i = 0; ok && i < l->x->n; i++) {
        if (is_listed(&l->x->list[i]))
            ok = list_step(l, &l->x->list[i], &to[(*n)++]);
    }
    return ok;
}

/* Bodies */

/* Adds where a carried value is stored to P, unless it is listed already. */
static void add_slot(const exec_inner *in, int place, int64_t frame, inlay_plan_port *p)
{
    int64_t at = place >= 0 && (size_t)place < in->n_frame_slots
                     ? frame + (int64_t)in->frame_slots[place].at
                 : place <= EXEC_WANTED ? -2
                                        : -1;
    bool found = false;

    for (int i = 0; i < p->n_slots; i++)
        found = found || p->slots[i] == at;
    if (!found && p->n_slots < 2)
        p->slots[p->n_slots++] = at;
}

static bool is_carried(const inlay_body *b, int param)
{
    bool carried = false;

    for (int i = 0; i < b->n_back; i++)
        carried = carried || b->back[i].to == param;
    return carried;
}

/* Describes how Parameter number I enters the body of L; its first input port is PORT. */
static void describe_carried(const exec_inner *in, int i, int64_t frame, inlay_plan_port *p)
{
    p->how = "carried";
    for (size_t k = 1; k < in->n_iterations; k++)
        add_slot(in, in->iterations[k].reads[i], frame, p);
}

static void describe_slice(const exec_inner *in, const exec_instance *outer, const inlay_port *port,
                           inlay_plan_port *p)
{
    const graph_steps *s = outer->steps;
    const inlay_value *v = in->step->node->in[port->outer].value;
    const inlay_tensor *t = outer->meta[steps_slot(s, v)];
    int64_t axis = port->axis < 0 && t ? port->axis + t->rank : port->axis;

    p->how = "slice";
    if (t && axis >= 0 && axis < t->rank)
        p->moves = port->stride * t->strides[axis] * (inlay_type_info_of(t->type)->bits / 8);
}

static bool list_inputs(const struct list *l, const exec_inner *in, const exec_instance *outer,
                        int64_t frame, inlay_plan_body *to)
{
    const inlay_body *b = to->body;
    inlay_plan_port *list =
        inlay_arena_array(l->out->memory, (size_t)b->graph->n_params + 1, sizeof *list);

    for (int i = 0; list && i < b->graph->n_params; i++)
        list[i] = (inlay_plan_port){&b->graph->params[i]->out[0], "operand", -1, 0, {0}, 0};
    for (int i = 0; list && i < b->n_in; i++) {
        const inlay_port *port = &b->in[i];
        inlay_plan_port *p = &list[port->inner];

        p->outer = port->outer;
        if (port->purpose == INLAY_PORT_ITERATION)
            p->how = "number";
        else if (port->purpose == INLAY_PORT_PLAIN && port->has_axis && port->outer >= 0)
            describe_slice(in, outer, port, p);
    }
    for (int i = 0; list && i < b->graph->n_params; i++) {
        if (is_carried(b, i))
            describe_carried(in, i, frame, &list[i]);
    }
    to->in = list;
    to->n_in = b->graph->n_params;
    return list != NULL;
}

static bool list_outputs(const struct list *l, const exec_inner *in, inlay_plan_body *to)
{
    const inlay_body *b = to->body;
    const exec_iteration *last =
        in->n_iterations > 0 ? &in->iterations[in->n_iterations - 1] : NULL;
    inlay_plan_port *list = inlay_arena_array(l->out->memory, (size_t)b->n_out + 1, sizeof *list);

    for (int i = 0; list && i < b->n_out; i++) {
        const inlay_port *port = &b->out[i];
        inlay_plan_port *p = &list[to->n_out];

        if (port->outer < 0)
            continue;
        *p = (inlay_plan_port){
            b->graph->results[port->inner]->in[0].value, "last", port->outer, 0, {0}, 0};
        if (port->has_axis)
            p->how = last && last->makes[port->inner] == EXEC_WINDOW ? "window" : "part";
        to->n_out++;
    }
    to->out = list;
    return list != NULL;
}

/* Lists what body number I of IN, a step of L, will do. */
static bool list_body(const struct list *l, const exec_inner *in, int i, inlay_plan_body *to)
{
    const exec_body_plans *k = &in->bodies[i];
    const exec_iteration *last =
        in->n_iterations > 0 ? &in->iterations[in->n_iterations - 1] : NULL;
    const exec_allocation *frame =
        in->value == SIZE_MAX ? NULL : &l->x->allocations[l->x->allocation[in->value]];
    struct list inner = {.out = l->out, .depth = l->depth + 1};
    inlay_plan_step *steps;

    if (k->n == 0)
        return true;
    inner.x = k->list[last ? last->kind : 0];
    to->known = true;
    to->repeats = in->repeats;
    to->iterations = in->known;
    to->offset = l->at + (frame ? (int64_t)frame->offset : 0);
    to->bytes = frame ? frame->bytes : 0;
    inner.at = to->offset + (int64_t)in->base;
    to->copied_first =
        last ? in->iterations[0].copied : exec_instance_copies(inner.x, &(bool){false});
    to->copied_each = last ? last->copied : 0;
    to->copied_all = in->known > 0 ? in->copied : 0;
    to->input_copies = exec_entry_copies(k->list[0]);
    steps = inlay_arena_array(l->out->memory, inner.x->n + 1, sizeof *steps);
    to->steps = steps;
    return steps && list_steps(&inner, steps, &to->n_steps) &&
           list_inputs(l, in, l->x, to->offset, to) && list_outputs(l, in, to);
}

/* Bodies are nested no deeper than INLAY_MAX_BODY_DEPTH. */
static bool list_bodies(const struct list *l, const exec_step *s, inlay_plan_step *to)
{
    const inlay_node *n = s->step->node;
    inlay_plan_body *list;
    bool ok = true;

    if (n->n_bodies == 0)
        return true;
    list = inlay_arena_array(l->out->memory, (size_t)n->n_bodies, sizeof *list);
    for (int i = 0; list && i < n->n_bodies; i++)
        list[i].body = &n->bodies[i];
    for (int i = 0; ok && list && s->inner && i < n->n_bodies; i++)
        ok = list_body(l, s->inner, i, &list[i]);
    to->bodies = list;
    to->n_bodies = n->n_bodies;
    return ok && list;
}

/* Segments */

static bool is_dynamic(const exec_instance *x, const inlay_value *v)
{
    bool dynamic = false;

    for (size_t k = 0; v && k < x->segment.n_over && !dynamic; k++)
        dynamic = x->segment.over[k] == steps_slot(x->steps, v);
    return dynamic;
}

/* Returns the data in whose window V is computed, perhaps in a part of a part of it; or NULL. */
static const inlay_value *data_around(const inlay_value *v)
{
    const inlay_node *r;

    while (v->note == INLAY_INTO && (v->note_target->node->op->flags & INLAY_HOLDS))
        v = v->note_target;
    r = v->note == INLAY_INTO ? v->note_target->node : NULL;
    return r ? inlay_node_input(r, r->op->overwrites) : NULL;
}

/* Returns the first value that the step after X needs and whose size is not known before the run:
 * an operand, or the value that an output is stored in. */
static const inlay_value *waited_for(const exec_instance *x)
{
    const inlay_node *n = x->steps->list[x->segment.end].node;
    const inlay_value *waits = NULL;

    for (int i = 0; i < n->n_in && !waits; i++)
        waits = is_dynamic(x, n->in[i].value) ? n->in[i].value : NULL;
    for (int i = 0; i < n->n_out && !waits; i++)
        waits = is_dynamic(x, data_around(&n->out[i])) ? data_around(&n->out[i]) : NULL;
    return waits;
}

static bool add_segment(struct list *l, bool at_most)
{
    inlay_program_plan *out = l->out;
    const exec_instance *x = l->x;
    inlay_plan_segment *s = &out->segments[out->n_segments++];

    *s = (inlay_plan_segment){.first = out->n_steps,
                              .waits = x->segment.before ? waited_for(x->segment.before) : NULL,
                              .at_most = at_most,
                              .known = true};
    out->about = out->about || at_most;
    out->copied_bytes += exec_instance_copies(x, &out->about);
    out->saved_bytes += exec_instance_saves(x);
    out->arena_bytes = x->arena.bytes;
    out->lower_bound_bytes =
        x->arena.bound > out->lower_bound_bytes ? x->arena.bound : out->lower_bound_bytes;
    return list_steps(l, out->steps, &out->n_steps);
}

/* Lists the steps after X, which are planned in the run. */
static void add_later(inlay_program_plan *out, const exec_instance *x)
{
    const graph_steps *s = x->steps;

    out->about = true;
    out->segments[out->n_segments++] =
        (inlay_plan_segment){.first = out->n_steps, .waits = waited_for(x)};
    for (size_t i = x->segment.end; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        if (steps_runs(n) && !inlay_node_is(n, INLAY_OP_CONST))
            out->steps[out->n_steps++] = (inlay_plan_step){.node = n, .made = "later"};
    }
}

/* Lists all segments; CHAIN has room for them, and receives their instances. */
static bool list_all(inlay_program_plan *out, const exec_plan *p, exec_instance **chain,
                     inlay_diags *d)
{
    size_t n = p->steps->n + 1;
    struct list l = {.out = out, .picks = p->picks};
    bool ok, at_most = false;

    out->memory = inlay_arena_of(inlay_graph_budget(p->steps->graph));
    out->steps = out->memory ? inlay_arena_array(out->memory, n, sizeof *out->steps) : NULL;
    out->segments = out->memory
                        ? inlay_arena_array(out->memory, EXEC_SEGMENTS + 1, sizeof *out->segments)
                        : NULL;
    ok = out->steps && out->segments && (chain[0] = exec_static_instance(p, true, d));
    for (int i = 0; ok && chain[i]; i++) {
        l.x = chain[i];
        if (i == 0)
            out->input_copies = exec_entry_copies(l.x);
        ok = add_segment(&l, at_most);
        if (!ok || !exec_goes_on(l.x))
            break;
        at_most = true;
        ok = exec_largest_instance(p, l.x, &chain[i + 1], d);
        if (ok && !chain[i + 1])
            add_later(out, l.x);
    }
    return ok || inlay_fail_memory(d);
}

bool inlay_program_plan_make(const inlay_graph *g, inlay_kernels kernels, inlay_program_plan *out,
                             inlay_diags *d)
{
    exec_instance *chain[EXEC_SEGMENTS + 1] = {NULL};
    graph_steps *s;
    exec_plan *p;
    bool ok;

    *out = (inlay_program_plan){0};
    if (!inlay_graph_is_whole(g, d))
        return false;
    s = steps_new(g, d);
    p = s ? exec_plan_new(s, d) : NULL;
    if (p)
        exec_plan_kernels(p, kernels, false);
    ok = p && (kernels != INLAY_KERNELS_ONEDNN || exec_plan_module(p, inlay_processors(), d)) &&
         list_all(out, p, chain, d);
    out->aligned_bytes = p ? exec_plan_misaligned_bytes(p) : 0;
    out->packed_bytes = p ? exec_plan_packable_bytes(p) : 0;
    for (int i = EXEC_SEGMENTS; i-- > 0;)
        exec_instance_free(chain[i]);
    exec_plan_free(p);
    steps_free(s);
    if (!ok)
        inlay_program_plan_free(out);
    return inlay_budget_tell(inlay_graph_budget(g), ok, d);
}

void inlay_program_plan_free(inlay_program_plan *p)
{
    if (!p)
        return;
    inlay_arena_free(p->memory);
    *p = (inlay_program_plan){0};
}
