/* Graphs: nodes, values, bodies, variables; building, changing, ordering and checking them. */
#ifndef INLAY_GRAPH_H
#define INLAY_GRAPH_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of all readers and shape rules. */
enum {
    INLAY_MAX_BODY_DEPTH = 64,  /* If in Loop in If ... */
    INLAY_MAX_META_DEPTH = 128, /* elements in elements of rt_info and meta_data */
    INLAY_MAX_KNOWN = 128 /* shape rules follow the values of integer tensors up to this size */
};

typedef struct inlay_arena inlay_arena;
typedef struct inlay_graph inlay_graph;
typedef struct inlay_node inlay_node;
typedef struct inlay_value inlay_value;

/* What a graph consists of. Read the fields; change them through functions only. */

/* What is known about a value before the run: its type, its RANK sizes, and for a small integer
 * tensor its elements in row-major order, each an interval (NULL: nothing is known of them). */
typedef struct inlay_fact {
    inlay_type type;
    int rank; /* -1: unknown */
    const inlay_dim *dims;
    const inlay_dim *known;
    int n_known;
    const inlay_tensor *content; /* all elements: of a Const, or of an operand during the run */
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

/* A fact that a storage note relies on: NODE fulfils a condition (inlay_ground_name gives its
 * name). A rewrite that changes NODE so that it no longer does makes the note illegal. */
typedef struct inlay_ground {
    int condition;
    const inlay_node *node;
} inlay_ground;

typedef struct inlay_grounds {
    int n;
    inlay_ground *list;
    size_t cap; /* capacity of LIST */
} inlay_grounds;

struct inlay_value {
    inlay_fact fact;
    inlay_node *node; /* its producer */
    inlay_use *uses;
    const char *const *names; /* tensor names, sorted by bytes, a set */
    int n_names;
    int index;                  /* which output */
    int n_results;              /* how many of its uses are Results */
    inlay_note_kind note;       /* the storage note: where its bytes are, */
    inlay_value *note_target;   /* in whose buffer, or NULL, */
    inlay_grounds *grounds;     /* and what the note relies on, if it says so; or NULL */
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

/* One entry of a port map of If, Loop or TensorIterator (parser/openvino/README.md, 6). */
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
    bool settled;             /* its shape rule has seen the present facts of its operands */
    inlay_meta *rt_info;      /* list of elements, or NULL */
    inlay_meta *extra;        /* attributes of a stand-in, as (name, value) of one element */
    const char *result_names; /* of a Result: output_names as written, or NULL */
    uint32_t id;              /* dense per graph, grows with creation */
    uint32_t origin, made_by; /* see inlay_node_provenance */
    unsigned line;            /* in graph->file */
    int64_t place;            /* in the file: layer id, index in "nodes", ...; -1: none */
    inlay_node *prev, *next;  /* document order */
};

/* BEFORE must have run when AFTER starts, although no data flows between them. */
typedef struct inlay_order_edge {
    inlay_node *before, *after;
} inlay_order_edge;

struct inlay_graph {
    inlay_arena *arena;      /* shared by a graph and its bodies */
    const inlay_op_set *ops; /* the operations that its nodes may have; NULL: the built-in ones */
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
    const char *place_word; /* what messages call `place`: "layer", "nodes" */
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
/* The same with the operations OPS, to which the graph and its bodies keep a reference. */
INLAY_API inlay_graph *inlay_graph_new_of(const inlay_op_set *ops, const char *name,
                                          inlay_diags *d);
/* Frees the graph, its bodies and all their nodes, and releases its tensors. NULL is fine. */
INLAY_API void inlay_graph_free(inlay_graph *g);
/* From now on G, its bodies, and what is made of them count in B (ir/budget.h; NULL: nowhere); the
 * tensors that it has count where they did. False: they do not fit. */
INLAY_API bool inlay_graph_set_budget(inlay_graph *g, inlay_budget *b, inlay_diags *d);
/* Where G counts; NULL: nowhere, or there is no graph. */
INLAY_API inlay_budget *inlay_graph_budget(const inlay_graph *g);
/* An empty graph that will be a body of NODE; it is freed with NODE's graph. */
INLAY_API inlay_graph *inlay_graph_new_body(inlay_node *node, const char *name, inlay_diags *d);
/* Gives NODE, whose operation must have bodies, N empty ones, which the caller fills. Until then
 * the graph is incomplete, and functions that follow port maps refuse it. */
INLAY_API bool inlay_node_set_bodies(inlay_node *node, int n, inlay_diags *d);
/* A deep copy, with notes and order edges. */
INLAY_API inlay_graph *inlay_graph_clone(const inlay_graph *g, inlay_diags *d);
/* Bytes of memory that G and its bodies hold, tensors not counted. */
INLAY_API size_t inlay_graph_bytes(const inlay_graph *g);
/* The node of G called NAME, or NULL. */
INLAY_API inlay_node *inlay_graph_node(const inlay_graph *g, const char *name);

/* graph/ground.c: the grounds of storage notes, passes/inplace/CONDITIONS.md */

/* The condition that its node keeps: "O3 no-later-read". */
INLAY_API const char *inlay_ground_name(const inlay_ground *g);
/* How its node keeps it, as the end of a sentence that begins with the node: "reads the old data
 * before". */
INLAY_API const char *inlay_ground_text(const inlay_ground *g);
/* G is a ground of the note of V, and holds because of an order edge. */
INLAY_API bool inlay_ground_is_ordered(const inlay_ground *g, const inlay_value *v);

/* graph/node.c: nodes and values */

/* Renames N; a name that is taken is made unique by an ending ("_2"). Nodes are made by the
 * functions of ir/build.h. */
INLAY_API bool inlay_node_rename(inlay_node *n, const char *name, inlay_diags *d);
/* Is V an output of its graph (read by a Result)? */
INLAY_API bool inlay_value_is_output(const inlay_value *v);
/* Connects input I; VALUE must be of the same graph, or NULL for absent. */
INLAY_API bool inlay_node_set_input(inlay_node *n, int i, inlay_value *value, inlay_diags *d);
/* Removes N from its graph; an error when one of its outputs is used. */
INLAY_API bool inlay_node_remove(inlay_node *n, inlay_diags *d);
/* Replaces all uses of OLD by BY, which also gets OLD's tensor names if OLD was an output. */
INLAY_API bool inlay_value_replace(inlay_value *old, inlay_value *by, inlay_diags *d);
INLAY_API bool inlay_value_set_names(inlay_value *v, const char *const *names, int n,
                                     inlay_diags *d);
static inline inlay_value *inlay_node_input(const inlay_node *n, int i)
{
    return i >= 0 && i < n->n_in ? n->in[i].value : NULL;
}
/* The input with ROLE; NULL when there is none, or it is absent. */
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
/* Operand I of those that spell a window: 0 start, 1 stop, 2 step, 3 axes. */
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
/* Sets the type and shape of V; dims are copied. */
INLAY_API bool inlay_variable_set(inlay_graph *g, inlay_variable *v, inlay_type type, int rank,
                                  const inlay_dim *dims, inlay_diags *d);

/* graph/carry.c: an output of one run that is an input of the next, such as a KV cache */
typedef struct inlay_carried {
    int output, input; /* indices in G as it is before the call */
} inlay_carried;
/* Turns each of the N pairs into a variable of the outermost graph G with the name, type and shape
 * of the input, so that the session keeps the value from run to run and can write it in place. The
 * outputs are removed; the inputs stay as initial values, which only a run in the reset state
 * reads. An output may be in several pairs, an input in one. False, with G unchanged, if a pair
 * does not fit, if a variable of that name exists, or without memory. */
INLAY_API bool inlay_graph_carry(inlay_graph *g, const inlay_carried *pairs, int n, inlay_diags *d);

/* graph/dim_name.c: names of open sizes (symbolic dimensions). Each name stands for one identity
 * (inlay_dim.id) of G: sizes with one name are equal in every run. Shape rules see the identities.
 */

/* The identity of NAME in G, a new one if it has none. 0: an error was recorded. */
INLAY_API uint32_t inlay_graph_named_dim(inlay_graph *g, const char *name, inlay_diags *d);
/* Names identity ID of G, unless it has a name or the name is taken: then nothing changes. False:
 * an error was recorded. */
INLAY_API bool inlay_graph_name_dim(inlay_graph *g, uint32_t id, const char *name, inlay_diags *d);
/* The identity called NAME; 0: there is none. */
INLAY_API uint32_t inlay_graph_dim_id(const inlay_graph *g, const char *name);
/* The name of identity ID; NULL: it has none. */
INLAY_API const char *inlay_graph_dim_name(const inlay_graph *g, uint32_t id);
/* The name of dim AXIS of V; NULL when it has none, or is a number. */
INLAY_API const char *inlay_value_dim_name(const inlay_value *v, int axis);
/* The shape of V as inlay_shape_text writes it, with names: "[?#batch,3]". */
INLAY_API char *inlay_value_shape_text(const inlay_value *v, char *buf, size_t size);
/* Sets every size of G's inputs that is called NAME to SIZE, and infers all shapes again. An error
 * when no input has such a size, or when it cannot be SIZE. */
INLAY_API bool inlay_graph_set_dim(inlay_graph *g, const char *name, int64_t size, inlay_diags *d);

/* graph/attr.c: attributes. Lists, strings and shapes are copied, a tensor is retained. A setter
 * fails when the operation has no such attribute, or one of another kind. */

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
/* The value of the attribute: as given, else the operation's default, else NULL. */
INLAY_API const inlay_attr *inlay_node_attr(const inlay_node *n, const char *name);
/* The same by kind; an absent attribute without a default is false, 0 or NULL. */
INLAY_API bool inlay_node_bool(const inlay_node *n, const char *name);
INLAY_API int64_t inlay_node_int(const inlay_node *n, const char *name);
INLAY_API double inlay_node_float(const inlay_node *n, const char *name);
INLAY_API const char *inlay_node_string(const inlay_node *n, const char *name);
INLAY_API inlay_type inlay_node_type(const inlay_node *n, const char *name);
INLAY_API const int64_t *inlay_node_ints(const inlay_node *n, const char *name, int *count);

/* graph/fact.c: what is known of a value */

/* Writes the sizes to DIMS[INLAY_MAX_RANK] if all are known; else returns false. */
INLAY_API bool inlay_fact_dims(const inlay_fact *f, int64_t *dims);
/* Are the shapes known to be equal? False when a rank is unknown. */
INLAY_API bool inlay_fact_same_shape(const inlay_fact *a, const inlay_fact *b);

/* graph/order.c: the one canonical order */

typedef struct inlay_order_list {
    inlay_node **nodes;
    size_t n;
} inlay_order_list;

/* A topological order: Parameters, then depth first from Results and sinks in document order
 * (operands left to right before their user, order edges respected), then, if ALL, nodes that
 * nothing reaches. False and an error that names a node of the cycle when there is one. */
INLAY_API bool inlay_order(const inlay_graph *g, bool all, inlay_order_list *out, inlay_diags *d);
INLAY_API void inlay_order_free(inlay_order_list *o);

/* infer/infer.c, infer/whole.c: types and shapes */

/* Infers types and shapes of all nodes in canonical order, bodies included. What is unknown stays
 * unknown; a contradiction is an error at the node. Deferred nodes (ONNX operators whose meaning
 * depends on a rank or a value) are replaced by what they mean once that is known; from then on the
 * graph is specialised to it, so keep a copy if you want to set other shapes later. */
INLAY_API bool inlay_infer_graph(inlay_graph *g, inlay_diags *d);

/* graph/check_graph.c: the verifier */

/* Checks the structure (ids, use lists, no cycle, no use of another graph's values, arity,
 * attributes, types), and that inference gives the recorded types and shapes. */
INLAY_API bool inlay_check_graph(inlay_graph *g, inlay_diags *d);

/* graph/compare.c */

/* Are two graphs equal in structure: nodes in canonical order, operations, attributes, constants by
 * content, connections, shapes, names of inputs and outputs? If not, WHY (SIZE bytes, may be NULL)
 * says where they differ, or that memory ran out. */
INLAY_API bool inlay_graph_equal(const inlay_graph *a, const inlay_graph *b, char *why,
                                 size_t size);
/* As inlay_graph_equal; false after an error. */
INLAY_API bool inlay_graph_compare(const inlay_graph *a, const inlay_graph *b, bool *equal,
                                   char *why, size_t size, inlay_diags *d);

/* graph/port_name.c, graph/result_name.c: inputs and outputs by the names that users know them by
 */

enum { INLAY_NO_SUCH = -1, INLAY_AMBIGUOUS = -2 };

/* The index of the input called NAME (N bytes): the name or label of its node, one of its tensor
 * names, or "#K" for input K. INLAY_NO_SUCH, or INLAY_AMBIGUOUS when several are called so. */
INLAY_API int inlay_graph_find_input(const inlay_graph *g, const char *name, size_t n);
/* The index of the first output called NAME (N bytes): its name in NAMES, which come from
 * inlay_result_names, one of its tensor names, or "#K". INLAY_NO_SUCH. */
INLAY_API int inlay_graph_find_output(const inlay_graph *g, const char *const *names,
                                      const char *name, size_t n);

/* The names of the outputs for users, by index: the first tensor name, else the name of the
 * producer (with ".port" if it has several outputs), made unique by "_2". They are freed with G,
 * from whose memory they are: no other thread may use G meanwhile. NULL and an error without
 * memory. */
INLAY_API const char *const *inlay_result_names(const inlay_graph *g, inlay_diags *d);

/* graph/provenance.c: from which node of the file a node comes, and which rewrite made it */

typedef struct inlay_provenance {
    /* The node of the file (or of the program that built the graph) that it comes from: its name,
     * line and place there. NULL: a pass made it from nothing. */
    const char *name;
    unsigned line;
    int64_t place;
    /* The application that made it: its serial number (0: it is from the file), the pass, and the
     * rule, NULL when the pass is not one of rules. */
    uint64_t application;
    const char *pass, *rule;
} inlay_provenance;

/* Kept by rewrites and inlay_graph_clone, not written to files. The strings live as long as the
 * graph. */
INLAY_API inlay_provenance inlay_node_provenance(const inlay_node *n);

/* graph/fail.c: messages about a node */

/* As inlay_fail, with the place and name of NODE (NULL: none) in front. */
INLAY_API bool inlay_fail_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);

/* How constant folding and trials run nodes without depending on an executor: interp/ makes one
 * (inlay_reference_evaluator), and the caller passes it on. The caller releases the tensors. */
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
