/* What a run will hold in memory, told without running it: the walk of walk.c with sizes in the
 * place of tensors. It holds for the first run, with inputs that are not given away. */
#include "interp/exec/exec.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* A buffer. */
struct block {
    uint64_t bytes;   /* 0: an input or a constant, which no run makes */
    uint32_t holders; /* values that are alive, and variables */
    struct block *next;
};

/* A value in the run that is played. */
struct state {
    struct block *block; /* NULL: not made yet, or dead */
    bool dense;
};

struct play {
    const graph_steps *steps;
    const plan_place *places; /* by slot; NULL: no notes are obeyed */
    struct state *state;      /* by slot */
    uint32_t *left;           /* by slot: uses still to come */
    struct block *blocks;     /* all of them */
    uint64_t now, peak;
    const inlay_node *peak_at;
    bool *about; /* set when the sizes cannot be told exactly */
    inlay_diags *diags;
};

/* 0 where the size is not known. */
static uint64_t value_bytes(const inlay_value *v)
{
    size_t size;

    return inlay_fact_bytes(&v->fact, &size) ? size : 0;
}

/* A sum that fits no machine stays the largest number. */
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

/* With one holder. */
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

static const plan_place *place_of(const struct play *p, size_t slot)
{
    return p->places ? &p->places[slot] : NULL;
}

/* One can stand where the other stands. */
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

/* These keep what is dense dense, and may have to copy what is not. */
static bool is_reshape(const inlay_node *n)
{
    return (n->op->flags & INLAY_RESHAPES) != 0;
}

/* The window that INTO computes in is known once the operands that say where it is are there. */
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

/* Does output V stand in the buffer of its place's target? */
static bool stands_in_target(const struct play *p, const inlay_value *v, const plan_place *place)
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

static struct state in_target(struct play *p, const inlay_value *v, const plan_place *place)
{
    struct state s = shared(p->state[place->target]);

    if (place->kind == INLAY_VIEW_OF && is_reshape(v->node) && !s.dense)
        *p->about = true;
    if (place->kind == INLAY_INTO || (place->kind == INLAY_VIEW_OF && !is_reshape(v->node)))
        s.dense = false;
    return s;
}

/* An output that exists already. COPIED: the executor copies it, because something writes over
 * it and the run may not. */
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

/* An input or a constant. */
static bool adopt_outside(struct play *p, const inlay_value *v)
{
    const plan_place *place = place_of(p, steps_slot(p->steps, v));

    return adopt(p, v, (struct state){block_new(p, 0, v->node), true}, place && place->spoiled);
}

/* The first value that a variable is given, or zeros. */
static bool read_variable(struct play *p, const inlay_value *v)
{
    const inlay_value *first = inlay_node_input(v->node, 0);
    const plan_place *place = place_of(p, steps_slot(p->steps, v));
    size_t from = first ? steps_slot(p->steps, first) : 0;

    if (!first)
        return adopt(p, v, (struct state){block_new(p, value_bytes(v), v->node), true}, false);
    return adopt(p, v, shared(p->state[from]),
                 place && (place->spoiled || p->places[from].spoiled));
}

static bool make_output(struct play *p, const inlay_value *v)
{
    size_t slot = steps_slot(p->steps, v);
    const plan_place *place = place_of(p, slot);

    if (inlay_node_is(v->node, INLAY_OP_CONST))
        return adopt_outside(p, v);
    if (inlay_node_is(v->node, INLAY_OP_READ_VALUE))
        return read_variable(p, v);
    if (inlay_node_is(v->node, INLAY_OP_ASSIGN)) {
        p->state[slot] =
            shared(shared(p->state[steps_slot(p->steps, inlay_node_input(v->node, 0))]));
        return true; /* once for the output, once for the variable */
    }
    p->state[slot] = stands_in_target(p, v, place)
                         ? in_target(p, v, place)
                         : (struct state){block_new(p, value_bytes(v), v->node), true};
    return p->state[slot].block != NULL;
}

/* The dense copies of operands that the kernel of N needs while it runs. */
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

static bool peak_of_steps(const graph_steps *s, const plan_place *places, bool *about,
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

        if (p->left[slot] == 0) { /* nobody wants it */
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
static bool peak_of_steps(const graph_steps *s, const plan_place *places, bool *about,
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

/* The steps that a value is alive for. */

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

/* LAST: by slot, the last step that reads it. */
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
