/* The JSON graph: what its reader's files share. Private to parser/.
 *
 * A document goes through json_scan (is this JSON as RFC 8259 has it, where does each value stand),
 * then cJSON (a tree), then json_read and the files beside it (a graph). An error in the second
 * half knows its place by a chain of json_at on the stack: FILE:LINE: nodes[3].attributes.axis: ...
 */
#ifndef INLAY_PARSER_JSON_H
#define INLAY_PARSER_JSON_H

#include "ir/shared.h"
#include "parser/assemble.h"

#include <cjson/cJSON.h>

enum {
    /* Lists and objects inside each other: room for the deepest bodies (three levels each), a
     * metadata tree (two each) or nested data in the innermost one. cJSON refuses 1000. */
    JSON_MAX_DEPTH = 900,
    JSON_MAX_NUMBER = 63, /* characters of a number: cJSON reads no more */
    JSON_PATH_SIZE = 512
};

/* json_scan.c */

/* Where a value stands, in the order of the document: its line, and JSON_INTEGRAL when it is a
 * number without fraction and exponent. */
typedef uint32_t json_place;
#define JSON_INTEGRAL UINT32_C(0x80000000)

/* Checks that the N bytes are one JSON text that cJSON reads as it stands: UTF-8, no repeated
 * keys, no NUL, no lone surrogates, no number that a double would round. *PLACES (the caller frees
 * it) has an entry for each value. */
bool json_scan(const char *bytes, size_t n, const char *file, json_place **places, size_t *n_places,
               inlay_diags *d);

/* json_keys.c */

/* A key as it stands in a text that json_scan checked, between its quotes. */
typedef struct json_key {
    const char *text;
    size_t n;
    unsigned line;
} json_key;

/* The four hexadecimal digits at P, or -1. */
int json_hex4(const char *p, const char *end);
/* By the names they mean, escapes resolved: for qsort. */
int json_compare_keys(const void *a, const void *b);

/* json_doc.c */

typedef struct json_doc {
    const char *file;
    cJSON *root;
    json_place *places; /* indexed by valueint, which json_parse sets in every item */
    size_t n_places;    /* values in the document */
    inlay_arena *arena; /* under whose limit the document is, or NULL */
    uint64_t charged;   /* bytes of it */
    inlay_diags *d;
} json_doc;

/* One step of the way from the root to a value: a member (key) or an element (index). */
typedef struct json_at {
    const struct json_at *up; /* NULL: the root */
    const cJSON *item;
    const char *key; /* NULL: element index */
    int index;
} json_at;

/* Lists of members: the names an object may have, NULL at the end. */
typedef const char *const json_names[];

bool json_parse(json_doc *doc, const char *bytes, size_t n);
void json_free(json_doc *doc);
unsigned json_line(const json_doc *doc, const cJSON *item);
bool json_is_integral(const json_doc *doc, const cJSON *item);

static inline json_at json_member(const json_at *up, const cJSON *item, const char *key)
{
    return (json_at){up, item, key, 0};
}
static inline json_at json_element(const json_at *up, const cJSON *item, int index)
{
    return (json_at){up, item, NULL, index};
}

/* An error at AT. Always false. */
bool json_fail(const json_doc *doc, const json_at *at, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* "AT must be WANTED, it is ..." */
bool json_wrong(const json_doc *doc, const json_at *at, const char *wanted);
/* The members of the object AT into OUT, in the order of NAMES; an unknown one is an error. */
bool json_members(const json_doc *doc, const json_at *at, json_names names, const cJSON **out);
/* The member KEY of AT must be there. */
bool json_required(const json_doc *doc, const json_at *at, const cJSON *item, const char *key);
/* The text of the string ITEM, member KEY of AT. NULL and an error when it is not one. */
const char *json_text(const json_doc *doc, const json_at *at, const cJSON *item, const char *key);
/* A whole number: a number, or a string of digits for those that a double cannot hold. *HUGE: it is
 * 2^63 or more, and *OUT has wrapped. json_int accepts none of those. */
bool json_integer(const json_doc *doc, const json_at *at, int64_t *out, bool *huge);
bool json_int(const json_doc *doc, const json_at *at, int64_t *out);
bool json_float(const json_doc *doc, const json_at *at, double *out);
/* WORD's neighbour among NAMES (": did you mean ...?"), or "". */
const char *json_suggest(json_names names, const char *word, char *buf, size_t size);

/* json_read.c */

typedef struct json_file json_file;

/* What every part of the reader needs. */
typedef struct json_reader {
    assembler a;
    json_doc *doc;
    json_file *files; /* weights that were opened */
} json_reader;

/* The members of the graph AT into the empty graph of NAMES; TOP: it has those of a document. */
bool json_read_graph(json_reader *r, const json_at *at, assemble_scope *names, bool top);

/* json_common.c: what nodes of every sort have */

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

/* json_attr.c */

/* The members of AT as attributes of N. */
bool json_read_attrs(json_reader *r, const json_at *at, inlay_node *n);

/* json_tensor.c */

/* The members of a constant that make its tensor. */
typedef struct json_content {
    const cJSON *type, *shape, *data, *file, *offset;
} json_content;

/* The tensor of the constant AT; the caller releases it. */
inlay_tensor *json_read_tensor(json_reader *r, const json_at *at, const json_content *c);

/* json_file.c */

/* The file NAME beside the document, opened once. NULL and an error at AT. */
inlay_buffer *json_open_file(json_reader *r, const json_at *at, const char *name);
void json_close_files(json_file *files);

/* json_bodies.c */

/* What a node object says about bodies; NULL where it says nothing. */
typedef struct json_body_members {
    const cJSON *body, *then_body, *else_body;
    const cJSON *port_map, *then_port_map, *else_port_map, *back_edges;
} json_body_members;

bool json_read_bodies(json_reader *r, const json_at *at, const json_body_members *m,
                      assemble_scope *outer, inlay_node *n);

/* json_name.c */

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

/* The name that a value has in a document: its node's, with ".1" when that has several outputs. */
void json_value_name(const inlay_value *v, inlay_strbuf *out);
/* How a Result is called that has no name of its own. */
#define JSON_RESULT_NAME "%s/sink_port_0"

/* json_nodes.c */

/* Calls READ for each element of LIST, member KEY of AT; an absent one is empty. */
bool json_each(json_scope *s, const json_at *at, const cJSON *list, const char *key,
               bool (*read)(json_scope *s, const json_at *at));
bool json_read_input(json_scope *s, const json_at *at);
bool json_read_constant(json_scope *s, const json_at *at);
bool json_read_node(json_scope *s, const json_at *at);

#endif
