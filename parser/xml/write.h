/* Writing XML: escaping, indentation, trees. What XML cannot hold (control characters, bytes that
 * are no UTF-8, names that are no XML names) is refused, not changed. A failure is recorded once
 * and remembered in xml_writer.failed; after it nothing more is written. */
#ifndef INLAY_PARSER_XML_WRITE_H
#define INLAY_PARSER_XML_WRITE_H

#include "ir/shared.h"
#include "parser/parser.h"

typedef struct xml_writer {
    const inlay_sink *to;
    inlay_strbuf buf;       /* collects what goes to the sink */
    int indent;             /* tabs at the beginning of a line */
    const inlay_node *node; /* that messages are about, or NULL */
    inlay_diags *d;
    bool failed;
} xml_writer;

void xml_puts(xml_writer *w, const char *text);
void xml_printf(xml_writer *w, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* A new line at the current depth. */
void xml_newline(xml_writer *w);
/* A line with TEXT. xml_open indents the lines after it, xml_close ends that before its own. */
void xml_open(xml_writer *w, const char *text);
void xml_close(xml_writer *w, const char *text);
/* ` name="value"`, escaped; an error when XML cannot hold the value. */
void xml_put_attr(xml_writer *w, const char *name, const char *value);
/* The elements of LIST with all that is in them. */
void xml_put_trees(xml_writer *w, const inlay_meta *list);
/* Hands what was collected to the sink. */
bool xml_flush(xml_writer *w);
/* Remembers the failure; always false. */
bool xml_out_of_memory(xml_writer *w);
/* An error at the node that is being written; always false. */
bool xml_refuse(xml_writer *w, const char *fmt, ...) INLAY_PRINTF(2, 3);

#endif
