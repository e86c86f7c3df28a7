/* Nodes that the imports of com.microsoft and ai.onnx.ml refuse: cases of test_onnx_refused.c. */
#ifndef TESTS_UNIT_ONNX_REFUSED_H
#define TESTS_UNIT_ONNX_REFUSED_H

#include <stddef.h>

/* A node in operator set OPSET on inputs, and what is said of it behind its place. */
typedef struct refused_case {
    int opset;
    const char *inputs, *node, *said;
} refused_case;

extern const refused_case refused_fused[], refused_nbits[], refused_tables[], refused_trees[];
extern const size_t n_refused_fused, n_refused_nbits, n_refused_tables, n_refused_trees;

#endif
