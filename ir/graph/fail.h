/* More messages about a node. For the folders of this project, not installed. */
#ifndef INLAY_IR_GRAPH_FAIL_H
#define INLAY_IR_GRAPH_FAIL_H

#include "ir/graph.h"

void inlay_warn_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* A file claims of N, or of all of G (N is NULL), what is not so, and the claim is not obeyed: a
 * warning with the status INLAY_DIFFERENT. */
void inlay_warn_claim(inlay_diags *d, const inlay_graph *g, const inlay_node *n, const char *fmt,
                      ...) INLAY_PRINTF(4, 5);
/* What was decided, for people who ask why: not a warning. */
void inlay_note_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* As inlay_fail_node. */
bool inlay_vfail_node(inlay_diags *d, const inlay_node *node, const char *fmt, va_list args);
/* The same with status INLAY_NO_RESOURCE. */
bool inlay_fail_resource_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* A node and a value in a sentence, a long name cut: `"r" (SliceScatter-15)`, `"r"`, `"split.1"`.
 */
char *inlay_node_words(const inlay_node *n, char *buf, size_t size);
char *inlay_value_words(const inlay_value *v, char *buf, size_t size);

#endif
