/* Gather and StridedSlice. An index is an element as an integer. */
#include "passes/prove/rows.h"

#include <string.h>

/* For each index of a value: the function gives what holds of it. */
typedef const smt *about_index(prove_case *c, const smt *index, const smt *size);

static const smt *for_all_indices(prove_case *c, const prove_value *v, about_index *body,
                                  const smt *size)
{
    smt_pool *p = &c->pool;
    const smt *x[PROVE_RANK], *at[PROVE_RANK], *within = smt_bool(true), *element;
    int n = 0;

    for (int i = 0; i < v->rank; i++) {
        at[i] = smt_int(p, 0);
        if (v->dim[i]->op == SMT_INT && v->dim[i]->n == 1)
            continue;
        at[i] = x[n++] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), at[i], v->dim[i]));
    }
    element = prove_element(c, v, at);
    if (n > 0 && element->op != SMT_APPLY) {
        prove_unknown(c, "indices that are computed");
        return within;
    }
    return smt_all_of(p, n, x, smt_implies(p, within, body(c, prove_integer(c, element), size)),
                      element);
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

static const smt *is_not_negative(prove_case *c, const smt *index, const smt *size)
{
    (void)size;
    return smt_le(&c->pool, smt_int(&c->pool, 0), index);
}

const smt *prove_indices_not_negative(prove_case *c, const prove_value *v)
{
    return for_all_indices(c, v, is_not_negative, NULL);
}

/* Whether the rule means the versions that refuse an index out of range. */
static bool refuses(prove_case *c, const prove_node *n)
{
    const inlay_op *const *rows = n->from->rows;
    bool older = n->from->n_rows > 0 && rows[0]->first < 8;
    bool newer = n->from->n_rows > 0 &&
                 (rows[n->from->n_rows - 1]->last >= 8 || rows[n->from->n_rows - 1]->last == 0);

    if (n->right) { /* use the version that was matched, if there is one */
        for (int i = c->rule->left.n_nodes - 1; older && newer && i >= 0; i--) {
            if (c->left[i] && strcmp(c->left[i]->row->type, "Gather") == 0)
                return c->left[i]->form == 1;
        }
        return !newer;
    }
    return older && newer ? prove_choose(c, 2) == 1 : older;
}

/* The first axes of the indices may be a batch, which they share with the data; the result has them
 * once. Sizes and elements of such a result are left open. */
static void choose_batch(prove_case *c, prove_node *n)
{
    int most = n->in[1]->rank < n->axis ? n->in[1]->rank : n->axis;

    n->n_batch = prove_choose_batch(c, n, most + 1);
}

static void shape_gather(prove_case *c, prove_node *n)
{
    const smt *sizes[2 * PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), of_indices = prove_rank(c, n->in[1]), all;

    prove_need(c, rank > 0 && rank - 1 + of_indices <= PROVE_RANK);
    if (c->cut)
        return;
    n->axis = prove_axis_of(c, n->in[2], rank);
    choose_batch(c, n);
    n->form = refuses(c, n);
    if (c->cut)
        return;
    if (n->form == 1)
        prove_must(c, n,
                   for_all_indices(c, n->in[1], is_in_range_from_the_end, n->in[0]->dim[n->axis]));
    all = prove_sizes_replaced(n->in[0], n->axis, n->in[1], sizes) - n->n_batch;
    for (int i = 0; i < all && n->n_batch > 0; i++)
        sizes[i] = smt_constant(&c->pool, "size", "Int");
    prove_set_sizes(c, n, 0, all, sizes);
}

static const smt *element_of_gather(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *from[PROVE_RANK], *i, *size = n->in[0]->dim[n->axis], *inside;
    int more = n->in[1]->rank - 1;

    (void)out;
    if (n->n_batch > 0) {
        prove_unknown(c, "batches of a Gather are not encoded");
        return smt_bool(false);
    }
    for (int k = 0; k < n->in[0]->rank; k++) {
        if (k != n->axis)
            from[k] = at[k < n->axis ? k : k + more];
    }
    i = prove_index_at(c, n->in[1], at + n->axis);
    i = smt_ite(p, smt_lt(p, i, smt_int(p, 0)), smt_add(p, i, size), i);
    from[n->axis] = i;
    inside = smt_within(p, smt_int(p, 0), i, size);
    return n->form == 1 ? prove_element(c, n->in[0], from)
                        : smt_ite(p, inside, prove_element(c, n->in[0], from), prove_zero(c));
}

/* The values start at a known number and have known steps; how many there are is left open. */
static void shape_range(prove_case *c, prove_node *n)
{
    const smt *size = smt_constant(&c->pool, "size", "Int");

    prove_assume(c, smt_le(&c->pool, smt_int(&c->pool, 0), size));
    if (n->in[0]->n_ints != 1 || n->in[2]->n_ints != 1)
        prove_unknown(c, "a Range of numbers that the rule does not name");
    prove_set_sizes(c, n, 0, 1, &size);
}

static const smt *element_of_range(prove_case *c, const prove_node *n, int out,
                                   const smt *const *at)
{
    smt_pool *p = &c->pool;

    (void)out;
    return smt_apply1(p, prove_of_int,
                      smt_add(p, n->in[0]->ints[0], smt_mul(p, at[0], n->in[2]->ints[0])));
}

/* ---- StridedSlice ---- */

enum { NEW = -1, MAX_NEW = 2 };

/* Chooses which axes of the data are removed and where new ones come: n->axes, n->order. */
static int choose_axes(prove_case *c, prove_node *n, int rank)
{
    int lost = prove_choose(c, 1 << rank), all = prove_choose(c, MAX_NEW + 1), come, kept = 0;

    for (int i = 0; i < rank; i++) {
        n->axes[i] = (lost >> i & 1) != 0;
        all += !n->axes[i];
    }
    come = prove_choose(c, 1 << all);
    for (int i = 0; i < all && !c->cut; i++) {
        while (kept < rank && n->axes[kept])
            kept++;
        n->order[i] = come >> i & 1 ? NEW : kept++;
        prove_need(c, kept <= rank);
    }
    while (kept < rank && n->axes[kept])
        kept++;
    prove_need(c, kept == rank);
    return all;
}

/* The lists and masks together describe some window; an axis that an index names is removed, and
 * the index must be in range, so that the window takes one position there. */
static void shape_strided_slice(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK], *one = smt_int(&c->pool, 1);
    int rank = prove_rank(c, n->in[0]), all;

    prove_need(c, rank > 0);
    all = c->cut ? 0 : choose_axes(c, n, rank);
    if (c->cut)
        return;
    n->window = prove_new_window(c, rank, n->in[0]->dim);
    n->window->proper = smt_constant(&c->pool, "proper", "Bool");
    prove_must(c, n, n->window->proper);
    for (int i = 0; i < rank; i++) {
        if (n->axes[i])
            prove_must(c, n, smt_eq(&c->pool, n->window->axis[i].count, one));
    }
    for (int i = 0; i < all; i++)
        sizes[i] = n->order[i] == NEW ? one : n->window->axis[n->order[i]].count;
    prove_set_sizes(c, n, 0, all, sizes);
}

static const smt *element_of_strided_slice(prove_case *c, const prove_node *n, int out,
                                           const smt *const *at)
{
    const smt *from[PROVE_RANK];

    for (int i = 0; i < n->window->rank; i++)
        from[i] = prove_at(c, n->window, i, smt_int(&c->pool, 0));
    for (int i = 0; i < n->out[out].rank; i++) {
        if (n->order[i] != NEW)
            from[n->order[i]] = prove_at(c, n->window, n->order[i], at[i]);
    }
    return prove_element(c, n->in[0], from);
}

const prove_row prove_index_rows[] = {
    {"Range", shape_range, element_of_range, NULL, PROVE_ALONG_AXES, " output_type "},
    {"Gather", shape_gather, element_of_gather, NULL, PROVE_ALONG_AXES | PROVE_BY_INDICES,
     " batch_dims "},
    {"StridedSlice", shape_strided_slice, element_of_strided_slice, NULL, PROVE_ALONG_AXES,
     " begin_mask end_mask new_axis_mask shrink_axis_mask ellipsis_mask "},
    {0},
};
