/* What the import functions of operators use. Each family of operators is a file in import/, with a
 * table of its operators:
 *
 *     const onnx_operator onnx_operators_reduce[] = {
 *         {"ReduceMean", 18, reduce_by_operand, "ReduceMean", 1},
 *         {"ReduceMean", 1, reduce_by_attribute, "ReduceMean", 1},
 *         {NULL, 0, NULL, NULL, 0},
 *     };
 *
 * An entry is for the version that it names and all later ones, up to the next entry of that name.
 * The function makes nodes that compute what the operator's document says, and sets the outputs:
 *
 *     static bool import_gemm(onnx_node *n)
 *     {
 *         inlay_value *product = onnx_make(n, "MatMul", 2, (inlay_value *[]){n->in[0], n->in[1]},
 *                                          ATTRS(FLAG("transpose_a", a)));
 *
 *         return onnx_give(n, 0, product);
 *     }
 *
 * onnx_unary and onnx_binary return NULL for a NULL operand, which means that an error was
 * recorded: only the last of several results needs a check. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_IMPORT_H
#define INLAY_PARSER_ONNX_IMPORT_H

#include "parser/onnx/onnx.h"

enum { ONNX_MAX_OUTPUTS = 64 };

/* A fact that an import asked for and that is unknown. */
typedef struct onnx_asked {
    inlay_asked asked;
    const inlay_value *of; /* about this value */
} onnx_asked;

typedef struct onnx_node {
    onnx_scope *s;
    const Onnx__NodeProto *proto;
    const struct onnx_operator *op; /* the operator that is imported */
    const char *name;       /* the name of the node, else of its first output; "": both have none */
    inlay_node *first_made; /* the first node that onnx_make made for it, which has its name; NULL:
                               none yet */
    onnx_place at;
    int version;      /* of the operator set that the model imports for the node's domain */
    inlay_value **in; /* N_IN operands, NULL: absent (an empty name, or left out at the end) */
    int n_in;
    inlay_value **out; /* N_OUT outputs, to be set by onnx_give */
    int n_out;
    bool *seen; /* for each attribute of PROTO: has the import asked for it? */
    onnx_asked *asked;
    inlay_diags *d;
    inlay_value *few[8]; /* storage for IN and OUT, and for SEEN, unless the node is large */
    bool few_seen[8];
} onnx_node;

typedef struct onnx_operator {
    const char *name; /* the name of the operator, with its domain and a dot in front unless that is
                         ai.onnx */
    int since;
    bool (*import)(onnx_node *n);
    const char *as; /* the OpenVINO operation, for functions that import several operators alike;
                       else NULL */
    int needs;      /* the first NEEDS operands are required; -1: none is */
} onnx_operator;

/* Returns the operator NAME in VERSION of the set DOMAIN ("": ai.onnx); NULL: there is none. */
const onnx_operator *onnx_operator_find(const char *domain, const char *name, int64_t version);

/* Why the operator NAME of the set DOMAIN is not read; NULL: nothing is known of it. */
const char *onnx_operator_refused(const char *domain, const char *name);

/* Tries the names of the set DOMAIN as what a misspelt operator means. */
void onnx_operator_guess(const char *domain, inlay_guess *g);

/* Inlines the model's function that N calls. Sets *IS_CALL to whether N calls one. */
bool onnx_call(onnx_node *n, bool *is_call);

/* Records an error at the node, unless the import has asked for an unknown fact; always false. */
bool onnx_node_fail(const onnx_node *n, const char *fmt, ...) INLAY_PRINTF(2, 3);

/* Returns operand I; NULL: it is absent. */
static inline inlay_value *onnx_in(const onnx_node *n, int i)
{
    return i < n->n_in ? n->in[i] : NULL;
}
/* Is output I used (does it have a name)? */
static inline bool onnx_wants(const onnx_node *n, int i)
{
    return i < n->n_out && *n->proto->output[i];
}

/* An attribute for a node that is made. */
typedef struct onnx_given {
    const char *name;
    inlay_attr_kind kind;
    inlay_attr value;
} onnx_given;

/* A list of attributes, which ends where a name is NULL: ATTRS(INT("axis", 1), WORD("mode", mode)).
 * A word or a list that is NULL is left out. */
#define ATTRS(...) ((const onnx_given[]){__VA_ARGS__, {.name = NULL}})
#define GIVEN(name, kind, ...) ((onnx_given){name, INLAY_ATTR_##kind, {__VA_ARGS__}})
#define FLAG(name, x) GIVEN(name, BOOL, .set = true, .as.b = x)
#define INT(name, x) GIVEN(name, INT, .set = true, .as.i = x)
#define REAL(name, x) GIVEN(name, FLOAT, .set = true, .as.f = x)
#define TYPE(name, x) GIVEN(name, TYPE, .set = true, .as.type = x)
#define WORD(name, x) GIVEN(name, STRING, .as.s = x)
#define TENSOR(name, x) GIVEN(name, TENSOR, .as.tensor = x)
#define INTS(name, x, count) GIVEN(name, INTS, .n = count, .as.ints = x)
#define REALS(name, x, count) GIVEN(name, FLOATS, .n = count, .as.floats = x)
#define WORDS(name, x, count) GIVEN(name, STRINGS, .n = count, .as.strings = x)

/* Makes a node of the newest version of OpenVINO's TYPE ("Slice"; with a version: "Gather@opset8")
 * with these operands (NULL: absent) and attributes (NULL: none). Returns the only output of the
 * node; NULL: an error was recorded, now or before, where an operand that it must have is NULL. */
inlay_value *onnx_make(onnx_node *n, const char *type, int n_in, inlay_value *const *in,
                       const onnx_given *attrs);
/* The same for a node of several outputs; returns the node. */
inlay_node *onnx_make_node(onnx_node *n, const char *type, int n_in, inlay_value *const *in,
                           const onnx_given *attrs);
/* Ends an attempt to make a node of ours, whose messages went to `said` of the reader: where it was
 * not OK they become one error of N. Returns OK. */
bool onnx_made(onnx_node *n, bool ok);
/* Imports an operator that is exactly OpenVINO's op->as, with the same operands and no attributes.
 */
bool onnx_same(onnx_node *n);
/* Shorthands for nodes of one and two operands without attributes; a NULL operand gives NULL. */
inlay_value *onnx_unary(onnx_node *n, const char *type, inlay_value *x);
inlay_value *onnx_binary(onnx_node *n, const char *type, inlay_value *a, inlay_value *b);

/* Constants: a list of i64, a scalar of i64, a scalar of TYPE. */
inlay_value *onnx_list(onnx_node *n, const int64_t *x, int count);
inlay_value *onnx_integer(onnx_node *n, int64_t x);
inlay_value *onnx_number(onnx_node *n, inlay_type type, double x);
/* Returns the axes [FIRST, LAST) as a constant list. */
inlay_value *onnx_axes(onnx_node *n, int first, int last);
/* Returns T as a constant. */
inlay_value *onnx_constant(onnx_node *n, const inlay_tensor *t);

/* control.c: lists outer values that G, a body of N, captures, by name; in scratch memory. */
bool onnx_captured(onnx_node *n, const Onnx__GraphProto *g, const char *const **names, int *count);

/* Sets output I to V. False: V is NULL, so an error was recorded before. */
bool onnx_give(onnx_node *n, int i, inlay_value *v);

/* Attributes. An import must ask for every attribute that its operator has, or call
 * onnx_attr_ignore for one that has no effect: an attribute that it never asked for is an error,
 * because it could change the result. An absent attribute gives ABSENT. An attribute of the wrong
 * type is an error, which sets *OK to false; *OK is otherwise left as it is. */
const Onnx__AttributeProto *onnx_attr(const onnx_node *n, const char *name);
/* Returns A, an attribute of a node of S, or what it refers to if it is inside a function; NULL:
 * the call leaves that out. */
const Onnx__AttributeProto *onnx_attr_meant(const onnx_scope *s, const Onnx__AttributeProto *a);
/* Declares that attribute NAME has no effect here: a hint, or for training only. */
void onnx_attr_ignore(const onnx_node *n, const char *name);
/* Checks that no attribute of N is given twice, and that the import has asked for all. */
bool onnx_attrs_done(const onnx_node *n);
int64_t onnx_attr_int(onnx_node *n, const char *name, int64_t absent, bool *ok);
/* Fails if NAME, an integer, is not USUAL, which it is where it is absent. */
bool onnx_attr_usual(onnx_node *n, const char *name, int64_t usual);
double onnx_attr_float(onnx_node *n, const char *name, double absent, bool *ok);
/* Sets *OUT to the element type of attribute NAME, a TensorProto.DataType like ABSENT. The code 0
 * means no type: *OUT is left as it is if ABSENT is 0, else it is an error. */
bool onnx_attr_type(onnx_node *n, const char *name, int32_t absent, inlay_type *out);
/* The string lives as long as the reader. */
const char *onnx_attr_string(onnx_node *n, const char *name, const char *absent, bool *ok);
/* Returns the attribute, one of the WORDS, which blanks separate; else *OK becomes false. */
const char *onnx_attr_word(onnx_node *n, const char *name, const char *absent, const char *words,
                           bool *ok);
/* These return NULL and set *COUNT to 0 if the attribute is absent. */
const int64_t *onnx_attr_ints(onnx_node *n, const char *name, int *count, bool *ok);
const float *onnx_attr_floats(onnx_node *n, const char *name, int *count, bool *ok);
/* Writes the strings, at most MAX, to OUT and returns their number; they live like the reader. */
int onnx_attr_strings(onnx_node *n, const char *name, char **out, int max, bool *ok);
/* Returns a list of strings as a tensor to be released; NULL: absent, or *OK is false. */
inlay_tensor *onnx_attr_text(onnx_node *n, const char *name, bool *ok);
/* The caller releases it; NULL: absent, or *OK is false. */
inlay_tensor *onnx_attr_tensor(onnx_node *n, const char *name, bool *ok);
inlay_tensor *onnx_attr_sparse(onnx_node *n, const char *name, bool *ok);
const Onnx__GraphProto *onnx_attr_graph(onnx_node *n, const char *name, bool *ok);

/* shape.c: reshapes X to the list SHAPE; a NULL operand gives NULL. */
inlay_value *onnx_reshape(onnx_node *n, inlay_value *x, inlay_value *shape);
/* shape.c: flattens X to one axis; a NULL operand gives NULL. */
inlay_value *onnx_flat(onnx_node *n, inlay_value *x);
/* shape.c: reshapes LIST, which has one axis, so that it is broadcast along AXIS of a value of RANK
 * axes: [C] along axis 1 of [N, C, H, W] is [1, C, 1, 1]. A NULL list gives NULL. */
inlay_value *onnx_along_axis(onnx_node *n, inlay_value *list, int axis, int rank);

/* picture.c: decodes BYTES, a file of a picture, as u8[height, width, CHANNELS], 1 or 3; where they
 * are broken or no picture, u8[0, 0, CHANNELS]. The caller releases it. NULL and an error: this
 * build does not read the format. */
inlay_tensor *onnx_picture(onnx_node *n, const inlay_tensor *bytes, int channels);

/* demand.c: checks of operand shapes that the nodes of an import would not make by themselves
 * because they broadcast. These return false or NULL and record an error if operand I is known not
 * to fit; an absent operand fits, and an unknown shape is no error. */

/* Does operand I have LOW to HIGH axes; this shape; the form of a list of COUNT numbers? */
bool onnx_has_rank(onnx_node *n, int i, int low, int high);
bool onnx_has_shape(onnx_node *n, int i, const inlay_shape *s);
bool onnx_has_count(onnx_node *n, int i, inlay_dim count);
/* Returns the size of AXIS of operand I, "any" if there is none; the shape of V. */
inlay_dim onnx_dim(const onnx_node *n, int i, int axis);
inlay_shape onnx_shape(const inlay_value *v);
/* Is V known to be a scalar or a list of one number, which ONNX Runtime accepts as one? */
bool onnx_is_one(const inlay_value *v);
/* Returns operand I as a scalar; the run checks that it has one element. NULL without an error: it
 * is absent. */
inlay_value *onnx_one(onnx_node *n, int i);
/* Checks that V, made of operand I, can be broadcast to the shape of TO, which must not grow.
 * Returns V, or a Broadcast that checks open sizes in the run. A NULL operand gives NULL. */
inlay_value *onnx_fit(onnx_node *n, int i, inlay_value *v, inlay_value *to);
/* Returns V, made of operand I, a list with one number for each position along AXIS of TO, reshaped
 * so that it is broadcast along that axis; the run checks open sizes. A NULL operand gives NULL. */
inlay_value *onnx_list_along(onnx_node *n, int i, inlay_value *v, inlay_value *to, int axis);
/* A size that V must have: that of AXIS of OF, or NUMBER if OF is NULL. */
typedef struct onnx_size_of {
    inlay_value *of;
    int axis;
    int64_t number;
} onnx_size_of;
/* Checks that V has RANK axes of these SIZES: returns V if that is known, else a Reshape, which
 * checks it in the run. A NULL operand gives NULL. */
inlay_value *onnx_held(onnx_node *n, inlay_value *v, const onnx_size_of *sizes, int rank);
/* The same with the sizes of TO from axis FIRST on. */
inlay_value *onnx_held_like(onnx_node *n, inlay_value *v, inlay_value *to, int first);
/* Returns operand I, a list of COUNT numbers; the run checks it if that is not known. */
inlay_value *onnx_counted(onnx_node *n, int i, int64_t count);
/* Records an error unless the node has attribute NAME. */
bool onnx_needs_attr(onnx_node *n, const char *name);

/* item_type.c: the type of what items of V hold, as far as it is known; notes at V, a Parameter,
 * that its items hold TYPE. */
inlay_type onnx_content_type(const inlay_value *v);
bool onnx_set_item_type(inlay_value *v, inlay_type type, inlay_diags *d);

/* constant.c: converts X to TYPE as Cast does, with its attributes saturate and round_mode. */
inlay_value *onnx_cast(onnx_node *n, inlay_value *x, inlay_type type);

/* spatial.c: makes the convolution that a Conv's attributes describe, without its bias. NULL and an
 * error; a NULL operand gives NULL. */
inlay_value *onnx_convolve(onnx_node *n, inlay_value *data, inlay_value *filters);

/* shape.c: the product of the sizes of axes [FIRST, LAST) of X, as a list of one; a constant if the
 * sizes are known. */
inlay_value *onnx_sizes(onnx_node *n, inlay_value *x, int first, int last);
/* shape.c: reshapes X, whose rank is known, to two axes: those before AXIS, and the others. */
inlay_value *onnx_flatten(onnx_node *n, inlay_value *x, int axis);

/* parts.c: nodes that imports of several families make. A NULL operand gives NULL. */

/* X, which has one element in whatever shape, as a scalar. */
inlay_value *onnx_scalar(onnx_node *n, inlay_value *x);
/* The same for operations that also accept a list of one, which stays as it is. */
inlay_value *onnx_single(onnx_node *n, inlay_value *x);
/* X converted to another element type. */
inlay_value *onnx_convert(onnx_node *n, inlay_value *x, inlay_type type);
/* The size of AXIS of X, a scalar of i64; the sizes of all axes, a list. */
inlay_value *onnx_size(onnx_node *n, inlay_value *x, int axis);
inlay_value *onnx_shape_of(onnx_node *n, inlay_value *x);
/* The numbers START, START + 1, ... before STOP, scalars of i64. */
inlay_value *onnx_count(onnx_node *n, inlay_value *start, inlay_value *stop);
/* Element I of the list X, a scalar. */
inlay_value *onnx_element(onnx_node *n, inlay_value *x, int i);
/* A tensor of the sizes in the list SHAPE, filled with VALUE. */
inlay_value *onnx_fill(onnx_node *n, inlay_value *value, inlay_value *shape);
/* Elements of X along AXIS at the positions in INDICES. */
inlay_value *onnx_take(onnx_node *n, inlay_value *x, inlay_value *indices, int axis);

/* Facts that an import asks about its operands. If a fact is unknown, the import fails without an
 * error: the nodes that it made are removed, and it is called again when more is known (defer.c).
 * So an import asks for exactly what it depends on; it neither guesses, nor refuses because
 * something is unknown. */

/* Returns the rank of V; -1: it is not known. */
int onnx_rank(onnx_node *n, const inlay_value *v);
/* Returns the type of V; INLAY_DYNAMIC: it is not known. */
inlay_type onnx_type_of(onnx_node *n, const inlay_value *v);
/* Returns the size of AXIS of V, whose rank is known and above AXIS; -1: it is not known. */
int64_t onnx_known_size(onnx_node *n, const inlay_value *v, int axis);
/* Does the model declare axis AXIS of output O to be as long as that of V: the same number or name?
 */
bool onnx_declares_same(const onnx_node *n, int o, const inlay_value *v, int axis);
/* Returns all elements of V, dense, which the caller releases; NULL: they are not known. */
inlay_tensor *onnx_elements(onnx_node *n, inlay_value *v);
/* Declares that output 0 has this TYPE and RANK, whatever the unknown facts turn out to be. */
void onnx_promise(onnx_node *n, inlay_type type, int rank);

/* Returns AXIS, which must be in [-RANK, RANK), as a number in [0, RANK); -1 and an error: it is
 * out of range. */
int onnx_axis(onnx_node *n, int64_t axis, int rank);

#endif
