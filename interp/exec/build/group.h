/* What the files share that find groups of steps: fuse.c gathers the steps, admit.c says which of
 * them may be together, lanes.c and tiles.c make the group of them. Private to these files. */
#ifndef INLAY_EXEC_BUILD_GROUP_H
#define INLAY_EXEC_BUILD_GROUP_H

#include "interp/exec/build/builder.h"

/* The steps that are being gathered. */
struct gather {
    exec_builder *b;
    exec_fused *f;
    int n_dims; /* of their outputs, without those that are 1 */
    int64_t dims[INLAY_MAX_RANK];
    int row_dims;            /* the last ones, which are whole rows; 0: any part of a row will do */
    bool *narrow;            /* by slot: the steps make it, one element for each row */
    const exec_fused **made; /* by slot: which of the fused steps make it; or NULL */
    uint32_t *reads;         /* by slot: by the steps that are gathered */
    size_t picked;           /* from this step on, right before the group, rows are picked */
};

static inline exec_step *group_step(const struct gather *g, size_t i)
{
    return &g->b->x->list[i];
}

static inline size_t group_out(const struct gather *g, size_t i)
{
    return group_step(g, i)->out[0];
}

/* Returns the elements of a whole row of the group. */
static inline int64_t group_row(const struct gather *g)
{
    int64_t n = 1;

    for (int i = g->n_dims - g->row_dims; i < g->n_dims; i++)
        n *= g->dims[i];
    return n;
}

#endif
