/* Graphs of several kinds and of any size, as text: what work is done on them must grow as they do.
 */
#ifndef INLAY_TESTS_SCALING_GRAPHS_H
#define INLAY_TESTS_SCALING_GRAPHS_H

#include "ir/ir.h"

enum { SCALING_KINDS = 12 };

/* "chain", "many-outputs", ...; NULL past the last. */
const char *scaling_kind(size_t i);
/* Adds to OUT the text of a graph of kind I with about N nodes. */
void scaling_text(size_t i, int n, inlay_strbuf *out);

#endif
