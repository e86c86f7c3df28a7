/* The operands of recurrent nets. Private to the kernels. */
#ifndef INLAY_KERNELS_RECURRENT_H
#define INLAY_KERNELS_RECURRENT_H

#include "interp/call/kernel.h"

typedef enum net_kind { LSTM, GRU, RNN } net_kind;

enum { GATE_F, GATE_I, GATE_C, GATE_O, GATES };
enum { GATE_Z, GATE_R, GATE_H };
enum { MAX_GATES = 4, MAX_DIRECTIONS = 2 };

/* The kind of net that a node is, and the layout of its operands and results. */
typedef struct net {
    net_kind kind;
    int gates, dirs;
    bool reverse, coupled, linear;
    int64_t batch, steps, input, hidden;
    int64_t x_batch, x_step, y_batch, y_step, y_dir, h_batch, h_dir; /* distances in elements */
    int block[MAX_GATES]; /* positions of a gate in W and R, and of its bias in B, in blocks of
                             hidden */
    int state_block[MAX_GATES]; /* of the state's bias in B; -1: block has the sum of both */
    int biases;                 /* number of blocks of B for a direction */
    int in_h, in_c, in_w, in_p; /* numbers of operands; R and B follow W; -1: absent */
    int in_a;                   /* scores of attention, [batch, steps], or -1 */
    int out_h;                  /* the number of the result for the last state; Y, if any, precedes
                                   it */
    inlay_activation activation[MAX_DIRECTIONS][3];
    double clip;            /* infinity: no clipping */
    const int64_t *lengths; /* by batch; NULL: all steps */
} net;

/* Sets P to the net of C's node, an LSTMCell, GRUCell or RNNCell as KIND says: a sequence of one
 * step without Y. False after recording the error. */
bool recurrent_cell_of_call(inlay_call *c, net_kind kind, net *p);
/* Sets P to the net of C's node, an LSTMSequence, GRUSequence or RNNSequence as KIND says. False
 * after recording the error. */
bool recurrent_sequence_of_call(inlay_call *c, net_kind kind, net *p);

#endif
