/* Runs steps of which it is known only in the run what their outputs are or where they lie. */
#include "interp/exec/run/dynamic_step.h"
#include "interp/exec/build/query.h"
#include "interp/exec/run/bind.h"
#include "interp/exec/run/destinations.h"
#include "interp/exec/run/outputs.h"
#include "interp/exec/run/ownership.h"
#include "interp/exec/run/planned_step.h"
#include "interp/exec/run/split.h"

/* Counts the copied bytes of a kernel that only moves elements: all that it wrote; nothing for a
 * view. IN_PLACE: the output of a node like Concat was computed in another value; operands are
 * copied there, even within one buffer. */
static void count_moved(inlay_exec_stats *stats, const inlay_call *c, bool in_place)
{
    bool moves = c->node->op->flags & (INLAY_MOVES | INLAY_VIEW);
    bool holds = in_place && (c->node->op->flags & INLAY_HOLDS);

    for (int i = 0; moves && i < c->n_out; i++) {
        if (holds || c->out[i]->buffer != c->in[0]->buffer)
            stats->copied_bytes += inlay_tensor_bytes(c->out[i]);
    }
}

static bool kernel(inlay_call *c)
{
    return exec_call_kernel(exec_run_of(c)->walked, c);
}

static bool run_node(exec_run *run, const graph_step *step, const inlay_tensor *const *in,
                     inlay_tensor **out, inlay_diags *d)
{
    call_step s;
    bool ok;

    call_begin(&s, step->node, step->bodies, &run->run, in, out, d);
    run->in_place = false;
    ok = call_operands(&s) && exec_outputs(&s.call, s.promise);
    for (int i = 0; ok && i < s.call.n_out; i++)
        ok = out[i] || call_fresh_output(&s, i);
    ok = ok && call_kernel(&s, kernel);
    if (ok)
        count_moved(run->run.env->stats, &s.call, run->in_place);
    if (ok)
        run->run.env->stats->in_place_writes += run->in_place && !s.call.writes_nothing;
    call_end(&s, ok);
    return ok;
}

/* Replaces *T if it is the very tensor of an operand. Tensors of this frame are filled in anew in
 * each run, so for such an operand *T becomes another tensor on the same bytes. */
static bool own_tensor(const exec_frame *f, const exec_step *s, inlay_tensor **t, inlay_diags *d)
{
    inlay_tensor *was = *t;

    for (int i = 0; i < s->step->node->n_in; i++) {
        size_t value = s->in[i];

        if (value == SIZE_MAX || *t != was || f->own[value] != was)
            continue;
        *t = inlay_tensor_window(was, was->rank, was->dims, was->strides, 0);
        inlay_tensor_release(was);
    }
    return *t || inlay_fail_memory(d);
}

/* Makes *T, which a kernel returned, dense, because it will be bound to an allocation; FORM says
 * what that allocation expects. */
static INLAY_OWN_FRAME bool make_dense(const exec_frame *f, inlay_tensor **t,
                                       const inlay_tensor *form, const inlay_node *n,
                                       inlay_diags *d)
{
    inlay_tensor *copy;
    char a[512], b[512];

    if (!tensor_same_form(*t, form))
        return inlay_fail_node(d, n, "an output came out with shape %s, by the shape rule it is %s",
                               tensor_shape_text(*t, a, sizeof a),
                               tensor_shape_text(form, b, sizeof b));
    if (inlay_tensor_is_dense(*t) && (uintptr_t)(*t)->data % sizeof(int64_t) == 0)
        return true;
    copy = meter_copy(f->run.run.env->meter, *t, n, d);
    if (!copy)
        return false;
    f->run.run.env->stats->copied_bytes += inlay_tensor_bytes(copy);
    inlay_tensor_release(*t);
    *t = copy;
    return true;
}

/* Makes T, whose reference is taken over, the value of SLOT, which overwrites another value or is
 * stored in one. If the bodies put it elsewhere, it is copied there. */
static bool take_placed(exec_frame *f, const inlay_node *n, size_t slot, inlay_tensor *t,
                        inlay_diags *d)
{
    inlay_tensor *to = f->run.values[slot];
    inlay_call c = {.node = n, .diags = d, .scratch = f->run.run.scratch, .run = &f->run.run};
    bool there = exec_first_byte(to) == exec_first_byte(t) && inlay_tensor_is_dense(t), ok = true;

    if (!there) {
        ok = journal_save(&c, to, -1, 0, NULL) &&
             (exec_assign(&f->run, to, t) || inlay_fail_memory(d));
        f->run.run.env->stats->copied_bytes += inlay_tensor_bytes(to);
    }
    inlay_tensor_release(t);
    return ok;
}

/* Makes T the value of output I; takes over the reference to T. OURS: the run may overwrite T. */
static bool take_value(exec_frame *f, const exec_step *s, int i, inlay_tensor *t, bool ours,
                       inlay_diags *d)
{
    const inlay_node *n = s->step->node;
    size_t slot = s->out[i], allocation = f->x->allocation[slot];
    bool ok;

    if (call_adopts(n->op) && exec_is_placed(f->run.plan, f->x, slot))
        return take_placed(f, n, slot, t, d);
    ok = own_tensor(f, s, &t, d) && exec_protect(&f->run, slot, &t, ours, n, d) &&
         (allocation == SIZE_MAX || make_dense(f, &t, f->x->meta[slot], n, d));

    if (!ok)
        inlay_tensor_release(t);
    else if (allocation == SIZE_MAX)
        f->run.values[slot] = t;
    else
        exec_frame_bind(f, allocation, t);
    return ok;
}

/* Copies what a body was assigned as states, because such a tensor may belong to the loop around
 * the body, which will overwrite it. */
static bool own_pending(exec_frame *f, const inlay_node *n, inlay_diags *d)
{
    const inlay_variable *v = inlay_variable_of(n, INLAY_OP_ASSIGN);
    const inlay_tensor **t = v ? &f->run.run.pending[v->index] : NULL, *was;

    if (!v || f->run.plan->depth == 0)
        return true;
    was = *t;
    *t = meter_copy(f->run.run.env->meter, was, n, d);
    inlay_tensor_release(was);
    return *t != NULL;
}

bool exec_make_found(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    const inlay_node *n = s->step->node;
    bool ok;

    for (int i = 0; i < n->n_in; i++)
        f->call.in[i] = s->in[i] == SIZE_MAX ? NULL : f->run.values[s->in[i]];
    f->run.walked = s;
    if (!run_node(&f->run, s->step, f->call.in, f->call.out, d))
        return false;
    ok = own_pending(f, n, d) && exec_part_outputs(f, s, d);
    for (int i = 0; i < n->n_out; i++)
        ok = take_value(f, s, i, f->call.out[i], exec_owns_output(f, s, i), d) && ok;
    return ok;
}
