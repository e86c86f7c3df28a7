/* The state of one run of the pass in-place-windows over one graph. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_DECIDE_H
#define INLAY_PASSES_INPLACE_DECIDE_H

#include "passes/inplace/storage.h"
#include "passes/pass.h"
#include "passes/query/scatter.h"

/* VALUE, or a reshape of it, is operand number INPUT of HOLDER, which holds it: can it be computed
 * in its part of the result? */
typedef struct inplace_held {
    inlay_node *holder;
    int input;
    inlay_value *value;
    inlay_decision d;
} inplace_held;

/* In which order the candidates are tried: scatters, and operands that may be computed in their
 * parts. */
typedef enum inplace_candidate_order {
    INPLACE_LAST_THEN_LARGEST, /* the last scatter first, the largest operand first */
    INPLACE_FIRST_FIRST,
    INPLACE_LAST_FIRST,
    INPLACE_LARGEST_FIRST,
    INPLACE_CANDIDATE_ORDERS
} inplace_candidate_order;

typedef struct inplace_priority {
    inplace_candidate_order turn;
    /* By node id of a candidate (a scatter, or the node that computes an operand): candidates of
     * lower rank are tried first; scatters of rank INPLACE_LATE after all views. NULL: all ranks
     * are 0. */
    const int *rank;
    const bool *costly; /* inplace_find_costly; NULL: none is */
} inplace_priority;

enum { INPLACE_LATE = 1 << 24 };

typedef struct inplace_pass {
    inplace_storage s;
    pass_run *run;
    inlay_arena *words;   /* remarks */
    inlay_in_place *told; /* the decisions that the caller is told, in their order */
    size_t n_told, cap_told;
    /* By node id of a view (a slice, for instance): decision V on it; and whether the record of
     * some scatter names it. */
    inlay_decision *views;
    bool *named;
    /* By node id of a scatter: the data of the first scatter of its chain. */
    const inlay_value **origin;
    /* By index of variable: its only Assign; a node in a body that uses it. NULL: there is none. */
    const inlay_node **assign, **inside;
    bool *late_sizes;   /* by node id: inlay_list_late */
    inplace_held *held; /* in the order of the graph before any order edge is added */
    size_t n_held;
    size_t *first_held; /* by node id of a holder: the first of its operands in `held` */
    inplace_priority turns;
    bool contested; /* something was refused that another order might allow */
    bool relies;    /* some reshape relies on elements being contiguous in the buffer */
    bool late;      /* views are decided */
    const inlay_node *successor; /* the scatter that overwrites the data in question; or NULL */
    int reorders_left;           /* how many more readers may be moved before writes in this run */
} inplace_pass;

#endif
