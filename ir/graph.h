/* Graphs: nodes, values, bodies, variables; building, changing, ordering and checking them. */
#ifndef INLAY_GRAPH_H
#define INLAY_GRAPH_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits that every reader and rule shares. */
enum {
    INLAY_MAX_BODY_DEPTH = 64,  /* If in Loop in If ... */
    INLAY_MAX_META_DEPTH = 128, /* elements in elements of rt_info and meta_data */
    INLAY_MAX_KNOWN = 128       /* elements of an integer tensor whose values rules propagate */
};

typedef struct inlay_arena inlay_arena;
typedef struct inlay_graph inlay_graph;
typedef struct inlay_node inlay_node;
typedef struct inlay_value inlay_value;

/* What is in a graph. Fields are for reading; functions change them. */

/* What is known about a value. dims has rank entries. known has the elements of a small integer
 * tensor in row-major order, each an interval; it is NULL when nothing is known of them. */
typedef struct inlay_fact {
    inlay_type type;
    int rank; /* -1: unknown */
    const inlay_dim *dims;
    const inlay_dim *known;
    int n_known;
    const inlay_tensor *content; /* the whole tensor: a Const, or an exact operand at run time */
} inlay_fact;

/* A use of a value: input `index` of `node`. A value's uses form a list. */
typedef struct inlay_use {
    inlay_value *value; /* NULL: an absent optional input */
    inlay_node *node;
    int index;
    struct inlay_use *next, **link;
} inlay_use;

typedef enum inlay_note_kind {
    INLAY_FRESH,      /* its own buffer */
    INLAY_VIEW_OF,    /* a strided window on the target's buffer */
    INLAY_OVERWRITES, /* written over the target's buffer */
    INLAY_INTO        /* computed straight into a window of the target's buffer */
} inlay_note_kind;

/* What a storage note relies on: NODE keeps a condition, whose number inlay_ground_name knows. */
typedef struct inlay_ground {
    int condition;
    const inlay_node *node;
} inlay_ground;

typedef struct inlay_grounds {
    int n;
    inlay_ground *list;
    size_t cap; /* so many have room there */
} inlay_grounds;

struct inlay_value {
    inlay_fact fact;
    inlay_node *node; /* who makes it */
    inlay_use *uses;
    const char *const *names; /* tensor names, sorted by bytes, a set */
    int n_names;
    int index;            /* which output */
    int n_results;        /* how many of its uses are Results */
    inlay_note_kind note; /* and its target, or NULL */
    inlay_value *note_target;
    inlay_grounds *grounds;     /* of the note, if it states them; or NULL */
    struct inlay_meta *rt_info; /* of the port, or NULL */
};

/* A tree of strings: rt_info and meta_data as they stand in a file. A node is an element with
 * attributes and children. */
typedef struct inlay_meta {
    const char *tag;
    const char *text;         /* character data, or NULL */
    const char *const *attrs; /* name, value, name, value */
    int n_attrs;              /* pairs */
    struct inlay_meta *child, *next;
} inlay_meta;

/* One entry of a port map (parser/openvino/README.md 6), resolved to positions. */
typedef struct inlay_port {
    int outer; /* index of the node's input or output; -1: not connected */
    int inner; /* index among the body's params or results */
    bool has_axis;
    int64_t axis, start, end, stride, part_size;
    enum { INLAY_PORT_PLAIN, INLAY_PORT_ITERATION, INLAY_PORT_CONDITION } purpose;
} inlay_port;

typedef struct inlay_back_edge {
    int from; /* index among the body's results */
    int to;   /* index among its params */
} inlay_back_edge;

typedef struct inlay_body {
    const char *role; /* "body", "then_body", "else_body" */
    inlay_graph *graph;
    inlay_port *in, *out;
    int n_in, n_out;
    inlay_back_edge *back;
    int n_back;
} inlay_body;

struct inlay_variable {
    const char *name;
    inlay_type type; /* INLAY_DYNAMIC: unknown */
    int rank;
    const inlay_dim *dims;
    int index; /* in the graph's list */
};

struct inlay_node {
    const inlay_op *op;
    inlay_graph *graph;
    const char *name;  /* unique in its graph; never NULL */
    const char *label; /* the name its file gave it, when that was not unique; else NULL */
    const char *opset; /* the version its file wrote, interned: "opset8"; NULL: op->written */
    inlay_attr *attrs; /* parallel to op->attrs */
    inlay_use *in;     /* n_in uses */
    inlay_value *out;  /* n_out values */
    int n_in, n_out;
    inlay_body *bodies;
    int n_bodies;
    bool settled;             /* its rule has seen all that is known of its operands now */
    inlay_meta *rt_info;      /* list of elements, or NULL */
    inlay_meta *extra;        /* attributes of a stand-in, as (name, value) of one element */
    const char *result_names; /* unused but for Result: output_names as written, or NULL */
    uint32_t id;              /* dense per graph, grows with creation */
    uint32_t origin, made_by; /* as numbers: inlay_node_provenance */
    unsigned line;            /* in graph->file */
    int64_t place;            /* layer id, index in "nodes", ...; -1: none */
    inlay_node *prev, *next;  /* document order */
};

/* before must have run when after starts, beyond what data flow says. */
typedef struct inlay_order_edge {
    inlay_node *before, *after;
} inlay_order_edge;

struct inlay_graph {
    inlay_arena *arena;      /* shared by a graph and its bodies */
    const inlay_op_set *ops; /* the operations that its nodes can be of; NULL: those built in */
    const char *name;
    inlay_node *owner; /* the node whose body this is, or NULL */
    inlay_node *first, *last;
    size_t n_nodes;
    inlay_node **params, **results; /* document order */
    int n_params, n_results;
    inlay_variable **variables;
    int n_variables;
    inlay_meta *meta;       /* net-level elements: rt_info, meta_data, ... */
    const char *file;       /* where it was read from, or NULL */
    const char *place_word; /* how messages call a place: "layer", "nodes" */
    int ir_version;         /* 10 or 11 as the file said, 0: not from an IR file */
    uint32_t next_id;       /* above every node id */
    uint32_t next_dim_id;
    inlay_order_edge *order_edges;
    size_t n_order_edges;
    bool has_notes;
    struct inlay_work *work; /* steps made so far, shared with its bodies: ir/graph/work.h */
    struct inlay_graph_private *priv;
};

/* graph/graph.c, graph/clone.c: graphs */

INLAY_API inlay_graph *inlay_graph_new(const char *name, inlay_diags *d);
/* The same of these operations, which the graph and its bodies hold. */
INLAY_API inlay_graph *inlay_graph_new_of(const inlay_op_set *ops, const char *name,
                                          inlay_diags *d);
/* Frees the graph, its bodies and all their nodes, and releases its tensors. NULL is fine. */
INLAY_API void inlay_graph_free(inlay_graph *g);
/* An empty graph that will be a body of NODE; it goes with NODE's graph. */
INLAY_API inlay_graph *inlay_graph_new_body(inlay_node *node, const char *name, inlay_diags *d);
/* Makes room for N bodies in NODE, whose operation must have bodies; the caller fills them. Until
 * then the graph is not complete, and what follows port maps refuses it. */
INLAY_API bool inlay_node_set_bodies(inlay_node *node, int n, inlay_diags *d);
/* An equal graph of its own (notes and order edges included). */
INLAY_API inlay_graph *inlay_graph_clone(const inlay_graph *g, inlay_diags *d);
/* Bytes of memory that G and its bodies hold, tensors not counted. */
INLAY_API size_t inlay_graph_bytes(const inlay_graph *g);
/* The node of G called NAME, or NULL. */
INLAY_API inlay_node *inlay_graph_node(const inlay_graph *g, const char *name);

/* graph/ground.c: the grounds of storage notes, passes/inplace/CONDITIONS.md */

/* The condition that its node keeps: "O3 last-read". */
INLAY_API const char *inlay_ground_name(const inlay_ground *g);
/* How its node keeps it, as the end of a sentence that begins with the node: "reads the old data
 * before". */
INLAY_API const char *inlay_ground_text(const inlay_ground *g);
/* G is a ground of the note of V, and holds because of an order edge. */
INLAY_API bool inlay_ground_is_ordered(const inlay_ground *g, const inlay_value *v);

/* graph/node.c: nodes and values */

/* New nodes are made by ir/build.h. Calls N by another NAME, which is made unique ("_2") when it is
 * taken. */
INLAY_API bool inlay_node_rename(inlay_node *n, const char *name, inlay_diags *d);
/* A Result reads it: it is an output of its graph. */
INLAY_API bool inlay_value_is_output(const inlay_value *v);
/* Connects input I; VALUE must be of the same graph, or NULL for absent. */
INLAY_API bool inlay_node_set_input(inlay_node *n, int i, inlay_value *value, inlay_diags *d);
/* Takes N out of its graph; an error when an output of N is in use. */
INLAY_API bool inlay_node_remove(inlay_node *n, inlay_diags *d);
/* Every use of OLD becomes a use of BY. When a Result used OLD, BY gets OLD's tensor names too. */
INLAY_API bool inlay_value_replace(inlay_value *old, inlay_value *by, inlay_diags *d);
INLAY_API bool inlay_value_set_names(inlay_value *v, const char *const *names, int n,
                                     inlay_diags *d);
static inline inlay_value *inlay_node_input(const inlay_node *n, int i)
{
    return i >= 0 && i < n->n_in ? n->in[i].value : NULL;
}
/* The input that has ROLE; NULL when none has, or it is absent. */
static inline inlay_value *inlay_node_operand(const inlay_node *n, inlay_role role)
{
    return inlay_node_input(n, inlay_op_operand(n->op, role));
}
/* The role of V among the outputs of its node. */
static inline inlay_role inlay_value_role(const inlay_value *v)
{
    const inlay_op *op = v->node->op;

    return op->out[v->index < op->n_out ? v->index : 0].role;
}
/* Operand I of those that say which window it is: 0 start, 1 stop, 2 step, 3 axes. */
static inline inlay_value *inlay_node_window(const inlay_node *n, int i)
{
    return inlay_node_operand(n, (inlay_role)(INLAY_ROLE_START + i));
}
static inline bool inlay_node_is(const inlay_node *n, inlay_op_kind kind)
{
    return n->op->kind == kind;
}

/* graph/variables.c: variables */

/* Finds or makes the variable NAME of the outermost graph that holds G. */
INLAY_API inlay_variable *inlay_graph_variable(inlay_graph *g, const char *name, inlay_diags *d);
/* Says what is known of V; dims are copied. */
INLAY_API bool inlay_variable_set(inlay_graph *g, inlay_variable *v, inlay_type type, int rank,
                                  const inlay_dim *dims, inlay_diags *d);

/* graph/carry.c: what a run gives as output OUTPUT, and the next one takes as input INPUT */
typedef struct inlay_carried {
    int output, input; /* indices, as they are before any is carried */
} inlay_carried;
/* Makes each of the N pairs of PAIRS a variable of G, the outermost graph, with the input's name,
 * type and shape, so that a run keeps it for the next, and may write over it and let it grow as any
 * state. The outputs go; the inputs stay, as what the variables begin with: only a run in the reset
 * state looks at them. An output may come in several pairs, an input in one. False, with G as it
 * was, if a pair cannot be, or the name is that of a variable; or when out of memory. */
INLAY_API bool inlay_graph_carry(inlay_graph *g, const inlay_carried *pairs, int n, inlay_diags *d);

/* graph/dim_name.c: names of open sizes. A name belongs to an identity of G (inlay_dim.id), one to
 * one: what is called alike is the same number in every run. Shape rules see identities only. */

/* The identity that NAME has in G, which gets a new one when it has none. 0 and an error. */
INLAY_API uint32_t inlay_graph_named_dim(inlay_graph *g, const char *name, inlay_diags *d);
/* ID, an identity of G, is called NAME from now on, unless one of the two is taken: then nothing
 * changes. False: an error. */
INLAY_API bool inlay_graph_name_dim(inlay_graph *g, uint32_t id, const char *name, inlay_diags *d);
/* The identity called NAME; 0: none is. */
INLAY_API uint32_t inlay_graph_dim_id(const inlay_graph *g, const char *name);
/* The name of identity ID; NULL: it has none. */
INLAY_API const char *inlay_graph_dim_name(const inlay_graph *g, uint32_t id);
/* The name of dim AXIS of V; NULL when it has none, or is a number. */
INLAY_API const char *inlay_value_dim_name(const inlay_value *v, int axis);
/* The shape of V as inlay_shape_text writes it, with names: "[?#batch,3]". */
INLAY_API char *inlay_value_shape_text(const inlay_value *v, char *buf, size_t size);
/* Every dim of G's inputs that is called NAME becomes SIZE, and shapes are inferred anew. An error
 * when no input has such a dim, or it cannot be SIZE. */
INLAY_API bool inlay_graph_set_dim(inlay_graph *g, const char *name, int64_t size, inlay_diags *d);

/* graph/attr.c: attributes. Lists, strings and shapes are copied, a tensor is retained. A setter
 * fails when the row has no such attribute or it is of another kind. */

INLAY_API bool inlay_node_set_bool(inlay_node *n, const char *name, bool x, inlay_diags *d);
INLAY_API bool inlay_node_set_int(inlay_node *n, const char *name, int64_t x, inlay_diags *d);
INLAY_API bool inlay_node_set_float(inlay_node *n, const char *name, double x, inlay_diags *d);
INLAY_API bool inlay_node_set_string(inlay_node *n, const char *name, const char *x,
                                     inlay_diags *d); /* STRING, ENUM (any case), VARIABLE */
INLAY_API bool inlay_node_set_type(inlay_node *n, const char *name, inlay_type x, inlay_diags *d);
INLAY_API bool inlay_node_set_ints(inlay_node *n, const char *name, const int64_t *x, int count,
                                   inlay_diags *d);
INLAY_API bool inlay_node_set_floats(inlay_node *n, const char *name, const double *x, int count,
                                     inlay_diags *d);
INLAY_API bool inlay_node_set_strings(inlay_node *n, const char *name, const char *const *x,
                                      int count, inlay_diags *d);
INLAY_API bool inlay_node_set_types(inlay_node *n, const char *name, const inlay_type *x, int count,
                                    inlay_diags *d);
INLAY_API bool inlay_node_set_shape(inlay_node *n, const char *name, const inlay_shape *x,
                                    inlay_diags *d);
INLAY_API bool inlay_node_set_tensor(inlay_node *n, const char *name, const inlay_tensor *x,
                                     inlay_diags *d);
/* The value in force: given, else the row's default, else NULL. */
INLAY_API const inlay_attr *inlay_node_attr(const inlay_node *n, const char *name);
/* The value in force, unwrapped; what is absent without a default reads as false, 0, NULL. */
INLAY_API bool inlay_node_bool(const inlay_node *n, const char *name);
INLAY_API int64_t inlay_node_int(const inlay_node *n, const char *name);
INLAY_API double inlay_node_float(const inlay_node *n, const char *name);
INLAY_API const char *inlay_node_string(const inlay_node *n, const char *name);
INLAY_API inlay_type inlay_node_type(const inlay_node *n, const char *name);
INLAY_API const int64_t *inlay_node_ints(const inlay_node *n, const char *name, int *count);

/* graph/fact.c: what is known of a value */

/* The sizes as numbers when all are known: DIMS has room for INLAY_MAX_RANK. */
INLAY_API bool inlay_fact_dims(const inlay_fact *f, int64_t *dims);
/* Every dim is proven equal; false when a rank is not known. */
INLAY_API bool inlay_fact_same_shape(const inlay_fact *a, const inlay_fact *b);

/* graph/order.c: the one canonical order */

typedef struct inlay_order_list {
    inlay_node **nodes;
    size_t n;
} inlay_order_list;

/* Parameters first, then depth first from Results and sinks in document order (operands before
 * users, inputs left to right, order edges honoured), then, when ALL, what nothing reaches.
 * Iterative. False and an error that names a node on the cycle when there is one. */
INLAY_API bool inlay_order(const inlay_graph *g, bool all, inlay_order_list *out, inlay_diags *d);
INLAY_API void inlay_order_free(inlay_order_list *o);

/* infer/infer.c, infer/whole.c: types and shapes */

/* Infers the outputs of all nodes in canonical order (bodies included), from what is known now.
 * What is unknown stays unknown; a contradiction is an error at the node. Operators that waited for
 * what is known now (row Deferred) are put into what they are: from then on the graph is one for
 * what is known, and what says less of an input has to be said of a copy from before. */
INLAY_API bool inlay_infer_graph(inlay_graph *g, inlay_diags *d);

/* graph/check_graph.c: is it well formed? */

/* Checks the structure (ids, uses both ways, acyclic, no use across graphs, arity, attributes,
 * types), and then that inference agrees with what is recorded. */
INLAY_API bool inlay_check_graph(inlay_graph *g, inlay_diags *d);

/* graph/compare.c */

/* Two graphs have the same structure: nodes in canonical order, ops, attributes, constants by
 * content, connections, shapes, names of inputs and outputs. When not, WHY (SIZE bytes, may be
 * NULL) says where. */
INLAY_API bool inlay_graph_equal(const inlay_graph *a, const inlay_graph *b, char *why,
                                 size_t size);

/* graph/port_name.c, graph/result_name.c: inputs and outputs by the names that users know them by
 */

enum { INLAY_NO_SUCH = -1, INLAY_AMBIGUOUS = -2 };

/* Index of the input that NAME, of N bytes, calls: its node's name or label, a tensor name of it,
 * or "#K" for the K-th. INLAY_NO_SUCH, or INLAY_AMBIGUOUS when several have it. */
INLAY_API int inlay_graph_find_input(const inlay_graph *g, const char *name, size_t n);
/* Index of the first output that NAME, of N bytes, calls: its name among NAMES, which
 * inlay_result_names gave, a tensor name of it, or "#K". INLAY_NO_SUCH. */
INLAY_API int inlay_graph_find_output(const inlay_graph *g, const char *const *names,
                                      const char *name, size_t n);

/* The names that outputs have for users, by index: the first tensor name, else the producer's name
 * (with `.port` when that has several outputs); made unique among G's results with `_2`. All live
 * in G's arena. NULL and an error when out of memory. */
INLAY_API const char *const *inlay_result_names(const inlay_graph *g, inlay_diags *d);

/* graph/provenance.c: where a node comes from, and who made it */

typedef struct inlay_provenance {
    /* The node of the file, or of the program that built the graph, that it comes from: what it was
     * called there, its line and its place, as those of a node. NULL: a pass made it of none. */
    const char *name;
    unsigned line;
    int64_t place;
    /* The application that made it: its serial number (0: it stood in the file), the pass, and the
     * rule, NULL when it was the pass itself. */
    uint64_t application;
    const char *pass, *rule;
} inlay_provenance;

/* Kept through all rewrites and by inlay_graph_clone; not written to files. Lives as long as the
 * graph. */
INLAY_API inlay_provenance inlay_node_provenance(const inlay_node *n);

/* graph/fail.c: messages about a node */

/* As inlay_fail, with the place and name of NODE (NULL: none) in front. */
INLAY_API bool inlay_fail_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);

/* evaluator: how constant folding and trials run nodes without knowing an executor. Filled by
 * interp/, handed over by the caller. Tensors returned are the caller's to release. */
typedef struct inlay_evaluator {
    bool (*eval_node)(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d);
    /* IN: one per Parameter; OUT: one per Result; VARIABLES (may be NULL when there are none): one
     * per variable, replaced by the new state. */
    bool (*eval_graph)(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_tensor **variables, inlay_diags *d);
    void *ctx;
} inlay_evaluator;

#ifdef __cplusplus
}
#endif

#endif
