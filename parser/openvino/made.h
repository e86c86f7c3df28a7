/* Weights that are made up, for a model that comes without its .bin
 * (inlay_read_options.make_weights).
 *
 * made.c draws the elements of a constant. A few integers, however, are rarely weights: they are a
 * shape, an axis, a place. Nobody can draw those, but the ports of the file tell what comes of
 * them, so that choose.c searches:
 *
 *     x: f32 [1,3,?,?] -> Transpose by i64 [4], missing -> its port says f32 [1,?,3,?]
 *
 * The rule of Transpose is asked with the orders 0 1 2 3, 0 1 3 2, 0 2 1 3, ... until its result is
 * what the port says. */
#ifndef INLAY_PARSER_OPENVINO_MADE_H
#define INLAY_PARSER_OPENVINO_MADE_H

#include "parser/openvino/read.h"

/* A constant that has a choice. */
typedef struct ov_choice_use {
    const ov_layer *layer;
    inlay_tensor *tensor; /* held by the graph */
    struct ov_choice_use *next;
} ov_choice_use;

/* A few integers or booleans that were at one place of the weights, where several constants may
 * have read them. */
struct ov_choice {
    int64_t offset, count;
    inlay_type type;
    ov_choice_use *uses;
    struct ov_choice *next;
};

/* made.c: the value of a Const whose bytes would be at OFFSET, of COUNT elements, small enough to
 * be counted. NULL and an error. The caller releases it, after the graph has taken it. */
inlay_tensor *ov_make_tensor(ov_reader *r, const ov_layer *l, int64_t offset, inlay_type type,
                             int rank, const int64_t *dims);
/* choose.c: infers the outermost net, choosing what has choices on the way, so that the rules
 * accept it and the ports of NET agree. False and an error where no such choice was found. */
bool ov_choose(ov_reader *r, const ov_net *net);

#endif
