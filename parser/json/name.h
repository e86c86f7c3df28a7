/* How values and Results are called in a document: for the reader and the writer. Private to
 * parser/json. */
#ifndef INLAY_PARSER_JSON_NAME_H
#define INLAY_PARSER_JSON_NAME_H

#include "ir/ir.h"

/* Appends the name that V has in a document: that of its node, with ".1" behind it when the node
 * has several outputs. */
void json_value_name(const inlay_value *v, inlay_strbuf *out);
/* The name of a Result that is given none; %s is the name of its value. */
#define JSON_RESULT_NAME "%s/sink_port_0"

#endif
