/* The graph and its meaning: element types, shapes, tensors, the op table, nodes and values,
 * shape inference, the verifier, the printer, diagnostics. Everything else in the tree stands on
 * this header; it knows nothing of files, kernels or passes. Start with ir/README.md.
 *
 * Conventions. Functions that can fail return bool or a pointer; false or NULL means that an error
 * was recorded in the inlay_diags handed in (which may be NULL when nobody wants the words).
 * A graph and all it points to live in the graph's arena and go with inlay_graph_free. Strings
 * handed in are copied. Struct fields are for reading; change a graph through the functions only.
 *
 * Arguments. A function that is handed NULL where it needs something, an entry of a list that is
 * missing, an index out of range, or a type, rank or shape that cannot be, fails with an error; one
 * that has no way to fail does nothing and returns NULL, 0, false or what its comment says. It
 * takes on trust: that pointers which are not NULL lead to living objects of their type, that lists
 * and buffers are as long as is said, that pointers for results are not NULL, formats of printf,
 * and what was written into struct fields by hand. "Unchecked" are functions that are called for
 * each element: they take all their arguments on trust.
 */
#ifndef INLAY_IR_H
#define INLAY_IR_H

#include "inlay_ops.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INLAY_API __attribute__((visibility("default")))
#define INLAY_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
/* Bodies nest, and each level takes the frames of the functions that go down: what these only call
 * on their way, with large arrays of its own, keeps them in a frame of its own. */
#define INLAY_OWN_FRAME __attribute__((noinline))

/* Limits that every reader and rule shares. */
enum {
    INLAY_MAX_RANK = 32,        /* dimensions of a tensor */
    INLAY_MAX_BODY_DEPTH = 64,  /* If in Loop in If ... */
    INLAY_MAX_META_DEPTH = 128, /* elements in elements of rt_info and meta_data */
    INLAY_MAX_KNOWN = 128       /* elements of an integer tensor whose values rules propagate */
};

typedef struct inlay_graph inlay_graph;
typedef struct inlay_node inlay_node;
typedef struct inlay_value inlay_value;
typedef struct inlay_op inlay_op;
typedef struct inlay_tensor inlay_tensor;
typedef struct inlay_buffer inlay_buffer;
typedef struct inlay_arena inlay_arena;
typedef struct inlay_diags inlay_diags;
typedef struct inlay_infer inlay_infer;
typedef struct inlay_variable inlay_variable;
typedef struct inlay_strbuf inlay_strbuf;

/* diag.c: messages for people, collected, never printed by the library */

typedef enum inlay_severity { INLAY_NOTE, INLAY_WARNING, INLAY_ERROR } inlay_severity;

/* What a failure means to the one who called; the command exits with this number. */
typedef enum inlay_status {
    INLAY_OK = 0,
    INLAY_DIFFERENT = 1,   /* a check found a difference */
    INLAY_INVALID = 2,     /* bad usage, model or input */
    INLAY_NO_RESOURCE = 3, /* out of memory, over a limit, file system */
    INLAY_UNDECIDED = 4,   /* a check could not decide */
} inlay_status;

typedef struct inlay_diag {
    inlay_severity severity;
    inlay_status status; /* INLAY_OK for notes and warnings */
    const char *file;    /* or NULL */
    unsigned line;       /* from 1; 0: not known */
    const char *text;    /* `layer 17 "set" (SliceScatter-15): step[0] is 0, it must not be zero` */
} inlay_diag;

/* A place in a source; either part may be missing. */
typedef struct inlay_pos {
    const char *file;
    unsigned line;
} inlay_pos;

INLAY_API inlay_diags *inlay_diags_new(void); /* NULL when out of memory */
INLAY_API void inlay_diags_free(inlay_diags *d);
INLAY_API void inlay_diags_clear(inlay_diags *d);
INLAY_API size_t inlay_diags_count(const inlay_diags *d);
INLAY_API const inlay_diag *inlay_diags_at(const inlay_diags *d, size_t i); /* NULL: no such */
/* The first error; NULL: there is none. */
INLAY_API const inlay_diag *inlay_diags_error(const inlay_diags *d);
/* Its status, INLAY_OK without one. */
INLAY_API inlay_status inlay_diags_status(const inlay_diags *d);

/* Record an error with status INLAY_INVALID at POS (may be NULL). Always returns false, so that
 * `return inlay_fail(...)` reads well. */
INLAY_API bool inlay_fail(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* As inlay_fail, with the place and name of NODE (NULL: none) in front. */
INLAY_API bool inlay_fail_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* The same. Unchecked: the arguments. */
INLAY_API bool inlay_vfail_node(inlay_diags *d, const inlay_node *node, const char *fmt,
                                va_list args);
/* Record an error with status INLAY_NO_RESOURCE. */
INLAY_API bool inlay_fail_resource(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* The same, with the place and name of NODE in front. */
INLAY_API bool inlay_fail_resource_node(inlay_diags *d, const inlay_node *node, const char *fmt,
                                        ...) INLAY_PRINTF(3, 4);
/* Record "out of memory"; needs no memory itself. */
INLAY_API bool inlay_fail_memory(inlay_diags *d);
INLAY_API void inlay_warn(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
INLAY_API void inlay_warn_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);
/* What was decided, for people who ask why: not a warning. */
INLAY_API void inlay_note_node(inlay_diags *d, const inlay_node *node, const char *fmt, ...)
    INLAY_PRINTF(3, 4);

/* arena.c: memory with one lifetime */

INLAY_API inlay_arena *inlay_arena_new(void);
INLAY_API void inlay_arena_free(inlay_arena *a);
/* Frees all objects; a little memory stays for the next ones. */
INLAY_API void inlay_arena_clear(inlay_arena *a);
/* SIZE zeroed bytes, aligned for any object, 1,024 and more to 64 bytes. NULL: out of memory. */
INLAY_API void *inlay_arena_alloc(inlay_arena *a, size_t size);
/* COUNT objects of SIZE bytes, the product checked. */
INLAY_API void *inlay_arena_array(inlay_arena *a, size_t count, size_t size);
INLAY_API char *inlay_arena_strdup(inlay_arena *a, const char *s);
INLAY_API char *inlay_arena_strndup(inlay_arena *a, const char *s, size_t n);
INLAY_API char *inlay_arena_printf(inlay_arena *a, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Bytes handed out so far. */
INLAY_API size_t inlay_arena_bytes(const inlay_arena *a);

/* type.c: element types */

typedef enum inlay_type {
    INLAY_DYNAMIC, /* not known */
    INLAY_BOOLEAN,
    INLAY_F64,
    INLAY_F32,
    INLAY_F16,
    INLAY_BF16,
    INLAY_F8E4M3,
    INLAY_F8E5M2,
    INLAY_F8E8M0,
    INLAY_F4E2M1,
    INLAY_NF4,
    INLAY_I64,
    INLAY_I32,
    INLAY_I16,
    INLAY_I8,
    INLAY_I4,
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
    int bits;             /* of one element in memory */
    inlay_type_class cls; /* how arithmetic treats it */
    const char *refused;  /* why no tensor may have this type, or NULL */
} inlay_type_info;

/* Never NULL; TYPE outside the enum gives the row of INLAY_DYNAMIC. */
INLAY_API const inlay_type_info *inlay_type_info_of(inlay_type type);
/* By short name ("f32"); exact. False when unknown. */
INLAY_API bool inlay_type_by_name(const char *name, inlay_type *type);
/* By port precision as OpenVINO reads it: "FP32" or any lower case short name. */
INLAY_API bool inlay_type_by_xml(const char *name, inlay_type *type);
static inline bool inlay_type_is_int(inlay_type t)
{
    inlay_type_class c = inlay_type_info_of(t)->cls;
    return c == INLAY_CLASS_SIGNED || c == INLAY_CLASS_UNSIGNED;
}
static inline bool inlay_type_is_float(inlay_type t)
{
    return inlay_type_info_of(t)->cls == INLAY_CLASS_FLOAT;
}

/* number.c: conversions between element types and C numbers. All loads and stores work at any
 * alignment; INDEX counts elements, also of packed types (u1: high bit first; 4-bit types: low
 * nibble first, as OpenVINO packs them). Unchecked: types, bases and indices. */

INLAY_API double inlay_load_f64(inlay_type type, const void *base, int64_t index);
/* Integers exact (u64 above INT64_MAX wraps), floats truncated toward zero and saturated. */
INLAY_API int64_t inlay_load_i64(inlay_type type, const void *base, int64_t index);
/* Floats round to nearest even once; integers truncate toward zero, saturate; NaN gives 0. */
INLAY_API void inlay_store_f64(inlay_type type, void *base, int64_t index, double x);
/* Integers wrap; floats round once. */
INLAY_API void inlay_store_i64(inlay_type type, void *base, int64_t index, int64_t x);
/* Single-precision forms for the types that compute in f32 (f32, f16, bf16, f8, 4-bit floats). */
INLAY_API float inlay_load_f32(inlay_type type, const void *base, int64_t index);
INLAY_API void inlay_store_f32(inlay_type type, void *base, int64_t index, float x);
/* The same for N elements from INDEX on, STEP apart: f16 and bf16 cost little then. */
INLAY_API void inlay_load_f32_row(inlay_type type, const void *base, int64_t index, int64_t step,
                                  int64_t n, float *x);
INLAY_API void inlay_store_f32_row(inlay_type type, void *base, int64_t index, int64_t step,
                                   int64_t n, const float *x);
/* Copies one element of TYPE from one place to another, packed types included. */
INLAY_API void inlay_copy_element(inlay_type type, void *dst, int64_t dst_index, const void *src,
                                  int64_t src_index);
/* Copies COUNT consecutive elements; the ranges may not overlap. */
INLAY_API void inlay_copy_elements(inlay_type type, void *dst, int64_t dst_index, const void *src,
                                   int64_t src_index, int64_t count);

/* dim.c: a dimension, or one element of a known integer tensor: an interval and an identity */

#define INLAY_DIM_MAX INT64_MAX /* hi of an interval without an upper end */

/* lo <= x <= hi. Two dims with the same non-zero id are the same number in every run. For sizes
 * lo >= 0; as the value of an integer element lo may be negative (INT64_MIN: no lower end). */
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
/* Both static and equal, or the same id. */
INLAY_API bool inlay_dim_proven_equal(inlay_dim a, inlay_dim b);
/* The intervals meet: they may be equal in some run. */
INLAY_API bool inlay_dim_compatible(inlay_dim a, inlay_dim b);
/* Both describe one number: the tighter interval, the id kept. False when they cannot be equal. */
INLAY_API bool inlay_dim_merge(inlay_dim a, inlay_dim b, inlay_dim *out);
/* One or the other: the smallest interval that holds both; the id kept if it is the same. */
INLAY_API inlay_dim inlay_dim_union(inlay_dim a, inlay_dim b);
/* Interval arithmetic, saturating; x+0, x-0 and x*1 keep the id. Division by a positive number. */
INLAY_API inlay_dim inlay_dim_add(inlay_dim a, inlay_dim b);
INLAY_API inlay_dim inlay_dim_sub(inlay_dim a, inlay_dim b);
INLAY_API inlay_dim inlay_dim_mul(inlay_dim a, inlay_dim b);
INLAY_API inlay_dim inlay_dim_div_floor(inlay_dim a, int64_t by);
INLAY_API inlay_dim inlay_dim_div_ceil(inlay_dim a, int64_t by);
INLAY_API inlay_dim inlay_dim_min(inlay_dim a, inlay_dim b);
INLAY_API inlay_dim inlay_dim_max(inlay_dim a, inlay_dim b);

/* A partial shape as a working copy: rank -1 is unknown rank. */
typedef struct inlay_shape {
    int rank;
    inlay_dim dim[INLAY_MAX_RANK];
} inlay_shape;

INLAY_API bool inlay_shape_is_static(const inlay_shape *s);
/* A rank and dims that any value of that rank has. */
INLAY_API void inlay_shape_of_rank(inlay_shape *s, int rank);
/* Text as OpenVINO writes a PartialShape, blanks after commas left out: "[2,?,1..8]", "..." for
 * unknown rank. Writes at most SIZE bytes with the NUL; returns BUF. */
INLAY_API char *inlay_shape_text(int rank, const inlay_dim *dims, char *buf, size_t size);
INLAY_API char *inlay_dim_text(inlay_dim d, char *buf, size_t size);
/* Reads one dimension, or a whole shape, in OpenVINO's spelling ("2,?,1..8", optional brackets,
 * "..." unknown rank, "" rank 0). On failure *WHY says what is wrong (a constant string). */
INLAY_API bool inlay_dim_parse(const char *text, size_t len, inlay_dim *out, const char **why);
INLAY_API bool inlay_shape_parse(const char *text, inlay_shape *out, const char **why);

/* window.c: what Slice reads and SliceScatter writes, axis by axis. Unchecked: windows. */

/* Positions begin, begin + step, ... of an axis, count of them, all inside it; step keeps its sign
 * and is never 0, count may be 0. Compare and compose only these: start:stop:step is a file
 * format. A window of a tensor is one of them per axis, in full {0, size, 1}. */
typedef struct inlay_window {
    int64_t begin, count, step;
} inlay_window;

/* start:stop:step (step != 0) on an axis of SIZE elements, clamped as ONNX Slice-13 says, which is
 * not Python where step < 0 and start < -size. */
INLAY_API inlay_window inlay_window_normalise(int64_t start, int64_t stop, int64_t step,
                                              int64_t size);
/* A start:stop:step that normalise turns into W again. SIZE < 0: right for every axis that holds W.
 */
INLAY_API void inlay_window_denormalise(inlay_window w, int64_t size, int64_t *start, int64_t *stop,
                                        int64_t *step);
/* INNER is a window of what OUTER selects: both in one. */
INLAY_API inlay_window inlay_window_compose(inlay_window outer, inlay_window inner);
/* Some position is in both. A tensor's windows meet when they do on every axis. */
INLAY_API bool inlay_window_meets(inlay_window a, inlay_window b);
INLAY_API bool inlay_windows_meet(const inlay_window *a, const inlay_window *b, int rank);
/* Every position of INNER is one of OUTER. */
INLAY_API bool inlay_window_inside(inlay_window inner, inlay_window outer);
/* INNER, which is inside OUTER, as a window of what OUTER selects. */
INLAY_API inlay_window inlay_window_relative(inlay_window inner, inlay_window outer);
/* The same positions in the same order. */
INLAY_API bool inlay_window_equal(inlay_window a, inlay_window b);
INLAY_API bool inlay_windows_equal(const inlay_window *a, const inlay_window *b, int rank);
/* How many elements start:stop:step (step != 0) selects of an axis of SIZE: the smallest interval;
 * SIZE itself, identity included, where it is all of them whatever the size. */
INLAY_API inlay_dim inlay_window_length(int64_t start, int64_t stop, int64_t step, inlay_dim size);

/* The index operands of a Slice or SliceScatter. STEP NULL: all 1; AXES NULL: 0, 1, ... */
typedef struct inlay_slice {
    int n; /* entries of each list */
    const int64_t *start, *stop, *step, *axes;
    const char *step_name, *axes_name; /* how messages call them */
} inlay_slice;

/* Checks the lists for data of RANK dimensions; AXIS[i] is the axis of entry i. On failure WHY says
 * what is wrong: an axis out of range or repeated, more entries than dimensions, a step of 0. */
INLAY_API bool inlay_slice_axes(const inlay_slice *s, int rank, int *axis, char *why, size_t size);
/* The window on data of these DIMS: OUT has room for RANK. */
INLAY_API bool inlay_slice_windows(const inlay_slice *s, int rank, const int64_t *dims,
                                   inlay_window *out, char *why, size_t size);

/* What entry i of a StridedSlice is about, as its masks say. */
typedef struct inlay_strided_entry {
    int axis; /* of data; -1: a new axis of one element, -2: the ellipsis */
    bool shrinks, from_first, to_last; /* the axis goes; begin, end do not count */
} inlay_strided_entry;

/* The N entries of a StridedSlice on data of RANK dimensions. On failure WHY says what is wrong. */
INLAY_API bool inlay_strided_entries(const inlay_node *node, int n, int rank,
                                     inlay_strided_entry *out, char *why, size_t size);

/* tensor.c: element data. A tensor is a window on a reference-counted buffer. */

/* One element of a string tensor. The bytes belong to the tensor's buffer, or to a buffer it keeps
 * alive; a zeroed element is the empty string. */
typedef struct inlay_string {
    const char *bytes;
    size_t length;
} inlay_string;

struct inlay_tensor {
    inlay_type type;
    int rank;
    const int64_t *dims;
    const int64_t *strides; /* in elements, so that packed types have them too; may be negative */
    void *data;             /* the byte where element counting starts; any alignment */
    int64_t offset;         /* index of element [0, 0, ...] from data, in elements */
    inlay_buffer *buffer;   /* keeps data alive */
};

typedef void inlay_release_fn(void *ctx, void *data, size_t size);

/* A zeroed buffer of SIZE bytes, aligned to 64. NULL when out of memory. One reference. */
INLAY_API inlay_buffer *inlay_buffer_new(size_t size);
/* A buffer over DATA that somebody else made; RELEASE (may be NULL) is called when the last
 * reference goes. Being left alone with it does not make DATA anybody's own: see inlay_access. */
INLAY_API inlay_buffer *inlay_buffer_wrap(void *data, size_t size, inlay_release_fn *release,
                                          void *ctx);
/* Who may write a buffer's bytes, when nobody else holds them. */
typedef enum inlay_access {
    INLAY_ACCESS_OWN,   /* whoever holds it: they were allocated for it (inlay_buffer_new) */
    INLAY_ACCESS_GIVEN, /* a run to which a tensor of it is donated (inlay_buffer_wrap) */
    INLAY_ACCESS_NONE   /* nobody: a mapped file, weights */
} inlay_access;
INLAY_API inlay_access inlay_buffer_access(const inlay_buffer *b);
/* For who wraps. To be said before anybody else holds B. */
INLAY_API void inlay_buffer_set_access(inlay_buffer *b, inlay_access access);
INLAY_API inlay_buffer *inlay_buffer_retain(inlay_buffer *b); /* atomic */
INLAY_API void inlay_buffer_release(inlay_buffer *b);         /* NULL is fine */
INLAY_API void *inlay_buffer_data(const inlay_buffer *b);
INLAY_API size_t inlay_buffer_size(const inlay_buffer *b);
/* B keeps OTHER alive as long as it lives: elements of B point into OTHER (strings). */
INLAY_API bool inlay_buffer_keep(inlay_buffer *b, inlay_buffer *other);

/* Number of elements and bytes of a dense tensor; false on overflow or a negative dim. As in numpy,
 * the dims other than 0 must not overflow either, so that the product of any of a tensor's dims
 * fits. Either result pointer may be NULL. */
INLAY_API bool inlay_count_elements(int rank, const int64_t *dims, int64_t *count);
INLAY_API bool inlay_count_bytes(inlay_type type, int rank, const int64_t *dims, size_t *bytes);
/* A dense zeroed tensor; NULL when out of memory, on overflow, or for a refused type. */
INLAY_API inlay_tensor *inlay_tensor_new(inlay_type type, int rank, const int64_t *dims);
/* A dense tensor over DATA inside BUFFER (retained); NULL also when it does not fit there. BUFFER
 * NULL: nobody knows how many bytes DATA has, and nobody keeps them alive. */
INLAY_API inlay_tensor *inlay_tensor_over(inlay_buffer *buffer, void *data, inlay_type type,
                                          int rank, const int64_t *dims);
/* A strided window on T's elements: OFFSET counts elements from T's own first element's index. NULL
 * also when an element of it would lie outside of T's buffer. */
INLAY_API inlay_tensor *inlay_tensor_window(const inlay_tensor *t, int rank, const int64_t *dims,
                                            const int64_t *strides, int64_t offset);
INLAY_API inlay_tensor *inlay_tensor_retain(const inlay_tensor *t); /* atomic */
INLAY_API void inlay_tensor_release(const inlay_tensor *t);         /* NULL is fine */
/* Nobody else holds T, nor another tensor on its buffer. */
INLAY_API bool inlay_tensor_is_sole(const inlay_tensor *t);
INLAY_API int64_t inlay_tensor_count(const inlay_tensor *t); /* elements */
INLAY_API size_t inlay_tensor_bytes(const inlay_tensor *t);  /* when dense */
INLAY_API bool inlay_tensor_is_dense(const inlay_tensor *t);
/* A dense copy with its own buffer. */
INLAY_API inlay_tensor *inlay_tensor_copy(const inlay_tensor *t);
/* Copies SRC's elements over DST's: same type and dims, any strides. Strings keep SRC alive. */
INLAY_API bool inlay_tensor_assign(inlay_tensor *dst, const inlay_tensor *src);
/* The same elements in memory, in the same order. */
INLAY_API bool inlay_tensor_same_place(const inlay_tensor *a, const inlay_tensor *b);
/* Same type, dims and elements, bit for bit (strings by their bytes). What stands in the same place
 * is not read. */
INLAY_API bool inlay_tensor_equal(const inlay_tensor *a, const inlay_tensor *b);
/* Element I in row-major order as an index from data. Unchecked: tensors and indices. */
INLAY_API int64_t inlay_tensor_index(const inlay_tensor *t, int64_t i);
INLAY_API double inlay_tensor_get_f64(const inlay_tensor *t, int64_t i);
INLAY_API int64_t inlay_tensor_get_i64(const inlay_tensor *t, int64_t i);
INLAY_API inlay_string inlay_tensor_get_string(const inlay_tensor *t, int64_t i);
INLAY_API void inlay_tensor_set_f64(inlay_tensor *t, int64_t i, double x);
INLAY_API void inlay_tensor_set_i64(inlay_tensor *t, int64_t i, int64_t x);

/* Copies the bytes into the tensor's buffer's keeping; element I is checked. */
INLAY_API bool inlay_tensor_set_string(inlay_tensor *t, int64_t i, const char *bytes,
                                       size_t length);

/* attr.c: attributes, typed by the op's row */

typedef enum inlay_attr_kind {
    INLAY_ATTR_BOOL,     /* b */
    INLAY_ATTR_INT,      /* i */
    INLAY_ATTR_FLOAT,    /* f */
    INLAY_ATTR_NUMBER,   /* number: exact integer or a double; a boolean is 0 or 1 */
    INLAY_ATTR_STRING,   /* s */
    INLAY_ATTR_ENUM,     /* s, one of the row's allowed names in its canonical spelling */
    INLAY_ATTR_TYPE,     /* type */
    INLAY_ATTR_INTS,     /* ints, n */
    INLAY_ATTR_FLOATS,   /* floats, n */
    INLAY_ATTR_STRINGS,  /* strings, n */
    INLAY_ATTR_TYPES,    /* types, n */
    INLAY_ATTR_SHAPE,    /* shape: a partial shape */
    INLAY_ATTR_TENSOR,   /* tensor: the value of a Const */
    INLAY_ATTR_VARIABLE, /* variable */
} inlay_attr_kind;

typedef struct inlay_attr {
    bool set; /* given, not defaulted */
    int n;    /* length of a list */
    union {
        bool b;
        int64_t i;
        double f;
        struct {
            double f;
            int64_t i;
            bool integral;
        } number;
        const char *s;
        inlay_type type;
        const int64_t *ints;
        const double *floats;
        const char *const *strings;
        const inlay_type *types;
        const inlay_shape *shape;
        const inlay_tensor *tensor;
        inlay_variable *variable;
    } as;
} inlay_attr;

typedef struct inlay_attr_info {
    const char *name;
    inlay_attr_kind kind;
    bool required;              /* an error when absent */
    bool has_default;           /* dflt holds when absent */
    inlay_attr dflt;            /* kind BOOL, INT, FLOAT, STRING, ENUM, TYPE, INTS only */
    const char *const *allowed; /* ENUM: the names, NULL at the end */
} inlay_attr_info;

/* ops/op.c: the table of operations, compiled from ops/ops.def */

/* Which element types an operand may have: a bit per inlay_type. */
typedef uint32_t inlay_type_set;

typedef struct inlay_operand_info {
    const char *name;
    inlay_type_set types;   /* allowed ones */
    int var;                /* operands with the same var >= 0 have the same type; -1: free */
    const char *constraint; /* how the row names the set: "num", "i32|i64" */
    bool optional;
    inlay_role role; /* one that no other input and no attribute of the row has, or none */
} inlay_operand_info;

enum inlay_op_flags {
    INLAY_STRIDED = 1,     /* the kernel reads strided operands */
    INLAY_COMMUTES = 2,    /* two operands may change places */
    INLAY_POINTWISE = 4,   /* output element p needs the operands only at p (numpy broadcasting) */
    INLAY_SINK = 8,        /* has an effect, is a root: Assign */
    INLAY_VIEW = 16,       /* output 0 holds elements of input 0 in place: may be a view of it */
    INLAY_EFFECT = 32,     /* may not be folded, merged or repeated */
    INLAY_STAND_IN = 64,   /* an operation the table does not have (--allow-unknown) */
    INLAY_HAS_BODY = 128,  /* If, Loop, TensorIterator */
    INLAY_SCATTER = 256,   /* output 0 is input `overwrites` with some elements replaced */
    INLAY_MOVES = 512,     /* nothing but elements of operands in new places; views are that too */
    INLAY_COUNTS = 2048,   /* the size of an output depends on data, and the kernel counts it */
    INLAY_ADOPTS = 4096,   /* outputs are tensors that are there: operands, or what the run holds */
    INLAY_RESHAPES = 8192, /* output 0 holds all elements of input 0 in their order */
    INLAY_CUTS = 16384,    /* each output is a window of input 0, of the same rank */
    INLAY_CONVERTS = 32768,  /* output 0 holds the elements of input 0 as those of another type */
    INLAY_SHAPE_ONLY = 65536 /* no element of the operand is read, but its sizes are */
};

struct inlay_op {
    const char *name;    /* "SliceScatter", as it is written */
    inlay_op_kind kind;  /* INLAY_OP_SLICE_SCATTER: one per type name, whatever the version */
    int version;         /* of the specification: 15 */
    const char *family;  /* "scatter": the file of its row, its shape rule and its kernel */
    const char *set;     /* "opset", "onnx", "tensorflow", "mindspore" */
    int first, last;     /* opsets of the set that contain it; 0, 0 for sets without numbers */
    const char *written; /* what a writer puts when the node has no opset of its own */
    const inlay_operand_info *in;
    int n_in, min_in; /* rows of in; the last one repeats when variadic_in */
    bool variadic_in;
    const inlay_operand_info *out;
    int n_out; /* -1: as many as attribute count_attr says, or as input count_in has elements, or
                  (neither) as the node has */
    const char *count_attr;
    int count_in;          /* -1: none */
    const char *type_attr; /* output 0's type is this attribute's, or NULL */
    const inlay_attr_info *attrs;
    int n_attrs;
    const signed char *in_of, *attr_of; /* by role; NULL: none has one. See inlay_op_operand */
    int overwrites;                     /* the input whose storage output 0 may take, -1: none */
    int faults; /* the input that the kernel may refuse for its data, where those are integers that
                 * are not positive; -1: none */
    unsigned flags; /* inlay_op_flags */
    bool (*infer)(inlay_infer *cx);
    int row; /* position in ops.def: index of the kernel table */
};

INLAY_API size_t inlay_op_count(void);
INLAY_API const inlay_op *inlay_op_at(size_t i);
/* The row for TYPE (any letter case) in VERSION ("opset8", "onnx13", "tensorflow"); VERSION NULL
 * or "" means the newest OpenVINO version, else the only dialect that has it. On failure NULL and
 * an error at POS that says whether the version, the type, or the pair is unknown. */
INLAY_API const inlay_op *inlay_op_find(const char *type, const char *version, inlay_diags *d,
                                        const inlay_pos *pos);
/* A row for TYPE of VERSION, which the table does not have, in G's arena (flag INLAY_STAND_IN; the
 * attributes of such a node are node->extra, its types and shapes what inlay_value_set_fact says).
 */
INLAY_API const inlay_op *inlay_op_stand_in(inlay_graph *g, const char *type, const char *version,
                                            inlay_diags *d);
/* The row of OpenVINO's specification TYPE-VERSION (exact spelling), or NULL. */
INLAY_API const inlay_op *inlay_op_of_spec(const char *type, int version);
/* The rows for TYPE (any letter case), of whatever version and set, as many as there is ROOM for;
 * how many there are. */
INLAY_API size_t inlay_op_of_type(const char *type, const inlay_op **rows, size_t room);
/* "SliceScatter-15" */
INLAY_API char *inlay_op_text(const inlay_op *op, char *buf, size_t size);
/* Index in op->attrs, or -1. */
INLAY_API int inlay_op_attr(const inlay_op *op, const char *name);
/* Index of the input, or of the attribute, that has ROLE, or -1. */
INLAY_API int inlay_op_operand(const inlay_op *op, inlay_role role);
INLAY_API int inlay_op_role_attr(const inlay_op *op, inlay_role role);

/* graph.c, node.c: graphs, nodes, values */

/* What is known about a value. dims has rank entries. known: the elements of a small integer
 * tensor in row-major order, each an interval; NULL when nothing is known of them. */
typedef struct inlay_fact {
    inlay_type type;
    int rank; /* -1: unknown */
    const inlay_dim *dims;
    const inlay_dim *known;
    int n_known;
    const inlay_tensor *content; /* the whole tensor: a Const, or an exact operand at run time */
} inlay_fact;

/* fact.c. The sizes as numbers when all are known: DIMS has room for INLAY_MAX_RANK. */
INLAY_API bool inlay_fact_dims(const inlay_fact *f, int64_t *dims);
/* The bytes of a dense tensor, when type and sizes are known and fit the address space. */
INLAY_API bool inlay_fact_bytes(const inlay_fact *f, size_t *bytes);
/* Some dim is 0 in every run: there are no elements. */
INLAY_API bool inlay_fact_is_empty(const inlay_fact *f);
/* Every dim proven equal; false when a rank is not known. */
INLAY_API bool inlay_fact_same_shape(const inlay_fact *a, const inlay_fact *b);

/* A use of a value: input `index` of `node`. A value's uses form a list. */
typedef struct inlay_use {
    inlay_value *value; /* NULL: an absent optional input */
    inlay_node *node;
    int index;
    struct inlay_use *next, **link;
} inlay_use;

typedef enum inlay_note_kind {
    INLAY_FRESH,      /* its own buffer */
    INLAY_VIEW_OF,    /* a strided window on the target's buffer */
    INLAY_OVERWRITES, /* written over the target's buffer */
    INLAY_INTO        /* computed straight into a window of the target's buffer */
} inlay_note_kind;

struct inlay_value {
    inlay_fact fact;
    inlay_node *node; /* who makes it */
    int index;        /* which output */
    inlay_use *uses;
    int n_results;            /* how many of its uses are Results */
    const char *const *names; /* tensor names, sorted by bytes, a set */
    int n_names;
    struct inlay_meta *rt_info; /* of the port, or NULL */
    inlay_note_kind note;
    inlay_value *note_target;
};

/* A tree of strings: rt_info and meta_data as they stand in a file. A node is an element with
 * attributes and children. */
typedef struct inlay_meta {
    const char *tag;
    const char *text;         /* character data, or NULL */
    const char *const *attrs; /* name, value, name, value */
    int n_attrs;              /* pairs */
    struct inlay_meta *child, *next;
} inlay_meta;

/* One entry of a port map (parser/openvino/README.md 6), resolved to positions. */
typedef struct inlay_port {
    int outer; /* index of the node's input or output; -1: not connected */
    int inner; /* index among the body's params or results */
    bool has_axis;
    int64_t axis, start, end, stride, part_size;
    enum { INLAY_PORT_PLAIN, INLAY_PORT_ITERATION, INLAY_PORT_CONDITION } purpose;
} inlay_port;

typedef struct inlay_back_edge {
    int from; /* index among the body's results */
    int to;   /* index among its params */
} inlay_back_edge;

typedef struct inlay_body {
    const char *role; /* "body", "then_body", "else_body" */
    inlay_graph *graph;
    inlay_port *in, *out;
    int n_in, n_out;
    inlay_back_edge *back;
    int n_back;
} inlay_body;

struct inlay_variable {
    const char *name;
    inlay_type type; /* INLAY_DYNAMIC: unknown */
    int rank;
    const inlay_dim *dims;
    int index; /* in the graph's list */
};

struct inlay_node {
    const inlay_op *op;
    inlay_graph *graph;
    const char *name;  /* unique in its graph; never NULL */
    const char *label; /* the name its file gave it, when that was not unique; else NULL */
    const char *opset; /* the version its file wrote, interned: "opset8"; NULL: op->written */
    inlay_attr *attrs; /* parallel to op->attrs */
    inlay_use *in;     /* n_in uses */
    inlay_value *out;  /* n_out values */
    int n_in, n_out;
    inlay_body *bodies;
    int n_bodies;
    inlay_meta *rt_info;      /* list of elements, or NULL */
    inlay_meta *extra;        /* attributes of a stand-in, as (name, value) of one element */
    const char *result_names; /* unused but for Result: output_names as written, or NULL */
    uint32_t id;              /* dense per graph, grows with creation */
    unsigned line;            /* in graph->file */
    int64_t place;            /* layer id, index in "nodes", ...; -1: none */
    inlay_node *prev, *next;  /* document order */
};

/* before must have run when after starts, beyond what data flow says. */
typedef struct inlay_order_edge {
    inlay_node *before, *after;
} inlay_order_edge;

struct inlay_graph {
    inlay_arena *arena; /* shared by a graph and its bodies */
    const char *name;
    inlay_node *owner; /* the node whose body this is, or NULL */
    inlay_node *first, *last;
    size_t n_nodes;
    inlay_node **params, **results; /* document order */
    int n_params, n_results;
    inlay_variable **variables;
    int n_variables;
    inlay_meta *meta;       /* net-level elements: rt_info, meta_data, ... */
    const char *file;       /* where it was read from, or NULL */
    const char *place_word; /* how messages call a place: "layer", "nodes" */
    int ir_version;         /* 10 or 11 as the file said, 0: not from an IR file */
    uint32_t next_id;       /* above every node id */
    uint32_t next_dim_id;
    inlay_order_edge *order_edges;
    size_t n_order_edges;
    bool has_notes;
    struct inlay_work *work; /* steps made so far, shared with its bodies: ir/base/work.h */
    struct inlay_graph_private *priv;
};

INLAY_API inlay_graph *inlay_graph_new(const char *name, inlay_diags *d);
/* Frees the graph, its bodies and its arena, releases its tensors. NULL is fine. */
INLAY_API void inlay_graph_free(inlay_graph *g);
/* An empty graph that will be a body of NODE; shares NODE's arena and goes with it. */
INLAY_API inlay_graph *inlay_graph_new_body(inlay_node *node, const char *name, inlay_diags *d);
/* Makes room for N bodies in NODE, whose operation must have bodies; the caller fills them. Until
 * then the graph is not complete, and what follows port maps refuses it. */
INLAY_API bool inlay_node_set_bodies(inlay_node *node, int n, inlay_diags *d);
INLAY_API int inlay_graph_depth(const inlay_graph *g); /* 0 for an outermost graph */
/* An equal graph of its own (notes and order edges included). */
INLAY_API inlay_graph *inlay_graph_clone(const inlay_graph *g, inlay_diags *d);

/* A new node at the end of the document order with N_IN empty inputs and N_OUT outputs of unknown
 * type and shape. NAME NULL or already taken: made unique ("_2"), the label keeps what was asked
 * for. Parameter and Result nodes join params and results in order of creation. */
INLAY_API inlay_node *inlay_node_new(inlay_graph *g, const inlay_op *op, const char *name, int n_in,
                                     int n_out, inlay_diags *d);
/* The node called NAME, or NULL. */
INLAY_API inlay_node *inlay_graph_node(const inlay_graph *g, const char *name);
/* Calls N differently; made unique as in inlay_node_new. */
INLAY_API bool inlay_node_rename(inlay_node *n, const char *name, inlay_diags *d);
/* The same value, or constants of the same type, shape and bytes. NULL is only NULL's same. */
INLAY_API bool inlay_value_same(const inlay_value *a, const inlay_value *b);
/* A Result reads it: it is an output of its graph. */
INLAY_API bool inlay_value_is_output(const inlay_value *v);
/* The opset its file wrote ("opset8"); kept and written back. */
INLAY_API bool inlay_node_set_opset(inlay_node *n, const char *opset, inlay_diags *d);
/* Connects input I; VALUE must be of the same graph, or NULL for absent. */
INLAY_API bool inlay_node_set_input(inlay_node *n, int i, inlay_value *value, inlay_diags *d);
/* Appends K empty outputs; for nodes whose count is only known later. No output may be in use. */
INLAY_API bool inlay_node_set_n_out(inlay_node *n, int n_out, inlay_diags *d);
/* Takes a node out of its graph. Its outputs must be unused, which is an error otherwise. */
INLAY_API bool inlay_node_remove(inlay_node *n, inlay_diags *d);
/* Every use of OLD becomes a use of BY; OLD's tensor names go along when a Result used it. */
INLAY_API bool inlay_value_replace(inlay_value *old, inlay_value *by, inlay_diags *d);
INLAY_API bool inlay_value_set_names(inlay_value *v, const char *const *names, int n,
                                     inlay_diags *d);
/* V keeps its tensor names and gets one more, or N at once; those it has already count once. */
INLAY_API bool inlay_value_add_name(inlay_value *v, const char *name, inlay_diags *d);
INLAY_API bool inlay_value_add_names(inlay_value *v, const char *const *names, int n,
                                     inlay_diags *d);
/* Says what is known of V, for values whose op has no rule (stand-ins); dims are copied. */
INLAY_API bool inlay_value_set_fact(inlay_value *v, inlay_type type, int rank,
                                    const inlay_dim *dims, inlay_diags *d);
static inline inlay_value *inlay_node_input(const inlay_node *n, int i)
{
    return i >= 0 && i < n->n_in ? n->in[i].value : NULL;
}
/* The input that has ROLE; NULL when none has, or it is absent. */
static inline inlay_value *inlay_node_operand(const inlay_node *n, inlay_role role)
{
    return inlay_node_input(n, inlay_op_operand(n->op, role));
}
/* What V is among the outputs of its node. */
static inline inlay_role inlay_value_role(const inlay_value *v)
{
    const inlay_op *op = v->node->op;

    return op->out[v->index < op->n_out ? v->index : 0].role;
}
/* Operand I of those that say which window it is: 0 start, 1 stop, 2 step, 3 axes. */
static inline inlay_value *inlay_node_window(const inlay_node *n, int i)
{
    return inlay_node_operand(n, (inlay_role)(INLAY_ROLE_START + i));
}
/* Which axis, of RANK, the operand `axis` of N names. False: none has that role, or the number is
 * not known or out of range. Unchecked. */
INLAY_API bool inlay_node_axis(const inlay_node *n, int rank, int *axis);
/* What N, a Slice or SliceScatter, selects of data of DIMS, as many as N's data has axes; of DIMS
 * NULL: of its data, whose sizes must be static. OUT has room for INLAY_MAX_RANK windows. False: a
 * number is not known, or the lists are wrong. Unchecked: N is such a node. */
INLAY_API bool inlay_node_windows(const inlay_node *n, const int64_t *dims, inlay_window *out);
/* Slices A and B (Slice or SliceScatter) select the same positions in the same order, of data that
 * has the same shape: their windows are equal, or, where numbers are not known, their operands are
 * the same values. Unchecked: they are such nodes. */
INLAY_API bool inlay_node_windows_same(const inlay_node *a, const inlay_node *b);
static inline bool inlay_node_is(const inlay_node *n, inlay_op_kind kind)
{
    return n->op->kind == kind;
}

/* Finds or makes the variable NAME of the outermost graph that holds G. */
INLAY_API inlay_variable *inlay_graph_variable(inlay_graph *g, const char *name, inlay_diags *d);
/* The variable that N names, if it is of KIND (ReadValue or Assign); else NULL. */
INLAY_API inlay_variable *inlay_variable_of(const inlay_node *n, inlay_op_kind kind);
/* INSIDE has an entry for each variable of the outermost graph that holds G, by its index. Those
 * that are NULL receive a node that reads or assigns the variable in a body below G, however deep,
 * where there is one. */
INLAY_API void inlay_variables_in_bodies(const inlay_graph *g, const inlay_node **inside);
INLAY_API bool inlay_variable_set(inlay_graph *g, inlay_variable *v, inlay_type type, int rank,
                                  const inlay_dim *dims, inlay_diags *d);

/* Attributes. A setter fails when the row has no such attribute or it is of another kind. */
INLAY_API bool inlay_node_set_bool(inlay_node *n, const char *name, bool x, inlay_diags *d);
INLAY_API bool inlay_node_set_int(inlay_node *n, const char *name, int64_t x, inlay_diags *d);
INLAY_API bool inlay_node_set_float(inlay_node *n, const char *name, double x, inlay_diags *d);
/* The scalar of MindSpore's scatter_: I holds it when it is INTEGRAL, F otherwise; the other one is
 * not looked at. */
INLAY_API bool inlay_node_set_number(inlay_node *n, const char *name, bool integral, int64_t i,
                                     double f, inlay_diags *d);
INLAY_API bool inlay_node_set_string(inlay_node *n, const char *name, const char *x,
                                     inlay_diags *d); /* STRING, ENUM (any case), VARIABLE */
INLAY_API bool inlay_node_set_type(inlay_node *n, const char *name, inlay_type x, inlay_diags *d);
INLAY_API bool inlay_node_set_ints(inlay_node *n, const char *name, const int64_t *x, int count,
                                   inlay_diags *d);
INLAY_API bool inlay_node_set_floats(inlay_node *n, const char *name, const double *x, int count,
                                     inlay_diags *d);
INLAY_API bool inlay_node_set_strings(inlay_node *n, const char *name, const char *const *x,
                                      int count, inlay_diags *d);
INLAY_API bool inlay_node_set_types(inlay_node *n, const char *name, const inlay_type *x, int count,
                                    inlay_diags *d);
INLAY_API bool inlay_node_set_shape(inlay_node *n, const char *name, const inlay_shape *x,
                                    inlay_diags *d);
INLAY_API bool inlay_node_set_tensor(inlay_node *n, const char *name, const inlay_tensor *x,
                                     inlay_diags *d); /* retained */
/* The value that another node has for an attribute of the same kind; lists are copied. */
INLAY_API bool inlay_node_set_attr(inlay_node *n, const char *name, const inlay_attr *x,
                                   inlay_diags *d);
/* An attribute as text, in the spelling of OpenVINO's XML (parser/openvino/README.md 3.2); messages
 * name what was found and what was expected. */
INLAY_API bool inlay_node_set_attr_text(inlay_node *n, int attr, const char *text, inlay_diags *d);
/* true, false, 1 or 0 in any letter case; false when TEXT is none of them. */
INLAY_API bool inlay_bool_parse(const char *text, bool *out);
/* The value in force: given, else the row's default, else NULL. */
INLAY_API const inlay_attr *inlay_node_attr(const inlay_node *n, const char *name);
/* The same, unwrapped; what is absent without a default reads as false, 0, NULL. */
INLAY_API bool inlay_node_bool(const inlay_node *n, const char *name);
INLAY_API int64_t inlay_node_int(const inlay_node *n, const char *name);
INLAY_API double inlay_node_float(const inlay_node *n, const char *name);
INLAY_API const char *inlay_node_string(const inlay_node *n, const char *name);
INLAY_API inlay_type inlay_node_type(const inlay_node *n, const char *name);
INLAY_API const int64_t *inlay_node_ints(const inlay_node *n, const char *name, int *count);

/* Short cuts for programs that build graphs (and for passes). Each makes one checked, inferred
 * node; NULL and an error otherwise, and the graph has the nodes it had before. */
INLAY_API inlay_value *inlay_build_parameter(inlay_graph *g, const char *name, inlay_type type,
                                             const inlay_shape *shape, inlay_diags *d);
INLAY_API inlay_value *inlay_build_const(inlay_graph *g, const char *name, const inlay_tensor *t,
                                         inlay_diags *d);
INLAY_API inlay_value *inlay_build_ints(inlay_graph *g, const char *name, inlay_type type, int rank,
                                        const int64_t *dims, const int64_t *elements,
                                        inlay_diags *d);
INLAY_API inlay_node *inlay_build_result(inlay_graph *g, inlay_value *v, const char *name,
                                         inlay_diags *d);
/* How many outputs N must have by its row, its attributes and its known inputs; -1: not known. */
INLAY_API int inlay_node_n_out(const inlay_node *n);
/* ATTRS: "axis=1; mode=same_upper" (XML spellings, separated by semicolons) or NULL. */
INLAY_API inlay_node *inlay_build(inlay_graph *g, const char *type, const char *version,
                                  const char *name, inlay_value *const *inputs, int n_in,
                                  const char *attrs, inlay_diags *d);

/* body.c: port maps of If, Loop and TensorIterator. */

/* The bodies a node must have, their port maps in range and complete, back edges with an initial
 * value. Who follows a port map calls this first. */
INLAY_API bool inlay_check_bodies(const inlay_node *n, inlay_diags *d);
/* Where a sliced port cuts an axis of SIZE: part i is port->part_size elements from *FIRST +
 * i * port->stride. Start and end count from the end when negative and are both inside the parts.
 * False when they do not lie on the axis, or the stride leads away from the end. */
INLAY_API bool inlay_port_parts(const inlay_port *port, int64_t size, int64_t *first,
                                int64_t *count);

/* Notes and order edges (storage is a note on a pure graph: design, "Value semantics"). Every
 * structural edit drops them in its graph and in the graphs around it. */
INLAY_API bool inlay_value_set_note(inlay_value *v, inlay_note_kind kind, inlay_value *target,
                                    inlay_diags *d);
INLAY_API bool inlay_graph_add_order_edge(inlay_graph *g, inlay_node *before, inlay_node *after,
                                          inlay_diags *d);
INLAY_API void inlay_graph_drop_notes(inlay_graph *g);
INLAY_API const char *inlay_note_text(inlay_note_kind kind); /* "fresh", "view of", ... */

/* Metadata trees in the graph's arena. */
INLAY_API inlay_meta *inlay_meta_new(inlay_graph *g, const char *tag, inlay_diags *d);
INLAY_API bool inlay_meta_set(inlay_graph *g, inlay_meta *m, const char *name, const char *value,
                              inlay_diags *d);
INLAY_API void inlay_meta_append(inlay_meta **list, inlay_meta *m);

/* order.c: the one canonical order */

typedef struct inlay_order_list {
    inlay_node **nodes;
    size_t n;
} inlay_order_list;

/* Parameters first, then depth first from Results and sinks in document order (operands before
 * users, inputs left to right, order edges honoured), then, when ALL, what nothing reaches.
 * Iterative. False and an error that names a node on the cycle when there is one. */
INLAY_API bool inlay_order(const inlay_graph *g, bool all, inlay_order_list *out, inlay_diags *d);
INLAY_API void inlay_order_free(inlay_order_list *o);

/* notes.c: are the storage notes right? Shares no code with the passes that make them. */

/* Judges all notes of G, for a run in exactly this order (and of what it leaves out, what can be
 * said without an order). False and an error that names the note, and mostly who reads what after
 * which write, when one is illegal; *BAD (may be NULL) is then its value, NULL when checking itself
 * failed. Bodies are not looked at. */
INLAY_API bool inlay_check_notes(const inlay_graph *g, const inlay_order_list *order,
                                 const inlay_value **bad, inlay_diags *d);
/* Notes of G and its bodies that are illegal in the order of inlay_order(g, false) become fresh,
 * with a warning each, until the rest is legal. False only when checking itself failed. */
INLAY_API bool inlay_drop_illegal_notes(inlay_graph *g, inlay_diags *d);

/* infer.c: types and shapes */

/* Infers the outputs of one node, or of all nodes in canonical order (bodies included) from what
 * is known now. Unknown stays unknown; a contradiction is an error at the node. That one node is as
 * its row says (inlay_check_node) is taken on trust. */
INLAY_API bool inlay_infer_node(inlay_node *n, inlay_diags *d);
INLAY_API bool inlay_infer_graph(inlay_graph *g, inlay_diags *d);
/* The last step of inlay_infer_graph on an outermost graph, for who inferred node by node. What is
 * known of a variable comes from all its nodes: where a later one says more, G is inferred again.
 * False and an error when they contradict each other, or two of them assign it. */
INLAY_API bool inlay_settle_variables(inlay_graph *g, inlay_diags *d);
/* The same rule on operands given from outside: an executor's exact ones. The node is taken on
 * trust. IN has n->n_in entries (NULL: absent), OUT n->n_out; dims of OUT live in ARENA. */
INLAY_API bool inlay_infer_facts(const inlay_node *n, const inlay_fact *const *in, inlay_fact *out,
                                 inlay_arena *arena, inlay_diags *d);

/* The same for a node with bodies, which are inferred again with these operands; the graph stays as
 * it is. */
INLAY_API bool inlay_infer_bodies(const inlay_node *n, const inlay_fact *const *in, inlay_fact *out,
                                  inlay_arena *arena, inlay_diags *d);

/* infer/normalize.c: which input of a BatchNormInference-1 is the data, by the ranks of inputs 0
 * and 2
 * (-1: not known): 2 in the order of files, 0 in that of the page; -1: not known. */
INLAY_API int inlay_batch_norm_data(int rank_0, int rank_2);

/* verify.c: the structure (ids, uses both ways, acyclic, no use across graphs, arity, attributes,
 * types) and then that inference agrees with what is recorded. */
INLAY_API bool inlay_check_graph(inlay_graph *g, inlay_diags *d);
/* Arity, attributes and operand types of one node against its row. */
INLAY_API bool inlay_check_node(const inlay_node *n, inlay_diags *d);

/* compare.c: are two graphs the same structure (nodes in canonical order, ops, attributes,
 * constants by content, connections, shapes, names of inputs and outputs)? When not, WHY (SIZE
 * bytes, may be NULL) says where. */
INLAY_API bool inlay_graph_equal(const inlay_graph *a, const inlay_graph *b, char *why,
                                 size_t size);

/* element.c: one element as text. Exact: reading what was written gives the same bits. BUF needs 40
 * bytes. Numbers in decimal, "true", "inf", "nan", or the bits: "0x7fc00001". "?" for a
 * string, or a type that no element has. */
INLAY_API char *inlay_element_text(inlay_type type, const void *base, int64_t index, char *buf,
                                   size_t size);
/* False when TEXT is no element of TYPE (or does not fit); then nothing is stored. */
INLAY_API bool inlay_element_parse(inlay_type type, const char *text, void *base, int64_t index);

/* locale.c: text means the same whatever locale the host program has set */

/* From here to inlay_locale_leave this thread's strtod and printf are those of the C locale.
 * Returns what leave wants. */
INLAY_API void *inlay_locale_enter(void);
INLAY_API void inlay_locale_leave(void *host);
/* As strcmp, but without regard to the case of the letters A to Z. */
INLAY_API int inlay_word_compare(const char *a, const char *b);

/* guess.c: what a misspelt word probably means. A word that is missing is like none. */

/* The word, of LENGTH bytes, and the nearest of the known words so far. The rest begins as zero. */
typedef struct inlay_guess {
    const char *word;
    size_t length;
    const char *best; /* NULL: no word is near enough; else as inlay_guess_try was given it */
    size_t distance;  /* letters added, left out, replaced or swapped */
} inlay_guess;

/* KNOWN is a word that could have been meant. */
INLAY_API void inlay_guess_try(inlay_guess *g, const char *known);
/* `, did you mean "info"?` for the end of a message, or "". */
INLAY_API char *inlay_guess_text(const inlay_guess *g, char *buf, size_t size);

/* token.c: the tokens of the text form and of the rule language. Unchecked: lexers that were not
 * started and tokens that they did not make. */

typedef enum inlay_token_kind {
    INLAY_TOKEN_END,
    INLAY_TOKEN_WORD,   /* SliceScatter, then_body, write-back */
    INLAY_TOKEN_NAME,   /* %data, %"any bytes" */
    INLAY_TOKEN_STRING, /* "text" */
    INLAY_TOKEN_NUMBER, /* 12, 1.5e-3, 0x7f: no sign */
    INLAY_TOKEN_PUNCT   /* the longest of ... .. => -> == != <= >= && ||, else one character */
} inlay_token_kind;

typedef struct inlay_token {
    inlay_token_kind kind;
    const char *start; /* in the source */
    size_t length;
    unsigned line;
    bool glued; /* nothing stands between it and the token before */
} inlay_token;

typedef struct inlay_lexer {
    const char *file; /* for messages */
    const char *at, *end;
    unsigned line;
    inlay_token now;
    inlay_diags *diags;
} inlay_lexer;

/* BYTES must outlive the lexer. The first token is read by the first inlay_lexer_next. */
INLAY_API void inlay_lexer_start(inlay_lexer *l, const char *bytes, size_t n, const char *file,
                                 inlay_diags *d);
/* Moves to the next token. False and an error at a byte that begins none. */
INLAY_API bool inlay_lexer_next(inlay_lexer *l);
/* Records "found X, expected EXPECTED" at the current token; always false. */
INLAY_API bool inlay_lexer_fail(inlay_lexer *l, const char *expected);
/* The bytes a STRING or NAME stands for, escapes resolved, replace OUT's; they may hold NULs. */
INLAY_API bool inlay_lexer_string(inlay_lexer *l, inlay_strbuf *out);
/* A WORD or PUNCT with this very text. */
INLAY_API bool inlay_token_is(const inlay_token *t, const char *text);
/* As messages show it: "`foo`", "the end of the text". */
INLAY_API char *inlay_token_text(const inlay_token *t, char *buf, size_t size);
/* S can stand bare as a WORD, or after % as a NAME; else it must be quoted. */
INLAY_API bool inlay_token_is_word(const char *s);
INLAY_API bool inlay_token_is_name(const char *s);

/* Two attributes of one kind hold the same: numbers and tensors bit for bit. NULL: absent. */
INLAY_API bool inlay_attr_equal(inlay_attr_kind kind, const inlay_attr *a, const inlay_attr *b);

/* print.c: the text form (ir/text/TEXT.md) and Graphviz */

/* Receives pieces of text; false stops the writer. */
typedef bool inlay_write_fn(void *ctx, const char *bytes, size_t n);
typedef struct inlay_sink {
    inlay_write_fn *write;
    void *ctx;
} inlay_sink;
/* FULL: constants with all their elements, so that the text can be read back. */
INLAY_API bool inlay_print(const inlay_graph *g, bool full, const inlay_sink *to, inlay_diags *d);
INLAY_API bool inlay_print_dot(const inlay_graph *g, const inlay_sink *to, inlay_diags *d);
/* The names that outputs have for users, by index: the first tensor name, else the producer's name
 * (with `.port` when that has several outputs); made unique among G's results with `_2`. All live
 * in G's arena. NULL and an error when out of memory. */
INLAY_API const char *const *inlay_result_names(const inlay_graph *g, inlay_diags *d);
/* One of them, which costs as much as all. */
INLAY_API const char *inlay_result_name(const inlay_graph *g, int result, inlay_diags *d);

/* evaluator: how constant folding and the prover run nodes without knowing an executor. Filled by
 * interp/, handed over by the caller. Tensors returned are the caller's to release. */
typedef struct inlay_evaluator {
    bool (*eval_node)(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d);
    /* IN: one per Parameter; OUT: one per Result; VARIABLES (may be NULL when there are none): one
     * per variable, replaced by the new state. */
    bool (*eval_graph)(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_tensor **variables, inlay_diags *d);
    void *ctx;
} inlay_evaluator;

/* buf.c: a growing byte buffer, for writers */
struct inlay_strbuf {
    char *bytes; /* NUL-terminated once anything was added */
    size_t n, cap;
    bool failed; /* out of memory happened; the contents are useless */
};
INLAY_API void inlay_strbuf_add(inlay_strbuf *b, const char *bytes, size_t n);
INLAY_API void inlay_strbuf_puts(inlay_strbuf *b, const char *s);
INLAY_API void inlay_strbuf_printf(inlay_strbuf *b, const char *fmt, ...) INLAY_PRINTF(2, 3);
INLAY_API void inlay_strbuf_free(inlay_strbuf *b);
INLAY_API bool inlay_strbuf_sink(void *buf, const char *bytes, size_t n); /* an inlay_write_fn */

#ifdef __cplusplus
}
#endif

#endif
