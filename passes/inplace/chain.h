/* The chain of nodes that computes the updates of a scatter. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_CHAIN_H
#define INLAY_PASSES_INPLACE_CHAIN_H

#include "passes/inplace/decide.h"

typedef struct inplace_chain {
    inlay_value *shown; /* the updates if they are a reshape of link 0; or NULL */
    /* The slice of the scatter's data that the chain reads: the one with the scatter's own window
     * if there is one, else any; or NULL. */
    inlay_node *slice;
    inlay_value **links; /* from the scatter upward: the updates first */
    int n_links, cap_links;
} inplace_chain;

/* Finds the chain that computes the updates of SCATTER. If the updates are computed, but not
 * elementwise, they are the only link; if they are not computed the chain is empty. False: out of
 * memory. inplace_free_chain is called in any case. */
bool inplace_find_chain(inplace_pass *p, inlay_node *scatter, inplace_chain *out);
void inplace_free_chain(inplace_chain *c);
/* Can V be computed in its place: does its kernel write every element of an output of any strides,
 * and not just show what is there? Nodes with bodies count, too. */
bool inplace_is_computed(const inlay_value *v);
/* Does N compute one output element by element? */
bool inplace_is_pointwise(const inlay_node *n);
/* Do A and B have the same size on every axis, so that neither is broadcast? */
bool inplace_same_extent(const inlay_value *a, const inlay_value *b);
/* Is V a Slice of SCATTER's data, or of another version of it? */
bool inplace_slices_data(inplace_pass *p, const inlay_value *v, const inlay_node *scatter);
/* If the updates of SCATTER are computed from the very rows that it writes, but its list of rows is
 * not known to be free of repetitions: the node that makes the list. Else NULL. */
const inlay_node *inplace_may_repeat(inplace_pass *p, const inlay_node *scatter);
/* V is the result of scatters on top of each other: the slice with SCATTER's window at the bottom
 * of them, or NULL. If that is a view, V is in the window of SCATTER. */
inlay_value *inplace_window_below(inplace_pass *p, inlay_value *v, const inlay_node *scatter);

#endif
