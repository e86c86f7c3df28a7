/* What replaces values while an instance is made: allocations at made-up addresses, meta tensors in
 * them, and the elements that are known. */
#include "interp/exec/build/meta.h"
#include "interp/exec/build/layout.h"

static const uintptr_t last_fake = (uintptr_t)1 << 62;

bool build_plannable(inlay_type type)
{
    return type != INLAY_DYNAMIC && !inlay_type_refers(type) &&
           inlay_type_info_of(type)->bits % 8 == 0;
}

size_t build_allocation(exec_builder *b, exec_root root, size_t slot, uint64_t bytes)
{
    exec_allocation *u = &b->x->allocations[b->x->n_allocations];

    if (bytes > last_fake || b->next > last_fake - bytes ||
        b->x->n_allocations == b->cap_allocations)
        return SIZE_MAX;
    *u = (exec_allocation){.root = root,
                           .slot = slot,
                           .node = b->now ? b->now->step->node : NULL,
                           .fake = (char *)b->next, /* NOLINT: never read */
                           .bytes = bytes,
                           .same = b->x->n_allocations,
                           .was = SIZE_MAX,
                           .first = b->now ? exec_time((size_t)(b->now - b->x->list)) : 0};
    b->next += (uintptr_t)(bytes + 2 * LAYOUT_LINE) & ~(uintptr_t)(LAYOUT_LINE - 1);
    return b->x->n_allocations++;
}

bool build_value(exec_builder *b, size_t slot, size_t allocation, inlay_tensor *t)
{
    b->x->meta[slot] = t;
    b->x->allocation[slot] = t ? allocation : SIZE_MAX;
    return t != NULL;
}

inlay_tensor *build_dense(inlay_arena *a, const inlay_fact *f, char *address)
{
    int64_t dims[INLAY_MAX_RANK];

    return inlay_fact_dims(f, dims) ? inlay_tensor_over_in(a, NULL, address, f->type, f->rank, dims)
                                    : NULL;
}

/* Returns a tensor with the known elements of F, or NULL. */
static inlay_tensor *tensor_of_known(exec_builder *b, const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;
    void *elements;
    size_t bytes;

    if (!f->known || !inlay_fact_dims(f, dims) || !inlay_type_is_int(f->type))
        return NULL;
    for (int i = 0; i < f->n_known; i++) {
        if (!inlay_dim_is_static(f->known[i]))
            return NULL;
    }
    elements = inlay_count_bytes(f->type, f->rank, dims, &bytes)
                   ? inlay_arena_alloc(b->scratch, bytes)
                   : NULL;
    t = elements ? inlay_tensor_over_in(b->scratch, NULL, elements, f->type, f->rank, dims) : NULL;
    for (int i = 0; t && i < f->n_known; i++)
        inlay_tensor_set_i64(t, i, f->known[i].lo);
    return t;
}

const inlay_tensor *build_readable(exec_builder *b, size_t slot)
{
    size_t allocation = b->x->allocation[slot];

    if (allocation != SIZE_MAX && b->x->allocations[allocation].root == EXEC_CONST)
        return b->x->meta[slot];
    if (!b->readable[slot])
        b->readable[slot] = tensor_of_known(b, b->fact[slot]);
    return b->readable[slot];
}

const inlay_fact *build_fact(exec_builder *b, const inlay_tensor *t)
{
    inlay_fact *f = inlay_arena_alloc(b->scratch, sizeof *f);
    inlay_dim *dims = inlay_arena_array(b->scratch, (size_t)t->rank + 1, sizeof *dims);

    if (!f || !dims)
        return NULL;
    for (int i = 0; i < t->rank; i++)
        dims[i] = inlay_dim_of(t->dims[i]);
    *f = (inlay_fact){.type = t->type, .rank = t->rank, .dims = dims};
    return f;
}

/* Finds how far T extends from its first element, in bytes, in both directions; T is in memory. */
static void reach(const inlay_tensor *t, uint64_t *before, uint64_t *behind)
{
    uint64_t size = (uint64_t)inlay_type_info_of(t->type)->bits / 8 + 1;

    *before = 0;
    *behind = size;
    for (int i = 0; i < t->rank && inlay_tensor_count(t) > 0; i++) {
        int64_t way = (t->dims[i] - 1) * t->strides[i];

        *(way < 0 ? before : behind) += size * (uint64_t)(way < 0 ? -way : way);
    }
}

bool build_outside(exec_builder *b, size_t slot, const inlay_tensor *t, exec_root root, int number)
{
    uint64_t before, behind;
    inlay_tensor *dense, *meta;
    size_t allocation;

    reach(t, &before, &behind);
    allocation = build_allocation(b, root, slot, before + behind + LAYOUT_LINE);
    if (allocation == SIZE_MAX)
        return false;
    b->x->allocations[allocation].number = number;
    b->x->allocations[allocation].fake += (before + LAYOUT_LINE - 1) / LAYOUT_LINE * LAYOUT_LINE +
                                          exec_first_byte(t) % sizeof(int64_t);
    dense = inlay_tensor_over_in(b->scratch, NULL, b->x->allocations[allocation].fake, t->type,
                                 t->rank, t->dims);
    meta =
        dense ? inlay_tensor_window_in(b->x->memory, dense, t->rank, t->dims, t->strides, 0) : NULL;
    inlay_tensor_release(dense);
    b->fact[slot] = build_fact(b, t);
    return b->fact[slot] && build_value(b, slot, allocation, meta);
}

bool build_is_data(const exec_builder *b, int i)
{
    const inlay_op *op = b->now->step->node->op;
    bool all = op->flags & INLAY_MOVES;

    for (int k = 0; all && k < op->n_in; k++)
        all = op->in[k].var >= 0 && op->in[k].var == op->out[0].var;
    return i == 0 || all ||
           ((op->flags & INLAY_SCATTER) && i == inlay_op_operand(op, INLAY_ROLE_UPDATES));
}

inlay_tensor *build_reshaped(inlay_arena *a, inlay_tensor *t, const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], count;
    inlay_tensor *same = NULL;
    bool fits = t && inlay_fact_dims(f, dims);

    if (fits && t->rank == f->rank && !memcmp(t->dims, dims, (size_t)f->rank * sizeof *dims))
        return t;
    if (fits && inlay_count_elements(f->rank, dims, &count) && count > 0 &&
        inlay_tensor_count(t) == count &&
        inlay_strides_reshaped(t->rank, t->dims, t->strides, f->rank, dims, strides))
        same = inlay_tensor_window_in(a, t, f->rank, dims, strides, 0);
    inlay_tensor_release(t);
    return same;
}
