/* As much of an outside as an instance depends on. */
#ifndef INLAY_EXEC_BUILD_KEY_H
#define INLAY_EXEC_BUILD_KEY_H

#include "interp/exec/build/instance.h"

/* Returns the room for the key of any outside of graph S: for each tensor, 1 + INLAY_MAX_RANK * 2
 * numbers are enough. */
size_t exec_key_capacity(const graph_steps *s, const exec_outside *o);
/* Writes what O is, as far as an instance depends on it, to KEY. Returns how many numbers were
 * written. */
size_t exec_key(const graph_steps *s, const exec_outside *o, int64_t *key);
/* Returns whether exec_key would write KEY, N numbers, for O. */
bool exec_key_is(const graph_steps *s, const exec_outside *o, const int64_t *key, size_t n);

#endif
