/* Range, NonZero, OneHot, Eye: the result's size is a number in an operand, or depends on data. */
#include "interp/kernels/elementwise.h"
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <math.h>
#include <string.h>

static INLAY_CLONES void steps_i64(int64_t *x, int64_t n, int64_t start, int64_t step)
{
    EACH_ELEMENT x[i] = (int64_t)((uint64_t)start + (uint64_t)i * (uint64_t)step);
}

/* Are all N sums of START and STEP exact? They are if both numbers are multiples of the distance of
 * numbers beyond the last sum. */
static bool are_exact(double start, double step, int64_t n)
{
    double beyond = 2 * (fabs(start) + fabs(step) * (double)n);

    return beyond < 0x1p1000 && n < INT32_MAX && (start + beyond) - beyond == start &&
           (step + beyond) - beyond == step;
}

static INLAY_CLONES void steps_exact(double *x, int64_t n, double start, double step)
{
    EACH_ELEMENT x[i] = start + (double)(int32_t)i * step;
}

static void steps_f64(double *x, int64_t n, double start, double step)
{
    if (are_exact(start, step, n))
        steps_exact(x, n, start, step);
    else
        for (int64_t i = 1; i < n; i++)
            x[i] = (i == 1 ? start : x[i - 1]) + step;
    if (n > 0)
        x[0] = start; /* also if it is -0 */
}

/* val[i + 1] = val[i] + step is computed in a type that is wide enough for the output's. */
bool eval_range(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->out[0]);

    if (inlay_type_is_int(c->out[0]->type)) {
        const int64_t *start = load_i64(c, 0), *step = load_i64(c, 2);
        int64_t *x = place_i64(c, 0);

        if (!start || !step || !x)
            return false;
        steps_i64(x, n, *start, *step);
        return store_i64(c, 0, x);
    } else {
        const double *start = load_f64(c, 0), *step = load_f64(c, 2);
        double *x = place_f64(c, 0);

        if (!start || !step || !x)
            return false;
        steps_f64(x, n, *start, *step);
        return store_f64(c, 0, x);
    }
}

/* Sets WHERE to the places in a row, N elements from AT on, STEP apart, of those that are not zero,
 * and returns how many these are. SIGN: the bit that a zero may have. */
#define DEFINE_FIND(T)                                                                             \
    static int64_t find_##T(const void *data, int64_t at, int64_t step, int64_t n, T sign,         \
                            int64_t *where)                                                        \
    {                                                                                              \
        int64_t found = 0;                                                                         \
                                                                                                   \
        for (int64_t i = 0; i < n; i++) {                                                          \
            T x;                                                                                   \
                                                                                                   \
            memcpy(&x, (const char *)data + (at + i * step) * (int64_t)sizeof x, sizeof x);        \
            where[found] = i;                                                                      \
            found += (x & (T)~sign) != 0;                                                          \
        }                                                                                          \
        return found;                                                                              \
    }

DEFINE_FIND(uint8_t)
DEFINE_FIND(uint16_t)
DEFINE_FIND(uint32_t)
DEFINE_FIND(uint64_t)

static bool is_zero(const inlay_tensor *t, int64_t at)
{
    if (t->type == INLAY_STRING)
        return false;
    return inlay_type_is_float(t->type) ? inlay_load_f64(t->type, t->data, at) == 0
                                        : inlay_load_i64(t->type, t->data, at) == 0;
}

static int64_t find_in_row(const inlay_tensor *t, int64_t at, int64_t step, int64_t n,
                           int64_t *where)
{
    int64_t found = 0;

    switch (t->type) {
    case INLAY_BOOLEAN:
    case INLAY_U8:
    case INLAY_I8:
        return find_uint8_t(t->data, at, step, n, 0, where);
    case INLAY_F16:
    case INLAY_BF16:
        return find_uint16_t(t->data, at, step, n, 1 << 15, where);
    case INLAY_I32:
    case INLAY_U32:
        return find_uint32_t(t->data, at, step, n, 0, where);
    case INLAY_F32:
        return find_uint32_t(t->data, at, step, n, UINT32_C(1) << 31, where);
    case INLAY_I64:
    case INLAY_U64:
        return find_uint64_t(t->data, at, step, n, 0, where);
    case INLAY_F64:
        return find_uint64_t(t->data, at, step, n, UINT64_C(1) << 63, where);
    default:
        for (int64_t i = 0; i < n; i++) {
            where[found] = i;
            found += !is_zero(t, at + i * step);
        }
        return found;
    }
}

enum { PLACES = 256 }; /* elements of a row that are looked at together */

/* Pieces of the rows of a tensor, one after the other: all of a dense one is one row. */
typedef struct search {
    const inlay_tensor *t;
    index_iter rows;
    int64_t length, step, at; /* of a row, and the piece's place in it */
} search;

enum { BLOCK = 1 << 14 }; /* elements of a dense tensor that one thread searches as one item */

/* Returns how many parts a search of T has. */
static int64_t search_parts(const inlay_tensor *t)
{
    return inlay_tensor_is_dense(t) ? (inlay_tensor_count(t) + BLOCK - 1) / BLOCK : 1;
}

/* Begins part I of a search of T. */
static search search_begin(const inlay_tensor *t, int64_t i)
{
    int last = t->rank - 1;
    search s = {.t = t};

    if (inlay_tensor_is_dense(t)) {
        int64_t n = inlay_tensor_count(t);

        s.rows = index_begin(0, NULL);
        s.at = i * BLOCK;
        s.length = n - s.at < BLOCK ? n : s.at + BLOCK;
        s.step = 1;
    } else {
        s.rows = index_rows(t->rank, t->dims);
        s.length = t->dims[last];
        s.step = t->strides[last];
    }
    return s;
}

/* Finds the elements of the next piece that are not zero, as places in row-major order. Returns
 * their number; below 0: there is no piece. */
static int64_t search_next(search *s, int64_t *where)
{
    int64_t n, found, row, first;

    if (s->at == s->length) {
        index_next(&s->rows);
        s->at = 0;
    }
    if (!index_valid(&s->rows) || s->length == 0)
        return -1;
    n = s->length - s->at < PLACES ? s->length - s->at : PLACES;
    row = s->t->offset + index_dot(s->rows.rank, s->rows.at, s->t->strides);
    first = s->rows.linear * s->length + s->at;
    found = find_in_row(s->t, row + s->at * s->step, s->step, n, where);
    for (int64_t i = 0; i < found; i++)
        where[i] += first;
    s->at += n;
    return found;
}

/* Moves the multi-index AT on by DELTA places. */
static void go_on(const inlay_tensor *t, int64_t *at, int64_t delta)
{
    int i = t->rank - 1;

    for (at[i] += delta; i > 0 && at[i] >= t->dims[i]; i--) {
        at[i - 1] += at[i] / t->dims[i];
        at[i] %= t->dims[i];
    }
}

/* What the threads share: COUNTS are, for each part of the search, how many elements it finds, and
 * later how many the parts before it find. */
struct non_zero {
    const inlay_tensor *data;
    inlay_tensor *out;
    int64_t *counts;
};

static void count_parts(void *ctx, int64_t from, int64_t to)
{
    const struct non_zero *z = ctx;
    int64_t where[PLACES], n;

    for (; from < to; from++) {
        z->counts[from] = 0;
        for (search s = search_begin(z->data, from); (n = search_next(&s, where)) >= 0;)
            z->counts[from] += n;
    }
}

/* Writes the indices of N places WHERE, from column K on. The multi-index AT is that of place LAST,
 * and later that of the last one of these. */
static void write_indices(const struct non_zero *z, const int64_t *where, int64_t n, int64_t k,
                          int64_t *at, int64_t last)
{
    enum { ROOM = 1024 };
    int rank = z->data->rank;
    int64_t index[ROOM], some, most = ROOM / rank;

    for (; n > 0; n -= some, k += some, where += some) {
        some = n < most ? n : most;
        for (int64_t j = 0; j < some; last = where[j++]) {
            go_on(z->data, at, where[j] - last);
            for (int i = 0; i < rank; i++)
                index[i * most + j] = at[i];
        }
        for (int i = 0; i < rank; i++)
            store_row_i64(z->out, inlay_tensor_index(z->out, i * z->out->dims[1] + k),
                          z->out->strides[1], some, index + i * most);
    }
}

static void write_parts(void *ctx, int64_t from, int64_t to)
{
    const struct non_zero *z = ctx;
    int64_t where[PLACES], n;

    for (; from < to; from++) {
        int64_t at[INLAY_MAX_RANK] = {0}, last = 0, k = z->counts[from];

        for (search s = search_begin(z->data, from); (n = search_next(&s, where)) >= 0; k += n) {
            if (n == 0 || z->data->rank == 0)
                continue;
            write_indices(z, where, n, k, at, last);
            last = where[n - 1];
        }
    }
}

/* Column k of the output is the index of the k-th element that is not zero, in row-major order. */
bool eval_non_zero(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t dims[2] = {data->rank, 0}, parts = search_parts(data);
    double cost = (double)inlay_tensor_count(data) / (double)(parts > 0 ? parts : 1);
    struct non_zero z = {data, NULL, inlay_call_memory(c, parts, sizeof *z.counts)};

    if (!z.counts)
        return false;
    call_split(c, parts, cost, count_parts, &z);
    for (int64_t i = 0; i < parts; i++) {
        int64_t n = z.counts[i];

        z.counts[i] = dims[1];
        dims[1] += n;
    }
    z.out = call_sized_output(c, 0, inlay_node_type(c->node, "output_type"), 2, dims);
    if (z.out)
        call_split(c, parts, cost, write_parts, &z);
    return z.out;
}

/* Sets all elements of output 0 to the only one of operand I. */
static bool fill_with(inlay_call *c, int i)
{
    struct view to = view_all(c->out[0]), from = to;

    from.offset = 0;
    memset(from.strides, 0, sizeof from.strides);
    return move_piece(c, &to, c->in[i], &from);
}

/* What the threads share of a OneHot: STRIDES of the output along the axes of the indices. */
struct one_hot {
    const inlay_call *c;
    const int64_t *index;
    int axis;
    bool from_end;
    int64_t strides[INLAY_MAX_RANK];
};

/* Writes the ones of indices FROM <= i < TO, some at a time. */
static void write_hot(void *ctx, int64_t from, int64_t to)
{
    enum { SOME = 256 };
    const struct one_hot *h = ctx;
    const inlay_tensor *on = h->c->in[2], *indices = h->c->in[0];
    inlay_tensor *out = h->c->out[0];
    int64_t depth = out->dims[h->axis], step = out->strides[h->axis], places[SOME], n = 0;

    for (index_iter it = index_from(indices->rank, indices->dims, from); from < to;
         from++, index_next(&it)) {
        int64_t hot = h->index[from];

        hot += h->from_end && hot < 0 ? depth : 0;
        if (hot >= 0 && hot < depth)
            places[n++] = out->offset + index_dot(it.rank, it.at, h->strides) + hot * step;
        if (n == SOME || from + 1 == to) {
            tensor_put(out, places, on, on->offset, 0, n);
            n = 0;
        }
    }
}

/* output[..., i, ...] = indices[..., ...] == i ? on_value : off_value; a negative index equals no
 * i. */
bool eval_one_hot(inlay_call *c)
{
    enum { COST = 20 };
    int64_t n, axis = inlay_node_int(c->node, "axis");
    struct one_hot h = {.c = c, .index = load_ints(c, 0, &n)};
    const inlay_attr *mode = inlay_node_attr(c->node, "negative_indices_mode");
    const inlay_tensor *out = c->out[0];

    if (!h.index || !fill_with(c, 3))
        return false;
    h.from_end = mode && strcmp(mode->as.s, "normalize") == 0;
    h.axis = (int)(axis < 0 ? axis + out->rank : axis);
    for (int i = 0; i < c->in[0]->rank; i++)
        h.strides[i] = out->strides[i < h.axis ? i : i + 1];
    split_moves(c, n, COST, write_hot, &h);
    return true;
}

/* output[..., i, i + diagonal_index] = 1 */
bool eval_eye(inlay_call *c)
{
    inlay_tensor *out = c->out[0];
    int64_t diagonal = inlay_tensor_get_i64(c->in[2], 0), n = inlay_tensor_count(out);
    int64_t rows = n > 0 ? out->dims[out->rank - 2] : 0,
            columns = n > 0 ? out->dims[out->rank - 1] : 1;

    tensor_zero_run(out, 0, n);
    if (diagonal >= columns || diagonal <= -rows)
        return true;
    for (int64_t at = 0; at < n; at += rows * columns) {
        for (int64_t i = diagonal < 0 ? -diagonal : 0; i < rows && i + diagonal < columns; i++)
            inlay_tensor_set_i64(out, at + i * columns + i + diagonal, 1);
    }
    return true;
}
