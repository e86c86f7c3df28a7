/* Operators that move elements: joins, cuts, gathers, scatters, pads. */
#include "parser/onnx/import.h"

#include <string.h>

static bool import_concat(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);

    return ok &&
           onnx_give(n, 0, onnx_make(n, "Concat", n->n_in, n->in, "axis=%lld", (long long)axis));
}

static bool give_all(onnx_node *n, inlay_node *made)
{
    for (int i = 0; made && i < n->n_out && i < made->n_out; i++)
        onnx_give(n, i, &made->out[i]);
    return made != NULL;
}

static bool split_by(onnx_node *n, int64_t axis, inlay_value *lengths)
{
    inlay_value *in[] = {n->in[0], onnx_integer(n, axis), lengths};

    return in[1] && lengths && give_all(n, onnx_make_node(n, "VariadicSplit", 3, in, NULL));
}

/* N parts as equal as can be: the last ones are smaller where the size is no multiple. */
static bool split_into(onnx_node *n, int64_t axis, int64_t parts)
{
    const inlay_fact *x = &n->in[0]->fact;
    int rank = onnx_rank(n, n->in[0]), at = rank < 0 ? -1 : onnx_axis(n, axis, rank);
    int64_t lengths[ONNX_MAX_OUTPUTS], size, each;
    inlay_value *in[] = {n->in[0], onnx_integer(n, axis)};

    if (at < 0 || !in[1])
        return false;
    if (parts < 1 || parts > ONNX_MAX_OUTPUTS)
        return onnx_node_fail(n, "makes %lld parts, 1 to %d are read", (long long)parts,
                              ONNX_MAX_OUTPUTS);
    size = inlay_dim_is_static(x->dims[at]) ? x->dims[at].lo : 0;
    if (size % parts == 0)
        return give_all(n, onnx_make_node(n, "Split", 2, in, "num_splits=%lld", (long long)parts));
    each = (size + parts - 1) / parts;
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

    if (!ok)
        return false;
    if (onnx_in(n, 1))
        return split_by(n, axis, n->in[1]);
    return lengths ? split_by(n, axis, onnx_list(n, lengths, count)) : split_into(n, axis, parts);
}

/* A step for each entry of STARTS. */
static inlay_value *ones_like(onnx_node *n, inlay_value *starts)
{
    inlay_value *one = onnx_number(n, starts->fact.type, 1), *shape;

    if (starts->fact.rank == 1 && inlay_dim_is_static(starts->fact.dims[0]) &&
        starts->fact.type == INLAY_I64) {
        int64_t ones[INLAY_MAX_RANK], count = starts->fact.dims[0].lo;

        for (int i = 0; i < count && i < INLAY_MAX_RANK; i++)
            ones[i] = 1;
        if (count <= INLAY_MAX_RANK)
            return onnx_list(n, ones, (int)count);
    }
    shape = onnx_make(n, "ShapeOf", 1, &starts, NULL);
    return onnx_binary(n, "Broadcast", one, shape);
}

static bool import_slice(onnx_node *n)
{
    inlay_value *step = onnx_in(n, 4) ? n->in[4] : ones_like(n, n->in[1]);

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

    if (!ok)
        return false;
    in[1] = onnx_list(n, starts, n_starts);
    in[2] = onnx_list(n, ends, n_ends);
    in[3] = in[1] ? ones_like(n, in[1]) : NULL;
    in[4] = axes ? onnx_list(n, axes, n_axes) : NULL;
    return in[2] && in[3] && (!axes || in[4]) &&
           onnx_give(n, 0, onnx_make(n, "Slice", 5, in, NULL));
}

static bool import_gather(onnx_node *n)
{
    bool ok = true;
    inlay_value *axis = onnx_integer(n, onnx_attr_int(n, "axis", 0, &ok));

    return ok && axis &&
           onnx_give(n, 0,
                     onnx_make(n, "Gather", 3, (inlay_value *[]){n->in[0], n->in[1], axis}, NULL));
}

/* INDICES along AXIS of X, counted from the end where they are negative, all from the beginning. */
static inlay_value *from_beginning(onnx_node *n, inlay_value *indices, inlay_value *x, int axis)
{
    inlay_type type = indices->fact.type;
    inlay_value *shape =
        onnx_make(n, "ShapeOf", 1, &x, "output_type=%s", inlay_type_info_of(type)->name);
    inlay_value *size =
        shape ? onnx_make(n, "Gather", 3,
                          (inlay_value *[]){shape, onnx_integer(n, axis), onnx_integer(n, 0)}, NULL)
              : NULL;
    inlay_value *negative = onnx_binary(n, "Less", indices, onnx_number(n, type, 0));
    inlay_value *wrapped = onnx_binary(n, "Add", indices, size);

    return negative && wrapped
               ? onnx_make(n, "Select", 3, (inlay_value *[]){negative, wrapped, indices}, NULL)
               : NULL;
}

/* OpenVINO's takes no negative indices. */
static bool import_gather_elements(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok);
    int rank = onnx_rank(n, n->in[0]), at = ok && rank >= 0 ? onnx_axis(n, axis, rank) : -1;
    inlay_value *indices = at >= 0 ? from_beginning(n, n->in[1], n->in[0], at) : NULL;

    return indices && onnx_give(n, 0,
                                onnx_make(n, "GatherElements", 2,
                                          (inlay_value *[]){n->in[0], indices}, "axis=%d", at));
}

static bool import_gather_nd(onnx_node *n)
{
    bool ok = true;
    int64_t batch = onnx_attr_int(n, "batch_dims", 0, &ok);

    return ok &&
           onnx_give(n, 0, onnx_make(n, "GatherND", 2, n->in, "batch_dims=%lld", (long long)batch));
}

/* OpenVINO's word for a reduction; NULL and an error. */
static const char *reduction(onnx_node *n)
{
    static const char *const words[][2] = {
        {"none", "none"}, {"add", "sum"}, {"mul", "prod"}, {"max", "max"}, {"min", "min"}};
    bool ok = true;
    const char *word = onnx_attr_string(n, "reduction", "none", &ok);

    for (size_t i = 0; ok && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i][0], word) == 0)
            return words[i][1];
    }
    if (ok)
        onnx_node_fail(
            n, "attribute \"reduction\" is \"%.80s\", it must be none, add, mul, max or min", word);
    return NULL;
}

static bool import_scatter_elements(onnx_node *n)
{
    bool ok = true;
    inlay_value *axis = onnx_integer(n, onnx_attr_int(n, "axis", 0, &ok));
    const char *how = reduction(n);

    return ok && how && axis &&
           onnx_give(n, 0,
                     onnx_make(n, "ScatterElementsUpdate", 4,
                               (inlay_value *[]){n->in[0], n->in[1], n->in[2], axis},
                               "reduction=%s", how));
}

static bool import_scatter_nd(onnx_node *n)
{
    const char *how = reduction(n);

    return how && onnx_give(n, 0, onnx_make(n, "ScatterNDUpdate", 3, n->in, "reduction=%s", how));
}

/* Half I of the list PADS, of which both have N_AXES entries, put to their places among RANK axes.
 */
static inlay_value *half(onnx_node *n, inlay_value *pads, inlay_value *axes, int rank, int i)
{
    inlay_value *halves, *zeros, *axis = onnx_integer(n, 0);
    inlay_node *split;
    int64_t none[INLAY_MAX_RANK] = {0};

    split =
        axis ? onnx_make_node(n, "Split", 2, (inlay_value *[]){pads, axis}, "num_splits=2") : NULL;
    halves = split ? &split->out[i] : NULL;
    if (!halves || !axes)
        return halves;
    zeros = onnx_list(n, none, rank);
    if (zeros && pads->fact.type != INLAY_I64)
        zeros = onnx_binary(n, "ConvertLike", zeros, pads);
    return zeros ? onnx_make(n, "ScatterElementsUpdate", 4,
                             (inlay_value *[]){zeros, axes, halves, axis}, NULL)
                 : NULL;
}

static bool import_pad(onnx_node *n)
{
    bool ok = true;
    const char *mode = onnx_attr_string(n, "mode", "constant", &ok);
    inlay_value *axes = onnx_in(n, 3);
    int rank = axes ? onnx_rank(n, n->in[0]) : 0;
    inlay_value *begin = ok && rank >= 0 ? half(n, n->in[1], axes, rank, 0) : NULL;
    inlay_value *end = begin ? half(n, n->in[1], axes, rank, 1) : NULL;
    inlay_value *value = onnx_in(n, 2);

    if (value && value->fact.rank == 1)
        value = onnx_binary(n, "Squeeze", value, onnx_list(n, (int64_t[]){0}, 1));
    return end && onnx_give(n, 0,
                            onnx_make(n, "Pad", 4, (inlay_value *[]){n->in[0], begin, end, value},
                                      "pad_mode=%s", mode));
}

static bool import_pad_2(onnx_node *n)
{
    bool ok = true;
    int count;
    const char *mode = onnx_attr_string(n, "mode", "constant", &ok);
    const int64_t *pads = onnx_attr_ints(n, n->version < 2 ? "paddings" : "pads", &count, &ok);
    inlay_value *in[4] = {n->in[0]};

    if (!ok)
        return false;
    in[1] = onnx_list(n, pads, count / 2);
    in[2] = onnx_list(n, pads ? pads + count / 2 : NULL, count / 2);
    in[3] = onnx_number(n, n->in[0]->fact.type, onnx_attr_float(n, "value", 0, &ok));
    return in[1] && in[2] && in[3] && ok &&
           onnx_give(n, 0, onnx_make(n, "Pad", 4, in, "pad_mode=%s", mode));
}

const onnx_operator onnx_operators_movement[] = {
    {"Concat", 1, import_concat, NULL, 1},
    {"Gather", 1, import_gather, NULL, 2},
    {"GatherElements", 11, import_gather_elements, NULL, 2},
    {"GatherND", 11, import_gather_nd, NULL, 2},
    {"Pad", 11, import_pad, NULL, 2},
    {"Pad", 1, import_pad_2, NULL, 1},
    {"Scatter", 9, import_scatter_elements, NULL, 3},
    {"ScatterElements", 11, import_scatter_elements, NULL, 3},
    {"ScatterND", 11, import_scatter_nd, NULL, 3},
    {"Slice", 10, import_slice, NULL, 3},
    {"Slice", 1, import_slice_1, NULL, 1},
    {"Split", 1, import_split, NULL, 1},
    {"Where", 9, onnx_same, "Select", 3},
    {NULL, 0, NULL, NULL, 0},
};
