/* Single nodes: the planned executor's results, with any number of threads, compared with those of
 * the reference. */
#ifndef INLAY_TESTS_NODE_CASE_H
#define INLAY_TESTS_NODE_CASE_H

#include "generate/rng.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "seeds.h"

enum { MOST_OPERANDS = 10 };

/* A node with its operands, NULL behind the last one. */
struct node_case {
    char op[48], attrs[300];
    inlay_tensor *in[MOST_OPERANDS];
    bool constant[MOST_OPERANDS];
    bool open;  /* the graph does not know the sizes of operands that are not constant */
    int output; /* the output that is compared */
    /* How far each element may be from the reference's; NULL: it must have the same bits. */
    double *bounds;
};

/* Returns a random number, now and then an unusual one; SPECIAL: also NaN and infinities. */
double any_number(rng *r, bool special);
/* Returns a random size, most often a small one. */
int64_t any_size(rng *r);
/* Returns a tensor of such numbers; unless DENSE, it may be a strided part of another one. */
inlay_tensor *any_tensor(rng *r, inlay_type type, int rank, const int64_t *dims, bool special,
                         bool dense);
/* Whether A and B have the same bits; a NaN may have any. */
bool same_numbers(const inlay_tensor *a, const inlay_tensor *b);
/* Checks K with several numbers of threads against the reference, and releases it. */
void check_case(struct node_case *k, uint64_t seed);

typedef void node_case_fn(rng *r, struct node_case *k);
/* Checks a case of each of SEEDS, which MAKE draws and CHANGE (NULL: nothing) changes. */
void try_cases(seed_range seeds, node_case_fn *make, node_case_fn *change);

#endif
