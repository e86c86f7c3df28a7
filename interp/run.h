/* What stands behind a call: memory accounting, bodies, variables. Private to interp/. */
#ifndef INLAY_INTERP_RUN_H
#define INLAY_INTERP_RUN_H

#include "interp/interp.h"
#include "interp/kernel.h"

/* Counts the bytes of tensors that a session, or one call of an evaluator, has made and that are
 * still alive. Tensors hold the meter, so they may outlive the session. Atomic. */
typedef struct inlay_meter inlay_meter;

/* LIMIT 0: none. NULL when out of memory. One reference. */
inlay_meter *meter_new(uint64_t limit, bool poison);
void meter_release(inlay_meter *m);
uint64_t meter_now(const inlay_meter *m);
uint64_t meter_peak(const inlay_meter *m);
void meter_reset_peak(inlay_meter *m);
/* Whether SIZE more bytes stay within the limit; when not, the error names NODE (or NULL). */
bool meter_fits(const inlay_meter *m, uint64_t size, const inlay_node *node, inlay_diags *d);
/* A dense zeroed tensor that M counts. NULL after recording the error at NODE (may be NULL). */
inlay_tensor *meter_tensor(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                           const inlay_node *node, inlay_diags *d);

typedef struct inlay_plan inlay_plan;

/* One invocation of one graph. */
struct inlay_run {
    inlay_meter *meter;
    inlay_exec_stats *stats;        /* counters of the whole run */
    const inlay_tensor *const *in;  /* one per Parameter */
    inlay_plan *const *bodies;      /* of the node being run, one per body */
    const inlay_tensor **state;     /* one per variable, as this invocation began; NULL: reset */
    const inlay_tensor **pending;   /* what Assign of this invocation stored; NULL: nothing */
    const inlay_tensor **variables; /* the newest state, which the end of an invocation changes */
};

/* Output I is T itself (retained), no bytes are copied. For nodes whose outputs the executor does
 * not make beforehand: see run_adopts. */
bool call_adopt(inlay_call *c, int i, const inlay_tensor *t);
/* Whether the kernel of OP hands over tensors that exist already instead of filling outputs. */
bool run_adopts(const inlay_op *op);
/* Records that SIZE bytes were copied whose value already stood in memory. */
void call_copied(inlay_call *c, uint64_t size);

/* Runs one invocation of a body with IN (one per Parameter); OUT gets one tensor per Result. */
bool run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);

#endif
