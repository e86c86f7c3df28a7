/* The table of names (ir/graph/names.h), against a list, as nodes come and go. INLAY_SEED=N tries
 * one order of events. */
#include "generate/rng.h"
#include "ir/graph/names.h"
#include "ir/shared.h"
#include "seeds.h"
#include "unit.h"

enum { NAMES = 60 };

static void add(struct name_table *t, inlay_node *n, inlay_arena *a)
{
    assert_true(names_add(t, n, names_hash(n->name), a));
}

static void take_out(struct name_table *t, const inlay_node *n)
{
    struct name_slot *slot = names_find(t, n->name, names_hash(n->name));

    assert_non_null(slot);
    assert_ptr_equal(slot->node, n);
    names_remove(slot);
}

/* Half of the hashes are one number, so that many names stand in one row. */
static uint32_t hash_of(int i)
{
    return i % 2 ? 7 : (uint32_t)i;
}

static void check_seed(uint64_t seed)
{
    struct name_table t = {0};
    inlay_arena *arena = inlay_arena_new();
    inlay_node nodes[NAMES];
    char names[NAMES][8];
    bool in[NAMES] = {false};
    rng r = {seed};

    memset(nodes, 0, sizeof nodes);
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        nodes[i].name = names[i];
    }
    for (int step = 0; step < 400; step++) {
        int i = (int)rng_in(&r, 0, NAMES - 1);
        struct name_slot *slot = names_find(&t, names[i], hash_of(i));

        if ((slot != NULL) != in[i] || (slot && slot->node != &nodes[i]))
            fail_msg("seed %llu, step %d: \"%s\" is %s", (unsigned long long)seed, step, names[i],
                     in[i] ? "not found" : "found");
        if (slot)
            names_remove(slot);
        else
            assert_true(names_add(&t, &nodes[i], hash_of(i), arena));
        in[i] = !in[i];
    }
    inlay_arena_free(arena);
}

static void test_random_events(void **state)
{
    const seed_range s = seeds_to_try(500, 100);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed);
}

/* A name that comes and goes takes the slot that it had: else there were a row of such slots, and
 * each search for the name would walk along all of them. */
static void test_name_comes_and_goes(void **state)
{
    struct name_table t = {0};
    inlay_arena *arena = inlay_arena_new();
    inlay_node other = {.name = "other"}, node = {.name = "node"};

    add(&t, &other, arena);
    for (int i = 0; i < 1000; i++) {
        add(&t, &node, arena);
        take_out(&t, &node);
    }
    assert_int_equal(t.used, 2);
    take_out(&t, &other);
    inlay_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_events),
        cmocka_unit_test(test_name_comes_and_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
