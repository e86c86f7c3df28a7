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

#ifdef __cplusplus
extern "C" {
#endif

/* What graphs are full of. */
typedef enum inlay_generate_mix {
    INLAY_GENERATE_WINDOWS, /* slices that are computed on and written back, chains and forks of
                               them */
    INLAY_GENERATE_MOVES,   /* what rules take: windows, joins, transposes, pads, gathers and
                               scatters of each other, on the same few windows and indices */
    INLAY_GENERATE_SIZES,   /* values whose sizes only the run tells, and what is computed with
                               them */
    INLAY_GENERATE_ROWS,    /* all rows of the table, in bodies too; sizes are 0, 1, 2, 3, 5, 8, 16,
                               17. No graph of them is safe */
    INLAY_GENERATE_PLACES,  /* what is computed in other shapes than those of the window or part it
                               goes into, layers, and places that the run says in part */
    INLAY_GENERATE_MIXES
} inlay_generate_mix;

/* What a graph says of the sizes of its inputs. */
typedef enum inlay_generate_shapes {
    INLAY_GENERATE_SOME_OPEN, /* one graph in three leaves some open */
    INLAY_GENERATE_STATIC,    /* all sizes are known */
    INLAY_GENERATE_OPEN       /* some are not known, of some not even the rank */
} inlay_generate_shapes;

typedef struct inlay_generate_options {
    uint64_t seed;
    inlay_generate_mix mix;
    inlay_generate_shapes shapes;
    int nodes; /* at least so many that compute something; 0: a few, as the seed has it */
    const char *const *families; /* of operations, NULL at the end; NULL: all that makers know */
    unsigned without;            /* inlay_op_flags that no operation may have */
    bool variables;              /* one graph in two has some */
    bool safe; /* no run on inputs within their bounds fails; else an index may be out of range, an
                  integer divided by zero */
} inlay_generate_options;

/* The graph of O, the caller's to free. NULL and an error when memory ran out, or O allows nothing
 * that a maker makes. A run of the graph may fail: an index may be out of range by one, an integer
 * be divided by zero. */
INLAY_API inlay_graph *inlay_generate(const inlay_generate_options *o, inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif
