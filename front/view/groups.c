/* Groups nodes, so that a large graph is first seen as a few boxes: by the scopes that exporters
 * write into names ("encoder/layer.3/attention/MatMul"), then by sequences that repeat, otherwise
 * by cutting the order into parts. The nodes of a group are consecutive, or nearly, in the
 * canonical order, so that few arrows point backwards. */
#include "front/view/view.h"
#include "ir/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 14,    /* up to so many items are shown without groups */
    MANY = 36,   /* among more items, repeated sequences become groups */
    MOST = 120,  /* more items are always divided */
    PERIOD = 96, /* the longest sequence whose repetitions are searched for */
    DEPTH = 24,  /* of nested groups of scopes */
    SCOPES = 64, /* of a name */
    ROUNDS = 32  /* kinds of repetitions in one group */
};

struct arranger {
    inlay_view *view;
    view_scene *scene;
    inlay_diags *diags;
    char separator;
};

/* The scopes of a name are all its parts except the last. */
struct part {
    const char *at;
    size_t n; /* 0: the item has no scope at this depth */
};

static struct part part_of(const struct arranger *a, const char *name, int depth)
{
    const char *end;

    name += *name == a->separator;
    while (depth-- > 0 && (end = strchr(name, a->separator)))
        name = end + 1;
    end = depth < 0 ? strchr(name, a->separator) : NULL;
    return (struct part){name, end ? (size_t)(end - name) : 0};
}

static bool same_part(struct part a, struct part b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static void put_into(view_scene *s, const view_item *item, int group)
{
    if (item->group >= 0)
        s->groups[item->group].parent = group;
    else
        s->nodes[item->node].group = group;
}

/* Sorted by scope; items of one scope in their order. */
struct keyed {
    struct part part;
    size_t index;
};

static int by_part(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    size_t n = x->part.n < y->part.n ? x->part.n : y->part.n;
    int order = memcmp(x->part.at, y->part.at, n);

    if (order == 0)
        order = (x->part.n > y->part.n) - (x->part.n < y->part.n);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static uint64_t likeness(const view_item *items, size_t n)
{
    uint64_t like = 41;

    for (size_t i = 0; i < n; i++)
        like = view_hash(like, (const char *)&items[i].like, sizeof items[i].like);
    return like;
}

static bool arrange(struct arranger *a, view_item *items, size_t n, int parent, int depth,
                    int level);

/* Makes a group of the N ITEMS, which becomes the item *MADE. */
static bool enclose(struct arranger *a, const view_item *items, size_t n, size_t name, int parent,
                    const char *kind, view_item *made)
{
    int group = view_new_group(a->scene, name, parent, kind, -1, a->diags);

    if (group < 0)
        return false;
    for (size_t i = 0; i < n; i++)
        put_into(a->scene, &items[i], group);
    *made = (view_item){-1, group, items[0].name, likeness(items, n)};
    return true;
}

/* Are the nodes of a scope at DEPTH consecutive, or nearly? Names like "p2o.Conv.3" have no scopes.
 */
static bool keeps_together(const struct arranger *a, const view_item *items, size_t n, int depth,
                           const struct keyed *sorted)
{
    size_t runs = 1, scopes = 1;

    for (size_t i = 1; i < n; i++) {
        runs += !same_part(part_of(a, items[i - 1].name, depth), part_of(a, items[i].name, depth));
        scopes += !same_part(sorted[i - 1].part, sorted[i].part);
    }
    return scopes > 1 && runs <= 2 * scopes + 1;
}

/* Moves the items of each scope with several into a group, which replaces the first of them. FIRST:
 * at the index of a scope's first item, its group; -1, -1 at the others. */
static bool split_scopes(struct arranger *a, view_item *items, size_t n, const struct keyed *sorted,
                         int parent, int depth, int level)
{
    view_item *inner = inlay_take(a->view->budget, n, sizeof *inner);
    bool ok = inner || inlay_fail_memory(a->diags);

    for (size_t i = 0, k; ok && i < n; i = k) {
        size_t count = 0;
        int group;

        for (k = i; k < n && same_part(sorted[k].part, sorted[i].part); k++)
            inner[count++] = items[sorted[k].index];
        if (count < 2 || sorted[i].part.n == 0)
            continue;
        group = view_new_group(a->scene,
                               view_texts_add(&a->view->texts, sorted[i].part.at, sorted[i].part.n),
                               parent, "scope", -1, a->diags);
        for (size_t j = i; j < k; j++)
            items[sorted[j].index].node = items[sorted[j].index].group = -1;
        items[sorted[i].index] = (view_item){-1, group, inner[0].name, likeness(inner, count)};
        ok = group >= 0 && arrange(a, inner, count, group, depth + 1, level + 1);
    }
    inlay_give(inner);
    return ok;
}

static size_t compact(view_item *items, size_t n)
{
    size_t left = 0;

    for (size_t i = 0; i < n; i++) {
        if (items[i].node >= 0 || items[i].group >= 0)
            items[left++] = items[i];
    }
    return left;
}

/* Groups by scopes; *N becomes the number of items that are left. */
static bool by_scopes(struct arranger *a, view_item *items, size_t *n, int parent, int depth,
                      int level)
{
    struct keyed *sorted = inlay_take_raw(a->view->budget, (*n + 1) * sizeof *sorted);
    bool ok = true;

    if (!sorted)
        return inlay_fail_memory(a->diags);
    for (bool alike = true; alike && depth < SCOPES; depth += alike) {
        for (size_t i = 0; i < *n; i++)
            sorted[i] = (struct keyed){part_of(a, items[i].name, depth), i};
        qsort(sorted, *n, sizeof *sorted, by_part);
        alike = sorted[0].part.n > 0 && same_part(sorted[0].part, sorted[*n - 1].part);
    }
    if (level < DEPTH && keeps_together(a, items, *n, depth, sorted)) {
        ok = split_scopes(a, items, *n, sorted, parent, depth, level);
        *n = compact(items, *n);
    }
    inlay_give(sorted);
    return ok;
}

/* Items that are a sequence of PERIOD items, repeated. */
struct stretch {
    size_t begin, period, times;
};

static size_t covers(struct stretch s)
{
    return s.period * s.times;
}

/* Are the N items all alike? Then they do not count as a sequence. */
static bool all_alike(const view_item *items, size_t n)
{
    size_t i = 1;

    while (i < n && items[i].like == items[0].like)
        i++;
    return i >= n;
}

/* The longest stretch; of equally long ones, that with the shortest period. */
static struct stretch longest(const view_item *items, size_t n)
{
    struct stretch best = {0, 1, 0};

    for (size_t p = 2; p <= PERIOD && 2 * p <= n; p++) {
        size_t run = 0;

        for (size_t i = 0; i + p < n; i++) {
            struct stretch now;

            run = items[i].like == items[i + p].like ? run + 1 : 0;
            now = (struct stretch){i + 1 - run, p, run / p + 1};
            if (run >= p && covers(now) > covers(best) && !all_alike(items + now.begin, p))
                best = now;
        }
    }
    return best;
}

static bool by_blocks(struct arranger *a, view_item *items, size_t *n, int parent)
{
    for (int round = 0; *n > MANY && round < ROUNDS; round++) {
        struct stretch s = longest(items, *n);
        char name[64];

        if (s.times < 2)
            return true;
        for (size_t i = 0; i < s.times; i++) {
            view_item *first = &items[s.begin + i * s.period];
            int length = snprintf(name, sizeof name, "block %zu of %zu", i + 1, s.times);
            size_t text = view_texts_add(&a->view->texts, name, (size_t)length);
            view_item made;

            if (!enclose(a, first, s.period, text, parent, "block", &made))
                return false;
            for (size_t k = 0; k < s.period; k++)
                first[k].node = first[k].group = -1;
            *first = made;
        }
        *n = compact(items, *n);
    }
    return true;
}

static bool by_parts(struct arranger *a, view_item *items, size_t *n, int parent)
{
    while (*n > MOST) {
        size_t parts = *n / (MOST / 2) < MOST ? *n / (MOST / 2) : MOST, left = 0;
        char name[64];

        for (size_t i = 0, end; i < parts; i++) {
            size_t begin = *n * i / parts;
            int length = snprintf(name, sizeof name, "part %zu of %zu", i + 1, parts);
            view_item made;

            end = *n * (i + 1) / parts;
            if (!enclose(a, items + begin, end - begin,
                         view_texts_add(&a->view->texts, name, (size_t)length), parent, "part",
                         &made))
                return false;
            items[left++] = made;
        }
        *n = left;
    }
    return true;
}

/* Recursive, DEPTH deep at most. */
static bool arrange(struct arranger *a, view_item *items, size_t n, int parent, int depth,
                    int level)
{
    bool ok = n <= FEW || (by_scopes(a, items, &n, parent, depth, level) &&
                           by_blocks(a, items, &n, parent) && by_parts(a, items, &n, parent));

    for (size_t i = 0; ok && i < n; i++)
        put_into(a->scene, &items[i], parent);
    return ok;
}

/* The character that separates scopes in most names. */
static char separator_of(const view_item *items, size_t n)
{
    size_t slashes = 0;

    for (size_t i = 0; i < n; i++)
        slashes += *items[i].name && strchr(items[i].name + 1, '/') != NULL;
    return 2 * slashes >= n ? '/' : '.';
}

bool view_arrange(inlay_view *v, view_scene *s, view_item *items, size_t n, int parent,
                  inlay_diags *d)
{
    struct arranger a = {v, s, d, separator_of(items, n)};

    return arrange(&a, items, n, parent, 0, 0);
}
