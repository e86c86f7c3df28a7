/* Makes a loop that runs a body for one slice after another of some values, and carries other
 * values from iteration to iteration: a Scan, and operators whose functions contain a Scan. Private
 * to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_LOOP_H
#define INLAY_PARSER_ONNX_IMPORT_LOOP_H

#include "parser/onnx/import.h"

typedef struct onnx_loop {
    onnx_node *n;
    inlay_value *trips;          /* the number of iterations; NULL: one for each slice */
    inlay_value *const *carried; /* loop-carried values */
    int n_carried;
    inlay_value *const
        *sliced; /* values of which each iteration gets a slice, from the last one on if BACKWARD */
    int n_sliced;
    const int *axes; /* the axes along which to slice; NULL: the first ones */
    const bool *backward;
    inlay_value *const *shared; /* values that every iteration gets whole */
    int n_shared;
    int n_joined; /* results that are concatenated along a new first axis, in reverse order if
                     PREPENDED */
    const bool *prepended;
    /* Makes the body in the graph of N. PARAMS: carried values, slices without their axis, shared
     * values. RESULTS: the next carried values, then those to be concatenated. */
    bool (*fill)(const struct onnx_loop *l, onnx_node *n, inlay_value **params,
                 inlay_value **results);
    const void *data; /* for FILL */
} onnx_loop;

/* Writes the last carried values and then the concatenated results to OUT. */
bool onnx_iterate(const onnx_loop *l, inlay_value **out);

#endif
