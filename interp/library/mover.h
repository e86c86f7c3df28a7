/* Copies the elements of a tensor to another one, at any strides: permutations, broadcasts, steps,
 * axes that are shown from their end. */
#ifndef INLAY_LIBRARY_MOVER_H
#define INLAY_LIBRARY_MOVER_H

#include "ir/tensor.h"

/* Copies the elements of SRC over those of DST, as inlay_tensor_assign does. */
bool library_assign(inlay_tensor *dst, const inlay_tensor *src);

#endif
