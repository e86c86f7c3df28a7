/* Questions about nodes with bodies. */
#include "passes/control/control.h"

#include <stdio.h>

enum { EFFECTS = INLAY_EFFECT | INLAY_SINK | INLAY_STAND_IN };

/* The recursion is bounded, because the nesting of bodies is. */
bool control_has_effect(const inlay_node *n)
{
    bool has = (n->op->flags & EFFECTS) != 0;

    for (int i = 0; i < n->n_bodies; i++) {
        for (const inlay_node *m = n->bodies[i].graph->first; m && !has; m = m->next)
            has = !inlay_node_is(m, INLAY_OP_RESULT) && !inlay_node_is(m, INLAY_OP_PARAMETER) &&
                  control_has_effect(m);
    }
    return has;
}

static bool dim_admits(inlay_dim declared, inlay_dim d)
{
    return d.lo >= declared.lo && d.hi <= declared.hi;
}

bool control_admits(const inlay_node *param, const inlay_fact *f)
{
    const inlay_attr *a = inlay_node_attr(param, "shape");
    const inlay_shape *declared = a ? a->as.shape : NULL;

    if (f->type != inlay_node_type(param, "element_type"))
        return false;
    if (!declared || declared->rank < 0)
        return true;
    if (f->rank != declared->rank)
        return false;
    for (int i = 0; i < f->rank; i++) {
        if (!dim_admits(declared->dim[i], f->dims[i]))
            return false;
    }
    return true;
}

bool control_keep_name(const inlay_value *old, inlay_value *by, inlay_diags *d)
{
    inlay_strbuf name = {0};
    bool ok;

    if (!inlay_value_is_output(old) || old->n_names > 0)
        return true; /* inlay_value_replace moves tensor names */
    if (old->node->n_out == 1)
        return inlay_value_add_name(by, old->node->name, d);
    inlay_strbuf_printf(&name, "%s.%d", old->node->name, old->index);
    ok = name.failed ? inlay_fail_memory(d) : inlay_value_add_name(by, name.bytes, d);
    inlay_strbuf_free(&name);
    return ok;
}

const inlay_value *control_strip(const inlay_value *v)
{
    while ((v->node->op->flags & INLAY_RESHAPES) && v->index == 0 && v->node->in[0].value)
        v = v->node->in[0].value;
    return v;
}

bool control_cuts(const inlay_port *p, int64_t *axis)
{
    bool forward = p->start == 0 && p->end == -1 && p->stride == 1;
    bool back = p->start == -1 && p->end == 0 && p->stride == -1;

    *axis = p->axis < 0 ? p->axis + 3 : p->axis;
    return p->has_axis && p->part_size == 1 && (forward || back) && (*axis == 0 || *axis == 1);
}

bool control_is_flat(const inlay_fact *whole, int64_t axis, const inlay_fact *flat)
{
    inlay_dim one, batch, a, b;

    if (whole->rank != 3 || flat->rank != 2)
        return false;
    one = whole->dims[axis];
    batch = whole->dims[1 - axis];
    a = whole->dims[2];
    b = flat->dims[1];
    return inlay_dim_is_static(one) && one.lo == 1 && inlay_dim_is_static(a) &&
           inlay_dim_is_static(b) && a.lo == b.lo && batch.lo == flat->dims[0].lo &&
           batch.hi == flat->dims[0].hi;
}

bool control_parts_enter(const inlay_value *x, int64_t axis, const inlay_node *param)
{
    inlay_dim dims[3];
    inlay_fact part = {.type = x->fact.type, .rank = 3, .dims = dims};

    for (int i = 0; x->fact.rank == 3 && i < 3; i++)
        dims[i] = i == axis ? inlay_dim_of(1) : x->fact.dims[i];
    return x->fact.rank == 3 && control_admits(param, &part);
}
