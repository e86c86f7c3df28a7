/* The right side of a rule while it is made. Private to passes/rules/. */
#ifndef INLAY_PASSES_RULE_BUILD_H
#define INLAY_PASSES_RULE_BUILD_H

#include "passes/rules/rule.h"

typedef struct rule_building {
    rule_match *m;
    inlay_node *made[RULE_NODES]; /* the node in the graph for each node of the right side */
    uint32_t first_id;            /* nodes from there on are new */
    inlay_diags *diags;
} rule_building;

/* Makes the nodes of the right side. OUT receives its values, one for each of the root's N outputs.
 * */
bool rule_make_values(rule_building *b, inlay_value **out, int n);

#endif
