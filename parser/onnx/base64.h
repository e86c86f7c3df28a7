/* Base64, as in the JSON form of protocol buffers. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_BASE64_H
#define INLAY_PARSER_ONNX_BASE64_H

#include "ir/shared.h"

/* Encodes the N BYTES as a string in A; NULL: out of memory. */
char *onnx_base64(const uint8_t *bytes, size_t n, inlay_arena *a);
/* Decodes TEXT, of either alphabet, into A. NULL: TEXT is no base64 (*BAD), or out of memory. */
uint8_t *onnx_base64_read(const char *text, size_t *n, bool *bad, inlay_arena *a);

#endif
