/* Threads may share the op table, rule sets, a program, and tensors, whose references are counted.
 * Each thread runs a session of its own, on inputs that all threads hold, and two more threads
 * help. Under ThreadSanitizer (make long) a race shows. */
#include "interp/session.h"
#include "ir/shared.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

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

static void test_threads(void **state)
{
    inlay_graph *g = inlay_read_text("shared.inlay", text, sizeof text - 1, NULL, NULL);
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .threads = THREADS + 2};
    inlay_program *program;
    inlay_rules *rules = inlay_rules_builtin("turn", NULL);
    inlay_tensor *in = numbers(1, 1), *expected = numbers(1, -1);
    struct shared s;
    pthread_t threads[THREADS];
    void *ok;

    (void)state;
    assert_true(g && inlay_run_passes(g, NULL, NULL));
    program = inlay_compile(g, &planned, NULL);
    assert_true(program && rules);
    program_split(program, 1);
    s = (struct shared){program, in, expected, rules};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &s), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &ok), 0);
        assert_non_null(ok);
    }
    inlay_tensor_release(in);
    inlay_tensor_release(expected);
    inlay_rules_free(rules);
    inlay_program_free(program);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
