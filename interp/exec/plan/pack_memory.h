/* Memory of packed forms, which are read in each run from one end to the other. Those that an
 * instance makes lie in one block, one behind the other. */
#ifndef INLAY_EXEC_PLAN_PACK_MEMORY_H
#define INLAY_EXEC_PLAN_PACK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Blocks of forms, the last one first; NULL: none. */
typedef struct pack_memory pack_memory;

/* Returns how many bytes of a block a form of BYTES takes; SIZE_MAX: there is no such block. */
size_t pack_memory_size(size_t bytes);
/* Adds a block with room for BYTES to *R, if the last one has less. Returns success. */
bool pack_memory_reserve(pack_memory **r, size_t bytes);
/* Returns BYTES that begin a line of the processor's cache, and live as long as R; they may be
 * anything. NULL: out of memory. */
void *pack_memory_take(pack_memory **r, size_t bytes);
void pack_memory_free(pack_memory *r);

#endif
