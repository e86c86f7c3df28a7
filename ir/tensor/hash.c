/* Hashes of elements. */
#include "ir/base/hash.h"
#include "ir/tensor.h"
#include "ir/tensor/number.h"
#include "ir/tensor/storage.h"

enum {
    BLOCK = 256, /* the number of elements hashed at once */
    LARGEST = 16 /* the bytes of the largest element */
};

/* The hash of an element that points to something: a string, or a tensor. */
static uint64_t hash_far(uint64_t h, const inlay_tensor *t, int64_t i)
{
    const inlay_tensor *item = inlay_tensor_get_item(t, i);
    inlay_string s = inlay_tensor_get_string(t, i);

    if (t->type == INLAY_ITEM)
        return inlay_hash_join(h, item ? inlay_tensor_hash(item, 0, inlay_tensor_count(item))
                                       : UINT64_MAX);
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

    for (int64_t i = 0; inlay_type_refers(t->type) && i < count; i++)
        h = hash_far(h, t, first + i);
    for (int64_t i = 0; !inlay_type_refers(t->type) && i < count; i += BLOCK) {
        int64_t n = count - i < BLOCK ? count - i : BLOCK;

        h = inlay_hash_join(h, hash_block(t, first + i, n));
    }
    return h;
}
