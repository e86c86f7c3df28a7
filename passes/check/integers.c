/* Makes random integer operands: usually what the role of an operand requires, and extreme cases of
 * it. */
#include "passes/check/maker.h"

#include <string.h>

/* ---- lists of integers ---- */

/* TYPE, a type of integers, can represent X. */
static bool holds(inlay_type type, int64_t x)
{
    bool is_unsigned = inlay_type_info_of(type)->cls == INLAY_CLASS_UNSIGNED;
    int64_t kept = 0;

    inlay_store_i64(type, &kept, 0, x);
    return inlay_load_i64(type, &kept, 0) == x && !(is_unsigned && x < 0);
}

/* A type of integers that the operand may have and that can represent all of X: mostly i64. Rules
 * that compute with indices and repeats may be wrong for 8-bit types alone. */
static inlay_type list_type(check_maker *m, int64_t n, const int64_t *x)
{
    inlay_type type = check_one_in(m, 4)   ? INLAY_I32
                      : check_one_in(m, 8) ? (inlay_type)check_draw(m, INLAY_I64, INLAY_U8)
                                           : INLAY_I64;
    bool fits = m->types >> type & 1;

    for (int64_t i = 0; fits && i < n; i++)
        fits = holds(type, x[i]);
    return fits || !(m->types >> INLAY_I64 & 1) ? type : INLAY_I64;
}

/* Makes the list as a constant, sometimes as an input of the graph, of which nothing is known. */
static inlay_value *list_of(check_maker *m, int rank, int n, const int64_t *x)
{
    inlay_type type = list_type(m, n, x);
    int64_t dims = n;
    inlay_shape shape = {.rank = rank, .dim = {inlay_dim_of(n)}};

    if (check_one_in(m, 40))
        return inlay_build_parameter(m->graph, NULL, type, &shape, m->diags);
    return inlay_build_ints(m->graph, NULL, type, rank, &dims, x, m->diags);
}

int64_t check_size(const inlay_value *v, int i)
{
    return v && i < v->fact.rank ? v->fact.dims[i].lo : 1;
}

int check_rank(const check_maker *m, const inlay_value *v)
{
    return v && v->fact.rank >= 0 ? v->fact.rank : m->rank;
}

/* A mask of some axes of the data. A Reverse accepts that instead of a list of axes. */
static inlay_value *draw_mask(check_maker *m, const inlay_value *data)
{
    int64_t x[INLAY_MAX_RANK], n = check_rank(m, data);

    for (int64_t i = 0; i < n; i++)
        x[i] = check_draw(m, 0, 1);
    return inlay_build_ints(m->graph, NULL, INLAY_BOOLEAN, 1, &n, x, m->diags);
}

static inlay_value *draw_axis(check_maker *m, const inlay_value *data)
{
    int64_t rank = check_rank(m, data), axis = check_draw(m, -rank, rank - 1);

    if (m->types >> INLAY_BOOLEAN & 1 && check_one_in(m, 2))
        return draw_mask(m, data);
    return list_of(m, check_one_in(m, 4), 1, &axis);
}

/* Some axes, each once: of the data, or of the result if that has more. */
static inlay_value *draw_axes(check_maker *m, const inlay_value *data)
{
    int64_t axes[2 * CHECK_RANK + 2], all = check_rank(m, data) + check_draw(m, 0, 2);
    int n = 0;

    for (int64_t i = 0; i < all && n < 2 * CHECK_RANK; i++) {
        if (check_one_in(m, 2))
            axes[n++] = check_one_in(m, 4) ? i - all : i;
    }
    return list_of(m, 1, n, axes);
}

static inlay_value *draw_order(check_maker *m, const inlay_value *data)
{
    int64_t order[INLAY_MAX_RANK] = {0}, rank = check_rank(m, data);

    if (check_one_in(m, 16))
        return list_of(m, 1, 0, order);
    for (int64_t i = 0; i < rank; i++) {
        int64_t k = check_draw(m, 0, i);

        order[i] = order[k];
        order[k] = i;
    }
    return list_of(m, 1, (int)rank, order);
}

/* Numbers in [lo, hi], one for each axis of the data; sometimes all zero. Margins that a rule
 * merges into a sliding window are mostly 0 for batch and channels, and not negative. */
static inlay_value *draw_numbers(check_maker *m, const inlay_value *data, int64_t lo, int64_t hi)
{
    int64_t x[INLAY_MAX_RANK];
    int n = check_rank(m, data);
    bool plain = check_one_in(m, 4), slides = m->margins && !check_one_in(m, 8);

    for (int i = 0; i < n; i++) {
        x[i] = plain ? (lo > 0 ? lo : 0) : check_draw(m, lo, hi);
        if (slides && (i < 2 || x[i] < 0))
            x[i] = 0;
    }
    return list_of(m, 1, n, x);
}

/* Like draw_numbers, but sometimes so large that a sum or difference of two wraps. */
static inlay_value *draw_any_numbers(check_maker *m, const inlay_value *data)
{
    static const int64_t large[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX,     INT64_MAX - 1,
                                    INT32_MIN, INT32_MAX,     INT32_MAX - 1, (int64_t)1 << 32};
    int64_t x[INLAY_MAX_RANK];
    int n = check_rank(m, data);

    if (n == 0 || !check_one_in(m, 4))
        return draw_numbers(m, data, -1, 3);
    for (int i = 0; i < n; i++)
        x[i] = check_one_in(m, 3)
                   ? check_draw(m, -1, 3)
                   : large[check_draw(m, 0, (int64_t)(sizeof large / sizeof *large) - 1)];
    return list_of(m, 1, n, x);
}

/* The sizes of the data, with some merged, repeated or added. */
static inlay_value *draw_shape(check_maker *m, const inlay_value *data)
{
    int64_t x[INLAY_MAX_RANK + 2];
    int rank = check_rank(m, data), n = 0, how = (int)check_draw(m, 0, 4);

    if (how == 0)
        x[n++] = check_draw(m, 0, CHECK_SIZE);
    for (int i = 0; i < rank && n < INLAY_MAX_RANK; i++) {
        x[n] = check_size(data, i);
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

/* Random lengths that add up to a size. */
static inlay_value *draw_lengths(check_maker *m, const inlay_value *data)
{
    int64_t x[CHECK_LIST], left = check_size(data, (int)check_draw(m, 0, check_rank(m, data) - 1));
    int n = (int)check_draw(m, 1, CHECK_LIST);

    for (int i = 0; i < n; i++) {
        x[i] = i + 1 == n ? left : check_draw(m, 0, left);
        left -= x[i];
    }
    if (check_one_in(m, 8))
        x[check_draw(m, 0, n - 1)] = -1;
    return list_of(m, 1, n, x);
}

/* Random ascending axes of a result, one for each axis of the data. */
static inlay_value *draw_places(check_maker *m, const inlay_value *data)
{
    int64_t x[INLAY_MAX_RANK], at = check_draw(m, 0, 1);
    int n = check_rank(m, data);

    for (int i = 0; i < n; i++, at += check_one_in(m, 3) ? 2 : 1)
        x[i] = at;
    return list_of(m, 1, n, x);
}

/* ---- windows ---- */

/* A window of one axis of SIZE: everything, a run, a progression, from either end, or beyond it. */
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
    int rank = check_rank(m, data), n = 0;
    inlay_type type = check_one_in(m, 8) ? INLAY_I32 : INLAY_I64;
    bool every = check_one_in(m, 3), unknown = check_one_in(m, 16);

    for (int i = 0; i < rank; i++) {
        if (!every && !check_one_in(m, 2))
            continue;
        draw_window(m, check_size(data, i), &lists[0][n], &lists[1][n], &lists[2][n]);
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

/* Indices in [0, SIZE), some negative, some repeated; sometimes one out of range. */
static void fill_indices(check_maker *m, int64_t size, int64_t n, int64_t *x)
{
    int64_t from = check_draw(m, 0, size - 1);
    bool rising = check_one_in(m, 2);

    for (int64_t i = 0; i < n; i++) {
        x[i] = rising && size > 0 ? (from + i) % size : check_draw(m, 0, size - 1);
        if (check_one_in(m, 24))
            x[i] -= size;
    }
    if (n > 0 && check_one_in(m, 24))
        x[check_draw(m, 0, n - 1)] = check_one_in(m, 2) ? size : -size - 1;
}

/* Indices of sizes that data may have, as constants or inputs of the graph. */
static inlay_value *draw_indices(check_maker *m, const inlay_value *data, bool tuples)
{
    int64_t dims[INLAY_MAX_RANK + 1], x[512], n = 1;
    inlay_shape shape;
    int rank = (int)check_draw(m, 0, 2), of_data = check_rank(m, data);
    bool like_data = check_one_in(m, 2);

    if (like_data)
        rank = of_data;
    for (int i = 0; i < rank; i++)
        dims[i] = like_data ? check_size(data, i) : check_draw(m, 0, 3);
    if (tuples)
        dims[rank++] = check_one_in(m, 12) ? 0 : check_draw(m, 1, of_data);
    if (like_data && rank > 0 && check_one_in(m, 2))
        dims[check_draw(m, 0, rank - 1)] = check_draw(m, 1, 3);
    for (int i = 0; i < rank; i++)
        n *= dims[i];
    if (n > 512)
        return NULL;
    fill_indices(m, check_size(data, (int)check_draw(m, 0, of_data - 1)), n, x);
    shape = (inlay_shape){.rank = rank};
    for (int i = 0; i < rank; i++)
        shape.dim[i] = inlay_dim_of(dims[i]);
    if (check_one_in(m, 8))
        return inlay_build_parameter(m->graph, NULL, list_type(m, 0, NULL), &shape, m->diags);
    return inlay_build_ints(m->graph, NULL, list_type(m, n, x), rank, dims, x, m->diags);
}

/* Large numbers only for operands that give no size: the machine could not hold values that large.
 */
inlay_value *check_numbers(check_maker *m, const inlay_op *op, int row, const inlay_value *data)
{
    inlay_role role = op->in[row].role;
    bool places = role == INLAY_ROLE_START || role == INLAY_ROLE_STOP ||
                  (role == INLAY_ROLE_NONE && !strstr(op->in[row].name, "pads"));

    return places ? draw_any_numbers(m, data) : draw_numbers(m, data, -1, 3);
}

bool check_role(check_maker *m, inlay_role role, const inlay_value *data, inlay_value **out)
{
    switch (role) {
    case INLAY_ROLE_AXIS:
        *out = draw_axis(m, data);
        return true;
    case INLAY_ROLE_AXES:
        *out = draw_axes(m, data);
        return true;
    case INLAY_ROLE_ORDER:
        *out = draw_order(m, data);
        return true;
    case INLAY_ROLE_SHAPE:
        *out = draw_shape(m, data);
        return true;
    case INLAY_ROLE_LENGTHS:
        *out = draw_lengths(m, data);
        return true;
    case INLAY_ROLE_REPEATS:
        *out = draw_numbers(m, data, 0, 3);
        return true;
    case INLAY_ROLE_PLACES:
        *out = draw_places(m, data);
        return true;
    case INLAY_ROLE_STEP:
        *out = draw_numbers(m, data, 1, 2);
        return true;
    case INLAY_ROLE_INDICES:
    case INLAY_ROLE_TUPLES:
        *out = draw_indices(m, data, role == INLAY_ROLE_TUPLES);
        return true;
    default:
        return false;
    }
}
