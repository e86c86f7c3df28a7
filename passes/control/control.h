/* Nodes with bodies: what the files of this folder share, and passes/reduce. Private to passes/. */
#ifndef INLAY_PASSES_CONTROL_H
#define INLAY_PASSES_CONTROL_H

#include "ir/shared.h"
#include "passes/pass.h"

/* tidy.c: takes away what N, which has bodies, does not need. */
bool control_tidy(inlay_node *n, inlay_diags *d);

/* inline.c: so many iterations of the body number BODY of N stand where N stood, what it enters and
 * what it makes included; of an If one. *DONE is false, and the graph as it was, if that cannot be
 * said without N. */
bool control_inline(inlay_node *n, int body, int64_t iterations, bool *done, inlay_diags *d);

/* query.c */

/* N or a body below it reads or assigns a variable, draws random numbers, or is not known. */
bool control_has_effect(const inlay_node *n);
/* A Parameter of a body, as its file declares it, takes a value of which F is known: it is of that
 * type, and of no other size than the declared ones. */
bool control_admits(const inlay_node *param, const inlay_fact *f);
/* V is a constant of one integer or boolean. */
bool control_constant(const inlay_value *v, int64_t *out);
/* OLD, of a node that goes or loses outputs, may be an output of the graph that is called by the
 * name of its node: then BY, which may be OLD, gets that as a tensor name. */
bool control_keep_name(const inlay_value *old, inlay_value *by, inlay_diags *d);
/* The index of the port that enters Parameter number PARAM of B; -1: none does. */
int control_port_of(const inlay_body *b, int param);
/* A back edge of B leads to Parameter number PARAM. */
bool control_is_carried(const inlay_body *b, int param);

#endif
