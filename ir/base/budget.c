/* A budget is two counters. Whatever is taken has a head before it that says how much counts where,
 * so that freeing it needs to know neither, and whoever holds it last, in whatever thread, gives it
 * back. */
#include "ir/base/memory.h"
#include "ir/base/record.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The bit of `held` that says that the owner still uses the budget. The budget lives as long as
 * anything is held, itself included. */
static const uint64_t OWNED = UINT64_C(1) << 63;

struct inlay_budget {
    _Atomic uint64_t held, peak; /* bytes; HELD with OWNED */
    atomic_bool over;            /* something was refused */
    uint64_t limit;              /* 0: none */
    inlay_budget *outer;         /* what counts here counts there, too; NULL: nowhere else */
};

/* Before what was taken. */
struct head {
    alignas(max_align_t) inlay_budget *budget;
    size_t cost; /* what counts there */
};

enum { ROUND = 16, ALLOCATOR = 8 /* bytes that the C library adds */ };

inlay_budget *inlay_budget_within(inlay_budget *outer, uint64_t limit, inlay_diags *d)
{
    inlay_budget *b = calloc(1, sizeof *b);

    if (!b) {
        inlay_fail_memory(d);
        return NULL;
    }
    atomic_init(&b->held, OWNED);
    atomic_init(&b->peak, 0);
    atomic_init(&b->over, false);
    b->limit = limit;
    b->outer = outer;
    return b;
}

inlay_budget *inlay_budget_new(uint64_t limit, inlay_diags *d)
{
    return inlay_budget_within(NULL, limit, d);
}

/* Takes N off what B holds; it goes with the last of it. */
static void drop(inlay_budget *b, uint64_t n)
{
    if (atomic_fetch_sub(&b->held, n) == n)
        free(b);
}

void inlay_budget_free(inlay_budget *b)
{
    if (b)
        drop(b, OWNED);
}

uint64_t inlay_budget_limit(const inlay_budget *b)
{
    return b ? b->limit : 0;
}

uint64_t inlay_budget_used(const inlay_budget *b)
{
    return b ? atomic_load(&b->held) & ~OWNED : 0;
}

uint64_t inlay_budget_peak(const inlay_budget *b)
{
    return b ? atomic_load(&b->peak) : 0;
}

uint64_t inlay_budget_left(const inlay_budget *b)
{
    uint64_t left = UINT64_MAX;

    for (; b; b = b->outer) {
        uint64_t used = inlay_budget_used(b);
        uint64_t here = used < b->limit ? b->limit - used : 0;

        left = b->limit > 0 && here < left ? here : left;
    }
    return left;
}

/* The outermost one that has refused something; NULL: none has. */
static const inlay_budget *refuser(const inlay_budget *b)
{
    const inlay_budget *found = NULL;

    for (; b; b = b->outer)
        found = atomic_load(&b->over) ? b : found;
    return found;
}

uint64_t inlay_budget_refused(const inlay_budget *b)
{
    return inlay_budget_limit(refuser(b));
}

static bool add(inlay_budget *b, uint64_t size)
{
    uint64_t held = atomic_load(&b->held), peak = atomic_load(&b->peak), now;

    do {
        now = held & ~OWNED;
        if (size > OWNED / 2 - now || (b->limit > 0 && (now > b->limit || size > b->limit - now))) {
            atomic_store(&b->over, true);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&b->held, &held, held + size));
    now += size;
    while (peak < now && !atomic_compare_exchange_weak(&b->peak, &peak, now))
        ;
    return true;
}

/* Takes SIZE off from B on, as far as END. */
static void discharge_until(inlay_budget *b, const inlay_budget *end, uint64_t size)
{
    while (b != end) {
        inlay_budget *outer = b->outer; /* B may be gone */

        drop(b, size);
        b = outer;
    }
}

bool inlay_budget_charge(inlay_budget *b, uint64_t size)
{
    for (inlay_budget *x = b; x && size > 0; x = x->outer) {
        if (!add(x, size)) {
            discharge_until(b, x, size);
            return false;
        }
    }
    return true;
}

void inlay_budget_discharge(inlay_budget *b, uint64_t size)
{
    if (size > 0)
        discharge_until(b, NULL, size);
}

bool inlay_budget_tell(const inlay_budget *b, bool ok, inlay_diags *d)
{
    const inlay_budget *by = ok ? NULL : refuser(b);

    if (by && inlay_diags_out_of_memory(d))
        inlay_fail_limit(
            d, NULL,
            "out of memory: the limit is %" PRIu64 " byte%s, of which %" PRIu64 " are in use",
            by->limit, inlay_plural((int64_t)by->limit, "", "s"), inlay_budget_used(by));
    return ok;
}

/* What SIZE bytes count. SIZE_MAX: there are no so many. */
static size_t cost_of(size_t size)
{
    const size_t beside = sizeof(struct head) + ALLOCATOR + ROUND - 1;

    return size > SIZE_MAX / 2 - beside ? SIZE_MAX : (size + beside) / ROUND * ROUND;
}

/* Begins BLOCK, which has room for its head and for what counts COST in B. */
static void *begin(struct head *block, inlay_budget *b, size_t cost)
{
    if (!block) {
        inlay_budget_discharge(b, cost);
        return NULL;
    }
    block->budget = b;
    block->cost = cost;
    return block + 1;
}

void *inlay_take(inlay_budget *b, size_t count, size_t size)
{
    size_t cost = size > 0 && count > SIZE_MAX / size ? SIZE_MAX : cost_of(count * size);

    if (cost == SIZE_MAX || !inlay_budget_charge(b, cost))
        return NULL;
    /* calloc instead of malloc and memset: a large block then costs nothing until it is used. */
    return begin(calloc(1, sizeof(struct head) + count * size), b, cost);
}

void *inlay_take_raw(inlay_budget *b, size_t size)
{
    size_t cost = cost_of(size);

    if (cost == SIZE_MAX || !inlay_budget_charge(b, cost))
        return NULL;
    return begin(malloc(sizeof(struct head) + size), b, cost);
}

void *inlay_retake(inlay_budget *b, void *p, size_t size)
{
    struct head *old = p ? (struct head *)p - 1 : NULL, *block;
    size_t cost = cost_of(size), before;

    if (!old)
        return inlay_take_raw(b, size);
    b = old->budget;
    before = old->cost;
    if (cost == SIZE_MAX || (cost > before && !inlay_budget_charge(b, cost - before)))
        return NULL;
    block = realloc(old, sizeof *block + size);
    if (!block) {
        inlay_budget_discharge(b, cost > before ? cost - before : 0);
        return NULL;
    }
    block->cost = cost;
    inlay_budget_discharge(b, before > cost ? before - cost : 0);
    return block + 1;
}

inlay_budget *inlay_budget_of(const void *p)
{
    return p ? ((const struct head *)p - 1)->budget : NULL;
}

void inlay_give(void *p)
{
    struct head *block = p ? (struct head *)p - 1 : NULL;
    inlay_budget *b = block ? block->budget : NULL;
    size_t cost = block ? block->cost : 0;

    free(block);
    inlay_budget_discharge(b, cost);
}
