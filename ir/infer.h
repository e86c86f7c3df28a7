/* The interface of shape rules. */
#ifndef INLAY_INFER_H
#define INLAY_INFER_H

#include "ir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* infer/help.c: functions for rules. Unchecked: the context, and the numbers of inputs and outputs.
 *
 * A shape rule reads the facts of the operands (cx->in) and the attributes (cx->node), checks what
 * the operation requires of shapes and of known elements, and sets every output. It is called while
 * a graph is built, with what is known then, and at run time with exact operands; so it must give
 * something useful however little is known: a rank may be unknown (-1), a dim an interval, the
 * elements unknown (NULL). Operand types, arity and attributes were checked against the row before.
 * It fails only on a proven contradiction. */
struct inlay_infer {
    const inlay_node *node;
    const inlay_fact *const *in; /* NULL entry: an absent optional input */
    int n_in;
    inlay_fact *out; /* set by the functions below */
    int n_out;
    inlay_arena *arena; /* for what outputs point to */
    uint32_t *next_id;  /* the source of new identities of dims; NULL: none, at run time */
    inlay_diags *diags;
};

/* Records an error at the node; always false. */
INLAY_API bool inlay_infer_fail(inlay_infer *cx, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Sets *OUT to a working copy of the shape of input I. */
INLAY_API void inlay_infer_shape(const inlay_infer *cx, int i, inlay_shape *out);
/* Writes the elements of input I to OUT, and their number to *N, if all are known and they are at
 * most MAX. */
INLAY_API bool inlay_infer_ints(const inlay_infer *cx, int i, int64_t *out, int max, int *n);
/* Sets *OUT to AXIS, in [-rank, rank - 1], as a number >= 0; WHAT names it in the error: "axis",
 * "axes[1]". */
INLAY_API bool inlay_infer_axis(inlay_infer *cx, const char *what, int64_t axis, int rank,
                                int *out);
/* Sets *OUT to the shape of inputs I and J broadcast together. MODE: "numpy", "none", "pdpd". */
INLAY_API bool inlay_infer_broadcast(inlay_infer *cx, int i, int j, const char *mode,
                                     inlay_shape *out);
/* Sets output I, and gives its open dims identities if they have none. */
INLAY_API bool inlay_infer_set_out(inlay_infer *cx, int i, inlay_type type, const inlay_shape *s);
INLAY_API bool inlay_infer_set_out_like(inlay_infer *cx, int i, int in); /* like input IN */
/* Sets the N elements of output I, small integers, as intervals (more than INLAY_MAX_KNOWN are
 * dropped). */
INLAY_API bool inlay_infer_set_known(inlay_infer *cx, int i, const inlay_dim *elements, int n);

#ifdef __cplusplus
}
#endif

#endif
