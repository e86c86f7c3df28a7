/* Reduces the graph before the application that was found: only that pass runs, and of its rules
 * only that one. */
#include "cli/bisect.h"

#include <limits.h>
#include <string.h>

/* Allows only the rule that was found, LEFT more times. */
struct allowed {
    const bisect_found *found;
    int left;
    bool refused; /* the check after the pass refused the graph */
};

static bool allow_found(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct allowed *a = ctx;
    const bisect_found *f = a->found;

    (void)d;
    if (e->kind == INLAY_EVENT_APPLIED)
        a->left--;
    a->refused = a->refused || bisect_is_refusal(e);
    if (e->kind == INLAY_EVENT_WILL_APPLY && a->left <= 0)
        return false;
    return e->kind != INLAY_EVENT_WILL_APPLY || !f->rule_name || !*f->rule_name ||
           (e->as.application->rule && strcmp(e->as.application->rule->name, f->rule_name) == 0);
}

/* Whether TIMES applications of the pass that was found change the function of G. */
static bool changes(bisect *b, const inlay_graph *g, int times)
{
    cli_model_options model = b->model;
    struct allowed allowed = {&b->found, times, false};
    const cli_pass_hook hook = {.events = {allow_found, &allowed, false}, .verify = true};
    inlay_graph *after = inlay_graph_clone(g, NULL);
    inlay_diags *said = inlay_diags_new(); /* if this is NULL, messages are dropped */
    inlay_verify_result result;
    bool ok;

    model.passes = b->found_pass;
    ok = after && said && cli_run_passes(after, &model, &hook, said) &&
         bisect_compare(b, g, after, &result, NULL) && result.verdict == INLAY_NOT_SAME;
    inlay_graph_free(after);
    inlay_diags_free(said);
    return ok || allowed.refused;
}

/* Whether the first application alone changes the function, or all of them together do. */
static bool fails_alike(void *ctx, const inlay_graph *g)
{
    return changes(ctx, g, 1) || changes(ctx, g, INT_MAX);
}

bool bisect_make_small(bisect *b, const inlay_graph *before, inlay_graph **small, inlay_diags *d)
{
    const inlay_reduce_options o = {.keeps = fails_alike, .ctx = b};
    inlay_reduce_result result;

    *small = NULL;
    if (b->keep_large || !fails_alike(b, before))
        return true;
    if (!inlay_reduce(before, &o, &result, d))
        return false;
    *small = result.graph;
    return !b->small_file || (cli_may_write(d) && inlay_write_file(*small, b->small_file, NULL, d));
}
