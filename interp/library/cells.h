/* One step of a recurrent net of f32: what becomes of the sums that its gates see. They are made in
 * the order of the plain kernel, so that they have its bits. */
#ifndef INLAY_LIBRARY_CELLS_H
#define INLAY_LIBRARY_CELLS_H

#include "interp/kernels/recurrent.h"

/* A step of one batch in direction DIR. What gates see has a line of all of them, BLOCK by BLOCK.
 */
typedef struct cell_step {
    const net *p;
    int dir;
    const float *data;       /* what gates see of the data, */
    float *state;            /* and of the state; it is written over */
    const float *bias;       /* the sum of both biases */
    const float *state_bias; /* of a GRU's new state, where that has one of its own; else zeros */
    float *reset;            /* of a GRU: the state through its reset gate */
    const float *through;    /* what gates see of that */
    float *h, *c;            /* the state, which becomes the next one; c of an LSTM */
} cell_step;

/* A kind of cell. */
typedef struct cell {
    int gates, activations; /* of a direction */
    /* Computes what does not need the state through the reset gate; BEHIND, the rest. */
    void (*step)(const cell_step *s);
    void (*behind)(const cell_step *s); /* NULL: there is none */
} cell;

/* Returns the cell of P. */
const cell *cell_of(const net *p);
/* Returns whether its activations are ones that these functions have. */
bool cell_is_usual(const net *p);

#endif
