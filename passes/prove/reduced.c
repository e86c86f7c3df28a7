/* The result of a scatter that reduces: at each place, the element that is there is combined with
 * all updates of the place, one after another. One unknown element stands for these updates and
 * their order; it is the same for the same updates at the same places, whatever data they are
 * combined with. For integers, meaning.c knows that the result is the sum, difference or product of
 * the data's element and one combined update. */
#include "passes/prove/meaning.h"
#include "passes/prove/rows.h"

#include <string.h>

static const char none[] = "none";

/* A reduction that is left open, the same one wherever it is called WHERE. */
static const char *unknown_reduction(prove_case *c, int way, const char *where)
{
    return way == 0 ? none : inlay_arena_printf(c->pool.arena, "any.%s", where);
}

static const char *reduction_of(prove_case *c, prove_node *n, const char *attr)
{
    prove_node *of = prove_attr_node(c, n, attr);
    const rule_attr *a = prove_attr(of, attr);
    prove_name *name = a && a->var >= 0 ? &c->names[a->var] : NULL;

    if (name && !name->text)
        name->text = unknown_reduction(c, prove_choose(c, 2), c->rule->names[a->var].text);
    if (name)
        return name->text;
    if (a)
        return a->literal.as.s;
    if (!prove_is_open(of))
        return none;
    return unknown_reduction(
        c, prove_open_attr(c, of, attr, 2),
        inlay_arena_printf(c->pool.arena, "%d", (int)(of->from - c->rule->left.nodes)));
}

/* The old element is not used: the result is another function. */
static bool forgets(prove_case *c, prove_node *n)
{
    prove_node *of = prove_attr_node(c, n, "use_init_val");
    bool has = of->from->n_rows > 0 &&
               inlay_op_attr(of->from->rows[of->from->n_rows - 1], "use_init_val") >= 0;

    return has && (prove_attr(of, "use_init_val") || prove_is_open(of)) &&
           !prove_flag_attr(c, n, "use_init_val");
}

void prove_choose_reduction(prove_case *c, prove_node *n, const char *attr)
{
    static const char *const names[][2] = {{"add", "sum"}, {"multiply", "prod"}};
    const char *name = reduction_of(c, n, attr);

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i][0]) == 0)
            name = names[i][1];
    }
    if (name && strcmp(name, none) != 0 && forgets(c, n))
        name = inlay_arena_printf(c->pool.arena, "anew.%s", name);
    if (!name)
        c->pool.no_memory = true;
    else if (strcmp(name, none) != 0)
        n->reduction = name;
}

/* A and B are one value, or one number broadcast to the same sizes. */
static bool is_same_value(const prove_value *a, const prove_value *b)
{
    bool same = a->node && b->node && a->node->row == b->node->row && a->rank == b->rank &&
                strcmp(a->node->row->type, "Broadcast") == 0 && a->node->in[0] == b->node->in[0] &&
                a->node->in[0]->rank == 0;

    for (int i = 0; same && i < a->rank; i++)
        same = smt_same(a->dim[i], b->dim[i]);
    return same || a == b;
}

/* The function of a place that stands for the updates OF at a place of PLACES; NULL: there are too
 * many. */
static const char *updates_of(prove_case *c, const prove_places *places, const prove_value *of,
                              int rank)
{
    struct prove_updates *u = c->terms.updates, *end = u + c->terms.n_updates;

    while (u < end && !(u->places == places && is_same_value(u->of, of)))
        u++;
    if (u < end)
        return u->made;
    if (c->terms.n_updates == PROVE_PLACES) {
        prove_unknown(c, "too many reductions");
        return NULL;
    }
    *u = (struct prove_updates){places, of, smt_function(&c->pool, "updates", rank, false, "E")};
    c->terms.n_updates++;
    return u->made;
}

/* V is turned as the indices of PLACES are. */
static bool is_turned_alike(const prove_places *places, const prove_value *v)
{
    const prove_node *a = places->given ? places->indices->node : NULL, *b = v->node;
    bool same = a && b && places->kind == PROVE_ELEMENTS && a->row == b->row;

    for (int i = 0; same && i < v->rank; i++)
        same = a->order[i] == b->order[i];
    return same;
}

/* One element for all updates of the place AT. Indices and updates may both be turned: the updates
 * of a place differ along one axis, so that their order stays. */
static const smt *updates_at(prove_case *c, const prove_node *n, const smt *const *at)
{
    const prove_places *places = n->places;
    const prove_value *of = n->in[2];
    const smt *place[PROVE_RANK];
    const char *updates;

    for (int i = 0; i < n->in[0]->rank; i++)
        place[i] = at[i];
    if (is_turned_alike(places, of)) {
        for (int i = 0; i < of->rank; i++)
            place[of->node->order[i]] = at[i];
        places = places->given;
        of = of->node->in[0];
    }
    updates = updates_of(c, places, of, n->in[0]->rank);
    return updates ? smt_apply(&c->pool, updates, n->in[0]->rank, place) : NULL;
}

/* The result of combining the element THERE with all UPDATES. */
static const smt *of_all(prove_case *c, const prove_node *n, const smt *there, const smt *updates)
{
    const prove_symbol s = {.kind = PROVE_OPERATION,
                            .name =
                                inlay_arena_printf(c->pool.arena, "|scattered %s|", n->reduction),
                            .meaning = meaning_of_scattered(n->reduction),
                            .attr = -1};
    const smt *args[] = {there, updates};

    return smt_apply(&c->pool, prove_symbol_like(c, &s, 2)->name, 2, args);
}

/* The operation that combines an element with one update; NULL: not an operation of two operands.
 */
static const inlay_op *step_of(const char *reduction)
{
    static const char *const steps[][2] = {
        {"sum", "Add"}, {"sub", "Subtract"}, {"prod", "Multiply"}};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (strcmp(reduction, steps[i][0]) == 0)
            return inlay_op_find(NULL, steps[i][1], NULL, NULL, NULL);
    }
    return NULL;
}

/* All updates are the same number NUMBER: if combining it with THERE leaves that as it is, so do
 * all updates, and MADE equals THERE. */
static void state_steady(prove_case *c, const char *reduction, const smt *there, const smt *number,
                         const smt *made)
{
    const inlay_op *op = step_of(reduction);
    const smt *args[] = {there, number}, *step;
    prove_symbol s = {.kind = PROVE_OPERATION, .op = op, .attr = -1};

    if (!op || smt_is_open(there) || c->terms.n_steps == PROVE_PLACES)
        return;
    s.name = inlay_arena_printf(c->pool.arena, "|%s|", op->name);
    s.meaning = meaning_of(op->name);
    step = smt_apply(&c->pool, prove_symbol_like(c, &s, 2)->name, 2, args);
    c->terms.steps[c->terms.n_steps].step = step;
    c->terms.steps[c->terms.n_steps++].there = there;
    prove_assume(
        c, smt_implies(&c->pool, smt_eq(&c->pool, step, there), smt_eq(&c->pool, made, there)));
}

const smt *prove_reduced(prove_case *c, const prove_node *n, const smt *const *at)
{
    const smt *updates = updates_at(c, n, at);
    const smt *there, *made;

    if (!updates)
        return smt_bool(false);
    there = prove_element(c, n->in[0], at);
    made = of_all(c, n, there, updates);
    if (n->in[2]->number)
        state_steady(c, n->reduction, there, prove_element(c, n->in[2], at), made);
    return made;
}
