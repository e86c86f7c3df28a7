/* Common queries about what is known of a value, and setters. */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/argument.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/tensor/storage.h"

#include <string.h>

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

bool inlay_fact_is_exact(const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];

    return f->type != INLAY_DYNAMIC && inlay_fact_dims(f, dims);
}

bool inlay_fact_bytes(const inlay_fact *f, size_t *bytes)
{
    int64_t dims[INLAY_MAX_RANK];

    return f && f->type != INLAY_DYNAMIC && inlay_fact_dims(f, dims) &&
           inlay_count_bytes(f->type, f->rank, dims, bytes);
}

bool inlay_fact_sizes(const inlay_fact *f, int64_t *dims)
{
    size_t bytes;

    return inlay_fact_bytes(f, &bytes) && inlay_fact_dims(f, dims);
}

bool inlay_fact_same_width(const inlay_fact *a, const inlay_fact *b)
{
    return a->type != INLAY_DYNAMIC && b->type != INLAY_DYNAMIC &&
           inlay_type_info_of(a->type)->bits == inlay_type_info_of(b->type)->bits &&
           inlay_type_refers(a->type) == inlay_type_refers(b->type);
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

bool inlay_value_set_fact(inlay_value *v, inlay_type type, int rank, const inlay_dim *dims,
                          inlay_diags *d)
{
    inlay_dim *copy = NULL;

    if (inlay_is_missing(v, "value", d) || !inlay_type_is_sound(type, v->node, d) ||
        !inlay_shape_is_sound(rank, dims, v->node, d))
        return false;
    if (rank > 0) {
        copy = inlay_arena_array(v->node->graph->arena, (size_t)rank, sizeof *copy);
        if (!copy)
            return inlay_fail_memory(d);
        memcpy(copy, dims, (size_t)rank * sizeof *copy);
    }
    v->fact = (inlay_fact){.type = type, .rank = rank, .dims = copy};
    inlay_value_unsettle_readers(v);
    return true;
}

void inlay_value_unsettle_readers(inlay_value *v)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        inlay_count_steps(v->node->graph, 1);
        u->node->settled = false;
    }
}

bool inlay_node_may_fail(const inlay_node *n)
{
    const inlay_value *v = inlay_node_input(n, n->op->faults);
    const inlay_tensor *t;

    if (!v || inlay_type_is_float(v->fact.type))
        return false;
    t = v->fact.content;
    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++) {
        if (inlay_tensor_get_i64(t, i) <= 0)
            return true;
    }
    return !t;
}
