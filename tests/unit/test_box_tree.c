/* The index over boxes finds what a look at each of them finds, and passes by most of them. */
#include "ir/shared.h"
#include "ir/tensor/box_tree.h"
#include "unit.h"

enum { MOST = 40, SEEDS = 400 };

static uint64_t next_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* A box of a few rows, in the buffer or in one of two frames; now and then of an unknown place. */
static inlay_framed_box any_box(uint64_t *state)
{
    static const char frames[] = "ab";
    inlay_window w[2] = {{(int64_t)(next_number(state) % 30), 1, 1}, {0, 4, 1}};
    uint64_t kind = next_number(state) % 8;
    inlay_framed_box box = {inlay_box_of(kind == 0 ? NULL : w, 2), NULL, inlay_box_of(w, 2)};

    w[0].begin = (int64_t)(next_number(state) % 30);
    w[0].count = 1 + (int64_t)(next_number(state) % 3);
    box.inside = inlay_box_of(w, 2);
    box.frame = kind < 3 ? &frames[kind % 2] : NULL;
    return box;
}

static void finds_what_a_scan_finds(void **state)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        inlay_arena *a = inlay_arena_new();
        inlay_framed_box boxes[MOST], wanted;
        inlay_box_tree t = {0};
        uint64_t r = seed;
        size_t n = next_number(&r) % MOST, passed = 0;

        for (size_t i = 0; i < n; i++) {
            boxes[i] = any_box(&r);
            assert_true(inlay_box_tree_push(&t, a, &boxes[i]));
        }
        wanted = any_box(&r);
        for (size_t from = 0; from <= n; from++) {
            size_t first = from;

            while (first < n && !inlay_framed_meet(&boxes[first], &wanted))
                first++;
            if (inlay_box_tree_next(&t, from, &wanted, &passed) != first)
                fail_msg("seed %d: from %zu of %zu on", (int)seed, from, n);
        }
        inlay_arena_free(a);
    }
}

/* Of 1,024 rows side by side the last is found with a look at one box for each level. */
static void passes_by_most(void **state)
{
    inlay_arena *a = inlay_arena_new();
    inlay_box_tree t = {0};
    inlay_framed_box box;
    size_t passed = 0;

    for (int64_t i = 0; i < 1024; i++) {
        inlay_window w = {i, 1, 1};

        box = (inlay_framed_box){.box = inlay_box_of(&w, 1)};
        assert_true(inlay_box_tree_push(&t, a, &box));
    }
    assert_int_equal(inlay_box_tree_next(&t, 0, &box, &passed), 1023);
    assert_in_range(passed, 1, 11);
    inlay_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_scan_finds),
        cmocka_unit_test(passes_by_most),
    };

    return cmocka_run_group_tests_name("box_tree", tests, NULL, NULL);
}
