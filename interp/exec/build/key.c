/* The key of an instance: everything about the inputs and states of a run that the instance depends
 * on. */
#include "interp/exec/build/key.h"

#include <string.h>

enum {
    KEY_ABSENT = -1,
    KEY_ANY = -2,
    KEY_NEXT = -3,
    KEY_OURS = 1 << 8,
    KEY_DENSE = 1 << 9,
    KEY_ALIGN = 16,
    KEY_RANK = 24
};

static size_t tensor_room(const inlay_tensor *t)
{
    return 1 + (t ? 2 * (size_t)t->rank : 0);
}

static size_t first_room(const graph_steps *s, const exec_outside *o)
{
    size_t n = 1;

    for (int i = 0; i < s->graph->n_params && !o->any; i++)
        n += tensor_room(o->in[i]);
    for (int i = 0; i < o->n_states; i++)
        n += tensor_room(o->any ? NULL : o->state[i]);
    return n;
}

size_t exec_key_capacity(const graph_steps *s, const exec_outside *o)
{
    size_t n = 3;

    if (!o->before)
        return first_room(s, o);
    for (size_t i = 0; i < o->before->segment.n_over && !o->any; i++)
        n += tensor_room(o->values[o->before->segment.over[i]]);
    return n;
}

/* Returns the first number of T's entry in a key. */
static int64_t key_head(const inlay_tensor *t, bool ours, bool dense)
{
    if (!t)
        return KEY_ABSENT;
    return (int64_t)t->type | (ours ? KEY_OURS : 0) | (dense ? KEY_DENSE : 0) |
           (int64_t)(exec_first_byte(t) % sizeof(int64_t)) << KEY_ALIGN |
           (int64_t)t->rank << KEY_RANK;
}

static size_t tensor_key(const inlay_tensor *t, bool ours, int64_t *key)
{
    bool dense = t && inlay_tensor_is_dense(t);
    size_t rank = t ? (size_t)t->rank : 0;

    key[0] = key_head(t, ours, dense);
    if (!t)
        return 1;
    memcpy(key + 1, t->dims, rank * sizeof *key);
    if (!dense)
        memcpy(key + 1 + rank, t->strides, rank * sizeof *key);
    return 1 + (dense ? 1 : 2) * rank;
}

/* The key of an instance that serves all shapes. It says only which variables have a state, because
 * the initial values of the others are computed. */
static size_t any_key(const exec_outside *o, int64_t *key)
{
    size_t n = 0;

    key[n++] = KEY_ANY;
    for (int i = 0; i < o->n_states; i++)
        key[n++] = o->state[i] ? KEY_ANY : KEY_ABSENT;
    return n;
}

static bool any_is(const exec_outside *o, const int64_t *key, size_t n)
{
    bool same = n == 1 + (size_t)o->n_states && key[0] == KEY_ANY;

    for (int i = 0; same && i < o->n_states; i++)
        same = key[1 + i] == (o->state[i] ? KEY_ANY : KEY_ABSENT);
    return same;
}

static size_t first_key(const graph_steps *s, const exec_outside *o, int64_t *key)
{
    size_t n = 0;

    if (o->any)
        return any_key(o, key);
    for (int i = 0; i < s->graph->n_params; i++)
        n += tensor_key(o->in[i], o->ours && o->ours[i], key + n);
    for (int i = 0; i < o->n_states; i++)
        n += tensor_key(o->state[i], false, key + n);
    return n;
}

/* Writes the key of a later segment. The instance of the segment before it, which the cache keeps
 * as long as this one, stands for everything that was known at that point. */
static size_t next_key(const exec_outside *o, int64_t *key)
{
    size_t n = 2;

    key[0] = KEY_NEXT;
    key[1] = (int64_t)(intptr_t)o->before;
    if (o->any)
        key[n++] = KEY_ANY;
    for (size_t i = 0; i < o->before->segment.n_over && !o->any; i++)
        n += tensor_key(o->values[o->before->segment.over[i]], false, key + n);
    return n;
}

size_t exec_key(const graph_steps *s, const exec_outside *o, int64_t *key)
{
    return o->before ? next_key(o, key) : first_key(s, o, key);
}

/* Returns whether the entry at *KEY, of which *N numbers are left, describes T; then *KEY and *N go
 * on behind that entry. */
static bool matches(const inlay_tensor *t, bool ours, const int64_t **key, size_t *n)
{
    bool dense = t && inlay_tensor_is_dense(t), same;
    size_t rank = t ? (size_t)t->rank : 0, length = 1 + (dense ? 1 : 2) * rank;
    const int64_t *k = *key;

    if (*n < length || k[0] != key_head(t, ours, dense))
        return false;
    same = true;
    for (size_t i = 0; i < rank; i++)
        same &= k[1 + i] == t->dims[i] && (dense || k[1 + rank + i] == t->strides[i]);
    *key += length;
    *n -= length;
    return same;
}

static bool next_is(const exec_outside *o, const int64_t *key, size_t n)
{
    bool same = n >= 2 && key[0] == KEY_NEXT && key[1] == (int64_t)(intptr_t)o->before;

    if (!same || o->any)
        return same && n == 3 && key[2] == KEY_ANY;
    key += 2;
    n -= 2;
    for (size_t i = 0; same && i < o->before->segment.n_over; i++)
        same = matches(o->values[o->before->segment.over[i]], false, &key, &n);
    return same && n == 0;
}

bool exec_key_is(const graph_steps *s, const exec_outside *o, const int64_t *key, size_t n)
{
    bool same = true;

    if (o->before)
        return next_is(o, key, n);
    if (o->any)
        return any_is(o, key, n);
    for (int i = 0; same && i < s->graph->n_params; i++)
        same = matches(o->in[i], o->ours && o->ours[i], &key, &n);
    for (int i = 0; same && i < o->n_states; i++)
        same = matches(o->state[i], false, &key, &n);
    return same && n == 0;
}
