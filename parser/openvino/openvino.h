/* OpenVINO IR (parser/openvino/README.md) between the two halves of its reader: xml_sax.c and
 * openvino_records.c turn bytes into these records, openvino_read.c and openvino_bodies.c turn
 * records into a graph. Records are flat and live in one scratch arena; metadata trees are made in
 * the graph's arena at once, because the graph keeps them as they are.
 */
#ifndef INLAY_PARSER_OPENVINO_H
#define INLAY_PARSER_OPENVINO_H

#include "parser/assemble.h"

typedef struct ov_pair {
    const char *name, *value;
} ov_pair;

typedef struct ov_port {
    int64_t id;
    inlay_type type; /* INLAY_DYNAMIC when not given */
    int n_dims;
    const int64_t *dims; /* -1: dynamic */
    const char *names;   /* as written, or NULL */
    inlay_meta *rt_info;
    struct ov_port *next;
} ov_port;

typedef struct ov_port_key {
    int64_t id;
    int position;
} ov_port_key;

/* The ports of one <input> or <output>. Ids are labels; nearly always they count up by one, and
 * then those of inputs, of which nothing else is kept, need no records. */
typedef struct ov_ports {
    ov_port *first, **end;
    int n;
    bool seen;    /* the element was there */
    bool counted; /* the ids are first_id, first_id + 1, ... */
    int64_t first_id;
    ov_port_key *by_id; /* sorted, when the ids are not counted; else NULL */
} ov_ports;

typedef struct ov_edge {
    int64_t from_layer, from_port, to_layer, to_port;
    unsigned line;
    struct ov_edge *next;    /* in document order */
    struct ov_edge *next_in; /* into the same layer */
} ov_edge;

typedef struct ov_map {
    bool has_axis;
    int64_t external, internal, axis, start, end, stride, part_size;
    int purpose; /* INLAY_PORT_... */
    unsigned line;
    struct ov_map *next;
} ov_map;

typedef struct ov_maps {
    ov_map *first, **end;
    int n;
} ov_maps;

enum { OV_BODY, OV_THEN_BODY, OV_ELSE_BODY, OV_N_ROLES };

/* Body, port map and back edges of one role ("body", "then_body", "else_body"). */
typedef struct ov_body {
    struct ov_net *net; /* NULL: no such body */
    ov_maps in, out;
    ov_edge *back, **back_end;
    int n_back;
} ov_body;

typedef struct ov_layer {
    int64_t id;
    const char *name;
    const char *type, *version; /* equal texts are nearly always the same pointer */
    const char *output_names;   /* of a Result, or NULL */
    unsigned line;
    bool has_data;
    int n_data;
    const ov_pair *data;
    ov_ports in, out;
    inlay_meta *rt_info;
    ov_body *bodies; /* OV_N_ROLES of them, or NULL */
    struct ov_net *net;
    struct ov_layer *next;
    /* for building */
    ov_edge *edges, **edges_end; /* that lead here */
    int n_edges;
    bool reached;
    assemble_name made; /* the node of the layer, which its id names */
} ov_layer;

/* <net>, or a body: layers and edges. */
typedef struct ov_net {
    const char *name;
    int version;
    int depth;
    unsigned line;
    ov_layer *owner; /* whose body it is */
    ov_layer *first, **end;
    size_t n_layers;
    ov_edge *edges, **edges_end;
    size_t n_edges;
    inlay_meta *meta, **meta_end;
    bool has_layers, has_edges;
    ov_layer **by_id; /* sorted, n_layers of them */
    assemble_scope *scope;
} ov_net;

/* A storage note, or (output -1) an order edge, as the file says it. */
typedef struct ov_note {
    const ov_layer *layer;
    int output;
    const inlay_meta *attribute;
    const char *before; /* of an order edge: LENGTH bytes that should be the id of a layer */
    size_t length;
} ov_note;

/* What these attributes of rt_info are called. */
#define OV_STORAGE "inlay_storage"
#define OV_AFTER "inlay_after"

/* An attribute in <data> that the operation does not have. */
typedef struct ov_ignored {
    const inlay_op *op;
    const char *name;
    const inlay_node *first; /* that had it */
    size_t n;                /* how many nodes */
} ov_ignored;

enum { OV_IGNORED = 8 };

/* What every step of reading needs. */
typedef struct ov_reader {
    assembler a;                    /* records are in its scratch arena */
    void *words;                    /* libxml2's dictionary, which holds words that come often */
    ov_ignored ignored[OV_IGNORED]; /* the first kinds of them */
    size_t n_ignored, more_ignored; /* entries; nodes that had others */
    inlay_buffer *weights;          /* or NULL */
} ov_reader;

/* An error at a layer that is no node yet; LINE 0: the layer's own. Always false. */
bool ov_fail_layer(const ov_reader *r, const ov_layer *layer, unsigned line, const char *fmt, ...)
    INLAY_PRINTF(4, 5);
bool ov_fail_line(const ov_reader *r, unsigned line, const char *fmt, ...) INLAY_PRINTF(3, 4);

/* "body", "then_body", "else_body" */
const char *ov_role(int role);
/* The value of NAME in LAYER's <data>, or NULL. */
const char *ov_data(const ov_layer *layer, const char *name);
/* TEXT as a decimal number, blanks around it allowed, nothing else. */
bool ov_parse_int(const char *text, size_t n, int64_t *out);
/* The position of the port with this id, -1 when there is none. */
int ov_port_position(const ov_ports *ports, int64_t id);

/* xml_sax.c: BYTES to records. NULL and an error. */
ov_net *ov_parse(ov_reader *r, const char *bytes, size_t n);
void ov_free_words(ov_reader *r);

/* The layer with this id, or NULL; once ov_build_graph has begun. */
ov_layer *ov_find_layer(const ov_net *net, int64_t id);

/* openvino_graph.c: the nodes of NET into the empty graph of SCOPE; inferred, unless it is a body.
 */
bool ov_build_graph(ov_reader *r, ov_net *net, assemble_scope *scope);
/* openvino_ports.c: a warning for each output of a node, and of those in its bodies, where
 * inference and the file's ports contradict each other. */
void ov_compare_ports(const ov_reader *r, const ov_layer *layer);
/* openvino_bodies.c: bodies of LAYER's node, port maps resolved to positions. */
bool ov_build_bodies(ov_reader *r, ov_layer *layer);
/* openvino_variables.c: each Assign has its ReadValue, and no other Assign its variable. */
bool ov_check_variables(const ov_reader *r);
/* openvino_notes.c: hands what rt_info says of storage and order to the assembler. */
bool ov_take_notes(ov_reader *r, ov_layer *layer);
/* The warning for a note that leads to nothing (assemble_words.unresolved); REF->at is an ov_note.
 */
bool ov_note_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault);
/* openvino_warn.c: attributes that an operation does not have; the first keeps count, the second
 * warns of each kind once. */
void ov_ignore_attribute(ov_reader *r, const inlay_node *n, const char *name);
void ov_warn_ignored(const ov_reader *r);
/* The same attribute twice in LIST, the rt_info of N or of a port of it. */
void ov_warn_repeated(const ov_reader *r, const inlay_node *n, const inlay_meta *list);
/* openvino_const.c: the value of a Const. */
bool ov_set_const(ov_reader *r, const ov_layer *layer);
/* A Const whose bytes are not there can still be shown, typed and written back: as a stand-in. */
bool ov_const_is_missing(const ov_reader *r, const ov_layer *layer);
bool ov_set_missing_const(ov_reader *r, const ov_layer *layer);

#endif
