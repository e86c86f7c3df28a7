/* Bytes as text. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_BASE64_H
#define INLAY_PARSER_ONNX_BASE64_H

#include "ir/shared.h"

/* The N BYTES as text in A; NULL: out of memory. */
char *onnx_base64(const uint8_t *bytes, size_t n, inlay_arena *a);
/* The bytes that TEXT stands for, in either alphabet, in A. NULL: TEXT is no such text (*BAD), or
 * out of memory. */
uint8_t *onnx_base64_read(const char *text, size_t *n, bool *bad, inlay_arena *a);

#endif
