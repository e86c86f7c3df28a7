/* Equality of nodes as written. Private to ir/graph. */
#ifndef INLAY_IR_GRAPH_COMPARE_H
#define INLAY_IR_GRAPH_COMPARE_H

#include "ir/graph.h"

/* Are A and B, which may be NULL, the same text? */
bool inlay_same_text(const char *a, const char *b);
/* Have A and B the same row, or are they stand-ins of one name? */
bool compare_ops(const inlay_op *a, const inlay_op *b);
/* Have A and B one type and shape? Identities of open sizes are ignored. */
bool compare_facts(const inlay_fact *a, const inlay_fact *b);
/* Have A and B equal roles and port maps? */
bool compare_maps(const inlay_body *a, const inlay_body *b);

#endif
