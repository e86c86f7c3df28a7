/* What the files of `inlay bisect` share: the search, what it found, and how that is told. */
#ifndef INLAY_CLI_BISECT_H
#define INLAY_CLI_BISECT_H

#include "cli/cli.h"

/* What an application did, in words that outlive it. */
typedef struct bisect_found {
    uint64_t serial; /* 0: a pass that has no places */
    char *pass, *rule, *rule_name, *at, *replaced, *made;
} bisect_found;

typedef struct bisect {
    const cli_command *self;
    cli_model_options model;
    cli_list shapes;
    const char *trials_text, *seed_text, *before_file, *after_file, *small_file;
    bool json, keep_large, every;
    int trials;
    uint64_t seed;
    const inlay_graph *original;
    char **passes; /* those that run, in order, as often as they do */
    size_t n_passes;
    uint64_t limit, last; /* applications behind LIMIT are vetoed; the last one that was made */
    bisect_found found;   /* number LIMIT */
    const char *found_pass;
    bool watch;         /* each graph on the way is compared, until one is another function */
    size_t begun, pass; /* passes that began; the one of application LIMIT */
    int runs;
    char refused[400]; /* of the last run: why the graph that a pass left is refused, or "" */
} bisect;

/* E is that a pass left a graph that is refused: it cannot be read again, or has a storage note that
 * is not legal. */
bool bisect_is_refusal(const inlay_event *e);

/* Where the function became another one. */
typedef struct bisect_place {
    size_t n;              /* the passes up to the one that was found */
    uint64_t serial;       /* its application; 0: it has no places of its own */
    uint64_t applications; /* of all passes */
} bisect_place;

/* bisect_found.c: keeps what event E, an application, did. */
bool bisect_keep(bisect_found *f, const inlay_event *e, inlay_diags *d);
void bisect_free_found(bisect_found *f);
/* What B holds as a string of its own, "" for nothing; NULL without memory. */
char *bisect_taken(inlay_strbuf *b);

/* bisect_search.c: *WHAT of all passes, and where they became another function if they did. False
 * after an error. */
bool bisect_search(bisect *b, bisect_place *at, inlay_verify_result *what, inlay_diags *d);
/* Compares BEFORE with AFTER as the options say. */
bool bisect_compare(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                    inlay_verify_result *result, inlay_diags *d);
/* The same where AFTER is what the last run made: one that was refused is another function. */
bool bisect_judge(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                  inlay_verify_result *result, inlay_diags *d);
/* The original after the first N passes and at most LIMIT applications, the caller's; what a pass
 * left that is refused is taken as it is. NULL after an error. What application LIMIT did is
 * kept. */
inlay_graph *bisect_part(bisect *b, size_t n, uint64_t limit, inlay_diags *d);

/* bisect_small.c: *SMALL is BEFORE made small, the caller's; NULL when it is to stay large, or when
 * the pass alone does not fail on it. False: memory ran out, or the file cannot be written. */
bool bisect_make_small(bisect *b, const inlay_graph *before, inlay_graph **small, inlay_diags *d);

/* bisect_tell.c: tells what was found in FILE: AT; whether the graph before it and the one after it
 * are two functions, ALONE; SMALL, or NULL, made of BEFORE. */
void bisect_tell(const bisect *b, const char *file, const bisect_place *at,
                 const inlay_verify_result *alone, const inlay_graph *small,
                 const inlay_graph *before);
/* All passes give the same function, or that could not be found out. The exit status. */
int bisect_tell_same(const bisect *b, const inlay_verify_result *result);

#endif
