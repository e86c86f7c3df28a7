/* Hashes of attributes. */
#include "ir/base/hash.h"
#include "ir/graph/attr.h"
#include "ir/op.h"

#include <string.h>

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
