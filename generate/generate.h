/* Generates valid graphs: an operation is added only if inference accepts its operands, and a graph
 * is a pure function of its options, the same on every machine. An excerpt of a graph as text:
 *
 *     %p = Parameter-1 {element_type = f32, shape = [4,3]}
 *     %Slice = Slice-8(%p, ...)                 one call of a maker: reads a window,
 *     %ReLU = ReLU-1(%Slice)                    another one: computes on it,
 *     %SliceScatter = SliceScatter-15(...)      a third one: writes it back
 *     %r = Result-1(%SliceScatter)
 *
 * A maker (make.h) takes existing values and builds one node or a few; makers are drawn by weight
 * (generate.c has the table). Nothing is printed, and no state is kept. */
#ifndef INLAY_GENERATE_H
#define INLAY_GENERATE_H

#include "ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What most nodes of a graph are. */
typedef enum inlay_generate_mix {
    INLAY_GENERATE_WINDOWS, /* slices, computations on them, and writes back; chains and forks of
                               these */
    INLAY_GENERATE_MOVES,   /* what rewrite rules match: windows, joins, transposes, pads, gathers
                               and scatters of one another, with the same few windows and indices */
    INLAY_GENERATE_SIZES,   /* values whose sizes are known only in the run, and computations on
                               them */
    INLAY_GENERATE_ROWS,    /* all rows of the table, also in bodies; sizes are 0, 1, 2, 3, 5, 8,
                               16, 17. These graphs are never safe */
    INLAY_GENERATE_PLACES,  /* results with other shapes than the window or part that they are
                               written to, layers, and positions that are partly known only in the
                               run */
    INLAY_GENERATE_MIXES
} inlay_generate_mix;

/* How much a graph says about the sizes of its inputs. */
typedef enum inlay_generate_shapes {
    INLAY_GENERATE_SOME_OPEN, /* one graph in three leaves some sizes open */
    INLAY_GENERATE_STATIC,    /* all sizes are known */
    INLAY_GENERATE_OPEN       /* some are unknown, for some inputs even the rank */
} inlay_generate_shapes;

typedef struct inlay_generate_options {
    uint64_t seed;
    inlay_generate_mix mix;
    inlay_generate_shapes shapes;
    int nodes; /* least number of nodes that compute something; 0: a few, by the seed */
    const char *const *families; /* of operations, NULL at the end; NULL: all that makers can use */
    unsigned without;            /* inlay_op_flags that no operation may have */
    bool variables;              /* one graph in two has some */
    bool safe; /* no run on inputs within their bounds fails; else an index may be out of range, or
                  an integer divided by zero */
} inlay_generate_options;

/* Generates the graph of O, which the caller frees. NULL and an error when memory ran out, or O
 * excludes all operations of the makers. A run of the graph may fail: an index may be out of range
 * by one, or an integer divided by zero. */
INLAY_API inlay_graph *inlay_generate(const inlay_generate_options *o, inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif
