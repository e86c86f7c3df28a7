/* One step of a recurrent net of f32: what becomes of the sums that its gates see. They are made in
 * the order of the plain kernel, so that they have its bits. */
#ifndef INLAY_LIBRARY_CELLS_H
#define INLAY_LIBRARY_CELLS_H

#include "interp/kernels/recurrent.h"

/* A step of one batch in direction DIR: N elements of the state from element FROM on. What gates
 * see has a line for each of them, BLOCK by BLOCK. */
typedef struct cell_step {
    const net *p;
    int dir;
    int64_t from, n;
    const float *data;       /* what gates see of the data, */
    float *state;            /* and of the state; it is written over */
    int64_t apart;           /* are its lines */
    const float *bias;       /* the sum of both biases */
    const float *state_bias; /* of a GRU's new state, where that has one of its own; else zeros */
    const float *h;          /* the state, */
    float *next, *c;         /* and what it becomes; c of an LSTM is written over */
    float *reset;            /* of a GRU: the state through its reset gate */
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
