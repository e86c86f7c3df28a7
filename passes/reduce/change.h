/* The kinds of changes that make a graph smaller, which reduce.c tries. Private to this folder. */
#ifndef INLAY_PASSES_REDUCE_CHANGE_H
#define INLAY_PASSES_REDUCE_CHANGE_H

#include "ir/shared.h"

/* A kind of change applies to parts of a node: an output, an element, an attribute. Each change
 * makes something strictly smaller, so that reduction ends. */
typedef struct reduce_change {
    /* Returns the number of parts of N, or an upper bound. */
    int (*parts)(const inlay_node *n);
    /* Is there something to change at PART? Avoids a copy; NULL: make finds out. */
    bool (*fits)(const inlay_node *n, int part);
    /* Changes N, which fits, at PART. False: nothing changed, or it failed; the graph of N may be
     * left half changed. */
    bool (*make)(inlay_node *n, int part, inlay_diags *d);
    bool backwards; /* begins with the last node, which depends on most others */
    bool by_nodes;  /* counts as a change only if fewer nodes remain */
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

/* body.c: removes what the bodies of G's nodes, however deep, do not need: unused Parameters with
 * the operands that enter them, unused outputs with their Results. */
bool reduce_tidy_bodies(inlay_graph *g, inlay_diags *d);

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
