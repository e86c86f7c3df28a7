/* Helpers that keep shape rules short; ir/infer.h says what a rule is and receives, and has what
 * every rule may use. Private to ir/.
 *
 * The rules of the built-in operations are `bool infer_<name>(inlay_infer *cx)`, each in the file
 * of its family.
 *
 * Names. Functions that rules of other programs may call, too, are public: inlay_infer_*. The
 * helpers here are used by the rules alone, several times in each, so their names are short: in_*
 * asks something about an input, set_out_* sets an output, and names of functions on dims and
 * shapes say so. tests/unit/test_rooms.sh keeps this header out of other folders. */
#ifndef INLAY_IR_INFER_H
#define INLAY_IR_INFER_H

#include "ir/base/arena.h"
#include "ir/graph/dim_sum.h"
#include "ir/infer.h"

/* Operands. in_has: is operand I present? in_rank: its rank (-1: unknown). */
static inline bool in_has(const inlay_infer *cx, int i)
{
    return i < cx->n_in && cx->in[i] != NULL;
}
static inline int in_rank(const inlay_infer *cx, int i)
{
    return cx->in[i]->rank;
}
/* Returns dim AXIS of input I; any dim when the rank is not known. */
inlay_dim in_dim(const inlay_infer *cx, int i, int axis);
/* Returns the type that inputs 0 and 1 share, as far as it is known. */
inlay_type shared_type(const inlay_infer *cx);
/* Returns the name of input I in the row ("data", "updates"), for messages. */
const char *in_name(const inlay_infer *cx, int i);
/* Returns the shape of input I as text for messages, in the arena. */
const char *in_text(inlay_infer *cx, int i);

/* Sets *OUT to the element of operand I, if it has one element and that is known. */
bool in_int(const inlay_infer *cx, int i, int64_t *out);
/* Returns an interval for each of the *N elements of input I; NULL: nothing is known of them. */
const inlay_dim *in_known(const inlay_infer *cx, int i, int *n);
/* Sets *N to the number of elements of a list, operand I (any, if its rank is unknown). False and
 * an error: the rank is known, and is not 1. With SCALAR_OK a scalar counts as a list of one. */
bool in_length(inlay_infer *cx, int i, bool scalar_ok, inlay_dim *n);
/* Sets *S to the elements of input I, a list of sizes; an unknown one is any dim. Rank -1: the
 * length of the list is unknown. */
bool in_sizes(inlay_infer *cx, int i, bool scalar_ok, inlay_shape *s);
/* Checks that input I is a scalar or a list of one element, as far as that is known. */
bool in_check_one(inlay_infer *cx, int i);
/* Checks that the rank of input I, if it is known, is in LO..HI (HI < 0: no upper end). */
bool in_check_rank(inlay_infer *cx, int i, int lo, int hi);

/* inlay_infer_axis for a list without repeated axes; writes to OUT[INLAY_MAX_RANK]. */
bool norm_axes(inlay_infer *cx, const char *what, const int64_t *axes, int n, int rank, int *out);

/* Attributes. Sets *OUT to attribute NAME, which must be in [LEAST, INT32_MAX]. */
bool attr_count(inlay_infer *cx, const char *name, int64_t least, int64_t *out);

/* Outputs. */
bool set_out_as(inlay_infer *cx, int i, int in,
                inlay_type type);                              /* the shape is that of input IN */
bool set_out_unknown(inlay_infer *cx, int i, inlay_type type); /* the rank is unknown */
bool set_out_rank(inlay_infer *cx, int i, inlay_type type,
                  int rank); /* every dim is unknown, with an id of its own */
/* Returns a dim in [LO, HI] with a new identity. */
inlay_dim fresh_dim(inlay_infer *cx, int64_t lo, int64_t hi);

/* Sums. Adds TIMES * D to *S; false: then *S is not known. */
bool sum_add(const inlay_infer *cx, inlay_dim_sum *s, int64_t times, inlay_dim d);
/* Gives *D, bounds of A + TIMES * B, the identity of that sum, or its number, where it is known.
 * False, and an error: out of memory. */
bool sum_name(inlay_infer *cx, inlay_dim a, int64_t times, inlay_dim b, inlay_dim *d);
/* Sets *D to A - B, likewise: if neither is negative, their difference fits into 64 bits. */
bool sum_less(inlay_infer *cx, inlay_dim a, inlay_dim b, inlay_dim *d);

/* Combining. *DIM and D must be the same size: merges what is known of both into *DIM. An error
 * names axis AXIS of input I. */
bool merge_dim(inlay_infer *cx, int i, int axis, inlay_dim d, inlay_dim *dim);
/* Sets *OUT to the shape of A and B broadcast as in numpy. False, without a message: they
 * contradict each other on axis *AXIS of the output. */
bool broadcast_shapes(const inlay_shape *a, const inlay_shape *b, inlay_shape *out, int *axis);
/* Can A be broadcast to the shape TO: aligned at the last axis, is each dim 1 or that of TO? */
bool broadcasts_to(const inlay_shape *a, const inlay_shape *to);

/* Rules that rules of other families begin with. */
bool infer_matmul(inlay_infer *cx);
bool infer_convolution(inlay_infer *cx);
bool infer_group_convolution(inlay_infer *cx);
#endif
