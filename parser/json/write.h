/* The JSON graph's writer: what its files share. Private to parser/. */
#ifndef INLAY_PARSER_JSON_WRITE_H
#define INLAY_PARSER_JSON_WRITE_H

#include "parser/checksum.h"
#include "parser/json/name.h"
#include "parser/parser.h"

enum {
    JSON_INLINE_BYTES = 1024, /* larger constants go to the weights file */
    JSON_WEIGHT_ALIGNMENT = 64
};

typedef struct json_writer {
    inlay_strbuf text; /* not yet written to the sink */
    const inlay_sink *to;
    const inlay_sink *weights; /* or NULL: write all data inline */
    const char *weights_name;
    checksum sum; /* of the weights written so far */
    int indent;   /* levels, two blanks each */
    bool failed;  /* an error was recorded, or the sink stopped */
    inlay_diags *d;
} json_writer;

/* write_value.c */

/* Records an error and stops the writer. */
void json_write_fail(json_writer *w, const inlay_node *n, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* Begins a new line at the current indentation. */
void json_write_line(json_writer *w);
/* Writes "TEXT", escaped. Text that is not UTF-8 stops the writer. */
void json_write_string(json_writer *w, const char *text);
/* Writes `, "key": `; without the comma if *FIRST, which is then cleared. */
void json_write_key(json_writer *w, const char *key, bool *first);
void json_write_member(json_writer *w, const char *key, const char *text, bool *first);
/* Writes an element of TYPE whose text by inlay_element_text is TEXT. */
void json_write_element_text(json_writer *w, inlay_type type, const char *text);
void json_write_int(json_writer *w, int64_t x);
void json_write_float(json_writer *w, double x);
void json_write_shape(json_writer *w, int rank, const inlay_dim *dims);
void json_write_meta(json_writer *w, const inlay_meta *list);
/* Writes a list of N items, each by WRITE(w, list, i). */
void json_write_list(json_writer *w, int n, const void *list,
                     void (*write)(json_writer *w, const void *list, int i));

/* write_tensor.c */

/* Writes the members "type", "shape", and "data" or "file" and "offset" of the constant N. */
void json_write_tensor(json_writer *w, const inlay_node *n, const inlay_tensor *t);

/* write_node.c */

void json_write_input(json_writer *w, const inlay_node *n);
void json_write_constant(json_writer *w, const inlay_node *n);
void json_write_node(json_writer *w, const inlay_node *n);
void json_write_output(json_writer *w, const inlay_node *n);

/* write_bodies.c */

/* Writes port map, back edges and body, each on a line of its own. */
void json_write_body(json_writer *w, const inlay_body *b, bool *first);

/* write.c */

/* Writes the members of G. TOP: also those that only the outermost graph has. */
void json_write_graph(json_writer *w, const inlay_graph *g, bool top);

#endif
