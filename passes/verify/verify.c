/* Are two graphs the same function? Both are run on generated inputs, trial after trial, and
 * everything visible outside is compared: outputs, and variables after each of a few steps. */
#include "passes/verify/verify.h"
#include "ir/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of the two graphs. */
struct side {
    const inlay_graph *g;
    const inlay_evaluator *ev;
    inlay_tensor **in, **out, **variables;
};

struct verifier {
    struct side a, b;
    verify_pairs pairs;
    verify_literals literals;
    const inlay_verify_options *o;
    inlay_verify_result *result;
    inlay_diags *diags;
    bool fit;                /* inputs are made so that the shape rules accept them */
    uint32_t tried, covered; /* unusual properties of trials: of all, and of those that counted */
    bool again; /* the trial was already run without fitted inputs: if nothing had to be fitted, it
                   is the same */
    verify_trial good; /* its sizes were accepted when those of the schedule were not */
    bool has_good;
    int searches; /* searches for such sizes that found none */
};

static void release_all(inlay_tensor **t, int n)
{
    for (int i = 0; t && i < n; i++) {
        inlay_tensor_release(t[i]);
        t[i] = NULL;
    }
}

enum outcome { OUT_OF_RESOURCE = -2, DIFFERENT = -1, VOID = 0, AGREED = 1 };

static const char *last_message(const inlay_diags *d)
{
    size_t n = inlay_diags_count(d);

    return n > 0 ? inlay_diags_at(d, n - 1)->text : "out of memory";
}

/* Running out of memory says nothing about a graph. */
static bool lacked_resource(struct verifier *v, const inlay_diags *d)
{
    size_t n = inlay_diags_count(d);
    const inlay_diag *last = n > 0 ? inlay_diags_at(d, n - 1) : NULL;
    inlay_pos pos = {last ? last->file : NULL, last ? last->line : 0};

    if (inlay_diags_status(d) != INLAY_NO_RESOURCE)
        return false;
    inlay_fail_resource(v->diags, &pos, "%s", last_message(d));
    return true;
}

/* Errors of both graphs are reported, but not compared: passes/verify/README.md. */
static enum outcome both_fail(struct verifier *v, const inlay_diags *da, const inlay_diags *db)
{
    const char *a = last_message(da), *b = last_message(db);
    size_t size = sizeof v->result->why;

    if (strcmp(a, b) == 0)
        snprintf(v->result->why, size, "both graphs fail: %s", a);
    else
        snprintf(v->result->why, size, "both graphs fail, the first: %.480s; the second: %.480s", a,
                 b);
    return VOID;
}

/* Judges a trial by whether the two runs succeeded, and by their messages. */
static enum outcome judge(struct verifier *v, bool ok_a, const inlay_diags *da, bool ok_b,
                          const inlay_diags *db)
{
    if ((!ok_a && lacked_resource(v, da)) || (!ok_b && lacked_resource(v, db)))
        return OUT_OF_RESOURCE;
    if (ok_a && ok_b)
        return AGREED;
    if (!ok_a && !ok_b)
        return both_fail(v, da, db);
    if (!ok_a && v->o->may_mend) {
        snprintf(v->result->why, sizeof v->result->why, "the first graph fails: %s",
                 last_message(da));
        return VOID;
    }
    verify_differ(v->result, "only the %s graph fails: %s", ok_a ? "second" : "first",
                  last_message(ok_a ? db : da));
    return DIFFERENT;
}

/* AGREED: both succeeded, so their results are to be compared. */
static enum outcome run_both(struct verifier *v)
{
    inlay_diags *da = inlay_diags_new(), *db = inlay_diags_new();
    struct side *a = &v->a, *b = &v->b;
    enum outcome outcome = OUT_OF_RESOURCE;
    bool ok_a, ok_b;

    if (da && db) {
        ok_a = a->ev->eval_graph(a->ev->ctx, a->g, (const inlay_tensor *const *)a->in, a->out,
                                 a->variables, da);
        ok_b = b->ev->eval_graph(b->ev->ctx, b->g, (const inlay_tensor *const *)b->in, b->out,
                                 b->variables, db);
        outcome = judge(v, ok_a, da, ok_b, db);
    } else {
        inlay_fail_memory(v->diags);
    }
    inlay_diags_free(da);
    inlay_diags_free(db);
    return outcome;
}

static bool compare_step(struct verifier *v, int step)
{
    char why[512];

    for (int i = 0; i < v->a.g->n_results; i++) {
        if (!inlay_compare_tensors(v->a.out[i], v->b.out[v->pairs.outputs[i]], &v->o->tolerance,
                                   why, sizeof why))
            return verify_differ(v->result, "output \"%s\" of the second graph%s: %s",
                                 v->pairs.a_outputs[i], step > 0 ? ", in a later step" : "", why);
    }
    for (int i = 0; i < v->a.g->n_variables; i++) {
        const inlay_tensor *a = v->a.variables[i], *b = v->b.variables[v->pairs.variables[i]];

        if (!a != !b)
            return verify_differ(v->result, "variable \"%s\" is set by the %s graph only",
                                 v->a.g->variables[i]->name, a ? "first" : "second");
        if (a && !inlay_compare_tensors(a, b, &v->o->tolerance, why, sizeof why))
            return verify_differ(v->result, "variable \"%s\" of the second graph after step %d: %s",
                                 v->a.g->variables[i]->name, step + 1, why);
    }
    return true;
}

static bool make_inputs(struct verifier *v, const verify_trial *trial, int variant, bool *fitted)
{
    const inlay_verify_options *o = v->o;
    inlay_make_options make = {.seed = trial->seed,
                               .fills = o->fills,
                               .shapes = o->shapes,
                               .ranges = o->ranges,
                               .max_memory = o->max_memory};
    verify_request r = {v->a.g, v->b.g,  v->pairs.inputs, &v->literals,
                        *trial, variant, v->fit,          &make};
    int n = v->a.g->n_params;

    release_all(v->a.in, n);
    release_all(v->b.in, n);
    for (int i = 0; o->inputs && i < n; i++)
        v->a.in[i] = inlay_tensor_retain(o->inputs[i]);
    if (!verify_make_inputs(&r, v->a.in, fitted, v->diags))
        return false;
    for (int i = 0; i < n; i++)
        v->b.in[v->pairs.inputs[i]] = inlay_tensor_retain(v->a.in[i]);
    return true;
}

/* The third step gets the inputs of the second again. */
static enum outcome run_step(struct verifier *v, const verify_trial *trial, int step)
{
    enum outcome outcome;
    bool fitted;

    if (!make_inputs(v, trial, step < 2 ? step : step - 1, &fitted))
        return OUT_OF_RESOURCE;
    if (v->again && !fitted && step == 0)
        return VOID;
    outcome = run_both(v);
    if (outcome == AGREED && !compare_step(v, step))
        outcome = DIFFERENT;
    release_all(v->a.out, v->a.g->n_results);
    release_all(v->b.out, v->b.g->n_results);
    return outcome;
}

/* If a later step is refused, those before it still count. States are reset for the next trial: if
 * only the first graph refused, the two states are not those of the same step. */
static enum outcome run_steps(struct verifier *v, const verify_trial *trial)
{
    int steps = verify_steps(v->a.g, trial, &v->literals), step;
    enum outcome outcome = AGREED;

    for (step = 0; outcome == AGREED && step < steps; step++)
        outcome = run_step(v, trial, step);
    release_all(v->a.variables, v->a.g->n_variables);
    release_all(v->b.variables, v->b.g->n_variables);
    return outcome == VOID && step > 1 ? AGREED : outcome;
}

static bool has_open_sizes(const inlay_graph *g)
{
    int64_t dims[INLAY_MAX_RANK];
    bool open = false;

    for (int i = 0; i < g->n_params && !open; i++)
        open = !inlay_fact_dims(&g->params[i]->out[0].fact, dims);
    return open;
}

/* Only sizes that are numbers are kept; others would be different ones in the next trial. */
static void remember(struct verifier *v, const verify_trial *t)
{
    bool numbers = true;

    for (int i = 0; i < t->n_sizes; i++)
        numbers = numbers && t->sizes[i] >= 0;
    if (numbers) {
        v->good = *t;
        v->has_good = true;
    }
}

/* T with sizes that were accepted before: the first is what T proposes, and the others keep their
 * difference from it, so that relations such as "one longer than" hold. */
static verify_trial like_good(const struct verifier *v, const verify_trial *t, bool moved)
{
    verify_trial now = verify_plainer(t, 2);
    int by = moved && t->sizes[0] >= 0 ? t->sizes[0] - v->good.sizes[0] : 0;

    now.n_sizes = v->good.n_sizes;
    now.large = v->good.large;
    for (int i = 0; i < now.n_sizes; i++)
        now.sizes[i] = v->good.sizes[i] + by > 0 ? v->good.sizes[i] + by : 0;
    return now;
}

static enum outcome run_with(struct verifier *v, const verify_trial *now)
{
    enum outcome outcome = run_steps(v, now);

    if (outcome == AGREED)
        v->covered |= verify_features_of(v->a.g, v->a.in, now, true);
    return outcome == OUT_OF_RESOURCE ? VOID : outcome;
}

/* The graphs refuse all sizes of TRIAL: searches sizes that they accept, and remembers them. */
static enum outcome run_other_sizes(struct verifier *v, const verify_trial *trial)
{
    enum { SEARCHES = 8 }; /* failed searches before no more are tried */
    enum outcome outcome = VOID;
    verify_trial now;

    v->fit = true;
    v->again = false;
    for (int i = 0; v->has_good && outcome == VOID && i < 2; i++) {
        now = like_good(v, trial, i == 0);
        outcome = run_with(v, &now);
    }
    if (outcome != VOID || v->searches == SEARCHES)
        return outcome;
    now = verify_plainer(trial, 2);
    for (int i = 0; outcome == VOID && verify_other_sizes(&now, i); i++)
        outcome = run_with(v, &now);
    if (outcome == AGREED)
        remember(v, &now);
    v->searches += outcome == VOID;
    return outcome;
}

/* Something unusual about a trial may be too much for a graph, or for the machine. The first
 * attempt follows the schedule, so that differences in what the graphs refuse are found; then
 * inputs are made so that the shape rules accept them, simpler each time. */
static enum outcome run_unusual(struct verifier *v, const verify_trial *trial)
{
    inlay_diags *d = v->diags;
    enum outcome outcome = VOID;

    v->diags = NULL;
    v->tried |= verify_features(trial);
    for (int i = -1; outcome == VOID && i < VERIFY_PLAINER; i++) {
        verify_trial now = verify_plainer(trial, i < 0 ? 0 : i);

        v->fit = i >= 0;
        v->again = i == 0;
        outcome = run_steps(v, &now);
        if (outcome == OUT_OF_RESOURCE)
            outcome = VOID;
        if (outcome == AGREED) {
            v->covered |= verify_features_of(v->a.g, v->a.in, &now, i >= 0);
            remember(v, &now);
        }
    }
    if (outcome == VOID && has_open_sizes(v->a.g))
        outcome = run_other_sizes(v, trial);
    v->diags = d;
    return outcome;
}

static bool run_trial(struct verifier *v, int number)
{
    verify_trial trial = verify_trial_of(v->o->seed + (uint64_t)number);
    enum outcome outcome = run_unusual(v, &trial);

    if (outcome == VOID) {
        trial = verify_plainer(&trial, VERIFY_PLAINER);
        outcome = run_steps(v, &trial);
    }
    v->result->counted += outcome == AGREED || outcome == DIFFERENT;
    if (outcome == DIFFERENT)
        v->result->seed = trial.seed;
    return outcome != OUT_OF_RESOURCE;
}

/* The caller's number of trials is always run; of the schedule's own, as many as a budget of work
 * allows. */
static bool is_enough(const struct verifier *v, int trials, double work)
{
    enum { LEAST = 4 };
    const double budget = 2e9; /* some seconds of the reference executor */

    return v->o->trials == 0 && trials >= LEAST && work > budget;
}

/* An estimate of the work of the last trial. */
static double work_of_trial(const struct verifier *v, int number)
{
    verify_trial trial = verify_trial_of(v->o->seed + (uint64_t)number);
    int64_t open = 1;

    for (int i = 0; i < v->a.g->n_params; i++) {
        const inlay_tensor *t = v->a.in[i];
        const inlay_fact *f = &v->a.g->params[i]->out[0].fact;

        for (int k = 0; t && k < t->rank; k++) {
            if ((f->rank < 0 || !inlay_dim_is_static(f->dims[k])) && t->dims[k] > open)
                open = t->dims[k];
        }
    }
    return verify_steps(v->a.g, &trial, &v->literals) *
           (verify_work(v->a.g, open) + verify_work(v->b.g, open));
}

static bool run_trials(struct verifier *v)
{
    inlay_verify_result *r = v->result;
    double work = 0;
    int wanted = r->trials, trial;

    for (trial = 0; trial < wanted && r->verdict == INLAY_SAME && !is_enough(v, trial, work);
         trial++) {
        if (v->o->progress)
            v->o->progress(v->o->ctx, trial, wanted);
        if (!run_trial(v, trial))
            return false;
        work += work_of_trial(v, trial);
    }
    if (r->verdict == INLAY_SAME)
        r->trials = trial;
    if (r->verdict != INLAY_SAME)
        return true;
    if (r->counted * 2 < r->trials)
        r->verdict = INLAY_INCONCLUSIVE;
    else
        r->why[0] = '\0';
    return true;
}

static bool allocate_side(struct side *s)
{
    s->in = inlay_take(inlay_graph_budget(s->g), (size_t)s->g->n_params + 1, sizeof *s->in);
    s->out = inlay_take(inlay_graph_budget(s->g), (size_t)s->g->n_results + 1, sizeof *s->out);
    s->variables =
        inlay_take(inlay_graph_budget(s->g), (size_t)s->g->n_variables + 1, sizeof *s->variables);
    return s->in && s->out && s->variables;
}

static void free_side(struct side *s)
{
    release_all(s->in, s->g->n_params);
    release_all(s->out, s->g->n_results);
    release_all(s->variables, s->g->n_variables);
    inlay_give(s->in);
    inlay_give(s->out);
    inlay_give(s->variables);
}

/* Gives the inputs of the trial that differed to the caller. */
static void keep_inputs(const struct verifier *v)
{
    bool differed = v->result->verdict == INLAY_NOT_SAME && v->result->counted > 0;

    for (int i = 0; v->o->kept && v->a.in && i < v->a.g->n_params; i++)
        v->o->kept[i] = differed ? inlay_tensor_retain(v->a.in[i]) : NULL;
}

bool inlay_verify(const inlay_graph *a, const inlay_evaluator *ea, const inlay_graph *b,
                  const inlay_evaluator *eb, const inlay_verify_options *o,
                  inlay_verify_result *out, inlay_diags *d)
{
    static const inlay_verify_options none;
    struct verifier v = {
        .a = {.g = a, .ev = ea}, .b = {.g = b, .ev = eb}, .result = out, .diags = d};
    bool ok;

    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d) ||
        !inlay_params_are_whole(a, d) || !inlay_params_are_whole(b, d) ||
        !inlay_evaluator_is_sound(ea, d) || !inlay_evaluator_is_sound(eb, d))
        return false;
    v.o = o ? o : &none;
    *out = (inlay_verify_result){.trials = v.o->trials > 0 ? v.o->trials : VERIFY_TRIALS};
    verify_add_literals(&v.literals, a);
    verify_add_literals(&v.literals, b);
    ok = (allocate_side(&v.a) && allocate_side(&v.b)) || inlay_fail_memory(d);
    ok = ok && verify_pair_up(a, b, &v.pairs, out, d) &&
         (out->verdict == INLAY_NOT_SAME || run_trials(&v));
    verify_tell_missed(a, v.tried, v.covered, out->missed, sizeof out->missed);
    if (out->verdict == INLAY_SAME && v.o->trials == 0 && out->trials < VERIFY_TRIALS)
        verify_add_missed(out->missed, sizeof out->missed,
                          "%d of %d trials, which a budget of work cut off",
                          VERIFY_TRIALS - out->trials, VERIFY_TRIALS);
    keep_inputs(&v);
    free_side(&v.a);
    free_side(&v.b);
    verify_pairs_free(&v.pairs);
    return inlay_budget_tell(inlay_graph_budget(a), ok, d);
}
