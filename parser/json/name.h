/* Names of values and Results in a document, for the reader and the writer. Private to parser/json.
 */
#ifndef INLAY_PARSER_JSON_NAME_H
#define INLAY_PARSER_JSON_NAME_H

#include "ir/ir.h"

/* Appends the name of V in a document: that of its node, followed by ".1" (its index) when the node
 * has several outputs. */
void json_value_name(const inlay_value *v, inlay_strbuf *out);
/* The name of a Result without one; %s is the name of its value. */
#define JSON_RESULT_NAME "%s/sink_port_0"

#endif
