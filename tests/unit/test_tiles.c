/* Blocks that wait and are computed tile by tile (interp/exec/tiles.c) give the same as blocks that
 * are computed at once, whatever blocks come together, and nobody sees a buffer before they are
 * computed. test_planned_random.c has whole graphs. */
#include "generate/rng.h"
#include "graphs.h"
#include "interp/exec/exec.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "passes/passes.h"
#include "seeds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOTS = 2, ROOT_SIZE = 512, OTHER_SIZE = 256, BLOCKS = 12 };

/* A function that is not commutative, so that every change of order shows. Elements are computed
 * one after the other. */
static void mix(const row_block *k)
{
    for (int64_t r = 0; r < k->rows; r++) {
        for (int64_t i = 0; i < k->length; i++) {
            float x, y = k->number.f32, z;

            memcpy(&x, k->x + r * k->x_pitch + i * 4, 4);
            if (k->y)
                memcpy(&y, k->y + r * k->y_pitch + i * 4, 4);
            z = (float)(((int)x * 31 + (int)y * 17 + 5) % 9973);
            memcpy(k->to + r * k->to_pitch + i * 4, &z, 4);
        }
    }
}

/* Tensors that blocks read and write. There are two copies of each: one is computed in tiles, the
 * other at once. */
struct bench {
    inlay_graph *graph;
    graph_steps *steps;
    exec_plan *plan;
    inlay_node *node; /* Add(a, b) of Parameters */
    inlay_tensor *root[2][ROOTS], *other[2];
};

static inlay_tensor *numbers(int64_t n, uint64_t seed)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 1, &n);
    rng r = {seed};

    for (int64_t i = 0; i < n; i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(&r, 0, 1000));
    return t;
}

static void make_bench(struct bench *b, uint64_t seed)
{
    b->graph = graph_of("%x = Parameter-1 {element_type = f32, shape = [8]}\n"
                        "%y = Parameter-1 {element_type = f32, shape = [8]}\n"
                        "%i = Parameter-1 {element_type = i64, shape = [1]}\n"
                        "%z = Add-1(%x, %y)\n%s = Slice-8(%x, %i, %i, %i)\n"
                        "%w = SliceScatter-15(%x, %y, %i, %i, %i)\n"
                        "%m = MatMul-1(%x, %y)\n%t = ScatterUpdate-3(%x, %i, %y, %i)\n"
                        "%out = Result-1(%z)\n%out_s = Result-1(%s)\n%out_w = Result-1(%w)\n"
                        "%out_m = Result-1(%m)\n%out_t = Result-1(%t)\n");
    b->steps = steps_new(b->graph, NULL);
    b->plan = exec_plan_new(b->steps, NULL);
    b->plan->places = calloc(b->steps->n_slots, sizeof *b->plan->places);
    b->node = inlay_graph_node(b->graph, "z");
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < ROOTS; i++)
            b->root[way][i] = numbers(ROOT_SIZE + i, seed + (uint64_t)i);
        b->other[way] = numbers(OTHER_SIZE, seed + ROOTS);
    }
}

static void free_bench(struct bench *b)
{
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < ROOTS; i++)
            inlay_tensor_release(b->root[way][i]);
        inlay_tensor_release(b->other[way]);
    }
    exec_plan_free(b->plan);
    steps_free(b->steps);
    inlay_graph_free(b->graph);
}

/* A block in numbers: for each lane the tensor in which it lies (ROOTS: another buffer; below 0:
 * the lane is missing), and where. */
struct plan {
    int lane[3];
    int64_t at[3], pitch[3], rows, length;
    float number;
};

static int64_t pick(rng *r, const int64_t *from, int n)
{
    return from[rng_in(r, 0, n - 1)];
}

/* Returns a block that lies within its tensors. Most blocks are like windows of one tensor, some
 * are anything. */
static struct plan random_plan(rng *r, int64_t usual)
{
    static const int64_t pitches[] = {8, 12, 16, 24};
    struct plan p = {.rows = rng_one_in(r, 4) ? 1 : rng_in(r, 2, 6)};
    bool odd = rng_one_in(r, 5);
    int64_t pitch = odd ? pick(r, pitches, 4) : usual, span;
    int64_t column = rng_in(r, 0, pitch - 1), root = rng_one_in(r, 4);

    p.length = odd || p.rows == 1 ? rng_in(r, 1, 20) : rng_in(r, 1, pitch - column);
    p.number = (float)rng_in(r, 0, 99);
    for (int i = 0; i < 3; i++) {
        int k = (int)rng_in(r, 0, 5);

        p.lane[i] = i == 0 || k < 3 ? (int)root : k == 3 ? (int)(1 - root) : ROOTS;
        if (i == 2 && k > 3)
            p.lane[i] = -1;
        p.pitch[i] = rng_one_in(r, 12) ? pick(r, pitches, 4) : pitch;
        span = (p.rows - 1) * p.pitch[i] + p.length;
        p.at[i] = rng_in(r, 0, (p.lane[i] == ROOTS ? OTHER_SIZE : ROOT_SIZE) - span);
        if (!odd && p.at[i] - p.at[i] % pitch + column + span <= OTHER_SIZE)
            p.at[i] += column - p.at[i] % pitch;
        if (i > 0 && p.lane[i] == p.lane[0] && !rng_one_in(r, 3))
            p.at[i] = p.at[0], p.pitch[i] = p.pitch[0];
        if (i == 0 && rng_one_in(r, 30)) { /* from the last row up; over one another */
            p.at[i] += (p.rows - 1) * p.pitch[i];
            p.pitch[i] = rng_one_in(r, 2) ? -p.pitch[i] : 0;
        }
    }
    return p;
}

static char *lane_of(const struct bench *b, int way, const struct plan *p, int i)
{
    inlay_tensor *t = p->lane[i] == ROOTS ? b->other[way]
                      : p->lane[i] >= 0   ? b->root[way][p->lane[i]]
                                          : NULL;

    return t ? (char *)t->data + p->at[i] * 4 : NULL;
}

static row_block block_of(const struct bench *b, int way, const struct plan *p)
{
    return (row_block){.run = mix,
                       .to = lane_of(b, way, p, 0),
                       .x = lane_of(b, way, p, 1),
                       .y = lane_of(b, way, p, 2),
                       .to_pitch = p->pitch[0] * 4,
                       .x_pitch = p->pitch[1] * 4,
                       .y_pitch = p->pitch[2] * 4,
                       .rows = p->rows,
                       .length = p->length,
                       .size = 4,
                       .number = {.f32 = p->number}};
}

static void call(const struct bench *b, exec_run *run, const struct plan *p)
{
    inlay_tensor *const *t = b->root[0];
    const inlay_tensor *in[2] = {b->other[0], b->other[0]};
    inlay_tensor *out[1] = {t[p->lane[0]]};
    inlay_call c = {.node = b->node, .in = in, .n_in = 2, .out = out, .n_out = 1, .run = &run->run};
    row_block k = block_of(b, 0, p);

    run->steps = b->steps;
    run->plan = b->plan;
    run->in_place = true;
    for (int i = 0; i < 2; i++)
        in[i] = p->lane[i + 1] >= 0 && p->lane[i + 1] < ROOTS ? t[p->lane[i + 1]] : in[i];
    assert_true(tiles_block(&c, &k));
}

static void same_bytes(uint64_t seed, const inlay_tensor *a, const inlay_tensor *b)
{
    if (memcmp(a->data, b->data, inlay_tensor_bytes(a)) != 0)
        fail_msg("seed %llu: not the same as at once", (unsigned long long)seed);
}

static void test_random_blocks(void **state)
{
    const seed_range s = seeds_to_try(20000, 2000);
    exec_workers *workers = exec_workers_new(3); /* share the tiles of some */
    exec_worker_counts counts;
    int waited = 0, most = 0;

    (void)state;
    exec_workers_enter(workers);
    exec_workers_set_least(workers, 1);
    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        rng r = {seed * 77};
        struct bench b = {0};
        exec_tiles tiles;
        exec_run run = {.tiles = &tiles, .worth = INT64_MAX};
        int64_t usual = rng_one_in(&r, 2) ? 16 : 12;

        make_bench(&b, seed);
        tiles_begin(&tiles, rng_in(&r, 1, 200));
        tiles.workers = seed % 4 ? NULL : workers;
        tiles.smallest = rng_one_in(&r, 4) ? 4 * ROOT_SIZE + 4 : 0; /* the first root is smaller */
        for (int i = 0; i < BLOCKS; i++) {
            struct plan p = random_plan(&r, usual);
            row_block k = block_of(&b, 1, &p);
            int before = tiles.n;

            call(&b, &run, &p);
            mix(&k);
            waited += tiles.n > before;
            most = tiles.n > most ? tiles.n : most;
        }
        tiles_settle(&tiles);
        for (int i = 0; i < ROOTS; i++)
            same_bytes(seed, b.root[0][i], b.root[1][i]);
        tiles_end(&tiles);
        free_bench(&b);
    }
    counts = exec_workers_counts(workers);
    exec_workers_leave(workers);
    exec_workers_free(workers);
    print_message("# %d blocks waited, %d at one time; %llu parts for threads\n", waited, most,
                  (unsigned long long)counts.parts);
    assert_true(!s.whole || (waited > (int)s.n * 3 && most >= 8 && counts.parts > s.n));
}

/* A copy waits too, and blocks that are computed in it find its elements. */
static void test_copy_waits(void **state)
{
    struct bench b = {0};
    exec_tiles tiles;
    exec_run run = {.tiles = &tiles, .worth = INT64_MAX};
    const struct plan p = {
        .lane = {0, 0, -1}, .at = {21, 21}, .pitch = {16, 16}, .rows = 4, .length = 9};
    inlay_tensor *from = numbers(ROOT_SIZE, 99);
    row_block k;

    (void)state;
    make_bench(&b, 5);
    tiles_begin(&tiles, 64);
    assert_true(tiles_copy(&tiles, b.root[0][0], from));
    same_bytes(5, b.root[0][0], b.root[1][0]);
    call(&b, &run, &p);
    assert_int_equal(tiles.n, 2);
    tiles_settle(&tiles);
    assert_true(inlay_tensor_assign(b.root[1][0], from));
    k = block_of(&b, 1, &p);
    mix(&k);
    same_bytes(5, b.root[0][0], b.root[1][0]);
    tiles_end(&tiles);
    free_bench(&b);
    inlay_tensor_release(from);
}

/* Which rows of which block were computed, one letter a block: "a2 b2 a1 b1". */
static char turns[200];

static void log_turn(const row_block *k)
{
    size_t at = strlen(turns);
    long long n = k->rows > 1 || k->length == 16 ? k->rows : k->length;

    snprintf(turns + at, sizeof turns - at, "%c%lld ", (char)k->number.f32, n);
}

/* A block of N rows of 16 floats each in rows of 16, called NAME, from float AT on; one row of N
 * floats when N is above 16. */
static void log_block(const struct bench *b, exec_run *run, char name, int64_t at, int64_t n)
{
    const struct plan p = {.lane = {0, ROOTS, -1},
                           .at = {at, 0},
                           .pitch = {16, 16},
                           .rows = n > 16 ? 1 : n,
                           .length = n > 16 ? n : 16};
    const inlay_tensor *in[2] = {b->other[0], b->other[0]};
    inlay_tensor *out[1] = {b->root[0][0]};
    inlay_call c = {.node = b->node, .in = in, .n_in = 2, .out = out, .n_out = 1, .run = &run->run};
    row_block k = block_of(b, 0, &p);

    k.run = log_turn;
    k.number.f32 = (float)name;
    run->steps = b->steps;
    run->plan = b->plan;
    run->in_place = true;
    assert_true(tiles_block(&c, &k));
}

/* Tiles of 128 bytes are two rows of 16 floats. All blocks of a tile come before those of the next
 * tile, and each row is computed once. A block that waits alone is computed in one go. */
static void test_turns(void **state)
{
    struct bench b = {0};
    exec_tiles tiles;
    exec_run run = {.tiles = &tiles, .worth = INT64_MAX};

    (void)state;
    make_bench(&b, 7);
    tiles_begin(&tiles, 128);
    *turns = '\0';
    log_block(&b, &run, 'a', 0, 5);
    log_block(&b, &run, 'b', 16, 4);  /* begins a row later */
    log_block(&b, &run, 'c', 20, 50); /* a row of 50, from within row 1 to within row 4 */
    assert_string_equal(turns, "");
    tiles_settle(&tiles);
    assert_string_equal(turns, "a2 b1 c12 a2 b2 c32 a1 b1 c6 ");
    *turns = '\0';
    log_block(&b, &run, 'a', 64, 3); /* what lies before the first row costs no turn */
    log_block(&b, &run, 'b', 96, 1);
    tiles_settle(&tiles);
    assert_string_equal(turns, "a2 a1 b1 ");
    *turns = '\0';
    log_block(&b, &run, 'a', 0, 9);
    tiles_settle(&tiles);
    assert_string_equal(turns, "a9 ");
    tiles_settle(&tiles);
    assert_string_equal(turns, "a9 ");
    call(&b, &run,
         &(struct plan){.pitch = {24, 24, 24}, .lane = {0, ROOTS, -1}, .rows = 2, .length = 8});
    assert_int_equal(tiles.n, 1); /* after a settling rows of another pitch may wait */
    tiles_end(&tiles);
    tiles_begin(&tiles, 1); /* less than a row */
    *turns = '\0';
    log_block(&b, &run, 'a', 0, 2);
    log_block(&b, &run, 'b', 0, 2);
    tiles_settle(&tiles);
    assert_string_equal(turns, "a1 b1 a1 b1 ");
    tiles_end(&tiles);
    free_bench(&b);
}

/* A single row is cut between elements only if the elements lie at multiples of their size. A block
 * does not wait whose operand is the run's own copy, because waiting would keep that copy alive. */
static void test_rows_that_do_not_wait(void **state)
{
    struct bench b = {0};
    exec_tiles tiles;
    exec_run run = {.tiles = &tiles, .worth = INT64_MAX};
    exec_place *places;
    inlay_call c;
    row_block k;

    (void)state;
    make_bench(&b, 19);
    tiles_begin(&tiles, 128);
    places = b.plan->places;
    *turns = '\0';
    places[steps_slot(b.steps, b.node->in[0].value)].spoiled = true;
    log_block(&b, &run, 'a', 0, 4);
    assert_string_equal(turns, "a4 ");
    places[steps_slot(b.steps, b.node->in[0].value)].spoiled = false;
    log_block(&b, &run, 'b', 0, 4);
    assert_string_equal(turns, "a4 ");
    tiles_settle(&tiles);
    *turns = '\0';
    c = (inlay_call){.node = b.node, .out = &b.root[0][0], .n_out = 1, .run = &run.run};
    k = (row_block){.run = log_turn, .rows = 1, .length = 20, .size = 8, .number.f32 = 'c'};
    k.to = (char *)b.root[0][0]->data + 4;
    assert_true(tiles_block(&c, &k));
    assert_string_equal(turns, "c20 ");
    k.to += 4;
    assert_true(tiles_block(&c, &k));
    assert_string_equal(turns, "c20 ");
    assert_int_equal(tiles.n, 1);
    tiles_end(&tiles);
    free_bench(&b);
}

/* A step, and whether blocks that wait in a buffer may wait on when it is made. Operand IN of the
 * step stands in that buffer, all of it or ONE element; the other operands stand elsewhere. */
static const struct who {
    const char *node;
    inlay_note_kind kind;
    int in; /* -1: none */
    bool one, integers, waits;
} who[] = {
    /* elementwise: blocks that may wait too, unless a number or an integer is read at once */
    {"z", INLAY_OVERWRITES, 0, false, false, true},
    {"z", INLAY_OVERWRITES, 1, false, false, true},
    {"z", INLAY_INTO, 0, false, false, true},
    {"z", INLAY_OVERWRITES, -1, false, false, true},
    {"z", INLAY_OVERWRITES, -1, true, false, true},
    {"z", INLAY_OVERWRITES, 0, true, false, false},
    {"z", INLAY_OVERWRITES, 1, true, false, false},
    {"z", INLAY_OVERWRITES, -1, false, true, false},
    {"z", INLAY_FRESH, 0, false, false, false},
    {"z", INLAY_FRESH, 1, false, false, false},
    {"z", INLAY_FRESH, -1, false, false, true},
    /* a view is shown, but where it begins is read */
    {"s", INLAY_VIEW_OF, 0, false, false, true},
    {"s", INLAY_VIEW_OF, 1, false, false, false},
    {"s", INLAY_VIEW_OF, 3, false, false, false},
    {"s", INLAY_FRESH, -1, false, false, true},
    /* so are data and updates where both may be in place already */
    {"w", INLAY_OVERWRITES, 0, false, false, true},
    {"w", INLAY_OVERWRITES, 1, false, false, true},
    {"w", INLAY_OVERWRITES, 2, false, false, false},
    {"w", INLAY_FRESH, 0, false, false, false},
    {"w", INLAY_FRESH, 1, false, false, false},
    {"w", INLAY_FRESH, -1, false, false, true},
    /* what is no block is computed at once: it may write what others that wait read */
    {"t", INLAY_OVERWRITES, -1, false, false, false},
    {"t", INLAY_FRESH, -1, false, false, true},
    {"m", INLAY_FRESH, -1, false, false, true},
    {"m", INLAY_FRESH, 1, false, false, false},
    /* nothing is read when a value is handed over */
    {"out", INLAY_FRESH, 0, false, false, true},
};

static bool waits_on(struct bench *b, const struct who *w)
{
    static const struct plan p = {
        .lane = {0, ROOTS, -1}, .at = {0}, .pitch = {16, 16}, .rows = 4, .length = 8};
    inlay_node *n = inlay_graph_node(b->graph, w->node);
    inlay_tensor *eight = numbers(8, 3), *one = numbers(1, 3);
    inlay_tensor *whole = inlay_tensor_new(INLAY_I64, 1, (int64_t[]){8});
    inlay_tensor *first = inlay_tensor_window(b->root[0][0], 1, (int64_t[]){1}, (int64_t[]){1}, 0);
    const inlay_tensor *in[8];
    exec_tiles tiles;
    exec_run run = {.tiles = &tiles, .worth = INT64_MAX};
    inlay_call c = {.node = n, .in = in, .n_in = n->n_in, .n_out = n->n_out, .run = &run.run};
    bool yes;

    assert_true(n->n_in <= 8);
    tiles_begin(&tiles, 64);
    for (int i = 0; i < n->n_in; i++)
        in[i] = w->one ? one : w->integers ? whole : eight;
    if (w->in >= 0)
        in[w->in] = w->one ? first : b->root[0][0];
    call(b, &run, &p);
    assert_int_equal(tiles.n, 1);
    if (n->n_out > 0)
        b->plan->places[steps_slot(b->steps, &n->out[0])].kind = w->kind;
    tiles_before(&c);
    if (n->n_out > 0)
        b->plan->places[steps_slot(b->steps, &n->out[0])].kind = INLAY_FRESH;
    yes = tiles.n == 1;
    tiles_end(&tiles);
    inlay_tensor_release(eight);
    inlay_tensor_release(one);
    inlay_tensor_release(whole);
    inlay_tensor_release(first);
    return yes;
}

static void test_who_looks(void **state)
{
    struct bench b = {0};

    (void)state;
    make_bench(&b, 11);
    for (size_t i = 0; i < sizeof who / sizeof who[0]; i++) {
        if (waits_on(&b, &who[i]) != who[i].waits)
            fail_msg("row %zu, \"%s\", operand %d: what waits must%s be computed", i, who[i].node,
                     who[i].in, who[i].waits ? " not" : "");
    }
    free_bench(&b);
}

/* Whether a block that waits is computed when a kernel is about to touch elements. Operand OPERAND
 * of the kernel stands where the block waits (-1: no operand does). */
static bool settles(struct bench *b, int operand, bool in_place, bool asked)
{
    static const struct plan p = {
        .lane = {0, ROOTS, -1}, .at = {0}, .pitch = {16, 16}, .rows = 4, .length = 8};
    const inlay_tensor *in[2] = {b->other[0], NULL};
    exec_tiles tiles;
    exec_run run = {.tiles = &tiles, .worth = INT64_MAX};
    inlay_call c = {.node = b->node, .in = in, .n_in = 2, .run = &run.run};
    bool yes;

    if (operand >= 0)
        in[operand] = b->root[0][0];
    tiles_begin(&tiles, 64);
    call(b, &run, &p);
    run.in_place = in_place;
    run.settled = asked;
    tiles_touch(&c);
    yes = tiles.n == 0;
    assert_true(run.settled || in_place);
    tiles_end(&tiles);
    return yes;
}

static void test_settling(void **state)
{
    struct bench b = {0};

    (void)state;
    make_bench(&b, 13);
    assert_false(settles(&b, -1, false, false));
    assert_true(settles(&b, 0, false, false));
    assert_true(settles(&b, 1, false, false));
    assert_true(settles(&b, -1, true, false));
    assert_true(settles(&b, -1, true, true));
    assert_false(settles(&b, 0, false, true)); /* asked before: nothing came to wait since */
    free_bench(&b);
}

/* A block that may not wait reads elements of a block that waits. */
static void test_block_that_does_not_wait(void **state)
{
    static const struct plan waiting = {
        .lane = {0, 0, -1}, .at = {3, 3}, .pitch = {16, 16}, .rows = 4, .length = 8};
    static const struct plan reads = {
        .lane = {1, 0, -1}, .at = {3, 3}, .pitch = {16, 16}, .rows = 4, .length = 8};
    struct bench b = {0};
    exec_tiles tiles;
    exec_run run = {.tiles = &tiles, .worth = INT64_MAX};
    row_block k;

    (void)state;
    make_bench(&b, 17);
    tiles_begin(&tiles, 64);
    call(&b, &run, &waiting);
    {
        const inlay_tensor *in[2] = {b.root[0][0], b.other[0]};
        inlay_tensor *out[1] = {b.root[0][1]};
        inlay_call c = {
            .node = b.node, .in = in, .n_in = 2, .out = out, .n_out = 1, .run = &run.run};

        run.in_place = false;
        k = block_of(&b, 0, &reads);
        assert_true(tiles_block(&c, &k));
    }
    assert_int_equal(tiles.n, 0);
    k = block_of(&b, 1, &waiting);
    mix(&k);
    k = block_of(&b, 1, &reads);
    mix(&k);
    for (int i = 0; i < ROOTS; i++)
        same_bytes(17, b.root[0][i], b.root[1][i]);
    tiles_end(&tiles);
    free_bench(&b);
}

/* Blocks in small buffers do not wait, and neither do copies that are not row by row. */
static void test_what_does_not_wait(void **state)
{
    inlay_tensor *a = numbers(ROOT_SIZE, 1), *b = numbers(ROOT_SIZE, 2);
    inlay_tensor *strided = inlay_tensor_window(a, 1, (int64_t[]){8}, (int64_t[]){2}, 0);
    inlay_tensor *eight = numbers(8, 3);
    exec_tiles tiles;

    (void)state;
    tiles_begin(&tiles, 0);
    assert_false(tiles_copy(&tiles, a, b));
    tiles_end(&tiles);
    tiles_begin(&tiles, 64);
    assert_false(tiles_copy(&tiles, eight, strided));
    assert_int_equal(tiles.n, 0);
    tiles_end(&tiles);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    inlay_tensor_release(strided);
    inlay_tensor_release(eight);
}

/* Graphs */

/* Windows A (rows 0..1) and B (rows 4..5) of d stand behind a chain that waits, both computed in
 * place. */
#define CHAINS                                                                                     \
    "%d = Parameter-1 {element_type = f32, shape = [8,6]}\n"                                       \
    "%one = Const-1 {value = i64[1] [1]}\n%zero = Const-1 {value = i64[1] [0]}\n"                  \
    "%two = Const-1 {value = i64[1] [2]}\n%four = Const-1 {value = i64[1] [4]}\n"                  \
    "%six = Const-1 {value = i64[1] [6]}\n%half = Const-1 {value = f32[] 0.5}\n"                   \
    "%ax = Slice-8(%d, %zero, %two, %one)\n%ay = Add-1(%ax, %half)\n%az = Multiply-1(%ay, %ay)\n"  \
    "%ar = SliceScatter-15(%d, %az, %zero, %two, %one)\n"                                          \
    "%bx = Slice-8(%ar, %four, %six, %one)\n%by = Multiply-1(%bx, %half)\n"                        \
    "%r = SliceScatter-15(%ar, %by, %four, %six, %one)\n"

static inlay_tensor *rows_of(int64_t rows, int64_t columns)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){rows, columns});

    for (int64_t i = 0; i < rows * columns; i++)
        inlay_tensor_set_f64(t, i, (double)(i % 11) - 3);
    return t;
}

/* Checks that BODY in tiles of a byte gives what the reference gives, the kept value KEEP too, and
 * writes IN_PLACE times over what is there. */
static void check_tiled(const char *body, const char *keep, uint64_t in_place)
{
    inlay_exec_options reference = {.mode = INLAY_EXEC_REFERENCE,
                                    .keep = &keep,
                                    .n_keep = keep != NULL},
                       tiled = reference;
    inlay_pass_options o = {.passes = "in-place-windows", .check = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(body);
    inlay_tensor *in = rows_of(8, 6), *out[2][2];
    inlay_compare_options exact = {0};
    inlay_exec_stats stats;
    char why[300] = "";
    runner r[2];

    tiled.mode = INLAY_EXEC_PLANNED;
    tiled.poison = true;
    assert_true(inlay_run_passes(g, &o, d));
    r[0] = runner_of(body, &reference);
    r[1] = runner_on(g, &tiled);
    program_tile(r[1].program, 1);
    for (int i = 0; i < 2; i++) {
        const inlay_tensor *kept;

        if (!inlay_session_run(r[i].session, (const inlay_tensor *const[]){in}, NULL, out[i],
                               r[i].diags))
            fail_msg("%s", inlay_diags_at(r[i].diags, 0)->text);
        kept = inlay_session_kept(r[i].session, 0);
        if (keep && !inlay_compare_tensors(inlay_session_kept(r[0].session, 0), kept, &exact, why,
                                           sizeof why))
            fail_msg("kept: %s", why);
    }
    for (int i = 0; i < g->n_results; i++) {
        if (!inlay_compare_tensors(out[0][i], out[1][i], &exact, why, sizeof why))
            fail_msg("result %d: %s", i, why);
        inlay_tensor_release(out[0][i]);
        inlay_tensor_release(out[1][i]);
    }
    inlay_session_stats(r[1].session, &stats);
    assert_int_equal(stats.in_place_writes, in_place);
    runner_free(&r[0]);
    runner_free(&r[1]);
    inlay_tensor_release(in);
    inlay_diags_free(d);
}

static void test_result_and_reader(void **state)
{
    (void)state;
    check_tiled(CHAINS "%out = Result-1(%r)\n", NULL, 3);
    check_tiled(CHAINS "%axes = Const-1 {value = i64[1] [0]}\n%s = ReduceSum-1(%r, %axes)\n"
                       "%out = Result-1(%r)\n%sum = Result-1(%s)\n",
                NULL, 3);
}

/* A reshape is copied where only the result has its shape. */
static void test_reshape_copies(void **state)
{
    (void)state;
    check_tiled(CHAINS "%m = Const-1 {value = i64[2] [6, 8]}\n"
                       "%q = Reshape-1(%r, %m) {special_zero = false}\n%out = Result-1(%q)\n",
                NULL, 3);
}

static void test_kept_value(void **state)
{
    (void)state;
    check_tiled(CHAINS "%out = Result-1(%r)\n", "ar", 3);
    check_tiled(CHAINS "%out = Result-1(%r)\n", "ay", 3);
    check_tiled(CHAINS "%out = Result-1(%r)\n", "d", 3);
}

/* One element of what waits is a number of the next step, which reads it at once. */
static void test_number_that_waits(void **state)
{
    (void)state;
    check_tiled(CHAINS "%ends = Const-1 {value = i64[2] [1, 1]}\n"
                       "%start = Const-1 {value = i64[2] [0, 0]}\n"
                       "%step = Const-1 {value = i64[2] [1, 1]}\n"
                       "%n = Slice-8(%r, %start, %ends, %step)\n"
                       "%cx = Slice-8(%r, %two, %four, %one)\n%cy = Multiply-1(%cx, %n)\n"
                       "%c = SliceScatter-15(%r, %cy, %two, %four, %one)\n"
                       "%out = Result-1(%c)\n",
                NULL, 4);
}

/* The window of one chain is the other operand of the next: another row of the root. */
static void test_operand_that_waits(void **state)
{
    (void)state;
    check_tiled(CHAINS "%u = Slice-8(%r, %zero, %two, %one)\n"
                       "%cx = Slice-8(%r, %two, %four, %one)\n%cy = Subtract-1(%cx, %u)\n"
                       "%c = SliceScatter-15(%r, %cy, %two, %four, %one)\n"
                       "%out = Result-1(%c)\n",
                NULL, 4);
}

/* A body reads elements of a block that waits. */
static void test_body_reads(void **state)
{
    (void)state;
    check_tiled(CHAINS "%yes = Const-1 {value = boolean[] true}\n"
                       "%f = If-8(%yes, %r)\n"
                       "then_body \"t\" {\n"
                       "  %p = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                       "  %q = ReLU-1(%p)\n  %o = Result-1(%q)\n}\n"
                       "in 1 -> %p\nout %o -> 0\n"
                       "else_body \"e\" {\n"
                       "  %p = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                       "  %o = Result-1(%p)\n}\n"
                       "in 1 -> %p\nout %o -> 0\n"
                       "%out = Result-1(%f)\n",
                NULL, 3);
}

/* Elements that are no floats do not wait: a conversion reads and writes at once. */
static void test_conversion_between(void **state)
{
    (void)state;
    check_tiled(CHAINS "%cx = Slice-8(%r, %zero, %four, %one)\n%ca = Add-1(%cx, %half)\n"
                       "%ci = Convert-1(%ca) {destination_type = i32}\n"
                       "%cf = Convert-1(%ci) {destination_type = f32}\n"
                       "%c = SliceScatter-15(%r, %cf, %zero, %four, %one)\n"
                       "%out = Result-1(%c)\n",
                NULL, 6);
}

/* Another buffer that a step which waits reads is written over, by one that does not wait. */
static void test_other_buffer_is_overwritten(void **state)
{
    (void)state;
    check_tiled("%d = Parameter-1 {element_type = f32, shape = [8,6]}\n"
                "%one = Const-1 {value = i64[1] [1]}\n%zero = Const-1 {value = i64[1] [0]}\n"
                "%two = Const-1 {value = i64[1] [2]}\n%axis = Const-1 {value = i64[] 0}\n"
                "%row = Const-1 {value = f32[1,6] [9, 9, 9, 9, 9, 9]}\n"
                "%x = Slice-8(%d, %zero, %two, %one)\n%f = Tanh-1(%x)\n"
                "%y = Add-1(%x, %f)\n%r = SliceScatter-15(%d, %y, %zero, %two, %one)\n"
                "%g = ScatterUpdate-3(%f, %one, %row, %axis)\n"
                "%out = Result-1(%r)\n%second = Result-1(%g)\n",
                NULL, 2);
}

/* A step that does not wait writes where a block waits, and reads none of its elements. */
static void test_window_is_written_from_outside(void **state)
{
    (void)state;
    check_tiled(CHAINS "%i = Const-1 {value = i32[2,6] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}\n"
                       "%c = Convert-1(%i) {destination_type = f32}\n"
                       "%s = SliceScatter-15(%r, %c, %zero, %two, %one)\n%out = Result-1(%s)\n",
                NULL, 4);
    check_tiled(CHAINS "%f = Const-1 {value = f32[2,6] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}\n"
                       "%c = Convert-1(%f) {destination_type = f32}\n"
                       "%s = SliceScatter-15(%r, %c, %zero, %two, %one)\n%out = Result-1(%s)\n",
                NULL, 4);
}

/* Memory */

/* Waiting keeps no operand that is computed for a moment, nor, if VIEWED, a view of one. */
static void check_operands_are_freed(bool viewed)
{
    enum { N = 32, ROWS = 16, COLUMNS = 1024 }; /* windows of 64 KiB */
    char *body = malloc(512 + N * 700);
    size_t at = (size_t)sprintf(body,
                                "%%d = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
                                "%%q = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
                                "%%one = Const-1 {value = i64[1] [1]}\n"
                                "%%zero = Const-1 {value = i64[1] [0]}\n"
                                "%%rows = Const-1 {value = i64[1] [%d]}\n",
                                N * ROWS, COLUMNS, ROWS, COLUMNS, ROWS);
    char before[16] = "d";
    inlay_tensor *in[2] = {rows_of(N * ROWS, COLUMNS), rows_of(ROWS, COLUMNS)}, *out[1];
    inlay_pass_options o = {.passes = "in-place-windows"};
    inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};
    inlay_exec_stats stats;
    inlay_graph *g;
    runner r;

    for (int i = 0; i < N; i++) {
        at += (size_t)sprintf(body + at,
                              "%%b%d = Const-1 {value = i64[1] [%d]}\n"
                              "%%e%d = Const-1 {value = i64[1] [%d]}\n"
                              "%%x%d = Slice-8(%%%s, %%b%d, %%e%d, %%one)\n"
                              "%%s%d = SoftMax-8(%%q) {axis = 1}\n"
                              "%%v%d = Slice-8(%%s%d, %%zero, %%rows, %%one)\n"
                              "%%y%d = Add-1(%%x%d, %%%c%d)\n"
                              "%%r%d = SliceScatter-15(%%%s, %%y%d, %%b%d, %%e%d, %%one)\n",
                              i, i * ROWS, i, (i + 1) * ROWS, i, before, i, i, i, i, i, i, i,
                              viewed ? 'v' : 's', i, i, before, i, i, i);
        sprintf(before, "r%d", i);
    }
    sprintf(body + at, "%%out = Result-1(%%%s)\n", before);
    g = graph_of(body);
    assert_true(inlay_run_passes(g, &o, NULL));
    r = runner_on(g, &planned);
    assert_true(inlay_session_run(r.session, (const inlay_tensor *const *)in, (bool[]){true, false},
                                  out, r.diags));
    inlay_session_stats(r.session, &stats);
    assert_int_equal(stats.in_place_writes, N);
    assert_int_equal(stats.copied_bytes, 0);
    assert_true(stats.peak_bytes <= 128 << 10);
    runner_free(&r);
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
    inlay_tensor_release(out[0]);
    free(body);
}

static void test_operands_are_freed(void **state)
{
    (void)state;
    check_operands_are_freed(false);
    check_operands_are_freed(true);
}

static inlay_tensor *bytes_of(inlay_meter *m, int64_t n, bool zeroed)
{
    inlay_tensor *form = inlay_tensor_over(NULL, NULL, INLAY_U8, 1, &n);
    inlay_tensor *t = zeroed ? meter_tensor(m, INLAY_U8, 1, &n, NULL, NULL)
                             : meter_tensor_like(m, form, NULL, NULL);

    inlay_tensor_release(form);
    return t;
}

/* Memory that was large is used again for copies of that size, and nobody who relies on zeros gets
 * it. */
static void test_spare_memory(void **state)
{
    enum { N = 2 << 20 };
    inlay_meter *m = meter_new(0, 0, false);
    inlay_tensor *t = bytes_of(m, N, true);
    const void *bytes = t->data;

    (void)state;
    memset(t->data, 7, N);
    inlay_tensor_release(t);
    assert_int_equal(meter_now(m), 0);
    t = bytes_of(m, N, true);
    assert_ptr_not_equal(t->data, bytes);
    assert_int_equal(((const char *)t->data)[N / 2], 0);
    inlay_tensor_release(t);
    t = bytes_of(m, N, false);
    bytes = t->data;
    assert_int_equal(meter_now(m), N);
    memset(t->data, 7, N);
    inlay_tensor_release(t);
    t = bytes_of(m, N - 1, false);
    assert_ptr_not_equal(t->data, bytes);
    inlay_tensor_release(t);
    meter_release(m);
}

/* Spare memory does not count, so it is freed before the run would have more memory than the limit
 * allows. */
static void test_spare_memory_and_limit(void **state)
{
    enum { N = 2 << 20 };
    inlay_meter *m = meter_new(3 << 20, 0, false);
    inlay_tensor *t = bytes_of(m, N, true);

    (void)state;
    memset(t->data, 7, N);
    inlay_tensor_release(t);
    inlay_tensor_release(bytes_of(m, 1 << 20, true));
    inlay_tensor_release(bytes_of(m, (1 << 20) + 1, true));
    t = bytes_of(m, N, false);
    assert_int_not_equal(((const char *)t->data)[N / 2], 7);
    inlay_tensor_release(t);
    meter_release(m);
}

/* The scratch memory of a run serves one node after the other. */
static void test_arena_is_cleared(void **state)
{
    inlay_arena *a = inlay_arena_new();
    char *small = inlay_arena_alloc(a, 100), *large;

    (void)state;
    memset(small, 7, 100);
    large = inlay_arena_alloc(a, 3 << 20);
    memset(large, 7, 3 << 20);
    assert_int_equal(inlay_arena_bytes(a), 112 + (3 << 20));
    inlay_arena_clear(a);
    assert_int_equal(inlay_arena_bytes(a), 0);
    small = inlay_arena_alloc(a, 4000);
    for (int i = 0; i < 4000; i++)
        assert_int_equal(small[i], 0);
    inlay_arena_free(a);
}

/* Two arenas and something else under one limit. A block is at least twice as large as the one
 * before it in its arena. */
static void test_arenas_under_a_limit(void **state)
{
    inlay_arena *a = inlay_arena_new(), *b = inlay_arena_new();

    (void)state;
    inlay_arena_limit(a, 215000);
    inlay_arena_share(b, a);
    assert_non_null(inlay_arena_alloc(a, 30000));
    assert_non_null(inlay_arena_alloc(b, 30000));
    assert_false(inlay_arena_charge(a, 155001));
    assert_true(inlay_arena_over(a));
    assert_true(inlay_arena_over(b));
    assert_true(inlay_arena_charge(b, 100000));
    assert_null(inlay_arena_alloc(a, 20000));
    inlay_arena_discharge(a, 100000);
    assert_non_null(inlay_arena_alloc(a, 20000));
    assert_null(inlay_arena_alloc(a, 50000));
    inlay_arena_clear(b); /* what it held is free for others */
    assert_non_null(inlay_arena_alloc(a, 50000));
    inlay_arena_free(b);
    inlay_arena_free(a);
    a = inlay_arena_new(); /* without a limit */
    inlay_arena_limit(a, 0);
    assert_true(inlay_arena_charge(a, UINT64_MAX));
    assert_false(inlay_arena_over(a));
    inlay_arena_free(a);
}

/* Each array is filled with a number of its own, so that an overlap shows. */
static void test_arrays_begin_with_a_cache_line(void **state)
{
    enum { N = 200 };
    static const size_t sizes[] = {1, 24, 1023, 1024, 1040, 3000, 4096, 70000};
    inlay_arena *a = inlay_arena_new();
    unsigned char *p[N];
    size_t size[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        size[i] = sizes[i * 5 % 8];
        p[i] = inlay_arena_alloc(a, size[i]);
        assert_int_equal((uintptr_t)p[i] % (size[i] < 1024 ? 16 : 64), 0);
        memset(p[i], i, size[i]);
    }
    for (int i = 0; i < N; i++) {
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(p[i][k], i);
    }
    inlay_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_blocks),
        cmocka_unit_test(test_copy_waits),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_rows_that_do_not_wait),
        cmocka_unit_test(test_who_looks),
        cmocka_unit_test(test_settling),
        cmocka_unit_test(test_block_that_does_not_wait),
        cmocka_unit_test(test_what_does_not_wait),
        cmocka_unit_test(test_result_and_reader),
        cmocka_unit_test(test_reshape_copies),
        cmocka_unit_test(test_kept_value),
        cmocka_unit_test(test_number_that_waits),
        cmocka_unit_test(test_operand_that_waits),
        cmocka_unit_test(test_body_reads),
        cmocka_unit_test(test_conversion_between),
        cmocka_unit_test(test_window_is_written_from_outside),
        cmocka_unit_test(test_other_buffer_is_overwritten),
        cmocka_unit_test(test_operands_are_freed),
        cmocka_unit_test(test_arena_is_cleared),
        cmocka_unit_test(test_arenas_under_a_limit),
        cmocka_unit_test(test_arrays_begin_with_a_cache_line),
        cmocka_unit_test(test_spare_memory),
        cmocka_unit_test(test_spare_memory_and_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
