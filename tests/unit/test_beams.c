/* Rows that are picked of a state before it grows (interp/exec/run/state_reorder.c). The law: where K of N rows
 * come from elsewhere, a step copies the smaller of 2 K and N rows, and what is new; and the rows
 * are those that the order names, whatever it repeats, drops, turns round, or counts from the end.
 * INLAY_SEED=N plays the steps of seed N. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "seeds.h"

enum { MOST_BEAMS = 13, STEPS = 12, HEADS = 2, WIDTH = 2, ELEMENT = 4 };

/* A state of heads and beams, one of which comes first. %q divides by 0 where a run is to fail. */
#define GRAPH(shape, token, axis)                                                                  \
    "%token = Parameter-1 {element_type = i32, shape = " token "}\n"                               \
    "%beam = Parameter-1 {element_type = i64, shape = [?]}\n"                                      \
    "%by = Parameter-1 {element_type = i32, shape = []}\n"                                         \
    "%all = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = " shape "}\n"  \
    "%axis = Const-1 {value = i64[] " axis "}\n%past = Gather-8(%all, %beam, %axis)\n"             \
    "%new = Concat-1(%past, %token) {axis = 2}\n%save = Assign-6(%new) {variable_id = \"v\"}\n"    \
    "%along = Const-1 {value = i64[1] [2]}\n%sum = ReduceSum-1(%new, %along)\n"                    \
    "%out = Result-1(%sum)\n%x = Const-1 {value = i32[1] [1]}\n%q = Divide-1(%x, %by)\n"           \
    "%end = Result-1(%q)\n"

static const char *const graphs[] = {GRAPH("[?,2,?,2]", "[?,2,1,2]", "0"),
                                     GRAPH("[2,?,?,2]", "[2,?,1,2]", "1")};

/* What the rows of each beam are: numbers of tokens. */
struct play {
    uint64_t seed;
    rng r;
    runner run;
    int axis, n, rows;
    int row[MOST_BEAMS][STEPS + 2], last;
    inlay_tensor *token;
};

static inlay_tensor *tensor_of_rows(const struct play *p, int64_t rows)
{
    const int64_t dims[] = {p->axis == 0 ? p->n : HEADS, p->axis == 0 ? HEADS : p->n, rows, WIDTH};

    return inlay_tensor_new(INLAY_I32, 4, dims);
}

/* What element I of T, a tensor like the state, is: the number of its token, beside where it is. */
static int64_t expected(const struct play *p, const inlay_tensor *t, int64_t i)
{
    int64_t row = i / WIDTH % t->dims[2], at[2];

    at[1] = i / WIDTH / t->dims[2] % t->dims[1];
    at[0] = i / WIDTH / t->dims[2] / t->dims[1];
    return 100 * p->row[at[p->axis]][row] + 10 * at[1 - p->axis] + i % WIDTH;
}

static void check_state(const struct play *p)
{
    const inlay_tensor *t = inlay_session_variable(p->run.session, 0);

    assert_true(t->dims[2] == p->rows && t->dims[p->axis] == p->n);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (inlay_tensor_get_i64(t, i) != expected(p, t, i))
            fail_msg("seed %llu: element %lld of the state is %lld, it must be %lld",
                     (unsigned long long)p->seed, (long long)i,
                     (long long)inlay_tensor_get_i64(t, i), (long long)expected(p, t, i));
    }
}

/* Fills T, a state or a token, with what P says of its rows. */
static void fill(const struct play *p, inlay_tensor *t)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_i64(t, i, expected(p, t, i));
}

/* Runs with ORDER. Returns whether the run went well, which it does unless it FAILS. */
static bool step(struct play *p, const int64_t *order, bool fails)
{
    struct play next = *p, token = *p;
    int64_t n = p->n;
    inlay_tensor *in[3] = {tensor_of_rows(p, 1), inlay_tensor_new(INLAY_I64, 1, &n),
                           inlay_tensor_new(INLAY_I32, 0, NULL)};
    inlay_tensor *out[2] = {NULL};
    bool ok;

    for (int i = 0; i < p->n; i++) {
        memcpy(next.row[i], p->row[order[i]], sizeof next.row[i]);
        token.row[i][0] = next.row[i][p->rows] = ++next.last;
        inlay_tensor_set_i64(in[1], i, rng_one_in(&next.r, 4) ? order[i] - p->n : order[i]);
    }
    fill(&token, in[0]);
    inlay_tensor_set_i64(in[2], 0, !fails);
    ok =
        inlay_session_run(p->run.session, (const inlay_tensor *const *)in, NULL, out, p->run.diags);
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(in[i]);
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(out[i]);
    next.rows++;
    if (ok)
        *p = next;
    return ok;
}

static uint64_t copied(const struct play *p)
{
    inlay_exec_stats s;

    inlay_session_stats(p->run.session, &s);
    return s.copied_bytes;
}

/* Returns how many of the rows that are drawn come from elsewhere: none, few, or any. */
static int draw_order(struct play *p, int64_t *order)
{
    int kind = (int)rng_in(&p->r, 0, 3), moved = 0;

    for (int i = 0; i < p->n; i++) {
        bool any = kind == 3 || (kind == 1 && rng_one_in(&p->r, 4));

        order[i] = any ? rng_in(&p->r, 0, p->n - 1) : i;
    }
    for (int64_t i = rng_in(&p->r, 0, p->n - 1); kind == 2 && i > 0; i--) { /* turned round */
        int64_t k = rng_in(&p->r, 0, i), was = order[i];

        order[i] = order[k];
        order[k] = was;
    }
    for (int i = 0; i < p->n; i++)
        moved += order[i] != i;
    return moved;
}

static struct play begin(uint64_t seed)
{
    struct play p = {.seed = seed, .r = {seed}, .rows = 1};
    inlay_tensor *first;

    p.axis = (int)rng_in(&p.r, 0, 1);
    p.n = (int)rng_in(&p.r, 1, MOST_BEAMS);
    p.run = runner_of_noted(graphs[p.axis]);
    for (int i = 0; i < p.n; i++)
        p.row[i][0] = ++p.last;
    first = tensor_of_rows(&p, 1);
    fill(&p, first);
    assert_true(inlay_session_set_variable(p.run.session, 0, first, p.run.diags));
    inlay_tensor_release(first);
    return p;
}

/* The first step gives the state room behind each head; all others find it. */
static void play_seed(uint64_t seed, int *seen)
{
    struct play p = begin(seed);
    int64_t order[MOST_BEAMS];

    for (int i = 0; i < STEPS; i++) {
        int moved = draw_order(&p, order), least = 2 * moved < p.n ? 2 * moved : p.n;
        uint64_t row = HEADS * WIDTH * ELEMENT, want = row * (uint64_t)(least * p.rows + p.n);

        assert_true(step(&p, order, false));
        check_state(&p);
        if (i > 0 && copied(&p) != want)
            fail_msg("seed %llu: %llu bytes were copied, of %d beams, %d of which moved: %llu",
                     (unsigned long long)seed, (unsigned long long)copied(&p), p.n, moved,
                     (unsigned long long)want);
        seen[moved == 0 ? 0 : 2 * moved <= p.n ? 1 : 2]++;
    }
    runner_free(&p.run);
}

static void test_fewest_rows(void **state)
{
    const seed_range s = seeds_to_try(300, 60);
    int seen[3] = {0};

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        play_seed(seed, seen);
    assert_true(!s.whole || (seen[0] > 100 && seen[1] > 100 && seen[2] > 100));
}

/* A run that fails behind the Gather leaves all rows as they were, those of rings too. */
static void test_failures(void **state)
{
    const seed_range s = seeds_to_try(100, 20);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        struct play p = begin(seed);
        int64_t order[MOST_BEAMS];

        for (int i = 0; i < STEPS; i++) {
            bool fails = rng_one_in(&p.r, 3);

            draw_order(&p, order);
            assert_true(step(&p, order, fails) == !fails);
            check_state(&p);
        }
        runner_free(&p.run);
    }
}

/* A state that somebody else holds, with room behind its heads, is not written over. */
static void test_held(void **state)
{
    const int64_t room[] = {4, HEADS, 8, WIDTH}, dims[] = {4, HEADS, 2, WIDTH};
    struct play p = {.n = 4, .rows = 2, .run = runner_of_noted(graphs[0])};
    inlay_tensor *all = inlay_tensor_new(INLAY_I32, 4, room);
    inlay_tensor *held = inlay_tensor_window(all, 4, dims, all->strides, 0), *was;

    for (int i = 0; i < 8; i++)
        p.row[i / 2][i % 2] = ++p.last;
    fill(&p, held);
    was = inlay_tensor_copy(held);
    assert_true(inlay_session_set_variable(p.run.session, 0, held, p.run.diags));
    assert_true(step(&p, (const int64_t[]){0, 1, 2, 2}, false));
    check_state(&p);
    assert_true(inlay_tensor_equal(held, was));
    assert_true(copied(&p) >= HEADS * WIDTH * ELEMENT * (4 * 2 + 4));
    inlay_tensor_release(all);
    inlay_tensor_release(held);
    inlay_tensor_release(was);
    runner_free(&p.run);
}

/* Who reads the old rows finds them: they are not written over. */
static void test_read_behind(void **state)
{
    runner r = runner_of_noted(
        "%token = Parameter-1 {element_type = i32, shape = [?,1]}\n"
        "%beam = Parameter-1 {element_type = i64, shape = [?]}\n"
        "%all = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [?,?]}\n"
        "%axis = Const-1 {value = i64[] 0}\n%past = Gather-8(%all, %beam, %axis)\n"
        "%new = Concat-1(%past, %token) {axis = 1}\n%save = Assign-6(%new) {variable_id = \"v\"}\n"
        "%along = Const-1 {value = i64[1] [1]}\n%sum = ReduceSum-1(%new, %along)\n"
        "%out = Result-1(%sum)\n%old = ReduceSum-1(%all, %along)\n%last = Result-1(%old)\n");
    inlay_tensor *first = tensor_of("i32[3,1] 1 2 3");

    assert_true(inlay_session_set_variable(r.session, 0, first, r.diags));
    inlay_tensor_release(first);
    check_run(&r, OPERANDS("i32[3,1] 1 1 1", "i64[3] 0 1 2"),
              OPERANDS("i32[3] 2 3 4", "i32[3] 1 2 3"));
    check_run(&r, OPERANDS("i32[3,1] 1 1 1", "i64[3] 0 0 2"),
              OPERANDS("i32[3] 3 3 5", "i32[3] 2 3 4"));
    check_run(&r, OPERANDS("i32[3,1] 1 1 1", "i64[3] 2 1 2"),
              OPERANDS("i32[3] 6 4 6", "i32[3] 3 3 5"));
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fewest_rows),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_read_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
