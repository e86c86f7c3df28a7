/* Hash functions: equal things have equal hashes, within one process. For the folders of this
 * project, not installed. */
#ifndef INLAY_IR_HASH_H
#define INLAY_IR_HASH_H

#include <stddef.h>
#include <stdint.h>

/* SipHash-1-3 of N bytes, with a key that differs from process to process, so that a hostile file
 * cannot choose names with equal hashes. */
uint64_t inlay_hash(const void *bytes, size_t n);
/* Combines H with NEXT; the order matters. */
uint64_t inlay_hash_join(uint64_t h, uint64_t next);

#endif
