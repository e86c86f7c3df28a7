/* Memory for packed forms of constants, which each run reads from one end to the other. The forms
 * for one instance are adjacent, in one block. */
#ifndef INLAY_EXEC_PLAN_PACK_MEMORY_H
#define INLAY_EXEC_PLAN_PACK_MEMORY_H

#include "ir/budget.h"

#include <stdbool.h>
#include <stddef.h>

/* A list of blocks, the last one first; NULL: none. */
typedef struct pack_memory pack_memory;

/* Returns how many bytes of a block a form of BYTES takes; SIZE_MAX: it is too large. */
size_t pack_memory_size(size_t bytes);
/* Adds a block with space for BYTES to *R, unless the last one has it; it counts in BUDGET (NULL:
 * nowhere). Returns success. */
bool pack_memory_reserve(pack_memory **r, inlay_budget *budget, size_t bytes);
/* Returns BYTES of uninitialised memory at the beginning of a cache line, which live as long as R.
 * NULL: out of memory. */
void *pack_memory_take(pack_memory **r, inlay_budget *budget, size_t bytes);
void pack_memory_free(pack_memory *r);

#endif
