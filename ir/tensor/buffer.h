/* What tensors use of buffers beyond ir/tensor.h. Private to ir/tensor/. */
#ifndef INLAY_IR_BUFFER_H
#define INLAY_IR_BUFFER_H

#include "ir/tensor.h"

#include <stdatomic.h>

/* Releases one reference; true when it was the last. */
static inline bool inlay_drop_reference(atomic_size_t *references)
{
    if (atomic_fetch_sub_explicit(references, 1, memory_order_release) != 1)
        return false;
    atomic_thread_fence(memory_order_acquire);
    return true;
}

/* Is there exactly one reference to B? */
bool inlay_buffer_is_sole(const inlay_buffer *b);
/* Lets B keep OTHER alive, and does not look whether it does already. */
bool inlay_buffer_keep_one(inlay_buffer *b, inlay_buffer *other);
/* Lets DST keep alive what SRC keeps alive, before elements of SRC are copied to it. */
bool inlay_buffer_keep_same(inlay_buffer *dst, const inlay_buffer *src);
/* Returns the whole pages within N BYTES of B to the system, if B is a mapped file. */
void inlay_buffer_unload(const inlay_buffer *b, const void *bytes, size_t n);
/* Allocates LENGTH bytes that live as long as B; NULL when out of memory. */
char *inlay_buffer_string(inlay_buffer *b, size_t length);

#endif
