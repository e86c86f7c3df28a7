/* Runs steps whose outputs have their memory before the run. */
#include "interp/exec/run/planned_step.h"
#include "interp/exec/run/bind.h"
#include "interp/exec/run/dynamic_row.h"
#include "interp/exec/run/split.h"
#include "interp/exec/run/state_reorder.h"
#include "interp/library/library.h"

#include <string.h>

static void fill_call(exec_frame *f, const exec_step *s, inlay_call *c, inlay_diags *d)
{
    const inlay_node *n = s->step->node;

    for (int i = 0; i < n->n_in; i++)
        f->call.in[i] = s->in[i] == SIZE_MAX ? NULL : f->run.values[s->in[i]];
    for (int i = 0; i < n->n_out; i++)
        f->call.out[i] = f->run.values[s->out[i]];
    *c = (inlay_call){.node = n,
                      .in = f->call.in,
                      .n_in = n->n_in,
                      .out = f->call.out,
                      .n_out = n->n_out,
                      .diags = d,
                      .scratch = f->run.run.scratch,
                      .run = &f->run.run};
    f->run.run.bodies = s->step->bodies;
    f->run.in_place = s->in_place;
}

void exec_run_blocks(const exec_frame *f, const exec_step *s)
{
    for (size_t i = s->block; i < s->block + s->n_blocks; i++) {
        row_block *k = &f->blocks[i];

        if (k->one)
            row_block_read(k);
        exec_run_block(&f->run, k);
    }
}

bool exec_save_state(exec_frame *f, const exec_step *s, inlay_diags *d)
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

        if (!exec_assign(&f->run, t, f->call.in[copy->operand]))
            return inlay_fail_memory(d);
        f->call.in[copy->operand] = t;
    }
    return true;
}

/* Returns whether a state grew in its buffer, so that it lies where it would be copied to. */
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

    if (s->n_copies == 0) /* nothing to copy: its parts were computed in place */
        return true;
    if (s->in_place)
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
        inlay_tensor *t = f->call.out[i];

        if (!s->views)
            memset(t->data, 0, inlay_tensor_bytes(t));
    }
}

bool exec_call_kernel(const exec_step *s, inlay_call *c)
{
    const exec_kernel_call *k = &s->kernel;

    if (k->library && (!k->found || !k->library->takes || k->library->takes(c)))
        return k->library->run(c, k->packed);
    return k->rest ? k->rest(c, k->frame) : call_kernel_of(c->node->op)(c);
}

/* If the graph does not know the shapes, the reference executor asks the node's shape rule in each
 * run, and what that says about elements of small operands is the better message. The kernel checks
 * them too, before it writes anything. */
static bool call_and_explain(const exec_step *s, inlay_call *c)
{
    inlay_diags *d = c->diags;
    bool ok;

    if (!s->asks)
        return exec_call_kernel(s, c);
    c->diags = NULL;
    ok = exec_call_kernel(s, c);
    call_tell_again(c, d);
    return ok || (call_rule_accepts(c) && exec_call_kernel(s, c));
}

static bool call_planned(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    struct inlay_run *r = &f->run.run;
    inlay_call c;
    bool ok;

    fill_call(f, s, &c, d);
    if (exec_frame_stays(f, s)) {
        r->env->stats->copied_bytes -= s->moved;
        ok = exec_frame_reorder(f, s, &c);
        run_empty_scratch(r);
        return ok;
    }
    f->run.now = s;
    f->rows.read = NULL;
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

/* Calls the kernel of C only to check its operands. The rows that it reports are kept in scratch
 * memory. */
static bool check(inlay_call *c)
{
    bool ok;

    c->run->only_checks = true;
    ok = call_kernel_of(c->node->op)(c);
    c->run->only_checks = false;
    return ok;
}

static bool check_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    inlay_call c;

    fill_call(f, s, &c, d);
    return check(&c);
}

/* Checks the operands of a step whose output has no memory: readers of the output read the operand.
 */
static bool check_operands(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    bool ok = check_step(f, s, d);

    run_empty_scratch(&f->run.run);
    return ok;
}

void exec_note_rows(inlay_call *c, int64_t n, const int64_t *to)
{
    exec_frame *f = (exec_frame *)c->run;

    (void)n;
    f->rows.lists[f->rows.picking] = to;
}

bool exec_find_rows(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    bool ok = true;

    for (int i = 0; ok && i < g->n_lists && g->scatter == 0; i++) {
        f->rows.picking = i;
        ok = check_step(f, &f->x->list[g->list[i].step], d);
    }
    return ok;
}

bool exec_put_rows(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    const exec_step *s = &f->x->list[g->scatter];
    int u = inlay_op_operand(s->step->node->op, INLAY_ROLE_UPDATES);
    inlay_tensor *updates = f->run.values[s->in[u]], form = *updates;
    bool ok;

    form.data = NULL;
    form.buffer = NULL;
    f->run.values[s->in[u]] = &form;
    f->rows.putting = g;
    ok = call_planned(f, s, d);
    f->rows.putting = NULL;
    f->run.values[s->in[u]] = updates;
    return ok;
}

/* Makes the output a view of a row of operand 0. */
static bool point_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    inlay_call c;
    bool ok;

    if (exec_frame_show(f, s))
        return true;
    fill_call(f, s, &c, d);
    ok = check(&c) && exec_frame_show_none(f, s, &c);
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

/* In a body the tensor of a Parameter may belong to the frame around it, and a result may lie in a
 * slot of the loop. */
static bool assign_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    const exec_instance *x = f->x;
    const inlay_variable *v = inlay_variable_of(s->step->node, INLAY_OP_ASSIGN);
    const inlay_tensor *t = f->run.values[s->in[0]];
    const exec_allocation *u = &x->allocations[x->allocations[x->allocation[s->in[0]]].same];
    bool borrowed = f->run.plan->depth > 0 && (u->root == EXEC_INPUT || u->root == EXEC_MADE ||
                                               (f->results.destinations && u->result >= 0));
    inlay_tensor *state = borrowed ? meter_copy(f->run.run.env->meter, t, s->step->node, d)
                                   : exec_frame_escape(f, s->in[0], d);

    if (!state)
        return false;
    inlay_tensor_release(f->run.run.pending[v->index]);
    f->run.run.pending[v->index] = state;
    return true;
}

bool exec_make_placed(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    switch (s->kind) {
    case EXEC_COPY:
        return copy_step(f, s, d);
    case EXEC_ZEROS:
        memset(f->run.values[s->out[0]]->data, 0, inlay_tensor_bytes(f->run.values[s->out[0]]));
        return true;
    case EXEC_BLOCKS:
        if (!exec_save_state(f, s, d))
            return false;
        exec_run_blocks(f, s);
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
        return true;
    }
}
