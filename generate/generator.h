/* The graph under construction, and what all makers use. Private to generate/.
 *
 * After a failure, which is recorded once in diags, builders return NULL and adding has no effect:
 * a maker needs no checks, and no further one is called. */
#ifndef INLAY_GENERATE_GENERATOR_H
#define INLAY_GENERATE_GENERATOR_H

#include "generate/generated.h"
#include "ir/shared.h"

/* A value and the shape that it has in every run. */
typedef struct gen_value {
    inlay_value *value;
    int rank;
    int64_t dims[INLAY_MAX_RANK];
} gen_value;

/* Start, stop, step and axes of a window on a value, and the dims of what it selects. */
typedef struct gen_window {
    inlay_value *in[4];
    inlay_window at[4]; /* by listed axis */
    int64_t axes[4], sizes[4], dims[INLAY_MAX_RANK], of[INLAY_MAX_RANK];
    int n, rank;
} gen_window;

enum { GEN_WINDOWS_KEPT = 6 };

typedef struct generator {
    rng r;
    const inlay_generate_options *o;
    generated_graph *out;
    inlay_graph *graph;
    inlay_diags *diags;
    bool failed;
    bool inner;      /* the graph is a body, whose only outer values are its two inputs */
    inlay_type type; /* of the elements of most values */
    int rank;
    int64_t dims[INLAY_MAX_RANK]; /* of the tensors that windows are taken from */
    bool open;                    /* the graph leaves some sizes of its inputs open */
    gen_value *values;
    int n, room;
    gen_window windows[GEN_WINDOWS_KEPT]; /* the most recent ones, to be used again */
    int n_windows;
} generator;

/* pool.c: existing values */

int64_t gen_count(const gen_value *v); /* elements */
bool gen_is_small(const gen_value *v); /* small enough to be enlarged */
/* Adds V, which has this shape in every run, to the values that may become operands. */
gen_value gen_add(generator *g, inlay_value *v, int rank, const int64_t *dims);
/* Draws a value, most often a recent one, so that chains arise. */
gen_value gen_any(generator *g);
/* Draws a value to take windows from. */
gen_value gen_whole(generator *g);
/* Looks for a value of these dims. False: it met none. */
bool gen_same_dims(generator *g, int rank, const int64_t *dims, gen_value *out);
/* The same; a constant if it met none. */
inlay_value *gen_of_dims(generator *g, int rank, const int64_t *dims);

/* build.c: nodes */

/* Do the options allow the operation NAME? */
bool gen_allows(const generator *g, const char *name);
bool gen_allows_row(const generator *g, const inlay_op *op);
/* Can G use OP with N_IN operands (-1: any number)? */
typedef bool gen_row_test(const generator *g, const inlay_op *op, int n_in);
/* Draws one of the suitable rows; NULL: there is none. Each row gets a number, a hash of the next
 * random number and its own name and version, and the highest wins (rendezvous hashing): so a graph
 * does not change when the table gets a row, unless the new row wins. */
const inlay_op *gen_draw_row(generator *g, gen_row_test *suits, int n_in);
/* Makes a node of the newest version, or VERSION; it may have several outputs. NULL after a
 * failure. */
inlay_node *gen_node(generator *g, const char *name, const char *version, inlay_value *const *in,
                     int n_in, const char *attrs);
/* The first output of a new node of the newest version. */
inlay_value *gen_build(generator *g, const char *name, inlay_value *const *in, int n_in,
                       const char *attrs);
inlay_value *gen_constant(generator *g, int rank, const int64_t *dims);
inlay_value *gen_ints(generator *g, int n, const int64_t *x); /* i64, rank 1 */
inlay_value *gen_ints_of(generator *g, int rank, const int64_t *dims, const int64_t *x);
inlay_value *gen_scalar(generator *g, int64_t x);
inlay_value *gen_convert(generator *g, inlay_value *v, inlay_type type);
/* Makes an input of these dims; as an index operand its elements are in [LO, HI]. OPEN: the graph
 * may leave sizes open. */
inlay_value *gen_parameter(generator *g, inlay_type type, int rank, const int64_t *dims, bool open,
                           int64_t lo, int64_t hi);
/* May the graph have another input? */
bool gen_has_room(const generator *g);
/* Sets attribute ATTR of N, of G or of a body in it, to shape S if inference agrees; else leaves
 * it. False: an error. */
bool gen_try_shape(inlay_graph *g, inlay_node *n, const char *attr, const inlay_shape *s,
                   inlay_diags *d);

/* window.c: windows */

/* Draws a window of D, which has an element; perhaps a recent one. */
gen_window gen_make_window(generator *g, const gen_value *d);
/* Gives W new operands, equal to the old ones or made from its changed fields. */
void gen_window_operands(generator *g, gen_window *w);
/* Changes W to a mirrored window, or shifts it by one, or by its own length. */
void gen_other_window(generator *g, gen_window *w);
/* Reduces W to one row. */
void gen_first_row(generator *g, gen_window *w);
gen_value gen_slice(generator *g, const gen_value *d, const gen_window *w);
void gen_scatter(generator *g, const gen_value *d, inlay_value *updates, const gen_window *w);

#endif
