/* Rows named by a list, which strides cannot describe. Nodes that have functions for single rows
 * read and write them in place, if these nodes are consecutive and no other node reads their
 * outputs.
 *
 *     %x = Gather(%d, %i)                 only Sigmoid and Multiply read it
 *     %w = MatMul(%a, %b)                 comes before Gather and Sigmoid, by order edges: the
 *                                         sizes of w may be known only in a later segment
 *     %s = Sigmoid(%x)
 *     %y = Multiply(%s, %w)
 *     %r = ScatterUpdate(%d, %i, %y)
 */
#include "passes/inplace/rows.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/chain.h"

enum { MAX_SEARCH = 256 }; /* nodes that are visited */

/* Is there a function that converts a row from type FROM to type TO? */
static bool is_cast(inlay_type from, inlay_type to)
{
    static const inlay_type casts[][2] = {
#define CAST(from, FROM, to, TO) {INLAY_##FROM, INLAY_##TO},
        INLAY_CASTS(CAST)
#undef CAST
    };
    bool is = false;

    for (size_t i = 0; i < sizeof casts / sizeof *casts && !is; i++)
        is = casts[i][0] == from && casts[i][1] == to;
    return is;
}

/* Has the kernel of N a function for rows of TYPE, according to its flags? */
static bool takes_type(const inlay_node *n, inlay_type type)
{
    const unsigned forms = 1u << INLAY_F32 | 1u << INLAY_F64 | 1u << INLAY_I32 | 1u << INLAY_I64 |
                           1u << INLAY_U8 | 1u << INLAY_BOOLEAN;

    return n->op->flags & INLAY_FORMS ? forms >> type & 1 : type == INLAY_F32 || type == INLAY_F64;
}

bool inplace_has_row_function(const inlay_node *n)
{
    inlay_type to = n->n_out == 1 ? n->out[0].fact.type : INLAY_DYNAMIC;
    bool has = inplace_is_pointwise(n) && (n->op->flags & (INLAY_BLOCKS | INLAY_FORMS));

    if (inplace_is_pointwise(n) && (n->op->flags & INLAY_CONVERTS))
        return is_cast(n->in[0].value->fact.type, to);
    for (int i = 0; has && i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;

        has = v && takes_type(n, v->fact.type) &&
              ((n->op->flags & INLAY_FORMS) || v->fact.type == to);
    }
    return has;
}

bool inplace_feeds_only(inplace_pass *p, const inlay_value *v, const inlay_node *scatter,
                        const inlay_node **other)
{
    const inlay_value *stack[MAX_SEARCH];
    int depth = 0, budget = MAX_SEARCH, updates = inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES);

    *other = NULL;
    stack[depth++] = v;
    while (depth > 0 && !*other) {
        const inlay_value *top = stack[--depth];

        for (const inlay_use *u = top->uses; u && !*other; u = u->next) {
            p->s.steps++;
            if (!inplace_runs(&p->s.order, u->node) || (u->node == scatter && u->index == updates))
                continue;
            if (!inplace_has_row_function(u->node) || !inplace_same_extent(&u->node->out[0], v) ||
                budget-- == 0 || depth == MAX_SEARCH)
                *other = u->node;
            else
                stack[depth++] = &u->node->out[0];
        }
    }
    return !*other;
}

/* The nodes that compute the updates of a scatter row by row, and other nodes whose outputs they
 * read. */
typedef struct row_nodes {
    inlay_node *inside[MAX_SEARCH], *outside[MAX_SEARCH];
    int n_inside, n_outside;
} row_nodes;

static bool is_among(inlay_node *const *list, int n, const inlay_node *node)
{
    bool found = false;

    for (int i = 0; i < n && !found; i++)
        found = list[i] == node;
    return found;
}

/* Lists the nodes that compute the rows of SCATTER. False: they are too many. */
static bool list_row_nodes(inplace_pass *p, const inlay_node *scatter, row_nodes *r)
{
    const inlay_value *updates = query_scatter_updates(scatter);
    const inlay_node *other;

    *r = (row_nodes){.inside = {updates->node}, .n_inside = 1};
    for (int i = 0; i < scatter->n_in; i++) {
        inlay_value *v = scatter->in[i].value;

        if (v && v != updates && !inlay_node_is(v->node, INLAY_OP_CONST))
            r->outside[r->n_outside++] = v->node;
    }
    for (int i = 0; i < r->n_inside; i++) {
        for (int k = 0; k < r->inside[i]->n_in; k++) {
            inlay_value *v = r->inside[i]->in[k].value;
            bool in = inplace_has_row_function(v->node) && inplace_same_extent(v, updates) &&
                      inplace_feeds_only(p, v, scatter, &other);

            if (inlay_node_is(v->node, INLAY_OP_CONST) ||
                is_among(in ? r->inside : r->outside, in ? r->n_inside : r->n_outside, v->node))
                continue;
            if (r->n_inside == MAX_SEARCH || r->n_outside == MAX_SEARCH)
                return false;
            *(in ? &r->inside[r->n_inside++] : &r->outside[r->n_outside++]) = v->node;
        }
    }
    return true;
}

/* Does NODE read nothing that one of these nodes makes? */
static bool is_first(const row_nodes *r, const inlay_node *node)
{
    bool first = true;

    for (int k = 0; k < node->n_in && first; k++)
        first = !is_among(r->inside, r->n_inside, node->in[k].value->node);
    return first;
}

/* Does N select the rows that SCATTER writes? */
static bool picks_rows(const inlay_node *n, const inlay_node *scatter)
{
    return inlay_node_lists_rows(n) && !query_is_scatter(n) && inlay_node_windows_same(n, scatter);
}

/* Orders all other nodes whose outputs the rows need before NODE, except nodes that select the same
 * rows. */
static bool come_before(inplace_pass *p, const inlay_node *scatter, const row_nodes *r,
                        inlay_node *node, const inlay_node **late, inlay_in_place *what)
{
    bool picks = picks_rows(node, scatter), ok = true;

    for (int k = 0; k < r->n_outside && ok && !*late; k++) {
        if (!picks || !picks_rows(r->outside[k], scatter))
            ok = inplace_comes_first(p, r->outside[k], node, late, what);
    }
    return ok;
}

bool inplace_rows_together(inplace_pass *p, const inlay_node *scatter, const inlay_node **late,
                           inlay_in_place *what)
{
    row_nodes r;
    bool ok = true;

    *late = list_row_nodes(p, scatter, &r) ? NULL : scatter;
    for (int i = 0; i < r.n_inside && ok && !*late; i++) {
        if (is_first(&r, r.inside[i]))
            ok = come_before(p, scatter, &r, r.inside[i], late, what);
    }
    for (int i = 0; i < r.n_outside && ok && !*late; i++) {
        if (picks_rows(r.outside[i], scatter))
            ok = come_before(p, scatter, &r, r.outside[i], late, what);
    }
    return ok;
}

/* Some reasons why the executor cannot compute the rows together are known only when all notes and
 * the order are decided: see interp/exec/build/fuse.c and listed.c. */

/* Does N compute nothing in a run, so that it may come in between? */
static bool does_nothing(const inlay_node *n)
{
    bool views = n->n_out > 0 && !inlay_node_lists_rows(n);

    for (int k = 0; k < n->n_out && views; k++)
        views = n->out[k].note == INLAY_VIEW_OF;
    return views || inlay_node_is(n, INLAY_OP_CONST) || inlay_node_is(n, INLAY_OP_PARAMETER) ||
           inlay_node_is(n, INLAY_OP_RESULT);
}

/* Is it certain that N is not fused with the nodes after it? */
static bool stands_alone(const inlay_node *n)
{
    return n->op->flags & (INLAY_ROWS | INLAY_SCATTER | INLAY_HAS_BODY);
}

/* Does N read or write ROOT's buffer? */
static bool touches(inplace_pass *p, const inlay_node *n, const inlay_value *root)
{
    bool touches = false;

    for (int k = 0; k < n->n_in && !touches; k++)
        touches = n->in[k].value && inplace_storage_root(&p->s, n->in[k].value) == root;
    for (int k = 0; k < n->n_out && !touches; k++)
        touches = inplace_storage_root(&p->s, &n->out[k]) == root;
    return touches;
}

/* Refuses D if a node comes between those that compute the rows of SCATTER, or if a node that may
 * be fused with them uses the data. */
static void check_neighbours(inplace_pass *p, const inlay_node *scatter, const row_nodes *r,
                             inlay_decision *d)
{
    inlay_node *const *nodes = p->s.order.list.nodes;
    const inlay_value *root = inplace_storage_root(&p->s, query_scatter_data(scatter));
    size_t i = inplace_moment(&p->s.order, scatter) - 1;

    for (int left = r->n_inside; left > 0 && i > 0 && !d->condition;) {
        const inlay_node *n = nodes[--i];

        if (is_among(r->inside, r->n_inside, n))
            left--;
        else if (!does_nothing(n))
            inplace_refuse(d, INLAY_N2_CHECKS_FIRST, n);
    }
    while (!d->condition && i > 0 && !stands_alone(nodes[i - 1])) {
        const inlay_node *n = nodes[--i];

        if (!does_nothing(n) && touches(p, n, root))
            inplace_refuse(d, INLAY_I3_OPERANDS_IN_STEP, n);
    }
}

/* Returns the last axis of F that may have more than one element, or the first one. */
static int last_real_axis(const inlay_fact *f)
{
    int last = f->rank - 1;

    while (last > 0 && inlay_dim_is_static(f->dims[last]) && f->dims[last].lo == 1)
        last--;
    return last;
}

/* V is an operand of a node whose output is as large as UPDATES. Does it have one element for each
 * row, or one for all? */
static bool is_number(const inlay_value *v, const inlay_value *updates)
{
    int axis = last_real_axis(&updates->fact) + v->fact.rank - updates->fact.rank;

    return axis < 0 || (inlay_dim_is_static(v->fact.dims[axis]) && v->fact.dims[axis].lo == 1 &&
                        !inlay_fact_same_shape(&v->fact, &updates->fact));
}

/* Are the elements of V, whose region is R, contiguous along its last axis? */
static bool has_dense_rows(const inlay_value *v, const inlay_region *r)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int axis = last_real_axis(&v->fact);

    return inlay_region_is_dense(r) ||
           (axis >= 0 && inlay_region_axes(r, dims, strides) && strides[axis] == 1);
}

/* Does an index that only the run knows say where R is? */
static bool is_picked(const inlay_region *r)
{
    while (r && !r->slice)
        r = r->frame->shows;
    return r != NULL;
}

/* Is V the rows of SCATTER's list, which are read in place? */
static bool is_listed(const inlay_value *v, const inlay_node *scatter)
{
    return v->note == INLAY_VIEW_OF && picks_rows(v->node, scatter);
}

/* Refuses D if N, one of the nodes that compute the rows of SCATTER, reads other positions of the
 * data, or operands that functions for single rows do not accept. */
static bool check_operands(inplace_pass *p, const inlay_node *scatter, const row_nodes *r,
                           const inlay_node *n, inlay_decision *d)
{
    const inlay_value *updates = query_scatter_updates(scatter);
    const inlay_value *root = inplace_storage_root(&p->s, query_scatter_data(scatter));
    int numbers = 0;

    for (int k = 0; k < n->n_in && !d->condition; k++) {
        const inlay_value *v = n->in[k].value;
        const inplace_member *m = inplace_member_of(&p->s.aliases, v);

        if (!m)
            return false;
        if (is_among(r->inside, r->n_inside, v->node) || is_listed(v, scatter))
            continue;
        if (inplace_storage_root(&p->s, v) == root)
            inplace_refuse(d, INLAY_I3_OPERANDS_IN_STEP, n);
        else if (is_number(v, updates) ? numbers++ > 0 : !has_dense_rows(v, m->where))
            inplace_refuse(d, INLAY_V2_STRIDED_READERS, n);
    }
    return true;
}

/* Are all operands of N but the first known? */
static bool knows_shape(const inlay_node *n)
{
    bool known = true;

    for (int i = 1; known && i < n->n_in; i++) {
        const inlay_value *v = inlay_node_input(n, i);

        known = !v || v->fact.known;
        for (int k = 0; v && known && k < v->fact.n_known; k++)
            known = inlay_dim_is_static(v->fact.known[k]);
    }
    return known;
}

/* The node that makes a view of V, or of the value that V overwrites, whose shape only the run
 * knows; or NULL. */
static const inlay_node *found_in_run(const inlay_value *v)
{
    const inlay_node *by = NULL;

    for (; !by && (v->note == INLAY_VIEW_OF || v->note == INLAY_OVERWRITES); v = v->note_target)
        by = (v->node->op->flags & INLAY_RESHAPES) && !knows_shape(v->node) ? v->node : NULL;
    return by;
}

bool inplace_check_rows(inplace_pass *p, const inlay_node *scatter, inlay_decision *d)
{
    const inlay_value *data = query_scatter_data(scatter);
    const inplace_member *m = inplace_member_of(&p->s.aliases, data);
    row_nodes r;
    bool ok = m != NULL;

    if (ok && (!inlay_region_is_dense(m->where) || is_picked(m->where)))
        inplace_refuse(d, INLAY_V2_STRIDED_READERS, data->node);
    else if (ok && found_in_run(data))
        inplace_refuse(d, INLAY_N2_CHECKS_FIRST, found_in_run(data));
    else if (ok && !list_row_nodes(p, scatter, &r))
        inplace_refuse(d, INLAY_I2_POINTWISE, scatter);
    else if (ok)
        check_neighbours(p, scatter, &r, d);
    for (int i = 0; ok && !d->condition && i < r.n_inside; i++)
        ok = check_operands(p, scatter, &r, r.inside[i], d);
    return ok;
}
