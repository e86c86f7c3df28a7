/* What public functions ask of what they are handed. Private to the library. */
#ifndef INLAY_IR_ARGUMENT_H
#define INLAY_IR_ARGUMENT_H

#include "ir/ir.h"

/* True, and an error, when there is no P: "no graph is given". */
bool is_missing(const void *p, const char *what, inlay_diags *d);
/* A graph is there, and the bodies of its nodes are: graph, role, and port maps that lead to places
 * that exist. Else an error. For who follows port maps of nodes that nobody checked. */
bool graph_is_whole(const inlay_graph *g, inlay_diags *d);
/* Each Parameter has its value. Else an error. */
bool params_are_whole(const inlay_graph *g, inlay_diags *d);
/* A list of N entries is there, and N is not negative; else an error. */
bool list_is_sound(const void *list, int n, const char *what, inlay_diags *d);
/* The same for strings, each of which is there. */
bool names_are_sound(const char *const *names, int n, const char *what, inlay_diags *d);
/* One of the enum, INLAY_DYNAMIC included; else an error at NODE, which may be NULL. */
bool type_is_sound(inlay_type type, const inlay_node *node, inlay_diags *d);
/* A rank from -1 to INLAY_MAX_RANK, and sizes from 0 <= lo <= hi; else an error at NODE. */
bool shape_is_sound(int rank, const inlay_dim *dims, const inlay_node *node, inlay_diags *d);
/* A sink with a function; else an error. */
bool sink_is_sound(const inlay_sink *to, inlay_diags *d);
/* It has both functions; else an error. */
bool evaluator_is_sound(const inlay_evaluator *e, inlay_diags *d);

#endif
