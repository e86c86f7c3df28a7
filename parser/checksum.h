/* What a model records of its weights file, so that no other file passes for it: its size and a
 * checksum. Both are made as bytes are written, and held against the file when it is read. Private
 * to parser/. */
#ifndef INLAY_PARSER_CHECKSUM_H
#define INLAY_PARSER_CHECKSUM_H

#include "ir/ir.h"

/* Of all bytes that were added, in whatever pieces. It touches each byte of a file that is mapped,
 * so that it must be as fast as memory: bytes go to four lanes by turns, eight to each. */
typedef struct checksum {
    uint64_t lanes[4];
    uint64_t size;           /* bytes so far */
    unsigned char waits[32]; /* of them the last SIZE % 32, which no lane has */
} checksum;

void checksum_add(checksum *c, const void *bytes, size_t n);
uint64_t checksum_value(const checksum *c);

/* As it stands in a file: 16 hexadecimal digits. */
enum { CHECKSUM_TEXT = 17 };
void checksum_text(const checksum *c, char text[CHECKSUM_TEXT]);
/* TEXT are such digits. */
bool checksum_parse(const char *text, uint64_t *value);

/* What a model records. */
typedef struct checksum_record {
    uint64_t size, value;
} checksum_record;

/* FILE is the one that was recorded. Else the end of a sentence about it goes to WHY: "it has 24
 * bytes, not 32". */
bool checksum_matches(const checksum_record *r, const inlay_buffer *file, char *why, size_t size);

#endif
