/* The records between an OpenVINO IR file (parser/openvino/README.md) and the graph. They are flat,
 * and live in the scratch arena of the reader. Metadata trees are made in the arena of the graph at
 * once, because the graph keeps them unchanged. */
#ifndef INLAY_PARSER_OPENVINO_RECORDS_H
#define INLAY_PARSER_OPENVINO_RECORDS_H

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

/* The ports of one <input> or <output>. Their ids are arbitrary, but nearly always consecutive.
 * Then input ports, of which only the id matters, need no records: FIRST is NULL, and the port with
 * id first_id + k is input k. */
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
    const char *type, *version; /* equal texts nearly always share a pointer */
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
    /* used while the graph is built */
    ov_edge *edges, **edges_end; /* incoming edges */
    int n_edges;
    bool reached;
    assemble_name made; /* the node of the layer, as a name without text */
} ov_layer;

/* <net>, or a body: layers and edges. */
typedef struct ov_net {
    const char *name;
    int version;
    int depth;
    unsigned line;
    ov_layer *owner; /* the layer whose body this is */
    ov_layer *first, **end;
    size_t n_layers;
    ov_edge *edges, **edges_end;
    size_t n_edges;
    inlay_meta *meta, **meta_end;
    bool has_layers;
    ov_layer **by_id; /* sorted, n_layers of them */
    assemble_scope *scope;
} ov_net;

/* The attributes of rt_info that hold storage notes, names of sizes, and order edges. */
#define OV_STORAGE "inlay_storage"
#define OV_DIMS "inlay_dims"
#define OV_AFTER "inlay_after"
/* The child of <net> that records size and checksum of the weights file. */
#define OV_WEIGHTS "inlay_weights"

/* records.c */

/* "body", "then_body", "else_body" */
const char *ov_role(int role);
/* Returns the value of NAME in LAYER's <data>, or NULL. */
const char *ov_data(const ov_layer *layer, const char *name);
/* Returns the position of the port with this id; -1: there is none. */
int ov_port_position(const ov_ports *ports, int64_t id);
/* Returns the layer with this id, or NULL. The layers must have been sorted into by_id. */
ov_layer *ov_find_layer(const ov_net *net, int64_t id);

#endif
