#include "interp/exec/plan/pack_memory.h"

#include "ir/shared.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    LINE = 64,
    HUGE = 2 << 20 /* a large page */
};

struct pack_memory {
    char *next; /* the next of LEFT unused bytes */
    size_t left;
    char *block;
    size_t size; /* of BLOCK, which is not taken but charged, because it is aligned */
    pack_memory *rest;
};

size_t pack_memory_size(size_t bytes)
{
    return bytes > SIZE_MAX - LINE ? SIZE_MAX : (bytes + LINE - 1) / LINE * LINE;
}

static size_t size_of(size_t bytes)
{
    size_t page = bytes < HUGE ? LINE : HUGE;

    return (bytes + page - 1) / page * page;
}

/* Allocates BYTES. With large pages there are fewer address translations, and prefetching is not
 * stopped at each small page: a product of one row with packed weights takes 0.9 of the time. Only
 * whole large pages are asked for, so that no memory is wasted. */
static char *block_of(size_t bytes)
{
    size_t page = bytes < HUGE ? LINE : HUGE;
    char *block = aligned_alloc(page, size_of(bytes));

#ifdef MADV_HUGEPAGE
    if (block && bytes >= HUGE)
        madvise(block, bytes / HUGE * HUGE, MADV_HUGEPAGE);
#endif
    return block;
}

bool pack_memory_reserve(pack_memory **r, inlay_budget *budget, size_t bytes)
{
    pack_memory *added;

    if (*r && (*r)->left >= bytes)
        return true;
    added = bytes < SIZE_MAX - HUGE ? inlay_take_raw(budget, sizeof *added) : NULL;
    if (!added || !inlay_budget_charge(budget, size_of(bytes))) {
        inlay_give(added);
        return false;
    }
    added->size = size_of(bytes);
    added->block = added->next = block_of(bytes);
    added->left = bytes;
    added->rest = *r;
    if (!added->block) {
        inlay_budget_discharge(budget, added->size);
        inlay_give(added);
        return false;
    }
    *r = added;
    return true;
}

void *pack_memory_take(pack_memory **r, inlay_budget *budget, size_t bytes)
{
    size_t room = pack_memory_size(bytes);
    char *taken;

    if (!pack_memory_reserve(r, budget, room))
        return NULL;
    taken = (*r)->next;
    (*r)->next += room;
    (*r)->left -= room;
    return taken;
}

void pack_memory_free(pack_memory *r)
{
    for (pack_memory *rest; r; r = rest) {
        rest = r->rest;
        free(r->block);
        inlay_budget_discharge(inlay_budget_of(r), r->size);
        inlay_give(r);
    }
}
