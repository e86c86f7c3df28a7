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

/* branches.c: how often N, a Loop or TensorIterator, iterates; -1: it is not known. */
int64_t control_iterations(const inlay_node *n);

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

/* ports.c */

/* The ports of a body, found from inside; -1: there is none. */
struct control_ports {
    const inlay_body *body;
    int *entry;    /* by Parameter: the first port that enters it */
    int *leaving;  /* by Result: the first port that takes it out, */
    int *next;     /* and by such a port the next one that does */
    int *param;    /* by node id: the number of a Parameter */
    bool *carried; /* by Parameter: a back edge leads to it */
};

/* P becomes the ports of B as they are now; the caller frees it. */
bool control_ports_make(struct control_ports *p, const inlay_body *b, inlay_diags *d);
/* Back edges have changed: `carried` says where they lead. */
void control_ports_go_back(struct control_ports *p);
void control_ports_free(struct control_ports *p);
/* What enters Parameter number PARAM of a body of N as it is, in every iteration; NULL: something
 * else does. */
inlay_value *control_entering(const struct control_ports *p, const inlay_node *n, int param);

#endif
