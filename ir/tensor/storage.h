/* What readers and executors use of tensors and their buffers. For the folders of this project, not
 * installed. */
#ifndef INLAY_IR_TENSOR_STORAGE_H
#define INLAY_IR_TENSOR_STORAGE_H

#include "ir/base/arena.h"
#include "ir/tensor.h"

/* Finds a type by its port precision as OpenVINO reads it: "FP32" or any lower case short name. */
bool inlay_type_by_xml(const char *name, inlay_type *type);
/* Why no constant may have TYPE; NULL: it may. */
static inline const char *inlay_constant_refused(inlay_type type)
{
    return type == INLAY_ITEM ? "items cannot be written down" : inlay_type_info_of(type)->refused;
}
/* Lets T's buffer keep its items alive, whose elements were copied as they are. */
bool inlay_tensor_keep_items(inlay_tensor *t);
/* Allocates SIZE zeroed bytes, aligned to 64, with one reference; NULL: out of memory. They count
 * in BUDGET (NULL: nowhere), and so does what is made of the buffer: tensors, copies of them,
 * strings. */
inlay_buffer *inlay_buffer_in(inlay_budget *budget, size_t size);
inlay_buffer *inlay_buffer_new(size_t size);
/* The same with uninitialised bytes, which the caller must all write. */
inlay_buffer *inlay_buffer_raw_in(inlay_budget *budget, size_t size);
/* inlay_buffer_wrap, where all but DATA counts in BUDGET. */
inlay_buffer *inlay_buffer_wrap_in(inlay_budget *budget, void *data, size_t size,
                                   inlay_release_fn *release, void *ctx);
inlay_budget *inlay_buffer_budget(const inlay_buffer *b);
/* inlay_tensor_new, which counts in BUDGET. */
inlay_tensor *inlay_tensor_in(inlay_budget *budget, inlay_type type, int rank, const int64_t *dims);
inlay_buffer *inlay_buffer_retain(inlay_buffer *b); /* atomic */
void *inlay_buffer_data(const inlay_buffer *b);
size_t inlay_buffer_size(const inlay_buffer *b);
inlay_access inlay_buffer_access(const inlay_buffer *b);
/* Declares the bytes from USED on of each PERIOD bytes of B spare: no tensor contains them. A new
 * buffer is one period without spare bytes. */
void inlay_buffer_set_used(inlay_buffer *b, size_t period, size_t used);
/* Has B more than one period? */
bool inlay_buffer_has_periods(const inlay_buffer *b);
/* Gives the caller the spare bytes of each PERIOD of B up to TO, if they begin at FROM. False: they
 * begin elsewhere (another caller got some), or B has other periods. Atomic. */
bool inlay_buffer_extend(inlay_buffer *b, size_t period, size_t from, size_t to);
/* Makes the memory for bytes of strings of a buffer whose release function has CTX; NULL: it is
 * refused. */
typedef inlay_buffer *inlay_room_fn(void *ctx, size_t size);
void inlay_buffer_set_room(inlay_buffer *b, inlay_room_fn *room);
/* Declares that B is a mapped file that nobody writes, so that its pages may be dropped from memory
 * and read again. */
void inlay_buffer_set_mapped(inlay_buffer *b);
/* Declares that T's elements are not needed for now: whole pages of a mapped file are returned to
 * the system, which reads them again on the next access. */
void inlay_tensor_unload(const inlay_tensor *t);
/* Lets B keep OTHER alive as long as B lives: elements of B point into OTHER (strings). */
bool inlay_buffer_keep(inlay_buffer *b, inlay_buffer *other);
/* Sets *COUNT to the number of elements or bytes of a dense tensor; false on overflow or a negative
 * dim. As in numpy, the product without dims of 0 must not overflow either, so that any product of
 * a tensor's dims fits. Either result pointer may be NULL. */
bool inlay_count_elements(int rank, const int64_t *dims, int64_t *count);
bool inlay_count_bytes(inlay_type type, int rank, const int64_t *dims, size_t *bytes);
/* inlay_tensor_over and inlay_tensor_window for tensors whose memory is A's, but for their
 * elements: they end with what A holds, and hold their buffer until they are released. */
inlay_tensor *inlay_tensor_over_in(inlay_arena *a, inlay_buffer *buffer, void *data,
                                   inlay_type type, int rank, const int64_t *dims);
inlay_tensor *inlay_tensor_window_in(inlay_arena *a, const inlay_tensor *t, int rank,
                                     const int64_t *dims, const int64_t *strides, int64_t offset);
/* Releases T, but if nobody else refers to it only its buffer: returns T, without elements, for
 * inlay_tensor_again. NULL: somebody does, or T is NULL. */
inlay_tensor *inlay_tensor_strip(const inlay_tensor *t);
/* inlay_tensor_window in the memory of W, from inlay_tensor_strip, whose reference is taken over.
 * W NULL, or with another number of dims: in new memory. */
inlay_tensor *inlay_tensor_again(inlay_tensor *w, const inlay_tensor *t, int rank,
                                 const int64_t *dims, const int64_t *strides, int64_t offset);
/* Do A and B have the same type, dims and elements, bit for bit (strings by their bytes)? Elements
 * at the same address are not read. */
bool inlay_tensor_equal(const inlay_tensor *a, const inlay_tensor *b);
/* Do A and B have the same rank and dims? */
bool inlay_tensor_same_dims(const inlay_tensor *a, const inlay_tensor *b);
/* Does the caller hold the only reference to T and to its buffer? */
bool inlay_tensor_is_sole(const inlay_tensor *t);
/* Are the elements of A and B at the same addresses, in the same order? */
bool inlay_tensor_same_place(const inlay_tensor *a, const inlay_tensor *b);
/* Returns the index, from data, of element I in row-major order. Unchecked: its arguments. */
int64_t inlay_tensor_index(const inlay_tensor *t, int64_t i);
/* Hashes COUNT elements of T from the FIRST one on, in row-major order, whatever their strides:
 * equal elements have equal hashes, within one process. */
uint64_t inlay_tensor_hash(const inlay_tensor *t, int64_t first, int64_t count);
/* A hash of all elements in row-major order, without a key: it stands in texts. */
uint64_t inlay_tensor_digest(const inlay_tensor *t);

#endif
