/* The measured runs of `inlay bench`: one session run by run, or several sessions at a time. */
#include "cli/bench.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum {
    WARM_UP = 3,
    LEAST = 5,
    TURN_US = 20000, /* the duration of a turn on several threads */
    REST_US = 20000, /* how long we watch whether threads compute: they rest when they use less than
                        a tenth of it. The system counts the time of a thread that runs elsewhere
                        at ticks only, of which it has 100 to 1,000 a second */
    RESTS = 20       /* how often we watch, at most */
};

double bench_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

bool bench_sample(bench_samples *s, double us)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 1024;
        double *more = realloc(s->us, cap * sizeof *more);

        if (!more)
            return false;
        s->us = more;
        s->cap = cap;
    }
    s->us[s->n++] = us;
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void bench_sort(bench_samples *s)
{
    if (s->n > 0)
        qsort(s->us, s->n, sizeof *s->us, by_size);
}

double bench_quantile(const bench_samples *s, double p)
{
    size_t i = (size_t)ceil(p * (double)s->n);

    return s->n ? s->us[i ? i - 1 : 0] : 0;
}

/* One session and the thread that it runs in. */
struct lane {
    const bench_plan *plan;
    const inlay_program *program;
    int n_out;
    bench_turn *turn;
    void *ctx;
    double until; /* a time of the clock; a plan with a number of runs counts them instead */
    inlay_session *session;
    inlay_tensor **out;
    bench_samples samples;
    inlay_diags *diags;
    bool ok;
    double from; /* when its runs began */
};

static bool goes_on(const struct lane *l)
{
    size_t n = l->samples.n;

    if (cli_interrupted() && n > 0)
        return false;
    return l->plan->runs ? (int64_t)n < l->plan->runs : n < LEAST || bench_now_us() < l->until;
}

static void drop_outputs(struct lane *l)
{
    for (int i = 0; i < l->n_out; i++) {
        inlay_tensor_release(l->out[i]);
        l->out[i] = NULL;
    }
}

static bool run_ours(struct lane *l, bool measured)
{
    const cli_inputs *in = l->plan->in;
    double start, us;
    bool ok;

    drop_outputs(l);
    start = bench_now_us();
    ok = inlay_session_run(l->session, (const inlay_tensor *const *)in->tensors, NULL, l->out,
                           l->diags);
    us = bench_now_us() - start;
    return ok && (!measured || bench_sample(&l->samples, us) || inlay_fail_memory(l->diags));
}

static bool run_peer(struct lane *l, bool measured)
{
    return l->turn(l->ctx, l->out, measured, l->diags);
}

static double processor_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Waits until no thread of this process computes. */
static void rest(void)
{
    const struct timespec time = {.tv_nsec = REST_US * 1000L};
    double took = REST_US;

    for (int i = 0; i < RESTS && took > REST_US / 10.0; i++) {
        double before = processor_us();

        nanosleep(&time, NULL);
        took = processor_us() - before;
    }
}

/* A turn on one thread is one run. On several threads it is a number of runs in a row: after a run
 * its threads (ours, and the peer's) spin for a while, waiting for the next one, and would take
 * processors from whoever has the next turn. So we wait until all threads rest, and do not measure
 * the run that wakes them. */
static bool take_turn(struct lane *l, bool run(struct lane *l, bool measured), bool measured)
{
    double until;
    bool ok;

    if (!l->turn || l->plan->threads == 1)
        return run(l, measured);
    rest();
    ok = run(l, false);
    until = bench_now_us() + TURN_US;
    do
        ok = ok && run(l, measured);
    while (ok && measured && goes_on(l) && bench_now_us() < until);
    return ok;
}

static bool once(struct lane *l, bool measured)
{
    return take_turn(l, run_ours, measured) && (!l->turn || take_turn(l, run_peer, measured));
}

/* How much of the runs is made, by their number or by the time. */
static double part_done(const struct lane *l)
{
    if (l->plan->runs)
        return (double)l->samples.n / (double)l->plan->runs;
    return l->until > l->from ? (bench_now_us() - l->from) / (l->until - l->from) : 0;
}

static void *run_lane(void *ctx)
{
    struct lane *l = ctx;

    l->ok = true;
    l->from = bench_now_us();
    while (l->ok && goes_on(l)) {
        l->ok = once(l, true);
        cli_progress_part(part_done(l));
    }
    return NULL;
}

static bool lane_begin(struct lane *l)
{
    l->out = calloc((size_t)l->n_out + 1, sizeof(inlay_tensor *));
    l->session = l->out ? inlay_session_new(l->program, l->diags) : NULL;
    l->ok = l->out ? l->session != NULL : inlay_fail_memory(l->diags);
    for (int i = 0; l->ok && i < WARM_UP; i++)
        l->ok = once(l, false);
    return l->ok;
}

static void lane_end(struct lane *l)
{
    inlay_session_free(l->session);
    if (l->out)
        drop_outputs(l);
    free(l->out);
    free(l->samples.us);
}

/* Each lane runs in a thread of its own; the first one in this thread. */
static bool run_lanes(struct lane *lanes, unsigned n, inlay_diags *d)
{
    pthread_t *threads = calloc(n, sizeof *threads);
    unsigned started = 1;
    bool ok = threads || inlay_fail_memory(d);

    while (ok && started < n) {
        ok = pthread_create(&threads[started], NULL, run_lane, &lanes[started]) == 0 ||
             inlay_fail_resource(d, NULL, "thread %u cannot be started", started);
        started += ok;
    }
    if (ok)
        run_lane(&lanes[0]);
    for (unsigned i = 1; threads && i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    for (unsigned i = 0; i < n; i++)
        ok = ok && lanes[i].ok;
    return ok;
}

static bool gather(const struct lane *lanes, unsigned n, bench_result *result, inlay_diags *d)
{
    for (unsigned i = 0; i < n; i++) {
        for (size_t k = 0; k < lanes[i].samples.n; k++) {
            if (!bench_sample(&result->samples, lanes[i].samples.us[k]))
                return inlay_fail_memory(d);
        }
    }
    inlay_session_stats(lanes[0].session, &result->stats);
    bench_sort(&result->samples);
    return true;
}

bool bench_runs(const inlay_program *p, int n_out, const bench_plan *plan, bench_turn *turn,
                void *ctx, bench_result *result, inlay_diags *d)
{
    struct lane *lanes = calloc(plan->sessions, sizeof *lanes);
    bool ok = lanes || inlay_fail_memory(d);
    double start;

    *result = (bench_result){0};
    for (unsigned i = 0; ok && i < plan->sessions; i++) {
        lanes[i] = (struct lane){
            .plan = plan, .program = p, .n_out = n_out, .turn = turn, .ctx = ctx, .diags = d};
        ok = lane_begin(&lanes[i]);
    }
    start = bench_now_us();
    for (unsigned i = 0; ok && i < plan->sessions; i++)
        lanes[i].until = start + plan->seconds * 1e6;
    ok = ok && run_lanes(lanes, plan->sessions, d);
    result->seconds = (bench_now_us() - start) / 1e6;
    ok = ok && gather(lanes, plan->sessions, result, d);
    for (unsigned i = 0; lanes && i < plan->sessions; i++)
        lane_end(&lanes[i]);
    free(lanes);
    return ok;
}

void bench_free_result(bench_result *r)
{
    free(r->samples.us);
    *r = (bench_result){0};
}
