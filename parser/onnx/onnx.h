/* The reader of ONNX models: from records to a graph.
 *
 *     records.h     what a file says, whatever form it has (wire.c reads the binary one)
 *     model.c       the model: versions, operator sets, functions; from the bytes to the graph
 *     graph.c       a graph: inputs, initializers, nodes in the order of the file, outputs; bodies
 * with captured values type.c        element types, shapes; tensor.c: tensors, inside the file or
 * beside it import.h      what the import of an operator sees; import/<family>.c: the operators
 *
 * ONNX demands that a graph is sorted, so that every value is there when it is used: a node is
 * made, checked and inferred at once, and the import of the next operator can ask for its types and
 * shapes. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_H
#define INLAY_PARSER_ONNX_H

#include "parser/assemble.h"
#include "parser/file.h"

#include "onnx.pb-c.h"

enum {
    ONNX_MIN_IR = 3,
    ONNX_MAX_IR = 13,
    ONNX_MIN_OPSET = 1,
    ONNX_MAX_OPSET = 28,
    ONNX_MAX_CALLS = 32,
    ONNX_N_KNOWN = 128 /* a power of two */
};

/* Where a record stands: in FIELD of the record OUTER, as its element INDEX. Errors say it as
 *
 *     graph.node[3] "conv" (Conv-11).attribute "kernel_shape"
 */
typedef struct onnx_place {
    const struct onnx_place *outer; /* NULL: the model */
    const char *field;
    int64_t index; /* -1: the field is not repeated, or NAME says it better */
    const char *name;
    const char *type; /* of a node: its operator, of VERSION; NULL */
    int64_t version;
} onnx_place;

/* An operator that was found for a node; a slot of a table by its length and its ends. */
struct onnx_known {
    const char *name;
    int64_t version;
    const struct onnx_operator *op;
};

typedef struct onnx_reader {
    assembler a;
    inlay_buffer *bytes; /* that the records' bytes fields point into; NULL: they are copied */
    const Onnx__ModelProto *model;
    struct onnx_file *files; /* that tensors named, mapped */
    inlay_diags *said;       /* of a node that an import makes, until its place is put before it */
    struct onnx_known known[ONNX_N_KNOWN]; /* operators that were found before */
    bool has_lines;                        /* the file is text: the offsets of records are lines */
    unsigned line; /* of the record that is being imported; 0: there are none */
} onnx_reader;

/* The operator sets that a model or a function imports. */
typedef struct onnx_imports {
    Onnx__OperatorSetIdProto *const *sets;
    size_t n;
} onnx_imports;

/* A graph, a body, or the inside of a function while it is imported. */
typedef struct onnx_scope {
    onnx_reader *r;
    assemble_scope *names; /* of its values */
    inlay_graph *graph;    /* where its nodes go; of a function that of the caller */
    const onnx_place *at;  /* where its nodes stand */
    onnx_imports imports;
    const struct onnx_node
        *call; /* of a function: the node whose attributes its references mean; NULL */
    const Onnx__FunctionProto *function; /* that CALL calls */
    int calls;                           /* functions in functions */
    struct onnx_scope *around; /* of a graph that is imported in the place of a node: where it
                                  looks for values that it does not make; NULL */
} onnx_scope;

/* RECORD is being imported: errors stand on its line. Returns the line of the one before. */
unsigned onnx_enter(onnx_reader *r, const void *record);
/* Records an error at AT; always false. */
bool onnx_fail(const onnx_reader *r, const onnx_place *at, const char *fmt, ...) INLAY_PRINTF(3, 4);

/* type.c */

/* The element type of a TensorProto.DataType. False and an error. */
bool onnx_type(const onnx_reader *r, const onnx_place *at, int32_t data_type, inlay_type *out);
/* The type and shape of a tensor; INLAY_DYNAMIC and an unknown rank where TYPE (may be NULL) says
 * none. Sequences, optionals, maps and sparse tensors are refused by name. */
bool onnx_tensor_type(onnx_reader *r, const onnx_place *at, const Onnx__TypeProto *type,
                      inlay_type *element, inlay_shape *shape);

/* The dims of SHAPE, which is that of TYPE, an input of the model, get the identities of their
 * names. */
bool onnx_declare_dims(const onnx_reader *r, const Onnx__TypeProto *type, inlay_shape *shape);
/* The sizes of V, which is no input, get the names that TYPE says, where both are new: what a file
 * says of a value that it computes is a claim, which inference need not find. */
bool onnx_name_dims(const onnx_reader *r, const Onnx__TypeProto *type, const inlay_value *v);

/* info.c: what changes no result becomes metadata, of the graph, of N, of V. Of values with the
 * same metadata twice the first is kept. */

bool onnx_keep_model(onnx_reader *r);
bool onnx_keep_node(onnx_scope *s, const Onnx__NodeProto *p, inlay_node *n);
bool onnx_keep_value(onnx_scope *s, const Onnx__ValueInfoProto *p, inlay_value *v);
bool onnx_keep_tensor(onnx_scope *s, const Onnx__TensorProto *p, inlay_value *v);

/* tensor.c */

/* The tensor that T describes, over the bytes of the file where its elements lie there as they do
 * in memory; the caller releases it. NULL and an error. */
inlay_tensor *onnx_tensor(onnx_reader *r, const onnx_place *at, const Onnx__TensorProto *t);
/* sparse.c: the same of a sparse tensor, which becomes dense. */
inlay_tensor *onnx_sparse_tensor(onnx_reader *r, const onnx_place *at,
                                 const Onnx__SparseTensorProto *t);
void onnx_close_files(onnx_reader *r);

/* graph.c */

/* The value that NAME means in S; NULL: none. */
inlay_value *onnx_find_value(onnx_scope *s, const char *name);
/* NAME means V in S from now on; an error when it is taken. */
bool onnx_define_value(onnx_scope *s, const char *name, inlay_value *v);
/* Imports the nodes of a graph or function. */
bool onnx_import_nodes(onnx_scope *s, Onnx__NodeProto *const *nodes, size_t n);
/* The only output of graph G, the attribute NAME of N, whose only input is X: its nodes stand in
 * the place of N. NULL and an error. */
inlay_value *onnx_inline(struct onnx_node *n, const char *name, const Onnx__GraphProto *g,
                         inlay_value *x);
/* The initializers and nodes of graph G into S, in which its inputs are defined. */
bool onnx_import_inside(onnx_scope *s, const Onnx__GraphProto *g);
/* All of graph G into S, whose Parameters for captured values are there. OUTER (may be NULL): the
 * values whose types the inputs of a Loop's body get where G says none. Outputs from JOINED on (-1:
 * none) get an axis in front, along which the iterations are joined. */
bool onnx_import_graph(onnx_scope *s, const Onnx__GraphProto *g, inlay_value *const *outer,
                       int joined);

#endif
