/* States that grow in their buffers (interp/exec/build/state_growth.c): what is added is all that is copied, and
 * nobody who holds a tensor of before ever finds it changed. The expected elements were written by
 * hand. INLAY_SEED=N plays the steps of seed N. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "seeds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CACHE                                                                                      \
    "%token = Parameter-1 {element_type = i32, shape = [?,2]}\n"                                   \
    "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [?,2]}\n"
#define APPEND "%new = Concat-1(%past, %token) {axis = 0}\n"
#define SAVE "%save = Assign-6(%new) {variable_id = \"v\"}\n"

static void set_state(runner *r, const char *text)
{
    inlay_tensor *t = tensor_of(text);

    assert_true(inlay_session_set_variable(r->session, 0, t, r->diags));
    inlay_tensor_release(t);
}

static const inlay_tensor *state_of(const runner *r)
{
    return inlay_session_variable(r->session, 0);
}

/* Runs R with the one input TOKEN; OUT receives the result, if there is one. */
static bool step(runner *r, const char *token, inlay_tensor **out)
{
    inlay_tensor *in = tensor_of(token);
    bool ok = inlay_session_run(r->session, (const inlay_tensor *const[]){in}, NULL, out, r->diags);

    inlay_tensor_release(in);
    return ok;
}

static uint64_t copied(const runner *r)
{
    inlay_exec_stats s;

    inlay_session_stats(r->session, &s);
    return s.copied_bytes;
}

static void test_only_what_is_new(void **state)
{
    runner r = runner_of_noted(CACHE APPEND SAVE);

    (void)state;
    set_state(&r, "i32[1,2] 1 2");
    assert_true(step(&r, "i32[1,2] 3 4", NULL)); /* the tensor of the caller has no room behind */
    assert_int_equal(copied(&r), 16);
    assert_true(step(&r, "i32[1,2] 5 6", NULL));
    assert_int_equal(copied(&r), 8);
    assert_true(step(&r, "i32[2,2] 7 8 9 10", NULL));
    assert_int_equal(copied(&r), 16);
    check_tensor(state_of(&r), "i32[5,2] 1 2 3 4 5 6 7 8 9 10");
    runner_free(&r);
}

/* Results of earlier runs show the same buffer, and end before what is added. */
static void test_results_stay(void **state)
{
    runner r = runner_of_noted(CACHE APPEND SAVE "%out = Result-1(%new)\n");
    inlay_tensor *out[3];

    (void)state;
    set_state(&r, "i32[0,2]");
    assert_true(step(&r, "i32[1,2] 1 2", &out[0]));
    assert_true(step(&r, "i32[1,2] 3 4", &out[1]));
    assert_true(step(&r, "i32[1,2] 5 6", &out[2]));
    assert_int_equal(copied(&r), 8);
    check_tensor(out[0], "i32[1,2] 1 2");
    check_tensor(out[1], "i32[2,2] 1 2 3 4");
    check_tensor(out[2], "i32[3,2] 1 2 3 4 5 6");
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(out[i]);
    runner_free(&r);
}

/* A state is put back to what it was: the room behind it was given away, so it is copied. */
static void test_room_is_given_once(void **state)
{
    runner r = runner_of_noted(CACHE APPEND SAVE "%out = Result-1(%new)\n");
    inlay_tensor *out[4];

    (void)state;
    set_state(&r, "i32[1,2] 1 2");
    assert_true(step(&r, "i32[1,2] 3 4", &out[0]));
    assert_true(step(&r, "i32[1,2] 5 6", &out[1]));
    assert_true(inlay_session_set_variable(r.session, 0, out[0], r.diags));
    assert_true(step(&r, "i32[1,2] 7 8", &out[2]));
    assert_int_equal(copied(&r), 24);
    assert_true(step(&r, "i32[1,2] 9 10", &out[3]));
    assert_int_equal(copied(&r), 8);
    check_tensor(out[0], "i32[2,2] 1 2 3 4");
    check_tensor(out[1], "i32[3,2] 1 2 3 4 5 6");
    check_tensor(out[2], "i32[3,2] 1 2 3 4 7 8");
    check_tensor(out[3], "i32[4,2] 1 2 3 4 7 8 9 10");
    for (int i = 0; i < 4; i++)
        inlay_tensor_release(out[i]);
    runner_free(&r);
}

/* Two sessions have one state, and each goes on by itself. */
static void test_two_sessions(void **state)
{
    runner a = runner_of_noted(CACHE APPEND SAVE), b = runner_of_noted(CACHE APPEND SAVE);

    (void)state;
    set_state(&a, "i32[1,2] 1 2");
    assert_true(step(&a, "i32[1,2] 3 4", NULL));
    assert_true(inlay_session_set_variable(b.session, 0, state_of(&a), b.diags));
    assert_true(step(&b, "i32[1,2] 5 6", NULL));
    assert_true(step(&a, "i32[1,2] 7 8", NULL));
    check_tensor(state_of(&b), "i32[3,2] 1 2 3 4 5 6");
    check_tensor(state_of(&a), "i32[3,2] 1 2 3 4 7 8");
    assert_true(step(&b, "i32[1,2] 9 10", NULL));
    check_tensor(state_of(&b), "i32[4,2] 1 2 3 4 5 6 9 10");
    check_tensor(state_of(&a), "i32[3,2] 1 2 3 4 7 8");
    runner_free(&a);
    runner_free(&b);
}

/* A run that fails behind the Concat leaves the state as it was; the next one goes on from there.
 */
static void test_failed_run(void **state)
{
    runner r =
        runner_of_noted(CACHE APPEND SAVE "%q = Divide-1(%token, %token)\n"
                                          "%m = Multiply-1(%q, %new)\n%out = Result-1(%m)\n");
    inlay_tensor *out = NULL;

    (void)state;
    set_state(&r, "i32[1,2] 1 2");
    assert_false(step(&r, "i32[1,2] 0 4", &out));
    check_tensor(state_of(&r), "i32[1,2] 1 2");
    assert_true(step(&r, "i32[1,2] 3 4", &out));
    inlay_tensor_release(out);
    assert_false(step(&r, "i32[1,2] 5 0", &out));
    check_tensor(state_of(&r), "i32[2,2] 1 2 3 4");
    assert_true(step(&r, "i32[1,2] 5 6", &out));
    check_tensor(out, "i32[3,2] 1 2 3 4 5 6");
    check_tensor(state_of(&r), "i32[3,2] 1 2 3 4 5 6");
    inlay_tensor_release(out);
    runner_free(&r);
}

/* The old state is read when the new one is made; what is written over the new one would write over
 * the old one too, so the state is copied. */
static void test_old_state_is_read(void **state)
{
    runner r = runner_of_noted(CACHE APPEND SAVE
                               "%z = Const-1 {value = i64[] 0}\n%sum = ReduceSum-1(%new, %z)\n"
                               "%old = ReduceSum-1(%past, %z)\n%d = Subtract-1(%sum, %old)\n"
                               "%out = Result-1(%d)\n");
    runner w = runner_of_noted(
        CACHE APPEND "%z = Const-1 {value = i64[] 0}\n%at = Const-1 {value = i64[1] [0]}\n"
                     "%row = Const-1 {value = i32[1,2] [70, 80]}\n"
                     "%w = ScatterUpdate-3(%new, %at, %row, %z)\n"
                     "%d = Add-1(%past, %past)\n%out = Result-1(%d)\n"
                     "%save = Assign-6(%w) {variable_id = \"v\"}\n");

    (void)state;
    set_state(&r, "i32[0,2]");
    for (int i = 0; i < 3; i++)
        check_run(&r, OPERANDS("i32[1,2] 3 4"), OPERANDS("i32[2] 3 4"));
    set_state(&w, "i32[1,2] 1 2");
    check_run(&w, OPERANDS("i32[1,2] 3 4"), OPERANDS("i32[1,2] 2 4"));
    check_run(&w, OPERANDS("i32[1,2] 5 6"), OPERANDS("i32[2,2] 140 160 6 8"));
    check_run(&w, OPERANDS("i32[1,2] 7 8"), OPERANDS("i32[3,2] 140 160 6 8 10 12"));
    check_tensor(state_of(&w), "i32[4,2] 70 80 3 4 5 6 7 8");
    runner_free(&r);
    runner_free(&w);
}

/* A cache of fixed size loses its first row with each step, and is copied only where the room is
 * used up. */
static void test_rolling(void **state)
{
    runner r = runner_of_noted(CACHE "%one = Const-1 {value = i64[1] [1]}\n"
                                     "%end = Const-1 {value = i64[1] [9223372036854775807]}\n"
                                     "%young = Slice-8(%past, %one, %end, %one)\n"
                                     "%new = Concat-1(%young, %token) {axis = 0}\n" SAVE
                                     "%out = Result-1(%past)\n");
    inlay_tensor *out[4];

    (void)state;
    set_state(&r, "i32[3,2] 1 2 3 4 5 6");
    assert_true(step(&r, "i32[1,2] 7 8", &out[0]));
    assert_int_equal(copied(&r), 24);
    assert_true(step(&r, "i32[1,2] 9 10", &out[1]));
    assert_int_equal(copied(&r), 8);
    assert_true(step(&r, "i32[2,2] 11 12 13 14", &out[2]));
    assert_int_equal(copied(&r), 16);
    assert_true(step(&r, "i32[0,2]", &out[3]));
    check_tensor(out[0], "i32[3,2] 1 2 3 4 5 6");
    check_tensor(out[1], "i32[3,2] 3 4 5 6 7 8");
    check_tensor(out[2], "i32[3,2] 5 6 7 8 9 10");
    check_tensor(out[3], "i32[4,2] 7 8 9 10 11 12 13 14");
    check_tensor(state_of(&r), "i32[3,2] 9 10 11 12 13 14");
    for (int i = 0; i < 4; i++)
        inlay_tensor_release(out[i]);
    runner_free(&r);
}

/* However many bytes such a cache has, there is room for many rows when it is copied. */
static void test_rolling_sizes(void **state)
{
    static const int rows[] = {3, 500, 511, 512, 513, 600};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        runner r = runner_of_noted(CACHE "%one = Const-1 {value = i64[1] [1]}\n"
                                         "%end = Const-1 {value = i64[1] [9999]}\n"
                                         "%young = Slice-8(%past, %one, %end, %one)\n"
                                         "%new = Concat-1(%young, %token) {axis = 0}\n" SAVE);
        const int64_t dims[] = {rows[i], 2};
        inlay_tensor *first = inlay_tensor_new(INLAY_I32, 2, dims);
        int moved = 0;

        assert_true(inlay_session_set_variable(r.session, 0, first, r.diags));
        inlay_tensor_release(first);
        for (int k = 0; k < 1000; k++) {
            assert_true(step(&r, "i32[1,2] 3 4", NULL));
            moved += copied(&r) > 8;
        }
        if (moved > 3) /* 4 KiB are 512 rows */
            fail_msg("%d rows were moved in %d steps of 1000", rows[i], moved);
        runner_free(&r);
    }
}

/* What is put before the state, or beside its rows, moves it: all of it is copied. */
static void test_elsewhere(void **state)
{
    runner before = runner_of_noted(CACHE "%new = Concat-1(%token, %past) {axis = 0}\n" SAVE);
    runner beside = runner_of_noted(
        "%token = Parameter-1 {element_type = i32, shape = [2,1]}\n"
        "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [2,?]}\n"
        "%new = Concat-1(%past, %token) {axis = 1}\n" SAVE);
    runner twice = runner_of_noted(CACHE "%new = Concat-1(%past, %past, %token) {axis = 0}\n" SAVE);

    (void)state;
    set_state(&before, "i32[1,2] 1 2");
    set_state(&beside, "i32[2,1] 1 2");
    set_state(&twice, "i32[1,2] 1 2");
    assert_true(step(&before, "i32[1,2] 3 4", NULL) && step(&before, "i32[1,2] 5 6", NULL));
    check_tensor(state_of(&before), "i32[3,2] 5 6 3 4 1 2");
    assert_true(step(&beside, "i32[2,1] 3 4", NULL) && step(&beside, "i32[2,1] 5 6", NULL));
    check_tensor(state_of(&beside), "i32[2,3] 1 3 5 2 4 6");
    assert_true(step(&twice, "i32[1,2] 3 4", NULL) && step(&twice, "i32[1,2] 5 6", NULL));
    check_tensor(state_of(&twice), "i32[7,2] 1 2 1 2 3 4 1 2 1 2 3 4 5 6");
    assert_int_equal(copied(&twice), 24 + 8);
    runner_free(&before);
    runner_free(&beside);
    runner_free(&twice);
}

/* Several heads: there is room behind each of them. */
#define HEADS                                                                                      \
    "%token = Parameter-1 {element_type = i32, shape = [2,?,2]}\n"                                 \
    "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [2,?,2]}\n"
#define BEHIND "%new = Concat-1(%past, %token) {axis = 1}\n"
#define SUM                                                                                        \
    "%axis = Const-1 {value = i64[1] [1]}\n%sum = ReduceSum-1(%new, %axis)\n"                      \
    "%out = Result-1(%sum)\n"

/* A dense state of the caller is copied once; then only what is new. What the API shows is dense,
 * and stays as it was. */
static void test_heads(void **state)
{
    runner r = runner_of_noted(HEADS BEHIND SAVE SUM "%unused = Reshape-1(%new, %axis) "
                                                     "{special_zero = false}\n");
    inlay_tensor *held;

    (void)state;
    set_state(&r, "i32[2,1,2] 1 2 3 4");
    check_run(&r, OPERANDS("i32[2,1,2] 5 6 7 8"), OPERANDS("i32[2,2] 6 8 10 12"));
    assert_int_equal(copied(&r), 32);
    held = inlay_tensor_retain(state_of(&r));
    check_run(&r, OPERANDS("i32[2,2,2] 9 10 11 12 13 14 15 16"), OPERANDS("i32[2,2] 26 30 38 42"));
    assert_int_equal(copied(&r), 32);
    check_run(&r, OPERANDS("i32[2,0,2]"), OPERANDS("i32[2,2] 26 30 38 42"));
    assert_int_equal(copied(&r), 0);
    assert_true(inlay_tensor_is_dense(held) && inlay_tensor_is_dense(state_of(&r)));
    check_tensor(held, "i32[2,2,2] 1 2 5 6 3 4 7 8");
    check_tensor(state_of(&r), "i32[2,4,2] 1 2 5 6 9 10 11 12 3 4 7 8 13 14 15 16");
    assert_true(inlay_session_set_variable(r.session, 0, held, r.diags));
    check_run(&r, OPERANDS("i32[2,1,2] 1 1 1 1"), OPERANDS("i32[2,2] 7 9 11 13"));
    inlay_session_reset(r.session);
    assert_null(state_of(&r));
    inlay_tensor_release(held);
    runner_free(&r);
}

/* The room is used up, and the state moves to a buffer with more. */
static void test_heads_move(void **state)
{
    runner r = runner_of_noted(HEADS BEHIND SAVE SUM);
    int moved = 0;

    (void)state;
    set_state(&r, "i32[2,0,2]");
    for (int i = 1; i <= 600; i++) {
        char want[80];

        snprintf(want, sizeof want, "i32[2,2] %d %d %d %d", i, 2 * i, 3 * i, 4 * i);
        check_run(&r, OPERANDS("i32[2,1,2] 1 2 3 4"), OPERANDS(want));
        assert_true(copied(&r) == 16 || copied(&r) == 16 * (uint64_t)i);
        moved += i > 1 && copied(&r) > 16;
    }
    assert_true(moved == 2); /* with 257 and 514 rows */
    runner_free(&r);
}

/* A run that fails behind the Concat leaves the state as it was, and the room is gone. */
static void test_heads_fail(void **state)
{
    runner r = runner_of_noted(HEADS BEHIND SAVE "%x = Const-1 {value = i32[1] [12]}\n"
                                                 "%q = Divide-1(%x, %token)\n"
                                                 "%m = ReduceSum-1(%new, %axis)\n"
                                                 "%axis = Const-1 {value = i64[1] [1]}\n"
                                                 "%end = Result-1(%q)\n%out = Result-1(%m)\n");
    inlay_tensor *out[2] = {NULL};

    (void)state;
    set_state(&r, "i32[2,1,2] 1 2 3 4");
    assert_true(step(&r, "i32[2,1,2] 1 2 3 4", out));
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(out[i]);
    assert_false(step(&r, "i32[2,1,2] 0 5 6 7", out));
    check_tensor(state_of(&r), "i32[2,2,2] 1 2 1 2 3 4 3 4");
    assert_true(step(&r, "i32[2,1,2] 6 4 3 2", out));
    assert_int_equal(copied(&r), 48);
    check_tensor(out[1], "i32[2,2] 8 8 9 10");
    check_tensor(state_of(&r), "i32[2,3,2] 1 2 1 2 6 4 3 4 3 4 3 2");
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(out[i]);
    assert_true(step(&r, "i32[2,1,2] 1 1 1 1", out));
    assert_int_equal(copied(&r), 16);
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(out[i]);
    runner_free(&r);
}

/* A cache of fixed size of several heads. */
static void test_heads_roll(void **state)
{
    runner r = runner_of_noted(HEADS "%one = Const-1 {value = i64[1] [1]}\n"
                                     "%most = Const-1 {value = i64[1] [9999]}\n"
                                     "%young = Slice-8(%past, %one, %most, %one, %one)\n"
                                     "%new = Concat-1(%young, %token) {axis = 1}\n" SAVE SUM);
    uint64_t all = 0;

    (void)state;
    set_state(&r, "i32[2,3,2] 0 0 0 0 0 0 0 0 0 0 0 0");
    for (int i = 1; i <= 1000; i++) {
        char token[80], want[80];
        int n = i < 3 ? i : 3, sum = n * i - n * (n - 1) / 2;

        snprintf(token, sizeof token, "i32[2,1,2] %d %d %d %d", i, 2 * i, 3 * i, 4 * i);
        snprintf(want, sizeof want, "i32[2,2] %d %d %d %d", sum, 2 * sum, 3 * sum, 4 * sum);
        check_run(&r, OPERANDS(token), OPERANDS(want));
        all += copied(&r);
    }
    check_tensor(state_of(&r),
                 "i32[2,3,2] 998 1996 999 1998 1000 2000 2994 3992 2997 3996 3000 4000");
    assert_true(all < 1000 * 16 + 10 * 48); /* the room of 256 rows ends now and then */
    runner_free(&r);
}

/* The same, cut off behind the Concat by CUT: what is assigned is a window of what is joined, LEFT.
 */
static void check_roll_behind(const char *cut, const char *left)
{
    char text[1500];
    uint64_t all = 0;
    runner r;

    snprintf(text, sizeof text,
             "%s%s%%axis = Const-1 {value = i64[1] [1]}\n%s"
             "%%save = Assign-6(%s) {variable_id = \"v\"}\n"
             "%%sum = ReduceSum-1(%s, %%axis)\n%%out = Result-1(%%sum)\n",
             HEADS, BEHIND, cut, left, left);
    r = runner_of_noted(text);
    set_state(&r, "i32[2,3,2] 0 0 0 0 0 0 0 0 0 0 0 0");
    for (int i = 1; i <= 1000; i++) {
        char token[80], want[80];
        int n = i < 3 ? i : 3, sum = n * i - n * (n - 1) / 2;

        snprintf(token, sizeof token, "i32[2,1,2] %d %d %d %d", i, 2 * i, 3 * i, 4 * i);
        snprintf(want, sizeof want, "i32[2,2] %d %d %d %d", sum, 2 * sum, 3 * sum, 4 * sum);
        check_run(&r, OPERANDS(token), OPERANDS(want));
        all += copied(&r);
    }
    check_tensor(state_of(&r),
                 "i32[2,3,2] 998 1996 999 1998 1000 2000 2994 3992 2997 3996 3000 4000");
    assert_true(all < 1000 * 16 + 10 * 48);
    runner_free(&r);
}

static void test_roll_behind(void **state)
{
    (void)state;
    check_roll_behind("%one = Const-1 {value = i64[1] [1]}\n"
                      "%most = Const-1 {value = i64[1] [9999]}\n"
                      "%left = Slice-8(%new, %one, %most, %one, %axis)\n",
                      "%left");
    check_roll_behind("%lengths = Const-1 {value = i64[2] [1, -1]}\n"
                      "%parts:2 = VariadicSplit-1(%new, %axis, %lengths)\n",
                      "%parts:1");
}

/* The row that a Split cuts off is an output, once before it is joined and once behind. */
static void test_oldest_row_is_given(void **state)
{
    const char *const graphs[] = {
        HEADS "%axis = Const-1 {value = i64[1] [1]}\n%lengths = Const-1 {value = i64[2] [1, 2]}\n"
              "%parts:2 = VariadicSplit-1(%past, %axis, %lengths)\n"
              "%new = Concat-1(%parts:1, %token) {axis = 1}\n" SAVE "%old = Result-1(%parts:0)\n",
        HEADS BEHIND
        "%axis = Const-1 {value = i64[1] [1]}\n%lengths = Const-1 {value = i64[2] [1, 3]}\n"
        "%parts:2 = VariadicSplit-1(%new, %axis, %lengths)\n"
        "%save = Assign-6(%parts:1) {variable_id = \"v\"}\n%old = Result-1(%parts:0)\n"};

    (void)state;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        runner r = runner_of_noted(graphs[i]);

        set_state(&r, "i32[2,3,2] 1 2 3 4 5 6 7 8 9 10 11 12");
        check_run(&r, OPERANDS("i32[2,1,2] 13 14 15 16"), OPERANDS("i32[2,1,2] 1 2 7 8"));
        check_run(&r, OPERANDS("i32[2,1,2] 17 18 19 20"), OPERANDS("i32[2,1,2] 3 4 9 10"));
        check_run(&r, OPERANDS("i32[2,1,2] 21 22 23 24"), OPERANDS("i32[2,1,2] 5 6 11 12"));
        check_run(&r, OPERANDS("i32[2,1,2] 25 26 27 28"), OPERANDS("i32[2,1,2] 13 14 15 16"));
        check_tensor(state_of(&r), "i32[2,3,2] 17 18 21 22 25 26 19 20 23 24 27 28");
        runner_free(&r);
    }
}

/* A state that is cut off again; what comes behind %twice waits until the run knows how large %some
 * is. */
#define CUT_IN_SEGMENTS(past, note, cut, left, order)                                              \
    "%token = Parameter-1 {element_type = i32, shape = [2,1,2]}\n"                                 \
    "%first = Parameter-1 {element_type = i32, shape = [2,2,2]}\n"                                 \
    "%beam = Parameter-1 {element_type = i64, shape = [2]}\n"                                      \
    "%from = Parameter-1 {element_type = i64, shape = [1]}\n"                                      \
    "%past = ReadValue-6(%first) {variable_id = \"v\", variable_type = i32, "                      \
    "variable_shape = [2,2,2]}\n"                                                                  \
    "%zero = Const-1 {value = i64[] 0}\n%picked = Gather-8(%past, %beam, %zero)" note "\n"         \
    "%one = Const-1 {value = i64[1] [1]}\n%most = Const-1 {value = i64[1] [9999]}\n"               \
    "%axis = Const-1 {value = i64[1] [1]}\n"                                                       \
    "%some = Slice-8(%token, %from, %most, %one, %axis)\n%twice = Add-1(%some, %some)\n"           \
    "%new = Concat-1(%" past ", %token) {axis = 1}\n" cut "%save = Assign-6(%" left                \
    ") {variable_id = \"v\"}\n"                                                                    \
    "%sum = ReduceSum-1(%" left ", %axis)\n%out = Result-1(%sum)\n%end = Result-1(%twice)\n" order
#define IN_SEGMENTS(past, note, order)                                                             \
    CUT_IN_SEGMENTS(past, note, "%left = Slice-8(%new, %one, %most, %one, %axis)\n", "left", order)
#define SPLIT_IN_SEGMENTS(past, note, order)                                                       \
    CUT_IN_SEGMENTS(past, note,                                                                    \
                    "%lengths = Const-1 {value = i64[2] [1, 2]}\n"                                 \
                    "%left:2 = VariadicSplit-1(%new, %axis, %lengths)\n",                          \
                    "left:1", order)
#define INTO_NEW " : i32[2,2,2] into %new {}"

/* The bytes that a state is cut off leave the run with it, also where they are chosen in an earlier
 * segment: for all that is joined, or for the rows that will be its first part. */
static void test_roll_in_segments(void **state)
{
    const char *const graphs[] = {
        IN_SEGMENTS("past", "", "order %new before %some\norder %twice before %left\n"),
        IN_SEGMENTS("picked", INTO_NEW, "order %new before %some\norder %twice before %left\n"),
        IN_SEGMENTS("picked", INTO_NEW, "order %picked before %some\norder %twice before %new\n"),
        SPLIT_IN_SEGMENTS("past", "", "order %new before %some\norder %twice before %left\n"),
        SPLIT_IN_SEGMENTS("picked", INTO_NEW,
                          "order %new before %some\norder %twice before %left\n")};

    (void)state;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        runner r = runner_of(graphs[i], &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED});
        const char *const first = "i32[2,2,2] 1 2 3 4 5 6 7 8", *const beam = "i64[2] 0 1";

        check_run(&r, OPERANDS("i32[2,1,2] 9 10 11 12", first, beam, "i64[1] 0"),
                  OPERANDS("i32[2,2] 12 14 18 20", "i32[2,1,2] 18 20 22 24"));
        check_tensor(state_of(&r), "i32[2,2,2] 3 4 9 10 7 8 11 12");
        check_run(&r, OPERANDS("i32[2,1,2] 13 14 15 16", first, beam, "i64[1] 1"),
                  OPERANDS("i32[2,2] 22 24 26 28", "i32[2,0,2]"));
        check_tensor(state_of(&r), "i32[2,2,2] 9 10 13 14 11 12 15 16");
        runner_free(&r);
    }
}

/* Beams: rows of the state are picked by index before it grows. */
#define BEAMS(gather, index) BEAMS_BY(gather, index, "", "beam")
#define BEAMS_BY(gather, index, made, of)                                                          \
    "%token = Parameter-1 {element_type = i32, shape = [?,2,1,2]}\n"                               \
    "%beam = Parameter-1 {element_type = " index ", shape = [?]}\n"                                \
    "%all = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [?,2,?,2]}\n"  \
    "%zero = Const-1 {value = i64[] 0}\n" made "%past = " gather "(%all, %" of ", %zero)\n"        \
    "%new = Concat-1(%past, %token) {axis = 2}\n" SAVE "%axis = Const-1 {value = i64[1] [2]}\n"    \
    "%sum = ReduceSum-1(%new, %axis)\n%out = Result-1(%sum)\n"

/* Runs R with a TOKEN for the beams that INDEX names. Returns the bytes that were copied. */
static uint64_t beam(runner *r, const char *token, const char *index)
{
    inlay_tensor *in[2] = {tensor_of(token), tensor_of(index)}, *out = NULL;
    bool ok = inlay_session_run(r->session, (const inlay_tensor *const *)in, NULL, &out, r->diags);

    inlay_tensor_release(out);
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
    return ok ? copied(r) : UINT64_MAX;
}

#define TOKEN(a, b) "i32[2,2,1,2] " #a " " #a " " #a " " #a " " #b " " #b " " #b " " #b

/* What is converted is in order if the numbers are; what is computed otherwise is looked at by
 * nobody. */
static void test_beams_converted(void **state)
{
    static const struct {
        const char *body;
        uint64_t copied;
    } bodies[] = {
        {BEAMS_BY("Gather-8", "i32", "%far = Convert-1(%beam) {destination_type = i64}\n", "far"),
         32},
        {BEAMS_BY("Gather-8", "i64", "%far = Convert-1(%beam) {destination_type = i32}\n", "far"),
         32},
        {BEAMS_BY("Gather-8", "i64", "%far = Abs-1(%beam)\n", "far"), 64 + 32},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        runner r = runner_of_noted(bodies[i].body);
        bool wide = strstr(bodies[i].body, "{element_type = i64");
        const char *order = wide ? "i64[2] 0 1" : "i32[2] 0 1";

        set_state(&r, "i32[2,2,1,2] 1 1 1 1 2 2 2 2");
        assert_true(beam(&r, TOKEN(3, 4), order) < UINT64_MAX);
        assert_int_equal(beam(&r, TOKEN(5, 6), order), bodies[i].copied);
        assert_true(beam(&r, TOKEN(7, 8), wide ? "i64[2] 1 0" : "i32[2] 1 0") < UINT64_MAX);
        check_tensor(state_of(&r), "i32[2,2,4,2] 2 2 4 4 6 6 7 7 2 2 4 4 6 6 7 7 "
                                   "1 1 3 3 5 5 8 8 1 1 3 3 5 5 8 8");
        runner_free(&r);
    }
}

/* In their order nothing is copied but what is new. Else all rows are, to another buffer, in which
 * the next step goes on. An index that is out of range is an error, and changes nothing. */
static void test_beams(void **state)
{
    runner r = runner_of_noted(BEAMS("Gather-7", "i32"));
    inlay_tensor *before;

    (void)state;
    set_state(&r, "i32[2,2,1,2] 1 1 1 1 2 2 2 2");
    assert_int_equal(beam(&r, TOKEN(3, 4), "i32[2] 0 1"), 64); /* the state has no room yet */
    assert_int_equal(beam(&r, TOKEN(5, 6), "i32[2] 0 1"), 32);
    before = inlay_tensor_retain(state_of(&r));
    assert_int_equal(beam(&r, TOKEN(7, 8), "i32[2] 1 0"), 96 + 32);
    check_tensor(state_of(&r), "i32[2,2,4,2] 2 2 4 4 6 6 7 7 2 2 4 4 6 6 7 7 "
                               "1 1 3 3 5 5 8 8 1 1 3 3 5 5 8 8");
    assert_true(beam(&r, TOKEN(9, 9), "i32[2] 0 2") == UINT64_MAX);
    assert_true(beam(&r, TOKEN(9, 9), "i32[2] -3 1") == UINT64_MAX);
    assert_int_equal(beam(&r, TOKEN(1, 2), "i32[2] 0 1"), 32);
    assert_int_equal(beam(&r, TOKEN(3, 4), "i32[2] 1 1"), 160 + 32);
    check_tensor(state_of(&r), "i32[2,2,6,2] 1 1 3 3 5 5 8 8 2 2 3 3 1 1 3 3 5 5 8 8 2 2 3 3 "
                               "1 1 3 3 5 5 8 8 2 2 4 4 1 1 3 3 5 5 8 8 2 2 4 4");
    check_tensor(before, "i32[2,2,3,2] 1 1 3 3 5 5 1 1 3 3 5 5 2 2 4 4 6 6 2 2 4 4 6 6");
    inlay_tensor_release(before);
    runner_free(&r);
}

/* The state begins without rows, one beam becomes two, and two become one; indices of 64 bits. */
static void test_beams_change(void **state)
{
    runner r = runner_of_noted(BEAMS("Gather-8", "i64"));

    (void)state;
    set_state(&r, "i32[1,2,0,2]");
    assert_int_equal(beam(&r, "i32[1,2,1,2] 1 2 3 4", "i64[1] 0"), 16);
    assert_int_equal(beam(&r, "i32[1,2,1,2] 5 6 7 8", "i64[1] 0"), 16);
    assert_true(beam(&r, TOKEN(7, 8), "i64[2] 0 0") < UINT64_MAX);
    check_tensor(state_of(&r), "i32[2,2,3,2] 1 2 5 6 7 7 3 4 7 8 7 7 1 2 5 6 8 8 3 4 7 8 8 8");
    assert_int_equal(beam(&r, TOKEN(1, 2), "i64[2] 0 1"), 32);
    assert_true(beam(&r, "i32[1,2,1,2] 9 9 9 9", "i64[1] 1") < UINT64_MAX);
    check_tensor(state_of(&r), "i32[1,2,5,2] 1 2 5 6 8 8 2 2 9 9 3 4 7 8 8 8 2 2 9 9");
    /* counted from the end, it is the only row there is */
    assert_int_equal(beam(&r, "i32[1,2,1,2] 0 0 0 0", "i64[1] -1"), 16);
    inlay_session_reset(r.session);
    runner_free(&r);
}

/* Rows of the state are replaced, by a Parameter as well, before it grows: they are none that are
 * picked. */
static void test_replaced_rows(void **state)
{
    runner r = runner_of_noted(
        "%token = Parameter-1 {element_type = i32, shape = [1,?]}\n"
        "%row = Parameter-1 {element_type = i32, shape = [1,?]}\n"
        "%at = Parameter-1 {element_type = i64, shape = [?]}\n"
        "%all = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [1,?]}\n"
        "%axis = Const-1 {value = i64[] 1}\n%past = ScatterUpdate-3(%all, %at, %row, %axis)\n"
        "%new = Concat-1(%past, %token) {axis = 1}\n" SAVE "%shape = ShapeOf-3(%new)\n"
        "%out = Result-1(%shape)\n");

    (void)state;
    set_state(&r, "i32[1,1] 1");
    check_run(&r, OPERANDS("i32[1,1] 2", "i32[1,1] 3", "i64[1] 0"), OPERANDS("i64[2] 1 2"));
    check_tensor(state_of(&r), "i32[1,2] 3 2");
    check_run(&r, OPERANDS("i32[1,1] 4", "i32[1,2] 5 6", "i64[2] 0 1"), OPERANDS("i64[2] 1 3"));
    check_tensor(state_of(&r), "i32[1,3] 5 6 4");
    runner_free(&r);
}

/* A run that fails behind the Gather and the Concat. */
static void test_beams_fail(void **state)
{
    runner r = runner_of_noted(BEAMS("Gather-7", "i32") "%q = Divide-1(%token, %token)\n"
                                                        "%end = Result-1(%q)\n");
    const char *const orders[] = {"i32[2] 0 1", "i32[2] 1 0"};

    (void)state;
    set_state(&r, "i32[2,2,1,2] 1 1 1 1 2 2 2 2");
    for (int i = 0; i < 4; i++) {
        inlay_tensor *in[2] = {tensor_of(i < 2 ? TOKEN(0, 4) : TOKEN(3, 4)),
                               tensor_of(orders[i % 2])};
        inlay_tensor *out[2] = {NULL};

        assert_true(inlay_session_run(r.session, (const inlay_tensor *const *)in, NULL, out,
                                      r.diags) == (i >= 2));
        if (i < 2)
            check_tensor(state_of(&r), "i32[2,2,1,2] 1 1 1 1 2 2 2 2");
        for (int k = 0; k < 2; k++) {
            inlay_tensor_release(in[k]);
            inlay_tensor_release(out[k]);
        }
    }
    check_tensor(state_of(&r), "i32[2,2,3,2] 2 2 4 4 3 3 2 2 4 4 3 3 1 1 3 3 4 4 1 1 3 3 4 4");
    runner_free(&r);
}

/* Who reads dense elements only, takes the state out of the run, reshapes two heads into one, or
 * writes over it, would have it copied: the state is dense as before. */
static void test_dense_readers(void **state)
{
    const char *const reader[] = {
        "%n = Const-1 {value = i64[] 0}\n%s = CumSum-3(%new, %n)\n%out = Result-1(%new)\n",
        "%n = Const-1 {value = i64[1] [-1]}\n%s = Reshape-1(%new, %n) {special_zero = false}\n"
        "%m = Add-1(%s, %s)\n%out = Result-1(%m)\n",
        "%n = Const-1 {value = i64[] 1}\n%i = Const-1 {value = i64[1] [0]}\n"
        "%row = Const-1 {value = i32[2,1,2] [7, 7, 7, 7]}\n"
        "%s = ScatterUpdate-3(%new, %i, %row, %n)\n%m = Add-1(%s, %s)\n%out = Result-1(%m)\n"};

    (void)state;
    for (size_t i = 0; i < sizeof reader / sizeof *reader; i++) {
        char text[1500];
        runner r;
        inlay_tensor *out = NULL;

        snprintf(text, sizeof text, "%s%s", HEADS BEHIND SAVE, reader[i]);
        r = runner_of_noted(text);
        set_state(&r, "i32[2,1,2] 1 2 3 4");
        for (int k = 0; k < 3; k++) {
            assert_true(step(&r, "i32[2,1,2] 5 6 7 8", &out));
            assert_true(inlay_tensor_is_dense(out));
            inlay_tensor_release(out);
        }
        check_tensor(state_of(&r), "i32[2,4,2] 1 2 5 6 5 6 5 6 3 4 7 8 7 8 7 8");
        runner_free(&r);
    }
}

#define WHOLE                                                                                      \
    "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [1,1,3]}\n"   \
    "%one = Const-1 {value = i64[1] [1]}\n%zero = Const-1 {value = i64[1] [0]}\n"                  \
    "%most = Const-1 {value = i64[1] [9999]}\n%none = Const-1 {value = i64[0] []}\n"               \
    "%pads = Const-1 {value = i64[3] [0, 0, 0]}\n"                                                 \
    "%order = Const-1 {value = i64[3] [1, 0, 2]}\n%dims = Const-1 {value = i64[3] [1, 1, 3]}\n"

/* What comes first in the next state may have another form than the state, as long as its elements
 * stand one behind the other: it is the state in blocks, or flat. */
static void test_other_forms(void **state)
{
    static const char *const all[] = {
        "%new = SpaceToDepth-1(%past) {mode = blocks_first}\n",
        "%new = DepthToSpace-1(%past) {mode = depth_first}\n",
        "%new = ShuffleChannels-1(%past)\n",
        "%new = ReverseSequence-1(%past, %one) {batch_axis = 0, seq_axis = 1}\n",
        "%new = Reverse-1(%past, %none) {mode = index}\n",
        "%new = Transpose-1(%past, %order)\n",
        "%new = Reshape-1(%past, %dims) {special_zero = false}\n",
        "%new = Slice-8(%past, %zero, %most, %one)\n",
        "%new = Tile-1(%past, %one)\n",
        "%new = Pad-1(%past, %pads, %pads) {pad_mode = edge}\n",
        "%new = Roll-7(%past, %zero, %zero)\n",
        "%new = Gather-8(%past, %zero, %zero)\n",
        "%new = Concat-1(%past) {axis = 2}\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[2000];
        runner r;

        snprintf(text, sizeof text, "%s%s%s", WHOLE, all[i], SAVE "%out = Result-1(%past)\n");
        r = runner_of_noted(text);
        set_state(&r, "i32[1,1,3] 1 2 3");
        for (int k = 0; k < 3; k++)
            check_run(&r, OPERANDS(NULL), OPERANDS("i32[1,1,3] 1 2 3"));
        check_tensor(state_of(&r), "i32[1,1,3] 1 2 3");
        runner_free(&r);
    }
}

/* A variable of any shape gets its rows as one, and then goes on with that. What is added is all
 * that is copied, whatever the shape of the state was. */
static void test_flat(void **state)
{
    runner r = runner_of_noted(
        "%row = Parameter-1 {element_type = i32, shape = [?]}\n"
        "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [...]}\n"
        "%n = Const-1 {value = i64[1] [-1]}\n"
        "%flat = Reshape-1(%past, %n) {special_zero = false}\n"
        "%new = Concat-1(%flat, %row) {axis = 0}\n" SAVE "%out = Result-1(%past)\n");
    inlay_tensor *out;

    (void)state;
    set_state(&r, "i32[2,1] 1 2");
    check_run(&r, OPERANDS("i32[1] 3"), OPERANDS("i32[2,1] 1 2"));
    check_run(&r, OPERANDS("i32[2] 4 5"), OPERANDS("i32[3] 1 2 3"));
    assert_int_equal(copied(&r), 8);
    assert_true(step(&r, "i32[1] 6", &out));
    check_tensor(out, "i32[5] 1 2 3 4 5");
    check_tensor(state_of(&r), "i32[6] 1 2 3 4 5 6");
    inlay_tensor_release(out);
    runner_free(&r);
}

/* Two sessions append rows, fail, hold results, and take up states that they held, in any order.
 * Each row has a number of its own, so that a tensor is known by the list of its rows. */
enum { SESSIONS = 2, HELD = 6, MOST_ROWS = 60, STEPS = 60 };

struct rows {
    int n, row[MOST_ROWS];
};

struct play {
    uint64_t seed;
    rng random;
    runner r[SESSIONS];
    struct rows state[SESSIONS], of[HELD];
    inlay_tensor *held[HELD];
    int last;   /* row */
    bool rolls; /* each step drops the first row */
};

static void check_rows(const struct play *p, const inlay_tensor *t, const struct rows *l)
{
    bool same = t->dims[0] == l->n;

    for (int i = 0; same && i < l->n; i++)
        same = inlay_tensor_get_f64(t, 2 * i) == l->row[i] &&
               inlay_tensor_get_f64(t, 2 * i + 1) == -l->row[i];
    if (!same)
        fail_msg("seed %llu: a tensor of %d rows is another one", (unsigned long long)p->seed,
                 l->n);
}

static void check_all(const struct play *p)
{
    for (int i = 0; i < SESSIONS; i++)
        check_rows(p, state_of(&p->r[i]), &p->state[i]);
    for (int i = 0; i < HELD; i++) {
        if (p->held[i])
            check_rows(p, p->held[i], &p->of[i]);
    }
}

/* Appends N rows in session S. OUT receives the result; NULL: the run divides by 0, and fails. */
static void append(struct play *p, int s, int n, inlay_tensor **out)
{
    const int64_t dims[] = {n, 2};
    inlay_tensor *in = inlay_tensor_new(INLAY_I32, 2, dims), *all[2] = {NULL}, *by;
    struct rows l = p->state[s];

    by = tensor_of(out ? "i32[] 1" : "i32[] 0");
    if (p->rolls && l.n > 0)
        memmove(l.row, l.row + 1, (size_t)--l.n * sizeof *l.row);
    for (int i = 0; i < n; i++) {
        l.row[l.n++] = ++p->last;
        inlay_tensor_set_i64(in, 2 * i, p->last);
        inlay_tensor_set_i64(in, 2 * i + 1, -p->last);
    }
    assert_true(inlay_session_run(p->r[s].session, (const inlay_tensor *const[]){in, by}, NULL, all,
                                  p->r[s].diags) == (out != NULL));
    if (out) {
        p->state[s] = l;
        *out = all[1];
        inlay_tensor_release(all[0]);
    }
    inlay_tensor_release(in);
    inlay_tensor_release(by);
}

/* Makes one step: a session takes up what is held, or appends and lets it be held, or fails. */
static void make_step(struct play *p)
{
    int s = (int)rng_in(&p->random, 0, SESSIONS - 1), h = (int)rng_in(&p->random, 0, HELD - 1);
    int n = (int)rng_in(&p->random, 0, 3);
    inlay_tensor *out = NULL;

    if (p->held[h] && (rng_one_in(&p->random, 4) || p->state[s].n + n > MOST_ROWS)) {
        assert_true(inlay_session_set_variable(p->r[s].session, 0, p->held[h], p->r[s].diags));
        p->state[s] = p->of[h];
    }
    if (p->state[s].n + n > MOST_ROWS)
        return;
    if (rng_one_in(&p->random, 5)) {
        append(p, s, n, NULL);
        return;
    }
    append(p, s, n, &out);
    inlay_tensor_release(p->held[h]);
    p->held[h] = rng_one_in(&p->random, 2) ? out : NULL;
    p->of[h] = p->state[s];
    if (!p->held[h])
        inlay_tensor_release(out);
}

#define STEP(of)                                                                                   \
    "%token = Parameter-1 {element_type = i32, shape = [?,2]}\n"                                   \
    "%by = Parameter-1 {element_type = i32, shape = []}\n"                                         \
    "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [?,2]}\n"     \
    "%one = Const-1 {value = i64[1] [1]}\n%most = Const-1 {value = i64[1] [9999]}\n"               \
    "%young = Slice-8(%past, %one, %most, %one)\n"                                                 \
    "%new = Concat-1(%" of ", %token) {axis = 0}\n" SAVE                                           \
    "%x = Const-1 {value = i32[1] [1]}\n%q = Divide-1(%x, %by)\n"                                  \
    "%end = Result-1(%q)\n%out = Result-1(%new)\n"

static void play_seed(uint64_t seed)
{
    struct play p = {.seed = seed, .random = {seed}, .rolls = seed % 2};

    for (int i = 0; i < SESSIONS; i++) {
        p.r[i] = runner_of_noted(p.rolls ? STEP("young") : STEP("past"));
        set_state(&p.r[i], "i32[0,2]");
    }
    for (int i = 0; i < STEPS; i++) {
        make_step(&p);
        check_all(&p);
    }
    for (int i = 0; i < HELD; i++)
        inlay_tensor_release(p.held[i]);
    for (int i = 0; i < SESSIONS; i++)
        runner_free(&p.r[i]);
}

static void test_random_steps(void **state)
{
    const seed_range s = seeds_to_try(40, 10);

    (void)state;
    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        play_seed(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_is_new),
        cmocka_unit_test(test_results_stay),
        cmocka_unit_test(test_room_is_given_once),
        cmocka_unit_test(test_two_sessions),
        cmocka_unit_test(test_failed_run),
        cmocka_unit_test(test_old_state_is_read),
        cmocka_unit_test(test_rolling),
        cmocka_unit_test(test_rolling_sizes),
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_heads),
        cmocka_unit_test(test_heads_move),
        cmocka_unit_test(test_heads_fail),
        cmocka_unit_test(test_heads_roll),
        cmocka_unit_test(test_roll_behind),
        cmocka_unit_test(test_oldest_row_is_given),
        cmocka_unit_test(test_roll_in_segments),
        cmocka_unit_test(test_beams),
        cmocka_unit_test(test_beams_converted),
        cmocka_unit_test(test_beams_change),
        cmocka_unit_test(test_beams_fail),
        cmocka_unit_test(test_replaced_rows),
        cmocka_unit_test(test_dense_readers),
        cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_random_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
