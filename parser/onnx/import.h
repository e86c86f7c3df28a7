/* What the import of an operator sees. Each family of operators is a file in import/, with a table
 * of its operators:
 *
 *     const onnx_operator onnx_operators_reduce[] = {
 *         {"ReduceMean", 18, reduce_by_operand, "ReduceMean", 1},
 *         {"ReduceMean", 1, reduce_by_attribute, "ReduceMean", 1},
 *         {NULL, 0, NULL, NULL, 0},
 *     };
 *
 * An entry is of the version that it names and of all later ones, up to the next entry of that
 * name. The function makes the nodes that mean the operator, by its own document, and sets the
 * outputs:
 *
 *     static bool import_gemm(onnx_node *n)
 *     {
 *         inlay_value *product = onnx_make(n, "MatMul", 2, (inlay_value *[]){n->in[0], n->in[1]},
 *                                          "transpose_a=%s", ...);
 *
 *         return onnx_give(n, 0, product);
 *     }
 *
 * onnx_unary and onnx_binary pass NULL on, which stands for an error that was recorded: only the
 * last of several results needs a check. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_IMPORT_H
#define INLAY_PARSER_ONNX_IMPORT_H

#include "parser/onnx/onnx.h"

enum { ONNX_MAX_OUTPUTS = 64 };

/* What an import asked for and is not known. */
typedef struct onnx_asked {
    inlay_asked asked;
    const inlay_value *of; /* of this value */
} onnx_asked;

typedef struct onnx_node {
    onnx_scope *s;
    const Onnx__NodeProto *proto;
    const struct onnx_operator *op; /* the operator whose import it is */
    const char *name; /* the name of the node, else that of its first output; "": it has neither */
    inlay_node *first_made; /* the first node that onnx_make made for it, which got its name; NULL:
                               there is none yet */
    onnx_place at;
    int version;      /* the version of the operator set that the model imports for its domain */
    inlay_value **in; /* N_IN operands, NULL: left out at the end or by an empty name */
    int n_in;
    inlay_value **out; /* N_OUT outputs, to be set by onnx_give */
    int n_out;
    bool *seen; /* by attribute of PROTO: whether the import has asked for it */
    onnx_asked *asked;
    inlay_diags *d;
    inlay_value *few[8]; /* room for IN and OUT, and for SEEN, of all but large nodes */
    bool few_seen[8];
} onnx_node;

typedef struct onnx_operator {
    const char *name; /* the name of the operator, with its domain and a point in front unless that
                         is ai.onnx */
    int since;
    bool (*import)(onnx_node *n);
    const char *as; /* the operation of OpenVINO, for functions that import several operators alike;
                       NULL */
    int needs;      /* so many operands, the first ones, must be there; -1: none must */
} onnx_operator;

/* Returns the operator NAME in VERSION of the set DOMAIN ("": ai.onnx); NULL: there is none. */
const onnx_operator *onnx_operator_find(const char *domain, const char *name, int64_t version);

/* Imports the function of the model that N calls, in the place of N. *IS_CALL says whether N calls
 * one. */
bool onnx_call(onnx_node *n, bool *is_call);

/* Records an error at the node, unless the import asked for something that is not known before;
 * always false. */
bool onnx_node_fail(const onnx_node *n, const char *fmt, ...) INLAY_PRINTF(2, 3);

/* Returns operand I; NULL: it is left out. */
static inline inlay_value *onnx_in(const onnx_node *n, int i)
{
    return i < n->n_in ? n->in[i] : NULL;
}
/* Whether output I is wanted. */
static inline bool onnx_wants(const onnx_node *n, int i)
{
    return i < n->n_out && *n->proto->output[i];
}

/* Makes a node of OpenVINO's newest TYPE ("Slice", or with a version: "Gather@opset8") with these
 * operands (NULL: left out) and attributes ("axis=%d; mode=max"; NULL: none). Returns the only
 * output of the node; NULL: an error was recorded. */
inlay_value *onnx_make(onnx_node *n, const char *type, int n_in, inlay_value *const *in,
                       const char *attrs, ...) INLAY_PRINTF(5, 6);
/* Does the same for a node of several outputs, and returns the node. */
inlay_node *onnx_make_node(onnx_node *n, const char *type, int n_in, inlay_value *const *in,
                           const char *attrs, ...) INLAY_PRINTF(5, 6);
/* Imports of operators that are the operation op->as of OpenVINO, with the same operands and no
 * attributes. */
bool onnx_same(onnx_node *n);
/* Short cuts for nodes of one and two operands without attributes; a NULL operand gives NULL. */
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

/* control.c: the names of the values around N that G, a body of N, uses; in the scratch memory. */
bool onnx_captured(onnx_node *n, const Onnx__GraphProto *g, const char *const **names, int *count);

/* V becomes output I. False: V is NULL, so an error was recorded before. */
bool onnx_give(onnx_node *n, int i, inlay_value *v);

/* Attributes. One that the import does not ask for is an error when it is done, because it may
 * change what the operator means: an import asks for all that its operator has, or says by
 * onnx_attr_ignore that one has no meaning for it. What is absent gives DEFAULT. An attribute of
 * another type is an error, and *OK, which is otherwise left as it is, becomes false. */
const Onnx__AttributeProto *onnx_attr(const onnx_node *n, const char *name);
/* A, an attribute of a node of S, or what it stands for where that is in a function; NULL: the call
 * leaves it out. */
const Onnx__AttributeProto *onnx_attr_meant(const onnx_scope *s, const Onnx__AttributeProto *a);
/* The attribute NAME changes nothing here: a hint, or for training only. */
void onnx_attr_ignore(const onnx_node *n, const char *name);
/* Checks that no attribute of N stands there twice, and that the import has asked for each. */
bool onnx_attrs_done(const onnx_node *n);
int64_t onnx_attr_int(onnx_node *n, const char *name, int64_t absent, bool *ok);
double onnx_attr_float(onnx_node *n, const char *name, double absent, bool *ok);
/* OUT receives the element type that attribute NAME, a TensorProto.DataType, says; ABSENT is one,
 * too. The code 0 stands for no type: OUT stays as it is where ABSENT is 0, else it is an error. */
bool onnx_attr_type(onnx_node *n, const char *name, int32_t absent, inlay_type *out);
/* The string lives as long as the reader. */
const char *onnx_attr_string(onnx_node *n, const char *name, const char *absent, bool *ok);
/* One of the WORDS, which blanks part; *OK is false where it is another. */
const char *onnx_attr_word(onnx_node *n, const char *name, const char *absent, const char *words,
                           bool *ok);
/* They return NULL, and *COUNT is 0, where the attribute is absent. */
const int64_t *onnx_attr_ints(onnx_node *n, const char *name, int *count, bool *ok);
const float *onnx_attr_floats(onnx_node *n, const char *name, int *count, bool *ok);
/* How many strings there are, at most MAX, each of which lives as long as the reader. */
int onnx_attr_strings(onnx_node *n, const char *name, const char **out, int max, bool *ok);
/* A list of strings as a tensor, which the caller releases; NULL: absent, or *OK is false. */
inlay_tensor *onnx_attr_text(onnx_node *n, const char *name, bool *ok);
/* The caller releases it; NULL: absent, or *OK is false. */
inlay_tensor *onnx_attr_tensor(onnx_node *n, const char *name, bool *ok);
inlay_tensor *onnx_attr_sparse(onnx_node *n, const char *name, bool *ok);
const Onnx__GraphProto *onnx_attr_graph(onnx_node *n, const char *name, bool *ok);

/* shape.c: X in the shape that the list SHAPE holds; a NULL operand gives NULL. */
inlay_value *onnx_reshape(onnx_node *n, inlay_value *x, inlay_value *shape);
/* shape.c: X as a list, whatever shape its elements have; a NULL operand gives NULL. */
inlay_value *onnx_flat(onnx_node *n, inlay_value *x);
/* shape.c: LIST, which has one axis, in the shape in which it is broadcast along AXIS of a value of
 * RANK axes: [C] along axis 1 of [N, C, H, W] is [1, C, 1, 1]. A NULL list gives NULL. */
inlay_value *onnx_along_axis(onnx_node *n, inlay_value *list, int axis, int rank);

/* demand.c: what an operator demands of its operands where the operations that are made of it would
 * broadcast. These say false or NULL, and record an error, where operand I is known not to fit; one
 * that is left out fits, and what is not known is no error. */

/* Operand I has LOW to HIGH axes; it has this shape; it is a list of COUNT numbers. */
bool onnx_has_rank(onnx_node *n, int i, int low, int high);
bool onnx_has_shape(onnx_node *n, int i, const inlay_shape *s);
bool onnx_has_count(onnx_node *n, int i, inlay_dim count);
/* The size of AXIS of operand I, any where there is none; the shape of V. */
inlay_dim onnx_dim(const onnx_node *n, int i, int axis);
inlay_shape onnx_shape(const inlay_value *v);
/* Whether V is known to be a scalar or a list of one number, which ONNX Runtime takes for one. */
bool onnx_is_one(const inlay_value *v);
/* Operand I as a scalar; the run checks that it has one element. NULL without an error: it is left
 * out. */
inlay_value *onnx_one(onnx_node *n, int i);
/* V, which was made of operand I, broadcast to the shape of TO, which must not grow. Where sizes
 * are open the run checks them: then a Broadcast is made. A NULL operand gives NULL. */
inlay_value *onnx_fit(onnx_node *n, int i, inlay_value *v, inlay_value *to);
/* V, which was made of operand I, a list with a number for each place along AXIS of TO, in the
 * shape in which it is broadcast; the run checks sizes that are open. A NULL operand gives NULL. */
inlay_value *onnx_list_along(onnx_node *n, int i, inlay_value *v, inlay_value *to, int axis);
/* A size that V is held to: that of AXIS of OF, or NUMBER where OF is NULL. */
typedef struct onnx_size_of {
    inlay_value *of;
    int axis;
    int64_t number;
} onnx_size_of;
/* V, which has RANK axes of these SIZES: V itself where that is known, else a Reshape, by which the
 * run checks it. A NULL operand gives NULL. */
inlay_value *onnx_held(onnx_node *n, inlay_value *v, const onnx_size_of *sizes, int rank);
/* V held to the sizes of TO from axis FIRST on. */
inlay_value *onnx_held_like(onnx_node *n, inlay_value *v, inlay_value *to, int first);
/* Operand I, which must be a list of COUNT numbers; the run checks it where that is not known. */
inlay_value *onnx_counted(onnx_node *n, int i, int64_t count);
/* The node has attribute NAME. */
bool onnx_needs_attr(onnx_node *n, const char *name);

/* constant.c: X as elements of TYPE, as Cast does it, with attributes saturate and round_mode. */
inlay_value *onnx_cast(onnx_node *n, inlay_value *x, inlay_type type);

/* spatial.c: the convolution that attributes of a Conv describe, without its bias. NULL and an
 * error; a NULL operand gives NULL. */
inlay_value *onnx_convolve(onnx_node *n, inlay_value *data, inlay_value *filters);

/* shape.c: the product of the sizes of axes [FIRST, LAST) of X, as a list of one; a constant where
 * the sizes are known. */
inlay_value *onnx_sizes(onnx_node *n, inlay_value *x, int first, int last);
/* shape.c: X, whose rank is known, with the axes before AXIS as one and those from it on as
 * another. */
inlay_value *onnx_flatten(onnx_node *n, inlay_value *x, int axis);

/* parts.c: small things that imports of several families need. A NULL operand gives NULL. */

/* X as a scalar, whatever shape its one element has. */
inlay_value *onnx_scalar(onnx_node *n, inlay_value *x);
/* The same where an operation takes a list of one, too: that stays as it is. */
inlay_value *onnx_single(onnx_node *n, inlay_value *x);
/* X in another element type. */
inlay_value *onnx_convert(onnx_node *n, inlay_value *x, inlay_type type);
/* The size of AXIS of X, a scalar of i64, and those of all axes, a list. */
inlay_value *onnx_size(onnx_node *n, inlay_value *x, int axis);
inlay_value *onnx_shape_of(onnx_node *n, inlay_value *x);
/* The numbers START, START + 1, ... before STOP, scalars of i64. */
inlay_value *onnx_count(onnx_node *n, inlay_value *start, inlay_value *stop);
/* Element I of the list X, a scalar. */
inlay_value *onnx_element(onnx_node *n, inlay_value *x, int i);
/* VALUE in a tensor of the sizes in the list SHAPE. */
inlay_value *onnx_fill(onnx_node *n, inlay_value *value, inlay_value *shape);
/* Elements of X along AXIS at the places in INDICES. */
inlay_value *onnx_take(onnx_node *n, inlay_value *x, inlay_value *indices, int axis);

/* What an import asks of its operands. Where it is not known yet, the import fails, without an
 * error: what it made is taken back, and it is called again when more is known (defer.c). So an
 * import asks for what it depends on, and for nothing else: never does it guess, nor refuse because
 * something is open. */

/* Returns the rank of V; -1: it is not known. */
int onnx_rank(onnx_node *n, const inlay_value *v);
/* Returns the type of V; INLAY_DYNAMIC: it is not known. */
inlay_type onnx_type_of(onnx_node *n, const inlay_value *v);
/* Returns the size of AXIS of V, whose rank is known and above AXIS; -1: it is not known. */
int64_t onnx_known_size(onnx_node *n, const inlay_value *v, int axis);
/* Returns all elements of V, dense, which the caller releases; NULL: they are not known. */
inlay_tensor *onnx_elements(onnx_node *n, inlay_value *v);
/* Output 0 has this TYPE and RANK whatever else is asked for and not known. */
void onnx_promise(onnx_node *n, inlay_type type, int rank);

/* Returns AXIS, which must be in [-RANK, RANK), as a number in [0, RANK); -1 and an error: it is
 * not in that range. */
int onnx_axis(onnx_node *n, int64_t axis, int rank);

#endif
