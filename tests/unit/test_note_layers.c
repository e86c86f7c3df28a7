/* The index over the layers of a buffer (ir/notes/layers.h) finds the layer that a linear search
 * finds: on random windows, of which some are empty, turned round, not known, or of a frame
 * in the buffer. */
#include "generate/rng.h"
#include "ir/notes/layers.h"
#include "ir/shared.h"
#include "seeds.h"
#include "unit.h"

enum { MAX_LAYERS = 70, AXES = 4, SIZE = 20 };

/* A buffer, a frame that shows it, and one that shows this frame. */
static inlay_index_space frames[3] = {
    {.all.frame = &frames[0]},
    {.all.frame = &frames[1], .shows = &frames[0].all, .depth = 1},
    {.all.frame = &frames[2], .shows = &frames[1].all, .depth = 2}};

struct regions {
    inlay_window windows[MAX_LAYERS][AXES];
    inlay_region of[MAX_LAYERS];
};

static inlay_window random_window(rng *r)
{
    int64_t step = rng_one_in(r, 4) ? -2 : rng_in(r, 1, 2), count = rng_in(r, 1, 4);
    int64_t first = rng_in(r, 0, SIZE - 1 - 2 * (count - 1));

    if (rng_one_in(r, 3))
        return (inlay_window){0, SIZE, 1};
    if (rng_one_in(r, 30))
        count = 0;
    return (inlay_window){step < 0 && count > 0 ? first + 2 * (count - 1) : first, count, step};
}

/* Draws windows. Those beyond RANK count for nothing. */
static void random_region(rng *r, int rank, inlay_window *w, inlay_region *out)
{
    *out = (inlay_region){.frame = &frames[0], .rank = rank};
    if (rng_one_in(r, 40))
        out->rank = (int)rng_in(r, 1, AXES);
    else if (rng_one_in(r, 3))
        out->frame = &frames[rng_in(r, 1, 2)];
    for (int i = 0; i < AXES; i++)
        w[i] = random_window(r);
    if (!rng_one_in(r, 20))
        out->windows = w;
}

static size_t first_over(const struct regions *all, size_t from, size_t n,
                         const inlay_region *where)
{
    while (from < n && !inlay_region_meets(&all->of[from], where))
        from++;
    return from;
}

static void check_seed(uint64_t seed)
{
    static struct regions all;
    rng r = {seed};
    inlay_arena *arena = inlay_arena_new();
    inlay_graph *g = inlay_graph_new("layers", NULL);
    int rank = seed % 2 ? AXES : (int)rng_in(&r, 1, AXES);
    note_layers layers = {0};
    note_costs costs = {.graph = g};

    assert_non_null(arena);
    assert_non_null(g);
    for (int i = 0; i < 3; i++)
        frames[i].all.rank = rank;
    for (size_t n = 0; n < MAX_LAYERS; n++) {
        inlay_window w[AXES];
        inlay_region where;
        size_t from = (size_t)rng_in(&r, 0, (int64_t)n), wanted;
        const note_layer *found;

        random_region(&r, rank, w, &where);
        wanted = first_over(&all, from, n, &where);
        found = note_layers_first(&layers, from, &where, &costs);
        if (found ? found != &layers.list[wanted] : wanted < n)
            fail_msg("seed %llu: of %zu layers it is number %zu", (unsigned long long)seed, n,
                     wanted);
        random_region(&r, rank, all.windows[n], &all.of[n]);
        assert_true(note_layers_push(&layers, arena, &(note_layer){NULL, NULL, &all.of[n]}));
    }
    inlay_graph_free(g);
    inlay_arena_free(arena);
}

static void the_index_finds_the_first(void **state)
{
    const seed_range s = seeds_to_try(500, 100);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed);
}

/* Two regions are columns of a matrix. When the limit of what a graph may cost is reached, all
 * regions count as overlapping, and none lies inside of another. */
static void comparisons_end(void **state)
{
    enum { ALLOWED = 1 << 27 };
    const inlay_window windows[2][2] = {{{0, 8, 1}, {0, 1, 1}}, {{0, 8, 1}, {1, 1, 1}}};
    const inlay_region left = {.frame = &frames[0], .rank = 2, .windows = windows[0]};
    const inlay_region right = {.frame = &frames[0], .rank = 2, .windows = windows[1]};
    inlay_graph *g = inlay_graph_new("costs", NULL);
    note_costs costs = {.graph = g, .comparisons = ALLOWED - 4};

    assert_false(note_meets(&costs, &left, &right));
    assert_true(note_meets(&costs, &left, &left));
    assert_true(note_inside(&costs, &right, &right));
    assert_true(note_meets(&costs, &left, &right));
    assert_false(note_inside(&costs, &right, &right));
    assert_int_equal(costs.comparisons, ALLOWED);
    inlay_graph_free(g);
}

/* Every failed allocation is reported. */
static void no_memory(void **state)
{
    const inlay_window all = {0, 8, 1};
    const inlay_region where = {.frame = &frames[0], .rank = 1, .windows = &all};
    int failed = 0;

    for (uint64_t limit = 100; limit < 40000; limit += 100) {
        inlay_budget *budget = inlay_budget_new(limit, NULL);
        inlay_arena *arena = inlay_arena_of(budget);
        note_layers layers = {0};
        bool ok = arena != NULL;

        for (int i = 0; ok && i < MAX_LAYERS; i++)
            ok = note_layers_push(&layers, arena, &(note_layer){NULL, NULL, &where});
        failed += !ok;
        inlay_arena_free(arena);
        inlay_budget_free(budget);
    }
    assert_true(failed > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_index_finds_the_first),
                                       cmocka_unit_test(comparisons_end),
                                       cmocka_unit_test(no_memory)};

    return cmocka_run_group_tests_name("note layers", tests, NULL, NULL);
}
