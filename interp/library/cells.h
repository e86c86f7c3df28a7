/* One step of a recurrent net of f32: computes the next state from the sums that its gates get, in
 * the order of the plain kernel, so that the bits are the same. */
#ifndef INLAY_LIBRARY_CELLS_H
#define INLAY_LIBRARY_CELLS_H

#include "interp/kernels/recurrent.h"

/* A step of one batch in direction DIR, for N elements of the state from element FROM on. Sums for
 * the gates have a line for each element, block by block. */
typedef struct cell_step {
    const net *p;
    int dir;
    int64_t from, n;
    const float *data;       /* sums of the gates from the data, */
    float *state;            /* and from the state; overwritten */
    int64_t apart;           /* is the distance of its lines */
    const float *bias;       /* the sum of both biases */
    const float *state_bias; /* for a GRU's new state, if that has its own; else zeros */
    const float *h;          /* the state */
    float *next, *c;         /* and the next one; c of an LSTM is overwritten */
    float *reset;            /* for a GRU: the state after the reset gate */
} cell_step;

/* A kind of cell. */
typedef struct cell {
    int gates, activations; /* for each direction */
    /* Computes everything that does not need the state after the reset gate; BEHIND, the rest. */
    void (*step)(const cell_step *s);
    void (*behind)(const cell_step *s); /* NULL: there is none */
} cell;

/* Returns the kind of cell of P. */
const cell *cell_of(const net *p);
/* Do these functions implement its activations? */
bool cell_is_usual(const net *p);

#endif
