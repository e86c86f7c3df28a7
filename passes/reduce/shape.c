/* Makes sizes smaller. All that have the size of an axis change with it, because operands must fit
 * each other:
 *
 *     x f32[8,3] + c f32[8,1]     of inputs alone     x f32[4,3] + c f32[8,1]
 *                                 of constants too    x f32[4,3] + c f32[4,1]
 *                                 of numbers too      and an 8 in a list of sizes is a 4 */
#include "passes/reduce/change.h"

#include <stdlib.h>
#include <string.h>

/* To 1, to half, or to one less. */
enum { LENGTHS = 3, SCOPES = 3, LARGEST = 1 << 20 };

/* All axes of size FROM get size TO. */
struct change {
    int64_t from, to;
    int scope; /* 1: constants too; 2: numbers too */
    bool made; /* something had that size */
    inlay_diags *d;
};

static int axes(const inlay_node *n)
{
    return reduce_is_leaf(n) && n->out[0].fact.rank > 0 ? n->out[0].fact.rank : 0;
}

static int sizes(const inlay_node *n)
{
    return axes(n) * LENGTHS * SCOPES;
}

static bool shorten_attribute(struct change *c, inlay_node *n, int i)
{
    inlay_shape shape = *n->attrs[i].as.shape;
    bool changed = false;

    for (int k = 0; k < shape.rank; k++) {
        if (inlay_dim_is_static(shape.dim[k]) && shape.dim[k].lo == c->from) {
            shape.dim[k] = inlay_dim_of(c->to);
            changed = c->made = true;
        }
    }
    return !changed || inlay_node_set_shape(n, n->op->attrs[i].name, &shape, c->d);
}

/* The first elements of T along each axis that is too long. */
static inlay_tensor *first_part(struct change *c, const inlay_tensor *t)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *part, *dense;

    for (int i = 0; i < t->rank; i++) {
        c->made = c->made || t->dims[i] == c->from;
        dims[i] = t->dims[i] == c->from ? c->to : t->dims[i];
    }
    part = inlay_tensor_window(t, t->rank, dims, t->strides, 0);
    dense = part ? inlay_tensor_copy(part) : NULL;
    inlay_tensor_release(part);
    return dense;
}

static bool shorten_constant(struct change *c, inlay_node *n, const inlay_tensor *t)
{
    inlay_tensor *to = first_part(c, t);
    bool ok = to != NULL, numbers = c->scope == 2 && inlay_type_is_int(t->type);

    for (int64_t i = 0; ok && numbers && i < inlay_tensor_count(to); i++) {
        if (inlay_tensor_get_i64(to, i) != c->from)
            continue;
        inlay_tensor_set_i64(to, i, c->to);
        c->made = true;
    }
    ok = ok && inlay_node_set_tensor(n, "value", to, c->d);
    inlay_tensor_release(to);
    return ok;
}

static bool shorten_node(struct change *c, inlay_node *n)
{
    for (int i = 0; i < n->op->n_attrs; i++) {
        const inlay_attr *a = &n->attrs[i];

        if (!a->set)
            continue;
        if (n->op->attrs[i].kind == INLAY_ATTR_SHAPE && !shorten_attribute(c, n, i))
            return false;
        if (n->op->attrs[i].kind == INLAY_ATTR_TENSOR && c->scope > 0 &&
            a->as.tensor->type != INLAY_STRING && !shorten_constant(c, n, a->as.tensor))
            return false;
    }
    return true;
}

/* Changes the shapes of the states of G, the outermost graph. */
static bool shorten_states(struct change *c, inlay_graph *g)
{
    for (int i = 0; i < g->n_variables; i++) {
        inlay_variable *v = g->variables[i];
        inlay_shape shape = {.rank = v->rank};

        for (int k = 0; k < v->rank; k++) {
            const bool is_long = inlay_dim_is_static(v->dims[k]) && v->dims[k].lo == c->from;

            shape.dim[k] = is_long ? inlay_dim_of(c->to) : v->dims[k];
            c->made = c->made || is_long;
        }
        if (!inlay_variable_set(g, v, v->type, v->rank, shape.dim, c->d))
            return false;
    }
    return true;
}

static int64_t shorter(int64_t length, int way)
{
    return way == 0 ? 1 : way == 1 ? length / 2 : length - 1;
}

/* The change that PART of N stands for. */
static struct change change_at(const inlay_node *n, int part)
{
    const int64_t length = n->out[0].fact.dims[part / (LENGTHS * SCOPES)].lo;

    return (struct change){length, shorter(length, part % LENGTHS), part / LENGTHS % SCOPES, false,
                           NULL};
}

static bool is_long(const inlay_node *n, int part)
{
    const struct change c = change_at(n, part);
    const int way = part % LENGTHS;

    return inlay_dim_is_static(n->out[0].fact.dims[part / (LENGTHS * SCOPES)]) && c.from > 1 &&
           c.from <= LARGEST && !(way == 1 && c.to == 1) && !(way == 2 && c.to <= c.from / 2);
}

static bool make_size(inlay_node *n, int part, inlay_diags *d)
{
    struct change c = change_at(n, part);
    inlay_graph *g = reduce_outermost(n);
    bool ok = true;

    c.d = d;
    for (inlay_node *x = inlay_graph_walk(g, NULL); ok && x; x = inlay_graph_walk(g, x))
        ok = shorten_node(&c, x);
    return ok && shorten_states(&c, g) && c.made;
}

const reduce_change reduce_size = {sizes, is_long, make_size, false, false};

/* ---- an open size becomes known ---- */

static int open_sizes(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_PARAMETER) ? axes(n) : 0;
}

static bool is_open(const inlay_node *n, int part)
{
    return !inlay_dim_is_static(n->out[0].fact.dims[part]);
}

static bool make_known(inlay_node *n, int part, inlay_diags *d)
{
    const inlay_fact *f = &n->out[0].fact;
    const inlay_dim dim = f->dims[part];
    inlay_shape shape = {.rank = f->rank};

    for (int i = 0; i < f->rank; i++)
        shape.dim[i] = f->dims[i];
    shape.dim[part] = inlay_dim_of(dim.lo < 2 && dim.hi >= 2 ? 2 : dim.lo);
    return inlay_node_set_shape(n, "shape", &shape, d);
}

const reduce_change reduce_known_size = {open_sizes, is_open, make_known, false, false};
