/* Passes facts into and out of a body, for the shape rules of If, Loop and TensorIterator.
 *
 * At compile time a rule gives its operands' facts to the parameters of the body, infers the body,
 * and reads the facts of its results; at run time (without ids) it reads what was recorded then and
 * leaves the body alone. The facts of what is connected to a parameter replace those that it
 * declares, as in OpenVINO. */
#ifndef INLAY_IR_INFER_BORDER_H
#define INLAY_IR_INFER_BORDER_H

#include "ir/infer/infer.h"

enum { MAX_IDS = 64 }; /* at most so many outer sizes keep an identity in a body */

/* Each graph has ids of its own: the same size has different ids outside and in the body. For
 * example, an outer dim ?#3 may be ?#1 in the body; the border keeps the pair (3, 1). */
typedef struct border {
    inlay_infer *cx;
    inlay_body *body;
    uint32_t outer[MAX_IDS], inner[MAX_IDS];
    int n;
    bool idle; /* the body never runs: errors of its rules are ignored */
} border;

static inline bool compiling(const inlay_infer *cx)
{
    return cx->next_id != NULL;
}

static inline inlay_value *border_param(const inlay_body *b, int i)
{
    return &b->graph->params[i]->out[0];
}

/* Returns D with the id that the same size has in the body; outside of it. */
inlay_dim border_in(border *b, inlay_dim d);
inlay_dim border_out(const border *b, inlay_dim d);

/* Resets every parameter of B to the type and shape that it declares. */
bool border_reset(inlay_body *b, inlay_diags *d);
/* Gives P's parameter type and shape of the outer value, and known elements if WITH_KNOWN. */
bool border_enter(border *b, const inlay_port *p, bool with_known);
/* Checks that the parameter of P declares TYPE, the type of the elements that it gets. */
bool border_check_type(border *b, const inlay_port *p, inlay_type type);
bool border_set_param(border *b, int i, inlay_type type, const inlay_shape *s);
/* Infers all nodes of the body except its parameters. */
bool border_infer(border *b, inlay_diags *d);
/* Sets *S to the shape of the value that result RESULT reads, with ids of the outer graph. */
void border_result(const border *b, int result, inlay_shape *s);
/* Extends A to the smallest shape that allows all that A and B allow. */
void border_join(inlay_shape *a, const inlay_shape *b);

#endif
