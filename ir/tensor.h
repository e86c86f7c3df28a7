/* Element types, dimensions and shapes, and tensors: elements in reference-counted buffers. */
#ifndef INLAY_TENSOR_H
#define INLAY_TENSOR_H

#include "ir/budget.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INLAY_MAX_RANK = 32 }; /* dimensions of a tensor */

typedef struct inlay_tensor inlay_tensor;
typedef struct inlay_buffer inlay_buffer;

/* tensor/type.c: element types */

typedef enum inlay_type {
    INLAY_DYNAMIC, /* not known */
    INLAY_BOOLEAN,
    INLAY_F64,
    INLAY_F32,
    INLAY_F16,
    INLAY_BF16,
    INLAY_F8E4M3,
    INLAY_F8E5M2,
    INLAY_F8E4M3FNUZ,
    INLAY_F8E5M2FNUZ,
    INLAY_F8E8M0,
    INLAY_F4E2M1,
    INLAY_NF4,
    INLAY_I64,
    INLAY_I32,
    INLAY_I16,
    INLAY_I8,
    INLAY_I4,
    INLAY_I2,
    INLAY_U64,
    INLAY_U32,
    INLAY_U16,
    INLAY_U8,
    INLAY_U6,
    INLAY_U4,
    INLAY_U3,
    INLAY_U2,
    INLAY_U1,
    INLAY_STRING,
    INLAY_C64,
    INLAY_C128,
    INLAY_ITEM, /* each element is a whole tensor, or none: sequences, optionals, maps */
    INLAY_N_TYPES
} inlay_type;

typedef enum inlay_type_class {
    INLAY_CLASS_NONE,
    INLAY_CLASS_BOOLEAN,
    INLAY_CLASS_FLOAT,
    INLAY_CLASS_SIGNED,
    INLAY_CLASS_UNSIGNED,
    INLAY_CLASS_STRING,
    INLAY_CLASS_COMPLEX
} inlay_type_class;

typedef struct inlay_type_info {
    const char *name;     /* "f32": op attributes, JSON, text form */
    const char *xml;      /* "FP32": ports of OpenVINO IR; NULL: OpenVINO has no such type */
    int onnx;             /* TensorProto.DataType, 0 when there is none */
    int bits;             /* per element in memory */
    inlay_type_class cls; /* how it takes part in arithmetic */
    const char *refused;  /* why no tensor may have this type, or NULL */
} inlay_type_info;

/* Returns the row of TYPE, never NULL; for a number outside of the enum that of INLAY_DYNAMIC. */
INLAY_API const inlay_type_info *inlay_type_info_of(inlay_type type);
/* Finds the type whose short name ("f32") is exactly NAME. False: there is none. */
INLAY_API bool inlay_type_by_name(const char *name, inlay_type *type);
static inline bool inlay_type_is_int(inlay_type t)
{
    inlay_type_class c = inlay_type_info_of(t)->cls;
    return c == INLAY_CLASS_SIGNED || c == INLAY_CLASS_UNSIGNED;
}
static inline bool inlay_type_is_float(inlay_type t)
{
    return inlay_type_info_of(t)->cls == INLAY_CLASS_FLOAT;
}
/* Do elements of TYPE point to what the buffer keeps alive, so that their bytes alone are no copy?
 */
static inline bool inlay_type_refers(inlay_type t)
{
    return t == INLAY_STRING || t == INLAY_ITEM;
}

/* tensor/dim.c: a dimension, or one element of a known integer tensor: an interval and an identity
 */
#define INLAY_DIM_MAX INT64_MAX /* hi of an interval without an upper end */

/* What is known of a number x: lo <= x <= hi; two dims with the same id other than 0 are the same
 * number in every run. {3, 3, 0} is 3; {0, INLAY_DIM_MAX, 7} is an open size with identity 7. A
 * size has lo >= 0; the value of an integer element may be negative (lo INT64_MIN: no lower end).
 */
typedef struct inlay_dim {
    int64_t lo, hi;
    uint32_t id;
} inlay_dim;

static inline inlay_dim inlay_dim_of(int64_t n)
{
    inlay_dim d = {n, n, 0};

    return d;
}
static inline inlay_dim inlay_dim_any(void)
{
    inlay_dim d = {0, INLAY_DIM_MAX, 0};

    return d;
}
static inline inlay_dim inlay_dim_unknown_value(void)
{
    inlay_dim d = {INT64_MIN, INT64_MAX, 0};

    return d;
}
static inline bool inlay_dim_is_static(inlay_dim d)
{
    return d.lo == d.hi;
}
/* Are A and B surely equal: the same number, or of the same id? */
INLAY_API bool inlay_dim_proven_equal(inlay_dim a, inlay_dim b);
/* May A and B be equal in some run (do their intervals intersect)? */
INLAY_API bool inlay_dim_compatible(inlay_dim a, inlay_dim b);
/* A and B describe one number: sets *OUT to the intersection of their intervals, with the id.
 * False: they cannot be equal. */
INLAY_API bool inlay_dim_merge(inlay_dim a, inlay_dim b, inlay_dim *out);

/* A partial shape as a working copy; rank -1: unknown. */
typedef struct inlay_shape {
    int rank;
    inlay_dim dim[INLAY_MAX_RANK];
} inlay_shape;

/* Sets S to RANK unknown dims. */
INLAY_API void inlay_shape_of_rank(inlay_shape *s, int rank);
/* Writes a shape as OpenVINO writes a PartialShape, without blanks after commas: "[2,?,1..8]",
 * "..." for unknown rank. Writes at most SIZE bytes with the NUL; returns BUF. */
INLAY_API char *inlay_shape_text(int rank, const inlay_dim *dims, char *buf, size_t size);
/* Reads a shape in OpenVINO's spelling ("2,?,1..8", optional brackets, "..." unknown rank, "" rank
 * 0). On failure *WHY says what is wrong (a constant string). */
INLAY_API bool inlay_shape_parse(const char *text, inlay_shape *out, const char **why);

/* tensor/buffer.c: reference-counted bytes. A tensor is a view of such a buffer. */

typedef void inlay_release_fn(void *ctx, void *data, size_t size);

/* Makes a buffer of DATA that the caller owns; RELEASE (may be NULL) is called with the last
 * reference. Holding the only reference does not permit writing DATA: see inlay_access. */
INLAY_API inlay_buffer *inlay_buffer_wrap(void *data, size_t size, inlay_release_fn *release,
                                          void *ctx);
/* Who may write a buffer's bytes while holding the only reference. */
typedef enum inlay_access {
    INLAY_ACCESS_OWN,   /* the holder: they were allocated for it (inlay_tensor_new) */
    INLAY_ACCESS_GIVEN, /* a run to which a tensor of it is donated (inlay_buffer_wrap) */
    INLAY_ACCESS_NONE   /* nobody: a mapped file, weights */
} inlay_access;
/* Sets who may write B; to be called by who wraps DATA, before anybody else holds B. */
INLAY_API void inlay_buffer_set_access(inlay_buffer *b, inlay_access access);
INLAY_API void inlay_buffer_release(inlay_buffer *b); /* NULL is fine */

/* tensor/tensor.c: element data */

/* One element of a string tensor. The bytes are in the tensor's buffer, or in one that it keeps
 * alive; a zeroed element is the empty string. */
typedef struct inlay_string {
    const char *bytes;
    size_t length;
} inlay_string;

struct inlay_tensor {
    inlay_type type;
    int rank;
    const int64_t *dims;
    const int64_t *strides; /* in elements, also for packed types; may be negative */
    void *data;             /* the byte from which elements are counted; any alignment */
    int64_t offset;         /* index of element [0, 0, ...] from data, in elements */
    inlay_buffer *buffer;   /* keeps data alive */
};

/* Makes a dense zeroed tensor; NULL when out of memory, on overflow, or for a refused type. */
INLAY_API inlay_tensor *inlay_tensor_new(inlay_type type, int rank, const int64_t *dims);
/* Makes a dense tensor of DATA inside BUFFER (retained); NULL also when it does not fit there.
 * BUFFER NULL: the size of DATA is unknown, and the caller keeps it alive. */
INLAY_API inlay_tensor *inlay_tensor_over(inlay_buffer *buffer, void *data, inlay_type type,
                                          int rank, const int64_t *dims);
/* Makes a strided view of T's elements, on T's buffer: OFFSET is its first element, counted from
 * T's own first. NULL also when an element of it would be outside of that buffer. */
INLAY_API inlay_tensor *inlay_tensor_window(const inlay_tensor *t, int rank, const int64_t *dims,
                                            const int64_t *strides, int64_t offset);
INLAY_API inlay_tensor *inlay_tensor_retain(const inlay_tensor *t); /* atomic */
INLAY_API void inlay_tensor_release(const inlay_tensor *t);         /* NULL is fine */
INLAY_API int64_t inlay_tensor_count(const inlay_tensor *t);        /* elements */
INLAY_API size_t inlay_tensor_bytes(const inlay_tensor *t);         /* when dense */
INLAY_API bool inlay_tensor_is_dense(const inlay_tensor *t);
/* Makes a dense copy with its own buffer. */
INLAY_API inlay_tensor *inlay_tensor_copy(const inlay_tensor *t);
/* Copies the elements of SRC to DST, of the same type and dims; strides may differ. The two may
 * overlap in one buffer if their strides are equal and positive, and each axis' stride exceeds the
 * extent of all later axes. Strings keep SRC's buffer alive. */
INLAY_API bool inlay_tensor_assign(inlay_tensor *dst, const inlay_tensor *src);
/* Returns or sets element I in row-major order. Unchecked: tensors and indices. */
INLAY_API double inlay_tensor_get_f64(const inlay_tensor *t, int64_t i);
INLAY_API int64_t inlay_tensor_get_i64(const inlay_tensor *t, int64_t i);
INLAY_API inlay_string inlay_tensor_get_string(const inlay_tensor *t, int64_t i);
INLAY_API void inlay_tensor_set_f64(inlay_tensor *t, int64_t i, double x);
INLAY_API void inlay_tensor_set_i64(inlay_tensor *t, int64_t i, int64_t x);

/* Sets element I, which must exist, to a copy of the LENGTH BYTES, which lives as long as T's
 * buffer. */
INLAY_API bool inlay_tensor_set_string(inlay_tensor *t, int64_t i, const char *bytes,
                                       size_t length);

enum { INLAY_MAX_ITEM_DEPTH = 8 }; /* tensors in items of tensors in items ... */

/* Returns the tensor that element I of T, a tensor of items, is; NULL: it is none, or T has no
 * items. It lives as long as T's buffer. */
INLAY_API const inlay_tensor *inlay_tensor_get_item(const inlay_tensor *t, int64_t i);
/* Sets element I, which must exist, to ITEM (retained; NULL: none), whose elements must not change
 * from then on. False also for items nested too deeply. */
INLAY_API bool inlay_tensor_set_item(inlay_tensor *t, int64_t i, const inlay_tensor *item);

#ifdef __cplusplus
}
#endif

#endif
