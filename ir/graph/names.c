/* The names of a graph's nodes, in a hash table. See names.h. */
#include "ir/graph/names.h"
#include "ir/base/arena.h"
#include "ir/base/hash.h"

#include <string.h>

enum { FIRST_SIZE = 32 };

uint32_t names_hash(const char *name)
{
    return (uint32_t)inlay_hash(name, strlen(name));
}

struct name_slot *names_find(const struct name_table *t, const char *name, uint32_t hash)
{
    for (size_t i = hash; t->size > 0; i++) {
        struct name_slot *slot = &t->slots[i & (t->size - 1)];

        if (slot->suffix == 0)
            return NULL;
        if (slot->hash == hash && slot->node && strcmp(slot->node->name, name) == 0)
            return slot;
    }
    return NULL;
}

bool names_lead_to(const struct name_table *t, const inlay_node *n, uint32_t hash)
{
    for (size_t i = hash; t->size > 0; i++) {
        const struct name_slot *slot = &t->slots[i & (t->size - 1)];

        if (slot->node == n && slot->hash == hash)
            return true;
        if (slot->suffix == 0 ||
            (slot->hash == hash && slot->node && strcmp(slot->node->name, n->name) == 0))
            return false;
    }
    return false;
}

/* Reuses the slots of removed nodes: otherwise a name that is added and removed again and again
 * would leave a long run of them, which slows down every search. */
static void put(struct name_table *t, struct name_slot what)
{
    size_t i = what.hash;

    while (t->slots[i & (t->size - 1)].node)
        i++;
    t->used += t->slots[i & (t->size - 1)].suffix == 0;
    t->slots[i & (t->size - 1)] = what;
}

static size_t count_live(const struct name_table *t)
{
    size_t live = 0;

    for (size_t i = 0; i < t->size; i++)
        live += t->slots[i].node != NULL;
    return live;
}

/* Makes a new table of at least SLOTS, without removed names. */
static bool remake(struct name_table *t, size_t slots, inlay_arena *a)
{
    struct name_table old = *t;

    t->size = FIRST_SIZE;
    while (t->size < slots && t->size <= SIZE_MAX / 2 / sizeof *t->slots)
        t->size *= 2;
    t->used = 0;
    t->slots = inlay_arena_array(a, t->size, sizeof *t->slots);
    if (!t->slots) {
        *t = old;
        return false;
    }
    for (size_t i = 0; i < old.size; i++) {
        if (old.slots[i].node)
            put(t, old.slots[i]);
    }
    return true;
}

bool names_add(struct name_table *t, inlay_node *n, uint32_t hash, inlay_arena *a)
{
    if (2 * (t->used + 1) > t->size && !remake(t, 4 * count_live(t), a))
        return false;
    put(t, (struct name_slot){hash, 1, n});
    return true;
}

bool names_expect(struct name_table *t, size_t count, inlay_arena *a)
{
    if (count > SIZE_MAX / 4 / sizeof *t->slots - t->used)
        return false;
    return 2 * (t->used + count) <= t->size || remake(t, 2 * (t->used + count), a);
}

/* Its hash stays until the slot is reused, so that searches do not end there. */
void names_remove(struct name_slot *slot)
{
    slot->node = NULL;
}
