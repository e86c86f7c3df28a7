/* Makes numbers simpler: elements of integer constants (also start, stop and step of windows),
 * other constants as a whole, and attributes. */
#include "passes/reduce/change.h"

#include <stdlib.h>

enum { MAX_NUMBERS = 16, WAYS = 3 };

/* Is X closer to zero than Y, or as close and above it: 0, 1, -1, 2, -2, ...? */
static bool is_plainer(int64_t x, int64_t y)
{
    const uint64_t a = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    const uint64_t b = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;

    return a < b || (a == b && x > y);
}

/* 0, 1, or half of X. */
static int64_t plainer(int64_t x, int way)
{
    return way == 0 ? 0 : way == 1 ? 1 : x / 2;
}

static const inlay_tensor *content(const inlay_node *n)
{
    const inlay_attr *a = inlay_node_is(n, INLAY_OP_CONST) ? inlay_node_attr(n, "value") : NULL;

    return a ? a->as.tensor : NULL;
}

/* Sets the constant N to T; takes over T. */
static bool set_content(inlay_node *n, inlay_tensor *t, inlay_diags *d)
{
    bool ok = t ? inlay_node_set_tensor(n, "value", t, d) : inlay_fail_memory(d);

    inlay_tensor_release(t);
    return ok;
}

/* ---- elements ---- */

static bool has_numbers(const inlay_tensor *t)
{
    return t && (inlay_type_is_int(t->type) || t->type == INLAY_BOOLEAN) &&
           inlay_tensor_count(t) <= MAX_NUMBERS;
}

static int numbers(const inlay_node *n)
{
    const inlay_tensor *t = content(n);

    return has_numbers(t) ? WAYS * (int)inlay_tensor_count(t) : 0;
}

static bool has_plainer(const inlay_node *n, int part)
{
    const int64_t was = inlay_tensor_get_i64(content(n), part / WAYS);

    return is_plainer(plainer(was, part % WAYS), was);
}

static bool make_number(inlay_node *n, int part, inlay_diags *d)
{
    const inlay_tensor *t = content(n);
    inlay_tensor *to = inlay_tensor_copy(t);

    if (to)
        inlay_tensor_set_i64(to, part / WAYS,
                             plainer(inlay_tensor_get_i64(t, part / WAYS), part % WAYS));
    return set_content(n, to, d);
}

const reduce_change reduce_number = {numbers, has_plainer, make_number, false, false};

/* ---- constants as wholes ---- */

/* How simple T is: 0 if all elements are 0, 1 if all are 1. */
static int plainness(const inlay_tensor *t)
{
    bool zeros = true, ones = true;

    for (int64_t i = 0; i < inlay_tensor_count(t) && (zeros || ones); i++) {
        const double x = inlay_tensor_get_f64(t, i);

        zeros = zeros && !(x < 0 || x > 0 || x != x);
        ones = ones && x >= 1 && x <= 1;
    }
    return zeros ? 0 : ones ? 1 : 2;
}

static int contents(const inlay_node *n)
{
    const inlay_tensor *t = content(n);
    const bool complex = t && (t->type == INLAY_C64 || t->type == INLAY_C128);

    return t && !complex && t->type != INLAY_STRING ? WAYS : 0;
}

static bool is_richer(const inlay_node *n, int part)
{
    const inlay_tensor *t = content(n);

    return part == 2 ? t->rank > 0 && inlay_tensor_count(t) > 0 : plainness(t) > part;
}

/* All elements become 0, or 1, or the constant becomes a scalar of its first element. */
static bool make_content(inlay_node *n, int part, inlay_diags *d)
{
    const inlay_tensor *t = content(n);
    inlay_tensor *to = inlay_tensor_new(t->type, part == 2 ? 0 : t->rank, t->dims);

    for (int64_t i = 0; to && part > 0 && i < inlay_tensor_count(to); i++)
        inlay_tensor_set_f64(to, i, part == 1 ? 1 : inlay_tensor_get_f64(t, 0));
    return set_content(n, to, d);
}

const reduce_change reduce_content = {contents, is_richer, make_content, false, false};

/* ---- attributes ---- */

static int attributes(const inlay_node *n)
{
    return n->op->flags & INLAY_STAND_IN ? 0 : n->op->n_attrs * (1 + WAYS);
}

static bool make_ints_plainer(inlay_node *n, int attr, int way, inlay_diags *d)
{
    int64_t x[MAX_NUMBERS];
    int count;
    const int64_t *was = inlay_node_ints(n, n->op->attrs[attr].name, &count);
    bool changed = false;

    if (count > MAX_NUMBERS)
        return false;
    for (int i = 0; i < count; i++) {
        x[i] = plainer(was[i], way);
        x[i] = is_plainer(x[i], was[i]) ? x[i] : was[i];
        changed = changed || x[i] != was[i];
    }
    return changed && inlay_node_set_ints(n, n->op->attrs[attr].name, x, count, d);
}

static bool is_given(const inlay_node *n, int part)
{
    const int attr = part / (1 + WAYS), way = part % (1 + WAYS) - 1;
    const inlay_attr_info *a = &n->op->attrs[attr];

    if (!n->attrs[attr].set)
        return false;
    if (way < 0)
        return !a->required;
    return a->kind == INLAY_ATTR_INTS ||
           (a->kind == INLAY_ATTR_INT &&
            is_plainer(plainer(n->attrs[attr].as.i, way), n->attrs[attr].as.i));
}

/* Removes an attribute, or makes its numbers simpler. */
static bool make_attribute(inlay_node *n, int part, inlay_diags *d)
{
    const int attr = part / (1 + WAYS), way = part % (1 + WAYS) - 1;
    const inlay_attr_info *a = &n->op->attrs[attr];

    if (way < 0) {
        inlay_node_unset_attr(n, attr);
        return true;
    }
    if (a->kind == INLAY_ATTR_INTS)
        return make_ints_plainer(n, attr, way, d);
    return inlay_node_set_int(n, a->name, plainer(n->attrs[attr].as.i, way), d);
}

const reduce_change reduce_attribute = {attributes, is_given, make_attribute, false, false};
