/* Checks the text of a JSON document before cJSON parses it. For the folders that read JSON. */
#ifndef INLAY_PARSER_JSON_SCAN_H
#define INLAY_PARSER_JSON_SCAN_H

#include "ir/ir.h"

enum {
    /* The limit on nested lists and objects. The deepest bodies take three levels each, and a
     * metadata tree (two levels an element) or nested data must fit into the innermost one. cJSON's
     * limit is 1000. */
    JSON_MAX_DEPTH = 900,
    JSON_MAX_NUMBER = 63, /* characters of a number: cJSON reads no more */
    JSON_PATH_SIZE = 512
};

/* scan.c */

/* The position of a value: its line, and the bit JSON_INTEGRAL when it is a number without fraction
 * and exponent. */
typedef uint32_t json_place;
#define JSON_INTEGRAL UINT32_C(0x80000000)

/* Checks that the N bytes are one JSON text that cJSON reads without changing it: UTF-8; no
 * repeated keys, zero bytes or lone surrogates, and no numbers that a double would round. *PLACES,
 * which the caller gives back, counts in BUDGET, and has an entry for each value in the order of
 * the document. */
bool json_scan(inlay_budget *budget, const char *bytes, size_t n, const char *file,
               json_place **places, size_t *n_places, inlay_diags *d);

/* keys.c */

/* A key as written between its quotes, escapes included. */
typedef struct json_key {
    const char *text;
    size_t n;
    unsigned line;
} json_key;

/* Returns the number that the four hexadecimal digits at P denote; -1: they are none. */
int json_hex4(const char *p, const char *end);
/* Compares two json_key by their names with escapes resolved; for qsort. */
int json_compare_keys(const void *a, const void *b);

#endif
