/* The frame of a loop or a branch: frame slots for carried values, followed by the arena of the
 * body. The audit walks through the iterations with a mark at each frame slot, which says which
 * value was written there last. */
#include "interp/audit/auditor.h"
#include "ir/shared.h"

#include <stdlib.h>

static uint64_t frame_slot_end(const exec_frame_slot *s)
{
    return s->at + inlay_tensor_bytes(&s->form);
}

static bool check_room(const auditor *a, const exec_inner *in)
{
    uint64_t bytes =
        in->value == SIZE_MAX ? 0 : a->x->allocations[a->x->allocation[in->value]].bytes;

    for (int i = 0; i < in->step->node->n_bodies; i++) {
        for (int k = 0; k < in->bodies[i].n; k++) {
            if (in->base + in->bodies[i].list[k]->arena.bytes > bytes)
                return audit_refuse(a, "the arena of a body does not fit into its frame",
                                    in->value);
        }
    }
    for (size_t i = 0; i < in->n_frame_slots; i++) {
        if (frame_slot_end(&in->frame_slots[i]) > in->base)
            return audit_refuse(a, "a frame slot is in the arena of the body", in->value);
        for (size_t k = 0; k < i; k++) {
            if (in->frame_slots[i].at < frame_slot_end(&in->frame_slots[k]) &&
                in->frame_slots[k].at < frame_slot_end(&in->frame_slots[i]))
                return audit_refuse(a, "two frame slots have bytes in common", in->value);
        }
    }
    return true;
}

/* Returns the number of PLACE: frame slots come first, then the places where last values are
 * wanted; SIZE_MAX: elsewhere. */
static size_t number_of(const exec_inner *in, int place)
{
    if (place >= 0)
        return (size_t)place;
    return place <= EXEC_WANTED ? in->n_frame_slots + (size_t)(EXEC_WANTED - place) : SIZE_MAX;
}

/* Returns the Parameter that result R of X is stored in, or -1: it has memory of its own. */
static int handed_through(const exec_instance *x, int r)
{
    size_t slot = steps_slot(x->steps, x->steps->graph->results[r]->in[0].value);
    const exec_allocation *u = x->allocation[slot] == SIZE_MAX
                                   ? NULL
                                   : &x->allocations[x->allocations[x->allocation[slot]].same];

    return u && u->root == EXEC_INPUT ? u->number : -1;
}

/* Whether the values read in iteration T are where they should be. MARKS: by place, 1 + the number
 * of the value written there last; HELD: by parameter, what it should be. */
static const char *check_carried(const exec_inner *in, const exec_iteration *t,
                                 const exec_iteration *was, const uint64_t *marks, uint64_t *held)
{
    const inlay_body *b = in->step->node->bodies;

    for (int i = 0; i < b->n_back; i++) {
        const inlay_back_edge *e = &b->back[i];
        size_t place = number_of(in, t->reads[e->to]);

        if (was && t->number == was->number + 1 && t->reads[e->to] != was->makes[e->from] &&
            was->makes[e->from] != EXEC_WINDOW)
            return "a carried value is looked for where it was not made";
        if (place != SIZE_MAX && was && t->number == was->number + 1 && marks[place] != held[e->to])
            return "a carried value is gone when it is read";
    }
    return NULL;
}

static const char *make_results(const exec_inner *in, const exec_iteration *t, uint64_t *marks)
{
    const exec_instance *x = in->bodies[0].list[t->kind];
    int n = x->steps->graph->n_results, n_params = x->steps->graph->n_params;

    for (int r = 0; r < n; r++) {
        size_t place = number_of(in, t->makes[r]);
        int from = handed_through(x, r);

        if (from >= 0 && t->makes[r] != t->reads[from] && t->makes[r] != EXEC_ELSEWHERE)
            return "a value that a body returns unchanged is elsewhere";
        if (from >= 0 || place == SIZE_MAX)
            continue;
        for (int p = 0; p < n_params; p++) {
            if (number_of(in, t->reads[p]) == place)
                return "a carried value is made over one that the iteration reads";
        }
        marks[place] = (uint64_t)t->number * (uint64_t)n + (uint64_t)r + 1;
    }
    return NULL;
}

/* Remembers what the parameters of the next iteration should be. */
static void carry(const exec_inner *in, const exec_iteration *t, const uint64_t *marks,
                  uint64_t *held)
{
    const inlay_body *b = in->step->node->bodies;

    for (int i = 0; i < b->n_back; i++) {
        size_t place = number_of(in, t->makes[b->back[i].from]);

        held[b->back[i].to] = place == SIZE_MAX ? 0 : marks[place];
    }
}

/* Whether the parts of a joined output are adjacent. */
static const char *check_parts(const exec_inner *in, const exec_iteration *t,
                               const exec_iteration *was)
{
    const inlay_body *b = in->step->node->bodies;
    const exec_instance *x = was ? in->bodies[0].list[was->kind] : NULL;

    for (int i = 0; x && t->number == was->number + 1 && i < b->n_out; i++) {
        const inlay_value *v = b->graph->results[b->out[i].inner]->in[0].value;
        const inlay_tensor *part = x->meta[steps_slot(x->steps, v)];
        int64_t axis = part && b->out[i].axis < 0 ? b->out[i].axis + part->rank : b->out[i].axis;

        if (part && was->part[i] >= 0 && t->part[i] != was->part[i] + part->dims[axis])
            return "a part of a joined output overlaps another one";
    }
    return NULL;
}

static const char *go_through(const exec_inner *in, uint64_t *marks, uint64_t *held)
{
    const char *wrong = NULL;

    for (size_t i = 0; !wrong && i < in->n_iterations; i++) {
        const exec_iteration *t = &in->iterations[i], *was = i > 0 ? t - 1 : NULL;

        if (t->kind < 0 || t->kind >= in->bodies[0].n)
            return "an iteration has no instance";
        wrong = check_carried(in, t, was, marks, held);
        wrong = wrong ? wrong : check_parts(in, t, was);
        wrong = wrong ? wrong : make_results(in, t, marks);
        carry(in, t, marks, held);
    }
    return wrong;
}

static bool check_iterations(const auditor *a, const exec_inner *in)
{
    const inlay_graph *g = in->step->node->bodies[0].graph;
    uint64_t *marks = inlay_take(inlay_graph_budget(g),
                                 in->n_frame_slots + (size_t)g->n_results + 1, sizeof *marks);
    uint64_t *held = inlay_take(inlay_graph_budget(g), (size_t)g->n_params + 1, sizeof *held);
    const char *wrong = marks && held ? go_through(in, marks, held) : NULL;
    bool ok = marks && held;

    inlay_give(marks);
    inlay_give(held);
    return ok ? !wrong || audit_refuse(a, wrong, in->value) : inlay_fail_memory(a->d);
}

/* Returns the allocation of X, an instance of B, that becomes the outer output of port I; SIZE_MAX:
 * none, or parts of something larger. */
static size_t made_by(const exec_instance *x, const inlay_body *b, int i)
{
    const inlay_value *v = b->graph->results[b->out[i].inner]->in[0].value;
    size_t allocation = x->allocation[steps_slot(x->steps, v)];
    exec_root root;

    if (!inlay_port_is_plain(&b->out[i]) || allocation == SIZE_MAX)
        return SIZE_MAX;
    root = x->allocations[x->allocations[allocation].same].root;
    return root == EXEC_INPUT || root == EXEC_STATE || root == EXEC_CONST
               ? SIZE_MAX
               : x->allocations[allocation].same;
}

/* Whether X, an instance of B, computes output K in the memory of another output. */
static bool makes_twice(const exec_instance *x, const inlay_body *b, int k)
{
    bool twice = false;

    for (int i = 0; i < b->n_out; i++) {
        size_t allocation = b->out[i].outer == k ? made_by(x, b, i) : SIZE_MAX;

        for (int j = 0; allocation != SIZE_MAX && j < b->n_out; j++)
            twice = twice || (b->out[j].outer != k && made_by(x, b, j) == allocation);
    }
    return twice;
}

/* Whether an output that is stored in another value is not also another output, which would change
 * with that value. */
static bool check_single(const auditor *a, const exec_inner *in)
{
    for (int k = 0; k < node_of(a)->n_out; k++) {
        size_t value = a->s->out[k];

        if (!is_seen(a, value) || a->x->allocations[root_allocation(a, value)].slot == value)
            continue;
        for (int i = 0; i < node_of(a)->n_bodies; i++) {
            for (int m = 0; m < in->bodies[i].n; m++) {
                if (makes_twice(in->bodies[i].list[m], &node_of(a)->bodies[i], k))
                    return audit_refuse(a, "bodies make another output there, too", value);
            }
        }
    }
    return true;
}

bool frame_check(auditor *a)
{
    const exec_inner *in = a->s->inner;

    if (!in)
        return true;
    if (!check_room(a, in) || !check_single(a, in) || (in->repeats && !check_iterations(a, in)))
        return false;
    if (in->value == SIZE_MAX)
        return true;
    for (int i = 0; i < node_of(a)->n_out; i++) {
        if (is_seen(a, a->s->out[i]) && tags_meet(&a->t, in->value, a->s->out[i]))
            return audit_refuse(a, "an output is in the frame of the bodies", a->s->out[i]);
    }
    return tags_write(&a->t, in->value) ||
           audit_refuse(a, "the frame of the bodies is outside of its allocation", in->value);
}
