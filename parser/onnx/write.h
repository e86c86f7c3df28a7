/* The writer of ONNX models: from a graph to records, and from records to bytes.
 *
 *     write.c         the model: operator sets, the file; again with a newer set if an export needs one
 *     write_graph.c   a graph: its inputs, outputs, variables, nodes in order; bodies
 *     write_node.c    what exporters call: nodes, constants
 *     write_values.c  names of values, initializers
 *     write_records.c fields of records
 *     write_tensor.c  tensors, inside the file or beside it; types and shapes
 *     write_info.c    metadata
 *     write_order.c   the order of nodes and initializers
 *     write_notes.c   storage notes and order edges
 *     export.h        what exporters of operations use; import/<family>.c: the operations
 *
 * Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_WRITE_H
#define INLAY_PARSER_ONNX_WRITE_H

#include "parser/onnx/export.h"
#include "parser/onnx/records.h"

enum { ONNX_LEAST_OPSET = 17, ONNX_ML_OPSET = 5, ONNX_LARGE = 1 << 20 };

/* Names that are taken in a graph, by open addressing. NEXT: the suffix that was tried last. */
typedef struct onnx_taken {
    struct onnx_taken_name {
        const char *name;
        unsigned next;
        bool made_up; /* by an export, for what is no value of the graph */
    } * slots;
    size_t size, used;
} onnx_taken;

typedef struct onnx_out_graph {
    const inlay_graph *g;
    Onnx__GraphProto *proto;
    struct onnx_out_graph *outer; /* the graph around a body */
    onnx_taken taken;
    const char ***values; /* by node id: the names of its outputs */
    bool *stored; /* by node id: its initializer was written, or something else stands for it */
    inlay_node **order; /* N_ORDER nodes to be written */
    size_t n_order;
    const char **results;     /* by Result: the name of that output */
    bool plain;               /* each node so far is one operator */
    Onnx__NodeProto **protos; /* by node id: the operator that makes its first output, or NULL */
} onnx_out_graph;

typedef struct onnx_writer {
    inlay_arena *a; /* of records and names */
    inlay_diags *d;
    Onnx__ModelProto *model;
    onnx_out_graph *graph; /* that is written now */
    int version, needed;   /* the operator set that is written, and the one that is needed */
    bool asked;            /* the caller has asked for that version */
    bool turns;            /* an export has put Transposes that may undo others */
    bool uses_ml, has_metadata, failed;
    inlay_strbuf refused; /* the nodes that ONNX cannot say */
    int n_refused;
    const onnx_exporter **known; /* by row */
    const char **past;           /* by variable: the name of its input; NULL: none yet */
    bool *present;               /* by variable: it has an output */
    const inlay_sink *weights;   /* NULL: all weights stand in the file */
    const char *weights_name;
    uint64_t offset; /* how many weights were written */
    const inlay_tensor **copies;
    size_t n_copies, cap_copies; /* dense copies, which the records point into */
} onnx_writer;

/* write_records.c */

/* Adds an element to FIELD of MESSAGE, or returns the place of its only one. Out of memory: an
 * error, and NULL. */
void *onnx_put_field(onnx_writer *w, void *message, const char *field);
/* Adds a message to FIELD of MESSAGE. */
void *onnx_put_message(onnx_writer *w, void *message, const char *field);
/* Sets FIELD of MESSAGE to, or adds, a string, which is not copied; a NULL or empty one is left
 * out. */
void onnx_put_text(onnx_writer *w, void *message, const char *field, const char *text);
/* Returns TEXT; where it is not UTF-8, records an error, and W has failed. */
const char *onnx_utf8(onnx_writer *w, const char *text);
bool onnx_out_of_memory(onnx_writer *w);

/* write_values.c */

/* The slot of NAME in T, or the free one where it belongs; NULL: T is empty. */
struct onnx_taken_name *onnx_taken_slot(const onnx_taken *t, const char *name);
/* Adds NAME to T and returns its slot; NULL: out of memory. */
struct onnx_taken_name *onnx_take_name(onnx_writer *w, onnx_taken *t, const char *name);
/* The names of N's outputs in the graph that is written, NULL for those that have none yet. NULL:
 * out of memory. */
const char **onnx_names_of(onnx_writer *w, const inlay_node *n);
/* What V is called in the graph: by a tensor name, that of its node if it is one, else as its node
 * is. */
const char *onnx_called(onnx_writer *w, const inlay_value *v);
/* Gives V a name, unless it has one. */
bool onnx_name_new(onnx_writer *w, const inlay_value *v);
void onnx_name_value(onnx_writer *w, const inlay_value *v, const char *name);
/* The name of V, whose initializer is written if it has one. */
const char *onnx_value_name(onnx_writer *w, const inlay_value *v);
/* A name like NAME that no value has that the graph can see; it is taken from now on. NULL: out of
 * memory. */
const char *onnx_new_name(onnx_writer *w, const char *name);
bool onnx_name_taken(const onnx_writer *w, const char *name);

/* write_graph.c */

/* Fills the model's graph from G. */
bool onnx_put_model_graph(onnx_writer *w, const inlay_graph *g);
/* Begins PROTO, a body that is G, in the graph that is written: then the caller names its
 * Parameters (onnx_name_input, or onnx_name_value with the name of a value outside), puts its
 * nodes, and then its outputs. */
bool onnx_begin_graph(onnx_writer *w, onnx_out_graph *out, Onnx__GraphProto *proto,
                      const inlay_graph *g);
/* Makes Parameter I an input of the file's graph. */
bool onnx_name_input(onnx_writer *w, int i);
bool onnx_put_nodes(onnx_writer *w);
/* Makes what Result I reads an output of the file's graph. */
bool onnx_put_output(onnx_writer *w, int i);
/* Makes NAME, which holds V or (NULL) what was put for it, an output with these facts. */
bool onnx_put_output_of(onnx_writer *w, const inlay_value *v, const char *name,
                        const inlay_fact *fact);
void onnx_end_graph(onnx_writer *w);
/* The name of the input that holds VARIABLE before the run. */
const char *onnx_past(onnx_writer *w, const inlay_variable *variable);
/* Makes the value NAME what VARIABLE holds after the run. */
bool onnx_put_present(onnx_writer *w, const inlay_variable *variable, const char *name);

/* write_node.c: puts a node that gives V the name TO. */
bool onnx_put_identity(onnx_writer *w, const char *v, const char *to);

/* write_tensor.c */
bool onnx_put_tensor(onnx_writer *w, Onnx__TensorProto *to, const char *name,
                     const inlay_tensor *t);
/* Declares that the file has TYPE. False, and an error in WHY: ONNX has no such type. */
bool onnx_put_type(onnx_writer *w, inlay_type type);
bool onnx_put_info(onnx_writer *w, Onnx__ValueInfoProto *to, const char *name, const inlay_value *v,
                   const inlay_fact *fact);

/* write_info.c: what info.c kept. */
void onnx_put_model_info(onnx_writer *w, const inlay_meta *meta);
void onnx_put_node_info(onnx_writer *w, Onnx__NodeProto *to, const inlay_node *n);
void onnx_put_value_info(onnx_writer *w, Onnx__ValueInfoProto *to, const inlay_value *v);
/* The shape of the items of V, which the file that it was read from declared. */
void onnx_put_item_shape(onnx_writer *w, Onnx__TypeProto__Tensor *to, const inlay_value *v);

/* write_order.c: sorts the nodes and initializers of G, of which all are used. */
void onnx_put_in_order(onnx_writer *w, const Onnx__GraphProto *g);

/* write_notes.c: writes the notes of the graph that is written, whose nodes are there. */
void onnx_put_notes(onnx_writer *w);

#endif
