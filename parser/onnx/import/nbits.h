/* Weights of few bits that stand for floats, which nbits.c and mixtures of experts share. Private to
 * parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_NBITS_H
#define INLAY_PARSER_ONNX_IMPORT_NBITS_H

#include "parser/onnx/import/make.h"

/* The matrices [count, rows, columns] of TYPE that operand WEIGHTS, codes of BITS bits in bytes,
 * stands for. Operand SCALES is [count, rows], or [count, rows, blocks] for blocks of the columns;
 * ZEROS has as many codes, or is absent: half of the range. */
inlay_value *nbits_matrices(onnx_node *n, int64_t bits, int weights, int scales, int zeros,
                            inlay_type type);

#endif
