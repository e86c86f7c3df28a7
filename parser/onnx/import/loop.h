/* A body that runs for one part after the other of some values, and carries other values from part
 * to part. A Scan is one, and so are operators whose functions have a Scan. This header is private
 * to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_LOOP_H
#define INLAY_PARSER_ONNX_IMPORT_LOOP_H

#include "parser/onnx/import.h"

typedef struct onnx_loop {
    onnx_node *n;
    inlay_value *trips;          /* how often the body runs; NULL: once for each part */
    inlay_value *const *carried; /* values that change from part to part */
    int n_carried;
    inlay_value *const
        *sliced; /* values of which a part comes in, the last one first if BACKWARD */
    int n_sliced;
    const int *axes; /* the axes of which the parts are taken; NULL: the first ones */
    const bool *backward;
    inlay_value *const *shared; /* values that come in as they are */
    int n_shared;
    int n_joined; /* results that are joined along a new first axis, the last first if PREPENDED */
    const bool *prepended;
    /* Makes the body in the graph of N from PARAMS: what is carried, parts without their axis, what
     * is shared. RESULTS: what is carried on, then what is joined. */
    bool (*fill)(const struct onnx_loop *l, onnx_node *n, inlay_value **params,
                 inlay_value **results);
    const void *data; /* for FILL */
} onnx_loop;

/* OUT receives the last states of what is carried, and then what was joined. */
bool onnx_iterate(const onnx_loop *l, inlay_value **out);

#endif
