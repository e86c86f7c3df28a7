/* Declarations for the files that find groups of steps: fuse.c gathers the steps, admit.c says
 * which of them may be together, lanes.c and tiles.c make the group. Private to these files. */
#ifndef INLAY_EXEC_BUILD_GROUP_H
#define INLAY_EXEC_BUILD_GROUP_H

#include "interp/exec/build/builder.h"

/* The steps that are being gathered. */
struct gather {
    exec_builder *b;
    exec_fused *f;
    int n_dims; /* the number of dims of their outputs, without those of size 1 */
    int64_t dims[INLAY_MAX_RANK];
    int row_dims;            /* how many of the last dims form rows that must be whole; 0: any part
                                of a row will do */
    bool *narrow;            /* by slot: the steps make it, with one element per row */
    const exec_fused **made; /* by slot: which of the fused steps make it; or NULL */
    uint32_t *reads;         /* by slot: how often the gathered steps read it */
    size_t picked;           /* the steps from this one up to the group pick rows for it */
};

static inline exec_step *group_step(const struct gather *g, size_t i)
{
    return &g->b->x->list[i];
}

static inline size_t group_out(const struct gather *g, size_t i)
{
    return group_step(g, i)->out[0];
}

/* Returns the number of elements of a whole row of the group. */
static inline int64_t group_row(const struct gather *g)
{
    int64_t n = 1;

    for (int i = g->n_dims - g->row_dims; i < g->n_dims; i++)
        n *= g->dims[i];
    return n;
}

#endif
