/* The walk over the steps, segment by segment. */
#include "interp/audit/audit.h"

#include "interp/audit/auditor.h"
#include "interp/audit/border.h"

/* Writes the tags of what is in memory before the first step: inputs, states, copies of inputs. */
static bool begin(auditor *a)
{
    const graph_steps *s = a->x->steps;

    for (int i = 0; i < s->graph->n_params; i++) {
        size_t slot = steps_slot(s, &s->graph->params[i]->out[0]);

        if (is_seen(a, slot) && root_of(a, slot) == EXEC_INPUT && !tags_write(&a->t, slot))
            return audit_refuse(a, "a Parameter is outside of its allocation", slot);
    }
    for (size_t i = 0; i < a->x->n_entries; i++) {
        size_t slot = steps_slot(s, &s->graph->params[a->x->entries[i].param]->out[0]);

        if (is_seen(a, slot) && !tags_write(&a->t, slot))
            return audit_refuse(a, "the copy of a Parameter is outside of its allocation", slot);
    }
    for (size_t i = 0; i < a->x->n_allocations; i++) {
        const exec_allocation *u = &a->x->allocations[i];

        if (u->same == i && u->root == EXEC_STATE && !tags_write(&a->t, u->slot))
            return audit_refuse(a, "a state is outside of its allocation", u->slot);
    }
    return true;
}

/* Whether SLOT is kept by a copy made as soon as the value exists. A Parameter that is overwritten
 * is. */
static bool is_kept_early(const auditor *a, size_t slot)
{
    for (const exec_instance *x = a->x; x; x = x->segment.before) {
        for (size_t i = 0; i < x->n; i++) {
            for (int k = 0; k < x->list[i].step->node->n_out; k++) {
                if (x->list[i].out[k] == slot)
                    return x->list[i].keeps;
            }
        }
    }
    return true;
}

static bool leaves(auditor *a, size_t slot)
{
    if (border_lost(a->x, slot))
        return audit_refuse(a, "a value that leaves the run has lost its place at the border",
                            slot);
    if (!is_seen(a, slot))
        return true;
    if (below(a, slot)->root == EXEC_ARENA)
        return audit_refuse(a, "a value that leaves the run is in the arena", slot);
    return tags_hold(&a->t, slot) || audit_refuse(a, "a value that leaves the run is gone", slot);
}

static bool states_leave(auditor *a)
{
    bool ok = true;

    for (const exec_instance *x = a->x; x && ok; x = x->segment.before) {
        for (size_t i = 0; ok && i < x->n; i++)
            ok = x->list[i].kind != EXEC_ASSIGN || leaves(a, x->list[i].in[0]);
    }
    return ok;
}

static bool end(auditor *a)
{
    const graph_steps *s = a->x->steps;
    bool last = !exec_goes_on(a->x);

    a->s = NULL;
    for (int i = 0; last && i < s->graph->n_results; i++) {
        if (!leaves(a, steps_slot(s, s->graph->results[i]->in[0].value)))
            return false;
    }
    for (int i = 0; last && i < s->n_keep; i++) {
        if (!is_kept_early(a, s->keep[i]) && !leaves(a, s->keep[i]))
            return false;
    }
    return states_leave(a);
}

static bool audit(auditor *a, bool *fits);

/* Takes over the tags from the end of the segment before. */
static bool cross(auditor *a, bool *fits)
{
    auditor was = {.x = a->x->segment.before, .d = a->d};
    const char *wrong = NULL;
    size_t value = SIZE_MAX;
    bool ok = audit(&was, fits);

    if (ok && *fits)
        wrong = border_cross(&a->t, &was.t, &value);
    tags_end(&was.t);
    return ok && (!wrong || audit_refuse(a, wrong, value));
}

static bool walk(auditor *a, bool *fits)
{
    const char *wrong = border_frame(a->x);

    a->s = a->x->n ? &a->x->list[0] : NULL;
    if (wrong)
        return audit_refuse(a, wrong, SIZE_MAX);
    if (a->x->segment.before ? !cross(a, fits) : !begin(a))
        return false;
    for (a->number = 0; *fits && a->number < a->x->n; a->number++) {
        a->s = &a->x->list[a->number];
        if (a->s->refused) /* it reads nothing, and is the last step */
            return true;
        if (!step_look_at(a))
            return false;
    }
    return !*fits || end(a);
}

/* No invocation has more than EXEC_SEGMENTS segments. The tags are left for the caller. */
static bool audit(auditor *a, bool *fits)
{
    if (!tags_begin(&a->t, a->x, fits))
        return inlay_fail_memory(a->d);
    return !*fits || walk(a, fits);
}

bool audit_instance(const exec_instance *x, inlay_diags *d)
{
    auditor a = {.x = x, .d = d};
    bool fits, ok = audit(&a, &fits);

    tags_end(&a.t);
    return ok;
}
