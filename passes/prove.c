/* Are two graphs the same function? Both are run on made-up inputs and everything they show to the
 * outside is compared: outputs, and variables after each of a few steps. */
#include "passes/prove.h"

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
    const inlay_evaluator *ev;
    inlay_tensor **in, **out, **variables;
};

struct prover {
    struct side a, b;
    struct pairing pair;
    prove_literals literals;
    const inlay_prove_options *o;
    inlay_prove_result *result;
    inlay_diags *diags;
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

static bool same_name(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Two Parameters are called alike: by a tensor name, else by their own. */
static bool params_alike(const inlay_node *a, const inlay_node *b)
{
    for (int i = 0; i < a->out[0].n_names; i++) {
        for (int k = 0; k < b->out[0].n_names; k++) {
            if (strcmp(a->out[0].names[i], b->out[0].names[k]) == 0)
                return true;
        }
    }
    return same_name(a->name, b->name);
}

static bool pair_params(struct prover *p)
{
    const inlay_graph *a = p->a.g, *b = p->b.g;
    bool by_name = true;

    if (a->n_params != b->n_params)
        return counts_differ(p, "input", a->n_params, b->n_params);
    for (int i = 0; i < a->n_params; i++) {
        int found = -1;

        for (int k = 0; k < b->n_params && found < 0; k++)
            found = params_alike(a->params[i], b->params[k]) ? k : -1;
        by_name = by_name && found >= 0;
        p->pair.inputs[i] = found;
    }
    for (int i = 0; !by_name && i < a->n_params; i++)
        p->pair.inputs[i] = i;
    return true;
}

static bool pair_results(struct prover *p)
{
    const inlay_graph *a = p->a.g, *b = p->b.g;
    bool by_name = true;

    if (a->n_results != b->n_results)
        return counts_differ(p, "output", a->n_results, b->n_results);
    for (int i = 0; i < a->n_results; i++) {
        const char *name = inlay_result_name(a, i, p->diags);
        int found = -1;

        for (int k = 0; k < b->n_results && found < 0; k++)
            found = same_name(name, inlay_result_name(b, k, p->diags)) ? k : -1;
        by_name = by_name && found >= 0;
        p->pair.outputs[i] = found;
    }
    for (int i = 0; !by_name && i < a->n_results; i++)
        p->pair.outputs[i] = i;
    return true;
}

static bool pair_variables(struct prover *p)
{
    const inlay_graph *a = p->a.g, *b = p->b.g;

    if (a->n_variables != b->n_variables)
        return counts_differ(p, "variable", a->n_variables, b->n_variables);
    for (int i = 0; i < a->n_variables; i++) {
        int found = -1;

        for (int k = 0; k < b->n_variables && found < 0; k++)
            found = same_name(a->variables[i]->name, b->variables[k]->name) ? k : -1;
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
        const char *name = inlay_result_name(p->a.g, i, p->diags);

        if (!inlay_compare_tensors(p->a.out[i], p->b.out[p->pair.outputs[i]], &p->o->tolerance, why,
                                   sizeof why))
            return differ(p, "output \"%s\" of the second graph%s: %s", name ? name : "?",
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

static bool make_inputs(struct prover *p, const prove_trial *trial, int variant)
{
    inlay_make_options make = {
        .seed = trial->seed, .shapes = p->o->shapes, .max_memory = p->o->max_memory};
    prove_request r = {p->a.g, p->b.g, p->pair.inputs, &p->literals, *trial, variant, &make};
    int n = p->a.g->n_params;

    release_all(p->a.in, n);
    release_all(p->b.in, n);
    if (!prove_make_inputs(&r, p->a.in, p->diags))
        return false;
    for (int i = 0; i < n; i++)
        p->b.in[p->pair.inputs[i]] = inlay_tensor_retain(p->a.in[i]);
    return true;
}

static enum outcome run_step(struct prover *p, const prove_trial *trial, int step)
{
    enum outcome outcome;

    if (!make_inputs(p, trial, input_of_step[step]))
        return OUT_OF_RESOURCE;
    outcome = run_both(p);
    if (outcome == AGREED && !compare_step(p, step))
        outcome = DIFFERENT;
    release_all(p->a.out, p->a.g->n_results);
    release_all(p->b.out, p->b.g->n_results);
    return outcome;
}

/* A later step that both sides refuse takes nothing from those before it. */
static enum outcome run_steps(struct prover *p, const prove_trial *trial)
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
static enum outcome run_unusual(struct prover *p, const prove_trial *trial)
{
    inlay_diags *d = p->diags;
    enum outcome outcome = VOID;

    p->diags = NULL;
    for (int i = 0; outcome == VOID && i < PROVE_PLAINER; i++) {
        prove_trial now = prove_plainer(trial, i);

        outcome = run_steps(p, &now);
        if (outcome == OUT_OF_RESOURCE)
            outcome = VOID;
    }
    p->diags = d;
    return outcome;
}

static bool run_trial(struct prover *p, int number)
{
    prove_trial trial = prove_trial_of(p->o->seed + (uint64_t)number);
    enum outcome outcome = run_unusual(p, &trial);

    if (outcome == VOID) {
        trial = prove_plainer(&trial, PROVE_PLAINER);
        outcome = run_steps(p, &trial);
    }
    p->result->counted += outcome == AGREED || outcome == DIFFERENT;
    if (outcome == DIFFERENT)
        p->result->seed = trial.seed;
    return outcome != OUT_OF_RESOURCE;
}

static bool run_trials(struct prover *p)
{
    inlay_prove_result *r = p->result;

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
    s->in = calloc((size_t)s->g->n_params + 1, sizeof *s->in);
    s->out = calloc((size_t)s->g->n_results + 1, sizeof *s->out);
    s->variables = calloc((size_t)s->g->n_variables + 1, sizeof *s->variables);
    return s->in && s->out && s->variables;
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

static bool allocate(struct prover *p)
{
    const inlay_graph *g = p->a.g;

    p->pair.inputs = calloc((size_t)g->n_params + 1, sizeof(int));
    p->pair.outputs = calloc((size_t)g->n_results + 1, sizeof(int));
    p->pair.variables = calloc((size_t)g->n_variables + 1, sizeof(int));
    return p->pair.inputs && p->pair.outputs && p->pair.variables && allocate_side(&p->a) &&
           allocate_side(&p->b);
}

bool inlay_prove(const inlay_graph *a, const inlay_evaluator *ea, const inlay_graph *b,
                 const inlay_evaluator *eb, const inlay_prove_options *o, inlay_prove_result *out,
                 inlay_diags *d)
{
    static const inlay_prove_options none;
    struct prover p = {.a = {.g = a, .ev = ea}, .b = {.g = b, .ev = eb}, .result = out, .diags = d};
    bool ok;

    p.o = o ? o : &none;
    *out = (inlay_prove_result){.trials = p.o->trials > 0 ? p.o->trials : PROVE_TRIALS};
    ok = allocate(&p) || inlay_fail_memory(d);
    prove_add_literals(&p.literals, a);
    prove_add_literals(&p.literals, b);
    if (ok && pair_params(&p) && pair_results(&p) && pair_variables(&p) && types_agree(&p))
        ok = run_trials(&p);
    free_side(&p.a);
    free_side(&p.b);
    free(p.pair.inputs);
    free(p.pair.outputs);
    free(p.pair.variables);
    return ok;
}
