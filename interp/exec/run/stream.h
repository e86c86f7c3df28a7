/* Writes that bypass the caches. */
#ifndef INLAY_EXEC_RUN_STREAM_H
#define INLAY_EXEC_RUN_STREAM_H

#include <stddef.h>

/* Copies N bytes. Unlike with plain stores, the cache lines at TO are not fetched from memory
 * first, and the copied bytes are in no cache afterwards. */
void stream_copy(char *to, const char *from, size_t n);
/* Makes the bytes that were copied visible to other threads, as plain stores are. */
void stream_end(void);

#endif
