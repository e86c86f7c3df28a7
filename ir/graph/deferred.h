/* Deferred nodes. A reader may meet an operator whose form here depends on what is not known yet:
 *
 *     %y = LSTM(%x, ...)      is it batched? that is what the rank of x says
 *
 * It makes one node of it, which keeps what the file said (the row Deferred, ir/ops/deferred.def),
 * and gives the graph a function that makes the nodes in its place as soon as all is known that it
 * asks for: after inference, behind a shape that somebody sets, in a body, at the latest in the
 * run, on the operands of the call. ir/ knows nothing of the files that such a node comes from.
 */
#ifndef INLAY_IR_GRAPH_DEFERRED_H
#define INLAY_IR_GRAPH_DEFERRED_H

#include "ir/graph.h"

/* What an expansion would have to know. */
typedef struct inlay_asked {
    enum {
        INLAY_ASKS_NOTHING,
        INLAY_ASKS_RANK,
        INLAY_ASKS_SIZE, /* of AXIS */
        INLAY_ASKS_ELEMENTS,
        INLAY_ASKS_TYPE
    } what;
    int input; /* of that operand of the node; -1: of a value made of them */
    int axis;
    inlay_type type; /* what is known of output 0 all the same; INLAY_DYNAMIC: nothing */
    int rank;        /* the same; -1: nothing */
} inlay_asked;

/* Makes in TO the nodes that N, a deferred one, stands for, of the values IN of TO, which are its
 * operands there. OUT receives a value for each output, NULL for one that nobody can want. False,
 * and TO is as it was: something is not known, as ASKED says; or (INLAY_ASKS_NOTHING) an error is
 * recorded. */
typedef bool inlay_expand_fn(const inlay_node *n, inlay_graph *to, inlay_value *const *in,
                             inlay_value **out, inlay_asked *asked, inlay_diags *d);

/* EXPAND is for the deferred nodes of G, of its bodies and of its copies. */
void inlay_graph_set_expand(inlay_graph *g, inlay_expand_fn *expand);
/* TO, which gets a copy of a deferred node of FROM, has the same function if it has none. */
void inlay_graph_copy_expand(const inlay_graph *from, inlay_graph *to);
/* An empty graph of the same operations as G, with the same function. NULL: out of memory. */
inlay_graph *inlay_graph_new_like(const inlay_graph *g, inlay_diags *d);
/* There is such a function. */
bool inlay_graph_can_expand(const inlay_graph *g);
/* Calls it. */
bool inlay_node_expand(const inlay_node *n, inlay_graph *to, inlay_value *const *in,
                       inlay_value **out, inlay_asked *asked, inlay_diags *d);
/* G or a body below it has or had a deferred node. */
bool inlay_graph_had_deferred(const inlay_graph *g);
/* infer/deferred.c: what N, a deferred node, waits for, and the inputs of the graph whose shapes
 * may say it: "the number of axes of \"z\" is not known before the run; say --shape x=...". */
const char *inlay_deferred_text(const inlay_node *n, char *buf, size_t size);

/* infer/expand.c: infers G and puts those of its deferred nodes, and of its bodies, for which
 * enough is known, into what they stand for, in one walk. *ANY (may be NULL): there was one. What
 * is refused is an error, but in a body, which may never run: there it is told in the run. */
bool inlay_expand_graph(inlay_graph *g, bool *any, inlay_diags *d);

#endif
