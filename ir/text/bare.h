/* Parts of the text form. For the folders of this project, not installed. */
#ifndef INLAY_IR_TEXT_BARE_H
#define INLAY_IR_TEXT_BARE_H

#include "ir/graph.h"
#include "ir/strbuf.h"

/* print.c: appends N and its bodies with types and shapes, but without names of tensors, notes,
 * metadata and identities of sizes that have no name. FULL: all elements of constants. */
bool inlay_print_bare(const inlay_node *n, bool full, inlay_strbuf *to, inlay_diags *d);
/* Appends `%NAME`, quoted if it must be, and `:INDEX` unless that is below 0. */
void inlay_print_operand(inlay_strbuf *b, const char *name, int index);

#endif
