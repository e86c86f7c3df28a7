/* The instances of a plan, which sessions share. */
#ifndef INLAY_EXEC_BUILD_CACHE_H
#define INLAY_EXEC_BUILD_CACHE_H

#include "interp/exec/build/instance.h"

/* Returns the instance for the outside O, whose key is KEY. The caller returns it to the cache. */
const exec_instance *exec_cache_take(const exec_plan *p, const exec_outside *o, const int64_t *key,
                                     size_t n_key, inlay_diags *d);
void exec_cache_give(const exec_plan *p, const exec_instance *x);

#endif
