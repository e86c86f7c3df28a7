/* What readers and writers of text want of UTF-8 beside ir/base/utf8.h. Private to parser/. */
#ifndef INLAY_PARSER_UTF8_H
#define INLAY_PARSER_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the code point C, not a surrogate and at most U+10FFFF, as up to 4 bytes. Returns their
 * number. */
size_t utf8_encode(uint32_t c, void *out);
bool utf8_valid(const void *s, size_t n);

#endif
