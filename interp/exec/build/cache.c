/* The cache of a plan's instances. Sessions of several threads share them under one lock; an
 * instance that a session holds is never evicted. */
#include "interp/exec/build/cache.h"
#include "ir/shared.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EMPTY = 4 }; /* instances of several segments are dropped together */

/* In the memory of its instance. */
struct exec_entry {
    exec_instance *x;
    size_t holders;
    uint64_t used; /* when it was last asked for */
    struct exec_entry *next;
};

static void free_all(exec_cache *c)
{
    while (c->list) {
        exec_instance *x = c->list->x;

        c->list = c->list->next;
        exec_instance_free(x);
    }
    exec_scrap_free(&c->scrap);
}

/* Gives the caller of C's scrap what one instance takes. */
static exec_scrap take_scrap(exec_cache *c)
{
    exec_scrap scrap;

    pthread_mutex_lock(&c->lock);
    scrap = c->scrap;
    c->scrap = (exec_scrap){.x = scrap.x ? scrap.x->next : NULL, .room = scrap.room};
    pthread_mutex_unlock(&c->lock);
    if (scrap.x)
        scrap.x->next = NULL;
    return scrap;
}

static int count_empty(const exec_scrap *scrap)
{
    int n = 0;

    for (const exec_instance *x = scrap->x; x; x = x->next)
        n++;
    return n;
}

/* Keeps of SCRAP, which has one instance at most, what C has none of, or few, and frees the rest.
 */
static void put_scrap(exec_cache *c, exec_scrap *scrap)
{
    exec_scrap more = *scrap;

    pthread_mutex_lock(&c->lock);
    c->free_all = free_all;
    if (scrap->x && count_empty(&c->scrap) < MOST_EMPTY) {
        scrap->x->next = c->scrap.x;
        c->scrap.x = scrap->x;
        more.x = NULL;
    }
    if (!c->scrap.scratch) {
        c->scrap.scratch = scrap->scratch;
        more.scratch = NULL;
    }
    c->scrap.room = scrap->room ? scrap->room : c->scrap.room;
    if (!c->scrap.meter) {
        c->scrap.meter = scrap->meter;
        more.meter = NULL;
    }
    pthread_mutex_unlock(&c->lock);
    exec_scrap_free(&more);
}

static struct exec_entry *find(exec_cache *c, const int64_t *key, size_t n_key)
{
    struct exec_entry *e = c->list;

    while (e && (e->x->n_key != n_key || memcmp(e->x->key, key, n_key * sizeof *key) != 0))
        e = e->next;
    return e;
}

/* Returns the entry of X, which is in the cache. The entry of a later segment's instance holds a
 * reference to that of the segment before it. */
static struct exec_entry *entry_of(exec_cache *c, const exec_instance *x)
{
    struct exec_entry *e = c->list;

    while (e->x != x)
        e = e->next;
    return e;
}

/* Unlinks the least recently used idle instance of segment number SEGMENT, if more than MOST_IDLE
 * of them are idle. */
static struct exec_entry *take_oldest(exec_cache *c, int segment, size_t most_idle)
{
    struct exec_entry **oldest = NULL, *e;
    size_t idle = 0;

    for (struct exec_entry **at = &c->list; *at; at = &(*at)->next) {
        if ((*at)->holders > 0 || (*at)->x->segment.number != segment)
            continue;
        idle++;
        if (!oldest || (*at)->used < (*oldest)->used)
            oldest = at;
    }
    if (idle <= most_idle)
        return NULL;
    e = *oldest;
    *oldest = e->next;
    if (e->x->segment.before)
        entry_of(c, e->x->segment.before)->holders--;
    return e;
}

/* Unlinks the surplus idle instances of all segments, and returns them as a list. */
static struct exec_entry *take_idle(exec_cache *c, size_t most_idle)
{
    struct exec_entry *gone = NULL, *e;
    int n = 0;

    for (e = c->list; e; e = e->next)
        n = e->x->segment.number >= n ? e->x->segment.number + 1 : n;
    for (int i = n; i-- > 0;) {
        while ((e = take_oldest(c, i, most_idle))) {
            e->next = gone;
            gone = e;
        }
    }
    return gone;
}

/* Adds X to the list. If another thread added an equal instance meanwhile, X is freed and that one
 * is taken. */
static const exec_instance *add(exec_cache *c, exec_instance *x)
{
    struct exec_entry *mine = inlay_arena_alloc(x->memory, sizeof *mine), *e;
    const exec_instance *found = NULL;

    pthread_mutex_lock(&c->lock);
    c->free_all = free_all;
    e = find(c, x->key, x->n_key);
    if (!e && mine) {
        *mine = (struct exec_entry){.x = x, .next = c->list};
        if (x->segment.before)
            entry_of(c, x->segment.before)->holders++;
        c->list = e = mine;
        x = NULL;
    }
    if (e) {
        e->holders++;
        e->used = ++c->clock;
        found = e->x;
    }
    pthread_mutex_unlock(&c->lock);
    exec_instance_free(x);
    return found;
}

const exec_instance *exec_cache_take(const exec_plan *p, const exec_outside *o, const int64_t *key,
                                     size_t n_key, inlay_diags *d)
{
    exec_cache *c = p->cache;
    const exec_instance *found = NULL;
    exec_scrap scrap;
    exec_instance *x;
    struct exec_entry *e;

    pthread_mutex_lock(&c->lock);
    e = find(c, key, n_key);
    if (e) {
        e->holders++;
        e->used = ++c->clock;
        found = e->x;
    }
    pthread_mutex_unlock(&c->lock);
    if (found)
        return found;
    scrap = take_scrap(c);
    x = exec_instance_from(&scrap, p, o, d);
    put_scrap(c, &scrap);
    if (!x || (p->set->audit && !p->set->audit(x, d))) {
        exec_instance_free(x);
        return NULL;
    }
    found = add(c, x);
    if (!found)
        inlay_fail_memory(d);
    return found;
}

void exec_cache_give(const exec_plan *p, const exec_instance *x)
{
    struct exec_entry *gone;

    pthread_mutex_lock(&p->cache->lock);
    entry_of(p->cache, x)->holders--;
    gone = take_idle(p->cache, p->set->most_idle);
    pthread_mutex_unlock(&p->cache->lock);
    while (gone) {
        exec_scrap scrap = {.x = gone->x};

        gone = gone->next;
        exec_instance_empty(scrap.x);
        put_scrap(p->cache, &scrap);
    }
}
