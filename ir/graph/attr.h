/* More functions on attributes. For the folders of this project, not installed. */
#ifndef INLAY_IR_GRAPH_ATTR_H
#define INLAY_IR_GRAPH_ATTR_H

#include "ir/graph.h"

/* Sets the scalar of MindSpore's scatter_: to I if it is INTEGRAL, else to F; the other one is
 * ignored. */
bool inlay_node_set_number(inlay_node *n, const char *name, bool integral, int64_t i, double f,
                           inlay_diags *d);
/* Returns attribute I of the row: the given value, else the default, else NULL. */
static inline const inlay_attr *inlay_node_attr_at(const inlay_node *n, int i)
{
    if (n->attrs[i].set)
        return &n->attrs[i];
    return n->op->attrs[i].has_default ? &n->op->attrs[i].dflt : NULL;
}
/* Sets attribute NAME to X, an attribute of the same kind of another node. */
bool inlay_node_set_attr(inlay_node *n, const char *name, const inlay_attr *x, inlay_diags *d);
/* Removes attribute I of the row; its default takes effect, if it has one. */
void inlay_node_unset_attr(inlay_node *n, int i);

/* Sets an attribute from text, in the spelling of OpenVINO's XML (parser/openvino/README.md 3.2);
 * messages say what was found and what was expected. */
bool inlay_node_set_attr_text(inlay_node *n, int attr, const char *text, inlay_diags *d);
/* Parses true, false, 1 or 0 in any letter case; false when TEXT is none of them. */
bool inlay_bool_parse(const char *text, bool *out);
/* Are two attributes of one kind equal, numbers and tensors bit for bit? NULL: absent. */
bool inlay_attr_equal(inlay_attr_kind kind, const inlay_attr *a, const inlay_attr *b);
/* Do two nodes of one operation have equal attributes, defaults included? Sets *WHICH, unless NULL,
 * to the row's attribute that differs; -1: one of a stand-in. */
bool inlay_node_same_attrs(const inlay_node *a, const inlay_node *b, int *which);
/* Hashes an attribute: those that inlay_attr_equal calls equal have equal hashes, within one
 * process. Of a tensor only type and dims are hashed, because it may be large. A may be NULL. */
uint64_t inlay_attr_hash(inlay_attr_kind kind, const inlay_attr *a);

#endif
