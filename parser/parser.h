/* Readers and writers: OpenVINO IR (.xml + .bin), the JSON graph, the text form, .npy and .npz.
 *
 * A reader recognises the format by the content of a file, a writer by the ending of its name. A
 * graph that a reader returns is complete: checked against the op table and inferred. Every failure
 * is one error in the inlay_diags, with file and line; what can be read but looks wrong is a
 * warning. parser/ depends on neither kernels nor passes.
 *
 * Arguments are checked as ir/ir.h says. */
#ifndef INLAY_PARSER_H
#define INLAY_PARSER_H

#include "ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* model.c: models by path */

typedef struct inlay_read_options {
    const char *weights;     /* the weights file; NULL: beside the model, ending .bin */
    bool allow_unknown;      /* an unknown op, or a Const without its bytes, becomes a stand-in node
                                (flag INLAY_STAND_IN), which can be inspected but not run */
    uint64_t max_bytes;      /* refuse larger model files (weights not counted); 0: 2 GiB - 1 */
    const inlay_op_set *ops; /* the operations that a file may use (ir/op.h); the graph keeps a
                                reference; NULL: the built-in ones */
    bool follow_links;       /* files that the model names may be links out of its folder */
    uint64_t max_memory; /* limit in bytes for reading, and then for the graph: counts the graph,
                            its constants except mapped weights, and files that cannot be mapped; 0:
                            no limit */
    const char *const *overrides; /* N_OVERRIDES names of inputs that have a default value in an
                                     ONNX model (IR version 4 and later): these stay inputs, without
                                     the value; all others become constants */
    int n_overrides;
    bool make_weights; /* of OpenVINO IR: invent the constants instead of reading weights: those
                          that share bytes are equal; floats keep a deep net finite; a few integers,
                          perhaps a shape, an axis or an index, are chosen so that shapes become
                          those of the file's ports, or it is an error */
    uint64_t weights_seed;
    uint64_t
        max_called; /* of ONNX: how many nodes calls of functions may become; 0: 100,000, or 100
                            for each node of the graph and the functions, whichever is more;
                            UINT64_MAX: no limit */
    uint64_t held_memory; /* bytes of max_memory that the caller uses already */
    inlay_budget *budget; /* where reading and then the graph count (ir/budget.h), with the limit of
                             max_memory or without it; NULL: nowhere else */
    bool never_map; /* read files into memory, which counts: a mapped file that another program
                       makes shorter ends this one by a signal; smaller than 64 MiB they are read
                       anyway, where max_memory allows it */
} inlay_read_options;

typedef struct inlay_write_options {
    int ir_version;      /* 10 or 11; 0: the graph's own, else 11 */
    const char *weights; /* the weights file to write; NULL: beside the model, a.bin for a.xml and
                            a.json.bin for a.json; of ONNX: a file beside the model for constants
                            of more than 1 MiB, or all stand in the model */
    int opset; /* of ONNX: the operator set, 17 to 28; 0: 17, or the least that the graph needs */
} inlay_write_options;

/* Reads the graph in PATH ("-": standard input). A file that the model names, and the weights
 * beside it, must be a regular file below its folder; options.weights may be any. O may be NULL.
 * NULL and an error when it fails. */
INLAY_API inlay_graph *inlay_read_file(const char *path, const inlay_read_options *o,
                                       inlay_diags *d);
/* Writes G to PATH; its ending selects the format: .xml (with its .bin), .json (with .json.bin),
 * .onnx, .inlay or .txt (the text form). "-" writes the text form to standard output. On failure
 * nothing is left behind, and an older file at PATH is untouched. */
INLAY_API bool inlay_write_file(const inlay_graph *g, const char *path,
                                const inlay_write_options *o, inlay_diags *d);

/* files.c: several files that appear together or not at all */

typedef struct inlay_files inlay_files;

/* Makes an empty set of files; NULL when out of memory. */
INLAY_API inlay_files *inlay_files_new(inlay_diags *d);
/* Removes all files that were not committed. NULL is fine. */
INLAY_API void inlay_files_free(inlay_files *fs);
/* Writes a file that appears at PATH when all are committed; a device or a pipe is written at once.
 * After a failure commit must not be called. */
INLAY_API bool inlay_files_bytes(inlay_files *fs, const char *path, const void *bytes, size_t n,
                                 inlay_diags *d);
INLAY_API bool inlay_files_npy(inlay_files *fs, const char *path, const inlay_tensor *t,
                               inlay_diags *d);
/* Makes all files appear, without allocating memory. When one fails, records an error, and leaves
 * none that was not there before. */
INLAY_API bool inlay_files_commit(inlay_files *fs, inlay_diags *d);

/* Models in memory. NAME is the file's name in messages and in graph->file; a JSON graph's "file"
 * members are searched in its folder. BYTES may be freed once a reader has returned. */

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
/* onnx/model.c: the binary, JSON or text form of ONNX. Raw tensors are views into BUFFER
 * (retained), which holds BYTES; NULL: they are copied. Files of external data are searched in the
 * folder of NAME. */
INLAY_API inlay_graph *inlay_read_onnx(const char *name, const char *bytes, size_t n,
                                       inlay_buffer *buffer, const inlay_read_options *o,
                                       inlay_diags *d);

/* Writers to sinks. MODEL receives the document, WEIGHTS the bytes of the constants. */

/* openvino/write.c */
INLAY_API bool inlay_write_xml(const inlay_graph *g, const inlay_write_options *o,
                               const inlay_sink *model, const inlay_sink *weights, inlay_diags *d);
/* json/write.c. WEIGHTS_NAME is what "file" members say; WEIGHTS NULL: all data inline. */
INLAY_API bool inlay_write_json(const inlay_graph *g, const char *weights_name,
                                const inlay_write_options *o, const inlay_sink *model,
                                const inlay_sink *weights, inlay_diags *d);
/* onnx/write.c: the binary form. WEIGHTS (may be NULL) receives large constants, and WEIGHTS_NAME
 * is what the model calls that file. What ONNX cannot say is one error that names all of it. */
INLAY_API bool inlay_write_onnx(const inlay_graph *g, const char *weights_name,
                                const inlay_write_options *o, const inlay_sink *model,
                                const inlay_sink *weights, inlay_diags *d);
/* The text form is written by inlay_print(g, true, ...). */

/* npy/npy.c: tensors in numpy's format, versions 1 to 3, either byte order, C or Fortran order */

INLAY_API inlay_tensor *inlay_read_npy(const char *path, inlay_diags *d);
/* The same from memory; NAME is for messages. Bytes are copied. */
INLAY_API inlay_tensor *inlay_read_npy_bytes(const char *name, const void *bytes, size_t n,
                                             inlay_diags *d);
/* Writes T dense, little endian, in C order; does not check that PATH ends in .npy. */
INLAY_API bool inlay_write_npy(const inlay_tensor *t, const char *path, inlay_diags *d);

/* Reads the tensor in PATH, an .npy file or an ONNX TensorProto (.pb), which counts in BUDGET
 * (NULL: nowhere), as does what reading takes. The caller releases it; NULL and an error. */
INLAY_API inlay_tensor *inlay_read_tensor(const char *path, inlay_budget *budget, inlay_diags *d);
/* The same for a value of TYPE and RANK (-1: unknown). Of items (ir/ops/sequence.def) a .pb holds a
 * SequenceProto or a MapProto, or an OptionalProto where RANK is 0; else PATH is a folder with
 * 0.npy, 1.npy, ... */
INLAY_API inlay_tensor *inlay_read_value(const char *path, inlay_type type, int rank,
                                         inlay_budget *budget, inlay_diags *d);

/* image.c: pictures, PNG, JPEG, WebP, TIFF and JPEG 2000 where their libraries were there when this
 * was built, BMP and PNM */

/* Returns the formats that this build reads: "PNG, JPEG, BMP, PNM". */
INLAY_API const char *inlay_image_formats(void);
/* Reads the picture in PATH as u8[height, width, CHANNELS]: 1 (grey), 3 (RGB) or 4 (RGBA). Its
 * pixels and its file, if that cannot be mapped, count in BUDGET (NULL: nowhere). The caller
 * releases it; NULL and an error. */
INLAY_API inlay_tensor *inlay_read_image(const char *path, int channels, inlay_budget *budget,
                                         inlay_diags *d);

/* npy/npz.c: an archive of .npy members, stored or deflated */

typedef struct inlay_npz inlay_npz;

/* The archive counts in BUDGET (NULL: nowhere) if it cannot be mapped, as do the member that is
 * being unpacked, and its tensor. */
INLAY_API inlay_npz *inlay_npz_open(const char *path, inlay_budget *budget, inlay_diags *d);
INLAY_API void inlay_npz_close(inlay_npz *z); /* NULL is fine */
INLAY_API size_t inlay_npz_count(const inlay_npz *z);
/* Returns the name of member I without ".npy"; it lives as long as Z. */
INLAY_API const char *inlay_npz_name(const inlay_npz *z, size_t i);
/* Reads member I; the caller releases it. */
INLAY_API inlay_tensor *inlay_npz_read(const inlay_npz *z, size_t i, inlay_budget *budget,
                                       inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif
