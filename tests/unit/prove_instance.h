/* A random graph that the left side of a rule matches, and the reference's results for it. */
#ifndef INLAY_TESTS_PROVE_INSTANCE_H
#define INLAY_TESTS_PROVE_INSTANCE_H

#include "passes/check/maker.h"
#include "passes/prove/case.h"
#include "smt_value.h"

struct instance {
    inlay_arena *arena;
    check_maker *m;
    inlay_tensor **in, *out[2 * PROVE_LIST];
    int n_out;
    /* Operands that nodes make; they are results, too, after those of the operation. */
    const inlay_value *made[PROVE_LIST];
    int n_made;
    bool ran, known, told; /* it did not fail; its inputs can be described; a case describes it */
    uint64_t seed;
};

/* The elements of the value V; NULL: a node makes it. */
const inlay_tensor *instance_content(const struct instance *x, const inlay_value *v);
/* Operand I of the operation. */
const inlay_value *instance_operand(const struct instance *x, int i);
/* Makes an instance of R. False: this SEED makes none. */
bool instance_make(const rule *r, uint64_t seed, struct instance *x);
void instance_free(struct instance *x);

/* prove_meaning.c: gives the functions of C their meaning in X. False: C describes another graph. */
bool instance_mean(smt_world *w, const struct instance *x, const prove_case *c);

#endif
