/* Divides the output of a group into tiles, which are rows or pieces of a row (exec_fused). */
#include "interp/exec/build/tiles.h"

#include <string.h>

/* Returns whether dims I and I + 1 can be merged in lane LANE of OP. Rows of a list are addressed
 * by number, so only the list's own dims matter. */
static bool lane_is_one(const struct gather *g, const exec_op *op, int lane, int i)
{
    const ptrdiff_t *s = op->strides[lane];
    const exec_list *l = op->listed & 1u << lane ? &g->f->list[op->list[lane]] : NULL;

    if (l && l->from < l->to && i + 1 >= l->from && i < l->to)
        return i >= l->from && i + 1 < l->to;
    return !s || s[i] == s[i + 1] * g->dims[i + 1];
}

static bool are_one(const struct gather *g, int i)
{
    bool one = true;

    for (int k = 0; k < g->f->n_ops; k++) {
        for (int lane = 0; one && lane < FUSED_LANES; lane++)
            one = lane_is_one(g, &g->f->ops[k], lane, i);
    }
    return one;
}

static void drop_dim(struct gather *g, int i)
{
    g->dims[i + 1] *= g->dims[i];
    for (int k = i; k + 1 < g->n_dims; k++)
        g->dims[k] = g->dims[k + 1];
    for (int k = 0; k < g->f->n_ops; k++) {
        for (int lane = 0; lane < FUSED_LANES; lane++) {
            ptrdiff_t *s = (ptrdiff_t *)g->f->ops[k].strides[lane];

            if (s)
                memmove(s + i, s + i + 1, (size_t)(g->n_dims - i - 1) * sizeof *s);
        }
    }
    g->n_dims--;
    for (int k = 0; k < g->f->n_lists; k++) {
        g->f->list[k].from -= i < g->f->list[k].from;
        g->f->list[k].to -= i < g->f->list[k].to;
    }
}

/* Adds a last dim of 1 to the group, because its listed rows are single elements. */
static void add_dim(struct gather *g)
{
    g->dims[g->n_dims] = 1;
    for (int k = 0; k < g->f->n_ops; k++) {
        for (int lane = 0; lane < FUSED_LANES; lane++) {
            ptrdiff_t *s = (ptrdiff_t *)g->f->ops[k].strides[lane];

            if (s)
                s[g->n_dims] = (ptrdiff_t)g->f->ops[k].size[lane];
        }
    }
    g->n_dims++;
}

/* Returns whether the rows of OP in a tile are contiguous in all lanes. */
static bool is_flat(const exec_fused *f, const exec_op *op)
{
    bool flat = !op->each && !op->whole && !op->listed && f->rank > 1;

    for (int lane = 0; flat && lane < FUSED_LANES; lane++)
        flat = !op->strides[lane] ||
               op->strides[lane][f->rank - 2] ==
                   (op->narrow[lane] ? 1 : f->row_length) * (ptrdiff_t)op->size[lane];
    return flat;
}

void group_cut(exec_fused *f, int64_t most)
{
    int64_t outer = 1;

    most /= (int64_t)f->size;
    f->row_length = f->rank > 0 ? f->dims[f->rank - 1] : 1;
    f->band_rows = f->rank > 1 ? f->dims[f->rank - 2] : 1;
    f->length = f->row_length < most ? f->row_length : most;
    f->rows = f->row_length > most ? 1 : most / f->row_length;
    f->rows = f->rows < f->band_rows ? f->rows : f->band_rows;
    f->pieces = (f->row_length + f->length - 1) / f->length;
    f->bands = (f->band_rows + f->rows - 1) / f->rows;
    for (int i = 0; i + 2 < f->rank; i++)
        outer *= f->dims[i];
    f->tiles = outer * f->bands * f->pieces;
    for (int i = 0; i < f->n_ops; i++)
        f->ops[i].flat = is_flat(f, &f->ops[i]);
}

bool group_tiles(struct gather *g)
{
    int64_t *dims, most = FUSED_TILE;

    for (int r = g->row_dims; r > 1; r--) {
        drop_dim(g, g->n_dims - 2);
        g->f->part_dims -= g->f->part_dims > 1;
    }
    if (g->f->scatter > 0 && g->f->list[0].to == g->n_dims)
        add_dim(g);
    for (int i = g->n_dims - (g->f->whole ? 3 : 2); i >= 0; i--) {
        int behind = g->n_dims - 1 - i;

        if (behind == g->f->part_dims || !are_one(g, i))
            continue;
        drop_dim(g, i);
        g->f->part_dims -= behind < g->f->part_dims;
    }
    dims = inlay_arena_array(g->b->x->memory, (size_t)g->n_dims + 1, sizeof *dims);
    if (!dims)
        return false;
    memcpy(dims, g->dims, (size_t)g->n_dims * sizeof *dims);
    g->f->dims = dims;
    g->f->rank = g->n_dims;
    if (g->f->registers > 0 && FUSED_ROOM / g->f->registers < most)
        most = FUSED_ROOM / g->f->registers / CALL_PIECE * CALL_PIECE;
    group_cut(g->f, most);
    return true;
}
