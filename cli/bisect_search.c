/* The search for the application that changes the results.
 *
 * First the passes are bisected: the shortest beginning of the list that changes the function ends
 * with the pass to look at. Then its applications are bisected, with the later ones vetoed. */
#include "cli/bisect.h"

#include <stdlib.h>
#include <string.h>

/* Compares NOW, the graph after an application. Applications after the first one that changed the
 * function are ignored. */
static bool look(bisect *b, const inlay_graph *now, inlay_diags *d)
{
    inlay_graph *copy = inlay_graph_clone(now, d);
    inlay_verify_result result;
    bool ok = copy && bisect_compare(b, b->original, copy, &result, d);

    inlay_graph_free(copy);
    if (ok && result.verdict == INLAY_NOT_SAME) {
        b->watch = false;
        b->limit = b->last;
        b->pass = b->begun;
    }
    return ok;
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    bisect *b = ctx;

    if (bisect_is_refusal(e))
        snprintf(b->refused, sizeof b->refused, "%s", e->as.message->text);
    if (e->kind == INLAY_EVENT_PASS_BEGINS) {
        b->begun++;
        return b->runs > 0 || bisect_add_pass(b, e->pass, strlen(e->pass), d);
    }
    if (e->kind == INLAY_EVENT_WILL_APPLY)
        return e->as.application->serial <= b->limit;
    if (e->kind == INLAY_EVENT_APPLIED) {
        b->last = e->as.application->serial;
        return (!b->watch || look(b, e->graph, d)) &&
               (b->last != b->limit || bisect_keep(&b->found, e, d));
    }
    return true;
}

/* The names of the first N passes, separated by commas; "none" if N is 0. NULL: out of memory. */
static char *first_passes(const bisect *b, size_t n)
{
    inlay_strbuf text = {0};

    for (size_t i = 0; i < n; i++)
        inlay_strbuf_printf(&text, "%s%s", i ? "," : "", b->passes[i]);
    if (n == 0)
        inlay_strbuf_printf(&text, "none");
    return bisect_taken(&text);
}

/* Passes on the messages of a run, except the error by which a graph is refused: that is a result
 * of the search, not an error of it. */
static void pass_on(const bisect *b, const inlay_diags *said, inlay_diags *d)
{
    for (size_t i = 0; i < inlay_diags_count(said); i++) {
        const inlay_diag *e = inlay_diags_at(said, i);

        if (!*b->refused || e->severity != INLAY_ERROR || e->status == INLAY_NO_RESOURCE)
            cli_record_again(e, d);
    }
}

/* Runs the passes over G and checks the graph after each of them, as `inlay fuzz` does. */
static bool run_checked(bisect *b, inlay_graph *g, inlay_diags *d)
{
    const cli_pass_hook hook = {.events = {receive, b, false}, .verify = true};
    inlay_diags *said = inlay_diags_new();
    bool ok = said ? cli_run_passes(g, &b->model, &hook, said) : inlay_fail_memory(d);

    if (said)
        pass_on(b, said, d);
    inlay_diags_free(said);
    return ok || *b->refused;
}

/* Returns the original after PASSES (NULL: those of the command line) and at most LIMIT
 * applications; NULL after an error. */
static inlay_graph *rewritten(bisect *b, const char *passes, uint64_t limit, inlay_diags *d)
{
    const char *named = b->model.passes;
    inlay_graph *g = inlay_graph_clone(b->original, d);
    bool ok;

    b->limit = limit;
    b->last = b->begun = 0;
    *b->refused = '\0';
    b->model.passes = passes ? passes : named;
    ok = g && run_checked(b, g, d);
    b->model.passes = named;
    b->runs++;
    if (!ok) {
        inlay_graph_free(g);
        return NULL;
    }
    return g;
}

inlay_graph *bisect_part(bisect *b, size_t n, uint64_t limit, inlay_diags *d)
{
    char *passes = first_passes(b, n);
    inlay_graph *g = passes ? rewritten(b, passes, limit, d) : NULL;

    if (!passes)
        inlay_fail_memory(d);
    free(passes);
    return g;
}

/* Does a child process fail like the first one, with the first N passes and at most LIMIT
 * applications? */
static bool try_apart(bisect *b, size_t n, uint64_t limit, inlay_verdict *verdict, inlay_diags *d)
{
    char *passes = first_passes(b, n);
    fuzz_failure now;
    bool ok = passes ? bisect_try_apart(b, passes, limit, false, &now, d) : inlay_fail_memory(d);

    *verdict = ok && strcmp(now.kind, b->apart.kind) == 0 ? INLAY_NOT_SAME : INLAY_SAME;
    free(passes);
    return ok;
}

/* Judges the graph after the first N passes and at most LIMIT applications. */
static bool try_part(bisect *b, size_t n, uint64_t limit, inlay_verdict *verdict, inlay_diags *d)
{
    inlay_verify_result result = {.verdict = INLAY_SAME};
    inlay_graph *g;
    bool ok;

    if (*b->apart.kind)
        return try_apart(b, n, limit, verdict, d);
    g = bisect_part(b, n, limit, d);
    ok = g && bisect_judge(b, b->original, g, &result, d);
    *verdict = result.verdict;
    inlay_graph_free(g);
    return ok;
}

/* Finds the smallest number of passes, *N, after which the function is another one, given that it
 * is after all of them. */
static bool halve_passes(bisect *b, size_t *n, inlay_diags *d)
{
    size_t same = 0, other = b->n_passes;

    while (other - same > 1) {
        size_t middle = same + (other - same) / 2;
        inlay_verdict verdict;

        if (!try_part(b, middle, UINT64_MAX, &verdict, d))
            return false;
        if (verdict == INLAY_NOT_SAME)
            other = middle;
        else
            same = middle;
    }
    *n = other;
    return true;
}

/* Counts the applications that the first N passes make, without comparing any graph. */
static bool count_applications(bisect *b, size_t n, uint64_t *count, inlay_diags *d)
{
    inlay_verdict verdict;
    inlay_graph *g;
    bool ok;

    if (*b->apart.kind) {
        ok = try_apart(b, n, UINT64_MAX, &verdict, d);
        *count = b->last;
        return ok;
    }
    g = bisect_part(b, n, UINT64_MAX, d);
    *count = b->last;
    inlay_graph_free(g);
    return g != NULL;
}

/* Finds the application of pass number N, *SERIAL, after which the function is another one; 0: the
 * pass makes none, or the function is another one even without any of them. */
static bool halve_applications(bisect *b, size_t n, uint64_t *serial, inlay_diags *d)
{
    uint64_t same, other;
    inlay_verdict verdict;

    *serial = 0;
    if (!count_applications(b, n - 1, &same, d) || !count_applications(b, n, &other, d) ||
        !try_part(b, n, same, &verdict, d))
        return false;
    if (same == other || verdict == INLAY_NOT_SAME)
        return true;
    while (other - same > 1) {
        uint64_t middle = same + (other - same) / 2;

        if (!try_part(b, n, middle, &verdict, d))
            return false;
        if (verdict == INLAY_NOT_SAME)
            other = middle;
        else
            same = middle;
    }
    *serial = other;
    return true;
}

/* Compares every graph between two applications, because a rule that runs in circles may end with
 * the graph that it began with. AT receives the first application that changes the function, if one
 * does. */
static bool look_at_all(bisect *b, bisect_place *at, inlay_diags *d)
{
    inlay_graph *g;

    b->watch = true;
    g = rewritten(b, NULL, UINT64_MAX, d);
    if (!b->watch) {
        at->serial = b->limit;
        at->n = b->pass;
    }
    b->watch = false;
    inlay_graph_free(g);
    return g != NULL;
}

/* Is F found by comparing results in this process, or no failure? */
static bool is_plain(const fuzz_failure *f)
{
    return !*f->kind || (strcmp(f->kind, "difference") == 0 && !*f->way);
}

bool bisect_search_apart(bisect *b, bisect_place *at, inlay_diags *d)
{
    fuzz_failure first = {.kind = ""};
    inlay_verdict verdict;
    bool ok = bisect_try_apart(b, NULL, UINT64_MAX, true, &first, d);

    *at = (bisect_place){.applications = b->last};
    if (!ok || is_plain(&first)) {
        bisect_forget_passes(b);
        return ok;
    }
    b->apart = first;
    ok = try_part(b, 0, UINT64_MAX, &verdict, d);
    if (ok && verdict != INLAY_NOT_SAME && b->n_passes > 0)
        ok = halve_passes(b, &at->n, d) && halve_applications(b, at->n, &at->serial, d) &&
             try_part(b, at->n, at->serial ? at->serial : UINT64_MAX, &verdict, d);
    return ok;
}

bool bisect_search(bisect *b, bisect_place *at, inlay_verify_result *what, inlay_diags *d)
{
    inlay_graph *g = rewritten(b, NULL, UINT64_MAX, d);
    bool ok = g && bisect_judge(b, b->original, g, what, d);

    inlay_graph_free(g);
    *at = (bisect_place){.applications = b->last};
    if (ok && what->verdict == INLAY_NOT_SAME)
        return halve_passes(b, &at->n, d) && halve_applications(b, at->n, &at->serial, d);
    return ok && (!b->every || look_at_all(b, at, d));
}
