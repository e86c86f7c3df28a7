/* JSON graphs that are read and that are refused: one list for the tests of the reader and of the
 * schema. Quotes are written as ' there. */
#ifndef TESTS_UNIT_JSON_DOCUMENTS_H
#define TESTS_UNIT_JSON_DOCUMENTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct json_document {
    const char *text;
    const char *said; /* the reader's message with its line; "": it is read */
    bool schema;      /* the schema accepts it: what is wrong is beyond a schema */
} json_document;

extern const json_document json_good[], json_bad[], json_malformed[];
extern const size_t n_json_good, n_json_bad, n_json_malformed;

/* Returns TEXT with its quotes; the caller frees it. */
char *json_quoted(const char *text);

#endif
