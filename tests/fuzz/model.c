#include "fuzz.h"
#include "interp/interp.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <string.h>

enum { MOST_BYTES = FUZZ_MOST_BYTES, MOST_ITERATIONS = 200 };

/* Exhaustion of a limit is no fault. */
static bool is_resource(const inlay_diags *d)
{
    return inlay_diags_status(d) == INLAY_NO_RESOURCE;
}

static void must(bool holds, const char *law, const inlay_diags *d)
{
    if (!holds && !(d && is_resource(d)))
        fuzz_broken(law, d);
}

static void infers_once(const inlay_graph *g, inlay_diags *d)
{
    inlay_graph *again = inlay_graph_clone(g, d);
    char why[300] = "";

    must(again && inlay_infer_graph(again, d), "a graph that was read can be inferred again", d);
    if (again && !inlay_graph_equal(g, again, why, sizeof why))
        fuzz_broken_text("inferring twice is inferring once", why);
    inlay_graph_free(again);
}

static void reads_back(const inlay_graph *g, inlay_diags *d)
{
    inlay_strbuf text = {0};
    const inlay_sink sink = {inlay_strbuf_sink, &text};
    inlay_graph *back = NULL;
    char why[300] = "";

    if (inlay_print(g, true, &sink, d) && !text.failed)
        back = inlay_read_text("printed.inlay", text.bytes, text.n, NULL, d);
    must(back != NULL, "what is printed can be read", d);
    must(!back || inlay_check_graph(back, d), "what is printed and read verifies", d);
    if (back && !inlay_graph_equal(g, back, why, sizeof why))
        fuzz_broken_text("printing, then reading, is the identity", why);
    inlay_graph_free(back);
    inlay_strbuf_free(&text);
}

static const inlay_exec_options limits = {
    .max_memory = MOST_BYTES, .max_iterations = MOST_ITERATIONS, .threads = 1};

/* A rewrite may drop an error (dialects are refined, dead nodes go), so that only the first graph
 * fails. */
static void is_same_function(const inlay_graph *a, const inlay_graph *b, const char *law,
                             bool may_lose_errors, inlay_diags *d)
{
    const inlay_evaluator reference = inlay_reference_evaluator(&limits),
                          planned = inlay_planned_evaluator(&limits);
    const inlay_verify_options o = {.trials = 3, .max_memory = MOST_BYTES};
    inlay_verify_result found;

    if (!inlay_verify(a, &reference, b, &planned, &o, &found, d))
        return;
    if (found.verdict != INLAY_NOT_SAME || strstr(found.why, "memory") ||
        strstr(found.why, "iterations"))
        return;
    if (!may_lose_errors || !strstr(found.why, "only the first graph fails"))
        fuzz_broken_text(law, found.why);
}

static void survives_passes(const inlay_graph *g, const char *passes, bool may_lose_errors)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *after = inlay_graph_clone(g, d);
    const inlay_evaluator reference = inlay_reference_evaluator(&limits);
    const inlay_pass_options o = {
        .passes = passes, .evaluator = &reference, .fold_bytes = 1 << 16, .check = true};

    if (after && inlay_run_passes(after, &o, d))
        is_same_function(g, after, passes, may_lose_errors, d);
    else
        must(false, "passes run on every graph", d);
    inlay_graph_free(after);
    inlay_diags_free(d);
}

void fuzz_model(inlay_graph *g, inlay_diags *d)
{
    must(g || inlay_diags_error(d), "a reader that refuses says why", d);
    if (g) {
        inlay_diags_clear(d);
        must(inlay_check_graph(g, d), "what is read verifies", d);
        infers_once(g, d);
        reads_back(g, d);
        survives_passes(g, "in-place-windows", false);
        survives_passes(g, "default", true);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
}
