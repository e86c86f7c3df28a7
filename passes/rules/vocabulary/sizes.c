/* Operands that give sizes. A shape rule may know a size without such an operand: a Broadcast of
 * six elements has six, whatever is asked for, or it is an error. A rule that drops the operand
 * must not drop the error. */
#include "passes/rules/vocabulary/vocabulary.h"

/* Number K, counted from the end, of the list V; the full range if it is not known. A shorter list
 * is padded with ones in front. */
static inlay_dim number_from_end(const inlay_value *v, int k)
{
    const inlay_fact *f = &v->fact;

    if (f->rank == 1 && f->dims[0].hi <= k)
        return inlay_dim_of(1);
    return f->known && k < f->n_known ? f->known[f->n_known - 1 - k] : inlay_dim_any();
}

static bool is_one_of(inlay_dim d, const inlay_fact *f)
{
    for (int i = 0; i < f->rank; i++) {
        if (inlay_dim_proven_equal(d, f->dims[i]))
            return true;
    }
    return false;
}

/* Nothing can be proven about a size whose number is not known: what is known of the result then
 * comes from the data. */
static bool result_is_sure(const inlay_node *n, const inlay_value *list, bool are_sizes)
{
    const inlay_fact *y = &n->out[0].fact, *x = &inlay_node_input(n, 0)->fact;

    for (int k = 0; k < y->rank; k++) {
        inlay_dim d = y->dims[y->rank - 1 - k], asked = number_from_end(list, k);
        bool told = are_sizes && inlay_dim_proven_equal(asked, d);

        if (!inlay_dim_is_static(asked) && (inlay_dim_is_static(d) || (!told && is_one_of(d, x))))
            return false;
    }
    return true;
}

/* All lengths of a VariadicSplit are known, so its shape rule has checked their sum. */
static bool lengths_are_sure(const inlay_node *n, const inlay_value *list)
{
    int64_t x;

    for (int k = 0; k < n->n_out; k++) {
        if (!rule_known_entry(list, k, &x))
            return false;
    }
    return true;
}

bool rule_sizes_are_sure(const inlay_node *n, int input)
{
    const inlay_value *list = inlay_node_input(n, input);

    if (!inlay_node_input(n, 0) || !list || n->n_out == 0)
        return true; /* the operand is absent, or the node is not finished */
    if (input == inlay_op_operand(n->op, INLAY_ROLE_LENGTHS))
        return lengths_are_sure(n, list);
    if (input == inlay_op_operand(n->op, INLAY_ROLE_SHAPE))
        return result_is_sure(n, list, true);
    return input != inlay_op_operand(n->op, INLAY_ROLE_REPEATS) || result_is_sure(n, list, false);
}
