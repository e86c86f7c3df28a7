/* What a law of numbers is about: the leaves that become variables, and the types of terms. See
 * law.h. */
#include "passes/prove/law.h"

#include <string.h>

/* ---- leaves ---- */

static bool of_one_function(const smt *a, const smt *b)
{
    return a->op == SMT_APPLY && b->op == SMT_APPLY && strcmp(a->name, b->name) == 0;
}

/* Two elements of one value at positions that the case shows to be equal are one leaf: indices may
 * be written in several ways, depending on whether sizes are distinguished from 1. */
static const leaf *merged_leaf(law *l, const leaf *with, const smt *t, bool right)
{
    if (!right)
        l->merged = smt_and(&l->c->pool, l->merged, smt_eq(&l->c->pool, with->actual, t));
    return with;
}

static const leaf *leaf_of(law *l, const smt *t, bool truth, bool right)
{
    const leaf *at = l->leaves, *end = at + l->n_leaves;

    for (; at < end; at++) {
        if (at->truth == truth && smt_same(at->actual, t))
            return at;
    }
    for (at = l->leaves; at < end; at++) {
        if (at->truth == truth && of_one_function(at->actual, t))
            return merged_leaf(l, at, t, right);
    }
    if (l->n_leaves == LEAVES) {
        l->too_large = true;
        return l->leaves;
    }
    l->leaves[l->n_leaves] = (leaf){
        t,
        smt_apply(&l->c->pool, inlay_arena_printf(l->c->pool.arena, "v%d", l->n_leaves), 0, NULL),
        truth};
    return &l->leaves[l->n_leaves++];
}

bool law_is_holds(const smt *t)
{
    return t->op == SMT_APPLY && strcmp(t->name, prove_holds) == 0;
}

bool law_is_integer(const smt *t)
{
    return t->op == SMT_APPLY && strcmp(t->name, prove_of_int) == 0 && t->arg[0]->op == SMT_INT;
}

/* T is not a leaf, but a term whose parts are looked at; TRUTH: T is used as a condition. */
static bool is_inner(const law *l, const smt *t, bool truth)
{
    if (t->op == SMT_ITE)
        return true;
    if (truth)
        return law_is_holds(t) || t->op == SMT_AND || t->op == SMT_OR || t->op == SMT_NOT ||
               t->op == SMT_TRUE || t->op == SMT_FALSE;
    return prove_symbol_of(l->c, t) != NULL;
}

static bool arg_is_truth(const smt *t, bool truth, int i)
{
    return t->op == SMT_ITE ? i == 0 || truth : truth && !law_is_holds(t);
}

const smt *law_abstracted(law *l, const smt *t, bool truth, bool right, const smt **actual)
{
    const smt *arg[SMT_ARGS], *with[SMT_ARGS];

    if (!truth && law_is_integer(t))
        return *actual = t;
    if (!is_inner(l, t, truth)) {
        const leaf *of = leaf_of(l, t, truth, right);

        *actual = of->actual;
        return of->variable;
    }
    for (int i = 0; i < t->n_args; i++)
        arg[i] = law_abstracted(l, t->arg[i], arg_is_truth(t, truth, i), right, &with[i]);
    *actual = smt_remade(&l->c->pool, t, with);
    return smt_remade(&l->c->pool, t, arg);
}

/* The element of R that belongs to T's, if the rule says that R is the reciprocal of T's value;
 * NULL: there is none. */
static const smt *reciprocal_of(prove_case *c, const smt *t)
{
    for (int i = 0; i < c->facts.n_types; i++) {
        const prove_type_fact *fact = &c->facts.types[i];

        if (fact->reciprocal && t->op == SMT_APPLY && fact->value->element &&
            strcmp(t->name, fact->value->element) == 0)
            return prove_element(c, fact->reciprocal, NULL);
    }
    return NULL;
}

/* Division by a power of two whose reciprocal the type represents is the product with that
 * reciprocal: both are the number of the type that is nearest to the same real number. */
const smt *law_with_products(prove_case *c, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(c, t);
    bool divides = s && s->op && strcmp(s->op->name, "Divide") == 0;
    const smt *arg[] = {t->arg[0], divides ? reciprocal_of(c, t->arg[1]) : NULL};
    const prove_symbol product = {.kind = PROVE_OPERATION,
                                  .name = "|Multiply|",
                                  .op = inlay_op_find(NULL, "Multiply", NULL, NULL, NULL),
                                  .meaning = meaning_of("Multiply"),
                                  .attr = -1};

    return arg[1] ? smt_apply(&c->pool, prove_symbol_like(c, &product, 2)->name, 2, arg) : t;
}

/* ---- types ---- */

static int new_slot(law *l, inlay_type_set types)
{
    if (l->n_slots == SLOTS) {
        l->too_large = true;
        return 0;
    }
    l->slots[l->n_slots] = (slot){l->n_slots, types, false, INLAY_DYNAMIC};
    return l->n_slots++;
}

static int top(const law *l, int s)
{
    while (l->slots[s].up != s)
        s = l->slots[s].up;
    return s;
}

void law_join(law *l, int a, int b)
{
    a = top(l, a);
    b = top(l, b);
    l->slots[a].types &= l->slots[b].types;
    l->slots[a].used = l->slots[a].used || l->slots[b].used;
    l->slots[b].up = a;
}

static void restrict_types(law *l, int s, inlay_type_set types)
{
    l->slots[top(l, s)].types &= types;
    l->slots[top(l, s)].used = true;
}

static inlay_type_set only(inlay_type type)
{
    return (inlay_type_set)1 << type;
}

/* Elements that are operands of a condition are booleans. */
static void visit_truth(law *l, const smt *t)
{
    if (law_is_holds(t))
        restrict_types(l, law_slot_of(l, t->arg[0]), only(INLAY_BOOLEAN));
    for (int i = 0; i < t->n_args && !law_is_holds(t); i++)
        visit_truth(l, t->arg[i]);
}

static void join_attr(law *l, int attr, int s)
{
    if (l->attr_slot[attr] > 0)
        law_join(l, l->attr_slot[attr] - 1, s);
    l->attr_slot[attr] = s + 1;
}

static void join_all(law *l, const smt *t, int result)
{
    for (int i = 0; i < t->n_args; i++)
        law_join(l, result, law_slot_of(l, t->arg[i]));
}

/* Operands and result with one type variable in the row have one type; literals follow them. */
static void join_operation(law *l, const smt *t, const prove_symbol *s, int result)
{
    const inlay_op *op = s->op;
    int of_var[SMT_ARGS];

    for (int i = 0; i < t->n_args; i++) {
        int at = law_slot_of(l, t->arg[i]);

        of_var[i] = at;
        if (i >= op->n_in) {
            restrict_types(l, at, only(INLAY_F64));
            continue;
        }
        restrict_types(l, at, op->in[i].types);
        for (int k = 0; k < i && op->in[i].var >= 0; k++) {
            if (op->in[k].var == op->in[i].var)
                law_join(l, of_var[k], at);
        }
        if (op->out[0].var >= 0 && op->out[0].var == op->in[i].var)
            law_join(l, result, at);
    }
    restrict_types(l, result, op->out[0].types);
    if (op->flags & INLAY_CONVERTS) /* the shape rule accepts no other destination */
        restrict_types(l, result, op->in[0].types);
    if (op->type_attr && s->attr >= 0)
        join_attr(l, s->attr, result);
    else if (op->type_attr && s->to != INLAY_DYNAMIC)
        restrict_types(l, result, only(s->to));
}

static void join_parts(law *l, const smt *t, int result)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);

    if (t->op == SMT_ITE) {
        visit_truth(l, t->arg[0]);
        law_join(l, result, law_slot_of(l, t->arg[1]));
        law_join(l, result, law_slot_of(l, t->arg[2]));
    } else if (s && s->kind == PROVE_OPERATION) {
        if (s->op)
            join_operation(l, t, s, result);
        else
            join_all(l, t, result);
    } else if (s && s->kind == PROVE_LITERAL) {
        restrict_types(l, result, s->types);
    } else if (s) {
        restrict_types(l, result, only(INLAY_F64));
    } else if (law_is_integer(t)) {
        restrict_types(l, result,
                       number_class_types(NUMBER_SIGNED) | number_class_types(NUMBER_UNSIGNED));
    }
}

/* The types that constants may have; some of them have no encoding. */
static inlay_type_set every_type(void)
{
    inlay_type_set all = 0;

    for (int t = INLAY_BOOLEAN; t < INLAY_N_TYPES; t++) {
        if (!inlay_constant_refused((inlay_type)t))
            all |= only((inlay_type)t);
    }
    return all;
}

int law_slot_of(law *l, const smt *t)
{
    int s;

    for (int i = 0; i < l->n_typed; i++) {
        if (l->typed[i].term == t)
            return l->typed[i].slot;
    }
    s = new_slot(l, every_type());
    if (l->n_typed == TERMS) {
        l->too_large = true;
        return s;
    }
    l->typed[l->n_typed].term = t;
    l->typed[l->n_typed++].slot = s;
    join_parts(l, t, s);
    return s;
}

inlay_type law_type_of(law *l, const smt *t)
{
    return l->slots[top(l, law_slot_of(l, t))].type;
}

const smt *law_variable_of(const law *l, const prove_value *v)
{
    for (int i = 0; i < l->n_leaves && v->element; i++) {
        const smt *t = l->leaves[i].actual;

        if (t->op == SMT_APPLY && strcmp(t->name, v->element) == 0)
            return l->leaves[i].variable;
    }
    return NULL;
}

/* The type slot of the value, or -1. */
static int slot_of_value(law *l, const prove_value *v)
{
    const smt *variable = law_variable_of(l, v);

    return variable ? law_slot_of(l, variable) : -1;
}

bool law_holds_all(inlay_type wide, inlay_type narrow)
{
    const inlay_type_info *w = inlay_type_info_of(wide), *n = inlay_type_info_of(narrow);

    if (inlay_type_is_float(wide))
        return (narrow == INLAY_F16 || narrow == INLAY_BF16 || narrow == INLAY_F32) &&
               (wide == INLAY_F64 || wide == INLAY_F32) && w->bits > n->bits;
    if (!inlay_type_is_int(wide))
        return false;
    if (narrow == INLAY_BOOLEAN)
        return true;
    return inlay_type_is_int(narrow) &&
           (w->cls == n->cls ? w->bits >= n->bits
                             : w->cls == INLAY_CLASS_SIGNED && w->bits > n->bits);
}

/* Totals have integer or boolean types. */
static void state_types_of_totals(law *l)
{
    for (int i = 0; i < l->n_leaves; i++) {
        for (int k = 0; k < l->c->terms.n_totals; k++) {
            if (smt_same(l->leaves[i].actual, l->c->terms.totals[k].made))
                restrict_types(l, law_slot_of(l, l->leaves[i].variable),
                               ~number_class_types(NUMBER_FLOAT));
        }
    }
}

void law_state_types(law *l)
{
    state_types_of_totals(l);
    for (int i = 0; i < l->c->facts.n_types; i++) {
        const prove_type_fact *fact = &l->c->facts.types[i];
        int s = slot_of_value(l, fact->value),
            like = fact->like ? slot_of_value(l, fact->like) : -1;

        if (s < 0)
            continue;
        if (~fact->types)
            restrict_types(l, s, fact->types);
        if (fact->typed_by >= 0 && l->attr_slot[fact->typed_by] > 0)
            law_join(l, l->attr_slot[fact->typed_by] - 1, s);
        if (like >= 0)
            law_join(l, like, s);
    }
}

bool law_types_fit(law *l)
{
    for (int i = 0; i < l->c->facts.n_types; i++) {
        const prove_type_fact *fact = &l->c->facts.types[i];
        int s = slot_of_value(l, fact->value);
        int held = fact->held_by < 0 ? 0 : l->attr_slot[fact->held_by];
        inlay_type in = held > 0 ? l->slots[top(l, held - 1)].type : fact->held_in;

        if (s >= 0 && in != INLAY_DYNAMIC && !law_holds_all(in, l->slots[top(l, s)].type))
            return false;
    }
    return true;
}
