/* Writes to memory past the caches. */
#ifndef INLAY_EXEC_RUN_STREAM_H
#define INLAY_EXEC_RUN_STREAM_H

#include <stddef.h>

/* Copies N bytes. What stood at TO is not fetched from memory first, as a plain store does with
 * each line of a cache; what was copied is in no cache afterwards. */
void stream_copy(char *to, const char *from, size_t n);
/* What was copied before is seen by other threads as if plain stores had written it. */
void stream_end(void);

#endif
