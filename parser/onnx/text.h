/* What the files of the text form's reader share (forms.h). Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_TEXT_H
#define INLAY_PARSER_ONNX_TEXT_H

#include "parser/onnx/forms.h"

#include "onnx.pb-c.h"

typedef struct onnx_text {
    const char *at, *end;
    unsigned line;
    const char *file;
    inlay_arena *arena;
    inlay_diags *d;
} onnx_text;

/* Functions that read advance past what they read, and return false or NULL after recording an
 * error. Blanks and comments, from # to the end of the line, are allowed between all tokens. */

/* text_token.c */

/* Records "found X, expected WANTED"; always false. */
bool onnx_text_wrong(onnx_text *t, const char *wanted);
bool onnx_text_error(onnx_text *t, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Returns the next character that is not blank; NUL: the end of the text. */
char onnx_text_peek(onnx_text *t);
/* Skips C if it is the next character, and returns whether it was. */
bool onnx_text_take(onnx_text *t, char c);
bool onnx_text_expect(onnx_text *t, char c);
/* Reads an identifier: letters, digits and _, not beginning with a digit. "": there is none. NULL:
 * out of memory. */
const char *onnx_text_word(onnx_text *t);
/* Is the next identifier WORD? Reads nothing. */
bool onnx_text_ahead(onnx_text *t, const char *word);
/* Reads an identifier or a string in quotes. NULL and an error: there is none, or it contains NUL.
 */
char *onnx_text_name(onnx_text *t);
/* Reads a string in quotes; a backslash makes the next character stand for itself. */
bool onnx_text_string(onnx_text *t, ProtobufCBinaryData *out);
/* The same as a C string, which must be UTF-8. */
char *onnx_text_quoted(onnx_text *t);
bool onnx_text_integer(onnx_text *t, int64_t *out);
bool onnx_text_natural(onnx_text *t, uint64_t *out);
/* Reads a number; sets *WHOLE to whether it has neither point nor exponent. */
bool onnx_text_real(onnx_text *t, double *out, bool *whole);
/* Makes a message of type WHAT at this line; NULL: out of memory. */
void *onnx_text_message(onnx_text *t, const ProtobufCMessageDescriptor *what);
/* Appends an element to FIELD of MESSAGE: a new message of the field's type, which is returned; a
 * copy of the element at VALUE. NULL or false: out of memory. */
void *onnx_text_add(onnx_text *t, void *message, const char *field);
bool onnx_text_append(onnx_text *t, void *message, const char *field, const void *value);

/* text_value.c */

Onnx__TypeProto *onnx_text_type(onnx_text *t, int depth);
/* Reads `type? name` into a ValueInfoProto. */
bool onnx_text_value_info(onnx_text *t, Onnx__ValueInfoProto *out);
/* Reads the data of a tensor of TYPE, `{...}` or `[...]`, into OUT. */
bool onnx_text_tensor(onnx_text *t, const Onnx__TypeProto *type, Onnx__TensorProto *out);
/* Reads `"key": "value", ...` up to the bracket into FIELD of MESSAGE. */
bool onnx_text_entries(onnx_text *t, void *message, const char *field);
/* Reads what follows the name of an attribute: `: type = value`. */
bool onnx_text_attribute(onnx_text *t, Onnx__AttributeProto *out, int depth);

/* text.c */

/* Reads `name (inputs) => (outputs) <values> {nodes}`. */
bool onnx_text_graph(onnx_text *t, Onnx__GraphProto *out, int depth);

#endif
