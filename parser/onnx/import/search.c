/* The largest, the smallest, and where they are; values that are chosen by a comparison of
 * positions. */
#include "parser/onnx/import.h"

/* K as a scalar, whatever shape it has. */
static inlay_value *as_scalar(onnx_node *n, inlay_value *k)
{
    return k->fact.rank == 0 ? k : onnx_binary(n, "Squeeze", k, onnx_list(n, (int64_t[]){0}, 1));
}

static bool import_topk(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", -1, &ok), count = onnx_attr_int(n, "k", 0, &ok);
    bool largest = onnx_attr_int(n, "largest", 1, &ok) != 0;
    inlay_value *k = n->version < 10 ? onnx_integer(n, count) : as_scalar(n, n->in[1]);
    inlay_node *made =
        ok && k
            ? onnx_make_node(n, "TopK", 2, (inlay_value *[]){n->in[0], k},
                             "axis=%lld; mode=%s; sort=value; stable=true; index_element_type=i64",
                             (long long)axis, largest ? "max" : "min")
            : NULL;

    onnx_attr_ignore(n, "sorted"); /* 0 allows any order, the sorted one too */
    return made && onnx_give(n, 0, &made->out[0]) && onnx_give(n, 1, &made->out[1]);
}

/* X with AXIS turned round. */
static inlay_value *turned(onnx_node *n, inlay_value *x, int axis)
{
    inlay_value *axes = onnx_list(n, (int64_t[]){axis}, 1);

    return axes ? onnx_make(n, "Reverse", 2, (inlay_value *[]){x, axes}, "mode=index") : NULL;
}

static inlay_value *size_of(onnx_node *n, inlay_value *x, int axis)
{
    inlay_value *shape = onnx_make(n, "ShapeOf", 1, &x, NULL);

    return shape ? onnx_make(n, "Gather", 3,
                             (inlay_value *[]){shape, onnx_integer(n, axis), onnx_integer(n, 0)},
                             NULL)
                 : NULL;
}

/* Where the first extremum along AXIS of X is, or the last one; AXIS keeps one element. */
static inlay_value *arg(onnx_node *n, inlay_value *x, int axis, const char *mode, bool last)
{
    inlay_node *top;
    inlay_value *from, *last_place;

    if (last && !(x = turned(n, x, axis)))
        return NULL;
    top = onnx_make_node(n, "TopK", 2, (inlay_value *[]){x, onnx_integer(n, 1)},
                         "axis=%d; mode=%s; sort=value; stable=true; index_element_type=i64", axis,
                         mode);
    from = top ? &top->out[1] : NULL;
    if (!last)
        return from;
    last_place = onnx_binary(n, "Subtract", size_of(n, x, axis), onnx_integer(n, 1));
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
    return indices && depth && on && off
               ? onnx_make(n, "OneHot", 4, (inlay_value *[]){indices, depth, on, off}, "axis=%lld",
                           (long long)axis)
               : NULL;
}

static inlay_value *as_i64(onnx_node *n, inlay_value *x)
{
    return !x || x->fact.type == INLAY_I64 ? x
                                           : onnx_make(n, "Convert", 1, &x, "destination_type=i64");
}

/* Negative indices count from the end; those out of range are off. */
static bool import_one_hot(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", -1, &ok);
    inlay_value *indices = as_i64(n, n->in[0]), *depth = as_i64(n, as_scalar(n, n->in[1])),
                *values = n->in[2];
    inlay_value *negative = onnx_binary(n, "Less", indices, onnx_integer(n, 0));
    inlay_value *wrapped = onnx_binary(n, "Add", indices, depth), *on, *off,
                *zero = onnx_integer(n, 0);

    if (!ok || !negative || !wrapped || !zero)
        return false;
    indices = onnx_make(n, "Select", 3, (inlay_value *[]){negative, wrapped, indices}, NULL);
    off = onnx_make(n, "Gather", 3, (inlay_value *[]){values, zero, zero}, NULL);
    on = onnx_make(n, "Gather", 3, (inlay_value *[]){values, onnx_integer(n, 1), zero}, NULL);
    return onnx_give(n, 0, one_hot(n, indices, depth, on, off, axis));
}

static bool import_hardmax(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", n->version < 13 ? 1 : -1, &ok);
    inlay_value *x = n->in[0], *where;
    int rank = onnx_rank(n, x), at = ok && rank >= 0 ? onnx_axis(n, axis, rank) : -1;

    if (at < 0)
        return false;
    if (n->version < 13)
        return onnx_node_fail(n, "before version 13 is not read");
    where = arg(n, x, at, "max", false);
    where = onnx_binary(n, "Squeeze", where, onnx_list(n, (int64_t[]){at}, 1));
    return onnx_give(n, 0,
                     one_hot(n, where, size_of(n, x, at), onnx_number(n, x->fact.type, 1),
                             onnx_number(n, x->fact.type, 0), at));
}

/* 0, 1, ... below the size of AXIS of X, as [.., 1] where COLUMN says so. */
static inlay_value *places(onnx_node *n, inlay_value *x, int axis, bool column)
{
    inlay_value *stop = size_of(n, x, axis);
    inlay_value *range =
        stop ? onnx_make(n, "Range", 3,
                         (inlay_value *[]){onnx_integer(n, 0), stop, onnx_integer(n, 1)},
                         "output_type=i64")
             : NULL;

    return column ? onnx_binary(n, "Unsqueeze", range, onnx_list(n, (int64_t[]){1}, 1)) : range;
}

/* The upper part is where column - row >= k, the lower one where it is <= k. */
static bool import_trilu(onnx_node *n)
{
    bool ok = true;
    bool upper = onnx_attr_int(n, "upper", 1, &ok) != 0;
    inlay_value *x = n->in[0], *k = onnx_in(n, 1) ? as_scalar(n, n->in[1]) : onnx_integer(n, 0),
                *distance, *mask;
    int rank = onnx_rank(n, x);

    if (!ok || rank < 2)
        return rank >= 0 && ok
                   ? onnx_node_fail(n, "the data has %d axes, it must have 2 or more", rank)
                   : false;
    distance =
        onnx_binary(n, "Subtract", places(n, x, rank - 1, false), places(n, x, rank - 2, true));
    mask = onnx_binary(n, upper ? "GreaterEqual" : "LessEqual", distance, k);
    return mask &&
           onnx_give(n, 0,
                     onnx_make(n, "Select", 3,
                               (inlay_value *[]){mask, x, onnx_number(n, x->fact.type, 0)}, NULL));
}

const onnx_operator onnx_operators_search[] = {
    {"ArgMax", 1, import_arg, "max", 1},     {"ArgMin", 1, import_arg, "min", 1},
    {"Hardmax", 1, import_hardmax, NULL, 1}, {"OneHot", 9, import_one_hot, NULL, 3},
    {"TopK", 10, import_topk, NULL, 2},      {"TopK", 1, import_topk, NULL, 1},
    {"Trilu", 14, import_trilu, NULL, 1},    {NULL, 0, NULL, NULL, 0},
};
