/* Deferred nodes. A reader may meet an operator whose translation depends on unknown facts:
 *
 *     %y = LSTM(%x, ...)      is it batched? that is what the rank of x says
 *
 * It makes one node of it, which keeps what the file said (the row Deferred, ir/ops/deferred.def),
 * and gives the graph a function that replaces it by other nodes as soon as all facts that it asks
 * for are known: after inference, after somebody sets a shape, in a body, at the latest in the run,
 * on the operands of the call. ir/ does not depend on the file format of such a node. */
#ifndef INLAY_IR_GRAPH_DEFERRED_H
#define INLAY_IR_GRAPH_DEFERRED_H

#include "ir/graph.h"

/* A fact that an expansion needs. */
typedef struct inlay_asked {
    enum {
        INLAY_ASKS_NOTHING,
        INLAY_ASKS_RANK,
        INLAY_ASKS_SIZE, /* the size of AXIS */
        INLAY_ASKS_ELEMENTS,
        INLAY_ASKS_TYPE
    } what;
    int input; /* about this operand of the node; -1: about a value computed from them */
    int axis;
    inlay_type type; /* known of output 0 nevertheless; INLAY_DYNAMIC: nothing */
    int rank;        /* likewise; -1: nothing */
} inlay_asked;

/* Makes in TO the nodes for the deferred node N, on the values IN of TO, which are its operands
 * there. Writes a value for each output to OUT, NULL for one that cannot be used. False, with TO
 * unchanged: a fact is unknown, which ASKED names; or (INLAY_ASKS_NOTHING) an error is recorded. */
typedef bool inlay_expand_fn(const inlay_node *n, inlay_graph *to, inlay_value *const *in,
                             inlay_value **out, inlay_asked *asked, inlay_diags *d);

/* Sets the function that expands the deferred nodes of G, its bodies and its copies. */
void inlay_graph_set_expand(inlay_graph *g, inlay_expand_fn *expand);
/* Gives TO, which gets a copy of a deferred node of FROM, the same function unless it has one. */
void inlay_graph_copy_expand(const inlay_graph *from, inlay_graph *to);
/* Makes an empty graph with the operations and that function of G. NULL: out of memory. */
inlay_graph *inlay_graph_new_like(const inlay_graph *g, inlay_diags *d);
/* Has G such a function? */
bool inlay_graph_can_expand(const inlay_graph *g);
/* Calls that function. */
bool inlay_node_expand(const inlay_node *n, inlay_graph *to, inlay_value *const *in,
                       inlay_value **out, inlay_asked *asked, inlay_diags *d);
/* Has G or a body below it a deferred node, or had it one? */
bool inlay_graph_had_deferred(const inlay_graph *g);
/* infer/deferred.c: says which fact the deferred node N needs, and which inputs' shapes may supply
 * it: "the number of axes of \"z\" is not known before the run; say --shape x=...". */
const char *inlay_deferred_text(const inlay_node *n, char *buf, size_t size);

/* infer/expand.c: infers G and replaces its deferred nodes, and those of its bodies, for which
 * enough is known, in one walk. Sets *ANY (may be NULL) to whether there was one. What an operator
 * refuses is an error; but in a body, which may never run, it is reported in the run. */
bool inlay_expand_graph(inlay_graph *g, bool *any, inlay_diags *d);

#endif
