/* Parts of a state that grow, each for itself, and are stacked again:
 *
 *     %k = Concat(%d[0], %new_k) {axis = 1}       %new = Concat(%new_k, %new_v) {axis = 0}
 *     %v = Concat(%d[1], %new_v) {axis = 1}  =>   %all = Concat(%d, %new) {axis = 2}
 *     %all = Stack(%k, %v)                        %k = %all[0], %v = %all[1]
 *
 * So a model keeps the keys and values of a layer in one tensor. A state grows in its buffer if it
 * is the first operand of a Concat; its parts are views then. What is new must not be computed from
 * the parts that have grown. Whether the parts have an axis of size 1, along which they are
 * stacked, or lost it, makes no difference.
 *
 * And states that roll, of which more is read than is kept:
 *
 *     %all = Concat(%past, %x)                    %all = Concat(%past, %x)
 *     %y = Convolution(%all, %w)              =>  %y = Convolution(%all, %w)
 *     Assign(Slice(%all, [1:]))                   Assign(Concat(Slice(%past, [1:]), %x))
 *
 * A convolution reads only what is dense, so that no part of that can be the next state; but the
 * state itself has room behind it. */
#include "inlay_ops.h"
#include "passes/fold/scattering.h"

enum { MOST_STACKED = 64, MOST_LOOKS = 1024 };

/* A Concat of the parts that grow: its operands number i are those of DATA from i * SIZE on. */
typedef struct stack {
    inlay_node *join;
    inlay_value *data, *grown[MOST_STACKED];
    int axis, along; /* along which parts are stacked, and along which they grow */
    int64_t size;
    bool lost; /* the parts that grow have lost AXIS */
} stack;

typedef struct search {
    inlay_graph *g;
    size_t *place;  /* in the order, by node id */
    uint32_t known; /* nodes from this id on are newer, and have no place */
    size_t n;
    inlay_node *looks[MOST_LOOKS];
} search;

/* Returns the size of V along AXIS; of what has an unknown number of axes, any. */
static inlay_dim size_along(const inlay_value *v, int axis)
{
    return axis < v->fact.rank ? v->fact.dims[axis] : inlay_dim_any();
}

/* Returns operand I of S->join without the axis that it got back, and whether it had LOST it. */
static inlay_value *part_of(const stack *s, int i, bool *lost)
{
    inlay_value *v = s->join->in[i].value, *x = scattering_shown(v, false);

    *lost = x && x->fact.rank == v->fact.rank - 1 && inlay_dim_is_static(v->fact.dims[s->axis]) &&
            v->fact.dims[s->axis].lo == 1;
    return *lost ? x : v;
}

/* Are A and B, which grow, longer by as much? */
static bool grow_alike(const stack *s, const inlay_value *a, const inlay_value *b)
{
    int axis = s->along - (s->lost && s->along > s->axis);

    return inlay_dim_proven_equal(size_along(a->node->in[1].value, axis),
                                  size_along(b->node->in[1].value, axis));
}

/* Is V, a list of one number, known to be X? */
static bool is_number(const inlay_value *v, int64_t x)
{
    return v && v->fact.content && inlay_tensor_count(v->fact.content) == 1 &&
           inlay_tensor_get_i64(v->fact.content, 0) == x;
}

/* Returns the tensor of which V is a part that begins at AT along AXIS, whose other sizes may be
 * open; NULL: V is no such part. */
static inlay_value *state_of(const inlay_value *v, int axis, int64_t at)
{
    const inlay_node *n = v->node;

    if (!inlay_node_is(n, INLAY_OP_SLICE))
        return fold_whole_of(v, axis, at);
    return is_number(inlay_node_window(n, 0), at) && is_number(inlay_node_window(n, 2), 1) &&
                   is_number(inlay_node_window(n, 3), axis)
               ? inlay_node_input(n, 0)
               : NULL;
}

/* Is operand I of S->join a part of the data that grows by one operand? Sets what S holds of it. */
static bool add_grown(stack *s, int i)
{
    bool lost;
    inlay_value *v = part_of(s, i, &lost), *part, *data;
    int along;

    s->grown[i] = v;
    if (v->node->n_in != 2 || !inlay_node_joined_axis(v->node, &along))
        return false;
    part = lost ? scattering_shown(v->node->in[0].value, false) : v->node->in[0].value;
    along += lost && along >= s->axis;
    if (!part || part->fact.rank != s->join->out[0].fact.rank || along == s->axis ||
        !inlay_dim_is_static(part->fact.dims[s->axis]))
        return false;
    if (i == 0) {
        s->size = part->fact.dims[s->axis].lo;
        s->along = along;
        s->lost = lost;
    }
    data = state_of(part, s->axis, i * s->size);
    s->data = i == 0 ? data : s->data;
    return data && data == s->data && along == s->along && lost == s->lost && s->size > 0 &&
           part->fact.dims[s->axis].lo == s->size && grow_alike(s, v, s->grown[0]);
}

/* Does JOIN stack all parts of a state, each of which has grown? */
static bool find_stack(inlay_node *join, stack *s)
{
    bool found =
        join->n_in >= 2 && join->n_in <= MOST_STACKED && inlay_node_joined_axis(join, &s->axis);

    s->join = join;
    for (int i = 0; found && i < join->n_in; i++)
        found = add_grown(s, i);
    return found && inlay_node_is(s->data->node, INLAY_OP_READ_VALUE) &&
           inlay_dim_proven_equal(size_along(s->data, s->axis), inlay_dim_of(s->size * join->n_in));
}

static bool is_grown(const stack *s, const inlay_node *n)
{
    bool grown = false;

    for (int i = 0; i < s->join->n_in && !grown; i++)
        grown = s->grown[i]->node == n;
    return grown;
}

static size_t place_of(const search *l, const inlay_node *n)
{
    return n->id < l->known ? l->place[n->id] : SIZE_MAX;
}

/* Adds N to what is looked at, unless it is there or comes before FIRST in the order. False: there
 * is too much. */
static bool look_at(search *l, inlay_node *n, size_t first)
{
    if (place_of(l, n) < first)
        return true;
    for (size_t i = 0; i < l->n; i++) {
        if (l->looks[i] == n)
            return true;
    }
    if (l->n == MOST_LOOKS)
        return false;
    l->looks[l->n++] = n;
    return true;
}

/* Is nothing that is new in S computed from a part that has grown? */
static bool is_apart(search *l, const stack *s)
{
    size_t first = SIZE_MAX;
    bool apart = true;

    l->n = 0;
    for (int i = 0; i < s->join->n_in; i++) {
        size_t at = place_of(l, s->grown[i]->node);

        first = at < first ? at : first;
    }
    for (int i = 0; i < s->join->n_in && apart; i++)
        apart = look_at(l, s->grown[i]->node->in[1].value->node, first);
    for (size_t i = 0; i < l->n && apart; i++) {
        const inlay_node *n = l->looks[i];

        apart = !is_grown(s, n);
        for (int k = 0; k < n->n_in && apart; k++)
            apart = !n->in[k].value || look_at(l, n->in[k].value->node, first);
    }
    return apart;
}

static inlay_value *reshaped(const scattering *s, const char *how, inlay_value *v, int axis)
{
    int64_t one = 1, at = axis;
    inlay_value *in[2] = {v, scattering_ints(s, "axes", 1, &one, &at)};

    return v ? scattering_build(s, how, in, 2, NULL) : NULL;
}

/* Returns the state with what is new behind it. */
static inlay_value *grow(const scattering *s, const stack *k)
{
    inlay_value *in[MOST_STACKED], *both[2] = {k->data, NULL};

    for (int i = 0; i < k->join->n_in; i++) {
        in[i] = k->grown[i]->node->in[1].value;
        in[i] = k->lost ? reshaped(s, "Unsqueeze", in[i], k->axis) : in[i];
        if (!in[i])
            return NULL;
    }
    both[1] = scattering_join(s, in, k->join->n_in, k->axis);
    return scattering_join(s, both, 2, k->along);
}

/* Lets the readers of part I read it in ALL. */
static bool show_part(const scattering *s, const stack *k, inlay_value *all, int i)
{
    target to = {.cut = {false}};
    inlay_value *part;
    bool take;

    to.cut[k->axis] = true;
    to.w[k->axis] = (inlay_window){i * k->size, k->size, 1};
    part = scattering_slice(s, all, &to);
    part = k->lost ? reshaped(s, "Squeeze", part, k->axis) : part;
    if (!part || !pass_ask_readers(k->grown[i], part, &take, s->diags))
        return false;
    return !take || inlay_replace_by_new(k->grown[i], part, s->diags);
}

static bool grow_stacked(search *l, inlay_node *join, pass_run *r)
{
    scattering s = {.g = l->g, .diags = r->diags};
    stack k = {0};
    inlay_value *all;
    bool take;

    if (!find_stack(join, &k) || !is_apart(l, &k) || !inlay_pass_begin(r, join))
        return true;
    s.data = k.data;
    all = grow(&s, &k);
    if (!all || !pass_ask_readers(&join->out[0], all, &take, r->diags))
        return false;
    if (take && !inlay_replace_by_new(&join->out[0], all, r->diags))
        return false;
    for (int i = 0; take && i < join->n_in; i++) {
        if (!show_part(&s, &k, all, i))
            return false;
    }
    return inlay_pass_end(r, take);
}

/* Does a node other than BUT read V only where its elements follow each other? Else V can be what
 * the state is a window of. */
static bool is_read_dense(const inlay_value *v, const inlay_node *but)
{
    const unsigned strided = INLAY_STRIDED | INLAY_POINTWISE | INLAY_VIEW | INLAY_SHAPE_ONLY;
    bool dense = false;

    for (const inlay_use *u = v->uses; u && !dense; u = u->next)
        dense = u->node != but && !(u->node->op->flags & strided);
    return dense;
}

/* Returns the Concat that SAVE, an Assign, cuts off so that its end is the next state, which begins
 * with part of the state; sets *AXIS, and *FROM to what of the state stays. NULL: there is none, or
 * the state can be a window of it. */
static inlay_node *find_rolled(const inlay_node *save, int *axis, int64_t *from)
{
    const inlay_value *next = save->in[0].value;
    inlay_value *all = next->node->op->flags & INLAY_CUTS ? next->node->in[0].value : NULL;
    const inlay_value *past = all ? inlay_node_input(all->node, 0) : NULL;

    if (!past || !is_read_dense(all, next->node) || !inlay_node_joined_axis(all->node, axis) ||
        inlay_variable_of(past->node, INLAY_OP_READ_VALUE) !=
            inlay_variable_of(save, INLAY_OP_ASSIGN) ||
        !inlay_dim_is_static(size_along(past, *axis)) ||
        !inlay_dim_is_static(size_along(all, *axis)) ||
        !inlay_dim_is_static(size_along(next, *axis)))
        return NULL;
    *from = all->fact.dims[*axis].lo - next->fact.dims[*axis].lo;
    return *from > 0 && *from < past->fact.dims[*axis].lo &&
                   fold_whole_of(next, *axis, *from) == all
               ? all->node
               : NULL;
}

static bool roll(inlay_node *save, pass_run *r)
{
    scattering s = {.g = save->graph, .diags = r->diags};
    int64_t from = 0;
    int axis = 0;
    inlay_node *all = find_rolled(save, &axis, &from);
    inlay_value *in[MOST_STACKED], *next, *was = save->in[0].value;
    target to = {.cut = {false}};
    bool take;

    if (!all || all->n_in > MOST_STACKED || !inlay_pass_begin(r, all))
        return true;
    s.data = all->in[0].value;
    to.cut[axis] = true;
    to.w[axis] = (inlay_window){from, s.data->fact.dims[axis].lo - from, 1};
    in[0] = scattering_slice(&s, s.data, &to);
    for (int i = 1; i < all->n_in; i++)
        in[i] = all->in[i].value;
    next = scattering_join(&s, in, all->n_in, axis);
    if (!next || !pass_ask_readers(was, next, &take, r->diags))
        return false;
    if (take && !(was->node->n_out == 1 ? inlay_replace_by_new(was, next, r->diags)
                                        : inlay_value_replace(was, next, r->diags)))
        return false;
    return inlay_pass_end(r, take);
}

bool fold_grown(inlay_graph *g, pass_run *r)
{
    inlay_order_list order;
    search l = {.g = g, .known = g->next_id};
    bool ok;

    if (g->owner || g->n_variables == 0)
        return true;
    if (!inlay_order(g, false, &order, r->diags))
        return false;
    l.place = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *l.place);
    ok = l.place || inlay_fail_memory(r->diags);
    for (size_t i = 0; ok && i < order.n; i++)
        l.place[order.nodes[i]->id] = i;
    for (size_t i = 0; ok && i < order.n; i++) {
        if (order.nodes[i]->op->flags & INLAY_HOLDS && order.nodes[i]->out[0].uses)
            ok = grow_stacked(&l, order.nodes[i], r);
        else if (inlay_variable_of(order.nodes[i], INLAY_OP_ASSIGN))
            ok = roll(order.nodes[i], r);
    }
    inlay_give(l.place);
    inlay_order_free(&order);
    return ok;
}
