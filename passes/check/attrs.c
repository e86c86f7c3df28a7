/* Sets the attributes of a node to what the rule writes, or to random values. */
#include "passes/check/maker.h"

#include <string.h>

bool check_slides(const inlay_op *op)
{
    return inlay_op_operand(op, INLAY_ROLE_FILTERS) > 0 || inlay_op_attr(op, "kernel") >= 0;
}

/* One entry for each axis; of a mask mostly 0, sometimes 1. For filters and poolings, one entry for
 * each spatial axis: a padding, a stride, or the size of a window. */
static bool draw_ints(check_maker *m, inlay_node *n, const inlay_attr_info *info, int64_t rank)
{
    bool mask = strstr(info->name, "mask") != NULL, pads = strncmp(info->name, "pads", 4) == 0;
    bool slides = check_slides(n->op);
    int64_t x[INLAY_MAX_RANK];

    rank -= slides ? 2 : 0;
    for (int64_t i = 0; i < rank; i++)
        x[i] = slides ? check_draw(m, !pads, 2) : mask ? check_one_in(m, 4) : check_draw(m, -2, 3);
    return inlay_node_set_ints(n, info->name, x, rank < 0 ? 0 : (int)rank, m->diags);
}

/* A random axis; if windows cut a value, mostly the axis that they cut, because the parts are
 * joined again. */
static int64_t draw_axis(check_maker *m, int64_t rank)
{
    return m->cuts && !check_one_in(m, 4) ? m->cut_axis : check_draw(m, -rank, rank - 1);
}

/* A random type: that of most data, f32, or any type with numbers. */
static inlay_type draw_type(check_maker *m)
{
    if (check_one_in(m, 4))
        return (inlay_type)check_draw(m, INLAY_BOOLEAN, INLAY_U1);
    return check_one_in(m, 2) ? m->type : INLAY_F32;
}

static bool draw_attr(check_maker *m, inlay_node *n, const inlay_attr_info *info)
{
    int64_t rank = n->n_in > 0 && n->in[0].value ? n->in[0].value->fact.rank : 1, n_allowed = 0;
    int at = (int)(info - n->op->attrs);
    inlay_attr whole = {.as.number = {.integral = true}};

    switch (info->kind) {
    case INLAY_ATTR_BOOL:
        return inlay_node_set_bool(n, info->name, check_one_in(m, 2), m->diags);
    case INLAY_ATTR_INT:
        if (n->op->attr_of && n->op->attr_of[INLAY_ROLE_AXIS] == at)
            return inlay_node_set_int(n, info->name, draw_axis(m, rank), m->diags);
        return inlay_node_set_int(n, info->name, check_draw(m, check_one_in(m, 4) ? -2 : 0, 3),
                                  m->diags);
    case INLAY_ATTR_FLOAT:
        /* No constant is the negative of a half. Rules that are not exact need numbers that do not
         * overflow; a sum that is a divisor must not be 0, nor the argument of a root be negative.
         */
        return inlay_node_set_float(n, info->name,
                                    (double)check_draw(m, m->most < 1 ? 0 : -1, 2) +
                                        (m->rule->exactness == INLAY_APPROX ? 0.5 : 0),
                                    m->diags);
    case INLAY_ATTR_ENUM:
        while (info->allowed[n_allowed])
            n_allowed++;
        return inlay_node_set_string(n, info->name, info->allowed[check_draw(m, 0, n_allowed - 1)],
                                     m->diags);
    case INLAY_ATTR_TYPE:
        return inlay_node_set_type(n, info->name, draw_type(m), m->diags);
    case INLAY_ATTR_INTS:
        return draw_ints(m, n, info, rank);
    case INLAY_ATTR_NUMBER:
        whole.as.number.i = check_draw(m, 0, 2);
        whole.as.number.f = (double)whole.as.number.i;
        return inlay_node_set_attr(n, info->name, &whole, m->diags);
    default:
        return !info->required;
    }
}

static const rule_attr *named(const rule_node *from, const char *name)
{
    for (int i = 0; i < from->n_attrs; i++) {
        if (strcmp(from->attrs[i].name, name) == 0)
            return &from->attrs[i];
    }
    return NULL;
}

bool check_set_attr(check_maker *m, inlay_node *n, const rule_node *from,
                    const inlay_attr_info *info)
{
    const rule_attr *a = named(from, info->name);
    check_name *name = a && a->var >= 0 ? &m->names[a->var] : NULL;
    const check_name *f = from->op_name >= 0 ? &m->names[from->op_name] : NULL;

    if (f && f->op) {
        const inlay_attr *same = inlay_node_attr(f->op, info->name);

        return !same || inlay_node_set_attr(n, info->name, same, m->diags);
    }
    if (a && !name)
        return inlay_node_set_attr(n, info->name, &a->literal, m->diags);
    if (name && name->bound)
        return !name->attr || inlay_node_set_attr(n, info->name, name->attr, m->diags);
    if (!name && !info->required && !((from->any_attrs || f) && check_one_in(m, 2)))
        return true;
    if (!draw_attr(m, n, info))
        return false;
    if (name) {
        name->attr = inlay_node_attr(n, info->name);
        name->attr_kind = info->kind;
        name->bound = true;
    }
    return true;
}
