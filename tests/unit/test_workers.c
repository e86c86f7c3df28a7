/* The threads that help a program (interp/exec/threads/workers.c): each item is computed once,
 * several threads at a time but no more than are allowed, and where no thread can be had the caller
 * does everything. test_split.c has whole graphs. Waiting has an end, so that a mistake fails the
 * test.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CPU_SET, sched_getcpu */
#endif
#include "interp/exec/threads/rounds.h"
#include "interp/interp.h"
#include "unit.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#undef SANITIZED
#define SANITIZED 1
#endif

enum { ITEMS = 1000, ROUNDS = 60, SECONDS = 60 };

/* Counts how often each item was computed. */
static void count_items(void *ctx, int64_t from, int64_t to)
{
    atomic_int *counts = ctx;

    for (int64_t i = from; i < to; i++)
        atomic_fetch_add(&counts[i], 1);
}

static void test_each_item_once(void **state)
{
    static const int threads[] = {1, 2, 3, 7, 40};
    static atomic_int counts[ITEMS];

    for (int k = 0; k < 5; k++) {
        exec_workers *w = exec_workers_new(threads[k]);

        exec_workers_set_least(w, 1);
        exec_workers_enter(w);
        for (int64_t n = 0; n <= ITEMS; n += n < 50 ? 1 : 95) {
            memset(counts, 0, sizeof counts);
            exec_workers_split(w, n, 1 + n % 3, count_items, counts);
            for (int64_t i = 0; i < ITEMS; i++)
                assert_int_equal(counts[i], i < n);
        }
        exec_workers_leave(w);
        assert_true((exec_workers_counts(w).splits > 0) == (threads[k] > 1));
        exec_workers_free(w);
    }
}

/* Work that costs less than two parts is not split. */
static void test_small_work_is_not_split(void **state)
{
    static atomic_int counts[ITEMS];
    exec_workers *w = exec_workers_new(4);

    exec_workers_enter(w);
    exec_workers_split(w, ITEMS, 1, count_items, counts);
    assert_int_equal(exec_workers_counts(w).splits, 0);
    exec_workers_set_least(w, 500);
    exec_workers_split(w, ITEMS - 1, 1, count_items, counts);
    assert_int_equal(exec_workers_counts(w).splits, 0);
    exec_workers_split(w, ITEMS, 1, count_items, counts);
    assert_int_equal(exec_workers_counts(w).splits, 1);
    assert_int_equal(exec_workers_counts(w).parts, 2);
    assert_int_equal(exec_workers_worth(w), 1000);
    exec_workers_free(w);
    w = exec_workers_new(1);
    assert_true(exec_workers_worth(w) == INT64_MAX);
    exec_workers_free(w);
}

/* Items begin only when all have begun, so each item is computed by a thread of its own. */
struct meeting {
    int wanted, rounding, processor;
    atomic_int here, late, wrong;
    pthread_t owner;
};

static void meet(void *ctx, int64_t from, int64_t to)
{
    struct meeting *m = ctx;
    time_t end = time(NULL) + SECONDS;
    sigset_t blocked;

    atomic_fetch_add(&m->here, (int)(to - from));
    while (atomic_load(&m->here) < m->wanted && time(NULL) < end)
        sched_yield();
    atomic_fetch_add(&m->late, atomic_load(&m->here) < m->wanted);
    atomic_fetch_add(&m->wrong, fegetround() != m->rounding);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (!pthread_equal(pthread_self(), m->owner))
        atomic_fetch_add(&m->wrong, !sigismember(&blocked, SIGINT));
}

static void check_meeting(exec_workers *w, int threads)
{
    struct meeting m = {.wanted = threads, .rounding = fegetround(), .owner = pthread_self()};
    uint64_t before = exec_workers_counts(w).helped;

    exec_workers_split(w, threads, 1, meet, &m);
    assert_int_equal(m.late, 0);
    assert_int_equal(m.wrong, 0);
    assert_int_equal(exec_workers_counts(w).helped - before, threads - 1);
}

/* Workers round as the owner does, and leave signals to others. */
static void test_threads_compute_at_a_time(void **state)
{
    for (int threads = 2; threads <= 5; threads++) {
        exec_workers *w = exec_workers_new(threads);

        exec_workers_set_least(w, 1);
        exec_workers_enter(w);
        for (int i = 0; i < 20; i++) {
            fesetround(i % 2 ? FE_UPWARD : FE_TONEAREST);
            check_meeting(w, threads);
        }
        fesetround(FE_TONEAREST);
        usleep(20000); /* the workers fall asleep */
        check_meeting(w, threads);
        exec_workers_leave(w);
        exec_workers_free(w);
    }
}

enum { SHARES = 3, SHARE = 4 };

/* Items begin only when a share of each thread has begun: FIRST[I] is set where the item I was the
 * first one of a thread. */
struct shares {
    atomic_int here, first[SHARES * SHARE];
    pthread_t owner;
    bool owner_first; /* the owner began with item 0 */
};

static void begin_share(void *ctx, int64_t from, int64_t to)
{
    static _Thread_local const void *seen;
    struct shares *s = ctx;
    time_t end = time(NULL) + SECONDS;

    (void)to;
    if (seen == ctx)
        return;
    seen = ctx;
    atomic_fetch_add(&s->first[from], 1);
    if (pthread_equal(pthread_self(), s->owner))
        s->owner_first = from == 0;
    atomic_fetch_add(&s->here, 1);
    while (atomic_load(&s->here) < SHARES && time(NULL) < end)
        sched_yield();
}

/* Each thread begins with a share of its own, the same one in each step, so that it reads what it
 * wrote before. */
static void test_threads_have_shares(void **state)
{
    exec_workers *w = exec_workers_new(SHARES);
    struct shares s = {.owner = pthread_self()};

    exec_workers_set_least(w, 1);
    exec_workers_enter(w);
    exec_workers_split(w, (int64_t)SHARES * SHARE, 100, begin_share, &s);
    for (int i = 0; i < SHARES * SHARE; i++)
        assert_int_equal(s.first[i], i % SHARE == 0);
    assert_true(s.owner_first);
    exec_workers_leave(w);
    exec_workers_free(w);
}

/* There are as many runs as threads: each run has one thread, and there is none to help. */
static void test_runs_share_the_threads(void **state)
{
    static atomic_int counts[ITEMS];
    exec_workers *w = exec_workers_new(2);

    exec_workers_set_least(w, 1);
    exec_workers_enter(w);
    exec_workers_enter(w);
    exec_workers_split(w, ITEMS, 1, count_items, counts);
    assert_int_equal(exec_workers_counts(w).splits, 0);
    exec_workers_leave(w);
    check_meeting(w, 2);
    exec_workers_leave(w);
    exec_workers_free(w);
}

struct run {
    exec_workers *w;
    bool ok;
};

static void *run(void *arg)
{
    struct run *r = arg;
    static _Thread_local atomic_int counts[ITEMS];

    r->ok = true;
    for (int k = 0; k < 200; k++) {
        exec_workers_enter(r->w);
        memset(counts, 0, sizeof counts);
        exec_workers_split(r->w, ITEMS, 1, count_items, counts);
        for (int i = 0; i < ITEMS; i++)
            r->ok = r->ok && counts[i] == 1;
        exec_workers_leave(r->w);
    }
    return NULL;
}

static void test_several_owners(void **state)
{
    exec_workers *w = exec_workers_new(6);
    struct run runs[4];
    pthread_t id[4];

    exec_workers_set_least(w, 1);
    for (int i = 0; i < 4; i++) {
        runs[i] = (struct run){w, false};
        assert_int_equal(pthread_create(&id[i], NULL, run, &runs[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(id[i], NULL);
        assert_true(runs[i].ok);
    }
    assert_true(exec_workers_counts(w).splits > 0);
    exec_workers_free(w);
}

/* Rounds. Law: when an item of a round is computed, all items of the round before have been, and
 * none of the round behind; each is computed once. */
struct rounds {
    int64_t n;
    atomic_int counts[ROUNDS];
    atomic_int wrong;
    bool slow; /* one thread falls asleep now and then */
};

static void count_round(void *ctx, int64_t round, int64_t from, int64_t to)
{
    struct rounds *r = ctx;
    bool early = round > 0 && atomic_load(&r->counts[round - 1]) != r->n;
    bool late = round + 1 < ROUNDS && atomic_load(&r->counts[round + 1]) != 0;

    if (r->slow && from == 0 && round % 16 == 3)
        usleep(2000);
    atomic_fetch_add(&r->wrong, early || late || from >= to);
    atomic_fetch_add(&r->counts[round], (int)(to - from));
}

static void check_rounds(exec_workers *w, int64_t n, bool slow)
{
    struct rounds r = {.n = n, .slow = slow};

    exec_workers_rounds(w, ROUNDS, n, 1, count_round, &r);
    assert_int_equal(r.wrong, 0);
    for (int i = 0; i < ROUNDS; i++)
        assert_int_equal(r.counts[i], n);
}

static void test_rounds_follow_each_other(void **state)
{
    static const int threads[] = {1, 2, 3, 7, 40};

    for (int k = 0; k < 5; k++) {
        exec_workers *w = exec_workers_new(threads[k]);

        exec_workers_set_least(w, 1);
        exec_workers_enter(w);
        for (int64_t n = 1; n <= 40; n += 3)
            check_rounds(w, n, n % 2 == 0);
        exec_workers_rounds(w, 0, ITEMS, 1, count_round, NULL);
        exec_workers_leave(w);
        assert_true((exec_workers_counts(w).splits > 0) == (threads[k] > 1));
        exec_workers_free(w);
    }
}

/* Nobody helps while there are as many runs as threads: one thread computes the parts of all
 * others, which must not wait for it. */
static void test_rounds_alone(void **state)
{
    exec_workers *w = exec_workers_new(4);

    exec_workers_set_least(w, 1);
    for (int i = 0; i < 4; i++)
        exec_workers_enter(w);
    check_rounds(w, 9, false);
    assert_int_equal(exec_workers_counts(w).splits, 0);
    for (int i = 0; i < 4; i++)
        exec_workers_leave(w);
    exec_workers_free(w);
}

static void *run_rounds(void *arg)
{
    struct run *r = arg;

    r->ok = true;
    for (int k = 0; r->ok && k < 30; k++) {
        struct rounds all = {.n = 5};

        exec_workers_enter(r->w);
        exec_workers_rounds(r->w, ROUNDS, all.n, 1, count_round, &all);
        exec_workers_leave(r->w);
        r->ok = all.wrong == 0;
        for (int i = 0; i < ROUNDS; i++)
            r->ok = r->ok && all.counts[i] == all.n;
    }
    return NULL;
}

/* More owners than threads, and more threads than processors: whoever is waited for goes on. */
static void test_rounds_of_several_owners(void **state)
{
    exec_workers *w = exec_workers_new(6);
    struct run runs[8];
    pthread_t id[8];

    exec_workers_set_least(w, 1);
    for (int i = 0; i < 8; i++) {
        runs[i] = (struct run){w, false};
        assert_int_equal(pthread_create(&id[i], NULL, run_rounds, &runs[i]), 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(id[i], NULL);
        assert_true(runs[i].ok);
    }
    exec_workers_free(w);
}

/* Rounds that cost little are not split, however many there are. */
static void test_small_rounds_are_not_split(void **state)
{
    exec_workers *w = exec_workers_new(4);
    struct rounds r = {.n = ITEMS};

    exec_workers_enter(w);
    exec_workers_rounds(w, ROUNDS, ITEMS, 1, count_round, &r);
    assert_int_equal(r.wrong, 0);
    assert_int_equal(exec_workers_counts(w).splits, 0);
    exec_workers_leave(w);
    exec_workers_free(w);
}

/* The child has no workers, and does everything itself. */
static void test_fork(void **state)
{
    static atomic_int counts[ITEMS];
    exec_workers *w = exec_workers_new(3);
    int status;
    pid_t child;

    exec_workers_set_least(w, 1);
    exec_workers_enter(w);
    check_meeting(w, 3);
    child = fork();
    if (child == 0) {
        bool ok = true;

        exec_workers_split(w, ITEMS, 1, count_items, counts);
        for (int i = 0; i < ITEMS; i++)
            ok = ok && counts[i] == 1;
        exec_workers_free(w);
        _exit(ok ? 0 : 1);
    }
    assert_true(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    check_meeting(w, 3);
    exec_workers_leave(w);
    exec_workers_free(w);
}

/* Where the system makes no threads everything is computed all the same. */
static void test_no_thread_to_be_had(void **state)
{
    static atomic_int counts[ITEMS];
    const struct rlimit none = {1, 1};
    int status;
    pid_t child;

    if (SANITIZED) /* sanitizers want memory for each thread, and end the program */
        return;
    child = fork();
    if (child == 0) {
        exec_workers *w = exec_workers_new(3);
        bool ok = w && setrlimit(RLIMIT_AS, &none) == 0;

        exec_workers_set_least(w, 1);
        for (int k = 1; k <= 3; k++) {
            exec_workers_split(w, ITEMS, 1, count_items, counts);
            for (int i = 0; i < ITEMS; i++)
                ok = ok && counts[i] == k;
        }
        /* The C library may have kept the stack of a thread that ended before, and make one of it.
         */
        ok = ok && exec_workers_counts(w).splits == 3;
        exec_workers_free(w);
        _exit(ok ? 0 : 1);
    }
    assert_true(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
}

/* A part of two, of which the thread that helps leaves itself on the owner's processor. */
static void stay_here(void *ctx, int64_t from, int64_t to)
{
    struct meeting *m = ctx;
    cpu_set_t all, here;

    meet(ctx, from, to);
    if (pthread_equal(pthread_self(), m->owner))
        return;
    CPU_ZERO(&here);
    CPU_SET((size_t)m->processor, &here);
    if (pthread_getaffinity_np(pthread_self(), sizeof all, &all) == 0 &&
        pthread_setaffinity_np(pthread_self(), sizeof here, &here) == 0)
        pthread_setaffinity_np(pthread_self(), sizeof all, &all);
}

/* A worker that finds itself on its owner's processor goes to another one, and so is counted. The
 * system may have moved it before it looks, so that it is tried again. */
static void test_workers_part_ways(void **state)
{
    exec_workers *w = exec_workers_new(2);

    exec_workers_set_least(w, 1);
    for (int i = 0; i < 1000 && exec_workers_counts(w).moved == 0; i++) {
        struct meeting m = {.wanted = 2, .owner = pthread_self(), .rounding = fegetround()};
        struct meeting next = m;

        m.processor = sched_getcpu();
        exec_workers_split(w, 2, 1, stay_here, &m);
        exec_workers_split(w, 2, 1, meet, &next);
    }
    if (inlay_processors() > 1)
        assert_true(exec_workers_counts(w).moved > 0);
    exec_workers_free(w);
}

static void test_processors(void **state)
{
    assert_in_range(inlay_processors(), 1, INLAY_MAX_THREADS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_item_once),
        cmocka_unit_test(test_small_work_is_not_split),
        cmocka_unit_test(test_threads_compute_at_a_time),
        cmocka_unit_test(test_threads_have_shares),
        cmocka_unit_test(test_runs_share_the_threads),
        cmocka_unit_test(test_several_owners),
        cmocka_unit_test(test_rounds_follow_each_other),
        cmocka_unit_test(test_rounds_alone),
        cmocka_unit_test(test_rounds_of_several_owners),
        cmocka_unit_test(test_small_rounds_are_not_split),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_no_thread_to_be_had),
        cmocka_unit_test(test_workers_part_ways),
        cmocka_unit_test(test_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
