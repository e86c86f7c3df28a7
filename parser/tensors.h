/* Tensors in files: the readers that tensors.c chooses from. Each stands in the room of its format,
 * as the readers of models do, which parser.h declares. Private to parser/. */
#ifndef INLAY_PARSER_TENSORS_H
#define INLAY_PARSER_TENSORS_H

#include "ir/ir.h"

/* The tensor that the N BYTES of a file are, which messages call NAME. The caller holds HELD bytes
 * of memory already, and at most MAX_MEMORY may be held in all (0: no limit). The caller releases
 * the tensor; NULL and an error. */
typedef inlay_tensor *tensor_reader(const char *name, const void *bytes, size_t n, uint64_t held,
                                    uint64_t max_memory, inlay_diags *d);

tensor_reader npy_read;         /* npy/npy.c: a .npy */
tensor_reader onnx_read_tensor; /* onnx/model.c: a .pb, which holds a TensorProto */

#endif
