/* Makes inputs: inputs.c is the entry, the other files do the parts. */
#ifndef INLAY_PASSES_VERIFY_MAKER_H
#define INLAY_PASSES_VERIFY_MAKER_H

#include "passes/verify/verify.h"

typedef struct verify_maker {
    const verify_request *r;
    const inlay_graph *g;
    const inlay_make_options *o;
    /* by Parameter of the graph */
    inlay_tensor **in;
    bool *given; /* given by the caller: not to be chosen */
    verify_dims *dims;
    verify_want *wants;
    verify_assumption *assumed; /* what the probes assume */
    verify_probe probe, other;  /* of the graph, and of the request's other one */
    int64_t *sizes;             /* by dim id: its chosen size; -1: none yet */
    uint32_t n_sizes;
    uint64_t state;  /* of random sizes */
    int n_open;      /* open dimensions that got a size */
    int64_t largest; /* the largest size that an open dimension needs */
    uint64_t bytes;  /* of given and made tensors */
    inlay_diags *diags;
} verify_maker;

/* sizes.c */
/* Returns the type of input I; f32 for a Parameter of any type. */
inlay_type verify_type(const inlay_graph *g, int i);
/* Sets sizes of identities from the dims of given tensors and requested shapes. */
void verify_learn_sizes(verify_maker *m);
/* Chooses the dims of all inputs for the trial. If the inputs would become large, leaves out large
 * sizes. */
bool verify_choose_sizes(verify_maker *m);

/* Assumes of input I what is settled before sizes are chosen: by its Parameter, by the caller, by
 * sizes learned. */
void verify_assume_declared(verify_maker *m, int i);

/* fills.c */
/* Writes what the caller requested to T, which is input I. */
bool verify_fill_as_asked(verify_maker *m, int i, inlay_tensor *t, uint64_t seed);

/* draw.c */
/* Does the caller leave the elements of input I to the trial? */
bool verify_is_random(const verify_maker *m, int i);
/* Finds the constraints on each input under the assumptions. */
bool verify_want_inputs(verify_maker *m);
/* Makes a tensor for input I, of its dims, with elements by TRIAL, different ones in each ATTEMPT;
 * NULL and an error when out of memory. */
inlay_tensor *verify_draw(verify_maker *m, int i, const verify_trial *trial, uint64_t attempt);
/* Makes the inputs that are missing, except those that the caller will give later. */
bool verify_draw_rest(verify_maker *m);

/* fit.c */
/* Looks for sizes and elements that the shape rules accept, and that otherwise follow the trial.
 * They become the dims of the inputs, and the tensors of those whose elements the rules need; the
 * others are still to be drawn. *FOUND is false when there are none; nothing is changed then. */
bool verify_fit(verify_maker *m, bool *found);

#endif
