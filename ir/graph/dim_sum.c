/* Sums of open sizes: a table of each graph from sum to identity and back.
 *
 *     past f32[?#s,64]     Concat(past, f32[1,64])     f32[1..#3,64], and 3 <-> s + 1
 *
 * A sum of sums is one of the same sizes, so all ways to compute a length lead to one entry. */
#include "ir/graph/dim_sum.h"
#include "ir/base/arena.h"
#include "ir/base/table.h"
#include "ir/graph/fail.h"
#include "ir/graph/graph.h"
#include "ir/graph/node.h"
#include "ir/tensor/dim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct sum_entry {
    inlay_dim_sum sum;
    uint32_t id;
    UT_hash_handle by_sum, by_id;
};

static const struct sum_entry *find_id(const inlay_graph *g, uint32_t id)
{
    struct sum_entry *e = NULL;

    if (g->priv->sums_by_id)
        HASH_FIND(by_id, g->priv->sums_by_id, &id, sizeof id, e);
    return e;
}

/* Removes term K of S. */
static void remove_term(inlay_dim_sum *s, int k)
{
    for (; k + 1 < INLAY_SUM_TERMS; k++) {
        s->id[k] = s->id[k + 1];
        s->times[k] = s->times[k + 1];
    }
    s->id[k] = 0;
    s->times[k] = 0;
}

/* Makes room for a term in front of term K of S. */
static bool open_term(inlay_dim_sum *s, int k)
{
    if (k == INLAY_SUM_TERMS || s->id[INLAY_SUM_TERMS - 1] != 0)
        return false;
    for (int i = INLAY_SUM_TERMS - 1; i > k; i--) {
        s->id[i] = s->id[i - 1];
        s->times[i] = s->times[i - 1];
    }
    s->times[k] = 0;
    return true;
}

/* Adds TIMES times ID, which is no sum. */
static bool add_term(inlay_dim_sum *s, int64_t times, uint32_t id)
{
    int k = 0;

    while (k < INLAY_SUM_TERMS && s->id[k] != 0 && s->id[k] < id)
        k++;
    if ((k == INLAY_SUM_TERMS || s->id[k] != id) && !open_term(s, k))
        return false;
    s->id[k] = id;
    if (__builtin_add_overflow(s->times[k], times, &s->times[k]))
        return false;
    if (s->times[k] == 0)
        remove_term(s, k);
    return true;
}

static bool add_times(int64_t *sum, int64_t times, int64_t x)
{
    return !__builtin_mul_overflow(times, x, &x) && !__builtin_add_overflow(*sum, x, sum);
}

/* Adds TIMES * B to *S. */
static bool add_sum(inlay_dim_sum *s, int64_t times, const inlay_dim_sum *b)
{
    bool ok = add_times(&s->more, times, b->more);

    for (int k = 0; ok && k < INLAY_SUM_TERMS && b->id[k] != 0; k++) {
        int64_t by = 0;

        ok = add_times(&by, times, b->times[k]) && add_term(s, by, b->id[k]);
    }
    return ok;
}

bool inlay_dim_sum_add(const inlay_graph *g, inlay_dim_sum *s, int64_t times, inlay_dim d)
{
    const struct sum_entry *e;

    if (times == 0)
        return true;
    if (inlay_dim_is_static(d))
        return add_times(&s->more, times, d.lo);
    if (d.id == 0)
        return false;
    e = find_id(g, d.id);
    return e ? add_sum(s, times, &e->sum) : add_term(s, times, d.id);
}

static bool add_by_id(inlay_graph *g, struct sum_entry *e)
{
    bool table_oom = false;
    inlay_budget *table_budget = inlay_graph_budget(g);

    HASH_ADD(by_id, g->priv->sums_by_id, id, sizeof e->id, e);
    return !table_oom;
}

/* S is not in the table. Returns its new identity; 0: out of memory. */
static uint32_t add_entry(inlay_graph *g, const inlay_dim_sum *s)
{
    struct sum_entry *e = inlay_arena_alloc(g->arena, sizeof *e);
    bool table_oom = false;
    inlay_budget *table_budget = inlay_graph_budget(g);

    if (!e)
        return 0;
    e->sum = *s;
    e->id = g->next_dim_id;
    HASH_ADD(by_sum, g->priv->sums_by_sum, sum, sizeof e->sum, e);
    if (table_oom)
        return 0;
    if (add_by_id(g, e))
        return g->next_dim_id++;
    HASH_DELETE(by_sum, g->priv->sums_by_sum, e);
    return 0;
}

/* The identity of S in G, which has a term; 0: out of memory. */
static uint32_t identity_of(inlay_graph *g, const inlay_dim_sum *s)
{
    struct sum_entry *e = NULL;

    if (s->id[1] == 0 && s->times[0] == 1 && s->more == 0)
        return s->id[0];
    if (g->priv->sums_by_sum)
        HASH_FIND(by_sum, g->priv->sums_by_sum, s, sizeof *s, e);
    return e ? e->id : add_entry(g, s);
}

bool inlay_dim_sum_name(inlay_graph *g, const inlay_dim_sum *s, inlay_dim *d, inlay_diags *diags)
{
    if (inlay_dim_is_static(*d))
        return true;
    if (s->id[0] == 0) {
        *d = s->more >= d->lo && s->more <= d->hi ? inlay_dim_of(s->more) : *d;
        return true;
    }
    d->id = identity_of(g, s);
    return d->id != 0 || inlay_fail_memory(diags);
}

/* "s", "2*s": a term of a sum, without its sign. */
static int term_text(char *buf, size_t size, int64_t times, const char *name)
{
    uint64_t by = times < 0 ? -(uint64_t)times : (uint64_t)times;

    return by == 1 ? snprintf(buf, size, "%s", name)
                   : snprintf(buf, size, "%" PRIu64 "*%s", by, name);
}

bool inlay_dim_sum_text(const inlay_graph *g, uint32_t id, char *buf, size_t size)
{
    const struct sum_entry *e = find_id(g, id);
    size_t n = 0;

    for (int k = 0; e && k < INLAY_SUM_TERMS && e->sum.id[k] != 0; k++) {
        const char *name = inlay_graph_dim_name(g, e->sum.id[k]);
        bool less = e->sum.times[k] < 0;

        if (!name || strpbrk(name, " +*"))
            return false;
        n += (size_t)snprintf(buf + n, size - n, "%s",
                              n == 0 ? (less ? "-" : "")
                              : less ? " - "
                                     : " + ");
        n += n < size ? (size_t)term_text(buf + n, size - n, e->sum.times[k], name) : 0;
        if (n >= size)
            return false;
    }
    if (e && e->sum.more != 0)
        n += (size_t)snprintf(buf + n, size - n, " %c %" PRIu64, e->sum.more < 0 ? '-' : '+',
                              e->sum.more < 0 ? -(uint64_t)e->sum.more : (uint64_t)e->sum.more);
    return e && n < size;
}

const char *inlay_dim_shown_name(const inlay_graph *g, inlay_dim d, char *buf, size_t size)
{
    const char *name = inlay_dim_is_static(d) ? NULL : inlay_graph_dim_name(g, d.id);

    if (name || inlay_dim_is_static(d))
        return name;
    return inlay_dim_sum_text(g, d.id, buf, size) && inlay_graph_dim_id(g, buf) == 0 ? buf : NULL;
}

char *inlay_value_shape_text(const inlay_value *v, char *buf, size_t size)
{
    size_t n = 0;

    if (size > 0)
        *buf = '\0';
    if (!v || v->fact.rank < 0)
        return inlay_shape_text(-1, NULL, buf, size);
    for (int i = 0; i < v->fact.rank && n < size; i++) {
        char text[48], sum[200];
        const char *name = inlay_dim_shown_name(v->node->graph, v->fact.dims[i], sum, sizeof sum);

        n += (size_t)snprintf(buf + n, size - n, "%s%s%s%s", i ? "," : "[",
                              inlay_dim_text(v->fact.dims[i], text, sizeof text), name ? "#" : "",
                              name ? name : "");
    }
    if (n < size)
        snprintf(buf + n, size - n, "%s", v->fact.rank ? "]" : "[]");
    return buf;
}

bool graph_copy_dim_sums(const inlay_graph *from, inlay_graph *to, inlay_diags *d)
{
    for (const struct sum_entry *e = from->priv->sums_by_id; e; e = e->by_id.next) {
        uint32_t next = to->next_dim_id;

        to->next_dim_id = e->id;
        if (!add_entry(to, &e->sum))
            return inlay_fail_memory(d);
        to->next_dim_id = next;
    }
    return true;
}

void graph_dim_sums_free(inlay_graph *g)
{
    HASH_CLEAR(by_sum, g->priv->sums_by_sum);
    HASH_CLEAR(by_id, g->priv->sums_by_id);
}
