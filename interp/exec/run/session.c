/* Makes and frees what a session keeps from run to run. */
#include "interp/exec/loop/loop.h"
#include "interp/exec/run/frame.h"

#include <stdlib.h>

exec_session *exec_session_new(const exec_plan *p, inlay_meter *meter, exec_workers *workers,
                               bool poison)
{
    exec_session *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->plan = p;
    s->meter = meter;
    s->workers = workers;
    s->poison = poison;
    s->frames = calloc((size_t)p->n_plans, sizeof *s->frames);
    s->dropped = calloc((size_t)p->n_plans, sizeof *s->dropped);
    s->luck = calloc(2 * (size_t)p->n_plans, sizeof *s->luck);
    s->nothing = inlay_buffer_new(0);
    s->regions = calloc(((size_t)p->max_depth + 1) * EXEC_SEGMENTS, sizeof *s->regions);
    s->loops = calloc((size_t)p->n_plans, sizeof *s->loops);
    s->scratch = calloc((size_t)p->max_depth + 1, sizeof *s->scratch);
    s->owned = calloc((size_t)p->steps->graph->n_variables + 1, sizeof *s->owned);
    if (spares_begin(&s->spares, p->steps->graph->n_variables) &&
        journal_new(&s->journal, p->steps->graph->n_variables) && s->owned && s->frames &&
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
    free(s->scratch);
    for (int i = 0; s->loops && i < s->plan->n_plans; i++)
        exec_loop_free(s->loops[i]);
    free(s->loops);
    spares_end(&s->spares);
    journal_free(&s->journal);
    free(s->frames);
    free(s->dropped);
    free(s->luck);
    free(s->owned);
    free(s->regions);
    free(s->key);
    free(s);
}
