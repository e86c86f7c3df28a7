/* Outputs that are inputs of the next run (ir/graph/carry.c). The law: a session of the graph whose
 * pairs are carried gives what runs of the graph give whose caller hands each output on; the
 * reference executor says what these are. INLAY_SEED=N plays the steps of seed N. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "passes/passes.h"
#include "seeds.h"

/* Rows are added to a cache of heads, of beams that are picked before, or not. */
#define CACHE                                                                                      \
    "%past = Parameter-1 {element_type = i32, shape = [2,3,?,2]}\n"                                \
    "%token = Parameter-1 {element_type = i32, shape = [2,3,?,2]}\n"                               \
    "%beam = Parameter-1 {element_type = i64, shape = [2]}\n"                                      \
    "%axis = Const-1 {value = i64[] 0}\n%last = Const-1 {value = i64[1] [3]}\n"
#define PICKED "%rows = Gather-8(%past, %beam, %axis)\n"
#define JOINED(rows)                                                                               \
    "%new = Concat-1(%" rows ", %token) {axis = 2}\n"                                              \
    "%size = Abs-1(%new)\n%sum = ReduceSum-1(%size, %last)\n"                                      \
    "%present = Result-1(%new)\n%scores = Result-1(%sum)\n"

static const inlay_carried pair = {0, 0};
static const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};

/* The graph of BODY, of which output 0 is carried to input 0, behind in-place-windows. */
static inlay_graph *carried(const char *body)
{
    const inlay_pass_options passes = {.passes = "in-place-windows"};
    inlay_graph *g = graph_of(body);
    inlay_diags *d = inlay_diags_new();

    if (!inlay_graph_carry(g, &pair, 1, d) || !inlay_run_passes(g, &passes, d))
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
    return g;
}

static void run(runner *r, inlay_tensor *const *in, inlay_tensor **out)
{
    if (!inlay_session_run(r->session, (const inlay_tensor *const *)in, NULL, out, r->diags))
        fail_msg("%s", inlay_diags_at(r->diags, 0)->text);
}

static inlay_tensor *rows_of(rng *g, int64_t n)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_I32, 4, (const int64_t[]){2, 3, n, 2});

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_i64(t, i, rng_in(g, -99, 99));
    return t;
}

/* In order more often than not. */
static inlay_tensor *beams_of(rng *g)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_I64, 1, (const int64_t[]){2});
    bool ordered = !rng_one_in(g, 3);

    assert_non_null(t);
    for (int64_t i = 0; i < 2; i++)
        inlay_tensor_set_i64(t, i, ordered ? i : rng_in(g, 0, 1));
    return t;
}

static void check_same(const inlay_tensor *a, const inlay_tensor *b, uint64_t seed)
{
    const inlay_compare_options exact = {0};
    char why[512];

    if (!inlay_compare_tensors(a, b, &exact, why, sizeof why))
        fail_msg("seed %llu: %s", (unsigned long long)seed, why);
}

static void play_seed(uint64_t seed)
{
    rng g = {seed};
    const char *body = rng_one_in(&g, 2) ? CACHE PICKED JOINED("rows") : CACHE JOINED("past");
    const inlay_exec_options by_hand = {.mode = INLAY_EXEC_REFERENCE};
    runner ours = runner_on(carried(body), &planned), theirs = runner_of(body, &by_hand);
    int64_t first = rng_in(&g, 0, 3), n = rng_in(&g, 2, 9);
    inlay_tensor *past = rows_of(&g, first), *given = inlay_tensor_retain(past);

    for (int64_t k = 0; k < n; k++) {
        int64_t more = rng_in(&g, 0, 2);
        inlay_tensor *token = rows_of(&g, more), *beam = beams_of(&g), *out[2], *scores = NULL;

        run(&theirs, (inlay_tensor *const[]){past, token, beam}, out);
        run(&ours, (inlay_tensor *const[]){given, token, beam}, &scores);
        check_same(scores, out[1], seed);
        check_same(inlay_session_variable(ours.session, 0), out[0], seed);
        inlay_tensor_release(past);
        past = out[0];
        inlay_tensor_release(out[1]);
        inlay_tensor_release(scores);
        inlay_tensor_release(token);
        inlay_tensor_release(beam);
    }
    inlay_tensor_release(past);
    inlay_tensor_release(given);
    runner_free(&ours);
    runner_free(&theirs);
}

static void test_as_by_hand(void **state)
{
    const seed_range s = seeds_to_try(100, 20);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        play_seed(seed);
}

/* A step copies its row: 2 * 3 * 2 elements; the first one what the caller gave, too. */
static void test_what_is_new(void **state)
{
    runner r = runner_on(carried(CACHE JOINED("past")), &planned);
    rng g = {1};
    inlay_tensor *in[3] = {rows_of(&g, 5), rows_of(&g, 1), beams_of(&g)}, *out;
    inlay_exec_stats s;

    for (int k = 0; k < 3; k++) {
        run(&r, in, &out);
        inlay_tensor_release(out);
        inlay_session_stats(r.session, &s);
        assert_int_equal(s.copied_bytes, (k == 0 ? 6 : 1) * 2 * 3 * 2 * 4);
    }
    inlay_session_reset(r.session); /* and it begins again with what it is given */
    run(&r, in, &out);
    inlay_tensor_release(out);
    assert_int_equal(inlay_session_variable(r.session, 0)->dims[2], 6);
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(in[i]);
    runner_free(&r);
}

/* One output for two inputs, and an output that is an input. */
static void test_shared(void **state)
{
    inlay_graph *g = graph_of("%a = Parameter-1 {element_type = i32, shape = [1]}\n"
                              "%b = Parameter-1 {element_type = i32, shape = [1]}\n"
                              "%c = Parameter-1 {element_type = i32, shape = [1]}\n"
                              "%s = Add-1(%a, %b)\n%t = Add-1(%s, %c)\n"
                              "%next = Result-1(%s)\n%same = Result-1(%c)\n%out = Result-1(%t)\n");
    const inlay_carried pairs[] = {{0, 0}, {0, 1}, {1, 2}};
    inlay_diags *d = inlay_diags_new();
    runner r;

    assert_true(inlay_graph_carry(g, pairs, 3, d));
    assert_int_equal(g->n_results, 1);
    assert_int_equal(g->n_params, 3);
    assert_int_equal(g->n_variables, 3);
    r = runner_on(g, NULL);
    check_run(&r, OPERANDS("i32[1] 1", "i32[1] 2", "i32[1] 10"), OPERANDS("i32[1] 13"));
    check_run(&r, OPERANDS("i32[1] 7", "i32[1] 7", "i32[1] 7"), OPERANDS("i32[1] 16"));
    check_run(&r, OPERANDS("i32[1] 7", "i32[1] 7", "i32[1] 7"), OPERANDS("i32[1] 22"));
    runner_free(&r);
    inlay_diags_free(d);
}

static void refused(const char *body, const inlay_carried *pairs, int n, const char *text)
{
    inlay_graph *g = graph_of(body);
    inlay_diags *d = inlay_diags_new();
    int results = g->n_results;

    assert_false(inlay_graph_carry(g, pairs, n, d));
    check_error(d, INLAY_INVALID, text);
    assert_int_equal(g->n_results, results);
    assert_int_equal(g->n_variables, strstr(body, "ReadValue") != NULL);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

#define OF(type, shape)                                                                            \
    "%x = Parameter-1 {element_type = " type ", shape = " shape "}\n"                              \
    "%y = Parameter-1 {element_type = i32, shape = [2]}\n%z = Abs-1(%y)\n%out = Result-1(%z)\n"

static void test_refused(void **state)
{
    refused(OF("i32", "[2]"), (const inlay_carried[]){{1, 0}}, 1, "there is no output 1");
    refused(OF("i32", "[2]"), (const inlay_carried[]){{0, -1}}, 1, "no input -1");
    refused(OF("i32", "[2]"), (const inlay_carried[]){{0, 0}, {0, 0}}, 2,
            "it cannot get two outputs of the run before");
    refused(OF("f32", "[2]"), &pair, 1,
            "it is f32[2], and what it is to get from the run before is i32[2]");
    refused(OF("i32", "[3]"), &pair, 1,
            "it is i32[3], and what it is to get from the run before is i32[2]");
    refused(OF("i32", "[2,1]"), &pair, 1,
            "it is i32[2,1], and what it is to get from the run before is i32[2]");
    refused(OF("i32", "[2]") "%v = ReadValue-6(%y) {variable_id = \"x\"}\n%s = Assign-6(%v) "
                             "{variable_id = \"x\"}\n",
            &pair, 1, "there is a variable of this name already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_by_hand),
        cmocka_unit_test(test_what_is_new),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
