/* The kinds of changes that make a graph smaller. Private to this folder; reduce.c tries them. */
#ifndef INLAY_PASSES_REDUCE_CHANGE_H
#define INLAY_PASSES_REDUCE_CHANGE_H

#include "ir/shared.h"

/* A kind of change can be made at some parts of a node: at an output of it, an element, an
 * attribute. Each change makes something strictly smaller, so that there is an end to them. */
typedef struct reduce_change {
    /* How many parts of N there are, or a number above it. */
    int (*parts)(const inlay_node *n);
    /* Whether there is something to change at PART, which saves a copy; NULL: make finds out. */
    bool (*fits)(const inlay_node *n, int part);
    /* N fits. False: there is nothing to change there, or it failed. The graph that N is in may be
     * left half changed. */
    bool (*make)(inlay_node *n, int part, inlay_diags *d);
    bool backwards; /* the last node is tried first, because it holds most */
    bool by_nodes;  /* it is only one if there are fewer nodes after it */
} reduce_change;

/* cut.c: nodes, inputs and outputs */
extern const reduce_change reduce_output, reduce_drop, reduce_leaf, reduce_cut, reduce_bypass,
    reduce_zero, reduce_fewer;
/* body.c: bodies */
extern const reduce_change reduce_inline;
/* shape.c: sizes */
extern const reduce_change reduce_size, reduce_known_size;
/* number.c: elements of constants, and with them windows; attributes */
extern const reduce_change reduce_number, reduce_content, reduce_attribute;

/* body.c: takes away what the bodies of G's nodes, however deep, do not need: Parameters that
 * nothing reads with the operands that enter them, outputs that nothing reads with their Results.
 */
bool reduce_tidy_bodies(inlay_graph *g, inlay_diags *d);

/* number.c: X is closer to zero than Y, or as close and above it: 0, 1, -1, 2, -2, ... */
bool reduce_is_plainer(int64_t x, int64_t y);

static inline inlay_graph *reduce_outermost(const inlay_node *n)
{
    inlay_graph *g = n->graph;

    while (g->owner)
        g = g->owner->graph;
    return g;
}

static inline bool reduce_is_leaf(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_PARAMETER) || inlay_node_is(n, INLAY_OP_CONST);
}

#endif
