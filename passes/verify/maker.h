/* The making of inputs, which inputs.c leads and its neighbours do the parts of. */
#ifndef INLAY_PASSES_VERIFY_MAKER_H
#define INLAY_PASSES_VERIFY_MAKER_H

#include "passes/verify/verify.h"

typedef struct verify_maker {
    const verify_request *r;
    const inlay_graph *g;
    const inlay_make_options *o;
    /* by Parameter of the graph */
    inlay_tensor **in;
    bool *given; /* by the caller: nothing is to be chosen */
    verify_dims *dims;
    verify_want *wants;
    verify_assumption *assumed; /* what the probes are told */
    verify_probe probe, other;  /* of the graph, and of the request's other one */
    int64_t *sizes;             /* by dim id: the size that each got; -1: none yet */
    uint32_t n_sizes;
    uint64_t state;  /* of random sizes */
    int n_open;      /* open dimensions that got a size */
    int64_t largest; /* no open dimension need be larger */
    uint64_t bytes;  /* of what was given and what was made */
    inlay_diags *diags;
} verify_maker;

/* sizes.c */
/* Of input I; a Parameter of any type gets floats. */
inlay_type verify_type(const inlay_graph *g, int i);
/* Dims of tensors that are given, and shapes that are asked for, fix the sizes of their identities.
 */
void verify_learn_sizes(verify_maker *m);
/* The dims of all inputs as the trial wants them. Where the inputs would become large, large sizes
 * are left out. */
bool verify_choose_sizes(verify_maker *m);

/* Of input I what is settled before a size is chosen: by its Parameter, by the caller, by sizes
 * that were learned. */
void verify_assume_declared(verify_maker *m, int i);

/* fills.c */
/* Writes what the caller asked for to T, which is input I. */
bool verify_fill_as_asked(verify_maker *m, int i, inlay_tensor *t, uint64_t seed);

/* draw.c */
/* The caller leaves the elements of input I to the trial. */
bool verify_is_random(const verify_maker *m, int i);
/* Finds out what is wanted of each input when what is assumed holds. */
bool verify_want_inputs(verify_maker *m);
/* A tensor for input I, of its dims, with elements the way TRIAL says, others in each ATTEMPT; NULL
 * and an error when there is no memory. */
inlay_tensor *verify_draw(verify_maker *m, int i, const verify_trial *trial, uint64_t attempt);
/* Makes the inputs that are not there yet, but for what the caller will give later. */
bool verify_draw_rest(verify_maker *m);

/* fit.c */
/* Looks for sizes and elements that the shape rules accept, and that are otherwise as the trial
 * wants them. What it finds become the dims of the inputs and those of their tensors whose elements
 * the rules ask for; the others are still to be drawn. *FOUND is false when it finds none; nothing
 * is changed then. */
bool verify_fit(verify_maker *m, bool *found);

#endif
