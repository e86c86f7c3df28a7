/* Prints a graph as text. */
#ifndef INLAY_PRINT_H
#define INLAY_PRINT_H

#include "ir/graph.h"
#include "ir/strbuf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* text/print.c, text/print_dot.c: the text form (ir/text/TEXT.md) and Graphviz */

/* Writes G to TO as text; when FULL, constants have all their elements, so that the text can be
 * read back. */
INLAY_API bool inlay_print(const inlay_graph *g, bool full, const inlay_sink *to, inlay_diags *d);
/* The short text, with a comment at each node that gives its origin and the rewrite that made it:
 * `// from "rows" line 12, by 3 simplify slice-of-slice`. */
INLAY_API bool inlay_print_provenance(const inlay_graph *g, const inlay_sink *to, inlay_diags *d);
/* Writes N to TO as its line in that text, without its bodies; with PROVENANCE that comment too. */
INLAY_API bool inlay_print_node(const inlay_node *n, bool provenance, const inlay_sink *to,
                                inlay_diags *d);
/* Writes G to TO in the language of Graphviz. */
INLAY_API bool inlay_print_dot(const inlay_graph *g, const inlay_sink *to, inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif
