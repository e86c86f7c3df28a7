/* The nodes that replace a deferred node (ir/graph/deferred.h), made for the operands of a call. */
#ifndef INLAY_INTERP_MADE_H
#define INLAY_INTERP_MADE_H

#include "interp/call/run.h"

typedef struct call_made {
    inlay_graph *graph; /* a Parameter for each operand that is not constant in it, a Result for
                           each output present */
    graph_steps *steps;
    bool *has;          /* by output of the node: is it present? */
    int n_out;          /* of the node */
    inlay_tensor **out; /* by Result: tensors of a run; owned by this */
} call_made;

/* Is operand I of C a constant of the graph? */
bool call_is_constant(const inlay_call *c, int i);
/* Makes MADE for the operands of C. CONSTANT, by operand: the graph gets the elements of these, and
 * of the others the sizes; if an expansion asks for elements, more entries become true. False after
 * recording an error; call_made_free must be called nevertheless. */
bool call_made_begin(inlay_call *c, bool *constant, call_made *made);
void call_made_free(call_made *made);
/* Moves the results of a run of MADE to the outputs of C. */
bool call_made_give(inlay_call *c, call_made *made);

#endif
