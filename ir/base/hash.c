/* Keyed as inlay_hash is. */
#include "ir/base/hash.h"
#include "ir/base/table.h"

#include <string.h>

enum { BLOCK = 256, LARGEST = 16 }; /* elements that are hashed in one go; bytes of one */

uint64_t inlay_hash_join(uint64_t h, uint64_t next)
{
    uint64_t both[2] = {h, next};

    return inlay_hash(both, sizeof both);
}

static uint64_t hash_shape(const inlay_shape *s)
{
    uint64_t h = (uint64_t)(int64_t)s->rank;

    for (int i = 0; i < s->rank; i++)
        h = inlay_hash_join(inlay_hash_join(h, (uint64_t)s->dim[i].lo), (uint64_t)s->dim[i].hi);
    return h;
}

static uint64_t hash_form(const inlay_tensor *t)
{
    uint64_t h = inlay_hash_join((uint64_t)t->type, (uint64_t)(int64_t)t->rank);

    return t->rank > 0 ? inlay_hash_join(h, inlay_hash(t->dims, (size_t)t->rank * sizeof *t->dims))
                       : h;
}

static uint64_t hash_strings(const inlay_attr *a)
{
    uint64_t h = (uint64_t)a->n;

    for (int i = 0; i < a->n; i++)
        h = inlay_hash_join(h, inlay_hash(a->as.strings[i], strlen(a->as.strings[i])));
    return h;
}

uint64_t inlay_attr_hash(inlay_attr_kind kind, const inlay_attr *a)
{
    size_t n = a && a->n > 0 ? (size_t)a->n : 0;

    if (!a)
        return 0;
    switch (kind) {
    case INLAY_ATTR_BOOL:
        return inlay_hash_join(1, a->as.b);
    case INLAY_ATTR_INT:
        return inlay_hash_join(1, (uint64_t)a->as.i);
    case INLAY_ATTR_FLOAT:
        return inlay_hash(&a->as.f, sizeof a->as.f);
    case INLAY_ATTR_NUMBER:
        return inlay_hash_join((uint64_t)a->as.number.i,
                               inlay_hash(&a->as.number.f, sizeof a->as.number.f));
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
        return a->as.s ? inlay_hash(a->as.s, strlen(a->as.s)) : 0;
    case INLAY_ATTR_TYPE:
        return inlay_hash_join(1, (uint64_t)a->as.type);
    case INLAY_ATTR_INTS:
        return inlay_hash(a->as.ints, n * sizeof *a->as.ints);
    case INLAY_ATTR_FLOATS:
        return inlay_hash(a->as.floats, n * sizeof *a->as.floats);
    case INLAY_ATTR_STRINGS:
        return hash_strings(a);
    case INLAY_ATTR_TYPES:
        return inlay_hash(a->as.types, n * sizeof *a->as.types);
    case INLAY_ATTR_SHAPE:
        return hash_shape(a->as.shape);
    case INLAY_ATTR_TENSOR:
        return hash_form(a->as.tensor);
    case INLAY_ATTR_VARIABLE:
        return inlay_hash(a->as.variable->name, strlen(a->as.variable->name));
    }
    return 0;
}

static uint64_t hash_string(uint64_t h, const inlay_tensor *t, int64_t i)
{
    inlay_string s = inlay_tensor_get_string(t, i);

    return inlay_hash_join(h, inlay_hash(s.bytes, s.length));
}

/* Elements that do not lie side by side, or share bytes, are put together first. */
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
