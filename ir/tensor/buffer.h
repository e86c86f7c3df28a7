/* What tensors need of buffers beyond ir/tensor.h. Private to ir/tensor/. */
#ifndef INLAY_IR_BUFFER_H
#define INLAY_IR_BUFFER_H

#include "ir/tensor.h"

#include <stdatomic.h>

/* Gives one reference back; true when it was the last. */
static inline bool inlay_drop_reference(atomic_size_t *references)
{
    if (atomic_fetch_sub_explicit(references, 1, memory_order_release) != 1)
        return false;
    atomic_thread_fence(memory_order_acquire);
    return true;
}

/* There is one reference to B. */
bool inlay_buffer_is_sole(const inlay_buffer *b);
/* DST's elements are about to point where SRC's do. */
bool inlay_buffer_keep_same(inlay_buffer *dst, const inlay_buffer *src);
/* Gives whole pages among N BYTES of B back to the system, if B is a mapped file. */
void inlay_buffer_unload(const inlay_buffer *b, const void *bytes, size_t n);
/* LENGTH bytes that live as long as B; NULL when out of memory. */
char *inlay_buffer_string(inlay_buffer *b, size_t length);

#endif
