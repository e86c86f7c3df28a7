/* ONNX models as records, which a test writes field by field and protobuf-c packs. */
#ifndef INLAY_TESTS_ONNX_MADE_H
#define INLAY_TESTS_ONNX_MADE_H

#include "models.h"
#include "parser/onnx/records.h"

#include "onnx.pb-c.h"

enum { MAX_FILE = 4096 };

/* A model of one graph. Records are static or in the arena. */
typedef struct onnx_made {
    inlay_arena *arena;
    Onnx__ModelProto *m;
    uint8_t bytes[MAX_FILE];
    size_t n;
} onnx_made;

/* Returns the next element of the repeated FIELD of MESSAGE, a new message of type WHAT. */
void *made_add(onnx_made *x, void *message, const char *field,
               const ProtobufCMessageDescriptor *what);
void made_string(onnx_made *x, void *message, const char *field, const char *text);
void made_import(onnx_made *x, void *message, const char *domain, int64_t version);
void made_begin(onnx_made *x, int64_t opset);
/* Adds an input or output of FIELD, f32[2]. */
void made_value(onnx_made *x, const char *field, const char *name);
/* Adds a node of MESSAGE, a graph or a function. INPUTS and OUTPUT are names with blanks between
 * them. */
Onnx__NodeProto *made_node(onnx_made *x, void *message, const char *type, const char *inputs,
                           const char *output);
void made_integer(onnx_made *x, Onnx__NodeProto *n, const char *name, int64_t value);
void made_constant(onnx_made *x, const char *name, int type, Onnx__TensorProto **out);
/* Packs and reads X, and frees it. */
inlay_graph *made_read(onnx_made *x, const char *name, const inlay_read_options *o, char *said,
                       size_t size);
/* The same of a file that must not be read: checks that SAID is all that is said. */
void made_refused(onnx_made *x, const char *said);

#endif
