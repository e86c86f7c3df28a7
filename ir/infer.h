/* What a shape rule sees, and what it may ask for and say. */
#ifndef INLAY_INFER_H
#define INLAY_INFER_H

#include "ir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* infer/help.c: what rules ask for. Unchecked: the context, and the numbers of inputs and outputs.
 *
 * A shape rule reads the facts of the operands (cx->in) and the attributes
 * (cx->node), checks what the operation asks of shapes and of known elements, and sets every
 * output. It is called while a graph is built, with what is known then, and at run time with exact
 * operands; so it must give something useful at every degree of ignorance: a rank may be unknown
 * (-1), a dim an interval, the elements unknown (NULL). Operand types, arity and attributes were
 * checked against the row before. It fails only on a proven contradiction. */
struct inlay_infer {
    const inlay_node *node;
    const inlay_fact *const *in; /* NULL entry: an absent optional input */
    int n_in;
    inlay_fact *out; /* set by the functions below */
    int n_out;
    inlay_arena *arena; /* what outputs point to lives here */
    uint32_t
        *next_id; /* where new identities of dims come from; NULL: there are none at run time */
    inlay_diags *diags;
};

/* Records an error at the node; always false. */
INLAY_API bool inlay_infer_fail(inlay_infer *cx, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* The shape of input I as a working copy. */
INLAY_API void inlay_infer_shape(const inlay_infer *cx, int i, inlay_shape *out);
/* The elements of input I, when all are known and they are at most MAX: then *N of them are in OUT.
 */
INLAY_API bool inlay_infer_ints(const inlay_infer *cx, int i, int64_t *out, int max, int *n);
/* AXIS in [-rank, rank - 1] made non-negative; WHAT names it in the error: "axis", "axes[1]". */
INLAY_API bool inlay_infer_axis(inlay_infer *cx, const char *what, int64_t axis, int rank,
                                int *out);
/* The shape of inputs I and J broadcast together. MODE: "numpy", "none", "pdpd". */
INLAY_API bool inlay_infer_broadcast(inlay_infer *cx, int i, int j, const char *mode,
                                     inlay_shape *out);
/* Sets output I, whose dims get identities where they have none. */
INLAY_API bool inlay_infer_set_out(inlay_infer *cx, int i, inlay_type type, const inlay_shape *s);
INLAY_API bool inlay_infer_set_out_like(inlay_infer *cx, int i, int in); /* as input IN */
/* What is known of the elements of output I, small integers: N intervals (more than INLAY_MAX_KNOWN
 * are forgotten). */
INLAY_API bool inlay_infer_set_known(inlay_infer *cx, int i, const inlay_dim *elements, int n);

#ifdef __cplusplus
}
#endif

#endif
