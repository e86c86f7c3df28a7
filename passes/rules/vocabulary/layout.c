/* Layouts around scatters: where a value is written in another order of axes than that of its data. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/query/scatter.h"
#include "passes/rules/vocabulary/vocabulary.h"

enum { MOST_LOOKS = 4096 /* readers that are looked at */ };

/* Is N a Transpose that undoes one with this ORDER? */
static bool turns_back(const inlay_node *n, const rule_ints *order)
{
    const inlay_value *back = inlay_node_is(n, INLAY_OP_TRANSPOSE) ? inlay_node_input(n, 1) : NULL;
    const inlay_tensor *t = back ? back->fact.content : NULL;
    bool back_there = t && inlay_tensor_count(t) == order->n;

    for (int64_t i = 0; back_there && i < order->n; i++) {
        int64_t axis = inlay_tensor_get_i64(t, i);

        back_there = axis >= 0 && axis < order->n && order->x[axis] == i;
    }
    return back_there;
}

/* Behind the value, and the scatters that write into it one after another, stands what turns it back.
 * Else what is written in the order of the data would have to be turned for all that reads it. */
rule_answer rule_fn_turned_back(rule_call *c)
{
    const rule_ints *order = c->arg[1].ints;
    const inlay_value *v = c->arg[0].value, *next;
    int looks = 0;

    for (; v && looks < MOST_LOOKS; v = next) {
        next = NULL;
        for (const inlay_use *u = v->uses; u && looks < MOST_LOOKS; u = u->next, looks++) {
            if (turns_back(u->node, order))
                return RULE_YES;
            if (query_is_scatter(u->node) && u->index == u->node->op->overwrites)
                next = &u->node->out[0];
        }
    }
    return RULE_NO;
}

rule_answer rule_fn_one_axis(rule_call *c)
{
    int rank = c->arg[0].value->fact.rank;

    return rank < 0 ? RULE_DONT_KNOW : rule_yes_if(rank == 1);
}

rule_answer rule_fn_keeps_first(rule_call *c)
{
    const rule_ints *order = c->arg[0].ints;

    return rule_yes_if(order->n > 0 && order->x[0] == 0);
}
