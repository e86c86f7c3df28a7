/* Gathers and scatters. An index is the integer that an element is. */
#include "passes/prove/rows.h"

#include <string.h>

/* The integer that element AT of V is. */
static const smt *index_at(prove_case *c, const prove_value *v, const smt *const *at)
{
    return prove_integer(c, prove_element(c, v, at));
}

/* For every index of V: BODY of it. */
typedef const smt *about_index(prove_case *c, const smt *index, const smt *size);

static const smt *for_all_indices(prove_case *c, const prove_value *v, about_index *body,
                                  const smt *size)
{
    smt_pool *p = &c->pool;
    const smt *x[PROVE_RANK], *within = smt_bool(true), *element;

    for (int i = 0; i < v->rank; i++) {
        x[i] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), x[i], v->dim[i]));
    }
    element = prove_element(c, v, x);
    if (v->rank > 0 && element->op != SMT_APPLY) {
        prove_unknown(c, "indices that are computed");
        return within;
    }
    return smt_all_of(p, v->rank, x,
                      smt_implies(p, within, body(c, prove_integer(c, element), size)), element);
}

static const smt *is_in_range(prove_case *c, const smt *index, const smt *size)
{
    return smt_within(&c->pool, smt_int(&c->pool, 0), index, size);
}

static const smt *is_in_range_from_the_end(prove_case *c, const smt *index, const smt *size)
{
    return smt_within(&c->pool, smt_sub(&c->pool, smt_int(&c->pool, 0), size), index, size);
}

const smt *prove_indices_in_range(prove_case *c, const prove_value *v, const smt *size)
{
    return for_all_indices(c, v, is_in_range, size);
}

/* Whether the rule means the versions that refuse an index out of range. */
static bool refuses(prove_case *c, const prove_node *n)
{
    const inlay_op *const *rows = n->from->rows;
    bool older = n->from->n_rows > 0 && rows[0]->first < 8;
    bool newer = n->from->n_rows > 0 &&
                 (rows[n->from->n_rows - 1]->last >= 8 || rows[n->from->n_rows - 1]->last == 0);

    if (n->right) { /* the version that was matched, where there is one */
        for (int i = 0; older && newer && i < c->rule->left.n_nodes; i++) {
            if (c->left[i] && strcmp(c->left[i]->row->type, "Gather") == 0)
                return c->left[i]->form == 1;
        }
        return !newer;
    }
    return older && newer ? prove_choose(c, 2) == 1 : older;
}

/* The sizes of DATA with those of INDICES in the place of the axis. */
static int replaced(const prove_value *data, int axis, const prove_value *indices,
                    const smt **sizes)
{
    int n = 0;

    for (int i = 0; i < data->rank; i++) {
        if (i != axis)
            sizes[n++] = data->dim[i];
        for (int k = 0; i == axis && k < indices->rank; k++)
            sizes[n++] = indices->dim[k];
    }
    return n;
}

static void shape_gather(prove_case *c, prove_node *n)
{
    const smt *sizes[2 * PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), of_indices = prove_rank(c, n->in[1]);

    prove_need(c, rank > 0 && rank - 1 + of_indices <= PROVE_RANK);
    if (c->cut)
        return;
    if (n->from->any_attrs)
        n->axes[0] = true; /* with batch_dims or without */
    n->axis = prove_axis_of(c, n->in[2], rank);
    n->form = refuses(c, n);
    if (c->cut)
        return;
    if (n->form == 1)
        prove_must(c, n,
                   for_all_indices(c, n->in[1], is_in_range_from_the_end, n->in[0]->dim[n->axis]));
    prove_set_sizes(c, n, 0, replaced(n->in[0], n->axis, n->in[1], sizes), sizes);
}

static const smt *element_of_gather(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *from[PROVE_RANK], *i, *size = n->in[0]->dim[n->axis], *inside;
    int more = n->in[1]->rank - 1;

    (void)out;
    if (n->axes[0] && !n->right && n->in[1]->rank > 0) {
        prove_unknown(c, "batches of a Gather are not encoded");
        return smt_bool(false);
    }
    for (int k = 0; k < n->in[0]->rank; k++) {
        if (k != n->axis)
            from[k] = at[k < n->axis ? k : k + more];
    }
    i = index_at(c, n->in[1], at + n->axis);
    i = smt_ite(p, smt_lt(p, i, smt_int(p, 0)), smt_add(p, i, size), i);
    from[n->axis] = i;
    inside = smt_within(p, smt_int(p, 0), i, size);
    return n->form == 1 ? prove_element(c, n->in[0], from)
                        : smt_ite(p, inside, prove_element(c, n->in[0], from), prove_zero(c));
}

/* ---- ScatterUpdate: of updates of one place the last one stays ---- */

/* Which updates the indices I write: hit(p), and the last of those at p. */
static void state_hits(prove_case *c, prove_value *indices)
{
    smt_pool *p = &c->pool;
    const smt *x = smt_variable(p), *k[PROVE_RANK], *y[PROVE_RANK], *hit, *there = smt_bool(true);
    const smt *within = there, *element;

    indices->hit = smt_function(p, "hit", 1, false, "Bool");
    hit = smt_apply1(p, indices->hit, x);
    for (int i = 0; i < indices->rank; i++) {
        indices->last[i] = smt_function(p, "last", 1, false, "Int");
        k[i] = smt_apply1(p, indices->last[i], x);
        y[i] = smt_variable(p);
        there = smt_and(p, there, smt_within(p, smt_int(p, 0), k[i], indices->dim[i]));
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), y[i], indices->dim[i]));
    }
    there = smt_and(p, there, smt_eq(p, index_at(c, indices, k), x));
    prove_assume(c, smt_all(p, x, smt_implies(p, hit, there), hit));
    element = prove_element(c, indices, y);
    if (indices->rank > 0 && element->op != SMT_APPLY) {
        prove_unknown(c, "indices that are computed");
        return;
    }
    hit = smt_apply1(p, indices->hit, prove_integer(c, element));
    prove_assume(c, smt_all_of(p, indices->rank, y, smt_implies(p, within, hit), element));
}

static void shape_scatter_update(prove_case *c, prove_node *n)
{
    const smt *sizes[2 * PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), of_indices = prove_rank(c, n->in[1]), all;

    prove_need(c, rank > 0 && rank - 1 + of_indices <= PROVE_RANK);
    if (c->cut)
        return;
    n->axis = prove_axis_of(c, n->in[3], rank);
    all = replaced(n->in[0], n->axis, n->in[1], sizes);
    prove_be_of_rank(c, n->in[2], all);
    for (int i = 0; i < all && !c->cut; i++)
        prove_must(c, n, smt_eq(&c->pool, n->in[2]->dim[i], sizes[i]));
    if (c->cut)
        return;
    prove_must(c, n, prove_indices_in_range(c, n->in[1], n->in[0]->dim[n->axis]));
    if (!n->in[1]->hit)
        state_hits(c, n->in[1]);
    prove_set_sizes(c, n, 0, rank, n->in[0]->dim);
}

static const smt *element_of_scatter_update(prove_case *c, const prove_node *n, int out,
                                            const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *from[2 * PROVE_RANK];
    int k = 0;

    (void)out;
    for (int i = 0; i < n->in[0]->rank; i++) {
        if (i != n->axis)
            from[k++] = at[i];
        for (int j = 0; i == n->axis && j < n->in[1]->rank; j++)
            from[k++] = smt_apply1(p, n->in[1]->last[j], at[n->axis]);
    }
    return smt_ite(p, smt_apply1(p, n->in[1]->hit, at[n->axis]), prove_element(c, n->in[2], from),
                   prove_element(c, n->in[0], at));
}

static const char tuples[] = "tuples of indices are not encoded",
                  places[] = "indices of single elements are not encoded",
                  strides[] = "the masks of StridedSlice are not encoded";

const prove_row prove_index_rows[] = {
    {"Gather", shape_gather, element_of_gather, NULL, false},
    {"ScatterUpdate", shape_scatter_update, element_of_scatter_update, NULL, false},
    {"GatherND", NULL, NULL, tuples, false},
    {"ScatterNDUpdate", NULL, NULL, tuples, false},
    {"GatherElements", NULL, NULL, places, false},
    {"ScatterElementsUpdate", NULL, NULL, places, false},
    {"StridedSlice", NULL, NULL, strides, false},
    {0},
};
