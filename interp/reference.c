/* The reference evaluator: one node at a time in canonical order, a fresh buffer for every output,
 * storage notes ignored. It is the oracle and is never made clever. */
#include "interp/run.h"

#include <stdlib.h>
#include <string.h>

void run_release(inlay_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        inlay_tensor_release(tensors[i]);
        tensors[i] = NULL;
    }
}

/* One node being run. */
struct step {
    inlay_call call;
    const inlay_fact *promise; /* n_out facts: what inference says of the outputs */
    inlay_tensor **copies;     /* n_in dense copies of strided operands, mostly NULL */
};

static bool is_static(const inlay_fact *f)
{
    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]))
            return false;
    }
    return f->rank >= 0 && f->type != INLAY_DYNAMIC;
}

/* A kernel that reads dense operands only gets a dense copy of the others. */
static INLAY_OWN_FRAME bool make_dense(struct step *s)
{
    inlay_call *c = &s->call;
    const inlay_tensor **in;

    if ((c->node->op->flags & INLAY_STRIDED) || run_adopts(c->node->op))
        return true;
    in = scratch_array(c, c->n_in, sizeof *in);
    s->copies = scratch_array(c, c->n_in, sizeof *s->copies);
    if (!in || !s->copies)
        return false;
    for (int i = 0; i < c->n_in; i++) {
        const inlay_tensor *t = c->in[i];

        in[i] = t;
        if (!t || inlay_tensor_is_dense(t))
            continue;
        s->copies[i] = meter_tensor_like(c->run->env->meter, t, c->node, c->diags);
        if (!s->copies[i])
            return false;
        if (!inlay_tensor_assign(s->copies[i], t))
            return inlay_fail_memory(c->diags);
        call_copied(c, inlay_tensor_bytes(t));
        in[i] = s->copies[i];
    }
    c->in = in;
    return true;
}

static bool operands_are_static(const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !is_static(&n->in[i].value->fact))
            return false;
    }
    return true;
}

/* The types of the others were checked when the graph was compiled. */
static bool has_unknown_type(const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && n->in[i].value->fact.type == INLAY_DYNAMIC)
            return true;
    }
    return false;
}

/* What inference promised at compile time, or, where something stayed dynamic, what the same rule
 * says of the exact operands. An operand whose shape was not known is reason enough: the output of
 * a scatter has data's shape, but whether updates fit was not checked yet. */
static INLAY_OWN_FRAME bool promise(struct step *s)
{
    inlay_call *c = &s->call;
    const inlay_fact *const *exact;
    inlay_fact *out = scratch_array(c, c->n_out, sizeof *out);
    bool known = operands_are_static(c->node);

    if (!out)
        return false;
    s->promise = out;
    for (int i = 0; i < c->n_out; i++) {
        out[i] = c->node->out[i].fact;
        known = known && is_static(&out[i]);
    }
    if (known || run_adopts(c->node->op))
        return true;
    exact = exact_facts(c->in, c->n_in, c->scratch);
    if (!exact)
        return inlay_fail_memory(c->diags);
    return inlay_infer_facts(c->node, exact, out, c->scratch, c->diags);
}

/* Kernels write into outputs that are there. Only a row that counts makes an output by itself; a
 * stand-in, of which nothing need be known, says that it cannot be run. */
static bool make_output(inlay_call *c, int i, const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];
    char text[512];

    if (!is_static(f) && (c->node->op->flags & (INLAY_COUNTS | INLAY_STAND_IN)))
        return true;
    if (!is_static(f))
        return call_fail(c, "output %d cannot be made: of type %s and shape %s too little is known",
                         i, inlay_type_info_of(f->type)->name,
                         inlay_shape_text(f->rank, f->dims, text, sizeof text));
    for (int k = 0; k < f->rank; k++)
        dims[k] = f->dims[k].lo;
    c->out[i] = meter_tensor(c->run->env->meter, f->type, f->rank, dims, c->node, c->diags);
    return c->out[i] != NULL;
}

static INLAY_OWN_FRAME bool make_outputs(struct step *s)
{
    inlay_call *c = &s->call;

    for (int i = 0; i < c->n_out && !run_adopts(c->node->op); i++) {
        if (!c->out[i] && !make_output(c, i, &s->promise[i]))
            return false;
    }
    return true;
}

/* A kernel that sized its output itself must keep what the shape rule promised; and what it
 * promises now must be what users of the value were told when the graph was compiled, before the
 * sizes were known. */
static INLAY_OWN_FRAME bool check_outputs(struct step *s)
{
    inlay_call *c = &s->call;
    char why[1200];

    for (int i = 0; i < c->n_out; i++) {
        if (!c->out[i] || !c->out[i]->buffer)
            return call_fail(c, "the kernel made no output %d", i);
        if (!fact_accepts(&s->promise[i], c->out[i], why, sizeof why))
            return call_fail(c, "output %d came out with %s by the shape rule", i, why);
        if (!fact_accepts(&c->node->out[i].fact, c->out[i], why, sizeof why))
            return call_fail(c, "output %d came out with %s by what was known of its operands", i,
                             why);
    }
    return true;
}

/* Kernels copy string elements bytewise: the bytes they point to must live on. */
static bool keep_strings(struct step *s)
{
    inlay_call *c = &s->call;

    for (int i = 0; i < c->n_out; i++) {
        inlay_tensor *t = c->out[i];

        for (int k = 0; t->type == INLAY_STRING && k < c->n_in; k++) {
            if (c->in[k] && c->in[k]->type == INLAY_STRING && c->in[k]->buffer != t->buffer &&
                !inlay_buffer_keep(t->buffer, c->in[k]->buffer))
                return inlay_fail_memory(c->diags);
        }
    }
    return true;
}

/* What kernels that move elements wrote had stood in memory before; a view wrote nothing. */
static void count_step(inlay_exec_stats *stats, const inlay_call *c)
{
    bool moves = c->node->op->flags & (INLAY_MOVES | INLAY_VIEW);

    if (!inlay_node_is(c->node, INLAY_OP_CONST))
        stats->steps++;
    stats->in_place_writes += c->in_place;
    for (int i = 0; moves && i < c->n_out; i++) {
        if (c->out[i]->buffer != c->in[0]->buffer)
            stats->copied_bytes += inlay_tensor_bytes(c->out[i]);
    }
}

bool run_node(const inlay_node *n, inlay_plan *const *bodies, struct inlay_run *run,
              const inlay_tensor *const *in, inlay_tensor **out, inlay_diags *d)
{
    struct step s = {.call = {.node = n,
                              .in = in,
                              .n_in = n->n_in,
                              .out = out,
                              .n_out = n->n_out,
                              .diags = d,
                              .scratch = run->scratch,
                              .run = run}};
    bool ok;

    memset(out, 0, (size_t)n->n_out * sizeof *out);
    run->bodies = bodies;
    tiles_before(&s.call);
    ok = (!has_unknown_type(n) || operands_accept(n, in, d)) && make_dense(&s) && promise(&s) &&
         planned_outputs(&s.call, s.promise) && make_outputs(&s) &&
         inlay_kernel_of(n->op)(&s.call) && check_outputs(&s) && keep_strings(&s);
    if (s.copies)
        run_release(s.copies, (size_t)n->n_in);
    if (ok)
        count_step(run->env->stats, &s.call);
    else
        run_release(out, (size_t)n->n_out);
    inlay_arena_clear(run->scratch);
    meter_give(run->env->meter, run->scratch_taken);
    run->scratch_taken = 0;
    return ok;
}

/* The values of one invocation. */
struct frame {
    const inlay_plan *plan;
    struct inlay_run run;
    inlay_tensor **values;   /* by slot; NULL: not made yet, or dead */
    uint32_t *left;          /* by slot: uses still to come */
    const inlay_tensor **in; /* operands of the node being run */
    inlay_tensor **out;      /* its outputs */
    run_tiles tiles;
};

static INLAY_OWN_FRAME bool frame_begin(struct frame *f, const inlay_plan *p, run_env *env,
                                        inlay_diags *d)
{
    size_t slots = p->n_slots + 1, n = (size_t)env->n_variables;

    *f = (struct frame){.plan = p, .run = {.env = env, .plan = p}};
    if (p->places) {
        tiles_begin(&f->tiles, p->tile);
        f->run.tiles = &f->tiles;
    }
    f->values = f->run.values = calloc(slots, sizeof *f->values);
    f->left = malloc(slots * sizeof *f->left);
    f->run.scratch = inlay_arena_new();
    f->run.state = calloc(n + 1, sizeof *f->run.state);
    f->run.pending = calloc(n + 1, sizeof *f->run.pending);
    f->in = malloc(((size_t)p->most_in + 1) * sizeof *f->in);
    f->out = malloc(((size_t)p->most_out + 1) * sizeof *f->out);
    if (!f->values || !f->left || !f->run.scratch || !f->run.state || !f->run.pending || !f->in ||
        !f->out)
        return inlay_fail_memory(d);
    memcpy(f->left, p->uses, p->n_slots * sizeof *f->left);
    for (size_t i = 0; i < n; i++) {
        if (env->variables[i])
            f->run.state[i] = inlay_tensor_retain(env->variables[i]);
    }
    return true;
}

static void frame_end(struct frame *f)
{
    tiles_end(&f->tiles);
    for (size_t i = 0; f->values && i < f->plan->n_slots; i++)
        inlay_tensor_release(f->values[i]);
    for (int i = 0; f->run.state && f->run.pending && i < f->run.env->n_variables; i++) {
        inlay_tensor_release(f->run.state[i]);
        inlay_tensor_release(f->run.pending[i]);
    }
    inlay_arena_free(f->run.scratch);
    free(f->values);
    free(f->left);
    free(f->in);
    free(f->out);
    free(f->run.state);
    free(f->run.pending);
}

static void drop_use(struct frame *f, size_t slot)
{
    if (--f->left[slot] == 0) {
        inlay_tensor_release(f->values[slot]);
        f->values[slot] = NULL;
    }
}

/* Puts T (taken over), which V has, into its slot. OURS: its buffer belongs to this run. */
static bool take_value(struct frame *f, const inlay_value *v, inlay_tensor *t, bool ours,
                       inlay_diags *d)
{
    size_t slot = plan_slot(f->plan, v);
    bool ok = f->left[slot] == 0 || (planned_protect(&f->run, slot, &t, ours, v->node, d) &&
                                     planned_keep(&f->run, slot, t, v->node, d));

    if (ok && f->left[slot] > 0)
        f->values[slot] = t;
    else
        inlay_tensor_release(t);
    return ok;
}

/* A kernel may hand over a tensor that exists already: a constant, an operand, a variable's state.
 * Of these the state alone is the run's to write over. */
static bool owns_outputs(const inlay_node *n, const inlay_tensor *const *in,
                         inlay_tensor *const *out)
{
    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return n->n_in == 0 || !in[0] || in[0]->buffer != out[0]->buffer;
    return !run_adopts(n->op);
}

static bool run_step(struct frame *f, const plan_step *step, inlay_diags *d)
{
    const inlay_plan *p = f->plan;
    const inlay_node *n = step->node;
    bool ours, ok = true;

    if (f->run.env->progress)
        f->run.env->progress(f->run.env->progress_ctx, n, f->run.env->stats->steps);
    for (int i = 0; i < n->n_in; i++)
        f->in[i] = n->in[i].value ? f->values[plan_slot(p, n->in[i].value)] : NULL;
    if (!run_node(n, step->bodies, &f->run, f->in, f->out, d))
        return false;
    ours = owns_outputs(n, f->in, f->out);
    for (int i = 0; i < n->n_out; i++)
        ok = take_value(f, &n->out[i], f->out[i], ours, d) && ok;
    if (!ok)
        return false;
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value)
            drop_use(f, plan_slot(p, n->in[i].value));
    }
    return true;
}

/* A Parameter is the caller's memory: it is read where it lies and not written unless donated. */
static INLAY_OWN_FRAME bool take_inputs(struct frame *f, const inlay_tensor *const *in,
                                        inlay_diags *d)
{
    const inlay_graph *g = f->plan->graph;
    const bool *donated = f->run.env->donated;
    char why[1200];

    for (int i = 0; i < g->n_params; i++) {
        const inlay_value *v = &g->params[i]->out[0];
        size_t slot = plan_slot(f->plan, v);

        if (!in[i] && f->left[slot] == 0 && f->plan->graph->owner)
            continue; /* a parameter of a body that nothing enters and nothing reads */
        if (!in[i])
            return inlay_fail_node(d, v->node, "no tensor is given for this input");
        if (!fact_accepts(&v->fact, in[i], why, sizeof why))
            return inlay_fail_node(d, v->node, "the tensor given has %s", why);
        if (!take_value(f, v, inlay_tensor_retain(in[i]), donated && donated[i], d))
            return false;
    }
    return true;
}

static bool run_steps(struct frame *f, inlay_diags *d)
{
    for (size_t i = 0; i < f->plan->n_steps; i++) {
        const plan_step *step = &f->plan->steps[i];

        /* Results are read at the end, so their operands stay alive. */
        if (inlay_node_is(step->node, INLAY_OP_PARAMETER) ||
            inlay_node_is(step->node, INLAY_OP_RESULT))
            continue;
        if (!run_step(f, step, d))
            return false;
    }
    tiles_settle(&f->tiles);
    return true;
}

static INLAY_OWN_FRAME void take_results(struct frame *f, inlay_tensor **out)
{
    const inlay_graph *g = f->plan->graph;
    run_env *env = f->run.env;

    for (int i = 0; i < g->n_results; i++)
        out[i] = inlay_tensor_retain(f->values[plan_slot(f->plan, g->results[i]->in[0].value)]);
    for (int i = 0; env->kept && i < f->plan->n_keep; i++)
        env->kept[i] =
            env->kept[i] ? env->kept[i] : inlay_tensor_retain(f->values[f->plan->keep[i]]);
    for (int i = 0; i < env->n_variables; i++) {
        if (!f->run.pending[i])
            continue;
        inlay_tensor_release(env->variables[i]);
        env->variables[i] = f->run.pending[i];
        f->run.pending[i] = NULL;
    }
}

bool run_plan(const inlay_plan *p, run_env *env, const inlay_tensor *const *in, inlay_tensor **out,
              inlay_diags *d)
{
    struct frame f;
    bool ok;

    memset(out, 0, (size_t)p->graph->n_results * sizeof *out);
    ok = frame_begin(&f, p, env, d) && take_inputs(&f, in, d) && run_steps(&f, d);
    if (ok)
        take_results(&f, out);
    frame_end(&f);
    return ok;
}

bool run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out)
{
    run_env env = *c->run->env;

    env.kept = NULL;
    env.donated = NULL;
    env.journal = NULL;
    return run_plan(c->run->bodies[body], &env, in, out, c->diags);
}
