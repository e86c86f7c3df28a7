/* Enumerates the cases of a rule: at each choice a case takes one of the possible ways. */
#include "passes/prove/rows.h"

#include <string.h>

int prove_choose(prove_case *c, int n)
{
    int at = c->way.n_choices;

    if (n <= 0 || at == PROVE_CHOICES)
        c->cut = true;
    if (n <= 1 || !prove_goes_on(c))
        return 0;
    if (c->way.range[at] == 0)
        c->way.choice[at] = 0;
    c->way.range[at] = n;
    c->way.n_choices++;
    return c->way.choice[at];
}

int prove_choose_rank(prove_case *c)
{
    c->capped = true;
    return prove_choose(c, c->max_rank + 1);
}

int prove_choose_no_or_all_axes(prove_case *c)
{
    c->capped = true;
    return prove_choose(c, 2) * c->max_rank;
}

static bool is_of_type(const rule_node *n, const char *type)
{
    return n->type && strcmp(n->type, type) == 0;
}

bool prove_is_by_channels(const rule *r, const rule_node *n)
{
    static const char *const functions[] = {"weight_factors", "turned_weight_factors",
                                            "channel_sizes"};

    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        for (int i = 0; i < r->n_clauses && n->n_in > 1; i++) {
            if (n->in[1].kind == TERM_NAME && r->clauses[i].target == n->in[1].name &&
                strcmp(r->clauses[i].fn->name, functions[k]) == 0)
                return true;
        }
    }
    return false;
}

/* Has the side a Reshape of anything but a Slice, whose elements are described by their positions?
 */
static bool has_reshape(const rule *r, const rule_side *s)
{
    for (int i = 0; i < s->n_nodes; i++) {
        const rule_term *of = &s->nodes[i].in[0];

        if (is_of_type(&s->nodes[i], "Reshape") && !prove_is_by_channels(r, &s->nodes[i]) &&
            !(of->kind == TERM_NODE && is_of_type(&s->nodes[of->node], "Slice")))
            return true;
    }
    return false;
}

/* Some operation may be a Reshape. If a clause asks for its axes, it is none. */
static bool speaks_of_views(const rule *r)
{
    for (int i = 0; i < r->n_clauses; i++) {
        if (r->clauses[i].fn->flags == INLAY_RESHAPES && r->clauses[i].target < 0)
            return true;
    }
    return has_reshape(r, &r->left) || has_reshape(r, &r->right);
}

void prove_begin_case(prove_case *c, const rule *r, int max_rank, inlay_arena *arena)
{
    prove_way way = c->way;

    way.n_choices = 0;
    *c = (prove_case){
        .rule = r, .max_rank = max_rank, .meanings.numbers = c->meanings.numbers, .way = way};
    c->pool.arena = arena;
    c->assumed = c->left_valid = c->right_valid = c->facts.numbers_assumed = smt_bool(true);
    c->flat = speaks_of_views(r);
}

bool prove_next_way(prove_case *c)
{
    int i = c->way.n_choices;

    while (i > 0 && c->way.choice[i - 1] + 1 >= c->way.range[i - 1])
        i--;
    if (i == 0)
        return false;
    c->way.choice[i - 1]++;
    memset(&c->way.choice[i], 0, (PROVE_CHOICES - (size_t)i) * sizeof c->way.choice[0]);
    memset(&c->way.range[i], 0, (PROVE_CHOICES - (size_t)i) * sizeof c->way.range[0]);
    return true;
}
