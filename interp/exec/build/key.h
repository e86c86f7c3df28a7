/* The part of an outside on which an instance depends. */
#ifndef INLAY_EXEC_BUILD_KEY_H
#define INLAY_EXEC_BUILD_KEY_H

#include "interp/exec/build/instance.h"

/* Returns a capacity that is enough for the key of any outside of graph S: 1 + INLAY_MAX_RANK * 2
 * numbers per tensor. */
size_t exec_key_capacity(const graph_steps *s, const exec_outside *o);
/* Writes to KEY what an instance depends on in O. Returns how many numbers that took. */
size_t exec_key(const graph_steps *s, const exec_outside *o, int64_t *key);
/* Returns whether exec_key would write KEY, N numbers, for O. */
bool exec_key_is(const graph_steps *s, const exec_outside *o, const int64_t *key, size_t n);

#endif
