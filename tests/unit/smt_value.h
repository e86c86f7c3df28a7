/* Evaluates terms of passes/prove, given a meaning for each function: a substitute for the solver
 * in one concrete case. Truth is 1 or 0; an element is represented by an integer. */
#ifndef INLAY_TESTS_SMT_VALUE_H
#define INLAY_TESTS_SMT_VALUE_H

#include "passes/prove/term.h"

enum { MEANINGS = 256 };

/* Computes a function; ABOUT is what it depends on. False: unknown, such as an index out of range.
 */
typedef bool smt_meaning_of(const void *about, int which, const int64_t *args, int n, int64_t *out);

typedef struct smt_world {
    struct smt_meaning {
        const char *name;
        smt_meaning_of *of;
        const void *about;
        int which;
    } all[MEANINGS];
    int n;
    int64_t constants[MEANINGS];
    int n_constants;
} smt_world;

/* Gives the function NAME this meaning. */
void smt_mean(smt_world *w, const char *name, smt_meaning_of *of, const void *about, int which);
/* Gives the constant T this VALUE; if T is a number, returns whether it is VALUE. */
bool smt_mean_constant(smt_world *w, const smt *t, int64_t value);
/* Sets *OUT to the value of T. What must hold for all numbers is tried for a small range. */
bool smt_value(smt_world *w, const smt *t, int64_t *out);

#endif
