/* A made-up graph with what its inputs must be like. Private to this folder and to tests. */
#ifndef INLAY_GENERATE_GENERATED_H
#define INLAY_GENERATE_GENERATED_H

#include "generate/generate.h"
#include "generate/rng.h"

enum { GENERATE_MAX_INPUTS = 16 };

typedef struct generated_graph {
    inlay_graph *graph; /* the caller's to free */
    /* What a tensor for each Parameter must be like: dims, and for index operands the bounds. */
    struct generated_input {
        int rank;
        int64_t dims[INLAY_MAX_RANK];
        int64_t lo, hi;
    } inputs[GENERATE_MAX_INPUTS];
} generated_graph;

/* inlay_generate with that. False: OUT holds no graph. */
bool generate_graph(const inlay_generate_options *o, generated_graph *out, inlay_diags *d);
/* A tensor for Parameter I: small integers, for index operands within their bounds. NULL: no
 * memory. */
inlay_tensor *generate_input(const generated_graph *g, int i, rng *r);

/* The graph of G knows less: constants become inputs, and sizes are forgotten of inputs, some of
 * which get names, of variables, and of what bodies are given. What generate_input makes fits as
 * before. False: an error. */
bool generate_open(generated_graph *g, rng *r, inlay_diags *d);
/* A tensor for Parameter I whose sizes the shape rules may refuse where the graph does not know
 * them; sometimes those that it knows. NULL: no memory. */
inlay_tensor *generate_misfit(const generated_graph *g, int i, rng *r);

#endif
