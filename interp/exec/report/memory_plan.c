/* What a run will hold in memory, according to the instance of the program for its static shapes.
 * The numbers are those of the first run, with inputs that are not donated. For comparison it also
 * tells what a run would hold if every value had a buffer of its own until its last use. */
#include "interp/exec/report/static_instance.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* Returns the bytes of V's elements; 0 when the size is not known. */
static uint64_t value_bytes(const inlay_value *v)
{
    size_t size;

    return inlay_fact_bytes(&v->fact, &size) ? size : 0;
}

/* Returns A + B; UINT64_MAX if the sum overflows. */
static uint64_t sum(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* If every value had a buffer of its own */

/* Which value uses which buffer: an output shares its operand's buffer if the kernel returns the
 * operand. */
struct buffers {
    size_t *of;        /* by slot: the slot that made its buffer */
    uint32_t *holders; /* by slot: remaining uses of all values in its buffer */
};

static size_t handed_on(const graph_steps *s, const struct buffers *b, const inlay_value *v)
{
    const inlay_value *from = inlay_node_input(v->node, 0);
    bool same = inlay_node_is(v->node, INLAY_OP_ASSIGN) ||
                (inlay_node_is(v->node, INLAY_OP_READ_VALUE) && from);

    return same ? b->of[steps_slot(s, from)] : steps_slot(s, v);
}

static uint64_t made_bytes(const inlay_value *v)
{
    bool outside =
        inlay_node_is(v->node, INLAY_OP_CONST) || inlay_node_is(v->node, INLAY_OP_PARAMETER);

    return outside ? 0 : value_bytes(v);
}

static void count_holders(const graph_steps *s, struct buffers *b)
{
    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        for (int k = 0; k < n->n_out; k++) {
            size_t slot = steps_slot(s, &n->out[k]);

            b->of[slot] = handed_on(s, b, &n->out[k]);
            b->holders[b->of[slot]] += s->uses[slot] + inlay_node_is(n, INLAY_OP_ASSIGN);
        }
    }
}

static bool fresh_peak(const graph_steps *s, uint64_t *peak, inlay_diags *d);

/* Finds the largest amount that one of the bodies of STEP holds. */
static bool bodies_peak(const graph_step *step, uint64_t *peak, inlay_diags *d)
{
    *peak = 0;
    for (int i = 0; i < step->node->n_bodies; i++) {
        uint64_t one;

        if (!fresh_peak(step->bodies[i], &one, d))
            return false;
        *peak = one > *peak ? one : *peak;
    }
    return true;
}

/* Bodies are nested no deeper than INLAY_MAX_BODY_DEPTH. */
static bool play(const graph_steps *s, struct buffers *b, const size_t *bytes_of_slot,
                 uint64_t *peak, inlay_diags *d)
{
    uint64_t now = 0, bodies;

    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        if (!steps_runs(n))
            continue;
        for (int k = 0; k < n->n_out; k++) {
            size_t slot = steps_slot(s, &n->out[k]);

            now = sum(now, b->of[slot] == slot ? bytes_of_slot[slot] : 0);
        }
        if (!bodies_peak(&s->list[i], &bodies, d))
            return false;
        *peak = sum(now, bodies) > *peak ? sum(now, bodies) : *peak;
        for (int k = 0; k < n->n_out; k++) {
            size_t slot = steps_slot(s, &n->out[k]);

            now -= b->holders[slot] == 0 && b->of[slot] == slot ? bytes_of_slot[slot] : 0;
        }
        for (int k = 0; k < n->n_in; k++) {
            size_t slot = n->in[k].value ? b->of[steps_slot(s, n->in[k].value)] : SIZE_MAX;

            if (slot != SIZE_MAX && --b->holders[slot] == 0)
                now -= bytes_of_slot[slot];
        }
    }
    return true;
}

static bool fresh_peak(const graph_steps *s, uint64_t *peak, inlay_diags *d)
{
    struct buffers b = {
        inlay_take_raw(inlay_graph_budget(s->graph), (s->n_slots + 1) * sizeof *b.of),
        inlay_take(inlay_graph_budget(s->graph), s->n_slots + 1, sizeof *b.holders)};
    size_t *bytes = inlay_take_raw(inlay_graph_budget(s->graph), (s->n_slots + 1) * sizeof *bytes);
    bool ok = (b.of && b.holders && bytes) || inlay_fail_memory(d);

    *peak = 0;
    for (size_t i = 0; ok && i < s->n; i++) {
        for (int k = 0; k < s->list[i].node->n_out; k++)
            bytes[steps_slot(s, &s->list[i].node->out[k])] = made_bytes(&s->list[i].node->out[k]);
    }
    if (ok)
        count_holders(s, &b);
    ok = ok && play(s, &b, bytes, peak, d);
    inlay_give(b.of);
    inlay_give(b.holders);
    inlay_give(bytes);
    return ok;
}

static uint64_t allocation_bytes(const exec_instance *x, size_t i)
{
    const exec_allocation *u = &x->allocations[i];
    bool made = u->root == EXEC_MADE && !u->points;

    return u->same == i && (u->root == EXEC_ARENA || u->root == EXEC_HEAP || made) ? u->bytes : 0;
}

/* Returns the step at which the most memory is in use. */
static const inlay_node *fullest(const exec_instance *x, inlay_diags *d, bool *ok)
{
    uint64_t *more = inlay_take(inlay_graph_budget(x->steps->graph), x->n + 3, sizeof *more),
             *less = inlay_take(inlay_graph_budget(x->steps->graph), x->n + 3, sizeof *less);
    uint64_t now = 0, most = 0;
    const inlay_node *at = NULL;

    *ok = (more && less) || inlay_fail_memory(d);
    for (size_t i = 0; *ok && i < x->n_allocations; i++) {
        more[x->allocations[i].first] += allocation_bytes(x, i);
        less[x->allocations[i].last + 1] += allocation_bytes(x, i);
    }
    for (size_t i = 0; *ok && i <= x->n; i++) {
        now = now - less[i] + more[i];
        if (now <= most)
            continue;
        most = now;
        at = i > 0 ? x->list[i - 1].step->node : NULL;
    }
    for (size_t i = 0; *ok && !at && i < x->n_allocations; i++)
        at = allocation_bytes(x, i) > 0 ? x->allocations[i].node : NULL;
    inlay_give(more);
    inlay_give(less);
    return at;
}

static bool planned_peak(inlay_memory_plan *out, const exec_plan *p, inlay_diags *d);

/* Returns approximately the largest amount that one of the bodies of STEP holds: how often they
 * run, and on which parts, is known only in the run. */
static bool bodies_hold(const exec_plan *p, const graph_step *step, uint64_t *most, inlay_diags *d)
{
    for (int i = 0; i < step->node->n_bodies; i++) {
        inlay_memory_plan body = {0};

        if (!planned_peak(&body, exec_plan_of_body(p, step->bodies[i]), d))
            return false;
        *most = body.peak_bytes > *most ? body.peak_bytes : *most;
    }
    return true;
}

/* Adds what bodies hold. The frame of a body that was rehearsed lies in the arena of the graph; the
 * frames of others are extra. */
static bool add_bodies(inlay_memory_plan *out, const exec_plan *p, const exec_instance *x,
                       inlay_diags *d)
{
    uint64_t most = 0;
    bool ok = true;

    for (size_t i = 0; ok && i < x->n; i++) {
        const exec_step *s = &x->list[i];

        out->about = out->about || (s->inner && s->inner->about);
        if (s->inner || !s->step->bodies)
            continue;
        out->about = true;
        ok = bodies_hold(p, s->step, &most, d);
    }
    out->peak_bytes = sum(out->peak_bytes, most);
    return ok;
}

static inlay_note_kind note_obeyed(const exec_plan *p, const exec_instance *x, size_t slot)
{
    const exec_place *place = p->places ? &p->places[slot] : NULL;

    if (!place ||
        (x->allocation[slot] != SIZE_MAX && x->allocation[slot] != x->allocation[place->target]))
        return INLAY_FRESH;
    return place->kind;
}

static bool outputs_are_known(const exec_step *s)
{
    size_t bytes;

    for (int i = 0; i < s->step->node->n_out; i++) {
        if (!inlay_fact_bytes(&s->step->node->out[i].fact, &bytes))
            return false;
    }
    return true;
}

/* Returns whether only the run knows what S needs. A row may need memory for zeros, if its index is
 * out of range. */
static bool is_about(const exec_step *s)
{
    return s->kind == EXEC_POINT || (s->kind == EXEC_WALK && !s->inner && outputs_are_known(s));
}

static bool planned_peak(inlay_memory_plan *out, const exec_plan *p, inlay_diags *d)
{
    exec_instance *x = exec_static_instance(p, false, d);
    bool ok = x != NULL;

    for (size_t i = 0; ok && i < x->n_allocations; i++)
        out->peak_bytes =
            sum(out->peak_bytes, exec_in_arena(&x->allocations[i]) ? 0 : allocation_bytes(x, i));
    for (size_t i = 0; ok && i < x->n; i++)
        out->about = out->about || is_about(&x->list[i]);
    for (size_t i = 0; ok && i < out->n_values; i++)
        out->values[i].place = note_obeyed(p, x, steps_slot(p->steps, out->values[i].value));
    if (ok) {
        out->peak_bytes = sum(out->peak_bytes, x->arena.bytes);
        out->peak_at = fullest(x, d, &ok);
    }
    ok = ok && add_bodies(out, p, x, d);
    exec_instance_free(x);
    return ok;
}

/* Live ranges */

static void list_value(inlay_memory_plan *out, const exec_plan *p, const inlay_value *v,
                       const size_t *last)
{
    size_t slot = steps_slot(p->steps, v);
    inlay_value_plan *x = &out->values[out->n_values++];
    size_t size;

    *x = (inlay_value_plan){v, value_bytes(v), INLAY_FRESH, out->steps, last[slot]};
    out->value_bytes += x->bytes;
    out->unknown += !inlay_fact_bytes(&v->fact, &size);
}

/* LAST receives, by slot, the index of the last step that reads the value. */
static void list_values(inlay_memory_plan *out, const exec_plan *p, size_t *last)
{
    const graph_steps *s = p->steps;
    size_t step = 0;

    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        if (!steps_runs(n) || inlay_node_is(n, INLAY_OP_CONST))
            continue;
        for (int k = 0; k < n->n_in; k++) {
            if (n->in[k].value)
                last[steps_slot(s, n->in[k].value)] = step;
        }
        for (int k = 0; k < n->n_out; k++)
            last[steps_slot(s, &n->out[k])] = step;
        step++;
    }
    for (int i = 0; i < s->graph->n_results; i++)
        last[s->results[i]] = step;
    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        if (!steps_runs(n) || inlay_node_is(n, INLAY_OP_CONST))
            continue;
        for (int k = 0; k < n->n_out; k++)
            list_value(out, p, &n->out[k], last);
        out->steps++;
    }
}

static bool list_lifetimes(inlay_memory_plan *out, const exec_plan *p, inlay_diags *d)
{
    size_t *last =
        inlay_take(inlay_graph_budget(p->steps->graph), p->steps->n_slots + 1, sizeof *last);

    out->values =
        inlay_take(inlay_graph_budget(p->steps->graph), p->steps->n_slots + 1, sizeof *out->values);
    if (last && out->values)
        list_values(out, p, last);
    inlay_give(last);
    return (last && out->values) || inlay_fail_memory(d);
}

bool inlay_memory_plan_make(const inlay_graph *g, inlay_memory_plan *out, inlay_diags *d)
{
    graph_steps *s;
    exec_plan *p;
    bool ok;

    *out = (inlay_memory_plan){0};
    if (!inlay_graph_is_whole(g, d))
        return false;
    s = steps_new(g, d);
    p = s ? exec_plan_new(s, d) : NULL;
    ok = p && list_lifetimes(out, p, d) && planned_peak(out, p, d) &&
         fresh_peak(s, &out->fresh_peak_bytes, d);
    exec_plan_free(p);
    steps_free(s);
    if (!ok)
        inlay_memory_plan_free(out);
    return inlay_budget_tell(inlay_graph_budget(g), ok, d);
}

void inlay_memory_plan_free(inlay_memory_plan *p)
{
    if (!p)
        return;
    inlay_give(p->values);
    *p = (inlay_memory_plan){0};
}
