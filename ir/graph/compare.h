/* When two nodes are written alike. Private to ir/graph. */
#ifndef INLAY_IR_GRAPH_COMPARE_H
#define INLAY_IR_GRAPH_COMPARE_H

#include "ir/graph.h"

/* The same row, or stand-ins of one name. */
bool compare_ops(const inlay_op *a, const inlay_op *b);
/* One type and shape; identities of open sizes do not count. */
bool compare_facts(const inlay_fact *a, const inlay_fact *b);
/* Roles and port maps. */
bool compare_maps(const inlay_body *a, const inlay_body *b);

#endif
