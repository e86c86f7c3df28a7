/* The reader of ONNX models: from records to a graph.
 *
 *     records.h     what a file says, whatever form it has (wire.c reads the binary one)
 *     model.c       the model: versions, operator sets, functions; from the bytes to the graph
 *     graph.c       a graph: inputs, initializers, nodes, outputs; bodies with captured values
 *     sort.c        the order of nodes; uses.c: what bodies use of the graph around them
 *     type.c        element types, shapes; tensor.c: tensors, inside the file or beside it
 *     import.h      what the import of an operator sees; import/<family>.c: the operators
 *
 * Nodes are sorted, by the file or by sort.c, so that every value is there when it is used: a node
 * is made, checked and inferred at once, and the import of the next operator can ask for its types
 * and shapes. Private to parser/onnx. */
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
    ONNX_N_KNOWN = 128 /* it is a power of two */
};

/* Where a record stands: in FIELD of the record OUTER, as its element INDEX. Errors say it as
 *
 *     graph.node[3] "conv" (Conv-11).attribute "kernel_shape"
 *     graph.node[4] (com.microsoft.FastGelu-1)
 */
typedef struct onnx_place {
    const struct onnx_place *outer; /* NULL: the model */
    const char *field;
    int64_t index; /* -1: the field is not repeated, or NAME says it better */
    const char *name;
    const char
        *type; /* of a node: its operator, of VERSION of the set DOMAIN ("": ai.onnx); NULL */
    const char *domain;
    int64_t version;
} onnx_place;

/* An operator that was found for a node before. It stands in a slot that follows from the length of
 * its name, and from the first and last letter. */
struct onnx_known {
    const char *name;
    int64_t version;
    const struct onnx_operator *op;
};

typedef struct onnx_reader {
    assembler a;
    inlay_buffer
        *bytes; /* the file into which fields of bytes point; NULL: their bytes are copied */
    const Onnx__ModelProto *model;
    struct onnx_file *files; /* the files that tensors named, mapped */
    inlay_diags *said; /* what is said of a node that an import makes, until the place in the file
                        * is put before the words */
    struct onnx_known known[ONNX_N_KNOWN]; /* the operators that were found before */
    const Onnx__NodeProto *expanded;       /* the node of a deferred one, which is made now; NULL */
    struct onnx_asked *asked;              /* by its import; NULL: no deferred node is made */
    bool had_error; /* the diagnostics held an error before: else one that stands there is ours */
    bool has_lines; /* the file is text: the offsets of records are lines */
    bool unsorted;  /* a list of nodes that are not in order was met */
    unsigned line;  /* the line of the record that is being imported; 0: the file has no lines */
} onnx_reader;

/* The operator sets that a model or a function imports. */
typedef struct onnx_imports {
    Onnx__OperatorSetIdProto *const *sets;
    size_t n;
} onnx_imports;

/* A graph, a body, or the inside of a function while it is imported. */
typedef struct onnx_scope {
    onnx_reader *r;
    assemble_scope *names; /* the names of its values */
    inlay_graph
        *graph; /* the graph where its nodes go; that of a function is the graph of the caller */
    const onnx_place *at; /* the place where its nodes stand */
    onnx_imports imports;
    const struct onnx_node *call; /* in a function: the node that calls it, whose attributes are
                                   * meant by its references; else NULL */
    const Onnx__FunctionProto *function; /* the function that CALL calls */
    int calls;                           /* how many functions are called around it */
    struct onnx_scope
        *around; /* in a graph that is imported in the place of a node: the scope where values are
                  * looked for that the graph does not make; else NULL */
} onnx_scope;

/* place.c */

/* The place of P, node INDEX of S. */
onnx_place onnx_node_place(const onnx_scope *s, const Onnx__NodeProto *p, size_t index);
/* From now on RECORD is being imported, so that errors name its line. Returns the line of the
 * record before. */
unsigned onnx_enter(onnx_reader *r, const void *record);
/* Records an error at AT, unless there is one: an import goes on behind the first. Always false. */
bool onnx_fail(const onnx_reader *r, const onnx_place *at, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* Records a warning at AT. */
void onnx_warn(const onnx_reader *r, const onnx_place *at, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* Returns the value that NAME, which lives as long as the reader, means in S; NULL: it means none.
 */
inlay_value *onnx_find_value(onnx_scope *s, const char *name);
/* From now on NAME means V in S. False and an error: NAME means another value already. */
bool onnx_define_value(onnx_scope *s, const char *name, inlay_value *v);

/* type.c */

/* OUT receives the element type that a TensorProto.DataType means. False and an error: it means
 * none. */
bool onnx_type(const onnx_reader *r, const onnx_place *at, int32_t data_type, inlay_type *out);
/* Whether SIZE can be dimension I, which the file calls WHAT; an error otherwise. */
bool onnx_check_size(const onnx_reader *r, const onnx_place *at, const char *what, size_t i,
                     int64_t size);
/* The type and shape of a tensor; INLAY_DYNAMIC and an unknown rank where TYPE (may be NULL) says
 * none. Sequences, optionals, maps and sparse tensors are refused by name. */
bool onnx_tensor_type(onnx_reader *r, const onnx_place *at, const Onnx__TypeProto *type,
                      inlay_type *element, inlay_shape *shape);

/* The dims of SHAPE, which is that of TYPE, an input of the model, get the identities of their
 * names. */
bool onnx_declare_dims(const onnx_reader *r, const Onnx__TypeProto *type, inlay_shape *shape);
/* The sizes of V, which is no input, get the names that TYPE says. A size that has a name keeps it,
 * and so does a name that has a size, because what a file says of a value that it computes is a
 * claim only. */
bool onnx_name_dims(const onnx_reader *r, const Onnx__TypeProto *type, const inlay_value *v);

/* info.c: what changes no result becomes metadata, of the graph, of N, of V. Of values with the
 * same metadata twice the first is kept. */

bool onnx_keep_model(onnx_reader *r);
bool onnx_keep_node(onnx_scope *s, const Onnx__NodeProto *p, inlay_node *n);
bool onnx_keep_value(onnx_scope *s, const Onnx__ValueInfoProto *p, inlay_value *v);
bool onnx_keep_tensor(onnx_scope *s, const Onnx__TensorProto *p, inlay_value *v);

/* tensor.c */

/* Returns the tensor that T describes, which the caller releases. It shows the bytes of the file
 * where elements lie there as they do in memory. NULL: an error was recorded. */
inlay_tensor *onnx_tensor(onnx_reader *r, const onnx_place *at, const Onnx__TensorProto *t);
/* sparse.c: the same of a sparse tensor, which becomes dense. */
inlay_tensor *onnx_sparse_tensor(onnx_reader *r, const onnx_place *at,
                                 const Onnx__SparseTensorProto *t);
void onnx_close_files(onnx_reader *r);

/* uses.c */

/* The names that graphs use and do not define, each once, in the order of their first use. */
typedef struct onnx_uses {
    assemble_scope *seen;
    const char **names; /* in the scratch memory */
    size_t count, room;
} onnx_uses;

bool onnx_uses_begin(onnx_uses *u, const onnx_scope *s);
/* Adds those of G with the bodies inside, and those of all bodies of N. */
bool onnx_see_uses(onnx_uses *u, const Onnx__GraphProto *g);
bool onnx_see_bodies(onnx_uses *u, const Onnx__NodeProto *n);

/* sort.c */

/* *ORDER receives the N NODES of S, by index, in an order in which each stands behind those whose
 * results it uses, and a warning is recorded; NULL: they are in such an order. What S has besides
 * is defined already. False and an error: some need each other. */
bool onnx_sort_nodes(onnx_scope *s, Onnx__NodeProto *const *nodes, size_t n,
                     const uint32_t **order);

/* graph.c */

/* Imports P, node INDEX of the graph around it. */
bool onnx_import_node(onnx_scope *s, const Onnx__NodeProto *p, size_t index);
/* Imports the nodes of a graph or function. */
bool onnx_import_nodes(onnx_scope *s, Onnx__NodeProto *const *nodes, size_t n);
/* Imports graph G, the attribute NAME of N, in the place of N. G has one input, which is X, and one
 * output, which is returned; NULL: an error was recorded. */
inlay_value *onnx_inline(struct onnx_node *n, const char *name, const Onnx__GraphProto *g,
                         inlay_value *x);
/* Imports the initializers and nodes of graph G into S, in which its inputs are defined already. */
bool onnx_import_inside(onnx_scope *s, const Onnx__GraphProto *g);
/* Imports all of graph G into S, which has Parameters for captured values already. OUTER (may be
 * NULL) has the values whose types the inputs of a Loop's body get where G says none. Outputs from
 * number JOINED on (-1: none) get an axis in front, along which iterations are joined. */
bool onnx_import_graph(onnx_scope *s, const Onnx__GraphProto *g, inlay_value *const *outer,
                       int joined);

#endif
