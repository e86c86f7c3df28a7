/* Loops of random bodies: values that are carried, handed down, joined, cut into parts, written
 * over at places that are known and at places that are computed, handed through branches, which may
 * write over them, and through loops in the loop. What a loop is given may be written over by its
 * body, or behind it; what it gives, too. The planned executor, with notes and poisoned memory,
 * gives what the reference gives, bit for bit, run after run in one session. */
#include "graphs.h"
#include "passes/passes.h"
#include "seeds.h"
#include "tests/generate/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CARRIED = 3, ROWS = 3, RESULTS = CARRIED + 2 };

/* A graph as text; its values of 3 by 2 elements are numbered v0, v1, ... */
struct text {
    char bytes[1 << 14];
    size_t n;
    rng r;
    int values;
};

static void add(struct text *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, fmt, args);
    va_end(args);
    assert_true(t->n < sizeof t->bytes);
}

static int any(struct text *t)
{
    return (int)rng_in(&t->r, 0, t->values - 1);
}

/* A row is read, changed, and written back. */
static void add_window(struct text *t, int a)
{
    int v = t->values, row = (int)rng_in(&t->r, 0, ROWS - 1);

    add(t, "%%b%d = Const-1 {value = i64[1] [%d]}\n%%e%d = Const-1 {value = i64[1] [%d]}\n", v, row,
        v, row + 1);
    add(t, "%%s%d = Slice-8(%%v%d, %%b%d, %%e%d, %%step)\n", v, a, v, v);
    add(t, "%%n%d = Add-1(%%s%d, %%row)\n", v, v);
    add(t, "%%v%d = SliceScatter-15(%%v%d, %%n%d, %%b%d, %%e%d, %%step)\n", v, a, v, v, v);
}

/* The row that the iteration stands at is made of the row before it, or of itself. */
static void add_moving_window(struct text *t, int a)
{
    int v = t->values;
    static const char *const rows[] = {"%low, %mid", "%mid, %top"};
    const char *from = rows[rng_in(&t->r, 0, 1)], *to = rows[rng_in(&t->r, 0, 1)];

    add(t, "%%s%d = Slice-8(%%v%d, %s, %%step)\n%%n%d = Negative-1(%%s%d)\n", v, a, from, v, v);
    add(t, "%%v%d = SliceScatter-15(%%v%d, %%n%d, %s, %%step)\n", v, a, v, to);
}

/* Writes over row 1 of P in the body of a branch or of a loop, or makes another value of it; or
 * hands it through. */
static void add_inner(struct text *t, bool hands)
{
    static const char *const nodes[] = {
        "%q = Negative-1(%p)\n", "%q = ScatterUpdate-3(%p, %one, %row, %axis)\n",
        "%h = Negative-1(%row)\n%q = ScatterUpdate-3(%p, %one, %h, %axis)\n"};
    int kind = (int)rng_in(&t->r, 0, hands ? 3 : 2);

    add(t, "%%p = Parameter-1 {element_type = f32, shape = [3,2]}\n"
           "%%row = Parameter-1 {element_type = f32, shape = [1,2]}\n"
           "%%one = Const-1 {value = i64[1] [1]}\n%%axis = Const-1 {value = i64[] 0}\n");
    add(t, "%s%%o = Result-1(%%%c)\n", kind < 3 ? nodes[kind] : "", kind < 3 ? 'q' : 'p');
}

/* V becomes A, or what a branch makes of it. ROW names a row, and EARLY what decides. */
static void add_branch(struct text *t, const char *v, const char *a, const char *row,
                       const char *early)
{
    add(t, "%%%s:1 = If-8(%%%s, %%%s, %%%s)\nthen_body \"t\" {\n", v, early, a, row);
    add_inner(t, true);
    add(t, "}\nin 1 -> %%p\nin 2 -> %%row\nout %%o -> 0\nelse_body \"e\" {\n");
    add_inner(t, true);
    add(t, "}\nin 1 -> %%p\nin 2 -> %%row\nout %%o -> 0\n");
}

/* V becomes what a loop of as many iterations as TRIP says makes of A. */
static void add_loop(struct text *t, const char *v, const char *a, const char *row,
                     const char *trip)
{
    add(t, "%%%s:1 = Loop-5(%%%s, %%go, %%%s, %%%s)\nbody \"n\" {\n", v, trip, a, row);
    add_inner(t, false);
    add(t, "%%yes = Const-1 {value = boolean[] true}\n%%on = Result-1(%%yes)\n}\n"
           "in 2 -> %%p\nin 3 -> %%row\nout %%on -> none condition\nout %%o -> 0\n"
           "back %%o -> %%p\n");
}

/* One of the two, in the body. */
static void add_bodies(struct text *t, int a)
{
    char v[16], of[16];

    snprintf(v, sizeof v, "v%d", t->values);
    snprintf(of, sizeof of, "v%d", a);
    if (rng_one_in(&t->r, 2))
        add_branch(t, v, of, "row", "early");
    else
        add_loop(t, v, of, "row", rng_one_in(&t->r, 2) ? "two" : "count");
}

static void add_node(struct text *t)
{
    int a = any(t), b = any(t), kind = (int)rng_in(&t->r, 0, 8);

    if (kind <= 1)
        add(t, "%%v%d = %s-1(%%v%d, %%v%d)\n", t->values, kind ? "Subtract" : "Add", a, b);
    else if (kind == 2)
        add(t, "%%v%d = ReLU-1(%%v%d)\n", t->values, a);
    else if (kind <= 4)
        add(t, "%%v%d = ScatterUpdate-3(%%v%d, %%at, %%row, %%axis)\n", t->values, a);
    else if (kind == 5)
        add_window(t, a);
    else if (kind <= 7)
        add_bodies(t, a);
    else
        add_moving_window(t, a);
    t->values++;
}

static void add_body(struct text *t, bool counted)
{
    add(t, "body \"b\" {\n");
    for (t->values = 0; t->values <= CARRIED; t->values++)
        add(t, "%%v%d = Parameter-1 {element_type = f32, shape = [3,2]}\n", t->values);
    add(t, "%%row = Parameter-1 {element_type = f32, shape = [1,2]}\n"
           "%%i = Parameter-1 {element_type = i64, shape = [1]}\n"
           "%%axis = Const-1 {value = i64[] 0}\n%%step = Const-1 {value = i64[1] [1]}\n"
           "%%three = Const-1 {value = i64[1] [3]}\n%%six = Const-1 {value = i64[1] [6]}\n"
           "%%at = FloorMod-1(%%i, %%three)\n%%early = Less-1(%%i, %%three)\n"
           "%%pair = Const-1 {value = i64[1] [2]}\n%%low = FloorMod-1(%%i, %%pair)\n"
           "%%mid = Add-1(%%low, %%step)\n%%top = Add-1(%%mid, %%step)\n"
           "%%two = Const-1 {value = i64[] 2}\n%%go = Const-1 {value = boolean[] true}\n"
           "%%scalar = Const-1 {value = i64[0] []}\n%%count = Reshape-1(%%at, %%scalar) "
           "{special_zero = false}\n");
    add(t,
        counted ? "%%more = Const-1 {value = boolean[] true}\n" : "%%more = Less-1(%%i, %%six)\n");
    for (int64_t n = rng_in(&t->r, 1, 6); n > 0; n--)
        add_node(t);
    add(t, "%%on = Result-1(%%more)\n");
    for (int i = 0; i < CARRIED; i++) /* mostly what was made last */
        add(t, "%%r%d = Result-1(%%v%d)\n", i,
            rng_one_in(&t->r, 2) ? any(t) : t->values - 1 - (int)rng_in(&t->r, 0, 1));
    add(t, "}\n");
}

static void add_ports(struct text *t)
{
    static const char *const cuts[] = {"axis 0 start 0 end -1 stride 1 part_size 3",
                                       "axis 0 start -1 end 0 stride -3 part_size 3",
                                       "axis 1 start 0 end -1 stride 1 part_size 2"};

    int joined = (int)rng_in(&t->r, 0, 2);

    for (int i = 0; i <= CARRIED; i++)
        add(t, "in %d -> %%v%d\n", 2 + i, i);
    add(t, "in %d -> %%row axis 0 start 0 end -1 stride 1 part_size 1\n", 3 + CARRIED);
    add(t, "in none -> %%i iteration\nout %%on -> none condition\n");
    for (int i = 0; i < CARRIED; i++)
        add(t, "out %%r%d -> %d\n", i, i);
    add(t, "out %%r%d -> %d %s\n", joined, CARRIED, cuts[rng_in(&t->r, 0, 2)]);
    for (int i = 0; i < CARRIED; i++)
        add(t, "back %%r%d -> %%v%d\n", (int)(rng_one_in(&t->r, 3) ? rng_in(&t->r, 0, 2) : i), i);
}

/* Something that writes over value A, or over what is behind it; then VALUE is the name of it. */
static void add_writer(struct text *t, char *value, size_t size, const char *a)
{
    int v = t->values++, kind = (int)rng_in(&t->r, 0, 3);

    snprintf(value, size, "w%d", v);
    if (kind == 0)
        add(t, "%%w%d = ScatterUpdate-3(%%%s, %%at, %%line, %%axis)\n", v, a);
    else if (kind == 1)
        add(t, "%%w%d = Negative-1(%%%s)\n", v, a);
    else if (kind == 2)
        add_branch(t, value, a, "line", "first");
    else
        add_loop(t, value, a, "line", rng_one_in(&t->r, 2) ? "some" : "trip");
}

static void add_graph(struct text *t)
{
    char names[CARRIED + 3][16] = {"x", "y", "l:0", "l:1", "l:2", "z"};

    bool counted = rng_one_in(&t->r, 2);
    char second = rng_one_in(&t->r, 2) ? 'x' : 'y', third = rng_one_in(&t->r, 2) ? 'x' : 'y';

    add(t, "%%trip = Parameter-1 {element_type = i64, shape = []}\n"
           "%%x = Parameter-1 {element_type = f32, shape = [3,2]}\n"
           "%%rows = Parameter-1 {element_type = f32, shape = [?,2]}\n"
           "%%go = Const-1 {value = boolean[] true}\n%%y = Negative-1(%%x)\n"
           "%%z = Negative-1(%%y)\n%%line = Const-1 {value = f32[1,2] [-3, 4]}\n"
           "%%at = Const-1 {value = i64[1] [2]}\n%%axis = Const-1 {value = i64[] 0}\n"
           "%%some = Const-1 {value = i64[] 2}\n%%first = Less-1(%%trip, %%some)\n");
    add(t, "%%l:%d = Loop-5(%%trip, %%go, %%x, %%%c, %%%c, %%x, %%rows)\n", CARRIED + 1, second,
        third);
    add_body(t, counted);
    add_ports(t);
    for (int64_t n = rng_in(&t->r, 0, 4); n > 0; n--) {
        int k = (int)rng_in(&t->r, 0, CARRIED + 1);
        char old[16];

        memcpy(old, names[k], sizeof old);
        add_writer(t, names[rng_one_in(&t->r, 3) ? CARRIED + 2 : k], sizeof names[k], old);
    }
    for (int i = 0; i < CARRIED; i++) {
        if (rng_one_in(&t->r, 2))
            add(t, "%%out%d = Result-1(%%%s)\n", i, names[2 + i]);
        else
            add(t, "%%z%d = Negative-1(%%%s)\n%%out%d = Result-1(%%z%d)\n", i, names[2 + i], i, i);
    }
    add(t, "%%out%d = Result-1(%%l:%d)\n", CARRIED, CARRIED);
    add(t, "%%more = Result-1(%%%s)\n", names[rng_in(&t->r, 0, CARRIED + 2)]);
}

static runner noted_of(const char *body)
{
    static const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};
    inlay_pass_options o = {.passes = "in-place-windows", .check = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(body);

    if (!inlay_run_passes(g, &o, d))
        fail_msg("%s\n%s", inlay_diags_at(d, 0)->text, body);
    inlay_diags_free(d);
    return runner_on(g, &planned);
}

static void compare(const struct text *t, uint64_t seed, const inlay_tensor *a,
                    const inlay_tensor *b)
{
    bool same = a->type == b->type && a->rank == b->rank;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    if (!same || memcmp(a->data, b->data, inlay_tensor_bytes(a)) != 0)
        fail_msg("seed %llu:\n%s", (unsigned long long)seed, t->bytes);
}

/* Runs both executors once. */
static void run_both(runner *r, const struct text *t, uint64_t seed, int64_t trip)
{
    const int64_t dims[] = {trip, 2}, square[] = {ROWS, 2};
    inlay_tensor *in[] = {inlay_tensor_new(INLAY_I64, 0, NULL),
                          inlay_tensor_new(INLAY_F32, 2, square),
                          inlay_tensor_new(INLAY_F32, 2, dims)};
    inlay_tensor *out[RESULTS], *wanted[RESULTS];

    inlay_tensor_set_i64(in[0], 0, trip);
    for (int64_t i = 0; i < ROWS * 2; i++)
        inlay_tensor_set_f64(in[1], i, (double)(i + 1));
    for (int64_t i = 0; i < trip * 2; i++)
        inlay_tensor_set_f64(in[2], i, (double)(i - 7) / 2);
    inlay_diags_clear(r->diags);
    if (!inlay_session_run(r->session, (const inlay_tensor *const *)in, NULL, out, r->diags) ||
        !inlay_session_run(r->other, (const inlay_tensor *const *)in, NULL, wanted, r->diags))
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, inlay_diags_at(r->diags, 0)->text,
                 t->bytes);
    for (int i = 0; i < RESULTS; i++) {
        compare(t, seed, out[i], wanted[i]);
        inlay_tensor_release(out[i]);
        inlay_tensor_release(wanted[i]);
    }
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(in[i]);
}

static void test_random_bodies(void **state)
{
    static const int64_t trips[] = {5, 1, 2, 9, 9, 5, 12};
    seed_range seeds = seeds_to_try(300, 20000);
    uint64_t in_place = 0;
    struct text *t = malloc(sizeof *t);

    (void)state;
    assert_non_null(t);
    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        runner r;
        inlay_exec_stats s;

        *t = (struct text){.r = {seed}};
        add_graph(t);
        r = noted_of(t->bytes);
        for (size_t i = 0; i < sizeof trips / sizeof *trips; i++)
            run_both(&r, t, seed, trips[i]);
        inlay_session_stats(r.session, &s);
        in_place += s.in_place_writes;
        runner_free(&r);
    }
    free(t);
    assert_true(!seeds.whole || in_place > seeds.n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bodies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
