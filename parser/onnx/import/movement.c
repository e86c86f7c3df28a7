/* Operators that move elements to places that do not depend on data: joins, cuts, pads, repetitions.
 */
#include "parser/onnx/import/make.h"
#include "parser/onnx/write.h"

#include <string.h>

static bool import_concat(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);

    return ok && (n->version < 4 || onnx_needs_attr(n, "axis")) &&
           onnx_give(n, 0, onnx_make(n, "Concat", n->n_in, n->in, ATTRS(INT("axis", axis))));
}

static bool give_all(onnx_node *n, inlay_node *made)
{
    if (made && made->n_out > n->n_out)
        return onnx_node_fail(n, "makes %d part%s, and has %d output%s", made->n_out,
                              inlay_plural(made->n_out, "", "s"), n->n_out,
                              inlay_plural(n->n_out, "", "s"));
    for (int i = 0; made && i < made->n_out; i++)
        onnx_give(n, i, &made->out[i]);
    return made != NULL;
}

/* Splits operand 0 into parts of these LENGTHS, one for each output of the node. If the number of
 * lengths is unknown, it must be the number of outputs. */
static bool split_by(onnx_node *n, int64_t axis, inlay_value *lengths)
{
    bool counted = lengths && lengths->fact.rank == 1 && inlay_dim_is_static(lengths->fact.dims[0]);
    inlay_value *list =
        counted ? lengths : onnx_reshape(n, lengths, onnx_list(n, (int64_t[]){n->n_out}, 1));
    inlay_value *in[] = {n->in[0], onnx_integer(n, axis), list};

    return in[1] && list && give_all(n, onnx_make_node(n, "VariadicSplit", 3, in, NULL));
}

/* Splits operand 0 along AXIS, of unknown size and perhaps counted from the end, into parts of
 * ceil(size / PARTS) = each elements: part I has min(max(size - I * each, 0), each). */
static bool split_open(onnx_node *n, int axis, int64_t parts)
{
    int64_t *places = inlay_arena_array(n->s->r->a.scratch, (size_t)parts, sizeof *places);
    inlay_value *size = onnx_element(n, onnx_shape_of(n, n->in[0]), axis), *each, *lengths;

    if (!places)
        return inlay_fail_memory(n->d);
    for (int64_t i = 0; i < parts; i++)
        places[i] = i;
    each = onnx_binary(n, "Divide", onnx_binary(n, "Add", size, onnx_integer(n, parts - 1)),
                       onnx_integer(n, parts));
    lengths = onnx_binary(n, "Multiply", onnx_list(n, places, (int)parts), each);
    lengths =
        onnx_binary(n, "Maximum", onnx_binary(n, "Subtract", size, lengths), onnx_integer(n, 0));
    return split_by(n, axis, onnx_binary(n, "Minimum", lengths, each));
}

/* Splits operand 0 into equal PARTS; the last ones are smaller if the size is not a multiple, which
 * it had to be before version 18. */
static bool split_into(onnx_node *n, int64_t axis, int64_t parts)
{
    const inlay_fact *x = &n->in[0]->fact;
    int at = onnx_axis(n, axis, x->rank < 0 ? INLAY_MAX_RANK : x->rank);
    bool open = x->rank < 0 || (at >= 0 && !inlay_dim_is_static(x->dims[at]));
    int64_t *lengths, size, each;
    inlay_value *in[] = {n->in[0], onnx_integer(n, axis)};

    if (at < 0 || !in[1])
        return false;
    if (parts < 1 || parts > n->n_out)
        return onnx_node_fail(n, "makes %lld part%s, and has %d output%s", (long long)parts,
                              inlay_plural(parts, "", "s"), n->n_out,
                              inlay_plural(n->n_out, "", "s"));
    if (open && n->version >= 18 && parts > 1)
        return split_open(n, x->rank < 0 ? (int)axis : at, parts);
    size = open ? 0 : x->dims[at].lo;
    if (size % parts == 0 || n->version < 18)
        return give_all(n, onnx_make_node(n, "Split", 2, in, ATTRS(INT("num_splits", parts))));
    each = (size + parts - 1) / parts;
    lengths = inlay_arena_array(n->s->r->a.scratch, (size_t)parts, sizeof *lengths);
    if (!lengths)
        return inlay_fail_memory(n->d);
    for (int64_t i = 0; i < parts; i++) {
        lengths[i] = size < each ? size : each;
        size -= lengths[i];
    }
    return split_by(n, axis, onnx_list(n, lengths, (int)parts));
}

static bool import_split(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok),
            parts = onnx_attr_int(n, "num_outputs", n->n_out, &ok);
    int count;
    const int64_t *lengths = onnx_attr_ints(n, "split", &count, &ok);

    if (onnx_in(n, 1))
        return ok && split_by(n, axis, n->in[1]);
    return ok &&
           (lengths ? split_by(n, axis, onnx_list(n, lengths, count)) : split_into(n, axis, parts));
}

static bool import_slice(onnx_node *n)
{
    inlay_value *step = onnx_in(n, 4) ? n->in[4] : make_steps(n, n->in[1]);

    return step &&
           onnx_give(n, 0,
                     onnx_make(n, "Slice", 5,
                               (inlay_value *[]){n->in[0], n->in[1], n->in[2], step, onnx_in(n, 3)},
                               NULL));
}

static bool import_slice_1(onnx_node *n)
{
    bool ok = true;
    int n_starts, n_ends, n_axes;
    const int64_t *starts = onnx_attr_ints(n, "starts", &n_starts, &ok);
    const int64_t *ends = onnx_attr_ints(n, "ends", &n_ends, &ok),
                  *axes = onnx_attr_ints(n, "axes", &n_axes, &ok);
    inlay_value *in[5] = {n->in[0]};

    if (!ok || !onnx_needs_attr(n, "starts") || !onnx_needs_attr(n, "ends"))
        return false;
    in[1] = onnx_list(n, starts, n_starts);
    in[2] = onnx_list(n, ends, n_ends);
    in[3] = in[1] ? make_steps(n, in[1]) : NULL;
    in[4] = axes ? onnx_list(n, axes, n_axes) : NULL;
    return in[2] && in[3] && (!axes || in[4]) &&
           onnx_give(n, 0, onnx_make(n, "Slice", 5, in, NULL));
}

/* Returns half I of the list PADS, which has an entry per axis of AXES in each half, as a list for
 * all RANK axes. */
static inlay_value *half(onnx_node *n, inlay_value *pads, inlay_value *axes, int rank, int i)
{
    inlay_value *halves, *zeros, *axis = onnx_integer(n, 0);
    inlay_node *split;
    int64_t none[INLAY_MAX_RANK] = {0};

    split = axis ? onnx_make_node(n, "Split", 2, (inlay_value *[]){pads, axis},
                                  ATTRS(INT("num_splits", 2)))
                 : NULL;
    halves = split ? &split->out[i] : NULL;
    if (!halves || !axes)
        return halves;
    zeros = onnx_list(n, none, rank);
    if (zeros && pads->fact.type != INLAY_I64)
        zeros = onnx_binary(n, "ConvertLike", zeros, pads);
    return onnx_make(n, "ScatterElementsUpdate", 4, (inlay_value *[]){zeros, axes, halves, axis},
                     NULL);
}

/* Returns X with BEGIN more elements before it along AXIS and END more behind it, as if X were
 * repeated without an end: an element is taken from (place modulo size). */
static inlay_value *wrapped(onnx_node *n, inlay_value *x, inlay_value *begin, inlay_value *end,
                            int axis)
{
    inlay_value *size = onnx_size(n, x, axis);
    inlay_value *places =
        onnx_count(n, onnx_unary(n, "Negative", begin), onnx_binary(n, "Add", size, end));

    return onnx_take(n, x, onnx_binary(n, "FloorMod", places, size), axis);
}

/* Checks that PADS, one half of them, is not known to have another length than RANK. */
static bool has_all(onnx_node *n, const inlay_value *pads, int rank)
{
    const inlay_fact *f = &pads->fact;

    return f->rank < 0 || (f->rank == 1 && inlay_dim_compatible(f->dims[0], inlay_dim_of(rank))) ||
           onnx_node_fail(n, "the pads must have 2 numbers for each of %d ax%s", rank,
                          inlay_plural(rank, "is", "es"));
}

/* Wraps X along all axes; BEGIN and END have an element for each axis of X. */
static inlay_value *wrapped_all(onnx_node *n, inlay_value *x, inlay_value *begin, inlay_value *end)
{
    int rank = onnx_rank(n, x);

    if (rank < 0 || !has_all(n, begin, rank) || !has_all(n, end, rank))
        return NULL;
    begin = onnx_convert(n, begin, INLAY_I64);
    end = onnx_convert(n, end, INLAY_I64);
    for (int i = 0; x && begin && end && i < rank; i++) {
        const inlay_dim *b = begin->fact.known, *e = end->fact.known;
        bool stays = b && e && i < begin->fact.n_known && i < end->fact.n_known &&
                     inlay_dim_is_static(b[i]) && inlay_dim_is_static(e[i]) && b[i].lo == 0 &&
                     e[i].lo == 0;

        if (!stays)
            x = wrapped(n, x, onnx_element(n, begin, i), onnx_element(n, end, i), i);
    }
    return x;
}

/* Pads X. VALUE may be NULL: the border is zeros. */
static inlay_value *padded(onnx_node *n, inlay_value *begin, inlay_value *end, inlay_value *value,
                           const char *mode)
{
    if (!begin || !end)
        return NULL;
    if (strcmp(mode, "wrap") == 0)
        return wrapped_all(n, n->in[0], begin, end);
    return onnx_make(n, "Pad", 4, (inlay_value *[]){n->in[0], begin, end, value},
                     ATTRS(WORD("pad_mode", mode)));
}

static bool import_pad(onnx_node *n)
{
    bool ok = true;
    const char *mode = onnx_attr_string(n, "mode", "constant", &ok);
    inlay_value *axes = onnx_in(n, 3);
    int rank = axes ? onnx_rank(n, n->in[0]) : 0;
    inlay_value *begin = ok && rank >= 0 ? half(n, n->in[1], axes, rank, 0) : NULL;
    inlay_value *end = begin ? half(n, n->in[1], axes, rank, 1) : NULL, *value = onnx_one(n, 2);

    return (value || !onnx_in(n, 2)) && onnx_give(n, 0, padded(n, begin, end, value, mode));
}

/* The pads may be a matrix of one row. */
static bool import_own_pad(onnx_node *n)
{
    onnx_node inner = *n;
    inlay_value *in[] = {n->in[0], onnx_flat(n, n->in[1]), onnx_in(n, 2)};
    bool ok;

    inner.in = in;
    inner.n_in = 3;
    ok = in[1] && import_pad(&inner);
    n->first_made = inner.first_made;
    return ok;
}

static bool import_pad_2(onnx_node *n)
{
    bool ok = true;
    int count;
    const char *mode = onnx_attr_string(n, "mode", "constant", &ok),
               *name = n->version < 2 ? "paddings" : "pads";
    const int64_t *pads = onnx_attr_ints(n, name, &count, &ok);
    double value = onnx_attr_float(n, "value", 0, &ok);
    inlay_value *begin = ok ? onnx_list(n, pads, count / 2) : NULL;
    inlay_value *end = ok ? onnx_list(n, pads ? pads + count / 2 : NULL, count / 2) : NULL;

    if (ok && count % 2 != 0)
        return onnx_node_fail(n, "attribute \"%s\" has %d element%s, it must have 2 for each axis",
                              name, count, inlay_plural(count, "", "s"));
    return ok && onnx_needs_attr(n, name) &&
           onnx_give(n, 0, padded(n, begin, end, onnx_number(n, n->in[0]->fact.type, value), mode));
}

/* Returns a list for all axes: the elements of X for AXES (NULL: all axes in order), those of
 * OTHERS for the rest. */
static inlay_value *for_all_axes(onnx_node *n, inlay_value *x, inlay_value *axes,
                                 inlay_value *others)
{
    inlay_value *in[] = {others, axes, x, onnx_integer(n, 0)};

    if (!axes)
        return x;
    return onnx_make(n, "ScatterElementsUpdate", 4, in, NULL);
}

/* An axis that is too short is padded, and one that is too long is cut: one half (rounded down) at
 * its beginning, the rest at its end. Pad takes negative pads for the cuts. */
static bool import_center_crop_pad(onnx_node *n)
{
    bool ok = true;
    int count;
    const int64_t *list = onnx_attr_ints(n, "axes", &count, &ok);
    inlay_value *x = n->in[0], *axes = list ? onnx_list(n, list, count) : NULL,
                *sizes = onnx_shape_of(n, x), *wanted = n->in[1], *lack, *begin, *two;

    if (!ok || !sizes || (list && !axes))
        return false;
    if (list || x->fact.rank >= 0)
        wanted = onnx_counted(n, 1, list ? count : x->fact.rank);
    if (!wanted)
        return false;
    lack = onnx_binary(n, "Subtract",
                       for_all_axes(n, onnx_convert(n, wanted, INLAY_I64), axes, sizes), sizes);
    two = onnx_integer(n, 2);
    begin =
        onnx_make(n, "Divide", 2, (inlay_value *[]){lack, two}, ATTRS(FLAG("m_pythondiv", false)));
    return onnx_give(n, 0,
                     padded(n, begin, onnx_binary(n, "Subtract", lack, begin), NULL, "constant"));
}

static bool import_reverse_sequence(onnx_node *n)
{
    bool ok = true;
    int64_t batch = onnx_attr_int(n, "batch_axis", 1, &ok);
    int64_t time = onnx_attr_int(n, "time_axis", 0, &ok);

    if (ok && !(batch == 0 && time == 1) && !(batch == 1 && time == 0))
        return onnx_node_fail(n, "batch_axis is %lld and time_axis %lld, they must be 0 and 1",
                              (long long)batch, (long long)time);
    return ok && onnx_has_count(n, 1, onnx_dim(n, 0, (int)batch)) &&
           onnx_give(n, 0,
                     onnx_make(n, "ReverseSequence", 2, n->in,
                               ATTRS(INT("batch_axis", batch), INT("seq_axis", time))));
}

static bool import_depth_to_space(onnx_node *n)
{
    bool ok = true;
    int64_t size = onnx_attr_int(n, "blocksize", 0, &ok);
    const char *mode = onnx_attr_string(n, "mode", "DCR", &ok);
    bool depth_first = strcmp(mode, "CRD") == 0;

    if (ok && (!onnx_needs_attr(n, "blocksize") || !onnx_has_rank(n, 0, 4, 4)))
        return false;
    if (!ok || (!depth_first && strcmp(mode, "DCR") != 0))
        return ok &&
               onnx_node_fail(n, "attribute \"mode\" is \"%.80s\", it must be DCR or CRD", mode);
    return onnx_give(n, 0,
                     onnx_make(n, "DepthToSpace", 1, n->in,
                               ATTRS(WORD("mode", depth_first ? "depth_first" : "blocks_first"),
                                     INT("block_size", size))));
}

static bool import_space_to_depth(onnx_node *n)
{
    bool ok = true;
    int64_t size = onnx_attr_int(n, "blocksize", 0, &ok);

    return ok && onnx_needs_attr(n, "blocksize") && onnx_has_rank(n, 0, 4, 4) &&
           onnx_give(n, 0,
                     onnx_make(n, "SpaceToDepth", 1, n->in,
                               ATTRS(WORD("mode", "blocks_first"), INT("block_size", size))));
}

static bool import_tile(onnx_node *n)
{
    int rank = n->in[0]->fact.rank;
    inlay_value *repeats = rank < 0 ? n->in[1] : onnx_counted(n, 1, rank);

    return onnx_give(n, 0, onnx_binary(n, "Tile", n->in[0], repeats));
}

/* All slices of some elements along an axis, which stand in a new last axis. */
static bool import_unfold(onnx_node *n)
{
    bool ok = true;
    int64_t dim = onnx_attr_int(n, "dim", -1, &ok), size = onnx_attr_int(n, "size", 0, &ok),
            step = onnx_attr_int(n, "step", 1, &ok);
    int rank = onnx_rank(n, n->in[0]), axis = rank < 0 || !ok ? -1 : onnx_axis(n, dim, rank);
    inlay_value *first, *room;

    if (axis < 0)
        return false;
    if (size < 1 || step < 1 || size > INT32_MAX || step > INT32_MAX || rank == INLAY_MAX_RANK)
        return onnx_node_fail(n,
                              "attributes \"size\" and \"step\" are %lld and %lld, they must be "
                              "from 1 to %d",
                              (long long)size, (long long)step, INT32_MAX);
    room = onnx_binary(n, "Subtract", onnx_size(n, n->in[0], axis), onnx_integer(n, size));
    room = onnx_binary(n, "Divide", room, onnx_integer(n, step));
    first = make_counting(n, onnx_binary(n, "Add", room, onnx_integer(n, 1)));
    first = onnx_binary(n, "Multiply", first, onnx_integer(n, step));
    first = onnx_binary(n, "Add", make_unsqueeze(n, first, (int64_t[]){1}, 1),
                        make_counting(n, onnx_integer(n, size)));
    first = onnx_take(n, n->in[0], first, axis);
    return onnx_give(n, 0, make_moved(n, first, rank + 1, axis + 1, rank));
}

const onnx_operator onnx_operators_movement[] = {
    {"CenterCropPad", 18, import_center_crop_pad, NULL, 2},
    {"Concat", 4, import_concat, NULL, 1},
    {"Concat", 1, import_concat, NULL, 1},
    {"DepthToSpace", 1, import_depth_to_space, NULL, 1},
    {"com.microsoft.Pad", 1, import_own_pad, NULL, 2},
    {"com.microsoft.UnfoldTensor", 1, import_unfold, NULL, 1},
    {"Pad", 11, import_pad, NULL, 2},
    {"Pad", 2, import_pad_2, NULL, 1},
    {"Pad", 1, import_pad_2, NULL, 1},
    {"ReverseSequence", 10, import_reverse_sequence, NULL, 2},
    {"Slice", 10, import_slice, NULL, 3},
    {"Slice", 1, import_slice_1, NULL, 1},
    {"SpaceToDepth", 1, import_space_to_depth, NULL, 1},
    {"Split", 18, import_split, NULL, 1},
    {"Split", 1, import_split, NULL, 1},
    {"Tile", 6, import_tile, NULL, 2},
    {"Where", 9, onnx_same, "Select", 3},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

static bool export_concat(onnx_export *x)
{
    const char **in = inlay_arena_array(x->w->a, (size_t)x->n->n_in + 1, sizeof *in);

    for (int i = 0; in && i < x->n->n_in; i++) {
        if (!(in[i] = put_in(x, i)))
            return false;
    }
    return in &&
           put_give(x, 0, put(x, "Concat", in, ATTRS(INT("axis", inlay_node_int(x->n, "axis")))));
}

/* Splits operand 0 into parts of LENGTHS, "" for equal ones. */
static bool put_split(onnx_export *x, int64_t axis, const char *lengths)
{
    int count = x->n->n_out;
    const char **out = inlay_arena_array(x->w->a, (size_t)count, sizeof *out);
    bool counted = x->version >= 18 && lengths && !*lengths;
    int64_t size = put_size(x, 0, (int)axis), none[INLAY_MAX_KNOWN] = {0};

    if (counted && size == 0 && count <= INLAY_MAX_KNOWN) { /* of nothing, ONNX makes no parts */
        lengths = put_list(x, none, count);
        counted = false;
    }

    bool ok = out && lengths &&
              put_many(x, "Split", IN(put_in(x, 0), lengths),
                       counted ? ATTRS(INT("axis", axis), INT("num_outputs", count))
                               : ATTRS(INT("axis", axis)),
                       count, out);

    for (int i = 0; ok && i < count; i++)
        ok = put_give(x, i, out[i]);
    return ok;
}

static bool export_split(onnx_export *x)
{
    int64_t axis;

    return put_known_one(x, 1, &axis) && put_split(x, axis, "");
}

/* A length of -1 stands for the rest. */
static bool export_variadic_split(onnx_export *x)
{
    const inlay_fact *data = put_fact(x, 0);
    int64_t axis, rest = -1, sum = 0, size;
    int64_t *lengths = inlay_arena_array(x->w->a, (size_t)x->n->n_out + 1, sizeof *lengths);
    int count;

    if (!lengths)
        return onnx_out_of_memory(x->w);
    if (!put_known_one(x, 1, &axis))
        return false;
    if (!put_fact(x, 2)->content)
        return put_split(x, axis, put_i64_list(x, 2));
    if ((count = put_known(x, 2, lengths, x->n->n_out)) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        rest = lengths[i] < 0 ? i : rest;
        sum += lengths[i] < 0 ? 0 : lengths[i];
    }
    size = put_size(x, 0, (int)(axis < 0 ? axis + data->rank : axis));
    if (rest >= 0 && size < 0)
        return put_refuse(x, "a length of -1 of a size that is not known");
    if (rest >= 0)
        lengths[rest] = size - sum;
    return put_split(x, axis, rest < 0 ? put_i64_list(x, 2) : put_list(x, lengths, count));
}

/* The operands that spell a window, from FIRST on: start, stop, step, axes, all of them of one
 * type. */
static const char *const *window(onnx_export *x, int first, const char **in)
{
    bool narrow = true;

    for (int i = first; i < x->n->n_in; i++)
        narrow = narrow && (!inlay_node_input(x->n, i) ||
                            (put_type(x, i) == INLAY_I32 && put_fact(x, i)->rank == 1));
    for (int i = 0; i < 4; i++) {
        int from = first + (i == 2 ? 3 : i == 3 ? 2 : i);

        in[i] = !inlay_node_input(x->n, from) ? ""
                : narrow                      ? put_in(x, from)
                                              : put_i64_list(x, from);
    }
    return in;
}

static bool export_slice(onnx_export *x)
{
    const char *in[6] = {put_in(x, 0)};

    window(x, 1, in + 1);
    return put_give(x, 0, put(x, "Slice", in, NULL));
}

/* The rows of ONNX's own Slice have their operands in ONNX's order; those of version 1 are
 * attributes. */
static bool export_slice_onnx(onnx_export *x)
{
    static const char *const names[] = {"starts", "ends", "axes"};
    const char *in[6] = {put_in(x, 0)};

    for (int i = 0; i < 3 && x->n->n_in == 1; i++) {
        int count = 0;
        const int64_t *list = inlay_node_ints(x->n, names[i], &count);

        in[1 + i] = list ? put_list(x, list, count) : "";
    }
    for (int i = 1; i < x->n->n_in; i++)
        in[i] = put_in(x, i);
    return put_give(x, 0, put(x, "Slice", in, NULL));
}

/* Both pads as one list: a known constant, the list that a Split has cut into the two, or a Concat
 * of them. */
static const char *both_pads(onnx_export *x)
{
    const inlay_value *begin = x->n->in[1].value, *end = x->n->in[2].value;
    const inlay_node *first = begin->node, *second = end->node;
    const inlay_value *both = first->op->flags & INLAY_CUTS ? inlay_node_input(first, 0) : NULL;
    int64_t pads[2 * INLAY_MAX_RANK];
    int count = put_seen(x, 1, pads, INLAY_MAX_RANK);

    if (count >= 0 && put_seen(x, 2, pads + count, INLAY_MAX_RANK) == count)
        return put_list(x, pads, 2 * count);
    if (both && begin->index == 0 && end->index == 1 && first->n_out == 2 &&
        (first == second || (strcmp(first->op->name, "Split") == 0 && first->op == second->op &&
                             inlay_node_input(second, 0) == both && second->n_out == 2)) &&
        both->fact.type == INLAY_I64 && both->fact.rank == 1)
        return put_value(x, both);
    return put(x, "Concat", IN(put_i64_list(x, 1), put_i64_list(x, 2)), ATTRS(INT("axis", 0)));
}

/* ONNX has no mode that mirrors the edge itself as well, so it is a Gather: place -1 is 0, -2 is 1.
 */
static bool export_symmetric(onnx_export *x)
{
    int64_t begin[INLAY_MAX_RANK], end[INLAY_MAX_RANK];
    int rank = put_rank(x, 0), count = put_known(x, 1, begin, INLAY_MAX_RANK);
    const char *v = put_in(x, 0);

    if (rank < 0 || count != rank || put_known(x, 2, end, INLAY_MAX_RANK) != rank)
        return false;
    for (int axis = 0; axis < rank; axis++) {
        int64_t size = put_size(x, 0, axis), all = size + begin[axis] + end[axis];
        inlay_tensor *t;

        if (begin[axis] == 0 && end[axis] == 0)
            continue;
        if (size < 1)
            return put_refuse(x, "symmetric pads of a size that is not known");
        all = all < 0 ? 0 : all; /* more is cut off than there is */
        t = put_new(x, INLAY_I64, 1, &all);
        for (int64_t i = 0; t && i < all; i++) {
            int64_t at = ((i - begin[axis]) % (2 * size) + 2 * size) % (2 * size);

            inlay_tensor_set_i64(t, i, at < size ? at : 2 * size - 1 - at);
        }
        v = put(x, "Gather", IN(v, put_own_tensor(x, "places", t)), ATTRS(INT("axis", axis)));
    }
    return put_give(x, 0, v);
}

static bool export_pad(onnx_export *x)
{
    const char *mode = inlay_node_string(x->n, "pad_mode"), *value = "";

    if (strcmp(mode, "symmetric") == 0)
        return export_symmetric(x);
    if (inlay_node_input(x->n, 3) && *mode == 'c')
        value = put_scalar(x, 3);
    return put_give(
        x, 0, put(x, "Pad", IN(put_in(x, 0), both_pads(x), value), ATTRS(WORD("mode", mode))));
}

/* Repeats axes that data, or the list, does not have. */
static bool export_tile(onnx_export *x)
{
    int64_t repeats[INLAY_MAX_RANK], axes[INLAY_MAX_RANK], wanted = put_size(x, 1, 0);
    int rank = put_rank(x, 0), count;
    const char *v = put_in(x, 0);

    if (rank < 0 || wanted < 0)
        return rank >= 0 && put_refuse(x, "how many axes are repeated is not known");
    if (wanted >= rank) {
        for (int i = 0; i < wanted - rank; i++)
            axes[i] = i;
        v = wanted > rank ? put_unsqueeze(x, v, axes, (int)wanted - rank) : v;
        return put_give(x, 0, put(x, "Tile", IN(v, put_i64_list(x, 1)), NULL));
    }
    if ((count = put_known(x, 1, repeats + rank - wanted, (int)wanted)) < 0)
        return false;
    for (int i = 0; i < rank - count; i++)
        repeats[i] = 1;
    return put_give(x, 0, put(x, "Tile", IN(v, put_list(x, repeats, rank)), NULL));
}

static bool export_select(onnx_export *x)
{
    return put_give(x, 0, put(x, "Where", IN(put_in(x, 0), put_in(x, 1), put_in(x, 2)), NULL));
}

/* The elements of blocks lie in axes of their own, each behind that of its blocks, [N, C, H, b, W, b];
 * depth has them in front of the channels, [N, b, b, C, H, W], or, C FIRST, behind these. */
static bool turn_blocks(onnx_export *x, bool first, bool to_depth)
{
    const inlay_fact *f = put_fact(x, 0), *out = &x->n->out[0].fact;
    int64_t in[INLAY_MAX_RANK], to[INLAY_MAX_RANK], space[INLAY_MAX_RANK], depth[INLAY_MAX_RANK],
        order[INLAY_MAX_RANK], back[INLAY_MAX_RANK];
    const int64_t *blocks = to_depth ? to : in, *channels = to_depth ? in : to;
    int n = f->rank - 2, rank = 2 * n + 2, at = 0;
    const char *v;

    if (n < 1 || rank > INLAY_MAX_RANK || !inlay_fact_dims(f, in) || !inlay_fact_dims(out, to))
        return put_refuse(x, "blocks in axes whose sizes are not known, or that are too many");
    space[0] = in[0];
    space[1] = channels[1];
    order[at++] = 0;
    if (first)
        order[at++] = 1;
    for (int i = 0; i < n; i++) {
        space[2 + 2 * i] = blocks[2 + i];
        space[3 + 2 * i] = inlay_node_int(x->n, "block_size");
        order[at++] = 3 + 2 * i;
    }
    if (!first)
        order[at++] = 1;
    for (int i = 0; i < n; i++)
        order[at++] = 2 + 2 * i;
    for (int i = 0; i < rank; i++) {
        depth[i] = space[order[i]];
        back[order[i]] = i;
    }
    v = put_reshape_to(x, put_in(x, 0), to_depth ? space : depth, rank);
    v = put_transpose(x, v, to_depth ? order : back, rank);
    return put_give(x, 0, put_reshape_to(x, v, to, out->rank));
}

static bool export_blocks(onnx_export *x)
{
    bool first = strcmp(inlay_node_string(x->n, "mode"), "depth_first") == 0,
         to_depth = *x->how->as == 'S';

    if (put_fact(x, 0)->rank != 4 || (to_depth && first))
        return turn_blocks(x, first, to_depth);
    return put_give(x, 0,
                    put(x, x->how->as, IN(put_in(x, 0)),
                        to_depth ? ATTRS(INT("blocksize", inlay_node_int(x->n, "block_size")))
                                 : ATTRS(INT("blocksize", inlay_node_int(x->n, "block_size")),
                                         WORD("mode", first ? "CRD" : "DCR"))));
}

/* In ONNX the batch and the sequence must be the first two axes. */
static bool export_reverse_sequence(onnx_export *x)
{
    int64_t batch = inlay_node_int(x->n, "batch_axis"), time = inlay_node_int(x->n, "seq_axis"),
            order[INLAY_MAX_RANK], back[INLAY_MAX_RANK];
    int rank = put_rank(x, 0), next = 2;
    const char *v = put_in(x, 0);

    if (rank < 0)
        return false;
    batch += batch < 0 ? rank : 0;
    time += time < 0 ? rank : 0;
    if (batch + time == 1)
        return put_give(x, 0,
                        put(x, "ReverseSequence", IN(v, put_i64_list(x, 1)),
                            ATTRS(INT("batch_axis", batch), INT("time_axis", time))));
    order[0] = batch;
    order[1] = time;
    for (int i = 0; i < rank; i++) {
        if (i != batch && i != time)
            order[next++] = i;
    }
    for (int i = 0; i < rank; i++)
        back[order[i]] = i;
    v = put(x, "ReverseSequence", IN(put_transpose(x, v, order, rank), put_i64_list(x, 1)),
            ATTRS(INT("batch_axis", 0), INT("time_axis", 1)));
    return put_give(x, 0, put_transpose(x, v, back, rank));
}

static bool export_reverse(onnx_export *x)
{
    int64_t list[INLAY_MAX_RANK], axes[INLAY_MAX_RANK], starts[INLAY_MAX_RANK],
        stops[INLAY_MAX_RANK];
    bool mask = strcmp(inlay_node_string(x->n, "mode"), "mask") == 0;
    int count = put_known(x, 1, list, INLAY_MAX_RANK), n = 0;

    if (count < 0)
        return false;
    for (int i = 0; i < count; i++) {
        if (!mask || list[i])
            axes[n++] = mask ? i : list[i];
    }
    for (int i = 0; i < n; i++) {
        starts[i] = -1;
        stops[i] = INT64_MIN;
    }
    return put_give(x, 0,
                    n == 0 ? put_in(x, 0)
                           : put(x, "Slice",
                                 IN(put_in(x, 0), put_list(x, starts, n), put_list(x, stops, n),
                                    put_list(x, axes, n), put_list(x, starts, n)),
                                 NULL));
}

const onnx_exporter onnx_exporters_movement[] = {
    {"Concat", export_concat, NULL, 0, PUT_ANY},
    {"DepthToSpace", export_blocks, "DepthToSpace", 0, PUT_ANY},
    {"Pad", export_pad, NULL, 0, PUT_ANY},
    {"Reverse", export_reverse, NULL, 0, PUT_ANY},
    {"ReverseSequence", export_reverse_sequence, NULL, 0, PUT_ANY},
    {"Select", export_select, NULL, 0, PUT_ANY},
    {"Slice", export_slice, NULL, 0, PUT_ANY},
    {"Slice@onnx", export_slice_onnx, NULL, 0, PUT_ANY},
    {"SpaceToDepth", export_blocks, "SpaceToDepth", 0, PUT_ANY},
    {"Split", export_split, NULL, 0, PUT_ANY},
    {"Tile", export_tile, NULL, 0, PUT_ANY},
    {"VariadicSplit", export_variadic_split, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
