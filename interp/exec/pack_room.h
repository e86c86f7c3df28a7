/* Memory of packed forms, which are read in each run from one end to the other. Those that an
 * instance makes lie in one block, one behind the other. */
#ifndef INLAY_EXEC_PACK_ROOM_H
#define INLAY_EXEC_PACK_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Blocks of forms, the last one first; NULL: none. */
typedef struct pack_room pack_room;

/* Returns how many bytes of a block a form of BYTES takes; SIZE_MAX: there is no such block. */
size_t pack_room_size(size_t bytes);
/* Adds a block with room for BYTES to *R, if the last one has less. Returns success. */
bool pack_room_reserve(pack_room **r, size_t bytes);
/* Returns BYTES that begin a line of the processor's cache, and live as long as R; they may be
 * anything. NULL: out of memory. */
void *pack_room_take(pack_room **r, size_t bytes);
void pack_room_free(pack_room *r);

#endif
