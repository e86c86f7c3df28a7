/* Scatters, and the gathers that are their reverse: the element at a place that indices name. */
#include "passes/prove/rows.h"

#include <string.h>

int prove_sizes_replaced(const prove_value *data, int axis, const prove_value *indices,
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

/* ---- scatters ---- */

/* The newest row that the rule may mean by N is of opset VERSION or newer; *OLDER: the oldest is
 * older. */
static bool means_since(const prove_node *n, int version, bool *older)
{
    const inlay_op *const *rows = n->from->rows;
    const inlay_op *last = rows[n->from->n_rows - 1];

    *older = rows[0]->first < version;
    return last->last >= version || last->last == 0;
}

/* Which version N is, if there are two. A node of the right side has the version of the last node
 * of the left side with its type: build.c, row_of. */
static bool is_older(prove_case *c, const prove_node *n, int version)
{
    bool older, newer = means_since(n, version, &older);

    for (int i = c->rule->left.n_nodes - 1; n->right && older && newer && i >= 0; i--) {
        if (c->left[i] && c->left[i]->row == n->row)
            return c->left[i]->form == 1;
    }
    return older && (!newer || prove_choose(c, 2) == 1);
}

static void fit(prove_case *c, prove_node *n, const smt *t)
{
    n->fits = smt_and(&c->pool, n->fits, t);
    prove_must(c, n, t);
}

/* The updates have these sizes. */
static void fit_updates(prove_case *c, prove_node *n, int rank, const smt *const *sizes)
{
    n->fits = smt_bool(true);
    prove_be_of_rank(c, n->in[2], rank);
    for (int i = 0; i < rank && !c->cut; i++)
        fit(c, n, smt_eq(&c->pool, n->in[2]->dim[i], sizes[i]));
}

static void finish_scatter(prove_case *c, prove_node *n, prove_places asked, bool from_end)
{
    if (!prove_goes_on(c))
        return;
    n->places = prove_places_of(c, n->in[1], asked);
    if (!prove_goes_on(c))
        return;
    prove_must(c, n, prove_points_inside(c, n->places, from_end));
    prove_set_sizes(c, n, 0, n->in[0]->rank, n->in[0]->dim);
}

static void shape_scatter_update(prove_case *c, prove_node *n)
{
    const smt *sizes[2 * PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), of_indices = prove_rank(c, n->in[1]);
    prove_places asked = {.kind = PROVE_SINGLE, .n = 1};

    prove_need(c, rank - 1 + of_indices <= PROVE_RANK);
    n->axis = c->cut ? 0 : prove_axis_of(c, n->in[3], rank);
    if (c->cut)
        return;
    fit_updates(c, n, prove_sizes_replaced(n->in[0], n->axis, n->in[1], sizes), sizes);
    asked.size[0] = n->in[0]->dim[n->axis];
    finish_scatter(c, n, asked, false);
}

static const smt *element_of_scatter_update(prove_case *c, const prove_node *n, int out,
                                            const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *from[2 * PROVE_RANK], *last[PROVE_RANK + 1], *place = at[n->axis];
    int k = 0;

    (void)out;
    prove_last_at(c, n->places, &place, last);
    for (int i = 0; i < n->in[0]->rank; i++) {
        if (i != n->axis)
            from[k++] = at[i];
        for (int j = 0; i == n->axis && j < n->in[1]->rank; j++)
            from[k++] = last[j];
    }
    return smt_ite(p, smt_apply1(p, n->places->hit, place), prove_element(c, n->in[2], from),
                   prove_element(c, n->in[0], at));
}

/* The last update of the place, or the result of a reduction there. */
static const smt *element_of_places(prove_case *c, const prove_node *n, const smt *const *from,
                                    const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *there = n->reduction ? prove_reduced(c, n, at) : prove_element(c, n->in[2], from);

    return smt_ite(p, smt_apply(p, n->places->hit, n->places->n, at), there,
                   prove_element(c, n->in[0], at));
}

/* ---- tuples ---- */

/* The number of components of the tuples of V, for data of RANK axes. */
static int components_of(prove_case *c, prove_value *v, int rank)
{
    int of_indices = prove_rank(c, v);
    const smt *size = of_indices > 0 ? v->dim[of_indices - 1] : NULL;

    prove_need(c, of_indices > 0 && rank > 0);
    if (c->cut)
        return 0;
    if (v->components == 0)
        v->components = 1 + (size->op == SMT_INT ? (int)size->n : prove_choose(c, rank + 1));
    prove_assume(c, smt_eq(&c->pool, size, smt_int(&c->pool, v->components - 1)));
    prove_need(c, v->components > 0 && v->components - 1 <= rank);
    return v->components - 1;
}

static prove_places ask_for_tuples(const prove_value *data, int components)
{
    prove_places asked = {.kind = PROVE_TUPLES, .n = components};

    memcpy(asked.size, data->dim, (size_t)components * sizeof *asked.size);
    return asked;
}

/* The sizes of the indices without the last, then those of the data's axes that tuples do not name.
 */
static int sizes_of_tuples(prove_case *c, const prove_node *n, int components, const smt **sizes)
{
    int k = 0;

    prove_need(c, n->in[1]->rank - 1 + n->in[0]->rank - components <= PROVE_RANK);
    for (int i = 0; i + 1 < n->in[1]->rank && !c->cut; i++)
        sizes[k++] = n->in[1]->dim[i];
    for (int i = components; i < n->in[0]->rank && !c->cut; i++)
        sizes[k++] = n->in[0]->dim[i];
    return k;
}

/* If there is one tuple, and it names all axes, the update has one element, in any shape. */
static void fit_one_update(prove_case *c, prove_node *n)
{
    int rank = prove_rank(c, n->in[2]);

    n->fits = smt_bool(rank == 0);
    for (int i = 0; i < rank; i++)
        prove_must(c, n, smt_eq(&c->pool, n->in[2]->dim[i], smt_int(&c->pool, 1)));
}

/* An empty tuple also names a place, all of the data; without a reduction there is just one tuple.
 */
static void fit_empty_tuples(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *none = smt_bool(false), *one = smt_bool(true);

    for (int i = 0; i + 1 < n->in[1]->rank; i++) {
        none = smt_or(p, none, smt_eq(p, n->in[1]->dim[i], smt_int(p, 0)));
        one = smt_and(p, one, smt_le(p, n->in[1]->dim[i], smt_int(p, 1)));
    }
    if (!n->reduction)
        prove_must(c, n, smt_or(p, none, one));
}

static void shape_scatter_tuples(prove_case *c, prove_node *n, bool from_end)
{
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), k = components_of(c, n->in[1], rank), wanted;
    prove_places asked;

    if (c->cut)
        return;
    asked = ask_for_tuples(n->in[0], k);
    asked.raw = !from_end;
    wanted = sizes_of_tuples(c, n, k, sizes);
    if (wanted == 0 && from_end)
        fit_one_update(c, n);
    else
        fit_updates(c, n, wanted, sizes);
    if (k == 0)
        fit_empty_tuples(c, n);
    finish_scatter(c, n, asked, from_end);
}

static void shape_scatter_nd(prove_case *c, prove_node *n)
{
    n->form = is_older(c, n, 15);
    prove_choose_reduction(c, n, "reduction");
    shape_scatter_tuples(c, n, true);
}

/* An invalid index may also be ignored, which is no error. */
static void shape_scatter_of_tensorflow(prove_case *c, prove_node *n)
{
    const smt *valid = n->valid;

    shape_scatter_tuples(c, n, false);
    if (prove_goes_on(c) && !prove_attr(n, "bad_indices") && prove_choose(c, 2) == 1)
        n->valid = smt_and(&c->pool, valid, n->fits);
}

static const smt *element_of_scatter_tuples(prove_case *c, const prove_node *n, int out,
                                            const smt *const *at)
{
    const smt *from[2 * PROVE_RANK];
    int k = n->in[1]->rank - 1;

    (void)out;
    prove_last_at(c, n->places, at, from);
    for (int i = n->places->n; i < n->in[0]->rank; i++)
        from[k++] = at[i];
    for (; k < n->in[2]->rank; k++)
        from[k] = smt_int(&c->pool, 0);
    return element_of_places(c, n, from, at);
}

/* With a batch of up to MOST axes, the result has as many axes less, of which the older version
 * makes one; sizes and elements are left open. */
static int batch_of(prove_case *c, prove_node *n, int most)
{
    return prove_choose_batch(c, n, 2 * most);
}

static void shape_gather_nd(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), k = components_of(c, n->in[1], rank), all;

    if (c->cut)
        return;
    n->n_batch = batch_of(c, n, rank - k < n->in[1]->rank - 1 ? rank - k : n->in[1]->rank - 1);
    all = sizes_of_tuples(c, n, k, sizes) - n->n_batch;
    for (int i = 0; i < all && n->n_batch > 0; i++)
        sizes[i] = smt_constant(&c->pool, "size", "Int");
    n->places = prove_places_of(c, n->in[1], ask_for_tuples(n->in[0], k));
    if (!prove_goes_on(c))
        return;
    prove_must(c, n, prove_points_inside(c, n->places, true));
    prove_set_sizes(c, n, 0, all, sizes);
}

static const smt *element_of_gather_nd(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    const smt *from[PROVE_RANK];
    int k = n->in[1]->rank - 1;

    (void)out;
    if (n->n_batch > 0)
        prove_unknown(c, "batches of tuples are not encoded");
    prove_place_of(c, n->places, at, from);
    for (int i = n->places->n; i < n->in[0]->rank; i++)
        from[i] = at[k++];
    return prove_element(c, n->in[0], from);
}

/* ---- single elements ---- */

static prove_places ask_for_elements(const prove_value *data, int axis)
{
    prove_places asked = {.kind = PROVE_ELEMENTS, .n = data->rank, .axis = axis};

    memcpy(asked.size, data->dim, (size_t)data->rank * sizeof *asked.size);
    return asked;
}

static void shape_scatter_along(prove_case *c, prove_node *n, int axis, bool from_end)
{
    smt_pool *p = &c->pool;
    const prove_value *data = n->in[0], *indices = n->in[1];

    n->axis = axis;
    prove_be_of_rank(c, n->in[1], data->rank);
    if (c->cut)
        return;
    fit_updates(c, n, indices->rank, indices->dim);
    for (int i = 0; i < data->rank && !c->cut; i++) {
        if (i != axis || n->form == 1)
            fit(c, n, smt_le(p, indices->dim[i], data->dim[i]));
    }
    finish_scatter(c, n, ask_for_elements(data, axis), from_end);
}

static void shape_scatter_elements(prove_case *c, prove_node *n)
{
    int rank = prove_rank(c, n->in[0]);

    prove_need(c, rank > 0);
    if (c->cut)
        return;
    n->form = is_older(c, n, 12);
    prove_choose_reduction(c, n, "reduction");
    shape_scatter_along(c, n, prove_axis_of(c, n->in[3], rank), true);
}

/* The updates are one number, repeated for each index. */
static void repeat_number(prove_case *c, prove_node *n)
{
    prove_value *number = prove_free_value(c), *all = prove_free_value(c);
    prove_node *repeated = prove_alloc(c, sizeof *repeated);

    prove_be_of_rank(c, number, 0);
    *repeated =
        (prove_node){.row = prove_row_in(prove_view_rows, "Broadcast"), .n_in = 1, .in = {number}};
    repeated->valid = smt_bool(true);
    all->node = repeated;
    all->rank = n->in[1]->rank;
    memcpy(all->dim, n->in[1]->dim, sizeof all->dim);
    n->in[2] = all;
}

/* MindSpore's scatter. If updates are larger than the indices only their corner counts; if there
 * are no indices, nothing is checked. */
static void shape_scatter_of_mindspore(prove_case *c, prove_node *n)
{
    const smt *none = smt_bool(false);
    int rank = prove_rank(c, n->in[0]);

    prove_be_of_rank(c, n->in[1], rank);
    if (c->cut)
        return;
    if (n->n_in < 3 || !n->in[2])
        repeat_number(c, n);
    prove_choose_reduction(c, n, "reduce");
    n->axis = prove_axis_attr(c, n, "dim", rank);
    prove_be_of_rank(c, n->in[2], rank);
    n->fits = smt_bool(true);
    for (int i = 0; i < rank && !c->cut; i++) {
        fit(c, n, smt_le(&c->pool, n->in[1]->dim[i], n->in[2]->dim[i]));
        fit(c, n, smt_le(&c->pool, n->in[1]->dim[i], n->in[0]->dim[i]));
        none = smt_or(&c->pool, none, smt_eq(&c->pool, n->in[1]->dim[i], smt_int(&c->pool, 0)));
    }
    finish_scatter(c, n, ask_for_elements(n->in[0], n->axis), true);
    n->valid = smt_or(&c->pool, none, n->valid);
}

static const smt *element_of_scatter_elements(prove_case *c, const prove_node *n, int out,
                                              const smt *const *at)
{
    const smt *from[PROVE_RANK + 1];

    (void)out;
    prove_last_at(c, n->places, at, from);
    return element_of_places(c, n, from, at);
}

static void shape_gather_elements(prove_case *c, prove_node *n)
{
    int rank = prove_rank(c, n->in[0]);
    const prove_value *indices = n->in[1];

    prove_be_of_rank(c, n->in[1], rank);
    prove_need(c, rank > 0);
    if (c->cut)
        return;
    n->axis = prove_axis_attr(c, n, "axis", rank);
    for (int i = 0; i < rank && !c->cut; i++) {
        if (i != n->axis)
            prove_must(c, n, smt_eq(&c->pool, indices->dim[i], n->in[0]->dim[i]));
    }
    n->places = prove_places_of(c, n->in[1], ask_for_elements(n->in[0], n->axis));
    if (!prove_goes_on(c))
        return;
    prove_must(c, n, prove_points_inside(c, n->places, true));
    prove_set_sizes(c, n, 0, rank, indices->dim);
}

static const smt *element_of_gather_elements(prove_case *c, const prove_node *n, int out,
                                             const smt *const *at)
{
    const smt *from[PROVE_RANK];

    (void)out;
    prove_place_of(c, n->places, at, from);
    return prove_element(c, n->in[0], from);
}

/* ---- ONNX: a place for each batch ---- */

/* The position along the axis at which the update of AT's batch begins. */
static const smt *place_of_batch(prove_case *c, const prove_node *n, const smt *const *at)
{
    return n->in[2] ? prove_index_at(c, n->in[2], at) : smt_int(&c->pool, 0);
}

enum { LINEAR, CIRCULAR };

/* All updates lie inside; those of a circular one begin inside, and go on at the first place. */
static const smt *batches_fit(prove_case *c, const prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *b = smt_variable(p), *first = place_of_batch(c, n, &b), *zero = smt_int(p, 0);
    const smt *length = n->in[1]->dim[n->axis], *size = n->in[0]->dim[n->axis], *inside;

    inside = n->form == CIRCULAR ? smt_or(p, smt_eq(p, length, zero), smt_lt(p, first, size))
                                 : smt_le(p, smt_add(p, first, length), size);
    inside = smt_and(p, smt_le(p, zero, first), inside);

    if (n->n_in < 3 || !n->in[2])
        return inside;
    return smt_all(p, b, smt_implies(p, smt_within(p, zero, b, n->in[0]->dim[0]), inside),
                   prove_element(c, n->in[2], &b));
}

static void shape_tensor_scatter(prove_case *c, prove_node *n)
{
    static const char *const modes[] = {"linear", "circular"};
    int rank = prove_rank(c, n->in[0]);

    prove_need(c, rank > 1);
    n->form = prove_text_attr(c, n, "mode", modes, 2);
    if (!prove_goes_on(c))
        return;
    n->axis = prove_axis_attr(c, n, "axis", rank);
    prove_need(c, n->axis > 0);
    prove_be_of_rank(c, n->in[1], rank);
    if (n->in[2])
        prove_be_of_rank(c, n->in[2], 1);
    if (c->cut)
        return;
    for (int i = 0; i < rank; i++) {
        if (i != n->axis)
            prove_must(c, n, smt_eq(&c->pool, n->in[1]->dim[i], n->in[0]->dim[i]));
    }
    if (n->in[2])
        prove_must(c, n, smt_eq(&c->pool, n->in[2]->dim[0], n->in[0]->dim[0]));
    prove_must(c, n, smt_le(&c->pool, n->in[1]->dim[n->axis], n->in[0]->dim[n->axis]));
    prove_must(c, n, batches_fit(c, n));
    prove_set_sizes(c, n, 0, rank, n->in[0]->dim);
}

static const smt *element_of_tensor_scatter(prove_case *c, const prove_node *n, int out,
                                            const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *from[PROVE_RANK], *k;

    (void)out;
    memcpy(from, at, (size_t)n->in[0]->rank * sizeof *from);
    k = smt_sub(p, at[n->axis], place_of_batch(c, n, at));
    if (n->form == CIRCULAR)
        k = smt_ite(p, smt_lt(p, k, smt_int(p, 0)), smt_add(p, k, n->in[0]->dim[n->axis]), k);
    from[n->axis] = k;
    return smt_ite(p, smt_within(p, smt_int(p, 0), k, n->in[1]->dim[n->axis]),
                   prove_element(c, n->in[1], from), prove_element(c, n->in[0], at));
}

enum {
    ALONG_ONE = PROVE_ALONG_AXES | PROVE_BY_INDICES,
    BY_LISTS = ALONG_ONE | PROVE_BY_LISTS,
    BY_TUPLES = BY_LISTS | PROVE_BY_TUPLES
};

const prove_row prove_place_rows[] = {
    {"TensorScatter", shape_tensor_scatter, element_of_tensor_scatter, NULL,
     ALONG_ONE | PROVE_KEEPS_RANK, " axis mode "},
    {"ScatterUpdate", shape_scatter_update, element_of_scatter_update, NULL,
     PROVE_SIZES_OF_DATA | BY_LISTS, NULL},
    {"ScatterNDUpdate", shape_scatter_nd, element_of_scatter_tuples, NULL,
     PROVE_SIZES_OF_DATA | BY_TUPLES, " reduction "},
    {"tensor_scatter_nd_update", shape_scatter_of_tensorflow, element_of_scatter_tuples, NULL,
     BY_TUPLES, " bad_indices "},
    {"GatherND", shape_gather_nd, element_of_gather_nd, NULL, BY_TUPLES, " batch_dims "},
    {"ScatterElementsUpdate", shape_scatter_elements, element_of_scatter_elements, NULL,
     PROVE_SIZES_OF_DATA | ALONG_ONE | PROVE_MAY_MISS, " reduction use_init_val "},
    {"Tensor.scatter_", shape_scatter_of_mindspore, element_of_scatter_elements, NULL,
     ALONG_ONE | PROVE_MAY_MISS, " dim reduce value value_type "},
    {"GatherElements", shape_gather_elements, element_of_gather_elements, NULL,
     PROVE_SIZES_OF_INDICES | ALONG_ONE, " axis "},
    {0},
};
