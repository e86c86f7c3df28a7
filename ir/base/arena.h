/* Arenas: memory with one lifetime. For the folders of this project, not installed. */
#ifndef INLAY_IR_BASE_ARENA_H
#define INLAY_IR_BASE_ARENA_H

#include "ir/budget.h"

/* For functions with large arrays that are called during a recursion through nested bodies: keeps
 * their frame out of the frame of the recursive function. */
#define INLAY_OWN_FRAME __attribute__((noinline))

typedef struct inlay_arena inlay_arena;

/* Makes an arena whose memory counts in B (NULL: nobody counts), or one that nobody counts. */
inlay_arena *inlay_arena_of(inlay_budget *b);
inlay_arena *inlay_arena_new(void);
/* The same with room for SIZE bytes, or without if there is no memory. */
inlay_arena *inlay_arena_with_room(inlay_budget *b, size_t size);
inlay_budget *inlay_arena_budget(const inlay_arena *a);
void inlay_arena_free(inlay_arena *a);
/* Frees all objects; keeps a little memory for the next ones. */
void inlay_arena_clear(inlay_arena *a);
/* Frees all objects, and keeps as much memory as they took, so that the same objects fit again. */
void inlay_arena_reuse(inlay_arena *a);
/* Has nothing been allocated since A was new or emptied? */
bool inlay_arena_is_empty(const inlay_arena *a);
/* Allocates SIZE zeroed bytes for any object, 1,024 and more aligned to 64. NULL: out of memory. */
void *inlay_arena_alloc(inlay_arena *a, size_t size);
/* The same without zeroing them. */
void *inlay_arena_raw(inlay_arena *a, size_t size);
/* Allocates COUNT objects of SIZE bytes; checks the product for overflow. */
void *inlay_arena_array(inlay_arena *a, size_t count, size_t size);
/* ARRAY is the address of a pointer to *CAP objects of SIZE bytes: moves them to a larger array
 * unless object N fits. False: out of memory. */
bool inlay_arena_grow(inlay_arena *a, void *array, size_t n, size_t *cap, size_t size);
char *inlay_arena_strdup(inlay_arena *a, const char *s);
char *inlay_arena_strndup(inlay_arena *a, const char *s, size_t n);
char *inlay_arena_printf(inlay_arena *a, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Returns the number of bytes allocated so far. */
size_t inlay_arena_bytes(const inlay_arena *a);

/* Puts all that A holds on the account of B, and what it takes from now on. False: B refuses. */
bool inlay_arena_move(inlay_arena *a, inlay_budget *b);
/* Counts memory from elsewhere where A counts, as long as A lives. False: its budget refuses. */
bool inlay_arena_charge(inlay_arena *a, uint64_t size);
/* Was there no memory for an object of A? For who can do without, but must say so. */
bool inlay_arena_lacked(const inlay_arena *a);

#endif
