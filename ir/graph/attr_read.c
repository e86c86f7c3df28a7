/* Attributes by name, as they take effect: given, else the default of the row. */
#include "ir/graph/attr.h"

#include <stddef.h>

const inlay_attr *inlay_node_attr(const inlay_node *n, const char *name)
{
    int i = n ? inlay_op_attr(n->op, name) : -1;

    return i < 0 ? NULL : inlay_node_attr_at(n, i);
}

bool inlay_node_bool(const inlay_node *n, const char *name)
{
    const inlay_attr *a = inlay_node_attr(n, name);

    return a && a->as.b;
}

int64_t inlay_node_int(const inlay_node *n, const char *name)
{
    const inlay_attr *a = inlay_node_attr(n, name);

    return a ? a->as.i : 0;
}

double inlay_node_float(const inlay_node *n, const char *name)
{
    const inlay_attr *a = inlay_node_attr(n, name);

    return a ? a->as.f : 0;
}

const char *inlay_node_string(const inlay_node *n, const char *name)
{
    const inlay_attr *a = inlay_node_attr(n, name);

    return a ? a->as.s : NULL;
}

inlay_type inlay_node_type(const inlay_node *n, const char *name)
{
    const inlay_attr *a = inlay_node_attr(n, name);

    return a ? a->as.type : INLAY_DYNAMIC;
}

const int64_t *inlay_node_ints(const inlay_node *n, const char *name, int *count)
{
    const inlay_attr *a = inlay_node_attr(n, name);

    *count = a ? a->n : 0;
    return a ? a->as.ints : NULL;
}
