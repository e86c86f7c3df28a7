/* Hashes of bytes, of attributes and of elements, for tables of equal things: what is equal has
 * equal hashes, within one process. For the folders of this project, not installed. */
#ifndef INLAY_IR_HASH_H
#define INLAY_IR_HASH_H

#include "ir/ir.h"

/* SipHash-1-3 of N bytes, keyed by values that differ from process to process, so that a hostile
 * file cannot choose names that all have one hash. */
uint64_t inlay_hash(const void *bytes, size_t n);
/* H, and NEXT after it. */
uint64_t inlay_hash_join(uint64_t h, uint64_t next);
/* As inlay_attr_equal compares, but of a tensor type and dims only: elements may be many. A may be
 * NULL. */
uint64_t inlay_attr_hash(inlay_attr_kind kind, const inlay_attr *a);
/* COUNT elements of T from the FIRST one on, in row-major order, wherever and however they lie. */
uint64_t inlay_tensor_hash(const inlay_tensor *t, int64_t first, int64_t count);

#endif
