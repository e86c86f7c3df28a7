/* Rows of a list, which no strided view can show: they are computed one at a time. Private to this
 * room. */
#ifndef INLAY_PASSES_INPLACE_ROWS_H
#define INLAY_PASSES_INPLACE_ROWS_H

#include "passes/inplace/decide.h"

/* Has the kernel of N a function for a single row at any address? */
bool inplace_has_row_function(const inlay_node *n);
/* Makes the nodes that compute SCATTER's updates row by row, and those that pick these rows,
 * consecutive: all else that they read is made before. *LATE receives what cannot be, or NULL. */
bool inplace_rows_together(inplace_pass *p, const inlay_node *scatter, const inlay_node **late,
                           inlay_in_place *what);
/* Called when all else is decided: refuses D if the rows of SCATTER cannot be computed one at a
 * time, because of how operands lie in memory or because other nodes come in between. */
bool inplace_check_rows(inplace_pass *p, const inlay_node *scatter, inlay_decision *d);
/* Do all readers of V compute SCATTER's updates elementwise, and nothing else? If not, *OTHER is
 * one that does not. */
bool inplace_feeds_only(inplace_pass *p, const inlay_value *v, const inlay_node *scatter,
                        const inlay_node **other);

#endif
