/* What the files of `inlay bench` share. A benchmark has three parts: the measured runs
 * (bench_runs.c), the runs in which each step is timed (bench_steps.c), and the report on both
 * (bench_report.c). A peer may run the same model in turn with us (bench_peer.c). */
#ifndef INLAY_CLI_BENCH_H
#define INLAY_CLI_BENCH_H

#include "cli/cli.h"

typedef struct bench_samples {
    double *us; /* one for each run, sorted when all are there */
    size_t n, cap;
} bench_samples;

/* False: out of memory. */
bool bench_sample(bench_samples *s, double us);
void bench_sort(bench_samples *s);
/* Returns the smallest sample that is >= the part P (0 to 1) of all samples; sorted. */
double bench_quantile(const bench_samples *s, double p);

/* How long to measure, and with how many threads. */
typedef struct bench_plan {
    int64_t runs;      /* 0: as many as fit into SECONDS */
    double seconds;    /* time for measuring, unless RUNS is set */
    unsigned sessions; /* number of sessions that run at once, each in a thread: 1 for latency */
    int threads;       /* threads of a session */
    const cli_inputs *in;
} bench_plan;

typedef struct bench_result {
    bench_samples samples;
    double seconds; /* from the first run to the end of the last */
    inlay_exec_stats stats;
} bench_result;

/* Microseconds of a monotonic clock. */
double bench_now_us(void);

/* bench_runs.c: warms up, then measures. TURN, unless NULL, runs a peer, in turn with us, in a plan
 * of one session; MEASURED: it records the time. The caller frees RESULT with bench_free_result,
 * also after an error. */
typedef bool bench_turn(void *ctx, inlay_tensor *const *out, bool measured, inlay_diags *d);
bool bench_runs(const inlay_program *p, int n_out, const bench_plan *plan, bench_turn *turn,
                void *ctx, bench_result *result, inlay_diags *d);
void bench_free_result(bench_result *r);

/* bench_steps.c: the steps of a run, in the order of their first calls. */
typedef struct bench_step {
    const inlay_node *node;
    uint64_t calls;         /* in a run; in bodies one for each iteration */
    double us;              /* of all calls in a run, mean of the profiled runs */
    uint64_t bytes;         /* of operands and results of a call; 0: unknown */
    double first_us, first; /* the first call of the last run: its duration, and when it began */
} bench_step;

typedef struct bench_steps {
    bench_step *list;
    size_t n;
    int runs; /* number of profiled runs */
} bench_steps;

/* Profiles runs of G with options O for up to SECONDS. The caller frees OUT. */
bool bench_profile(const inlay_graph *g, const inlay_exec_options *o, const cli_inputs *in,
                   double seconds, bench_steps *out, inlay_diags *d);
void bench_free_steps(bench_steps *s);

/* bench_peer.c: ONNX Runtime on the same file and the same inputs. */
typedef struct bench_peer bench_peer;

/* LIBRARY: a file, or NULL for the loader's default. NULL and an error. */
bench_peer *bench_peer_new(const char *library, const char *model, const inlay_graph *g,
                           const char *const *outputs, const cli_inputs *in, int threads,
                           inlay_diags *d);
/* Runs the peer once; a bench_turn, CTX is the peer. OUT has our outputs: their sizes are used, and
 * the first turn is compared with them. */
bool bench_peer_turn(void *peer, inlay_tensor *const *out, bool measured, inlay_diags *d);
bench_samples *bench_peer_samples(bench_peer *p);
double bench_peer_load_us(const bench_peer *p);
void bench_peer_free(bench_peer *p);

/* bench_report.c */
typedef struct bench_report {
    const char *model, *passes, *hint;
    int threads;
    double load_us, passes_us, compile_us;
    double copy_gbs; /* of a copy in memory on this machine, bytes read and written */
    const bench_result *result;
    const bench_steps *steps; /* NULL: not requested */
    bench_peer *peer;         /* NULL: none */
} bench_report;

void bench_print_text(FILE *f, const bench_report *r);
void bench_print_json(FILE *f, const bench_report *r);
/* Prints the last profiled run as a trace for Chrome's viewer and Perfetto. */
void bench_print_trace(FILE *f, const bench_steps *s);

/* bench_limit.c: GB/s of a copy of 64 MiB on one thread, read and written; 0: out of memory. */
double bench_copy_rate(void);

#endif
