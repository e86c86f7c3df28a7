/* Offsets of blocks in an arena (interp/exec/build/layout.c): no two blocks that are alive together
 * overlap, and the arena is close to the largest sum of what is alive. INLAY_SEED=N tries one
 * list. */
#include "generate/rng.h"
#include "interp/exec/build/layout.h"
#include "seeds.h"
#include "unit.h"

enum { MOST = 120 };

/* Returns the largest sum of what is alive at one time, in whole lines. */
static uint64_t bound_of(const layout_block *list, size_t n, size_t times)
{
    uint64_t most = 0;

    for (size_t t = 0; t < times; t++) {
        uint64_t sum = 0;

        for (size_t i = 0; i < n; i++) {
            if (list[i].first <= t && t <= list[i].last)
                sum += (list[i].bytes + LAYOUT_LINE - 1) / LAYOUT_LINE * LAYOUT_LINE;
        }
        most = sum > most ? sum : most;
    }
    return most;
}

static void check_apart(uint64_t seed, const layout_block *list, size_t n, uint64_t bytes)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].offset % LAYOUT_LINE != 0 || list[i].offset + list[i].bytes > bytes)
            fail_msg("seed %llu: block %zu lies outside", (unsigned long long)seed, i);
        for (size_t k = 0; k < i; k++) {
            const layout_block *a = &list[i], *b = &list[k];

            if (a->first <= b->last && b->first <= a->last && a->bytes > 0 && b->bytes > 0 &&
                a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes)
                fail_msg("seed %llu: blocks %zu and %zu overlap", (unsigned long long)seed, i, k);
        }
    }
}

/* Blocks are as a network has them: each lives for a few steps, some for long. */
static bool lay_out(layout_block *list, size_t n, layout *out)
{
    inlay_arena *scratch = inlay_arena_new();
    bool ok = layout_make(list, n, scratch, out);

    inlay_arena_free(scratch);
    return ok;
}

static void test_random_blocks(void **state)
{
    const seed_range s = seeds_to_try(3000, 500);
    uint64_t bytes = 0, bound = 0;

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        rng r = {seed * 3 + 1};
        size_t n = (size_t)rng_in(&r, 0, MOST), times = n + 60;
        layout_block list[MOST + 1];
        uint64_t wanted;
        layout out;

        for (size_t i = 0; i < n; i++) {
            size_t last = i + (size_t)rng_in(&r, 0, rng_one_in(&r, 5) ? 60 : 3);

            list[i] = (layout_block){.bytes = (uint64_t)rng_in(&r, 0, 1 << rng_in(&r, 0, 16)),
                                     .first = i,
                                     .last = last < times ? last : times - 1};
        }
        wanted = bound_of(list, n, times);
        assert_true(lay_out(list, n, &out));
        if (out.bound != wanted)
            fail_msg("seed %llu: the bound is %llu, not %llu", (unsigned long long)seed,
                     (unsigned long long)out.bound, (unsigned long long)wanted);
        check_apart(seed, list, n, out.bytes);
        bytes += out.bytes;
        bound += out.bound;
    }
    print_message("# the arenas are %.3f of their bounds\n", (double)bytes / (double)bound);
    assert_true(!s.whole || (double)bytes <= 1.003 * (double)bound);
}

/* Two gaps side by side become one, whichever of them was left first: a block of their joint size
 * fits there. There are so many blocks that only the order of time is tried. */
static void test_gaps_are_joined(void **state)
{
    enum { MANY = 3001 };

    for (size_t first = 0; first < 2; first++) {
        layout_block list[2 + MANY + 1] = {{.bytes = LAYOUT_LINE, .first = 0, .last = 1 + first},
                                           {.bytes = LAYOUT_LINE, .first = 0, .last = 2 - first}};
        layout out;

        for (size_t i = 0; i < MANY; i++)
            list[2 + i] = (layout_block){.bytes = LAYOUT_LINE, .first = 0, .last = 5};
        list[2 + MANY] = (layout_block){.bytes = (uint64_t)2 * LAYOUT_LINE, .first = 4, .last = 5};
        assert_true(lay_out(list, 2 + MANY + 1, &out));
        assert_int_equal(out.bytes, (2 + MANY) * LAYOUT_LINE);
    }
}

/* There are so many gaps that some are forgotten, and sizes that do not fit. */
static void test_many_blocks(void **state)
{
    enum { N = 20000 };
    layout_block *list = calloc(N, sizeof *list);
    layout_block huge[2] = {{.bytes = UINT64_MAX / 2, .first = 0, .last = 1},
                            {.bytes = UINT64_MAX / 2, .first = 1, .last = 2}};
    layout out;

    assert_non_null(list);
    for (size_t i = 0; i < N; i++)
        list[i] = (layout_block){
            .bytes = 64 * (1 + i % 37), .first = i, .last = i % 2 ? i + 3000 : 2 * N};
    assert_true(lay_out(list, N, &out));
    assert_true(out.bytes >= out.bound && out.bytes < 2 * out.bound);
    free(list);
    assert_false(lay_out(huge, 2, &out));
}

/* Blocks of an arena that is laid out already stay where they are, and others come. A line behind
 * the end of that arena is left free. */
static void check_continued(uint64_t seed, uint64_t *bytes, uint64_t *bound)
{
    rng r = {seed * 7 + 5};
    layout_block list[2 * MOST + 1];
    size_t n = (size_t)rng_in(&r, 0, MOST), n_stay = 0;
    uint64_t was[MOST], wanted;
    layout before, out;

    for (size_t i = 0; i < n; i++)
        list[i] = (layout_block){
            .bytes = (uint64_t)rng_in(&r, 0, 1 << rng_in(&r, 0, 16)), .first = i, .last = i + 9};
    assert_true(lay_out(list, n, &before));
    for (size_t i = n > 9 ? n - 9 : 0; i < n; i++) { /* these are alive together */
        was[n_stay] = list[i].offset;
        list[n_stay] = list[i];
        list[n_stay].first = 0;
        list[n_stay].last = (size_t)rng_in(&r, 0, MOST);
        list[n_stay++].fixed = true;
    }
    for (size_t i = 0; i < MOST; i++)
        list[n_stay + i] = (layout_block){.bytes = (uint64_t)rng_in(&r, 0, 1 << rng_in(&r, 0, 16)),
                                          .first = i + 1,
                                          .last = i + (size_t)rng_in(&r, 1, 9)};
    wanted = bound_of(list, n_stay + MOST, MOST + 10);
    n = n_stay + MOST;
    list[n++] = (layout_block){.bytes = LAYOUT_LINE,
                               .last = SIZE_MAX,
                               .offset = before.bytes,
                               .fixed = true,
                               .idle = true};
    assert_true(lay_out(list, n, &out));
    check_apart(seed, list, n, out.bytes);
    for (size_t i = 0; i < n_stay; i++)
        assert_int_equal(list[i].offset, was[i]);
    assert_int_equal(out.bound, wanted);
    *bytes += out.bytes - before.bytes;
    *bound += wanted;
}

static void test_fixed_blocks(void **state)
{
    const seed_range s = seeds_to_try(1000, 200);
    uint64_t bytes = 0, bound = 0;

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_continued(seed, &bytes, &bound);
    print_message("# behind what was there the arenas grow by %.3f of their bounds\n",
                  (double)bytes / (double)bound);
    assert_true(!s.whole || bytes < bound / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_blocks),
        cmocka_unit_test(test_gaps_are_joined),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_fixed_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
