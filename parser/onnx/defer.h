/* Operators that wait for what their import asked for. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_DEFER_H
#define INLAY_PARSER_ONNX_DEFER_H

#include "parser/onnx/import.h"

/* The import of N asked for what is not known: the nodes behind LAST, which it made, go. Then a
 * deferred node is made for N; or (when N is what such a node stands for) the reader is told what
 * was asked for, and false is returned without an error. */
bool onnx_defer(onnx_node *n, inlay_node *last);

#endif
