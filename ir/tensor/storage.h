/* What readers and executors ask of tensors and their buffers. For the folders of this project, not
 * installed. */
#ifndef INLAY_IR_TENSOR_STORAGE_H
#define INLAY_IR_TENSOR_STORAGE_H

#include "ir/tensor.h"

/* By port precision as OpenVINO reads it: "FP32" or any lower case short name. */
bool inlay_type_by_xml(const char *name, inlay_type *type);
/* A zeroed buffer of SIZE bytes, aligned to 64, with one reference; NULL when out of memory. */
inlay_buffer *inlay_buffer_new(size_t size);
inlay_buffer *inlay_buffer_retain(inlay_buffer *b); /* atomic */
void *inlay_buffer_data(const inlay_buffer *b);
size_t inlay_buffer_size(const inlay_buffer *b);
inlay_access inlay_buffer_access(const inlay_buffer *b);
/* As inlay_buffer_new, but the bytes may be anything: the caller writes them all. */
inlay_buffer *inlay_buffer_new_raw(size_t size);
/* Of each PERIOD bytes of B those from USED on are spare: no tensor shows them. Those of a new
 * buffer are one period, and are all used. */
void inlay_buffer_set_used(inlay_buffer *b, size_t period, size_t used);
/* Has B more than one period? */
bool inlay_buffer_has_periods(const inlay_buffer *b);
/* Gives the caller the spare bytes of each PERIOD of B up to TO, if FROM is where they begin; else
 * somebody else got them, or B has other periods, and the result is false. Atomic. */
bool inlay_buffer_extend(inlay_buffer *b, size_t period, size_t from, size_t to);
/* B's bytes are those of a mapped file that nobody writes, so memory need not hold them: the system
 * can read them again. */
void inlay_buffer_set_mapped(inlay_buffer *b);
/* T's elements are not needed for now. Whole pages of a mapped file are given back to the system,
 * which brings them again for whoever reads them. */
void inlay_tensor_unload(const inlay_tensor *t);
/* B keeps OTHER alive as long as it lives: elements of B point into OTHER (strings). */
bool inlay_buffer_keep(inlay_buffer *b, inlay_buffer *other);
/* Number of elements and bytes of a dense tensor; false on overflow or a negative dim. As in numpy,
 * the dims other than 0 must not overflow either, so that the product of any of a tensor's dims
 * fits. Either result pointer may be NULL. */
bool inlay_count_elements(int rank, const int64_t *dims, int64_t *count);
bool inlay_count_bytes(inlay_type type, int rank, const int64_t *dims, size_t *bytes);
/* A strided window on T's elements: OFFSET counts elements from T's own first element's index. NULL
 * also when an element of it would lie outside of T's buffer. */
inlay_tensor *inlay_tensor_window(const inlay_tensor *t, int rank, const int64_t *dims,
                                  const int64_t *strides, int64_t offset);
/* A and B have the same type, dims and elements, bit for bit (strings by their bytes). Elements
 * that stand in the same place are not read. */
bool inlay_tensor_equal(const inlay_tensor *a, const inlay_tensor *b);
/* A and B have the same rank and dims, whatever their elements. */
bool inlay_tensor_same_dims(const inlay_tensor *a, const inlay_tensor *b);
/* Nobody else holds T, nor another tensor on its buffer. */
bool inlay_tensor_is_sole(const inlay_tensor *t);
/* The same elements in memory, in the same order. */
bool inlay_tensor_same_place(const inlay_tensor *a, const inlay_tensor *b);
/* Element I in row-major order as an index from data. Unchecked: tensors and indices. */
int64_t inlay_tensor_index(const inlay_tensor *t, int64_t i);
/* A hash of COUNT elements of T from the FIRST one on, in row-major order, wherever and however
 * they lie: equal elements have equal hashes, within one process. */
uint64_t inlay_tensor_hash(const inlay_tensor *t, int64_t first, int64_t count);

#endif
