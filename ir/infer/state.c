/* ReadValue, Assign: a variable's type and shape (parser/openvino/README.md 5). */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

static inlay_variable *variable_of(inlay_infer *cx)
{
    const inlay_attr *a = inlay_node_attr(cx->node, "variable_id");

    return a ? a->as.variable : NULL;
}

/* TYPE and S receive what the attributes of the node say of the variable. If they say nothing, or
 * that it is not known, they receive what is recorded, so that a second inference has the result of
 * the first one. */
static void declared(const inlay_infer *cx, const inlay_variable *v, inlay_type *type,
                     inlay_shape *s)
{
    const inlay_attr *t = inlay_node_attr(cx->node, "variable_type");
    const inlay_attr *shape = inlay_node_attr(cx->node, "variable_shape");

    *type = t && t->as.type != INLAY_DYNAMIC ? t->as.type : v->type;
    s->rank = v->rank;
    for (int i = 0; i < v->rank; i++)
        s->dim[i] = v->dims[i];
    if (shape && shape->as.shape->rank >= 0)
        *s = *shape->as.shape;
    for (int i = 0; i < s->rank; i++)
        s->dim[i].id = 0;
}

static bool contains(inlay_dim outer, inlay_dim inner)
{
    return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

/* The variable must be equal to or wider than its initial value. What is not known of the value may
 * still fit, so only a proven contradiction is an error here. */
static bool check_value(inlay_infer *cx, const inlay_variable *v, inlay_type type,
                        const inlay_shape *s)
{
    const inlay_fact *in = cx->in[0];
    char text[512];
    bool fits = s->rank < 0 || in->rank < 0 || s->rank == in->rank;

    if (type != INLAY_DYNAMIC && in->type != INLAY_DYNAMIC && type != in->type)
        return inlay_infer_fail(cx, "input 0 \"%s\" has type %s, variable \"%s\" has type %s",
                                in_name(cx, 0), inlay_type_info_of(in->type)->name, v->name,
                                inlay_type_info_of(type)->name);
    for (int i = 0; fits && s->rank >= 0 && i < in->rank; i++)
        fits = inlay_dim_is_static(in->dims[i]) ? contains(s->dim[i], in->dims[i])
                                                : inlay_dim_compatible(s->dim[i], in->dims[i]);
    return fits || inlay_infer_fail(cx, "input 0 \"%s\" has shape %s, variable \"%s\" has shape %s",
                                    in_name(cx, 0), in_text(cx, 0), v->name,
                                    inlay_shape_text(s->rank, s->dim, text, sizeof text));
}

/* Records what was found, so that Assign is held to the same type and shape. */
static bool record(inlay_infer *cx, inlay_variable *v, inlay_type type, const inlay_shape *s)
{
    bool same =
        v->type == type && v->rank == s->rank && inlay_dims_same_bounds(v->dims, s->dim, s->rank);

    return same || !cx->next_id ||
           inlay_variable_set(cx->node->graph, v, type, s->rank, s->dim, cx->diags);
}

bool infer_read_value(inlay_infer *cx)
{
    inlay_variable *v = variable_of(cx);
    inlay_type type;
    inlay_shape s;

    if (!v)
        return inlay_infer_fail(cx, "attribute \"variable_id\" is missing");
    declared(cx, v, &type, &s);
    if (type == INLAY_DYNAMIC && s.rank < 0 && in_has(cx, 0)) {
        type = cx->in[0]->type;
        inlay_infer_shape(cx, 0, &s);
        for (int i = 0; i < s.rank; i++)
            s.dim[i].id = 0;
    } else if (type == INLAY_DYNAMIC && in_has(cx, 0)) {
        type = cx->in[0]->type;
    }
    if (in_has(cx, 0) && !check_value(cx, v, type, &s))
        return false;
    return record(cx, v, type, &s) && inlay_infer_set_out(cx, 0, type, &s);
}

bool infer_assign(inlay_infer *cx)
{
    inlay_variable *v = variable_of(cx);
    inlay_shape s = {.rank = -1};

    if (!v)
        return inlay_infer_fail(cx, "attribute \"variable_id\" is missing");
    s.rank = v->rank;
    for (int i = 0; i < v->rank; i++)
        s.dim[i] = v->dims[i];
    return check_value(cx, v, v->type, &s) && inlay_infer_set_out_like(cx, 0, 0);
}
