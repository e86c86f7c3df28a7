/* Makes and frees what a session keeps from run to run. */
#include "interp/exec/loop/loop.h"
#include "interp/exec/run/frame.h"
#include "ir/shared.h"

#include <stdlib.h>

exec_session *exec_session_new(const exec_plan *p, inlay_meter *meter, exec_workers *workers,
                               bool poison)
{
    inlay_budget *budget = inlay_graph_budget(p->steps->graph);
    exec_session *s = inlay_take(budget, 1, sizeof *s);

    if (!s)
        return NULL;
    s->plan = p;
    s->meter = meter;
    s->workers = workers;
    s->poison = poison;
    s->frames = inlay_take(budget, (size_t)p->n_plans, sizeof *s->frames);
    s->dropped = inlay_take(budget, (size_t)p->n_plans, sizeof *s->dropped);
    s->luck = inlay_take(budget, 2 * (size_t)p->n_plans, sizeof *s->luck);
    s->nothing = inlay_buffer_new(0);
    s->regions = inlay_take(budget, ((size_t)p->max_depth + 1) * EXEC_SEGMENTS, sizeof *s->regions);
    s->loops = inlay_take(budget, (size_t)p->n_plans, sizeof *s->loops);
    s->scratch = inlay_take(budget, (size_t)p->max_depth + 1, sizeof *s->scratch);
    s->owned = inlay_take(budget, (size_t)p->steps->graph->n_variables + 1, sizeof *s->owned);
    if (spares_begin(&s->spares, budget, p->steps->graph->n_variables) &&
        journal_new(&s->journal, budget, p->steps->graph->n_variables) && s->owned && s->frames &&
        s->dropped && s->luck && s->nothing && s->regions && s->loops && s->scratch)
        return s;
    exec_session_free(s);
    return NULL;
}

void exec_session_free(exec_session *s)
{
    if (!s)
        return;
    if (s->made)
        s->free_made(s->made);
    for (int i = 0; s->frames && i < s->plan->n_plans; i++) {
        while (s->frames[i]) {
            exec_frame *f = s->frames[i];

            s->frames[i] = f->next;
            exec_frame_free(f);
        }
    }
    for (int i = 0; s->dropped && i < s->plan->n_plans; i++)
        exec_frame_free(s->dropped[i]);
    for (int i = 0; s->regions && i < (s->plan->max_depth + 1) * EXEC_SEGMENTS; i++)
        inlay_tensor_release(s->regions[i].bytes);
    inlay_tensor_release(s->zeros);
    inlay_buffer_release(s->nothing);
    for (int i = 0; s->scratch && i <= s->plan->max_depth; i++)
        inlay_arena_free(s->scratch[i]);
    inlay_give(s->scratch);
    for (int i = 0; s->loops && i < s->plan->n_plans; i++)
        exec_loop_free(s->loops[i]);
    inlay_give(s->loops);
    spares_end(&s->spares);
    journal_free(&s->journal);
    inlay_give(s->frames);
    inlay_give(s->dropped);
    inlay_give(s->luck);
    inlay_give(s->owned);
    inlay_give(s->regions);
    inlay_give(s->key);
    inlay_give(s);
}
