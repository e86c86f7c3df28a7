/* Outputs in the caller's tensors, in both executors: the elements are those that a run without
 * these tensors gives, whatever the tensors share with inputs and states; and runs that are
 * cancelled. */
#include "graphs.h"
#include "ir/shared.h"
#include "passes/passes.h"

static const inlay_exec_mode modes[] = {INLAY_EXEC_REFERENCE, INLAY_EXEC_PLANNED};

static runner run_of(const char *body, int mode)
{
    return runner_of(body, &(inlay_exec_options){.mode = modes[mode], .poison = true});
}

static void bind(runner *r, int i, inlay_tensor *t)
{
    if (!inlay_session_bind_output(r->session, i, t, r->diags))
        fail_msg("%s", inlay_diags_at(r->diags, 0)->text);
}

static void run(runner *r, const inlay_tensor *const *in, inlay_tensor **out)
{
    inlay_diags_clear(r->diags);
    if (!inlay_session_run(r->session, in, NULL, out, r->diags))
        fail_msg("%s", inlay_diags_at(r->diags, 0)->text);
}

static uint64_t copied(const runner *r)
{
    inlay_exec_stats s;

    inlay_session_stats(r->session, &s);
    return s.copied_bytes;
}

#define CHAIN                                                                                      \
    "%x = Parameter-1 {element_type = i32, shape = [3]}\n"                                         \
    "%n = Negative-1(%x)\n%s = Add-1(%n, %x)\n%t = Add-1(%s, %n)\n"                                \
    "%out = Result-1(%t)\n%same = Result-1(%x)\n"

/* t = x - x - x; the planned executor computes it in the tensor and copies nothing. */
static void test_own_tensor(void **state)
{
    for (int mode = 0; mode < 2; mode++) {
        runner r = run_of(CHAIN, mode);
        inlay_tensor *x = tensor_of("i32[3] 1 2 3"), *t = tensor_of("i32[3] 9 9 9"), *out[2];

        bind(&r, 0, t);
        for (int i = 0; i < 3; i++) {
            run(&r, (const inlay_tensor *const[]){x}, out);
            assert_ptr_equal(out[0]->data, t->data);
            check_tensor(t, "i32[3] -1 -2 -3");
            check_tensor(out[1], "i32[3] 1 2 3");
            assert_int_equal(copied(&r), mode == 0 ? 12 : 0);
            inlay_tensor_release(out[0]);
            inlay_tensor_release(out[1]);
        }
        bind(&r, 0, NULL);
        run(&r, (const inlay_tensor *const[]){x}, out);
        assert_ptr_not_equal(out[0]->data, t->data);
        inlay_tensor_release(out[0]);
        inlay_tensor_release(out[1]);
        inlay_tensor_release(t);
        inlay_tensor_release(x);
        runner_free(&r);
    }
}

/* The output is bound to the input itself. The other output is that input, as it was. */
static void test_tensor_of_an_input(void **state)
{
    for (int mode = 0; mode < 2; mode++) {
        runner r = run_of(CHAIN, mode);
        inlay_tensor *x = tensor_of("i32[3] 1 2 3"), *out[2];

        bind(&r, 0, x);
        run(&r, (const inlay_tensor *const[]){x}, out);
        check_tensor(x, "i32[3] -1 -2 -3");
        check_tensor(out[1], "i32[3] 1 2 3");
        inlay_tensor_release(out[0]);
        inlay_tensor_release(out[1]);
        inlay_tensor_release(x);
        runner_free(&r);
    }
}

/* Two outputs change places, and one output lies half over an input. */
static void test_tensors_that_overlap(void **state)
{
    for (int mode = 0; mode < 2; mode++) {
        runner r = run_of("%x = Parameter-1 {element_type = i32, shape = [3]}\n"
                          "%y = Parameter-1 {element_type = i32, shape = [3]}\n"
                          "%a = Result-1(%y)\n%b = Result-1(%x)\n",
                          mode),
               q = run_of(CHAIN, mode);
        inlay_tensor *all = tensor_of("i32[6] 1 2 3 4 5 6"), *out[2];
        inlay_tensor *first = inlay_tensor_window(all, 1, (int64_t[]){3}, (int64_t[]){1}, 0);
        inlay_tensor *second = inlay_tensor_window(all, 1, (int64_t[]){3}, (int64_t[]){1}, 3);
        inlay_tensor *middle = inlay_tensor_window(all, 1, (int64_t[]){3}, (int64_t[]){1}, 1);
        inlay_tensor *back = inlay_tensor_window(all, 1, (int64_t[]){3}, (int64_t[]){-1}, 5);

        bind(&r, 0, first);
        bind(&r, 1, second);
        run(&r, (const inlay_tensor *const[]){first, second}, out);
        check_tensor(all, "i32[6] 4 5 6 1 2 3");
        inlay_tensor_release(out[0]);
        inlay_tensor_release(out[1]);
        bind(&q, 0, middle);
        run(&q, (const inlay_tensor *const[]){first}, out);
        check_tensor(all, "i32[6] 4 -4 -5 -6 2 3");
        check_tensor(out[1], "i32[3] 4 5 6");
        inlay_tensor_release(out[0]);
        inlay_tensor_release(out[1]);
        bind(&q, 0, back); /* from its end */
        run(&q, (const inlay_tensor *const[]){first}, out);
        check_tensor(all, "i32[6] 4 -4 -5 5 4 -4");
        inlay_tensor_release(out[0]);
        inlay_tensor_release(out[1]);
        inlay_tensor_release(all);
        inlay_tensor_release(first);
        inlay_tensor_release(second);
        inlay_tensor_release(middle);
        inlay_tensor_release(back);
        runner_free(&r);
        runner_free(&q);
    }
}

/* The new state is the very value of the output, and is not lost when the caller's bytes change. */
static void test_state_stands_apart(void **state)
{
    for (int mode = 0; mode < 2; mode++) {
        runner r = run_of("%zero = Const-1 {value = i32[2] [0, 0]}\n"
                          "%x = Parameter-1 {element_type = i32, shape = [2]}\n"
                          "%old = ReadValue-6(%zero) {variable_id = \"v\", variable_type = i32, "
                          "variable_shape = [2]}\n"
                          "%new = Add-1(%old, %x)\n"
                          "%save = Assign-6(%new) {variable_id = \"v\"}\n"
                          "%out = Result-1(%new)\n",
                          mode);
        inlay_tensor *x = tensor_of("i32[2] 1 2"), *t = tensor_of("i32[2] 0 0"), *out[1];

        bind(&r, 0, t);
        for (int i = 1; i <= 3; i++) {
            run(&r, (const inlay_tensor *const[]){x}, out);
            assert_int_equal(inlay_tensor_get_i64(t, 1), 2 * i);
            inlay_tensor_set_i64(t, 1, -1);
            inlay_tensor_release(out[0]);
        }
        check_tensor(inlay_session_variable(r.session, 0), "i32[2] 3 6");
        inlay_tensor_release(x);
        inlay_tensor_release(t);
        runner_free(&r);
    }
}

/* A tensor does not fit a size that is known only in the run: the run fails, and the state is the
 * old one. */
static void test_size_that_does_not_fit(void **state)
{
    for (int mode = 0; mode < 2; mode++) {
        runner r = run_of("%x = Parameter-1 {element_type = i32, shape = [?]}\n"
                          "%y = Negative-1(%x)\n%out = Result-1(%y)\n",
                          mode);
        inlay_tensor *t = tensor_of("i32[2] 0 0"), *out[1];
        inlay_tensor *two = tensor_of("i32[2] 1 2"), *three = tensor_of("i32[3] 1 2 3");

        bind(&r, 0, t);
        run(&r, (const inlay_tensor *const[]){two}, out);
        check_tensor(t, "i32[2] -1 -2");
        inlay_tensor_release(out[0]);
        assert_false(
            inlay_session_run(r.session, (const inlay_tensor *const[]){three}, NULL, out, r.diags));
        check_error(r.diags, INLAY_INVALID,
                    "\"out\" (Result-1): the output is i32[3], the tensor that is bound to it "
                    "i32[2]");
        assert_null(out[0]);
        inlay_tensor_release(two);
        inlay_tensor_release(three);
        inlay_tensor_release(t);
        runner_free(&r);
    }
}

static void check_refused(runner *r, int i, inlay_tensor *t, const char *why)
{
    inlay_diags_clear(r->diags);
    assert_false(inlay_session_bind_output(r->session, i, t, r->diags));
    check_error(r->diags, INLAY_INVALID, why);
}

static void test_refused_tensors(void **state)
{
    runner r = run_of("%x = Parameter-1 {element_type = i32, shape = [2]}\n"
                      "%c = Const-1 {value = i32[2] [1, 2]}\n%y = Add-1(%x, %c)\n"
                      "%out = Result-1(%y)\n%second = Result-1(%c)\n",
                      1);
    inlay_tensor *x = tensor_of("i32[2] 1 2"), *t = tensor_of("i32[2] 0 0"), *out[2];
    inlay_tensor *wrong = tensor_of("f32[2] 0 0");

    run(&r, (const inlay_tensor *const[]){x}, out);
    check_refused(&r, 0, wrong, "the tensor for this output has type f32, i32 is wanted");
    check_refused(&r, 0, out[1], "the bytes of the tensor for this output are read-only");
    bind(&r, 0, t);
    check_refused(&r, 1, t, "the tensor for this output shares bytes with that for \"out\"");
    check_refused(&r, 2, t, "there is no output 2, the graph has 2");
    inlay_tensor_release(out[0]);
    inlay_tensor_release(out[1]);
    inlay_tensor_release(x);
    inlay_tensor_release(t);
    inlay_tensor_release(wrong);
    runner_free(&r);
}

/* Cancelling */

static void cancel_at_three(void *ctx, const inlay_node *n, uint64_t steps)
{
    (void)n;
    if (steps == 2)
        inlay_session_cancel(*(inlay_session **)ctx);
}

static void test_cancelled_run(void **state)
{
    for (int mode = 0; mode < 2; mode++) {
        inlay_session *session = NULL;
        inlay_exec_options o = {
            .mode = modes[mode], .progress = cancel_at_three, .progress_ctx = &session};
        runner r = runner_of("%x = Parameter-1 {element_type = f32, shape = [2]}\n"
                             "%a = Abs-1(%x)\n%b = Abs-1(%a)\n%c = Abs-1(%b)\n%d = Abs-1(%c)\n"
                             "%out = Result-1(%d)\n",
                             &o);

        check_run(&r, OPERANDS("f32[2] 1 -2"), OPERANDS("f32[2] 1 2"));
        session = r.session;
        check_run_fails(&r, OPERANDS("f32[2] 1 -2"), INLAY_NO_RESOURCE,
                        "\"d\" (Abs-1): the run was cancelled before this step");
        session = NULL;
        inlay_session_cancel(r.session); /* no run is going on */
        check_run(&r, OPERANDS("f32[2] 1 -2"), OPERANDS("f32[2] 1 2"));
        runner_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_tensor),
        cmocka_unit_test(test_tensor_of_an_input),
        cmocka_unit_test(test_tensors_that_overlap),
        cmocka_unit_test(test_state_stands_apart),
        cmocka_unit_test(test_size_that_does_not_fit),
        cmocka_unit_test(test_refused_tensors),
        cmocka_unit_test(test_cancelled_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
