/* Worker threads. A piece of work is a job on the stack of its owner, the thread that wants it
 * done; the job is in the list of jobs as long as workers may join it. Its items are in lots, one
 * for each thread: the owner and each worker take the next few items of their own lot, and then of
 * the others, until none are left; then the owner waits for workers that are still computing. So a
 * worker that comes late or never (no thread could be created, the process was forked) costs time
 * and nothing else, and a thread mostly reads what it wrote in the step before. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity, sched_getcpu */
#endif
#include "interp/exec/threads/workers.h"
#include "interp/interp.h"
#include "ir/shared.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    LEAST = 1 << 16,      /* cost of a part: some microseconds, about what it takes to wake a thread
                             */
    PARTS_PER_THREAD = 4, /* more parts than threads, so that others can take over from a slow
                             thread */
    SPIN_NS = 200000, /* for which a thread waits busily before it sleeps: mostly the next step of a
                         run comes sooner, and waking a thread may take 50 microseconds */
    GLANCES = 64,     /* between two looks at the clock */
    MOST_LOTS = 16,
    LINE = 64
};

/* Items from NEXT, the first one that is not taken, to END. */
struct lot {
    _Alignas(LINE) _Atomic int64_t next;
    int64_t end;
};

struct job {
    call_part_fn *fn;
    void *ctx;
    int64_t chunk;       /* items that are taken at a time */
    atomic_uint helpers; /* workers that are computing it */
    fenv_t arithmetic;   /* rounding mode of the owner, which workers take over */
    int at;              /* the owner's processor when it began, plus one */
    struct job *below;
    int n_lots;
    struct lot lots[MOST_LOTS];
};

struct worker {
    exec_workers *all;
    pthread_t id;
    _Atomic int at; /* the processor on which it computes, plus one; 0: it does not */
};

struct exec_workers {
    int threads;
    bool counted; /* work is counted (tests) */
    _Atomic int64_t least;
    pid_t process;
    atomic_int running; /* runs, each of which is computed by a thread of its own */
    atomic_uint posted; /* raised with each new job, and at the end */
    _Atomic uint64_t splits, parts, helped, moved, cost, longest;

    pthread_mutex_t lock; /* protects all that follows */
    pthread_cond_t work, done;
    struct job *jobs;
    int busy; /* workers that are computing */
    bool ends;
    int n; /* workers that exist */
    bool no_more;
    struct worker *worker; /* one for each thread */
};

int inlay_processors(void)
{
    cpu_set_t set;
    long n = 0;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    if (n < 1)
        n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > INLAY_MAX_THREADS ? INLAY_MAX_THREADS : (int)n;
}

exec_workers *exec_workers_new(int threads)
{
    exec_workers *w = inlay_take(NULL, 1, sizeof *w);

    if (!w)
        return NULL;
    w->worker = inlay_take(NULL, (size_t)threads, sizeof *w->worker);
    w->threads = threads;
    w->process = getpid();
    atomic_init(&w->least, LEAST);
    if (w->worker && pthread_mutex_init(&w->lock, NULL) == 0) {
        if (pthread_cond_init(&w->work, NULL) == 0) {
            if (pthread_cond_init(&w->done, NULL) == 0)
                return w;
            pthread_cond_destroy(&w->work);
        }
        pthread_mutex_destroy(&w->lock);
    }
    inlay_give(w->worker);
    inlay_give(w);
    return NULL;
}

/* In the child process of a fork the workers do not exist, and the lock may be in any state. */
static bool is_child(const exec_workers *w)
{
    return w->process != getpid();
}

void exec_workers_free(exec_workers *w)
{
    if (!w)
        return;
    if (!is_child(w)) {
        pthread_mutex_lock(&w->lock);
        w->ends = true;
        atomic_fetch_add(&w->posted, 1);
        pthread_cond_broadcast(&w->work);
        pthread_mutex_unlock(&w->lock);
        for (int i = 0; i < w->n; i++)
            pthread_join(w->worker[i].id, NULL);
        pthread_cond_destroy(&w->work);
        pthread_cond_destroy(&w->done);
        pthread_mutex_destroy(&w->lock);
    }
    inlay_give(w->worker);
    inlay_give(w);
}

void exec_workers_enter(exec_workers *w)
{
    atomic_fetch_add(&w->running, 1);
}

void exec_workers_leave(exec_workers *w)
{
    atomic_fetch_sub(&w->running, 1);
}

int64_t exec_workers_worth(const exec_workers *w)
{
    return w->threads > 1 ? 2 * atomic_load_explicit(&w->least, memory_order_relaxed) : INT64_MAX;
}

void exec_workers_set_least(exec_workers *w, int64_t least)
{
    atomic_store(&w->least, least > 0 ? least : LEAST);
    w->counted = true;
}

int exec_workers_threads(const exec_workers *w)
{
    return w->threads;
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Waits busily for a short time until *AT is no longer SEEN. Returns its last value. The thread it
 * waits for may want this very processor, as there may be fewer of them than threads, so that it is
 * offered again and again. */
static unsigned watch(const atomic_uint *at, unsigned seen)
{
    int64_t end = now_ns() + SPIN_NS;
    unsigned now;

    for (;;) {
        for (int i = 0; (now = atomic_load(at)) == seen && i < GLANCES; i++)
            exec_workers_relax();
        if (now != seen || now_ns() >= end)
            return now;
        sched_yield();
    }
}

exec_worker_counts exec_workers_counts(exec_workers *w)
{
    return (exec_worker_counts){atomic_load(&w->splits), atomic_load(&w->parts),
                                atomic_load(&w->helped), atomic_load(&w->moved),
                                atomic_load(&w->cost),   atomic_load(&w->longest)};
}

/* Computes items of J until all are taken, those of lot OWN first. Returns how many parts this
 * thread took. */
static uint64_t take_parts(struct job *j, int own)
{
    uint64_t parts = 0;
    int64_t from;

    for (int i = 0; i < j->n_lots; i++) {
        struct lot *l = &j->lots[(own + i) % j->n_lots];

        while ((from = atomic_fetch_add(&l->next, j->chunk)) < l->end) {
            j->fn(j->ctx, from, l->end - from < j->chunk ? l->end : from + j->chunk);
            parts++;
        }
    }
    return parts;
}

static bool is_taken(struct job *j)
{
    int i = 0;

    while (i < j->n_lots && atomic_load(&j->lots[i].next) >= j->lots[i].end)
        i++;
    return i == j->n_lots;
}

/* Workers */

/* Returns a job that has items left, or NULL if as many threads compute as may. */
static struct job *find_job(const exec_workers *w)
{
    struct job *j = w->jobs;

    if (w->busy + atomic_load(&w->running) >= w->threads)
        return NULL;
    while (j && is_taken(j))
        j = j->below;
    return j;
}

/* Returns whether another thread computes on AT, a processor plus one. */
static bool is_met(const struct worker *me, const struct job *j, int at)
{
    const exec_workers *w = me->all;
    bool met = j->at == at;

    for (int i = 0; i < w->threads && !met; i++)
        met = &w->worker[i] != me && atomic_load(&w->worker[i].at) == at;
    return met;
}

/* Leaves the processor on which another thread computes, for one on which none of ours does. The
 * system lets a thread that wakes up begin where the one that woke it is, now and then, and moves
 * it milliseconds later: until then two threads take longer than one. */
static void part_ways(struct worker *me, const struct job *j)
{
    pthread_t self = pthread_self();
    int at = sched_getcpu() + 1;
    cpu_set_t all, free;

    atomic_store(&me->at, at);
    if (!is_met(me, j, at) || pthread_getaffinity_np(self, sizeof all, &all) != 0)
        return;
    free = all;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET((size_t)cpu, &free) && is_met(me, j, cpu + 1))
            CPU_CLR((size_t)cpu, &free);
    }
    if (CPU_COUNT(&free) == 0 || pthread_setaffinity_np(self, sizeof free, &free) != 0)
        return;
    pthread_setaffinity_np(self, sizeof all, &all);
    atomic_store(&me->at, sched_getcpu() + 1);
    atomic_fetch_add(&me->all->moved, 1);
}

/* Works on J. The lock is held before and after. */
static void help(struct worker *me, struct job *j)
{
    exec_workers *w = me->all;
    uint64_t parts;

    atomic_fetch_add(&j->helpers, 1);
    w->busy++;
    pthread_mutex_unlock(&w->lock);
    part_ways(me, j);
    fesetenv(&j->arithmetic);
    parts = take_parts(j, (int)(me - w->worker) + 1);
    atomic_fetch_add(&w->helped, parts);
    pthread_mutex_lock(&w->lock);
    atomic_store(&me->at, 0);
    w->busy--;
    if (atomic_fetch_sub(&j->helpers, 1) == 1) /* the owner may return from here on, and J be gone
                                                  */
        pthread_cond_broadcast(&w->done);
}

/* Waits for another job. The lock is held before and after. */
static void rest(exec_workers *w)
{
    unsigned seen = atomic_load(&w->posted);

    pthread_mutex_unlock(&w->lock);
    watch(&w->posted, seen);
    pthread_mutex_lock(&w->lock);
    while (atomic_load(&w->posted) == seen)
        pthread_cond_wait(&w->work, &w->lock);
}

static void *work(void *arg)
{
    struct worker *me = arg;
    exec_workers *w = me->all;

    pthread_mutex_lock(&w->lock);
    while (!w->ends) {
        struct job *j = find_job(w);

        if (j)
            help(me, j);
        else
            rest(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Workers block all signals: these are the caller's to handle. */
static bool start_worker(exec_workers *w)
{
    struct worker *me = &w->worker[w->n];
    sigset_t all, before;
    bool ok;

    me->all = w;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    ok = pthread_create(&me->id, NULL, work, me) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

/* Makes N workers, or as many as the system allows. */
static void make_workers(exec_workers *w, int n)
{
    while (w->n < n && !w->no_more) {
        w->no_more = !start_worker(w);
        w->n += !w->no_more;
    }
}

/* Owners */

/* Returns into how many parts to divide N items of COST: 1 if no worker could help. */
static int64_t parts_of(const exec_workers *w, int64_t n, double cost)
{
    double worth = (double)n * cost / (double)atomic_load(&w->least);
    int64_t most = (int64_t)w->threads * PARTS_PER_THREAD;

    if (atomic_load(&w->running) >= w->threads || worth < 2 || is_child(w))
        return 1;
    most = most < n ? most : n;
    return worth < (double)most ? (int64_t)worth : most;
}

static void post(exec_workers *w, struct job *j, int64_t parts)
{
    int most = parts < w->threads ? (int)parts - 1 : w->threads - 1, free;

    pthread_mutex_lock(&w->lock);
    make_workers(w, most);
    j->below = w->jobs;
    w->jobs = j;
    atomic_fetch_add(&w->posted, 1);
    free = w->threads - atomic_load(&w->running) - w->busy;
    for (int i = 0; i < most && i < free; i++)
        pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->lock);
}

/* Ends J: no more workers can join it, and when this function returns all that did are done. */
static void finish(exec_workers *w, struct job *j)
{
    struct job **at = &w->jobs;
    unsigned helpers, before;

    pthread_mutex_lock(&w->lock);
    while (*at != j)
        at = &(*at)->below;
    *at = j->below;
    pthread_mutex_unlock(&w->lock);
    helpers = atomic_load(&j->helpers);
    do {
        before = helpers;
        helpers = before > 0 ? watch(&j->helpers, before) : 0;
    } while (helpers != before);
    if (helpers == 0)
        return;
    pthread_mutex_lock(&w->lock);
    while (atomic_load(&j->helpers) > 0)
        pthread_cond_wait(&w->done, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

/* Returns where lot I of LOTS begins in N items: lots differ by one item at most. */
static int64_t lot_of(int64_t n, int lots, int i)
{
    return n / lots * i + n % lots * i / lots;
}

/* Divides N items among the lots of J, to be taken in about as many PARTS. Returns how many the
 * largest lot has. */
static int64_t make_lots(struct job *j, int64_t n, int64_t parts, int threads)
{
    int64_t most, per_lot;

    j->n_lots = threads < MOST_LOTS ? threads : MOST_LOTS;
    j->n_lots = parts < j->n_lots ? (int)parts : j->n_lots;
    for (int i = 0; i < j->n_lots; i++) {
        atomic_init(&j->lots[i].next, lot_of(n, j->n_lots, i));
        j->lots[i].end = lot_of(n, j->n_lots, i + 1);
    }
    most = n / j->n_lots + (n % j->n_lots != 0);
    per_lot = parts / j->n_lots;
    j->chunk = (most + per_lot - 1) / per_lot;
    return most;
}

/* Returns into how many pieces of CHUNK items the lots of J are cut. */
static int64_t count_chunks(const struct job *j)
{
    int64_t chunks = 0;

    for (int i = 0; i < j->n_lots; i++)
        chunks += (j->lots[i].end - atomic_load(&j->lots[i].next) + j->chunk - 1) / j->chunk;
    return chunks;
}

/* Counts N items of COST, of which one thread computes at least MOST. */
static void count_work(exec_workers *w, int64_t n, int64_t most, double cost)
{
    if (!w->counted)
        return;
    atomic_fetch_add(&w->cost, (uint64_t)((double)n * cost));
    atomic_fetch_add(&w->longest, (uint64_t)((double)most * cost));
}

void exec_workers_split(exec_workers *w, int64_t n, double cost, call_part_fn *fn, void *ctx)
{
    int64_t parts = parts_of(w, n, cost);
    struct job j;

    if (parts < 2 || fegetenv(&j.arithmetic) != 0) {
        count_work(w, n, n, cost);
        fn(ctx, 0, n);
        return;
    }
    j.fn = fn;
    j.ctx = ctx;
    j.at = sched_getcpu() + 1;
    atomic_init(&j.helpers, 0);
    count_work(w, n, make_lots(&j, n, parts, w->threads), cost);
    atomic_fetch_add(&w->splits, 1);
    atomic_fetch_add(&w->parts, (uint64_t)count_chunks(&j));
    post(w, &j, parts);
    take_parts(&j, 0);
    finish(w, &j);
}
