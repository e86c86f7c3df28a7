#include "passes/query/faults.h"

bool query_may_fail(const inlay_node *n)
{
    const inlay_tensor *t;

    if (!(n->op->flags & INLAY_FAULTS) || inlay_type_is_float(n->in[1].value->fact.type))
        return false;
    t = n->in[1].value->fact.content;
    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++) {
        if (inlay_tensor_get_i64(t, i) <= 0)
            return true;
    }
    return !t;
}
