/* More of attributes. For the folders of this project, not installed. */
#ifndef INLAY_IR_GRAPH_ATTR_H
#define INLAY_IR_GRAPH_ATTR_H

#include "ir/graph.h"

/* The scalar of MindSpore's scatter_: I holds it when it is INTEGRAL, F otherwise; the other one is
 * not looked at. */
bool inlay_node_set_number(inlay_node *n, const char *name, bool integral, int64_t i, double f,
                           inlay_diags *d);
/* Attribute I of the row as it is in force: given, else the default, else NULL. */
static inline const inlay_attr *inlay_node_attr_at(const inlay_node *n, int i)
{
    if (n->attrs[i].set)
        return &n->attrs[i];
    return n->op->attrs[i].has_default ? &n->op->attrs[i].dflt : NULL;
}
/* Sets the attribute to X, which another node has for one of the same kind. */
bool inlay_node_set_attr(inlay_node *n, const char *name, const inlay_attr *x, inlay_diags *d);
/* Attribute I of the row is not given any more: its default is in force, or none. */
void inlay_node_unset_attr(inlay_node *n, int i);

/* An attribute as text, in the spelling of OpenVINO's XML (parser/openvino/README.md 3.2); messages
 * name what was found and what was expected. */
bool inlay_node_set_attr_text(inlay_node *n, int attr, const char *text, inlay_diags *d);
/* true, false, 1 or 0 in any letter case; false when TEXT is none of them. */
bool inlay_bool_parse(const char *text, bool *out);
/* Two attributes of one kind hold the same: numbers and tensors bit for bit. NULL: absent. */
bool inlay_attr_equal(inlay_attr_kind kind, const inlay_attr *a, const inlay_attr *b);
/* Two nodes of one operation have the same attributes in force. *WHICH, unless NULL: the row's
 * attribute that differs; -1: one of a stand-in. */
bool inlay_node_same_attrs(const inlay_node *a, const inlay_node *b, int *which);
/* A hash of an attribute: what inlay_attr_equal calls equal has equal hashes, within one process.
 * Of a tensor it looks at type and dims only: elements may be many. A may be NULL. */
uint64_t inlay_attr_hash(inlay_attr_kind kind, const inlay_attr *a);

#endif
