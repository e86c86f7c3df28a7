/* Nodes with bodies: what the files of this folder and passes/reduce share. Private to passes/. */
#ifndef INLAY_PASSES_CONTROL_H
#define INLAY_PASSES_CONTROL_H

#include "ir/shared.h"
#include "passes/pass.h"

/* tidy.c: removes what N, which has bodies, does not need. */
bool control_tidy(inlay_node *n, inlay_diags *d);

/* inline.c: replaces N by ITERATIONS copies of its body number BODY (for If: one), with its inputs
 * and outputs. Sets *DONE to false and leaves the graph unchanged if that cannot be expressed
 * without N. */
bool control_inline(inlay_node *n, int body, int64_t iterations, bool *done, inlay_diags *d);

/* Removes the nodes of G from FIRST_ID on, which read each other, but no other node reads them. */
bool control_undo(inlay_graph *g, uint32_t first_id, inlay_diags *d);
/* May BY replace OLD: has it no name of its own that someone may use, and no other facts? Nodes
 * from FIRST_ID on are new. */
bool control_may_replace(const inlay_value *old, const inlay_value *by, uint32_t first_id);
/* Replaces the outputs of N by OUT, and removes N. */
bool control_replace(inlay_node *n, inlay_value *const *out, inlay_diags *d);

/* append.c: if N, which has one body, appends an item to an empty list in each iteration, and what
 * reads the list wants them joined, lets N join them. *DONE: N and the readers were replaced. */
bool control_join_appended(inlay_node *n, bool *done, pass_run *r);

/* query.c */

/* Does N or a body below it read or assign a variable, draw random numbers, or have an unknown
 * operation? */
bool control_has_effect(const inlay_node *n);
/* May a value with fact F enter PARAM of a body, as its file declares it: has it the same type, and
 * surely the declared sizes? */
bool control_admits(const inlay_node *param, const inlay_fact *f);
/* OLD, of a node that is removed or loses outputs, may be an output of the graph named after its
 * node: then gives that name to BY, which may be OLD, as a tensor name. */
bool control_keep_name(const inlay_value *old, inlay_value *by, inlay_diags *d);
/* Returns the value whose elements V has, in their order. */
const inlay_value *control_strip(const inlay_value *v);
/* Does P cut, or join, all parts along axis 0 or 1 of three, one after the other? Sets *AXIS. */
bool control_cuts(const inlay_port *p, int64_t *axis);
/* Is WHOLE, with axis AXIS of size 1, the same as FLAT without it? */
bool control_is_flat(const inlay_fact *whole, int64_t axis, const inlay_fact *flat);
/* May parts of X, which has three axes, along AXIS surely enter PARAM? */
bool control_parts_enter(const inlay_value *x, int64_t axis, const inlay_node *param);

/* ports.c */

/* The ports of a body, indexed from inside; -1: none. */
struct control_ports {
    const inlay_body *body;
    int *entry;    /* by Parameter: its first input port */
    int *leaving;  /* by Result: its first output port, */
    int *next;     /* and by output port: the next one of the same Result */
    int *param;    /* by node id: the number of a Parameter */
    bool *carried; /* by Parameter: is it the target of a back edge? */
};

/* Sets P to the present ports of B; the caller frees it. */
bool control_ports_make(struct control_ports *p, const inlay_body *b, inlay_diags *d);
/* Updates `carried` after back edges have changed. */
void control_ports_go_back(struct control_ports *p);
void control_ports_free(struct control_ports *p);
/* Adds PORT to the inputs of B. */
bool control_add_port(inlay_body *b, const inlay_port *port, inlay_diags *d);
/* Returns the operand of N that enters Parameter number PARAM of a body whole and in every
 * iteration; NULL: there is none. */
inlay_value *control_entering(const struct control_ports *p, const inlay_node *n, int param);

#endif
