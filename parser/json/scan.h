/* The text of a JSON document before cJSON sees it. Private to parser/json. */
#ifndef INLAY_PARSER_JSON_SCAN_H
#define INLAY_PARSER_JSON_SCAN_H

#include "ir/ir.h"

enum {
    /* Lists and objects inside each other: room for the deepest bodies (three levels each), a
     * metadata tree (two each) or nested data in the innermost one. cJSON refuses 1000. */
    JSON_MAX_DEPTH = 900,
    JSON_MAX_NUMBER = 63, /* characters of a number: cJSON reads no more */
    JSON_PATH_SIZE = 512
};

/* scan.c */

/* Where a value stands, in the order of the document: its line, and JSON_INTEGRAL when it is a
 * number without fraction and exponent. */
typedef uint32_t json_place;
#define JSON_INTEGRAL UINT32_C(0x80000000)

/* Checks that the N bytes are one JSON text that cJSON reads as it stands: UTF-8, no repeated
 * keys, no NUL, no lone surrogates, no number that a double would round. *PLACES (the caller frees
 * it) has an entry for each value. */
bool json_scan(const char *bytes, size_t n, const char *file, json_place **places, size_t *n_places,
               inlay_diags *d);

/* keys.c */

/* A key as it stands in a text that json_scan checked, between its quotes. */
typedef struct json_key {
    const char *text;
    size_t n;
    unsigned line;
} json_key;

/* The four hexadecimal digits at P, or -1. */
int json_hex4(const char *p, const char *end);
/* By the names they mean, escapes resolved: for qsort. */
int json_compare_keys(const void *a, const void *b);

#endif
