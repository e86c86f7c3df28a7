/* The element types with which a rule is tried: all that the rows of its operations accept. */
#include "passes/check/maker.h"

#include <string.h>

enum { TYPE_TRIES = 8 };

static inlay_type_set floats(void)
{
    inlay_type_set all = 0;

    for (int t = 0; t < INLAY_N_TYPES; t++) {
        if (inlay_type_is_float((inlay_type)t))
            all |= (inlay_type_set)1 << t;
    }
    return all;
}

/* The types that all operands of N may have: only floats if N is written with a float. */
static inlay_type_set taken_by(const rule_node *n)
{
    inlay_type_set all = 0;

    for (int row = 0; row < n->n_rows; row++) {
        for (int i = 0; i < n->rows[row]->n_in; i++)
            all |= n->rows[row]->in[i].types;
    }
    if (n->n_rows == 0)
        all = ~(inlay_type_set)0;
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].kind == TERM_INTS && n->in[i].ints->is_real)
            all &= floats();
    }
    return all;
}

/* The type that a condition of R names, or all types. */
static inlay_type_set named_by(const rule *r)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *c = &r->clauses[i];

        if (strcmp(c->fn->name, "has_type") == 0 && !c->negated && c->args[1].kind == TERM_INTS)
            return (inlay_type_set)1 << c->args[1].ints->type;
    }
    return ~(inlay_type_set)0;
}

inlay_type_set check_types(const rule *r)
{
    inlay_type_set all = 0;

    for (int t = INLAY_BOOLEAN; t < INLAY_N_TYPES; t++) {
        if (!inlay_type_info_of((inlay_type)t)->refused && !inlay_type_refers((inlay_type)t))
            all |= (inlay_type_set)1 << t;
    }
    for (int i = 0; i < r->left.n_nodes; i++)
        all &= taken_by(&r->left.nodes[i]);
    return all & named_by(r);
}

/* Element number NTH of SET, starting again after the last one. */
static inlay_type nth_of(inlay_type_set set, int64_t nth)
{
    int at = INLAY_F32;

    for (int t = 0; set; t = (t + 1) % INLAY_N_TYPES) {
        if (!(set >> t & 1))
            continue;
        at = t;
        if (nth-- == 0)
            break;
    }
    return (inlay_type)at;
}

/* Most rules are written for f32 and f64, and some conditions require them. */
inlay_type check_draw_type(check_maker *m)
{
    static const inlay_type often[] = {INLAY_F32, INLAY_F32, INLAY_F32,  INLAY_F16,
                                       INLAY_F64, INLAY_I32, INLAY_I64,  INLAY_I8,
                                       INLAY_U8,  INLAY_U64, INLAY_BF16, INLAY_BOOLEAN};
    inlay_type_set all = check_types(m->rule);
    inlay_type type = INLAY_F32;

    if (check_one_in(m, 2))
        return nth_of(all, check_draw(m, 0, INLAY_N_TYPES * INLAY_N_TYPES));
    for (int i = 0; i < TYPE_TRIES; i++) {
        type = often[check_draw(m, 0, (int64_t)(sizeof often / sizeof *often) - 1)];
        if (all >> type & 1)
            break;
    }
    return type;
}
