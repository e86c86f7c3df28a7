/* Messages about nodes. For the folders of this project, not installed. */
#ifndef INLAY_IR_GRAPH_FAIL_H
#define INLAY_IR_GRAPH_FAIL_H

#include "ir/graph.h"

void inlay_warn_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* Records a warning with status INLAY_DIFFERENT: a claim of the file about N, or about all of G (N
 * is NULL), is wrong and ignored. */
void inlay_warn_claim(inlay_diags *d, const inlay_graph *g, const inlay_node *n, const char *fmt,
                      ...) INLAY_PRINTF(4, 5);
/* Records a decision for users who ask why: not a warning. */
void inlay_note_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* inlay_fail_node with a va_list. */
bool inlay_vfail_node(inlay_diags *d, const inlay_node *node, const char *fmt, va_list args);
/* The same with status INLAY_NO_RESOURCE. */
bool inlay_fail_resource_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* Formats a node or a value for a sentence, a long name cut: `"r" (SliceScatter-15)`, `"r"`,
 * `"split.1"`. */
char *inlay_node_words(const inlay_node *n, char *buf, size_t size);
char *inlay_value_words(const inlay_value *v, char *buf, size_t size);

#endif
