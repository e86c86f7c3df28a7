/* Programs and sessions: what callers keep between runs. */
#include "interp/session.h"
#include "interp/audit/audit.h"
#include "interp/exec/exec.h"
#include "interp/reference/reference.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct inlay_program {
    graph_steps *steps;
    exec_plan *plan;       /* NULL: the reference executor runs it */
    exec_workers *workers; /* the same */
    uint64_t max_memory, held_memory, max_iterations;
    uint64_t kept_memory; /* of forms of constants that runs may make, and the program keeps */
    inlay_step_fn *progress;
    void *progress_ctx;
    bool poison;
    uint64_t nodes;
    double compile_ms;
};

struct inlay_session {
    const inlay_program *program;
    inlay_meter *meter;
    const inlay_tensor **variables; /* one per variable of the graph; NULL: reset */
    const inlay_tensor **kept;      /* one per value to keep, of the last run */
    const inlay_tensor **newest;    /* one per variable: as a run changes them */
    const inlay_tensor **shown;     /* one per variable: a dense copy of a state with room in its
                                       middle, that the caller asked for; or NULL */
    bool *ours;                     /* one per Parameter: room for exec_prepare */
    inlay_tensor **bound;           /* one per Result: the caller's tensor for it, or NULL */
    int n_bound;
    atomic_bool cancelled, running;
    inlay_exec_stats stats;
    exec_session *exec; /* NULL: the reference runs it */
    inlay_arena *arena; /* of the names; NULL: nobody asked for them */
    const char *const *names;
};

static const char running[] = "the session is running";

enum { ROOM_SHARE = 8 }; /* of the memory that the caller allows: what states in periods may have */

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Constants are packed for kernels only where that takes less than half of the memory that the
 * caller allows and does not use himself. */
static void choose_kernels(inlay_program *p, const inlay_exec_options *o)
{
    uint64_t bytes, held = o->held_memory + p->kept_memory;
    uint64_t left = inlay_budget_left(inlay_budget_of(p));
    bool packs = true;

    exec_plan_kernels(p->plan, o->kernels, true);
    if (o->max_memory > 0)
        left = held < o->max_memory ? smaller(left, o->max_memory - held) : 0;
    if (left < UINT64_MAX) {
        bytes = exec_plan_packable_bytes(p->plan);
        packs = bytes < left / 2;
        p->kept_memory += packs && o->max_memory > 0 ? bytes : 0;
    }
    exec_plan_kernels(p->plan, o->kernels, packs);
    if (!packs)
        p->plan->set->module = NULL;
}

static bool compile(inlay_program *p, const inlay_graph *g, const inlay_exec_options *o,
                    inlay_diags *d)
{
    int threads = o->threads ? o->threads : inlay_processors();
    uint64_t most;

    p->steps = steps_new(g, d);
    if (!p->steps || !steps_keep(p->steps, o->keep, o->n_keep, d))
        return false;
    if (o->mode == INLAY_EXEC_PLANNED)
        p->plan = exec_plan_new(p->steps, d);
    if (!p->plan)
        return o->mode != INLAY_EXEC_PLANNED;
    if (o->poison)
        p->plan->set->audit = audit_instance;
    if (o->instances > 0)
        p->plan->set->most_idle = (size_t)o->instances;
    p->kept_memory = o->max_memory > 0 ? exec_plan_misaligned_bytes(p->plan) : 0;
    most = inlay_budget_limit(inlay_budget_of(p));
    if (o->max_memory > 0)
        most = most > 0 ? smaller(most, o->max_memory) : o->max_memory;
    if (most > 0)
        p->plan->set->most_room = most / ROOM_SHARE;
    if (o->kernels == INLAY_KERNELS_ONEDNN && !exec_plan_module(p->plan, threads, d))
        return false;
    choose_kernels(p, o);
    p->workers = exec_workers_new(threads);
    return p->workers || inlay_fail_memory(d);
}

void program_tile(inlay_program *p, int64_t bytes)
{
    if (p->plan)
        p->plan->tile = bytes;
}

void program_chain_worth(inlay_program *p, double products)
{
    if (p->plan)
        p->plan->set->worth = products;
}

void program_split(inlay_program *p, int64_t least)
{
    if (p->workers)
        exec_workers_set_least(p->workers, least);
    if (p->plan)
        p->plan->set->part = least > 0 ? (double)least : EXEC_PART;
}

exec_worker_counts program_worker_counts(const inlay_program *p)
{
    return p->workers ? exec_workers_counts(p->workers) : (exec_worker_counts){0};
}

inlay_program *inlay_compile(const inlay_graph *g, const inlay_exec_options *o, inlay_diags *d)
{
    static const inlay_exec_options none;
    double start = now_ms();
    inlay_program *p;

    o = o ? o : &none;
    if (!inlay_graph_is_whole(g, d) ||
        !inlay_names_are_sound(o->keep, o->n_keep, "values to keep", d))
        return NULL;
    if (o->instances < 0) {
        inlay_fail(d, NULL, "a program cannot keep %d instance%s", o->instances,
                   inlay_plural(o->instances, "", "s"));
        return NULL;
    }
    if ((unsigned)o->kernels > INLAY_KERNELS_ONEDNN) {
        inlay_fail(d, NULL, "there are no kernels %d", (int)o->kernels);
        return NULL;
    }
    if ((unsigned)o->mode > INLAY_EXEC_REFERENCE || o->threads < 0) {
        inlay_fail(d, NULL, "there is no mode %d with %d threads", (int)o->mode, o->threads);
        return NULL;
    }
    if (o->threads > INLAY_MAX_THREADS) {
        inlay_fail(d, NULL, "a program cannot have %d threads, the most is %d", o->threads,
                   INLAY_MAX_THREADS);
        return NULL;
    }
    p = inlay_take(inlay_graph_budget(g), 1, sizeof *p);
    if (!p) {
        inlay_fail_memory(d);
        return NULL;
    }
    p->max_memory = o->max_memory;
    p->held_memory = o->held_memory;
    p->progress = o->progress;
    p->progress_ctx = o->progress_ctx;
    p->max_iterations = o->max_iterations;
    p->poison = o->poison;
    p->nodes = inlay_graph_count_nodes(g);
    if (!inlay_budget_tell(inlay_budget_of(p), compile(p, g, o, d), d)) {
        inlay_program_free(p);
        return NULL;
    }
    p->compile_ms = now_ms() - start;
    return p;
}

void inlay_program_free(inlay_program *p)
{
    if (!p)
        return;
    exec_workers_free(p->workers);
    exec_plan_free(p->plan);
    steps_free(p->steps);
    inlay_give(p);
}

static int n_variables(const inlay_session *s)
{
    return s->program->steps->graph->n_variables;
}

inlay_session *inlay_session_new(const inlay_program *p, inlay_diags *d)
{
    inlay_session *s;
    inlay_budget *budget;

    if (inlay_is_missing(p, "program", d))
        return NULL;
    budget = inlay_graph_budget(p->steps->graph);
    s = inlay_take(budget, 1, sizeof *s);
    if (!s) {
        inlay_fail_memory(d);
        return NULL;
    }
    s->program = p;
    s->meter = meter_new(budget, p->max_memory, p->held_memory + p->kept_memory, p->poison);
    s->variables = inlay_take(budget, (size_t)n_variables(s) + 1, sizeof *s->variables);
    s->kept = inlay_take(budget, (size_t)p->steps->n_keep + 1, sizeof *s->kept);
    if (p->plan && s->meter)
        s->exec = exec_session_new(p->plan, s->meter, p->workers, p->poison);
    s->newest = inlay_take(budget, (size_t)n_variables(s) + 1, sizeof *s->newest);
    s->shown = inlay_take(budget, (size_t)n_variables(s) + 1, sizeof *s->shown);
    s->ours = inlay_take(budget, (size_t)p->steps->graph->n_params + 1, sizeof *s->ours);
    s->bound = inlay_take(budget, (size_t)p->steps->graph->n_results + 1, sizeof *s->bound);
    atomic_init(&s->cancelled, false);
    atomic_init(&s->running, false);
    if (!s->meter || !s->variables || !s->kept || !s->newest || !s->shown || !s->ours ||
        !s->bound || (p->plan && !s->exec)) {
        inlay_session_free(s);
        inlay_budget_tell(budget, inlay_fail_memory(d), d);
        return NULL;
    }
    return s;
}

static void drop(const inlay_tensor **tensors, int n)
{
    for (int i = 0; tensors && i < n; i++) {
        inlay_tensor_release(tensors[i]);
        tensors[i] = NULL;
    }
}

void inlay_session_free(inlay_session *s)
{
    if (!s)
        return;
    exec_session_free(s->exec);
    drop(s->variables, n_variables(s));
    drop(s->shown, n_variables(s));
    drop(s->kept, s->program->steps->n_keep);
    drop((const inlay_tensor **)s->bound, s->program->steps->graph->n_results);
    inlay_arena_free(s->arena);
    inlay_give(s->newest);
    inlay_give(s->shown);
    inlay_give(s->ours);
    inlay_give(s->bound);
    inlay_give(s->variables);
    inlay_give(s->kept);
    meter_release(s->meter);
    inlay_give(s);
}

/* The run works on VARIABLES, a copy of the list of states, which replaces the session's list only
 * when the run goes well. OURS: room for exec_prepare. */
static bool run_in(inlay_session *s, const inlay_tensor **variables, const inlay_tensor *const *in,
                   const bool *donated, bool *ours, inlay_tensor **out, inlay_diags *d)
{
    const inlay_program *p = s->program;
    run_env env = {.meter = s->meter,
                   .stats = &s->stats,
                   .variables = variables,
                   .n_variables = n_variables(s),
                   .kept = p->steps->n_keep > 0 ? s->kept : NULL,
                   .bound = s->n_bound > 0 ? s->bound : NULL,
                   .cancelled = &s->cancelled,
                   .max_iterations = p->max_iterations,
                   .progress = p->progress,
                   .progress_ctx = p->progress_ctx};
    bool ok;

    if (!equal_sizes_hold(&p->steps->sizes, p->steps->graph, in, d) ||
        (p->plan && !exec_prepare(s->exec, &env, in, donated, s->variables, ours, d)))
        return false;
    for (int i = 0; i < env.n_variables; i++) {
        if (s->variables[i])
            variables[i] = inlay_tensor_retain(s->variables[i]);
    }
    if (p->workers)
        exec_workers_enter(p->workers);
    ok = p->plan ? exec_run_plan(p->plan, s->exec, &env, in, ours, out, d)
                 : reference_run(p->steps, &env, in, out, d);
    if (p->workers)
        exec_workers_leave(p->workers);
    for (int i = 0; ok && i < env.n_variables; i++) {
        const inlay_tensor *before = s->variables[i];

        s->variables[i] = variables[i];
        variables[i] = NULL;
        drop(&s->shown[i], 1);
        if (s->exec && !meter_is_limited(s->meter))
            spares_put(&s->exec->spares, i, before, s->variables[i]);
        else
            inlay_tensor_release(before);
    }
    return ok;
}

/* A callback of the run, or another thread, asks for what only a session at rest can do. */
static bool is_running(inlay_session *s, inlay_diags *d)
{
    return atomic_load_explicit(&s->running, memory_order_relaxed) && !inlay_fail(d, NULL, running);
}

bool inlay_session_run(inlay_session *s, const inlay_tensor *const *in, const bool *donated,
                       inlay_tensor **out, inlay_diags *d)
{
    const inlay_graph *g = s ? s->program->steps->graph : NULL;
    double start = now_ms();
    bool ok;

    if (inlay_is_missing(s, "session", d) ||
        !inlay_list_is_sound((const void *)in, g->n_params, "inputs", d) ||
        !inlay_list_is_sound((const void *)out, g->n_results, "outputs", d))
        return false;
    for (int i = 0; i < g->n_results; i++)
        out[i] = NULL;
    if (atomic_exchange(&s->running, true))
        return inlay_fail(d, NULL, running);
    drop(s->kept, s->program->steps->n_keep);
    s->stats = (inlay_exec_stats){.nodes = s->program->nodes, .compile_ms = s->program->compile_ms};
    meter_reset_peak(s->meter);
    atomic_store_explicit(&s->cancelled, false, memory_order_relaxed);
    ok = run_in(s, s->newest, in, donated, s->ours, out, d);
    drop(s->newest, n_variables(s));
    s->stats.peak_bytes = meter_peak(s->meter);
    s->stats.run_ms = now_ms() - start;
    atomic_store(&s->running, false);
    return inlay_budget_tell(inlay_budget_of(s), ok, d);
}

void inlay_session_cancel(inlay_session *s)
{
    if (s)
        atomic_store(&s->cancelled, true);
}

/* Whether T shares bytes with a constant of G or of its bodies, which nobody may write over. */
static bool meets_constant(const inlay_graph *g, const inlay_tensor *t)
{
    for (const inlay_node *n = inlay_graph_walk(g, NULL); n; n = inlay_graph_walk(g, n)) {
        const inlay_attr *a = inlay_node_is(n, INLAY_OP_CONST) ? inlay_node_attr(n, "value") : NULL;

        if (a && a->as.tensor && bound_overlap(a->as.tensor, t))
            return true;
    }
    return false;
}

static bool may_bind(const inlay_session *s, int i, const inlay_tensor *t, inlay_diags *d)
{
    const inlay_graph *g = s->program->steps->graph;
    const inlay_node *n = g->results[i];
    char why[1200];

    if (!fact_accepts(&n->in[0].value->fact, t, why, sizeof why))
        return inlay_fail_node(d, n, "the tensor for this output has %s", why);
    if (!t->buffer || inlay_buffer_access(t->buffer) == INLAY_ACCESS_NONE || meets_constant(g, t))
        return inlay_fail_node(d, n, "the bytes of the tensor for this output are read-only");
    for (int k = 0; k < g->n_results; k++) {
        if (k != i && s->bound[k] && bound_overlap(s->bound[k], t))
            return inlay_fail_node(d, n,
                                   "the tensor for this output shares bytes with that for \"%s\"",
                                   g->results[k]->name);
    }
    return true;
}

bool inlay_session_bind_output(inlay_session *s, int i, inlay_tensor *t, inlay_diags *d)
{
    if (inlay_is_missing(s, "session", d) || is_running(s, d))
        return false;
    if (i < 0 || i >= session_graph(s)->n_results)
        return inlay_fail(d, NULL, "there is no output %d, the graph has %d", i,
                          session_graph(s)->n_results);
    if (t && !may_bind(s, i, t, d))
        return false;
    s->n_bound += (t != NULL) - (s->bound[i] != NULL);
    inlay_tensor_release(s->bound[i]);
    s->bound[i] = inlay_tensor_retain(t);
    return true;
}

const inlay_graph *session_graph(const inlay_session *s)
{
    return s->program->steps->graph;
}

const char *const *session_result_names(inlay_session *s, inlay_diags *d)
{
    if (!s->arena && !(s->arena = inlay_arena_of(inlay_budget_of(s)))) {
        inlay_fail_memory(d);
        return NULL;
    }
    if (!s->names)
        s->names = inlay_result_names_in(session_graph(s), s->arena, d);
    return s->names;
}

const inlay_tensor *inlay_session_kept(const inlay_session *s, int i)
{
    return s && i >= 0 && i < s->program->steps->n_keep ? s->kept[i] : NULL;
}

const inlay_tensor *inlay_session_variable(const inlay_session *s, int i)
{
    const inlay_tensor *t = s && i >= 0 && i < n_variables(s) ? s->variables[i] : NULL;

    if (!t || inlay_tensor_is_dense(t) || !inlay_buffer_has_periods(t->buffer))
        return t;
    if (!s->shown[i])
        s->shown[i] = inlay_tensor_copy(t);
    return s->shown[i] ? s->shown[i] : t;
}

bool inlay_session_set_variable(inlay_session *s, int i, const inlay_tensor *t, inlay_diags *d)
{
    const inlay_graph *g;
    char why[1200];

    if (inlay_is_missing(s, "session", d) || is_running(s, d))
        return false;
    g = s->program->steps->graph;
    if (i < 0 || i >= n_variables(s))
        return inlay_fail(d, NULL, "there is no variable %d, the graph has %d", i, n_variables(s));
    if (t && !variable_accepts(g->variables[i], t, why, sizeof why))
        return inlay_fail(d, NULL, "variable \"%s\": the tensor given has %s",
                          g->variables[i]->name, why);
    drop(&s->shown[i], 1);
    inlay_tensor_release(s->variables[i]);
    s->variables[i] = t ? inlay_tensor_retain(t) : NULL;
    return true;
}

void inlay_session_reset(inlay_session *s)
{
    if (!s || is_running(s, NULL))
        return;
    drop(s->variables, n_variables(s));
    drop(s->shown, n_variables(s));
}

void inlay_session_stats(const inlay_session *s, inlay_exec_stats *out)
{
    *out = s ? s->stats : (inlay_exec_stats){0};
    if (s && s->program->plan && s->stats.nodes > 0) {
        out->aligned_bytes = exec_plan_aligned_bytes(s->program->plan);
        out->packed_bytes =
            exec_plan_packed_bytes(s->program->plan) + exec_made_packed_bytes(s->exec);
    }
}
