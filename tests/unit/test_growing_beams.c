/* States that grow in their buffers and whose beams change places: see test_growing_states.c. */
#include "growing.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roll_in_segments), cmocka_unit_test(test_beams),
        cmocka_unit_test(test_beams_converted),  cmocka_unit_test(test_beams_change),
        cmocka_unit_test(test_beams_fail),       cmocka_unit_test(test_replaced_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
