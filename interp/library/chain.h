/* Which nodes of a graph a kernel module (module.h) can compute, and where the module is. */
#ifndef INLAY_LIBRARY_CHAIN_H
#define INLAY_LIBRARY_CHAIN_H

#include "interp/call/kernel.h"
#include "interp/library/module.h"

/* Opens the module of oneDNN, which is beside the library; it stays open. NULL: there is none, or
 * it is of another version; the reason is written to WHY[ROOM]. */
const module_table *chain_open(char *why, size_t room);
/* May a chain begin with N: is it worth calling a module for such a node? */
bool chain_begins(const inlay_node *n);
/* Does a module read operand 1 of N, the constant T, in a packed form instead of T itself? */
bool chain_packs(const inlay_node *n, const inlay_tensor *t);
/* Returns an upper bound on the bytes of that form. */
size_t chain_packed_bytes(const inlay_node *n, const inlay_tensor *t);
/* Can C, whose operands and output are dense but have no elements, be a node of a chain, with
 * output 0 alone used? Sets OUT to the node, in which `in` are operand numbers of C. CONSTANT, by
 * operand: it does have elements. */
bool chain_takes(const inlay_call *c, const bool *constant, module_node *out);
/* Returns the number of products that node N, made from C, computes; 0 for other nodes. */
double chain_products(const inlay_call *c, const module_node *n);

#endif
