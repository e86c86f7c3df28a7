/* What is known about a value, asked in the two ways that passes and executors ask most. */
#include "ir/graph/node.h"
#include "ir/tensor/storage.h"

bool inlay_fact_dims(const inlay_fact *f, int64_t *dims)
{
    if (!f || f->rank > INLAY_MAX_RANK)
        return false;
    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]))
            return false;
        dims[i] = f->dims[i].lo;
    }
    return f->rank >= 0;
}

bool inlay_fact_bytes(const inlay_fact *f, size_t *bytes)
{
    int64_t dims[INLAY_MAX_RANK];

    return f && f->type != INLAY_DYNAMIC && inlay_fact_dims(f, dims) &&
           inlay_count_bytes(f->type, f->rank, dims, bytes);
}

bool inlay_fact_same_shape(const inlay_fact *a, const inlay_fact *b)
{
    if (!a || !b || a->rank < 0 || a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++) {
        if (!inlay_dim_proven_equal(a->dims[i], b->dims[i]))
            return false;
    }
    return true;
}

bool inlay_fact_is_empty(const inlay_fact *f)
{
    for (int i = 0; f && i < f->rank; i++) {
        if (f->dims[i].hi == 0)
            return true;
    }
    return false;
}
