/* Checks of operand shapes, where the nodes of an import would broadcast instead. See import.h. */
#include "ir/shared.h"
#include "parser/onnx/import/make.h"

enum { TEXT = 300 };

static const char *text_of(const inlay_fact *f, char *text)
{
    return inlay_shape_text(f->rank, f->dims, text, TEXT);
}

bool onnx_has_rank(onnx_node *n, int i, int low, int high)
{
    const inlay_value *v = onnx_in(n, i);

    if (!v || v->fact.rank < 0 || (v->fact.rank >= low && v->fact.rank <= high))
        return true;
    return low == high
               ? onnx_node_fail(n, "input[%d] has %d ax%s, it must have %d", i, v->fact.rank,
                                inlay_plural(v->fact.rank, "is", "es"), low)
               : onnx_node_fail(n, "input[%d] has %d ax%s, it must have %d to %d", i, v->fact.rank,
                                inlay_plural(v->fact.rank, "is", "es"), low, high);
}

bool onnx_has_shape(onnx_node *n, int i, const inlay_shape *s)
{
    const inlay_value *v = onnx_in(n, i);
    char found[TEXT], wanted[TEXT];
    bool fits = true;

    if (!v || v->fact.rank < 0 || s->rank < 0)
        return true;
    fits = v->fact.rank == s->rank;
    for (int k = 0; fits && k < s->rank; k++)
        fits = inlay_dim_compatible(v->fact.dims[k], s->dim[k]);
    return fits ||
           onnx_node_fail(n, "input[%d] has shape %s, it must be %s", i, text_of(&v->fact, found),
                          inlay_shape_text(s->rank, s->dim, wanted, sizeof wanted));
}

bool onnx_has_count(onnx_node *n, int i, inlay_dim count)
{
    return onnx_has_shape(n, i, &(inlay_shape){.rank = 1, .dim = {count}});
}

inlay_dim onnx_dim(const onnx_node *n, int i, int axis)
{
    const inlay_value *v = onnx_in(n, i);

    return v && v->fact.rank > axis ? v->fact.dims[axis] : inlay_dim_any();
}

inlay_shape onnx_shape(const inlay_value *v)
{
    inlay_shape s = {.rank = v->fact.rank};

    for (int k = 0; k < s.rank; k++)
        s.dim[k] = v->fact.dims[k];
    return s;
}

bool onnx_is_one(const inlay_value *v)
{
    return v->fact.rank == 0 ||
           (v->fact.rank == 1 && inlay_dim_is_static(v->fact.dims[0]) && v->fact.dims[0].lo == 1);
}

inlay_value *onnx_one(onnx_node *n, int i)
{
    inlay_value *v = onnx_in(n, i);
    char found[TEXT];

    if (v && (v->fact.rank > 1 ||
              (v->fact.rank == 1 && !inlay_dim_compatible(v->fact.dims[0], inlay_dim_of(1))))) {
        onnx_node_fail(n, "input[%d] has shape %s, it must be a scalar", i,
                       text_of(&v->fact, found));
        return NULL;
    }
    return onnx_scalar(n, v);
}

/* Returns whether D, a size of what is broadcast, is known to fit the size TO; *NEVER: it cannot.
 */
static bool fits(inlay_dim d, inlay_dim to, bool *never)
{
    const inlay_dim one = inlay_dim_of(1);

    *never = !inlay_dim_compatible(d, one) && !inlay_dim_compatible(d, to);
    return inlay_dim_proven_equal(d, one) || inlay_dim_proven_equal(d, to);
}

/* The sizes to which V is broadcast, whose last axis is that of TO: 1 where it stays 1. */
static inlay_value *sizes_for(onnx_node *n, const inlay_value *v, inlay_value *to)
{
    inlay_value *sizes[INLAY_MAX_RANK];
    int first = to->fact.rank - v->fact.rank;
    bool never;

    for (int k = 0; k < v->fact.rank; k++)
        sizes[k] = fits(v->fact.dims[k], inlay_dim_of(1), &never) ? onnx_list(n, (int64_t[]){1}, 1)
                                                                  : make_size(n, to, first + k);
    return make_join(n, sizes, v->fact.rank);
}

inlay_value *onnx_fit(onnx_node *n, int i, inlay_value *v, inlay_value *to)
{
    int own = v && to ? onnx_rank(n, v) : -1, rank = own < 0 ? -1 : onnx_rank(n, to);
    bool known = true, never = own > rank;
    char found[TEXT], wanted[TEXT];

    if (rank < 0)
        return NULL;
    for (int k = 0; !never && k < own; k++)
        known = fits(v->fact.dims[k], to->fact.dims[rank - own + k], &never) && known;
    if (never) {
        onnx_node_fail(n, "input[%d] has shape %s, which cannot be broadcast to %s", i,
                       text_of(&onnx_in(n, i)->fact, found), text_of(&to->fact, wanted));
        return NULL;
    }
    return known ? v : onnx_binary(n, "Broadcast", v, sizes_for(n, v, to));
}

inlay_value *onnx_list_along(onnx_node *n, int i, inlay_value *v, inlay_value *to, int axis)
{
    inlay_value *sizes[INLAY_MAX_RANK];
    int rank = v && to ? onnx_rank(n, to) : -1;

    if (rank < 0)
        return NULL;
    if (!onnx_has_count(n, i, to->fact.dims[axis]))
        return NULL;
    if (v->fact.rank == 1 && inlay_dim_proven_equal(v->fact.dims[0], to->fact.dims[axis]))
        return onnx_along_axis(n, v, axis, rank);
    for (int k = 0; k < rank; k++)
        sizes[k] = k == axis ? make_size(n, to, axis) : onnx_list(n, (int64_t[]){1}, 1);
    return make_reshape(n, v, sizes, rank);
}

static bool has_size(const inlay_value *v, int axis, const onnx_size_of *s)
{
    inlay_dim to = s->of ? s->of->fact.dims[s->axis] : inlay_dim_of(s->number);

    return inlay_dim_proven_equal(v->fact.dims[axis], to);
}

inlay_value *onnx_held(onnx_node *n, inlay_value *v, const onnx_size_of *sizes, int rank)
{
    inlay_value *lists[INLAY_MAX_RANK];
    bool known = v && v->fact.rank == rank;

    for (int k = 0; known && k < rank; k++)
        known = has_size(v, k, &sizes[k]);
    if (known || !v)
        return v;
    for (int k = 0; k < rank; k++)
        lists[k] = sizes[k].of ? make_size(n, sizes[k].of, sizes[k].axis)
                               : onnx_list(n, &sizes[k].number, 1);
    return rank == 0 ? onnx_scalar(n, v) : make_reshape(n, v, lists, rank);
}

inlay_value *onnx_held_like(onnx_node *n, inlay_value *v, inlay_value *to, int first)
{
    onnx_size_of sizes[INLAY_MAX_RANK];
    int rank = to ? onnx_rank(n, to) : -1;

    for (int k = first; k < rank; k++)
        sizes[k - first] = (onnx_size_of){to, k, 0};
    return rank < first ? NULL : onnx_held(n, v, sizes, rank - first);
}

inlay_value *onnx_counted(onnx_node *n, int i, int64_t count)
{
    if (!onnx_has_count(n, i, inlay_dim_of(count)))
        return NULL;
    return onnx_held(n, onnx_in(n, i), &(onnx_size_of){.number = count}, 1);
}

bool onnx_needs_attr(onnx_node *n, const char *name)
{
    return onnx_attr(n, name) || onnx_node_fail(n, "attribute \"%s\" is missing", name);
}
