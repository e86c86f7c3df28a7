/* The memory of a run: arenas, the limit that they share, and what was large and is used again. */
#include "ir/shared.h"
#include "unit.h"

#include "interp/call/meter.h"

#if ADDRESS_SANITIZED
#include <sanitizer/asan_interface.h>
#endif

static inlay_tensor *bytes_of(inlay_meter *m, int64_t n, bool zeroed)
{
    inlay_tensor *form = inlay_tensor_over(NULL, NULL, INLAY_U8, 1, &n);
    inlay_tensor *t = zeroed ? meter_tensor(m, INLAY_U8, 1, &n, NULL, NULL)
                             : meter_tensor_like(m, form, NULL, NULL);

    inlay_tensor_release(form);
    return t;
}

/* Memory that was large is used again for copies of that size, and nobody who relies on zeros gets
 * it. */
static void test_spare_memory(void **state)
{
    enum { N = 2 << 20 };
    inlay_meter *m = meter_new(NULL, 0, 0, false);
    inlay_tensor *t = bytes_of(m, N, true);
    const void *bytes = t->data;

    memset(t->data, 7, N);
    inlay_tensor_release(t);
    assert_int_equal(meter_now(m), 0);
    t = bytes_of(m, N, true);
    assert_ptr_not_equal(t->data, bytes);
    assert_int_equal(((const char *)t->data)[N / 2], 0);
    inlay_tensor_release(t);
    t = bytes_of(m, N, false);
    bytes = t->data;
    assert_int_equal(meter_now(m), N);
    memset(t->data, 7, N);
    inlay_tensor_release(t);
    t = bytes_of(m, N - 1, false);
    assert_ptr_not_equal(t->data, bytes);
    inlay_tensor_release(t);
    meter_release(m);
}

/* Spare memory does not count, so it is freed before the run would have more memory than the limit
 * allows. */
static void test_spare_memory_and_limit(void **state)
{
    enum { N = 2 << 20 };
    inlay_meter *m = meter_new(NULL, 3 << 20, 0, false);
    inlay_tensor *t = bytes_of(m, N, true);

    memset(t->data, 7, N);
    inlay_tensor_release(t);
    inlay_tensor_release(bytes_of(m, 1 << 20, true));
    inlay_tensor_release(bytes_of(m, (1 << 20) + 1, true));
    t = bytes_of(m, N, false);
    assert_int_not_equal(((const char *)t->data)[N / 2], 7);
    inlay_tensor_release(t);
    meter_release(m);
}

/* What a tensor costs beside its elements counts only while it lives. */
static void test_costs_are_given_back(void **state)
{
    inlay_meter *m = meter_new(NULL, 10000, 0, false);

    for (int i = 0; i < 1000; i++) {
        inlay_tensor *t = bytes_of(m, 16, true);

        assert_non_null(t);
        inlay_tensor_release(t);
    }
    meter_release(m);
}

/* Whichever part of a tensor a budget has no room for, there is no tensor, and nothing stays. */
static void test_parts_without_room(void **state)
{
    int refused = 0;

    for (uint64_t limit = 1; limit < 2000; limit += 8) {
        inlay_budget *budget = inlay_budget_new(limit, NULL);
        inlay_meter *m = meter_new(budget, 0, 0, true);
        inlay_tensor *t = m ? bytes_of(m, 64, limit % 16 == 1) : NULL;

        refused += m && !t;
        assert_true(!t || t->data);
        inlay_tensor_release(t);
        if (m)
            meter_release(m);
        assert_int_equal(inlay_budget_used(budget), 0);
        inlay_budget_free(budget);
    }
    assert_in_range(refused, 10, 100);
}

#if ADDRESS_SANITIZED
/* AddressSanitizer sees what is read behind an object, and in an arena that was cleared. */
static void test_sanitizer_sees_objects(void **state)
{
    inlay_arena *a = inlay_arena_new();
    char *first = inlay_arena_alloc(a, 13), *second = inlay_arena_alloc(a, 16);

    assert_false(__asan_region_is_poisoned(first, 13) || __asan_region_is_poisoned(second, 16));
    assert_true(__asan_address_is_poisoned(first + 13) && __asan_address_is_poisoned(second + 16));
    inlay_arena_reuse(a);
    assert_true(__asan_address_is_poisoned(first));
    inlay_arena_free(a);
}
#endif

/* The scratch memory of a run serves one node after the other. */
static void test_arena_is_cleared(void **state)
{
    inlay_arena *a = inlay_arena_new();
    char *small = inlay_arena_alloc(a, 100), *large;

    memset(small, 7, 100);
    large = inlay_arena_alloc(a, 3 << 20);
    memset(large, 7, 3 << 20);
    assert_int_equal(inlay_arena_bytes(a), 112 + (3 << 20));
    inlay_arena_clear(a);
    assert_int_equal(inlay_arena_bytes(a), 0);
    small = inlay_arena_alloc(a, 4000);
    for (int i = 0; i < 4000; i++)
        assert_int_equal(small[i], 0);
    inlay_arena_free(a);
}

/* What is taken again is zeroed, unless it is asked for as it is, also behind what was so. */
static void test_arena_is_used_again(void **state)
{
    inlay_arena *a = inlay_arena_new();

    for (int round = 0; round < 4; round++) {
        char *raw = inlay_arena_raw(a, 500), *zeros = inlay_arena_alloc(a, 900 + 600 * round);

        for (int i = 0; i < 900 + 600 * round; i++)
            assert_int_equal(zeros[i], 0);
        memset(raw, 7, 500);
        memset(zeros, 7, (size_t)(900 + 600 * round));
        memset(inlay_arena_raw(a, 2000), 7, 2000);
        inlay_arena_reuse(a);
    }
    inlay_arena_free(a);
}

/* Two arenas and something else in one budget. A block is at least twice as large as the one before
 * it in its arena. */
static void test_arenas_in_a_budget(void **state)
{
    inlay_budget *limit = inlay_budget_new(215000, NULL), *other = inlay_budget_new(0, NULL);
    inlay_arena *a = inlay_arena_of(limit), *b = inlay_arena_of(limit);

    assert_non_null(inlay_arena_alloc(a, 30000));
    assert_non_null(inlay_arena_alloc(b, 30000));
    assert_false(inlay_arena_charge(a, 155001));
    assert_int_equal(inlay_budget_refused(limit), 215000);
    assert_true(inlay_budget_charge(limit, 100000));
    assert_null(inlay_arena_alloc(a, 20000));
    inlay_budget_discharge(limit, 100000);
    assert_non_null(inlay_arena_alloc(a, 20000));
    assert_null(inlay_arena_alloc(a, 50000));
    inlay_arena_clear(b); /* what it held is free for others */
    assert_non_null(inlay_arena_alloc(a, 50000));
    assert_true(inlay_arena_move(a, other));
    assert_in_range(inlay_budget_used(other), 100000, 215000);
    assert_in_range(inlay_budget_used(limit), 1, 30000);
    assert_true(inlay_arena_charge(a, 1 << 30)); /* without a limit */
    assert_int_equal(inlay_budget_refused(other), 0);
    inlay_arena_free(b);
    inlay_arena_free(a);
    assert_int_equal(inlay_budget_used(limit), 0);
    assert_int_equal(inlay_budget_used(other), 0);
    inlay_budget_free(limit);
    inlay_budget_free(other);
}

/* Each array is filled with a number of its own, so that an overlap shows. */
static void test_arrays_begin_with_a_cache_line(void **state)
{
    enum { N = 200 };
    static const size_t sizes[] = {1, 24, 1023, 1024, 1040, 3000, 4096, 70000};
    inlay_arena *a = inlay_arena_new();
    unsigned char *p[N];
    size_t size[N];

    for (int i = 0; i < N; i++) {
        size[i] = sizes[i * 5 % 8];
        p[i] = inlay_arena_alloc(a, size[i]);
        assert_int_equal((uintptr_t)p[i] % (size[i] < 1024 ? 16 : 64), 0);
        memset(p[i], i, size[i]);
    }
    for (int i = 0; i < N; i++) {
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(p[i][k], i);
    }
    inlay_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spare_memory),
        cmocka_unit_test(test_spare_memory_and_limit),
        cmocka_unit_test(test_costs_are_given_back),
        cmocka_unit_test(test_parts_without_room),
#if ADDRESS_SANITIZED
        cmocka_unit_test(test_sanitizer_sees_objects),
#endif
        cmocka_unit_test(test_arena_is_cleared),
        cmocka_unit_test(test_arena_is_used_again),
        cmocka_unit_test(test_arenas_in_a_budget),
        cmocka_unit_test(test_arrays_begin_with_a_cache_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
