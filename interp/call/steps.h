/* A graph made ready to run, whichever executor runs it: its nodes are checked and stand in
 * canonical order, every value has a number (its slot), and its uses are counted. Nothing of it
 * changes once the values to keep are marked.
 *
 *     step            value    slot   uses
 *     %x = Parameter  x        0      2
 *     %y = Exp(%x)    y        1      1
 *     %z = Add(%x,%y) z        2      1     by the Result, which has no value itself
 *     Result(%z)
 */
#ifndef INLAY_INTERP_STEPS_H
#define INLAY_INTERP_STEPS_H

#include "interp/call/sizes.h"
#include "ir/ir.h"

typedef struct graph_steps graph_steps;

typedef struct graph_step {
    const inlay_node *node;
    graph_steps **bodies; /* one per body of the node */
} graph_step;

struct graph_steps {
    const inlay_graph *graph;
    graph_step *list;
    size_t n;
    size_t *first_slot;       /* by node id: the slot of output 0; SIZE_MAX: it does not run */
    size_t *params, *results; /* by Parameter, and by Result: the slot of its value */
    size_t n_slots;
    uint32_t *uses; /* by slot: inputs of steps that read it, plus one when it is kept */
    /* By slot: the variable for whose initial value, and for nothing else, the value is computed,
     * which is only done while the variable has no state; NULL: it is computed in every run. */
    const inlay_variable **initial;
    size_t *keep; /* slots of the values to keep */
    int n_keep;
    int most_in, most_out; /* of any node */
    equal_sizes sizes;     /* of inputs, which whoever begins a run checks */
};

graph_steps *steps_new(const inlay_graph *g, inlay_diags *d);
void steps_free(graph_steps *s);
/* Returns whether N can be run: it is as its row says, and its bodies are complete. False after
 * recording an error. */
bool steps_check_node(const inlay_node *n, inlay_diags *d);
/* Makes the steps of the bodies of N; *OUT is NULL when N has none. */
bool steps_of_bodies(const inlay_node *n, graph_steps ***out, inlay_diags *d);
void steps_free_bodies(const inlay_node *n, graph_steps **bodies);
/* Marks the N values called NAMES, which a run keeps. It is called once for a list of steps. */
bool steps_keep(graph_steps *s, const char *const *names, int n, inlay_diags *d);
/* initial.c: finds the values that are for initial values only; steps_new and steps_keep call it.
 */
void steps_mark_initial(graph_steps *s);
/* Returns whether the value of SLOT is left out of an invocation that began with these N states of
 * variables; NULL entries: reset. */
static inline bool steps_leaves_out(const graph_steps *s, size_t slot,
                                    const inlay_tensor *const *state, int n)
{
    const inlay_variable *v = s->initial[slot];

    return v && v->index < n && state[v->index];
}
/* Returns the number of nodes of G and of its bodies. */
uint64_t steps_count_nodes(const inlay_graph *g);

static inline size_t steps_slot(const graph_steps *s, const inlay_value *v)
{
    return s->first_slot[v->node->id] + (size_t)v->index;
}

/* Returns whether N is a step that an executor makes. A Parameter has its value from outside, and
 * Results are read at the end. */
static inline bool steps_runs(const inlay_node *n)
{
    return !inlay_node_is(n, INLAY_OP_PARAMETER) && !inlay_node_is(n, INLAY_OP_RESULT);
}

#endif
