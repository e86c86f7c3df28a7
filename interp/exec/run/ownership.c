/* Buffers from outside of the run: inputs, constants, states of variables. A run overwrites such a
 * buffer only if the run owns it; otherwise it overwrites a copy. */
#include "interp/exec/run/ownership.h"
#include "ir/shared.h"

#include <stdlib.h>

/* Replaces *T by a copy. */
static bool copy_of(const exec_run *run, inlay_tensor **t, const inlay_node *node, inlay_diags *d)
{
    inlay_tensor *copy = meter_copy(run->run.env->meter, *t, node, d);

    if (!copy)
        return false;
    run->run.env->stats->copied_bytes += inlay_tensor_bytes(copy);
    inlay_tensor_release(*t);
    *t = copy;
    return true;
}

/* Returns whether N reads a variable whose initial value will be overwritten. Resetting a variable
 * makes its state the very tensor of the initial value, which must not change. */
static bool source_is_spoiled(const exec_run *run, const inlay_node *n)
{
    const inlay_value *v = inlay_node_is(n, INLAY_OP_READ_VALUE) ? inlay_node_input(n, 0) : NULL;

    return v && run->plan->places[steps_slot(run->steps, v)].spoiled;
}

bool exec_protect(exec_run *run, size_t slot, inlay_tensor **t, bool ours, const inlay_node *node,
                  inlay_diags *d)
{
    const exec_place *places = run->plan ? run->plan->places : NULL;
    const exec_place *place = places ? &places[slot] : NULL;
    bool copied = place && place->kind == INLAY_FRESH && !ours &&
                  (place->spoiled || source_is_spoiled(run, node));

    return !copied || copy_of(run, t, node, d);
}

bool exec_keep(exec_run *run, size_t slot, const inlay_tensor *t, const inlay_node *node,
               inlay_diags *d)
{
    const graph_steps *s = run->steps;
    const exec_place *places = run->plan ? run->plan->places : NULL;
    const inlay_tensor **kept = run->run.env->kept;

    for (int i = 0; places && places[slot].spoiled && kept && i < s->n_keep; i++) {
        inlay_tensor *copy;

        if (s->keep[i] != slot)
            continue;
        copy = inlay_tensor_retain(t);
        if (!copy_of(run, &copy, node, d)) {
            inlay_tensor_release(copy);
            return false;
        }
        kept[i] = copy;
    }
    return true;
}

/* The address range of a tensor's buffer. */
struct stretch {
    uintptr_t begin, end;
    int input; /* number of the input that it belongs to; -1: to a state */
};

static int by_begin(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Adds the buffer of T to LIST, which has N entries, and returns how many there are then. A buffer
 * without bytes is left out. */
static size_t add_stretch(struct stretch *list, size_t n, const inlay_tensor *t, int input)
{
    uintptr_t begin = t && t->buffer ? (uintptr_t)inlay_buffer_data(t->buffer) : 0;
    size_t size = t && t->buffer ? inlay_buffer_size(t->buffer) : 0;

    if (size > 0)
        list[n++] = (struct stretch){begin, begin + size, input};
    return n;
}

/* Clears in OUT each input that shares bytes with another entry of LIST. Sorted by address, an
 * entry overlaps an entry before it that reaches into it, or the next one. */
static void drop_shared(struct stretch *list, size_t n, bool *out)
{
    uintptr_t reach = 0;

    qsort(list, n, sizeof *list, by_begin);
    for (size_t i = 0; i < n; i++) {
        if (list[i].input >= 0 &&
            (list[i].begin < reach || (i + 1 < n && list[i + 1].begin < list[i].end)))
            out[list[i].input] = false;
        reach = list[i].end > reach ? list[i].end : reach;
    }
}

/* Addresses are compared because two tensors with different buffers may have been wrapped around
 * the same memory. */
bool exec_donations(inlay_budget *budget, const inlay_tensor *const *in, const bool *donated, int n,
                    const inlay_tensor *const *states, int n_states, bool *out)
{
    struct stretch *list = inlay_take(budget, (size_t)n + (size_t)n_states + 1, sizeof *list);
    size_t n_list = 0;

    for (int i = 0; list && i < n; i++) {
        const inlay_tensor *t = in[i];

        out[i] = donated && donated[i] && t && inlay_tensor_is_dense(t) &&
                 inlay_tensor_is_sole(t) && inlay_buffer_access(t->buffer) != INLAY_ACCESS_NONE;
        n_list = add_stretch(list, n_list, t, i);
    }
    for (int i = 0; list && i < n_states; i++)
        n_list = add_stretch(list, n_list, states[i], -1);
    if (list)
        drop_shared(list, n_list, out);
    inlay_give(list);
    return list != NULL;
}

/* Returns whether a run may overwrite state T: nothing else holds the tensor or its memory. */
static bool is_own(const inlay_tensor *t)
{
    return inlay_tensor_is_sole(t) && inlay_buffer_access(t->buffer) == INLAY_ACCESS_OWN;
}

/* Replaces states that something else holds, such as a result of an earlier run, or a tensor or
 * memory of the caller, by copies: nothing outside may see what the run writes. */
static bool own_states(const exec_plan *p, run_env *env, const inlay_tensor **states,
                       inlay_diags *d)
{
    for (int i = 0; i < env->n_variables; i++) {
        const inlay_tensor *t = states[i];
        inlay_tensor *copy;

        if (!t || !p->writes[i] || (is_own(t) && inlay_tensor_is_dense(t)))
            continue;
        copy = meter_copy(env->meter, t, p->writes[i], d);
        if (!copy)
            return false;
        env->stats->copied_bytes += inlay_tensor_bytes(t);
        inlay_tensor_release(t);
        states[i] = copy;
    }
    return true;
}

bool exec_prepare(exec_session *s, run_env *env, const inlay_tensor *const *in, const bool *donated,
                  const inlay_tensor **states, bool *ours, inlay_diags *d)
{
    int n = s->plan->steps->graph->n_params;
    bool any = false;

    for (int i = 0; i < n; i++) {
        ours[i] = false;
        any = any || (donated && donated[i]);
    }
    for (int i = 0; i < env->n_variables; i++)
        s->owned[i] = states[i] && is_own(states[i]);
    if (any &&
        !exec_donations(meter_budget(env->meter), in, donated, n, states, env->n_variables, ours))
        return inlay_fail_memory(d);
    return own_states(s->plan, env, states, d);
}
