/* The records of an ONNX model: the C structures that protobuf-c generates from onnx.proto
 * (Onnx__ModelProto, ...), in an arena. Three readers (the binary form, wire.c; the JSON form; the
 * text form) fill them by the descriptors that are generated with the structures; the importer does
 * not depend on the form.
 *
 * A repeated field is the pair of members that protobuf-c has for it, such as n_ints and ints. The
 * capacity of the array is the next power of two from 2 on, so it needs no member:
 *
 *     n_ints = 5, ints -> [3 1 4 1 5 . . .]     capacity 8
 *
 * Fields of type bytes point into the bytes that were read and are never copied. Strings are
 * copied, because C needs a zero at the end. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_RECORDS_H
#define INLAY_PARSER_ONNX_RECORDS_H

#include "ir/shared.h"
#include "parser/parser.h"

#include <protobuf-c/protobuf-c.h>

/* Makes an empty message of type WHAT that begins at OFFSET of its file. NULL: out of memory. */
void *onnx_message_new(const ProtobufCMessageDescriptor *what, size_t offset, inlay_arena *a);
/* Returns the offset at which MESSAGE, which onnx_message_new made, begins. */
size_t onnx_message_offset(const void *message);

/* Adds an element to FIELD of MESSAGE and returns its address: the next element of a repeated
 * field, or the only one of another field. NULL: out of memory. */
void *onnx_field_add(void *message, const ProtobufCFieldDescriptor *field, inlay_arena *a);
/* Adds N > 0 elements to a repeated FIELD, and returns the address of the first, for the caller to
 * set. NULL: out of memory. */
void *onnx_field_append(void *message, const ProtobufCFieldDescriptor *field, size_t n,
                        inlay_arena *a);
/* Returns the number of elements of FIELD; a field that is not repeated has 0 or 1. */
size_t onnx_field_count(const void *message, const ProtobufCFieldDescriptor *field);
/* Returns the size of an element of FIELD in the record, in bytes. */
size_t onnx_field_size(const ProtobufCFieldDescriptor *field);

#endif
