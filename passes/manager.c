/* Runs passes in their order, and the checks after each of them. */
#include "ir/shared.h"
#include "passes/pass.h"
#include "passes/registry.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

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

/* The storage notes that a pass has left are legal in the order that executors use. */
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
    const pass *noting; /* the newest pass that left storage notes, or NULL */
    uint64_t folded;    /* bytes of constants that were made by folding */
    bool again;         /* the pass now running appears again later in the pipeline */
};

/* Reports what the pass said, the diagnostics from entry FIRST on, to the receiver of events. */
static bool tell_messages(pass_run *r, size_t first)
{
    for (size_t i = first; i < inlay_diags_count(r->diags); i++) {
        inlay_event e = {.kind = INLAY_EVENT_SAID, .as.message = inlay_diags_at(r->diags, i)};

        if (!pass_tell(r, &e))
            return false;
    }
    return true;
}

/* Runs the pass; nodes made meanwhile name it as their maker. */
static bool call(pass_run *r, const pass *p)
{
    bool ok = inlay_provenance_pass(r->graph, r->name, r->diags) &&
              (p->each ? inlay_pass_each_graph(r->graph, p->run, r) : p->run(r->graph, r)) &&
              !r->failed;

    inlay_provenance_end(r->graph, false, NULL); /* in case the pass failed within an application */
    if (!ok && !r->stopped && r->diags && !inlay_diags_error(r->diags))
        inlay_fail(r->diags, NULL, "pass %s failed and does not say why", r->name);
    return inlay_provenance_pass(r->graph, NULL, NULL) && ok;
}

/* Infers what is new since the pass began, as any reader of the graph would; of nodes with bodies
 * also the bodies. */
static bool infer_left(inlay_graph *g, inlay_diags *d)
{
    inlay_order_list order;
    bool ok = inlay_order(g, true, &order, d);

    for (size_t i = 0; ok && i < order.n; i++) {
        inlay_node *n = order.nodes[i];

        if (!n->settled)
            ok = inlay_check_node(n, d) && inlay_infer_node(n, d);
    }
    inlay_order_free(&order);
    return ok;
}

/* Reports that the graph is wrong after a pass: names the pass, and gives the first error. */
static bool blame(const pass_run *r, const inlay_diags *why, inlay_diags *d)
{
    const inlay_diag *e = why ? inlay_diags_error(why) : NULL;
    inlay_pos pos = {r->graph->file, e ? e->line : 0};

    if (!e)
        return inlay_fail_memory(d);
    if (e->status == INLAY_NO_RESOURCE) /* no memory: says nothing about the graph */
        return inlay_fail_resource(d, &pos, "%s", e->text);
    return inlay_fail(d, &pos, "pass %s leaves a graph that cannot be read again: %s", r->name,
                      e->text);
}

/* Checks that the graph can be written and read again. A pass from a plugin may have broken
 * anything; ours have tests. Storage notes are dropped by any edit, so a graph with notes was not
 * edited since. */
static bool check_left(const pass_run *r, const pass *p, inlay_diags *d)
{
    inlay_diags *why = inlay_diags_new();
    inlay_graph *g = r->graph;
    bool whole = r->options->check || !p->built_in;
    bool edited = (r->changes > 0 || whole) && !g->has_notes;
    bool ok = why && (!edited || infer_left(g, why)) &&
              (!whole || (inlay_check_graph(g, why) && check_notes(g, why)));

    ok = ok || blame(r, why, d);
    inlay_diags_free(why);
    return ok;
}

static bool run_pass(inlay_graph *g, const pass *p, const inlay_pass_options *o,
                     struct so_far *so_far, inlay_diags *d)
{
    pass_run r = {.options = o,
                  .name = p->info.name,
                  .ctx = p->ctx,
                  .graph = g,
                  .diags = d,
                  .folded = so_far->folded,
                  .again = so_far->again};
    inlay_pass_stats stats = {.name = p->info.name};
    double start = now_ms();
    uint64_t before = inlay_steps(g);
    size_t said = inlay_diags_count(d);
    bool legal;

    if (is_disabled(o, p->info.name))
        return true;
    if (!pass_tell(&r, &(inlay_event){.kind = INLAY_EVENT_PASS_BEGINS}) || !call(&r, p))
        return false;
    so_far->folded = r.folded;
    stats.ms = now_ms() - start;
    stats.steps = inlay_steps(g) - before;
    stats.changes = r.changes;
    stats.changed = r.changes > 0;
    legal = check_left(&r, p, d);
    return tell_messages(&r, said) && legal &&
           pass_tell(&r, &(inlay_event){.kind = INLAY_EVENT_PASS_ENDS, .as.stats = &stats});
}

static bool run_noting(inlay_graph *g, const pass *p, const inlay_pass_options *o,
                       struct so_far *so_far, inlay_diags *d)
{
    bool had_notes = g->has_notes;

    if (!run_pass(g, p, o, so_far, d))
        return false;
    if (g->has_notes && !had_notes)
        so_far->noting = p;
    return true;
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static bool run_pipeline(inlay_graph *g, const char *const *names, const inlay_pass_options *o,
                         struct so_far *so_far, inlay_diags *d)
{
    for (; *names; names++) {
        so_far->again = is_among(names + 1, *names);
        if (!run_noting(g, registry_pass(o->registry, *names, strlen(*names)), o, so_far, d))
            return false;
    }
    return true;
}

/* Returns the next name of a list with commas, without the blanks around it. */
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

/* Reports that there is no WHAT ("pass or pipeline") called NAME. OR_PIPELINE: a pipeline's name
 * may have been meant, too. */
static bool fail_name(const inlay_pass_registry *p, const char *what, const char *name, size_t len,
                      bool or_pipeline, const char *ending, inlay_diags *d)
{
    inlay_guess guess = {.word = name, .length = len};
    char text[100];

    for (size_t i = 0; i < inlay_pass_count(p); i++)
        inlay_guess_try(&guess, inlay_pass_at(p, i).name);
    for (size_t i = 0; or_pipeline && i < inlay_pipeline_count(p); i++)
        inlay_guess_try(&guess, inlay_pipeline_at(p, i).name);
    return inlay_fail(d, NULL, "there is no %s \"%.*s\"%s%s", what, (int)len, name, ending,
                      inlay_guess_text(&guess, text, sizeof text));
}

/* Checks that all names of the list, and of the passes to skip, are known. */
static bool check_names(const inlay_pass_options *o, const char *list, inlay_diags *d)
{
    const char *name;
    size_t len;

    while (name = next_name(&list, &len), len > 0) {
        if (!registry_pass(o->registry, name, len) && !registry_pipeline(o->registry, name, len))
            return fail_name(o->registry, "pass or pipeline", name, len, true, "", d);
    }
    for (int i = 0; i < o->n_disable; i++) {
        size_t n = strlen(o->disable[i]);

        if (!registry_pass(o->registry, o->disable[i], n))
            return fail_name(o->registry, "pass", o->disable[i], n, false, " to disable", d);
    }
    return true;
}

static bool options_are_sound(const inlay_pass_options *o, inlay_diags *d)
{
    if (!inlay_names_are_sound(o->disable, o->n_disable, "passes to leave out", d) ||
        !inlay_list_is_sound((const void *)o->rules, o->n_rules, "sets of rules", d))
        return false;
    for (int i = 0; i < o->n_rules; i++) {
        if (inlay_is_missing(o->rules[i], "set of rules", d))
            return false;
    }
    return !o->evaluator || inlay_evaluator_is_sound(o->evaluator, d);
}

static bool run_list(inlay_graph *g, const inlay_pass_options *o, const char *list, inlay_diags *d)
{
    struct so_far so_far = {0};
    const char *name;
    size_t len;

    while (name = next_name(&list, &len), len > 0) {
        const pass *p = registry_pass(o->registry, name, len);

        if (!(p ? run_noting(g, p, o, &so_far, d)
                : run_pipeline(g, registry_pipeline(o->registry, name, len), o, &so_far, d)))
            return false;
    }
    /* A later pass has edited the graph, and so dropped the notes. */
    return !so_far.noting || g->has_notes || run_pass(g, so_far.noting, o, &so_far, d);
}

bool inlay_run_passes(inlay_graph *g, const inlay_pass_options *o, inlay_diags *d)
{
    static const inlay_pass_options none;
    const char *list = o && o->passes ? o->passes : "default";

    o = o ? o : &none;
    return inlay_graph_is_whole(g, d) && options_are_sound(o, d) && check_names(o, list, d) &&
           inlay_budget_tell(inlay_graph_budget(g), run_list(g, o, list, d), d);
}
