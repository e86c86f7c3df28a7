/* Tables of bytes. */
#ifndef INLAY_LIBRARY_LOOKUP_H
#define INLAY_LIBRARY_LOOKUP_H

#include <stdint.h>

enum { LOOKUP_ENTRIES = 256 };

/* Sets N bytes TO to the entries of TABLE for the bytes FROM, which may be the same memory. */
void lookup_bytes(const uint8_t *table, const uint8_t *from, uint8_t *to, int64_t n);

#endif
