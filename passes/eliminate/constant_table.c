#include "passes/eliminate/constant_table.h"
#include "ir/shared.h"

#include <stdlib.h>

/* The properties that distinguish constants, from coarse to fine: address of the elements, type and
 * shape, the first elements, some in the middle, all of them. A constant is entered at the next
 * level only if another one comes that is equal at this level. */
enum level { PLACE, FORM, START, MIDDLE, WHOLE, N_LEVELS };

/* The number of elements that START and MIDDLE look at. Each touches one page of a mapped file. The
 * first page is often shared with the constant before it; but many constants begin with the same
 * padding. */
enum { N_SAMPLE = 32 };

struct constant_entry {
    inlay_node *first; /* the first constant that equals VALUE; NULL: a free slot */
    const inlay_tensor *value;
    uint64_t hash;
    enum level level;
    bool refined; /* whether the constant is in the next level too */
};

bool constants_begin(constant_table *t, const inlay_graph *g, size_t n)
{
    *t = (constant_table){.g = g, .size = 64};
    while (t->size < n * (N_LEVELS + 3)) /* an entry in each of N_LEVELS, some slots free */
        t->size *= 2;
    t->slots = inlay_take(inlay_graph_budget(g), t->size, sizeof *t->slots);
    return t->slots != NULL;
}

void constants_free(constant_table *t)
{
    inlay_give(t->slots);
}

/* Whether LEVEL is the one at which all elements are compared: there equal hashes mean equal
 * elements, except for collisions. */
static bool is_last(enum level level, const inlay_tensor *v)
{
    return level == WHOLE || (level == START && inlay_tensor_count(v) <= N_SAMPLE);
}

static uint64_t hash_elements(const constant_table *t, const inlay_tensor *v, int64_t first,
                              int64_t count)
{
    inlay_count_hashed(t->g,
                       ((uint64_t)count * (uint64_t)inlay_type_info_of(v->type)->bits + 7) / 8);
    return inlay_tensor_hash(v, first, count);
}

static uint64_t hash_at(const constant_table *t, enum level level, const inlay_tensor *v)
{
    inlay_attr form = {.as.tensor = v};
    uint64_t h = inlay_hash_join(level, inlay_attr_hash(INLAY_ATTR_TENSOR, &form));
    int64_t count = inlay_tensor_count(v);

    if (level == PLACE)
        return inlay_hash_join(h, (uint64_t)(uintptr_t)v->data + (uint64_t)v->offset);
    if (is_last(level, v))
        return inlay_hash_join(h, hash_elements(t, v, 0, count));
    if (level == START)
        return inlay_hash_join(h, hash_elements(t, v, 0, N_SAMPLE));
    if (level == MIDDLE)
        return inlay_hash_join(h, hash_elements(t, v, (count - N_SAMPLE) / 2, N_SAMPLE));
    return h;
}

static bool matches(const struct constant_entry *e, enum level level, uint64_t hash,
                    const inlay_tensor *v)
{
    if (e->level != level || e->hash != hash)
        return false;
    if (level == PLACE)
        return inlay_tensor_same_place(e->value, v);
    return !is_last(level, v) || inlay_tensor_equal(e->value, v);
}

/* Returns the entry that equals V at LEVEL, or the free slot for V. */
static struct constant_entry *find(const constant_table *t, enum level level, const inlay_tensor *v,
                                   uint64_t hash)
{
    size_t i = (size_t)hash & (t->size - 1);

    for (;; i = (i + 1) & (t->size - 1)) {
        inlay_count_steps(t->g, 1);
        if (!t->slots[i].first || matches(&t->slots[i], level, hash, v))
            return &t->slots[i];
    }
}

static struct constant_entry *enter(const constant_table *t, enum level level, inlay_node *first,
                                    const inlay_tensor *v)
{
    uint64_t hash = hash_at(t, level, v);
    struct constant_entry *e = find(t, level, v, hash);

    if (!e->first)
        *e = (struct constant_entry){.first = first, .value = v, .hash = hash, .level = level};
    return e;
}

inlay_node *constants_find(constant_table *t, inlay_node *n, const inlay_tensor *value)
{
    struct constant_entry *place = enter(t, PLACE, n, value), *e = NULL;

    if (place->first != n)
        return place->first;
    for (int level = FORM; level <= WHOLE; level++) {
        e = enter(t, (enum level)level, n, value);
        if (e->first == n)
            return NULL;
        if (is_last((enum level)level, value))
            break;
        if (!e->refined)
            enter(t, (enum level)(level + 1), e->first, e->value);
        e->refined = true;
    }
    place->first = e->first; /* the elements of the entry equal those of V */
    return e->first;
}
