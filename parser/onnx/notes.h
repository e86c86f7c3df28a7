/* Storage notes and order edges in an ONNX file: notes.c reads them, write_notes.c writes them.
 * Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_NOTES_H
#define INLAY_PARSER_ONNX_NOTES_H

#include "parser/onnx/onnx.h"

/* Keys of metadata. Behind the first one stands the number of the output, unless it is the first.
 */
#define ONNX_STORAGE "inlay_storage"
#define ONNX_AFTER "inlay_after"
/* The function that a node was written in, which is gone (info.c, write_info.c). */
#define ONNX_FUNCTION "inlay_function"

/* Whether metadata of this key is a note; KEY may be NULL. */
bool onnx_is_note(const char *key);
/* Queues the notes of N, of values that were made for it: of nodes with an id of at least FIRST. */
bool onnx_take_notes(const struct onnx_node *n, uint32_t first);
/* assemble_words.unresolved */
bool onnx_note_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault);

#endif
