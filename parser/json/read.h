/* From a parsed document to a graph: what the files of the JSON reader share. Private to
 * parser/json. */
#ifndef INLAY_PARSER_JSON_READ_H
#define INLAY_PARSER_JSON_READ_H

#include "parser/assemble.h"
#include "parser/checksum.h"
#include "parser/cjson/doc.h"
#include "parser/json/name.h"
#include "parser/names.h"

/* read.c */

/* What the document records of a weights file. */
typedef struct json_recorded {
    const char *file;
    checksum_record what;
    struct json_recorded *next;
} json_recorded;

/* The state of the reader. */
typedef struct json_reader {
    assembler a;
    json_doc *doc;
    parser_names files; /* the weights files opened so far, buffers; the names are the document's */
    json_recorded *recorded;
} json_reader;

/* One graph while it is read. */
typedef struct json_scope {
    json_reader *r;
    assemble_scope *names; /* the names of its values */
    inlay_graph *g;
    inlay_node **nodes; /* parallel to the member "nodes" */
} json_scope;

/* Reads the members of the graph AT into the empty graph of NAMES. TOP: it is the outermost graph,
 * which has more members. */
bool json_read_graph(json_reader *r, const json_at *at, assemble_scope *names, bool top);

/* common.c: members of all kinds of nodes */

/* The members that nodes of all kinds may have, NULL if absent. */
typedef struct json_common {
    const cJSON *name, *version, *label, *tensor_names, *dim_names, *rt_info, *output_rt_info;
    bool missing; /* a Const without its bytes: a stand-in */
} json_common;

bool json_read_type(const json_doc *doc, const json_at *at, inlay_type *out);
bool json_read_shape(const json_doc *doc, const json_at *at, inlay_shape *out);
/* Makes a node of TYPE with the members in C. Its name, when C has one, must be new; otherwise its
 * name is DFLT. */
inlay_node *json_new_node(json_reader *r, const json_at *at, assemble_scope *s, const char *type,
                          const char *dflt, const json_common *c, int n_in, int n_out);
/* Reads the members of C about outputs, once N has all of its outputs and attributes. */
bool json_read_ports(json_scope *s, const json_at *at, const json_common *c, inlay_node *n);
bool json_read_meta(json_reader *r, const json_at *at, inlay_graph *g, inlay_meta **list);

/* attr.c */

/* Reads the members of AT as attributes of N. */
bool json_read_attrs(json_reader *r, const json_at *at, inlay_node *n);

/* tensor.c */

/* The members of a constant from which its tensor is made. */
typedef struct json_content {
    const cJSON *type, *shape, *data, *file, *offset;
} json_content;

/* Returns the tensor of the constant AT; the caller releases it. */
inlay_tensor *json_read_tensor(json_reader *r, const json_at *at, const json_content *c);

/* file.c */

/* Returns the bytes of the file NAME beside the document; opens each file once. NULL and an error
 * at AT. */
inlay_buffer *json_open_file(json_reader *r, const json_at *at, const char *name);
/* Reads an entry of the member "weights": files that are opened are compared with it. */
bool json_read_recorded(json_scope *s, const json_at *at);
void json_close_files(json_reader *r);

/* bodies.c */

/* The members of a node about bodies, NULL if absent. */
typedef struct json_body_members {
    const cJSON *body, *then_body, *else_body;
    const cJSON *port_map, *then_port_map, *else_port_map, *back_edges;
} json_body_members;

bool json_read_bodies(json_reader *r, const json_at *at, const json_body_members *m,
                      assemble_scope *outer, inlay_node *n);

/* ref.c */

/* Defines NAME as the name of V. */
bool json_define(json_scope *s, const char *name, inlay_value *v, unsigned line);
/* A use of a value's name in a document: assemble_ref.at points to one. */
typedef struct json_use {
    const json_scope *s;
    const json_at *at;
} json_use;

/* Sets *REF to the reference in the string AT, and *USE to what its messages need. */
bool json_read_ref(json_scope *s, const json_at *at, json_use *use, assemble_ref *ref);
/* assemble_words.unresolved: says that there is no value of this name. */
bool json_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault);

/* nodes.c */

bool json_read_input(json_scope *s, const json_at *at);
bool json_read_constant(json_scope *s, const json_at *at);
bool json_read_node(json_scope *s, const json_at *at);

#endif
