/* Which steps may join a fusion group. Inside a tile, a step may read only what earlier steps of
 * the group computed for the same tile, never an element of another tile. */
#include "interp/exec/build/admit.h"
#include "interp/exec/build/forms.h"

#include <string.h>

bool group_reads_elements(const struct gather *g, size_t i, int k)
{
    const inlay_tensor *t = g->b->x->meta[group_step(g, i)->in[k]], *of = forms_space(g->b, i);
    bool narrow = g->narrow[group_step(g, i)->in[k]];
    int64_t dims[INLAY_MAX_RANK], own[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int n = g->n_dims - (narrow ? g->row_dims : 0), rank = real_dims(of, dims);

    real_strides(of, g->b->form[i]->strides[k], strides);
    if (rank < n || real_dims(t, dims) != n || memcmp(dims, g->dims, (size_t)n * sizeof *dims) != 0)
        return false;
    real_strides(t, t->strides, own);
    return memcmp(own, strides, (size_t)n * sizeof *own) == 0 && all_zero(strides + n, rank - n);
}

static bool reads_all(const struct gather *g, size_t i)
{
    const exec_step *s = group_step(g, i);
    bool ok = true;

    for (int k = 0; ok && k < g->b->form[i]->n; k++)
        ok = g->made[s->in[k]] != g->f || group_reads_elements(g, i, k);
    return ok;
}

/* Returns whether operand T of step I shares bytes with what the group writes without being one of
 * the group's values: those bytes would not have their final contents when the tile is computed. */
static bool reads_behind(const struct gather *g, size_t i)
{
    const exec_instance *x = g->b->x;
    const exec_step *s = group_step(g, i);
    bool behind = false;

    for (int k = 0; k < g->b->form[i]->n; k++) {
        bool own = g->made[s->in[k]] == g->f;

        for (int j = 0; !own && j < g->f->n_ops; j++)
            behind =
                behind || x->allocation[s->in[k]] == x->allocation[group_out(g, g->f->ops[j].step)];
    }
    return behind;
}

/* Returns whether A and B hold each element at the same address, or are in different allocations.
 */
static bool are_same_or_apart(const struct gather *g, size_t a, size_t b)
{
    const exec_instance *x = g->b->x;
    const inlay_tensor *s = x->meta[a], *t = x->meta[b];
    int64_t dims[2][INLAY_MAX_RANK], strides[2][INLAY_MAX_RANK];
    int n;

    if (x->allocation[a] != x->allocation[b])
        return true;
    n = real_dims(s, dims[0]);
    real_strides(s, s->strides, strides[0]);
    real_strides(t, t->strides, strides[1]);
    return s->type == t->type && first_of(s) == first_of(t) && real_dims(t, dims[1]) == n &&
           memcmp(dims[0], dims[1], (size_t)n * sizeof *dims[0]) == 0 &&
           memcmp(strides[0], strides[1], (size_t)n * sizeof *strides[0]) == 0;
}

bool group_keeps_apart(const struct gather *g, size_t k, size_t out)
{
    const exec_step *s = group_step(g, k);
    bool ok = are_same_or_apart(g, s->out[0], out);

    for (int i = 0; ok && i < s->step->node->n_in; i++)
        ok = s->in[i] == SIZE_MAX ||
             (g->b->x->meta[s->in[i]] && are_same_or_apart(g, s->in[i], out));
    return ok;
}

/* Returns whether step I is either not an overwriting step, or overwrites element by element, also
 * with regard to the steps gathered so far: one tile must not write elements of another. */
static bool writes_in_place(const struct gather *g, size_t i)
{
    size_t out = group_out(g, i);
    bool ok = true;

    for (int k = 0; ok && group_step(g, i)->in_place && k < g->f->n_ops; k++)
        ok = group_keeps_apart(g, g->f->ops[k].step, out);
    return ok;
}

/* Returns whether a row of every step fits into a tile and is contiguous in all lanes, if the last
 * ROW_DIMS dims of the group form a row and step I joins. */
static bool rows_fit(const struct gather *g, size_t i, int row_dims)
{
    struct gather with = *g;
    size_t size = forms_size(g->b->form[i]);
    bool ok = true;

    with.row_dims = row_dims;
    size = g->f->size > size ? g->f->size : size;
    for (int k = 0; ok && row_dims > g->row_dims && k < g->f->n_ops; k++)
        ok = forms_merge(g->b, g->f->ops[k].step, row_dims);
    return ok && group_row(&with) <= FUSED_TILE / (int64_t)size && forms_merge(g->b, i, row_dims);
}

/* Returns whether step I, whose N dims are DIMS, computes one element for each row of the group. */
static bool is_narrow(const struct gather *g, size_t i, int n, const int64_t *dims)
{
    const exec_step *s = group_step(g, i);
    bool reads = false;

    for (int k = 0; k < g->b->form[i]->n; k++)
        reads = reads || (g->made[s->in[k]] == g->f && g->narrow[s->in[k]]);
    return reads && g->b->form[i]->row_dims == 0 && n == g->n_dims - g->row_dims &&
           memcmp(dims, g->dims, (size_t)n * sizeof *dims) == 0;
}

/* Returns whether step I, whose dims are those of the group, computes whole rows like the group. */
static bool is_wide(const struct gather *g, size_t i, int n, const int64_t *dims)
{
    int rows = forms_row_dims(g->b, i);

    if (n != g->n_dims || memcmp(dims, g->dims, (size_t)n * sizeof *dims) != 0 ||
        (rows > 0 && g->row_dims > 0 && rows != g->row_dims))
        return false;
    rows = rows > 0 ? rows : g->row_dims;
    return rows == 0 || rows_fit(g, i, rows);
}

bool group_admits(const struct gather *g, size_t i)
{
    int64_t dims[INLAY_MAX_RANK];
    int n = real_dims(forms_space(g->b, i), dims);

    return g->f && g->f->n_ops < FUSED_MOST &&
           (is_wide(g, i, n, dims) || is_narrow(g, i, n, dims)) && reads_all(g, i) &&
           !reads_behind(g, i) && writes_in_place(g, i);
}
