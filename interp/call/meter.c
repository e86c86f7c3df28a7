/* Each counted buffer holds a reference to its meter. When the last tensor on the buffer is
 * released, anywhere, its bytes are subtracted. */
#include "interp/call/meter.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    POISON = 0xA5,
    TENSOR_COST = 384,   /* of a tensor in addition to its elements, with alignment */
    RANK_COST = 16,      /* of each dimension: a size and a stride */
    SPARE_FROM = 1 << 20 /* bytes: smaller memory is not worth keeping as spare */
};

struct inlay_meter {
    atomic_uint_fast64_t now, peak; /* bytes of elements of tensors */
    atomic_uint_fast64_t beside;    /* other bytes that count against the limit, if there is one */
    atomic_int refs;
    inlay_budget *budget; /* what the tensors count in besides; NULL: nothing */
    uint64_t limit;
    bool poison; /* freed and uninitialised memory is overwritten, to expose its use */
    /* The memory of the last large tensor that was freed, which is not counted; or NULL. A model
     * that is run repeatedly needs memory of the same size each time, and new pages from the system
     * cost as much as writing them. */
    _Atomic(inlay_buffer *) spare;
};

/* The state of a counted buffer. */
struct block {
    inlay_meter *meter;
    uint64_t size, cost;
    inlay_buffer *memory;
};

inlay_meter *meter_new(inlay_budget *budget, uint64_t limit, uint64_t held, bool poison)
{
    inlay_meter *m = inlay_take(budget, 1, sizeof *m);

    if (!m)
        return NULL;
    atomic_init(&m->now, 0);
    atomic_init(&m->peak, 0);
    atomic_init(&m->beside, held);
    atomic_init(&m->refs, 1);
    atomic_init(&m->spare, NULL);
    m->budget = budget;
    m->limit = limit;
    m->poison = poison;
    return m;
}

void meter_release(inlay_meter *m)
{
    if (m && atomic_fetch_sub(&m->refs, 1) == 1) {
        inlay_buffer_release(atomic_load(&m->spare));
        inlay_give(m);
    }
}

inlay_budget *meter_budget(const inlay_meter *m)
{
    return m->budget;
}

bool meter_is_limited(const inlay_meter *m)
{
    return m->limit > 0;
}

bool meter_may_keep(const inlay_meter *m, uint64_t size)
{
    enum { LITTLE = 64 };

    return m->limit == 0 || size <= m->limit / LITTLE;
}

uint64_t meter_now(const inlay_meter *m)
{
    return atomic_load(&m->now);
}

uint64_t meter_peak(const inlay_meter *m)
{
    return atomic_load(&m->peak);
}

void meter_reset_peak(inlay_meter *m)
{
    atomic_store_explicit(&m->peak, atomic_load(&m->now), memory_order_relaxed);
}

/* Returns whether SIZE bytes of elements and COST other bytes stay within the limit. */
static bool fits(const inlay_meter *m, uint64_t size, uint64_t cost, const inlay_node *node,
                 inlay_diags *d)
{
    uint64_t now = atomic_load(&m->now), beside = atomic_load(&m->beside), left = m->limit;

    if (m->limit == 0)
        return true;
    if (size > left || now > left - size)
        return inlay_fail_resource_node(
            d, node,
            "%" PRIu64 " byte%s are needed; with the %" PRIu64
            " in use that is over the memory limit of %" PRIu64 " byte%s",
            size, inlay_plural(size, "", "s"), now, m->limit, inlay_plural(m->limit, "", "s"));
    left -= size + now;
    if (cost <= left && beside <= left - cost)
        return true;
    return inlay_fail_resource_node(
        d, node,
        "%" PRIu64 " byte%s are needed; with the %" PRIu64 " in use and %" PRIu64
        " beside them (inputs, scratch, what a tensor costs beside its elements) that is over the "
        "memory limit of %" PRIu64 " byte%s",
        size + cost, inlay_plural(size + cost, "", "s"), now, beside, m->limit,
        inlay_plural(m->limit, "", "s"));
}

bool meter_take(inlay_meter *m, uint64_t size, const inlay_node *node, inlay_diags *d)
{
    if (!fits(m, size, 0, node, d))
        return false;
    if (m->limit > 0)
        atomic_fetch_add(&m->beside, size);
    return true;
}

void meter_give(inlay_meter *m, uint64_t size)
{
    if (m->limit > 0 && size > 0)
        atomic_fetch_sub(&m->beside, size);
}

static void count_block(inlay_meter *m, uint64_t size, uint64_t cost)
{
    uint_fast64_t now = atomic_fetch_add(&m->now, size) + size;
    uint_fast64_t peak = atomic_load(&m->peak);

    while (peak < now && !atomic_compare_exchange_weak(&m->peak, &peak, now))
        ;
    if (m->limit > 0)
        atomic_fetch_add(&m->beside, cost);
    atomic_fetch_add(&m->refs, 1);
}

/* What is kept as spare still counts in the budget, where others may need it. */
static bool is_little(const inlay_meter *m, uint64_t size)
{
    enum { SHARE = 8 };
    uint64_t limit = inlay_budget_limit(m->budget);

    return limit == 0 || size <= limit / SHARE;
}

static void release_block(void *ctx, void *data, size_t size)
{
    struct block *b = ctx;
    inlay_meter *m = b->meter;

    if (m->poison)
        memset(data, POISON, size);
    atomic_fetch_sub(&m->now, b->size);
    meter_give(m, b->cost);
    if (b->size >= SPARE_FROM && is_little(m, b->size))
        b->memory = atomic_exchange(&m->spare, b->memory);
    inlay_buffer_release(b->memory);
    inlay_give(b);
    meter_release(m);
}

/* Returns the spare memory if it is WANTED and has SIZE bytes. Otherwise it is kept, or freed if it
 * and SIZE more bytes would exceed the limit. */
static inlay_buffer *take_spare(inlay_meter *m, size_t size, bool wanted)
{
    inlay_buffer *spare = atomic_exchange(&m->spare, NULL);
    uint64_t all =
        spare ? inlay_buffer_size(spare) + size + atomic_load(&m->now) + atomic_load(&m->beside)
              : 0;

    if (spare && wanted && inlay_buffer_size(spare) == size)
        return spare;
    if (spare && (m->limit == 0 || all <= m->limit))
        spare = atomic_exchange(&m->spare, spare);
    inlay_buffer_release(spare);
    return NULL;
}

static inlay_buffer *string_room(void *ctx, size_t size);

/* COUNTED: those of the SIZE bytes that are elements. ZEROED false: they are uninitialised. */
static inlay_buffer *block_new(inlay_meter *m, size_t size, size_t counted, uint64_t cost,
                               bool zeroed)
{
    struct block *b =
        inlay_take_raw(m->budget, sizeof *b); /* calloc takes none of those freed just before */
    inlay_buffer *buffer = NULL;

    if (b)
        *b = (struct block){.memory = take_spare(m, size, !zeroed)};
    if (b && !b->memory)
        b->memory =
            zeroed ? inlay_buffer_in(m->budget, size) : inlay_buffer_raw_in(m->budget, size);
    if (b && b->memory)
        buffer =
            inlay_buffer_wrap_in(m->budget, inlay_buffer_data(b->memory), size, release_block, b);
    if (!buffer) {
        inlay_buffer_release(b ? b->memory : NULL);
        inlay_give(b);
        return NULL;
    }
    inlay_buffer_set_access(buffer, INLAY_ACCESS_OWN);
    inlay_buffer_set_room(buffer, string_room);
    if (m->poison && !zeroed && size > 0)
        memset(inlay_buffer_data(buffer), POISON, size);
    b->meter = m;
    b->size = counted;
    b->cost = cost;
    count_block(m, counted, cost);
    return buffer;
}

/* The bytes of strings are no elements, but count against the limit. */
static inlay_buffer *string_room(void *ctx, size_t size)
{
    inlay_meter *m = ((const struct block *)ctx)->meter;

    return fits(m, 0, size, NULL, NULL) ? block_new(m, size, 0, size, false) : NULL;
}

static inlay_tensor *fail_size(inlay_type type, int rank, const int64_t *dims,
                               const inlay_node *node, inlay_diags *d)
{
    char text[512];
    inlay_shape s = {.rank = rank};

    for (int i = 0; i < rank; i++)
        s.dim[i] = inlay_dim_of(dims[i]);
    inlay_shape_text(rank, s.dim, text, sizeof text);
    inlay_fail_resource_node(d, node,
                             "a tensor of type %s and shape %s does not fit the address space",
                             inlay_type_info_of(type)->name, text);
    return NULL;
}

/* Memory ended where SIZE bytes were asked for NODE: the budget refused them, or the system. */
static void fail_memory(const inlay_meter *m, uint64_t size, const inlay_node *node, inlay_diags *d)
{
    uint64_t limit = inlay_budget_refused(m->budget);

    if (limit == 0)
        inlay_fail_memory(d);
    else
        inlay_fail_resource_node(d, node,
                                 "%" PRIu64 " byte%s are needed; with the %" PRIu64
                                 " in use that is over the memory limit of %" PRIu64 " byte%s",
                                 size, inlay_plural((int64_t)size, "", "s"),
                                 inlay_budget_used(m->budget), limit,
                                 inlay_plural((int64_t)limit, "", "s"));
}

static inlay_tensor *new_tensor(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                                bool zeroed, size_t room, const inlay_node *node, inlay_diags *d)
{
    inlay_buffer *b;
    inlay_tensor *t;
    uint64_t cost = TENSOR_COST + (uint64_t)rank * RANK_COST;
    size_t size;

    if (!inlay_count_bytes(type, rank, dims, &size))
        return fail_size(type, rank, dims, node, d);
    if (!fits(m, size, cost, node, d))
        return NULL;
    if (room > SIZE_MAX - size || !meter_may_keep(m, room) ||
        !fits(m, size + room, cost, node, NULL))
        room = 0;
    b = block_new(m, size + room, size + room, cost, zeroed);
    if (b)
        inlay_buffer_set_used(b, size + room, size);
    t = b ? inlay_tensor_over(b, inlay_buffer_data(b), type, rank, dims) : NULL;
    inlay_buffer_release(b);
    if (!t)
        fail_memory(m, size + cost, node, d);
    return t;
}

inlay_tensor *meter_tensor(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                           const inlay_node *node, inlay_diags *d)
{
    return new_tensor(m, type, rank, dims, true, 0, node, d);
}

/* Not for elements smaller than a byte, which are merged into existing bytes and need a zero
 * remainder; nor for strings, which are pointers. */
static bool may_be_raw(inlay_type type)
{
    return inlay_type_info_of(type)->bits % 8 == 0 && !inlay_type_refers(type);
}

inlay_tensor *meter_tensor_raw(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                               const inlay_node *node, inlay_diags *d)
{
    return new_tensor(m, type, rank, dims, !may_be_raw(type), 0, node, d);
}

inlay_tensor *meter_tensor_like(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                                inlay_diags *d)
{
    return meter_tensor_raw(m, t->type, t->rank, t->dims, node, d);
}

inlay_tensor *meter_tensor_with_room(inlay_meter *m, const inlay_tensor *t, size_t room,
                                     const inlay_node *node, inlay_diags *d)
{
    return new_tensor(m, t->type, t->rank, t->dims, !may_be_raw(t->type), room, node, d);
}

inlay_tensor *meter_tensor_in_periods(inlay_meter *m, const inlay_tensor *form, size_t size,
                                      size_t period, size_t used, const inlay_node *node,
                                      inlay_diags *d)
{
    uint64_t cost = TENSOR_COST + (uint64_t)form->rank * RANK_COST;
    inlay_buffer *b = NULL;
    inlay_tensor *dense, *t;

    if (!fits(m, size, cost, node, d))
        return NULL;
    b = block_new(m, size, size, cost, !may_be_raw(form->type));
    if (b)
        inlay_buffer_set_used(b, period, used);
    dense =
        b ? inlay_tensor_over(b, inlay_buffer_data(b), form->type, form->rank, form->dims) : NULL;
    inlay_buffer_release(b);
    t = dense ? inlay_tensor_window(dense, form->rank, form->dims, form->strides, 0) : NULL;
    inlay_tensor_release(dense);
    if (!t)
        inlay_fail_memory(d);
    return t;
}

inlay_tensor *meter_copy(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                         inlay_diags *d)
{
    inlay_tensor *copy = meter_tensor_like(m, t, node, d);

    if (!copy || inlay_tensor_assign(copy, t))
        return copy;
    inlay_tensor_release(copy);
    inlay_fail_memory(d);
    return NULL;
}
