/* Formats that are not read, so that a message can call them by name. Private to parser/. */
#ifndef INLAY_PARSER_FOREIGN_H
#define INLAY_PARSER_FOREIGN_H

#include <stddef.h>

/* What a file is, for a sentence: "a GGUF model, which is not read yet". NULL: none of these
 * formats. The content of a file decides without doubt, because no format that is read begins like
 * these; the ending of a name is a guess. */
const char *foreign_by_content(const char *bytes, size_t n);
const char *foreign_by_name(const char *path);

#endif
