/* The names of a graph's nodes. Every node that is made asks for its name and takes it, so that a
 * large graph spends a good part of its making here: a slot is found with one step into memory,
 * where a table of chained entries takes four. Private to ir/graph. */
#ifndef INLAY_IR_GRAPH_NAMES_H
#define INLAY_IR_GRAPH_NAMES_H

#include "ir/graph.h"

struct name_slot {
    uint32_t hash;
    uint32_t suffix;  /* the last one tried when this name was asked for again; 0: never used */
    inlay_node *node; /* NULL: the slot is free, or that of a node that is gone */
};

/* Open addressing: a name stands in the first slot from that of its hash on that had no node. The
 * slots are in the arena of the graph, which has the memory of a large table in huge pages: a
 * look-up of a name that was not asked for lately misses the cache, and would miss that of the
 * pages, too. */
struct name_table {
    struct name_slot *slots; /* SIZE of them, a power of two, half of them free at least */
    size_t size, used;       /* those of nodes that are gone count as used */
};

uint32_t names_hash(const char *name);
/* The slot of a name with HASH will be asked for soon. */
static inline void names_foresee(const struct name_table *t, uint32_t hash)
{
    if (t->size > 0)
        __builtin_prefetch(&t->slots[hash & (t->size - 1)]);
}
/* The slot of the node NAME, whose hash is HASH; NULL: there is none. It stays until the next
 * names_add. */
struct name_slot *names_find(const struct name_table *t, const char *name, uint32_t hash);
/* Makes room for COUNT more names. False: out of memory. */
bool names_expect(struct name_table *t, size_t count, inlay_arena *a);
/* N, whose name is not in the table and has HASH, is in it. False: out of memory. */
bool names_add(struct name_table *t, inlay_node *n, uint32_t hash, inlay_arena *a);
void names_remove(struct name_slot *slot);

#endif
