/* From elements of an OpenVINO IR file to records: what the files of the parser share. */
#ifndef INLAY_PARSER_OPENVINO_PARSE_H
#define INLAY_PARSER_OPENVINO_PARSE_H

#include "parser/openvino/read.h"
#include "parser/xml/xml.h"

/* Kinds of open elements, in addition to those of every format. */
enum {
    OV_IN_NET = XML_OWN, /* <net>, <body>, <then_body>, <else_body> */
    OV_IN_LAYERS,
    OV_IN_LAYER,
    OV_IN_INPUT,
    OV_IN_OUTPUT,
    OV_IN_PORT,
    OV_IN_EDGES,
    OV_IN_MAP, /* <port_map>, <then_port_map>, <else_port_map> */
    OV_IN_BACK_EDGES
};

/* Names of elements and attributes. */
#define OV_NAMES(X)                                                                                \
    X(axis, "axis")                                                                                \
    X(back_edges, "back_edges")                                                                    \
    X(checksum, "checksum")                                                                        \
    X(body, "body")                                                                                \
    X(data, "data")                                                                                \
    X(dim, "dim")                                                                                  \
    X(edge, "edge")                                                                                \
    X(edges, "edges")                                                                              \
    X(else_body, "else_body")                                                                      \
    X(else_port_map, "else_port_map")                                                              \
    X(end, "end")                                                                                  \
    X(external_port_id, "external_port_id")                                                        \
    X(from_layer, "from-layer")                                                                    \
    X(from_port, "from-port")                                                                      \
    X(id, "id")                                                                                    \
    X(inlay_weights, OV_WEIGHTS)                                                                   \
    X(input, "input")                                                                              \
    X(internal_layer_id, "internal_layer_id")                                                      \
    X(layer, "layer")                                                                              \
    X(layers, "layers")                                                                            \
    X(name, "name")                                                                                \
    X(names, "names")                                                                              \
    X(output, "output")                                                                            \
    X(output_names, "output_names")                                                                \
    X(part_size, "part_size")                                                                      \
    X(port, "port")                                                                                \
    X(port_map, "port_map")                                                                        \
    X(pre_process, "pre-process")                                                                  \
    X(precision, "precision")                                                                      \
    X(purpose, "purpose")                                                                          \
    X(rt_info, "rt_info")                                                                          \
    X(size, "size")                                                                                \
    X(start, "start")                                                                              \
    X(stride, "stride")                                                                            \
    X(then_body, "then_body")                                                                      \
    X(then_port_map, "then_port_map")                                                              \
    X(to_layer, "to-layer")                                                                        \
    X(to_port, "to-port")                                                                          \
    X(type, "type")                                                                                \
    X(version, "version")

enum {
    OV_NAME_ANY = XML_ANY,
#define X(id, text) OV_NAME_##id,
    OV_NAMES(X)
#undef X
        OV_N_NAMES
};

/* What is being read: xml_reader.reader. */
typedef struct ov_parser {
    ov_reader *r;
    ov_net *root, *net;
    ov_layer *layer; /* NULL: outside of a layer */
    ov_ports *ports;
    ov_port *port, input; /* input ports that need no record are read into INPUT */
    char precision[24];   /* the last one, and its type */
    inlay_type type;
    ov_body *body; /* the body whose port map or back edges are read */
    int64_t dims[INLAY_MAX_RANK];
    int n_dims;
} ov_parser;

/* parse_ports.c */

bool ov_start_inputs(xml_reader *x, xml_attrs attrs);
bool ov_start_outputs(xml_reader *x, xml_attrs attrs);
bool ov_start_port(xml_reader *x, xml_attrs attrs);
bool ov_end_port(xml_reader *x);
bool ov_end_dim(xml_reader *x);
/* Finishes the list of ports of WHAT ("input"), which are all read. */
bool ov_index_ports(xml_reader *x, ov_ports *ports, const char *what);

/* parse_bodies.c */

/* Makes a record for <net> or a body. NULL and an error. */
ov_net *ov_new_net(xml_reader *x, xml_attrs attrs);
bool ov_start_body(xml_reader *x, xml_attrs attrs);
bool ov_end_body(xml_reader *x);
bool ov_start_map(xml_reader *x, xml_attrs attrs);
bool ov_start_map_entry(xml_reader *x, xml_attrs attrs);
bool ov_start_back_edges(xml_reader *x, xml_attrs attrs);
bool ov_start_back_edge(xml_reader *x, xml_attrs attrs);

#endif
