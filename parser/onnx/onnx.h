/* The reader of ONNX models: from records to a graph.
 *
 *     records.h     what a file says, in any of its forms (wire.c reads the binary one)
 *     model.c       the model: versions, operator sets, functions; from the bytes to the graph
 *     graph.c       a graph: inputs, initializers, nodes, outputs; bodies with captured values
 *     sort.c        the order of nodes; uses.c: what bodies use of the graph around them
 *     type.c        element types, shapes; tensor.c: tensors, inside the file or beside it
 *     import.h      what imports of operators use; import/<family>.c: the operators
 *
 * Nodes are sorted, in the file or by sort.c, so that every value is defined before it is used: a
 * node is made, checked and inferred at once, and the import of the next operator can ask for its
 * types and shapes. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_H
#define INLAY_PARSER_ONNX_H

#include "parser/assemble.h"
#include "parser/file.h"
#include "parser/names.h"

#include "onnx.pb-c.h"

enum {
    ONNX_MIN_IR = 3,
    ONNX_MAX_IR = 13,
    ONNX_MIN_OPSET = 1,
    ONNX_MAX_OPSET = 28,
    ONNX_MAX_CALLS = 32,
    ONNX_N_KNOWN = 128 /* a power of two */
};

/* The position of a record: FIELD of the record OUTER, element INDEX. Errors print it as
 *
 *     graph.node[3] "conv" (Conv-11).attribute "kernel_shape"
 *     graph.node[4] (com.microsoft.FastGelu-1) */
typedef struct onnx_place {
    const struct onnx_place *outer; /* NULL: the model */
    const char *field;
    int64_t index; /* -1: the field is not repeated, or NAME says it better */
    const char *name;
    const char
        *type; /* of a node: its operator, of VERSION of the set DOMAIN ("": ai.onnx); else NULL */
    const char *domain;
    int64_t version;
} onnx_place;

/* A cached lookup of an operator. Its slot is a hash of the length of its name and its first and
 * last letter. */
struct onnx_known {
    const char *name;
    int64_t version;
    const struct onnx_operator *op;
};

/* A function of the model, and its place among them. */
typedef struct onnx_function {
    const Onnx__FunctionProto *proto;
    size_t place;
} onnx_function;

typedef struct onnx_reader {
    assembler a;
    inlay_buffer *bytes; /* the file, if bytes fields point into it; NULL: their bytes are copied */
    const Onnx__ModelProto *model;
    onnx_function *functions; /* of the model, sorted by name */
    parser_names files;       /* the mapped files that tensors refer to, buffers */
    inlay_diags *said; /* messages about nodes that an import makes, before the position in the file
                          is put in front */
    struct onnx_known known[ONNX_N_KNOWN]; /* cached lookups of operators */
    const Onnx__NodeProto *expanded;       /* the node whose deferred node is being expanded; else
                                              NULL */
    struct onnx_asked *asked;              /* what its import asked for; NULL: no deferred node is
                                              being expanded */
    uint64_t n_called, max_called;         /* nodes that calls became, and may become */
    bool had_error;                        /* the diagnostics had an error before */
    bool has_lines;                        /* the file is text: the offsets of records are lines */
    bool unsorted;                         /* some list of nodes was not in order */
    unsigned line; /* the line of the record that is being imported; 0: the file has no lines */
} onnx_reader;

/* functions.c */

/* Makes the sorted list of the functions of R's model. */
bool onnx_list_functions(onnx_reader *r);
/* Counts N nodes more that are made for a call. False: they are too many. */
bool onnx_count_called(onnx_reader *r, size_t n);
/* Returns the function of the model that NODE calls, of several the first one; NULL: NODE calls
 * none. */
const Onnx__FunctionProto *onnx_function_of(const onnx_reader *r, const Onnx__NodeProto *node);

/* The operator sets that a model or a function imports. */
typedef struct onnx_imports {
    Onnx__OperatorSetIdProto *const *sets;
    size_t n;
} onnx_imports;

/* A graph, a body, or the inside of a function while it is imported. */
typedef struct onnx_scope {
    onnx_reader *r;
    assemble_scope *names; /* the names of its values */
    inlay_graph *graph;    /* the graph that gets its nodes; that of the caller for a function */
    const onnx_place *at;  /* the position of its nodes */
    onnx_imports imports;
    const struct onnx_node *call; /* in a function: the node that calls it, to whose attributes
                                     references refer; else NULL */
    const Onnx__FunctionProto *function; /* the function that CALL calls */
    const Onnx__GraphProto *declares;    /* the graph that declares what its values are, or NULL */
    int calls;                           /* the depth of nested function calls */
    struct onnx_scope
        *around; /* in a graph that is inlined in place of a node: the scope to search for values
                    that the graph does not define; else NULL */
} onnx_scope;

/* place.c */

/* Returns the position of P, node INDEX of S. */
onnx_place onnx_node_place(const onnx_scope *s, const Onnx__NodeProto *p, size_t index);
/* Begins the import of RECORD, so that errors name its line. Returns the line of the record before.
 */
unsigned onnx_enter(onnx_reader *r, const void *record);
/* Records an error at AT, unless there is one: imports go on after an error. Always false. */
bool onnx_fail(const onnx_reader *r, const onnx_place *at, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* The same for the assembler (assemble_words): of a row no better place is known than the file. */
bool onnx_fail_row(void *reader, const void *at, const char *what);
/* Records a warning at AT. */
void onnx_warn(const onnx_reader *r, const onnx_place *at, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* Returns the value called NAME in S; NULL: there is none. NAME must live as long as the reader. */
inlay_value *onnx_find_value(onnx_scope *s, const char *name);
/* Defines NAME as V in S. False and an error: NAME is defined already. */
bool onnx_define_value(onnx_scope *s, const char *name, inlay_value *v);

/* type.c */

/* Sets *OUT to the element type of a TensorProto.DataType. False and an error: there is none. */
bool onnx_type(const onnx_reader *r, const onnx_place *at, int32_t data_type, inlay_type *out);
/* Can dimension I, which the file calls WHAT, be SIZE? Records an error if not. */
bool onnx_check_size(const onnx_reader *r, const onnx_place *at, const char *what, size_t i,
                     int64_t size);
/* Sets type and shape to those of a tensor; INLAY_DYNAMIC and an unknown rank if TYPE (may be NULL)
 * does not say. Sequences, optionals and maps are tensors of items (ir/ops/sequence.def); sparse
 * tensors are an error that names them. */
bool onnx_tensor_type(onnx_reader *r, const onnx_place *at, const Onnx__TypeProto *type,
                      inlay_type *element, inlay_shape *shape);
/* The type of what TYPE, a sequence or an optional, holds, or of the values of a map;
 * INLAY_DYNAMIC: it does not say. */
inlay_type onnx_item_type(const Onnx__TypeProto *type);

/* Gives the sizes of SHAPE, which is that of TYPE, an input of the model, the identities of their
 * names. */
bool onnx_declare_dims(const onnx_reader *r, const Onnx__TypeProto *type, inlay_shape *shape);
/* Gives the open sizes of V, which is no input, the names that TYPE says, unless the size or the
 * name is taken: what a file says about a computed value is only a claim. */
bool onnx_name_dims(const onnx_reader *r, const Onnx__TypeProto *type, const inlay_value *v);
/* Is size AXIS of TYPE that of V, the same number or name? */
bool onnx_is_same_dim(const Onnx__TypeProto *type, int axis, const inlay_value *v);

/* info.c: keeps what has no effect on results as metadata of the graph, of N or of V. Metadata that
 * a value has already is kept as it is. */

bool onnx_keep_model(onnx_reader *r);
bool onnx_keep_node(onnx_scope *s, const Onnx__NodeProto *p, inlay_node *n);
bool onnx_keep_value(onnx_scope *s, const Onnx__ValueInfoProto *p, inlay_value *v);
bool onnx_keep_tensor(onnx_scope *s, const Onnx__TensorProto *p, inlay_value *v);

/* tensor.c */

/* Returns the tensor that T describes, which the caller releases. It is a view of the file if
 * elements have the same layout there as in memory. NULL: an error was recorded. */
inlay_tensor *onnx_tensor(onnx_reader *r, const onnx_place *at, const Onnx__TensorProto *t);
/* sparse.c: the same for a sparse tensor, which becomes dense. */
inlay_tensor *onnx_sparse_tensor(onnx_reader *r, const onnx_place *at,
                                 const Onnx__SparseTensorProto *t);
/* items.c: the value of S, else of M, else of O, as items that the caller releases. NULL: an error
 * was recorded. */
inlay_tensor *onnx_items(onnx_reader *r, const Onnx__SequenceProto *s, const Onnx__MapProto *m,
                         const Onnx__OptionalProto *o);
void onnx_close_files(onnx_reader *r);

/* uses.c */

/* The names that graphs use and do not define, each once, in order of their first use. */
typedef struct onnx_uses {
    assemble_scope *seen;
    const char **names; /* in the scratch memory */
    size_t count, room;
} onnx_uses;

bool onnx_uses_begin(onnx_uses *u, const onnx_scope *s);
/* Adds the names of G and the bodies in it; those of all bodies of N. */
bool onnx_see_uses(onnx_uses *u, const Onnx__GraphProto *g);
bool onnx_see_bodies(onnx_uses *u, const Onnx__NodeProto *n);

/* sort.c */

/* Sorts the N NODES of S from BASE on topologically: sets *ORDER to their indices in order, counted
 * from BASE, and records a warning; NULL: they are in order. Everything else in S is defined
 * already. False and an error: there is a cycle. */
bool onnx_sort_nodes(onnx_scope *s, Onnx__NodeProto *const *nodes, size_t base, size_t n,
                     const uint32_t **order);

/* graph.c */

/* Imports P, node INDEX of its graph. */
bool onnx_import_node(onnx_scope *s, const Onnx__NodeProto *p, size_t index);
/* Imports the nodes of a graph or function. */
bool onnx_import_nodes(onnx_scope *s, Onnx__NodeProto *const *nodes, size_t n);
/* Inlines graph G, the attribute NAME of N, in place of N. G has one input, which is X, and one
 * output, which is returned; NULL: an error was recorded. */
inlay_value *onnx_inline(struct onnx_node *n, const char *name, const Onnx__GraphProto *g,
                         inlay_value *x);
/* Imports the initializers and nodes of graph G into S, which has G's inputs already. */
bool onnx_import_inside(onnx_scope *s, const Onnx__GraphProto *g);
/* Imports all of graph G into S, which has Parameters for captured values already. Inputs of a
 * Loop's body for which G gives no type get that of the value in OUTER (may be NULL). Outputs from
 * number JOINED on (-1: none) get a new first axis, along which iterations are concatenated. */
bool onnx_import_graph(onnx_scope *s, const Onnx__GraphProto *g, inlay_value *const *outer,
                       int joined);

#endif
