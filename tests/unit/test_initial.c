/* The initial value of a variable is computed in runs that need it: while the variable has no
 * state. What else reads the value, or keeps it, has it computed in every run. */
#include "graphs.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "support.h"

/* The state begins as 12 / x, which fails for an x of 0, and x is added to it. */
#define COUNTS(shape)                                                                              \
    "%x = Parameter {element_type = i32, shape = " shape "}\n"                                     \
    "%twelve = Const {value = i32[1] [12]}\n"                                                      \
    "%part = Divide(%twelve, %x)\n"                                                                \
    "%first = Abs(%part)\n"                                                                        \
    "%state = ReadValue-6(%first) {variable_id = \"v\", variable_type = i32, variable_shape = "    \
    "[1]}\n"                                                                                       \
    "%sum = Add(%state, %x)\n"                                                                     \
    "%store = Assign-6(%sum) {variable_id = \"v\"}\n"                                              \
    "%old = Result(%state)\n"

static const inlay_exec_mode modes[] = {INLAY_EXEC_PLANNED, INLAY_EXEC_REFERENCE};

/* Runs S on X; expects the first result to be WANTED, or, where that is negative, a fault. Returns
 * how many steps were made. */
static uint64_t run(inlay_session *s, const char *x, int wanted)
{
    inlay_tensor *in = tensor_of(x), *out[2] = {NULL};
    inlay_diags *d = inlay_diags_new();
    inlay_exec_stats stats;
    bool ok = inlay_session_run(s, (const inlay_tensor *const *)&in, NULL, out, d);

    if (ok != (wanted >= 0))
        fail_msg("x is %s: %s", x, ok ? "no fault" : inlay_diags_at(d, 0)->text);
    if (ok)
        assert_int_equal(inlay_tensor_get_i64(out[0], 0), wanted);
    inlay_session_stats(s, &stats);
    inlay_tensor_release(in);
    inlay_tensor_release(out[0]);
    inlay_tensor_release(out[1]);
    inlay_diags_free(d);
    return stats.steps;
}

/* Later runs leave out SKIPPED steps; an x of 0 does not fail there where the Divide is one of
 * them. */
static void check(const char *body, const char *keep, uint64_t skipped)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        inlay_graph *g = graph_of(body);
        inlay_exec_options o = {.mode = modes[i], .keep = &keep, .n_keep = keep ? 1 : 0};
        inlay_program *p = inlay_compile(g, &o, NULL);
        inlay_session *s = inlay_session_new(p, NULL);
        uint64_t first, later;

        assert_non_null(s);
        run(s, "i32[1] 0", -1);
        first = run(s, "i32[1] 3", 4);
        run(s, "i32[1] 0", skipped < 2 ? -1 : 7);
        later = run(s, "i32[1] 5", 7);
        assert_int_equal(first - later, skipped);
        inlay_session_free(s);
        inlay_program_free(p);
        inlay_graph_free(g);
    }
}

static void computed_once(void **state)
{
    check(COUNTS("[1]"), NULL, 2);
    check(COUNTS("[?]"), NULL, 2);
    check(COUNTS("[...]"), NULL, 2);
}

static void also_read(void **state)
{
    check(COUNTS("[1]") "%also = Result(%first)\n", NULL, 0);
    check(COUNTS("[?]") "%n = Negative(%part)\n%also = Result(%n)\n", NULL, 1);
    check(COUNTS("[1]"), "part", 1);
    check(COUNTS("[1]"), "first", 0);
}

/* What is for the initial values of two variables is computed while one of them has no state. */
static void two_variables(void **state)
{
    check(COUNTS("[1]") "%other = ReadValue-6(%part) {variable_id = \"w\", variable_type = i32, "
                        "variable_shape = [1]}\n%also = Result(%other)\n",
          NULL, 1);
}

/* So many shapes that a run no longer finds a program for its own. */
static void many_shapes(void **state)
{
    static const char body[] =
        "%x = Parameter {element_type = i32, shape = [?]}\n"
        "%twelve = Const {value = i32[1] [12]}\n%part = Divide(%twelve, %x)\n"
        "%axis = Const {value = i64[1] [0]}\n%least = ReduceMin(%part, %axis) {keep_dims = true}\n"
        "%state = ReadValue-6(%least) {variable_id = \"v\", variable_type = i32, variable_shape = "
        "[1]}\n%store = Assign-6(%state) {variable_id = \"v\"}\n%old = Result(%state)\n";

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        inlay_graph *g = graph_of(body);
        inlay_program *p = inlay_compile(g, &(inlay_exec_options){.mode = modes[i]}, NULL);
        inlay_session *s = inlay_session_new(p, NULL);
        char x[2000] = "";

        run(s, "i32[1] 3", 4);
        for (int n = 2; n < 200; n++) {
            size_t used = (size_t)snprintf(x, sizeof x, "i32[%d]", n);

            for (int k = 0; k < n; k++)
                used += (size_t)snprintf(x + used, sizeof x - used, " 0");
            run(s, x, 4);
        }
        inlay_session_free(s);
        inlay_program_free(p);
        inlay_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computed_once),
        cmocka_unit_test(also_read),
        cmocka_unit_test(two_variables),
        cmocka_unit_test(many_shapes),
    };

    return cmocka_run_group_tests_name("initial values", tests, NULL, NULL);
}
