/* What the files of `inlay bisect` share: the search, its result, and the report. */
#ifndef INLAY_CLI_BISECT_H
#define INLAY_CLI_BISECT_H

#include "cli/cli.h"
#include "cli/fuzz.h"

/* A description of what an application did; it does not refer to the graph. */
typedef struct bisect_found {
    uint64_t serial; /* 0: a pass without separate applications */
    char *pass, *rule, *rule_name, *at, *replaced, *made;
} bisect_found;

typedef struct bisect {
    const cli_command *self;
    cli_model_options model;
    const char *trials_text, *seed_text, *seconds_text, *before_file, *after_file, *small_file;
    bool json, keep_large, every;
    int trials, seconds;
    uint64_t seed;
    const inlay_graph *original;
    char **passes; /* the passes of the run, in order, with repetitions */
    size_t n_passes;
    uint64_t limit, last; /* later applications are vetoed; the last one made */
    bisect_found found;   /* application LIMIT */
    const char *found_pass;
    bool watch;         /* compare each graph on the way, until one differs */
    size_t begun, pass; /* number of passes that began; the one with application LIMIT */
    int runs;
    char refused[400];  /* in the last run: why the graph after a pass is refused, or "" */
    fuzz_failure apart; /* what is looked for in child processes; kind "": nothing */
} bisect;

/* The place where the graph became a different function. */
typedef struct bisect_place {
    size_t n;              /* the passes up to and including the one found */
    uint64_t serial;       /* its application; 0: it has no separate ones */
    uint64_t applications; /* of all passes */
} bisect_place;

/* bisect_found.c: adds NAME, of N bytes, to the passes of the run. */
bool bisect_add_pass(bisect *b, const char *name, size_t n, inlay_diags *d);
void bisect_forget_passes(bisect *b);
/* Records what event E, an application, did. */
bool bisect_keep(bisect_found *f, const inlay_event *e, inlay_diags *d);
void bisect_free_found(bisect_found *f);
/* Returns a copy of the contents of B, "" if empty; NULL: out of memory. */
char *bisect_taken(inlay_strbuf *b);

/* bisect_compare.c: does E say that the graph after a pass is refused, because it cannot be read
 * again, or has an illegal storage note? */
bool bisect_is_refusal(const inlay_event *e);
/* Compares BEFORE with AFTER as the options say. */
bool bisect_compare(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                    inlay_verify_result *result, inlay_diags *d);
/* Prints the inputs on which they differ, as RESULT says that they do, and both results. */
void bisect_tell_difference(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                            const inlay_verify_result *result);
/* The same if AFTER is the result of the last run: one that was refused counts as different. */
bool bisect_judge(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                  inlay_verify_result *result, inlay_diags *d);

/* bisect_apart.c: runs PASSES (NULL: those of the command line) with at most LIMIT applications in
 * a child process. *OUT is how that fails, its kind is "" if it does not; the last application that
 * began is recorded. FIRST: so are the passes. False and an error: no memory, or no file for the
 * child. */
bool bisect_try_apart(bisect *b, const char *passes, uint64_t limit, bool first, fuzz_failure *out,
                      inlay_diags *d);

/* bisect_search.c: looks for a failure in child processes; b->apart is what was found, and *AT
 * where: N is 0 if no pass is to blame. Kind "" leaves it to bisect_search. */
bool bisect_search_apart(bisect *b, bisect_place *at, inlay_diags *d);
/* Sets *WHAT to the verdict on all passes, and *AT to the place where they changed
 * the function, if they did. False after an error. */
bool bisect_search(bisect *b, bisect_place *at, inlay_verify_result *what, inlay_diags *d);
/* Returns the original after the first N passes and at most LIMIT applications, which the caller
 * frees; a refused graph is returned as it is. NULL after an error. What application LIMIT did is
 * recorded. */
inlay_graph *bisect_part(bisect *b, size_t n, uint64_t limit, inlay_diags *d);

/* bisect_small.c: sets *SMALL to a reduced BEFORE, which the caller frees; NULL if not requested,
 * or if the pass alone does not fail on it. False: out of memory, or the file cannot be written. */
bool bisect_make_small(bisect *b, const inlay_graph *before, inlay_graph **small, inlay_diags *d);

/* bisect_tell.c: reports what was found in FILE: AT; whether the graphs before and after it differ,
 * ALONE; SMALL, or NULL, the reduced BEFORE. */
void bisect_tell(const bisect *b, const char *file, const bisect_place *at,
                 const inlay_verify_result *alone, const inlay_graph *small,
                 const inlay_graph *before, const inlay_graph *after);
/* Reports AT, where a run begins to fail otherwise than by its results. Returns the exit status. */
int bisect_tell_apart(const bisect *b, const char *file, const bisect_place *at);
/* Reports that all passes keep the function, or that this is unknown. Returns the exit status. */
int bisect_tell_same(const bisect *b, const inlay_verify_result *result);

#endif
