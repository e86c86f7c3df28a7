/* What a session has for a loop begins and ends here. */
#include "interp/exec/loop/loop.h"
#include "interp/exec/plan/plan.h"

#include <stdlib.h>

void exec_loop_free(exec_loop *l)
{
    if (!l)
        return;
    for (int i = 0; l->moving && i < l->n_params; i++)
        slots_release_pointer(l->moving[i]);
    for (int i = 0; l->number && i < l->n_params; i++)
        inlay_tensor_release(l->number[i]);
    for (int i = 0; l->slots && i < l->n_results; i++)
        slots_free(&l->slots[i]);
    free(l->in);
    free(l->held);
    free(l->moving);
    free(l->number);
    free(l->seated);
    free(l->cuts);
    free(l->stands);
    free(l->written);
    free(l->ours);
    free(l->stays);
    free(l->out);
    free(l->rooms);
    free(l->made);
    free(l->slots);
    free(l->port);
    free(l->last);
    free(l->wanted);
    free(l->first);
    free(l->joins);
    free(l);
}

static bool make_room(exec_loop *l)
{
    size_t p = (size_t)l->n_params + 1, r = (size_t)l->n_results + 1;

    l->in = calloc(p, sizeof *l->in);
    l->held = calloc(p, sizeof *l->held);
    l->moving = calloc(p, sizeof *l->moving);
    l->number = calloc(p, sizeof *l->number);
    l->seated = calloc(p, sizeof *l->seated);
    l->cuts = calloc(p, sizeof *l->cuts);
    l->stands = calloc(p, sizeof *l->stands);
    l->written = calloc(p, sizeof *l->written);
    l->ours = calloc(p, sizeof *l->ours);
    l->stays = calloc(r, sizeof *l->stays);
    l->out = calloc(r, sizeof *l->out);
    l->rooms = calloc(r, sizeof *l->rooms);
    l->made = calloc(r, sizeof *l->made);
    l->slots = calloc(r, sizeof *l->slots);
    l->port = calloc(r, sizeof *l->port);
    l->last = calloc(r, sizeof *l->last);
    l->wanted = calloc(r, sizeof *l->wanted);
    l->first = calloc(r, sizeof *l->first);
    l->joins = calloc((size_t)l->body->n_out + 1, sizeof *l->joins);
    return l->in && l->held && l->moving && l->number && l->seated && l->cuts && l->stands &&
           l->written && l->ours && l->stays && l->out && l->rooms && l->made && l->slots &&
           l->port && l->last && l->wanted && l->first && l->joins;
}

static void list_firsts(exec_loop *l)
{
    const inlay_graph *g = l->body->graph;

    for (int i = 0; i < l->n_results; i++) {
        while (g->results[l->first[i]]->in[0].value != g->results[i]->in[0].value)
            l->first[i]++;
    }
}

/* Lists which parameters the body writes over, by its notes, and which results become such
 * parameters. */
static void list_written(exec_loop *l)
{
    const exec_place *places = l->plan->places;
    const inlay_body *b = l->body;

    for (int i = 0; places && i < l->n_params; i++)
        l->written[i] = places[steps_slot(l->plan->steps, &b->graph->params[i]->out[0])].spoiled;
    for (int i = 0; i < b->n_back; i++)
        l->stays[b->back[i].from] = l->stays[b->back[i].from] || l->written[b->back[i].to];
}

exec_loop *exec_loop_new(const inlay_body *b, const exec_plan *p, const exec_hands *hands,
                         bool (*run_body)(exec_loop *l))
{
    exec_loop *l = calloc(1, sizeof *l);

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
        l->port[i] = l->last[i] = -1;
    for (int i = b->n_out; i-- > 0;) {
        l->joins[i].port = &b->out[i];
        if (b->out[i].outer >= 0)
            *(b->out[i].has_axis ? &l->port[b->out[i].inner] : &l->last[b->out[i].inner]) = i;
    }
    return l;
}

static bool sit(exec_loop *l, const exec_seat *s, const inlay_tensor *frame, size_t *n)
{
    char *at = (char *)frame->data + s->at;
    inlay_tensor **number;

    if (s->result >= 0)
        return slots_seat(&l->slots[s->result], (*n)++, &s->form, at);
    number = &l->number[s->param];
    *number = slots_tensor_at(*number, &s->form, at);
    l->seated[s->param] = *number != NULL;
    return *number != NULL;
}

/* A number that has lost its seat is made when it is needed. */
static void leave_seats(exec_loop *l)
{
    for (int i = 0; i < l->n_results; i++)
        slots_unseat(&l->slots[i], 0);
    for (int i = 0; i < l->n_params; i++) {
        if (!l->seated[i])
            continue;
        inlay_tensor_release(l->number[i]);
        l->number[i] = NULL;
        l->seated[i] = false;
    }
}

bool loop_sit(exec_loop *l, const exec_seat *seats, size_t n_seats, const inlay_tensor *frame,
              inlay_diags *d)
{
    size_t k = 0;

    if (n_seats == 0 || !frame) {
        leave_seats(l);
        return true;
    }
    for (int i = 0; i < l->n_results; i++) {
        size_t n = 0;

        for (; k < n_seats && seats[k].result == i; k++) {
            if (!sit(l, &seats[k], frame, &n))
                return inlay_fail_memory(d);
        }
        slots_unseat(&l->slots[i], n);
    }
    for (; k < n_seats; k++) {
        if (!sit(l, &seats[k], frame, NULL))
            return inlay_fail_memory(d);
    }
    return true;
}
