/* Hashes of elements. */
#include "ir/base/hash.h"
#include "ir/tensor.h"
#include "ir/tensor/number.h"
#include "ir/tensor/storage.h"

enum {
    BLOCK = 256, /* the number of elements hashed at once */
    LARGEST = 16 /* the bytes of the largest element */
};

static uint64_t hash_string(uint64_t h, const inlay_tensor *t, int64_t i)
{
    inlay_string s = inlay_tensor_get_string(t, i);

    return inlay_hash_join(h, inlay_hash(s.bytes, s.length));
}

/* If the elements are not contiguous, or share bytes, they are first copied. */
static uint64_t hash_block(const inlay_tensor *t, int64_t first, int64_t count)
{
    unsigned char block[BLOCK * LARGEST] = {0};
    size_t bits = (size_t)inlay_type_info_of(t->type)->bits;

    if (bits % 8 == 0 && inlay_tensor_is_dense(t))
        return inlay_hash((const char *)t->data + (size_t)first * (bits / 8),
                          (size_t)count * (bits / 8));
    for (int64_t i = 0; i < count; i++)
        inlay_copy_element(t->type, block, i, t->data, inlay_tensor_index(t, first + i));
    return inlay_hash(block, ((size_t)count * bits + 7) / 8);
}

uint64_t inlay_tensor_hash(const inlay_tensor *t, int64_t first, int64_t count)
{
    uint64_t h = (uint64_t)count;

    for (int64_t i = 0; t->type == INLAY_STRING && i < count; i++)
        h = hash_string(h, t, first + i);
    for (int64_t i = 0; t->type != INLAY_STRING && i < count; i += BLOCK) {
        int64_t n = count - i < BLOCK ? count - i : BLOCK;

        h = inlay_hash_join(h, hash_block(t, first + i, n));
    }
    return h;
}
