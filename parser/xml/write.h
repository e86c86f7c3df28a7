/* Writes XML: escaping, indentation, trees. What XML cannot represent (control characters, invalid
 * UTF-8, invalid names) is an error, never changed. The first failure is recorded and sets
 * xml_writer.failed; after it nothing more is written. */
#ifndef INLAY_PARSER_XML_WRITE_H
#define INLAY_PARSER_XML_WRITE_H

#include "ir/shared.h"
#include "parser/parser.h"

typedef struct xml_writer {
    const inlay_sink *to;
    inlay_strbuf buf;       /* buffered output */
    int indent;             /* tabs at the beginning of a line */
    const inlay_node *node; /* the node that messages name, or NULL */
    inlay_diags *d;
    bool failed;
} xml_writer;

void xml_puts(xml_writer *w, const char *text);
void xml_printf(xml_writer *w, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Begins a new line at the current indentation. */
void xml_newline(xml_writer *w);
/* Writes a line with TEXT. xml_open indents the lines after it, xml_close first undoes that. */
void xml_open(xml_writer *w, const char *text);
void xml_close(xml_writer *w, const char *text);
/* Writes ` name="value"`, escaped; an error when XML cannot represent the value. */
void xml_put_attr(xml_writer *w, const char *name, const char *value);
/* Writes the elements of LIST with all their contents. */
void xml_put_trees(xml_writer *w, const inlay_meta *list);
/* Writes the buffer to the sink. */
bool xml_flush(xml_writer *w);
/* Records that memory ran out; always false. */
bool xml_out_of_memory(xml_writer *w);
/* Records an error at the node that is being written; always false. */
bool xml_refuse(xml_writer *w, const char *fmt, ...) INLAY_PRINTF(2, 3);

#endif
