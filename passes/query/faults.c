#include "passes/query/faults.h"

bool query_may_fail(const inlay_node *n)
{
    const inlay_value *v = inlay_node_input(n, n->op->faults);
    const inlay_tensor *t;

    if (!v || inlay_type_is_float(v->fact.type))
        return false;
    t = v->fact.content;
    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++) {
        if (inlay_tensor_get_i64(t, i) <= 0)
            return true;
    }
    return !t;
}
