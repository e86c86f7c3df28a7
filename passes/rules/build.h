/* A right side being made. Private to passes/rule_*.c. */
#ifndef INLAY_PASSES_RULE_BUILD_H
#define INLAY_PASSES_RULE_BUILD_H

#include "passes/rules/rule.h"

typedef struct rule_building {
    rule_match *m;
    inlay_node *made[RULE_NODES]; /* what the nodes of the right side became */
    uint32_t first_id;            /* nodes from there on are new */
    inlay_diags *diags;
} rule_building;

/* The values of the right side, one for each of the root's N outputs. */
bool rule_make_values(rule_building *b, inlay_value **out, int n);

#endif
