/* Bucketize-3 and SearchSorted-15 count how many of some sorted numbers precede a value. Numbers are
 * compared as keys, integers in the same order: a value is looked for by comparisons alone, without
 * branches, and many values side by side. */
#include "interp/call/kernel.h"
#include "interp/kernels/clones.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

enum { TOGETHER = 32 }; /* values that are looked for side by side */

/* The kinds of numbers that are compared. */
typedef enum kind { SIGNED, UNSIGNED, FLOATS } kind;

/* Lists of LENGTH numbers, and values that are looked for; ROW values after one another have the
 * same list. */
typedef struct search {
    kind lists, values; /* both are FLOATS, or none is */
    const int64_t *list;
    const void *x;
    int64_t *y, length, row;
    bool equal; /* numbers that equal a value precede it */
} search;

/* Zeros of both signs are equal, and a NaN is greater than each number. */
static inline int64_t key_of_float(double x)
{
    int64_t bits = (int64_t)maths_bits(x != x ? (double)NAN : x + 0.0);

    return bits ^ (bits < 0 ? INT64_MAX : 0);
}

static kind kind_of(const inlay_call *c, int i)
{
    return load_domain(c->in[i]->type) != DOMAIN_I64 ? FLOATS
           : c->in[i]->type == INLAY_U64             ? UNSIGNED
                                                     : SIGNED;
}

static INLAY_CLONES void keys_of_floats(const double *x, int64_t n, int64_t *key)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) key[i] = key_of_float(x[i]);
}

static INLAY_CLONES void keys_of_integers(const int64_t *x, int64_t n, kind k, int64_t *key)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++)
    {
        key[i] = k == UNSIGNED ? x[i] ^ INT64_MIN : x[i];
    }
}

/* Sets KEY to those of N values from AT on, such that numbers with lesser keys precede the value. */
static void find_keys(const search *s, int64_t at, int64_t n, int64_t *key)
{
    if (s->values == FLOATS)
        keys_of_floats((const double *)s->x + at, n, key);
    else
        keys_of_integers((const int64_t *)s->x + at, n, s->lists, key);
    for (int64_t i = 0; s->equal && i < n; i++)
        key[i] += key[i] < INT64_MAX;
}

/* Counts, for each of TOGETHER keys, how many of the N numbers of LIST are less, by binary search:
 * LEFT numbers from FROM on have not been decided about. */
static INLAY_CLONES void count_less(const int64_t *list, int64_t n, const int64_t *key,
                                    int64_t *from)
{
    int64_t left[TOGETHER];

    for (int i = 0; i < TOGETHER; i++) {
        from[i] = 0;
        left[i] = n;
    }
    for (int64_t most = n; most > 0; most /= 2) {
        _Pragma("omp simd") for (int i = 0; i < TOGETHER; i++)
        {
            int64_t half = left[i] / 2, middle = from[i] + half;
            bool less = (list[middle < n ? middle : n - 1] < key[i]) & (left[i] > 0);

            from[i] = less ? middle + 1 : from[i];
            left[i] = less ? left[i] - half - 1 : half;
        }
    }
}

/* Corrects the counts of N values from AT on that are below or above all numbers of the lists: they
 * have no key there, or the greatest one. */
static void correct(const search *s, int64_t at, int64_t n)
{
    const int64_t *x = s->values == FLOATS ? NULL : (const int64_t *)s->x;
    int64_t top = s->lists == UNSIGNED ? -1 : INT64_MAX;

    for (int64_t i = at; x && i < at + n; i++) {
        if (s->values != s->lists && x[i] < 0)
            s->y[i] = s->values == UNSIGNED ? s->length : 0;
        else if (s->equal && x[i] == top)
            s->y[i] = s->length;
    }
}

static void search_part(void *ctx, int64_t from, int64_t to)
{
    const search *s = ctx;
    int64_t key[TOGETHER] = {0}, count[TOGETHER];

    for (int64_t n; from < to; from += n) {
        int64_t left = s->row - from % s->row;

        n = left < to - from ? left : to - from;
        n = n < TOGETHER ? n : TOGETHER;
        find_keys(s, from, n, key);
        count_less(s->list + from / s->row * s->length, s->length, key, count);
        memcpy(s->y + from, count, (size_t)n * sizeof *count);
        correct(s, from, n);
    }
}

/* Returns the keys of operand I, which are those of kind K. */
static const int64_t *list_keys(inlay_call *c, int i, kind k)
{
    int64_t n = inlay_tensor_count(c->in[i]), *key = inlay_call_memory(c, n, sizeof *key);
    const double *floats = k == FLOATS ? load_f64(c, i) : NULL;
    const int64_t *ints = k == FLOATS ? NULL : load_i64(c, i);

    if (!key || (!floats && !ints))
        return NULL;
    if (floats)
        keys_of_floats(floats, n, key);
    else
        keys_of_integers(ints, n, k, key);
    return key;
}

/* Finds the place of each element of operand VALUES among the numbers of operand SORTED. Where
 * SORTED is one list, all elements are looked for in it; else each row of VALUES has its row of
 * SORTED. */
static bool find_places(inlay_call *c, int sorted, int values, bool equal)
{
    const inlay_tensor *lists = c->in[sorted], *x = c->in[values];
    int64_t n = inlay_tensor_count(x);
    search s = {kind_of(c, sorted), kind_of(c, values), .equal = equal};

    if (s.lists == FLOATS || s.values == FLOATS)
        s.lists = s.values = FLOATS;
    s.length = lists->dims[lists->rank - 1];
    s.row = lists->rank > 1 && n > 0 ? x->dims[x->rank - 1] : n;
    s.list = list_keys(c, sorted, s.lists);
    s.x = s.values == FLOATS ? (const void *)load_f64(c, values) : load_i64(c, values);
    s.y = place_i64(c, 0);
    if (!s.list || !s.x || !s.y)
        return false;
    call_split(c, n, 8 * log2((double)s.length + 2), search_part, &s);
    return store_i64(c, 0, s.y);
}

/* With its right bound, a bucket has no value above that bound: a value is in bucket b when b
 * bounds are less than the value. */
bool eval_bucketize(inlay_call *c)
{
    return find_places(c, 1, 0, !inlay_node_bool(c->node, "with_right_bound"));
}

bool eval_search_sorted(inlay_call *c)
{
    return find_places(c, 0, 1, inlay_node_bool(c->node, "right"));
}
