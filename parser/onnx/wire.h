/* The binary form of ONNX files (protocol buffers, encoding of proto2), read into records.
 *
 * protobuf_c_message_unpack is not used: it recurses as deep as a file wants, copies every bytes
 * field, and tells no position. This walk goes 100 messages deep at most, leaves bytes where they
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

/* The message of type WHAT that the N BYTES are, in A; bytes fields point into BYTES, which must
 * outlive it. FILE is what errors call it. NULL: an error is recorded. */
void *onnx_wire_read(const ProtobufCMessageDescriptor *what, const void *bytes, size_t n,
                     const char *file, inlay_arena *a, inlay_diags *d);

#endif
