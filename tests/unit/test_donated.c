/* Whose buffers the planned executor writes over: those that a caller gives away, unless somebody
 * else has them. */
#include "generate/rng.h"
#include "graphs.h"
#include "interp/exec/run/ownership.h"
#include "seeds.h"

#define SET_ROW                                                                                    \
    "%data = Parameter-1 {element_type = i32, shape = [4]}\n"                                      \
    "%other = Parameter-1 {element_type = i32, shape = [4]}\n"                                     \
    "%b = Const-1 {value = i64[1] [1]}\n"                                                          \
    "%e = Const-1 {value = i64[1] [3]}\n"                                                          \
    "%u = Const-1 {value = i32[2] [8, 9]}\n"                                                       \
    "%r = SliceScatter-15(%data, %u, %b, %e, %b) : i32[4] overwrites %data\n"                      \
    "%s = Add-1(%r, %other)\n"                                                                     \
    "%out = Result-1(%r)\n"                                                                        \
    "%sum = Result-1(%s)\n"

/* A is given for data and B for other, and both are donated. The data must have been copied all the
 * same, and so are the updates. */
static void check_refused(const inlay_tensor *a, const inlay_tensor *b)
{
    runner r = planned_of(SET_ROW);
    inlay_tensor *was = inlay_tensor_copy(a), *out[2];

    run_with(&r, (const inlay_tensor *const[]){a, b}, (bool[]){true, true}, out);
    check_tensor(out[0], "i32[4] 1 8 9 4");
    assert_int_equal(stats_of(&r).copied_bytes, 16 + 8);
    assert_true(inlay_tensor_equal(a, was));
    inlay_tensor_release(out[0]);
    inlay_tensor_release(out[1]);
    inlay_tensor_release(was);
    runner_free(&r);
}

static void test_donated_buffer_is_used(void **state)
{
    runner r = planned_of(SET_ROW);
    inlay_tensor *a = tensor_of("i32[4] 1 2 3 4"), *b = tensor_of("i32[4] 0 0 0 1"), *out[2];

    run_with(&r, (const inlay_tensor *const[]){a, b}, (bool[]){true, false}, out);
    check_tensor(out[0], "i32[4] 1 8 9 4");
    check_tensor(out[1], "i32[4] 1 8 9 5");
    assert_ptr_equal(out[0]->data, a->data);
    assert_int_equal(stats_of(&r).copied_bytes, 8); /* the updates */
    inlay_tensor_release(out[0]);
    inlay_tensor_release(out[1]);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    runner_free(&r);
}

/* The limit leaves no memory for the copy of an input that the caller keeps. */
static void test_kept_input_without_memory(void **state)
{
    runner r =
        runner_of(SET_ROW, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .max_memory = 300});
    inlay_tensor *a = tensor_of("i32[4] 1 2 3 4"), *b = tensor_of("i32[4] 0 0 0 1"), *out[2];

    assert_false(
        inlay_session_run(r.session, (const inlay_tensor *const[]){a, b}, NULL, out, r.diags));
    check_tensor(a, "i32[4] 1 2 3 4");
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    runner_free(&r);
}

static void test_donated_twice(void **state)
{
    inlay_tensor *a = tensor_of("i32[4] 1 2 3 4");

    check_refused(a, a);
    inlay_tensor_release(a);
}

static void test_donated_with_a_view_of_it(void **state)
{
    inlay_tensor *a = tensor_of("i32[4] 1 2 3 4");
    inlay_tensor *b = inlay_tensor_window(a, 1, a->dims, (const int64_t[]){-1}, 3);

    check_refused(a, b);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
}

/* Two buffers were wrapped round the same bytes. */
static void test_donated_memory_given_twice(void **state)
{
    int32_t numbers[6] = {1, 2, 3, 4, 5, 6};
    const int64_t dims[] = {4};
    inlay_buffer *one = inlay_buffer_wrap(numbers, sizeof numbers, NULL, NULL);
    inlay_buffer *two = inlay_buffer_wrap(numbers + 2, 16, NULL, NULL);
    inlay_tensor *a = inlay_tensor_over(one, numbers, INLAY_I32, 1, dims);
    inlay_tensor *b = inlay_tensor_over(two, numbers + 2, INLAY_I32, 1, dims);

    inlay_buffer_release(one);
    inlay_buffer_release(two);
    check_refused(a, b);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
}

/* Memory that nobody may write, such as a mapped file, is not writable when it is donated
 * either. */
static void test_donated_but_not_writable(void **state)
{
    int32_t numbers[4] = {1, 2, 3, 4};
    inlay_buffer *file = inlay_buffer_wrap(numbers, sizeof numbers, NULL, NULL);
    inlay_tensor *a = inlay_tensor_over(file, numbers, INLAY_I32, 1, (const int64_t[]){4});
    inlay_tensor *b = tensor_of("i32[4] 0 0 0 0");

    inlay_buffer_set_access(file, INLAY_ACCESS_NONE);
    inlay_buffer_release(file);
    check_refused(a, b);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
}

/* Memory that a program wrapped as a buffer may be donated by that program. */
static void test_donated_and_wrapped(void **state)
{
    runner r = planned_of(SET_ROW);
    int32_t numbers[4] = {1, 2, 3, 4};
    inlay_buffer *wrap = inlay_buffer_wrap(numbers, sizeof numbers, NULL, NULL);
    inlay_tensor *a = inlay_tensor_over(wrap, numbers, INLAY_I32, 1, (const int64_t[]){4});
    inlay_tensor *b = tensor_of("i32[4] 0 0 0 1"), *out[2];

    inlay_buffer_release(wrap);
    run_with(&r, (const inlay_tensor *const[]){a, b}, (bool[]){true, false}, out);
    assert_ptr_equal(out[0]->data, numbers);
    assert_int_equal(stats_of(&r).copied_bytes, 8); /* the updates */
    inlay_tensor_release(out[0]);
    inlay_tensor_release(out[1]);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    runner_free(&r);
}

static void test_donated_but_held(void **state)
{
    inlay_tensor *a = tensor_of("i32[4] 1 2 3 4"), *b = tensor_of("i32[4] 0 0 0 0");

    inlay_tensor_retain(a);
    check_refused(a, b);
    inlay_tensor_release(a);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
}

static void test_donated_but_strided(void **state)
{
    inlay_tensor *whole = tensor_of("i32[4] 4 3 2 1"), *b = tensor_of("i32[4] 0 0 0 0");
    inlay_tensor *a = inlay_tensor_window(whole, 1, whole->dims, (const int64_t[]){-1}, 3);

    inlay_tensor_release(whole); /* tensor a alone holds the buffer now */
    check_refused(a, b);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
}

/* The result stands in the caller's buffer, which lives as long as anybody holds it. */
static void test_outputs_outlive_everything(void **state)
{
    runner r = planned_of(SET_ROW);
    inlay_tensor *a = tensor_of("i32[4] 1 2 3 4"), *b = tensor_of("i32[4] 0 0 0 1"), *out[2];

    run_with(&r, (const inlay_tensor *const[]){a, b}, (bool[]){true, true}, out);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    runner_free(&r);
    check_tensor(out[0], "i32[4] 1 8 9 4");
    check_tensor(out[1], "i32[4] 1 8 9 5");
    inlay_tensor_release(out[0]);
    inlay_tensor_release(out[1]);
}

enum { STRETCHES = 60, MEMORY = 400 };

/* Returns whether any byte of stretch I lies in another stretch. */
static bool shares(const int64_t (*at)[2], int i)
{
    for (int k = 0; k < STRETCHES; k++) {
        for (int64_t byte = at[i][0]; k != i && byte < at[i][0] + at[i][1]; byte++) {
            if (byte >= at[k][0] && byte < at[k][0] + at[k][1])
                return true;
        }
    }
    return false;
}

/* Buffers stand at random places of one piece of memory; some have no bytes, and the last ones are
 * states. A run may write over the donated buffers that have no byte in common with any other. */
static void check_stretches(uint64_t seed)
{
    enum { INPUTS = STRETCHES - 10 };
    static unsigned char memory[MEMORY];
    rng r = {seed};
    const inlay_tensor *t[STRETCHES];
    int64_t at[STRETCHES][2];
    bool donated[INPUTS], ours[INPUTS];

    for (int i = 0; i < STRETCHES; i++) {
        inlay_buffer *b;

        at[i][0] = rng_in(&r, 0, MEMORY - 20);
        at[i][1] = rng_one_in(&r, 3) ? rng_in(&r, 1, 20) : rng_in(&r, 0, 3);
        b = inlay_buffer_wrap(memory + at[i][0], (size_t)at[i][1], NULL, NULL);
        t[i] = inlay_tensor_over(b, memory + at[i][0], INLAY_U8, 1, &at[i][1]);
        inlay_buffer_release(b);
        assert_non_null(t[i]);
        if (i < INPUTS)
            donated[i] = !rng_one_in(&r, 8);
    }
    assert_true(exec_donations(NULL, t, donated, INPUTS, t + INPUTS, STRETCHES - INPUTS, ours));
    for (int i = 0; i < INPUTS; i++) {
        if (ours[i] != (donated[i] && !shares((const int64_t(*)[2])at, i)))
            fail_msg("seed %llu: input %d", (unsigned long long)seed, i);
    }
    for (int i = 0; i < STRETCHES; i++)
        inlay_tensor_release((inlay_tensor *)t[i]);
}

static void test_shared_donations(void **state)
{
    seed_range seeds = seeds_to_try(200, 50);

    for (uint64_t i = 0; i < seeds.n; i++)
        check_stretches(seeds.first + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_donated_buffer_is_used),
        cmocka_unit_test(test_donated_but_not_writable),
        cmocka_unit_test(test_donated_and_wrapped),
        cmocka_unit_test(test_donated_twice),
        cmocka_unit_test(test_donated_with_a_view_of_it),
        cmocka_unit_test(test_donated_memory_given_twice),
        cmocka_unit_test(test_donated_but_held),
        cmocka_unit_test(test_donated_but_strided),
        cmocka_unit_test(test_kept_input_without_memory),
        cmocka_unit_test(test_outputs_outlive_everything),
        cmocka_unit_test(test_shared_donations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
