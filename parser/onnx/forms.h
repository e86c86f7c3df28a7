/* The two textual forms of ONNX files, read into the same records as the binary form (wire.h) by
 * the same descriptors. onnx_message_offset, a byte offset in the binary form, is a line number
 * here.
 *
 *     json.c   the JSON form, the mapping that protocol buffers define
 *     text.c   the text form of ONNX's own parser
 *
 * parser/model.c recognises the form by content (parser/formats.h). Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_FORMS_H
#define INLAY_PARSER_ONNX_FORMS_H

#include "ir/shared.h"
#include "parser/onnx/records.h"

/* Reads the N BYTES of JSON as a message of type WHAT, allocated in A. Errors call the file FILE.
 * NULL: an error is recorded. */
void *onnx_json_read(const ProtobufCMessageDescriptor *what, const char *bytes, size_t n,
                     const char *file, inlay_arena *a, inlay_diags *d);
/* Reads the N BYTES of the text form as a ModelProto in the same way. */
void *onnx_text_read(const char *bytes, size_t n, const char *file, inlay_arena *a, inlay_diags *d);

#endif
