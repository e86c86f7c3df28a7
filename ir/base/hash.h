/* Hashes, for tables of equal things: what is equal has equal hashes, within one process. For the
 * folders of this project, not installed. */
#ifndef INLAY_IR_HASH_H
#define INLAY_IR_HASH_H

#include <stddef.h>
#include <stdint.h>

/* SipHash-1-3 of N bytes, keyed by values that differ from process to process, so that a hostile
 * file cannot choose names that all have one hash. */
uint64_t inlay_hash(const void *bytes, size_t n);
/* H, and NEXT after it. */
uint64_t inlay_hash_join(uint64_t h, uint64_t next);

#endif
