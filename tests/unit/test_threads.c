/* Threads may share the op table, rule sets, sets of operations, a graph that nobody changes, a
 * program, and tensors, whose references are counted. Each thread runs a session of its own, on
 * inputs that all threads hold, and two more threads help. Under ThreadSanitizer (make long) a race
 * shows. */
#include "graphs.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "own_ops.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] = "graph \"shared\" {\n"
                           "  %x = Parameter-1 {element_type = f32, shape = [4,5]}\n"
                           "  %start = Const-1 {value = i64[1] [1]}\n"
                           "  %stop = Const-1 {value = i64[1] [3]}\n"
                           "  %step = Const-1 {value = i64[1] [1]}\n"
                           "  %rows = Slice-8(%x, %start, %stop, %step)\n"
                           "  %changed = Negative-1(%rows)\n"
                           "  %out = SliceScatter-15(%x, %changed, %start, %stop, %step)\n"
                           "  %result = Result-1(%out)\n"
                           "}\n";

enum { THREADS = 4, RUNS = 50 };

struct shared {
    const inlay_program *program;
    const inlay_tensor *in, *expected;
    const inlay_rules *rules;
};

static bool run_session(const struct shared *s)
{
    inlay_session *session = inlay_session_new(s->program, NULL);
    bool same = true;

    for (int i = 0; i < RUNS && same; i++) {
        inlay_tensor *out = NULL;

        same = inlay_session_run(session, &s->in, NULL, &out, NULL) &&
               inlay_tensor_equal(out, s->expected);
        inlay_tensor_release(out);
    }
    inlay_session_free(session);
    return same;
}

/* Reads a graph of its own, and rewrites it with the rules that all threads share. */
static bool rewrite(const struct shared *s)
{
    inlay_graph *g = inlay_read_text("shared.inlay", text, sizeof text - 1, NULL, NULL);
    const inlay_pass_options o = {.passes = "default,rules", .rules = &s->rules, .n_rules = 1};
    bool ok = g && inlay_run_passes(g, &o, NULL);

    inlay_graph_free(g);
    return ok;
}

static void *work(void *arg)
{
    const struct shared *s = arg;

    return run_session(s) && rewrite(s) ? arg : NULL;
}

static inlay_tensor *numbers(int from, int sign)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, (const int64_t[]){4, 5});

    for (int i = 0; i < 20; i++)
        inlay_tensor_set_f64(t, i, i / 5 == 1 || i / 5 == 2 ? sign * (from + i) : from + i);
    return t;
}

/* Starts threads that call FN with ARG, which returns NULL where something is wrong. */
static void begin_threads(pthread_t *threads, void *(*fn)(void *), void *arg)
{
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fn, arg), 0);
}

static void end_threads(const pthread_t *threads)
{
    for (int i = 0; i < THREADS; i++) {
        void *ok;

        assert_int_equal(pthread_join(threads[i], &ok), 0);
        assert_non_null(ok);
    }
}

static void test_threads(void **state)
{
    inlay_graph *g = inlay_read_text("shared.inlay", text, sizeof text - 1, NULL, NULL);
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .threads = THREADS + 2};
    inlay_program *program;
    inlay_rules *rules = inlay_rules_builtin("turn", NULL);
    inlay_tensor *in = numbers(1, 1), *expected = numbers(1, -1);
    struct shared s;
    pthread_t threads[THREADS];

    assert_true(g && inlay_run_passes(g, NULL, NULL));
    program = inlay_compile(g, &planned, NULL);
    assert_true(program && rules);
    program_split(program, 1);
    s = (struct shared){program, in, expected, rules};
    begin_threads(threads, work, &s);
    end_threads(threads);
    inlay_tensor_release(in);
    inlay_tensor_release(expected);
    inlay_rules_free(rules);
    inlay_program_free(program);
    inlay_graph_free(g);
}

/* A graph of all formats is written by all threads, and what each wrote is read by it. */
struct written {
    inlay_strbuf model, weights;
};

static void free_written(struct written *w)
{
    inlay_strbuf_free(&w->model);
    inlay_strbuf_free(&w->weights);
}

static bool comes_back(const inlay_graph *g, inlay_graph *again, struct written *w)
{
    char why[200];
    bool same = again && inlay_graph_equal(g, again, why, sizeof why);

    inlay_graph_free(again);
    free_written(w);
    return same;
}

static bool through_xml(const inlay_graph *g)
{
    struct written w = {{0}, {0}};
    const inlay_sink model = {inlay_strbuf_sink, &w.model},
                     weights = {inlay_strbuf_sink, &w.weights};
    inlay_graph *again = NULL;

    if (inlay_write_xml(g, NULL, &model, &weights, NULL)) {
        inlay_buffer *b = inlay_buffer_new(w.weights.n);

        memcpy(inlay_buffer_data(b), w.weights.bytes, w.weights.n);
        again = inlay_read_xml("m.xml", w.model.bytes, w.model.n, b, NULL, NULL);
        inlay_buffer_release(b);
    }
    return comes_back(g, again, &w);
}

static bool through_json(const inlay_graph *g)
{
    struct written w = {{0}, {0}};
    const inlay_sink model = {inlay_strbuf_sink, &w.model};
    inlay_graph *again = NULL;

    if (inlay_write_json(g, NULL, NULL, &model, NULL, NULL))
        again = inlay_read_json("m.json", w.model.bytes, w.model.n, NULL, NULL);
    return comes_back(g, again, &w);
}

static bool through_text(const inlay_graph *g)
{
    struct written w = {{0}, {0}};
    const inlay_sink model = {inlay_strbuf_sink, &w.model};
    inlay_graph *again = NULL;

    if (inlay_print(g, true, &model, NULL))
        again = inlay_read_text("m.inlay", w.model.bytes, w.model.n, NULL, NULL);
    return comes_back(g, again, &w);
}

/* Other nodes come back from ONNX: only that the model is read counts. */
static bool through_onnx(const inlay_graph *g)
{
    struct written w = {{0}, {0}};
    const inlay_sink model = {inlay_strbuf_sink, &w.model};
    inlay_graph *again = NULL;
    bool ok;

    if (inlay_write_onnx(g, NULL, NULL, &model, NULL, NULL))
        again = inlay_read_onnx("m.onnx", w.model.bytes, w.model.n, NULL, NULL, NULL);
    ok = again != NULL;
    inlay_graph_free(again);
    free_written(&w);
    return ok;
}

static bool is_itself(const inlay_graph *g)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_verify_result result = {.verdict = INLAY_NOT_SAME};

    return inlay_verify(g, &e, g, &e, &(inlay_verify_options){.trials = 1}, &result, NULL) &&
           result.verdict == INLAY_SAME;
}

static void *write_and_read(void *arg)
{
    bool ok = true;

    for (int i = 0; ok && i < 10; i++)
        ok = through_xml(arg) && through_json(arg) && through_text(arg) && through_onnx(arg) &&
             is_itself(arg);
    return ok ? arg : NULL;
}

static void test_readers(void **state)
{
    inlay_graph *g = inlay_read_text("shared.inlay", text, sizeof text - 1, NULL, NULL);
    const size_t bytes = inlay_graph_bytes(g);
    pthread_t threads[THREADS];

    begin_threads(threads, write_and_read, g);
    end_threads(threads);
    assert_int_equal(inlay_graph_bytes(g), bytes); /* who only reads it takes nothing of it */
    inlay_graph_free(g);
}

/* Graphs of each thread hold one set of added operations, and are the same function. */
static void *use_extensions(void *arg)
{
    const inlay_read_options o = {.ops = arg};
    inlay_evaluator reference = inlay_reference_evaluator(NULL),
                    planned = inlay_planned_evaluator(NULL);
    bool ok = true;

    for (int i = 0; ok && i < 5; i++) {
        inlay_graph *g = inlay_read_text("window", window, sizeof window - 1, &o, NULL);
        inlay_graph *better = inlay_graph_clone(g, NULL);
        inlay_verify_result result = {.verdict = INLAY_NOT_SAME};

        ok = better && inlay_run_passes(better, NULL, NULL) &&
             inlay_verify(g, &reference, better, &planned, &(inlay_verify_options){.trials = 3},
                          &result, NULL) &&
             result.verdict == INLAY_SAME;
        inlay_graph_free(better);
        inlay_graph_free(g);
    }
    return ok ? arg : NULL;
}

static void test_extensions(void **state)
{
    const inlay_op_set *ops = my_ops();
    pthread_t threads[THREADS];

    begin_threads(threads, use_extensions, (void *)ops);
    end_threads(threads);
    inlay_op_set_release(ops);
}

/* A loop of more iterations than anybody waits for, with the number of them as an input. */
static const char endless[] =
    "%n = Parameter-1 {element_type = i64, shape = []}\n"
    "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
    "%go = Const-1 {value = boolean[] true}\n"
    "%y = Loop-5(%n, %go, %x)\n"
    "body \"b\" {\n%in = Parameter-1 {element_type = f32, shape = [2]}\n%less = Negative-1(%in)\n"
    "%on = Const-1 {value = boolean[] true}\n%r = Result-1(%less)\n%c = Result-1(%on)\n}\n"
    "in 2 -> %in\nout %r -> 0\nout %c -> none condition\nback %r -> %in\n"
    "%out = Result-1(%y)\n";

struct cancelled {
    inlay_session *session;
    atomic_bool over;
};

static void *cancel_often(void *arg)
{
    struct cancelled *c = arg;

    while (!c->over) {
        inlay_session_cancel(c->session);
        usleep(100);
    }
    return c;
}

static bool iterate(runner *r, const char *times, inlay_diags *d)
{
    inlay_tensor *in[] = {tensor_of(times), tensor_of("f32[2] 1 2")}, *out = NULL;
    bool ok = inlay_session_run(r->session, (const inlay_tensor *const *)in, NULL, &out, d);

    inlay_tensor_release(out);
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
    return ok;
}

static void test_cancel(void **state)
{
    for (int i = 0; i < 4; i++) {
        const inlay_exec_options o = {.mode = i % 2 ? INLAY_EXEC_PLANNED : INLAY_EXEC_REFERENCE};
        runner r = runner_of(endless, &o);
        struct cancelled c = {.session = r.session};
        inlay_diags *d = inlay_diags_new();
        pthread_t thread;

        assert_int_equal(pthread_create(&thread, NULL, cancel_often, &c), 0);
        assert_false(iterate(&r, "i64 1000000000000", d));
        check_error(d, INLAY_NO_RESOURCE, "the run was cancelled");
        c.over = true;
        pthread_join(thread, NULL);
        assert_true(iterate(&r, "i64 3", d));
        inlay_diags_free(d);
        runner_free(&r);
    }
}

/* AddressSanitizer's allocator does not survive a fork: the child may wait for a lock that a thread
 * held which is not there any more. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define FORKS 0
#endif
#endif
#ifndef FORKS
#define FORKS 10
#endif

/* A program forks while its threads run: the child has all that it needs, but their threads. */
struct forked {
    struct shared s;
    atomic_bool over;
};

static void *run_until_over(void *arg)
{
    struct forked *f = arg;
    bool ok = true;

    while (ok && !f->over)
        ok = run_session(&f->s) && rewrite(&f->s);
    return ok ? arg : NULL;
}

static void test_fork(void **state)
{
    inlay_graph *g = inlay_read_text("shared.inlay", text, sizeof text - 1, NULL, NULL);
    inlay_tensor *in = numbers(1, 1), *expected = numbers(1, -1);
    inlay_rules *rules = inlay_rules_builtin("turn", NULL);
    const inlay_program *program = inlay_compile(g, NULL, NULL);
    struct forked f = {.s = {program, in, expected, rules}};
    pthread_t threads[THREADS];

    assert_true(program && rules);
    begin_threads(threads, run_until_over, &f);
    for (int i = 0; i < FORKS; i++) {
        int status = -1;
        pid_t child = fork();

        if (child == 0)
            _exit(run_session(&f.s) && rewrite(&f.s) && through_json(g) ? 0 : 1);
        assert_true(child > 0 && waitpid(child, &status, 0) == child);
        assert_int_equal(status, 0);
    }
    f.over = true;
    end_threads(threads);
    inlay_tensor_release(in);
    inlay_tensor_release(expected);
    inlay_rules_free(rules);
    inlay_program_free((inlay_program *)program);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_readers),
        cmocka_unit_test(test_extensions), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
