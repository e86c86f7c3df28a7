/* Keeps the memory of replaced states for later ones. */
#include "interp/exec/run/spare.h"
#include "interp/call/index.h"
#include "ir/shared.h"

#include <stdlib.h>

bool spares_begin(exec_spares *s, inlay_budget *budget, int n)
{
    *s = (exec_spares){.list = inlay_take(budget, (size_t)n + 1, sizeof *s->list), .n = n};
    return s->list != NULL;
}

void spares_end(exec_spares *s)
{
    for (int i = 0; s->list && i < s->n; i++)
        inlay_tensor_release(s->list[i]);
    for (int i = 0; i < s->n_bare; i++)
        inlay_tensor_release(s->bare[i]);
    inlay_give(s->list);
}

void spares_put(exec_spares *s, int v, const inlay_tensor *t, const inlay_tensor *now)
{
    bool keeps = t && now && t != now && !s->list[v] && tensor_same_form(t, now) &&
                 inlay_tensor_is_sole(t) && inlay_tensor_is_dense(t) &&
                 inlay_buffer_access(t->buffer) == INLAY_ACCESS_OWN &&
                 inlay_buffer_size(t->buffer) == inlay_tensor_bytes(t); /* no spare bytes to grow
                                                                           into */

    if (keeps)
        s->list[v] = (inlay_tensor *)t;
    else
        spares_strip(s, t);
}

void spares_strip(exec_spares *s, const inlay_tensor *t)
{
    const int most = sizeof s->bare / sizeof *s->bare;
    inlay_tensor *bare;

    if (s->n_bare == most)
        inlay_tensor_release(t);
    else if ((bare = inlay_tensor_strip(t)))
        s->bare[s->n_bare++] = bare;
}

inlay_tensor *spares_window(exec_spares *s, const inlay_tensor *t, int rank, const int64_t *dims,
                            const int64_t *strides, int64_t offset)
{
    inlay_tensor *bare = NULL;

    for (int i = s->n_bare - 1; i >= 0 && !bare; i--) {
        if (s->bare[i]->rank != rank)
            continue;
        bare = s->bare[i];
        s->bare[i] = s->bare[--s->n_bare];
    }
    return inlay_tensor_again(bare, t, rank, dims, strides, offset);
}

inlay_tensor *spares_take(exec_spares *s, int v, const inlay_tensor *form)
{
    inlay_tensor *t = s->list[v];

    s->list[v] = NULL;
    if (t && tensor_same_form(t, form))
        return t;
    inlay_tensor_release(t);
    return NULL;
}
