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

/* Operands. in_has says whether operand I is present, in_rank what its rank is (-1: unknown). */
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
/* Returns the type that inputs 0 and 1 share, as far as that is known. */
inlay_type shared_type(const inlay_infer *cx);
/* Returns the name that the row has for input I ("data", "updates"), for messages. */
const char *in_name(const inlay_infer *cx, int i);
/* Returns the shape of input I as text for messages, which lives in the arena. */
const char *in_text(inlay_infer *cx, int i);

/* OUT receives the element of operand I, if I has one element and that is known. */
bool in_int(const inlay_infer *cx, int i, int64_t *out);
/* Returns an interval for each of the *N elements of input I, or NULL where nothing is known. */
const inlay_dim *in_known(const inlay_infer *cx, int i, int *n);
/* N receives the number of elements of a list, operand I, as a dim (any, where the rank is
 * unknown). False and an error: the rank is known, and is not 1. A scalar counts as a list of one
 * element where SCALAR_OK. */
bool in_length(inlay_infer *cx, int i, bool scalar_ok, inlay_dim *n);
/* S receives the elements of input I, a list of sizes, as dims; one that is not known is any dim. A
 * rank of -1 means that the length of the list is unknown. */
bool in_sizes(inlay_infer *cx, int i, bool scalar_ok, inlay_shape *s);
/* Checks that input I is a scalar or a list of one element, as far as that is known. */
bool in_check_one(inlay_infer *cx, int i);
/* Checks that the rank of input I, where it is known, is one of LO..HI (HI < 0: there is no upper
 * end). */
bool in_check_rank(inlay_infer *cx, int i, int lo, int hi);

/* Does what inlay_infer_axis does for a list, in which no axis may be repeated. OUT has room for
 * INLAY_MAX_RANK axes. */
bool norm_axes(inlay_infer *cx, const char *what, const int64_t *axes, int n, int rank, int *out);

/* Attributes. OUT receives attribute NAME, which must be in [LEAST, INT32_MAX]. */
bool attr_count(inlay_infer *cx, const char *name, int64_t least, int64_t *out);

/* Outputs. */
bool set_out_as(inlay_infer *cx, int i, int in,
                inlay_type type);                              /* the shape is that of input IN */
bool set_out_unknown(inlay_infer *cx, int i, inlay_type type); /* the rank is unknown */
bool set_out_rank(inlay_infer *cx, int i, inlay_type type,
                  int rank); /* every dim is any, with an id of its own */
/* Returns a dim in [LO, HI] with a new identity. */
inlay_dim fresh_dim(inlay_infer *cx, int64_t lo, int64_t hi);

/* Combining. *DIM and D must be the same size, and *DIM becomes what is known of both. An error
 * names axis AXIS of input I. */
bool merge_dim(inlay_infer *cx, int i, int axis, inlay_dim d, inlay_dim *dim);
/* OUT receives the shape that A and B have when they are broadcast as in numpy. False, without a
 * message: A and B contradict each other on axis *AXIS of the output. */
bool broadcast_shapes(const inlay_shape *a, const inlay_shape *b, inlay_shape *out, int *axis);
/* Whether A can be broadcast to the shape TO: the dims of A stand at the end of those of TO, and
 * each can be 1 or the dim of TO. */
bool broadcasts_to(const inlay_shape *a, const inlay_shape *to);
#endif
