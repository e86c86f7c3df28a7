/* The scatter that files of passes/fold/ simplify, and what they make of it. Private to
 * passes/fold/. */
#ifndef INLAY_PASSES_SCATTERING_H
#define INLAY_PASSES_SCATTERING_H

#include "ir/shared.h"
#include "passes/fold/fold.h"

/* The scatter that is looked at: data, constant indices and updates. */
typedef struct scattering {
    inlay_graph *g;
    inlay_value *data, *u;
    const inlay_tensor *t;
    const inlay_value *by; /* the operand that says which rows are written, or NULL */
    bool fits;             /* the updates are sure to have the sizes that the indices demand */
    simpler *out;
    inlay_diags *diags;
} scattering;

/* Where the updates go: to a window on each axis that is CUT, and to all of the other axes. */
typedef struct target {
    inlay_window w[INLAY_MAX_RANK];
    bool cut[INLAY_MAX_RANK];
} target;

/* Whether the newest operation TYPE may have DATA of this element type; documents of operations
 * differ in that. */
bool scattering_takes(const char *type, const inlay_value *data);
/* Returns a constant of i64; NULL after recording the error. */
inlay_value *scattering_ints(const scattering *s, const char *what, int rank, const int64_t *dims,
                             const int64_t *x);
/* Returns output 0 of a new node; NULL: an operand is NULL, or after recording the error. */
inlay_value *scattering_build(const scattering *s, const char *type, inlay_value **in, int n,
                              const char *attrs);
/* Whether the axes of the updates from AT on, which stand for the first N axes of the indices, are
 * sure to have the sizes of those. Otherwise the updates may be wrong, and a Reshape would take
 * whatever has as many elements. */
bool scattering_stand_alike(const scattering *s, int at, int n);
/* Returns what V shows in other axes, or holds several times where REPEATS; NULL: V is none such,
 * or its node may fail, because it is not known to which sizes. */
inlay_value *scattering_shown(const inlay_value *v, bool repeats);
/* Returns the updates with the sizes DIMS, one for each axis of data: the updates themselves, what
 * they are a reshape of, or a Reshape of them, in which one size may be unknown. *CAN is false when
 * several are. */
inlay_value *scattering_reshaped(const scattering *s, const inlay_dim *dims, bool *can);
/* Whether TO is all of DATA. */
bool scattering_takes_all(const inlay_value *data, const target *to);
/* Whether there is an operation that writes these windows. */
bool scattering_can_write(const scattering *s, const target *to);
/* LIST receives start, stop, step and axes of the windows on the axes that are not taken whole. If
 * there are none, these are the axes that are cut, so that the lists are not empty. */
void scattering_window(const scattering *s, const target *to, inlay_value **list);
/* Writes the updates U, which have the axes of data, to the windows. When the windows are all of
 * data, U itself is the result. A SliceScatter checks what the scatter checked. */
bool scattering_write_target(const scattering *s, inlay_value *u, const target *to);
/* Whether indices of TYPE can have the SIZE of an axis added. */
bool scattering_can_count(inlay_type type, inlay_dim size);
/* Returns X, of N elements, as a list of indices of an axis of SIZE, which a ScatterUpdate takes:
 * those below 0 count from the end. NULL after recording the error. */
inlay_value *scattering_counted(const scattering *s, inlay_value *x, int64_t n, inlay_dim size);

/* raise.c */

/* Whether V is computed of a layer that lost an axis of one element at AXIS, or that is taken out
 * by S->by, so that V can be computed with this axis. */
bool raise_leads(const scattering *s, const inlay_value *v, int axis);
/* Returns V with an axis of one element at AXIS: V computed so, where it leads to such a layer,
 * else an Unsqueeze. NULL after recording the error. */
inlay_value *raise_updates(const scattering *s, inlay_value *v, int axis);

#endif
