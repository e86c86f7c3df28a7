/* The two parts of the XML reader: xml_sax.c drives libxml2 and keeps track of where in the
 * document it is; openvino_records.c says which elements there are and what each one means.
 */
#ifndef INLAY_PARSER_XML_H
#define INLAY_PARSER_XML_H

#include "ir/shared.h"
#include "parser/openvino/openvino.h"

#include <libxml/parser.h>

enum { XML_MAX_DEPTH = 240, XML_MAX_ATTRIBUTES = 1000 };

/* What an open element is. META: part of a metadata tree. SKIP: not looked at, nor its content. */
enum xml_kind {
    XML_ROOT,
    XML_NET,
    XML_LAYERS,
    XML_LAYER,
    XML_LEAF,
    XML_INPUT,
    XML_OUTPUT,
    XML_PORT,
    XML_DIM,
    XML_EDGES,
    XML_MAP,
    XML_BACK_EDGES,
    XML_META,
    XML_SKIP
};

/* Names of elements and attributes, found in libxml2's dictionary once, compared by pointer. */
#define XML_NAMES(X)                                                                               \
    X(axis, "axis")                                                                                \
    X(back_edges, "back_edges")                                                                    \
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
    X(start, "start")                                                                              \
    X(stride, "stride")                                                                            \
    X(then_body, "then_body")                                                                      \
    X(then_port_map, "then_port_map")                                                              \
    X(to_layer, "to-layer")                                                                        \
    X(to_port, "to-port")                                                                          \
    X(type, "type")                                                                                \
    X(version, "version")

enum xml_name {
    XML_ANY, /* no name: in a rule, whatever the element is called */
#define X(id, text) XML_N_##id,
    XML_NAMES(X)
#undef X
        XML_N_NAMES
};

/* Attributes of an element as libxml2 hands them over: local name, prefix, URI, value, its end. */
typedef struct xml_attrs {
    const xmlChar **a;
    int n;
    const xmlChar *tag, *prefix; /* the element's own name */
} xml_attrs;

typedef struct xml_reader {
    ov_reader *r;
    xmlParserCtxtPtr ctxt;
    const xmlChar *names[XML_N_NAMES];
    bool failed;
    int depth;
    unsigned char kinds[XML_MAX_DEPTH + 1]; /* of the open elements; [0] is XML_ROOT */
    /* what is being read */
    ov_net *root, *net;
    ov_layer *layer;
    ov_ports *ports;
    ov_port *port, input; /* an input port that needs no record is read into INPUT */
    char precision[24];   /* the last one, and its type */
    inlay_type type;
    ov_body *body; /* whose port map or back edges these are */
    int64_t dims[INLAY_MAX_RANK];
    int n_dims;
    inlay_strbuf text; /* of a dim or a metadata element */
    /* metadata by depth: the open element, and where the next one of that depth is appended */
    inlay_meta *meta[XML_MAX_DEPTH + 1];
    inlay_meta **meta_end[XML_MAX_DEPTH + 2];
} xml_reader;

/* Which element under which parent; what it becomes; what to do with it. */
typedef struct xml_rule {
    enum xml_kind parent;
    enum xml_name name;
    enum xml_kind kind;
    bool (*start)(xml_reader *x, xml_attrs attrs);
    bool (*end)(xml_reader *x);
} xml_rule;

/* xml_sax.c */

unsigned xml_line(const xml_reader *x);
/* An error at the current line, with the layer in front when one is open; always false. */
bool xml_fail(xml_reader *x, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* The value of an attribute (not terminated) and its length; NULL when it is not there. */
const char *xml_attr(const xml_reader *x, xml_attrs attrs, enum xml_name name, size_t *n);
/* N bytes as a string in ARENA; NULL and an error when out of memory. */
const char *xml_copy(xml_reader *x, inlay_arena *arena, const char *bytes, size_t n);
/* The same for words that come often: each is kept once, until the reader is done. */
const char *xml_word(xml_reader *x, const char *bytes, size_t n);
/* The element that begins now becomes a metadata element, appended where meta_end of its depth
 * says. */
bool xml_meta_start(xml_reader *x, xml_attrs attrs);

/* openvino_records.c */

/* The rule for an element, or NULL: skip it. */
const xml_rule *ov_element_rule(const xml_reader *x, enum xml_kind parent, const xmlChar *name);
bool ov_start_net(xml_reader *x, xml_attrs attrs);
bool ov_end_document(xml_reader *x);
/* Zeroed memory for a record; an error when there is none. */
void *ov_record(xml_reader *x, size_t size);
ov_net *ov_new_net(xml_reader *x, xml_attrs attrs);
/* A copy of an attribute, NULL when it is not there. */
bool ov_copy_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, const char **out);
/* A number in LO..2^63-1. Absent: DFLT, or an error when that is below LO. */
bool ov_int_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, int64_t lo, int64_t dflt,
                 int64_t *out);

/* openvino_record_ports.c */

bool ov_start_inputs(xml_reader *x, xml_attrs attrs);
bool ov_start_outputs(xml_reader *x, xml_attrs attrs);
bool ov_start_port(xml_reader *x, xml_attrs attrs);
bool ov_end_port(xml_reader *x);
bool ov_start_dim(xml_reader *x, xml_attrs attrs);
bool ov_end_dim(xml_reader *x);
/* All ports of WHAT ("input") are there. */
bool ov_index_ports(xml_reader *x, ov_ports *ports, const char *what);

/* openvino_record_bodies.c */

bool ov_start_body(xml_reader *x, xml_attrs attrs);
bool ov_end_body(xml_reader *x);
bool ov_start_map(xml_reader *x, xml_attrs attrs);
bool ov_start_map_entry(xml_reader *x, xml_attrs attrs);
bool ov_start_back_edges(xml_reader *x, xml_attrs attrs);
bool ov_start_back_edge(xml_reader *x, xml_attrs attrs);

#endif
