/* Draws operands: what the role of an operand asks for, most of the time, and its borders. */
#include "passes/check/maker.h"

#include <math.h>
#include <string.h>

/* splitmix64, see verify/elements.c */
static uint64_t next(check_maker *m)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

int64_t check_draw(check_maker *m, int64_t lo, int64_t hi)
{
    return hi <= lo ? lo : lo + (int64_t)(next(m) % (uint64_t)(hi - lo + 1));
}

bool check_one_in(check_maker *m, int64_t n)
{
    return check_draw(m, 1, n) == 1;
}

/* ---- lists of integers ---- */

/* The list is a constant, now and then an input of the graph, of which nothing is known. */
static inlay_value *list_of(check_maker *m, int rank, int n, const int64_t *x)
{
    inlay_type type = check_one_in(m, 4) ? INLAY_I32 : INLAY_I64;
    int64_t dims = n;
    inlay_shape shape = {.rank = rank, .dim = {inlay_dim_of(n)}};

    if (check_one_in(m, 40))
        return inlay_build_parameter(m->graph, NULL, type, &shape, m->diags);
    return inlay_build_ints(m->graph, NULL, type, rank, &dims, x, m->diags);
}

/* A size of V along its axis I, were it known or not. */
static int64_t size_of(const inlay_value *v, int i)
{
    return v && i < v->fact.rank ? v->fact.dims[i].lo : 1;
}

static int rank_of(const check_maker *m, const inlay_value *v)
{
    return v && v->fact.rank >= 0 ? v->fact.rank : m->rank;
}

static inlay_value *draw_axis(check_maker *m, const inlay_value *data)
{
    int64_t rank = rank_of(m, data), axis = check_draw(m, -rank, rank - 1);

    return list_of(m, check_one_in(m, 4), 1, &axis);
}

/* Some axes, each once; of the data or of what it becomes with more of them. */
static inlay_value *draw_axes(check_maker *m, const inlay_value *data)
{
    int64_t axes[2 * CHECK_RANK + 2], all = rank_of(m, data) + check_draw(m, 0, 2);
    int n = 0;

    for (int64_t i = 0; i < all && n < 2 * CHECK_RANK; i++) {
        if (check_one_in(m, 2))
            axes[n++] = check_one_in(m, 4) ? i - all : i;
    }
    return list_of(m, 1, n, axes);
}

static inlay_value *draw_order(check_maker *m, const inlay_value *data)
{
    int64_t order[INLAY_MAX_RANK] = {0}, rank = rank_of(m, data);

    if (check_one_in(m, 16))
        return list_of(m, 1, 0, order);
    for (int64_t i = 0; i < rank; i++) {
        int64_t k = check_draw(m, 0, i);

        order[i] = order[k];
        order[k] = i;
    }
    return list_of(m, 1, (int)rank, order);
}

/* Numbers in [lo, hi], one for each axis of the data; all zero now and then. Margins that a rule
 * moves to what slides are 0 along batch and channels, and none is below 0, most of the time. */
static inlay_value *draw_numbers(check_maker *m, const inlay_value *data, int64_t lo, int64_t hi)
{
    int64_t x[INLAY_MAX_RANK];
    int n = rank_of(m, data);
    bool plain = check_one_in(m, 4), slides = m->margins && !check_one_in(m, 8);

    for (int i = 0; i < n; i++) {
        x[i] = plain ? (lo > 0 ? lo : 0) : check_draw(m, lo, hi);
        if (slides && (i < 2 || x[i] < 0))
            x[i] = 0;
    }
    return list_of(m, 1, n, x);
}

/* The sizes of data, some of it joined, or repeated, or with more axes. */
static inlay_value *draw_shape(check_maker *m, const inlay_value *data)
{
    int64_t x[INLAY_MAX_RANK + 2];
    int rank = rank_of(m, data), n = 0, how = (int)check_draw(m, 0, 4);

    if (how == 0)
        x[n++] = check_draw(m, 0, CHECK_SIZE);
    for (int i = 0; i < rank && n < INLAY_MAX_RANK; i++) {
        x[n] = size_of(data, i);
        if (how == 1 && x[n] == 1)
            x[n] = check_draw(m, 0, CHECK_SIZE);
        if (how == 2 && n > 0 && check_one_in(m, 2)) {
            x[n - 1] *= x[n];
            continue;
        }
        n++;
        if (how == 3 && check_one_in(m, 2))
            x[n++] = 1;
    }
    if (n > 0 && check_one_in(m, 8))
        x[check_draw(m, 0, n - 1)] = -1;
    return list_of(m, 1, n, x);
}

/* A size as a sum. */
static inlay_value *draw_lengths(check_maker *m, const inlay_value *data)
{
    int64_t x[CHECK_LIST], left = size_of(data, (int)check_draw(m, 0, rank_of(m, data) - 1));
    int n = (int)check_draw(m, 1, CHECK_LIST);

    for (int i = 0; i < n; i++) {
        x[i] = i + 1 == n ? left : check_draw(m, 0, left);
        left -= x[i];
    }
    if (check_one_in(m, 8))
        x[check_draw(m, 0, n - 1)] = -1;
    return list_of(m, 1, n, x);
}

/* The axes of a result along which those of the data lie: they ascend. */
static inlay_value *draw_places(check_maker *m, const inlay_value *data)
{
    int64_t x[INLAY_MAX_RANK], at = check_draw(m, 0, 1);
    int n = rank_of(m, data);

    for (int i = 0; i < n; i++, at += check_one_in(m, 3) ? 2 : 1)
        x[i] = at;
    return list_of(m, 1, n, x);
}

/* ---- windows ---- */

/* One axis of SIZE: everything, a run, a progression, from either end, or past it. */
static void draw_window(check_maker *m, int64_t size, int64_t *start, int64_t *stop, int64_t *step)
{
    int how = (int)check_draw(m, 0, 9);

    *start = how < 2 ? 0 : check_draw(m, 0, size);
    *stop = how < 2 ? size : check_draw(m, *start, size);
    *step = how < 5 ? 1 : check_draw(m, 1, 3);
    if (how == 6) { /* backwards */
        *start = size - 1;
        *stop = -size - 1;
        *step = -check_draw(m, 1, 3);
    }
    if (how == 7) {
        *start = check_draw(m, -size - 2, size + 2);
        *stop = check_draw(m, -size - 2, size + 2);
        *step = check_one_in(m, 2) ? check_draw(m, 1, 3) : check_draw(m, -3, -1);
    }
    if (how == 8)
        *stop = check_one_in(m, 2) ? INT64_MAX : *stop;
}

bool check_window(check_maker *m, const inlay_value *data, inlay_value **out)
{
    int64_t lists[4][INLAY_MAX_RANK];
    int rank = rank_of(m, data), n = 0;
    inlay_type type = check_one_in(m, 8) ? INLAY_I32 : INLAY_I64;
    bool every = check_one_in(m, 3), unknown = check_one_in(m, 16);

    for (int i = 0; i < rank; i++) {
        if (!every && !check_one_in(m, 2))
            continue;
        draw_window(m, size_of(data, i), &lists[0][n], &lists[1][n], &lists[2][n]);
        if (type == INLAY_I32 && lists[1][n] == INT64_MAX)
            lists[1][n] = INT32_MAX;
        lists[3][n++] = check_one_in(m, 6) ? i - rank : i;
    }
    for (int i = 0; i < 4; i++) {
        int64_t dims = n;
        inlay_shape shape = {.rank = 1, .dim = {inlay_dim_of(n)}};

        out[i] = unknown && i < 3
                     ? inlay_build_parameter(m->graph, NULL, type, &shape, m->diags)
                     : inlay_build_ints(m->graph, NULL, type, 1, &dims, lists[i], m->diags);
        if (!out[i])
            return false;
    }
    return true;
}

bool check_part(check_maker *m, int64_t from, int64_t to, inlay_value **out)
{
    int64_t one = 1, lists[4] = {from, to, 1, m->cut_axis};

    for (int i = 0; i < 4; i++) {
        out[i] = inlay_build_ints(m->graph, NULL, INLAY_I64, 1, &one, &lists[i], m->diags);
        if (!out[i])
            return false;
    }
    return true;
}

/* ---- indices ---- */

/* Indices in [0, size), some from the end, some twice; of sizes that data may have. */
static inlay_value *draw_indices(check_maker *m, const inlay_value *data, bool tuples)
{
    int64_t dims[INLAY_MAX_RANK + 1], x[512], n = 1, size, from;
    int rank = (int)check_draw(m, 0, 2), of_data = rank_of(m, data);
    bool like_data = check_one_in(m, 2), rising = check_one_in(m, 2);

    if (like_data)
        rank = of_data;
    for (int i = 0; i < rank; i++)
        dims[i] = like_data ? size_of(data, i) : check_draw(m, 0, 3);
    if (tuples)
        dims[rank++] = check_draw(m, 1, of_data);
    if (like_data && rank > 0 && check_one_in(m, 2))
        dims[check_draw(m, 0, rank - 1)] = check_draw(m, 1, 3);
    for (int i = 0; i < rank; i++)
        n *= dims[i];
    if (n > 512)
        return NULL;
    size = size_of(data, (int)check_draw(m, 0, of_data - 1));
    from = check_draw(m, 0, size - 1);
    for (int64_t i = 0; i < n; i++) {
        x[i] = rising && size > 0 ? (from + i) % size : check_draw(m, 0, size - 1);
        if (check_one_in(m, 24))
            x[i] -= size;
    }
    return inlay_build_ints(m->graph, NULL, INLAY_I64, rank, dims, x, m->diags);
}

/* ---- data ---- */

/* A mask that is true in a box. */
static void fill_box(check_maker *m, inlay_tensor *t)
{
    int64_t lo[INLAY_MAX_RANK], hi[INLAY_MAX_RANK], n = inlay_tensor_count(t);

    for (int i = 0; i < t->rank; i++) {
        lo[i] = check_draw(m, 0, t->dims[i] - 1);
        hi[i] = check_draw(m, lo[i] + 1, t->dims[i]);
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t rest = k;
        bool inside = true;

        for (int i = t->rank - 1; i >= 0; i--) {
            int64_t at = rest % t->dims[i];

            inside = inside && at >= lo[i] && at < hi[i];
            rest /= t->dims[i];
        }
        inlay_tensor_set_i64(t, k, inside);
    }
}

static void fill_alike(inlay_tensor *t, int64_t x)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_i64(t, i, x);
}

static void fill_reals(inlay_tensor *t, double x)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, x);
}

static void fill_numbers(check_maker *m, inlay_tensor *t, int64_t lo)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)check_draw(m, lo, 3));
}

/* Integers become the least of their type. */
static void fill_low(check_maker *m, inlay_tensor *t)
{
    double x = check_one_in(m, 2) ? -INFINITY : -0x1p127;
    const inlay_type_info *info = inlay_type_info_of(t->type);

    if (info->cls == INLAY_CLASS_SIGNED)
        fill_alike(t, -(INT64_MAX >> (64 - info->bits)) - 1);
    else if (info->cls == INLAY_CLASS_UNSIGNED)
        fill_alike(t, 0);
    else
        fill_reals(t, x);
}

/* The one number of a rule that is not exact is above 0: a small one that is added below a root
 * must not be the negative of what it is added to. */
static inlay_value *constant(check_maker *m, inlay_type type, int rank, const int64_t *dims)
{
    bool above_0 = !inlay_type_is_float(type) || (m->number && m->rule->exactness == INLAY_APPROX);
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);
    inlay_value *v = NULL;

    if (!t)
        return NULL;
    if (m->alike && !check_one_in(m, 4))
        fill_alike(t, check_draw(m, 0, 1));
    else if (m->low && type != INLAY_BOOLEAN && !check_one_in(m, 8))
        fill_low(m, t);
    else if (type == INLAY_BOOLEAN)
        fill_box(m, t);
    else
        fill_numbers(m, t, !above_0 ? -2 : m->number);
    v = inlay_build_const(m->graph, NULL, t, m->diags);
    inlay_tensor_release(t);
    return v;
}

/* A value of these sizes: an input of the graph with sizes that are known, or not, or a constant.
 */
static inlay_value *data_of(check_maker *m, inlay_type type, int rank, const int64_t *dims)
{
    inlay_shape shape = {.rank = rank};
    bool open = check_one_in(m, 6);

    if (check_one_in(m, type == INLAY_BOOLEAN ? 2 : 8) || (m->constant && !check_one_in(m, 8)))
        return constant(m, type, rank, dims);
    for (int i = 0; i < rank; i++) {
        shape.dim[i] = inlay_dim_of(dims[i]);
        if (open && check_one_in(m, 2))
            shape.dim[i] = (inlay_dim){check_draw(m, 0, dims[i]), dims[i] + 2, 0};
    }
    return inlay_build_parameter(m->graph, NULL, type, &shape, m->diags);
}

static inlay_value *data_about(check_maker *m, inlay_type type, const int64_t *of, int rank)
{
    int64_t dims[INLAY_MAX_RANK];
    int how = (int)check_draw(m, 0, 11), skip = how == 9 && rank > 0 ? 1 : 0;

    memcpy(dims, of, (size_t)rank * sizeof *dims);
    for (int i = 0; i < rank && how > 6; i++) {
        if (how == 7 && check_one_in(m, 2))
            dims[i] = 1;
        if (how == 8 && check_one_in(m, 2))
            dims[i] = check_draw(m, 0, CHECK_SIZE);
    }
    if (how == 10)
        rank = skip = 0;
    return data_of(m, type, rank - skip, dims + skip);
}

inlay_value *check_data(check_maker *m)
{
    return data_about(m, m->type, m->dims, m->rank);
}

/* What is written over: as large as the window, or as the indices say, or as the data. */
static inlay_value *draw_updates(check_maker *m, const inlay_op *op, inlay_type type,
                                 inlay_value *const *in)
{
    int at = inlay_op_operand(op, INLAY_ROLE_INDICES), of_data = rank_of(m, in[0]), n = 0;
    int64_t dims[2 * INLAY_MAX_RANK];
    const inlay_value *indices;
    bool larger;

    if (at < 0)
        at = inlay_op_operand(op, INLAY_ROLE_TUPLES);
    indices = at > 0 ? in[at] : NULL;
    if (indices && (indices->fact.rank < 0 || indices->fact.rank > INLAY_MAX_RANK))
        indices = NULL;
    if (indices && op->in[at].role == INLAY_ROLE_TUPLES && indices->fact.rank > 0) {
        int rank = rank_of(m, indices), k = (int)size_of(indices, rank - 1);

        for (int i = 0; i + 1 < rank; i++)
            dims[n++] = size_of(indices, i);
        for (int i = k; i < of_data; i++)
            dims[n++] = size_of(in[0], i);
        return n > INLAY_MAX_RANK ? NULL : data_of(m, type, n, dims);
    }
    if (indices && !check_one_in(m, 3)) { /* in the place of an axis */
        int axis = (int)check_draw(m, 0, of_data - 1);

        for (int i = 0; i < of_data; i++) {
            if (i != axis)
                dims[n++] = size_of(in[0], i);
            for (int k = 0; i == axis && k < rank_of(m, indices); k++)
                dims[n++] = size_of(indices, k);
        }
        return n > INLAY_MAX_RANK ? NULL : data_of(m, type, n, dims);
    }
    /* MindSpore's may be larger than the indices. */
    larger = check_one_in(m, 8);
    for (int i = 0; i < rank_of(m, indices ? indices : in[0]); i++, n++)
        dims[n] = size_of(indices ? indices : in[0], i) + (larger ? check_draw(m, 0, 1) : 0);
    return data_of(m, type, n, dims);
}

/* One of the types that the operand may have: the maker's, or that of an operand before it whose
 * type it shares. */
static inlay_type type_of(const check_maker *m, const inlay_op *op, int i, inlay_value *const *in)
{
    for (int k = 0; k < i && k < op->n_in; k++) {
        if (op->in[k].var >= 0 && op->in[k].var == op->in[i].var && in[k])
            return in[k]->fact.type;
    }
    if (op->in[i].types >> m->type & 1)
        return m->type;
    for (int t = 0; t < 32; t++) {
        if (op->in[i].types >> t & 1)
            return (inlay_type)t;
    }
    return m->type;
}

/* As many filters as there may be, of as many channels as the data has, or in groups. */
static inlay_value *draw_filters(check_maker *m, inlay_type type, const inlay_value *data)
{
    int64_t dims[INLAY_MAX_RANK + 1], channels = size_of(data, 1);
    int rank = rank_of(m, data), n = 0;

    if (rank < 3)
        return NULL;
    if (check_one_in(m, 2)) {
        dims[n++] = channels > 0 && check_one_in(m, 2) ? channels : 1;
        channels /= dims[0];
    }
    dims[n++] = check_draw(m, 1, 3);
    dims[n++] = channels;
    for (int i = 2; i < rank; i++) {
        int64_t size = size_of(data, i);

        dims[n++] = check_draw(m, 1, size < 3 ? size : 3);
    }
    return data_of(m, type, n, dims);
}

/* Numbers along one axis of the data, or one number: with all its axes, or as a list; or as large
 * as what was drawn before. */
static inlay_value *draw_factors(check_maker *m, inlay_type type, const inlay_value *data,
                                 const inlay_value *before)
{
    int64_t dims[INLAY_MAX_RANK];
    int rank = rank_of(m, data), axis = (int)check_draw(m, 0, rank - 1);
    int64_t size = size_of(data, axis);

    if (before && before != data && before->fact.rank == 1 && !check_one_in(m, 8)) {
        size = size_of(before, 0);
        return constant(m, type, 1, &size);
    }
    if (rank > 1 && check_one_in(m, 2))
        axis = 1;
    size = size_of(data, axis);
    if (check_one_in(m, 3))
        return constant(m, type, 1, &size);
    for (int i = 0; i < rank; i++)
        dims[i] = i == axis ? size : 1;
    return constant(m, type, rank, dims);
}

inlay_value *check_operand(check_maker *m, const inlay_op *op, int i, inlay_value *const *in)
{
    int row = i < op->n_in ? i : op->n_in - 1;
    const inlay_value *data = i > 0 ? in[0] : NULL;
    inlay_type type = type_of(m, op, row, in);
    bool integers =
        !(op->in[row].types >> INLAY_F32 & 1) && !(op->in[row].types >> INLAY_BOOLEAN & 1);

    switch (op->in[row].role) {
    case INLAY_ROLE_AXIS:
        return draw_axis(m, data);
    case INLAY_ROLE_AXES:
        return draw_axes(m, data);
    case INLAY_ROLE_ORDER:
        return draw_order(m, data);
    case INLAY_ROLE_SHAPE:
        return draw_shape(m, data);
    case INLAY_ROLE_LENGTHS:
        return draw_lengths(m, data);
    case INLAY_ROLE_REPEATS:
        return draw_numbers(m, data, 0, 3);
    case INLAY_ROLE_PLACES:
        return draw_places(m, data);
    case INLAY_ROLE_STEP:
        return draw_numbers(m, data, 1, 2);
    case INLAY_ROLE_INDICES:
        return draw_indices(m, data, false);
    case INLAY_ROLE_TUPLES:
        return draw_indices(m, data, true);
    case INLAY_ROLE_UPDATES:
        return draw_updates(m, op, type, in);
    case INLAY_ROLE_FILTERS:
        return draw_filters(m, type, data);
    default:
        break;
    }
    if (m->number && !check_one_in(m, 8))
        return constant(m, type, 0, NULL);
    if (integers)
        return draw_numbers(m, data, -1, 3);
    if (m->constant && data && check_one_in(m, 2))
        return draw_factors(m, type, data, in[i - 1]);
    if (data && data->fact.rank >= 0 && data->fact.rank <= CHECK_RANK && !check_one_in(m, 4)) {
        int64_t dims[CHECK_RANK];

        for (int k = 0; k < data->fact.rank; k++)
            dims[k] = size_of(data, k);
        return data_about(m, type, dims, data->fact.rank);
    }
    return data_about(m, type, m->dims, m->rank);
}
