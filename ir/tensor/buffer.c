/* Reference-counted bytes.
 *
 * Strings: an element of a string tensor is {bytes, length}; the bytes are in chunks that the
 * buffer keeps alive. A buffer only keeps leaf buffers (chunks, mapped files), and a copy of
 * elements takes over the list of chunks, never a reference to the other buffer itself: so there
 * are no cycles. */
#include "ir/tensor/buffer.h"
#include "ir/base/memory.h"
#include "ir/tensor/storage.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BUFFER_ALIGNMENT = 64,
    HUGE_PAGES_FROM = 4 << 20, /* bytes */
    STRING_CHUNK =
        4096 /* the size of a buffer's first chunk of string bytes; later chunks double */
};

struct inlay_buffer {
    atomic_size_t references;
    inlay_budget *budget; /* where it counts, with all that it keeps; or NULL */
    unsigned char *data;
    size_t size;
    size_t period;      /* for a buffer in periods: the bytes of a period */
    atomic_size_t used; /* the number of bytes used in each period; the others are free */
    inlay_release_fn *release;
    void *release_ctx;
    inlay_access access;
    bool mapped;
    inlay_buffer **kept;
    size_t n_kept, cap_kept;
    inlay_buffer *chunk; /* the last of the kept buffers, into which string bytes are written, or
                            NULL */
    size_t chunk_used;
    inlay_room_fn *room;     /* makes chunks; NULL: inlay_buffer_new */
    inlay_buffer *next_dead; /* used while buffers are destroyed */
};

/* Large blocks are fresh from the system: with huge pages their first use is much faster, and so is
 * a walk down a column. If the system refuses, nothing changes. */
static void ask_for_huge_pages(unsigned char *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    size_t page, skip;

    if (size < HUGE_PAGES_FROM)
        return;
    page = (size_t)sysconf(_SC_PAGESIZE);
    skip = (page - (uintptr_t)block % page) % page;
    madvise(block + skip, (size - skip) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)block, (void)size;
#endif
}

static inlay_buffer *begin(inlay_buffer *b, inlay_budget *budget, void *data, size_t size,
                           inlay_release_fn *release, void *ctx, inlay_access access)
{
    *b = (inlay_buffer){.references = 1,
                        .budget = budget,
                        .data = data,
                        .size = size,
                        .period = size,
                        .used = size,
                        .release = release,
                        .release_ctx = ctx,
                        .access = access};
    return b;
}

enum { BESIDE = sizeof(inlay_buffer) + BUFFER_ALIGNMENT };

/* Makes a buffer of BLOCK, which has SIZE bytes and those BESIDE them. NULL: out of memory. */
static inlay_buffer *over_block(inlay_budget *budget, unsigned char *block, size_t size)
{
    unsigned char *behind;

    if (block == NULL)
        return NULL;
    behind = block + sizeof(inlay_buffer);
    ask_for_huge_pages(block, size);
    return begin((void *)block, budget,
                 behind + (BUFFER_ALIGNMENT - (uintptr_t)behind % BUFFER_ALIGNMENT), size, NULL,
                 NULL, INLAY_ACCESS_OWN);
}

inlay_buffer *inlay_buffer_in(inlay_budget *budget, size_t size)
{
    return size > SIZE_MAX - BESIDE
               ? NULL
               : over_block(budget, inlay_take(budget, 1, size + BESIDE), size);
}

inlay_buffer *inlay_buffer_raw_in(inlay_budget *budget, size_t size)
{
    return size > SIZE_MAX - BESIDE
               ? NULL
               : over_block(budget, inlay_take_raw(budget, size + BESIDE), size);
}

inlay_buffer *inlay_buffer_new(size_t size)
{
    return inlay_buffer_in(NULL, size);
}

inlay_buffer *inlay_buffer_wrap_in(inlay_budget *budget, void *data, size_t size,
                                   inlay_release_fn *release, void *ctx)
{
    inlay_buffer *b =
        inlay_take_raw(budget, sizeof *b); /* calloc reuses none of those just freed */

    return b == NULL ? NULL : begin(b, budget, data, size, release, ctx, INLAY_ACCESS_GIVEN);
}

inlay_buffer *inlay_buffer_wrap(void *data, size_t size, inlay_release_fn *release, void *ctx)
{
    return inlay_buffer_wrap_in(NULL, data, size, release, ctx);
}

inlay_budget *inlay_buffer_budget(const inlay_buffer *b)
{
    return b ? b->budget : NULL;
}

inlay_access inlay_buffer_access(const inlay_buffer *b)
{
    return b != NULL ? b->access : INLAY_ACCESS_NONE;
}

void inlay_buffer_set_access(inlay_buffer *b, inlay_access access)
{
    if (b != NULL)
        b->access = access;
}

void inlay_buffer_set_room(inlay_buffer *b, inlay_room_fn *room)
{
    b->room = room;
}

void inlay_buffer_set_mapped(inlay_buffer *b)
{
    b->mapped = true;
}

void inlay_buffer_unload(const inlay_buffer *b, const void *bytes, size_t n)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)bytes;
    uintptr_t to = (from + n) & ~(page - 1);

    from = (from + page - 1) & ~(page - 1);
    if (b->mapped && from < to)
        madvise((void *)from, to - from, MADV_DONTNEED);
}

inlay_buffer *inlay_buffer_retain(inlay_buffer *b)
{
    if (b != NULL)
        atomic_fetch_add_explicit(&b->references, 1, memory_order_relaxed);
    return b;
}

void inlay_buffer_release(inlay_buffer *b)
{
    inlay_buffer *dead = b != NULL && inlay_drop_reference(&b->references) ? b : NULL;

    while (dead !=
           NULL) { /* they go through a list, so that freeing a long chain of kept buffers needs no
                   stack */
        inlay_buffer *next = dead->next_dead;
        for (size_t i = 0; i < dead->n_kept; i++) {
            if (inlay_drop_reference(&dead->kept[i]->references)) {
                dead->kept[i]->next_dead = next;
                next = dead->kept[i];
            }
        }
        if (dead->release != NULL)
            dead->release(dead->release_ctx, dead->data, dead->size);
        inlay_give(dead->kept);
        inlay_give(dead);
        dead = next;
    }
}

void inlay_buffer_set_used(inlay_buffer *b, size_t period, size_t used)
{
    b->period = period < b->size ? period : b->size;
    atomic_store_explicit(&b->used, used < b->period ? used : b->period, memory_order_relaxed);
}

bool inlay_buffer_has_periods(const inlay_buffer *b)
{
    return b != NULL && b->period < b->size;
}

bool inlay_buffer_extend(inlay_buffer *b, size_t period, size_t from, size_t to)
{
    return b != NULL && period == b->period && from <= to && to <= period &&
           atomic_compare_exchange_strong_explicit(&b->used, &from, to, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

bool inlay_buffer_is_sole(const inlay_buffer *b)
{
    return b != NULL && atomic_load_explicit(&b->references, memory_order_acquire) == 1;
}

void *inlay_buffer_data(const inlay_buffer *b)
{
    return b ? b->data : NULL;
}

size_t inlay_buffer_size(const inlay_buffer *b)
{
    return b ? b->size : 0;
}

bool inlay_buffer_keep_one(inlay_buffer *b, inlay_buffer *other)
{
    if (b->n_kept == b->cap_kept) {
        size_t cap = b->cap_kept == 0 ? 4 : 2 * b->cap_kept;
        inlay_buffer **kept = inlay_retake(b->budget, b->kept, cap * sizeof(inlay_buffer *));
        if (kept == NULL)
            return false;
        b->kept = kept;
        b->cap_kept = cap;
    }
    b->kept[b->n_kept++] = inlay_buffer_retain(other);
    return true;
}

bool inlay_buffer_keep(inlay_buffer *b, inlay_buffer *other)
{
    if (b == NULL)
        return false;
    if (other == NULL || other == b)
        return true;
    for (size_t i = 0; i < b->n_kept; i++) {
        if (b->kept[i] == other)
            return true;
    }
    return inlay_buffer_keep_one(b, other);
}

bool inlay_buffer_keep_same(inlay_buffer *dst, const inlay_buffer *src)
{
    for (size_t i = 0; dst != src && i < src->n_kept; i++) {
        if (!inlay_buffer_keep(dst, src->kept[i]))
            return false;
    }
    return true;
}

static inlay_buffer *new_chunk(const inlay_buffer *b, size_t size)
{
    return b->room ? b->room(b->release_ctx, size) : inlay_buffer_in(b->budget, size);
}

char *inlay_buffer_string(inlay_buffer *b, size_t length)
{
    char *bytes;

    if (b->chunk == NULL || b->chunk->size - b->chunk_used < length) {
        size_t size =
            b->chunk != NULL && b->chunk->size <= SIZE_MAX / 2 ? 2 * b->chunk->size : STRING_CHUNK;
        inlay_buffer *chunk = new_chunk(b, size > length ? size : length);
        bool kept;

        chunk = chunk == NULL && size > length ? new_chunk(b, length) : chunk;
        kept = chunk != NULL && inlay_buffer_keep(b, chunk);
        inlay_buffer_release(chunk);
        if (!kept)
            return NULL;
        b->chunk = chunk;
        b->chunk_used = 0;
    }
    bytes = (char *)b->chunk->data + b->chunk_used;
    b->chunk_used += length;
    return bytes;
}
