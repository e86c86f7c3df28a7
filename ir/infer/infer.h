/* What a shape rule sees and the helpers that keep rules short. Private to ir/.
 *
 * A rule is `bool infer_<name>(inlay_infer *cx)`: it reads facts about the operands (cx->in),
 * checks what the op's document demands of shapes and known values, and sets every output. It runs
 * at compile time with what is known, and at run time with exact operands; it must give something
 * useful at every degree of ignorance: unknown rank, intervals, unknown values. Operand types and
 * arity were checked against the row before. A rule fails only on a proven contradiction.
 */
#ifndef INLAY_IR_INFER_H
#define INLAY_IR_INFER_H

#include "ir/base/arena.h"
#include "ir/graph.h"

struct inlay_infer {
    const inlay_node *node;
    const inlay_fact *const *in; /* NULL entry: absent optional input */
    int n_in;
    inlay_fact *out;
    int n_out;
    inlay_arena *arena; /* dims and known values of the outputs live here */
    uint32_t *next_id;  /* where new dim ids come from; NULL at run time: no ids */
    inlay_diags *diags;
};

/* Records an error at the node; always false. */
bool infer_fail(inlay_infer *cx, const char *fmt, ...) INLAY_PRINTF(2, 3);

/* Operands. in_has: present. in_rank: -1 unknown. in_shape: working copy. */
static inline bool in_has(const inlay_infer *cx, int i)
{
    return i < cx->n_in && cx->in[i] != NULL;
}
static inline int in_rank(const inlay_infer *cx, int i)
{
    return cx->in[i]->rank;
}
void in_shape(const inlay_infer *cx, int i, inlay_shape *out);
/* Dim AXIS of input I, any when the rank is not known. */
inlay_dim in_dim(const inlay_infer *cx, int i, int axis);
/* The type that inputs 0 and 1 share, as far as it is known. */
inlay_type shared_type(const inlay_infer *cx);
/* "data", "updates": the row's name for input I, for messages. */
const char *in_name(const inlay_infer *cx, int i);
/* Shape of input I as text, for messages; lives in the arena. */
const char *in_text(inlay_infer *cx, int i);

/* The elements of a small integer operand. True when all are static; then the first min(n, max)
 * are in OUT and *N is their number. More than MAX elements counts as unknown. */
bool in_ints(const inlay_infer *cx, int i, int64_t *out, int max, int *n);
/* One known element of a scalar or one-element operand. */
bool in_int(const inlay_infer *cx, int i, int64_t *out);
/* Interval of every element, or NULL; *N elements. */
const inlay_dim *in_known(const inlay_infer *cx, int i, int *n);
/* The number of elements of a 1-D operand as a dim (rank unknown: any). False and an error when
 * the rank is known and not 1 (a scalar counts as one element where SCALAR_OK). */
bool in_length(inlay_infer *cx, int i, bool scalar_ok, inlay_dim *n);
/* Input I is a scalar or a list of one element, as far as is known. */
bool in_check_one(inlay_infer *cx, int i);
/* Rank of input I must be one of LO..HI (HI < 0: no upper end) when it is known. */
bool in_check_rank(inlay_infer *cx, int i, int lo, int hi);

/* AXIS in [-rank, rank-1] made non-negative; WHAT names it in the error: "axis", "axes[1]". */
bool norm_axis(inlay_infer *cx, const char *what, int64_t axis, int rank, int *out);
/* As norm_axis for a list; repeated axes are an error. OUT has room for INLAY_MAX_RANK. */
bool norm_axes(inlay_infer *cx, const char *what, const int64_t *axes, int n, int rank, int *out);

/* Outputs. set_out copies the shape; more than INLAY_MAX_RANK dims cannot happen (rank checked by
 * whoever computed it: use infer_fail). */
bool set_out(inlay_infer *cx, int i, inlay_type type, const inlay_shape *s);
bool set_out_like(inlay_infer *cx, int i, int in);                /* type and shape of input IN */
bool set_out_as(inlay_infer *cx, int i, int in, inlay_type type); /* shape of input IN */
bool set_out_unknown(inlay_infer *cx, int i, inlay_type type);    /* unknown rank */
bool set_out_rank(inlay_infer *cx, int i, inlay_type type, int rank); /* every dim any, fresh ids */
/* What is known of the elements of output I (at most INLAY_MAX_KNOWN, else forgotten). */
bool set_known(inlay_infer *cx, int i, const inlay_dim *elements, int n);
/* A dim in [lo, hi] with a new identity. */
inlay_dim fresh_dim(inlay_infer *cx, int64_t lo, int64_t hi);

/* Combining. merge_into: *DIM and D must be the same size; the error names input I, axis AXIS. */
bool merge_dim(inlay_infer *cx, int i, int axis, inlay_dim d, inlay_dim *dim);
/* Output of numpy broadcasting of A and B. False (no message) when they contradict: *AXIS is the
 * output axis where they do. */
bool broadcast_shapes(const inlay_shape *a, const inlay_shape *b, inlay_shape *out, int *axis);
/* A's dims stand at the end of TO's, and each can be 1 or TO's: so it is seen through the shape TO.
 */
bool broadcasts_to(const inlay_shape *a, const inlay_shape *to);
/* OpenVINO's auto_broadcast "numpy", "none" or "pdpd" on inputs I and J. What "pdpd" allows has the
 * same elements side by side as "numpy": an axis for it is in no file. */
bool broadcast_inputs(inlay_infer *cx, int i, int j, const char *mode, inlay_shape *out);

#endif
