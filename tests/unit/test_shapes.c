/* Inputs of many shapes run in one session: instances come and go, results are those of the
 * reference, memory stays bounded; sizes in bodies change from one iteration to the next. */
#include "graphs.h"
#include "ir/shared.h"

#include <malloc.h>

#define RUNNING_SUM                                                                                \
    "%x = Parameter-1 {element_type = f32, shape = [?,4]}\n"                                       \
    "%s = ShapeOf-3(%x)\n%zero = Const-1 {value = i64[1] [0]}\n%o = Const-1 {value = i64[] 0}\n"   \
    "%n = Gather-8(%s, %zero, %o)\n%four = Const-1 {value = i64[1] [4]}\n"                         \
    "%flat = Multiply-1(%n, %four)\n%y = Exp-1(%x)\n"                                              \
    "%r = Reshape-1(%y, %flat) {special_zero = false}\n%z = Add-1(%r, %r)\n"                       \
    "%sum = CumSum-3(%z, %o)\n%out = Result-1(%sum)\n"

static inlay_tensor *rows_of(int64_t n)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){n, 4});

    for (int64_t i = 0; i < 4 * n; i++)
        inlay_tensor_set_f64(t, i, (double)(i % 7) / 4 - 1);
    return t;
}

static inlay_tensor *run(runner *r, inlay_session *s, const inlay_tensor *x)
{
    inlay_tensor *out;

    inlay_diags_clear(r->diags);
    if (!inlay_session_run(s, &x, NULL, &out, r->diags))
        fail_msg("%s", inlay_diags_at(r->diags, 0)->text);
    return out;
}

static void check_length(runner *r, runner *reference, int64_t n)
{
    inlay_tensor *x = rows_of(n), *a = run(r, r->session, x);
    inlay_tensor *b = run(reference, reference->session, x);

    if (!inlay_tensor_equal(a, b))
        fail_msg("%lld rows: not as the reference", (long long)n);
    inlay_tensor_release(x);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
}

static size_t in_use(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

/* A length grows by one in each run: after the first hundred runs no more memory is held. */
static void test_growing_length(void **state)
{
    runner r = runner_of(RUNNING_SUM, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED}),
           reference = runner_of(RUNNING_SUM, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE});
    size_t before = 0;

    for (int64_t n = 0; n < 1000; n++) {
        if (n == 100)
            before = in_use();
        check_length(&r, &reference, n);
    }
    /* 20 instances and 4 frames of 1,000 rows, whose arena has two values of 16,000 bytes */
    assert_true(in_use() < before + (200 << 10));
    runner_free(&r);
    runner_free(&reference);
}

/* There are more shapes in turn than instances are kept. */
static void test_shapes_in_turn(void **state)
{
    runner r = runner_of(RUNNING_SUM,
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .instances = 2}),
           reference = runner_of(RUNNING_SUM, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE});

    for (int64_t i = 0; i < 60; i++)
        check_length(&r, &reference, i * i % 9);
    runner_free(&r);
    runner_free(&reference);
}

/* Two sessions of one program hold the same instance. */
static void test_two_sessions(void **state)
{
    runner r =
        runner_of(RUNNING_SUM, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .instances = 1});
    inlay_session *second = inlay_session_new(r.program, r.diags);

    for (int64_t n = 1; n < 12; n++) {
        inlay_tensor *x = rows_of(n % 5), *a = run(&r, r.session, x), *b = run(&r, second, x);

        assert_true(inlay_tensor_equal(a, b));
        inlay_tensor_release(x);
        inlay_tensor_release(a);
        inlay_tensor_release(b);
    }
    inlay_session_free(second);
    runner_free(&r);
}

/* The carried value is 1, then 1 2, then 1 2 3: it has another size in each iteration. */
static void test_body_that_grows(void **state)
{
    check_graph("%n = Const-1 {value = i64[] 40}\n%go = Const-1 {value = boolean[] true}\n"
                "%none = Parameter-1 {element_type = i64, shape = [?]}\n"
                "%l:1 = Loop-5(%n, %go, %none)\n"
                "body \"b\" {\n"
                "%i = Parameter-1 {element_type = i64, shape = [1]}\n"
                "%all = Parameter-1 {element_type = i64, shape = [?]}\n"
                "%more = Const-1 {value = boolean[] true}\n"
                "%next = Concat-1(%all, %i) {axis = 0}\n%twice = Add-1(%next, %next)\n"
                "%half = Subtract-1(%twice, %next)\n"
                "%a = Result-1(%half)\n%c = Result-1(%more)\n}\n"
                "in none -> %i iteration\nin 2 -> %all\nout %a -> 0\nout %c -> none condition\n"
                "back %a -> %all\n"
                "%zero = Const-1 {value = i64[1] [0]}\n"
                "%sum = ReduceSum-1(%l, %zero) {keep_dims = true}\n%out = Result-1(%sum)\n",
                OPERANDS("i64[0]"), OPERANDS("i64[1] 780"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing_length),
        cmocka_unit_test(test_shapes_in_turn),
        cmocka_unit_test(test_two_sessions),
        cmocka_unit_test(test_body_that_grows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
