/* Operators that move elements by indices: gathers and scatters. */
#include "parser/onnx/import/make.h"
#include "parser/onnx/write.h"

#include <string.h>

/* Checks that constant indices are in range for axis AT of operand 0: OpenVINO's Gather gives zeros
 * for others. They are not checked in a body, which may never run. */
static bool has_places(onnx_node *n, int64_t at)
{
    const inlay_fact *x = &n->in[0]->fact;
    const inlay_tensor *t = n->in[1]->fact.content;
    int axis = (int)(at < 0 ? at + x->rank : at);
    int64_t count = t && inlay_type_is_int(t->type) ? inlay_tensor_count(t) : 0, size;

    if (n->s->graph->owner || at < -x->rank || at >= x->rank || !inlay_dim_is_static(x->dims[axis]))
        return true;
    size = x->dims[axis].lo;
    for (int64_t i = 0; i < count; i++) {
        int64_t k = inlay_tensor_get_i64(t, i);

        if (k < -size || k >= size)
            return onnx_node_fail(n,
                                  "index %lld is no place along axis %d, which has %lld element%s",
                                  (long long)k, axis, (long long)size, inlay_plural(size, "", "s"));
    }
    return true;
}

static bool import_gather(onnx_node *n)
{
    bool ok = true;
    int64_t at = onnx_attr_int(n, "axis", 0, &ok);
    inlay_value *axis = onnx_integer(n, at);

    return ok && axis && has_places(n, at) &&
           onnx_give(n, 0,
                     onnx_make(n, "Gather", 3, (inlay_value *[]){n->in[0], n->in[1], axis}, NULL));
}

/* Cuts X to the sizes of LIKE, which has the same rank, along all axes but AXIS. */
static inlay_value *cut_beside(onnx_node *n, inlay_value *x, inlay_value *like, int axis)
{
    const inlay_fact *f = &x->fact, *g = &like->fact;
    int64_t axes[INLAY_MAX_RANK];
    int count = 0;
    inlay_value *places, *in[5] = {x};

    for (int i = 0; i < f->rank; i++) {
        if (i != axis && !(g->rank == f->rank && inlay_dim_proven_equal(f->dims[i], g->dims[i])))
            axes[count++] = i;
    }
    if (count == 0 || (g->rank >= 0 && g->rank != f->rank))
        return x;
    in[4] = places = onnx_list(n, axes, count);
    in[1] = onnx_list(n, (int64_t[INLAY_MAX_RANK]){0}, count);
    in[2] = onnx_take(n, onnx_shape_of(n, like), places, 0);
    in[3] = in[1] ? make_steps(n, in[1]) : NULL;
    return places ? onnx_make(n, "Slice", 5, in, NULL) : NULL;
}

/* OpenVINO's GatherElements does not accept indices that are smaller than the data on other axes.
 */
static bool import_gather_elements(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok);
    int rank = onnx_rank(n, n->in[0]), at = ok && rank >= 0 ? onnx_axis(n, axis, rank) : -1;
    inlay_value *data = at >= 0 ? cut_beside(n, n->in[0], n->in[1], at) : NULL;

    return data && onnx_give(n, 0,
                             onnx_make(n, "GatherElements", 2, (inlay_value *[]){data, n->in[1]},
                                       ATTRS(INT("axis", at))));
}

/* Rows of a table; the other operands are for training. */
static bool import_embedding(onnx_node *n)
{
    return onnx_give(n, 0, onnx_take(n, n->in[0], n->in[1], 0));
}

static bool import_gather_nd(onnx_node *n)
{
    bool ok = true;
    int64_t batch = onnx_attr_int(n, "batch_dims", 0, &ok);

    return ok &&
           onnx_give(n, 0, onnx_make(n, "GatherND", 2, n->in, ATTRS(INT("batch_dims", batch))));
}

/* Returns OpenVINO's name of the reduction; NULL: there is none, and an error was recorded. */
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
                               ATTRS(WORD("reduction", how))));
}

static bool import_scatter_nd(onnx_node *n)
{
    const char *how = reduction(n);

    return how &&
           onnx_give(n, 0,
                     onnx_make(n, "ScatterNDUpdate", 3, n->in, ATTRS(WORD("reduction", how))));
}

const onnx_operator onnx_operators_indexed[] = {
    {"Gather", 1, import_gather, NULL, 2},
    {"GatherElements", 11, import_gather_elements, NULL, 2},
    {"GatherND", 11, import_gather_nd, NULL, 2},
    {"com.microsoft.GatherND", 1, import_gather_nd, NULL, 2},
    {"com.microsoft.TorchEmbedding", 1, import_embedding, NULL, 2},
    {"Scatter", 9, import_scatter_elements, NULL, 3},
    {"ScatterElements", 11, import_scatter_elements, NULL, 3},
    {"ScatterND", 11, import_scatter_nd, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* Indices as ONNX takes them: i32 or i64. */
static const char *indices_of(onnx_export *x, int i)
{
    return put_type(x, i) == INLAY_I32 ? put_in(x, i) : put_i64(x, i);
}

/* A Gather with batch axes: the axis is moved behind these, and the result's axes are moved back.
 */
static bool gather_in_batches(onnx_export *x, int64_t axis, int64_t batch)
{
    int rank = put_rank(x, 0), own = put_rank(x, 1), found;
    int64_t order[INLAY_MAX_RANK], last = -1;
    const char *y;

    if (rank < 0 || own < 0)
        return false;
    axis += axis < 0 ? rank : 0;
    batch += batch < 0 ? own : 0;
    found = rank + own - (int)batch - 1;
    if (batch > axis || found > INLAY_MAX_RANK)
        return put_refuse(x, "%d axes", found);
    y = put(x, "GatherND",
            IN(put_moved(x, put_in(x, 0), rank, (int)axis, (int)batch),
               put_unsqueeze(x, put_i64(x, 1), &last, 1)),
            ATTRS(INT("batch_dims", batch)));
    for (int i = 0; i < found; i++) {
        int before = (int)axis,
            more = own - (int)batch; /* axes of the data before those of the indices */

        order[i] = i < batch           ? i
                   : i < before        ? i + more
                   : i < before + more ? i - before + batch
                                       : i;
    }
    return put_give(x, 0, axis == batch ? y : put_transpose(x, y, order, found));
}

/* Whether a known index is out of range along AXIS: the newest Gather gives zeros for it, ONNX
 * fails. */
static bool has_zeros(const onnx_export *x, int64_t axis)
{
    const inlay_tensor *t = put_fact(x, 1)->content;
    int64_t size = put_size(x, 0, (int)(axis < 0 ? axis + put_fact(x, 0)->rank : axis));

    for (int64_t i = 0; t && size >= 0 && i < inlay_tensor_count(t); i++) {
        int64_t k = inlay_tensor_get_i64(t, i);

        if (k < -size || k >= size)
            return true;
    }
    return false;
}

/* If the operand is the length of a list of items, taken from its only size, returns that list;
 * else NULL. */
static const inlay_value *counted_list(const onnx_export *x)
{
    const inlay_value *list = put_operand_of(inlay_node_input(x->n, 0), "ShapeOf", 0);
    int64_t at;

    return list && list->fact.type == INLAY_ITEM && list->fact.rank == 1 &&
                   put_type(x, 0) == INLAY_I64 && put_fact(x, 1)->rank == 0 &&
                   put_seen(x, 1, &at, 1) == 1 && (at == 0 || at == -1)
               ? list
               : NULL;
}

static bool export_gather(onnx_export *x)
{
    int64_t axis,
        batch = inlay_op_attr(x->n->op, "batch_dims") >= 0 ? inlay_node_int(x->n, "batch_dims") : 0;

    if (!put_known_one(x, 2, &axis))
        return false;
    if (counted_list(x))
        return put_give(x, 0,
                        put(x, "SequenceLength", IN(onnx_value_name(x->w, counted_list(x))), NULL));
    if (has_zeros(x, axis))
        return put_refuse(x, "an index that is no place, for which it gives zeros");
    if (batch != 0)
        return gather_in_batches(x, axis, batch);
    return put_give(x, 0,
                    put(x, "Gather", IN(put_in(x, 0), indices_of(x, 1)), ATTRS(INT("axis", axis))));
}

static bool export_gather_elements(onnx_export *x)
{
    return put_give(x, 0,
                    put(x, "GatherElements", IN(put_in(x, 0), indices_of(x, 1)),
                        ATTRS(INT("axis", inlay_node_int(x->n, "axis")))));
}

/* Version 5 merges the batch axes of the result into one. */
static bool export_gather_nd(onnx_export *x)
{
    int64_t batch = inlay_node_int(x->n, "batch_dims"), one = -1;
    const char *y = put(x, "GatherND", IN(put_in(x, 0), put_i64(x, 1)),
                        ATTRS(INT("batch_dims", batch))),
               *rest;

    if (x->n->op->version > 5 || batch < 2)
        return put_give(x, 0, y);
    rest = put_cut(x, put(x, "Shape", IN(y), NULL), 0, batch, INT64_MAX, 1);
    rest = put(x, "Concat", IN(put_list(x, &one, 1), rest), ATTRS(INT("axis", 0)));
    return put_give(x, 0, put(x, "Reshape", IN(y, rest), NULL));
}

/* Sets *WORD to ONNX's name of the node's reduction (NULL: it has none). False: ONNX has no such
 * reduction, and the node is refused. */
static bool reduction_word(onnx_export *x, const char **word)
{
    static const char *const words[][2] = {
        {"none", NULL}, {"sum", "add"}, {"prod", "mul"}, {"max", "max"}, {"min", "min"}};
    bool any = inlay_op_attr(x->n->op, "reduction") >= 0;
    const char *own = any ? inlay_node_string(x->n, "reduction") : "none";

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i][0], own) == 0) {
            *word = words[i][1];
            return *own != 'm' || put_needs(x, 18, own);
        }
    }
    return put_refuse(x, "reduction %s", own);
}

static bool export_scatter_elements(onnx_export *x)
{
    const char *word;
    int64_t axis;

    if (!put_known_one(x, 3, &axis) || !reduction_word(x, &word))
        return false;
    if (word && !inlay_node_bool(x->n, "use_init_val"))
        return put_refuse(x, "use_init_val=false");
    return put_give(x, 0,
                    put(x, "ScatterElements", IN(put_in(x, 0), indices_of(x, 1), put_in(x, 2)),
                        ATTRS(INT("axis", axis), WORD("reduction", word))));
}

static bool export_scatter_nd(onnx_export *x)
{
    const char *word, *updates = put_in(x, 2);

    if (inlay_op_attr(x->n->op, "reduction") >= 0 &&
        strcmp(inlay_node_string(x->n, "reduction"), "sub") == 0) {
        if (put_type(x, 0) == INLAY_BOOLEAN)
            return put_refuse(x, "differences of booleans");
        word = "add";
        updates = put(x, "Neg", IN(updates), NULL);
    } else if (!reduction_word(x, &word)) {
        return false;
    }
    return put_give(x, 0,
                    put(x, "ScatterND", IN(put_in(x, 0), put_i64(x, 1), updates),
                        ATTRS(WORD("reduction", word))));
}

/* The indices may have any number of axes; in the updates these replace the axis. */
static bool export_scatter_update(onnx_export *x)
{
    const inlay_fact *of_updates = put_fact(x, 2);
    inlay_fact fact = *put_fact(x, 0);
    int own = put_rank(x, 1);
    bool told =
        fact.rank < 0 && own >= 0 && of_updates->rank >= own; /* the data's by the updates' */
    int rank = told      ? of_updates->rank - own + 1
               : own < 0 ? -1
                         : put_rank(x, 0),
        all = rank + own - 1;
    int64_t axis, order[INLAY_MAX_RANK], last = -1;
    const char *v = put_in(x, 0), *updates = put_in(x, 2);

    if (rank < 0 || !put_known_one(x, 3, &axis))
        return false;
    axis += axis < 0 ? rank : 0;
    fact = told ? (inlay_fact){.type = fact.type, .rank = rank} : fact;
    if (own < 2) {
        updates = own == 0 ? put_unsqueeze(x, updates, &axis, 1) : updates;
        return put_give(
            x, 0,
            put_rows(x, v, &fact, (int)axis, put_i64_list(x, 1), updates, put_count(of_updates)));
    }
    if (all > INLAY_MAX_RANK)
        return put_refuse(x, "%d axes", all);
    for (int i = 0; i < all; i++)
        order[i] = i < own ? i + axis : i < own + axis ? i - own : i;
    updates = axis == 0 ? updates : put_transpose(x, updates, order, all);
    v = put_moved(x, v, rank, (int)axis, 0);
    v = put(x, "ScatterND", IN(v, put_unsqueeze(x, put_i64(x, 1), &last, 1), updates), NULL);
    return put_give(x, 0, put_moved(x, v, rank, 0, (int)axis));
}

const onnx_exporter onnx_exporters_indexed[] = {
    {"Gather", export_gather, NULL, 0, PUT_ANY},
    {"GatherElements", export_gather_elements, NULL, 0, PUT_ANY},
    {"GatherND", export_gather_nd, NULL, 0, PUT_ANY},
    {"ScatterElementsUpdate", export_scatter_elements, NULL, 0, PUT_ANY},
    {"ScatterNDUpdate", export_scatter_nd, NULL, 0, PUT_ANY},
    {"ScatterUpdate", export_scatter_update, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
