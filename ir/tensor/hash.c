/* Hashes of elements. */
#include "ir/base/hash.h"
#include "ir/tensor.h"
#include "ir/tensor/number.h"
#include "ir/tensor/storage.h"

#include <string.h>

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

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

__extension__ typedef unsigned __int128 product;

/* Four hashes side by side of long runs, which need not wait for each other: each takes sixteen
 * bytes by one product, of which no bit is lost, as wyhash does. */
static uint64_t hash_long(uint64_t hash, const unsigned char *p, size_t n)
{
    uint64_t x[8], lane[4] = {hash, hash + 1, hash + 2, hash + 3};

    for (; n >= sizeof x; p += sizeof x, n -= sizeof x) {
        memcpy(x, p, sizeof x);
        for (int i = 0; i < 4; i++) {
            product both =
                (product)(x[2 * i] ^ UINT64_C(0x9e3779b97f4a7c15)) * (x[2 * i + 1] ^ lane[i]);

            lane[i] = (uint64_t)both ^ (uint64_t)(both >> 64);
        }
    }
    return mix(mix(mix(lane[0], lane[1]), lane[2]), lane[3]);
}

static uint64_t hash_bytes(uint64_t hash, const unsigned char *p, size_t n)
{
    size_t of_long = n < 256 ? 0 : n / 64 * 64;
    uint64_t x;

    if (of_long)
        hash = hash_long(hash, p, of_long);
    for (p += of_long, n -= of_long; n >= 8; p += 8, n -= 8) {
        memcpy(&x, p, 8);
        hash = mix(hash, x);
    }
    x = 0;
    memcpy(&x, p, n);
    return mix(hash, x ^ (uint64_t)n << 56);
}

uint64_t inlay_tensor_digest(const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);
    int bits = inlay_type_info_of(t->type)->bits;
    uint64_t hash = mix((uint64_t)t->type, (uint64_t)n);

    if (bits % 8 == 0 && t->type != INLAY_STRING && inlay_tensor_is_dense(t))
        return hash_bytes(hash, (const unsigned char *)t->data + t->offset * (bits / 8),
                          inlay_tensor_bytes(t));
    for (int64_t i = 0; i < n; i++) {
        unsigned char element[16] = {0};

        if (t->type == INLAY_STRING) {
            inlay_string s = inlay_tensor_get_string(t, i);

            hash = hash_bytes(hash, (const unsigned char *)(s.bytes ? s.bytes : ""), s.length);
        } else {
            inlay_copy_element(t->type, element, 0, t->data, inlay_tensor_index(t, i));
            hash = hash_bytes(hash, element, sizeof element);
        }
    }
    return hash;
}
