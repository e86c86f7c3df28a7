/* What the files of `inlay fuzz` share. */
#ifndef INLAY_CLI_FUZZ_H
#define INLAY_CLI_FUZZ_H

#include "cli/child.h"

/* How a graph fails. Plain bytes, which a child leaves where its parent finds them. Two graphs fail
 * alike when kind, way and rule are the same. */
typedef struct fuzz_failure {
    char kind[16];    /* "difference", "refusal", "error", "varies", "crash", "hang", "oracle" */
    char way[80];     /* what was being done: "planned", "pass simplify" */
    char rule[128];   /* of an application of a rule, its name; else "" */
    uint64_t serial;  /* the application of the passes that did it; 0: none is known */
    char place[200];  /* the node at which it did it, and where the rule stands; or "" */
    char why[512];    /* the first difference, or the error */
    char passes[400]; /* those that ran, with commas */
} fuzz_failure;

typedef struct fuzz {
    const cli_command *self;
    cli_model_options model;
    const char *oracle, *out, *collect, *seed_text, *count_text, *trials_text, *seconds_text,
        *oracle_seconds_text;
    bool json, keep_large;
    uint64_t first, last;         /* seeds, both included */
    int trials, seconds;          /* of a comparison; of a graph: then it hangs */
    int oracle_seconds;           /* of the clock, for each run that the oracle judges */
    char folder[CLI_FOLDER_SIZE]; /* for the oracle; "" without one */
} fuzz;

/* fuzz_judge.c */

/* The passes that a graph of SEED is rewritten by: those of --passes, or as the seed has it. */
void fuzz_draw_passes(const fuzz *f, uint64_t seed, char *passes, size_t size);
/* Compares the executors on G, G with each graph that passes make of it, and what the oracle says;
 * with WANTED only what may fail like that, in the same place. OUT->passes names the passes;
 * OUT->way is kept up to date for who survives this process. True: G fails as OUT says. */
bool fuzz_judge(const fuzz *f, const inlay_graph *g, uint64_t seed, const fuzz_failure *wanted,
                fuzz_failure *out);
/* The same in a child process, which may crash or hang. A resource that is missing is no failure.
 */
bool fuzz_judge_apart(const fuzz *f, const inlay_graph *g, uint64_t seed,
                      const fuzz_failure *wanted, fuzz_failure *out, inlay_diags *d);
/* From now on this process may compute for as many seconds as a graph may take, or wait much
 * longer, before it is ended. */
void fuzz_limit_time(const fuzz *f);
/* What the exit STATUS of a child that judged means, and what it SAID. True: it fails. */
bool fuzz_ended(int status, FILE *said, fuzz_failure *out);

/* donated.c: the planned executor as LIMITS say, which gets all inputs to write in. */
inlay_evaluator fuzz_donating_evaluator(const inlay_exec_options *limits);

/* fuzz_misfit.c: runs G by A, the reference, and by B on made-up inputs whose sizes do not look at
 * each other, as many times as HOW has trials. False: one refuses what the other one takes, or with
 * other words, as WHY says. */
bool fuzz_refuse_alike(const inlay_graph *g, const inlay_evaluator *a, const inlay_evaluator *b,
                       const inlay_verify_options *how, char *why, size_t size);

/* fuzz_oracle.c: asks another program about a run of G on inputs of SEED. The kind of failure, and
 * WHY says more: "oracle", it is against what the run gave; "hang", it had to be ended. NULL: there
 * is none. */
const char *fuzz_ask_oracle(const fuzz *f, const inlay_graph *g, uint64_t seed, char *why,
                            size_t size);
/* The folder where runs are written for it; false after an error. */
bool fuzz_make_folder(fuzz *f, inlay_diags *d);
void fuzz_remove_folder(fuzz *f);

/* fuzz_collect.c: what many processes found */

/* Writes the file that says, in the folder that -o names, what the seeds of F came to: FAILED has a
 * line for each that failed. Until it is FINISHED it says so. */
bool fuzz_write_summary(const fuzz *f, const char *failed, bool finished, inlay_diags *d);
/* Prints what all such files in the folder that --collect names say together. The exit status. */
int fuzz_collect(const fuzz *f, inlay_diags *d);

#endif
