/* The schedule of trials.
 *
 * Its rows are used in turn, each with one unusual property; and then again with other elements.
 * The seed of a trial selects the row: a seed that found a difference finds it again alone. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

enum { ROWS = 16, CELLS = 2 * ROWS };

static const struct row {
    int sizes[VERIFY_MAX_CYCLE], n_sizes;
    int rank;
    verify_indices indices;
    verify_counts counts;
    verify_values values[2]; /* on even and on odd rounds */
} schedule[ROWS] = {
    {{3}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_SMALL, VERIFY_SPECIAL}},
    {{3}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_RANDOM, VERIFY_SPECIAL}},
    {{1}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_SPECIAL, VERIFY_RANDOM}},
    {{3}, 1, 1, VERIFY_NEGATIVE, VERIFY_MANY, {VERIFY_SPECIAL, VERIFY_WIDE}},
    {{0}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_SMALL, VERIFY_RANDOM}},
    {{5}, 1, 0, VERIFY_BORDER, VERIFY_NONE, {VERIFY_LITERAL, VERIFY_SPECIAL}},
    {{5}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_SPECIAL, VERIFY_LITERAL}},
    {{17}, 1, 2, VERIFY_OUTSIDE, VERIFY_LITERAL_COUNT, {VERIFY_WIDE, VERIFY_SPECIAL}},
    {{2}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_SPECIAL, VERIFY_SMALL}},
    {{1, 3, 3}, 3, 2, VERIFY_VALID, VERIFY_FEW, {VERIFY_SPECIAL, VERIFY_LITERAL}},
    {{17}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_RANDOM, VERIFY_SPECIAL}},
    {{2, 5}, 2, 3, VERIFY_VALID, VERIFY_FEW, {VERIFY_SPECIAL, VERIFY_SPECIAL}},
    {{5, 2}, 2, 2, VERIFY_VALID, VERIFY_FEW, {VERIFY_LITERAL, VERIFY_SPECIAL}},
    {{VERIFY_LITERAL_SIZE}, 1, 1, VERIFY_VALID, VERIFY_FEW, {VERIFY_SPECIAL, VERIFY_LITERAL}},
    {{0, 3, 3}, 3, 3, VERIFY_VALID, VERIFY_FEW, {VERIFY_WIDE, VERIFY_SPECIAL}},
    {{VERIFY_ANY_SIZE}, 1, 4, VERIFY_VALID, VERIFY_FEW, {VERIFY_SPECIAL, VERIFY_LITERAL}},
};

static verify_values values_of(uint64_t cell)
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

static uint64_t how_many(verify_values values)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < CELLS; i++)
        n += values_of(i) == values;
    return n;
}

/* Of 4 axes on, each number in a round of its own. */
static int rank_in(const struct row *row, uint64_t round)
{
    return row->rank + (row->rank == 4                     ? (int)(round % 4)
                        : row->rank == 3 && round % 4 == 3 ? 5
                                                           : 0);
}

verify_trial verify_trial_of(uint64_t seed)
{
    const struct row *row = &schedule[seed % ROWS];
    uint64_t cell = seed % CELLS;
    verify_trial t = {.seed = seed,
                      .n_sizes = row->n_sizes,
                      .rank = rank_in(row, seed / ROWS),
                      .indices = row->indices,
                      .counts = row->counts,
                      .values = values_of(cell),
                      .round = seed / ROWS};

    for (int i = 0; i < row->n_sizes; i++)
        t.sizes[i] = row->sizes[i];
    if (t.rank > 4) { /* many axes of any sizes would mostly be no element */
        t.sizes[0] = 2;
        t.sizes[1] = 1;
        t.n_sizes = 2;
    }
    t.nth = seed / CELLS * how_many(t.values) + rank_of(cell);
    return t;
}

verify_trial verify_plainer(const verify_trial *t, int times)
{
    verify_trial plain = *t;

    if (times == 0)
        return plain;
    plain.sizes[0] = schedule[0].sizes[0];
    plain.n_sizes = plain.rank = 1;
    if (times > 1) {
        plain.indices = VERIFY_VALID;
        plain.counts = VERIFY_FEW;
    }
    if (times > 2)
        plain.values = VERIFY_RANDOM;
    if (times > 3)
        plain.sizes[0] = 1;
    return plain;
}

/* Other sizes, for relations that only the run checks, such as a mask one longer than a cache, or
 * an image that must contain a window: first small different sizes, then large ones with and
 * without a batch of 1. */
bool verify_other_sizes(verify_trial *t, int number)
{
    static const int large[] = {32, 64, 128, 320, 512, 640};
    enum { SMALL = 24, LARGE = sizeof large / sizeof *large };
    uint64_t state = t->seed * 64 + (uint64_t)number;
    int k = (number - SMALL) / 2;

    t->n_sizes = VERIFY_MAX_CYCLE;
    t->large = number >= SMALL;
    for (int i = 0; i < VERIFY_MAX_CYCLE; i++)
        t->sizes[i] = number < SMALL ? 1 + (int)(inlay_random(&state) % (number % 2 ? 6 : 24))
                      : k >= LARGE   ? 0
                      : number % 2   ? large[k]
                                     : (i == 0 ? 1 : large[k]);
    return k < LARGE;
}

int verify_steps(const inlay_graph *g, const verify_trial *t, const verify_literals *l)
{
    int64_t steps = VERIFY_STATE_STEPS;

    for (int i = 0; i < l->n && t->seed % VERIFY_TRIALS == 1; i++) {
        if (l->of[i].i + 2 > steps && l->of[i].i + 2 <= VERIFY_MOST_STEPS)
            steps = l->of[i].i + 2;
    }
    return g->n_variables > 0 ? (int)steps : 1;
}
