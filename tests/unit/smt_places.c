#include "smt_places.h"

#include <string.h>

/* The place of update number K, as passes/prove/places.c calls it, by the tensor of the indices. */
struct places {
    const prove_places *h;
    const inlay_tensor *t;
    int64_t sizes[PROVE_RANK];
};

static void place_of(const struct places *x, int64_t k, int64_t *place)
{
    const prove_places *h = x->h;

    for (int i = h->n - 1; i >= 0; i--) {
        int64_t number = h->kind == PROVE_TUPLES ? k * h->n + i : k;

        place[i] = inlay_tensor_get_i64(x->t, number);
        place[i] += place[i] < 0 && !h->raw ? x->sizes[i] : 0;
    }
    for (int i = h->n - 1; h->kind == PROVE_ELEMENTS && i >= 0; k /= x->t->dims[i], i--) {
        if (i != h->axis)
            place[i] = k % x->t->dims[i];
    }
}

/* How many places X has; tuples may be empty. */
static int64_t count_places(const struct places *x)
{
    int rank = x->t->rank - (x->h->kind == PROVE_TUPLES);
    int64_t count = 1;

    for (int i = 0; i < rank; i++)
        count *= x->t->dims[i];
    return count;
}

/* Where indices write: whether at a place (WHICH < 0), and the last of those that do. */
static bool written(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    const struct places *x = about;
    int64_t count = count_places(x), last = -1, place[PROVE_RANK];
    int rank = x->t->rank - (x->h->kind == PROVE_TUPLES);

    for (int64_t k = 0; k < count; k++) {
        place_of(x, k, place);
        last = memcmp(place, args, (size_t)n * sizeof *args) == 0 ? k : last;
    }
    *out = last >= 0;
    if (x->h->kind == PROVE_ELEMENTS && which >= 0)
        which = x->h->axis;
    for (int i = rank - 1; i >= which && which >= 0 && last >= 0; i--) {
        *out = last % x->t->dims[i];
        last /= x->t->dims[i];
    }
    return which < 0 || *out >= 0;
}

bool smt_mean_places(smt_world *w, inlay_arena *arena, const prove_places *h,
                     const inlay_tensor *indices)
{
    struct places *about = inlay_arena_alloc(arena, sizeof *about);
    bool ok = true;

    *about = (struct places){.h = h, .t = indices};
    for (int i = 0; ok && i < h->n; i++)
        ok = smt_value(w, h->size[i], &about->sizes[i]);
    smt_mean(w, h->hit, written, about, -1);
    for (int i = 0; i < h->n_last; i++)
        smt_mean(w, h->last[i], written, about, i);
    return ok;
}

/* What reductions make is found one place after another, so that the place itself is of no matter.
 */
static bool made_here(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)which;
    (void)args;
    (void)n;
    *out = *(const int64_t *)about;
    return true;
}

/* A and B as the reduction TYPE puts them together. */
static int64_t folded(const char *type, int64_t a, int64_t b)
{
    if (strcmp(type, "ReduceSum") == 0)
        return a + b;
    return (strcmp(type, "ReduceMax") == 0) == (a > b) ? a : b;
}

/* All elements that FROM is made of, of which ALONG says where the first axes are that go. */
static bool fold_all(smt_world *w, prove_case *c, const char *type, const struct prove_made *from,
                     const smt **along, int axis, int64_t *out)
{
    const prove_node *n = from->node;
    int at = axis;
    int64_t size, value;

    for (int i = 0; i < axis; i++)
        at -= !n->axes[i];
    if (axis == n->in[0]->rank) {
        if (!smt_value(w, prove_folded(c, n, from->at, along), &value))
            return false;
        *out = *out == INT64_MIN ? value : folded(type, *out, value);
        return true;
    }
    if (!n->axes[axis])
        return fold_all(w, c, type, from, along, axis + 1, out);
    if (!smt_value(w, n->in[0]->dim[axis], &size))
        return false;
    for (int64_t k = 0; k < size; k++) {
        along[at] = smt_int(&c->pool, k);
        if (!fold_all(w, c, type, from, along, axis + 1, out))
            return false;
    }
    return true;
}

void smt_mean_made(smt_world *w, prove_case *c, inlay_arena *arena, const struct prove_made *made,
                   const char *type)
{
    int64_t *total = inlay_arena_alloc(arena, sizeof *total);
    const smt *along[PROVE_RANK];

    *total = INT64_MIN;
    if (fold_all(w, c, type, made, along, 0, total) && *total != INT64_MIN)
        smt_mean(w, made->made->name, made_here, total, 0);
}

/* Updates, and where they are written. */
struct updates {
    struct places places;
    const inlay_tensor *t;
};

/* The sum of the updates of a place. */
static bool summed(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    const struct updates *x = about;
    const prove_places *h = x->places.h;
    int64_t count = count_places(&x->places), slice = 1, at = 0, place[PROVE_RANK];

    (void)which;
    for (int i = h->n; i < n; i++) {
        int64_t size = x->t->dims[x->t->rank - n + i];

        slice *= size;
        at = at * size + args[i];
    }
    *out = 0;
    for (int64_t k = 0; k < count; k++) {
        place_of(&x->places, k, place);
        if (memcmp(place, args, (size_t)h->n * sizeof *args) == 0)
            *out += inlay_tensor_get_i64(x->t, k * slice + at);
    }
    return true;
}

void smt_mean_updates(smt_world *w, inlay_arena *arena, const struct prove_updates *of,
                      const inlay_tensor *indices, const inlay_tensor *updates)
{
    struct updates *about = inlay_arena_alloc(arena, sizeof *about);

    *about = (struct updates){.places = {.h = of->places, .t = indices}, .t = updates};
    for (int i = 0; i < of->places->n; i++) {
        if (!smt_value(w, of->places->size[i], &about->places.sizes[i]))
            return;
    }
    smt_mean(w, of->made, summed, about, 0);
}
