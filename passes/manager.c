/* Which passes run and in which order; what happens after each of them. */
#include "ir/base/argument.h"
#include "ir/base/work.h"
#include "passes/pass.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define PASS(name, function, summary) pass_function pass_##function;
#define PIPELINE(...)
#include "passes/passes.def"
#undef PASS
#undef PIPELINE

static const struct pass {
    inlay_pass_info info;
    pass_function *run;
} passes[] = {
#define PASS(name, function, summary) {{name, summary}, pass_##function},
#define PIPELINE(...)
#include "passes/passes.def"
#undef PASS
#undef PIPELINE
};

enum { N_PASSES = sizeof passes / sizeof passes[0], MAX_IN_PIPELINE = 32 };

static const char *const pipelines[][MAX_IN_PIPELINE] = {
#define PASS(name, function, summary)
#define PIPELINE(...) {__VA_ARGS__, NULL},
#include "passes/passes.def"
#undef PASS
#undef PIPELINE
};

enum { N_PIPELINES = sizeof pipelines / sizeof pipelines[0] };

size_t inlay_pass_count(void)
{
    return N_PASSES;
}

inlay_pass_info inlay_pass_at(size_t i)
{
    return i < N_PASSES ? passes[i].info : (inlay_pass_info){NULL, NULL};
}

size_t inlay_pipeline_count(void)
{
    return N_PIPELINES;
}

inlay_pipeline_info inlay_pipeline_at(size_t i)
{
    if (i >= N_PIPELINES)
        return (inlay_pipeline_info){NULL, NULL};
    return (inlay_pipeline_info){pipelines[i][0], pipelines[i] + 1};
}

bool pass_each_graph(inlay_graph *g, pass_function *fn, pass_run *r)
{
    if (!fn(g, r))
        return false;
    for (inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++) {
            if (n->bodies[i].graph && !pass_each_graph(n->bodies[i].graph, fn, r))
                return false;
        }
    }
    return true;
}

/* A name that ends at LEN bytes. */
static bool is_name(const char *name, const char *text, size_t len)
{
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

static const struct pass *find_pass(const char *text, size_t len)
{
    for (size_t i = 0; i < N_PASSES; i++) {
        if (is_name(passes[i].info.name, text, len))
            return &passes[i];
    }
    return NULL;
}

static const char *const *find_pipeline(const char *text, size_t len)
{
    for (size_t i = 0; i < N_PIPELINES; i++) {
        if (is_name(pipelines[i][0], text, len))
            return pipelines[i] + 1;
    }
    return NULL;
}

static bool is_disabled(const inlay_pass_options *o, const char *name)
{
    for (int i = 0; i < o->n_disable; i++) {
        if (strcmp(o->disable[i], name) == 0)
            return true;
    }
    return false;
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The notes a pass has left hold for the order that executors use. */
static bool check_notes(const inlay_graph *g, inlay_diags *d)
{
    inlay_order_list order;
    bool ok;

    if (!g->has_notes)
        return true;
    ok = inlay_order(g, false, &order, d) && inlay_check_notes(g, &order, NULL, d);
    inlay_order_free(&order);
    return ok;
}

/* What the passes of one run have done so far. */
struct so_far {
    const struct pass *noting; /* the last pass that left storage notes, or NULL */
    uint64_t folded;           /* bytes of constants that folding made */
};

static bool run_pass(inlay_graph *g, const struct pass *p, const inlay_pass_options *o,
                     struct so_far *so_far, inlay_diags *d)
{
    pass_run r = {.options = o, .diags = d, .folded = so_far->folded};
    inlay_pass_stats stats = {.name = p->info.name};
    double start = now_ms();
    uint64_t before = inlay_steps(g);

    if (is_disabled(o, p->info.name))
        return true;
    if (o->before)
        o->before(o->ctx, p->info.name);
    if (!p->run(g, &r))
        return false;
    so_far->folded = r.folded;
    stats.ms = now_ms() - start;
    stats.steps = inlay_steps(g) - before;
    stats.changes = r.changes;
    stats.changed = r.changes > 0;
    if (o->check && !(inlay_check_graph(g, d) && check_notes(g, d))) {
        if (d && inlay_diags_status(d) == INLAY_NO_RESOURCE)
            return false; /* nothing is known of the graph */
        return inlay_fail(d, NULL, "the graph does not verify after pass %s", p->info.name);
    }
    return !o->after || o->after(o->ctx, g, &stats, d);
}

static bool run_noting(inlay_graph *g, const struct pass *p, const inlay_pass_options *o,
                       struct so_far *so_far, inlay_diags *d)
{
    bool had_notes = g->has_notes;

    if (!run_pass(g, p, o, so_far, d))
        return false;
    if (g->has_notes && !had_notes)
        so_far->noting = p;
    return true;
}

static bool run_pipeline(inlay_graph *g, const char *const *names, const inlay_pass_options *o,
                         struct so_far *so_far, inlay_diags *d)
{
    for (; *names; names++) {
        if (!run_noting(g, find_pass(*names, strlen(*names)), o, so_far, d))
            return false;
    }
    return true;
}

/* The next name of a list with commas, without the blanks around it. */
static const char *next_name(const char **list, size_t *len)
{
    const char *start = *list + strspn(*list, " ,");
    const char *end = start + strcspn(start, ",");

    *list = end;
    while (end > start && end[-1] == ' ')
        end--;
    *len = (size_t)(end - start);
    return start;
}

/* WHAT ("pass or pipeline") is not called NAME; OR_PIPELINE: the name of one would do too.
 */
static bool fail_name(const char *what, const char *name, size_t len, bool or_pipeline,
                      const char *ending, inlay_diags *d)
{
    inlay_guess guess = {.word = name, .length = len};
    char text[100];

    for (size_t i = 0; i < inlay_pass_count(); i++)
        inlay_guess_try(&guess, inlay_pass_at(i).name);
    for (size_t i = 0; or_pipeline && i < inlay_pipeline_count(); i++)
        inlay_guess_try(&guess, inlay_pipeline_at(i).name);
    return inlay_fail(d, NULL, "there is no %s \"%.*s\"%s%s", what, (int)len, name, ending,
                      inlay_guess_text(&guess, text, sizeof text));
}

/* All names are known before anything runs. */
static bool check_names(const inlay_pass_options *o, const char *list, inlay_diags *d)
{
    const char *name;
    size_t len;

    while (name = next_name(&list, &len), len > 0) {
        if (!find_pass(name, len) && !find_pipeline(name, len))
            return fail_name("pass or pipeline", name, len, true, "", d);
    }
    for (int i = 0; i < o->n_disable; i++) {
        size_t n = strlen(o->disable[i]);

        if (!find_pass(o->disable[i], n))
            return fail_name("pass", o->disable[i], n, false, " to disable", d);
    }
    return true;
}

static bool options_are_sound(const inlay_pass_options *o, inlay_diags *d)
{
    if (!names_are_sound(o->disable, o->n_disable, "passes to leave out", d) ||
        !list_is_sound((const void *)o->rules, o->n_rules, "sets of rules", d))
        return false;
    for (int i = 0; i < o->n_rules; i++) {
        if (is_missing(o->rules[i], "set of rules", d))
            return false;
    }
    return !o->evaluator || evaluator_is_sound(o->evaluator, d);
}

bool inlay_run_passes(inlay_graph *g, const inlay_pass_options *o, inlay_diags *d)
{
    static const inlay_pass_options none;
    struct so_far so_far = {0};
    const char *list, *name;
    size_t len;

    o = o ? o : &none;
    if (!graph_is_whole(g, d) || !options_are_sound(o, d))
        return false;
    list = o->passes ? o->passes : "default";
    if (!check_names(o, list, d))
        return false;
    while (name = next_name(&list, &len), len > 0) {
        const struct pass *p = find_pass(name, len);

        if (!(p ? run_noting(g, p, o, &so_far, d)
                : run_pipeline(g, find_pipeline(name, len), o, &so_far, d)))
            return false;
    }
    /* A pass that ran later has edited the graph, and so dropped the notes. */
    return !so_far.noting || g->has_notes || run_pass(g, so_far.noting, o, &so_far, d);
}
