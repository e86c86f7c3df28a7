/* The index over time (passes/inplace/spans.h) finds the place that a linear search finds: on
 * random spans that come, change and go. */
#include "passes/inplace/spans.h"
#include "random_graphs.h"
#include "unit.h"

enum { PLACES = 37, CHANGES = 120, MOMENTS = 20 };

static inlay_box random_box(rng *r)
{
    inlay_box box;

    for (int i = 0; i < INLAY_BOX_AXES; i++) {
        box.lo[i] = rng_one_in(r, 5) ? INT64_MIN : rng_in(r, 0, 9);
        box.hi[i] = rng_one_in(r, 5) ? INT64_MAX : rng_in(r, box.lo[i] > 0 ? box.lo[i] : 0, 9);
    }
    return box;
}

static inlay_framed_box random_framed_box(rng *r)
{
    static const char frames[2];

    return (inlay_framed_box){random_box(r), rng_one_in(r, 2) ? &frames[rng_in(r, 0, 1)] : NULL,
                              random_box(r)};
}

static inplace_span random_span(rng *r)
{
    if (rng_one_in(r, 3))
        return (inplace_span){0};
    return (inplace_span){.any = true,
                          .box = random_framed_box(r),
                          .version = (size_t)rng_in(r, 0, MOMENTS),
                          .fence = rng_one_in(r, 2) ? SIZE_MAX : (size_t)rng_in(r, 1, MOMENTS)};
}

static bool boxes_share(const inlay_box *a, const inlay_box *b)
{
    for (int i = 0; i < INLAY_BOX_AXES; i++) {
        if (a->hi[i] < b->lo[i] || b->hi[i] < a->lo[i])
            return false;
    }
    return true;
}

/* Within one frame what matters is where they lie there, too. */
static bool framed_boxes_share(const inlay_framed_box *a, const inlay_framed_box *b)
{
    bool one_frame = a->frame && a->frame == b->frame;

    return boxes_share(&a->box, &b->box) && (!one_frame || boxes_share(&a->inside, &b->inside));
}

static size_t first_by_hand(const inplace_span *all, size_t from, size_t to,
                            const inplace_span_query *wanted)
{
    for (size_t i = from; i < to; i++) {
        if (all[i].any && all[i].version < wanted->version_below &&
            all[i].fence > wanted->fence_above && framed_boxes_share(&all[i].box, &wanted->box))
            return i;
    }
    return SIZE_MAX;
}

static void check_search(uint64_t seed, rng *r, const inplace_span_index *x,
                         const inplace_span *all)
{
    size_t from = (size_t)rng_in(r, 0, PLACES), to = (size_t)rng_in(r, 0, PLACES);
    inplace_span_query wanted = {random_framed_box(r),
                                 rng_one_in(r, 2) ? SIZE_MAX : (size_t)rng_in(r, 0, MOMENTS),
                                 (size_t)rng_in(r, 0, rng_one_in(r, 2) ? 0 : MOMENTS)};
    size_t got = inplace_spans_next(x, from, to, &wanted);
    size_t must = first_by_hand(all, from, to, &wanted);

    if (got != must)
        fail_msg("seed %llu: from %zu to %zu place %zd is found, it must be %zd",
                 (unsigned long long)seed, from, to, (ptrdiff_t)got, (ptrdiff_t)must);
}

static void check_seed(uint64_t seed)
{
    rng r = {seed};
    inplace_span all[PLACES] = {{0}};
    inplace_span_index x;
    uint64_t steps = 0;

    assert_true(inplace_spans_begin(&x, NULL, PLACES, &steps));
    for (int i = 0; i < CHANGES; i++) {
        size_t place = (size_t)rng_in(&r, 0, PLACES - 1);

        all[place] = random_span(&r);
        inplace_spans_set(&x, place, &all[place]);
        if (rng_one_in(&r, 50)) {
            inplace_spans_clear(&x);
            for (size_t k = 0; k < PLACES; k++)
                all[k] = (inplace_span){0};
        }
        for (int k = 0; k < 4; k++)
            check_search(seed, &r, &x, all);
    }
    inplace_spans_end(&x);
}

static void test_searches(void **state)
{
    const seed_range s = seeds_to_try(200, 40);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed);
}

/* There are 4096 places; a search that finds nothing looks at two spans of each level at most, not
 * at each span. */
static void test_steps(void **state)
{
    inplace_span_index x;
    inplace_span span = {.any = true, .version = 1, .fence = SIZE_MAX};
    inplace_span_query wanted = {.version_below = 1};
    uint64_t steps = 0, before;

    assert_true(inplace_spans_begin(&x, NULL, 4096, &steps));
    for (size_t i = 0; i < 4096; i++)
        inplace_spans_set(&x, i, &span);
    before = steps;
    assert_true(inplace_spans_next(&x, 1, 4096, &wanted) == SIZE_MAX);
    assert_true(steps - before <= 2 * 12 + 2);
    wanted.version_below = 2;
    before = steps;
    assert_int_equal(inplace_spans_next(&x, 1, 4096, &wanted), 1);
    assert_true(steps - before == 1);
    inplace_spans_end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_searches),
                                       cmocka_unit_test(test_steps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
