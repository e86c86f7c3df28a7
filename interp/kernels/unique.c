/* Unique-10 finds the distinct slices of data along an axis, or elements of the flat data, with the
 * first position of each, the distinct slice that each slice of data is, and how often each occurs.
 * Slices are compared element by element in row-major order, where NaN is one number above all
 * others: for 2 1 2 the sorted result is 1 2, the indices are 1 0, the inverse is 1 0 1, and the
 * counts are 1 2. */
#include "interp/kernels/axes.h"

#include <math.h>
#include <string.h>

/* COUNT slices of SIZE elements each. KEYS: numbers in the order of the elements, those of the
 * first slice, then those of the second; NULL: elements are strings. */
typedef struct slices {
    const uint64_t *keys;
    const inlay_tensor *data;
    int axis; /* -1: the flat data */
    axis_split s;
    int64_t count, size, run; /* RUN of its elements lie side by side */
} slices;

/* Returns the row-major position of element K of slice I. */
static int64_t element(const slices *s, int64_t i, int64_t k)
{
    if (s->axis < 0)
        return i;
    return (k / s->s.after * s->s.length + i) * s->s.after + k % s->s.after;
}

static int compare_strings(inlay_string a, inlay_string b)
{
    size_t n = a.length < b.length ? a.length : b.length;
    int order = n > 0 ? memcmp(a.bytes, b.bytes, n) : 0;

    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_keys(const uint64_t *x, const uint64_t *y, int64_t n)
{
    int64_t k = 0;

    while (k < n && x[k] == y[k])
        k++;
    return k == n ? 0 : x[k] < y[k] ? -1 : 1;
}

/* Compares two slices; the result is below 0, 0 or above 0. */
static int compare(const slices *s, int64_t a, int64_t b)
{
    int order = 0;

    if (s->keys)
        return compare_keys(s->keys + a * s->size, s->keys + b * s->size, s->size);
    for (int64_t k = 0; order == 0 && k < s->size; k++)
        order = compare_strings(inlay_tensor_get_string(s->data, element(s, a, k)),
                                inlay_tensor_get_string(s->data, element(s, b, k)));
    return order;
}

#define SIGN (UINT64_C(1) << 63)

static uint64_t key_of_float(double x)
{
    uint64_t bits;

    x = x == 0 ? 0 : x; /* both zeros are one */
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? UINT64_MAX : bits & SIGN ? ~bits : bits | SIGN;
}

/* Makes the keys of all elements. */
static bool make_keys(inlay_call *c, slices *s)
{
    bool whole = !inlay_type_is_float(s->data->type), wraps = s->data->type == INLAY_U64;
    const int64_t *ints = whole ? load_i64(c, 0) : NULL;
    const double *floats = whole ? NULL : load_f64(c, 0);
    uint64_t *keys = inlay_call_memory(c, s->count * s->size, sizeof *keys), *key = keys;

    if (!(ints || floats) || !keys)
        return false;
    for (int64_t i = 0; i < s->count; i++) {
        for (int64_t k = 0; k < s->size; k += s->run, key += s->run) {
            int64_t at = element(s, i, k);

            for (int64_t j = 0; floats && j < s->run; j++)
                key[j] = key_of_float(floats[at + j]);
            for (int64_t j = 0; ints && j < s->run; j++)
                key[j] = (uint64_t)ints[at + j] ^ (wraps ? 0 : SIGN);
        }
    }
    s->keys = keys;
    return true;
}

/* Merges two runs of single numbers: without branches, which random numbers make slow. */
static void merge_numbers(const uint64_t *keys, const int64_t *from, int64_t *to, int64_t a,
                          int64_t middle, int64_t end)
{
    int64_t b = middle, k = a;

    while (a < middle && b < end) {
        int64_t x = from[a], y = from[b];
        bool second = keys[y] < keys[x];

        to[k++] = second ? y : x;
        a += !second;
        b += second;
    }
    while (a < middle)
        to[k++] = from[a++];
    while (b < end)
        to[k++] = from[b++];
}

static void merge(const slices *s, const int64_t *from, int64_t *to, int64_t a, int64_t middle,
                  int64_t end)
{
    int64_t b = middle;

    for (int64_t k = a; k < end; k++) {
        bool second = a == middle || (b < end && compare(s, from[b], from[a]) < 0);

        to[k] = second ? from[b++] : from[a++];
    }
}

/* A round of merges: of runs of WIDTH slices, two by two. */
struct round {
    const slices *s;
    const int64_t *from;
    int64_t *to, width;
};

static void merge_runs(void *ctx, int64_t from, int64_t to)
{
    const struct round *r = ctx;
    int64_t count = r->s->count;

    for (; from < to; from++) {
        int64_t a = from * 2 * r->width, middle = a + r->width < count ? a + r->width : count;
        int64_t end = middle + r->width < count ? middle + r->width : count;

        if (r->s->keys && r->s->size == 1)
            merge_numbers(r->s->keys, r->from, r->to, a, middle, end);
        else
            merge(r->s, r->from, r->to, a, middle, end);
    }
}

/* Sorts the slices in ascending order; equal slices keep the order of the data. */
static void sort(inlay_call *c, const slices *s, int64_t *order, int64_t *spare)
{
    enum { COST = 20 }; /* of a slice in a round */
    int64_t *from = order, *to = spare;

    for (int64_t i = 0; i < s->count; i++)
        order[i] = i;
    for (int64_t width = 1; width < s->count; width *= 2) {
        struct round r = {s, from, to, width};
        int64_t *swap = from, n = (s->count + 2 * width - 1) / (2 * width);

        call_split(c, n, 2.0 * COST * (double)width, merge_runs, &r);
        from = to;
        to = swap;
    }
    if (from != order && s->count > 0)
        memcpy(order, from, (size_t)s->count * sizeof *order);
}

/* The distinct slices: there are N, slice k first occurs at FIRST, and COUNT times in all; GROUP
 * says which of them each slice of the data is. */
typedef struct found {
    int64_t n, *first, *count, *group;
} found;

static void group_sorted(const slices *s, const int64_t *order, found *f)
{
    for (int64_t i = 0; i < s->count; i++) {
        if (i == 0 || compare(s, order[i - 1], order[i]) != 0)
            f->first[f->n++] = order[i];
        f->group[order[i]] = f->n - 1;
        f->count[f->n - 1]++;
    }
}

/* Orders the groups by their first appearance. RANK has room for their new numbers. */
static void by_appearance(const slices *s, found *f, int64_t *rank)
{
    int64_t n = 0;

    for (int64_t g = 0; g < f->n; g++) {
        rank[g] = -1;
        f->count[g] = 0;
    }
    for (int64_t i = 0; i < s->count; i++) {
        int64_t *g = &rank[f->group[i]];

        if (*g < 0) {
            *g = n;
            f->first[n++] = i;
        }
        f->group[i] = *g;
        f->count[*g]++;
    }
}

static bool find(inlay_call *c, const slices *s, found *f)
{
    int64_t *order = inlay_call_memory(c, s->count, sizeof *order);
    int64_t *spare = inlay_call_memory(c, s->count, sizeof *spare);

    f->n = 0;
    f->first = inlay_call_memory(c, s->count, sizeof *f->first);
    f->count = inlay_call_memory(c, s->count, sizeof *f->count);
    f->group = inlay_call_memory(c, s->count, sizeof *f->group);
    if (!order || !spare || !f->first || !f->count || !f->group)
        return false;
    sort(c, s, order, spare);
    group_sorted(s, order, f);
    if (!inlay_node_bool(c->node, "sorted"))
        by_appearance(s, f, spare);
    return true;
}

static bool read_slices(inlay_call *c, slices *s)
{
    *s = (slices){.data = c->in[0], .axis = -1, .size = 1, .run = 1};
    s->count = inlay_tensor_count(s->data);
    if (call_has(c, 1)) {
        if (!axis_of_operand(c, 1, s->data->rank, &s->axis))
            return false;
        s->s = axis_split_of(s->data, s->axis);
        s->count = s->s.length;
        s->size = s->s.before * s->s.after;
        s->run = s->s.after > 0 ? s->s.after : 1;
    }
    return s->data->type == INLAY_STRING || make_keys(c, s);
}

static bool write_values(inlay_call *c, const slices *s, const found *f)
{
    int64_t dims[INLAY_MAX_RANK] = {f->n};
    int rank = s->axis < 0 ? 1 : s->data->rank;
    slices to = *s;

    for (int i = 0; s->axis >= 0 && i < rank; i++)
        dims[i] = i == s->axis ? f->n : s->data->dims[i];
    to.data = call_sized_output(c, 0, s->data->type, rank, dims);
    if (!to.data)
        return false;
    to.s.length = f->n;
    for (int64_t i = 0; i < f->n; i++) {
        for (int64_t k = 0; k < s->size; k += s->run)
            tensor_copy_run(c->out[0], element(&to, i, k), s->data, element(s, f->first[i], k),
                            s->run);
    }
    return true;
}

static bool write_list(inlay_call *c, int i, const char *type, const int64_t *x, int64_t n)
{
    inlay_tensor *t = call_sized_output(c, i, inlay_node_type(c->node, type), 1, &n);

    if (t)
        store_row_i64(t, t->offset, n > 1 ? t->strides[0] : 1, n, x);
    return t != NULL;
}

bool eval_unique(inlay_call *c)
{
    slices s;
    found f;

    return read_slices(c, &s) && find(c, &s, &f) && write_values(c, &s, &f) &&
           write_list(c, 1, "index_element_type", f.first, f.n) &&
           write_list(c, 2, "index_element_type", f.group, s.count) &&
           write_list(c, 3, "count_element_type", f.count, f.n);
}
