/* Invocations make the steps of an instance, one after the other. */
#include "interp/call/index.h"
#include "interp/exec/frame.h"
#include "interp/library/library.h"
#include "ir/shared.h"

#include <string.h>

/* Steps whose outputs have their places */

static void fill_call(exec_frame *f, const exec_step *s, inlay_call *c, inlay_diags *d)
{
    const inlay_node *n = s->step->node;

    for (int i = 0; i < n->n_in; i++)
        f->in[i] = s->in[i] == SIZE_MAX ? NULL : f->run.values[s->in[i]];
    for (int i = 0; i < n->n_out; i++)
        f->out[i] = f->run.values[s->out[i]];
    *c = (inlay_call){.node = n,
                      .in = f->in,
                      .n_in = n->n_in,
                      .out = f->out,
                      .n_out = n->n_out,
                      .diags = d,
                      .scratch = f->run.run.scratch,
                      .run = &f->run.run};
    f->run.run.bodies = s->step->bodies;
    f->run.in_place = s->in_place;
}

static void run_blocks(const exec_frame *f, const exec_step *s)
{
    for (size_t i = s->block; i < s->block + s->n_blocks; i++) {
        row_block *k = &f->blocks[i];

        if (k->one)
            row_block_read(k);
        exec_run_block(&f->run, k);
    }
}

/* Saves what stands where S writes, if that is a state's. */
static bool save_state(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    inlay_call c;
    bool ok;

    if (!s->saves)
        return true;
    fill_call(f, s, &c, d);
    ok = journal_save(&c, c.out[0], -1, 0, NULL);
    run_empty_scratch(&f->run.run);
    return ok;
}

static bool make_copies(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    for (size_t i = s->copy; i < s->copy + s->n_copies; i++) {
        const exec_copy *copy = &f->x->copies[i];
        inlay_tensor *t = f->run.values[copy->to];

        if (!exec_assign(&f->run, t, f->in[copy->operand]))
            return inlay_fail_memory(d);
        f->in[copy->operand] = t;
    }
    return true;
}

/* A state that grows in its buffer stands where it would be copied to. */
static bool has_grown(const inlay_tensor *to, const inlay_tensor *from)
{
    bool same = exec_first_byte(to) == exec_first_byte(from);

    for (int i = 0; same && i < to->rank; i++)
        same = to->dims[i] == 1 || to->strides[i] == from->strides[i];
    return same;
}

static bool move_parts(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    inlay_call c;

    if (s->n_copies == 0) /* all of it was made there */
        return true;
    fill_call(f, s, &c, d);
    for (size_t i = s->copy; i < s->copy + s->n_copies; i++) {
        const exec_copy *copy = &f->x->copies[i];
        inlay_tensor *to = f->run.values[copy->to];

        if (has_grown(to, f->run.values[copy->from])) {
            f->run.run.env->stats->copied_bytes -= inlay_tensor_bytes(to);
            continue;
        }
        if (s->in_place && !journal_save(&c, to, -1, 0, NULL))
            return false;
        if (!exec_assign(&f->run, to, f->run.values[copy->from]))
            return inlay_fail_memory(d);
    }
    return true;
}

static void zero_outputs(const exec_frame *f, const exec_step *s)
{
    for (int i = 0; i < s->step->node->n_out; i++) {
        inlay_tensor *t = f->out[i];

        if (!s->views)
            memset(t->data, 0, inlay_tensor_bytes(t));
    }
}

static bool call_kernel_part(const exec_step *s, inlay_call *c)
{
    if (s->library)
        return s->library->run(c, s->packed);
    return s->rest ? s->rest(c, s->frame) : call_kernel_of(c->node->op)(c);
}

/* Where the graph does not know the shapes, the reference asks the rule of the node in each run,
 * and what the rule says of the elements of small operands is the better message. The kernel checks
 * them too, before it writes anything. */
static bool call_and_explain(const exec_step *s, inlay_call *c)
{
    inlay_diags *d = c->diags;
    bool ok;

    if (!s->asks)
        return call_kernel_part(s, c);
    c->diags = NULL;
    ok = call_kernel_part(s, c);
    c->diags = d;
    return ok || (call_rule_accepts(c) && call_kernel_part(s, c));
}

static bool call_planned(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    struct inlay_run *r = &f->run.run;
    inlay_call c;
    bool ok;

    if (exec_frame_stays(f, s)) {
        r->env->stats->copied_bytes -= s->moved;
        return true;
    }
    fill_call(f, s, &c, d);
    f->run.now = s;
    ok = make_copies(f, s, d);
    for (int k = 0; ok && s->saves && k < c.n_out; k++)
        ok = journal_save(&c, c.out[k], -1, 0, NULL);
    if (ok && s->zeroes)
        zero_outputs(f, s);
    ok = ok && call_and_explain(s, &c);
    f->run.now = NULL;
    run_empty_scratch(r);
    if (ok && s->in_place && c.writes_nothing)
        r->env->stats->in_place_writes--;
    return ok;
}

/* The output has no elements: who reads it reads those of the operand. */
static bool check_operands(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    inlay_call c;
    bool ok;

    fill_call(f, s, &c, d);
    ok = exec_check(&c);
    run_empty_scratch(&f->run.run);
    return ok;
}

/* Runs the scatter of G. The updates stand nowhere before: the kernel asks for them. */
static bool put_rows(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    const exec_step *s = &f->x->list[g->scatter];
    int u = inlay_op_operand(s->step->node->op, INLAY_ROLE_UPDATES);
    inlay_tensor *updates = f->run.values[s->in[u]], form = *updates;
    bool ok;

    form.data = NULL;
    form.buffer = NULL;
    f->run.values[s->in[u]] = &form;
    f->putting = g;
    ok = call_planned(f, s, d);
    f->putting = NULL;
    f->run.values[s->in[u]] = updates;
    return ok;
}

/* The output is a row of operand 0. */
static bool point_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    inlay_call c;
    bool ok;

    fill_call(f, s, &c, d);
    ok = exec_frame_show(f, s, &c);
    run_empty_scratch(&f->run.run);
    return ok;
}

static bool copy_value(exec_frame *f, inlay_tensor *to, const inlay_tensor *from, inlay_diags *d)
{
    return exec_assign(&f->run, to, from) || inlay_fail_memory(d);
}

static bool copy_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    const inlay_tensor *from = s->from == SIZE_MAX
                                   ? inlay_node_attr(s->step->node, "value")->as.tensor
                                   : f->run.values[s->from];

    return copy_value(f, f->run.values[s->out[0]], from, d);
}

/* In a body the tensor of a Parameter may be one of the frame around it, and a result may stand in
 * a slot of the loop. */
static bool assign_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    const exec_instance *x = f->x;
    const inlay_variable *v = inlay_variable_of(s->step->node, INLAY_OP_ASSIGN);
    const inlay_tensor *t = f->run.values[s->in[0]];
    const exec_unit *u = &x->units[x->units[x->unit[s->in[0]]].same];
    bool borrowed = f->run.plan->depth > 0 &&
                    (u->root == EXEC_INPUT || u->root == EXEC_MADE || (f->rooms && u->result >= 0));
    inlay_tensor *state = borrowed ? meter_copy(f->run.run.env->meter, t, s->step->node, d)
                                   : exec_frame_escape(f, s->in[0], d);

    if (!state)
        return false;
    inlay_tensor_release(f->run.run.pending[v->index]);
    f->run.run.pending[v->index] = state;
    return true;
}

/* Steps whose outputs are found out */

/* Counts the bytes of a kernel that only moves elements: it has copied all that it wrote, and for a
 * view it wrote nothing. What holds its operands is made IN_PLACE elsewhere than they stand, be it
 * in the same buffer. */
static void count_moved(inlay_exec_stats *stats, const inlay_call *c, bool in_place)
{
    bool moves = c->node->op->flags & (INLAY_MOVES | INLAY_VIEW);
    bool holds = in_place && (c->node->op->flags & INLAY_HOLDS);

    for (int i = 0; moves && i < c->n_out; i++) {
        if (holds || c->out[i]->buffer != c->in[0]->buffer)
            stats->copied_bytes += inlay_tensor_bytes(c->out[i]);
    }
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
    ok = ok && call_kernel(&s, exec_kernel);
    if (ok)
        count_moved(run->run.env->stats, &s.call, run->in_place);
    if (ok)
        run->run.env->stats->in_place_writes += run->in_place && !s.call.writes_nothing;
    call_end(&s, ok);
    return ok;
}

/* Replaces *T where it is the very tensor of an operand. If that operand is one of this frame,
 * which is filled in anew in each run, *T becomes another tensor on the same bytes. */
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

/* Makes *T dense, which a kernel handed over and which will be bound to a unit; FORM says what that
 * unit expects. */
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

/* Makes T, whose reference is taken over, the value of SLOT, which has a place in another value: in
 * what it is written over, or what it is made in. If the bodies did not end there, it is copied. */
static bool take_placed(exec_frame *f, size_t slot, inlay_tensor *t, inlay_diags *d)
{
    inlay_tensor *to = f->run.values[slot];
    bool there = exec_first_byte(to) == exec_first_byte(t) && inlay_tensor_is_dense(t), ok = true;

    if (!there) {
        ok = exec_assign(&f->run, to, t) || inlay_fail_memory(d);
        f->run.run.env->stats->copied_bytes += inlay_tensor_bytes(to);
    }
    inlay_tensor_release(t);
    return ok;
}

/* Makes T the value of output I; the reference to T is taken over. OURS: the run may write over
 * T. */
static bool take_value(exec_frame *f, const exec_step *s, int i, inlay_tensor *t, bool ours,
                       inlay_diags *d)
{
    const inlay_node *n = s->step->node;
    size_t slot = s->out[i], unit = f->x->unit[slot];
    bool ok;

    if (call_adopts(n->op) && exec_is_placed(f->run.plan, f->x, slot))
        return take_placed(f, slot, t, d);
    ok = own_tensor(f, s, &t, d) && exec_protect(&f->run, slot, &t, ours, n, d) &&
         (unit == SIZE_MAX || make_dense(f, &t, f->x->shadow[slot], n, d));

    if (!ok)
        inlay_tensor_release(t);
    else if (unit == SIZE_MAX)
        f->run.values[slot] = t;
    else
        exec_frame_bind(f, unit, t);
    return ok;
}

/* Gives a body tensors of its own for what was assigned: such a tensor may belong to the loop
 * around the body, which goes on writing there. */
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

static bool walk_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    const inlay_node *n = s->step->node;
    bool ok;

    for (int i = 0; i < n->n_in; i++)
        f->in[i] = s->in[i] == SIZE_MAX ? NULL : f->run.values[s->in[i]];
    f->run.walked = s;
    if (!run_node(&f->run, s->step, f->in, f->out, d))
        return false;
    ok = own_pending(f, n, d) && exec_part_outputs(f, s, d);
    for (int i = 0; i < n->n_out; i++)
        ok = take_value(f, s, i, f->out[i], exec_owns_output(f, s, i), d) && ok;
    return ok;
}

/* All of them */

static bool make_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    switch (s->kind) {
    case EXEC_NOTHING:
        return true;
    case EXEC_COPY:
        return copy_step(f, s, d);
    case EXEC_ZEROS:
        memset(f->run.values[s->out[0]]->data, 0, inlay_tensor_bytes(f->run.values[s->out[0]]));
        return true;
    case EXEC_BLOCKS:
        if (!save_state(f, s, d))
            return false;
        run_blocks(f, s);
        return true;
    case EXEC_MOVES:
        return move_parts(f, s, d);
    case EXEC_KERNEL:
        return call_planned(f, s, d);
    case EXEC_CHECK:
        return check_operands(f, s, d);
    case EXEC_ASSIGN:
        return assign_step(f, s, d);
    case EXEC_POINT:
        return point_step(f, s, d);
    default:
        return walk_step(f, s, d);
    }
}

static bool keep_outputs(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    for (int i = 0; i < s->step->node->n_out; i++) {
        if (!exec_keep(&f->run, s->out[i], f->run.values[s->out[i]], s->step->node, d))
            return false;
    }
    return true;
}

static void drop_values(exec_frame *f, const exec_step *s)
{
    for (size_t i = s->drop; i < s->drop + s->n_drops; i++) {
        inlay_tensor **t = &f->run.values[f->x->drops[i]];

        inlay_tensor_release(*t);
        *t = NULL;
    }
}

static void finish_step(exec_frame *f, const exec_step *s)
{
    inlay_exec_stats *stats = f->run.run.env->stats;

    stats->steps += s->group > 1 ? s->counted - s[1].counted : s->counted;
    stats->copied_bytes += s->moved;
    stats->in_place_writes += s->in_place && s->kind != EXEC_NOTHING;
    drop_values(f, s);
}

/* Runs the group of steps that begins with S. */
static bool run_group(const exec_frame *f, const exec_step *s, inlay_diags *d)
{
    for (const exec_step *now = s; now < s + s->group; now++) {
        run_blocks(f, now);
        if (run_is_cancelled(f->run.run.env))
            return run_announce(f->run.run.env, now->step->node, d);
    }
    f->run.run.env->stats->steps += s->counted;
    return true;
}

static bool run_step(exec_frame *f, size_t i, inlay_diags *d)
{
    const exec_step *s = &f->x->list[i];

    if (!run_announce(f->run.run.env, s->step->node, d))
        return false;
    if (!make_step(f, s, d) || (s->keeps && !keep_outputs(f, s, d)))
        return false;
    finish_step(f, s);
    return true;
}

/* Runs the steps of G, which are computed together. */
static bool run_fused(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    const exec_step *s = &f->x->list[g->first];
    inlay_exec_stats *stats = f->run.run.env->stats;
    bool ok = true, poisons = exec_frame_poisons(f);

    for (size_t i = 0; ok && i < g->n; i++)
        ok = save_state(f, &s[i], d);
    ok = ok && exec_fused_run(f, g, d) && (g->scatter == 0 || put_rows(f, g, d));
    for (size_t i = 0; ok && i < g->n; i++) {
        ok = !s[i].keeps || keep_outputs(f, &s[i], d);
        stats->copied_bytes += s[i].moved;
        stats->in_place_writes += s[i].in_place && s[i].kind != EXEC_NOTHING;
        drop_values(f, &s[i]);
        if (poisons)
            exec_frame_poison(f, g->first + i);
    }
    return ok;
}

static bool run_steps(exec_frame *f, inlay_diags *d)
{
    const exec_instance *x = f->x;
    bool poisons = exec_frame_poisons(f), single = poisons || f->run.run.env->progress;

    for (size_t i = 0; i < x->n; i++) {
        if (x->list[i].fused) {
            if (!run_fused(f, x->list[i].fused, d))
                return false;
            i += x->list[i].fused->n - 1;
            continue;
        }
        if (!single && x->list[i].group > 0) {
            if (!run_group(f, &x->list[i], d))
                return false;
            i += x->list[i].group - 1;
            continue;
        }
        if (!run_step(f, i, d))
            return false;
        if (poisons)
            exec_frame_poison(f, i);
    }
    return true;
}

/* Copies first the Parameters that something writes over; loose ones get their tensors. */
static bool take_inputs(exec_frame *f, const exec_outside *o, inlay_diags *d)
{
    const graph_steps *s = f->run.steps;
    const exec_instance *x = f->x;

    for (size_t i = 0; i < x->n_entries; i++) {
        size_t k = x->entries[i], slot = s->params[k];

        if (!x->later[i] && !copy_value(f, f->run.values[slot], o->in[k], d))
            return false;
        f->run.run.env->stats->copied_bytes += inlay_tensor_bytes(f->run.values[slot]);
    }
    for (int i = 0; i < s->graph->n_params; i++) {
        size_t slot = s->params[i];

        if (o->in[i] && x->unit[slot] == SIZE_MAX) {
            f->run.values[slot] = inlay_tensor_retain(o->in[i]);
            if (!exec_protect(&f->run, slot, &f->run.values[slot], o->ours && o->ours[i],
                              s->graph->params[i], d))
                return false;
        }
        if (f->run.run.env->kept && s->n_keep > 0 &&
            !exec_keep(&f->run, slot, f->run.values[slot], s->graph->params[i], d))
            return false;
    }
    return true;
}

/* Returns the value of Result I. A value that goes to the caller's tensor need not outlive the
 * run. */
static inlay_tensor *result_of(exec_frame *f, int i, inlay_diags *d)
{
    inlay_tensor *const *bound = f->run.run.env->bound;
    size_t slot = f->run.steps->results[i];

    return bound && bound[i] ? inlay_tensor_retain(f->run.values[slot])
                             : exec_frame_escape(f, slot, d);
}

/* Results are read at the end, so their operands stay alive. */
static bool take_results(exec_frame *f, inlay_tensor **out, inlay_diags *d)
{
    const graph_steps *s = f->run.steps;
    const inlay_tensor **kept = f->run.run.env->kept;
    bool ok = true;

    for (int i = 0; ok && i < s->graph->n_results; i++) {
        out[i] = result_of(f, i, d);
        ok = out[i] != NULL;
    }
    for (int i = 0; ok && kept && i < s->n_keep; i++) {
        kept[i] = kept[i] ? kept[i] : exec_frame_escape(f, s->keep[i], d);
        ok = kept[i] != NULL;
    }
    ok = ok && bound_deliver(&f->run.run, s->graph, out, s->n_keep, d);
    if (ok)
        run_commit(&f->run.run);
    else
        call_release(out, (size_t)s->graph->n_results);
    return ok;
}

/* Replaces *F, which has made its steps, by the frame of the segment behind it. */
static bool next_segment(exec_frame **f, const exec_outside *first, inlay_diags *d)
{
    exec_frame *was = *f, *next;
    exec_outside o = *first;
    bool ok;

    o.before = was->x;
    o.values = was->run.values;
    o.state = was->run.run.state; /* as the invocation began; bodies may have changed them since */
    next = exec_frame_take(was->run.session, was->run.plan, was->run.run.env, &o, d);
    if (!next)
        return false;
    next->rooms = was->rooms;
    next->home = was->home;
    next->home_at = was->home_at;
    was->rooms = NULL;
    ok = exec_frame_continue(next, was, first, d);
    exec_frame_end(was);
    *f = next;
    return ok;
}

bool exec_frame_run(exec_frame **f, run_env *env, const exec_outside *o, inlay_tensor **out,
                    inlay_diags *d)
{
    bool ok;

    ok = exec_frame_begin(*f, env, o, d) && take_inputs(*f, o, d) && run_steps(*f, d);
    while (ok && exec_goes_on((*f)->x))
        ok = next_segment(f, o, d) && run_steps(*f, d);
    ok = ok && take_results(*f, out, d);
    return ok;
}

/* Makes one invocation of the graph of P. */
static bool invoke(const exec_plan *p, exec_session *s, run_env *env, const exec_outside *o,
                   exec_journal *journal, inlay_tensor **out, inlay_diags *d)
{
    exec_frame *f;
    bool ok;

    for (int i = 0; i < p->steps->graph->n_results; i++)
        out[i] = NULL;
    exec_session_begin_run(s);
    f = exec_frame_take(s, p, env, o, d);
    if (!f)
        return false;
    f->run.journal = journal;
    ok = exec_frame_run(&f, env, o, out, d);
    if (!ok && journal)
        journal_undo(journal);
    if (journal)
        journal_forget(journal);
    exec_frame_end(f);
    return ok;
}

bool exec_run_plan(const exec_plan *p, exec_session *s, run_env *env, const inlay_tensor *const *in,
                   const bool *ours, inlay_tensor **out, inlay_diags *d)
{
    const exec_outside o = {.in = in,
                            .ours = ours,
                            .state = env->variables,
                            .n_states = env->n_variables,
                            .segments = true};

    return invoke(p, s, env, &o, exec_session_journal(s), out, d);
}
