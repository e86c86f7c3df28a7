/* Buffers and tensors: counts, windows, copies, comparison, strings, lifetimes. */
#include "ir/ir.h"
#include "ir/shared.h"
#include "unit.h"

static inlay_tensor *iota(inlay_type type, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);
    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_i64(t, i, i);
    return t;
}

static void assert_elements(const inlay_tensor *t, int n, const int64_t *expected)
{
    assert_int_equal(inlay_tensor_count(t), n);
    for (int i = 0; i < n; i++)
        assert_int_equal(inlay_tensor_get_i64(t, i), expected[i]);
}

static void sizes_are_checked(void **state)
{
    int64_t n;
    size_t bytes;

    assert_true(inlay_count_elements(0, NULL, &n) && n == 1);
    assert_true(inlay_count_elements(2, (int64_t[]){3, 4}, &n) && n == 12);
    assert_false(inlay_count_elements(2, (int64_t[]){3, -1}, &n));
    assert_false(inlay_count_elements(2, (int64_t[]){INT64_MAX, 2}, NULL));
    assert_true(inlay_count_elements(3, (int64_t[]){INT64_MAX, 1, 0}, &n) && n == 0);
    assert_false(inlay_count_elements(3, (int64_t[]){INT64_MAX, 2, 0}, &n));
    assert_false(inlay_count_elements(3, (int64_t[]){0, INT64_MAX, 2}, &n));
    assert_true(inlay_count_bytes(INLAY_F32, 1, (int64_t[]){3}, &bytes) && bytes == 12);
    assert_true(inlay_count_bytes(INLAY_U4, 1, (int64_t[]){3}, &bytes) && bytes == 2);
    assert_true(inlay_count_bytes(INLAY_U1, 1, (int64_t[]){17}, &bytes) && bytes == 3);
    assert_false(inlay_count_bytes(INLAY_F64, 1, (int64_t[]){INT64_MAX / 8}, NULL));
    assert_null(inlay_tensor_new(INLAY_F32, 2, (int64_t[]){INT64_MAX, 2}));
    assert_null(inlay_tensor_new(INLAY_F32, 33, (int64_t[33]){0}));
    assert_null(inlay_tensor_new(INLAY_U3, 0, NULL));
    assert_null(inlay_tensor_new(INLAY_DYNAMIC, 0, NULL));
    assert_null(inlay_buffer_new(SIZE_MAX));
}

static void new_tensors_are_zero_dense_and_aligned(void **state)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F16, 3, (int64_t[]){2, 3, 4});

    assert_int_equal(inlay_tensor_count(t), 24);
    assert_int_equal(inlay_tensor_bytes(t), 48);
    assert_int_equal((uintptr_t)t->data % 64, 0);
    assert_true(inlay_tensor_is_dense(t));
    assert_int_equal(t->strides[0], 12);
    assert_int_equal(t->strides[1], 4);
    assert_int_equal(t->strides[2], 1);
    for (int i = 0; i < 24; i++)
        assert_true(inlay_tensor_get_f64(t, i) == 0);
    inlay_tensor_release(t);

    t = inlay_tensor_new(INLAY_F32, 3, (int64_t[]){0, INT64_MAX, 1});
    assert_int_equal(inlay_tensor_count(t), 0);
    assert_true(inlay_tensor_is_dense(t));
    assert_non_null(t->data);
    inlay_tensor_release(t);
}

static void windows_see_the_same_elements(void **state)
{
    inlay_tensor *t = iota(INLAY_I32, 2, (int64_t[]){3, 4});
    /* t[1:, ::2], t[::-1, 3], and a window on the first one */
    inlay_tensor *w = inlay_tensor_window(t, 2, (int64_t[]){2, 2}, (int64_t[]){4, 2}, 4);
    inlay_tensor *r = inlay_tensor_window(t, 1, (int64_t[]){3}, (int64_t[]){-4}, 11);
    inlay_tensor *ww = inlay_tensor_window(w, 1, (int64_t[]){2}, (int64_t[]){4}, 2);

    assert_elements(w, 4, (int64_t[]){4, 6, 8, 10});
    assert_elements(r, 3, (int64_t[]){11, 7, 3});
    assert_elements(ww, 2, (int64_t[]){6, 10});
    assert_false(inlay_tensor_is_dense(w));
    inlay_tensor_release(t); /* the windows keep the buffer */
    inlay_tensor_set_i64(ww, 1, 99);
    assert_elements(w, 4, (int64_t[]){4, 6, 8, 99});
    inlay_tensor *copy = inlay_tensor_copy(r);
    assert_true(inlay_tensor_is_dense(copy));
    assert_true(inlay_tensor_equal(copy, r) && inlay_tensor_equal(r, copy));
    inlay_tensor_set_i64(copy, 2, 4);
    assert_false(inlay_tensor_equal(copy, r));
    inlay_tensor_release(copy);
    inlay_tensor_release(w);
    inlay_tensor_release(r);
    inlay_tensor_release(ww);
}

static void packed_windows_start_between_bytes(void **state)
{
    inlay_tensor *t = iota(INLAY_U4, 2, (int64_t[]){3, 3});
    inlay_tensor *row = inlay_tensor_window(t, 1, (int64_t[]){3}, (int64_t[]){1}, 3);
    inlay_tensor *column = inlay_tensor_window(t, 1, (int64_t[]){3}, (int64_t[]){3}, 1);

    assert_elements(row, 3, (int64_t[]){3, 4, 5});
    assert_elements(column, 3, (int64_t[]){1, 4, 7});
    assert_false(inlay_tensor_is_dense(row));
    assert_true(inlay_tensor_assign(row, column));
    assert_elements(t, 9, (int64_t[]){0, 1, 2, 1, 4, 7, 6, 7, 8});
    inlay_tensor *copy = inlay_tensor_copy(row);
    assert_memory_equal(copy->data, ((uint8_t[]){0x41, 0x07}), 2);
    /* bits beyond the last element do not count */
    ((uint8_t *)copy->data)[1] |= 0xf0;
    assert_true(inlay_tensor_equal(copy, row));
    inlay_tensor_release(copy);
    inlay_tensor_release(row);
    inlay_tensor_release(column);
    inlay_tensor_release(t);
}

static void assign_needs_the_same_form(void **state)
{
    inlay_tensor *a = iota(INLAY_I32, 2, (int64_t[]){2, 3});
    inlay_tensor *b = iota(INLAY_I32, 2, (int64_t[]){3, 2});
    inlay_tensor *c = iota(INLAY_U32, 2, (int64_t[]){2, 3});

    assert_false(inlay_tensor_assign(a, b));
    assert_false(inlay_tensor_assign(a, c));
    assert_false(inlay_tensor_equal(a, b));
    assert_false(inlay_tensor_equal(a, c));
    /* a transposed source */
    inlay_tensor *bt = inlay_tensor_window(b, 2, (int64_t[]){2, 3}, (int64_t[]){1, 2}, 0);
    assert_true(inlay_tensor_assign(a, bt));
    assert_elements(a, 6, (int64_t[]){0, 2, 4, 1, 3, 5});
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    inlay_tensor_release(c);
    inlay_tensor_release(bt);
}

/* Element p of a window of [D0, D1] is moved to where it would be if the window began elsewhere. */
static void move_window(const int64_t *dims, const int64_t *from, const int64_t *to,
                        const int64_t *count, const int64_t *step)
{
    inlay_tensor *t = iota(INLAY_I32, 2, dims), *want = iota(INLAY_I32, 2, dims);
    const int64_t strides[] = {dims[1] * step[0], step[1]};
    inlay_tensor *src, *dst;

    for (int64_t i = 0; i < count[0]; i++) {
        for (int64_t k = 0; k < count[1]; k++)
            inlay_tensor_set_i64(want, (to[0] + i * step[0]) * dims[1] + to[1] + k * step[1],
                                 (from[0] + i * step[0]) * dims[1] + from[1] + k * step[1]);
    }
    src = inlay_tensor_window(t, 2, count, strides, from[0] * dims[1] + from[1]);
    dst = inlay_tensor_window(t, 2, count, strides, to[0] * dims[1] + to[1]);
    assert_true(inlay_tensor_assign(dst, src));
    assert_true(inlay_tensor_equal(t, want));
    inlay_tensor_release(src);
    inlay_tensor_release(dst);
    inlay_tensor_release(t);
    inlay_tensor_release(want);
}

/* Every window of a small tensor to every other place: up, down, along rows, across both. */
static void test_assign_moves(void **state)
{
    const int64_t dims[] = {5, 6};

    for (int64_t step = 1; step <= 2; step++) {
        for (int64_t rows = 1; rows <= 3; rows++) {
            for (int64_t columns = 1; columns <= 6; columns++) {
                int64_t high = dims[0] - (rows - 1) * step, wide = dims[1] - (columns - 1) * step;

                for (int64_t i = 0; wide > 0 && high > 0 && i < high * wide * high * wide; i++) {
                    int64_t from = i / (high * wide), to = i % (high * wide);

                    move_window(dims, (int64_t[]){from / wide, from % wide},
                                (int64_t[]){to / wide, to % wide}, (int64_t[]){rows, columns},
                                (int64_t[]){step, step});
                }
            }
        }
    }
}

static void equality_is_bit_for_bit(void **state)
{
    inlay_tensor *a = inlay_tensor_new(INLAY_F32, 0, NULL);
    inlay_tensor *b = inlay_tensor_new(INLAY_F32, 0, NULL);

    assert_true(inlay_tensor_equal(a, b));
    inlay_tensor_set_f64(b, 0, -0.0);
    assert_false(inlay_tensor_equal(a, b));
    inlay_tensor_release(a);
    inlay_tensor_release(b);
}

static void assert_string(const inlay_tensor *t, int64_t i, const char *expected)
{
    inlay_string s = inlay_tensor_get_string(t, i);
    assert_int_equal(s.length, strlen(expected));
    assert_memory_equal(s.length == 0 ? "" : s.bytes, expected, s.length);
}

static void strings_outlive_the_tensor_they_came_from(void **state)
{
    inlay_tensor *a = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){3});
    inlay_tensor *b = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){3});
    char big[10000];

    memset(big, 'x', sizeof(big));
    big[sizeof(big) - 1] = '\0';
    assert_string(a, 0, "");
    assert_true(inlay_tensor_set_string(a, 0, "one", 3));
    assert_true(inlay_tensor_set_string(a, 1, big, sizeof(big) - 1));
    assert_true(inlay_tensor_set_string(a, 2, "", 0));
    assert_true(inlay_tensor_assign(b, a));
    assert_true(inlay_tensor_equal(a, b));
    assert_true(inlay_tensor_assign(a, b)); /* and back: no cycle keeps them alive for ever */
    inlay_tensor *reversed = inlay_tensor_window(b, 1, (int64_t[]){3}, (int64_t[]){-1}, 2);
    inlay_tensor *copy = inlay_tensor_copy(reversed);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    inlay_tensor_release(reversed);
    assert_string(copy, 0, "");
    assert_string(copy, 1, big);
    assert_string(copy, 2, "one");
    assert_true(inlay_tensor_set_string(copy, 2, "two", 3));
    assert_string(copy, 2, "two");
    inlay_tensor_release(copy);

    inlay_tensor *number = inlay_tensor_new(INLAY_F32, 0, NULL);
    assert_false(inlay_tensor_set_string(number, 0, "x", 1));
    inlay_tensor_release(number);
}

static void many_strings_in_few_chunks(void **state)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){5000});
    char text[16];

    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof(text), "string %d", i);
        assert_true(inlay_tensor_set_string(t, i, text, strlen(text)));
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof(text), "string %d", i);
        assert_string(t, i, text);
    }
    inlay_tensor_release(t);
}

static void count_release(void *ctx, void *data, size_t size)
{
    assert_non_null(data);
    assert_int_equal(size, 16);
    ++*(int *)ctx;
}

static void a_wrapped_buffer_goes_with_its_last_user(void **state)
{
    int64_t bytes[2] = {5, 6};
    int released = 0;
    inlay_buffer *b = inlay_buffer_wrap(bytes, sizeof(bytes), count_release, &released);
    inlay_tensor *t = inlay_tensor_over(b, bytes + 1, INLAY_I64, 0, NULL);
    inlay_buffer *keeper = inlay_buffer_new(8);

    assert_ptr_equal(inlay_buffer_data(b), bytes);
    assert_int_equal(inlay_buffer_size(b), 16);
    assert_true(inlay_buffer_keep(keeper, b));
    assert_true(inlay_buffer_keep(keeper, b)); /* once is enough */
    inlay_buffer_release(b);
    assert_int_equal(inlay_tensor_get_i64(t, 0), 6);
    assert_ptr_equal(inlay_tensor_retain(t), t);
    inlay_tensor_release(t);
    inlay_tensor_release(t);
    assert_int_equal(released, 0);
    inlay_buffer_release(keeper);
    assert_int_equal(released, 1);
    inlay_buffer_release(NULL);
    inlay_tensor_release(NULL);
}

static void a_long_chain_of_kept_buffers_needs_no_stack(void **state)
{
    inlay_buffer *last = inlay_buffer_new(1);

    for (int i = 0; i < 200000; i++) {
        inlay_buffer *b = inlay_buffer_wrap(NULL, 0, NULL, NULL);
        assert_true(inlay_buffer_keep(b, last));
        inlay_buffer_release(last);
        last = b;
    }
    inlay_buffer_release(last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(new_tensors_are_zero_dense_and_aligned),
        cmocka_unit_test(windows_see_the_same_elements),
        cmocka_unit_test(packed_windows_start_between_bytes),
        cmocka_unit_test(assign_needs_the_same_form),
        cmocka_unit_test(test_assign_moves),
        cmocka_unit_test(equality_is_bit_for_bit),
        cmocka_unit_test(strings_outlive_the_tensor_they_came_from),
        cmocka_unit_test(many_strings_in_few_chunks),
        cmocka_unit_test(a_wrapped_buffer_goes_with_its_last_user),
        cmocka_unit_test(a_long_chain_of_kept_buffers_needs_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
