/* Who changes a graph, so that its nodes know by whom they were made. */
#ifndef INLAY_IR_PROVENANCE_H
#define INLAY_IR_PROVENANCE_H

#include "ir/graph.h"

/* All of these speak of a graph with its bodies: G may be any of them. */

/* How many applications were done so far: the next one has the next number. */
uint64_t inlay_applications(const inlay_graph *g);
/* From here on PASS (NULL: none any more) makes the nodes that no application makes. */
bool inlay_provenance_pass(inlay_graph *g, const char *pass, inlay_diags *d);
/* An application at AT begins, by RULE of PASS, or by PASS itself (NULL): what is made from here on
 * comes from where AT comes from. */
bool inlay_provenance_begin(const inlay_node *at, const char *pass, const char *rule,
                            inlay_diags *d);
/* It ends. When it is not KEPT, no node that it made is left, and its number is that of the next.
 */
bool inlay_provenance_end(const inlay_graph *g, bool kept, inlay_diags *d);

#endif
