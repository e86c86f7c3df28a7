/* Counts elementary steps of work, so that a test can check, on every machine alike, that ten times
 * the nodes cost about ten times the work (tests/unit/test_scaling.c). For the folders of this
 * project, not installed.
 *
 * The counters belong to the outermost graph and are shared by its bodies. They only grow: the work
 * of a phase (reading, inference, a pass, ...) is the difference of two readings. Every loop whose
 * length depends on the graph counts a step for each iteration: a node, an input or a use that is
 * visited, an entry taken off a worklist, two things compared, a name tried. Loops that are bounded
 * by a row of the op table or the rank of a tensor need not count. Running a program (interp/)
 * counts nothing: several threads may run one graph's program, and would wait for each other. */
#ifndef INLAY_IR_WORK_H
#define INLAY_IR_WORK_H

#include "ir/graph.h"

#include <stdatomic.h>

/* Atomic, so that threads that only read a graph may count; simultaneous counts may be lost. */
struct inlay_work {
    _Atomic uint64_t steps;
    _Atomic uint64_t hashed; /* bytes */
};

static inline void inlay_count(_Atomic uint64_t *counter, uint64_t n)
{
    uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);

    atomic_store_explicit(counter, now + n, memory_order_relaxed);
}
/* Counts N steps on behalf of G. */
static inline void inlay_count_steps(const inlay_graph *g, uint64_t n)
{
    inlay_count(&g->work->steps, n);
}
/* Counts a visit of N with all its inputs. */
static inline void inlay_count_node(const inlay_node *n)
{
    inlay_count_steps(n->graph, 1 + (uint64_t)n->n_in);
}
/* Counts N hashed bytes. */
static inline void inlay_count_hashed(const inlay_graph *g, uint64_t n)
{
    inlay_count(&g->work->hashed, n);
}
/* The number of all steps so far, and of all bytes hashed. */
static inline uint64_t inlay_steps(const inlay_graph *g)
{
    return atomic_load_explicit(&g->work->steps, memory_order_relaxed);
}
static inline uint64_t inlay_hashed(const inlay_graph *g)
{
    return atomic_load_explicit(&g->work->hashed, memory_order_relaxed);
}

#endif
