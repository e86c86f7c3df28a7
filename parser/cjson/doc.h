/* A parsed document. The position of an error is a chain of json_at on the stack, one for each step
 * from the root to a value:
 *
 *     json_at nodes = json_member(root, list, "nodes");
 *     json_at node = json_element(&nodes, item, 3);        m.json:12: error: nodes[3]: ...
 *
 * For the folders that read JSON. */
#ifndef INLAY_PARSER_JSON_DOC_H
#define INLAY_PARSER_JSON_DOC_H

#include "ir/shared.h"
#include "parser/cjson/scan.h"

#include <cjson/cJSON.h>

typedef struct json_doc {
    const char *file;
    cJSON *root;
    json_place *places;   /* indexed by valueint, which json_parse sets in every item */
    size_t n_places;      /* number of values in the document */
    inlay_budget *budget; /* where the document counts, or NULL */
    uint64_t charged;     /* bytes of what cJSON has, counted there */
    inlay_diags *d;
} json_doc;

/* One step from the root to a value: a member (key) or an element (index). */
typedef struct json_at {
    const struct json_at *up; /* NULL: the root */
    const cJSON *item;
    const char *key; /* NULL: element index */
    int index;
} json_at;

/* The names that the members of an object may have; NULL ends the list. */
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

/* Records an error with the position of AT in front; always false. */
bool json_fail(const json_doc *doc, const json_at *at, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* Fails because AT is not WANTED, and says what AT is instead. */
bool json_wrong(const json_doc *doc, const json_at *at, const char *wanted);
/* Writes the members of the object AT to OUT, in the order of NAMES; NULL: the member is absent. A
 * member that is not in NAMES is an error. */
bool json_members(const json_doc *doc, const json_at *at, json_names names, const cJSON **out);
/* Records an error unless ITEM, the member KEY of AT, is there. */
bool json_required(const json_doc *doc, const json_at *at, const cJSON *item, const char *key);
/* Returns the text of the string ITEM, the member KEY of AT. NULL and an error: it is no string. */
const char *json_text(const json_doc *doc, const json_at *at, const cJSON *item, const char *key);
/* Reads an integer: a JSON number, or a string of digits for a number that a double cannot hold.
 * Sets *HUGE if the number is 2^63 or more, and *OUT has wrapped; json_int refuses such a number.
 */
bool json_integer(const json_doc *doc, const json_at *at, int64_t *out, bool *huge);
bool json_int(const json_doc *doc, const json_at *at, int64_t *out);
bool json_float(const json_doc *doc, const json_at *at, double *out);
/* OUT receives the number at AT, or NaN, infinity or -infinity where WORDS has the string there.
 * False, and no error: it is none of them. */
bool json_number_or_word(const json_at *at, const char *const words[3], double *out);

#endif
