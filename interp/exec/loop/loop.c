/* Makes and frees what a session keeps for a loop. */
#include "interp/exec/loop/loop.h"
#include "interp/exec/plan/plan.h"
#include "ir/shared.h"

#include <stdlib.h>

void exec_loop_free(exec_loop *l)
{
    if (!l)
        return;
    for (int i = 0; l->params && i < l->n_params; i++) {
        slots_release_pointer(l->params[i].moving);
        inlay_tensor_release(l->params[i].number);
    }
    for (int i = 0; l->results && i < l->n_results; i++)
        slots_free(&l->results[i].slots);
    inlay_give(l->params);
    inlay_give(l->in);
    inlay_give(l->ours);
    inlay_give(l->results);
    inlay_give(l->out);
    inlay_give(l->destinations);
    inlay_give(l->joins);
    inlay_give(l);
}

static bool make_room(exec_loop *l)
{
    size_t p = (size_t)l->n_params + 1, r = (size_t)l->n_results + 1;

    l->params = inlay_take(inlay_graph_budget(l->body->graph), p, sizeof *l->params);
    l->in = inlay_take(inlay_graph_budget(l->body->graph), p, sizeof *l->in);
    l->ours = inlay_take(inlay_graph_budget(l->body->graph), p, sizeof *l->ours);
    l->results = inlay_take(inlay_graph_budget(l->body->graph), r, sizeof *l->results);
    l->out = inlay_take(inlay_graph_budget(l->body->graph), r, sizeof *l->out);
    l->destinations = inlay_take(inlay_graph_budget(l->body->graph), r, sizeof *l->destinations);
    l->joins = inlay_take(inlay_graph_budget(l->body->graph), (size_t)l->body->n_out + 1,
                          sizeof *l->joins);
    return l->params && l->in && l->ours && l->results && l->out && l->destinations && l->joins;
}

static void list_firsts(exec_loop *l)
{
    const inlay_graph *g = l->body->graph;

    for (int i = 0; i < l->n_results; i++) {
        while (g->results[l->results[i].first]->in[0].value != g->results[i]->in[0].value)
            l->results[i].first++;
    }
}

/* Is result R all of the buffer of parameter P? */
static bool fills(const exec_loop *l, int r, int p)
{
    const graph_steps *s = l->plan->steps;
    size_t at = s->results[r];

    while (l->plan->places && l->plan->places[at].kind == INLAY_OVERWRITES)
        at = l->plan->places[at].target;
    return at == s->params[p];
}

/* Carried values may change places: then their buffers are overwritten in turn. */
static bool list_exchanged(exec_loop *l)
{
    const inlay_body *b = l->body;
    bool more = false;

    for (int i = 0; i < b->n_back; i++) {
        for (int p = 0; l->params[b->back[i].to].written && p < l->n_params; p++) {
            if (!l->params[p].written && fills(l, b->back[i].from, p))
                more = l->params[p].written = true;
        }
    }
    return more;
}

/* Lists which parameters the body overwrites, by its notes, and which results become such
 * parameters. */
static void list_written(exec_loop *l)
{
    const exec_place *places = l->plan->places;
    const inlay_body *b = l->body;

    for (int i = 0; places && i < l->n_params; i++)
        l->params[i].written = places[l->plan->steps->params[i]].spoiled;
    while (list_exchanged(l))
        continue;
    for (int i = 0; i < b->n_back; i++)
        l->results[b->back[i].from].stays =
            l->results[b->back[i].from].stays || l->params[b->back[i].to].written;
}

exec_loop *exec_loop_new(const inlay_body *b, const exec_plan *p, const exec_loop_backend *hands,
                         bool (*run_body)(exec_loop *l))
{
    exec_loop *l = inlay_take(inlay_graph_budget(b->graph), 1, sizeof *l);

    if (!l)
        return NULL;
    l->body = b;
    l->plan = p;
    l->hands = hands;
    l->run_body = run_body;
    l->n_params = b->graph->n_params;
    l->n_results = b->graph->n_results;
    if (!make_room(l)) {
        exec_loop_free(l);
        return NULL;
    }
    list_firsts(l);
    list_written(l);
    for (int i = 0; i < l->n_results; i++)
        l->results[i].port = l->results[i].last = -1;
    for (int i = b->n_out; i-- > 0;) {
        l->joins[i].port = &b->out[i];
        if (b->out[i].outer >= 0)
            *(b->out[i].has_axis ? &l->results[b->out[i].inner].port
                                 : &l->results[b->out[i].inner].last) = i;
    }
    return l;
}

static bool sit(exec_loop *l, const exec_frame_slot *s, const inlay_tensor *frame, size_t *n)
{
    char *at = (char *)frame->data + s->at;
    inlay_tensor **number;

    if (s->result >= 0)
        return slots_assign(&l->results[s->result].slots, (*n)++, &s->form, at);
    number = &l->params[s->param].number;
    *number = slots_tensor_at(*number, &s->form, at);
    l->params[s->param].seated = *number != NULL;
    return *number != NULL;
}

/* A number that has no frame slot any more is allocated when it is needed. */
static void leave_frame_slots(exec_loop *l)
{
    for (int i = 0; i < l->n_results; i++)
        slots_free_slot(&l->results[i].slots, 0);
    for (int i = 0; i < l->n_params; i++) {
        if (!l->params[i].seated)
            continue;
        inlay_tensor_release(l->params[i].number);
        l->params[i].number = NULL;
        l->params[i].seated = false;
    }
}

bool loop_sit(exec_loop *l, const exec_frame_slot *frame_slots, size_t n_frame_slots,
              const inlay_tensor *frame, inlay_diags *d)
{
    size_t k = 0;

    if (n_frame_slots == 0 || !frame) {
        leave_frame_slots(l);
        return true;
    }
    for (int i = 0; i < l->n_results; i++) {
        size_t n = 0;

        for (; k < n_frame_slots && frame_slots[k].result == i; k++) {
            if (!sit(l, &frame_slots[k], frame, &n))
                return inlay_fail_memory(d);
        }
        slots_free_slot(&l->results[i].slots, n);
    }
    for (; k < n_frame_slots; k++) {
        if (!sit(l, &frame_slots[k], frame, NULL))
            return inlay_fail_memory(d);
    }
    return true;
}
