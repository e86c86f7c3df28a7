/* How values and Results are called in a document: for the reader and the writer. Private to
 * parser/json. */
#ifndef INLAY_PARSER_JSON_NAME_H
#define INLAY_PARSER_JSON_NAME_H

#include "ir/ir.h"

/* The name that a value has in a document: its node's, with ".1" when that has several outputs. */
void json_value_name(const inlay_value *v, inlay_strbuf *out);
/* How a Result is called that has no name of its own. */
#define JSON_RESULT_NAME "%s/sink_port_0"

#endif
