/* What the files share that find groups of steps: fuse.c gathers the steps, admit.c says which of
 * them may be together, lanes.c and tiles.c make the group of them. Private to these files. */
#ifndef INLAY_INTERP_EXEC_GROUP_H
#define INLAY_INTERP_EXEC_GROUP_H

#include "interp/exec/forms.h"

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

/* admit.c */

/* Returns whether step I may be computed together with those that are gathered. */
bool group_admits(const struct gather *g, size_t i);
/* Returns whether operand K of step I, which the group makes or picks, is read element by element,
 * or, if it is narrow and the step is not, one element for each row. */
bool group_reads_elements(const struct gather *g, size_t i, int k);
/* Returns whether step K reads and writes bytes where the output OUT of another one stands only as
 * the elements that OUT has there. */
bool group_keeps_apart(const struct gather *g, size_t k, size_t out);

/* lanes.c */

/* Returns whether SLOT is the updates that the group computes where they belong. */
bool group_puts(const struct gather *g, size_t slot);
/* Returns the step that gathers the value of SLOT, if the group alone reads it, of the rows that
 * its scatter writes; or NULL. */
exec_step *group_gathers(const struct gather *g, size_t slot);
/* Gives the values between the steps registers, as long as there are some: REG is by operation, -1:
 * the value is in memory. A register is free for the output of the operation that reads it last, if
 * the elements of both are of one size. */
void group_registers(const struct gather *g, int *reg);
/* Makes the block and the lanes of operation I. False, here and below: out of memory. */
bool group_lanes(const struct gather *g, int i, const int *reg);

/* gathered.c */

/* Returns whether step I picks rows, which a group behind it may read where they are. */
bool group_is_picked(const exec_builder *b, size_t i);
/* Makes those steps right before the group a part of it whose rows it can read. */
void group_picks(const struct gather *g);
/* Returns the number of the list of rows that are the value of SLOT; -1: it is no such value. */
int group_list(const struct gather *g, size_t slot);
/* Lists the strides of what step I picks from, along the dims of its output; 0 where these count
 * rows. */
void group_row_strides(const struct gather *g, size_t i, int64_t *strides);

/* tiles.c */

/* Makes one of the dims that lie one behind the other in all lanes, and divides the dims into
 * tiles. */
bool group_tiles(struct gather *g);

#endif
