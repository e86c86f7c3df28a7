/* Bucketize-3 and SearchSorted-15 count how many of some sorted numbers precede a value. */
#include "interp/call/kernel.h"

#include <math.h>

/* The elements of an operand, which are integers or floats. */
typedef struct numbers {
    const int64_t *ints; /* u64 as the same bits */
    const double *floats;
    bool is_unsigned;
} numbers;

static bool read_numbers(inlay_call *c, int i, numbers *x)
{
    bool whole = load_domain(c->in[i]->type) == DOMAIN_I64;

    x->ints = whole ? load_i64(c, i) : NULL;
    x->floats = whole ? NULL : load_f64(c, i);
    x->is_unsigned = c->in[i]->type == INLAY_U64;
    return x->ints || x->floats;
}

static double as_double(const numbers *x, int64_t i)
{
    if (x->floats)
        return x->floats[i];
    return x->is_unsigned ? (double)(uint64_t)x->ints[i] : (double)x->ints[i];
}

/* Returns whether element I of A is less than element J of B; NaN is greater than each number.
 * Integers of one sign have the order of their bits. */
static bool is_less(const numbers *a, int64_t i, const numbers *b, int64_t j)
{
    double x, y;

    if (a->ints && b->ints) {
        bool below = !a->is_unsigned && a->ints[i] < 0, other = !b->is_unsigned && b->ints[j] < 0;

        return below != other ? below : (uint64_t)a->ints[i] < (uint64_t)b->ints[j];
    }
    x = as_double(a, i);
    y = as_double(b, j);
    return x < y || (isnan(y) && !isnan(x));
}

/* Returns how many of N sorted numbers, from FIRST on, are less than element J of X; with EQUAL,
 * how many are not greater. This is a binary search. */
static int64_t count_before(const numbers *sorted, int64_t first, int64_t n, const numbers *x,
                            int64_t j, bool equal)
{
    int64_t from = 0, to = n;

    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        bool before =
            equal ? !is_less(x, j, sorted, first + middle) : is_less(sorted, first + middle, x, j);

        if (before)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Finds the place of each element of operand VALUES among the numbers of operand SORTED. Where
 * SORTED is one list, all elements are looked for in it; else each row of VALUES has its row of
 * SORTED. */
static bool search(inlay_call *c, int sorted, int values, bool equal)
{
    int64_t n = inlay_tensor_count(c->in[values]), rank = c->in[values]->rank;
    int64_t length = c->in[sorted]->dims[c->in[sorted]->rank - 1], row = n > 0 ? n : 1;
    int64_t *y = inlay_call_memory(c, n, sizeof *y);
    numbers list, x;

    if (!y || !read_numbers(c, sorted, &list) || !read_numbers(c, values, &x))
        return false;
    if (c->in[sorted]->rank > 1 && n > 0)
        row = c->in[values]->dims[rank - 1];
    for (int64_t i = 0; i < n; i++)
        y[i] = count_before(&list, i / row * length, length, &x, i, equal);
    return store_i64(c, 0, y);
}

/* With its right bound, a bucket has no value above that bound: a value is in bucket b when b
 * bounds are less than the value. */
bool eval_bucketize(inlay_call *c)
{
    return search(c, 1, 0, !inlay_node_bool(c->node, "with_right_bound"));
}

bool eval_search_sorted(inlay_call *c)
{
    return search(c, 0, 1, inlay_node_bool(c->node, "right"));
}
