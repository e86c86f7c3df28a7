/* Dimensions: interval arithmetic is compared with brute force, identities are tried, and the text
 * form is that which OpenVINO's PartialShape reads and writes. The growing buffer is tested here,
 * too. */
#include "ir/ir.h"
#include "ir/shared.h"
#include "unit.h"

enum { LIMIT = 4 };

static inlay_dim interval(int64_t lo, int64_t hi)
{
    return (inlay_dim){lo, hi, 0};
}

typedef inlay_dim dim_fn(inlay_dim, inlay_dim);
typedef int64_t number_fn(int64_t, int64_t);

static int64_t add(int64_t x, int64_t y)
{
    return x + y;
}
static int64_t sub(int64_t x, int64_t y)
{
    return x - y;
}
static int64_t mul(int64_t x, int64_t y)
{
    return x * y;
}
static int64_t min(int64_t x, int64_t y)
{
    return x < y ? x : y;
}
static int64_t max(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

/* Returns the interval of all results, which an exact implementation gives. */
static inlay_dim hull(inlay_dim a, inlay_dim b, number_fn *f)
{
    inlay_dim h = {INT64_MAX, INT64_MIN, 0};

    for (int64_t x = a.lo; x <= a.hi; x++) {
        for (int64_t y = b.lo; y <= b.hi; y++) {
            h.lo = min(h.lo, f(x, y));
            h.hi = max(h.hi, f(x, y));
        }
    }
    return h;
}

static void check_binary(dim_fn *f, number_fn *g)
{
    for (int64_t a = -LIMIT; a <= LIMIT; a++)
        for (int64_t b = a; b <= LIMIT; b++)
            for (int64_t c = -LIMIT; c <= LIMIT; c++)
                for (int64_t d = c; d <= LIMIT; d++) {
                    inlay_dim got = f(interval(a, b), interval(c, d));
                    inlay_dim want = hull(interval(a, b), interval(c, d), g);

                    assert_int_equal(got.lo, want.lo);
                    assert_int_equal(got.hi, want.hi);
                }
}

static void arithmetic_is_exact_on_small_intervals(void **state)
{
    check_binary(inlay_dim_add, add);
    check_binary(inlay_dim_sub, sub);
    check_binary(inlay_dim_mul, mul);
    check_binary(inlay_dim_min, min);
    check_binary(inlay_dim_max, max);
}

/* Tries intervals without an end, cut at +-BIG: the result must hold every sample. */
static void check_open(dim_fn *f, number_fn *g)
{
    enum { BIG = 40 };

    for (int64_t a = -LIMIT; a <= LIMIT; a++)
        for (int64_t c = -LIMIT; c <= LIMIT; c++)
            for (int64_t d = c; d <= LIMIT; d++) {
                inlay_dim up = f(interval(a, INT64_MAX), interval(c, d));
                inlay_dim down = f(interval(INT64_MIN, a), interval(c, d));
                inlay_dim want_up = hull(interval(a, BIG), interval(c, d), g);
                inlay_dim want_down = hull(interval(-BIG, a), interval(c, d), g);

                assert_true(up.lo <= want_up.lo && up.hi >= want_up.hi);
                assert_true(down.lo <= want_down.lo && down.hi >= want_down.hi);
            }
}

static void open_ends_are_sound(void **state)
{
    check_open(inlay_dim_add, add);
    check_open(inlay_dim_sub, sub);
    check_open(inlay_dim_mul, mul);
    check_open(inlay_dim_min, min);
    check_open(inlay_dim_max, max);
}

static void open_ends_stay_open(void **state)
{
    inlay_dim d;

    d = inlay_dim_add(interval(2, INT64_MAX), interval(3, 4));
    assert_int_equal(d.lo, 5);
    assert_int_equal(d.hi, INT64_MAX);
    d = inlay_dim_sub(interval(2, 9), interval(0, INT64_MAX));
    assert_int_equal(d.lo, INT64_MIN);
    assert_int_equal(d.hi, 9);
    d = inlay_dim_mul(interval(0, INT64_MAX), interval(0, INT64_MAX));
    assert_int_equal(d.lo, 0);
    assert_int_equal(d.hi, INT64_MAX);
    d = inlay_dim_mul(interval(-3, INT64_MAX), interval(-2, -1));
    assert_int_equal(d.lo, INT64_MIN);
    assert_int_equal(d.hi, 6);
    d = inlay_dim_div_ceil(interval(3, INT64_MAX), 2);
    assert_int_equal(d.lo, 2);
    assert_int_equal(d.hi, INT64_MAX);
}

static void overflow_is_never_static(void **state)
{
    const int64_t big = INT64_MAX / 2 + 1;
    inlay_dim d;

    d = inlay_dim_add(inlay_dim_of(big), inlay_dim_of(big));
    assert_false(inlay_dim_is_static(d));
    assert_int_equal(d.hi, INT64_MAX);
    d = inlay_dim_mul(inlay_dim_of(big), inlay_dim_of(2));
    assert_false(inlay_dim_is_static(d));
    assert_int_equal(d.hi, INT64_MAX);
    d = inlay_dim_mul(inlay_dim_of(big), inlay_dim_of(-4));
    assert_false(inlay_dim_is_static(d));
    assert_int_equal(d.lo, INT64_MIN);
    d = inlay_dim_sub(inlay_dim_of(-big), inlay_dim_of(big + 1));
    assert_false(inlay_dim_is_static(d));
    assert_int_equal(d.lo, INT64_MIN);
    /* a static INT64_MAX is a number as any other: Slice's usual stop */
    d = inlay_dim_sub(inlay_dim_of(INT64_MAX), inlay_dim_of(1));
    assert_true(inlay_dim_is_static(d));
    assert_int_equal(d.lo, INT64_MAX - 1);
}

static void division_is_exact_on_small_intervals(void **state)
{
    for (int64_t by = 1; by <= 5; by++)
        for (int64_t a = -9; a <= 9; a++)
            for (int64_t b = a; b <= 9; b++) {
                inlay_dim floor = inlay_dim_div_floor(interval(a, b), by);
                inlay_dim ceil = inlay_dim_div_ceil(interval(a, b), by);

                /* the q with q*by <= x < (q+1)*by, and (q-1)*by < x <= q*by */
                assert_true(floor.lo * by <= a && a < (floor.lo + 1) * by);
                assert_true(floor.hi * by <= b && b < (floor.hi + 1) * by);
                assert_true((ceil.lo - 1) * by < a && a <= ceil.lo * by);
                assert_true((ceil.hi - 1) * by < b && b <= ceil.hi * by);
            }
}

static void merge_and_union_hold_what_they_should(void **state)
{
    for (int64_t a = 0; a <= LIMIT; a++)
        for (int64_t b = a; b <= LIMIT; b++)
            for (int64_t c = 0; c <= LIMIT; c++)
                for (int64_t d = c; d <= LIMIT; d++) {
                    inlay_dim x = interval(a, b), y = interval(c, d), m = {0, 0, 0};
                    inlay_dim u = inlay_dim_union(x, y);
                    bool meet = false, merged = inlay_dim_merge(x, y, &m);

                    for (int64_t i = 0; i <= LIMIT; i++) {
                        bool both = i >= a && i <= b && i >= c && i <= d;

                        meet = meet || both;
                        if (merged)
                            assert_int_equal(i >= m.lo && i <= m.hi, both);
                    }
                    assert_int_equal(merged, meet);
                    assert_int_equal(inlay_dim_compatible(x, y), meet);
                    assert_int_equal(u.lo, min(a, c));
                    assert_int_equal(u.hi, max(b, d));
                }
}

static void identities(void **state)
{
    inlay_dim n = {1, 8, 7}, same = {2, 6, 7}, other = {1, 8, 9}, out;

    assert_true(inlay_dim_proven_equal(n, same));
    assert_false(inlay_dim_proven_equal(n, other));
    assert_false(inlay_dim_proven_equal(inlay_dim_any(), inlay_dim_any()));
    assert_true(inlay_dim_proven_equal(inlay_dim_of(3), inlay_dim_of(3)));
    assert_false(inlay_dim_proven_equal(inlay_dim_of(3), inlay_dim_of(4)));

    assert_int_equal(inlay_dim_add(n, inlay_dim_of(0)).id, 7);
    assert_int_equal(inlay_dim_add(inlay_dim_of(0), n).id, 7);
    assert_int_equal(inlay_dim_sub(n, inlay_dim_of(0)).id, 7);
    assert_int_equal(inlay_dim_mul(n, inlay_dim_of(1)).id, 7);
    assert_int_equal(inlay_dim_mul(inlay_dim_of(1), n).id, 7);
    assert_int_equal(inlay_dim_div_floor(n, 1).id, 7);
    assert_int_equal(inlay_dim_add(n, inlay_dim_of(1)).id, 0);
    assert_int_equal(inlay_dim_mul(n, inlay_dim_of(2)).id, 0);
    assert_int_equal(inlay_dim_div_ceil(n, 2).id, 0);

    assert_int_equal(inlay_dim_sub(n, same).lo, 0);
    assert_int_equal(inlay_dim_sub(n, same).hi, 0);
    assert_int_equal(inlay_dim_min(n, same).id, 7);
    assert_int_equal(inlay_dim_max(n, inlay_dim_of(1)).id, 7);
    assert_int_equal(inlay_dim_min(n, inlay_dim_of(8)).id, 7);
    assert_int_equal(inlay_dim_min(n, inlay_dim_of(7)).id, 0);

    assert_true(inlay_dim_merge(interval(2, 4), n, &out));
    assert_int_equal(out.id, 7);
    assert_int_equal(inlay_dim_union(n, same).id, 7);
    assert_int_equal(inlay_dim_union(n, other).id, 0);
}

static void check_dim_text(const char *text, int64_t lo, int64_t hi, const char *printed)
{
    char buf[64];
    const char *why = NULL;
    inlay_dim d;

    assert_true(inlay_dim_parse(text, strlen(text), &d, &why));
    assert_int_equal(d.lo, lo);
    assert_int_equal(d.hi, hi);
    assert_int_equal(d.id, 0);
    assert_string_equal(inlay_dim_text(d, buf, sizeof buf), printed);
}

static void dimensions_as_text(void **state)
{
    check_dim_text("7", 7, 7, "7");
    check_dim_text("0", 0, 0, "0");
    check_dim_text("?", 0, INT64_MAX, "?");
    check_dim_text("-1", 0, INT64_MAX, "?");
    check_dim_text("..", 0, INT64_MAX, "?");
    check_dim_text("0..", 0, INT64_MAX, "?");
    check_dim_text("2..8", 2, 8, "2..8");
    check_dim_text(" 2 .. 8\t", 2, 8, "2..8");
    check_dim_text("2..", 2, INT64_MAX, "2..");
    check_dim_text("..8", 0, 8, "..8");
    check_dim_text("0..5", 0, 5, "..5");
    check_dim_text("3..3", 3, 3, "3");
    check_dim_text("9223372036854775806", INT64_MAX - 1, INT64_MAX - 1, "9223372036854775806");
}

static void element_values_as_text(void **state)
{
    char buf[64];

    assert_string_equal(inlay_dim_text(inlay_dim_of(-2), buf, sizeof buf), "-2");
    assert_string_equal(inlay_dim_text(interval(-2, 5), buf, sizeof buf), "-2..5");
    assert_string_equal(inlay_dim_text(interval(-2, INT64_MAX), buf, sizeof buf), "-2..");
    assert_string_equal(inlay_dim_text(interval(INT64_MIN, 5), buf, sizeof buf), "-inf..5");
    assert_string_equal(inlay_dim_text(inlay_dim_unknown_value(), buf, sizeof buf), "?");
}

static void bad_dimensions(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "a dimension is empty"},
        {"  ", "a dimension is empty"},
        {"-2", "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8"},
        {"a", "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8"},
        {"1.5", "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8"},
        {"1...5", "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8"},
        {"-1..4", "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8"},
        {"8..2", "the interval is empty: its end is below its start"},
        {"9223372036854775807", "the dimension is too big"},
        {"1..99999999999999999999", "the dimension is too big"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *why = NULL;
        inlay_dim d;

        assert_false(inlay_dim_parse(cases[i].text, strlen(cases[i].text), &d, &why));
        assert_string_equal(why, cases[i].why);
    }
}

static void check_shape_text(const char *text, int rank, const char *printed)
{
    char buf[256];
    const char *why = NULL;
    inlay_shape s;

    assert_true(inlay_shape_parse(text, &s, &why));
    assert_int_equal(s.rank, rank);
    assert_string_equal(inlay_shape_text(s.rank, s.dim, buf, sizeof buf), printed);
}

static void shapes_as_text(void **state)
{
    check_shape_text("", 0, "[]");
    check_shape_text("[]", 0, "[]");
    check_shape_text(" [ ] ", 0, "[]");
    check_shape_text("...", -1, "...");
    check_shape_text("[...]", -1, "...");
    check_shape_text("2,?,1..8", 3, "[2,?,1..8]");
    check_shape_text(" [ 2 , -1, ..4 ] ", 3, "[2,?,..4]");
    check_shape_text("3,", 1, "[3]");
}

static void bad_shapes(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {",", "a dimension is empty"},
        {"2,,3", "a dimension is empty"},
        {"2, ,3", "a dimension is empty"},
        {"[2,3", "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8"},
        {"...,2", "a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8"},
        {"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
         "the shape has more than 32 dimensions"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *why = NULL;
        inlay_shape s;

        assert_false(inlay_shape_parse(cases[i].text, &s, &why));
        assert_string_equal(why, cases[i].why);
    }
}

static void text_is_cut_to_its_buffer(void **state)
{
    inlay_dim dims[] = {{2, 2, 0}, {10, 20, 0}};
    char buf[6];

    assert_string_equal(inlay_shape_text(2, dims, buf, sizeof buf), "[2,10");
    assert_string_equal(inlay_shape_text(2, dims, buf, 1), "");
}

static void shapes_of_a_rank(void **state)
{
    inlay_shape s;

    inlay_shape_of_rank(&s, 2);
    assert_int_equal(s.rank, 2);
    assert_false(inlay_shape_is_static(&s));
    s.dim[0] = s.dim[1] = inlay_dim_of(4);
    assert_true(inlay_shape_is_static(&s));
    inlay_shape_of_rank(&s, -1);
    assert_false(inlay_shape_is_static(&s));
    inlay_shape_of_rank(&s, 0);
    assert_true(inlay_shape_is_static(&s));
}

static void a_buffer_grows(void **state)
{
    inlay_strbuf b = {0};
    char word[300];

    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    inlay_strbuf_puts(&b, "a");
    inlay_strbuf_printf(&b, "%d-%s", 12, word);
    inlay_strbuf_add(&b, "\0z", 2);
    assert_true(inlay_strbuf_sink(&b, "!", 1));
    assert_false(b.failed);
    assert_int_equal(b.n, 1 + 3 + 299 + 2 + 1);
    assert_memory_equal(b.bytes, "a12-xxx", 7);
    assert_memory_equal(b.bytes + 303, "\0z!", 4);
    inlay_strbuf_free(&b);
    assert_null(b.bytes);
    inlay_strbuf_add(&b, NULL, 0);
    assert_string_equal(b.bytes, "");
    inlay_strbuf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_exact_on_small_intervals),
        cmocka_unit_test(open_ends_are_sound),
        cmocka_unit_test(open_ends_stay_open),
        cmocka_unit_test(overflow_is_never_static),
        cmocka_unit_test(division_is_exact_on_small_intervals),
        cmocka_unit_test(merge_and_union_hold_what_they_should),
        cmocka_unit_test(identities),
        cmocka_unit_test(dimensions_as_text),
        cmocka_unit_test(element_values_as_text),
        cmocka_unit_test(bad_dimensions),
        cmocka_unit_test(shapes_as_text),
        cmocka_unit_test(bad_shapes),
        cmocka_unit_test(text_is_cut_to_its_buffer),
        cmocka_unit_test(shapes_of_a_rank),
        cmocka_unit_test(a_buffer_grows),
    };

    return cmocka_run_group_tests_name("dim", tests, NULL, NULL);
}
