/* Terms of the solver's language, SMT-LIB: integers, truth values and elements of tensors, which
 * have the sort E. A term is immutable and lives as long as its pool. Terms are simplified as they
 * are made: smt_add of 2 and 3 is 5. Private to passes/prove. */
#ifndef INLAY_PASSES_PROVE_TERM_H
#define INLAY_PASSES_PROVE_TERM_H

#include "ir/shared.h"

enum { SMT_ARGS = 8 }; /* of a function */

typedef enum smt_op {
    SMT_INT,
    SMT_APPLY, /* NAME of the arguments; without any, a constant */
    SMT_ADD,
    SMT_SUB,
    SMT_MUL,
    SMT_DIV, /* rounded so that the remainder is not negative */
    SMT_MOD, /* that remainder */
    SMT_ITE,
    SMT_EQ,
    SMT_LE,
    SMT_AND,
    SMT_OR,
    SMT_NOT,
    SMT_ALL, /* arg[0] for all arg[2], ...; arg[1] is the pattern where the solver applies it */
    SMT_TRUE,
    SMT_FALSE
} smt_op;

typedef struct smt smt;

struct smt {
    smt_op op;
    int64_t n;
    const char *name;
    int n_args;
    const smt *arg[SMT_ARGS];
};

/* Where terms are made, with the functions that they call. */
typedef struct smt_pool {
    inlay_arena *arena;
    inlay_strbuf declared; /* declare-fun of each function */
    int n_names;
    bool no_memory; /* terms made since then mean nothing */
} smt_pool;

const smt *smt_int(smt_pool *p, int64_t n);
const smt *smt_bool(bool yes);
const smt *smt_add(smt_pool *p, const smt *a, const smt *b);
const smt *smt_sub(smt_pool *p, const smt *a, const smt *b);
const smt *smt_mul(smt_pool *p, const smt *a, const smt *b);
const smt *smt_div(smt_pool *p, const smt *a, const smt *b);
const smt *smt_mod(smt_pool *p, const smt *a, const smt *b);
const smt *smt_eq(smt_pool *p, const smt *a, const smt *b);
const smt *smt_le(smt_pool *p, const smt *a, const smt *b);
const smt *smt_lt(smt_pool *p, const smt *a, const smt *b);
const smt *smt_and(smt_pool *p, const smt *a, const smt *b);
const smt *smt_or(smt_pool *p, const smt *a, const smt *b);
const smt *smt_not(smt_pool *p, const smt *a);
const smt *smt_implies(smt_pool *p, const smt *a, const smt *b);
const smt *smt_ite(smt_pool *p, const smt *c, const smt *a, const smt *b);
/* LO <= X < HI */
const smt *smt_within(smt_pool *p, const smt *lo, const smt *x, const smt *hi);
/* BODY for every integer X, which smt_variable made. The solver applies it to those X for which the
 * term AT occurs or, if AT is made by smt_and, all its terms do. */
const smt *smt_all(smt_pool *p, const smt *x, const smt *body, const smt *at);
const smt *smt_variable(smt_pool *p);
/* The same for N variables. */
const smt *smt_all_of(smt_pool *p, int n, const smt *const *x, const smt *body, const smt *at);

/* Declares a function of N integers that gives SORT ("Int", "Bool", "E"), called like HINT and a
 * number that nothing else has; of N elements where ELEMENTS is set. Returns its name. */
const char *smt_function(smt_pool *p, const char *hint, int n, bool elements, const char *sort);
/* The same of a function that is called NAME, which nothing else is. */
void smt_declare(smt_pool *p, const char *name, int n, bool elements, const char *sort);
const smt *smt_apply(smt_pool *p, const char *function, int n, const smt *const *args);
const smt *smt_apply1(smt_pool *p, const char *function, const smt *arg);
/* A new constant of this sort. */
const smt *smt_constant(smt_pool *p, const char *hint, const char *sort);

/* ground.c: the operation of T, which is not smt_all, on ARG, simplified. */
const smt *smt_remade(smt_pool *p, const smt *t, const smt *const *arg);
/* T with the term BY instead of the variable or constant X. */
const smt *smt_replaced(smt_pool *p, const smt *t, const smt *x, const smt *by);
/* T with every smt_all replaced by its instances for all numbers in [LO, HI]. */
const smt *smt_ground(smt_pool *p, const smt *t, int64_t lo, int64_t hi);

/* A and B are the same term; if not, they may still be equal. */
bool smt_same(const smt *a, const smt *b);
/* A variable of smt_variable occurs in T. */
bool smt_is_open(const smt *t);
/* Writes T as SMT-LIB. */
void smt_print(inlay_strbuf *out, const smt *t);

#endif
