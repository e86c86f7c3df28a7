/* Windows are compared exhaustively on small axes with an oracle that walks the positions one by
 * one, and tried at the extremes of 64 bits. */
#include "ir/ir.h"
#include "ir/shared.h"
#include "unit.h"

enum { MAX_SIZE = 6, EXTREMES = 5 };

__extension__ typedef __int128 wide;

struct list {
    int64_t n, at[MAX_SIZE + 2];
};

/* Lists the positions as ONNX Slice-13 does: add the size to negatives, clamp by the sign of the
 * step, walk. */
static struct list oracle(wide start, wide stop, wide step, wide d)
{
    struct list l = {0};
    wide low = step < 0 ? -1 : 0, high = step < 0 ? d - 1 : d;

    if (d == 0)
        return l;
    start += start < 0 ? d : 0;
    stop += stop < 0 ? d : 0;
    start = start < 0 ? 0 : start > high ? high : start;
    stop = stop < low ? low : stop > high ? high : stop;
    for (wide x = start; step > 0 ? x < stop : x > stop; x += step)
        l.at[l.n++] = (int64_t)x;
    return l;
}

static struct list walk(inlay_window w)
{
    struct list l = {0};

    assert_in_range(w.count, 0, MAX_SIZE);
    for (int64_t i = 0; i < w.count; i++)
        l.at[l.n++] = i == 0 ? w.begin : w.begin + w.step * i;
    return l;
}

static bool same(struct list a, struct list b)
{
    return a.n == b.n && memcmp(a.at, b.at, (size_t)a.n * sizeof a.at[0]) == 0;
}

static bool contains(struct list l, int64_t x)
{
    for (int64_t i = 0; i < l.n; i++) {
        if (l.at[i] == x)
            return true;
    }
    return false;
}

/* Lists the numbers that matter on an axis of D elements; 0 may repeat. */
static int marks(int64_t d, int64_t *out)
{
    const int64_t all[] = {0,         -d - 1,        -d,           -1,        d - 1,
                           d,         d + 1,         INT32_MAX,    INT32_MIN, INT64_MAX,
                           INT64_MIN, INT64_MIN + 1, INT64_MAX - 1};

    memcpy(out, all, sizeof all);
    return (int)(sizeof all / sizeof all[0]);
}

static void check_normalise(int64_t start, int64_t stop, int64_t step, int64_t d)
{
    inlay_window w = inlay_window_normalise(start, stop, step, d);

    assert_true(same(walk(w), oracle(start, stop, step, d)));
    assert_int_equal(w.step < 0, step < 0);
}

static void normalise_agrees_with_the_text(void **state)
{
    const int64_t sizes[] = {0, 1, 2, 5};

    for (int k = 0; k < 4; k++) {
        int64_t d = sizes[k], m[16],
                steps[] = {1, -1, 2, -2, d, -d, d + 1, -d - 1, INT64_MAX, INT64_MIN};
        int n = marks(d, m);

        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int s = 0; s < 10; s++) {
                    if (steps[s] != 0)
                        check_normalise(m[i], m[j], steps[s], d);
                }
            }
        }
    }
    for (int64_t d = 0; d <= 4; d++) {
        for (int64_t start = -8; start <= 8; start++) {
            for (int64_t stop = -8; stop <= 8; stop++) {
                for (int64_t step = -3; step <= 3; step++) {
                    if (step != 0)
                        check_normalise(start, stop, step, d);
                }
            }
        }
    }
}

/* x[-6:INT_MIN:-1] of 5 elements is [x0] by ONNX's text, [] in Python. */
static void not_python(void **state)
{
    inlay_window w = inlay_window_normalise(-6, INT64_MIN, -1, 5);

    assert_int_equal(w.begin, 0);
    assert_int_equal(w.count, 1);
    assert_int_equal(inlay_window_normalise(4, INT32_MAX, -1, 5).count, 0);
    assert_int_equal(inlay_window_normalise(-1, INT64_MIN, -1, 0).count, 0);
}

/* Gives every window of an axis of D elements, in turn: K counts from 0; false when there is no
 * more. */
static bool nth_window(int64_t d, int k, inlay_window *w)
{
    int i = 0;

    for (int64_t step = -d - 1; step <= d + 1; step++) {
        for (int64_t b = 0; b < d && step != 0; b++) {
            for (int64_t n = 0; b + step * (n - 1) < d && (n == 0 || b + step * (n - 1) >= 0);
                 n++) {
                if (i++ == k) {
                    *w = (inlay_window){b, n, step};
                    return true;
                }
            }
        }
    }
    return false;
}

static void denormalise_comes_back(void **state)
{
    inlay_window w;

    for (int64_t d = 1; d <= MAX_SIZE; d++) {
        for (int k = 0; nth_window(d, k, &w); k++) {
            int64_t start, stop, step;

            inlay_window_denormalise(w, d, &start, &stop, &step);
            assert_true(inlay_window_equal(inlay_window_normalise(start, stop, step, d), w));
            inlay_window_denormalise(w, -1, &start, &stop, &step);
            assert_true(inlay_window_equal(inlay_window_normalise(start, stop, step, d), w));
        }
    }
}

static void check_pair(inlay_window a, inlay_window b)
{
    struct list x = walk(a), y = walk(b);
    bool meets = false, inside = true;

    for (int64_t i = 0; i < x.n; i++) {
        if (contains(y, x.at[i]))
            meets = true;
        else
            inside = false;
    }
    assert_int_equal(inlay_window_meets(a, b), meets);
    assert_int_equal(inlay_window_inside(a, b), inside);
    assert_int_equal(inlay_window_equal(a, b), same(x, y));
    if (inside)
        assert_true(inlay_window_equal(inlay_window_compose(b, inlay_window_relative(a, b)), a));
    a.begin += 11;
    b.begin += 11;
    assert_int_equal(inlay_window_meets(a, b), meets);
    assert_int_equal(inlay_window_inside(a, b), inside);
}

static void pairs_agree_with_sets(void **state)
{
    inlay_window a, b;

    for (int64_t d = 1; d <= 5; d++) {
        for (int i = 0; nth_window(d, i, &a); i++) {
            for (int j = 0; nth_window(d, j, &b); j++)
                check_pair(a, b);
        }
    }
}

static void compose_selects_what_two_slices_do(void **state)
{
    inlay_window outer, inner;

    for (int i = 0; nth_window(MAX_SIZE, i, &outer); i++) {
        for (int j = 0; nth_window(outer.count, j, &inner); j++) {
            struct list want = walk(inner), x = walk(outer);

            for (int64_t k = 0; k < want.n; k++)
                want.at[k] = x.at[want.at[k]];
            assert_true(same(walk(inlay_window_compose(outer, inner)), want));
        }
    }
}

/* 0:8:2 and 1:8:2 interleave; a mirror holds the same positions in another order. Of 10, 12, 14, 16
 * and 13, 16 the last is the first position that both have. */
static void known_pairs(void **state)
{
    inlay_window even = {0, 4, 2}, odd = {1, 4, 2}, mirror = {6, 4, -2};
    inlay_window late = {10, 3, 2}, longer = {10, 4, 2}, thirds = {13, 2, 3};

    assert_false(inlay_window_meets(even, odd));
    assert_true(inlay_window_meets(even, mirror));
    assert_true(inlay_window_inside(mirror, even));
    assert_false(inlay_window_equal(even, mirror));
    assert_false(inlay_window_meets(late, thirds));
    assert_true(inlay_window_meets(longer, thirds));
}

/* Sparse windows cover nearly all of 64 bits: the first common position comes late, or never. */
static void large_windows(void **state)
{
    const int64_t p = 1000000007, q = 998244353;
    inlay_window a = {0, INT64_MAX / p, p}, b = {1, INT64_MAX / q, q};
    inlay_window c = {INT64_MAX - 1, 2, -(INT64_MAX - 1)}, one = {INT64_MAX - 1, 1, INT64_MIN};

    assert_true(inlay_window_meets(a, b));
    assert_true(inlay_window_meets(b, a));
    a.count = b.count = 1000;
    assert_false(inlay_window_meets(a, b));
    assert_true(inlay_window_meets(c, one));
    assert_true(inlay_window_inside(one, c));
    assert_false(inlay_window_inside(c, one));
    assert_false(inlay_window_meets((inlay_window){0, 3, INT64_MAX / 4},
                                    (inlay_window){1, 3, INT64_MAX / 4}));
}

/* The interval of lengths is the smallest that holds every size's. */
static void lengths_are_the_tightest_interval(void **state)
{
    for (int64_t start = -7; start <= 7; start++) {
        for (int64_t stop = -7; stop <= 7; stop++) {
            for (int64_t step = -3; step <= 3; step++) {
                for (int64_t lo = 0; step != 0 && lo <= 8; lo++) {
                    inlay_dim want = {INT64_MAX, INT64_MIN, 0}, got;

                    for (int64_t hi = lo; hi <= 12; hi++) {
                        int64_t n = inlay_window_normalise(start, stop, step, hi).count;

                        want.lo = n < want.lo ? n : want.lo;
                        want.hi = n > want.hi ? n : want.hi;
                        got = inlay_window_length(start, stop, step, (inlay_dim){lo, hi, 9});
                        assert_int_equal(got.lo, want.lo);
                        assert_int_equal(got.hi, want.hi);
                        assert_true(got.id == 0 || got.id == 9);
                    }
                }
            }
        }
    }
}

static void check_length(int64_t start, int64_t stop, int64_t step, inlay_dim size, inlay_dim want)
{
    inlay_dim got = inlay_window_length(start, stop, step, size);

    assert_int_equal(got.lo, want.lo);
    assert_int_equal(got.hi, want.hi);
    assert_int_equal(got.id, want.id);
}

static void lengths_of_open_axes(void **state)
{
    inlay_dim any = {0, INLAY_DIM_MAX, 3}, few = {2, 9, 4};

    check_length(0, INT64_MAX, 1, any, any);
    check_length(-1, INT64_MIN, -1, any, any);
    check_length(INT64_MAX, INT64_MIN, -1, any, any);
    check_length(0, INT32_MAX, 1, few, few);
    check_length(-9, 9, 1, few, few);
    check_length(8, -10, -1, few, few);
    check_length(0, INT64_MIN, -1, (inlay_dim){0, 1, 5}, (inlay_dim){0, 1, 5});
    check_length(0, INT32_MAX, 1, any, (inlay_dim){0, INT32_MAX, 0});
    check_length(1, INT64_MAX, 1, any, (inlay_dim){0, INLAY_DIM_MAX, 0});
    check_length(0, INT64_MAX, 2, any, (inlay_dim){0, INLAY_DIM_MAX, 0});
    check_length(0, 3, 1, any, (inlay_dim){0, 3, 0});
    check_length(-3, INT64_MAX, 1, any, (inlay_dim){0, 3, 0});
    check_length(-3, 2, 1, any, (inlay_dim){0, 2, 0});
    check_length(2, 5, 1, few, (inlay_dim){0, 3, 0});
    check_length(0, 2, 1, few, (inlay_dim){2, 2, 0});
    check_length(0, 0, INT64_MIN, any, (inlay_dim){0, 0, 0});
}

static void check_why(inlay_slice s, int rank, const char *want)
{
    char why[160] = "";
    int axis[INLAY_MAX_RANK];

    s.step_name = "step";
    s.axes_name = "axes";
    assert_int_equal(inlay_slice_axes(&s, rank, axis, why, sizeof why), *want == '\0');
    assert_string_equal(why, want);
}

static void slices_that_are_refused(void **state)
{
    const int64_t ones[] = {1, 1, 1}, zero[] = {1, 0}, far[] = {0, 2}, low[] = {-3};
    const int64_t twice[] = {1, 1}, twice_negative[] = {-1, 1};

    check_why((inlay_slice){2, ones, ones, ones, NULL, "", ""}, 2, "");
    check_why((inlay_slice){0, NULL, NULL, NULL, NULL, "", ""}, 2, "");
    check_why((inlay_slice){0, NULL, NULL, NULL, NULL, "", ""}, -1,
              "0 entries to slice of -1 dimensions");
    check_why((inlay_slice){1, ones, ones, ones, NULL, "", ""}, INLAY_MAX_RANK + 1,
              "1 entry to slice of 33 dimensions");
    check_why((inlay_slice){3, ones, ones, ones, NULL, "", ""}, 2,
              "3 entries to slice, data has 2 dimensions");
    check_why((inlay_slice){2, ones, ones, zero, NULL, "", ""}, 2,
              "step[1] is 0, it must not be zero");
    check_why((inlay_slice){2, ones, ones, ones, far, "", ""}, 2,
              "axes[1] is 2, it must be in [-2, 1]");
    check_why((inlay_slice){1, ones, ones, ones, low, "", ""}, 2,
              "axes[0] is -3, it must be in [-2, 1]");
    check_why((inlay_slice){2, ones, ones, ones, twice, "", ""}, 2,
              "axes[1] is 1: axis 1 is repeated");
    check_why((inlay_slice){2, ones, ones, ones, twice_negative, "", ""}, 2,
              "axes[1] is 1: axis 1 is repeated");
}

static void slices_give_a_window_per_axis(void **state)
{
    const int64_t dims[] = {4, 5, 6}, start[] = {-1, 1}, stop[] = {0, 100}, step[] = {-2, 2};
    const int64_t axes[] = {-1, 0};
    inlay_slice s = {2, start, stop, step, axes, "step", "axes"};
    inlay_window w[3];
    char why[160];

    assert_true(inlay_slice_windows(&s, 3, dims, w, why, sizeof why));
    assert_true(inlay_window_equal(w[0], (inlay_window){1, 2, 2}));
    assert_true(inlay_window_equal(w[1], (inlay_window){0, 5, 1}));
    assert_true(inlay_window_equal(w[2], (inlay_window){5, 3, -2}));
}

/* Every element of A, which has two axes, is one of B. */
static bool all_inside(const inlay_window *a, const inlay_window *b)
{
    struct list x[2] = {walk(a[0]), walk(a[1])}, y[2] = {walk(b[0]), walk(b[1])};

    for (int64_t i = 0; i < x[0].n * x[1].n; i++) {
        if (!contains(y[0], x[0].at[i / x[1].n]) || !contains(y[1], x[1].at[i % x[1].n]))
            return false;
    }
    return true;
}

/* A and B have as many positions, which go up in the same steps. */
static bool goes_up_alike(inlay_window a, inlay_window b)
{
    struct list x = walk(a), y = walk(b);

    for (int64_t i = 1; i < x.n && i < y.n; i++) {
        if (x.at[i] <= x.at[i - 1] || x.at[i] - x.at[i - 1] != y.at[i] - y.at[i - 1])
            return false;
    }
    return x.n == y.n;
}

static void windows_of_two_axes(void **state)
{
    inlay_window all[64], a[2], b[2];
    int n = 0;

    while (n < 64 && nth_window(3, 2 * n, &all[n]))
        n++;
    assert_in_range(n, 10, 63);
    for (int i = 0; i < n * n * n * n; i++) {
        a[0] = all[i % n];
        a[1] = all[i / n % n];
        b[0] = all[i / n / n % n];
        b[1] = all[i / n / n / n];
        assert_int_equal(inlay_windows_inside(a, b, 2), all_inside(a, b));
        assert_int_equal(inlay_windows_shifted(a, b, 2),
                         goes_up_alike(a[0], b[0]) && goes_up_alike(a[1], b[1]));
    }
}

/* Each row of W, in a tensor with rows of D elements of BITS bits, begins and ends on a byte. */
static bool rows_on_bytes(const inlay_window *w, int64_t d, int bits)
{
    struct list rows = walk(w[0]), row = walk(w[1]);
    bool whole = row.n * bits % 8 == 0;

    for (int64_t i = 0; i < rows.n && row.n > 0; i++)
        whole = whole && (rows.at[i] * d + row.at[0]) * bits % 8 == 0;
    for (int64_t i = 1; i < row.n && rows.n > 0; i++)
        whole = whole && row.at[i] == row.at[i - 1] + 1;
    return whole;
}

/* What is said to lie on whole bytes does; and what begins with whole rows of bytes is found. */
static void windows_on_whole_bytes(void **state)
{
    for (int bits = 1; bits <= 4; bits *= 2) {
        for (int64_t d = 1; d <= MAX_SIZE; d++) {
            const int64_t dims[] = {3, d};
            inlay_window w[2];

            for (int i = 0; nth_window(3, i, &w[0]); i++) {
                for (int k = 0; nth_window(d, k, &w[1]); k++) {
                    bool lies = rows_on_bytes(w, d, bits);

                    if (inlay_windows_on_bytes(w, 2, dims, bits))
                        assert_true(lies);
                    else
                        assert_false(lies && d * bits % 8 == 0 && w[0].count > 0 && w[1].count > 0);
                }
            }
        }
    }
    assert_false(inlay_windows_on_bytes(NULL, 0, NULL, 4));
    assert_true(inlay_windows_on_bytes(NULL, 0, NULL, 8));
}

static void strides_without_gaps(void **state)
{
    const int64_t dims[] = {2, 1, 3, 4}, empty[] = {2, 0, 3}, any[] = {12, 77, 4, 1};
    int64_t strides[4];

    inlay_strides_dense(4, dims, strides);
    assert_memory_equal(strides, ((int64_t[]){12, 12, 4, 1}), sizeof strides);
    assert_true(inlay_strides_are_dense(4, dims, strides));
    assert_true(inlay_strides_are_dense(4, dims, any)); /* one element is no step from another */
    strides[2] = 5;
    assert_false(inlay_strides_are_dense(4, dims, strides));
    inlay_strides_dense(3, empty, strides);
    assert_memory_equal(strides, ((int64_t[]){0, 3, 1}), 3 * sizeof *strides);
    assert_true(inlay_strides_are_dense(0, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalise_agrees_with_the_text),
        cmocka_unit_test(not_python),
        cmocka_unit_test(denormalise_comes_back),
        cmocka_unit_test(pairs_agree_with_sets),
        cmocka_unit_test(compose_selects_what_two_slices_do),
        cmocka_unit_test(known_pairs),
        cmocka_unit_test(large_windows),
        cmocka_unit_test(lengths_are_the_tightest_interval),
        cmocka_unit_test(lengths_of_open_axes),
        cmocka_unit_test(slices_that_are_refused),
        cmocka_unit_test(slices_give_a_window_per_axis),
        cmocka_unit_test(windows_of_two_axes),
        cmocka_unit_test(windows_on_whole_bytes),
        cmocka_unit_test(strides_without_gaps),
    };

    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
