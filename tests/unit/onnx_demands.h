/* What ONNX's operators demand of the shapes of their operands: the cases of test_onnx_demands.c. */
#ifndef TESTS_UNIT_ONNX_DEMANDS_H
#define TESTS_UNIT_ONNX_DEMANDS_H

#include <stdbool.h>
#include <stddef.h>

/* Inputs a, b, c, ... have TYPES, and shapes with blanks between them: "2,3", "." of a scalar. */
typedef struct onnx_demand {
    int opset;
    const char *types, *fit, *bad, *node;
    const char *shape; /* of y where the inputs fit */
    const char *said;  /* of the others, behind the place of the node; "": the run refuses them */
    bool known;        /* the sizes must be known: nothing is tried with open ones */
} onnx_demand;

extern const onnx_demand onnx_demands[];
extern const size_t n_onnx_demands;

#endif
