/* Which values only have certain types, so that totals of them do not depend on an order. */
#include "passes/prove/meaning.h"
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

/* Some condition says that V has only these types. */
static bool is_told_to_have(const prove_case *c, const prove_value *v, inlay_type_set types)
{
    for (int i = 0; i < c->facts.n_types; i++) {
        if (c->facts.types[i].value == v && !(c->facts.types[i].types & ~types))
            return true;
    }
    return false;
}

enum { STEPS = 4 /* steps from a value to another one of the same type */ };

static bool has_types(const prove_case *c, const prove_value *v, inlay_type_set types, int steps);

static const inlay_op *op_of(const prove_node *n)
{
    if (n->from && n->from->n_rows > 0)
        return n->from->rows[n->from->n_rows - 1];
    return inlay_op_find(NULL, n->row->type, NULL, NULL, NULL);
}

/* Index I of a list of length N, whose last entry also stands for those behind it; if N is below 0,
 * any number of outputs share the first. */
static int at_most(int i, int n)
{
    return i < n ? i : n < 0 ? 0 : n - 1;
}

/* An operand or output of N whose type is variable VAR of its row has only TYPES. */
static bool some_has_types(const prove_case *c, const prove_node *n, const inlay_op *op, int var,
                           inlay_type_set types, int steps)
{
    for (int i = 0; i < n->n_in && var >= 0; i++) {
        if (n->in[i] && op->in[at_most(i, op->n_in)].var == var &&
            has_types(c, n->in[i], types, steps))
            return true;
    }
    return var >= 0 && op->out[0].var == var && has_types(c, &n->out[0], types, steps);
}

/* The node that makes V says so. */
static bool is_made_of_types(const prove_case *c, const prove_value *v, inlay_type_set types,
                             int steps)
{
    const prove_node *n = v->node;
    const inlay_op *op = n ? op_of(n) : NULL;
    const rule_attr *to = n && n->from ? prove_attr(n, "destination_type") : NULL;

    if (to)
        return to->var < 0 && (types >> to->literal.as.type & 1);
    return op && op->n_out != 0 && op->n_in > 0 &&
           (!(op->out[at_most(v->out, op->n_out)].types & ~types) ||
            some_has_types(c, n, op, op->out[at_most(v->out, op->n_out)].var, types, steps));
}

/* A node of the left side that reads V says so. */
static bool is_read_with_types(const prove_case *c, const prove_value *v, inlay_type_set types,
                               int steps)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];
        const inlay_op *op = n ? op_of(n) : NULL;

        for (int k = 0; op && op->n_in > 0 && op->n_out != 0 && k < n->n_in; k++) {
            const inlay_operand_info *in = &op->in[at_most(k, op->n_in)];

            if (n->in[k] == v &&
                (!(in->types & ~types) || some_has_types(c, n, op, in->var, types, steps)))
                return true;
        }
    }
    return false;
}

static bool has_types(const prove_case *c, const prove_value *v, inlay_type_set types, int steps)
{
    return is_told_to_have(c, v, types) ||
           (steps > 0 && (is_made_of_types(c, v, types, steps - 1) ||
                          is_read_with_types(c, v, types, steps - 1)));
}

bool prove_is_discrete(const prove_case *c, const prove_value *v)
{
    return c->meanings.numbers != PROVE_AS_THEY_ARE ||
           has_types(c, v, ~number_class_types(NUMBER_FLOAT), STEPS);
}
