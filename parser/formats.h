/* What model.c and tensors.c ask of the rooms of single formats, beside the readers of models,
 * which parser.h declares: these two files include no room. Private to parser/. */
#ifndef INLAY_PARSER_FORMATS_H
#define INLAY_PARSER_FORMATS_H

#include "ir/shared.h"

/* The tensor that the N BYTES of a file are, which messages call NAME. The caller holds HELD bytes
 * of memory already, and at most MAX_MEMORY may be held in all (0: no limit). The caller releases
 * the tensor; NULL and an error. */
typedef inlay_tensor *tensor_reader(const char *name, const void *bytes, size_t n, uint64_t held,
                                    uint64_t max_memory, inlay_diags *d);

tensor_reader npy_read;         /* npy/npy.c: a .npy */
tensor_reader onnx_read_tensor; /* onnx/model.c: a .pb, which holds a TensorProto */

/* onnx/json.c: the N BYTES, an object of JSON, are a model of ONNX: the first member that tells the
 * two apart is one that a ModelProto has and a JSON graph has not. */
bool onnx_is_json(const char *bytes, size_t n);
/* onnx/text.c: the N BYTES are a model in ONNX's text form: it begins with a list like
 * `<ir_version: 8, ...>`, which no XML is. */
bool onnx_is_text(const char *bytes, size_t n);

/* onnx/expand.c: makes what a deferred node stands for. Who reads a graph that may have one, of any
 * format, gives it to the graph. */
inlay_expand_fn onnx_expand;

#endif
