/* Makes random operands: usually what the role of an operand requires, and extreme cases of it. */
#include "passes/check/maker.h"

#include <math.h>
#include <string.h>

enum { MOST_ELEMENTS = 4096 }; /* of a value: its indices may come from a Range */

/* Fills a mask that is true in a box. */
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

static void fill_numbers(check_maker *m, inlay_tensor *t, int64_t lo, int64_t hi)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)check_draw(m, lo, hi));
}

/* Sets integers to the least number of their type. */
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

/* A number slightly above the middle of two neighbours in bf16, f16 or f32. If it is first rounded
 * to an intermediate type, it becomes that middle, which is then rounded to even: so rounding twice
 * differs from rounding once. */
static double above_tie(check_maker *m)
{
    static const int ties[] = {8, 11, 24}, above[] = {4, 18, 28};
    int at = ties[check_draw(m, 0, 2)];

    return 1 + ldexp(1, -at) + ldexp(1, -at - above[check_draw(m, 0, 2)]);
}

/* Sets some elements to zeros, NaN, numbers that show double rounding, numbers rounded to infinity
 * or to zero, and the limits of their type, negative ones too. */
static void fill_special(check_maker *m, inlay_tensor *t)
{
    static const double reals[] = {-0.0, 0,     NAN,      INFINITY, -INFINITY, 65504,
                                   1e-7, 1e-45, 0x1p-149, 0x1p127,  -0x1p127,  0.1};
    int bits = inlay_type_is_int(t->type) ? inlay_type_info_of(t->type)->bits : 64;
    const int64_t integers[] = {-1,
                                -2,
                                0,
                                INT64_MIN,
                                INT64_MAX,
                                INT64_MIN >> (64 - bits),
                                INT64_MAX >> (64 - bits),
                                ((int64_t)1 << 30) + ((int64_t)1 << 22) + 1,
                                ((int64_t)1 << 60) + ((int64_t)1 << 36) + 1};

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        int64_t real = check_draw(m, 0, 2 * (int64_t)(sizeof reals / sizeof *reals) - 1),
                whole = check_draw(m, 0, (int64_t)(sizeof integers / sizeof *integers) - 1);

        if (check_one_in(m, 3))
            continue;
        if (!inlay_type_is_float(t->type))
            inlay_tensor_set_i64(t, i, integers[whole]);
        else
            inlay_tensor_set_f64(t, i, real % 2 ? reals[real / 2] : above_tie(m));
    }
}

/* The least power of two of TYPE: results computed from it may not be representable. */
static double least_of(inlay_type type)
{
    double x = 1, last = 1, next = 1;

    while (next == x && x != 0) {
        last = x;
        x /= 2;
        inlay_store_f64(type, &next, 0, x);
        next = inlay_load_f64(type, &next, 0);
    }
    return last;
}

/* Sets all elements to the number that the rule writes, or to 0, -0 or 1. */
static void fill_same(check_maker *m, inlay_tensor *t)
{
    const rule_ints *asked = m->asked;

    if (asked && check_one_in(m, 2))
        fill_reals(t, asked->is_real ? asked->real : (double)asked->x[0]);
    else if (inlay_type_is_float(t->type) && check_one_in(m, 4))
        fill_reals(t, -0.0);
    else
        fill_alike(t, check_draw(m, 0, 1));
}

/* The constant of a rule that is not exact is positive: a small number added before a root must not
 * cancel what it is added to. */
static inlay_value *constant(check_maker *m, inlay_type type, int rank, const int64_t *dims)
{
    bool above_0 = !inlay_type_is_float(type) || (m->number && m->rule->exactness == INLAY_APPROX);
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);
    inlay_value *v = NULL;

    if (!t)
        return NULL;
    if (m->alike && !check_one_in(m, 4))
        fill_same(m, t);
    else if (m->low && type != INLAY_BOOLEAN && !check_one_in(m, 8))
        fill_low(m, t);
    else if (type == INLAY_BOOLEAN)
        fill_box(m, t);
    else
        fill_numbers(m, t, !above_0 ? -2 : m->number, m->most < 1 ? 1 : 3);
    if (m->specials && m->any_number && !m->alike && type != INLAY_BOOLEAN && check_one_in(m, 3))
        fill_special(m, t);
    if (!m->specials && m->constant && inlay_type_is_float(type) && check_one_in(m, 8))
        fill_reals(t, least_of(type));
    v = inlay_build_const(m->graph, NULL, t, m->diags);
    inlay_tensor_release(t);
    return v;
}

/* A value of these sizes: a constant, or an input of the graph with known sizes, with open sizes,
 * or of unknown rank. */
static inlay_value *data_of(check_maker *m, inlay_type type, int rank, const int64_t *dims)
{
    inlay_shape shape = {.rank = rank};
    bool open = check_one_in(m, 6);
    int64_t n;

    if (!inlay_count_elements(rank, dims, &n) || n > MOST_ELEMENTS)
        return NULL;
    if (check_one_in(m, type == INLAY_BOOLEAN ? 2 : 8) || (m->constant && !check_one_in(m, 8)))
        return constant(m, type, rank, dims);
    for (int i = 0; i < rank; i++) {
        shape.dim[i] = inlay_dim_of(dims[i]);
        if (open && check_one_in(m, 2))
            shape.dim[i] = check_one_in(m, 4)
                               ? inlay_dim_any()
                               : (inlay_dim){check_draw(m, 0, dims[i]), dims[i] + 2, 0};
    }
    if (open && check_one_in(m, 6))
        shape.rank = -1;
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

/* The updates of a scatter: as large as the window, as the indices require, or as the data. */
static inlay_value *draw_updates(check_maker *m, const inlay_op *op, inlay_type type,
                                 inlay_value *const *in)
{
    int at = inlay_op_operand(op, INLAY_ROLE_INDICES), of_data = check_rank(m, in[0]), n = 0;
    int64_t dims[2 * INLAY_MAX_RANK];
    const inlay_value *indices;
    bool larger;

    if (at < 0)
        at = inlay_op_operand(op, INLAY_ROLE_TUPLES);
    indices = at > 0 ? in[at] : NULL;
    if (indices && (indices->fact.rank < 0 || indices->fact.rank > INLAY_MAX_RANK))
        indices = NULL;
    if (indices && op->in[at].role == INLAY_ROLE_TUPLES && indices->fact.rank > 0) {
        int rank = check_rank(m, indices), k = (int)check_size(indices, rank - 1);

        for (int i = 0; i + 1 < rank; i++)
            dims[n++] = check_size(indices, i);
        for (int i = k; i < of_data; i++)
            dims[n++] = check_size(in[0], i);
        return n > INLAY_MAX_RANK ? NULL : data_of(m, type, n, dims);
    }
    if (indices && !check_one_in(m, 3)) { /* instead of an axis */
        int axis = (int)check_draw(m, 0, of_data - 1);

        for (int i = 0; i < of_data; i++) {
            if (i != axis)
                dims[n++] = check_size(in[0], i);
            for (int k = 0; i == axis && k < check_rank(m, indices); k++)
                dims[n++] = check_size(indices, k);
        }
        return n > INLAY_MAX_RANK ? NULL : data_of(m, type, n, dims);
    }
    /* Those of MindSpore's scatter may be larger than the indices. */
    larger = check_one_in(m, 8);
    for (int i = 0; i < check_rank(m, indices ? indices : in[0]); i++, n++)
        dims[n] = check_size(indices ? indices : in[0], i) + (larger ? check_draw(m, 0, 1) : 0);
    return data_of(m, type, n, dims);
}

inlay_type check_type(const check_maker *m, const inlay_op *op, int i, inlay_value *const *in)
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

/* Filters for the channels of the data, possibly in groups. */
static inlay_value *draw_filters(check_maker *m, inlay_type type, const inlay_value *data)
{
    int64_t dims[INLAY_MAX_RANK + 1], channels = check_size(data, 1);
    int rank = check_rank(m, data), n = 0;

    if (rank < 3)
        return NULL;
    if (check_one_in(m, 2)) {
        dims[n++] = channels > 0 && check_one_in(m, 2) ? channels : 1;
        channels /= dims[0];
    }
    dims[n++] = check_draw(m, 1, 3);
    dims[n++] = channels;
    for (int i = 2; i < rank; i++) {
        int64_t size = check_size(data, i);

        dims[n++] = check_draw(m, 1, size < 3 ? size : 3);
    }
    return data_of(m, type, n, dims);
}

/* One number for each position of an axis of the data, or a single number; with all axes of the
 * data, or as a list; or with the sizes of what was made before. */
static inlay_value *draw_factors(check_maker *m, inlay_type type, const inlay_value *data,
                                 const inlay_value *before)
{
    int64_t dims[INLAY_MAX_RANK];
    int rank = check_rank(m, data), axis = (int)check_draw(m, 0, rank - 1);
    int64_t size = check_size(data, axis);

    if (before && before != data && before->fact.rank == 1 && !check_one_in(m, 8)) {
        size = check_size(before, 0);
        return constant(m, type, 1, &size);
    }
    if (rank > 1 && check_one_in(m, 2))
        axis = 1;
    size = check_size(data, axis);
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
    inlay_type type = check_type(m, op, row, in);
    inlay_role role = op->in[row].role;
    inlay_value *v = NULL;
    bool integers;

    m->types = op->in[row].types;
    m->any_number =
        role == INLAY_ROLE_NONE || role == INLAY_ROLE_DATA || role == INLAY_ROLE_UPDATES;
    integers = !(m->types >> INLAY_F32 & 1) && !(m->types >> INLAY_BOOLEAN & 1);
    if (check_role(m, role, data, &v))
        return v;
    if (role == INLAY_ROLE_UPDATES)
        return draw_updates(m, op, type, in);
    if (role == INLAY_ROLE_FILTERS)
        return draw_filters(m, type, data);
    if (m->number && !check_one_in(m, 8))
        return constant(m, type, 0, NULL);
    if (m->scalar && !check_one_in(m, 8))
        return data_of(m, type, 0, NULL);
    if (integers && (data || check_one_in(m, 2)))
        return check_numbers(m, op, row, data);
    if (m->constant && data && check_one_in(m, 2))
        return draw_factors(m, type, data, in[i - 1]);
    if (data && data->fact.rank >= 0 && data->fact.rank <= CHECK_RANK && !check_one_in(m, 4)) {
        int64_t dims[CHECK_RANK];

        for (int k = 0; k < data->fact.rank; k++)
            dims[k] = check_size(data, k);
        return data_about(m, type, dims, data->fact.rank);
    }
    return data_about(m, type, m->dims, m->rank);
}
