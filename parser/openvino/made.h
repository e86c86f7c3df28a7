/* Invented weights, for a model that comes without its .bin (inlay_read_options.make_weights).
 *
 * made.c draws the elements of a constant. But a few integers are rarely weights: they are a shape,
 * an axis or an index, and cannot be drawn at random. The ports of the file give the shapes that
 * result from them, so choose.c searches:
 *
 *     x: f32 [1,3,?,?] -> Transpose by i64 [4], missing -> its port says f32 [1,?,3,?]
 *
 * It tries the shape rule of Transpose with the orders 0 1 2 3, 0 1 3 2, 0 2 1 3, ... until the
 * result is what the port says. */
#ifndef INLAY_PARSER_OPENVINO_MADE_H
#define INLAY_PARSER_OPENVINO_MADE_H

#include "parser/openvino/read.h"

/* A constant whose elements are searched for. */
typedef struct ov_choice_use {
    const ov_layer *layer;
    inlay_tensor *tensor; /* owned by the graph */
    struct ov_choice_use *next;
} ov_choice_use;

/* A few integers or booleans at one offset of the weights; several constants may read them. */
struct ov_choice {
    int64_t offset, count;
    inlay_type type;
    ov_choice_use *uses;
    struct ov_choice *next;
};

/* made.c: invents the value of a Const of COUNT elements (checked not to overflow) with bytes at
 * OFFSET. NULL and an error. The caller releases it, once the graph has a reference. */
inlay_tensor *ov_make_tensor(ov_reader *r, const ov_layer *l, int64_t offset, inlay_type type,
                             int rank, const int64_t *dims);
/* choose.c: infers the outermost net and searches integers for its constants so that shape rules
 * accept them and the ports of NET agree. False and an error if none were found. */
bool ov_choose(ov_reader *r, const ov_net *net);

#endif
