/* The helpers that keep shape rules short; what a rule is and sees, and what every rule may ask
 * for, is in ir/infer.h. Private to ir/.
 *
 * The rules of the built-in operations are `bool infer_<name>(inlay_infer *cx)`, each in the file
 * of its family.
 *
 * Names. What rules of a program's own may call too is public and called inlay_infer_*. The helpers
 * here are seen by the rules alone and stand several times in each of them, so that their names say
 * only what they are about: in_* asks something of an input, set_out_* sets an output, and what
 * works on dims and shapes says so. tests/unit/test_rooms.sh keeps this header out of other rooms.
 */
#ifndef INLAY_IR_INFER_H
#define INLAY_IR_INFER_H

#include "ir/base/arena.h"
#include "ir/infer.h"

/* Operands. in_has: it is present. in_rank: -1 is unknown. */
static inline bool in_has(const inlay_infer *cx, int i)
{
    return i < cx->n_in && cx->in[i] != NULL;
}
static inline int in_rank(const inlay_infer *cx, int i)
{
    return cx->in[i]->rank;
}
/* Dim AXIS of input I, any when the rank is not known. */
inlay_dim in_dim(const inlay_infer *cx, int i, int axis);
/* The type that inputs 0 and 1 share, as far as it is known. */
inlay_type shared_type(const inlay_infer *cx);
/* "data", "updates": the row's name for input I, for messages. */
const char *in_name(const inlay_infer *cx, int i);
/* Shape of input I as text, for messages; lives in the arena. */
const char *in_text(inlay_infer *cx, int i);

/* One known element of a scalar or one-element operand. */
bool in_int(const inlay_infer *cx, int i, int64_t *out);
/* Interval of every element, or NULL; *N elements. */
const inlay_dim *in_known(const inlay_infer *cx, int i, int *n);
/* The number of elements of a 1-D operand as a dim (rank unknown: any). False and an error when
 * the rank is known and not 1 (a scalar counts as one element where SCALAR_OK). */
bool in_length(inlay_infer *cx, int i, bool scalar_ok, inlay_dim *n);
/* Input I, a list of sizes: its elements as dims, any where unknown. RANK -1: length unknown. */
bool in_sizes(inlay_infer *cx, int i, bool scalar_ok, inlay_shape *s);
/* Input I is a scalar or a list of one element, as far as is known. */
bool in_check_one(inlay_infer *cx, int i);
/* Rank of input I must be one of LO..HI (HI < 0: no upper end) when it is known. */
bool in_check_rank(inlay_infer *cx, int i, int lo, int hi);

/* As inlay_infer_axis for a list; repeated axes are an error. OUT has room for INLAY_MAX_RANK. */
bool norm_axes(inlay_infer *cx, const char *what, const int64_t *axes, int n, int rank, int *out);

/* Outputs. */
bool set_out_as(inlay_infer *cx, int i, int in, inlay_type type);     /* shape of input IN */
bool set_out_unknown(inlay_infer *cx, int i, inlay_type type);        /* unknown rank */
bool set_out_rank(inlay_infer *cx, int i, inlay_type type, int rank); /* every dim any, fresh ids */
/* A dim in [lo, hi] with a new identity. */
inlay_dim fresh_dim(inlay_infer *cx, int64_t lo, int64_t hi);

/* Combining. *DIM and D must be the same size; the error names input I, axis AXIS. */
bool merge_dim(inlay_infer *cx, int i, int axis, inlay_dim d, inlay_dim *dim);
/* Output of numpy broadcasting of A and B. False (no message) when they contradict: *AXIS is the
 * output axis where they do. */
bool broadcast_shapes(const inlay_shape *a, const inlay_shape *b, inlay_shape *out, int *axis);
/* A's dims stand at the end of TO's, and each can be 1 or TO's: so it is seen through the shape TO.
 */
bool broadcasts_to(const inlay_shape *a, const inlay_shape *to);
#endif
