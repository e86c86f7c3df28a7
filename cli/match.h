/* `inlay verify A B --match`: where do two graphs differ that have no names in common? */
#ifndef INLAY_CLI_MATCH_H
#define INLAY_CLI_MATCH_H

#include "cli/cli.h"

enum { MATCH_DRAWS = 3 };

/* Numbers that are larger stand for infinity, as those of masks do. */
#define MATCH_HUGE 1e30

/* Rows for an option table. */
#define MATCH_OPTIONS(pieces, errors)                                                              \
    {"--match", NULL,                                                                              \
     "for graphs whose names and nodes differ, as another optimiser writes them: pair the "        \
     "values inside that are equal on made-up inputs (rtol 1e-4, atol 1e-6), and show the "        \
     "first piece between such pairs that differs",                                                \
     .flag = &(pieces)},                                                                           \
    {                                                                                              \
        "--errors", NULL,                                                                          \
            "for graphs that are not meant to be equal, such as one of floats and one of 8 bits: " \
            "the "                                                                                 \
            "error of each value inside of B beside the nearest one of A, the worst first",        \
            .flag = &(errors)                                                                      \
    }

/* What is quickly compared of a tensor: the sum of its elements times weights that depend on their
 * places, and the square root of the sum of squares. */
typedef struct match_print {
    double sum, size;
} match_print;

/* A value of the outermost graph. */
typedef struct match_value {
    const inlay_value *v;
    inlay_tensor *t[MATCH_DRAWS]; /* NULL: it is not computed */
    match_print print[MATCH_DRAWS];
    bool varies; /* it depends on an input */
    bool bad;    /* it has no counterpart, and outputs that differ depend on it */
    int depth;   /* how many bad values are on the longest way that leads to it */
    int pair;    /* the index of its counterpart; -1: none */
    int repeats; /* the index of what it is equal to as its operand is; -1: none */
} match_value;

typedef struct match_side {
    const inlay_graph *g;
    inlay_order_list order;
    match_value *values; /* in that order */
    int n;
    int *first;        /* by the id of a node: the index of its output 0 */
    char failure[512]; /* why the first value that is not computed is not; or empty */
} match_side;

/* A value of A and one of B that should be equal, and are not although what they are computed of
 * is. -1: there is none. */
typedef struct match_piece {
    int a, b;
} match_piece;

typedef struct match {
    match_side a, b;
    inlay_evaluator ev;
    int draws;
    int draw; /* the first in which an output differs */
    double rtol, atol;
    uint64_t max_memory, held;
    int *outputs; /* for each output of B the one of A */
    bool near;    /* a table of errors is wanted */
    match_piece piece;
} match;

/* match.c: computes the values of both graphs on IN[draw], inputs of A, and pairs them. */
bool match_graphs(match *m, inlay_tensor **const *in, inlay_diags *d);
void match_free(match *m);
/* Pairs what has no counterpart with what is near it, for a table of errors. */
void match_pair_near(match *m);
/* The value that output I of the side reads. */
int match_output(const match_side *s, int i);
/* The index of V. */
int match_index(const match_side *s, const inlay_value *v);
match_print match_print_of(const inlay_tensor *t);
/* Are the elements of X and Y equal within the tolerance, whatever their shapes are? */
bool match_equal(const match *m, const inlay_tensor *x, const match_print *px,
                 const inlay_tensor *y, const match_print *py);
/* The root of the mean square of the difference of X and Y, over that of X; 1 where X is all zero. */
double match_error(const inlay_tensor *x, const inlay_tensor *y);
/* Have X and Y as many elements, of a comparable kind? */
bool match_comparable(const inlay_tensor *x, const inlay_tensor *y);
/* Does N compute no elements? */
bool match_only_moves(const inlay_node *n);
bool match_same_dims(const inlay_tensor *x, const inlay_tensor *y);
bool match_output_differs(const match *m, int i);
size_t match_differing(const match *m);
int match_draw(const match *m);

/* match_piece.c: finds the first piece that differs. */
bool match_find_piece(match *m, inlay_diags *d);
/* Marks in IN the values of A, or of B if SECOND, that are computed in the piece. */
void match_mark_piece(const match *m, bool second, bool *in);

/* match_tell.c: prints the result; returns the exit status. */
int match_tell(const match *m, bool json, inlay_diags *d);

#endif
