/* The schedule of trials.
 *
 * One row after the other, each with one unusual thing about it; and round again, with other
 * elements. The seed of a trial says
 * which row it is: a seed that found a difference finds it again alone.
 */
#include "passes/prove/prove.h"

enum { ROWS = 16, CELLS = 2 * ROWS };

static const struct row {
    int sizes[PROVE_MAX_CYCLE], n_sizes;
    int rank;
    prove_indices indices;
    prove_counts counts;
    prove_values values[2]; /* on even and on odd rounds */
} schedule[ROWS] = {
    {{3}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_SMALL, PROVE_SPECIAL}},
    {{3}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_RANDOM, PROVE_SPECIAL}},
    {{1}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_SPECIAL, PROVE_RANDOM}},
    {{3}, 1, 1, PROVE_NEGATIVE, PROVE_MANY, {PROVE_SPECIAL, PROVE_WIDE}},
    {{0}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_SMALL, PROVE_RANDOM}},
    {{5}, 1, 0, PROVE_BORDER, PROVE_NONE, {PROVE_LITERAL, PROVE_SPECIAL}},
    {{5}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_SPECIAL, PROVE_LITERAL}},
    {{17}, 1, 2, PROVE_OUTSIDE, PROVE_LITERAL_COUNT, {PROVE_WIDE, PROVE_SPECIAL}},
    {{2}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_SPECIAL, PROVE_SMALL}},
    {{1, 3, 3}, 3, 2, PROVE_VALID, PROVE_FEW, {PROVE_SPECIAL, PROVE_LITERAL}},
    {{17}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_RANDOM, PROVE_SPECIAL}},
    {{2, 5}, 2, 3, PROVE_VALID, PROVE_FEW, {PROVE_SPECIAL, PROVE_SPECIAL}},
    {{5, 2}, 2, 2, PROVE_VALID, PROVE_FEW, {PROVE_LITERAL, PROVE_SPECIAL}},
    {{PROVE_LITERAL_SIZE}, 1, 1, PROVE_VALID, PROVE_FEW, {PROVE_SPECIAL, PROVE_LITERAL}},
    {{0, 3, 3}, 3, 3, PROVE_VALID, PROVE_FEW, {PROVE_WIDE, PROVE_SPECIAL}},
    {{PROVE_ANY_SIZE}, 1, 4, PROVE_VALID, PROVE_FEW, {PROVE_SPECIAL, PROVE_LITERAL}},
};

static prove_values values_of(uint64_t cell)
{
    return schedule[cell % ROWS].values[cell / ROWS % 2];
}

/* How many of the cells before CELL have its values. */
static uint64_t rank_of(uint64_t cell)
{
    uint64_t rank = 0;

    for (uint64_t i = 0; i < cell; i++)
        rank += values_of(i) == values_of(cell);
    return rank;
}

static uint64_t how_many(prove_values values)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < CELLS; i++)
        n += values_of(i) == values;
    return n;
}

prove_trial prove_trial_of(uint64_t seed)
{
    const struct row *row = &schedule[seed % ROWS];
    uint64_t cell = seed % CELLS;
    prove_trial t = {.seed = seed,
                     .n_sizes = row->n_sizes,
                     .rank = row->rank,
                     .indices = row->indices,
                     .counts = row->counts,
                     .values = values_of(cell),
                     .round = seed / ROWS};

    for (int i = 0; i < row->n_sizes; i++)
        t.sizes[i] = row->sizes[i];
    t.nth = seed / CELLS * how_many(t.values) + rank_of(cell);
    return t;
}

prove_trial prove_plainer(const prove_trial *t, int times)
{
    prove_trial plain = *t;

    if (times == 0)
        return plain;
    plain.sizes[0] = schedule[0].sizes[0];
    plain.n_sizes = plain.rank = 1;
    if (times > 1) {
        plain.indices = PROVE_VALID;
        plain.counts = PROVE_FEW;
    }
    if (times > 2)
        plain.values = PROVE_RANDOM;
    if (times > 3)
        plain.sizes[0] = 1;
    return plain;
}
