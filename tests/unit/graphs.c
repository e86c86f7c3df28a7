/* What unit tests of whole graphs share. */
#include "graphs.h"
#include "ir/shared.h"
#include "models.h"
#include "passes/passes.h"

#include "parser/parser.h"

enum { MAX_TENSORS = 16 };

static const char *first_error(const inlay_diags *d)
{
    for (size_t i = 0; i < inlay_diags_count(d); i++) {
        if (inlay_diags_at(d, i)->severity == INLAY_ERROR)
            return inlay_diags_at(d, i)->text;
    }
    return "(no error)";
}

static inlay_graph *read_body(const char *body, inlay_diags *d)
{
    size_t n = strlen(body) + 32;
    char *text = malloc(n);
    inlay_graph *g;

    assert_non_null(text);
    snprintf(text, n, "graph \"t\" {\n%s\n}\n", body);
    g = inlay_read_text("t.inlay", text, strlen(text), NULL, d);
    free(text);
    return g;
}

inlay_graph *graph_of(const char *body)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_body(body, d);

    if (!g)
        fail_msg("%s\n%s", body, first_error(d));
    inlay_diags_free(d);
    return g;
}

void check_graph_fails(const char *body, const char *text)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_body(body, d);

    if (g)
        fail_msg("%s\nwas read, wanted an error with \"%s\"", body, text);
    check_error(d, INLAY_INVALID, text);
    inlay_diags_free(d);
}

void check_tensor(const inlay_tensor *t, const char *text)
{
    inlay_tensor *wanted = tensor_of(text);
    char found[1024];
    size_t n;

    assert_non_null(t);
    n = (size_t)snprintf(found, sizeof found, "%s, rank %d:", inlay_type_info_of(t->type)->name,
                         t->rank);
    for (int64_t i = 0; i < inlay_tensor_count(t) && i < 32 && t->type != INLAY_STRING; i++)
        n += (size_t)snprintf(found + n, sizeof found - n, " %g", inlay_tensor_get_f64(t, i));
    if (!inlay_tensor_equal(t, wanted))
        fail_msg("wanted %s, found %s", text, found);
    inlay_tensor_release(wanted);
}

void check_error(const inlay_diags *d, inlay_status status, const char *text)
{
    if (!strstr(first_error(d), text))
        fail_msg("wanted an error with \"%s\", found \"%s\"", text, first_error(d));
    assert_int_equal(inlay_diags_status(d), status);
}

runner runner_on(inlay_graph *g, const inlay_exec_options *o)
{
    inlay_exec_options options = o ? *o : (inlay_exec_options){.mode = INLAY_EXEC_REFERENCE};
    runner r = {.graph = g, .diags = inlay_diags_new()};

    options.poison = true;
    r.program = inlay_compile(r.graph, &options, r.diags);
    r.session = r.program ? inlay_session_new(r.program, r.diags) : NULL;
    if (!r.session)
        fail_msg("\"%s\": %s", g->name, first_error(r.diags));
    if (options.max_memory > 0 || options.progress)
        return r;
    options.mode = options.mode == INLAY_EXEC_PLANNED ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED;
    r.other_program = inlay_compile(r.graph, &options, r.diags);
    r.other = r.other_program ? inlay_session_new(r.other_program, r.diags) : NULL;
    if (!r.other)
        fail_msg("\"%s\", the other executor: %s", g->name, first_error(r.diags));
    return r;
}

runner runner_of(const char *body, const inlay_exec_options *o)
{
    return runner_on(graph_of(body), o);
}

runner runner_of_corpus(const char *name)
{
    const char *shared = model_shared(); /* leaves from here where there is none */
    inlay_diags *d = inlay_diags_new();
    char path[4096];
    inlay_graph *g;

    snprintf(path, sizeof path, "%s/corpus/openvino/openvino_tests/%s", shared, name);
    g = inlay_read_file(path, NULL, d);
    if (!g)
        fail_msg("%s", model_messages(d));
    inlay_diags_free(d);
    return runner_on(g, NULL);
}

void runner_free(runner *r)
{
    inlay_session_free(r->session);
    inlay_program_free(r->program);
    inlay_session_free(r->other);
    inlay_program_free(r->other_program);
    inlay_graph_free(r->graph);
    inlay_diags_free(r->diags);
}

static bool run(runner *r, inlay_session *session, const char *const *in, inlay_tensor **out)
{
    inlay_tensor *tensors[MAX_TENSORS], *copies[MAX_TENSORS];
    int n = 0;
    bool ok;

    inlay_diags_clear(r->diags);
    for (; in[n]; n++) {
        tensors[n] = tensor_of(in[n]);
        copies[n] = inlay_tensor_copy(tensors[n]);
    }
    assert_int_equal(n, r->graph->n_params);
    ok = inlay_session_run(session, (const inlay_tensor *const *)tensors, NULL, out, r->diags);
    for (int i = 0; i < n; i++) { /* a Parameter is never written */
        assert_true(inlay_tensor_equal(tensors[i], copies[i]));
        inlay_tensor_release(tensors[i]);
        inlay_tensor_release(copies[i]);
    }
    return ok;
}

/* Copies states; the other session begins where the runner's session is. */
static void copy_states(runner *r)
{
    for (int i = 0; r->other && i < r->graph->n_variables; i++) {
        const inlay_tensor *t = inlay_session_variable(r->session, i);
        inlay_tensor *copy = t ? inlay_tensor_copy(t) : NULL;

        assert_true(inlay_session_set_variable(r->other, i, copy, NULL));
        inlay_tensor_release(copy);
    }
}

static void check_same_states(runner *r)
{
    for (int i = 0; r->other && i < r->graph->n_variables; i++) {
        const inlay_tensor *a = inlay_session_variable(r->session, i);
        const inlay_tensor *b = inlay_session_variable(r->other, i);

        if (!a != !b || (a && !inlay_tensor_equal(a, b)))
            fail_msg("variable %d is not the same in both executors", i);
    }
}

static void check_session(runner *r, inlay_session *session, const char *const *in,
                          const char *const *out)
{
    inlay_tensor *found[MAX_TENSORS];
    int n = 0;

    if (!run(r, session, in, found))
        fail_msg("the run failed: %s", first_error(r->diags));
    for (; out[n]; n++) {
        check_tensor(found[n], out[n]);
        inlay_tensor_release(found[n]);
    }
    assert_int_equal(n, r->graph->n_results);
}

void check_run(runner *r, const char *const *in, const char *const *out)
{
    copy_states(r);
    if (r->other)
        check_session(r, r->other, in, out);
    check_session(r, r->session, in, out);
    check_same_states(r);
}

static void check_session_fails(runner *r, inlay_session *session, const char *const *in,
                                inlay_status status, const char *text)
{
    inlay_tensor *found[MAX_TENSORS];

    assert_false(run(r, session, in, found));
    for (int i = 0; i < r->graph->n_results; i++)
        assert_null(found[i]);
    check_error(r->diags, status, text);
}

void check_run_fails(runner *r, const char *const *in, inlay_status status, const char *text)
{
    copy_states(r);
    if (r->other)
        check_session_fails(r, r->other, in, status, text);
    check_session_fails(r, r->session, in, status, text);
    check_same_states(r);
}

void check_graph(const char *body, const char *const *in, const char *const *out)
{
    runner r = runner_of(body, NULL);

    check_run(&r, in, out);
    runner_free(&r);
}

void check_graph_run_fails(const char *body, const char *const *in, const char *text)
{
    runner r = runner_of(body, NULL);

    check_run_fails(&r, in, INLAY_INVALID, text);
    runner_free(&r);
}

runner runner_of_noted(const char *body)
{
    static const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .poison = true};
    inlay_pass_options o = {.passes = "in-place-windows", .check = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(body);

    if (!inlay_run_passes(g, &o, d))
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
    return runner_on(g, &planned);
}

void check_noted(runner *r, const char *const *in, const char *const *out, uint64_t copied)
{
    inlay_exec_stats s;

    check_run(r, in, out);
    inlay_session_stats(r->session, &s);
    assert_int_equal(s.copied_bytes, copied);
}

runner planned_of(const char *body)
{
    return runner_of(body, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED});
}

inlay_exec_stats stats_of(const runner *r)
{
    inlay_exec_stats s;

    inlay_session_stats(r->session, &s);
    return s;
}

void run_with(runner *r, const inlay_tensor *const *in, const bool *donated, inlay_tensor **out)
{
    inlay_diags_clear(r->diags);
    if (!inlay_session_run(r->session, in, donated, out, r->diags))
        fail_msg("%s", inlay_diags_at(r->diags, 0)->text);
}
