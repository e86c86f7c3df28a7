/* What the files of `inlay fuzz` share. */
#ifndef INLAY_CLI_FUZZ_H
#define INLAY_CLI_FUZZ_H

#include "cli/child.h"

/* How a graph fails, as plain bytes that a child process leaves for its parent. Two failures are
 * alike when kind, way and rule are the same. */
typedef struct fuzz_failure {
    char kind[16];    /* "difference", "refusal", "error", "varies", "crash", "hang", "oracle" */
    char way[80];     /* what was running: "planned", "pass simplify" */
    char rule[128];   /* name of the applied rule; else "" */
    uint64_t serial;  /* number of the application that caused it; 0: unknown */
    char place[200];  /* the node where it was, and the rule's place in its file; or "" */
    char why[512];    /* the first difference, or the error */
    char passes[400]; /* the passes that ran, separated by commas */
} fuzz_failure;

typedef struct fuzz {
    const cli_command *self;
    cli_model_options model;
    const char *oracle, *out, *collect, *seed_text, *count_text, *trials_text, *seconds_text,
        *oracle_seconds_text;
    bool json, keep_large;
    uint64_t first, last;         /* range of seeds, both included */
    int trials, seconds;          /* trials of a comparison; seconds for a graph before it hangs */
    int oracle_seconds;           /* seconds of real time for each run that the oracle judges */
    char folder[CLI_FOLDER_SIZE]; /* for the oracle; "" without one */
} fuzz;

/* The next of a sequence of numbers that look random. */
static inline uint64_t fuzz_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* fuzz_judge.c */

/* Chooses the passes for the graph of SEED: those of --passes, or by the seed. */
void fuzz_draw_passes(const fuzz *f, uint64_t seed, char *passes, size_t size);
/* Compares the executors on G, G with each graph that passes make of it, and with the oracle;
 * WANTED: only what may fail like that, in the same place. OUT->passes names the passes; OUT->way
 * is kept up to date, for the parent of this process. True: G fails as OUT says. */
bool fuzz_judge(const fuzz *f, const inlay_graph *g, uint64_t seed, const fuzz_failure *wanted,
                fuzz_failure *out);
/* The same in a child process, which may crash or hang. Missing resources are no failure. */
bool fuzz_judge_apart(const fuzz *f, const inlay_graph *g, uint64_t seed,
                      const fuzz_failure *wanted, fuzz_failure *out, inlay_diags *d);
/* Do all executors give the same results and messages for G, the graph after passes, also in a
 * second run? False: OUT says how they differ. */
bool fuzz_runs_alike(const fuzz *f, const inlay_graph *g, uint64_t seed, fuzz_failure *out);
/* Limits this process, from now on, to the seconds of computing that a graph may take, and to a
 * much longer time of waiting. */
void fuzz_limit_time(const fuzz *f);
/* Interprets the exit STATUS of a child that judged, and what it SAID. True: a failure. */
bool fuzz_ended(int status, FILE *said, fuzz_failure *out);

/* donated.c: returns the planned executor with LIMITS, with all inputs donated. */
inlay_evaluator fuzz_donating_evaluator(const inlay_exec_options *limits);

/* fuzz_misfit.c: runs G by A, the reference, and by B on inputs with independently drawn sizes,
 * once for each of HOW's trials. False: one refuses what the other accepts, or with a different
 * message; WHY says so. */
bool fuzz_refuse_alike(const inlay_graph *g, const inlay_evaluator *a, const inlay_evaluator *b,
                       const inlay_verify_options *how, char *why, size_t size);

/* fuzz_oracle.c: asks another program about a run of G on inputs of SEED. Returns the kind of
 * failure, with details in WHY: "oracle", it contradicts the run; "hang", it was killed. NULL: no
 * failure. */
const char *fuzz_ask_oracle(const fuzz *f, const inlay_graph *g, uint64_t seed, char *why,
                            size_t size);
/* Releases the N tensors of LIST, and frees it. */
void fuzz_release(inlay_tensor **list, int n);
/* Makes the folder where runs are written for it; false after an error. */
bool fuzz_make_folder(fuzz *f, inlay_diags *d);
void fuzz_remove_folder(fuzz *f);

/* fuzz_collect.c: results of several processes */

/* Writes the summary file for the seeds of F to the folder of -o: FAILED has a line for each that
 * failed. It says that it is incomplete until FINISHED. */
bool fuzz_write_summary(const fuzz *f, const char *failed, bool finished, inlay_diags *d);
/* Prints a summary of all such files in the folder of --collect. Returns the exit status. */
int fuzz_collect(const fuzz *f, inlay_diags *d);

#endif
