/* EmbeddingBag* and EmbeddingSegmentsSum add rows of a table; SegmentMax-16 reduces consecutive
 * rows; SparseFillEmptyRows-16 extends a list of elements. */
#include "interp/call/kernel.h"
#include "interp/kernels/clones.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Which rows of a table go into which bag. Indices [0, 2, 3, 4] with offsets [0, 2, 2] are the rows
 * 0 and 2 in bag 0, none in bag 1, 3 and 4 in bag 2. */
typedef struct bags {
    int64_t table, depth; /* rows, and elements of a row */
    int64_t n;            /* indices */
    const int64_t *rows;  /* by index */
    int64_t *bag;         /* by index; -1: none */
    int64_t count;
    int64_t *size; /* by bag: how many indices it has */
    int64_t empty; /* the row that an empty bag is; -1: zeros */
    int weights;   /* an operand, or -1 */
    bool mean, is_unsigned;
} bags;

/* Divide a sum by a number of elements. */

static float divided_f32(const bags *b, float sum, int64_t n)
{
    (void)b;
    return sum / (float)n;
}

static double divided_f64(const bags *b, double sum, int64_t n)
{
    (void)b;
    return sum / (double)n;
}

static uint64_t divided_u64(const bags *b, uint64_t sum, int64_t n)
{
    return b->is_unsigned ? sum / (uint64_t)n : (uint64_t)((int64_t)sum / n);
}

#define LOOP "interp/kernels/sparse_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

/* Returns whether element K of operand I, which is X, is in [0, N). */
static bool check_below(inlay_call *c, int i, int64_t k, int64_t x, int64_t n, const char *what)
{
    return (x >= 0 && x < n) || inlay_call_fail(c, "%s is %" PRId64 ", there are %" PRId64 " %s",
                                                call_element_name(c, i, k), x, n, what);
}

/* Reads the table and its indices. */
static bool read_table(inlay_call *c, bags *b)
{
    const inlay_tensor *table = c->in[0];
    const char *reduction = inlay_node_string(c->node, "reduction");

    b->table = table->dims[0];
    b->depth = dims_product(table->dims + 1, table->rank - 1);
    b->count = c->out[0]->dims[0];
    b->empty = b->weights = -1;
    b->mean = reduction && strcmp(reduction, "mean") == 0;
    b->is_unsigned = table->type == INLAY_U64;
    b->rows = load_i64(c, 1);
    b->n = inlay_tensor_count(c->in[1]);
    b->bag = inlay_call_memory(c, b->n, sizeof *b->bag);
    b->size = inlay_call_memory(c, b->count, sizeof *b->size);
    if (!b->rows || !b->bag || !b->size)
        return false;
    for (int64_t i = 0; i < b->n; i++) {
        if (!check_below(c, 1, i, b->rows[i], b->table, "rows in the table"))
            return false;
    }
    return true;
}

/* Reads the row that fills empty bags: operand I, where -1 stands for zeros. */
static bool read_empty(inlay_call *c, int i, bags *b)
{
    if (!call_has(c, i))
        return true;
    return load_one_int(c, i, &b->empty) &&
           (b->empty == -1 || check_below(c, i, 0, b->empty, b->table, "rows in the table"));
}

static void put_in_bag(bags *b, int64_t i, int64_t bag)
{
    b->bag[i] = bag;
    b->size[bag]++;
}

static bool run_bags(inlay_call *c, const bags *b)
{
    switch (load_domain(c->in[0]->type)) {
    case DOMAIN_F32:
        return run_bags_f32(c, b);
    case DOMAIN_F64:
        return run_bags_f64(c, b);
    default:
        return run_bags_u64(c, b);
    }
}

static bool read_offsets(inlay_call *c, bags *b)
{
    const int64_t *offsets = load_i64(c, 2);

    for (int64_t i = 0; offsets && i < b->count; i++) {
        int64_t end = i + 1 < b->count ? offsets[i + 1] : b->n;

        if (!check_below(c, 2, i, offsets[i], b->n + 1, "places for an offset"))
            return false;
        if (end < offsets[i])
            return inlay_call_fail(c, "%s is %" PRId64 ", more than the next offset",
                                   call_element_name(c, 2, i), offsets[i]);
    }
    for (int64_t i = 0; offsets && i < b->n; i++)
        b->bag[i] = -1;
    for (int64_t i = 0; offsets && i < b->count; i++) {
        int64_t end = i + 1 < b->count ? offsets[i + 1] : b->n;

        for (int64_t k = offsets[i]; k < end && k < b->n; k++)
            put_in_bag(b, k, i);
    }
    return offsets != NULL;
}

bool eval_embedding_bag_offsets(inlay_call *c)
{
    bags b;

    if (!read_table(c, &b) || !read_empty(c, 3, &b) || !read_offsets(c, &b))
        return false;
    b.weights = call_has(c, 4) ? 4 : -1;
    return run_bags(c, &b);
}

bool eval_embedding_bag_packed(inlay_call *c)
{
    bags b;

    if (!read_table(c, &b))
        return false;
    for (int64_t i = 0; i < b.n; i++)
        put_in_bag(&b, i, i / c->in[1]->dims[1]);
    b.weights = call_has(c, 2) ? 2 : -1;
    return run_bags(c, &b);
}

bool eval_embedding_segments_sum(inlay_call *c)
{
    const int64_t *ids = load_i64(c, 2);
    bags b;

    if (!ids || !read_table(c, &b) || !read_empty(c, 4, &b))
        return false;
    for (int64_t i = 0; i < b.n; i++) {
        if (!check_below(c, 2, i, ids[i], b.count, "segments"))
            return false;
        put_in_bag(&b, i, ids[i]);
    }
    b.weights = call_has(c, 5) ? 5 : -1;
    return run_bags(c, &b);
}

/* SegmentMax */

typedef struct segmentation {
    int64_t n, depth, count; /* rows of data, elements of a row, segments */
    const int64_t *id;       /* by row, sorted */
    bool lowest;             /* what an empty segment is: the lowest number, or zero */
} segmentation;

/* Folds the rows of each segment into a row of Y. NaN, which differs from itself, wins. */
#define DEFINE_SEGMENT_MAX(T, suffix, load, store)                                                 \
    static void fold_rows_##suffix(const segmentation *s, const T *x, T lowest, T *y)              \
    {                                                                                              \
        for (int64_t i = 0; i < s->count * s->depth; i++)                                          \
            y[i] = s->lowest ? lowest : 0;                                                         \
        for (int64_t i = 0; i < s->n && s->id[i] < s->count; i++) {                                \
            const T *row = x + i * s->depth;                                                       \
            T *most = y + s->id[i] * s->depth;                                                     \
            bool first = i == 0 || s->id[i - 1] < s->id[i];                                        \
                                                                                                   \
            for (int64_t k = 0; k < s->depth; k++)                                                 \
                most[k] = first || row[k] > most[k] || row[k] != row[k] ? row[k] : most[k];        \
        }                                                                                          \
    }                                                                                              \
    static bool segment_max_##suffix(inlay_call *c, const segmentation *s, T lowest)               \
    {                                                                                              \
        const T *x = (const T *)load(c, 0);                                                        \
        T *y = inlay_call_memory(c, s->count * s->depth, sizeof *y);                               \
                                                                                                   \
        return x && y && (fold_rows_##suffix(s, x, lowest, y), store(c, 0, (const void *)y));      \
    }

DEFINE_SEGMENT_MAX(float, f32, load_f32, store_f32)
DEFINE_SEGMENT_MAX(double, f64, load_f64, store_f64)
DEFINE_SEGMENT_MAX(int64_t, i64, load_i64, store_i64)
DEFINE_SEGMENT_MAX(uint64_t, u64, load_i64, store_i64)

#undef DEFINE_SEGMENT_MAX

static bool read_segments(inlay_call *c, segmentation *s)
{
    const inlay_tensor *data = c->in[0];
    const char *mode = inlay_node_string(c->node, "fill_mode");

    s->n = data->dims[0];
    s->depth = dims_product(data->dims + 1, data->rank - 1);
    s->lowest = strcmp(mode, "LOWEST") == 0;
    if (!(s->id = load_i64(c, 1)))
        return false;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->id[i] < 0 || (i > 0 && s->id[i] < s->id[i - 1]))
            return inlay_call_fail(c, "%s is %" PRId64 ", segments must be sorted and not negative",
                                   call_element_name(c, 1, i), s->id[i]);
    }
    s->count = s->n > 0 ? s->id[s->n - 1] : -1;
    if (s->count == INT64_MAX)
        return inlay_call_fail(c, "segment %" PRId64 " is too large", s->count);
    s->count++;
    return !call_has(c, 2) || load_one_int(c, 2, &s->count);
}

static bool holds(inlay_type type, double x)
{
    double element = 0;

    inlay_store_f64(type, &element, 0, x);
    return isfinite(x) && inlay_load_f64(type, &element, 0) == x;
}

/* Returns the lowest finite number of a type of floats: -1 is doubled, then gets one bit more after
 * another, as long as the type holds it. */
static double lowest_float(inlay_type type)
{
    double x = -1;

    while (holds(type, 2 * x))
        x *= 2;
    for (double bit = x / 2; holds(type, x + bit); bit /= 2)
        x += bit;
    return x;
}

static bool fold_segments(inlay_call *c, const segmentation *s)
{
    inlay_type type = c->in[0]->type;

    switch (load_domain(type)) {
    case DOMAIN_F32:
        return segment_max_f32(c, s, (float)lowest_float(type));
    case DOMAIN_F64:
        return segment_max_f64(c, s, lowest_float(type));
    default:
        return type == INLAY_U64 ? segment_max_u64(c, s, 0)
                                 : segment_max_i64(c, s, saturated_integer(type, -INFINITY));
    }
}

bool eval_segment_max(inlay_call *c)
{
    int64_t dims[INLAY_MAX_RANK];
    segmentation s;

    if (!read_segments(c, &s))
        return false;
    if (s.count < 0)
        return inlay_call_fail(c, "num_segments is %" PRId64 ", it must not be negative", s.count);
    memcpy(dims, c->in[0]->dims, (size_t)c->in[0]->rank * sizeof *dims);
    dims[0] = s.count;
    if (!call_sized_output(c, 0, c->in[0]->type, c->in[0]->rank, dims))
        return false;
    return fold_segments(c, &s);
}

/* SparseFillEmptyRows */

/* An element of the result: its place, and which of the values it is; -1: the default. */
typedef struct entry {
    int64_t row, column, value;
} entry;

typedef struct entries {
    int64_t rows, columns; /* of the dense tensor */
    int64_t n;
    entry *of, *spare;
    bool *filled; /* by row */
} entries;

static bool is_behind(const entry *a, const entry *b)
{
    return a->row > b->row || (a->row == b->row && a->column > b->column);
}

/* Sorts the N entries at X by place; those of one place keep their order. */
static void sort_entries(entry *x, entry *spare, int64_t n)
{
    int64_t half = n / 2, i = 0, j = half;

    if (n < 2)
        return;
    sort_entries(x, spare, half);
    sort_entries(x + half, spare, n - half);
    for (int64_t k = 0; k < n; k++) {
        bool second = i == half || (j < n && is_behind(&x[i], &x[j]));

        spare[k] = second ? x[j++] : x[i++];
    }
    memcpy(x, spare, (size_t)n * sizeof *x);
}

static bool read_sizes(inlay_call *c, entries *e)
{
    const int64_t *sizes = load_i64(c, 1);

    if (!sizes)
        return false;
    e->rows = sizes[0];
    e->columns = sizes[1];
    if (e->rows < 0 || e->columns < 0)
        return inlay_call_fail(c, "dense_shape is [%" PRId64 ",%" PRId64 "]", e->rows, e->columns);
    e->n = inlay_tensor_count(c->in[0]);
    if (e->rows > INT64_MAX - e->n)
        return inlay_call_fail(c, "dense_shape has %" PRId64 " row%s, which are too many", e->rows,
                               inlay_plural(e->rows, "", "s"));
    e->of = inlay_call_memory(c, e->rows + e->n, sizeof *e->of);
    e->spare = inlay_call_memory(c, e->rows + e->n, sizeof *e->spare);
    e->filled = inlay_call_memory(c, e->rows, sizeof *e->filled);
    return e->of && e->spare && e->filled;
}

static bool read_entries(inlay_call *c, entries *e)
{
    const int64_t *at = load_i64(c, 2);

    if (!at || !read_sizes(c, e))
        return false;
    for (int64_t i = 0; i < e->n; i++) {
        e->of[i] = (entry){at[2 * i], at[2 * i + 1], i};
        if (!check_below(c, 2, 2 * i, at[2 * i], e->rows, "rows") ||
            !check_below(c, 2, 2 * i + 1, at[2 * i + 1], e->columns, "columns"))
            return false;
        e->filled[at[2 * i]] = true;
    }
    for (int64_t row = 0; row < e->rows; row++) {
        if (!e->filled[row])
            e->of[e->n++] = (entry){row, 0, -1};
    }
    sort_entries(e->of, e->spare, e->n);
    return true;
}

bool eval_sparse_fill_empty_rows(inlay_call *c)
{
    inlay_tensor *places, *values, *empty;
    entries e;

    if (!read_entries(c, &e))
        return false;
    places = call_sized_output(c, 0, c->in[1]->type, 2, (const int64_t[]){e.n, 2});
    values = call_sized_output(c, 1, c->in[0]->type, 1, &e.n);
    empty = call_sized_output(c, 2, INLAY_BOOLEAN, 1, &e.rows);
    if (!places || !values || !empty)
        return false;
    for (int64_t i = 0; i < e.n; i++) {
        bool given = e.of[i].value >= 0;

        inlay_tensor_set_i64(places, 2 * i, e.of[i].row);
        inlay_tensor_set_i64(places, 2 * i + 1, e.of[i].column);
        tensor_copy_run(values, i, c->in[given ? 0 : 3], given ? e.of[i].value : 0, 1);
    }
    for (int64_t row = 0; row < e.rows; row++)
        inlay_tensor_set_i64(empty, row, !e.filled[row]);
    return true;
}
