/* The binary form of ONNX files (protocol buffers, encoding of proto2), read into records.
 *
 * protobuf_c_message_unpack is not used: it recurses as deep as a file demands, copies every bytes
 * field, and reports no position. This reader nests 100 messages at most, leaves bytes where they
 * are, and says where a file is wrong:
 *
 *     m.onnx: error: graph.node[3].attribute "axes".ints: the number at byte 812 has no end
 *
 * Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_WIRE_H
#define INLAY_PARSER_ONNX_WIRE_H

#include "ir/shared.h"
#include "parser/onnx/records.h"

enum { ONNX_MAX_DEPTH = 100 };

/* Reads the N BYTES as a message of type WHAT, allocated in A; bytes fields point into BYTES, which
 * must outlive it. Errors call the file FILE. NULL: an error is recorded. */
void *onnx_wire_read(const ProtobufCMessageDescriptor *what, const void *bytes, size_t n,
                     const char *file, inlay_arena *a, inlay_diags *d);

#endif
