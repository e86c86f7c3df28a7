/* Operators that find the largest or smallest element or its position, or select values by
 * comparing positions. */
#include "parser/onnx/export.h"

#include <string.h>

static bool give_topk(onnx_node *n, inlay_value *k, bool largest)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", -1, &ok);
    inlay_node *made =
        ok && k ? onnx_make_node(n, "TopK", 2, (inlay_value *[]){n->in[0], k},
                                 ATTRS(INT("axis", axis), WORD("mode", largest ? "max" : "min"),
                                       WORD("sort", "value"), FLAG("stable", true),
                                       TYPE("index_element_type", INLAY_I64)))
                : NULL;

    return made && onnx_give(n, 0, &made->out[0]) && onnx_give(n, 1, &made->out[1]);
}

static bool import_topk_of_attribute(onnx_node *n)
{
    bool ok = true;
    int64_t k = onnx_attr_int(n, "k", -1, &ok);

    if (ok && k < 0)
        return onnx_node_fail(n, "attribute \"k\" is missing or negative");
    return ok && give_topk(n, onnx_integer(n, k), true);
}

static bool import_largest_topk(onnx_node *n)
{
    return give_topk(n, onnx_one(n, 1), true);
}

static bool import_topk(onnx_node *n)
{
    bool ok = true, largest = onnx_attr_int(n, "largest", 1, &ok) != 0;

    onnx_attr_ignore(n, "sorted"); /* 0 allows any order, the sorted one too */
    return ok && give_topk(n, onnx_one(n, 1), largest);
}

/* X reversed along AXIS. */
static inlay_value *turned(onnx_node *n, inlay_value *x, int axis)
{
    inlay_value *axes = onnx_list(n, (int64_t[]){axis}, 1);

    return onnx_make(n, "Reverse", 2, (inlay_value *[]){x, axes}, ATTRS(WORD("mode", "index")));
}

/* Returns where the first extremum along AXIS of X is, or the last one; AXIS keeps one element. */
static inlay_value *arg(onnx_node *n, inlay_value *x, int axis, const char *mode, bool last)
{
    inlay_node *top;
    inlay_value *from, *last_place;

    if (last && !(x = turned(n, x, axis)))
        return NULL;
    top = onnx_make_node(n, "TopK", 2, (inlay_value *[]){x, onnx_integer(n, 1)},
                         ATTRS(INT("axis", axis), WORD("mode", mode), WORD("sort", "value"),
                               FLAG("stable", true), TYPE("index_element_type", INLAY_I64)));
    from = top ? &top->out[1] : NULL;
    if (!last)
        return from;
    last_place = onnx_binary(n, "Subtract", onnx_size(n, x, axis), onnx_integer(n, 1));
    return onnx_binary(n, "Subtract", last_place, from);
}

static bool import_arg(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok);
    bool keep = onnx_attr_int(n, "keepdims", 1, &ok) != 0,
         last = onnx_attr_int(n, "select_last_index", 0, &ok) != 0;
    int rank = onnx_rank(n, n->in[0]), at = ok && rank >= 0 ? onnx_axis(n, axis, rank) : -1;
    inlay_value *y = at >= 0 ? arg(n, n->in[0], at, n->op->as, last) : NULL;

    if (y && !keep)
        y = onnx_binary(n, "Squeeze", y, onnx_list(n, (int64_t[]){at}, 1));
    return onnx_give(n, 0, y);
}

static inlay_value *one_hot(onnx_node *n, inlay_value *indices, inlay_value *depth, inlay_value *on,
                            inlay_value *off, int64_t axis)
{
    return onnx_make(n, "OneHot", 4, (inlay_value *[]){indices, depth, on, off},
                     ATTRS(INT("axis", axis)));
}

/* Negative indices count from the end; indices out of range give a row of off values. */
static bool import_one_hot(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", -1, &ok);
    inlay_value *indices = onnx_convert(n, n->in[0], INLAY_I64),
                *depth = onnx_convert(n, onnx_one(n, 1), INLAY_I64), *values;
    inlay_value *negative = onnx_binary(n, "Less", indices, onnx_integer(n, 0));
    inlay_value *wrapped = onnx_binary(n, "Add", indices, depth), *on, *off,
                *zero = onnx_integer(n, 0);

    if (!ok || !negative || !wrapped || !zero || !(values = onnx_counted(n, 2, 2)))
        return false;
    indices = onnx_make(n, "Select", 3, (inlay_value *[]){negative, wrapped, indices}, NULL);
    off = onnx_make(n, "Gather", 3, (inlay_value *[]){values, zero, zero}, NULL);
    on = onnx_make(n, "Gather", 3, (inlay_value *[]){values, onnx_integer(n, 1), zero}, NULL);
    return onnx_give(n, 0, one_hot(n, indices, depth, on, off, axis));
}

/* Returns 1 for the first of the largest elements along AXIS of X, else 0. */
static inlay_value *hardmax(onnx_node *n, inlay_value *x, int axis)
{
    inlay_value *where = x ? arg(n, x, axis, "max", false) : NULL;

    where = onnx_binary(n, "Squeeze", where, onnx_list(n, (int64_t[]){axis}, 1));
    return one_hot(n, where, onnx_size(n, x, axis), onnx_number(n, n->in[0]->fact.type, 1),
                   onnx_number(n, n->in[0]->fact.type, 0), axis);
}

/* Before version 13 the axes from `axis` on were taken as one. */
static bool import_hardmax(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", n->version < 13 ? 1 : -1, &ok);
    inlay_value *x = n->in[0], *y;
    int rank = onnx_rank(n, x), at = ok && rank >= 0 ? onnx_axis(n, axis, rank) : -1;

    if (at < 0)
        return false;
    if (n->version >= 13)
        return onnx_give(n, 0, hardmax(n, x, at));
    y = hardmax(n, onnx_flatten(n, x, at), 1);
    return onnx_give(n, 0, onnx_reshape(n, y, onnx_shape_of(n, x)));
}

/* Returns 0, 1, ... below the size of AXIS of X; the result is a column [.., 1] where COLUMN says
 * so. */
static inlay_value *places(onnx_node *n, inlay_value *x, int axis, bool column)
{
    inlay_value *range = onnx_count(n, onnx_integer(n, 0), onnx_size(n, x, axis));

    return column ? onnx_binary(n, "Unsqueeze", range, onnx_list(n, (int64_t[]){1}, 1)) : range;
}

/* The upper part is where column - row >= k, the lower part is where column - row <= k. */
static bool import_trilu(onnx_node *n)
{
    bool ok = true;
    bool upper = onnx_attr_int(n, "upper", 1, &ok) != 0;
    inlay_value *x = n->in[0], *k = onnx_in(n, 1) ? onnx_one(n, 1) : onnx_integer(n, 0), *distance,
                *mask;
    int rank = onnx_rank(n, x);

    if (!ok || rank < 2)
        return rank >= 0 && ok ? onnx_node_fail(n, "the data has %d ax%s, it must have 2 or more",
                                                rank, inlay_plural(rank, "is", "es"))
                               : false;
    distance =
        onnx_binary(n, "Subtract", places(n, x, rank - 1, false), places(n, x, rank - 2, true));
    mask = onnx_binary(n, upper ? "GreaterEqual" : "LessEqual", distance, k);
    return mask &&
           onnx_give(n, 0,
                     onnx_make(n, "Select", 3,
                               (inlay_value *[]){mask, x, onnx_number(n, x->fact.type, 0)}, NULL));
}

/* Returns the list CONDITION, or as much of it as there are places along AXIS of X. */
static inlay_value *cut_to(onnx_node *n, inlay_value *condition, inlay_value *x, int axis)
{
    inlay_dim own = onnx_dim(n, 1, 0), size = x->fact.dims[axis];
    inlay_value *in[] = {condition, onnx_list(n, (int64_t[]){0}, 1), NULL,
                         onnx_list(n, (int64_t[]){1}, 1)};

    if (inlay_dim_proven_equal(own, size) || (inlay_dim_is_static(own) && own.lo <= size.lo))
        return condition;
    in[2] = onnx_sizes(n, x, axis, axis + 1);
    return onnx_make(n, "Slice", 4, in, NULL);
}

/* Selects the slices along `axis` for which the condition is true; without an axis, the elements of
 * the flattened tensor. If the condition is too short, it is false for the rest; if it is too long,
 * its end is ignored. */
static bool import_compress(onnx_node *n)
{
    bool ok = true, along = onnx_attr(n, "axis") != NULL;
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok);
    inlay_value *x = n->in[0], *where;
    int rank = along ? onnx_rank(n, x) : 0,
        at = ok && along && rank >= 0 ? onnx_axis(n, axis, rank) : 0;

    if (!ok || rank < 0 || at < 0)
        return false;
    if (!along)
        x = onnx_reshape(n, x, onnx_list(n, (int64_t[]){-1}, 1));
    where = x ? onnx_unary(n, "NonZero", cut_to(n, onnx_flat(n, n->in[1]), x, at)) : NULL;
    where = onnx_binary(n, "Squeeze", where, onnx_list(n, (int64_t[]){0}, 1));
    return onnx_give(n, 0, onnx_take(n, x, where, at));
}

static bool import_unique(onnx_node *n)
{
    bool ok = true, along = onnx_attr(n, "axis") != NULL;
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok);
    bool sorted = onnx_attr_int(n, "sorted", 1, &ok) != 0;
    inlay_value *in[] = {n->in[0], along ? onnx_integer(n, axis) : NULL};
    inlay_node *made;

    if (!ok || (along && !in[1]))
        return false;
    made = onnx_make_node(n, "Unique", 2, in, ATTRS(FLAG("sorted", sorted)));
    for (int i = 0; made && i < n->n_out && i < made->n_out; i++)
        onnx_give(n, i, &made->out[i]);
    return made != NULL;
}

/* Outputs: the distinct elements of a list in the order of their first occurrence; for each element
 * of the list, its index among them; how often each occurs. */
static bool import_own_unique(onnx_node *n)
{
    inlay_node *made = onnx_make_node(n, "Unique", 1, n->in, ATTRS(FLAG("sorted", false)));

    return made && onnx_has_rank(n, 0, 1, 1) && onnx_give(n, 0, &made->out[0]) &&
           onnx_give(n, 1, &made->out[2]) && onnx_give(n, 2, &made->out[3]);
}

/* The result has the type in attribute dtype, else that of the operand. */
static bool import_eye_like(onnx_node *n)
{
    bool ok = true;
    int64_t k = onnx_attr_int(n, "k", 0, &ok);
    inlay_value *x = n->in[0], *in[3], *y;
    inlay_type type = x->fact.type;
    int rank = onnx_rank(n, x);

    if (!ok || !onnx_attr_type(n, "dtype", 0, &type))
        return false;
    if (rank != 2)
        return rank >= 0 && onnx_node_fail(n, "the operand has %d ax%s, it must have 2", rank,
                                           inlay_plural(rank, "is", "es"));
    in[0] = onnx_size(n, x, 0);
    in[1] = onnx_size(n, x, 1);
    in[2] = onnx_integer(n, k);
    if (!in[0] || !in[1] || !in[2])
        return false;
    y = onnx_make(n, "Eye", 3, in,
                  ATTRS(TYPE("output_type", type == INLAY_BOOLEAN ? INLAY_U8 : type)));
    return onnx_give(n, 0, onnx_convert(n, y, type));
}

const onnx_operator onnx_operators_search[] = {
    {"ArgMax", 1, import_arg, "max", 1},
    {"ArgMin", 1, import_arg, "min", 1},
    {"Compress", 9, import_compress, NULL, 2},
    {"EyeLike", 9, import_eye_like, NULL, 1},
    {"Hardmax", 13, import_hardmax, NULL, 1},
    {"Hardmax", 1, import_hardmax, NULL, 1},
    {"OneHot", 9, import_one_hot, NULL, 3},
    {"TopK", 11, import_topk, NULL, 2},
    {"TopK", 10, import_largest_topk, NULL, 2},
    {"TopK", 1, import_topk_of_attribute, NULL, 1},
    {"Trilu", 14, import_trilu, NULL, 1},
    {"Unique", 11, import_unique, NULL, 1},
    {"com.microsoft.Trilu", 1, import_trilu, NULL, 1},
    {"com.microsoft.Unique", 1, import_own_unique, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* V, which is i64, as output I. */
static bool give_indices(onnx_export *x, int i, const char *v)
{
    inlay_type type = x->n->out[i].fact.type;

    return put_give(x, i, type == INLAY_I64 ? v : put_cast(x, v, type));
}

/* Sorted by index: the indices are sorted, and the values gathered by them. */
static bool export_topk(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC | PUT_INT);
    int64_t axis = inlay_node_int(x->n, "axis");
    const char *v = put_as(x, 0, type), *k = put_i64_list(x, 1), *out[2], *pair[2];
    bool ok = type != INLAY_DYNAMIC || put_refuse(x, "its type");

    ok = ok && put_many(x, "TopK", IN(v, k),
                        ATTRS(INT("axis", axis),
                              INT("largest", strcmp(inlay_node_string(x->n, "mode"), "max") == 0),
                              INT("sorted", 1)),
                        2, out);
    if (ok && strcmp(inlay_node_string(x->n, "sort"), "index") == 0) {
        ok = put_many(x, "TopK", IN(out[1], k),
                      ATTRS(INT("axis", axis), INT("largest", 0), INT("sorted", 1)), 2, pair);
        out[1] = pair[0];
        out[0] = put(x, "GatherElements", IN(v, out[1]), ATTRS(INT("axis", axis)));
    }
    return ok && put_give_as(x, 0, out[0], type) && give_indices(x, 1, out[1]);
}

static bool export_unique(onnx_export *x)
{
    const char *out[4];
    int64_t axis = 0;
    bool any = inlay_node_input(x->n, 1) != NULL, ok = !any || put_known_one(x, 1, &axis);

    ok = ok &&
         put_many(x, "Unique", IN(put_in(x, 0)),
                  any ? ATTRS(INT("sorted", inlay_node_bool(x->n, "sorted")), INT("axis", axis))
                      : ATTRS(INT("sorted", inlay_node_bool(x->n, "sorted"))),
                  4, out);
    ok = ok && put_give(x, 0, out[0]);
    for (int i = 1; ok && i < 4; i++)
        ok = give_indices(x, i, out[i]);
    return ok;
}

/* Ones on a diagonal of zeros, which are repeated where there is a shape of batches. */
static bool export_eye(onnx_export *x)
{
    inlay_type out = inlay_node_type(x->n, "output_type"),
               type = put_wider(out, PUT_BASIC | PUT_WIDE | PUT_BIT(INLAY_U8));
    const char *shape = put(x, "Concat", IN(put_i64_list(x, 0), put_i64_list(x, 1)),
                            ATTRS(INT("axis", 0))),
               *y;
    int64_t k;

    if (!put_known_one(x, 2, &k) || type == INLAY_DYNAMIC)
        return false;
    y = put(x, "EyeLike", IN(put(x, "ConstantOfShape", IN(shape), NULL)),
            ATTRS(TYPE("dtype", type), INT("k", k)));
    if (inlay_node_input(x->n, 3))
        y = put(x, "Expand",
                IN(y, put(x, "Concat", IN(put_i64_list(x, 3), shape), ATTRS(INT("axis", 0)))),
                NULL);
    return put_give(x, 0, type == out ? y : put_cast(x, y, out));
}

/* Whether V is made by an operation called NAME; then *IN is its operand I. */
static bool made_by(const inlay_value *v, const char *name, int i, const inlay_value **in)
{
    *in = put_operand_of(v, name, i);
    return *in != NULL;
}

/* What the import has wrapped, Select(x < 0, x + depth, x), as ONNX's operator does itself; or
 * NULL. */
static const inlay_value *unwrapped(const inlay_node *n)
{
    const inlay_value *v = n->in[0].value, *plain, *sum, *of, *depth;

    return made_by(v, "Select", 2, &plain) && made_by(v, "Select", 1, &sum) &&
                   made_by(sum, "Add", 0, &of) && made_by(sum, "Add", 1, &depth) && of == plain &&
                   depth == n->in[1].value
               ? plain
               : NULL;
}

/* The list of which the import has taken the two values of N; or NULL. */
static const inlay_value *both_values(const inlay_node *n)
{
    const inlay_value *on, *off, *k;

    for (int i = 0; i < 2; i++) {
        if (!made_by(n->in[2 + i].value, "Gather", 0, i ? &off : &on) ||
            !made_by(n->in[2 + i].value, "Gather", 1, &k) || !k->fact.content ||
            inlay_tensor_count(k->fact.content) != 1 ||
            inlay_tensor_get_i64(k->fact.content, 0) != 1 - i)
            return NULL;
    }
    return on == off ? on : NULL;
}

/* Index -1 has no element that is on, as OpenVINO says; ONNX counts it from the end. */
static bool export_one_hot(onnx_export *x)
{
    bool normalized = inlay_op_attr(x->n->op, "negative_indices_mode") >= 0 &&
                      strcmp(inlay_node_string(x->n, "negative_indices_mode"), "normalize") == 0;
    const inlay_value *plain = unwrapped(x->n), *list = both_values(x->n);
    const char *indices = plain ? put_value(x, plain) : put_i64(x, 0), *depth = put_i64_list(x, 1),
               *values, *none;
    int64_t zero = 0;

    if (!normalized && !plain) {
        none = put(x, "Less", IN(indices, put_int(x, 0)), NULL);
        indices = put(x, "Where", IN(none, put_int(x, INT64_MAX / 2), indices), NULL);
    }
    values = list ? put_value(x, list)
                  : put(x, "Concat",
                        IN(put_unsqueeze(x, put_scalar(x, 3), &zero, 1),
                           put_unsqueeze(x, put_scalar(x, 2), &zero, 1)),
                        ATTRS(INT("axis", 0)));
    if (put_fact(x, 0)->rank == 0) /* which OneHot takes no scalar for */
        return put_give(
            x, 0,
            put_squeeze(
                x, put(x, "OneHot", IN(put_unsqueeze(x, indices, &zero, 1), depth, values), NULL),
                &zero, 1));
    return put_give(x, 0,
                    put(x, "OneHot", IN(indices, depth, values),
                        ATTRS(INT("axis", inlay_node_int(x->n, "axis")))));
}

const onnx_exporter onnx_exporters_search[] = {
    {"Eye", export_eye, NULL, 0, PUT_ANY},   {"OneHot", export_one_hot, NULL, 0, PUT_ANY},
    {"TopK", export_topk, NULL, 0, PUT_ANY}, {"Unique", export_unique, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
