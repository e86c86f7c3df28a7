/* The memory of states that were given up. */
#include "interp/exec/exec.h"
#include "ir/shared.h"

#include <stdlib.h>

bool spares_begin(exec_spares *s, int n)
{
    *s = (exec_spares){.list = calloc((size_t)n + 1, sizeof *s->list), .n = n};
    return s->list != NULL;
}

void spares_end(exec_spares *s)
{
    for (int i = 0; s->list && i < s->n; i++)
        inlay_tensor_release(s->list[i]);
    free(s->list);
}

static bool same_form(const inlay_tensor *a, const inlay_tensor *b)
{
    bool same = a->type == b->type && a->rank == b->rank;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

void spares_put(exec_spares *s, int v, const inlay_tensor *t, const inlay_tensor *now)
{
    bool keeps = t && now && t != now && !s->list[v] && same_form(t, now) &&
                 inlay_tensor_is_sole(t) && inlay_tensor_is_dense(t) &&
                 inlay_buffer_access(t->buffer) == INLAY_ACCESS_OWN;

    if (keeps)
        s->list[v] = (inlay_tensor *)t;
    else
        inlay_tensor_release(t);
}

inlay_tensor *spares_take(exec_spares *s, int v, const inlay_tensor *form)
{
    inlay_tensor *t = s->list[v];

    s->list[v] = NULL;
    if (t && same_form(t, form))
        return t;
    inlay_tensor_release(t);
    return NULL;
}
