/* States that grow in their buffers (interp/exec/build/state_growth.c): what is added is all that is copied, and
 * nobody who holds a tensor of before ever finds it changed. The expected elements were written by
 * hand. */
#include "growing.h"

static void test_only_what_is_new(void **state)
{
    runner r = runner_of_noted(CACHE APPEND SAVE);

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

/* The peak is the buffer, of twice the bytes that were filled when it was made; in the step that
 * finds it full it is that and the next one, since a run that fails must leave the old state. The
 * first state follows one without elements, and gets no room. */
static void test_peak(void **state)
{
    enum { TOKEN = 4096 };
    runner r = runner_of_noted(CACHE APPEND SAVE);
    inlay_tensor *in = inlay_tensor_new(INLAY_I32, 2, (int64_t[]){TOKEN / 8, 2});
    uint64_t buffer = 0;

    set_state(&r, "i32[0,2]");
    for (uint64_t filled = TOKEN; filled <= (uint64_t)40 * TOKEN; filled += TOKEN) {
        uint64_t was = buffer;

        buffer = buffer == 0 ? TOKEN : filled > buffer ? 2 * filled : buffer;
        assert_true(
            inlay_session_run(r.session, (const inlay_tensor *const[]){in}, NULL, NULL, r.diags));
        assert_int_equal(stats_of(&r).peak_bytes, was == buffer ? buffer : was + buffer);
        assert_int_equal(copied(&r), was == buffer ? TOKEN : filled);
    }
    inlay_tensor_release(in);
    runner_free(&r);
}

/* Results of earlier runs show the same buffer, and end before what is added. */
static void test_results_stay(void **state)
{
    runner r = runner_of_noted(CACHE APPEND SAVE "%out = Result-1(%new)\n");
    inlay_tensor *out[3];

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_is_new),
        cmocka_unit_test(test_peak),
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
        cmocka_unit_test(test_dense_readers),
        cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_flat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
