/* Products of codes, which several families make. Private to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_QUANTIZE_H
#define INLAY_PARSER_ONNX_IMPORT_QUANTIZE_H

#include "parser/onnx/import/make.h"

/* Where the operands of a product of codes stand; zero points and the bias may be left out. */
typedef struct quantize_operands {
    int a, b, a_scale, b_scale, a_zero, b_zero, bias;
} quantize_operands;

/* (A - zero) (B - zero) * scales + bias as floats. A list of numbers for A has one for each row,
 * one for B has one for each column. */
inlay_value *quantize_product(onnx_node *n, const quantize_operands *at);
/* The floats that the codes of operand I stand for, by the number SCALE and maybe the number ZERO,
 * which are operands, too. */
inlay_value *quantize_inverse(onnx_node *n, inlay_value *codes, int scale, int zero);

#endif
