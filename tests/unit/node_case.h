/* Nodes by themselves: what the planned executor makes of one, with any number of threads, against
 * what the reference does. */
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
    bool open;  /* the graph does not know the sizes of those that are not constant */
    int output; /* that is compared */
    /* How far each element may be from the reference's; NULL: it has the same bits. */
    double *bounds;
};

/* Returns a number that is odd now and then; SPECIAL: NaN and infinities are among them. */
double any_number(rng *r, bool special);
/* Returns a size, of which most are small. */
int64_t any_size(rng *r);
/* Returns a tensor of such numbers that is DENSE, or may stand in another one of which it shows a
 * part. */
inlay_tensor *any_tensor(rng *r, inlay_type type, int rank, const int64_t *dims, bool special,
                         bool dense);
/* Whether A and B have the same bits; a NaN may have any. */
bool same_numbers(const inlay_tensor *a, const inlay_tensor *b);
/* Fails unless all numbers of threads give what the reference gives for K, which it releases. */
void check_case(struct node_case *k, uint64_t seed);

typedef void node_case_fn(rng *r, struct node_case *k);
/* Checks a case of each of SEEDS, which MAKE draws and CHANGE (NULL: nothing) changes. */
void try_cases(seed_range seeds, node_case_fn *make, node_case_fn *change);

#endif
