/* What a deferred node (ir/graph/deferred.h) stands for, made for the operands of a call. */
#ifndef INLAY_INTERP_MADE_H
#define INLAY_INTERP_MADE_H

#include "interp/call/run.h"

typedef struct call_made {
    inlay_graph *graph; /* a Parameter for each operand that is no constant in it, a Result for each
                           output that there is */
    graph_steps *steps;
    bool *has;          /* by output of the node: there is one */
    int n_out;          /* of the node */
    inlay_tensor **out; /* by Result: room for tensors of a run, which this owns */
} call_made;

/* Makes MADE for the operands of C. Of those that are CONSTANT, by operand, the elements are known
 * in the graph, of the others the sizes: where an expansion asks for elements CONSTANT gets more
 * entries that are true. False after recording an error; call_made_free must be called all the
 * same. */
bool call_made_begin(inlay_call *c, bool *constant, call_made *made);
void call_made_free(call_made *made);
/* Copies what a run of MADE gave to the outputs of C, and releases it. */
bool call_made_give(inlay_call *c, call_made *made);

#endif
