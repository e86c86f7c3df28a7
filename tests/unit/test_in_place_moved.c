/* Writing in place where a run moves rows or words of a buffer within it. */
#include "graphs.h"
#include "passes/passes.h"

/* O8: one element in memory stands for all rows of a tensor, so a write to one would be a write to
 * all. */

/* The words name only conditions that there are, and only those that a node breaks. */
static void test_words(void **state)
{
    inlay_graph *g = graph_of("%x = Parameter-1 {element_type = f32, shape = [1]}\n");
    inlay_decision d = {.condition = "O3 no-later-read", .by = g->first};

    assert_string_equal(inlay_decision_text(&d), "reads the old data after the write");
    d.condition = "B3 not-passed-through";
    assert_string_equal(inlay_decision_text(&d), "may hand it through to an output");
    d.condition = "O3";
    assert_string_equal(inlay_decision_text(&d), "");
    d.condition = NULL;
    assert_string_equal(inlay_decision_text(&d), "");
    d = (inlay_decision){.condition = "O3 no-later-read"};
    assert_string_equal(inlay_decision_text(&d), "");
    assert_string_equal(inlay_decision_text(NULL), "");
    inlay_graph_free(g);
}

/* O6: rows that are moved from and to where only the run knows. */
static void test_moved_in_the_run(void **state)
{
    runner r = runner_of_noted("%data = Parameter-1 {element_type = i32, shape = [6]}\n"
                               "%from = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%to = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%one = Const-1 {value = i64[1] [1]}\n"
                               "%three = Const-1 {value = i64[1] [3]}\n"
                               "%end = Add-1(%from, %three)\n%to_end = Add-1(%to, %three)\n"
                               "%d = Abs-1(%data)\n%x = Slice-8(%d, %from, %end, %one)\n"
                               "%r = SliceScatter-15(%d, %x, %to, %to_end, %one)\n"
                               "%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 0", "i64[1] 1"),
                OPERANDS("i32[6] 1 1 2 3 5 6"), 12);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 2", "i64[1] 1"),
                OPERANDS("i32[6] 1 3 4 5 5 6"), 12);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 1", "i64[1] 3"),
                OPERANDS("i32[6] 1 2 3 2 3 4"), 12);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 4", "i64[1] 4"),
                OPERANDS("i32[6] 1 2 3 4 5 6"), 0);
    check_run_fails(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 1", "i64[1] 4"), INLAY_INVALID,
                    "axis 0 is 3, it must be 2");
    runner_free(&r);
}

/* Rows that a Range names: forwards, back, far away. Where some of them count from the end they are
 * no distance away from what is written there; these updates are read first, which is a copy. */
static void test_rows_moved(void **state)
{
    runner r = runner_of_noted("%data = Parameter-1 {element_type = i32, shape = [6]}\n"
                               "%from = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%to = Parameter-1 {element_type = i64, shape = []}\n"
                               "%one = Const-1 {value = i64[1] [1]}\n"
                               "%next = Const-1 {value = i64[] 1}\n"
                               "%three = Const-1 {value = i64[] 3}\n"
                               "%end = Add-1(%from, %three)\n%to_end = Add-1(%to, %three)\n"
                               "%d = Abs-1(%data)\n%x = Slice-8(%d, %from, %end, %one)\n"
                               "%rows = Range-4(%to, %to_end, %next) {output_type = i64}\n"
                               "%tuples = Unsqueeze-1(%rows, %one)\n"
                               "%r = ScatterNDUpdate-15(%d, %tuples, %x)\n"
                               "%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 0", "i64[] 1"),
                OPERANDS("i32[6] 1 1 2 3 5 6"), 12);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 2", "i64[] 1"),
                OPERANDS("i32[6] 1 3 4 5 5 6"), 12);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 0", "i64[] 3"),
                OPERANDS("i32[6] 1 2 3 1 2 3"), 12);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 3", "i64[] 3"),
                OPERANDS("i32[6] 1 2 3 4 5 6"), 0);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 0", "i64[] -3"),
                OPERANDS("i32[6] 1 2 3 1 2 3"), 12);
    check_noted(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 0", "i64[] -2"),
                OPERANDS("i32[6] 3 2 3 4 1 2"), 24);
    check_run_fails(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 0", "i64[] 4"), INLAY_INVALID,
                    "axis 0 has 6 elements");
    runner_free(&r);
}

/* Rows that are known, one behind the other: of a matrix, and of one that lies turned round, whose
 * updates are read first. */
static void test_known_rows_moved(void **state)
{
    static const char form[] = "%%data = Parameter-1 {element_type = i32, shape = [4,2]}\n"
                               "%%b = Const-1 {value = i64[1] [0]}\n"
                               "%%e = Const-1 {value = i64[1] [3]}\n"
                               "%%one = Const-1 {value = i64[1] [1]}\n"
                               "%%axis = Const-1 {value = i64[] 0}\n"
                               "%%rows = Const-1 {value = i64[3] [%s]}\n"
                               "%%d = Abs-1(%%data)\n%%x = Slice-8(%%d, %%b, %%e, %%one)\n"
                               "%%r = ScatterUpdate-3(%%d, %%rows, %%x, %%axis)\n"
                               "%%out = Result-1(%%r)\n";
    static const struct {
        const char *rows, *out;
        unsigned bytes;
    } cases[] = {{"1, 2, 3", "i32[4,2] 1 2 1 2 3 4 5 6", 24},
                 {"0, 1, 2", "i32[4,2] 1 2 3 4 5 6 7 8", 0},
                 {"3, 2, 1", "i32[4,2] 1 2 5 6 3 4 1 2", 48},
                 {"3, 0, 1", "i32[4,2] 3 4 5 6 5 6 1 2", 48}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[sizeof form + 16];
        runner r;

        snprintf(body, sizeof body, form, cases[i].rows);
        r = runner_of_noted(body);
        check_noted(&r, OPERANDS("i32[4,2] 1 2 3 4 5 6 7 8"), OPERANDS(cases[i].out),
                    cases[i].bytes);
        runner_free(&r);
    }
}

/* Rows of a state are saved before others are moved over them. Where there is too little memory for
 * that the run fails, and the state is as it was. */
static void test_rows_of_a_state_moved(void **state)
{
    static const char body[] =
        "variable \"v\" : i32[4,2]\n"
        "%b = Const-1 {value = i64[1] [0]}\n%e = Const-1 {value = i64[1] [3]}\n"
        "%one = Const-1 {value = i64[1] [1]}\n%axis = Const-1 {value = i64[] 0}\n"
        "%rows = Const-1 {value = i64[3] [1, 2, 3]}\n"
        "%zero = Const-1 {value = i32[4,2] [1, 2, 3, 4, 5, 6, 7, 8]}\n"
        "%d = ReadValue-6(%zero) {variable_id = \"v\", variable_type = i32, variable_shape = "
        "[4,2]} : i32[4,2]\n"
        "%x = Slice-8(%d, %b, %e, %one) : i32[3,2] view of %d\n"
        "%r = ScatterUpdate-3(%d, %rows, %x, %axis) : i32[4,2] overwrites %d\n"
        "%save = Assign-6(%r) {variable_id = \"v\"}\n";
    int failed = 0;

    for (uint64_t most = 32; most < 2000; most += 8) {
        inlay_diags *d = inlay_diags_new();
        inlay_graph *g = graph_of(body);
        inlay_program *p = inlay_compile(
            g, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .max_memory = most}, d);
        inlay_session *s = p ? inlay_session_new(p, d) : NULL;

        if (s && inlay_session_run(s, NULL, NULL, NULL, d)) { /* a constant is copied first */
            bool ok = inlay_session_run(s, NULL, NULL, NULL, d);

            check_tensor(inlay_session_variable(s, 0),
                         ok ? "i32[4,2] 1 2 1 2 1 2 3 4" : "i32[4,2] 1 2 1 2 3 4 5 6");
            failed += !ok;
        }
        inlay_session_free(s);
        inlay_program_free(p);
        inlay_graph_free(g);
        inlay_diags_free(d);
    }
    assert_true(failed > 0);
}

/* The same within a tensor that is seen backwards: they must not be copied in the order of a
 * forward one. */
static void test_moved_backwards(void **state)
{
    runner r = runner_of_noted("%data = Parameter-1 {element_type = i32, shape = [6]}\n"
                               "%from = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%to = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%one = Const-1 {value = i64[1] [1]}\n"
                               "%back = Const-1 {value = i64[1] [-1]}\n"
                               "%least = Const-1 {value = i64[1] [-100]}\n"
                               "%three = Const-1 {value = i64[1] [3]}\n"
                               "%end = Add-1(%from, %three)\n%to_end = Add-1(%to, %three)\n"
                               "%d = Abs-1(%data)\n%m = Slice-8(%d, %back, %least, %back)\n"
                               "%x = Slice-8(%m, %from, %end, %one)\n"
                               "%w = SliceScatter-15(%m, %x, %to, %to_end, %one)\n"
                               "%r = SliceScatter-15(%d, %w, %back, %least, %back)\n"
                               "%out = Result-1(%r)\n");

    check_run(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 0", "i64[1] 1"),
              OPERANDS("i32[6] 1 2 4 5 6 6"));
    check_run(&r, OPERANDS("i32[6] 1 2 3 4 5 6", "i64[1] 2", "i64[1] 1"),
              OPERANDS("i32[6] 1 2 2 3 4 6"));
    runner_free(&r);
}

/* I1: updates as large as the data are all of it, or the run fails and leaves the data as they
 * were.
 */
static void test_all_is_written(void **state)
{
    runner r = runner_of_noted("%old = ReadValue-6 {variable_id = \"v\", variable_type = i32, "
                               "variable_shape = [?]}\n"
                               "%b = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%e = Const-1 {value = i64[1] [4]}\n"
                               "%s = Const-1 {value = i64[1] [1]}\n%y = Negative-1(%old)\n"
                               "%r = SliceScatter-15(%old, %y, %b, %e, %s)\n"
                               "%save = Assign-6(%r) {variable_id = \"v\"}\n");
    inlay_tensor *four = tensor_of("i32[4] 1 2 3 4"), *five = tensor_of("i32[5] 1 2 3 4 5");

    assert_true(inlay_session_set_variable(r.session, 0, four, r.diags));
    /* FOUR is kept, and what is written over until the run has succeeded */
    check_noted(&r, OPERANDS("i64[1] 0"), OPERANDS(NULL), 16 + 16);
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] -1 -2 -3 -4");
    check_noted(&r, OPERANDS("i64[1] -9"), OPERANDS(NULL), 16);
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 1 2 3 4");
    check_run_fails(&r, OPERANDS("i64[1] 1"), INLAY_INVALID, "axis 0");
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 1 2 3 4");
    assert_true(inlay_session_set_variable(r.session, 0, five, r.diags));
    check_run_fails(&r, OPERANDS("i64[1] 0"), INLAY_INVALID, "axis 0");
    check_tensor(inlay_session_variable(r.session, 0), "i32[5] 1 2 3 4 5");
    inlay_tensor_release(four);
    inlay_tensor_release(five);
    runner_free(&r);
}

/* N: a Concat of many values has all of them computed in their parts. */
static void test_many_parts(void **state)
{
    enum { MANY = 1000 };
    inlay_strbuf body = {0}, list = {0}, want = {0};
    runner r;

    inlay_strbuf_puts(&body, "%x = Parameter-1 {element_type = i32, shape = [1]}\n");
    inlay_strbuf_printf(&want, "i32[%d]", MANY);
    for (int i = 0; i < MANY; i++) {
        inlay_strbuf_printf(&body, "%%b%d = Const-1 {value = i32[1] [%d]}\n", i, i);
        inlay_strbuf_printf(&body, "%%a%d = Add-1(%%x, %%b%d)\n", i, i);
        inlay_strbuf_printf(&list, "%s%%a%d", i > 0 ? ", " : "", i);
        inlay_strbuf_printf(&want, " %d", i + 7);
    }
    inlay_strbuf_printf(&body, "%%c = Concat-1(%s) {axis = 0}\n%%out = Result-1(%%c)\n",
                        list.bytes);
    r = runner_of_noted(body.bytes);
    check_noted(&r, OPERANDS("i32[1] 7"), OPERANDS(want.bytes), 0);
    runner_free(&r);
    inlay_strbuf_free(&body);
    inlay_strbuf_free(&list);
    inlay_strbuf_free(&want);
}

/* N15: a tower of Concats, whose storeys others read, has its lower storeys in the higher ones, but
 * for two of them, which are copied, as is the element that each storey adds. */
static void test_nested_at_most(void **state)
{
    enum { STOREYS = 60, ABOVE = 24, ONE = STOREYS - 1 - ABOVE - 1, OTHER = ONE - ABOVE - 1 };
    inlay_strbuf body = {0};
    runner r;

    (void)state;
    inlay_strbuf_puts(&body, "%x = Parameter-1 {element_type = i32, shape = [1]}\n"
                             "%axis = Const-1 {value = i64[1] [0]}\n"
                             "%s0 = Const-1 {value = i32[] 0}\n"
                             "%v0 = Concat-1(%x, %x) {axis = 0}\n");
    for (int i = 1; i < STOREYS; i++)
        inlay_strbuf_printf(&body,
                            "%%v%d = Concat-1(%%v%d, %%x) {axis = 0}\n"
                            "%%a%d = ReduceSum-1(%%v%d, %%axis) {keep_dims = false}\n"
                            "%%s%d = Add-1(%%s%d, %%a%d)\n",
                            i, i - 1, i, i, i, i - 1, i);
    inlay_strbuf_printf(&body, "%%end = Result-1(%%s%d)\n", STOREYS - 1);
    r = runner_of_noted(body.bytes);
    /* 7 times the sum of 3 to 61 */
    check_noted(&r, OPERANDS("i32[1] 7"), OPERANDS("i32[] 13216"),
                sizeof(int32_t) * (STOREYS + 1 + ONE + 2 + OTHER + 2));
    runner_free(&r);
    inlay_strbuf_free(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_moved_in_the_run),
                                       cmocka_unit_test(test_rows_moved),
                                       cmocka_unit_test(test_known_rows_moved),
                                       cmocka_unit_test(test_rows_of_a_state_moved),
                                       cmocka_unit_test(test_moved_backwards),
                                       cmocka_unit_test(test_all_is_written),
                                       cmocka_unit_test(test_many_parts),
                                       cmocka_unit_test(test_nested_at_most)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
