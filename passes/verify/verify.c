/* Are two graphs the same function? Both are run on made-up inputs and everything they show to the
 * outside is compared: outputs, and variables after each of a few steps. */
#include "passes/verify/verify.h"
#include "ir/shared.h"

#include "passes/verify/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Graphs with variables run so many steps. Which inputs each gets: the third step those of the
 * second again. */
enum { STEPS_WITH_STATE = 6 };

static const int input_of_step[STEPS_WITH_STATE] = {0, 1, 1, 2, 3, 4};

/* Which input, output and variable of B stands for the i-th one of A. */
struct pairing {
    int *inputs, *outputs, *variables;
};

/* One side of the comparison. */
struct side {
    const inlay_graph *g;
    const char *const *outputs; /* their names */
    const inlay_evaluator *ev;
    inlay_tensor **in, **out, **variables;
};

struct prover {
    struct side a, b;
    name_index params, param_tensors, results, variables; /* what B has */
    struct pairing pair;
    verify_literals literals;
    const inlay_verify_options *o;
    inlay_verify_result *result;
    inlay_diags *diags;
    bool fit;   /* inputs are made such that the rules accept them */
    bool again; /* the trial was run without that before: nothing is new when nothing was fitted */
};

static bool differ(struct prover *p, const char *fmt, ...) INLAY_PRINTF(2, 3);

static bool differ(struct prover *p, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(p->result->why, sizeof p->result->why, fmt, args);
    va_end(args);
    p->result->verdict = INLAY_NOT_SAME;
    return false;
}

static bool counts_differ(struct prover *p, const char *what, int a, int b)
{
    return differ(p, "the first graph has %d %s%s, the second %d %s%s", a, what, a == 1 ? "" : "s",
                  b, what, b == 1 ? "" : "s");
}

/* Two Parameters are called alike: by a tensor name, else by their own. */
static int find_param(const struct prover *p, const inlay_node *n)
{
    int found = names_find(&p->params, n->name);

    for (int i = 0; i < n->out[0].n_names; i++) {
        int other = names_find(&p->param_tensors, n->out[0].names[i]);

        found = other >= 0 && (found < 0 || other < found) ? other : found;
    }
    return found;
}

/* By position when a name of A is none of B. */
static void pair_up(int *pair, int n)
{
    bool by_name = true;

    for (int i = 0; i < n; i++)
        by_name = by_name && pair[i] >= 0;
    for (int i = 0; !by_name && i < n; i++)
        pair[i] = i;
}

static bool pair_params(struct prover *p)
{
    const inlay_graph *a = p->a.g, *b = p->b.g;

    if (a->n_params != b->n_params)
        return counts_differ(p, "input", a->n_params, b->n_params);
    for (int i = 0; i < a->n_params; i++)
        p->pair.inputs[i] = find_param(p, a->params[i]);
    pair_up(p->pair.inputs, a->n_params);
    return true;
}

static bool pair_results(struct prover *p)
{
    const inlay_graph *a = p->a.g, *b = p->b.g;

    if (a->n_results != b->n_results)
        return counts_differ(p, "output", a->n_results, b->n_results);
    for (int i = 0; i < a->n_results; i++)
        p->pair.outputs[i] = names_find(&p->results, p->a.outputs[i]);
    pair_up(p->pair.outputs, a->n_results);
    return true;
}

static bool pair_variables(struct prover *p)
{
    const inlay_graph *a = p->a.g, *b = p->b.g;

    if (a->n_variables != b->n_variables)
        return counts_differ(p, "variable", a->n_variables, b->n_variables);
    for (int i = 0; i < a->n_variables; i++) {
        int found = names_find(&p->variables, a->variables[i]->name);

        if (found < 0)
            return differ(p, "the second graph has no variable \"%s\"", a->variables[i]->name);
        p->pair.variables[i] = found;
    }
    return true;
}

static bool types_agree(struct prover *p)
{
    for (int i = 0; i < p->a.g->n_params; i++) {
        inlay_type a = p->a.g->params[i]->out[0].fact.type;
        inlay_type b = p->b.g->params[p->pair.inputs[i]]->out[0].fact.type;

        if (a != b)
            return differ(p, "input \"%s\" has type %s in the first graph, %s in the second",
                          p->a.g->params[i]->name, inlay_type_info_of(a)->name,
                          inlay_type_info_of(b)->name);
    }
    return true;
}

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
static bool lacked_resource(struct prover *p, const inlay_diags *d)
{
    size_t n = inlay_diags_count(d);
    const inlay_diag *last = n > 0 ? inlay_diags_at(d, n - 1) : NULL;
    inlay_pos pos = {last ? last->file : NULL, last ? last->line : 0};

    if (inlay_diags_status(d) != INLAY_NO_RESOURCE)
        return false;
    inlay_fail_resource(p->diags, &pos, "%s", last_message(d));
    return true;
}

static enum outcome both_fail(struct prover *p, const char *who, const inlay_diags *d)
{
    snprintf(p->result->why, sizeof p->result->why, "%s: %s", who, last_message(d));
    return VOID;
}

/* What the two runs say, with what was said in them. */
static enum outcome judge(struct prover *p, bool ok_a, const inlay_diags *da, bool ok_b,
                          const inlay_diags *db)
{
    if ((!ok_a && lacked_resource(p, da)) || (!ok_b && lacked_resource(p, db)))
        return OUT_OF_RESOURCE;
    if (ok_a && ok_b)
        return AGREED;
    if (!ok_a && !ok_b)
        return both_fail(p, "both graphs fail", da);
    if (!ok_a && p->o->may_mend)
        return both_fail(p, "the first graph fails", da);
    differ(p, "only the %s graph fails: %s", ok_a ? "second" : "first",
           last_message(ok_a ? db : da));
    return DIFFERENT;
}

/* AGREED: both worked, their results are to be compared. */
static enum outcome run_both(struct prover *p)
{
    inlay_diags *da = inlay_diags_new(), *db = inlay_diags_new();
    struct side *a = &p->a, *b = &p->b;
    enum outcome outcome = OUT_OF_RESOURCE;
    bool ok_a, ok_b;

    if (da && db) {
        ok_a = a->ev->eval_graph(a->ev->ctx, a->g, (const inlay_tensor *const *)a->in, a->out,
                                 a->variables, da);
        ok_b = b->ev->eval_graph(b->ev->ctx, b->g, (const inlay_tensor *const *)b->in, b->out,
                                 b->variables, db);
        outcome = judge(p, ok_a, da, ok_b, db);
    } else {
        inlay_fail_memory(p->diags);
    }
    inlay_diags_free(da);
    inlay_diags_free(db);
    return outcome;
}

static bool compare_step(struct prover *p, int step)
{
    char why[512];

    for (int i = 0; i < p->a.g->n_results; i++) {
        if (!inlay_compare_tensors(p->a.out[i], p->b.out[p->pair.outputs[i]], &p->o->tolerance, why,
                                   sizeof why))
            return differ(p, "output \"%s\" of the second graph%s: %s", p->a.outputs[i],
                          step > 0 ? ", in a later step" : "", why);
    }
    for (int i = 0; i < p->a.g->n_variables; i++) {
        const inlay_tensor *a = p->a.variables[i], *b = p->b.variables[p->pair.variables[i]];

        if (!a != !b)
            return differ(p, "variable \"%s\" is set by the %s graph only",
                          p->a.g->variables[i]->name, a ? "first" : "second");
        if (a && !inlay_compare_tensors(a, b, &p->o->tolerance, why, sizeof why))
            return differ(p, "variable \"%s\" of the second graph after step %d: %s",
                          p->a.g->variables[i]->name, step + 1, why);
    }
    return true;
}

static bool make_inputs(struct prover *p, const verify_trial *trial, int variant, bool *fitted)
{
    const inlay_verify_options *o = p->o;
    inlay_make_options make = {.seed = trial->seed,
                               .fills = o->fills,
                               .shapes = o->shapes,
                               .ranges = o->ranges,
                               .max_memory = o->max_memory};
    verify_request r = {p->a.g, p->b.g,  p->pair.inputs, &p->literals,
                        *trial, variant, p->fit,         &make};
    int n = p->a.g->n_params;

    release_all(p->a.in, n);
    release_all(p->b.in, n);
    for (int i = 0; o->inputs && i < n; i++)
        p->a.in[i] = inlay_tensor_retain(o->inputs[i]);
    if (!verify_make_inputs(&r, p->a.in, fitted, p->diags))
        return false;
    for (int i = 0; i < n; i++)
        p->b.in[p->pair.inputs[i]] = inlay_tensor_retain(p->a.in[i]);
    return true;
}

static enum outcome run_step(struct prover *p, const verify_trial *trial, int step)
{
    enum outcome outcome;
    bool fitted;

    if (!make_inputs(p, trial, input_of_step[step], &fitted))
        return OUT_OF_RESOURCE;
    if (p->again && !fitted && step == 0)
        return VOID;
    outcome = run_both(p);
    if (outcome == AGREED && !compare_step(p, step))
        outcome = DIFFERENT;
    release_all(p->a.out, p->a.g->n_results);
    release_all(p->b.out, p->b.g->n_results);
    return outcome;
}

/* A later step that both sides refuse takes nothing from those before it. */
static enum outcome run_steps(struct prover *p, const verify_trial *trial)
{
    int steps = p->a.g->n_variables > 0 ? STEPS_WITH_STATE : 1;
    enum outcome outcome = AGREED;

    for (int step = 0; outcome == AGREED && step < steps; step++) {
        outcome = run_step(p, trial, step);
        if (outcome == VOID && step > 0)
            return AGREED;
    }
    release_all(p->a.variables, p->a.g->n_variables);
    release_all(p->b.variables, p->b.g->n_variables);
    return outcome;
}

/* What is unusual about a trial may be too much for a graph, or for the machine. */
static enum outcome run_unusual(struct prover *p, const verify_trial *trial)
{
    inlay_diags *d = p->diags;
    enum outcome outcome = VOID;

    p->diags = NULL;
    for (int i = -1; outcome == VOID && i < VERIFY_PLAINER; i++) {
        verify_trial now = verify_plainer(trial, i < 0 ? 0 : i);

        p->fit = i >= 0;
        p->again = i == 0;
        outcome = run_steps(p, &now);
        if (outcome == OUT_OF_RESOURCE)
            outcome = VOID;
    }
    p->diags = d;
    return outcome;
}

static bool run_trial(struct prover *p, int number)
{
    verify_trial trial = verify_trial_of(p->o->seed + (uint64_t)number);
    enum outcome outcome = run_unusual(p, &trial);

    if (outcome == VOID) {
        trial = verify_plainer(&trial, VERIFY_PLAINER);
        outcome = run_steps(p, &trial);
    }
    p->result->counted += outcome == AGREED || outcome == DIFFERENT;
    if (outcome == DIFFERENT)
        p->result->seed = trial.seed;
    return outcome != OUT_OF_RESOURCE;
}

static bool run_trials(struct prover *p)
{
    inlay_verify_result *r = p->result;

    for (int trial = 0; trial < r->trials && r->verdict == INLAY_SAME; trial++) {
        if (p->o->progress)
            p->o->progress(p->o->ctx, trial, r->trials);
        if (!run_trial(p, trial))
            return false;
    }
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
    s->outputs = inlay_result_names(s->g, NULL);
    s->in = calloc((size_t)s->g->n_params + 1, sizeof *s->in);
    s->out = calloc((size_t)s->g->n_results + 1, sizeof *s->out);
    s->variables = calloc((size_t)s->g->n_variables + 1, sizeof *s->variables);
    return s->outputs && s->in && s->out && s->variables;
}

static void free_side(struct side *s)
{
    release_all(s->in, s->g->n_params);
    release_all(s->out, s->g->n_results);
    release_all(s->variables, s->g->n_variables);
    free(s->in);
    free(s->out);
    free(s->variables);
}

static bool index_params(struct prover *p)
{
    const inlay_graph *b = p->b.g;
    size_t n = 0;

    for (int i = 0; i < b->n_params; i++)
        n += (size_t)b->params[i]->out[0].n_names;
    if (!names_begin(&p->params, (size_t)b->n_params) || !names_begin(&p->param_tensors, n))
        return false;
    for (int i = 0; i < b->n_params; i++) {
        const inlay_value *v = &b->params[i]->out[0];

        names_add(&p->params, b->params[i]->name, i);
        for (int k = 0; k < v->n_names; k++)
            names_add(&p->param_tensors, v->names[k], i);
    }
    names_sort(&p->params);
    names_sort(&p->param_tensors);
    return true;
}

static bool index_rest(struct prover *p)
{
    const inlay_graph *b = p->b.g;

    if (!names_begin(&p->results, (size_t)b->n_results) ||
        !names_begin(&p->variables, (size_t)b->n_variables))
        return false;
    for (int i = 0; i < b->n_results; i++)
        names_add(&p->results, p->b.outputs[i], i);
    for (int i = 0; i < b->n_variables; i++)
        names_add(&p->variables, b->variables[i]->name, i);
    names_sort(&p->results);
    names_sort(&p->variables);
    return true;
}

static void free_indices(struct prover *p)
{
    names_free(&p->params);
    names_free(&p->param_tensors);
    names_free(&p->results);
    names_free(&p->variables);
}

static bool allocate(struct prover *p)
{
    const inlay_graph *g = p->a.g;

    p->pair.inputs = calloc((size_t)g->n_params + 1, sizeof(int));
    p->pair.outputs = calloc((size_t)g->n_results + 1, sizeof(int));
    p->pair.variables = calloc((size_t)g->n_variables + 1, sizeof(int));
    return p->pair.inputs && p->pair.outputs && p->pair.variables && allocate_side(&p->a) &&
           allocate_side(&p->b) && index_params(p) && index_rest(p);
}

bool inlay_verify(const inlay_graph *a, const inlay_evaluator *ea, const inlay_graph *b,
                  const inlay_evaluator *eb, const inlay_verify_options *o,
                  inlay_verify_result *out, inlay_diags *d)
{
    static const inlay_verify_options none;
    struct prover p = {.a = {.g = a, .ev = ea}, .b = {.g = b, .ev = eb}, .result = out, .diags = d};
    bool ok;

    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d) ||
        !inlay_params_are_whole(a, d) || !inlay_params_are_whole(b, d) ||
        !inlay_evaluator_is_sound(ea, d) || !inlay_evaluator_is_sound(eb, d))
        return false;
    p.o = o ? o : &none;
    *out = (inlay_verify_result){.trials = p.o->trials > 0 ? p.o->trials : VERIFY_TRIALS};
    ok = allocate(&p) || inlay_fail_memory(d);
    verify_add_literals(&p.literals, a);
    verify_add_literals(&p.literals, b);
    if (ok && pair_params(&p) && pair_results(&p) && pair_variables(&p) && types_agree(&p))
        ok = run_trials(&p);
    free_side(&p.a);
    free_side(&p.b);
    free_indices(&p);
    free(p.pair.inputs);
    free(p.pair.outputs);
    free(p.pair.variables);
    return ok;
}
