/* Recognises formats that are not supported, to name them in messages. Private to parser/. */
#ifndef INLAY_PARSER_FOREIGN_H
#define INLAY_PARSER_FOREIGN_H

#include <stddef.h>

/* Names the format of a file for a sentence: "a GGUF model, which is not read yet". NULL: none of
 * these formats. By content the answer is certain, because no supported format begins like these;
 * by the ending of the name it is a guess. */
const char *foreign_by_content(const char *bytes, size_t n);
const char *foreign_by_name(const char *path);

#endif
