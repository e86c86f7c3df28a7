/* The activation functions that recurrent cells name in attributes: shape rules check the names,
 * kernels compute the functions. For the folders of this project, not installed. */
#ifndef INLAY_IR_INFER_ACTIVATIONS_H
#define INLAY_IR_INFER_ACTIVATIONS_H

#include "ir/graph.h"

typedef enum inlay_activation_kind {
    INLAY_ACTIVATION_RELU,    /* max(x, 0) */
    INLAY_ACTIVATION_SIGMOID, /* 1 / (1 + e^-x) */
    INLAY_ACTIVATION_TANH,
    /* In ONNX only: */
    INLAY_ACTIVATION_AFFINE,           /* alpha x + beta */
    INLAY_ACTIVATION_LEAKY_RELU,       /* x, alpha x where it is negative */
    INLAY_ACTIVATION_THRESHOLDED_RELU, /* x, 0 below alpha */
    INLAY_ACTIVATION_SCALED_TANH,      /* alpha tanh(beta x) */
    INLAY_ACTIVATION_HARD_SIGMOID,     /* alpha x + beta cut to [0, 1] */
    INLAY_ACTIVATION_ELU,              /* x, alpha (e^x - 1) where it is negative */
    INLAY_ACTIVATION_SOFTSIGN,         /* x / (1 + |x|) */
    INLAY_ACTIVATION_SOFTPLUS          /* log(1 + e^x) */
} inlay_activation_kind;

enum { INLAY_MAX_ACTIVATIONS = 6 }; /* a cell of three gates, in two directions */

typedef struct inlay_activation {
    inlay_activation_kind kind;
    double alpha, beta;
} inlay_activation;

/* Writes the functions that N names to OUT, or the COUNT of DEFAULTS if it names none. An ONNX node
 * names COUNT functions for each of its DIRECTIONS; an OpenVINO node names those of one direction,
 * which all share. False: WHY says what is wrong. */
bool inlay_node_activations(const inlay_node *n, const inlay_activation_kind *defaults, int count,
                            int directions, inlay_activation *out, char *why, size_t size);

#endif
