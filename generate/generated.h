/* A generated graph with constraints on its inputs. Private to this folder and to tests. */
#ifndef INLAY_GENERATE_GENERATED_H
#define INLAY_GENERATE_GENERATED_H

#include "generate/generate.h"
#include "generate/rng.h"

enum { GENERATE_MAX_INPUTS = 16 };

typedef struct generated_graph {
    inlay_graph *graph; /* the caller frees it */
    /* The constraint for each Parameter: dims, and for index operands the bounds of elements. */
    struct generated_input {
        int rank;
        int64_t dims[INLAY_MAX_RANK];
        int64_t lo, hi;
    } inputs[GENERATE_MAX_INPUTS];
} generated_graph;

/* inlay_generate with these constraints. False: OUT has no graph. */
bool generate_graph(const inlay_generate_options *o, generated_graph *out, inlay_diags *d);
/* Makes a tensor for Parameter I: small integers, within their bounds for index operands. NULL: out
 * of memory. */
inlay_tensor *generate_input(const generated_graph *g, int i, rng *r);

/* Makes less known in the graph of G: constants become inputs, and sizes are opened, of inputs
 * (some of which get names), of variables, and of operands of bodies. Tensors of generate_input
 * still fit. False: an error. */
bool generate_open(generated_graph *g, rng *r, inlay_diags *d);
/* Makes a tensor for Parameter I with sizes that shape rules may refuse if the graph leaves them
 * open; sometimes with other sizes than the known ones. NULL: out of memory. */
inlay_tensor *generate_misfit(const generated_graph *g, int i, rng *r);

#endif
