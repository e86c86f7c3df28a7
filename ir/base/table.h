/* Wraps uthash: out of memory returns instead of exiting, and the hash has a secret key so that a
 * hostile file cannot choose names that all fall into one bucket. The only file that includes
 * uthash. */
#ifndef INLAY_IR_TABLE_H
#define INLAY_IR_TABLE_H

/* A function that adds entries declares `bool table_oom = false;`, which it checks afterwards, and
 * `inlay_budget *table_budget`, where the table counts. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (table_oom = true)
#define HASH_FUNCTION(key, len, hash) (hash) = (unsigned)inlay_hash(key, len)

#define uthash_malloc(size) inlay_take_raw(table_budget, size)
#define uthash_free(bytes, size) inlay_give(bytes)

#include "ir/base/hash.h"
#include "ir/base/memory.h"

#include <uthash.h>

#endif
