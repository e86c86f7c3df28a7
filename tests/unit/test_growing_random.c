/* States that grow in their buffers by steps that are made up: see test_growing_states.c.
 * INLAY_SEED=N plays the steps of seed N. */
#include "generate/rng.h"
#include "growing.h"
#include "seeds.h"

/* Two sessions append rows, fail, hold results, and take up states that they held, in any order.
 * Each row has a number of its own, so that a tensor is known by the list of its rows. */
enum { SESSIONS = 2, HELD = 6, MOST_ROWS = 60, STEPS = 60 };

struct rows {
    int n, row[MOST_ROWS];
};

struct play {
    uint64_t seed;
    rng random;
    runner r[SESSIONS];
    struct rows state[SESSIONS], of[HELD];
    inlay_tensor *held[HELD];
    int last;   /* row */
    bool rolls; /* each step drops the first row */
};

static void check_rows(const struct play *p, const inlay_tensor *t, const struct rows *l)
{
    bool same = t->dims[0] == l->n;

    for (int i = 0; same && i < l->n; i++)
        same = inlay_tensor_get_f64(t, 2 * i) == l->row[i] &&
               inlay_tensor_get_f64(t, 2 * i + 1) == -l->row[i];
    if (!same)
        fail_msg("seed %llu: a tensor of %d rows is another one", (unsigned long long)p->seed,
                 l->n);
}

static void check_all(const struct play *p)
{
    for (int i = 0; i < SESSIONS; i++)
        check_rows(p, state_of(&p->r[i]), &p->state[i]);
    for (int i = 0; i < HELD; i++) {
        if (p->held[i])
            check_rows(p, p->held[i], &p->of[i]);
    }
}

/* Appends N rows in session S. OUT receives the result; NULL: the run divides by 0, and fails. */
static void append(struct play *p, int s, int n, inlay_tensor **out)
{
    const int64_t dims[] = {n, 2};
    inlay_tensor *in = inlay_tensor_new(INLAY_I32, 2, dims), *all[2] = {NULL}, *by;
    struct rows l = p->state[s];

    by = tensor_of(out ? "i32[] 1" : "i32[] 0");
    if (p->rolls && l.n > 0)
        memmove(l.row, l.row + 1, (size_t)--l.n * sizeof *l.row);
    for (int i = 0; i < n; i++) {
        l.row[l.n++] = ++p->last;
        inlay_tensor_set_i64(in, 2 * i, p->last);
        inlay_tensor_set_i64(in, 2 * i + 1, -p->last);
    }
    assert_true(inlay_session_run(p->r[s].session, (const inlay_tensor *const[]){in, by}, NULL, all,
                                  p->r[s].diags) == (out != NULL));
    if (out) {
        p->state[s] = l;
        *out = all[1];
        inlay_tensor_release(all[0]);
    }
    inlay_tensor_release(in);
    inlay_tensor_release(by);
}

/* Makes one step: a session takes up what is held, or appends and lets it be held, or fails. */
static void make_step(struct play *p)
{
    int s = (int)rng_in(&p->random, 0, SESSIONS - 1), h = (int)rng_in(&p->random, 0, HELD - 1);
    int n = (int)rng_in(&p->random, 0, 3);
    inlay_tensor *out = NULL;

    if (p->held[h] && (rng_one_in(&p->random, 4) || p->state[s].n + n > MOST_ROWS)) {
        assert_true(inlay_session_set_variable(p->r[s].session, 0, p->held[h], p->r[s].diags));
        p->state[s] = p->of[h];
    }
    if (p->state[s].n + n > MOST_ROWS)
        return;
    if (rng_one_in(&p->random, 5)) {
        append(p, s, n, NULL);
        return;
    }
    append(p, s, n, &out);
    inlay_tensor_release(p->held[h]);
    p->held[h] = rng_one_in(&p->random, 2) ? out : NULL;
    p->of[h] = p->state[s];
    if (!p->held[h])
        inlay_tensor_release(out);
}

#define STEP(of)                                                                                   \
    "%token = Parameter-1 {element_type = i32, shape = [?,2]}\n"                                   \
    "%by = Parameter-1 {element_type = i32, shape = []}\n"                                         \
    "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [?,2]}\n"     \
    "%one = Const-1 {value = i64[1] [1]}\n%most = Const-1 {value = i64[1] [9999]}\n"               \
    "%young = Slice-8(%past, %one, %most, %one)\n"                                                 \
    "%new = Concat-1(%" of ", %token) {axis = 0}\n" SAVE                                           \
    "%x = Const-1 {value = i32[1] [1]}\n%q = Divide-1(%x, %by)\n"                                  \
    "%end = Result-1(%q)\n%out = Result-1(%new)\n"

static void play_seed(uint64_t seed)
{
    struct play p = {.seed = seed, .random = {seed}, .rolls = seed % 2};

    for (int i = 0; i < SESSIONS; i++) {
        p.r[i] = runner_of_noted(p.rolls ? STEP("young") : STEP("past"));
        set_state(&p.r[i], "i32[0,2]");
    }
    for (int i = 0; i < STEPS; i++) {
        make_step(&p);
        check_all(&p);
    }
    for (int i = 0; i < HELD; i++)
        inlay_tensor_release(p.held[i]);
    for (int i = 0; i < SESSIONS; i++)
        runner_free(&p.r[i]);
}

static void test_random_steps(void **state)
{
    const seed_range s = seeds_to_try(40, 10);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        play_seed(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
