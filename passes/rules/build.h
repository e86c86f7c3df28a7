/* The construction of a rule's right side. Private to passes/rules/. */
#ifndef INLAY_PASSES_RULE_BUILD_H
#define INLAY_PASSES_RULE_BUILD_H

#include "passes/rules/rule.h"

typedef struct rule_building {
    rule_match *m;
    inlay_node *made[RULE_NODES]; /* the node in the graph for each node of the right side */
    uint32_t first_id;            /* nodes with larger ids are new */
    inlay_diags *diags;
} rule_building;

/* Makes the nodes of the right side, and sets OUT to a value for each of the root's N outputs. */
bool rule_make_values(rule_building *b, inlay_value **out, int n);

#endif
