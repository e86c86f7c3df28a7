/* From a parsed document to a graph: what the files of the JSON reader share. Private to
 * parser/json. */
#ifndef INLAY_PARSER_JSON_READ_H
#define INLAY_PARSER_JSON_READ_H

#include "parser/assemble.h"
#include "parser/json/doc.h"
#include "parser/json/name.h"

/* read.c */

typedef struct json_file json_file;

/* What every part of the reader needs. */
typedef struct json_reader {
    assembler a;
    json_doc *doc;
    json_file *files; /* weights that were opened */
} json_reader;

/* The members of the graph AT into the empty graph of NAMES; TOP: it has those of a document. */
bool json_read_graph(json_reader *r, const json_at *at, assemble_scope *names, bool top);

/* common.c: what nodes of every sort have */

/* The members that describe a node's place among others, NULL where absent. */
typedef struct json_common {
    const cJSON *name, *version, *label, *tensor_names, *rt_info, *output_rt_info;
    bool missing; /* a Const without its bytes: a stand-in */
} json_common;

bool json_read_type(const json_doc *doc, const json_at *at, inlay_type *out);
bool json_read_shape(const json_doc *doc, const json_at *at, inlay_shape *out);
/* A node of TYPE, its name checked to be new (without one: DFLT), with the members in C set. */
inlay_node *json_new_node(json_reader *r, const json_at *at, assemble_scope *s, const char *type,
                          const char *dflt, const json_common *c, int n_in, int n_out);
/* The members of c that belong to outputs; to be called when N has all of them. */
bool json_read_ports(json_reader *r, const json_at *at, const json_common *c, inlay_node *n);
bool json_read_meta(json_reader *r, const json_at *at, inlay_graph *g, inlay_meta **list);

/* attr.c */

/* The members of AT as attributes of N. */
bool json_read_attrs(json_reader *r, const json_at *at, inlay_node *n);

/* tensor.c */

/* The members of a constant that make its tensor. */
typedef struct json_content {
    const cJSON *type, *shape, *data, *file, *offset;
} json_content;

/* The tensor of the constant AT; the caller releases it. */
inlay_tensor *json_read_tensor(json_reader *r, const json_at *at, const json_content *c);

/* file.c */

/* The file NAME beside the document, opened once. NULL and an error at AT. */
inlay_buffer *json_open_file(json_reader *r, const json_at *at, const char *name);
void json_close_files(json_file *files);

/* bodies.c */

/* What a node object says about bodies; NULL where it says nothing. */
typedef struct json_body_members {
    const cJSON *body, *then_body, *else_body;
    const cJSON *port_map, *then_port_map, *else_port_map, *back_edges;
} json_body_members;

bool json_read_bodies(json_reader *r, const json_at *at, const json_body_members *m,
                      assemble_scope *outer, inlay_node *n);

/* ref.c */

/* One graph while it is read. */
typedef struct json_scope {
    json_reader *r;
    assemble_scope *names; /* of values */
    inlay_graph *g;
    inlay_node **nodes; /* parallel to the member "nodes" */
} json_scope;

/* NAME is that of the value V. */
bool json_define(json_scope *s, const char *name, inlay_value *v, unsigned line);
/* Where a document uses the name of a value: what assemble_ref.at points to. */
typedef struct json_use {
    const json_scope *s;
    const json_at *at;
} json_use;

/* The use of a name in the string AT. */
bool json_read_ref(json_scope *s, const json_at *at, json_use *use, assemble_ref *ref);
/* For the assembler: there is no value of this name. */
bool json_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault);

/* nodes.c */

bool json_read_input(json_scope *s, const json_at *at);
bool json_read_constant(json_scope *s, const json_at *at);
bool json_read_node(json_scope *s, const json_at *at);

#endif
