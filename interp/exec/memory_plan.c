/* Tells without a run how much memory a run will hold: it plays the walk of walk.c with sizes
 * instead of tensors. What it says is of the first run, with inputs that are not donated. */
#include "interp/exec/exec.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* A buffer of the run that is played. */
struct block {
    uint64_t bytes;   /* 0 for an input or a constant, which no run makes */
    uint32_t holders; /* how many values that are alive, and variables, use it */
    struct block *next;
};

/* A value of that run. */
struct state {
    struct block *block; /* NULL: not made yet, or not needed any more */
    bool dense;
};

struct play {
    const graph_steps *steps;
    const exec_place *places; /* by slot; NULL: no notes are obeyed */
    struct state *state;      /* by slot */
    uint32_t *left;           /* by slot: uses still to come */
    struct block *blocks;     /* all of them */
    uint64_t now, peak;
    const inlay_node *peak_at;
    bool *about; /* set when the sizes cannot be told exactly */
    inlay_diags *diags;
};

/* The bytes of V's elements; 0 when the size is not known. */
static uint64_t value_bytes(const inlay_value *v)
{
    size_t size;

    return inlay_fact_bytes(&v->fact, &size) ? size : 0;
}

/* A sum that does not fit into 64 bits becomes the largest number. */
static void grow(struct play *p, uint64_t bytes, const inlay_node *n)
{
    p->now = bytes > UINT64_MAX - p->now ? UINT64_MAX : p->now + bytes;
    if (p->now > p->peak) {
        p->peak = p->now;
        p->peak_at = n;
    }
}

static void release(struct play *p, struct block *b)
{
    if (--b->holders == 0)
        p->now -= b->bytes;
}

/* A new buffer with one holder. */
static struct block *block_new(struct play *p, uint64_t bytes, const inlay_node *n)
{
    struct block *b = calloc(1, sizeof *b);

    if (!b) {
        inlay_fail_memory(p->diags);
        return NULL;
    }
    *b = (struct block){bytes, 1, p->blocks};
    p->blocks = b;
    grow(p, bytes, n);
    return b;
}

static const exec_place *place_of(const struct play *p, size_t slot)
{
    return p->places ? &p->places[slot] : NULL;
}

/* Whether a value of A can be written where a value of B stands. */
static bool same_form(const inlay_fact *a, const inlay_fact *b)
{
    int64_t dims[INLAY_MAX_RANK];

    return a->type != INLAY_DYNAMIC && b->type != INLAY_DYNAMIC && inlay_fact_dims(a, dims) &&
           inlay_type_info_of(a->type)->bits == inlay_type_info_of(b->type)->bits &&
           inlay_fact_same_shape(a, b);
}

static struct state shared(struct state s)
{
    s.block->holders++;
    return s;
}

/* A view by a reshape is dense when its operand is; of an operand that is not dense a copy may have
 * to be made. */
static bool is_reshape(const inlay_node *n)
{
    return (n->op->flags & INLAY_RESHAPES) != 0;
}

/* Whether the window of SCATTER is known by now: the operands that say where it is must be there.
 */
static bool window_is_known(const struct play *p, const inlay_node *scatter)
{
    for (int i = 0; i < 4; i++) {
        const inlay_value *v = inlay_node_window(scatter, i);

        if (v && !p->state[steps_slot(p->steps, v)].block &&
            !inlay_node_is(v->node, INLAY_OP_CONST))
            return false;
    }
    return true;
}

/* Whether output V will stand in the buffer of the target of PLACE. */
static bool stands_in_target(const struct play *p, const inlay_value *v, const exec_place *place)
{
    if (!place || place->kind == INLAY_FRESH || !p->state[place->target].block)
        return false;
    if (place->kind == INLAY_VIEW_OF)
        return value_bytes(v) > 0 && v->fact.type == v->note_target->fact.type;
    if (place->kind == INLAY_OVERWRITES)
        return same_form(&v->fact, &v->note_target->fact);
    return window_is_known(p, place->scatter) &&
           same_form(&v->fact, &inlay_node_operand(place->scatter, INLAY_ROLE_UPDATES)->fact);
}

static struct state in_target(struct play *p, const inlay_value *v, const exec_place *place)
{
    struct state s = shared(p->state[place->target]);

    if (place->kind == INLAY_VIEW_OF && is_reshape(v->node) && !s.dense)
        *p->about = true;
    if (place->kind == INLAY_INTO || (place->kind == INLAY_VIEW_OF && !is_reshape(v->node)))
        s.dense = false;
    return s;
}

/* V is S, which exists already. COPIED: the executor makes a copy of it, because something writes
 * over V and the run may not write over S. */
static bool adopt(struct play *p, const inlay_value *v, struct state s, bool copied)
{
    if (s.block && copied) {
        struct block *copy = block_new(p, value_bytes(v), v->node);

        release(p, s.block);
        s = (struct state){copy, true};
    }
    p->state[steps_slot(p->steps, v)] = s;
    return s.block != NULL;
}

/* V is an input or a constant. */
static bool adopt_outside(struct play *p, const inlay_value *v)
{
    const exec_place *place = place_of(p, steps_slot(p->steps, v));

    return adopt(p, v, (struct state){block_new(p, 0, v->node), true}, place && place->spoiled);
}

/* V is read from a variable: in the first run that is its initial value, or zeros. */
static bool read_variable(struct play *p, const inlay_value *v)
{
    const inlay_value *first = inlay_node_input(v->node, 0);
    const exec_place *place = place_of(p, steps_slot(p->steps, v));
    size_t from = first ? steps_slot(p->steps, first) : 0;

    if (!first)
        return adopt(p, v, (struct state){block_new(p, value_bytes(v), v->node), true}, false);
    return adopt(p, v, shared(p->state[from]),
                 place && (place->spoiled || p->places[from].spoiled));
}

static bool make_output(struct play *p, const inlay_value *v)
{
    size_t slot = steps_slot(p->steps, v);
    const exec_place *place = place_of(p, slot);

    if (inlay_node_is(v->node, INLAY_OP_CONST))
        return adopt_outside(p, v);
    if (inlay_node_is(v->node, INLAY_OP_READ_VALUE))
        return read_variable(p, v);
    if (inlay_node_is(v->node, INLAY_OP_ASSIGN)) {
        p->state[slot] =
            shared(shared(p->state[steps_slot(p->steps, inlay_node_input(v->node, 0))]));
        return true; /* one holder is the output, the other one the variable */
    }
    p->state[slot] = stands_in_target(p, v, place)
                         ? in_target(p, v, place)
                         : (struct state){block_new(p, value_bytes(v), v->node), true};
    return p->state[slot].block != NULL;
}

/* The bytes of the dense copies of operands that exist while the kernel of N runs. */
static uint64_t dense_copies(struct play *p, const inlay_node *n)
{
    uint64_t bytes = 0;

    for (int i = 0; i < n->n_in && !(n->op->flags & INLAY_STRIDED) && !call_adopts(n->op); i++) {
        const inlay_value *v = n->in[i].value;

        if (v && !p->state[steps_slot(p->steps, v)].dense) {
            bytes += value_bytes(v);
            *p->about = true;
        }
    }
    return bytes;
}

static void drop_use(struct play *p, size_t slot)
{
    if (--p->left[slot] > 0)
        return;
    release(p, p->state[slot].block);
    p->state[slot] = (struct state){0};
}

static bool peak_of_steps(const graph_steps *s, const exec_place *places, bool *about,
                          uint64_t *bytes, const inlay_node **at, inlay_diags *d);

static bool play_step(struct play *p, const graph_step *step)
{
    const inlay_node *n = step->node;
    uint64_t copies = dense_copies(p, n), bodies = 0;

    grow(p, copies, n);
    for (int i = 0; i < n->n_bodies; i++) {
        uint64_t one;

        *p->about = true; /* how often they run, and on which parts, is known later */
        if (!peak_of_steps(step->bodies[i], NULL, p->about, &one, NULL, p->diags))
            return false;
        bodies = one > bodies ? one : bodies;
    }
    for (int i = 0; i < n->n_out; i++) {
        if (!make_output(p, &n->out[i]))
            return false;
    }
    grow(p, bodies, n);
    p->now -= copies + bodies;
    for (int i = 0; i < n->n_out; i++) {
        size_t slot = steps_slot(p->steps, &n->out[i]);

        if (p->left[slot] == 0) { /* no step reads it */
            p->left[slot] = 1;
            drop_use(p, slot);
        }
    }
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value)
            drop_use(p, steps_slot(p->steps, n->in[i].value));
    }
    return true;
}

static bool play_steps(struct play *p)
{
    const graph_steps *s = p->steps;

    for (int i = 0; i < s->graph->n_params; i++) {
        const inlay_value *v = &s->graph->params[i]->out[0];

        if (p->left[steps_slot(s, v)] > 0 && !adopt_outside(p, v))
            return false;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (steps_runs(s->list[i].node) && !play_step(p, &s->list[i]))
            return false;
    }
    return true;
}

static void free_play(struct play *p)
{
    struct block *next;

    for (struct block *b = p->blocks; b; b = next) {
        next = b->next;
        free(b);
    }
    free(p->state);
    free(p->left);
}

/* Bodies are nested no deeper than INLAY_MAX_BODY_DEPTH. */
static bool peak_of_steps(const graph_steps *s, const exec_place *places, bool *about,
                          uint64_t *bytes, const inlay_node **at, inlay_diags *d)
{
    struct play p = {.steps = s, .places = places, .about = about, .diags = d};
    bool ok;

    p.state = calloc(s->n_slots + 1, sizeof *p.state);
    p.left = malloc((s->n_slots + 1) * sizeof *p.left);
    if (p.left)
        memcpy(p.left, s->uses, s->n_slots * sizeof *p.left);
    ok = p.state && p.left ? play_steps(&p) : inlay_fail_memory(d);
    *bytes = p.peak;
    if (at)
        *at = p.peak_at;
    free_play(&p);
    return ok;
}

/* From which step to which one each value is alive */

static inlay_note_kind note_obeyed(const exec_plan *p, size_t slot)
{
    return p->places ? p->places[slot].kind : INLAY_FRESH;
}

static void list_value(inlay_memory_plan *out, const exec_plan *p, const inlay_value *v,
                       const size_t *last)
{
    size_t slot = steps_slot(p->steps, v);
    inlay_value_plan *x = &out->values[out->n_values++];
    size_t size;

    *x = (inlay_value_plan){v, value_bytes(v), note_obeyed(p, slot), out->steps, last[slot]};
    out->value_bytes += x->bytes;
    out->unknown += !inlay_fact_bytes(&v->fact, &size);
}

/* LAST receives, by slot, the last step that reads the value. */
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
        last[steps_slot(s, s->graph->results[i]->in[0].value)] = step;
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
    size_t *last = calloc(p->steps->n_slots + 1, sizeof *last);

    out->values = calloc(p->steps->n_slots + 1, sizeof *out->values);
    if (last && out->values)
        list_values(out, p, last);
    free(last);
    return (last && out->values) || inlay_fail_memory(d);
}

bool inlay_memory_plan_make(const inlay_graph *g, inlay_memory_plan *out, inlay_diags *d)
{
    bool ignored, ok;
    graph_steps *s;
    exec_plan *p;

    *out = (inlay_memory_plan){0};
    if (!inlay_graph_is_whole(g, d))
        return false;
    s = steps_new(g, d);
    p = s ? exec_plan_new(s, d) : NULL;
    ok = p && list_lifetimes(out, p, d) &&
         peak_of_steps(s, p->places, &out->about, &out->peak_bytes, &out->peak_at, d) &&
         peak_of_steps(s, NULL, &ignored, &out->fresh_peak_bytes, NULL, d);
    exec_plan_free(p);
    steps_free(s);
    if (!ok)
        inlay_memory_plan_free(out);
    return ok;
}

void inlay_memory_plan_free(inlay_memory_plan *p)
{
    if (!p)
        return;
    free(p->values);
    *p = (inlay_memory_plan){0};
}
