/* The scatter that the files of passes/fold/ simplify, and its replacement. Private to
 * passes/fold/. */
#ifndef INLAY_PASSES_SCATTERING_H
#define INLAY_PASSES_SCATTERING_H

#include "ir/shared.h"
#include "passes/fold/fold.h"

/* The scatter: data, constant indices and updates. */
typedef struct scattering {
    inlay_graph *g;
    inlay_value *data, *u;
    const inlay_tensor *t;
    const inlay_value *by; /* the operand that says which rows are written, or NULL */
    bool fits;             /* the updates surely have the sizes that the indices demand */
    simpler *out;
    inlay_diags *diags;
} scattering;

/* Where the updates are written: to a window of each axis that is CUT, and to all of the others. */
typedef struct target {
    inlay_window w[INLAY_MAX_RANK];
    bool cut[INLAY_MAX_RANK];
} target;

/* Does the newest operation TYPE accept DATA of this element type? Specifications differ in that.
 */
bool scattering_takes(const char *type, const inlay_value *data);
/* Makes a constant of i64; NULL after recording the error. */
inlay_value *scattering_ints(const scattering *s, const char *what, int rank, const int64_t *dims,
                             const int64_t *x);
/* Returns output 0 of a new node; NULL: an operand is NULL, or after recording the error. */
inlay_value *scattering_build(const scattering *s, const char *type, inlay_value **in, int n,
                              const char *attrs);
/* Have the N axes of the updates from AT on surely the sizes of the first N axes of the indices, to
 * which they correspond? If not, the updates may be invalid, and a Reshape would accept any with as
 * many elements. */
bool scattering_stand_alike(const scattering *s, int at, int n);
/* Returns the operand of which V is a reshape, or with REPEATS a broadcast; NULL: V is none, or its
 * node may fail, because its sizes are unknown. */
inlay_value *scattering_shown(const inlay_value *v, bool repeats);
/* Returns the updates with the sizes DIMS, one for each axis of data: the updates themselves, the
 * operand of which they are a reshape, an Unsqueeze of them, or a Reshape of them, in which one size
 * may be unknown. Sets *CAN to false when several are. */
inlay_value *scattering_reshaped(const scattering *s, const inlay_dim *dims, bool *can);
/* Is TO all of DATA? */
bool scattering_takes_all(const inlay_value *data, const target *to);
/* Is there an operation that writes these windows? */
bool scattering_can_write(const scattering *s, const target *to);
/* Sets LIST to start, stop, step and axes of the windows on the axes that are not taken whole. If
 * all are whole, uses the axes that are cut, so that the lists are not empty. */
void scattering_window(const scattering *s, const target *to, inlay_value **list);
/* Returns the windows of OF, which has as many axes as data; NULL after recording the error. */
inlay_value *scattering_slice(const scattering *s, inlay_value *of, const target *to);
/* Returns the N values IN one behind another along AXIS; NULL: one is NULL, or after recording the
 * error. */
inlay_value *scattering_join(const scattering *s, inlay_value **in, int n, int axis);
/* Writes the updates U, which have the axes of data, to the windows. If these are all of data, U
 * itself is the result. A SliceScatter checks what the scatter checked. */
bool scattering_write_target(const scattering *s, inlay_value *u, const target *to);
/* Can the SIZE of an axis be added to indices of TYPE? */
bool scattering_can_count(inlay_type type, inlay_dim size);
/* Returns X, of N elements (-1: not known), as a list of indices of AXIS of DATA for a
 * ScatterUpdate: negative ones count from the end. NULL after recording the error. */
inlay_value *scattering_counted(const scattering *s, inlay_value *x, int64_t n, inlay_value *data,
                                int axis);

/* between.c */

/* What is new from START to STOP along AXIS of DATA, both in the data in every run. */
typedef struct between {
    inlay_value *data, *start, *stop;
    int64_t axis;
} between;

/* Is the second operand of JOIN, a Concat along AXIS, new between two parts of a tensor that stay?
 */
bool fold_find_between(const inlay_node *join, int axis, between *b);

/* raise.c */

/* Returns V with an axis of size 1 at AXIS: computed with it from a layer that lost this axis or
 * that S->by selected, or else an Unsqueeze. NULL after recording the error. */
inlay_value *raise_updates(const scattering *s, inlay_value *v, int axis);

#endif
