/* Facts crossing the border of a body, for the rules of If, Loop and TensorIterator.
 *
 * At compile time a rule hands its operands' facts to the parameters of the body, infers the body,
 * and takes the results' facts out; at run time (no ids) it reads what was recorded then and leaves
 * the body alone. What a parameter of a body declares is overruled by what is really connected to
 * it, as upstream does. */
#ifndef INLAY_IR_INFER_BORDER_H
#define INLAY_IR_INFER_BORDER_H

#include "ir/infer/infer.h"

enum {
    MAX_IDS = 64
}; /* so many dims of outer values have an identity that is followed into a body */

/* An id is one of a graph: the same size has one id outside, and another one in the body. For
 * example, an outer dim ?#3 may be ?#1 in the body; the border keeps the pair (3, 1). */
typedef struct border {
    inlay_infer *cx;
    inlay_body *body;
    uint32_t outer[MAX_IDS], inner[MAX_IDS];
    int n;
    bool idle; /* the body never runs: what a rule refuses in it is left open */
} border;

static inline bool compiling(const inlay_infer *cx)
{
    return cx->next_id != NULL;
}

static inline inlay_value *border_param(const inlay_body *b, int i)
{
    return &b->graph->params[i]->out[0];
}

/* The value that result I of the body reads. */
static inline const inlay_value *border_value(const inlay_body *b, int i)
{
    return b->graph->results[i]->in[0].value;
}

/* Returns D with the id that the same size has in the body, or outside of it. */
inlay_dim border_in(border *b, inlay_dim d);
inlay_dim border_out(const border *b, inlay_dim d);

/* Every parameter of B has the type and shape that it declares, until something enters. */
bool border_reset(inlay_body *b, inlay_diags *d);
/* The outer value of P enters as a whole, with what is known of its elements if WITH_KNOWN. */
bool border_enter(border *b, const inlay_port *p, bool with_known);
/* Checks that the parameter of P declares TYPE, which the elements have that enter at P. */
bool border_check_type(border *b, const inlay_port *p, inlay_type type);
bool border_set_param(border *b, int i, inlay_type type, const inlay_shape *s);
/* Infers all nodes of the body but its parameters. */
bool border_infer(border *b, inlay_diags *d);
/* S receives the shape of the value that result RESULT reads, with the ids of the graph outside. */
void border_result(const border *b, int result, inlay_shape *s);
/* A becomes the smallest shape that allows all that A and B allow. */
void border_join(inlay_shape *a, const inlay_shape *b);

#endif
