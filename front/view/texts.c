/* Interned texts: names and types occur at many nodes, and nodes in many graphs. */
#include "front/view/view.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

uint64_t view_hash(uint64_t hash, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static uint32_t *slot_of(const view_texts *t, uint64_t hash, const char *bytes, size_t n)
{
    size_t i = hash & (t->n_slots - 1);

    while (t->slots[i]) {
        const struct view_text *old = &t->list[t->slots[i] - 1];

        if (old->hash == hash && old->n == n && memcmp(t->bytes.bytes + old->at, bytes, n) == 0)
            break;
        i = (i + 1) & (t->n_slots - 1);
    }
    return &t->slots[i];
}

static bool grow(view_texts *t)
{
    size_t cap = t->cap ? 2 * t->cap : 256;
    struct view_text *list = inlay_retake(t->bytes.budget, t->list, cap * sizeof *list);
    uint32_t *slots;

    if (!list)
        return false;
    t->list = list;
    slots = inlay_take(t->bytes.budget, 2 * cap, sizeof *slots);
    if (!slots)
        return false;
    inlay_give(t->slots);
    t->slots = slots;
    t->n_slots = 2 * cap;
    t->cap = cap;
    for (size_t i = 0; i < t->n; i++) {
        size_t k = t->list[i].hash & (t->n_slots - 1);

        while (t->slots[k])
            k = (k + 1) & (t->n_slots - 1);
        t->slots[k] = (uint32_t)i + 1;
    }
    return true;
}

size_t view_texts_add(view_texts *t, const char *bytes, size_t n)
{
    uint64_t hash = view_hash(UINT64_C(0xcbf29ce484222325), bytes, n);
    uint32_t *slot;

    t->failed = t->failed || (t->n == t->cap && !grow(t));
    if (t->failed)
        return 0;
    slot = slot_of(t, hash, bytes, n);
    if (*slot)
        return *slot - 1;
    t->list[t->n] = (struct view_text){t->bytes.n, n, hash};
    inlay_strbuf_add(&t->bytes, bytes, n);
    inlay_strbuf_add(&t->bytes, "", 1); /* so that the buffer exists even for an empty text */
    t->failed = t->bytes.failed;
    *slot = (uint32_t)++t->n;
    return t->n - 1;
}

void view_texts_free(view_texts *t)
{
    inlay_strbuf_free(&t->bytes);
    inlay_give(t->list);
    inlay_give(t->slots);
}
