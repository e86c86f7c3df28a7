#include "fuzz.h"
#include "interp/interp.h"
#include "ir/shared.h"
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

bool fuzz_all_laws;

static uint64_t hash(const inlay_strbuf *text)
{
    uint64_t h = 14695981039346656037U; /* FNV-1a */

    for (size_t i = 0; i < text->n; i++)
        h = (h ^ (uint8_t)text->bytes[i]) * 1099511628211U;
    return h ^ h >> 32;
}

/* Returns a hash of what is printed. */
static uint64_t reads_back(const inlay_graph *g, inlay_diags *d)
{
    uint64_t h;
    inlay_strbuf text = {0};
    const inlay_sink sink = {inlay_strbuf_sink, &text};
    const inlay_read_options o = {.ops = g->ops};
    inlay_graph *back = NULL;
    char why[300] = "";

    if (inlay_print(g, true, &sink, d) && !text.failed)
        back = inlay_read_text("printed.inlay", text.bytes, text.n, &o, d);
    must(back != NULL, "what is printed can be read", d);
    must(!back || inlay_check_graph(back, d), "what is printed and read verifies", d);
    if (back && !inlay_graph_equal(g, back, why, sizeof why))
        fuzz_broken_text("printing, then reading, is the identity", why);
    inlay_graph_free(back);
    h = hash(&text);
    inlay_strbuf_free(&text);
    return h;
}

static const inlay_exec_options limits = {
    .max_memory = MOST_BYTES, .max_iterations = MOST_ITERATIONS, .threads = 1};

/* Does G fail whatever its inputs are? Then another format may say so when it is read: a constant index that is no
 * place stands in a Gather there. */
static bool never_runs(const inlay_graph *g)
{
    const inlay_evaluator reference = inlay_reference_evaluator(&limits);
    const inlay_verify_options o = {.trials = 2, .max_memory = MOST_BYTES};
    inlay_diags *d = inlay_diags_new();
    inlay_verify_result found;
    bool never = inlay_verify(g, &reference, g, &reference, &o, &found, d) && found.counted == 0;

    inlay_diags_free(d);
    return never;
}

typedef inlay_graph *reader(inlay_strbuf *model, inlay_buffer *weights, const inlay_read_options *o,
                            inlay_diags *d);

static inlay_graph *read_xml(inlay_strbuf *model, inlay_buffer *weights,
                             const inlay_read_options *o, inlay_diags *d)
{
    return inlay_read_xml("written.xml", model->bytes, model->n, weights, o, d);
}

static inlay_graph *read_json(inlay_strbuf *model, inlay_buffer *weights,
                              const inlay_read_options *o, inlay_diags *d)
{
    (void)weights;
    return inlay_read_json("written.json", model->bytes, model->n, o, d);
}

static inlay_graph *read_onnx(inlay_strbuf *model, inlay_buffer *weights,
                              const inlay_read_options *o, inlay_diags *d)
{
    (void)weights;
    return inlay_read_onnx("written.onnx", model->bytes, model->n, NULL, o, d);
}

/* Not every graph can be written in every format, but what is written can be read. */
static void read_again(const inlay_graph *g, bool written, inlay_strbuf *model,
                       inlay_strbuf *weights, reader *read, const char *law, inlay_diags *d)
{
    inlay_buffer *b = inlay_buffer_new(weights->n);

    if (written && b && !model->failed && !weights->failed) {
        const inlay_read_options o = {.ops = g->ops};
        inlay_graph *back;

        if (weights->n > 0)
            memcpy(inlay_buffer_data(b), weights->bytes, weights->n);
        inlay_diags_clear(d);
        back = read(model, b, &o, d);
        must(back != NULL || never_runs(g), law, d);
        inlay_graph_free(back);
    }
    must(written || inlay_diags_error(d), "a writer that refuses says why", d);
    inlay_buffer_release(b);
    inlay_strbuf_free(model);
    inlay_strbuf_free(weights);
    inlay_diags_clear(d);
}

static void writes(const inlay_graph *g, inlay_diags *d)
{
    inlay_strbuf model = {0}, weights = {0};
    const inlay_sink document = {inlay_strbuf_sink, &model},
                     constants = {inlay_strbuf_sink, &weights};

    read_again(g, inlay_write_xml(g, NULL, &document, &constants, d), &model, &weights, read_xml,
               "what is written as XML can be read", d);
    read_again(g, inlay_write_json(g, NULL, NULL, &document, NULL, d), &model, &weights, read_json,
               "what is written as JSON can be read", d);
    read_again(g, inlay_write_onnx(g, NULL, NULL, &document, NULL, d), &model, &weights, read_onnx,
               "what is written as ONNX can be read", d);
}

/* A rewrite may drop an error (dialects are refined, dead nodes go), so that only the first graph
 * fails. */
static void is_same_function(const inlay_graph *a, const inlay_graph *b, const char *law,
                             bool may_lose_errors, inlay_diags *d)
{
    const inlay_evaluator reference = inlay_reference_evaluator(&limits),
                          planned = inlay_planned_evaluator(&limits);
    const inlay_verify_options o = {.trials = fuzz_all_laws ? 3 : 1, .max_memory = MOST_BYTES};
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
        uint64_t h;

        inlay_diags_clear(d);
        must(inlay_check_graph(g, d), "what is read verifies", d);
        infers_once(g, d);
        h = reads_back(g, d) % 8;
        inlay_diags_clear(d);
        if (fuzz_all_laws || h < 2)
            writes(g, d);
        if (fuzz_all_laws || h == 2)
            survives_passes(g, "in-place-windows", false);
        if (fuzz_all_laws || h == 3)
            survives_passes(g, "default", true);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
}
