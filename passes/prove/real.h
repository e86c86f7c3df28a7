/* Floats read as real numbers: a normal form of what operations make of them. A rule that promises
 * equality within a tolerance alone can be proven of these: both sides are the same function, but
 * for rounding. Private to passes/prove.
 *
 * A number is a quotient of two sums of products of atoms with fractions before them. An atom is an
 * element, or a function of a number that is told no further. What is done is true of all real
 * numbers for which it is defined; for which it is, is collected beside it. */
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
    REAL_FUNCTION, /* of which it is not told where it is defined */
    REAL_TOTAL,    /* a function that is defined everywhere */
    REAL_EXP,      /* above 0 */
    REAL_ROOT,     /* not below 0; squared it is ROOT_OF */
    REAL_RAMP,     /* the larger of a number and 0 */
    REAL_COUNT,    /* of elements: not below 0 */
    REAL_WHETHER   /* 1 where a condition holds, else 0 */
} real_kind;

typedef struct real_factor {
    int atom, power; /* below 0 of what is never 0 alone */
} real_factor;

typedef struct real_product {
    int64_t over, under; /* in lowest terms, UNDER above 0 */
    int n;
    real_factor f[REAL_FACTORS]; /* by their atoms, which rise */
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
    const real_sum *of; /* of REAL_DEFINED an atom alone */
} real_condition;

typedef struct reals {
    prove_case *c;
    /* Elements of one value are taken for one: where indices are written in several ways they are
     * the same element if MERGED holds. */
    bool by_value;
    const smt *merged;
    const char *why; /* not told: why */
    int work;        /* products that were made, and terms that were compared */
    struct real_atom {
        real_kind kind;
        const smt *term;
        const char *key; /* what it is called, without places: atoms are in this order in a term */
        const real_sum *root_of;
    } atoms[REAL_ATOMS];
    int n_atoms;
    /* What holds where the left side is defined, and whether the right side is looked at, which
     * must be defined there, too; or what is put together, in which all must be. */
    real_condition given[REAL_CONDITIONS];
    int n_given, in_choice;
    enum { REAL_LEFT, REAL_RIGHT, REAL_INSIDE } side;
} reals;

/* ---- real.c: sums and quotients ---- */

/* NULL from here on: it is not told, and R says why. */
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
/* B is not 0 where what is asked about is defined. */
real_number real_divide(reals *r, real_number a, real_number b);
real_number real_to_the(reals *r, real_number a, int power);
bool real_same(reals *r, real_number a, real_number b);
/* The fraction that A is. */
bool real_is_fraction(real_number a, int64_t *over, int64_t *under);

/* The atom that is TERM, of this kind. */
int real_atom(reals *r, real_kind kind, const smt *term, const char *key);
real_number real_of_atom(reals *r, int atom);
real_number real_unknown(reals *r, const char *why);
/* There is time for MORE steps; else it is not told. */
bool real_may_go_on(reals *r, int more);

/* Of the right side: is it so wherever the left side is defined? Of the left: it is. */
void real_demand(reals *r, int kind, const real_sum *of);

/* ---- real_term.c ---- */

/* T as a number. */
real_number real_of(reals *r, const smt *t);

/* ---- real_write.c ---- */

/* A number as a term: the same one for all terms that are the same number, but where its atoms are
 * called alike. */
const smt *real_term(reals *r, real_number a);
const smt *real_sum_term(reals *r, const real_sum *s);
/* The number that X, of a rule, stands for: the fraction or the root that it is nearest to, if it is
 * one of a few, which the case notes; else what is written. */
real_number real_literal(reals *r, double x);
/* "0.7071067811865476 as the root of 1/2", of those that are READ. */
void real_readings_text(unsigned read, inlay_strbuf *out);
/* The operation TYPE of A, of which no more is told than its KIND. */
real_number real_function(reals *r, real_kind kind, const char *type, real_number a);
real_number real_root(reals *r, real_number a);
/* The larger of A and 0. */
real_number real_ramp(reals *r, real_number a);

/* ---- real_meaning.c ---- */

/* What the operation of this name makes of N numbers. False: it is told no further. */
bool real_apply(reals *r, const prove_symbol *s, const real_number *args, int n, real_number *out);
/* The operation is defined for all numbers. */
bool real_is_everywhere(const prove_symbol *s);

/* ---- real_law.c ---- */

/* Whether LEFT and RIGHT are the same real number where LEFT is defined. Then *INSTANCE becomes
 * what follows of them. *WHY, which is not NULL, says why not. */
void real_law(prove_case *c, const smt *left, const smt *right, const smt **instance,
              const char **why);

#endif
