/* Steps that a module computes together. */
#ifndef INLAY_EXEC_BUILD_CHAIN_H
#define INLAY_EXEC_BUILD_CHAIN_H

#include "interp/exec/build/builder.h"

/* Finds the steps that a module computes together. False: out of memory. */
bool build_chains(exec_builder *b);
/* Frees what modules made for X. */
void build_leave_chains(const exec_instance *x);

#endif
