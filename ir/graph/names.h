/* The table of node names of a graph. Every new node looks up and adds its name, which is a good
 * part of the time to make a large graph: this table finds a slot with one access to memory, where
 * chained entries would take four. Private to ir/graph. */
#ifndef INLAY_IR_GRAPH_NAMES_H
#define INLAY_IR_GRAPH_NAMES_H

#include "ir/graph.h"

struct name_slot {
    uint32_t hash;
    uint32_t suffix;  /* the last suffix tried when this name was asked for again; 0: none */
    inlay_node *node; /* NULL: the slot is free, or its node was removed */
};

/* Open addressing: a name is in the first slot, from that of its hash on, that had no node. The
 * slots are in the arena of the graph, which uses huge pages for large tables: a look-up of a name
 * not used lately misses the cache, and would miss the TLB, too. */
struct name_table {
    struct name_slot *slots; /* SIZE slots, a power of two, at least half of them free */
    size_t size, used;       /* USED includes slots of removed nodes */
};

uint32_t names_hash(const char *name);
/* Prefetches the slot of a name with HASH. */
static inline void names_foresee(const struct name_table *t, uint32_t hash)
{
    if (t->size > 0)
        __builtin_prefetch(&t->slots[hash & (t->size - 1)]);
}
/* Returns the slot of the node NAME, whose hash is HASH; NULL: there is none. Valid until the next
 * names_add. */
struct name_slot *names_find(const struct name_table *t, const char *name, uint32_t hash);
/* Does the name of N, whose hash is HASH, lead to N? Other nodes are read only where hashes are
 * equal. */
bool names_lead_to(const struct name_table *t, const inlay_node *n, uint32_t hash);
/* Reserves capacity for COUNT more names. False: out of memory. */
bool names_expect(struct name_table *t, size_t count, inlay_arena *a);
/* Adds N, whose name has HASH and is not in the table. False: out of memory. */
bool names_add(struct name_table *t, inlay_node *n, uint32_t hash, inlay_arena *a);
void names_remove(struct name_slot *slot);

#endif
