/* Contracts about sizes, types and integers (vocabulary/shape.c, views.c, broadcast.c). */
#include "passes/prove/contracts.h"

#include <string.h>

/* Under which condition the sizes of V are as assumed: sizes of a result are known on the condition
 * that the operation does not fail. Whether a SliceScatter and its updates fit does not affect its
 * sizes. */
const smt *contract_sizes_hold(prove_case *c, const prove_value *v)
{
    const prove_node *n = v->node;
    const smt *hold;

    if (!n)
        return smt_bool(true);
    if (!n->valid) /* a function has made it */
        return c->left_valid;
    if (n->row->flags & PROVE_SIZES_OF_DATA)
        return contract_sizes_hold(c, n->in[0]);
    if (n->row->flags & PROVE_SIZES_OF_WINDOW)
        return smt_and(&c->pool, n->window->proper, contract_sizes_hold(c, n->in[0]));
    if (n->sure && prove_is_type(n->row->type, "VariadicSplit")) /* its lengths are known */
        return contract_sizes_hold(c, n->in[0]);
    hold = n->valid;
    for (int i = 0; i < n->n_in; i++)
        hold = n->in[i] ? smt_and(&c->pool, hold, contract_sizes_hold(c, n->in[i])) : hold;
    return hold;
}

/* Values whose size is SIZE by name get it by the name BY. */
static void call_size(prove_case *c, const smt *size, const smt *by)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        for (int k = 0; c->left[i] && k < c->left[i]->n_out; k++) {
            prove_value *v = &c->left[i]->out[k];

            for (int j = 0; j < v->rank; j++)
                v->dim[j] = smt_replaced(&c->pool, v->dim[j], size, by);
        }
    }
    for (int i = 0; i < c->rule->n_names; i++) {
        prove_value *v = c->names[i].value;

        for (int k = 0; v && !v->node && k < v->rank; k++)
            v->dim[k] = v->dim[k] == size ? by : v->dim[k];
    }
}

/* V, an input of the rule, has the sizes of LIKE by name, too, so that scatters into both are known
 * to write at the same places. */
static void call_alike(prove_case *c, prove_value *v, const prove_value *like)
{
    for (int i = 0; i < v->rank && !v->node; i++) {
        if (v->dim[i]->op == SMT_APPLY && v->dim[i] != like->dim[i])
            call_size(c, v->dim[i], like->dim[i]);
        v->dim[i] = like->dim[i];
    }
}

static void state_same_shape(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *a = call->arg[0]->value, *b = call->arg[1]->value;
    const smt *hold;

    prove_need(c, prove_rank(c, a) == prove_rank(c, b));
    hold = smt_and(&c->pool, contract_sizes_hold(c, a), contract_sizes_hold(c, b));
    prove_assume(c, smt_implies(&c->pool, hold, prove_same_sizes(c, a, b)));
    if (hold->op == SMT_TRUE && !c->cut)
        call_alike(c, a, b);
}

/* PART is one of the parts of T. */
static bool has_part(const smt *t, const smt *part)
{
    bool has = smt_same(t, part);

    for (int i = 0; i < t->n_args && !has; i++)
        has = has_part(t->arg[i], part);
    return has;
}

/* Some size of V is one of N, and is not known by itself. */
static bool has_size_of(const prove_value *v, const prove_node *n)
{
    for (int i = 0; i < v->rank; i++) {
        for (int k = 0; k < n->out[0].rank; k++) {
            if (n->out[0].dim[k]->op != SMT_INT && has_part(v->dim[i], n->out[0].dim[k]))
                return true;
        }
    }
    return false;
}

/* Several operands of N, or of what it is made of, say what a size of V is. Where N is an error
 * they do not agree, and what the shape rules know of that size is what one of them says. */
static bool is_disputed(const prove_value *v, const prove_node *n)
{
    bool is = n->valid && n->valid->op != SMT_TRUE && n->n_in > 1 && !n->sure &&
              (n->row->flags & (PROVE_SAME_AXES | PROVE_OF_MATRICES | PROVE_CHECKS_KNOWN)) &&
              has_size_of(v, n);

    for (int i = 0; i < n->n_in && !is; i++)
        is = n->in[i] && n->in[i]->node && is_disputed(v, n->in[i]->node);
    return is;
}

/* A graph on which the left side is an error is another case, if what is known of sizes is not what
 * they are then. */
static void split_faults(prove_case *c)
{
    if (c->split)
        return;
    c->split = true;
    c->faulty = prove_choose(c, 2) == 1;
    prove_assume(c, c->faulty ? smt_not(&c->pool, c->left_valid) : c->left_valid);
}

static void state_sizes(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *v = call->arg[0]->value;
    const smt *sizes[PROVE_RANK];

    prove_rank(c, v);
    if (c->rule->exactness == INLAY_EXACT && v->node && is_disputed(v, v->node))
        split_faults(c);
    for (int i = 0; i < v->rank; i++) {
        sizes[i] = c->faulty ? smt_constant(&c->pool, "found", "Int") : v->dim[i];
        if (c->faulty)
            prove_assume(c, smt_le(&c->pool, smt_int(&c->pool, 0), sizes[i]));
    }
    contract_give_ints(call, v->rank, sizes);
}

/* All sizes are known, and so are those of a Concat's operands, from which they are computed. */
static void state_known_sizes(prove_call *call)
{
    const prove_node *n = contract_node(call, 0);

    state_sizes(call);
    call->arg[0]->value->fixed = call->out->value->fixed = true;
    for (int i = 0; n && i < n->n_in && strcmp(n->row->type, "Concat") == 0; i++)
        n->in[i]->fixed = true;
}

static void state_all(prove_call *call, bool zero)
{
    prove_case *c = call->c;
    const prove_value *v = contract_ints(call, 0);
    const smt *nothing = smt_int(&c->pool, 0);

    for (int i = 0; i < v->n_ints; i++)
        prove_assume(c, zero ? smt_eq(&c->pool, v->ints[i], nothing)
                             : smt_le(&c->pool, nothing, v->ints[i]));
}

static void state_zeros(prove_call *call)
{
    state_all(call, true);
}

static void state_not_negative(prove_call *call)
{
    state_all(call, false);
}

static void state_sums(prove_call *call)
{
    prove_case *c = call->c;
    const prove_value *a = contract_ints(call, 0), *b = contract_ints(call, 1);
    const smt *ints[PROVE_RANK];

    prove_need(c, a->n_ints == b->n_ints);
    for (int i = 0; i < a->n_ints && !c->cut; i++)
        ints[i] = smt_add(&c->pool, a->ints[i], b->ints[i]);
    if (!c->cut)
        contract_give_ints(call, a->n_ints, ints);
}

static void state_list(prove_call *call)
{
    const prove_value *v;

    call->out->absent = call->arg[0]->absent;
    if (call->arg[0]->absent)
        return;
    v = call->arg[0]->value;
    if (v && v->n_ints < 0) { /* the list of a window */
        call->out->value = call->arg[0]->value;
        return;
    }
    v = contract_ints(call, 0);
    contract_give_ints(call, v->n_ints, v->ints);
}

/* As many ones as the argument has elements. */
static void state_ones(prove_call *call)
{
    call->out->value = prove_free_value(call->c);
    call->out->value->ones_of = call->arg[0]->value;
}

/* What a scatter writes whose updates are a number. */
static void state_number(prove_call *call)
{
    prove_case *c = call->c;

    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        if (n && n->from->n_in < 3 && n->in[2] && strcmp(n->row->type, "Tensor.scatter_") == 0)
            call->out->value = n->in[2]->node->in[0];
    }
    if (!call->out->value)
        prove_unknown(c, "a number that nothing writes");
}

/* The rank is known. */
static void state_ranked(prove_call *call)
{
    prove_rank(call->c, call->arg[0]->value);
    call->arg[0]->value->ranked = true;
}

static void state_scalar(prove_call *call)
{
    prove_need(call->c, prove_rank(call->c, call->arg[0]->value) == 0);
    call->arg[0]->value->ranked = true;
}

static void state_one_axis(prove_call *call)
{
    prove_need(call->c, prove_rank(call->c, call->arg[0]->value) == 1);
    call->arg[0]->value->ranked = true;
}

/* ---- views ---- */

/* The node F cannot fail, whatever its sizes are. */
static void state_never_fails(prove_call *call)
{
    prove_assume(call->c, call->arg[0]->op->valid);
}

static void state_turns_nothing(prove_call *call)
{
    prove_case *c = call->c;
    const prove_node *n = contract_node(call, 0);

    for (int i = 0; i < n->in[0]->rank; i++) {
        if (n->axes[i])
            prove_assume(c, smt_le(&c->pool, n->in[0]->dim[i], smt_int(&c->pool, 1)));
    }
}

static void state_same_turn(prove_call *call)
{
    const prove_node *a = contract_node(call, 0), *b = contract_node(call, 1);

    for (int i = 0; i < a->in[0]->rank; i++)
        prove_need(call->c, a->axes[i] == b->axes[i]);
}

/* ---- broadcasting ---- */

/* Each size of Y, a Broadcast, is 1 or that of its data or of Z, its Broadcast, with the last axes
 * aligned. So Y is valid if the sizes that it asks for are: data that did not fit them would not
 * fit those of Z. */
static void state_keeps_sizes(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_node *y = contract_node(call, 0), *z = contract_node(call, 1);
    const smt *sizes = smt_bool(true);

    for (int i = 0; i < y->out[0].rank; i++) {
        const smt *size = y->out[0].dim[i];
        const smt *kept =
            smt_or(p, smt_eq(p, size, smt_int(p, 1)), smt_eq(p, size, z->out[0].dim[z->order[i]]));

        for (int k = 0; k < y->in[0]->rank; k++) {
            if (y->order[k] == i)
                kept = smt_or(p, kept, smt_eq(p, size, y->in[0]->dim[k]));
        }
        prove_assume(c, kept);
    }
    for (int i = 0; i < y->in[1]->n_ints; i++)
        sizes = smt_and(p, sizes, smt_le(p, smt_int(p, 0), y->in[1]->ints[i]));
    prove_assume(c, smt_implies(p, sizes, y->valid));
}

static void state_both_axes(prove_call *call)
{
    prove_case *c = call->c;
    const prove_node *z = contract_node(call, 0), *y = z->in[0]->node;
    const smt *axes[PROVE_RANK];

    for (int i = 0; i < y->in[0]->rank; i++)
        axes[i] = smt_int(&c->pool, z->order[y->order[i]]);
    contract_give_ints(call, y->in[0]->rank, axes);
}

/* The padding of a Pad of pictures plus that of the window that follows, if its padding is
 * explicit; none if it is "valid". */
static void state_raised_padding(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_value *own = contract_ints(call, 1), *pads = contract_ints(call, 2);
    const char *mode = call->arg[0]->text;
    const smt *ints[PROVE_RANK], *zero = smt_int(p, 0);
    bool is_valid = mode && strcmp(mode, "valid") == 0;

    prove_need(c, mode && (is_valid || strcmp(mode, "explicit") == 0));
    prove_need(c, pads->n_ints == own->n_ints + 2);
    for (int i = 0; i < pads->n_ints && !c->cut; i++)
        prove_assume(c, i < 2 ? smt_eq(p, pads->ints[i], zero) : smt_le(p, zero, pads->ints[i]));
    for (int i = 0; i < own->n_ints && !c->cut; i++)
        ints[i] = is_valid ? pads->ints[i + 2] : smt_add(p, own->ints[i], pads->ints[i + 2]);
    if (!c->cut)
        contract_give_ints(call, own->n_ints, ints);
}

static void state_unread(prove_call *call)
{
    call->arg[0]->value->unread = true;
}

const prove_contract prove_shape_contracts[] = {
    {"raised_padding", state_raised_padding, NULL},
    {"unread", state_unread, NULL},
    {"once", NULL, "of no consequence"},
    {"turned_back", NULL, "of no consequence"},
    {"one_reader", NULL, "of no consequence"},
    {"same_shape", state_same_shape, NULL},
    {"ranked", state_ranked, NULL},
    {"constant", NULL, "of no consequence"},
    {"pointwise", NULL, "it says which operations are meant"},
    {"total", NULL, "errors of elements are not encoded"},
    {"numpy", NULL, "it says which operations are meant"},
    {"commutes", NULL, "it says which operations are meant"},
    {"static_shape", state_known_sizes, NULL},
    {"open_shape", state_sizes, NULL},
    {"zeros", state_zeros, NULL},
    {"not_negative", state_not_negative, NULL},
    {"sums", state_sums, NULL},
    {"ones_like", state_ones, NULL},
    {"ones_for", state_ones, NULL},
    {"list", state_list, NULL},
    {"number", state_number, NULL},
    {"reshapes", NULL, "it says which operations are meant"},
    {"constant_sizes", NULL, "of no consequence"},
    {"never_fails", state_never_fails, NULL},
    {"turns_nothing", state_turns_nothing, NULL},
    {"same_turn", state_same_turn, NULL},
    {"fewer", NULL, "of no consequence"},
    {"keeps_sizes", state_keeps_sizes, NULL},
    {"both_axes", state_both_axes, NULL},
    {"scalar", state_scalar, NULL},
    {"one_axis", state_one_axis, NULL},
    {NULL, NULL, NULL},
};
