/* Functions of single formats that model.c and tensors.c call, beside the readers of models in
 * parser.h: these two files include no header of a format's folder. Private to parser/. */
#ifndef INLAY_PARSER_FORMATS_H
#define INLAY_PARSER_FORMATS_H

#include "ir/shared.h"

/* Reads a tensor from the N BYTES of a file, which messages call NAME. It counts in
 * BUDGET (NULL: nowhere). The caller releases the tensor; NULL and an error. */
typedef inlay_tensor *tensor_reader(const char *name, const void *bytes, size_t n,
                                    inlay_budget *budget, inlay_diags *d);

tensor_reader npy_read; /* npy/npy.c: a .npy */
/* onnx/model.c: a .pb, which holds a TensorProto, a SequenceProto (or a MapProto) or an
 * OptionalProto */
tensor_reader onnx_read_tensor, onnx_read_sequence, onnx_read_optional;

/* onnx/json.c: are the N BYTES, a JSON object, an ONNX model? The first member that only one of the
 * two formats (ModelProto, JSON graph) has decides. */
bool onnx_is_json(const char *bytes, size_t n);
/* onnx/text.c: are the N BYTES a model in ONNX's text form? It begins with a list like
 * `<ir_version: 8, ...>`, which XML never does. */
bool onnx_is_text(const char *bytes, size_t n);

/* onnx/expand.c: replaces a deferred node by what it means. Readers of every format set it for
 * graphs that may have deferred nodes. */
inlay_expand_fn onnx_expand;

#endif
