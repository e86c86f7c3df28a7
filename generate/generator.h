/* The graph being made up, and what all makers use. Private to generate/.
 *
 * After a failure, which is recorded once in diags, builders give NULL and adding does nothing: a
 * maker needs no checks, and no other one is called. */
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

/* Start, stop, step and axes of a window on a value, and the dims of what it selects there. */
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
    bool inner;      /* the graph is a body: what it has of the outside are its two inputs */
    inlay_type type; /* of the elements of most values */
    int rank;
    int64_t dims[INLAY_MAX_RANK]; /* of the tensors that windows are cut from */
    bool open;                    /* the graph leaves some sizes of its inputs open */
    gen_value *values;
    int n, room;
    gen_window windows[GEN_WINDOWS_KEPT]; /* the last ones, to be taken again */
    int n_windows;
} generator;

/* pool.c: values that are there */

int64_t gen_count(const gen_value *v); /* elements */
bool gen_is_small(const gen_value *v); /* small enough to be made larger */
/* V has this shape in every run, and may be an operand from now on. */
gen_value gen_add(generator *g, inlay_value *v, int rank, const int64_t *dims);
/* Any value; a new one most of the time, so that chains come about. */
gen_value gen_any(generator *g);
/* One that windows are cut from. */
gen_value gen_whole(generator *g);
/* Some value of these dims. False: none was met. */
bool gen_same_dims(generator *g, int rank, const int64_t *dims, gen_value *out);
/* The same, else a constant. */
inlay_value *gen_of_dims(generator *g, int rank, const int64_t *dims);

/* build.c: nodes */

/* The options allow the operation NAME. */
bool gen_allows(const generator *g, const char *name);
bool gen_allows_row(const generator *g, const inlay_op *op);
/* OP can stand in G on N_IN operands; -1: on any number. */
typedef bool gen_row_test(const generator *g, const inlay_op *op, int n_in);
/* One of the rows that suit; NULL: none does. Each row draws a number, of the next random one and
 * its own name and version, and the highest wins (rendezvous hashing): a graph remains what it is
 * when the table gets a row, unless the new one wins there. */
const inlay_op *gen_draw_row(generator *g, gen_row_test *suits, int n_in);
/* The newest version, or VERSION; several outputs are n->out. NULL after a failure. */
inlay_node *gen_node(generator *g, const char *name, const char *version, inlay_value *const *in,
                     int n_in, const char *attrs);
/* The first output of that, of the newest version. */
inlay_value *gen_build(generator *g, const char *name, inlay_value *const *in, int n_in,
                       const char *attrs);
inlay_value *gen_constant(generator *g, int rank, const int64_t *dims);
inlay_value *gen_ints(generator *g, int n, const int64_t *x); /* i64, rank 1 */
inlay_value *gen_ints_of(generator *g, int rank, const int64_t *dims, const int64_t *x);
inlay_value *gen_scalar(generator *g, int64_t x);
inlay_value *gen_convert(generator *g, inlay_value *v, inlay_type type);
/* An input of these dims whose elements, for an index operand, lie in [LO, HI]. OPEN: the graph may
 * leave sizes open. */
inlay_value *gen_parameter(generator *g, inlay_type type, int rank, const int64_t *dims, bool open,
                           int64_t lo, int64_t hi);
/* There may be another input. */
bool gen_has_room(const generator *g);
/* N, of G or of a body in it, has shape S as its attribute ATTR if inference agrees; else
 * it keeps the one that it has. False: an error. */
bool gen_try_shape(inlay_graph *g, inlay_node *n, const char *attr, const inlay_shape *s,
                   inlay_diags *d);

/* window.c: windows */

/* One of D, which has an element; perhaps one that was there before. */
gen_window gen_make_window(generator *g, const gen_value *d);
/* W has new operands: equal ones, or those of what its fields were changed to. */
void gen_window_operands(generator *g, gen_window *w);
/* W gets the same form, but mirrored, or one further on, or right behind. */
void gen_other_window(generator *g, gen_window *w);
/* One row of W. */
void gen_first_row(generator *g, gen_window *w);
gen_value gen_slice(generator *g, const gen_value *d, const gen_window *w);
void gen_scatter(generator *g, const gen_value *d, inlay_value *updates, const gen_window *w);

#endif
