/* Graphs of several kinds and of any size, as text: the work that is done on a graph must grow as
 * the graph does. */
#ifndef INLAY_TESTS_SCALING_GRAPHS_H
#define INLAY_TESTS_SCALING_GRAPHS_H

#include "ir/ir.h"

enum { SCALING_KINDS = 52 };

/* Returns "chain", "many-outputs" and so on; NULL past the last kind. */
const char *scaling_kind(size_t i);
/* Adds to OUT the text of a graph of kind I with about N nodes. */
void scaling_text(size_t i, int n, inlay_strbuf *out);

#endif
