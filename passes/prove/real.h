/* A normal form for terms of floats that are taken as real numbers. It proves rules that only
 * promise equality within a tolerance: both sides are the same function, but for rounding. Private
 * to passes/prove.
 *
 * A number is a quotient of two sums of products of atoms, with fractions as coefficients. An atom
 * is an element, or an uninterpreted function of a number. Every step is true for all real numbers
 * for which the term is defined; the conditions under which it is are collected beside it. */
#ifndef INLAY_PASSES_PROVE_REAL_H
#define INLAY_PASSES_PROVE_REAL_H

#include "passes/prove/meaning.h"
#include "passes/prove/rows.h"

enum {
    REAL_FACTORS = 12,
    REAL_TERMS = 64,
    REAL_ATOMS = 48,
    REAL_CONDITIONS = 48,
    REAL_WORK = 20000
};

/* What is known of an atom. */
typedef enum real_kind {
    REAL_ELEMENT,
    REAL_FUNCTION, /* it is not known where it is defined */
    REAL_TOTAL,    /* a function that is defined everywhere */
    REAL_EXP,      /* an exponential: > 0 */
    REAL_ROOT,     /* a square root: >= 0; its square is ROOT_OF */
    REAL_RAMP,     /* the larger of a number and 0 */
    REAL_COUNT,    /* a number of elements: >= 0 */
    REAL_WHETHER   /* 1 if a condition holds, else 0 */
} real_kind;

typedef struct real_factor {
    int atom, power; /* negative only for an atom that is never 0 */
} real_factor;

typedef struct real_product {
    int64_t over, under; /* in lowest terms, UNDER above 0 */
    int n;
    real_factor f[REAL_FACTORS]; /* in the order of their atoms */
} real_product;

typedef struct real_sum {
    int n;
    const real_product *p;
} real_sum;

typedef struct real_number {
    const real_sum *over, *under;
} real_number;

typedef struct real_condition {
    enum { REAL_NOT_ZERO, REAL_NOT_BELOW_ZERO, REAL_DEFINED } kind;
    const real_sum *of; /* for REAL_DEFINED a single atom */
} real_condition;

typedef struct reals {
    prove_case *c;
    /* All elements of a value count as one atom, even if their indices are written differently;
     * they are the same element if MERGED holds. */
    bool by_value;
    const smt *merged;
    const char *why; /* why there is no normal form; or NULL */
    int work;        /* number of products made and terms compared */
    struct real_atom {
        real_kind kind;
        const smt *term;
        const char *key; /* its text without places, by which the atoms of a term are sorted */
        const real_sum *root_of;
    } atoms[REAL_ATOMS];
    int n_atoms;
    /* The conditions under which the left side is defined. Those of the right side must follow from
     * them. Inside of a total none may be needed. */
    real_condition given[REAL_CONDITIONS];
    int n_given, in_choice;
    enum { REAL_LEFT, REAL_RIGHT, REAL_INSIDE } side; /* where the term is */
} reals;

/* ---- real.c: sums and quotients ---- */

/* If one of these functions returns NULL, there is no normal form, and R says why. */
const real_sum *real_sum_of(reals *r, int64_t over, int64_t under);
const real_sum *real_atom_sum(reals *r, int atom, int power);
const real_sum *real_sum_add(reals *r, const real_sum *a, const real_sum *b, int sign);
const real_sum *real_sum_mul(reals *r, const real_sum *a, const real_sum *b);
bool real_sum_is(const real_sum *s, int64_t number);
bool real_sums_same(reals *r, const real_sum *a, const real_sum *b);

real_number real_fraction(reals *r, int64_t over, int64_t under);
real_number real_of_sum(reals *r, const real_sum *s);
real_number real_add(reals *r, real_number a, real_number b);
real_number real_subtract(reals *r, real_number a, real_number b);
real_number real_mul(reals *r, real_number a, real_number b);
/* Demands that B is not 0. */
real_number real_divide(reals *r, real_number a, real_number b);
real_number real_to_the(reals *r, real_number a, int power);
bool real_same(reals *r, real_number a, real_number b);
/* Sets *OVER and *UNDER if A is a fraction. */
bool real_is_fraction(real_number a, int64_t *over, int64_t *under);

/* The atom of this kind for TERM. */
int real_atom(reals *r, real_kind kind, const smt *term, const char *key);
real_number real_of_atom(reals *r, int atom);
real_number real_unknown(reals *r, const char *why);
/* Counts MORE steps of work; false: it is too much, and there is no normal form. */
bool real_may_go_on(reals *r, int more);

/* Notes that the left side is only defined under this condition; on the right side, demands that it
 * follows from those of the left side. */
void real_demand(reals *r, int kind, const real_sum *of);

/* ---- real_term.c ---- */

/* T as a number. */
real_number real_of(reals *r, const smt *t);

/* ---- real_write.c ---- */

/* A number as a term: equal numbers have the same term, unless two atoms have the same key. */
const smt *real_term(reals *r, real_number a);
const smt *real_sum_term(reals *r, const real_sum *s);
/* The number that the literal X of a rule means: one of a few fractions and roots, if X is the float
 * nearest to it, which the case notes; else the decimal that is written. */
real_number real_literal(reals *r, double x);
/* "0.7071067811865476 as the root of 1/2", for the literals in READ. */
void real_readings_text(unsigned read, inlay_strbuf *out);
/* The operation TYPE of A, as an atom of this KIND. */
real_number real_function(reals *r, real_kind kind, const char *type, real_number a);
real_number real_root(reals *r, real_number a);
/* The larger of A and 0. */
real_number real_ramp(reals *r, real_number a);

/* ---- real_meaning.c ---- */

/* The operation S of N numbers. False: it has no normal form, only an atom. */
bool real_apply(reals *r, const prove_symbol *s, const real_number *args, int n, real_number *out);
/* The operation is defined for all numbers. */
bool real_is_everywhere(const prove_symbol *s);

/* ---- real_law.c ---- */

/* If LEFT and RIGHT are the same real number wherever LEFT is defined, *INSTANCE becomes what this
 * says about them; else *WHY says why not. */
void real_law(prove_case *c, const smt *left, const smt *right, const smt **instance,
              const char **why);

#endif
