/* What a module of kernels (module.h) can do of a graph, and where the module is. */
#ifndef INLAY_LIBRARY_CHAIN_H
#define INLAY_LIBRARY_CHAIN_H

#include "interp/call/kernel.h"
#include "interp/library/module.h"

/* Opens the module of oneDNN, which stands beside the library; it stays open. NULL: it is not
 * there, or is another version's; WHY, ROOM bytes, receives the reason. */
const module_table *chain_open(char *why, size_t room);
/* Returns whether a chain may begin with N: it is worth it to call a module for such a node. */
bool chain_begins(const inlay_node *n);
/* Returns whether a module reads another form of operand 1 of N, the constant T, and not T. */
bool chain_packs(const inlay_node *n, const inlay_tensor *t);
/* Returns no less than the bytes of that form. */
size_t chain_packed_bytes(const inlay_node *n, const inlay_tensor *t);
/* Returns whether C, whose operands and output are dense but have no elements, can be a node of a
 * chain; only output 0 is wanted. OUT receives it: `in` are numbers of operands of C then.
 * CONSTANT: by operand, whether it has elements after all. */
bool chain_takes(const inlay_call *c, const bool *constant, module_node *out);
/* Returns how many products the node N, which was made of C, computes; of others 0. */
double chain_products(const inlay_call *c, const module_node *n);

#endif
