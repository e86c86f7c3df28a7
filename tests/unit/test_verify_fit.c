/* Inputs are made such that the shape rules accept them: what these inputs must be follows from the
 * documents of the operations, and is computed here by hand. */
#include "passes/verify/verify.h"
#include "tests/unit/graphs.h"
#include "tests/unit/models.h"
#include "unit.h"

enum { MAX_PARAMS = 6, SEEDS = 2 * VERIFY_TRIALS };

/* The inputs of a trial. */
struct made {
    inlay_graph *g;
    inlay_tensor *in[MAX_PARAMS];
    bool fitted;
};

/* Makes inputs; GIVEN, if there is one, is input 0. */
static struct made make(const char *body, uint64_t seed, bool fit, const inlay_shape *shapes,
                        inlay_tensor *given)
{
    struct made m = {.g = graph_of(body), .in = {inlay_tensor_retain(given)}};
    inlay_make_options o = {.seed = seed, .shapes = shapes};
    verify_request r = {.g = m.g, .trial = verify_trial_of(seed), .fit = fit, .options = &o};
    inlay_diags *d = inlay_diags_new();

    assert_true(m.g->n_params <= MAX_PARAMS);
    if (!verify_make_inputs(&r, m.in, &m.fitted, d))
        fail_msg("seed %llu: %s", (unsigned long long)seed, model_messages(d));
    inlay_diags_free(d);
    return m;
}

static void release(struct made *m)
{
    for (int i = 0; i < MAX_PARAMS; i++)
        inlay_tensor_release(m->in[i]);
    inlay_graph_free(m->g);
}

static void check_same(const struct made *a, const struct made *b)
{
    char why[200];

    for (int i = 0; i < a->g->n_params; i++)
        assert_true(inlay_compare_tensors(a->in[i], b->in[i], NULL, why, sizeof why));
}

#define DATA(shape) "%x = Parameter {element_type = f32, shape = " shape "}\n"
#define INTS(name, shape) "%" name " = Parameter {element_type = i64, shape = " shape "}\n"
#define END "%r = Result(%y)\n"

/* Inputs that the rules accept stay as the trial wants them. */
static void test_nothing_changes_without_need(void **state)
{
    static const char body[] = DATA("[?,?]") INTS("i", "[?,?]") "%a = Const {value = i64[] 0}\n"
                                                                "%y = Gather(%x, %i, %a)\n" END;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made plain = make(body, seed, false, NULL, NULL);
        struct made fit = make(body, seed, true, NULL, NULL);

        assert_false(fit.fitted);
        check_same(&plain, &fit);
        release(&plain);
        release(&fit);
    }
}

/* Each of three axes is named once, and each order comes up. */
static void test_orders(void **state)
{
    bool seen[3][3] = {{false}};
    int n = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made m = make(DATA("[?,?,?]") INTS("p", "[?]") "%y = Transpose(%x, %p)\n" END, seed,
                             true, NULL, NULL);
        int64_t p[3] = {0, 1, 2};

        assert_true(m.in[1]->dims[0] == 3 || m.in[1]->dims[0] == 0);
        for (int i = 0; i < 3 && m.in[1]->dims[0] == 3; i++)
            p[i] = inlay_tensor_get_i64(m.in[1], i);
        for (int i = 0; i < 3; i++)
            assert_in_range(p[i], 0, 2);
        assert_true(p[0] != p[1] && p[0] != p[2] && p[1] != p[2]);
        n += !seen[p[0]][p[1]];
        seen[p[0]][p[1]] = true;
        release(&m);
    }
    assert_int_equal(n, 6);
}

/* Lengths add up to the axis; one that is -1 stands for the rest. */
static void test_lengths(void **state)
{
    static const char body[] = DATA("[2,?]") INTS("n", "[3]") "%a = Const {value = i64[] 1}\n"
                                                              "%y:3 = VariadicSplit(%x, %a, %n)\n"
                                                              "%r = Result(%y:0)\n%s = "
                                                              "Result(%y:1)\n%t = Result(%y:2)\n";
    bool rest = false;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made m = make(body, seed, true, NULL, NULL);
        int64_t sum = 0, open = 0;

        for (int i = 0; i < 3; i++) {
            int64_t n = inlay_tensor_get_i64(m.in[1], i);

            assert_true(n >= -1);
            open += n < 0;
            sum += n < 0 ? 0 : n;
        }
        assert_true(open == 0 ? sum == m.in[0]->dims[1] : open == 1 && sum <= m.in[0]->dims[1]);
        rest = rest || open == 1;
        release(&m);
    }
    assert_true(rest);
}

/* Lengths that only a run computes are left to it. */
static void test_computed_lengths(void **state)
{
    static const char body[] = DATA("[2,?]") "%f = Parameter {element_type = f32, shape = [2]}\n"
                                             "%n = Convert(%f) {destination_type = i64}\n"
                                             "%y = ReverseSequence(%x, %n) {batch_axis = 0}\n" END;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made m = make(body, seed, true, NULL, NULL);

        assert_false(m.fitted);
        release(&m);
    }
}

static int64_t clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Counts the positions that Slice-8 takes from an axis of N, one by one: start is brought to the
 * axis, stop may be just outside of it. */
static int64_t window_length(int64_t n, int64_t start, int64_t stop, int64_t step)
{
    int64_t count = 0;

    if (n == 0)
        return 0;
    start = clamp(start < 0 ? clamp(start, -n - 1, -1) + n : start, 0, step < 0 ? n - 1 : n);
    stop = clamp(stop < 0 ? clamp(stop, -n - 1, -1) + n : stop, step < 0 ? -1 : 0, n);
    step = clamp(step, -n, n);
    for (int64_t i = start; step < 0 ? i > stop : i < stop; i += step)
        count++;
    return count;
}

/* Updates have the size of the window. The windows are not all of the data, nor all of one size. */
static void test_updates_of_windows(void **state)
{
    static const char body[] =
        DATA("[?]") "%u = Parameter {element_type = f32, shape = [?]}\n" INTS("s", "[?]")
            INTS("e", "[?]") INTS("t", "[?]") "%y = SliceScatter(%x, %u, %s, %e, %t)\n" END;
    int parts = 0, back = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made m = make(body, seed, true, NULL, NULL);
        int64_t n = m.in[0]->dims[0], of[3], length = n;

        for (int i = 0; i < 3; i++)
            assert_int_equal(m.in[2 + i]->dims[0], m.in[2]->dims[0]);
        if (m.in[2]->dims[0] == 1) {
            for (int i = 0; i < 3; i++)
                of[i] = inlay_tensor_get_i64(m.in[2 + i], 0);
            length = window_length(n, of[0], of[1], of[2]);
            back += of[2] < 0;
        }
        if (m.in[1]->dims[0] != length)
            fail_msg("seed %llu: updates have %lld elements, the window has %lld",
                     (unsigned long long)seed, (long long)m.in[1]->dims[0], (long long)length);
        parts += length > 0 && length < n;
        release(&m);
    }
    assert_true(parts > SEEDS / 8);
    assert_true(back > 0);
}

/* One size stands in two shapes, and a number is one that no small size is. */
static void test_sizes(void **state)
{
    static const char body[] =
        DATA("[?#1,?]") "%z = Parameter {element_type = f32, shape = [?#1]}\n"
                        "%w = Const {value = i64[2] [4, 91]}\n"
                        "%v = Reshape(%x, %w) {special_zero = false}\n"
                        "%y = Add(%v, %z)\n" END;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made m = make(body, seed, true, NULL, NULL);

        assert_int_equal(m.in[0]->dims[0] * m.in[0]->dims[1], 4 * 91);
        assert_int_equal(m.in[0]->dims[0], m.in[1]->dims[0]);
        assert_true(m.in[1]->dims[0] == 1 || m.in[1]->dims[0] == 91);
        release(&m);
    }
}

/* Inputs that the caller gives or asks for are not up for choice. */
static void test_what_is_given_stays(void **state)
{
    static const char body[] = DATA("[?]") "%z = Parameter {element_type = f32, shape = [?]}\n"
                                           "%y = Add(%x, %z)\n" END;
    inlay_tensor *given = tensor_of("f32[4] 1 2 3 4");
    inlay_shape wishes[2] = {{.rank = -1}, {.rank = -1}};
    const char *why;

    assert_true(inlay_shape_parse("7", &wishes[0], &why));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made m = make(body, seed, true, NULL, given);

        assert_true(m.in[0] == given);
        assert_true(m.in[1]->dims[0] == 4 || m.in[1]->dims[0] == 1);
        release(&m);
        m = make(body, seed, true, wishes, NULL);
        assert_int_equal(m.in[0]->dims[0], 7);
        assert_true(m.in[1]->dims[0] == 7 || m.in[1]->dims[0] == 1);
        release(&m);
    }
    inlay_tensor_release(given);
}

/* No shape of six elements is one to which seven broadcast: the trial stays as it was. */
static void test_where_nothing_fits(void **state)
{
    static const char body[] =
        DATA("[6]") INTS("n", "[1]") "%y = Reshape(%x, %n) {special_zero = false}\n" END
                                     "%z = Parameter {element_type = f32, shape = [7]}\n"
                                     "%w = Broadcast(%z, %n)\n"
                                     "%s = Result(%w)\n";

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made plain = make(body, seed, false, NULL, NULL);
        struct made fit = make(body, seed, true, NULL, NULL);

        assert_false(fit.fitted);
        check_same(&plain, &fit);
        release(&plain);
        release(&fit);
    }
}

/* A target of a Broadcast may be any number of millions. */
static void test_results_stay_small(void **state)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct made m = make(DATA("[?,?]") INTS("s", "[5]") "%y = Broadcast(%x, %s)\n" END, seed,
                             true, NULL, NULL);
        int64_t n = 1;

        for (int i = 0; i < 5; i++)
            n *= inlay_tensor_get_i64(m.in[1], i);
        assert_in_range(n, 0, 1 << 20);
        release(&m);
    }
}

/* Inputs are made without a trial, too: `inlay run --random`. */
static void test_made_inputs_run(void **state)
{
    static const char body[] = "%x = Parameter {element_type = f32, shape = [...]}\n"
                               "%u = Parameter {element_type = f32, shape = [...]}\n"
                               "%i = Parameter {element_type = i64, shape = [...]}\n"
                               "%a = Parameter {element_type = i64, shape = []}\n"
                               "%y = ScatterUpdate(%x, %i, %u, %a)\n" END;
    inlay_evaluator ev = inlay_reference_evaluator(NULL);
    inlay_graph *g = graph_of(body);
    inlay_diags *d = inlay_diags_new();

    for (uint64_t seed = 0; seed < 20; seed++) {
        inlay_make_options o = {.seed = seed};
        inlay_tensor *in[4] = {NULL}, *out = NULL;

        if (!inlay_make_inputs(g, &o, in, d) ||
            !ev.eval_graph(ev.ctx, g, (const inlay_tensor *const *)in, &out, NULL, d))
            fail_msg("seed %llu: %s", (unsigned long long)seed, model_messages(d));
        inlay_tensor_release(out);
        for (int i = 0; i < 4; i++)
            inlay_tensor_release(in[i]);
    }
    inlay_diags_free(d);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_changes_without_need),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_computed_lengths),
        cmocka_unit_test(test_updates_of_windows),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_what_is_given_stays),
        cmocka_unit_test(test_where_nothing_fits),
        cmocka_unit_test(test_results_stay_small),
        cmocka_unit_test(test_made_inputs_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
