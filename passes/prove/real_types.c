/* Floats are read as real numbers where all numbers of a rule are of one type: nothing is rounded
 * to another, cut off, or compared. Of what the rule takes beside floats its proof is another one.
 */
#include "passes/prove/meaning.h"
#include "passes/prove/prove.h"

static const inlay_operand_info *operand(const inlay_op *op, int i)
{
    return &op->in[i < op->n_in ? i : op->n_in < 0 ? 0 : op->n_in - 1];
}

/* T is made by an operation of the rule. */
static bool is_made(const rule *r, const rule_term *t, bool right)
{
    if (t->kind == TERM_NODE || t->kind == TERM_SPREAD)
        return true;
    return t->kind == TERM_NAME &&
           (right ? r->names[t->name].right >= 0 || r->names[t->name].node >= 0
                  : r->names[t->name].node >= 0);
}

/* The numbers that N reads and makes are of one type, one of *TYPES. */
static bool is_of_one_type(const rule *r, const rule_node *n, bool right, inlay_type_set *types)
{
    const inlay_type_set floats = number_class_types(NUMBER_FLOAT);
    const inlay_op *op = n->n_rows > 0 ? n->rows[n->n_rows - 1] : NULL;
    const prove_row *row = op ? prove_row_of(n->type) : NULL;
    bool checks = row && (row->flags & PROVE_ONE_FLOAT);

    if (!op) /* `any f`: a reduction, or a function that nothing is known of */
        return true;
    if (op->n_out == 0 || !(op->out[0].types & floats))
        return false;
    *types &= op->out[0].types;
    for (int i = 0; i < n->n_in && op->n_in != 0; i++) {
        const inlay_operand_info *in = operand(op, i);
        bool alike = checks || (in->var >= 0 && in->var == op->out[0].var) ||
                     !((in->types | op->out[0].types) & ~floats);

        if (!(in->types & floats) ? is_made(r, &n->in[i], right) : !alike)
            return false;
        if (in->types & floats)
            *types &= n->in[i].kind == TERM_INTS && n->in[i].ints->is_real ? floats : in->types;
    }
    return true;
}

bool prove_one_type(const prove_case *c, inlay_type_set *types)
{
    const rule *r = c->rule;
    bool one = true;

    *types = meaning_types() | number_class_types(NUMBER_FLOAT);
    for (int i = 0; i < r->left.n_nodes; i++)
        one = one && is_of_one_type(r, &r->left.nodes[i], false, types);
    for (int i = 0; i < r->right.n_nodes; i++)
        one = one && is_of_one_type(r, &r->right.nodes[i], true, types);
    for (int i = 0; i < c->facts.n_types; i++) {
        if (!(c->facts.types[i].types & ~number_class_types(NUMBER_FLOAT)))
            *types &= c->facts.types[i].types;
    }
    return one;
}
