/* The text of a JSON document before cJSON sees it. For the rooms that read JSON. */
#ifndef INLAY_PARSER_JSON_SCAN_H
#define INLAY_PARSER_JSON_SCAN_H

#include "ir/ir.h"

enum {
    /* How deep lists and objects may be nested. The deepest bodies take three levels each, and in
     * the innermost one there is room for a metadata tree (two levels an element) or nested data.
     * cJSON refuses 1000. */
    JSON_MAX_DEPTH = 900,
    JSON_MAX_NUMBER = 63, /* characters of a number: cJSON reads no more */
    JSON_PATH_SIZE = 512
};

/* scan.c */

/* Where a value stands: its line, and the bit JSON_INTEGRAL when it is a number without fraction
 * and exponent. */
typedef uint32_t json_place;
#define JSON_INTEGRAL UINT32_C(0x80000000)

/* Checks that the N bytes are one JSON text that cJSON reads as it stands: UTF-8, without repeated
 * keys, zero bytes, lone surrogates, and numbers that a double would round. *PLACES, which the
 * caller frees, has an entry for each value in the order of the document. */
bool json_scan(const char *bytes, size_t n, const char *file, json_place **places, size_t *n_places,
               inlay_diags *d);

/* keys.c */

/* A key as it stands between its quotes in the text, escapes included. */
typedef struct json_key {
    const char *text;
    size_t n;
    unsigned line;
} json_key;

/* The number that four hexadecimal digits at P are, or -1. */
int json_hex4(const char *p, const char *end);
/* Compares two json_key by the names they mean, with escapes resolved; for qsort. */
int json_compare_keys(const void *a, const void *b);

#endif
