/* The table of operations: their names, and what their operands and attributes are. inlay_ops.h
 * defines a kind for each operation; include it, or inlay.h, to name one. */
#ifndef INLAY_OP_H
#define INLAY_OP_H

#include "inlay_kinds.h"
#include "ir/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct inlay_op inlay_op;
typedef struct inlay_op_set inlay_op_set;
typedef struct inlay_infer inlay_infer;
typedef struct inlay_call inlay_call;
typedef struct inlay_variable inlay_variable;

/* graph/attr.c: attributes, typed by the row of the operation */

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
    bool has_default;           /* dflt is used when absent */
    inlay_attr dflt;            /* kind BOOL, INT, FLOAT, STRING, ENUM, TYPE, INTS only */
    const char *const *allowed; /* ENUM: the names, NULL at the end */
} inlay_attr_info;

/* ops/op.c: the table of operations, compiled from ops/ops.def */

/* The element types that an operand may have: a bit for each inlay_type. */
typedef uint32_t inlay_type_set;

typedef struct inlay_operand_info {
    const char *name;
    inlay_type_set types;   /* allowed ones */
    int var;                /* operands with the same var >= 0 have the same type; -1: free */
    const char *constraint; /* the set as the row names it: "num", "i32|i64" */
    bool optional;
    inlay_role role; /* unique among inputs and attributes of the row, or none */
} inlay_operand_info;

enum inlay_op_flags {
    INLAY_STRIDED = 1,      /* the kernel accepts strided operands */
    INLAY_COMMUTES = 2,     /* two operands may be exchanged */
    INLAY_POINTWISE = 4,    /* output element p needs the operands only at p (numpy broadcasting) */
    INLAY_SINK = 8,         /* has an effect, and is kept without uses: Assign */
    INLAY_VIEW = 16,        /* output 0 is elements of input 0, unchanged: may be a view */
    INLAY_EFFECT = 32,      /* may not be folded, merged or repeated */
    INLAY_STAND_IN = 64,    /* an operation that is not in the table (--allow-unknown) */
    INLAY_HAS_BODY = 128,   /* If, Loop, TensorIterator */
    INLAY_SCATTER = 256,    /* output 0 is input `overwrites` with some elements replaced */
    INLAY_MOVES = 512,      /* only copies elements of operands; so do views */
    INLAY_BLOCKS = 1024,    /* of floats: the kernel computes everything by call_block */
    INLAY_COUNTS = 2048,    /* the size of an output depends on data; the kernel finds it */
    INLAY_ADOPTS = 4096,    /* outputs are existing tensors: operands, or what the run holds */
    INLAY_RESHAPES = 8192,  /* output 0 holds all elements of input 0 in their order */
    INLAY_CUTS = 16384,     /* each output is a window of input 0, with the same rank */
    INLAY_CONVERTS = 32768, /* output 0 is the elements of input 0, converted */
    INLAY_SHAPE_ONLY = 65536, /* reads the sizes of the operand, but no element */
    INLAY_FILLS = 131072,     /* the kernel writes all elements of its outputs */
    INLAY_REPEATS = 262144,   /* output 0 may contain an element of input 0 several times */
    INLAY_PREPARES = 524288,  /* the kernel touches elements only in the function for call_rest */
    INLAY_HOLDS = 1048576,    /* operands of a list, or else input 0, are windows of output 0
                                  (inlay_node_part) */
    INLAY_ROWS = 2097152,     /* each index selects all of input 0 at one position of its axis */
    INLAY_DISTINCT = 4194304, /* outputs with the role indices (or output 0) repeat no number along
                                  their axis */
    INLAY_FORMS = 8388608,    /* the kernel has row functions for f32, f64, i32, i64, u8 and
                                  boolean, where its row allows these types */
    INLAY_FOLDS = 16777216,   /* combines elements of data along operand axes, which attribute
                                  keep_dims keeps as 1; integers and booleans in any order */
    INLAY_SINGLE = 33554432,  /* applied to one element such an operation gives that element, */
    INLAY_ADDS = 67108864,    /* or that element added to zero: the float -0 becomes 0 */
    INLAY_DEFERRED = 134217728, /* stands in for other nodes until what these depend on is known */
    INLAY_CHOOSES = 268435456   /* each element is that of an operand, as the others say: Select */
};

/* A shape rule (ir/infer.h) and a kernel (interp/kernel.h). */
typedef bool inlay_infer_fn(inlay_infer *cx);
typedef bool inlay_eval_fn(inlay_call *c);

/* A point on which the specification of an operation is silent or undefined, or on which we differ,
 * and what happens here: {"integers: a divisor of zero", "a fault that names the element"}. */
typedef struct inlay_op_difference {
    const char *where, *here;
} inlay_op_difference;

struct inlay_op {
    const char *name;   /* "SliceScatter", as files write it */
    inlay_op_kind kind; /* INLAY_OP_SLICE_SCATTER: one per type name, whatever the version */
    int version;        /* of the specification: 15 */
    const char
        *family;     /* "scatter": names the files of its row, shape rule and kernel; "": added */
    const char *set; /* "opset", "onnx", "onnxml", "tensorflow", "mindspore", "inlay" */
    int first, last; /* the opsets of the set that contain it; 0, 0: the set has no numbers */
    const char *written; /* what writers write if the node has no opset of its own */
    const inlay_operand_info *in;
    int n_in, min_in; /* rows of in; the last one repeats when variadic_in */
    bool variadic_in;
    const inlay_operand_info *out;
    int n_out; /* -1: count_attr gives it (true: one, false: two), or input count_in by its number
                  of elements, or (neither) the node */
    const char *count_attr;
    int count_in;          /* -1: none */
    const char *type_attr; /* output 0's type is this attribute's, or NULL */
    const inlay_attr_info *attrs;
    int n_attrs;
    const signed char *in_of, *attr_of; /* by role; NULL: none has one. See inlay_op_operand */
    int overwrites;                     /* the input whose storage output 0 may take, -1: none */
    int faults; /* an input of integers: the kernel may refuse elements that are not positive; -1:
                   none */
    unsigned flags;        /* inlay_op_flags */
    inlay_infer_fn *infer; /* never NULL */
    inlay_eval_fn *eval;   /* for executors; NULL: it cannot be run */
    int row;               /* its number in the set; -1: a stand-in */
    const char *shapes;    /* of its outputs, in words, or NULL */
    const inlay_op_difference *differences;
    int n_differences;
};

/* ops/set.c: operations that a program adds to the built-in ones. A set of operations never changes
 * once it is made, so threads may share it. It has a reference count: release what you make;
 * graphs, sets of rules and sets that extend it keep a reference. As an argument, NULL means the
 * built-in operations. */

/* A row. The texts are as in ir/ops/ops.def, whose head has the grammar: "opset8..", "mine"; "T:num
 * data, I:int axes"; "T"; "enum mode(a|b)=a, int axis"; "strided pointwise overwrites=0". For
 * attributes and flags NULL means "". The flag blocks is for built-in rows only. Texts are copied.
 */
typedef struct inlay_op_def {
    const char *type; /* as files write it */
    int version;      /* of its specification; 0: it has none */
    const char *opsets, *inputs, *outputs, *attributes, *flags;
    inlay_infer_fn *infer; /* its shape rule */
    inlay_eval_fn *eval;   /* its kernel; NULL: it cannot be run */
    const char *file;      /* source file of the row, for messages, or NULL */
    unsigned line;
} inlay_op_def;

/* Makes a set of BASE's operations and N more. NULL and an error that names a row that is
 * malformed, has no shape rule, or exists already. */
INLAY_API const inlay_op_set *inlay_op_set_new(const inlay_op_set *base, const inlay_op_def *defs,
                                               size_t n, inlay_diags *d);
/* Adds a reference to S. NULL is fine. */
INLAY_API const inlay_op_set *inlay_op_set_retain(const inlay_op_set *s);
INLAY_API void inlay_op_set_release(const inlay_op_set *s);

INLAY_API size_t inlay_op_count(const inlay_op_set *ops);
INLAY_API const inlay_op *inlay_op_at(const inlay_op_set *ops, size_t i);
/* Returns the row for TYPE (any letter case) in VERSION ("opset8", "onnx13", "tensorflow"); VERSION
 * NULL or "" means the newest OpenVINO version, else the only dialect that has it; built-in rows
 * are preferred to added ones. NULL and an error at POS, which says whether the version, the type,
 * or the pair is unknown. */
INLAY_API const inlay_op *inlay_op_find(const inlay_op_set *ops, const char *type,
                                        const char *version, const inlay_pos *pos, inlay_diags *d);
/* "SliceScatter-15" */
INLAY_API char *inlay_op_text(const inlay_op *op, char *buf, size_t size);
/* Returns the index in op->attrs, or -1. */
INLAY_API int inlay_op_attr(const inlay_op *op, const char *name);
/* Returns the index of the input with ROLE, or -1. */
INLAY_API int inlay_op_operand(const inlay_op *op, inlay_role role);

#ifdef __cplusplus
}
#endif

#endif
