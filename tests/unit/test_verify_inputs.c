/* The schedule of trials, and the inputs it makes. */
#include "passes/verify/verify.h"
#include "tests/unit/graphs.h"
#include "tests/unit/models.h"
#include "unit.h"

enum { MAX_PARAMS = 4 };

/* The inputs of a trial. */
struct made {
    inlay_graph *g;
    inlay_tensor *in[MAX_PARAMS];
};

static void make(struct made *m, const char *body, verify_trial trial, const inlay_shape *shapes)
{
    inlay_make_options o = {.seed = trial.seed, .shapes = shapes};
    verify_request r = {.trial = trial, .options = &o};
    inlay_diags *d = inlay_diags_new();

    *m = (struct made){.g = graph_of(body)};
    r.g = m->g;
    if (!verify_make_inputs(&r, m->in, NULL, d))
        fail_msg("seed %llu: %s", (unsigned long long)trial.seed, model_messages(d));
    inlay_diags_free(d);
}

static void release(struct made *m)
{
    for (int i = 0; i < MAX_PARAMS; i++)
        inlay_tensor_release(m->in[i]);
    inlay_graph_free(m->g);
}

#define OPEN "%x = Parameter {element_type = f32, shape = [?]}\n%r = Result(%x)\n"

/* These sizes come up whatever the first seed is. */
static void test_sizes(void **state)
{
    static const int64_t wanted[] = {0, 1, 2, 3, 5, 17};

    for (uint64_t first = 0; first < 200; first += 7) {
        bool seen[18] = {false};

        for (uint64_t seed = first; seed < first + VERIFY_TRIALS; seed++) {
            struct made m;

            make(&m, OPEN, verify_trial_of(seed), NULL);
            assert_in_range(m.in[0]->dims[0], 0, 17);
            seen[m.in[0]->dims[0]] = true;
            release(&m);
        }
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            assert_true(seen[wanted[i]]);
    }
}

static void test_unequal_sizes(void **state)
{
    static const char body[] = "%x = Parameter {element_type = f32, shape = [?,?#1,?]}\n"
                               "%y = Parameter {element_type = f32, shape = [2..4,?#1]}\n"
                               "%r = Result(%x)\n%s = Result(%y)\n";
    bool less = false, more = false, wider = false;

    for (uint64_t seed = 0; seed < VERIFY_TRIALS; seed++) {
        struct made m;

        make(&m, body, verify_trial_of(seed), NULL);
        less = less || m.in[0]->dims[0] < m.in[0]->dims[1];
        more = more || m.in[0]->dims[0] > m.in[0]->dims[1];
        wider = wider || m.in[0]->dims[1] < m.in[0]->dims[2];
        assert_in_range(m.in[1]->dims[0], 2, 4);
        assert_int_equal(m.in[0]->dims[1], m.in[1]->dims[1]);
        release(&m);
    }
    assert_true(less && more && wider);
}

/* 17 rows of 17 columns, and so on, would be 24 million elements. */
static void test_inputs_stay_small(void **state)
{
    static const char body[] = "%x = Parameter {element_type = u8, shape = [?,?,?,?,?,?]}\n"
                               "%y = Parameter {element_type = u8, shape = [200000]}\n"
                               "%r = Result(%x)\n%s = Result(%y)\n";

    for (uint64_t seed = 0; seed < VERIFY_TRIALS; seed++) {
        struct made m;

        make(&m, body, verify_trial_of(seed), NULL);
        assert_in_range(inlay_tensor_count(m.in[0]), 0, 729);
        release(&m);
    }
}

static void test_wishes(void **state)
{
    inlay_shape wish;
    const char *why;

    assert_true(inlay_shape_parse("4,?", &wish, &why));
    for (uint64_t seed = 0; seed < VERIFY_TRIALS; seed++) {
        struct made m;

        make(&m, "%x = Parameter {element_type = f32, shape = [?,?]}\n%r = Result(%x)\n",
             verify_trial_of(seed), &wish);
        assert_int_equal(m.in[0]->dims[0], 4);
        release(&m);
    }
}

/* A trial of `inlay run --random` is ordinary, too. */
static void test_a_plain_trial_is_ordinary(void **state)
{
    for (uint64_t seed = 0; seed < VERIFY_TRIALS; seed++) {
        verify_trial trial = verify_trial_of(seed), plain = verify_plainer(&trial, 3);
        struct made m;

        make(&m, OPEN, plain, NULL);
        assert_int_equal(m.in[0]->dims[0], 3);
        for (int64_t i = 0; i < 3; i++) {
            assert_true(inlay_tensor_get_f64(m.in[0], i) >= -1);
            assert_true(inlay_tensor_get_f64(m.in[0], i) < 1);
        }
        release(&m);
    }
}

/* Checks that numbers lie in [LO, HI], and that both limits come up, in trials whose sizes, indices
 * and counts are ordinary. */
static void check_plain_range(const char *body, int input, int64_t lo, int64_t hi)
{
    bool least = false, most = false;

    for (uint64_t seed = 0; seed < 2 * VERIFY_TRIALS; seed++) {
        verify_trial trial = verify_trial_of(seed);
        struct made m;
        int64_t x;

        make(&m, body, verify_plainer(&trial, 2), NULL);
        x = inlay_tensor_get_i64(m.in[input], 0);
        assert_true(x >= lo && x <= hi);
        least = least || x == lo;
        most = most || x == hi;
        release(&m);
    }
    assert_true(least && most);
}

#define DATA(shape) "%x = Parameter {element_type = f32, shape = " shape "}\n"
#define INT(type) "%i = Parameter {element_type = " type ", shape = []}\n"
#define AXIS "%a = Const {value = i64[] 0}\n"

static void test_ranges(void **state)
{
    check_plain_range(DATA("[?]") INT("i64") AXIS "%y = Gather(%x, %i, %a)\n%r = Result(%y)\n", 1,
                      0, 2);
    check_plain_range(DATA("[5,2]") INT("f32") AXIS "%j = Convert(%i) {destination_type = i32}\n"
                                                    "%y = Gather(%x, %j, %a)\n%r = Result(%y)\n",
                      1, 0, 4);
    /* of two uses the narrower one counts */
    check_plain_range(DATA("[5,2]") INT("i64") AXIS "%y = Gather(%x, %i, %a)\n%z = CumSum(%x, %i)\n"
                                                    "%r = Result(%y)\n%s = Result(%z)\n",
                      1, 0, 1);
    /* an index that is computed, a length: nothing unusual */
    check_plain_range(DATA("[5]") INT("i64") AXIS
                      "%one = Const {value = i64[] 1}\n%j = Add(%i, %one)\n"
                      "%y = Gather(%x, %j, %a)\n%r = Result(%y)\n",
                      1, -8, 7);
    check_plain_range(DATA("[5]") INT("i64") AXIS "%one = Const {value = i64[] 1}\n"
                                                  "%y = Range(%a, %i, %one) {output_type = i64}\n"
                                                  "%r = Result(%x)\n%s = Result(%y)\n",
                      1, -8, 7);
}

/* The axes of a reduction and of a Squeeze are indices too. */
static void test_ranges_of_axes(void **state)
{
    check_plain_range(DATA("[5,2,3]") INT("i64") "%y = ReduceSum(%x, %i)\n%r = Result(%y)\n", 1, 0,
                      2);
    check_plain_range(DATA("[1,1,1]") INT("i64") "%y = Squeeze(%x, %i)\n%r = Result(%y)\n", 1, 0,
                      2);
}

/* An operation that moves elements passes on what is wanted of these elements. */
static void test_ranges_of_moved_indices(void **state)
{
    static const char *const moves[] = {
        "%j:2 = Split(%i, %a) {num_splits = 2}\n%k = Concat(%j:0, %j:1) {axis = 0}\n",
        "%k = Reverse(%i, %zero) {mode = index}\n",
        "%one = Const {value = i64[1] [1]}\n%k = Roll(%i, %one, %zero)\n",
        "%k = GatherElements(%i, %both) {axis = 0}\n",
    };

    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        char body[800];

        snprintf(body, sizeof body,
                 "%%x = Parameter {element_type = f32, shape = [5,2]}\n"
                 "%%i = Parameter {element_type = i64, shape = [2]}\n"
                 "%%a = Const {value = i64[] 0}\n"
                 "%%zero = Const {value = i64[1] [0]}\n"
                 "%%both = Const {value = i64[2] [0, 1]}\n"
                 "%s%%y = Gather(%%x, %%k, %%a)\n%%r = Result(%%y)\n",
                 moves[i]);
        check_plain_range(body, 1, 0, 4);
    }
}

#define BODY(condition)                                                                            \
    "body \"b\" {\n"                                                                               \
    "%v = Parameter {element_type = i64, shape = []}\n"                                            \
    "%w = Parameter {element_type = i64, shape = []}\n"                                            \
    "%one = Const {value = i64[] 1}\n%next = Add(%v, %one)\n" condition                            \
    "%again = Result(%go)\n%o = Result(%next)\n}\n"                                                \
    "in 2 -> %v\nin 3 -> %w\nout %again -> none condition\nout %o -> 0\nback %o -> %v\n"           \
    "%r = Result(%l)\n"
#define LOOP(trips) "%yes = Const {value = boolean[] true}\n%l:1 = Loop(%" trips ", %yes, %a, %i)\n"

/* No loop gets a number of trips that does not end. */
static void test_loops_end(void **state)
{
    check_plain_range(DATA("[5]") INT("i64") AXIS
                      "%one = Const {value = i64[] 1}\n"
                      "%t = Subtract(%i, %one)\n" LOOP("t")
                          BODY("%go = Const {value = boolean[] true}\n"),
                      1, 1, 7);
    check_plain_range(DATA("[5]") INT("i64") AXIS "%t = Const {value = i64[] -1}\n" LOOP("t")
                          BODY("%go = Less(%next, %w)\n"),
                      1, 1, 7);
}

/* In every trial, the numbers from which the end of a loop is computed are small. */
static void test_loops_end_in_every_trial(void **state)
{
    for (uint64_t seed = 0; seed < VERIFY_TRIALS; seed++) {
        struct made m;

        make(&m,
             DATA("[5]") INT("i64") AXIS "%t = Const {value = i64[] -1}\n" LOOP("t")
                 BODY("%go = Less(%next, %w)\n"),
             verify_trial_of(seed), NULL);
        assert_in_range(inlay_tensor_get_i64(m.in[1], 0), 1, 33);
        release(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_unequal_sizes),
        cmocka_unit_test(test_inputs_stay_small),
        cmocka_unit_test(test_wishes),
        cmocka_unit_test(test_a_plain_trial_is_ordinary),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_ranges_of_axes),
        cmocka_unit_test(test_ranges_of_moved_indices),
        cmocka_unit_test(test_loops_end),
        cmocka_unit_test(test_loops_end_in_every_trial),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
