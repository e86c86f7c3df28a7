/* A graph prepared for running, by any executor: its nodes are checked and in canonical order,
 * every value has a number (its slot), and its uses are counted. It does not change once the values
 * to keep are marked.
 *
 *     step            value    slot   uses
 *     %x = Parameter  x        0      2
 *     %y = Exp(%x)    y        1      1
 *     %z = Add(%x,%y) z        2      1     by the Result, which has no value itself
 *     Result(%z) */
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
    uint32_t *uses; /* by slot: number of inputs of steps that read it, plus one when it is kept */
    /* By slot: the variable for whose initial value alone the value is needed, so that it is
     * computed only while the variable has no state; NULL: it is computed in every run. */
    const inlay_variable **initial;
    size_t *keep; /* slots of the values to keep */
    int n_keep;
    int most_in, most_out; /* over all nodes */
    equal_sizes sizes;     /* of inputs; checked at the beginning of a run */
};

graph_steps *steps_new(const inlay_graph *g, inlay_diags *d);
void steps_free(graph_steps *s);
/* Can N be run: is it as its row says, with complete bodies? False after recording an error. */
bool steps_check_node(const inlay_node *n, inlay_diags *d);
/* Makes the steps of the bodies of N; sets *OUT to NULL when N has none. */
bool steps_of_bodies(const inlay_node *n, graph_steps ***out, inlay_diags *d);
void steps_free_bodies(const inlay_node *n, graph_steps **bodies);
/* Marks the N values called NAMES, which a run keeps. To be called once for a list of steps. */
bool steps_keep(graph_steps *s, const char *const *names, int n, inlay_diags *d);
/* initial.c: marks the values that are needed for initial values only; called by steps_new and
 * steps_keep. */
void steps_mark_initial(graph_steps *s);
/* Is the value of SLOT not computed in an invocation that began with these N states of variables
 * (NULL entries: reset)? */
static inline bool steps_leaves_out(const graph_steps *s, size_t slot,
                                    const inlay_tensor *const *state, int n)
{
    const inlay_variable *v = s->initial[slot];

    return v && v->index < n && state[v->index];
}

static inline size_t steps_slot(const graph_steps *s, const inlay_value *v)
{
    return s->first_slot[v->node->id] + (size_t)v->index;
}

/* Does an executor run step N? Not a Parameter, whose value is an input, nor a Result, which is
 * read at the end. */
static inline bool steps_runs(const inlay_node *n)
{
    return !inlay_node_is(n, INLAY_OP_PARAMETER) && !inlay_node_is(n, INLAY_OP_RESULT);
}

#endif
