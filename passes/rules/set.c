/* The sets of rules: the built-in ones, and the passes that apply them. */
#include "ir/shared.h"
#include "passes/rules/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules.inc"

enum { N_BUILTINS = sizeof rules_built_in / sizeof rules_built_in[0] };

const char *inlay_rule_set_at(size_t i)
{
    return i < N_BUILTINS ? rules_built_in[i].name : NULL;
}

inlay_rules *inlay_rules_builtin(const char *set, inlay_diags *d)
{
    if (inlay_is_missing(set, "name of a set of rules", d))
        return NULL;
    for (size_t i = 0; i < N_BUILTINS; i++) {
        if (strcmp(rules_built_in[i].name, set) == 0)
            return (inlay_rules *)&rules_built_in[i]; /* it is never changed */
    }
    inlay_fail(d, NULL, "there is no set of rules \"%s\"", set);
    return NULL;
}

/* Why the last rule that was tried at a node did not match. */
struct reason {
    const inlay_node *node;
    const rule *rule;
    const rule_clause *condition;
    rule_answer answer;
    size_t number; /* of the reason, as they came */
};

struct reasons {
    struct reason *list;
    size_t n, cap;
    bool no_memory;
};

static void keep_reason(struct reasons *all, const inlay_node *n, const rule_match *m)
{
    if (!m->failed)
        return;
    if (all->n == all->cap) {
        size_t cap = all->cap ? 2 * all->cap : 16;
        struct reason *more = inlay_retake(inlay_node_budget(n), all->list, cap * sizeof *more);

        if (!more) {
            all->no_memory = true;
            return;
        }
        all->list = more;
        all->cap = cap;
    }
    all->list[all->n] = (struct reason){n, m->rule, m->failed, m->answer, all->n};
    all->n++;
}

/* Who is told why rules did not match. Either pointer may be NULL. */
struct watcher {
    const rule_run *run;
    struct reasons *why;
    rule_nearest **nearest; /* by set and rule */
    bool no_memory;
};

static void watch(void *ctx, const inlay_node *n, const rule_match *m)
{
    struct watcher *w = ctx;

    if (w->why)
        keep_reason(w->why, n, m);
    for (int s = 0; w->nearest && s < w->run->n_sets; s++) {
        const inlay_rules *set = w->run->sets[s];
        size_t i = (size_t)m->rule->index;

        if (i < set->n && set->rules[i] == m->rule && !rule_nearest_keep(&w->nearest[s][i], n, m))
            w->no_memory = true;
    }
}

static void free_nearest(struct watcher *w)
{
    for (int s = 0; w->nearest && s < w->run->n_sets; s++) {
        for (size_t i = 0; w->nearest[s] && i < w->run->sets[s]->n; i++)
            rule_nearest_free(&w->nearest[s][i]);
        inlay_give(w->nearest[s]);
    }
    inlay_give(w->nearest);
}

static bool make_nearest(struct watcher *w, inlay_diags *d)
{
    w->nearest = inlay_take(w->run->budget, (size_t)w->run->n_sets + 1, sizeof *w->nearest);
    for (int s = 0; w->nearest && s < w->run->n_sets; s++) {
        w->nearest[s] = inlay_take(w->run->budget, w->run->sets[s]->n + 1, sizeof **w->nearest);
        if (!w->nearest[s])
            return inlay_fail_memory(d);
    }
    return w->nearest || inlay_fail_memory(d);
}

static void free_counts(rule_run *run)
{
    for (int i = 0; run->counts && i < run->n_sets; i++)
        inlay_give(run->counts[i]);
    inlay_give(run->counts);
}

static bool make_counts(rule_run *run, inlay_diags *d)
{
    run->counts = inlay_take(run->budget, (size_t)run->n_sets + 1, sizeof *run->counts);
    for (int i = 0; run->counts && i < run->n_sets; i++) {
        run->counts[i] = inlay_take(run->budget, run->sets[i]->n + 1, sizeof **run->counts);
        if (!run->counts[i])
            return inlay_fail_memory(d);
    }
    return run->counts || inlay_fail_memory(d);
}

/* Bodies nest at most INLAY_MAX_BODY_DEPTH deep. */
static bool drive_all(inlay_graph *g, rule_run *run, inlay_diags *d)
{
    if (!rule_drive(g, run, d))
        return false;
    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++) {
            if (n->bodies[i].graph && !drive_all(n->bodies[i].graph, run, d))
                return false;
        }
    }
    return true;
}

/* Reports which rules did nothing, and why. */
static bool report(const rule_run *run, const struct watcher *w)
{
    for (int s = 0; w->nearest && s < run->n_sets; s++) {
        for (size_t i = 0; i < run->sets[s]->n; i++) {
            inlay_rule_info info = inlay_rules_at(run->sets[s], i);

            if (run->counts[s][i] == 0 &&
                !rule_nearest_tell(&w->nearest[s][i], run->sets[s]->rules[i], &info, run->pass))
                return false;
        }
    }
    return true;
}

static bool wants_misses(const pass_run *r)
{
    return r->options->events.receive && r->options->events.misses;
}

/* Applies the sets to G and its bodies. WHY may be NULL. */
static bool run_sets(inlay_graph *g, const inlay_rules *const *sets, int n_sets, pass_run *r,
                     struct reasons *why)
{
    rule_run run = {.sets = sets, .n_sets = n_sets, .budget = inlay_graph_budget(g), .pass = r};
    struct watcher w = {.run = &run, .why = why};
    bool ok = !wants_misses(r) || make_nearest(&w, r->diags);

    run.ctx = &w;
    if (why || w.nearest)
        run.refused = watch;
    ok = ok && make_counts(&run, r->diags) && drive_all(g, &run, r->diags);
    if (ok && (w.no_memory || (why && why->no_memory)))
        ok = inlay_fail_memory(r->diags);
    ok = ok && report(&run, &w);
    r->changes += run.rewrites;
    free_counts(&run);
    free_nearest(&w);
    return ok;
}

static bool run_set(inlay_graph *g, const inlay_rules *rules, pass_run *r, struct reasons *why)
{
    return run_sets(g, &rules, 1, r, why);
}

bool pass_built_in_rules(inlay_graph *g, pass_run *r)
{
    inlay_rules *rules = inlay_rules_builtin(r->name, r->diags);
    bool ok = rules && run_set(g, rules, r, NULL);

    inlay_rules_free(rules);
    return ok;
}

/* The number of conditions that held before the one that failed. */
static ptrdiff_t progress(const struct reason *w)
{
    return w->condition - w->rule->clauses;
}

/* For qsort: by node, then the one that came closest to a match, then the first. */
static int by_node(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;

    if (x->node != y->node)
        return (uintptr_t)x->node < (uintptr_t)y->node ? -1 : 1;
    if (progress(x) != progress(y))
        return progress(x) > progress(y) ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* The first reason of N in WHY, which is sorted; NULL: it has none. */
static const struct reason *reason_of(const struct reasons *why, const inlay_node *n)
{
    size_t from = 0, to = why->n;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        inlay_count_steps(n->graph, 1);
        if ((uintptr_t)why->list[middle].node < (uintptr_t)n)
            from = middle + 1;
        else
            to = middle;
    }
    return from < why->n && why->list[from].node == n ? &why->list[from] : NULL;
}

/* Says why N stayed: what failed in the rule that came closest to a match. */
static void explain(const struct reasons *why, const inlay_node *n, inlay_diags *d)
{
    const struct reason *w = reason_of(why, n);

    if (w)
        inlay_note_node(d, n, "left as it is: rule %s wants %s, which %s", w->rule->name,
                        w->condition->text,
                        w->answer == RULE_NO ? "does not hold" : "is not known");
    else
        inlay_note_node(d, n, "left as it is: no rule of lower-dialects takes it");
}

static bool is_foreign(const inlay_node *n)
{
    return strcmp(n->op->set, "opset") != 0 && n->op->kind != INLAY_OP_STAND_IN &&
           n->op->kind != INLAY_OP_ADDED && !(n->op->flags & INLAY_DEFERRED);
}

/* The first node of another dialect that comes behind N (NULL: the first of all); or NULL. */
static const inlay_node *next_foreign(const inlay_graph *g, const inlay_node *n)
{
    do
        n = inlay_graph_walk(g, n);
    while (n && !is_foreign(n));
    return n;
}

bool pass_lower_dialects(inlay_graph *g, pass_run *r)
{
    inlay_rules *rules;
    struct reasons why = {0};
    bool ok;

    if (!next_foreign(g, NULL) && !wants_misses(r)) /* mostly so; then the rules need not be read */
        return true;
    rules = inlay_rules_builtin("lower-dialects", r->diags);
    ok = rules && run_set(g, rules, r, &why);
    if (why.n > 0)
        qsort(why.list, why.n, sizeof *why.list, by_node);
    for (const inlay_node *n = ok ? next_foreign(g, NULL) : NULL; n; n = next_foreign(g, n))
        explain(&why, n, r->diags);
    inlay_give(why.list);
    inlay_rules_free(rules);
    return ok;
}

bool pass_rules(inlay_graph *g, pass_run *r)
{
    return r->options->n_rules == 0 || run_sets(g, r->options->rules, r->options->n_rules, r, NULL);
}
