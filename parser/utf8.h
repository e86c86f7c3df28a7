/* UTF-8, one code point at a time. Private to parser/. */
#ifndef INLAY_PARSER_UTF8_H
#define INLAY_PARSER_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes one code point from the N > 0 bytes at S. Returns the length of the code point in bytes,
 * or 0 when it is malformed (overlong, a surrogate, above U+10FFFF, cut short). */
size_t utf8_decode(const void *s, size_t n, uint32_t *out);
/* Writes the code point C, not a surrogate and at most U+10FFFF, as up to 4 bytes. Returns their
 * number. */
size_t utf8_encode(uint32_t c, void *out);
bool utf8_valid(const void *s, size_t n);

#endif
