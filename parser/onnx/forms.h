/* The two forms of ONNX files that are text, read into the same records as the binary form
 * (wire.h), by the same descriptors. What the offset of a record (onnx_message_offset) is in the
 * binary form is its line here.
 *
 *     json.c   the JSON form, the mapping that protocol buffers define
 *     text.c   the text form of ONNX's own parser
 *
 * model.c of parser/ tells the forms by content (parser/formats.h). Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_FORMS_H
#define INLAY_PARSER_ONNX_FORMS_H

#include "ir/shared.h"
#include "parser/onnx/records.h"

/* The message of type WHAT that the N BYTES of JSON are, in A. FILE is what errors call it. NULL:
 * an error is recorded. */
void *onnx_json_read(const ProtobufCMessageDescriptor *what, const char *bytes, size_t n,
                     const char *file, inlay_arena *a, inlay_diags *d);
/* The model that the N BYTES of the text form are, a ModelProto, in the same way. */
void *onnx_text_read(const char *bytes, size_t n, const char *file, inlay_arena *a, inlay_diags *d);

#endif
