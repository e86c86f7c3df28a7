/* A parsed document. An error knows its place by a chain of json_at on the stack, one for each step
 * from the root to a value:
 *
 *     json_at nodes = json_member(root, list, "nodes");
 *     json_at node = json_element(&nodes, item, 3);        m.json:12: error: nodes[3]: ...
 *
 * For the rooms that read JSON. */
#ifndef INLAY_PARSER_JSON_DOC_H
#define INLAY_PARSER_JSON_DOC_H

#include "ir/shared.h"
#include "parser/cjson/scan.h"

#include <cjson/cJSON.h>

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

/* Records an error with the place of AT in front; always false. */
bool json_fail(const json_doc *doc, const json_at *at, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* Fails because AT is not WANTED, and says what AT is instead. */
bool json_wrong(const json_doc *doc, const json_at *at, const char *wanted);
/* Puts the members of the object AT into OUT, in the order of NAMES; NULL stands for a member that
 * is not there. A member that NAMES does not have is an error. */
bool json_members(const json_doc *doc, const json_at *at, json_names names, const cJSON **out);
/* Fails unless ITEM, the member KEY of AT, is there. */
bool json_required(const json_doc *doc, const json_at *at, const cJSON *item, const char *key);
/* The text of the string ITEM, which is the member KEY of AT. NULL and an error when ITEM is no
 * string. */
const char *json_text(const json_doc *doc, const json_at *at, const cJSON *item, const char *key);
/* Reads a whole number: a JSON number, or a string of digits for a number that a double cannot
 * hold. *HUGE: the number is 2^63 or more, and *OUT has wrapped; json_int refuses such a number. */
bool json_integer(const json_doc *doc, const json_at *at, int64_t *out, bool *huge);
bool json_int(const json_doc *doc, const json_at *at, int64_t *out);
bool json_float(const json_doc *doc, const json_at *at, double *out);

#endif
