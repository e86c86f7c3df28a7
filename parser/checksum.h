/* Size and checksum of a weights file, by which a model recognises its own file: computed while the
 * file is written, compared when it is read. Private to parser/. */
#ifndef INLAY_PARSER_CHECKSUM_H
#define INLAY_PARSER_CHECKSUM_H

#include "ir/ir.h"

/* The checksum of all bytes added so far, however they were split. It reads every byte of a mapped
 * file, so it must be as fast as memory: eight bytes at a time go to one of four independent lanes.
 */
typedef struct checksum {
    uint64_t lanes[4];
    uint64_t size;           /* bytes so far */
    unsigned char waits[32]; /* the last SIZE % 32 bytes, not yet added to a lane */
} checksum;

void checksum_add(checksum *c, const void *bytes, size_t n);

/* The form in a file: 16 hexadecimal digits. */
enum { CHECKSUM_TEXT = 17 };
void checksum_text(const checksum *c, char text[CHECKSUM_TEXT]);
/* Sets *VALUE to the checksum that TEXT says. False: TEXT is not 16 hexadecimal digits. */
bool checksum_parse(const char *text, uint64_t *value);

/* What a model records of its weights file. */
typedef struct checksum_record {
    uint64_t size, value;
} checksum_record;

/* Is FILE the one that was recorded? If not, writes the end of a sentence about it to WHY: "it has
 * 24 bytes, not 32". */
bool checksum_matches(const checksum_record *r, const inlay_buffer *file, char *why, size_t size);

#endif
