/* Readers and writers: OpenVINO IR (.xml + .bin), the JSON graph, the text form, .npy and .npz.
 *
 * A reader tells the format by the content of a file, a writer by the ending of its name. What a
 * reader returns is complete: checked against the op table and inferred. Every failure is one
 * error in the inlay_diags, with file and line; what can be read but looks wrong is a warning.
 * parser/ knows nothing of kernels and passes.
 *
 * Arguments are checked as ir/ir.h says.
 */
#ifndef INLAY_PARSER_H
#define INLAY_PARSER_H

#include "ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* model.c: models by path */

typedef struct inlay_read_options {
    const char *weights; /* the weights file; NULL: beside the model, ending .bin */
    bool allow_unknown;  /* an unknown op, or a Const without its bytes, becomes a stand-in node
                            (flag INLAY_STAND_IN): to look at, not to run */
    uint64_t max_bytes;  /* refuse a model file above this (weights not counted); 0: 2 GiB - 1 */
    const inlay_op_set *ops; /* the operations that a file may hold (ir/op.h), held by the
                                graph; NULL: those built in */
    bool follow_links;   /* a file that the model names may be a link out of the model's folder */
    uint64_t max_memory; /* bytes that reading may hold, and then the graph: files that are no
                            regular ones, the graph, its constants but for mapped weights; 0: no
                            limit */
    const char *const *overrides; /* N_OVERRIDES names: an input of an ONNX model that has a value
                                     of its own (IR version 4 and later) and one of these names is
                                     an input, and its value is left out; else it is a constant */
    int n_overrides;
    bool make_weights; /* of OpenVINO IR: no weights file is looked for, constants are made up:
                          those that share bytes are equal; floats that keep a deep net finite;
                          a few integers, which may be a shape, an axis or a place, so that the
                          shapes are those that the file's ports give, or it is an error */
    uint64_t weights_seed;
} inlay_read_options;

typedef struct inlay_write_options {
    int ir_version;      /* 10 or 11; 0: the graph's own, else 11 */
    const char *weights; /* the weights file to write; NULL: beside the model, a.bin for a.xml
                            and a.json.bin for a.json */
} inlay_write_options;

/* The graph in PATH ("-": standard input). A file that the model names, the weights beside it
 * included, must be a regular file below its folder; options.weights may be any. O may be NULL.
 * NULL and an error when it cannot. */
INLAY_API inlay_graph *inlay_read_file(const char *path, const inlay_read_options *o,
                                       inlay_diags *d);
/* Writes G to PATH, whose ending says how: .xml (with its .bin), .json (with .json.bin), .inlay or
 * .txt (the text form). "-" is the text form on standard output. On failure nothing is left behind,
 * and a file that stood at PATH before is untouched. */
INLAY_API bool inlay_write_file(const inlay_graph *g, const char *path,
                                const inlay_write_options *o, inlay_diags *d);

/* files.c: several files that appear together or not at all */

typedef struct inlay_files inlay_files;

/* Empty; NULL when out of memory. */
INLAY_API inlay_files *inlay_files_new(inlay_diags *d);
/* Files that were not committed are gone. NULL is fine. */
INLAY_API void inlay_files_free(inlay_files *fs);
/* Writes a file that gets its name PATH when all are committed; a device or a pipe is written to
 * at once. After a failure commit must not be called. */
INLAY_API bool inlay_files_bytes(inlay_files *fs, const char *path, const void *bytes, size_t n,
                                 inlay_diags *d);
INLAY_API bool inlay_files_npy(inlay_files *fs, const char *path, const inlay_tensor *t,
                               inlay_diags *d);
/* All files take their places, without asking for memory. When one cannot, the error is recorded,
 * and none is left that was not there before. */
INLAY_API bool inlay_files_commit(inlay_files *fs, inlay_diags *d);

/* Models in memory. NAME stands for the file in messages and in graph->file; the folder it names
 * is where a JSON graph's "file" members are looked for. BYTES may go once a reader returned. */

/* openvino/read.c; the format is in parser/openvino/README.md. WEIGHTS (may be NULL) is retained:
 * constants are views into it. */
INLAY_API inlay_graph *inlay_read_xml(const char *name, const char *bytes, size_t n,
                                      inlay_buffer *weights, const inlay_read_options *o,
                                      inlay_diags *d);
/* json/read.c */
INLAY_API inlay_graph *inlay_read_json(const char *name, const char *bytes, size_t n,
                                       const inlay_read_options *o, inlay_diags *d);
/* text/read.c */
INLAY_API inlay_graph *inlay_read_text(const char *name, const char *bytes, size_t n,
                                       const inlay_read_options *o, inlay_diags *d);
/* onnx/model.c: the binary form, the JSON form or the text form of ONNX. Raw tensors are views into
 * BUFFER (retained), which holds BYTES; NULL: they are copied. Files of external data are looked
 * for in the folder of NAME. */
INLAY_API inlay_graph *inlay_read_onnx(const char *name, const char *bytes, size_t n,
                                       inlay_buffer *buffer, const inlay_read_options *o,
                                       inlay_diags *d);

/* Writers to sinks. MODEL receives the document, WEIGHTS the bytes of constants. */

/* openvino/write.c */
INLAY_API bool inlay_write_xml(const inlay_graph *g, const inlay_write_options *o,
                               const inlay_sink *model, const inlay_sink *weights, inlay_diags *d);
/* json/write.c. WEIGHTS_NAME is what "file" members say; WEIGHTS NULL: all data inside. */
INLAY_API bool inlay_write_json(const inlay_graph *g, const char *weights_name,
                                const inlay_write_options *o, const inlay_sink *model,
                                const inlay_sink *weights, inlay_diags *d);
/* The text form is written by inlay_print(g, true, ...). */

/* npy/npy.c: tensors in numpy's format, versions 1 to 3, either byte order, C or Fortran order */

INLAY_API inlay_tensor *inlay_read_npy(const char *path, inlay_diags *d);
/* The same from memory; NAME is for messages. Bytes are copied. */
INLAY_API inlay_tensor *inlay_read_npy_bytes(const char *name, const void *bytes, size_t n,
                                             inlay_diags *d);
/* Dense, little endian, C order; a name that ends in .npy is the caller's business. */
INLAY_API bool inlay_write_npy(const inlay_tensor *t, const char *path, inlay_diags *d);

/* The tensor in PATH, an .npy file or a TensorProto of ONNX (.pb), holding at most
 * MAX_MEMORY bytes at any time (0: no limit). The caller releases it; NULL and an error. */
INLAY_API inlay_tensor *inlay_read_tensor(const char *path, uint64_t max_memory, inlay_diags *d);

/* npy/npz.c: an archive of .npy members, stored or deflated */

typedef struct inlay_npz inlay_npz;

/* At most MAX_MEMORY bytes are held at any time (0: no limit): the archive when it is no regular
 * file, then the member that is unpacked, and its tensor. */
INLAY_API inlay_npz *inlay_npz_open(const char *path, uint64_t max_memory, inlay_diags *d);
INLAY_API void inlay_npz_close(inlay_npz *z); /* NULL is fine */
INLAY_API size_t inlay_npz_count(const inlay_npz *z);
/* The name of member I without ".npy"; lives as long as Z. */
INLAY_API const char *inlay_npz_name(const inlay_npz *z, size_t i);
/* Member I; the caller releases it. */
INLAY_API inlay_tensor *inlay_npz_read(const inlay_npz *z, size_t i, uint64_t max_memory,
                                       inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif
