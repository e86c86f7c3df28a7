/* The planned executor: runs what reference.c runs, with the same kernels, but obeys storage notes.
 * They are read once, when the graph is compiled, into one place per slot; at run time an output is
 * a view of an operand, stands over an operand's bytes, or in the window of a tensor that a later
 * SliceScatter overwrites.
 *
 * A note that cannot be followed in this run (the window is not known yet, a shape came out
 * differently) is not: a buffer of its own is always right, because every value is read through its
 * own tensor and the kernel then copies what is missing.
 */
#include "interp/run.h"

#include <stdlib.h>
#include <string.h>

/* Notes: they are claims, and of those only the ones that the checker finds right are obeyed. */

/* The value whose bytes V uses. An `into` is about the window in the data of its scatter. */
static const inlay_value *target_of(const inlay_value *v)
{
    return v->note == INLAY_INTO ? inlay_node_input(v->note_target->node, 0) : v->note_target;
}

/* The note of V is right. Slots are numbered in the order of the steps, and a target is made before
 * it is used, so its slot is the smaller one: no cycle. */
static plan_place place_by_note(const inlay_plan *p, const inlay_value *v)
{
    return (plan_place){.kind = v->note,
                        .target = plan_slot(p, target_of(v)),
                        .scatter = v->note == INLAY_INTO ? v->note_target->node : NULL};
}

/* DROPPED, by slot: the notes that are not right; NULL: all are. */
static void read_note(inlay_plan *p, const inlay_value *v, const bool *dropped)
{
    size_t slot = plan_slot(p, v);

    if (v->note == INLAY_FRESH || (dropped && dropped[slot]))
        p->places[slot] = (plan_place){.kind = INLAY_FRESH, .target = slot};
    else
        p->places[slot] = place_by_note(p, v);
}

/* Every value that stands in a buffer something writes over. A target's slot is the smaller one:
 * what is so of a value is told to its target, last slot first, till the owner of the buffer knows,
 * and then to all that stand in it. */
static void mark_spoiled(inlay_plan *p)
{
    for (size_t i = p->n_slots; i-- > 0;) {
        plan_place *place = &p->places[i];
        bool writes = place->kind == INLAY_OVERWRITES || place->kind == INLAY_INTO;

        if (place->kind != INLAY_FRESH && (writes || place->spoiled))
            p->places[place->target].spoiled = true;
    }
    for (size_t i = 0; i < p->n_slots; i++) {
        if (p->places[i].kind != INLAY_FRESH)
            p->places[i].spoiled = p->places[p->places[i].target].spoiled;
    }
}

/* Notes are claims until they are checked for the very order of the steps. *LEGAL: all are right.
 */
static bool check_notes(const inlay_plan *p, bool *legal, inlay_diags *d)
{
    inlay_order_list order = {calloc(p->n_steps + 1, sizeof *order.nodes), p->n_steps};
    inlay_diags *found = inlay_diags_new();
    const inlay_value *bad = NULL;
    bool ok = order.nodes && found;

    for (size_t i = 0; ok && i < p->n_steps; i++)
        order.nodes[i] = (inlay_node *)p->steps[i].node;
    *legal = ok && inlay_check_notes(p->graph, &order, &bad, found);
    ok = ok && (*legal || bad);
    inlay_diags_free(found);
    free(order.nodes);
    return ok || inlay_fail_memory(d);
}

/* The graph is not ours to change: illegal notes are dropped from a copy of it, with a warning for
 * each, and those that are missing there marked by slot. */
static bool *find_dropped(const inlay_plan *p, inlay_diags *d)
{
    bool *dropped = calloc(p->n_slots + 1, sizeof *dropped);
    inlay_graph *copy = dropped ? inlay_graph_clone(p->graph, d) : NULL;
    bool ok = copy && inlay_drop_illegal_notes(copy, d);

    for (size_t i = 0; ok && i < p->n_steps; i++) {
        const inlay_node *n = p->steps[i].node, *same = inlay_graph_node(copy, n->name);

        for (int k = 0; k < n->n_out; k++)
            dropped[plan_slot(p, &n->out[k])] = same->out[k].note == INLAY_FRESH;
    }
    inlay_graph_free(copy);
    if (ok)
        return dropped;
    free(dropped);
    return NULL;
}

bool planned_notes(inlay_plan *p, inlay_diags *d)
{
    bool legal, *dropped = NULL;

    if (!p->graph->has_notes || p->graph->owner)
        return true;
    if (!check_notes(p, &legal, d) || (!legal && !(dropped = find_dropped(p, d))))
        return false;
    p->places = calloc(p->n_slots + 1, sizeof *p->places);
    for (size_t i = 0; p->places && i < p->n_steps; i++) {
        for (int k = 0; k < p->steps[i].node->n_out; k++)
            read_note(p, &p->steps[i].node->out[k], dropped);
    }
    free(dropped);
    if (!p->places)
        return inlay_fail_memory(d);
    mark_spoiled(p);
    return true;
}

void planned_written_variables(const inlay_plan *p, const inlay_node **written)
{
    for (size_t i = 0; p->places && i < p->n_steps; i++) {
        const inlay_node *n = p->steps[i].node;
        const inlay_variable *v = inlay_variable_of(n, INLAY_OP_READ_VALUE);

        if (v && !written[v->index] && p->places[plan_slot(p, &n->out[0])].spoiled)
            written[v->index] = n;
    }
}

/* Outputs */

static bool takes(const inlay_fact *f, const inlay_tensor *t)
{
    if (f->type == INLAY_DYNAMIC || f->rank != t->rank ||
        inlay_type_info_of(f->type)->bits != inlay_type_info_of(t->type)->bits)
        return false;
    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]) || f->dims[i].lo != t->dims[i])
            return false;
    }
    return true;
}

/* T's elements seen as TYPE, which has as many bits. */
static inlay_tensor *seen_as(const inlay_tensor *t, inlay_type type)
{
    inlay_tensor other = *t;

    if (t->type == type)
        return inlay_tensor_retain(t);
    other.type = type;
    return inlay_tensor_window(&other, t->rank, t->dims, t->strides, 0);
}

/* What an input of a node has in this run, also when it is a constant whose step comes later. */
static const inlay_tensor *operand_now(const struct inlay_run *run, const inlay_value *v)
{
    const inlay_attr *a;

    if (run->values[plan_slot(run->plan, v)])
        return run->values[plan_slot(run->plan, v)];
    a = inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;
    return a ? a->as.tensor : NULL;
}

/* The window of the buffer of DATA that SCATTER writes, or NULL when that is not known yet. Quiet:
 * what is wrong with the scatter's operands it says itself. */
static inlay_tensor *window_ahead(inlay_call *c, const inlay_node *scatter,
                                  const inlay_tensor *data)
{
    const inlay_tensor **in = scratch_array(c, scatter->n_in, sizeof *in);
    inlay_call ahead = {
        .node = scatter, .in = in, .n_in = scatter->n_in, .scratch = c->scratch, .run = c->run};

    if (!in || !data)
        return NULL;
    in[0] = data;
    for (int i = 2; i < scatter->n_in; i++) {
        const inlay_value *v = scatter->in[i].value;

        in[i] = v ? operand_now(c->run, v) : NULL;
        if (v && !in[i])
            return NULL;
    }
    return call_scatter_window(&ahead, data);
}

/* A tensor with the dims of F and no bytes. */
static inlay_tensor *form_of(const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];

    for (int i = 0; i < f->rank; i++)
        dims[i] = f->dims[i].lo;
    return inlay_tensor_over(NULL, NULL, f->type, f->rank, dims);
}

static bool is_static(const inlay_fact *f)
{
    bool yes = f->rank >= 0 && f->type != INLAY_DYNAMIC;

    for (int i = 0; yes && i < f->rank; i++)
        yes = inlay_dim_is_static(f->dims[i]) && f->dims[i].lo > 0;
    return yes;
}

static bool view_output(inlay_call *c, int i, const inlay_fact *f)
{
    if (!is_static(f) || f->type != c->in[0]->type)
        return true;
    c->out[i] = form_of(f);
    return c->out[i] || inlay_fail_memory(c->diags);
}

/* Output I stands in T (taken over), if it fits. What is written over is dense, or a window of what
 * is, so no two positions of T are one place in memory. */
static bool output_in(inlay_call *c, int i, inlay_tensor *t, const inlay_fact *f, bool save)
{
    bool ok = true;

    if (t && takes(f, t)) {
        ok = !save || call_overwrites(c, t);
        c->out[i] = ok ? seen_as(t, f->type) : NULL;
        ok = ok && (c->out[i] || inlay_fail_memory(c->diags));
        c->in_place = ok;
    }
    inlay_tensor_release(t);
    return ok;
}

bool planned_outputs(inlay_call *c, const inlay_fact *promise)
{
    const inlay_plan *p = c->run->plan;
    bool ok = true;

    for (int i = 0; ok && p && p->places && i < c->n_out; i++) {
        const plan_place *place = &p->places[plan_slot(p, &c->node->out[i])];
        const inlay_tensor *target = c->run->values[place->target];

        if (place->kind == INLAY_VIEW_OF)
            ok = view_output(c, i, &promise[i]);
        else if (place->kind == INLAY_OVERWRITES)
            /* scatters say themselves which elements they write */
            ok = output_in(c, i, inlay_tensor_retain(target), &promise[i],
                           c->node->op->flags & INLAY_POINTWISE);
        else if (place->kind == INLAY_INTO)
            ok = output_in(c, i, window_ahead(c, place->scatter, target), &promise[i], true);
    }
    return ok;
}

/* Buffers from outside */

/* WAITS: before it is made, the links of a chain may join it (tiles.c). */
static bool copy_of(struct inlay_run *run, inlay_tensor **t, bool waits, const inlay_node *node,
                    inlay_diags *d)
{
    inlay_tensor *copy = meter_tensor_like(run->env->meter, *t, node, d);

    if (!copy)
        return false;
    if (!(waits && tiles_copy(run->tiles, copy, *t)) && !inlay_tensor_assign(copy, *t)) {
        inlay_tensor_release(copy);
        return inlay_fail_memory(d);
    }
    run->env->stats->copied_bytes += inlay_tensor_bytes(copy);
    inlay_tensor_release(*t);
    *t = copy;
    return true;
}

/* The first value of a variable is handed over as it is: also what is only read must not change
 * when the value it came from is written over. */
static bool source_is_spoiled(const inlay_plan *p, const inlay_node *n)
{
    const inlay_value *v = inlay_node_is(n, INLAY_OP_READ_VALUE) ? inlay_node_input(n, 0) : NULL;

    return v && p->places[plan_slot(p, v)].spoiled;
}

bool planned_protect(struct inlay_run *run, size_t slot, inlay_tensor **t, bool ours,
                     const inlay_node *node, inlay_diags *d)
{
    const plan_place *place = run->plan->places ? &run->plan->places[slot] : NULL;
    bool copied = place && place->kind == INLAY_FRESH && !ours &&
                  (place->spoiled || source_is_spoiled(run->plan, node));

    return !copied || copy_of(run, t, true, node, d);
}

bool planned_keep(struct inlay_run *run, size_t slot, const inlay_tensor *t, const inlay_node *node,
                  inlay_diags *d)
{
    const inlay_plan *p = run->plan;

    for (int i = 0; p->places && p->places[slot].spoiled && run->env->kept && i < p->n_keep; i++) {
        inlay_tensor *copy;

        if (p->keep[i] != slot)
            continue;
        copy = inlay_tensor_retain(t);
        tiles_settle(run->tiles);
        if (!copy_of(run, &copy, false, node, d)) {
            inlay_tensor_release(copy);
            return false;
        }
        run->env->kept[i] = copy;
    }
    return true;
}

/* Where a tensor's buffer lies. */
struct stretch {
    uintptr_t begin, end;
    int input; /* whose, or -1: a state's */
};

static int by_begin(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* A buffer without bytes lies nowhere. */
static size_t add_stretch(struct stretch *list, size_t n, const inlay_tensor *t, int input)
{
    uintptr_t begin = t && t->buffer ? (uintptr_t)inlay_buffer_data(t->buffer) : 0;
    size_t size = t && t->buffer ? inlay_buffer_size(t->buffer) : 0;

    if (size > 0)
        list[n++] = (struct stretch){begin, begin + size, input};
    return n;
}

/* None that shares bytes with another stays in OUT: one that begins before it and reaches into it,
 * or the next, which begins first of those behind it. */
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

/* Two inputs, or an input and a state, may be one tensor, or two over the same memory, however it
 * was wrapped. */
bool planned_donations(const inlay_tensor *const *in, const bool *donated, int n,
                       const inlay_tensor *const *states, int n_states, bool *out)
{
    struct stretch *list = calloc((size_t)n + (size_t)n_states + 1, sizeof *list);
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
    free(list);
    return list != NULL;
}
