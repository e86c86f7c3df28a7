/* Makes up graphs that are valid: an operation is built only where inference takes its operands,
 * and a graph is a pure function of its options, the same on every machine. Of the graph as text:
 *
 *     %p = Parameter-1 {element_type = f32, shape = [4,3]}
 *     %Slice = Slice-8(%p, ...)                 one call of a maker: a window is read,
 *     %ReLU = ReLU-1(%Slice)                    another one: computed on,
 *     %SliceScatter = SliceScatter-15(...)      a third one: written back
 *     %r = Result-1(%SliceScatter)
 *
 * A maker (make.h) takes values that are there and builds a node or a few of them; which one is
 * called is drawn by its weight (generate.c has the table). Nothing is printed, no state is kept.
 */
#ifndef INLAY_GENERATE_H
#define INLAY_GENERATE_H

#include "ir/ir.h"
#include "tests/generate/rng.h"

/* What graphs are full of. */
typedef enum generate_mix {
    GENERATE_WINDOWS, /* slices that are computed on and written back, chains and forks of them */
    GENERATE_MOVES,   /* what rules take: windows, joins, transposes, pads, gathers and scatters of
                         each other, on the same few windows and indices */
    GENERATE_SIZES,   /* values whose sizes only the run tells, and what is computed with them */
    GENERATE_MIXES
} generate_mix;

/* What a graph says of the sizes of its inputs. */
typedef enum generate_shapes {
    GENERATE_SOME_OPEN, /* one graph in three leaves some open */
    GENERATE_STATIC,    /* all sizes are known */
    GENERATE_OPEN       /* some are not known, of some not even the rank */
} generate_shapes;

typedef struct generate_options {
    uint64_t seed;
    generate_mix mix;
    generate_shapes shapes;
    int nodes; /* at least so many that compute something; 0: a few, as the seed has it */
    const char *const *families; /* of operations, NULL at the end; NULL: all that makers know */
    unsigned without;            /* inlay_op_flags that no operation may have */
    bool variables;              /* one graph in two has some */
    bool safe; /* no run on inputs of generate_input fails; else an index may be out of range, an
                  integer divided by zero */
} generate_options;

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

/* The graph of O. False and an error when memory ran out, or O allows nothing that a maker makes;
 * then OUT holds no graph. A run of the graph may fail: an index may be out of range by one, an
 * integer be divided by zero. */
bool generate_graph(const generate_options *o, generated_graph *out, inlay_diags *d);
/* A tensor for Parameter I: small integers, for index operands within their bounds. NULL: no
 * memory. */
inlay_tensor *generate_input(const generated_graph *g, int i, rng *r);

#endif
