/* Nodes that a rewrite leaves without readers are not run, so what they would have refused is
 * accepted. With
 *
 *     %u = Gather(%t, %i)                       fails where i names no row
 *     %y = SliceScatter(%d, %u, [2:4])
 *     %z = Slice(%y, [5:6])                     =>  Slice(%d, [5:6])
 *
 * %u goes together with %y, and an i that names no row is no error any more. */
#include "passes/query/lost.h"
#include "ir/base/table.h"
#include "passes/query/indices.h"

/* Are the sizes of all operands of N from FIRST on known, so that its shape rule has compared them? */
static bool sizes_are_known(const inlay_node *n, int first)
{
    int64_t dims[INLAY_MAX_RANK];

    for (int i = first; i < n->n_in; i++) {
        if (n->in[i].value && !inlay_fact_dims(&n->in[i].value->fact, dims))
            return false;
    }
    return true;
}

/* Has N one operand, or have all of them one shape, so that N takes any sizes? */
static bool are_alike(const inlay_node *n)
{
    const inlay_value *first = inlay_node_input(n, 0);
    bool alike = first && n->op->flags & (INLAY_POINTWISE | INLAY_SHAPE_ONLY);

    for (int i = 1; alike && i < n->n_in; i++) {
        const inlay_value *x = inlay_node_input(n, i);

        alike = !x || x->fact.rank == 0 || inlay_fact_same_shape(&first->fact, &x->fact);
    }
    return alike;
}

/* Does N cut its data along an axis of known size, or whatever its size is? A window is cut to the
 * axis; parts are not. */
static bool cuts_well(const inlay_node *n)
{
    const inlay_fact *data = &inlay_node_input(n, 0)->fact;
    int axis;

    if (!(n->op->flags & INLAY_CUTS) || data->rank < 0)
        return false;
    return inlay_node_reads_window(n) ||
           (inlay_node_axis(n, data->rank, &axis) && inlay_dim_is_static(data->dims[axis]));
}

/* Does N repeat a single element as often as sizes say that are not negative? */
static bool repeats_one(const inlay_node *n)
{
    const inlay_value *sizes = inlay_node_operand(n, INLAY_ROLE_SHAPE);
    const inlay_fact *data = &inlay_node_input(n, 0)->fact;
    bool one = data->rank >= 0;

    for (int i = 0; i < data->rank; i++)
        one = one && inlay_dim_is_static(data->dims[i]) && data->dims[i].lo == 1;
    return one && n->op->flags & INLAY_REPEATS && sizes && index_never_negative(sizes) == 1;
}

/* Are all elements of T positions of AXIS of DATA, or, if AXIS is not known, of any axis? */
static bool are_positions(const inlay_tensor *t, const inlay_fact *data, int axis)
{
    bool good = true;

    for (int a = 0; good && a < data->rank; a++) {
        for (int64_t i = 0, n = inlay_tensor_count(t); good && i < n && (axis < 0 || a == axis);
             i++)
            good = index_position(t, i, data->dims[a].lo, false) >= 0;
    }
    return good;
}

/* May N fail because of an element of operand I, which says where or how much? Where a window begins
 * and ends is cut to the axis. */
static bool may_refuse(const inlay_node *n, int i)
{
    const inlay_value *x = inlay_node_input(n, i);
    const inlay_value *data = inlay_node_input(n, 0);
    int axis = -1;

    if (!x || i == 0 || n->op->flags & INLAY_POINTWISE || n->op->variadic_in || x == data ||
        x == inlay_node_operand(n, INLAY_ROLE_UPDATES) || !inlay_type_is_int(x->fact.type))
        return false;
    if (!x->fact.content)
        return !(repeats_one(n) ||
                 (n->op->flags & INLAY_CUTS && i < 3 && inlay_node_reads_window(n)));
    if (x != inlay_node_operand(n, INLAY_ROLE_INDICES) &&
        x != inlay_node_operand(n, INLAY_ROLE_TUPLES))
        return false;
    if (!inlay_node_axis(n, data->fact.rank, &axis))
        axis = -1;
    return !are_positions(x->fact.content, &data->fact, axis);
}

/* Does N take its operands whatever their open sizes are? */
static bool takes_sizes(const inlay_node *n)
{
    return sizes_are_known(n, 0) || are_alike(n) ||
           ((cuts_well(n) || repeats_one(n)) && sizes_are_known(n, 1)) ||
           (n->op->flags & INLAY_SCATTER && !inlay_node_writes_window(n) && scatter_updates_fit(n));
}

bool query_never_fails(const inlay_node *n)
{
    const unsigned never = INLAY_HAS_BODY | INLAY_EFFECT | INLAY_SINK | INLAY_STAND_IN;
    bool takes =
        n->n_in == 0 || (!(n->op->flags & never) && !inlay_node_may_fail(n) && takes_sizes(n));

    for (int i = 0; takes && i < n->n_in; i++)
        takes = !may_refuse(n, i);
    return takes;
}

struct lost_node {
    inlay_node *node;
    bool kept;
    struct lost_node *next; /* of those without readers */
    UT_hash_handle hh;
};

static const struct lost_node *find(const lost_nodes *l, const inlay_node *n)
{
    struct lost_node *found;

    HASH_FIND_PTR(l->all, &n, found);
    return found;
}

/* Adds N unless it is there. */
static struct lost_node *add(lost_nodes *l, inlay_node *n, bool kept)
{
    bool table_oom = false;
    inlay_budget *table_budget = inlay_graph_budget(n->graph);
    struct lost_node *new = find(l, n) ? NULL : inlay_take(table_budget, 1, sizeof *new);

    if (!new) {
        l->no_memory = l->no_memory || !find(l, n);
        return NULL;
    }
    *new = (struct lost_node){.node = n, .kept = kept};
    HASH_ADD_PTR(l->all, node, new);
    if (table_oom) {
        l->no_memory = true;
        inlay_give(new);
        return NULL;
    }
    return new;
}

void query_keep(lost_nodes *l, inlay_node *n)
{
    add(l, n, true);
}

static void lose(lost_nodes *l, inlay_node *n)
{
    struct lost_node *new = add(l, n, false);

    if (!new)
        return;
    if (l->last)
        l->last->next = new;
    else
        l->first = new;
    l->last = new;
}

/* Is nobody else a reader of N? */
static bool is_lost(const lost_nodes *l, const inlay_node *n)
{
    if (find(l, n))
        return false;
    for (int k = 0; k < n->n_out; k++) {
        for (const inlay_use *u = n->out[k].uses; u; u = u->next) {
            const struct lost_node *reader = find(l, u->node);

            if (!reader || reader->kept)
                return false;
        }
    }
    return true;
}

static void lose_operands(lost_nodes *l, const inlay_node *n)
{
    inlay_count_steps(n->graph, (uint64_t)n->n_in);
    for (int i = 0; i < n->n_in; i++) {
        inlay_node *from = n->in[i].value ? n->in[i].value->node : NULL;

        if (from && from->n_in > 0 && is_lost(l, from))
            lose(l, from);
    }
}

static void forget(lost_nodes *l)
{
    struct lost_node *at, *next;

    HASH_ITER(hh, l->all, at, next)
    {
        HASH_DEL(l->all, at);
        inlay_give(at);
    }
    l->first = l->last = NULL;
}

const inlay_node *query_lost(lost_nodes *l, inlay_node *root, lost_fn *is_harmless, const void *ctx)
{
    const inlay_node *error = NULL;

    lose(l, root);
    for (const struct lost_node *at = l->first; at && !error; at = at->next) {
        if (at->node != root && !is_harmless(at->node, ctx))
            error = at->node;
        else
            lose_operands(l, at->node);
    }
    forget(l);
    return error;
}
