/* What a session has for a loop begins and ends here. */
#include "interp/exec/repeat.h"

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
    return l->in && l->held && l->moving && l->number && l->cuts && l->stands && l->written &&
           l->ours && l->stays && l->out && l->rooms && l->made && l->slots && l->port && l->last &&
           l->wanted && l->first && l->joins;
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
