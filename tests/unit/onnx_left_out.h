/* Nodes of operators that ONNX's node tests leave out. */
#ifndef TESTS_UNIT_ONNX_LEFT_OUT_H
#define TESTS_UNIT_ONNX_LEFT_OUT_H

#include <stddef.h>

typedef struct onnx_left_out {
    int opset;
    const char *inputs, *node;
} onnx_left_out;

extern const onnx_left_out onnx_left_outs[];
extern const size_t n_onnx_left_outs;

#endif
