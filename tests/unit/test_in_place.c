/* The conditions of writing in place that only a run can break: who owns the bytes, which bytes a
 * kernel writes, in which order, and whether it has looked before at everything that can be wrong.
 * Beside the files in tests/passes/in-place-windows; passes/inplace/CONDITIONS.md lists all
 * conditions with their tests. */
#include "graphs.h"
#include "ir/shared.h"
#include "passes/passes.h"

static const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .poison = true};

/* Returns BODY with the notes that in-place-windows makes; there must be N of them. */
static runner noted_of(const char *body, uint64_t n)
{
    inlay_pass_options o = {.passes = "in-place-windows", .check = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(body);
    uint64_t found = 0;

    if (!inlay_run_passes(g, &o, d))
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    for (const inlay_node *node = g->first; node; node = node->next) {
        for (int i = 0; i < node->n_out; i++)
            found += node->out[i].note != INLAY_FRESH;
    }
    assert_int_equal(found, n);
    inlay_diags_free(d);
    return runner_on(g, &planned);
}

/* O8: one element in memory stands for all rows of a tensor, so a write to one would be a write to
 * all. */

#define ROWS_BY_INDEX                                                                              \
    "%i = Const-1 {value = i64[1] [1]}\n"                                                          \
    "%u = Const-1 {value = i32[1,2] [8, 9]}\n"                                                     \
    "%axis = Const-1 {value = i64[] 0}\n"

static inlay_tensor *repeated_row(void)
{
    inlay_tensor *row = tensor_of("i32[1,2] 1 2");
    inlay_tensor *t = inlay_tensor_window(row, 2, (int64_t[]){3, 2}, (int64_t[]){0, 1}, 0);

    assert_non_null(t);
    inlay_tensor_release(row);
    return t;
}

static void test_repeated_input(void **state)
{
    runner r = noted_of("%data = Parameter-1 {element_type = i32, shape = [3,2]}\n" ROWS_BY_INDEX
                        "%r = ScatterUpdate-3(%data, %i, %u, %axis)\n%out = Result-1(%r)\n",
                        1);

    for (int donated = 0; donated < 2; donated++) {
        inlay_tensor *in = repeated_row(), *out[1];

        assert_true(inlay_session_run(r.session, (const inlay_tensor *const[]){in},
                                      (bool[]){donated}, out, r.diags));
        check_tensor(out[0], "i32[3,2] 1 2 8 9 1 2");
        assert_true(inlay_tensor_get_f64(in, 2) == 1 && inlay_tensor_get_f64(in, 3) == 2);
        assert_int_equal(stats_of(&r).copied_bytes, 24 + 8); /* data, updates */
        inlay_tensor_release(in);
        inlay_tensor_release(out[0]);
    }
    runner_free(&r);
}

static void test_repeated_state(void **state)
{
    runner r = noted_of("%old = ReadValue-6 {variable_id = \"v\", variable_type = i32, "
                        "variable_shape = [3,2]}\n" ROWS_BY_INDEX
                        "%r = ScatterUpdate-3(%old, %i, %u, %axis)\n"
                        "%save = Assign-6(%r) {variable_id = \"v\"}\n",
                        1);
    inlay_tensor *row = repeated_row();

    assert_true(inlay_session_set_variable(r.session, 0, row, r.diags));
    inlay_tensor_release(row);
    check_run(&r, OPERANDS(NULL), OPERANDS(NULL));
    check_tensor(inlay_session_variable(r.session, 0), "i32[3,2] 1 2 8 9 1 2");
    runner_free(&r);
}

/* O2 and 2.4: a view of somebody else's bytes is not written over either; the bytes are copied
 * first. */
static void test_view_of_a_kept_input(void **state)
{
    runner r = runner_of("%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                         "%b = Const-1 {value = i64[1] [1]}\n"
                         "%e = Const-1 {value = i64[1] [3]}\n"
                         "%x = Slice-8(%data, %b, %e, %b) : i32[2] view of %data\n"
                         "%y = Negative-1(%x) : i32[2] overwrites %x\n"
                         "%z = Add-1(%y, %y)\n"
                         "%out = Result-1(%z)\n",
                         &planned);
    inlay_tensor *in = tensor_of("i32[4] 1 2 3 4"), *out[1];

    for (int donated = 0; donated < 2; donated++) {
        assert_true(inlay_session_run(r.session, (const inlay_tensor *const[]){in},
                                      (bool[]){donated}, out, r.diags));
        check_tensor(out[0], "i32[2] -4 -6");
        check_tensor(in, donated ? "i32[4] 1 -2 -3 4" : "i32[4] 1 2 3 4");
        assert_int_equal(stats_of(&r).copied_bytes, donated ? 0 : 8);
        inlay_tensor_release(out[0]);
    }
    inlay_tensor_release(in);
    runner_free(&r);
}

/* 2.4: the first value of a variable is copied into it, not taken over. */
static void test_initial_value_is_not_adopted(void **state)
{
    runner r = noted_of("%init = Parameter-1 {element_type = i32, shape = [3]}\n"
                        "%old = ReadValue-6(%init) {variable_id = \"v\", variable_type = i32, "
                        "variable_shape = [3]}\n"
                        "%i = Const-1 {value = i64[1] [1]}\n"
                        "%u = Const-1 {value = i32[1] [9]}\n"
                        "%axis = Const-1 {value = i64[] 0}\n"
                        "%r = ScatterUpdate-3(%old, %i, %u, %axis)\n"
                        "%save = Assign-6(%r) {variable_id = \"v\"}\n",
                        1);
    inlay_tensor *in = tensor_of("i32[3] 1 2 3");

    for (int run = 0; run < 3; run++) {
        if (run == 2)
            inlay_session_reset(r.session);
        assert_true(inlay_session_run(r.session, (const inlay_tensor *const[]){in}, NULL,
                                      (inlay_tensor *[1]){NULL}, r.diags));
        check_tensor(in, "i32[3] 1 2 3");
        check_tensor(inlay_session_variable(r.session, 0), "i32[3] 1 9 3");
    }
    inlay_tensor_release(in);
    runner_free(&r);
}

/* O9: a scatter that fails has written nothing. In a variable a write would be undone anyway, but
 * nobody undoes a write to a donated input. */
static void check_untouched(const char *scatter, const char *const *rest, const char *why)
{
    char body[1024];
    inlay_tensor *in[3] = {tensor_of("i32[4] 1 2 3 4")}, *out[1], *was;
    runner r;

    snprintf(body, sizeof body,
             "%%data = Parameter-1 {element_type = i32, shape = [4]}\n"
             "%%u = Parameter-1 {element_type = i32, shape = [?]}\n"
             "%%i = Parameter-1 {element_type = i64, shape = [...]}\n"
             "%%axis = Const-1 {value = i64[] 0}\n"
             "%%one = Const-1 {value = i64[1] [1]}\n"
             "%%r = %s\n%%out = Result-1(%%r)\n",
             scatter);
    r = noted_of(body, 1);
    was = inlay_tensor_copy(in[0]);
    in[1] = tensor_of(rest[0]);
    in[2] = tensor_of(rest[1]);
    assert_false(inlay_session_run(r.session, (const inlay_tensor *const *)in,
                                   (bool[]){true, false, false}, out, r.diags));
    check_error(r.diags, INLAY_INVALID, why);
    assert_true(inlay_tensor_equal(in[0], was));
    inlay_tensor_release(was);
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(in[i]);
    runner_free(&r);
}

static void test_fails_before_writing(void **state)
{
    check_untouched("ScatterUpdate-3(%data, %i, %u, %axis)", OPERANDS("i32[2] 8 9", "i64[2] 0 4"),
                    "indices[1] is 4");
    check_untouched("ScatterElementsUpdate-12(%data, %i, %u, %axis)",
                    OPERANDS("i32[2] 8 9", "i64[2] 0 4"), "indices[1] is 4");
    check_untouched("ScatterElementsUpdate-12(%data, %i, %u, %axis) {reduction = \"mean\"}",
                    OPERANDS("i32[2] 8 9", "i64[2] 0 -5"), "indices[1] is -5");
    check_untouched("ScatterNDUpdate-15(%data, %i, %u)", OPERANDS("i32[2] 8 9", "i64[2,1] 0 4"),
                    "indices[1,0] is 4");
    check_untouched("ScatterNDUpdate-15(%data, %i, %u) {reduction = \"sum\"}",
                    OPERANDS("i32[3] 8 9 9", "i64[2,1] 0 1"), "updates");
    check_untouched("SliceScatter-15(%data, %u, %i, %i, %one)", OPERANDS("i32[2] 8 9", "i64[1] 1"),
                    "updates");
}

/* O11: one thread or several, the updates of one element happen in the order of their indices. */
static void test_order_of_duplicates(void **state)
{
    static const int threads[] = {1, 2, 4};

    for (int k = 0; k < 3; k++) {
        inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .threads = threads[k]};
        runner r = runner_of("%data = Parameter-1 {element_type = f32, shape = [3]}\n"
                             "%i = Const-1 {value = i64[4] [2, 0, 2, 2]}\n"
                             "%i2 = Const-1 {value = i64[4,1] [2, 0, 2, 2]}\n"
                             "%u = Const-1 {value = f32[4] [16777216, 5, 1, -16777216]}\n"
                             "%axis = Const-1 {value = i64[] 0}\n"
                             "%d = Abs-1(%data)\n"
                             "%e = Abs-1(%data)\n"
                             "%a = ScatterUpdate-3(%d, %i, %u, %axis) : f32[3] overwrites %d\n"
                             "%b = ScatterNDUpdate-15(%e, %i2, %u) {reduction = \"sum\"} : f32[3] "
                             "overwrites %e\n"
                             "%c = ScatterElementsUpdate-12(%a, %i, %u, %axis) : f32[3] "
                             "overwrites %a\n"
                             "%out_b = Result-1(%b)\n"
                             "%out_c = Result-1(%c)\n",
                             &o);

        /* 2^24 + 1 is 2^24 in f32: another order would leave the 1 */
        check_run(&r, OPERANDS("f32[3] 1 2 0"), OPERANDS("f32[3] 6 2 0", "f32[3] 5 2 -16777216"));
        assert_int_equal(stats_of(&r).in_place_writes, 3);
        runner_free(&r);
    }
}

/* O12: elements of half a byte, or of a bit, keep their values beside the window. */
static void test_windows_within_bytes(void **state)
{
    runner r = noted_of("%data = Parameter-1 {element_type = i4, shape = [9]}\n"
                        "%bits = Parameter-1 {element_type = u1, shape = [12]}\n"
                        "%b = Const-1 {value = i64[1] [1]}\n"
                        "%e = Const-1 {value = i64[1] [4]}\n"
                        "%u = Const-1 {value = i4[3] [-1, -2, -3]}\n"
                        "%v = Const-1 {value = u1[3] [1, 0, 1]}\n"
                        "%r = SliceScatter-15(%data, %u, %b, %e, %b)\n"
                        "%q = SliceScatter-15(%bits, %v, %b, %e, %b)\n"
                        "%out_r = Result-1(%r)\n"
                        "%out_q = Result-1(%q)\n",
                        2);

    check_run(&r, OPERANDS("i4[9] 1 2 3 4 5 6 7 0 1", "u1[12] 1 1 1 1 1 1 0 0 0 0 1 0"),
              OPERANDS("i4[9] 1 -1 -2 -3 5 6 7 0 1", "u1[12] 1 1 0 1 1 1 0 0 0 0 1 0"));
    assert_int_equal(stats_of(&r).in_place_writes, 2);
    runner_free(&r);
}

/* O14: the buffer of d lives as long as anything stands in it, also when d is long dead and other
 * buffers have come and gone (freed tensors are poisoned). */
static void test_buffer_outlives_its_owner(void **state)
{
    runner r = noted_of("%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                        "%b = Const-1 {value = i64[1] [1]}\n"
                        "%e = Const-1 {value = i64[1] [3]}\n"
                        "%u = Const-1 {value = i32[2] [8, 9]}\n"
                        "%one = Const-1 {value = i32[] 1}\n"
                        "%d = Negative-1(%data)\n"
                        "%r = SliceScatter-15(%d, %u, %b, %e, %b)\n"
                        "%x = Slice-8(%r, %b, %e, %b)\n"
                        "%t1 = Add-1(%data, %one)\n"
                        "%t2 = Add-1(%t1, %one)\n"
                        "%t3 = Add-1(%t2, %t2)\n"
                        "%t4 = Slice-8(%t3, %b, %e, %b)\n"
                        "%z = Add-1(%t4, %x)\n"
                        "%out = Result-1(%z)\n",
                        3);

    for (int i = 0; i < 2; i++) {
        check_run(&r, OPERANDS("i32[4] 1 2 3 4"), OPERANDS("i32[2] 16 19"));
        assert_int_equal(stats_of(&r).in_place_writes, 1);
    }
    runner_free(&r);
}

/* I7: whatever the number of elements is, the links of a chain write all elements of the window and
 * no other. */
static void check_tail(const char *type, int n, bool columns)
{
    char body[1024], shape[2][32];
    int rows = columns ? 3 : 1;
    inlay_tensor *in, *out[1];
    runner r;

    snprintf(shape[0], sizeof shape[0], columns ? "[3,%d]" : "[%d]", n + 2);
    snprintf(shape[1], sizeof shape[1], columns ? "[3,%d]" : "[%d]", n);
    snprintf(body, sizeof body,
             "%%data = Parameter-1 {element_type = %s, shape = %s}\n"
             "%%b = Const-1 {value = i64[1] [1]}\n%%e = Const-1 {value = i64[1] [%d]}\n"
             "%%axis = Const-1 {value = i64[1] [-1]}\n"
             "%%x = Slice-8(%%data, %%b, %%e, %%b, %%axis)\n"
             "%%y1 = Add-1(%%x, %%x)\n%%y = Negative-1(%%y1)\n"
             "%%r = SliceScatter-15(%%data, %%y, %%b, %%e, %%b, %%axis)\n%%out = Result-1(%%r)\n",
             type, shape[0], n + 1);
    r = noted_of(body, 4);
    in = inlay_tensor_new(r.graph->params[0]->out[0].fact.type, columns ? 2 : 1,
                          columns ? (int64_t[]){3, n + 2} : (int64_t[]){n + 2});
    for (int i = 0; i < rows * (n + 2); i++)
        inlay_tensor_set_f64(in, i, i % 50 + 1);
    assert_true(inlay_session_run(r.session, (const inlay_tensor *const[]){in}, (bool[]){true}, out,
                                  r.diags));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    for (int i = 0; i < rows * (n + 2); i++) {
        bool inside = i % (n + 2) != 0 && i % (n + 2) != n + 1;
        double was = i % 50 + 1;

        if (inlay_tensor_get_f64(out[0], i) != (inside ? -2 * was : was))
            fail_msg("%s, window of %d elements: element %d is %g", type, n, i,
                     inlay_tensor_get_f64(out[0], i));
    }
    inlay_tensor_release(in);
    inlay_tensor_release(out[0]);
    runner_free(&r);
}

static void test_tails(void **state)
{
    static const char *const types[] = {"f32", "f16", "bf16", "f64", "i8", "i16", "i32", "i64"};

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        for (int n = 1; n <= 40; n++) {
            check_tail(types[k], n, false);
            check_tail(types[k], n, true);
        }
        check_tail(types[k], 4099, false); /* more than a tile */
    }
}

/* 2.7: an index that is there twice must not have the chain applied twice: 1 * 10, not 10 * 10. */
static void test_gather_and_scatter_with_duplicates(void **state)
{
    runner r = noted_of("%data = Parameter-1 {element_type = i32, shape = [3]}\n"
                        "%i = Const-1 {value = i64[2] [1, 1]}\n"
                        "%axis = Const-1 {value = i64[] 0}\n"
                        "%ten = Const-1 {value = i32[] 10}\n"
                        "%x = Gather-8(%data, %i, %axis)\n"
                        "%y = Multiply-1(%x, %ten)\n"
                        "%r = ScatterUpdate-3(%data, %i, %y, %axis)\n"
                        "%out = Result-1(%r)\n",
                        1);

    check_run(&r, OPERANDS("i32[3] 7 1 7"), OPERANDS("i32[3] 7 10 7"));
    runner_free(&r);
}

/* 2.7: reductions over the data where they stand: [3, 2, 4] at 0, 0 and 2 with 4, 5 and 6. */
static void test_reductions_in_place(void **state)
{
    static const struct {
        const char *reduction, *with, *without;
    } cases[] = {{"sum", "f32[3] 12 2 10", "f32[3] 9 2 6"},
                 {"prod", "f32[3] 60 2 24", "f32[3] 20 2 6"},
                 {"min", "f32[3] 3 2 4", "f32[3] 4 2 6"},
                 {"max", "f32[3] 5 2 6", "f32[3] 5 2 6"},
                 {"mean", "f32[3] 4 2 5", "f32[3] 4.5 2 6"}};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int init = 0; init < 2; init++) {
            char body[1024];
            runner r;

            snprintf(body, sizeof body,
                     "%%data = Parameter-1 {element_type = f32, shape = [3]}\n"
                     "%%i = Const-1 {value = i64[3] [0, 0, 2]}\n"
                     "%%u = Const-1 {value = f32[3] [4, 5, 6]}\n"
                     "%%axis = Const-1 {value = i64[] 0}\n"
                     "%%d = Abs-1(%%data)\n"
                     "%%r = ScatterElementsUpdate-12(%%d, %%i, %%u, %%axis) {reduction = "
                     "\"%s\", use_init_val = %s}\n%%out = Result-1(%%r)\n",
                     cases[k].reduction, init ? "true" : "false");
            r = noted_of(body, 1);
            check_run(&r, OPERANDS("f32[3] 3 2 4"),
                      OPERANDS(init ? cases[k].with : cases[k].without));
            assert_int_equal(stats_of(&r).in_place_writes, 1);
            assert_int_equal(stats_of(&r).copied_bytes, 0);
            runner_free(&r);
        }
    }
}

/* The scatter is the last node of the graph, so no value is made behind it. */
static void test_last_node(void **state)
{
    char before[256] = "";

    for (int i = 0; i < 4; i++) {
        char body[1024];
        runner r;

        snprintf(body, sizeof body,
                 "%s%s%%data = Parameter-1 {element_type = i32, shape = [3,2]}\n"
                 "%%d = Abs-1(%%data)\n%%out = Result-1(%%r)\n"
                 "%%r = ScatterUpdate-3(%%d, %%i, %%u, %%axis)\n",
                 ROWS_BY_INDEX, before);
        r = noted_of(body, 1);
        check_run(&r, OPERANDS("i32[3,2] 1 2 3 4 5 6"), OPERANDS("i32[3,2] 1 2 8 9 5 6"));
        runner_free(&r);
        snprintf(before + strlen(before), sizeof before - strlen(before),
                 "%%unused%d = Const-1 {value = i32[] 1}\n", i);
    }
}

/* Every output of a Split, and a Slice that nobody writes back. */
static void test_views_by_themselves(void **state)
{
    runner r = noted_of("%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                        "%axis = Const-1 {value = i64[] 0}\n"
                        "%a:2 = Split-1(%data, %axis) {num_splits = 2}\n"
                        "%s = Subtract-1(%a:0, %a:1)\n%out = Result-1(%s)\n",
                        2);

    check_run(&r, OPERANDS("i32[4] 1 2 5 9"), OPERANDS("i32[2] -4 -7"));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    runner_free(&r);
    r = noted_of("%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                 "%b = Const-1 {value = i64[1] [1]}\n%e = Const-1 {value = i64[1] [3]}\n"
                 "%x = Slice-8(%data, %b, %e, %b)\n%y = Negative-1(%x)\n%out = Result-1(%y)\n",
                 1);
    check_run(&r, OPERANDS("i32[4] 1 2 5 9"), OPERANDS("i32[2] -2 -5"));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    runner_free(&r);
}

/* All of a long chain is computed in the window that it is written back to. */
static void test_long_chain(void **state)
{
    enum { LINKS = 201 };
    inlay_strbuf body = {0};
    runner r;

    inlay_strbuf_puts(&body, "%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                             "%d = Abs-1(%data)\n%b = Const-1 {value = i64[1] [1]}\n"
                             "%e = Const-1 {value = i64[1] [3]}\n%y0 = Slice-8(%d, %b, %e, %b)\n");
    for (int i = 0; i < LINKS; i++)
        inlay_strbuf_printf(&body, "%%y%d = Negative-1(%%y%d)\n", i + 1, i);
    inlay_strbuf_printf(&body, "%%r = SliceScatter-15(%%d, %%y%d, %%b, %%e, %%b)\n", LINKS);
    inlay_strbuf_puts(&body, "%out = Result-1(%r)\n");
    r = noted_of(body.bytes, 1 + LINKS + 1); /* the slice, the links, the scatter */
    check_run(&r, OPERANDS("i32[4] 1 2 5 9"), OPERANDS("i32[4] 1 -2 -5 9"));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    runner_free(&r);
    inlay_strbuf_free(&body);
}

/* A part of an input is a view though it is overwritten, if what is computed there cannot fail. */
static void test_part_of_an_input(void **state)
{
    runner r =
        noted_of("%data = Parameter-1 {element_type = i32, shape = [8]}\n"
                 "%one = Const-1 {value = i64[1] [1]}\n%two = Const-1 {value = i64[1] [2]}\n"
                 "%three = Const-1 {value = i64[1] [3]}\n%six = Const-1 {value = i64[1] [6]}\n"
                 "%x = Slice-8(%data, %two, %six, %one)\n%y = Slice-8(%x, %one, %three, %one)\n"
                 "%z = Negative-1(%y)\n%s = SliceScatter-15(%x, %z, %one, %three, %one)\n"
                 "%out = Result-1(%s)\n",
                 4);

    check_run(&r, OPERANDS("i32[8] 1 2 3 4 5 6 7 8"), OPERANDS("i32[4] 3 -4 -5 6"));
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_views_by_themselves),
                                       cmocka_unit_test(test_long_chain),
                                       cmocka_unit_test(test_part_of_an_input),
                                       cmocka_unit_test(test_last_node),
                                       cmocka_unit_test(test_repeated_input),
                                       cmocka_unit_test(test_repeated_state),
                                       cmocka_unit_test(test_view_of_a_kept_input),
                                       cmocka_unit_test(test_initial_value_is_not_adopted),
                                       cmocka_unit_test(test_fails_before_writing),
                                       cmocka_unit_test(test_order_of_duplicates),
                                       cmocka_unit_test(test_windows_within_bytes),
                                       cmocka_unit_test(test_buffer_outlives_its_owner),
                                       cmocka_unit_test(test_tails),
                                       cmocka_unit_test(test_gather_and_scatter_with_duplicates),
                                       cmocka_unit_test(test_reductions_in_place)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
