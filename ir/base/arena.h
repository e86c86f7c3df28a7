/* Arenas: memory with one lifetime, and limits of it for readers of what is not trusted. For the
 * folders of this project, not installed. */
#ifndef INLAY_IR_BASE_ARENA_H
#define INLAY_IR_BASE_ARENA_H

#include "ir/diag.h"

/* Bodies nest, and each level takes the frames of the functions that go down: what these only call
 * on their way, with large arrays of its own, keeps them in a frame of its own. */
#define INLAY_OWN_FRAME __attribute__((noinline))

typedef struct inlay_arena inlay_arena;

inlay_arena *inlay_arena_new(void);
void inlay_arena_free(inlay_arena *a);
/* Frees all objects; a little memory stays for the next ones. */
void inlay_arena_clear(inlay_arena *a);
/* Frees all objects. As much memory stays as they took, so that objects like these need no other.
 */
void inlay_arena_reuse(inlay_arena *a);
/* Returns whether nothing was handed out since A was new or emptied. */
bool inlay_arena_is_empty(const inlay_arena *a);
/* SIZE zeroed bytes, aligned for any object, 1,024 and more to 64 bytes. NULL: out of memory. */
void *inlay_arena_alloc(inlay_arena *a, size_t size);
/* COUNT objects of SIZE bytes, the product checked. */
void *inlay_arena_array(inlay_arena *a, size_t count, size_t size);
/* ARRAY is the address of a pointer to objects of SIZE bytes, *CAP of them, which moves to where
 * there are more, unless object N is one of them. False: out of memory. */
bool inlay_arena_grow(inlay_arena *a, void *array, size_t n, size_t *cap, size_t size);
char *inlay_arena_strdup(inlay_arena *a, const char *s);
char *inlay_arena_strndup(inlay_arena *a, const char *s, size_t n);
char *inlay_arena_printf(inlay_arena *a, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Bytes handed out so far. */
size_t inlay_arena_bytes(const inlay_arena *a);

/* A, and what is under its limit with it, takes at most MAX bytes (0: no limit): beyond that it is
 * out of memory. */
void inlay_arena_limit(inlay_arena *a, uint64_t max);
/* A is under the limit of BUDGET too, which must outlive it. */
void inlay_arena_share(inlay_arena *a, inlay_arena *budget);
/* Counts memory from elsewhere against the limit of A; false when it is over it. And gives it back.
 */
bool inlay_arena_charge(inlay_arena *a, uint64_t size);
void inlay_arena_discharge(inlay_arena *a, uint64_t size);
/* Whether the limit of A has refused anything. */
bool inlay_arena_over(const inlay_arena *a);

#endif
