/* Memory with one lifetime: blocks of growing size, from which objects are allocated, all freed at
 * once. Objects are not freed singly, so a graph takes a few large allocations instead of one for
 * each node. Blocks of a large graph are huge pages if the system has them, which makes walking the
 * graph a fifth faster. */

#include "ir/base/arena.h"
#include "ir/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A sanitizer sees only what malloc gave, so it is told which bytes of a block are an object. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { GUARD = 16 }; /* bytes behind each object that are none */
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
enum { GUARD = 0 };
#endif

struct block {
    struct block *next;
    size_t size, used;
    size_t mapped; /* bytes, header included; 0: from calloc */
    size_t dirty;  /* bytes behind this many are zeros */
    max_align_t bytes[];
};

struct inlay_arena {
    struct block *head;
    size_t total;         /* bytes of all allocations */
    uint64_t held;        /* bytes that count in BUDGET: its own, its blocks, what was charged */
    inlay_budget *budget; /* NULL: nobody counts */
    bool lacked;          /* there was no memory for a block of this arena */
};

enum {
    FIRST_BLOCK = 4096,
    HUGE_PAGE = 1 << 21,
    LARGEST_STEP = HUGE_PAGE - sizeof(struct block),
    MOST_SLACK = 1 << 16,
    LINE = 64,   /* bytes of a cache line */
    ARRAY = 1024 /* an allocation of at least this many bytes is probably an array that loops walk
                    */
};

inlay_arena *inlay_arena_of(inlay_budget *b)
{
    inlay_arena *a;

    if (!inlay_budget_charge(b, sizeof *a))
        return NULL;
    a = calloc(1, sizeof *a);
    if (a)
        *a = (inlay_arena){.held = sizeof *a, .budget = b};
    else
        inlay_budget_discharge(b, sizeof *a);
    return a;
}

inlay_arena *inlay_arena_new(void)
{
    return inlay_arena_of(NULL);
}

inlay_budget *inlay_arena_budget(const inlay_arena *a)
{
    return a ? a->budget : NULL;
}

bool inlay_arena_move(inlay_arena *a, inlay_budget *b)
{
    if (!inlay_budget_charge(b, a->held))
        return false;
    inlay_budget_discharge(a->budget, a->held);
    a->budget = b;
    return true;
}

bool inlay_arena_charge(inlay_arena *a, uint64_t size)
{
    if (!inlay_budget_charge(a->budget, size))
        return false;
    a->held += size;
    return true;
}

static void discharge(inlay_arena *a, uint64_t size)
{
    a->held -= size;
    inlay_budget_discharge(a->budget, size);
}

bool inlay_arena_lacked(const inlay_arena *a)
{
    return a->lacked;
}

static size_t block_size(const struct block *b)
{
    return b->mapped ? b->mapped : b->size + sizeof *b;
}

/* Removes block B from A's list. */
static void forget_block(inlay_arena *a, const struct block *b)
{
    discharge(a, block_size(b));
}

static void free_block(struct block *b)
{
    ASAN_UNPOISON_MEMORY_REGION(b->bytes, b->size);
    if (b->mapped)
        munmap(b, b->mapped);
    else
        free(b);
}

void inlay_arena_free(inlay_arena *a)
{
    if (!a)
        return;
    for (struct block *b = a->head, *next; b; b = next) {
        next = b->next;
        free_block(b);
    }
    discharge(a, a->held);
    free(a);
}

/* What is allocated next is zeroed then. */
static void empty_block(struct block *b)
{
    b->dirty = b->used > b->dirty ? b->used : b->dirty;
    ASAN_POISON_MEMORY_REGION(b->bytes, b->used);
    b->used = 0;
}

void inlay_arena_clear(inlay_arena *a)
{
    if (!a)
        return;

    struct block *kept = NULL;

    for (struct block *b = a->head, *next; b; b = next) {
        next = b->next;
        if (b->size == FIRST_BLOCK) {
            kept = b;
        } else {
            forget_block(a, b);
            free_block(b);
        }
    }
    if (kept) {
        empty_block(kept);
        kept->next = NULL;
    }
    a->head = kept;
    a->total = 0;
}

/* Maps a block with room for SIZE bytes: a whole number of huge pages, zeroed. */
static struct block *map_block(size_t size)
{
    size_t before, need = size + sizeof(struct block) + HUGE_PAGE - 1;
    struct block *b;
    char *p;

    need -= need % HUGE_PAGE;
    p = mmap(NULL, need + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    before = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
    if (before)
        munmap(p, before);
    if (before < HUGE_PAGE)
        munmap(p + before + need, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(p + before, need, MADV_HUGEPAGE);
#endif
    b = (struct block *)(void *)(p + before);
    b->mapped = need;
    b->size = need - sizeof *b;
    return b;
}

/* Blocks double up to a few megabytes, so that small graphs stay small and large ones take few
 * calls. */
static struct block *make_block(inlay_arena *a, size_t need)
{
    size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
    struct block *b;

    if (size > LARGEST_STEP)
        size = LARGEST_STEP;
    if (size < need)
        size = need;
    if (size > SIZE_MAX - sizeof *b - 2 * HUGE_PAGE)
        return NULL;
    if (size >= LARGEST_STEP) {
        b = map_block(size);
    } else {
        b = calloc(1, sizeof *b + size);
        if (b)
            b->size = size;
    }
    if (b && !inlay_arena_charge(a, block_size(b))) {
        free_block(b);
        b = NULL;
    }
    if (b)
        ASAN_POISON_MEMORY_REGION(b->bytes, b->size);
    return b;
}

static struct block *add_block(inlay_arena *a, size_t need)
{
    struct block *b = make_block(a, need);

    a->lacked = a->lacked || !b;
    if (!b)
        return NULL;
    b->next = a->head;
    a->head = b;
    return b;
}

/* The number of bytes to skip so that an array begins at a cache line. A convolution whose scratch
 * memory does not begin at one takes a seventh longer. */
static inline size_t gap_before(const struct block *b, size_t size)
{
    return size < ARRAY ? 0 : (LINE - ((uintptr_t)b->bytes + b->used) % LINE) % LINE;
}

/* Returns SIZE bytes and some more: arrays may begin at other offsets within a line, and lists may
 * be a little longer than they were. */
static size_t with_slack(size_t size)
{
    return size + (size / 8 < MOST_SLACK ? size / 8 : MOST_SLACK);
}

inlay_arena *inlay_arena_with_room(inlay_budget *b, size_t size)
{
    inlay_arena *a = inlay_arena_of(b);

    if (a && size > 0)
        add_block(a, with_slack(size));
    return a;
}

/* Allocates SIZE bytes, and sets *DIRTY to how many of them, from the first one on, may not be zeros.
 */
static char *take_bytes(inlay_arena *a, size_t size, size_t *dirty)
{
    const size_t align = sizeof(max_align_t) > 16 ? 16 : sizeof(max_align_t);
    struct block *b = a ? a->head : NULL;
    size_t gap, asked = size;
    char *p;

    if (!a || size > SIZE_MAX - align - LINE - GUARD)
        return NULL;
    size = (size == 0 ? align : (size + align - 1) / align * align) + GUARD;
    gap = b ? gap_before(b, size) : 0;
    if (!b || b->size - b->used < size + gap) {
        b = add_block(a, size < ARRAY ? size : size + LINE);
        if (!b)
            return NULL;
        gap = gap_before(b, size);
    }
    p = (char *)b->bytes + b->used + gap;
    b->used += gap;
    *dirty = b->dirty <= b->used ? 0 : b->dirty - b->used < asked ? b->dirty - b->used : asked;
    b->used += size;
    a->total += size - GUARD;
    ASAN_UNPOISON_MEMORY_REGION(p, asked);
    return p;
}

void *inlay_arena_alloc(inlay_arena *a, size_t size)
{
    size_t dirty = 0;
    void *p = take_bytes(a, size, &dirty);

    if (dirty > 0)
        memset(p, 0, dirty);
    return p;
}

void *inlay_arena_raw(inlay_arena *a, size_t size)
{
    size_t dirty;

    return take_bytes(a, size, &dirty);
}

bool inlay_arena_is_empty(const inlay_arena *a)
{
    return a->total == 0;
}

void inlay_arena_reuse(inlay_arena *a)
{
    struct block *b = a ? a->head : NULL;
    size_t need = 0;

    if (b && !b->next) {
        empty_block(b);
        a->total = 0;
        return;
    }
    for (; b; b = b->next)
        need += b->used + 2 * LINE;
    inlay_arena_clear(a);
    if (need > 0 && a->head) {
        forget_block(a, a->head);
        free_block(a->head);
        a->head = NULL;
    }
    if (need > 0) {
        bool lacked = a->lacked;

        /* If there is no memory, nothing is added, which does no harm. */
        add_block(a, with_slack(need));
        a->lacked = lacked;
    }
}

void *inlay_arena_array(inlay_arena *a, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return inlay_arena_alloc(a, count * size);
}

bool inlay_arena_grow(inlay_arena *a, void *array, size_t n, size_t *cap, size_t size)
{
    void **slot = array, *grown;
    size_t want = *cap ? *cap * 2 : 8;

    if (n < *cap)
        return true;
    grown = inlay_arena_array(a, want, size);
    if (grown && *cap)
        memcpy(grown, *slot, *cap * size);
    *slot = grown ? grown : *slot;
    *cap = grown ? want : *cap;
    return grown != NULL;
}

char *inlay_arena_strndup(inlay_arena *a, const char *s, size_t n)
{
    char *copy = !s || n == SIZE_MAX ? NULL : inlay_arena_alloc(a, n + 1);

    if (copy)
        memcpy(copy, s, n);
    return copy;
}

char *inlay_arena_strdup(inlay_arena *a, const char *s)
{
    return inlay_arena_strndup(a, s, s ? strlen(s) : 0);
}

char *inlay_arena_printf(inlay_arena *a, const char *fmt, ...)
{
    va_list args, again;
    char *text = NULL;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    if (n >= 0)
        text = inlay_arena_alloc(a, (size_t)n + 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    return text;
}

size_t inlay_arena_bytes(const inlay_arena *a)
{
    return a ? a->total : 0;
}
