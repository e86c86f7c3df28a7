/* What exporters of operations use. Each family has a table of them in its file in import/, beside
 * the imports:
 *
 *     const onnx_exporter onnx_exporters_unary[] = {
 *         {"Abs", NULL, "Abs", 0, PUT_NUM},
 *         {"Gelu", export_gelu, NULL, 0, PUT_FLOAT},
 *         {NULL, NULL, NULL, 0, 0},
 *     };
 *
 * A row whose function is NULL is the operator AS with the same operands and no attributes. A
 * function puts the operators that compute what the node computes, and gives its outputs names:
 *
 *     static bool export_swish(onnx_export *x)
 *     {
 *         const char *data = put_in(x, 0), *beta = put_in(x, 1);
 *         const char *slope = put(x, "Sigmoid", IN(put(x, "Mul", IN(data, beta), NULL)), NULL);
 *
 *         return put_give(x, 0, put(x, "Mul", IN(data, slope), NULL));
 *     }
 *
 * Values are names. NULL means that an error was recorded, or that the node is refused, and gives
 * NULL: only the last of several results needs a check. "" is an absent operand. Private to
 * parser/onnx. */
#ifndef INLAY_PARSER_ONNX_EXPORT_H
#define INLAY_PARSER_ONNX_EXPORT_H

#include "parser/onnx/import.h"

/* Sets of element types, for rows. */
#define PUT_BIT(type) ((inlay_type_set)1 << (type))
#define PUT_BASIC (PUT_BIT(INLAY_F16) | PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64))
#define PUT_FLOAT (PUT_BASIC | PUT_BIT(INLAY_BF16))
#define PUT_SIGNED                                                                                 \
    (PUT_BIT(INLAY_I8) | PUT_BIT(INLAY_I16) | PUT_BIT(INLAY_I32) | PUT_BIT(INLAY_I64))
#define PUT_UNSIGNED                                                                               \
    (PUT_BIT(INLAY_U8) | PUT_BIT(INLAY_U16) | PUT_BIT(INLAY_U32) | PUT_BIT(INLAY_U64))
#define PUT_WIDE (PUT_BIT(INLAY_I32) | PUT_BIT(INLAY_I64) | PUT_BIT(INLAY_U32) | PUT_BIT(INLAY_U64))
#define PUT_INT (PUT_SIGNED | PUT_UNSIGNED)
#define PUT_NUM (PUT_FLOAT | PUT_INT)
#define PUT_BOOL PUT_BIT(INLAY_BOOLEAN)
#define PUT_ANY ((inlay_type_set)0)

typedef struct onnx_export {
    struct onnx_writer *w;
    const inlay_node *n; /* the node that is exported */
    const struct onnx_exporter *how;
    int version;  /* of ONNX's operator set that is written */
    size_t first; /* the first node of the file's graph that was put for it */
    bool refused; /* that is said of it, once */
} onnx_export;

typedef struct onnx_exporter {
    const char *type; /* of the node; "Slice@onnx" if it is not of OpenVINO's */
    bool (*export)(onnx_export *x);
    const char
        *as;   /* the operator, for functions that export several alike, and for rows without one */
    int since; /* the first operator set that has it as it is needed; 0: any that is written */
    inlay_type_set
        types; /* of operand 0, that the operator takes; PUT_ANY: it takes what the node does */
} onnx_exporter;

/* find.c: the exporter of nodes of OP; NULL: there is none. */
const onnx_exporter *onnx_exporter_find(const inlay_op *op);

/* write_node.c */

/* Says that the node cannot be said in ONNX, and why; always false, the export goes on with other
 * nodes. */
bool put_refuse(onnx_export *x, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Declares that VERSION of ONNX's operator set is needed for WHAT. False: an older one was asked
 * for. */
bool put_needs(onnx_export *x, int version, const char *what);

/* The name of operand I; "": it is absent. */
const char *put_in(onnx_export *x, int i);
/* import/sequence.c: the same, where it may be a sequence or an optional. NULL: ONNX has no such
 * one. */
const char *put_items(onnx_export *x, int i);
/* The name of V, a value of the graph that is written. */
const char *put_value(onnx_export *x, const inlay_value *v);

/* A list of names, which ends before NULL: IN(a, b). */
#define IN(...) ((const char *const[]){__VA_ARGS__, NULL})
/* Puts operator OP, with its domain and a dot in front unless that is ai.onnx. Returns its only
 * output. */
const char *put(onnx_export *x, const char *op, const char *const *in, const onnx_given *attrs);
/* The same with N_OUT outputs, which it writes to OUT. */
bool put_many(onnx_export *x, const char *op, const char *const *in, const onnx_given *attrs,
              int n_out, const char **out);
/* Makes V output I of the node. */
bool put_give(onnx_export *x, int i, const char *v);
/* Is output I used? */
bool put_wants(const onnx_export *x, int i);

/* Constants: a list of i64, a scalar of i64, a scalar or a list of one of TYPE; a tensor. */
const char *put_list(onnx_export *x, const int64_t *list, int count);
const char *put_int(onnx_export *x, int64_t number);
const char *put_number(onnx_export *x, inlay_type type, double number);
const char *put_tensor(onnx_export *x, const char *name, const inlay_tensor *t);
/* The same with T, a new tensor or NULL (no memory), which it takes over. */
const char *put_own_tensor(onnx_export *x, const char *name, inlay_tensor *t);
/* Returns a new tensor, which counts where the graph does; NULL: no memory. */
inlay_tensor *put_new(const onnx_export *x, inlay_type type, int rank, const int64_t *dims);
/* Keeps T, which the caller has made, as long as what is written; NULL: no memory, also for T. */
const inlay_tensor *put_keep(onnx_export *x, inlay_tensor *t);

/* import/lowered.c: products of bytes. The zero point of operand I, in the type of the operand, ""
 * where there is none; NULL: it is not known. */
const char *put_zero_of(onnx_export *x, int i);
/* Gives Y, a product of i32 with AFTER axes behind its channels, as the result, with the bias,
 * scales and so on that the node has. */
bool put_ends(onnx_export *x, const char *y, int after);

/* import/normalize.c: V, which is a layer normalisation, times SCALE, plus SHIFT (both may be NULL)
 * as one operator. NULL: it is none, or no single operator is to be put. */
const char *put_layer(onnx_export *x, const inlay_value *v, const inlay_value *scale,
                      const inlay_value *shift);

/* put.c */

bool put_same(onnx_export *x);
/* What is known of operand I, which must be there. */
const inlay_fact *put_fact(const onnx_export *x, int i);
inlay_type put_type(const onnx_export *x, int i);
/* The rank of operand I; -1, and the node is refused: it is not known. */
int put_rank(onnx_export *x, int i);
/* The size of AXIS of operand I; -1: it is not known. */
int64_t put_size(const onnx_export *x, int i, int axis);
/* Writes the elements of operand I, at most MAX integers, to OUT, and returns how many there are;
 * -1, and the node is refused: they are not known. */
int put_known(onnx_export *x, int i, int64_t *out, int max);
/* The same without refusing it. */
int put_seen(const onnx_export *x, int i, int64_t *out, int max);
/* The only element of operand I. False, and the node is refused: it is not known. */
bool put_known_one(onnx_export *x, int i, int64_t *out);
/* Operand I, which is an axis, or a list of axes, of data of RANK axes: the same with all of them
 * >= 0. */
int put_axes(onnx_export *x, int i, int rank, int64_t *out);
/* Operand I, integers, as i64; as a list of one if it is a scalar; as a scalar if it is a list of
 * one. */
const char *put_i64(onnx_export *x, int i);
const char *put_i64_list(onnx_export *x, int i);
const char *put_scalar(onnx_export *x, int i);
/* V converted to TYPE. */
const char *put_cast(onnx_export *x, const char *v, inlay_type type);
/* Operand I converted to TYPE, unless it has that type. */
const char *put_as(onnx_export *x, int i, inlay_type type);
/* V in the sizes DIMS, of which one may be -1; 0 keeps the size there, or (to) is one of no
 * elements. */
const char *put_reshape(onnx_export *x, const char *v, const int64_t *dims, int rank);
const char *put_reshape_to(onnx_export *x, const char *v, const int64_t *dims, int rank);
const char *put_unsqueeze(onnx_export *x, const char *v, const int64_t *axes, int count);
const char *put_squeeze(onnx_export *x, const char *v, const int64_t *axes, int count);
const char *put_transpose(onnx_export *x, const char *v, const int64_t *order, int rank);
/* V of RANK axes with axis FROM moved to TO. */
const char *put_moved(onnx_export *x, const char *v, int rank, int from, int to);
/* Puts OP, which has two operands and no attributes. */
const char *put_binary(onnx_export *x, const char *op, const char *a, const char *b);
/* Operand I of what makes V, if that is called OP in our table; or NULL. V may be NULL. */
const inlay_value *put_operand_of(const inlay_value *v, const char *op, int i);
/* How many elements F has; -1: it is not known, or no tensor has so many. */
int64_t put_count(const inlay_fact *f);
/* V, of which FACT is known, with UPDATES, N elements (-1: not known), in its places PLACES, a
 * list, along AXIS: by what ONNX Runtime does fastest. */
const char *put_rows(onnx_export *x, const char *v, const inlay_fact *fact, int axis,
                     const char *places, const char *updates, int64_t n);
/* Reduces V by OP ("ReduceSum") over AXES. */
const char *put_reduce(onnx_export *x, const char *op, const char *v, const int64_t *axes,
                       int count, bool keep);
/* Slices V along AXIS from START to before STOP. */
const char *put_cut(onnx_export *x, const char *v, int axis, int64_t start, int64_t stop,
                    int64_t step);
/* A type in the set TYPES for numbers of TYPE: itself, or a wider one. INLAY_DYNAMIC: there is
 * none. */
inlay_type put_wider(inlay_type type, inlay_type_set types);
/* Returns the largest number of an integer TYPE that a double holds. */
double put_most(inlay_type type);
/* Gives V, computed as WIDE in place of the type of output I, as output I: rounded once. */
bool put_give_as(onnx_export *x, int i, const char *v, inlay_type wide);

#endif
