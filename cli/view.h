/* What the files of `inlay view` share. */
#ifndef INLAY_CLI_VIEW_H
#define INLAY_CLI_VIEW_H

#include "cli/cli.h"

struct view {
    const cli_command *self;
    cli_model_options model;
    cli_input_options inputs;
    const char *out, *bench;
    bool time, values, steps;
};

/* view_dot.c: the program dot */

typedef struct view_dot {
    double left_ms; /* dot may take so much more time */
    char why[160];  /* why it is not asked any more; or empty */
    inlay_diags *d; /* records that memory is lacking */
} view_dot;

/* The `place` of inlay_view_options; CTX is a view_dot. */
bool view_ask_dot(void *ctx, const char *dot, size_t n, inlay_strbuf *plain);

/* view_numbers.c: what colours the boxes */

typedef struct view_numbers {
    inlay_view_overlay overlays[2];
    size_t n;
} view_numbers;

/* Measures what O asks for on G: the times of its steps, and the errors of its values against OTHER
 * (NULL: against the reference). The caller frees OUT by view_free_numbers, also after an error. */
bool view_measure(const struct view *o, inlay_graph *g, const inlay_graph *other, view_numbers *out,
                  inlay_diags *d);
void view_free_numbers(view_numbers *n);

/* view_bodies.c: values of bodies */

typedef struct view_bodies {
    const inlay_diff *diff;
    const inlay_evaluator *first, *second; /* of the first graph and of the second */
    /* X is a value of A's body, Y the one of node B. */
    void (*add)(void *ctx, const inlay_node *b, const inlay_tensor *x, const inlay_tensor *y);
    void *ctx;
} view_bodies;

/* Compares the values that the first iteration of A and B computes, or the branch that is taken, on
 * the OPERANDS of A, of which those that are not known are NULL. What cannot be run is left out; false
 * without memory. */
bool view_compare_bodies(const view_bodies *v, const inlay_node *a, const inlay_node *b,
                         const inlay_tensor *const *operands, inlay_diags *d);

#endif
