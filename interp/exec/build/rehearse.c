/* Rehearses bodies before the run: their instances are made, and the iterations of a loop are
 * followed as a run would do them (repeat.c), with meta tensors. This tells how many slots a
 * carried value needs, what is copied, and how large the frame of a body is, which then lies in the
 * arena of the graph around it. */
#include "interp/exec/build/rehearse.h"
#include "interp/exec/build/cache.h"
#include "interp/exec/build/meta.h"
#include "interp/exec/build/query.h"
#include "interp/exec/build/rehearsal.h"
#include "interp/exec/build/rehearse_loop.h"

#include <string.h>

/* A body that runs once */

/* Returns how many bytes are copied because an output of B is not where the graph around it wants
 * it (exec_part_outputs). OUT has the results of B. */
static uint64_t parted_bytes(const rehearsal *r, const inlay_body *b, inlay_tensor *const *out)
{
    uint64_t bytes = 0;

    for (int i = 0; i < b->n_out; i++) {
        const inlay_tensor *t = out[b->out[i].inner];
        const inlay_tensor *own = b->out[i].outer < 0 ? NULL : r->destinations[b->out[i].outer];
        bool aliased = false;

        for (int k = 0; b->out[i].outer >= 0 && k < b->n_out && !aliased; k++) {
            const inlay_tensor *room =
                b->out[k].outer < 0 ? NULL : r->destinations[b->out[k].outer];

            aliased = room && room != own && room->data == t->data;
        }
        bytes += aliased && !(own && own->data == t->data) ? inlay_tensor_bytes(t) : 0;
    }
    return bytes;
}

static bool follow_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out)
{
    rehearsal *r = rehearsal_of(c);
    const inlay_body *b = &c->node->bodies[body];
    inlay_tensor **destinations =
        inlay_arena_array(r->b->scratch, (size_t)b->graph->n_results + 1, sizeof *destinations);
    bool *ours = inlay_arena_array(r->b->scratch, (size_t)b->graph->n_params + 1, sizeof *ours);
    bool any = ours && exec_find_ours(c, b, rehearsal_given, ours);
    const exec_outside o = rehearsal_outside(r, in, any ? ours : NULL);
    const exec_instance *x = destinations && ours ? rehearsal_take(r, body, &o) : NULL;

    memset(out, 0, (size_t)b->graph->n_results * sizeof *out);
    for (int i = 0; x && i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];
        const inlay_tensor *form = exec_result_form(x, p->inner);

        if (p->outer >= 0 && form && !destinations[p->inner])
            destinations[p->inner] = rehearsal_room(c, p->outer, form);
    }
    r->done = x && rehearsal_end(r, x, &o, destinations, out);
    for (int i = 0; r->done && i < b->n_out; i++) {
        if (b->out[i].outer >= 0)
            rehearsal_place(c, b->out[i].outer, out[b->out[i].inner]);
    }
    if (r->done)
        r->stats.copied_bytes += parted_bytes(r, b, out);
    if (!r->done)
        call_release(out, (size_t)b->graph->n_results);
    return r->done;
}

/* Follows all bodies, one of which will run; the largest number of copied bytes counts. */
static bool follow_bodies(inlay_call *c)
{
    rehearsal *r = rehearsal_of(c);
    uint64_t least = UINT64_MAX, most = 0;
    bool ok = true;

    for (int i = 0; ok && i < c->node->n_bodies; i++) {
        const inlay_body *b = &c->node->bodies[i];
        size_t n = (size_t)b->graph->n_results;
        const inlay_tensor **in =
            inlay_arena_array(r->b->scratch, (size_t)b->graph->n_params + 1, sizeof *in);
        inlay_tensor **out = inlay_arena_array(r->b->scratch, n + 1, sizeof *out);

        for (int k = 0; in && k < b->n_in; k++)
            in[b->in[k].inner] = b->in[k].outer >= 0 ? c->in[b->in[k].outer] : NULL;
        r->stats.copied_bytes = 0;
        ok = in && out && follow_body(c, i, in, out);
        if (ok)
            call_release(out, n);
        least = r->stats.copied_bytes < least ? r->stats.copied_bytes : least;
        most = r->stats.copied_bytes > most ? r->stats.copied_bytes : most;
    }
    r->stats.copied_bytes = most;
    r->to->about = r->to->about || least != most;
    return ok;
}

/* Steps */

/* Returns whether the kernel may read the elements of operand I. */
static bool reads(const inlay_call *c, int i)
{
    const rehearsal *r = rehearsal_of(c);
    size_t value = r->s->in[i];
    const exec_instance *x = r->b->x;

    return c->in[i] != x->meta[value] || x->allocations[x->allocation[value]].root == EXEC_CONST;
}

static const call_executor executor = {
    .run_body = follow_body, .repeat = rehearse_loop, .reads = reads};

static bool enters(const inlay_node *n, int operand)
{
    bool enters = false;

    for (int i = 0; i < n->n_bodies; i++) {
        for (int k = 0; k < n->bodies[i].n_in; k++)
            enters = enters || n->bodies[i].in[k].outer == operand;
    }
    return enters;
}

/* Lists the operands; an operand that enters no body has elements, if they are known. */
static const inlay_tensor **list_operands(const rehearsal *r)
{
    exec_builder *b = r->b;
    const inlay_node *n = r->s->step->node;
    const inlay_tensor **in = inlay_arena_array(b->scratch, (size_t)n->n_in + 1, sizeof *in);

    for (int i = 0; in && i < n->n_in; i++) {
        size_t value = r->s->in[i];

        if (value == SIZE_MAX)
            continue;
        if (!enters(n, i))
            in[i] = build_readable(b, value);
        in[i] = in[i] ? in[i] : b->x->meta[value];
    }
    return in;
}

static bool begin(rehearsal *r)
{
    const inlay_node *n = r->s->step->node;
    exec_inner *to = r->to;

    to->step = r->s->step;
    to->value = SIZE_MAX;
    to->bodies = inlay_arena_array(r->b->x->memory, (size_t)n->n_bodies + 1, sizeof *to->bodies);
    r->destinations =
        inlay_arena_array(r->b->scratch, (size_t)n->n_out + 1, sizeof *r->destinations);
    r->env = (run_env){.meter = r->b->meter, .stats = &r->stats};
    r->run = (struct inlay_run){.executor = &executor, .env = &r->env, .scratch = r->b->scratch};
    for (int i = 0; to->bodies && i < n->n_bodies; i++)
        to->bodies[i].plan = exec_plan_of_body(r->b->plan, r->s->step->bodies[i]);
    return to->bodies && r->destinations;
}

/* Follows what the kernel does. If elements that only the run knows decide which body runs, or how
 * often, all bodies are followed, or a loop with any number of iterations. */
static bool follow(rehearsal *r)
{
    const inlay_node *n = r->s->step->node;
    inlay_tensor **out = inlay_arena_array(r->b->scratch, (size_t)n->n_out + 1, sizeof *out);
    inlay_call c = {.node = n,
                    .in = list_operands(r),
                    .n_in = n->n_in,
                    .out = out,
                    .n_out = n->n_out,
                    .scratch = r->b->scratch,
                    .diags = r->b->said,
                    .run = &r->run};
    bool ok = c.in && out;

    if (ok && !call_kernel_of(n->op)(&c) && !r->to->repeats && !r->done) {
        call_release(out, (size_t)n->n_out);
        r->to->about = true;
        ok = n->n_bodies == 1 ? rehearse_loop(&c, INT64_MAX) : follow_bodies(&c);
    }
    if (out)
        call_release(out, (size_t)n->n_out);
    call_release(r->destinations, (size_t)n->n_out);
    meter_give(r->b->meter, r->run.scratch_taken);
    r->to->copied = r->stats.copied_bytes;
    return ok && r->done;
}

static void give_back(exec_inner *in)
{
    for (int i = 0; in->bodies && i < in->step->node->n_bodies; i++) {
        for (int k = 0; k < in->bodies[i].n; k++)
            exec_cache_give(in->bodies[i].plan, in->bodies[i].list[k]);
    }
}

/* Reserves memory in the arena for the frame of the bodies. */
static bool add_region(exec_builder *b, exec_inner *in)
{
    exec_instance *x = b->x;
    uint64_t most = 0;
    int64_t bytes;
    size_t allocation;
    inlay_tensor *t;

    for (int i = 0; i < in->step->node->n_bodies; i++) {
        for (int k = 0; k < in->bodies[i].n; k++)
            most = in->bodies[i].list[k]->arena.bytes > most ? in->bodies[i].list[k]->arena.bytes
                                                             : most;
    }
    bytes = (int64_t)(in->base + most);
    if (bytes == 0)
        return true;
    if (bytes < 0 || x->n_values == b->cap_values)
        return false;
    allocation = build_allocation(b, EXEC_ARENA, x->n_values, (uint64_t)bytes);
    if (allocation == SIZE_MAX)
        return false;
    x->allocations[allocation].last = x->allocations[allocation].first;
    in->value = x->n_values++;
    t = inlay_tensor_over_in(x->memory, NULL, x->allocations[allocation].fake, INLAY_U8, 1, &bytes);
    return build_value(b, in->value, allocation, t);
}

static bool operands_are_seen(const exec_instance *x, const exec_step *s)
{
    bool seen = true;

    for (int i = 0; i < s->step->node->n_in; i++)
        seen = seen && (s->in[i] == SIZE_MAX || x->meta[s->in[i]]);
    return seen;
}

/* If it is not known before the run what the bodies will do, that is no failure. */
bool build_inner(exec_builder *b)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < x->n && !b->outside->any; i++) {
        exec_step *s = &x->list[i];
        exec_inner *in = &x->inner[x->n_inner];
        rehearsal r = {.b = b, .s = s, .to = in};

        if (!s->step->bodies || !operands_are_seen(x, s))
            continue;
        b->now = s;
        *in = (exec_inner){0};
        x->n_inner++;
        if (begin(&r) && follow(&r) && add_region(b, in)) {
            s->inner = in;
            continue;
        }
        give_back(in);
        x->n_inner--;
    }
    b->now = NULL;
    x->segment.next_fake = b->next;
    return true;
}

void build_leave_inner(exec_instance *x)
{
    for (size_t i = 0; i < x->n_inner; i++)
        give_back(&x->inner[i]);
}
