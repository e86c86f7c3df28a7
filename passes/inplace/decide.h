/* What the files of in-place-windows share. Private to passes/. */
#ifndef INLAY_PASSES_IN_PLACE_H
#define INLAY_PASSES_IN_PLACE_H

#include "ir/shared.h"
#include "passes/inplace/storage.h"
#include "passes/pass.h"
#include "passes/query/scatter.h"

typedef struct in_place {
    inplace_storage s;
    pass_run *run;
    inlay_arena *words;         /* remarks; emptied after each scatter */
    inlay_decision *views;      /* by node id of the slice: what was decided on it */
    bool *named;                /* by node id of the slice: a scatter's record says it */
    const inlay_value **origin; /* by node id of a scatter: what the first of its chain wrote to */
    const inlay_node **assign;  /* by index of variable: the only Assign of it */
    const inlay_node **inside;  /* by index of variable: a node of a body that uses it */
    const inlay_node *heir;     /* the scatter that has the buffer which is asked for, or NULL */
    int reorders_left;          /* readers may be moved before a write so many times in a pass */
} in_place;

/* into.c. The chain of pointwise nodes that computes the updates of a SliceScatter. */
typedef struct in_place_chain {
    inlay_node *slice;   /* what the chain reads of the scatter's data: the slice with the scatter's
                            own window if there is one, else any; or NULL */
    inlay_value **links; /* from the scatter upward: the updates first */
    int n_links, cap_links;
} in_place_chain;

/* Is V a Slice of the scatter's data, or of another version of it? */
bool slices_data(in_place *p, const inlay_value *v, const inlay_node *scatter);
bool find_chain(in_place *p, inlay_node *scatter, in_place_chain *out);
void free_chain(in_place_chain *c);
/* Decides I for SCATTER, whose result overwrites its data. False: out of memory. */
bool decide_into(in_place *p, inlay_node *scatter, const in_place_chain *c, inlay_in_place *what);

/* decide.c */

/* Notes V as KIND of TARGET if no reader is wronged by it. *MADE tells; when it was not made, D has
 * the condition's name out of NAMES. Order edges that the decision relies on are added, FIRST (may
 * be NULL) before the producer of V too. False: out of memory. */
typedef struct condition_names {
    const char *reader;    /* a later reader */
    const char *observer;  /* an output or a variable */
    const char *same_node; /* the writer itself reads other positions of the buffer */
    const char *broadcast; /* and each of them several times */
} condition_names;
bool try_note(in_place *p, inlay_value *v, inlay_note_kind kind, inlay_value *target,
              const condition_names *names, inlay_in_place *what, inlay_decision *d);
/* Decides V for X, output of a view operation. */
bool decide_view(in_place *p, inlay_value *x, inlay_in_place *what, inlay_decision *d);
/* Packed types: does the window of SLICE (or SliceScatter) begin or end within a byte? */
bool splits_bytes(const inlay_node *slice);
/* Bytes of V when its shape is static, else 0. */
uint64_t value_bytes(const inlay_value *v);
void refuse(inlay_decision *d, const char *condition, const inlay_node *by);

#endif
