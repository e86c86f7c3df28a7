/* How much work was done: elementary steps, counted, so that a test can hold that ten times the
 * nodes cost about ten times the work, on every machine alike (tests/unit/test_scaling.c). For the
 * folders of this project, not installed.
 *
 * The counters belong to the outermost graph and are shared by its bodies. They only grow: a phase
 * (reading, inference, a pass, ...) did what lies between two readings of them. Every loop whose
 * length the graph decides counts a step for each turn: a node, an input or a use that is visited,
 * an entry taken off a worklist, two things compared, a name tried. What a row of the op table or
 * the rank of a tensor bounds need not be counted. What runs a program (interp/) counts nothing:
 * several threads may run one graph's program, and they would wait for each other.
 */
#ifndef INLAY_IR_WORK_H
#define INLAY_IR_WORK_H

#include "ir/graph.h"

#include <stdatomic.h>

/* Atomic, so that threads that only read a graph may count; a count may be lost where they meet. */
struct inlay_work {
    _Atomic uint64_t steps;
    _Atomic uint64_t hashed; /* bytes */
};

static inline void inlay_count(_Atomic uint64_t *counter, uint64_t n)
{
    uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);

    atomic_store_explicit(counter, now + n, memory_order_relaxed);
}
/* N more steps were made on behalf of G. */
static inline void inlay_count_steps(const inlay_graph *g, uint64_t n)
{
    inlay_count(&g->work->steps, n);
}
/* N was visited with all its inputs. */
static inline void inlay_count_node(const inlay_node *n)
{
    inlay_count_steps(n->graph, 1 + (uint64_t)n->n_in);
}
/* N more bytes were hashed. */
static inline void inlay_count_hashed(const inlay_graph *g, uint64_t n)
{
    inlay_count(&g->work->hashed, n);
}
/* All steps so far, and all bytes hashed. */
static inline uint64_t inlay_steps(const inlay_graph *g)
{
    return atomic_load_explicit(&g->work->steps, memory_order_relaxed);
}
static inline uint64_t inlay_hashed(const inlay_graph *g)
{
    return atomic_load_explicit(&g->work->hashed, memory_order_relaxed);
}

#endif
